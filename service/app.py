"""The application: the layers put together."""

import json
import logging
import threading
from functools import cache
from typing import Any, Final

from flask import Flask, Response

from service.api import live
from service.api.answers import Answer
from service.api.catalogue import MAX_BODY
from service.api.contract import Api, add_examples
from service.api.games import games
from service.api.notes import request_id
from service.api.operations import operations
from service.api.positions import variants
from service.api.problems import problem_of
from service.config import Settings
from service.gate.keeper import counted, keep
from service.gate.limits import Limits, Send
from service.lean import Lean
from service.live.hub import Hub
from service.sight.metrics import Metrics
from service.sight.requests import watch
from service.sight.store import measured
from service.sight.tracing import trace
from service.store.address import parse
from service.store.engine import Link
from service.store.games import Games
from service.store.listening import Listener
from service.store.redis import RedisStore
from service.web.docs import docs
from service.web.marks import mark
from service.web.table import table

LIMITS_SECONDS: Final = 0.25
"""A limit that takes longer to check is not checked."""

log = logging.getLogger("service")


def create_app(settings: Settings) -> Flask:
    """The application on the store that the settings name. Nothing is connected before the first request."""
    app = Lean(__name__, static_folder=None)
    app.config.update(
        API_TITLE="Lost Cities rules oracle",
        API_VERSION="1.0.0",
        OPENAPI_VERSION="3.1.0",
        API_SPEC_OPTIONS=_about_the_api(),
        # One more than is taken: a body of unknown length is cut there, and seen to be too large.
        MAX_CONTENT_LENGTH=MAX_BODY + 1,
        PROPAGATE_EXCEPTIONS=False,
    )
    app.url_map.merge_slashes = False
    if settings.redis_url is None:
        raise ValueError("a store is needed: redis_url")
    metrics = Metrics()
    limits = Limits(_sender(settings.redis_url, settings.threads), metrics.limits_skipped.inc)
    redis_store = RedisStore(
        settings.redis_url,
        connections=settings.threads + 1,  # one for the hub
        durability=settings.durability,
        timeout=settings.redis_timeout / 1000,
    )
    store = measured(redis_store, metrics)
    listener = Listener(settings.redis_url, settings.redis_timeout / 1000)
    app.extensions["hub"] = Hub(store, listener, live.tell, most=settings.max_streams, counted=metrics.count_live)
    if settings.rate_limits:
        store = counted(store, limits, metrics, settings.rate_limits)
    app.extensions["games"] = Games(store, lifetime=settings.game_ttl * 1000, limit=settings.max_events)
    app.extensions["metrics"] = metrics
    if settings.otel_exporter_otlp_endpoint:
        trace(app)
    mark(app, settings.cors_origins)
    watch(app, metrics)
    keep(app, settings, limits, metrics)
    app.register_error_handler(Exception, _as_problem)
    for blueprint in (games, operations, variants, docs, table):
        app.register_blueprint(blueprint)
    _serve_contract(app)
    return app


def _about_the_api() -> dict[str, Any]:
    return {
        "info": {
            "description": "Legal moves, judgements, outcomes and scores of the Lost Cities games.",
            "contact": {"name": "The maintainers"},
            "license": {"name": "MIT", "url": "https://opensource.org/license/mit"},
        },
        "servers": [{"url": "/", "description": "This service."}],
    }


def _sender(url: str, connections: int) -> Send:
    """Sends the limits' commands: through connections of their own, which give up sooner than the store's."""
    link = Link(parse(url), connections, LIMITS_SECONDS)

    def send(key: str, command: tuple[Any, ...]) -> Any:
        (reply,) = link.run(key, [command]).replies
        if isinstance(reply, Exception):
            raise reply
        return reply

    return send


def _as_problem(error: Exception) -> Answer:
    """Whatever was raised, as a problem; the unexpected is logged, and nothing of it is told."""
    problem = problem_of(error)
    if problem.status == 500:
        log.error("request failed", exc_info=error, extra={"facts": {"request_id": request_id()}})
    return problem.response()


def contract(document: dict[str, Any]) -> bytes:
    """The OpenAPI document as it is served and committed, byte for byte."""
    return (json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _serve_contract(app: Flask) -> None:
    writing = threading.Lock()

    @cache
    def written() -> bytes:
        api = Api(app)
        api.spec.components.security_scheme(
            "token", {"type": "http", "scheme": "bearer", "description": "The host's token or a seat's."}
        )
        for blueprint in (games, operations, variants):
            blueprint.describe(api)
        document = api.spec.to_dict()
        add_examples(document)
        return contract(document)

    @app.get("/openapi.json")
    def openapi() -> Response:
        with writing:
            data = written()
        return Response(data, content_type="application/json")

    app.extensions["contract"] = written
