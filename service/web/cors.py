"""Cross-origin calls: any page may call, as nothing depends on cookies."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

METHODS: Final = "GET, HEAD, POST, DELETE, OPTIONS"
READS: Final = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id"
LIMITS: Final = "RateLimit, RateLimit-Policy, Retry-After"
SHOWS: Final = f"Allow, ETag, Idempotent-Replayed, Location, {LIMITS}, WWW-Authenticate, X-Request-Id"
REMEMBERED: Final = 86_400
"""Seconds that a browser may remember the answer to a preflight."""

_SHOWS: Final = ("Access-Control-Expose-Headers", SHOWS)
_FOR_ANY: Final = [("Access-Control-Allow-Origin", "*"), _SHOWS]

PREFLIGHT: Final = [
    ("Access-Control-Allow-Methods", METHODS),
    ("Access-Control-Allow-Headers", READS),
    ("Access-Control-Max-Age", str(REMEMBERED)),
]
"""What a browser is answered which asks first whether it may call."""


def is_preflight(environ: "WSGIEnvironment") -> bool:
    """Whether a browser asks first whether it may call."""
    return environ["REQUEST_METHOD"] == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ


def headers(origins: Sequence[str], origin: str) -> list[tuple[str, str]]:
    """What an answer to a page of that origin says, errors included."""
    if "*" in origins:
        return _FOR_ANY
    allowed = [("Access-Control-Allow-Origin", origin)] if origin in origins else []
    return [("Vary", "Origin"), *allowed, _SHOWS]
