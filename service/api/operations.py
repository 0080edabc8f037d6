"""The calls that operate the service."""

from typing import Final

from flask import current_app

from service.api.answers import Answer, answer
from service.api.contract import Blueprint
from service.api.schemas import Health

operations = Blueprint("operations", __name__, description="Whether the service is well.")


@operations.call("GET", "/livez", "getLiveness", {200: (Health, "The process answers.")}, limited=False)
def live() -> Answer:
    """Tell whether the process answers.

    Whatever the store does. A process that does not answer here is to be restarted.
    """
    return answer({"status": "ok"})


@operations.call(
    "GET",
    "/readyz",
    "getReadiness",
    {200: (Health, "The store answers too.")},
    problems=["Unavailable"],
    limited=False,
)
def ready() -> Answer:
    """Tell whether the service can do its work.

    Its store answers. Otherwise no requests are to be sent here for now.
    """
    current_app.extensions["games"].store.ping()
    return answer({"status": "ok"})


_METRICS: Final = {"type": "string", "maxLength": 10_000_000, "description": "The metrics."}


@operations.call(
    "GET",
    "/metrics",
    "getMetrics",
    {200: (_METRICS, "Counters and histograms, in the text format of Prometheus.")},
    content_type="text/plain",
    limited=False,
)
def metrics() -> Answer:
    """Get what Prometheus scrapes.

    Rates, errors and durations of requests, moves made and refused, conflicts, replays, and how the store does.
    """
    return Answer(200, [("Content-Type", "text/plain")], current_app.extensions["metrics"].exposition())
