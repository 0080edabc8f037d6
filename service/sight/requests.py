"""Every request has an id, a line in the log and its share in the metrics.

This stands before Flask and not among its hooks: what every request goes through is to cost next to nothing.
"""

import logging
import random
import re
import time
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, has_request_context, request

from service.api.notes import Notes, begin
from service.sight.logs import tell
from service.sight.metrics import Metrics

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_METHODS: Final = {"GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"}

log = logging.getLogger("service.requests")


def new_id() -> str:
    """A name for a request. It need not be secret."""
    return f"{random.getrandbits(128):032x}"


def watch(app: Flask, metrics: Metrics) -> None:
    """Name every request and its answer; count, time and log it once it is answered."""
    answer = app.wsgi_app

    def watched(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        began = time.perf_counter()
        given = environ.get("HTTP_X_REQUEST_ID")
        # A caller's own id is taken if it is sane.
        notes = begin(given if given and _REQUEST_ID.fullmatch(given) else new_id())

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            headers.append(("X-Request-Id", notes.request_id))
            headers += notes.headers
            if notes.is_parked:
                return start_response(status, headers, exc_info)  # it comes back to be answered
            seconds = time.perf_counter() - began
            _finish(metrics, notes, environ["REQUEST_METHOD"], int(status[:3]), dict(headers), seconds)
            return start_response(status, headers, exc_info)

        return answer(environ, start)

    app.wsgi_app = watched  # type: ignore[method-assign]


def _finish(metrics: Metrics, notes: Notes, method: str, status: int, sent: dict[str, str], seconds: float) -> None:  # noqa: PLR0917
    path, facts = route(), notes.facts
    if method not in _METHODS:
        method = "other"
    metrics.answered(method, path, status, seconds)
    if "Idempotent-Replayed" in sent:
        metrics.replays.labels(path).inc()
        facts["replayed"] = True
    if status == 409 and "variant" in facts:
        metrics.moves_refused.labels(facts["variant"], facts["code"]).inc()
    line = {
        "request_id": notes.request_id,
        "method": method,
        "route": path,
        "status": status,
        "milliseconds": round(seconds * 1000, 2),
        "bytes": int(sent.get("Content-Length", 0)),
        **facts,
    }
    tell(log, "request", line)


def route() -> str:
    """The path of the call, its parameters by name: `/games/{game_id}`."""
    rule = request.url_rule if has_request_context() else None
    return _template(rule.rule) if rule else "unknown"


@cache
def _template(rule: str) -> str:
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule)
