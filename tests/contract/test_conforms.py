"""The automatic contract check accepts conforming responses and finds violations."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask, Response

from tests.client import Answer, Client
from tests.contract import conforms

PATH = "/livez"
CHECK = "/variants/duel/check"
LANGUAGE = {"Content_Language": "en", "Vary": "Accept-Language"}
HEADERS = {
    "X-Request-Id": "a",
    "API-Version": "1.0.0",
    "Access-Control-Expose-Headers": "ETag",
    "Cache-Control": "no-cache",
    "Content-Type": "application/json",
}
BODY = {"status": "ok"}
NOT_FOUND = {
    "type": "/problems/not-found",
    "title": "Not found",
    "status": 404,
    "detail": "there is nothing",
    "code": "not-found",
    "request_id": "a",
}
ILLEGAL = {
    **NOT_FOUND,
    "type": "/problems/not-your-turn",
    "title": "Not your turn",
    "status": 409,
    "code": "not-your-turn",
    "rule": "not-your-turn",
}


def judge(method: str = "GET", path: str = PATH, status: int = 200, body: Any = BODY, **headers: str | None) -> None:
    sent = {**HEADERS, **{name.replace("_", "-"): value for name, value in headers.items()}}
    data = b"" if body is None else json.dumps(body).encode()
    conforms.check(method, path, status, {name: value for name, value in sent.items() if value is not None}, data)


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"path": "/nowhere", "status": 404, "body": NOT_FOUND, "Content_Type": "application/problem+json"},
        {"method": "POST", "path": CHECK, "body": {"legal": True}, **LANGUAGE},
        {"method": "POST", "path": CHECK, "body": {"legal": False, "problem": ILLEGAL}, **LANGUAGE},
    ],
    ids=str,
)
def test_a_conforming_response_is_accepted(answer: Any) -> None:
    judge(**answer)


def test_the_closed_copy_has_no_open_object() -> None:
    def parts(part: Any) -> Iterator[Any]:
        yield part
        for each in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
            yield from parts(each)

    objects = [part for part in parts(conforms.CLOSED) if isinstance(part, dict) and part.get("type") == "object"]
    assert len(objects) > 50
    assert [part for part in objects if part.get("additionalProperties") is not False] == []


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
        {"path": "/nowhere", "status": 404, "Content_Type": "application/problem+json", "body": {**NOT_FOUND, "x": 1}},
        *(
            {"path": "/nowhere", "status": 404, "Content_Type": "application/problem+json", "body": body}
            for body in (
                {**NOT_FOUND, "code": "lost", "type": "/problems/lost", "title": "Lost"},
                {**NOT_FOUND, "type": "about:blank"},
                {**NOT_FOUND, "title": "Lost"},
                {**NOT_FOUND, "status": 405},
                {**NOT_FOUND, "rule": "not-found"},
            )
        ),
        *(
            {"method": "POST", "path": CHECK, "body": body, **LANGUAGE}
            for body in (
                {"legal": False},
                {"legal": True, "problem": ILLEGAL},
                {"legal": False, "problem": {**ILLEGAL, "code": "ugly", "rule": "ugly", "type": "/problems/ugly"}},
                {"legal": False, "problem": {**ILLEGAL, "rule": "game-over"}},
            )
        ),
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
