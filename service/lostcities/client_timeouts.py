"""Time limits for slow clients, as WSGI middleware. They work under gunicorn's gevent worker.

- The head of a request: gunicorn's `keepalive` limits it (`service/lostcities/gunicorn_config.py`).
- The body: `BODY_SECONDS` in all, then 408.
- The response: `WRITE_SECONDS` for each piece that the application yields, then the connection is closed.
"""

import errno
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import gevent
from flask import Flask
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import BadRequest, RequestTimeout
from werkzeug.wsgi import ClosingIterator

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

BODY_SECONDS: Final = 10
"""Time for a client to send the body of a request."""
LATE_BODY: Final = f"the body of a request must arrive within {BODY_SECONDS} seconds"
WRITE_SECONDS: Final = 30
"""Time for a client to take one piece of a response: the whole of it, or one message of a stream."""


def limit_clients(app: Flask) -> None:
    """Apply the limits to every request of the application."""
    serve = app.wsgi_app

    def limited(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        environ["wsgi.input"] = RequestBody(environ["wsgi.input"])
        response = serve(environ, start_response)
        return ClosingIterator(_write_in_time(response), getattr(response, "close", None))

    app.wsgi_app = limited  # type: ignore[method-assign]


def _write_in_time(response: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces of a response. The server sends a piece while this generator waits at its `yield`.

    gunicorn closes a connection with EPIPE without an entry in the log.
    """
    for piece in response:
        with gevent.Timeout(WRITE_SECONDS, BrokenPipeError(errno.EPIPE, "the client does not read")):
            yield piece


class RequestBody:
    """The input of a request (`wsgi.input`) with a time limit. What cannot be read is an HTTP error of the client."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._deadline = time.monotonic() + BODY_SECONDS

    def read(self, size: int = -1) -> bytes:
        """Read at most `size` bytes, by default everything."""
        return self._in_time(self._stream.read, size)

    def readline(self, size: int = -1) -> bytes:
        """Read one line."""
        return self._in_time(self._stream.readline, size)

    def readlines(self, hint: int = -1) -> list[bytes]:
        """Read all lines, whatever their size."""
        del hint
        return list(self)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.readline, b"")

    def _in_time(self, read: Callable[[int], bytes], size: int) -> bytes:
        left = max(0.0, self._deadline - time.monotonic())
        late = RequestTimeout(LATE_BODY)
        try:
            with gevent.Timeout(left, late):
                return read(size)
        except (OSError, ParseException):  # a lost connection, or malformed chunks
            raise BadRequest("the body of the request cannot be read") from None
