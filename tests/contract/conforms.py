"""Whether an answer is what the contract says: status, headers, content type and body."""

import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

COMMITTED = Path(__file__).parents[2] / "openapi" / "openapi.json"
CONTRACT = json.loads(Path(os.environ.get("CONTRACT", COMMITTED)).read_bytes())
"""The committed contract; a service with more games than that has one of its own."""


def check(method: str, path: str, status: int, headers: dict[str, str], body: bytes) -> None:
    """Fail if the contract does not describe this answer. Paths outside the contract have plain problems."""
    assert headers.get("X-Request-Id")
    assert headers.get("Access-Control-Allow-Origin")
    operation = _operation(method.lower(), path)
    if operation is None:
        assert status in (204, 404, 405), f"{method} {path} is not in the contract"
        return
    if method == "HEAD":
        return
    response = _resolve(operation["responses"].get(str(status)))
    assert response, f"{method} {path} answers {status}, which the contract does not name"
    for name in response.get("headers", {}):
        assert name in headers or name == "Idempotent-Replayed", f"{method} {path} {status} lacks {name}"
    content = response.get("content", {})
    if not content:
        assert body == b""
        return
    ((content_type, media),) = content.items()
    assert headers["Content-Type"] == content_type
    if content_type.endswith("json"):
        _validator(json.dumps(media["schema"])).validate(json.loads(body))


# A path that is written out goes before one with parameters.
_PATHS = [
    (re.compile(re.sub(r"\{\w+\}", "[^/]+", template)), item)
    for template, item in sorted(CONTRACT["paths"].items(), key=lambda each: "{" in each[0])
]


def _operation(method: str, path: str) -> Any:
    for pattern, item in _PATHS:
        if pattern.fullmatch(path.split("?", maxsplit=1)[0]):
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
    return jsonschema_rs.Draft202012Validator({**json.loads(schema), "components": CONTRACT["components"]})
