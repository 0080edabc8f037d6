"""Checks responses against the contract: status, headers, content type and body.

The check is automatic. `watch`, called in `tests/conftest.py`, checks the responses of every application in this
process. `tests.client.Client` checks those of servers in other processes.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema_rs
from flask import Flask

COMMITTED = Path(__file__).parents[2] / "openapi" / "openapi.json"
CONTRACT = json.loads(Path(os.environ.get("CONTRACT", COMMITTED)).read_bytes())
"""The committed contract, or another one for a service with additional variants."""


def closed(part: Any) -> Any:
    """A copy of a part of the contract in which no answer has a member or a value that the contract does not name.

    The contract leaves answers open, for what later versions add. A member that is not in the contract is still a
    mistake of this version, for example a secret that leaks.
    """
    if isinstance(part, list):
        return [closed(each) for each in part]
    if not isinstance(part, dict):
        return part
    copy = {name: closed(each) for name, each in part.items()}
    if copy.get("type") == "object" and "properties" in copy:
        copy["additionalProperties"] = False
    if "x-extensible-enum" in copy:
        copy["enum"] = [*copy["x-extensible-enum"], *([None] if "null" in copy["type"] else [])]
    return copy


CLOSED = {"schemas": closed(CONTRACT["components"]["schemas"])}
"""The schemas that answers are validated against."""

FOR_PEOPLE = re.compile(r"/|/table/[\w./-]+|/docs(/[\w./-]+)?|/openapi\.json")
"""Paths outside the API: the table, the contract and the documentation page."""

OF_TRANSPORT = {"connection", "content-length", "date", "server", "transfer-encoding"}
OF_EVERY_ANSWER = {
    "access-control-allow-origin",
    "access-control-expose-headers",
    "content-security-policy",
    "content-type",
    "vary",
    "x-content-type-options",
}
"""Headers of all responses, which the contract does not list for each call."""


class Violation(AssertionError):
    """A response that does not conform to the contract."""


def check(method: str, path: str, status: int, headers: Mapping[str, str], body: bytes | None) -> None:
    """Raise `Violation` if the response does not conform to the contract. A body of `None` is not checked."""
    call = f"{method} {path} → {status}"
    sent = {name.lower(): value for name, value in headers.items()}
    _demand(sent.get("x-request-id"), f"{call}: no X-Request-Id")
    _demand("access-control-expose-headers" in sent, f"{call}: no page may read it")
    operation = operation_of(method, path)
    if operation is None:
        _check_outside(call, method, path, status, sent, body)
        return
    response = _resolve(operation["responses"].get(str(status)))
    _demand(response, f"{call}: the contract does not name the status")
    _check_headers(call, response.get("headers", {}), sent)
    _check_content(call, response.get("content", {}), sent, None if method == "HEAD" else body)
    if "x-problem-codes" in response and body and method != "HEAD":
        _check_problem(call, json.loads(body), status, response["x-problem-codes"])
        _check_title(call, json.loads(body), sent)
    if operation["operationId"].startswith("check") and status == 200 and body:
        _check_judgement(call, json.loads(body))


def _check_problem(call: str, problem: Any, status: int, codes: Iterable[str]) -> None:
    """The members of a problem that depend on its code and status."""
    code = problem["code"]
    _demand(code in codes, f"{call}: the contract does not name the code {code}")
    _demand(problem["status"] == status, f"{call}: its status is {problem['status']}")
    _demand(problem["type"] == f"/problems/{code}", f"{call}: its type is {problem['type']}")
    if code == "illegal-event":
        _demand(problem.get("rule"), f"{call}: it names no rule")
    else:
        rule = code if status == 409 and code != "nothing-to-decide" else None
        _demand(problem.get("rule") == rule, f"{call}: its rule is {problem.get('rule')}")
    _demand("errors" not in problem or status in (401, 403, 422), f"{call}: it has errors")


def _check_title(call: str, problem: Any, sent: Mapping[str, str]) -> None:
    """The English title of a problem is its code in words."""
    if sent.get("content-language", "en") != "en":
        return
    title = problem["code"].replace("-", " ").capitalize()
    _demand(problem["title"] == title, f"{call}: its title is {problem['title']}")


def _check_judgement(call: str, judgement: Any) -> None:
    _demand(
        judgement["legal"] != ("problem" in judgement), f"{call}: a problem of legal moves, or none of illegal ones"
    )
    if "problem" in judgement:
        codes = CONTRACT["components"]["responses"]["IllegalMove"]["x-problem-codes"]
        _check_problem(call, judgement["problem"], 409, codes)


def _demand(condition: Any, complaint: str) -> None:
    if not condition:
        raise Violation(complaint)


def _check_headers(call: str, named: Mapping[str, Any], sent: Mapping[str, str]) -> None:
    documented = {name.lower(): _resolve(header) for name, header in named.items()}
    for name, header in documented.items():
        if name in sent:
            value = int(sent[name]) if header["schema"]["type"] == "integer" else sent[name]
            validate(f"{call}: header {name}", header["schema"], value)
        else:
            _demand(not header.get("required"), f"{call}: no header {name}")
    unknown = sent.keys() - documented.keys() - OF_EVERY_ANSWER - OF_TRANSPORT
    _demand(not unknown, f"{call}: the contract does not name the headers {sorted(unknown)}")


def _check_content(call: str, content: Mapping[str, Any], sent: Mapping[str, str], body: bytes | None) -> None:
    if not content:
        _demand(not body, f"{call}: a body where the contract has none")
        return
    content_type = sent.get("content-type", "")
    _demand(content_type in content, f"{call}: the contract does not name {content_type}")
    if body is not None and content_type.endswith("json"):
        validate(f"{call}: body", content[content_type]["schema"], json.loads(body))


def _check_outside(call: str, method: str, path: str, status: int, sent: Mapping[str, str], body: bytes | None) -> None:
    """Check responses outside the contract: preflights, unknown paths and methods, web pages."""
    if method == "OPTIONS" and status in (200, 204):
        return
    if FOR_PEOPLE.fullmatch(path.split("?", maxsplit=1)[0]) and status in (200, 304):
        return
    _demand(status in (404, 405), f"{call}: not in the contract")
    _demand(sent.get("content-type") == "application/problem+json", f"{call}: not a problem")
    if status == 405:
        _demand(sent.get("allow"), f"{call}: no Allow")
    if method != "HEAD" and body is not None:
        validate(f"{call}: body", {"$ref": "#/components/schemas/Problem"}, json.loads(body))
        _check_problem(call, json.loads(body), status, ["not-found" if status == 404 else "method-not-allowed"])
        _check_title(call, json.loads(body), sent)


def validate(what: str, schema: Any, value: Any) -> None:
    """Raise `Violation` if the value does not conform to the closed copy of the schema."""
    try:
        _validator(json.dumps(schema)).validate(value)
    except jsonschema_rs.ValidationError as error:
        raise Violation(f"{what}: {error.message} at {error.instance_path}") from None


# A literal path has precedence over one with parameters.
_PATHS = [
    (re.compile(re.sub(r"\{\w+\}", "[^/]+", template)), item)
    for template, item in sorted(CONTRACT["paths"].items(), key=lambda each: "{" in each[0])
]


def operation_of(method: str, path: str) -> Any:
    """The contract's operation for a request, if there is one."""
    method = "get" if method == "HEAD" else method.lower()
    for pattern, item in _PATHS:
        if pattern.fullmatch(unquote(path.split("?", maxsplit=1)[0])):
            return item.get(method)
    return None


