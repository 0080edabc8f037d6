"""gunicorn's threaded worker, made to spend no thread on those who only wait.

An answer that is a stream is begun here and given to the hub with its connection; a request that waits is given to it
too, and comes back to be answered like any other.
"""

import resource
from collections.abc import Callable, Iterable
from typing import Any, Final

from gunicorn.workers.gthread import ThreadWorker

from service.live.hub import CAN_PARK, HAS_WAITED, Hub, Parked, Stream

SPARE_FILES: Final = 200
"""Open files that a worker needs besides its connections."""

_HELD: Final = object()
"""What becomes of a connection that the hub has."""


class _Hold(BaseException):
    """The hub goes on from here. It is no error, and gunicorn must not take it for one."""

    def __init__(self, answer: Stream | Parked, response: Any) -> None:
        self.answer = answer
        self.response = response


def _send_at_once(response: Any, body: bytes) -> None:
    """Send a whole answer in one piece. gunicorn sends its head apart: one more call, and one more packet."""
    head = [*response.default_headers(), *(f"{name}: {value}\r\n" for name, value in response.headers), "\r\n"]
    response.sock.sendall("".join(head).encode("latin-1") + body)
    response.headers_sent = True
    response.sent = len(body)


class LiveWorker(ThreadWorker):  # type: ignore[misc]
    """Holds as many streams as there are open files. The application's hub is its own."""

    wsgi: Any
    _hub: Hub
    _application: Callable[..., Iterable[bytes]]

    def init_process(self) -> None:
        """Besides what it does: a process may open only so many files, by custom fewer than it takes."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = self.worker_connections + SPARE_FILES
        if soft != resource.RLIM_INFINITY and soft < wanted:
            most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
        super().init_process()

    def load_wsgi(self) -> None:
        """Load the application, and stand before it."""
        super().load_wsgi()
        self._hub = self.wsgi.extensions["hub"]
        self._application, self.wsgi = self.wsgi, self._call

    def _call(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        response = start_response.__self__
        if not self.cfg.is_ssl:
            environ[CAN_PARK] = True
        if getattr(response.req, "has_waited", False):
            environ[HAS_WAITED] = True
        answer = self._application(environ, start_response)
        if isinstance(answer, Parked) or (isinstance(answer, Stream) and not self.cfg.is_ssl):
            raise _Hold(answer, response)
        if isinstance(answer, list) and len(answer) == 1:
            _send_at_once(response, answer.pop())
        return answer

    def handle(self, conn: Any) -> Any:
        """Answer what was asked, or what has waited long enough."""
        request, conn.parked = getattr(conn, "parked", None), None
        try:
            if request is None:
                return super().handle(conn)
            return self._keepalive_after(conn, self.handle_request(request, conn))
        except _Hold as hold:
            self._hold(conn, hold.answer, hold.response)
            return _HELD

    def _hold(self, conn: Any, answer: Stream | Parked, response: Any) -> None:
        if isinstance(answer, Parked):
            conn.parked = response.req
            conn.parked.has_waited = True
            self._hub.park(conn.sock, answer, lambda: self.method_queue.defer(self.enqueue_req, conn))
        else:
            # Its length is not known, and its end is the connection's.
            response.chunked = False
            response.force_close()
            response.send_headers()
            self._hub.stream(conn.sock, answer, lambda: self.method_queue.defer(self._forget))

    def finish_request(self, conn: Any, fs: Any) -> None:
        """A connection that the hub has is not finished."""
        if fs.cancelled() or fs.exception() or fs.result() is not _HELD:
            super().finish_request(conn, fs)

    def _forget(self) -> None:
        """The hub has closed a connection."""
        self.nr_conns -= 1

    def set_accept_enabled(self, enabled: bool) -> None:  # noqa: FBT001
        """Besides what it does: at the worker's end the hub gives back everything that it holds."""
        super().set_accept_enabled(enabled)
        if not enabled and not self.alive:
            self._hub.close()
