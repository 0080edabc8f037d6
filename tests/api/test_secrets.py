"""Two games that differ only in hidden cards give a caller identical responses."""

import re
from typing import Any

import pytest
from lostcities.variants.registry import VARIANTS

from tests.client import Answer, Client, GameClient, create_game

OWN = "deal 0 Yw Y2 Y3 B4 W5 G6 R7 R8"
OTHERS = ("deal 1 Yw Y4 Y5 B5 W6 G7 R9 R10", "deal 1 Gw Gw B9 B10 W7 W8 R2 R3")
EVENTS = ("play R7", "draw deck", "draw B2")


def games(api: Client) -> tuple[GameClient, GameClient]:
    """Two games with the same hand of seat 0 and different hands of seat 1."""
    one, two = (create_game(api, chance="client") for _ in OTHERS)
    one.do(OWN, OTHERS[0], *EVENTS)
    two.do(OWN, OTHERS[1], *EVENTS)
    return one, two


def sameness(game: GameClient, answer: Answer) -> Any:
    """The response without the game's id, tokens and times."""
    headers = {name: value for name, value in answer.headers.items() if name not in ("X-Request-Id", "Date")}
    text = re.sub(r'"(created_at|expires_at|request_id)":"[^"]*"', "", answer.content.decode())
    return answer.status, headers, text.replace(game.id, "ID")


QUESTIONS = [
    *("", "?version=1", "?version=2", "/board.svg", "/board.svg?version=2"),
    *("/moves", "/history", "/history?after=2&limit=1", "/score", "/fairness", "/record"),
    *("?include=score", "?include=moves,score", "?version=2&include=moves"),
]


@pytest.mark.parametrize(
    ("who", "question"),
    [
        (who, question)
        for who in ("seat 0", "spectator", "host without asking")
        for question in QUESTIONS
        # The host's list has the moves of all seats, and its record all cards, so they may differ.
        if who != "host without asking" or not ("moves" in question or question == "/record")
    ],
)
def test_responses_do_not_depend_on_hidden_cards(api: Client, who: str, question: str) -> None:
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
def test_errors_do_not_depend_on_hidden_cards(api: Client, notation: str, call: str) -> None:
    one, two = games(api)
    answers = [
        sameness(game, api.post(game.path + call, {"notation": notation}, token=game.seats[0])) for game in (one, two)
    ]
    assert answers[0] == answers[1]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_seed_stays_secret_until_the_end(api: Client, variant: str) -> None:
    game = create_game(api, variant, VARIANTS[variant].rules.INFO.seats[0], seed="c4" * 32)
    for token in (None, game.host, *game.seats):
        for question in ("", "?include=moves,score", "/moves", "/history", "/score", "/fairness"):
            assert "c4c4" not in game.get(question, token=token).content.decode()


def test_a_check_does_not_reveal_chance_outcomes(api: Client) -> None:
    """A list of moves beyond a draw reveals nothing of the card, also not to the host."""
    game = create_game(api, seed="ab" * 32)
    hand = game.get("", token=game.seats[0]).body["position"]["hands"][0]
    moves = [{"notation": f"discard {hand[0]}"}, {"notation": "draw deck"}, {"notation": f"discard {hand[1]}"}]
    for token in (game.seats[0], game.host):
        answer = api.post(game.path + "/check", {"moves": moves}, token=token)
        assert answer.body["problem"]["code"] == "chance-in-between"
        assert api.post(game.path + "/check", {"moves": moves[:2]}, token=token).body == {"legal": True}