def _resolve(document: Any) -> Any:
    while document and "$ref" in document:
        target: Any = CONTRACT
        for part in document["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        document = target
    return document


@cache
def _validator(schema: str) -> jsonschema_rs.Draft202012Validator:
    document = {**closed(json.loads(schema)), "components": CLOSED}
    return jsonschema_rs.Draft202012Validator(document, validate_formats=True)


# Watching --------------------------------------------------------------------------------------------------------


VIOLATIONS: list[Violation] = []
"""Violations that are not reported yet. An exception inside the application would become a 500 response."""


def watch() -> None:
    """Start to check the responses of all Flask applications in this process."""
    answer = Flask.__call__

    def watched(app: Flask, environ: Any, start_response: Any) -> Iterable[bytes]:
        told: dict[str, Any] = {}

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            told.update(status=int(status[:3]), headers=dict(headers))
            return start_response(status, headers, exc_info)

        body: Iterable[bytes] = answer(app, environ, start)
        whole: bytes | None = None
        if "Content-Length" in told["headers"]:
            # Only streamed responses are incomplete.
            whole = b"".join(body)
            getattr(body, "close", lambda: None)()
            body = [whole]
        path = environ["PATH_INFO"].encode("latin-1").decode(errors="replace")
        try:
            check(environ["REQUEST_METHOD"], f"{path}?{environ['QUERY_STRING']}", **told, body=whole)
        except Violation as violation:
            VIOLATIONS.append(violation)
        return body

    Flask.__call__ = watched  # type: ignore[assignment,method-assign]


def report() -> None:
    """Raise the first violation since the last report, if any."""
    found = VIOLATIONS.copy()
    VIOLATIONS.clear()
    if found:
        raise found[0]
