"""Cross-origin calls: any page may call, as nothing depends on cookies."""

from collections.abc import Sequence
from typing import Final

from flask import Flask, Response, request

METHODS: Final = "GET, HEAD, POST, DELETE, OPTIONS"
READS: Final = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id"
LIMITS: Final = "RateLimit, RateLimit-Policy, Retry-After"
SHOWS: Final = f"Allow, ETag, Idempotent-Replayed, Location, {LIMITS}, WWW-Authenticate, X-Request-Id"
REMEMBERED: Final = 86_400
"""Seconds that a browser may remember the answer to a preflight."""


def allow(app: Flask, origins: Sequence[str]) -> None:
    """Answer preflights, and mark every answer, errors included."""

    @app.before_request
    def preflight() -> Response | None:
        if request.method != "OPTIONS" or "Access-Control-Request-Method" not in request.headers:
            return None
        response = Response(status=204)
        response.headers["Access-Control-Allow-Methods"] = METHODS
        response.headers["Access-Control-Allow-Headers"] = READS
        response.headers["Access-Control-Max-Age"] = str(REMEMBERED)
        return response

    @app.after_request
    def mark(response: Response) -> Response:
        origin = request.headers.get("Origin", "")
        if "*" in origins:
            response.headers["Access-Control-Allow-Origin"] = "*"
        else:
            response.headers.add("Vary", "Origin")
            if origin in origins:
                response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = SHOWS
        return response
