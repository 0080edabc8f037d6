"""Load on a server: requests over connections that stay open, as fast as they are answered or at a steady rate.

Each connection has a script, a list of raw requests that it sends in order, each once the one before is answered, and
from the start again. `wrk` drives where it is installed, this module elsewhere; at a steady rate this module always:
wrk knows none.
"""

import json
import os
import re
import selectors
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path
from typing import Final, Literal, NamedTuple
from urllib.parse import urlsplit

Generator = Literal["wrk", "python"]
Script = Sequence[bytes]

GENERATOR: Final[Generator] = "wrk" if shutil.which("wrk") else "python"
ROOT: Final = Path(__file__).parents[2]
PATIENCE: Final = 10.0
"""Seconds after which an answer is given up."""
LEAST: Final = 2
"""Requests that are sent however short the time is: of fewer there is no median."""
FIRST: Final = -10
"""How much nicer the others are."""
_END: Final = b"\1"
"""Between the requests of a script's file."""


class Spoiled(RuntimeError):
    """Some requests were refused or not answered: what was measured says nothing."""


class Load(NamedTuple):
    """What came of it."""

    answers: int
    seconds: float
    p50: float
    """Milliseconds in which half of the answers came; at a steady rate counted from when the request was due."""
    p99: float


def saturate(url: str, scripts: Sequence[Script], seconds: float, generator: Generator) -> Load:
    """Each connection sends its next request as soon as the last is answered. Raises `Spoiled`."""
    with tempfile.TemporaryDirectory(prefix="load-") as folder:
        _write(Path(folder), scripts)
        if generator == "wrk":
            return _wrk(url, folder, len(scripts), seconds)
        return _python(url, folder, len(scripts), seconds)


def steady(url: str, scripts: Sequence[Script], seconds: float, rate: float) -> Load:
    """So many requests a second, evenly spaced, whatever the answers take. Raises `Spoiled`."""
    with tempfile.TemporaryDirectory(prefix="load-") as folder:
        _write(Path(folder), scripts)
        return _python(url, folder, len(scripts), seconds, rate)


def _write(folder: Path, scripts: Sequence[Script]) -> None:
    for number, script in enumerate(scripts):
        (folder / str(number)).write_bytes(_END.join(script))


def _wrk(url: str, folder: str, connections: int, seconds: float) -> Load:
    # A thread for each connection: a script is then one connection's, and its requests stay in order.
    count = str(connections)
    lua = str(Path(__file__).with_name("drive.lua"))
    command = ["wrk", "-t", count, "-c", count, "-d", "10m", "--timeout", f"{PATIENCE:.0f}s", "-s", lua, url]
    with _running([*command, folder, count]) as process:
        assert process.stderr
        process.stderr.readline()
        # wrk counts whole seconds, and ends sooner when it is interrupted: but not by what comes before it waits.
        time.sleep(seconds)
        output = None
        while output is None:
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                output = "".join(process.communicate(timeout=1))
    found = re.search(r"^result (\d+) (\d+) (\d+) (\d+) (\d+)$", output, re.MULTILINE)
    if not found:
        raise Spoiled(output)
    answers, micros, failures, p50, p99 = map(int, found.groups())
    return _judged(Load(answers, micros / 1e6, p50 / 1000, p99 / 1000), failures)


def _python(url: str, folder: str, connections: int, seconds: float, rate: float = 0) -> Load:
    # A process of its own, which does nothing else. It sends more in a second than two workers answer.
    command = [sys.executable, "-m", "tests.bench.load", url, folder, str(connections), str(seconds), str(rate)]
    with _running(command) as process:
        output, errors = process.communicate(timeout=seconds * 10 + PATIENCE * 2)
    if process.returncode:
        raise Spoiled(errors)
    told = json.loads(output)
    times = sorted(told["times"])
    if len(times) < 2:
        raise Spoiled("nothing was answered")
    hundredths = statistics.quantiles(times, n=100)
    return _judged(Load(len(times), told["seconds"], hundredths[49] * 1000, hundredths[98] * 1000), told["failures"])


