"""A WSGI middleware that adds response headers for browsers: CORS and security headers."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from flask import Flask

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

Headers = list[tuple[str, str]]

ALLOWED_METHODS: Final = "GET, HEAD, POST, DELETE, OPTIONS"
ALLOWED_HEADERS: Final = (
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id"
)
EXPOSED_HEADERS: Final = ", ".join(
    (
        "API-Version",
        "Allow",
        "Content-Language",
        "ETag",
        "Idempotent-Replayed",
        "Location",
        "RateLimit",
        "RateLimit-Policy",
        "Retry-After",
        "WWW-Authenticate",
        "X-Request-Id",
    )
)
PREFLIGHT_SECONDS: Final = 86_400
"""Seconds for which a browser may cache a preflight response."""

_PREFLIGHT: Final = (
    ("Access-Control-Allow-Methods", ALLOWED_METHODS),
    ("Access-Control-Allow-Headers", ALLOWED_HEADERS),
    ("Access-Control-Max-Age", str(PREFLIGHT_SECONDS)),
)
_EXPOSE: Final = ("Access-Control-Expose-Headers", EXPOSED_HEADERS)
_NO_SNIFFING: Final = ("X-Content-Type-Options", "nosniff")
_NO_CONTENT: Final = ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
"""The content security policy of responses that are data. Pages set their own."""


def add_browser_headers(app: Flask, origins: Sequence[str]) -> None:
    """Add CORS and security headers to every response, errors included, and answer preflight requests.

    The service sets no cookies, so the list of origins is enough protection against cross-origin calls. HSTS is set by
    the proxy that terminates TLS.
    """
    application = app.wsgi_app
    cors_headers = _cors_headers(origins)

    def middleware(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        def start(status: str, headers: Headers, exc_info: Any = None) -> Any:
            if all(name != "Content-Security-Policy" for name, _ in headers):
                headers.append(_NO_CONTENT)
            headers.append(_NO_SNIFFING)
            headers += cors_headers(environ.get("HTTP_ORIGIN", ""))
            return start_response(status, headers, exc_info)

        if environ["REQUEST_METHOD"] == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in environ:
            start("204 NO CONTENT", [*_PREFLIGHT])
            return []
        return application(environ, start)

    app.wsgi_app = middleware  # type: ignore[method-assign]


def _cors_headers(origins: Sequence[str]) -> Callable[[str], Headers]:
    """The CORS headers for a request's origin."""
    for_any = [("Access-Control-Allow-Origin", "*"), _EXPOSE]
    for_others = [("Vary", "Origin"), _EXPOSE]

    def headers_for(origin: str) -> Headers:
        if "*" in origins:
            return for_any
        return [("Access-Control-Allow-Origin", origin), *for_others] if origin in origins else for_others

    return headers_for
