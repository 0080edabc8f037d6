"""Retries and races: `Idempotency-Key` and `If-Match`."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from tests.api.test_games import HANDS
from tests.client import Answer, Client, GameClient, create_game
from tests.conftest import client_of


@pytest.fixture
def dealt(api: Client) -> GameClient:
    game = create_game(api, chance="client")
    game.do(*HANDS)
    return game


def race(app: Flask, *requests: Callable[[Client], Answer]) -> list[Answer]:
    """Send the requests at the same time, each in its own thread."""
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


def test_a_repeated_key_makes_one_move_and_repeats_the_response(dealt: GameClient) -> None:
    first = dealt.move("play R7", 0, key="a", token=dealt.seats[0])
    dealt.do("draw deck", "draw B2", "play R9")
    again = dealt.move("play R7", 0, key="a", token=dealt.seats[0])
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (again.status, again.content, again.headers["ETag"]) == (first.status, first.content, first.headers["ETag"])
    assert dealt.get("").body["version"] == 6


def test_a_retry_may_differ_in_white_space_and_member_order(dealt: GameClient) -> None:
    path = dealt.path + "/moves"
    one = dealt.api.post(path, data=b'{"seat": 0, "notation": "play R7"}', token=dealt.host, key="a")
    two = dealt.api.post(path, data=b'{ "notation":"play R7","seat":0 }', token=dealt.host, key="a")
    assert one.content == two.content


@pytest.mark.parametrize("query", ["", "?seat=0"])
def test_a_key_with_another_body_or_query_is_rejected(dealt: GameClient, query: str) -> None:
    assert dealt.move("play R7", 0, key="a").status == 200
    notation = "play R8" if not query else "play R7"
    answer = dealt.api.post(dealt.path + "/moves" + query, {"seat": 0, "notation": notation}, token=dealt.host, key="a")
    assert (answer.status, answer.code) == (422, "idempotency-key-reused")
    assert dealt.get("").body["version"] == 3


def test_two_players_may_use_the_same_key(dealt: GameClient) -> None:
    assert dealt.move("play R7", 0, key="1", token=dealt.seats[0]).status == 200
    dealt.do("draw deck", "draw B2")
    answer = dealt.move("play R9", 1, key="1", token=dealt.seats[1])
    assert answer.status == 200
    assert "Idempotent-Replayed" not in answer.headers


def test_the_key_is_looked_up_before_anything_else(dealt: GameClient) -> None:
    """A retry succeeds even if its If-Match is stale and the move is illegal now."""
    etag = dealt.get("").headers["ETag"]
    first = dealt.move("play R7", 0, key="a", if_match=etag)
    assert dealt.move("play R7", 0, key="a", if_match=etag).content == first.content
    assert dealt.move("play R7", 0, key="b", if_match=etag).status == 412


def test_an_error_does_not_use_up_the_key(dealt: GameClient) -> None:
    assert dealt.move("draw deck", 0, key="a").status == 409
    dealt.do("play R7")
    assert dealt.move("draw deck", 0, key="a").status == 200


def test_repeating_a_creation_returns_the_same_game_and_tokens(api: Client) -> None:
    wish = {"variant": "duel", "players": ["Ann", "Ben"]}
    key = "f3b0c1de-0000-0001"
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
    answer = api.post("/games", {"variant": "duel", "players": ["Ann", "Ben"]}, key="f3b0c1de-0000-0002")
    tokens = answer.body["tokens"]
    stored = b"".join(valkey.hgetall(f"lc:{{{answer.body['id']}}}").values())
    for token in (tokens["host"], *tokens["seats"]):
        secret = token.split("_")[1]
        assert secret.encode() not in stored
        assert bytes.fromhex(secret) not in stored


@pytest.mark.parametrize("key", ["x" * 256, "two words", "é", " "])
def test_a_malformed_key_is_rejected(dealt: GameClient, key: str) -> None:
    answer = dealt.move("play R7", 0, key=key)
    assert answer.status == 422
    assert answer.pointers == ["Idempotency-Key"]


def test_concurrent_requests_with_one_key_make_one_move(app: Flask, dealt: GameClient) -> None:
    def send(api: Client) -> Answer:
        return dealt._replace(api=api).move("play R7", 0, key="a")

    answers = race(app, *[send] * 8)
    assert {answer.status for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert sum("Idempotent-Replayed" not in answer.headers for answer in answers) == 1
    assert dealt.get("").body["version"] == 3


def test_concurrent_creations_with_one_key_create_one_game(app: Flask) -> None:
    def send(api: Client) -> Answer:
        return api.post("/games", {"variant": "duel", "players": ["Ann", "Ben"]}, key="f3b0c1de-0000-0003")

    answers = race(app, *[send] * 8)
    assert len({answer.content for answer in answers}) == 1
    assert sum("Idempotent-Replayed" not in answer.headers for answer in answers) == 1


# If-Match ----------------------------------------------------------------------------------------------------------


def test_if_match_holds_until_the_seats_next_decision(dealt: GameClient) -> None:
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
def test_if_match(dealt: GameClient, if_match: str, status: int) -> None:
    assert dealt.move("play R7", 0, if_match=if_match).status == status


def test_a_malformed_move_is_422_even_with_a_stale_if_match(dealt: GameClient) -> None:
    assert dealt.move("hello", 0, if_match='"1"').code == "not-a-move"


def test_if_match_covers_every_decision_of_a_list_of_moves(api: Client) -> None:
    game = create_game(api, "roll-and-write", 3, chance="client", options={"sheet": {"arrows": {"R": [1]}}})
    game.do("roll R O Y 1 2 3", "refuse")
    etag = game.get("").headers["ETag"]
    assert game.move("write R 2", 2).status == 200
    accelerate, refuse = {"seat": 2, "notation": "accelerate R"}, {"seat": 1, "notation": "refuse"}
    for moves in ([accelerate], [accelerate, refuse], [refuse, accelerate]):
        answer = api.post(game.path + "/moves", {"moves": moves}, token=game.host, if_match=etag)
        assert (answer.status, answer.code) == (412, "stale")
    assert api.post(game.path + "/moves", refuse, token=game.host, if_match=etag).status == 200


def test_of_two_requests_with_the_same_if_match_one_succeeds(app: Flask, dealt: GameClient) -> None:
    etag = dealt.get("").headers["ETag"]

    def send(notation: str) -> Callable[[Client], Answer]:
        return lambda api: dealt._replace(api=api).move(notation, 0, if_match=etag)

    answers = race(app, send("play R7"), send("play R8"))
    assert sorted(answer.status for answer in answers) == [200, 412]
    assert dealt.get("").body["version"] == 3


def test_each_of_many_concurrent_moves_is_made_or_rejected(app: Flask, dealt: GameClient) -> None:
    """Without If-Match the request that loses the race is evaluated again on the new state."""
    answers = race(app, *[lambda api: dealt._replace(api=api).move("play R7", 0)] * 8)
    made, *refused = sorted(answers, key=lambda answer: answer.status)
    assert made.status == 200
    assert {answer.code for answer in refused} == {"wrong-phase"}
    assert dealt.get("").body["version"] == 3
