"""The calls that operate the service."""

from flask import Response, current_app

from service.api.contract import Blueprint
from service.api.games import answer
from service.api.schemas import Health

operations = Blueprint("operations", __name__, description="Whether the service is well.")


@operations.call("GET", "/livez", "live", {200: (Health, "The process answers.")})
def live() -> Response:
    """Tell whether the process answers, whatever the store does."""
    return answer({"status": "ok"})


@operations.call("GET", "/readyz", "ready", {200: (Health, "The store answers too.")}, problems=[503])
def ready() -> Response:
    """Tell whether the service can do its work: its store answers."""
    current_app.extensions["games"].store.ping()
    return answer({"status": "ok"})
