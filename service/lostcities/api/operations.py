"""The calls that operate the service."""

from typing import Final

from flask import Response, current_app

from lostcities.api.contract.blueprint import Blueprint
from lostcities.api.fields import Enumeration, choice
from lostcities.api.responses import json_response
from lostcities.api.schemas import Answer

operations = Blueprint(
    "operations", __name__, description="Health checks and metrics, for the operators of the service."
)


class Health(Answer):
    """The health of the service."""

    status = choice(
        "Always `ok`. Any other state is reported as a problem.",
        Enumeration("HealthStatus", "The state of a healthy service.", ("ok",)),
        required=True,
    )


@operations.route("/livez")
@operations.operation("getLiveness", is_limited=False)
@operations.no_query()
@operations.answer(Health, "The process is alive and answers requests.")
def get_liveness() -> Response:
    """Check that the process is alive.

    The store is not asked. A process that does not respond should be restarted.
    """
    return json_response({"status": "ok"})


@operations.route("/readyz")
@operations.operation("getReadiness", problems=["Unavailable"], is_limited=False)
@operations.no_query()
@operations.answer(Health, "The service is ready to take requests.")
def get_readiness() -> Response:
    """Check that the service can handle requests.

    Its store responds and can keep the configured durability. While this call fails, requests should go to other
    instances.
    """
    current_app.extensions["games"].store.ping()
    return json_response({"status": "ok"})


_METRICS: Final = {
    "type": "string",
    "maxLength": 10_000_000,
    "description": "All metrics in the text format of Prometheus.",
}


@operations.route("/metrics")
@operations.operation("getMetrics", is_limited=False)
@operations.no_query()
@operations.answer(_METRICS, "The metrics of all worker processes of this instance.", content_type="text/plain")
def get_metrics() -> Response:
    """Get the metrics in Prometheus' text format.

    Counts and durations of requests, moves made and refused, write conflicts, repeated requests and calls to the store.
    """
    return Response(current_app.extensions["metrics"].exposition(), content_type="text/plain")
