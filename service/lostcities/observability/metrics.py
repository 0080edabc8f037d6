"""Metrics for Prometheus.

Prometheus may scrape any worker of an instance. So each worker writes its values to files in a shared folder (`share`),
and a scrape returns the sum of all workers. A worker that replaces another one continues that worker's files. Without a
shared folder the values are those of one process.
"""

import os
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, values
from prometheus_client.multiprocess import MultiProcessCollector

from lostcities.config import METRICS_DIR_VARIABLE, WORKER_NUMBER_VARIABLE

REQUEST_SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
THINKING_SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 5)
STORE_SECONDS: Final = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 2.5)


def share() -> None:
    """Use the shared folder and this worker's number, if the server has set both. Call before creating `Metrics`."""
    number = os.environ.get(WORKER_NUMBER_VARIABLE)
    if number is not None and METRICS_DIR_VARIABLE in os.environ:
        values.ValueClass = values.MultiProcessValue(lambda: number)  # type: ignore[no-untyped-call]


class Metrics:
    """The metrics of one application. Label values come from the code, never from a request."""

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
        self.write_conflicts = counter("write_conflicts", "Writes that lost a race against another write.", "variant")
        self.replays = counter("replays", "Responses repeated for a known Idempotency-Key.", "route")
        self.thinking_seconds = histogram(
            "thinking_seconds",
            "Duration of an expert's decision or advice, pauses and the turns of others included.",
            THINKING_SECONDS,
        )
        self.store_seconds = histogram("store_seconds", "Duration of store calls.", STORE_SECONDS, "call")
        self.store_errors = counter("store_errors", "Store calls that failed.", "call", "error")
        self.requests_limited = counter("requests_limited", "Requests rejected by a rate limit.", "policy")
        self.limits_skipped = counter("limits_skipped", "Limits checked in memory because Redis was unavailable.")
        self.live_connections = Gauge(
            "lostcities_live_connections",
            "Open event streams and waiting long polls.",
            ["kind"],
            registry=self._registry,
            multiprocess_mode="sum",
        )
        self._calls: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        """Cached metrics by method, route and status: a lookup by labels takes longer."""
        # The files of a replaced worker may still contain its numbers of streams.
        self.count_live(0, 0)

    def count_live(self, streams: int, waiting: int) -> None:
        """Set the numbers of open streams and waiting long polls."""
        self.live_connections.labels("stream").set(streams)
        self.live_connections.labels("waiting").set(waiting)

    def observe_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count and time a request."""
        call = (method, route, status)
        found = self._calls.get(call)
        if found is None:
            found = self.requests.labels(method, route, str(status)), self.request_seconds.labels(method, route)
            self._calls[call] = found
        found[0].inc()
        found[1].observe(seconds)

    def exposition(self) -> bytes:
        """All metrics in Prometheus' text format, summed over the workers that share a folder."""
        folder = os.environ.get(METRICS_DIR_VARIABLE)
        if folder is None:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together, folder)  # type: ignore[no-untyped-call]
        return generate_latest(together)
