"""Answers of which nothing is left to be found out: their bytes are there, and their headers are told as they are."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from flask import request
from werkzeug.http import HTTP_STATUS_CODES

from service.api import render

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

_LINES: Final = {status: f"{status} {phrase.upper()}" for status, phrase in HTTP_STATUS_CODES.items()}


class Answer:
    """A whole answer, which WSGI takes as it is. Flask's own can change until the last moment, and pays for it."""

    __slots__ = ("body", "headers", "status_code")

    def __init__(self, status: int, headers: list[tuple[str, str]], body: bytes | None = None) -> None:
        """`body`: `None` if the status has none, not even an empty one."""
        self.status_code = status
        self.headers = headers
        self.body = body
        if body is not None:
            headers.append(("Content-Length", str(len(body))))

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Send it."""
        start_response(_LINES[self.status_code], self.headers)
        return [] if self.body is None or environ["REQUEST_METHOD"] == "HEAD" else [self.body]


def answer(data: Any, status: int = 200, **headers: str) -> Answer:
    """Plain data as JSON."""
    return sent(render.encode(data), "application/json", status, **headers)


def sent(body: bytes, content_type: str, status: int = 200, **headers: str) -> Answer:
    """Bytes. What a token lets its bearer see is not for caches."""
    environ = request.environ
    secret = "HTTP_AUTHORIZATION" in environ or environ["REQUEST_METHOD"] != "GET"
    told = [("Content-Type", content_type), ("Cache-Control", "no-store" if secret else "no-cache"), *headers.items()]
    return Answer(status, told, body)


def tagged(etag: str, data: Callable[[], Any]) -> Answer:
    """The answer, or 304 if the caller has it already: then the data are not even put together."""
    return unchanged(etag) or answer(data(), ETag=etag)


def unchanged(etag: str) -> Answer | None:
    """304, if the caller has what has that tag."""
    known = request.environ.get("HTTP_IF_NONE_MATCH")
    if known and etag in [tag.strip().removeprefix("W/") for tag in known.split(",")]:
        return Answer(304, [("ETag", etag)])
    return None
