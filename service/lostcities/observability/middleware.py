"""A WSGI middleware for request ids, the version of the API, request metrics and the request log.

A middleware also sees responses that bypass Flask's hooks, and is faster than hooks.
"""

import logging
import random
import re
import time
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, has_request_context, request

from lostcities.api.request_context import begin_request
from lostcities.observability import logs
from lostcities.observability.metrics import Metrics

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_METHODS: Final = {"GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"}
"""Other methods are counted as "other", so that clients cannot create labels."""

log = logging.getLogger(logs.REQUESTS)


def new_id() -> str:
    """A new request id. It need not be secret, so it is not cryptographically random."""
    return f"{random.getrandbits(128):032x}"


def observe_requests(app: Flask, metrics: Metrics, logged_share: float = 1) -> None:
    """Assign a request id, returned as `X-Request-Id`. Count, time and log each request when its response starts.

    Every response has the version of the API, so that a client notices a service that is too old for it.

    :param logged_share: share of the requests that are logged, chosen at random; a 5xx always is
    """
    application = app.wsgi_app
    version = ("API-Version", app.config["API_VERSION"])

    def middleware(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        started = time.perf_counter()
        given = environ.get("HTTP_X_REQUEST_ID")
        context = begin_request(given if given and _REQUEST_ID.fullmatch(given) else new_id())

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            headers += (("X-Request-Id", context.request_id), version)
            seconds = time.perf_counter() - started
            code, method, path = int(status[:3]), _known(environ["REQUEST_METHOD"]), route()
            _measure(metrics, context.facts, method, path, code, seconds)
            if log.isEnabledFor(logging.INFO) and (code >= 500 or random.random() < logged_share):  # noqa: S311
                logs.write_request(
                    {
                        "request_id": context.request_id,
                        "method": method,
                        "route": path,
                        "status": code,
                        "milliseconds": round(seconds * 1000, 2),
                        "bytes": next((int(value) for name, value in headers if name == "Content-Length"), 0),
                        **context.facts,
                    }
                )
            return start_response(status, headers, exc_info)

        return application(environ, start)

    app.wsgi_app = middleware  # type: ignore[method-assign]


def _known(method: str) -> str:
    return method if method in _METHODS else "other"


def _measure(  # noqa: PLR0917
    metrics: Metrics, facts: Mapping[str, Any], method: str, path: str, status: int, seconds: float
) -> None:
    metrics.observe_request(method, path, status, seconds)
    if "replayed" in facts:
        metrics.replays.labels(path).inc()
    if status == 409 and "variant" in facts:
        metrics.moves_refused.labels(facts["variant"], facts["code"]).inc()


def route() -> str:
    """The path template of the current request, as in `/games/{game_id}`, or "unknown" without a route."""
    rule = request.url_rule if has_request_context() else None
    return _template(rule.rule) if rule else "unknown"


@cache
def _template(rule: str) -> str:
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule)
