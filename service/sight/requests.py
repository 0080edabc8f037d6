"""Every request has an id, a line in the log and its share in the metrics."""

import logging
import re
import secrets
import time
from typing import Final

from flask import Flask, Response, g, request

from service.sight.metrics import Metrics
from service.sight.notes import note, noted, route

_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_METHODS: Final = {"GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"}

log = logging.getLogger("service.requests")


def identify(app: Flask) -> None:
    """Every answer names its request; a caller's own id is taken if it is sane."""

    @app.before_request
    def begin() -> None:
        given = request.headers.get("X-Request-Id", "")
        g.request_id = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(16)
        g.began = time.perf_counter()

    @app.after_request
    def name(response: Response) -> Response:
        response.headers["X-Request-Id"] = g.request_id
        return response


def watch(app: Flask, metrics: Metrics) -> None:
    """Count, time and log every request once it is answered."""

    @app.after_request
    def finish(response: Response) -> Response:
        if "parked" in g:
            return response  # it comes back to be answered
        seconds = time.perf_counter() - g.began
        method = request.method if request.method in _METHODS else "other"
        path = route()
        metrics.requests.labels(method, path, str(response.status_code)).inc()
        metrics.request_seconds.labels(method, path).observe(seconds)
        if response.headers.get("Idempotent-Replayed"):
            metrics.replays.labels(path).inc()
            note(replayed=True)
        if problem := g.get("problem"):
            note(code=problem.code)
            if problem.rule and "variant" in noted():
                metrics.moves_refused.labels(noted()["variant"], problem.rule).inc()
        if log.isEnabledFor(logging.INFO):
            facts = {
                "request_id": g.request_id,
                "method": method,
                "route": path,
                "status": response.status_code,
                "milliseconds": round(seconds * 1000, 2),
                "bytes": response.content_length,
                **noted(),
            }
            log.info("request", extra={"facts": facts})
        return response
