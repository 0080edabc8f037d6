"""The calls that operate the service."""

from flask import Response, current_app

from service.api.contract import Blueprint
from service.api.games import answer
from service.api.schemas import Health

operations = Blueprint("operations", __name__, description="Whether the service is well.")


@operations.call("GET", "/livez", "live", {200: (Health, "The process answers.")}, limited=False)
def live() -> Response:
    """Tell whether the process answers, whatever the store does."""
    return answer({"status": "ok"})


@operations.call("GET", "/readyz", "ready", {200: (Health, "The store answers too.")}, problems=[503], limited=False)
def ready() -> Response:
    """Tell whether the service can do its work: its store answers."""
    current_app.extensions["games"].store.ping()
    return answer({"status": "ok"})


@operations.call(
    "GET",
    "/metrics",
    "getMetrics",
    {200: ({"type": "string"}, "Counters and histograms, in the text format of Prometheus.")},
    content_type="text/plain",
    limited=False,
)
def metrics() -> Response:
    """Get what Prometheus scrapes: rates, errors, durations, moves, conflicts, the store."""
    return Response(current_app.extensions["metrics"].exposition(), content_type="text/plain")
