"""Slow clients: many connections that send or read one byte at a time. Only for a service on this machine.

They are plain sockets in one thread, bounded in number and in time. Tests and bench use them.
"""

import contextlib
import itertools
import resource
import selectors
import socket
import threading
import time
from collections import Counter
from types import TracebackType
from typing import Final, NamedTuple, Self
from urllib.parse import urlsplit

import requests

MAX_CONNECTIONS: Final = 2000
MAX_SECONDS: Final = 120.0
LOOPBACK: Final = {"127.0.0.1", "::1", "localhost"}
TICK_SECONDS: Final = 1.0
"""A client sends, or reads, one byte in each tick."""
SMALL_BUFFER: Final = 4096
PROBE_PAUSE: Final = 0.02


class Behaviour(NamedTuple):
    """What each connection does."""

    name: str
    opening: bytes = b""
    """Data to send at once."""
    trickle: bytes = b""
    """Data to send afterwards, one byte per tick, repeatedly."""
    reads: bool = True
    """Whether it reads all data. Otherwise it reads one byte per tick into a small buffer."""
    reconnects: bool = True
    """Whether it connects again when the service has closed the connection."""


POST_HEAD: Final = b"POST /games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n"
LARGE_GET: Final = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"

HEAD: Final = Behaviour("trickles a head", b"GET /livez HTTP/1.1\r\nX-Slow: ", b"a")
BODY: Final = Behaviour("trickles a body", POST_HEAD, b" ")
READER: Final = Behaviour("reads slowly", LARGE_GET * 60, reads=False)
JUNK: Final = Behaviour("leaves a junk request open", b"\x16\x03\x01 nonsense\r\n\r\n", reconnects=False)
SILENT: Final = Behaviour("says nothing")


class SlowClients:
    """Connections with one behaviour, for the time of a `with` block."""

    def __init__(self, url: str, behaviour: Behaviour, count: int, seconds: float = MAX_SECONDS) -> None:
        where = urlsplit(url)
        if where.hostname not in LOOPBACK or count > MAX_CONNECTIONS or seconds > MAX_SECONDS:
            raise ValueError("only for a service on this machine, with a bounded number of connections and seconds")
        self._address = (str(where.hostname), int(where.port or 80))
        self._behaviour = behaviour
        self._count = count
        self._seconds = seconds
        self._trickle = itertools.cycle([behaviour.trickle[i : i + 1] for i in range(len(behaviour.trickle))])
        self._selector = selectors.DefaultSelector()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name=behaviour.name)
        self.statuses: Counter[int] = Counter()
        """HTTP status of the first response on each connection."""
        self.closed = 0
        """Connections that the service has closed."""

    def __enter__(self) -> Self:
        _allow_files(self._count + 200)
        for _ in range(self._count):
            self._connect()
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()
        for key in [*self._selector.get_map().values()]:
            key.data.close()
        self._selector.close()

    def _connect(self) -> None:
        sock = socket.socket()
        if not self._behaviour.reads:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
        sock.settimeout(10)
        try:
            sock.connect(self._address)
            sock.sendall(self._behaviour.opening)
        except OSError:
            sock.close()
            return
        sock.setblocking(False)
        # A slow reader is registered without read events, so that each tick finds it.
        self._selector.register(sock, selectors.EVENT_READ if self._behaviour.reads else selectors.EVENT_WRITE, sock)

    def _run(self) -> None:
        end = time.monotonic() + self._seconds
        tick = time.monotonic() + TICK_SECONDS
        while not self._over.is_set() and time.monotonic() < end:
            if self._behaviour.reads:
                for key, _ in self._selector.select(0.1):
                    self._read(key.data, 65536)
            else:
                self._over.wait(0.1)
            if time.monotonic() >= tick:
                tick += TICK_SECONDS
                self._tick()

    def _tick(self) -> None:
        for key in [*self._selector.get_map().values()]:
            if not self._behaviour.reads:
                self._read(key.data, 1)
            if self._behaviour.trickle:
                with contextlib.suppress(OSError):
                    key.data.send(next(self._trickle))

    def _read(self, sock: socket.socket, size: int) -> None:
        try:
            received = sock.recv(size)
        except BlockingIOError:
            return
        except OSError:
            received = b""
        if received.startswith(b"HTTP/1.1 "):
            self.statuses[int(received[9:12])] += 1
        if not received:
            self.closed += 1
            self._selector.unregister(sock)
            sock.close()
            if self._behaviour.reconnects:
                self._connect()


def probe(url: str, seconds: float) -> list[float]:
    """Send requests for some time, each on a new connection, and time them. Raises if one is not answered."""
    found = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.monotonic()
        requests.get(url, timeout=30).raise_for_status()
        found.append(time.monotonic() - began)
        time.sleep(PROBE_PAUSE)
    return found


def _allow_files(wanted: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted + 200:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted + 200 if hard < 0 else min(wanted + 200, hard), hard))
