"""The automatic contract check accepts conforming responses and finds violations."""

import json
from typing import Any

import pytest
from flask import Flask, Response

from tests.client import Answer, Client
from tests.contract import conforms

PATH = "/livez"
HEADERS = {
    "X-Request-Id": "a",
    "Access-Control-Expose-Headers": "ETag",
    "Cache-Control": "no-cache",
    "Content-Type": "application/json",
}
BODY = {"status": "ok"}


def judge(method: str = "GET", path: str = PATH, status: int = 200, body: Any = BODY, **headers: str | None) -> None:
    sent = {**HEADERS, **{name.replace("_", "-"): value for name, value in headers.items()}}
    data = b"" if body is None else json.dumps(body).encode()
    conforms.check(method, path, status, {name: value for name, value in sent.items() if value is not None}, data)


def test_a_conforming_response_is_accepted() -> None:
    judge()


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 418},
        {"status": 503},
        {"path": "/nowhere"},
        {"method": "PUT"},
        {"body": {"status": "fine"}},
        {"body": {"status": "ok", "mood": "good"}},
        {"body": {}},
        {"X_Request_Id": None},
        {"X_Request_Id": "two words"},
        {"Cache_Control": "public"},
        {"Cache_Control": None},
        {"Content_Type": "text/html"},
        {"X_Surprise": "1"},
        {"Access_Control_Expose_Headers": None},
        {"path": "/games/aaaaaaaaaaaaaaaa", "status": 304, "ETag": '"7"'},
        {"path": "/games/aaaaaaaaaaaaaaaa", "status": 304, "body": None, "ETag": "7"},
        {"path": "/nowhere", "status": 404, "Content_Type": "text/html"},
    ],
    ids=str,
)
def test_a_violation_is_found(answer: Any) -> None:
    with pytest.raises(conforms.Violation):
        judge(**answer)


def test_responses_to_any_client_are_checked(app: Flask) -> None:
    """Also those to Flask's own test client."""
    liar = Flask("liar")
    liar.add_url_rule("/livez", view_func=lambda: Response("yes"))
    liar.test_client().get("/livez")
    with pytest.raises(conforms.Violation):
        conforms.report()
    app.test_client().get("/livez")
    conforms.report()


def test_the_client_checks_responses_of_other_processes() -> None:
    api = Client(lambda *_: Answer(200, dict(HEADERS), b'{"status": "fine"}'))
    with pytest.raises(conforms.Violation):
        api.get("/livez")
