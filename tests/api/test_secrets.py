"""Secrets: two games that differ only in what a caller can't see answer that caller byte for byte alike."""

import re
from typing import Any

import pytest

from service.rules.registry import GAMES
from tests.client import Answer, Client, Seated, sit_down

OWN = "deal 0 Yw Y2 Y3 B4 W5 G6 R7 R8"
OTHERS = ("deal 1 Yw Y4 Y5 B5 W6 G7 R9 R10", "deal 1 Gw Gw B9 B10 W7 W8 R2 R3")
EVENTS = ("play R7", "draw deck", "draw B2")


def games(api: Client) -> tuple[Seated, Seated]:
    """Two games of the same seat 0, with other cards in the hand of seat 1 and so in the deck."""
    one, two = (sit_down(api, chance="client") for _ in OTHERS)
    one.do(OWN, OTHERS[0], *EVENTS)
    two.do(OWN, OTHERS[1], *EVENTS)
    return one, two


def sameness(game: Seated, answer: Answer) -> Any:
    """The answer without what names the game itself."""
    headers = {name: value for name, value in answer.headers.items() if name not in ("X-Request-Id", "Date")}
    text = re.sub(r'"(created_at|expires_at|request_id)":"[^"]*"', "", answer.content.decode())
    return answer.status, headers, text.replace(game.id, "ID")


QUESTIONS = [
    *("", "?version=1", "?version=2", "/board.svg", "/board.svg?version=2"),
    *("/moves", "/history", "/history?after=2&limit=1", "/score", "/fairness"),
]


@pytest.mark.parametrize(
    ("who", "question"),
    [
        (who, question)
        for who in ("seat 0", "spectator", "host without asking")
        for question in QUESTIONS
        # The host lists the moves of every seat, as it moves for every seat.
        if (who, question) != ("host without asking", "/moves")
    ],
)
def test_what_a_caller_cannot_see_makes_no_difference(api: Client, who: str, question: str) -> None:
    one, two = games(api)
    answers = []
    for game in (one, two):
        token = {"seat 0": game.seats[0], "spectator": None, "host without asking": game.host}[who]
        answers.append(sameness(game, game.get(question, token=token)))
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    "notation",
    ["play R9", "play Gw", "discard R2", "draw deck", "draw R", "draw R9", "deal 1 Yw Y4 Y5 B5 W6 G7 R9 R10", "hello"],
)
@pytest.mark.parametrize("call", ["/moves", "/check"])
def test_errors_tell_nothing_that_the_seat_may_not_know(api: Client, notation: str, call: str) -> None:
    one, two = games(api)
    answers = [
        sameness(game, api.post(game.path + call, {"notation": notation}, token=game.seats[0])) for game in (one, two)
    ]
    assert answers[0] == answers[1]


@pytest.mark.parametrize("variant", GAMES)
def test_the_seed_stays_secret_until_the_end(api: Client, variant: str) -> None:
    game = sit_down(api, variant, GAMES[variant].ABOUT.seats[0], seed="c4" * 32)
    for token in (None, game.host, *game.seats):
        for question in ("", "/moves", "/history", "/score", "/fairness"):
            assert "c4c4" not in game.get(question, token=token).content.decode()


def test_a_check_does_not_foresee_chance(api: Client) -> None:
    """Nobody who asks about a list beyond a draw is told anything of the card, the host included."""
    game = sit_down(api, seed="ab" * 32)
    hand = game.get("", token=game.seats[0]).body["position"]["hands"][0]
    moves = [{"notation": f"discard {hand[0]}"}, {"notation": "draw deck"}, {"notation": f"discard {hand[1]}"}]
    for token in (game.seats[0], game.host):
        answer = api.post(game.path + "/check", {"moves": moves}, token=token)
        assert answer.body["problem"]["code"] == "chance-in-between"
        assert api.post(game.path + "/check", {"moves": moves[:2]}, token=token).body == {"legal": True}
