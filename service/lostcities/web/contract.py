"""The OpenAPI document at `/openapi.json`: compact, compressed where the client accepts it, and cacheable."""

import gzip
import hashlib
import json
import threading
from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple

from flask import Flask, Response, request

CACHE_SECONDS: Final = 300
"""A cached document is used without asking for this time. Then its ETag is compared."""


class _Served(NamedTuple):
    plain: bytes
    compressed: bytes
    etag: str


def pretty(document: dict[str, Any]) -> bytes:
    """The document as the repository has it."""
    return (json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def serve_contract(app: Flask, document: Callable[[], dict[str, Any]]) -> None:
    """Serve the document. It is made and serialised at the first request."""
    writing = threading.Lock()

    @cache
    def served() -> _Served:
        plain = json.dumps(document(), separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode()
        # Without a time the same document gives the same bytes in every process.
        return _Served(plain, gzip.compress(plain, mtime=0), hashlib.sha256(plain).hexdigest()[:32])

    @app.get("/openapi.json")
    def openapi() -> Response:
        with writing:
            plain, compressed, etag = served()
        if request.accept_encodings.quality("gzip") > 0:
            response = Response(compressed, content_type="application/json", headers={"Content-Encoding": "gzip"})
            response.set_etag(f"{etag}-gzip")
        else:
            response = Response(plain, content_type="application/json")
            response.set_etag(etag)
        response.headers["Vary"] = "Accept-Encoding"
        response.headers["Cache-Control"] = f"public, max-age={CACHE_SECONDS}"
        response.make_conditional(request)
        return response