@contextmanager
def _running(command: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """A generator, for a block at the longest."""
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with process:
        try:
            yield process
        finally:
            process.kill()


def _judged(load: Load, failures: int) -> Load:
    if failures or not load.answers:
        raise Spoiled(f"{failures} of {load.answers} requests were refused or not answered")
    return load


# The generator in Python -----------------------------------------------------------------------------------------


class _Connection:
    """Sends its script, one request at a time."""

    def __init__(self, address: tuple[str, int], script: Iterable[bytes]) -> None:
        self._address = address
        self._script: Iterator[bytes] = cycle(script)
        self._received = b""
        # Opened with the first request: a worker that serves one connection at a time would wait for a silent one.
        self.socket: socket.socket | None = None
        self.due = 0.0

    def open(self) -> socket.socket:
        """A connection that is open."""
        self.socket = socket.create_connection(self._address, PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self.socket

    def send(self, due: float) -> None:
        """The next request, on the open connection."""
        assert self.socket
        self.due = due
        self.socket.sendall(next(self._script))

    def receive(self) -> tuple[int, bool] | None:
        """The status of the answer, and whether the connection stays open, once all of it is there."""
        assert self.socket
        data = self.socket.recv(1 << 20)
        if not data:
            raise ConnectionError("closed before the answer was whole")
        self._received += data
        head, end, body = self._received.partition(b"\r\n\r\n")
        if not end:
            return None
        status = int(head[9:12])
        length = _LENGTH.search(head)
        if status not in (204, 304) and len(body) < int(length[1] if length else 0):
            return None
        self._received = b""
        return status, b"\r\nconnection: close" not in head.lower()


_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


class _Driver:
    """All connections. It asks of the machine as little as it can: what it takes, the servers do not have."""

    def __init__(self, connections: Sequence[_Connection], seconds: float, rate: float) -> None:
        """`rate` 0: as fast as they are answered."""
        self._idle = deque(connections)
        self._busy = 0
        self._open = selectors.DefaultSelector()
        self._seconds = seconds
        self._rate = rate
        self._sent = 0
        self.times: list[float] = []
        self.failures = 0

    def run(self) -> float:
        """Send until the time is over, wait for the answers still due; the seconds that it took."""
        self._start = time.perf_counter()
        while self._send_what_is_due() or self._busy:
            self._receive()
        return time.perf_counter() - self._start

    def _due(self) -> float:
        return self._start + self._sent / self._rate if self._rate else time.perf_counter()

    def _send_what_is_due(self) -> bool:
        """Whether there is more to send later."""
        while (due := self._due()) < self._start + self._seconds or self._sent < LEAST:
            if not self._idle or due > time.perf_counter():
                return True
            connection = self._idle.popleft()
            if connection.socket is None:
                self._open.register(connection.open(), selectors.EVENT_READ, connection)
            connection.send(due)
            self._busy += 1
            self._sent += 1
        return False

    def _receive(self) -> None:
        wait = max(0.0, self._due() - time.perf_counter()) if self._idle and self._rate else PATIENCE
        if not self._busy:
            time.sleep(wait)
            return
        for key, _ in self._open.select(wait):
            connection: _Connection = key.data
            answer = connection.receive()
            if answer:
                status, stays_open = answer
                self.times.append(time.perf_counter() - connection.due)
                self.failures += status >= 400
                self._busy -= 1
                self._idle.append(connection)
                if not stays_open:
                    self._close(connection)

    def _close(self, connection: _Connection) -> None:
        """Close what the server closes: some wait for it."""
        assert connection.socket
        self._open.unregister(connection.socket)
        connection.socket.close()
        connection.socket = None


def main(url: str, folder: str, count: str, seconds: str, rate: str) -> None:
    """Drive so many connections, and print what came of it."""
    address = urlsplit(url)
    scripts = [(Path(folder) / str(number)).read_bytes().split(_END) for number in range(int(count))]
    connections = [_Connection((str(address.hostname), int(address.port or 80)), script) for script in scripts]
    if float(rate):
        # An answer counts from when it is there, not from when this process gets round to looking: it goes first.
        with suppress(PermissionError):
            os.nice(FIRST)
    driver = _Driver(connections, float(seconds), float(rate))
    took = driver.run()
    print(json.dumps({"seconds": took, "failures": driver.failures, "times": driver.times}))


if __name__ == "__main__":
    main(*sys.argv[1:])
