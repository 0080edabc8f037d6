"""Latency for normal clients while slow clients attack the service: `python -m tests.bench.slow`.

The attackers run in a process of their own. Probes read a game, one after the other, each on a new connection.
"""

import http.client
import multiprocessing
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from tests.client import create_game
from tests.server.serving import serving
from tests.server.slow_clients import BODY, HEAD, JUNK, PROBE_PAUSE, READER, SILENT, Behaviour, SlowClients

ATTACKS: Final[Sequence[tuple[Behaviour, int]]] = ((HEAD, 500), (BODY, 500), (READER, 500), (JUNK, 200), (SILENT, 2000))
"""Behaviours, and the number of clients of each."""
PROBE_TIMEOUT: Final = 10.0
START_SECONDS: Final = 60.0


class Probes(NamedTuple):
    """What normal clients saw during one attack, or under another load."""

    attack: str
    sent: int
    milliseconds: list[float]
    """Latency of each probe that was answered, sorted."""

    def percentile(self, percent: float) -> float:
        """A percentile of the latencies."""
        return self.milliseconds[min(int(len(self.milliseconds) * percent / 100), len(self.milliseconds) - 1)]


def measure(seconds: float, share: float = 1.0) -> Iterator[Probes]:
    """Every attack on one service of two workers, with that share of the clients, and no attack for comparison."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), LOG_LEVEL="warning", WORKERS="2") as service:
        path = create_game(service.client).path
        yield _probe("no slow clients", service.url, path, seconds)
        for behaviour, count in ATTACKS:
            clients = max(1, int(count * share))
            with _attack(service.url, behaviour, clients):
                yield _probe(f"{clients:,} clients: {behaviour.name}", service.url, path, seconds)


@contextmanager
def _attack(url: str, behaviour: Behaviour, count: int) -> Iterator[None]:
    """Slow clients in a process of their own, all connected, for the time of a block."""
    context = multiprocessing.get_context("spawn")
    ready, stop = context.Event(), context.Event()
    process = context.Process(target=_run_clients, args=(url, behaviour, count, ready, stop))
    process.start()
    try:
        assert ready.wait(START_SECONDS), "the slow clients did not connect"
        yield
    finally:
        stop.set()
        process.join()


def _run_clients(url: str, behaviour: Behaviour, count: int, ready: Any, stop: Any) -> None:
    with SlowClients(url, behaviour, count):
        ready.set()
        stop.wait()


def _probe(attack: str, url: str, path: str, seconds: float) -> Probes:
    sent = 0
    answered = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.perf_counter()
        sent += 1
        if _is_answered(url, path):
            answered.append((time.perf_counter() - began) * 1000)
        time.sleep(PROBE_PAUSE)
    return Probes(attack, sent, sorted(answered))


def _is_answered(url: str, path: str) -> bool:
    where = urlsplit(url)
    connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=PROBE_TIMEOUT)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
    except OSError:
        return False
    finally:
        connection.close()
    return response.status == 200


if __name__ == "__main__":
    for probes in measure(15.0):
        times = ", ".join(f"p{percent} {probes.percentile(percent):.1f} ms" for percent in (50, 99, 100))
        print(f"{probes.attack}: {len(probes.milliseconds)} of {probes.sent} answered, {times}", flush=True)
