"""What is left out of Flask changes no answer."""

import random
from http import HTTPStatus

import pytest
from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule

from service.app import create_app
from service.config import Settings
from service.lean import Routes

METHODS = ["GET", "HEAD", "POST", "DELETE", "PUT", "OPTIONS", "get"]
WORDS = [
    "games",
    "variants",
    "duel",
    "moves",
    "abcdefghijklmnop",
    "",
    "<",
    "%",
    "board.svg",
    "livez",
    "docs",
    "x y",
    "é",
]


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(Settings(redis_url="redis://unused"))


def matched(app: Flask, method: str, path: str) -> tuple[Rule, dict[str, str]] | None:
    """What werkzeug finds."""
    try:
        rule, parameters = app.url_map.bind("here").match(path, method, return_rule=True)
    except HTTPException:
        return None
    return rule, dict(parameters)


def test_every_call_is_found_without_werkzeug(app: Flask) -> None:
    routes = Routes(app.url_map)
    for rule in app.url_map.iter_rules():
        if "<path:" not in rule.rule:
            path = "/".join("abcdefghijklmnop" if part.startswith("<") else part for part in rule.rule.split("/"))
            for method in (rule.methods or set()) - {"OPTIONS"}:
                found = routes.find(method, path)
                assert found
                assert found == matched(app, method, path)


def test_whatever_is_found_werkzeug_finds_too(app: Flask) -> None:
    routes, rng, found = Routes(app.url_map), random.Random(0), 0
    for _ in range(20_000):
        method, path = rng.choice(METHODS), "".join(f"/{rng.choice(WORDS)}" for _ in range(rng.randint(1, 4)))
        if call := routes.find(method, path):
            assert call == matched(app, method, path)
            found += 1
    assert found > 100


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/variants", {}, HTTPStatus.OK),
        ("HEAD", "/variants", {}, HTTPStatus.OK),
        ("OPTIONS", "/variants", {}, HTTPStatus.OK),
        ("PUT", "/variants", {}, HTTPStatus.METHOD_NOT_ALLOWED),
        ("GET", "/variants/", {}, HTTPStatus.NOT_FOUND),
        ("GET", "/variants/é", {}, HTTPStatus.NOT_FOUND),
        ("GET", "/nothing", {}, HTTPStatus.NOT_FOUND),
        ("GET", "/variants", {"Connection": "Upgrade", "Upgrade": "websocket"}, HTTPStatus.OK),
    ],
)
def test_what_is_unusual_is_answered_as_ever(
    app: Flask, method: str, path: str, headers: dict[str, str], status: HTTPStatus
) -> None:
    answer = app.test_client().open(path, method=method, headers=headers)
    assert answer.status_code == status
    assert method != "OPTIONS" or {*answer.headers["Allow"].split(", ")} == {"GET", "HEAD", "OPTIONS"}


def test_an_error_in_a_hook_is_answered_as_any_other() -> None:
    app = create_app(Settings(redis_url="redis://unused"))

    @app.after_request
    def fail(response: object) -> object:
        del response
        raise ZeroDivisionError

    del app.after_request_funcs[None][1:]
    answer = app.test_client().get("/variants")
    assert (answer.status_code, answer.content_type) == (500, "application/problem+json")
