"""Whether an answer is what the contract says: status, headers, content type and body.

No test asks for this. `watch` (in `tests/conftest.py`, for every test) sees each answer of every application in this
process, whoever asked and through whatever client; `tests.client.Client` sees those of servers in other processes.
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
"""The committed contract; a service with more games than that has one of its own."""

FOR_PEOPLE = re.compile(r"/docs(/[\w.-]+)?|/openapi\.json")
"""What is served beside the API: the contract itself, and the page that shows it."""

OF_TRANSPORT = {"connection", "content-length", "date", "server", "transfer-encoding"}
OF_EVERY_ANSWER = {
    "access-control-allow-origin",
    "access-control-expose-headers",
    "content-security-policy",
    "content-type",
    "vary",
    "x-content-type-options",
}
"""Headers that mean the same everywhere, so that no call names them."""


class Violation(AssertionError):
    """An answer that the contract does not describe."""


def check(method: str, path: str, status: int, headers: Mapping[str, str], body: bytes | None) -> None:
    """Raise `Violation` if the contract does not describe this answer. A body that is `None` was not looked at."""
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


def _demand(condition: Any, complaint: str) -> None:
    if not condition:
        raise Violation(complaint)


def _check_headers(call: str, named: Mapping[str, Any], sent: Mapping[str, str]) -> None:
    documented = {name.lower(): _resolve(header) for name, header in named.items()}
    for name, header in documented.items():
        if name in sent:
            value = int(sent[name]) if header["schema"]["type"] == "integer" else sent[name]
            _validate(f"{call}: header {name}", header["schema"], value)
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
        _validate(f"{call}: body", content[content_type]["schema"], json.loads(body))


def _check_outside(call: str, method: str, path: str, status: int, sent: Mapping[str, str], body: bytes | None) -> None:
    """What no call of the contract answers: preflights, unknown paths and methods, pages for people."""
    if method == "OPTIONS" and status in (200, 204):
        return
    if FOR_PEOPLE.fullmatch(path.split("?", maxsplit=1)[0]) and status in (200, 304):
        return
    _demand(status in (404, 405), f"{call}: not in the contract")
    _demand(sent.get("content-type") == "application/problem+json", f"{call}: not a problem")
    if status == 405:
        _demand(sent.get("allow"), f"{call}: no Allow")
    if method != "HEAD" and body is not None:
        problem = CONTRACT["components"]["schemas"]["MethodNotAllowedProblem"]
        code = {"const": "not-found" if status == 404 else "method-not-allowed"}
        title = {"const": "Not Found" if status == 404 else "Method Not Allowed"}
        own = {"code": code, "title": title, "status": {"const": status}}
        _validate(f"{call}: body", {**problem, "properties": {**problem["properties"], **own}}, json.loads(body))


def _validate(what: str, schema: Any, value: Any) -> None:
    try:
        _validator(json.dumps(schema)).validate(value)
    except jsonschema_rs.ValidationError as error:
        raise Violation(f"{what}: {error.message} at {error.instance_path}") from None


# A path that is written out goes before one with parameters.
_PATHS = [
    (re.compile(re.sub(r"\{\w+\}", "[^/]+", template)), item)
    for template, item in sorted(CONTRACT["paths"].items(), key=lambda each: "{" in each[0])
]


def operation_of(method: str, path: str) -> Any:
    """The call of the contract that a request makes, if it makes one."""
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
    return jsonschema_rs.Draft202012Validator(
        {**json.loads(schema), "components": CONTRACT["components"]}, validate_formats=True
    )


# Watching --------------------------------------------------------------------------------------------------------


VIOLATIONS: list[Violation] = []
"""What was found and not yet reported: what is raised while an application answers would become another answer."""


def watch() -> None:
    """Check every answer of every Flask application in this process from now on."""
    answer = Flask.__call__

    def watched(app: Flask, environ: Any, start_response: Any) -> Iterable[bytes]:
        told: dict[str, Any] = {}

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            told.update(status=int(status[:3]), headers=dict(headers))
            return start_response(status, headers, exc_info)

        body: Iterable[bytes] = answer(app, environ, start)
        whole: bytes | None = None
        if "Content-Length" in told["headers"]:
            # What is not streamed is whole anyhow.
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
    """Raise the first violation since the last report, if there was one."""
    found = VIOLATIONS.copy()
    VIOLATIONS.clear()
    if found:
        raise found[0]
