"""gunicorn's threaded worker, made to pass no request from thread to thread, and to spend no thread on those who wait.

Its main thread lets connections in and closes those that are idle; a relay (`service/relay.py`) answers them. An answer
that is a stream is begun here and given to the hub with its connection; a request that waits is given to it too, and
comes back to be answered like any other.
"""

import gc
import mmap
import resource
import socket
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, Final

from gunicorn.util import http_date
from gunicorn.workers.gthread import DEFAULT_WORKER_DATA_TIMEOUT, ThreadWorker

from service.live.hub import CAN_PARK, HAS_WAITED, Hub, Parked, Stream
from service.relay import Parting, Relay, nothing
from service.sockets import give_up_after

SPARE_FILES: Final = 200
"""Open files that a worker needs besides its connections."""


WORKERS: Final = 512
"""The most there can be: twice as many as can be configured, while all are replaced at once."""
NOBODY_GETS_IN: Final = 2**31 - 1
COURTESY_SECONDS: Final = 0.002
"""So long a worker leaves a new connection to those that have fewer. Otherwise one may have nearly all, and be slow."""


SILENCE_SECONDS: Final = 10
"""A request that stops coming, or an answer that is not taken, is given up after so long: its thread is needed."""


class _Hold(BaseException):
    """The hub goes on from here. It is no error, and gunicorn must not take it for one."""

    def __init__(self, answer: Stream | Parked, response: Any) -> None:
        self.answer = answer
        self.response = response


def _send_at_once(response: Any, body: bytes) -> None:
    """Send a whole answer in one piece. gunicorn sends its head apart: one more call, and one more packet."""
    major, minor = response.req.version
    head = [
        f"HTTP/{major}.{minor} {response.status}\r\nServer: {response.version}\r\n",
        f"Date: {_date(int(time.time()))}\r\nConnection: {'close' if response.should_close() else 'keep-alive'}\r\n",
        *[f"{name}: {value}\r\n" for name, value in response.headers],
        "\r\n",
    ]
    response.sock.sendall("".join(head).encode("latin-1") + body)
    response.headers_sent = True
    response.sent = len(body)


@lru_cache(maxsize=1)
def _date(seconds: int) -> str:
    """As answers tell it."""
    return str(http_date(seconds))


class Crowd:
    """How many connections each worker answers, for all of them to see. To be made before they are forked."""

    def __init__(self) -> None:
        self._counts = memoryview(mmap.mmap(-1, 4 * WORKERS)).cast("i")
        for number in range(WORKERS):
            self._counts[number] = NOBODY_GETS_IN

    def tell(self, number: int, connections: int) -> None:
        """A worker has so many."""
        self._counts[number] = connections

    def is_smaller_elsewhere(self, number: int) -> bool:
        """Whether another worker has fewer."""
        return min(self._counts.tolist()) < self._counts[number]


