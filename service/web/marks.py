"""What every answer says to browsers."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from flask import Flask

from service.web import cors

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

_SNIFF: Final = ("X-Content-Type-Options", "nosniff")
_POLICY: Final = ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")


def mark(app: Flask, origins: Sequence[str]) -> None:
    """Let pages of those origins call, and have no answer guessed to be something else, run as a page or framed.

    A page has a policy of its own. HSTS is for whoever terminates TLS.
    """
    answer = app.wsgi_app

    def marked(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            headers.append(_SNIFF)
            headers += cors.headers(origins, environ.get("HTTP_ORIGIN", ""))
            if "Content-Security-Policy" not in dict(headers):
                headers.append(_POLICY)
            return start_response(status, headers, exc_info)

        if cors.is_preflight(environ):
            start("204 NO CONTENT", [*cors.PREFLIGHT])
            return []
        return answer(environ, start)

    app.wsgi_app = marked  # type: ignore[method-assign]
