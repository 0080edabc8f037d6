"""The application: the layers put together."""

import json
import logging
import re
import secrets
from typing import Any, Final

from flask import Flask, Response, g, request

from service.api.catalogue import MAX_BODY, REQUEST_ID
from service.api.contract import Api, add_examples
from service.api.games import games
from service.api.operations import operations
from service.api.positions import variants
from service.api.problems import problem_of
from service.config import Settings
from service.store.games import Games
from service.store.redis import RedisStore
from service.web import cors
from service.web.docs import docs

_REQUEST_ID: Final = re.compile(REQUEST_ID.strip("^$"))

log = logging.getLogger("service")


def create_app(settings: Settings) -> Flask:
    """The application on the store that the settings name. Nothing is connected before the first request."""
    app = Flask(__name__, static_folder=None)
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
    store = RedisStore(
        settings.redis_url,
        connections=settings.threads,
        durability=settings.durability,
        timeout=settings.redis_timeout / 1000,
    )
    app.extensions["games"] = Games(store, lifetime=settings.game_ttl * 1000, limit=settings.max_events)
    _identify_requests(app)
    cors.allow(app, settings.cors_origins)
    app.register_error_handler(Exception, _as_problem)
    api = Api(app)
    api.spec.components.security_scheme(
        "token", {"type": "http", "scheme": "bearer", "description": "The host's token or a seat's."}
    )
    for blueprint in (games, operations, variants):
        api.register_blueprint(blueprint)
    app.register_blueprint(docs)
    document = api.spec.to_dict()
    add_examples(document)
    _serve_contract(app, document)
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


def _identify_requests(app: Flask) -> None:
    """Every answer names its request; a caller's own id is taken if it is sane."""

    @app.before_request
    def identify() -> None:
        given = request.headers.get("X-Request-Id", "")
        g.request_id = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(16)

    @app.after_request
    def name(response: Response) -> Response:
        response.headers["X-Request-Id"] = g.request_id
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response


def _as_problem(error: Exception) -> Response:
    """Whatever was raised, as a problem; the unexpected is logged, and nothing of it is told."""
    problem = problem_of(error)
    if problem.status == 500:
        log.error("request %s failed", g.request_id, exc_info=error)
    return problem.response()


def contract(document: dict[str, Any]) -> bytes:
    """The OpenAPI document as it is served and committed, byte for byte."""
    return (json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _serve_contract(app: Flask, document: dict[str, Any]) -> None:
    data = contract(document)

    @app.get("/openapi.json")
    def openapi() -> Response:
        return Response(data, content_type="application/json")

    app.extensions["contract"] = data
