"""The application factory."""

from functools import partial
from typing import Any, Final

import gevent
from flask import Flask

# These two add their calls to the blueprint `games`.
import lostcities.api.games.routes
import lostcities.api.games.table_routes  # noqa: F401
from lostcities.api import streams
from lostcities.api.contract.api import Api
from lostcities.api.contract.introduction import SUMMARY, sections
from lostcities.api.errors import response_to
from lostcities.api.fields import MAX_BODY, RECORD_EVENT_BYTES
from lostcities.api.games.blueprint import games
from lostcities.api.json_provider import MsgspecProvider
from lostcities.api.operations import operations
from lostcities.api.problems.routes import problems
from lostcities.api.variants.routes import variants
from lostcities.auth import client_address, require_api_key
from lostcities.config import Settings
from lostcities.games.broadcaster import Broadcaster
from lostcities.games.service import GameService
from lostcities.games.thinking import Bounds, Thinkers
from lostcities.limits import Limiter, limit_requests
from lostcities.observability.measured_store import MeasuredStore
from lostcities.observability.metrics import Metrics
from lostcities.observability.middleware import observe_requests
from lostcities.observability.ports import separate_metrics
from lostcities.store.notifications import RedisChangeSource
from lostcities.store.redis import RedisStore
from lostcities.web.contract import serve_contract
from lostcities.web.docs import docs
from lostcities.web.headers import add_browser_headers
from lostcities.web.table import table

PAUSE_SECONDS: Final = 1e-5
"""gevent resumes a greenlet that sleeps for 0 seconds many times before it looks for new requests."""


def pause() -> None:
    """Let the worker serve other requests, in the middle of a long computation."""
    gevent.sleep(PAUSE_SECONDS)


def create_app(settings: Settings) -> Flask:
    """The Flask application for these settings. It connects to the store at the first request, not here."""
    app = Flask(__name__, static_folder=None)
    _configure(app, settings)
    metrics = app.extensions["metrics"] = Metrics()
    limiter = app.extensions["limiter"] = Limiter(settings, metrics)
    _add_games(app, settings, metrics, limiter)
    if settings.otel_exporter_otlp_endpoint:
        from lostcities.observability.tracing import trace_requests

        trace_requests(app)
    add_browser_headers(app, settings.cors_origins)
    observe_requests(app, metrics, settings.access_log)
    if settings.metrics_port is not None:
        separate_metrics(app, settings.metrics_port)
    limit_requests(app, limiter)
    require_api_key(app, settings.api_keys)
    app.register_error_handler(Exception, response_to)
    _add_calls(app)
    return app


def _configure(app: Flask, settings: Settings) -> None:
    app.json = MsgspecProvider(app)
    app.config.update(
        API_TITLE="Lost Cities rules oracle",
        API_VERSION="1.1.0",
        OPENAPI_VERSION="3.1.0",
        API_SPEC_OPTIONS=_about_the_api(),
        # One byte over the limit, so that a body of unknown length can be recognised as too large.
        MAX_CONTENT_LENGTH=MAX_BODY + 1,
        MAX_RECORD_BODY=MAX_BODY + RECORD_EVENT_BYTES * settings.max_events,
        PROPAGATE_EXCEPTIONS=False,
        CREATION_IS_OPEN=not settings.api_keys,
    )
    app.url_map.merge_slashes = False


def _add_games(app: Flask, settings: Settings, metrics: Metrics, limiter: Limiter) -> None:
    """Add the store, the use cases on it, and the streams."""
    if settings.redis_url is None:
        raise ValueError("redis_url is required")
    redis_store = RedisStore(
        settings.redis_url,
        durability=settings.durability,
        timeout=settings.redis_timeout / 1000,
        full_percent=settings.store_full_percent,
    )
    store = MeasuredStore(redis_store, metrics)
    address = app.extensions["client_address"] = partial(client_address, settings.trusted_proxies)
    app.extensions["broadcaster"] = Broadcaster(
        store,
        RedisChangeSource(settings.redis_url, settings.redis_timeout / 1000),
        streams.encode_events,
        max_watchers=settings.max_streams,
        max_of_address=settings.max_streams_per_address,
        on_count=metrics.count_live,
    )
    app.extensions["games"] = GameService(
        store,
        lifetime=settings.game_ttl * 1000,
        finished_lifetime=settings.finished_ttl * 1000,
        max_events=settings.max_events,
        pause=pause,
        thinkers=Thinkers(
            Bounds(settings.max_thinking, settings.max_thinking_per_address),
            address=address,
            pause=pause,
            admit=partial(limiter.test, "thinking"),
            charge=partial(limiter.charge, "thinking"),
            on_result=metrics.thinking_seconds.observe,
        ),
    )


def _add_calls(app: Flask) -> None:
    """Add the calls of the API, its contract, and the pages."""
    api = Api(app)
    api.introduce(sections())
    for blueprint in (games, operations, problems, variants):
        api.register_blueprint(blueprint)
    for page in (docs, table):
        app.register_blueprint(page)
    serve_contract(app, api.document)
    app.extensions["contract"] = api.document


def _about_the_api() -> dict[str, Any]:
    return {
        "info": {
            "description": SUMMARY,
            "summary": "Legal moves, judgements, outcomes and scores of the Lost Cities games",
            "contact": {"name": "The maintainers"},
            "license": {"name": "MIT", "url": "https://opensource.org/license/mit"},
        },
        "servers": [{"url": "/", "description": "The service that sent this document."}],
    }
