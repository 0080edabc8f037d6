"""`/metrics` on a separate port (METRICS_PORT)."""

from typing import Final

from flask import Flask, abort, request

METRICS: Final = "operations.get_metrics"
"""The endpoint of `GET /metrics`."""


def separate_metrics(app: Flask, port: int) -> None:
    """Serve `/metrics` on this port only, and answer 404 to all other paths on it.

    All workers listen on both ports. WSGI's SERVER_PORT is the port of the socket that accepted the connection. A
    client cannot change it by a header.
    """

    @app.before_request
    def check_port() -> None:
        is_metrics_port = request.environ["SERVER_PORT"] == str(port)
        if is_metrics_port != (request.endpoint == METRICS):
            abort(404)
