"""What is left out of Flask changes no answer."""

import random
from http import HTTPStatus
from typing import Any

import pytest
from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule
from werkzeug.test import create_environ, run_wsgi_app

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
def test_what_is_unusual_is_answered_as_usual(
    app: Flask, method: str, path: str, headers: dict[str, str], status: HTTPStatus
) -> None:
    answer = app.test_client().open(path, method=method, headers=headers)
    assert answer.status_code == status
    assert method != "OPTIONS" or {*answer.headers["Allow"].split(", ")} == {"GET", "HEAD", "OPTIONS"}


def status_of(app: Flask, environ: dict[str, Any]) -> int:
    """Of the answer to what no client of a real server can send."""
    answer = run_wsgi_app(app.wsgi_app, environ)
    return int(answer[1][:3])


@pytest.mark.parametrize(("path", "status"), [("", 308), ("*", 404), ("Xvariants", 404)])
def test_a_path_begins_with_a_slash(app: Flask, path: str, status: int) -> None:
    assert status_of(app, create_environ("/") | {"PATH_INFO": path}) == status


def test_a_body_that_ends_too_soon_is_none(app: Flask) -> None:
    environ = create_environ("/variants/duel/moves", method="POST", data=b"{}", content_type="application/json")
    assert [status_of(app, {**environ, "CONTENT_LENGTH": length}) for length in ("500", "3")] == [400, 400]


def test_an_error_in_a_hook_is_answered_as_any_other() -> None:
    app = create_app(Settings(redis_url="redis://unused"))

    @app.after_request
    def fail(response: object) -> object:
        del response
        raise ZeroDivisionError

    del app.after_request_funcs[None][1:]
    answer = app.test_client().get("/variants")
    assert (answer.status_code, answer.content_type) == (500, "application/problem+json")
