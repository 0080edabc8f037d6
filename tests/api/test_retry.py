"""Retry and race: at most once per key, and nobody decides on a state it has not seen."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from tests.api.test_games import HANDS
from tests.client import Answer, Client, Seated, sit_down
from tests.conftest import client_of


@pytest.fixture
def dealt(api: Client) -> Seated:
    game = sit_down(api, chance="client")
    game.do(*HANDS)
    return game


def race(app: Flask, *requests: Callable[[Client], Answer]) -> list[Answer]:
    """Send the requests at the same moment, each from a thread of its own."""
    start = threading.Barrier(len(requests))
    answers: list[Answer | None] = [None] * len(requests)

    def run(index: int, request: Callable[[Client], Answer]) -> None:
        start.wait()
        answers[index] = request(client_of(app))

    threads = [threading.Thread(target=run, args=each) for each in enumerate(requests)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [answer for answer in answers if answer]


# Idempotency-Key ---------------------------------------------------------------------------------------------------


def test_a_repeated_key_makes_one_move_and_gives_one_answer(dealt: Seated) -> None:
    first = dealt.move("play R7", 0, key="a", token=dealt.seats[0])
    dealt.do("draw deck", "draw B2", "play R9")
    again = dealt.move("play R7", 0, key="a", token=dealt.seats[0])
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (again.status, again.content, again.headers["ETag"]) == (first.status, first.content, first.headers["ETag"])
    assert dealt.get("").body["version"] == 6


def test_white_space_and_order_do_not_make_another_request(dealt: Seated) -> None:
    path = dealt.path + "/moves"
    one = dealt.api.post(path, data=b'{"seat": 0, "notation": "play R7"}', token=dealt.host, key="a")
    two = dealt.api.post(path, data=b'{ "notation":"play R7","seat":0 }', token=dealt.host, key="a")
    assert one.content == two.content


@pytest.mark.parametrize("query", ["", "?seat=0"])
def test_a_key_with_another_body_or_query_is_refused(dealt: Seated, query: str) -> None:
    assert dealt.move("play R7", 0, key="a").status == 200
    notation = "play R8" if not query else "play R7"
    answer = dealt.api.post(dealt.path + "/moves" + query, {"seat": 0, "notation": notation}, token=dealt.host, key="a")
    assert (answer.status, answer.code) == (422, "idempotency-key-reused")
    assert dealt.get("").body["version"] == 3


def test_two_players_may_use_the_same_key(dealt: Seated) -> None:
    assert dealt.move("play R7", 0, key="1", token=dealt.seats[0]).status == 200
    dealt.do("draw deck", "draw B2")
    answer = dealt.move("play R9", 1, key="1", token=dealt.seats[1])
    assert answer.status == 200
    assert "Idempotent-Replayed" not in answer.headers


def test_the_key_is_looked_up_before_anything_else(dealt: Seated) -> None:
    """A retry succeeds although its If-Match is stale and the move would be illegal by now."""
    etag = dealt.get("").headers["ETag"]
    first = dealt.move("play R7", 0, key="a", if_match=etag)
    assert dealt.move("play R7", 0, key="a", if_match=etag).content == first.content
    assert dealt.move("play R7", 0, key="b", if_match=etag).status == 412


def test_an_error_is_not_remembered(dealt: Seated) -> None:
    assert dealt.move("draw deck", 0, key="a").status == 409
    dealt.do("play R7")
    assert dealt.move("draw deck", 0, key="a").status == 200


def test_creating_again_with_a_key_gives_the_same_game_and_tokens(api: Client) -> None:
    wish = {"variant": "duel", "players": ["Ann", "Ben"]}
    key = "f3b0c1de-0001"
    first, again = (api.post("/games", wish, key=key) for _ in range(2))
    assert again.headers["Idempotent-Replayed"] == "true"
    assert first.content == again.content
    token = first.body["tokens"]["seats"][0]
    card = api.get(f"/games/{first.body['id']}", token=token).body["position"]["hands"][0][0]
    api.post(f"/games/{first.body['id']}/moves", {"notation": f"discard {card}"}, token=token)
    assert api.post("/games", wish, key=key).content == first.content
    other = api.post("/games", {**wish, "players": ["Ann", "Bob"]}, key=key)
    assert (other.status, other.code) == (422, "idempotency-key-reused")
    assert api.post("/games", wish, key=key + "2").body["id"] != first.body["id"]


def test_no_token_is_stored(api: Client, valkey: Any) -> None:
    answer = api.post("/games", {"variant": "duel", "players": ["Ann", "Ben"]}, key="f3b0c1de-0002")
    tokens = answer.body["tokens"]
    stored = b"".join(valkey.hgetall(f"lc:{{{answer.body['id']}}}").values())
    for token in (tokens["host"], *tokens["seats"]):
        secret = token.split("_")[1]
        assert secret.encode() not in stored
        assert bytes.fromhex(secret) not in stored


@pytest.mark.parametrize("key", ["x" * 256, "two words", "é", " "])
def test_a_key_that_is_none_is_refused(dealt: Seated, key: str) -> None:
    answer = dealt.move("play R7", 0, key=key)
    assert answer.status == 422
    assert answer.pointers == ["Idempotency-Key"]


def test_one_key_sent_by_many_at_once_makes_one_move(app: Flask, dealt: Seated) -> None:
    def send(api: Client) -> Answer:
        return dealt._replace(api=api).move("play R7", 0, key="a")

    answers = race(app, *[send] * 8)
    assert {answer.status for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert sum("Idempotent-Replayed" not in answer.headers for answer in answers) == 1
    assert dealt.get("").body["version"] == 3


def test_one_key_creates_one_game(app: Flask) -> None:
    def send(api: Client) -> Answer:
        return api.post("/games", {"variant": "duel", "players": ["Ann", "Ben"]}, key="f3b0c1de-0003")

    answers = race(app, *[send] * 8)
    assert len({answer.content for answer in answers}) == 1
    assert sum("Idempotent-Replayed" not in answer.headers for answer in answers) == 1


# If-Match ----------------------------------------------------------------------------------------------------------


def test_the_etag_of_what_was_seen_is_fresh_until_the_seat_is_asked_something_else(dealt: Seated) -> None:
    etag = dealt.get("", token=dealt.seats[0]).headers["ETag"]
    made = dealt.move("play R7", 0, if_match=etag)
    assert made.status == 200
    stale = dealt.move("draw deck", 0, if_match=etag)
    assert (stale.status, stale.code) == (412, "stale")
    assert dealt.move("draw deck", 0, if_match=made.headers["ETag"]).status == 200


@pytest.mark.parametrize(
    ("if_match", "status"),
    [
        ("*", 200),
        ('"2"', 200),
        ('"2-s0"', 200),
        ('"2-full"', 200),
        ('W/"2"', 200),
        ('"1", "2"', 200),
        ('"2", "999"', 200),
        ('"2-s0-past"', 200),
        ('"1"', 412),
        ('"3"', 412),
        ('"x"', 412),
        ("2", 412),
        ("", 200),
        ('"2"' + "x" * 300, 422),
    ],
)
def test_if_match(dealt: Seated, if_match: str, status: int) -> None:
    assert dealt.move("play R7", 0, if_match=if_match).status == status


def test_what_is_no_move_is_refused_as_such_even_if_stale(dealt: Seated) -> None:
    assert dealt.move("hello", 0, if_match='"1"').code == "not-a-move"


def test_every_decision_that_a_list_answers_must_have_been_seen(api: Client) -> None:
    game = sit_down(api, "roll-and-write", 3, chance="client", options={"sheet": {"arrows": {"R": [1]}}})
    game.do("roll R O Y 1 2 3", "refuse")
    etag = game.get("").headers["ETag"]
    assert game.move("write R 2", 2).status == 200
    accelerate, refuse = {"seat": 2, "notation": "accelerate R"}, {"seat": 1, "notation": "refuse"}
    for moves in ([accelerate], [accelerate, refuse], [refuse, accelerate]):
        answer = api.post(game.path + "/moves", {"moves": moves}, token=game.host, if_match=etag)
        assert (answer.status, answer.code) == (412, "stale")
    assert api.post(game.path + "/moves", refuse, token=game.host, if_match=etag).status == 200


def test_two_racing_with_one_if_match_exactly_one_wins(app: Flask, dealt: Seated) -> None:
    etag = dealt.get("").headers["ETag"]

    def send(notation: str) -> Callable[[Client], Answer]:
        return lambda api: dealt._replace(api=api).move(notation, 0, if_match=etag)

    answers = race(app, send("play R7"), send("play R8"))
    assert sorted(answer.status for answer in answers) == [200, 412]
    assert dealt.get("").body["version"] == 3


def test_of_many_racing_moves_each_is_made_or_refused_and_none_is_lost(app: Flask, dealt: Seated) -> None:
    """Without If-Match the loser of a race is judged anew, on the state that it lost to."""
    answers = race(app, *[lambda api: dealt._replace(api=api).move("play R7", 0)] * 8)
    made, *refused = sorted(answers, key=lambda answer: answer.status)
    assert made.status == 200
    assert {answer.code for answer in refused} == {"wrong-phase"}
    assert dealt.get("").body["version"] == 3