class RelayWorker(ThreadWorker):  # type: ignore[misc]
    """Answers in the thread that waits. A connection is at any time with a relay's thread, or idle and anybody's."""

    tpool: Relay
    alive: bool
    crowd: "Crowd | None" = None
    number = 0
    """Which of the workers it is."""
    _leaves_by = 0.0
    """When it gives up whoever has not been answered, once nobody is let in any more."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.keepalived_conns: dict[Any, bool] = {}
        """Connections between two requests, the one that is idle for the longest first."""
        self.pending_conns: dict[Any, bool] = {}
        """Connections that have not said anything yet, or have not been answered yet."""

    def get_thread_pool(self) -> Relay:
        """The threads that answer."""
        return Relay(self.cfg.threads, self._answer, self._tell_crowd)

    def _tell_crowd(self, connections: int, has_time: bool) -> None:  # noqa: FBT001
        if self.crowd and self._accepting:
            self.crowd.tell(self.number, connections if has_time else NOBODY_GETS_IN)

    def accept(self, listener: Any) -> None:
        """Let a connection in, unless a worker that has fewer does."""
        if self.crowd and self.crowd.is_smaller_elsewhere(self.number):
            time.sleep(COURTESY_SECONDS)
        super().accept(listener)

    def set_accept_enabled(self, enabled: bool) -> None:  # noqa: FBT001
        """Besides what it does: who lets nobody in has a crowd."""
        super().set_accept_enabled(enabled)
        if not enabled:
            self._leaves_by = time.monotonic() + self.cfg.graceful_timeout
        if self.crowd:
            self.crowd.tell(self.number, len(self.keepalived_conns) if enabled else NOBODY_GETS_IN)

    def is_parent_alive(self) -> bool:
        """Whether it is: a worker without one leaves as if it were told to, and keeps no door or stream open."""
        self.alive = self.alive and super().is_parent_alive()
        return self.alive

    def enqueue_req(self, conn: Any) -> None:
        """Watch a connection that was let in."""
        conn.data_ready = True  # or else it is not answered
        give_up_after(conn.sock, SILENCE_SECONDS)
        self._expect(conn, self.pending_conns)
        self.tpool.watch(conn)

    def _expect(self, conn: Any, where: dict[Any, bool]) -> None:
        conn.set_timeout()
        where[conn] = True

    def _claim(self, conn: Any) -> bool:
        """Make a connection one's own; whether no other thread was faster."""
        return self.keepalived_conns.pop(conn, False) or self.pending_conns.pop(conn, False)

    def _answer(self, conn: Any) -> Parting | None:
        """Answer what a connection asks."""
        if not self._claim(conn):
            return nothing
        try:
            result = self.handle(conn)
        except OSError:
            result = False
        except BaseException:  # which would end the thread
            self.log.exception("a request was not answered")
            result = False
        if result is True:  # and so the caller was told that it may go on, even if the worker is to end since then
            if conn.parser.unreader.buf.getvalue():
                # What was read ahead does not make it readable any more, and is answered after what others ask.
                return partial(self._go_on, conn)
            self._expect(conn, self.keepalived_conns)
            return None
        return result if callable(result) else partial(self._hang_up, conn)

    def _go_on(self, conn: Any) -> None:
        """Answer a request that has waited, or was read ahead."""
        self._expect(conn, self.pending_conns)
        self.tpool.answer(conn)

    def _keepalive_after(self, conn: Any, keepalive: bool) -> bool:  # noqa: FBT001
        """Whether the connection can be used again: where a body was read to its end, nothing is left to look for."""
        body = conn.parser.mesg.body
        is_read = getattr(body.reader, "length", None) == 0 and not body.buf.tell() and not body.failed
        return keepalive and (is_read or bool(super()._keepalive_after(conn, keepalive)))

    def _hang_up(self, conn: Any) -> None:
        with suppress(OSError):
            conn.close(graceful=True)
        self.method_queue.defer(self._forget)

    def _forget(self) -> None:
        """A connection is closed."""
        self.nr_conns -= 1

    def murder_keepalived(self, force: bool = False) -> None:  # noqa: FBT001, FBT002
        """Close connections that were idle for too long; at the end all, once what they have asked is answered."""
        self._murder_idle(force=force)
        while force and self.nr_conns and time.monotonic() < self._leaves_by:
            self.notify()
            self.wait_for_and_dispatch_events(timeout=0.1)
            self._murder_idle(force=True)

    def _murder_idle(self, *, force: bool) -> None:
        now = time.monotonic()
        for conn in [*self.keepalived_conns]:
            if conn.timeout > now and not force:
                break
            if not _asks(conn):
                self._murder(conn)

    def murder_pending(self) -> None:
        """Close connections that have said nothing for too long; a worker that is to end waits less long for them."""
        late = time.monotonic() + (0 if self.alive else self.cfg.keepalive - DEFAULT_WORKER_DATA_TIMEOUT)
        for conn in [*self.pending_conns]:
            if conn.timeout > late:
                break
            self._murder(conn)

    def _murder(self, conn: Any) -> None:
        if self._claim(conn):
            self.tpool.leave(conn, conn.close)
            self._forget()


def _asks(conn: Any) -> bool:
    """Whether a request has arrived."""
    try:
        return bool(conn.sock.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
    except (OSError, ValueError):  # no TLS connection can be looked into
        return False


class LiveWorker(RelayWorker):
    """Holds as many streams as there are open files. The application's hub is its own."""

    wsgi: Any
    _hub: Hub
    _can_hold: bool
    """Whether the hub can write to a connection by itself."""
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
        self._can_hold = not self.cfg.is_ssl
        self._application, self.wsgi = self.wsgi, self._call
        # What is there now stays: to look for garbage among it would keep everybody waiting, some 30 ms each time.
        gc.freeze()

    def _call(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        response = start_response.__self__
        if self._can_hold:
            environ[CAN_PARK] = True
        if getattr(response.req, "has_waited", False):
            environ[HAS_WAITED] = True
        answer = self._application(environ, start_response)
        if isinstance(answer, Parked) or (isinstance(answer, Stream) and self._can_hold):
            raise _Hold(answer, response)
        if isinstance(answer, list) and len(answer) <= 1 and not response.chunked:
            _send_at_once(response, answer.pop() if answer else b"")
        return answer

    def handle(self, conn: Any) -> Any:
        """Answer what was asked, or what has waited long enough."""
        request, conn.parked = getattr(conn, "parked", None), None
        try:
            if request is None:
                return super().handle(conn)
            return self._keepalive_after(conn, self.handle_request(request, conn))
        except _Hold as hold:
            return partial(self._hold, conn, hold.answer, hold.response)

    def _hold(self, conn: Any, answer: Stream | Parked, response: Any) -> None:
        if isinstance(answer, Parked):
            conn.parked = response.req
            conn.parked.has_waited = True
            self._hub.park(conn.sock, answer, partial(self._go_on, conn))
        else:
            # Its length is not known, and its end is the connection's.
            response.chunked = False
            response.force_close()
            try:
                response.send_headers()
            except OSError:
                self._hang_up(conn)
                return
            self._hub.stream(conn.sock, answer, lambda: self.method_queue.defer(self._forget))

    def set_accept_enabled(self, enabled: bool) -> None:  # noqa: FBT001
        """Besides what it does: at the worker's end the hub gives back everything that it holds."""
        super().set_accept_enabled(enabled)
        if not enabled and not self.alive:
            self._hub.close()
