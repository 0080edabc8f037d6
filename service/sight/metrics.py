"""What is counted and timed, for Prometheus.

A service has several processes and any of them may be asked: each keeps its numbers in files of a folder that they
share (`share`), and the answer adds up all of them. A process that replaces another goes on with that one's files, so
that nothing is forgotten and nothing piles up. An application without such a folder counts for itself.
"""

import os
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, values
from prometheus_client.multiprocess import MultiProcessCollector

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable by which prometheus-client is told of the folder."""

REQUEST_SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
STORE_SECONDS: Final = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 2.5)


def share(folder: Path, process: int) -> None:
    """Have this process count into the folder as number `process`, which no other living process has.

    To be called before any `Metrics` is made.
    """
    os.environ[FOLDER] = str(folder)
    values.ValueClass = values.MultiProcessValue(lambda: process)  # type: ignore[no-untyped-call]


class Metrics:
    """The numbers of one application. Labels are names from the code, never what a caller sent."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()

        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(f"lostcities_{name}", text, labels, registry=self._registry)

        def histogram(name: str, text: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
            return Histogram(f"lostcities_{name}", text, labels, registry=self._registry, buckets=buckets)

        self.requests = counter("requests", "Requests answered.", "method", "route", "status")
        self.request_seconds = histogram(
            "request_seconds", "Time to answer a request.", REQUEST_SECONDS, "method", "route"
        )
        self.games_created = counter("games_created", "Games created.", "variant")
        self.moves_applied = counter("moves_applied", "Moves made by seats in stored games.", "variant")
        self.moves_refused = counter(
            "moves_refused", "Requests to move in stored games that broke a rule.", "variant", "rule"
        )
        self.write_conflicts = counter("write_conflicts", "Writes that another one overtook.", "variant")
        self.replays = counter("replays", "Answers given again for the same Idempotency-Key.", "route")
        self.store_seconds = histogram("store_seconds", "Time that the store took.", STORE_SECONDS, "call")
        self.store_errors = counter("store_errors", "Calls that the store did not answer.", "call", "error")
        self.requests_limited = counter("requests_limited", "Requests refused by a limit.", "policy")
        self.limits_skipped = counter("limits_skipped", "Limits not checked because the store was away.")
        self.live_connections = Gauge(
            "lostcities_live_connections",
            "Streams of events that are open, and requests that wait for a game to move.",
            ["kind"],
            registry=self._registry,
            multiprocess_mode="sum",
        )
        self._calls: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        """The numbers of each kind of answer, found once."""
        # A process goes on with the files of the one that it replaces, but not with its streams.
        self.count_live(0, 0)

    def count_live(self, streams: int, waiting: int) -> None:
        """So many streams are open, and so many requests wait."""
        self.live_connections.labels("stream").set(streams)
        self.live_connections.labels("waiting").set(waiting)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count and time a request."""
        call = (method, route, status)
        found = self._calls.get(call)
        if found is None:
            found = self.requests.labels(method, route, str(status)), self.request_seconds.labels(method, route)
            self._calls[call] = found
        found[0].inc()
        found[1].observe(seconds)

    def exposition(self) -> bytes:
        """All of it as text, of every process if they share a folder."""
        folder = os.environ.get(FOLDER)
        if folder is None:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together, folder)  # type: ignore[no-untyped-call]
        return generate_latest(together)
