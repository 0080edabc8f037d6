"""A TCP proxy that injects network faults: closed connections, delays and lost replies."""

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
    """The probability of each fault per piece of data, and the delay of replies."""

    cut_request: float = 0.0
    """The request is not forwarded and the connection is closed."""
    drop_reply: float = 0.0
    """The request is forwarded, its reply is dropped and the connection is closed."""
    delay: float = 0.0
    """It arrives up to 50 ms late."""
    latency: float = 0.0
    """Seconds by which every reply is late."""
    drop_replies: int = 0
    """The number of next replies to drop."""


class Proxy:
    """Listens on a free port and forwards to another port."""

    def __init__(self, port: int, seed: int = 0) -> None:
        self.faults = Faults()
        self.when_dropped: Callable[[], object] = lambda: None
        """Called after a reply is dropped and before the connection is closed."""
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
    """A proxy, during a `with` block."""
    found = Proxy(port, seed)
    try:
        yield found
    finally:
        found.close()
