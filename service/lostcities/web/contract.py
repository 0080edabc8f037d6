"""The OpenAPI document at `/openapi.json`: compact, compressed where the client accepts it, and cacheable."""

import json
import threading
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from flask import Flask, Response

from lostcities.web.assets import Content

CACHE_SECONDS: Final = 300
"""A cached document is used without asking for this time. Then its ETag is compared."""


def pretty(document: dict[str, Any]) -> bytes:
    """The document as the repository has it."""
    return (json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def serve_contract(app: Flask, document: Callable[[], dict[str, Any]]) -> None:
    """Serve the document. It is made and serialised at the first request."""
    writing = threading.Lock()

    @cache
    def served() -> Content:
        return Content.of(json.dumps(document(), separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode())

    @app.get("/openapi.json")
    def openapi() -> Response:
        with writing:
            content = served()
        return content.response("application/json", f"public, max-age={CACHE_SECONDS}")
