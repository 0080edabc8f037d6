"""A TCP proxy that misbehaves as networks do: cuts, delays, and swallows replies after the request went through."""

import contextlib
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

HOST = "127.0.0.1"
CHUNK = 65536


@dataclass
class Faults:
    """How likely each fault is for a piece of data that passes, and how slow everything is."""

    cut_request: float = 0.0
    """The connection is cut, and the request is not forwarded."""
    drop_reply: float = 0.0
    """The request was forwarded; its reply is swallowed and the connection is cut."""
    delay: float = 0.0
    """It arrives up to 50 ms late."""
    latency: float = 0.0
    """Seconds by which every reply is late."""
    drop_replies: int = 0
    """So many of the next replies are swallowed for certain."""


class Proxy:
    """Listens on a port of its own and forwards to another."""

    def __init__(self, port: int, seed: int = 0) -> None:
        self.faults = Faults()
        self.when_dropped: Callable[[], object] = lambda: None
        """What happens between the loss of a reply and the moment at which the connection is cut."""
        self.requests = 0
        """Pieces of data that were forwarded to the server: round trips, when nothing is large."""
        self._to = port
        self._rng = random.Random(seed)
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server((HOST, 0), backlog=256)
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}"

    def cut_all(self) -> None:
        with self._lock:
            for each in self._open:
                _cut(each)

    def close(self) -> None:
        _cut(self._listener)
        self._listener.close()
        self.cut_all()
        self._thread.join(5)

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection((HOST, self._to), timeout=5)
            except OSError:
                near.close()
                continue
            far.settimeout(None)
            for each in (near, far):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                self._open |= {near, far}
            left = [2]
            for source, target, is_reply in ((near, far, False), (far, near, True)):
                threading.Thread(target=self._pump, args=(source, target, is_reply, left), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket, is_reply: bool, left: list[int]) -> None:
        try:
            while data := source.recv(CHUNK):
                if not self._passes(is_reply):
                    break
                target.sendall(data)
        except OSError:
            pass
        _cut(source)
        _cut(target)
        with self._lock:
            left[0] -= 1
            if not left[0]:
                self._open -= {source, target}
                source.close()
                target.close()

    def _passes(self, is_reply: bool) -> bool:
        """Whether a piece of data goes through, perhaps late."""
        faults = self.faults
        with self._lock:
            chance, late = self._rng.random(), self._rng.random()
            is_dropped = is_reply and faults.drop_replies > 0
            faults.drop_replies -= is_dropped
            self.requests += not is_reply
        if is_dropped:
            self.when_dropped()
            return False
        if chance < (faults.drop_reply if is_reply else faults.cut_request):
            return False
        if late < faults.delay:
            time.sleep(late / faults.delay * 0.05)
        if is_reply and faults.latency:
            time.sleep(faults.latency)
        return True


def _cut(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def proxy(port: int, seed: int = 0) -> Iterator[Proxy]:
    """A proxy, for a while."""
    found = Proxy(port, seed)
    try:
        yield found
    finally:
        found.close()
