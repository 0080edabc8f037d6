"""Random games in which every response is searched for cards that its receiver may not know."""

import io
import logging
import random
import re
from collections.abc import Iterator

import pytest
from lostcities.api import render
from lostcities.api.json_provider import encode
from lostcities.observability.logs import JsonFormatter
from lostcities.variants.registry import VARIANTS

from tests.client import Answer, Client, GameClient, create_game

CARD = re.compile(r"(?<![A-Za-z0-9])[YBWGRP](?:10|[2-9w])(?![A-Za-z0-9])")
TOKEN = re.compile(r"(?:host|seat)_[0-9a-f]{32}")

DESCRIPTION = encode(render.describe_chance(VARIANTS["duel"].rules, "en")).decode()

QUESTIONS = (
    *("", "/moves", "/history?limit=500", "/score", "/fairness", "/record", "?version=2", "?version=5"),
    *("?include=moves,score", "?version=5&include=moves"),
)


def bytes_of(answer: Answer) -> str:
    """The whole response, without the description of chance, which names cards of no game in particular."""
    return f"{answer.headers} {answer.content.decode()}".replace(DESCRIPTION, "")


def known(game: GameClient, viewer: int | None) -> set[str]:
    """The cards that the viewer may know: those played, those discarded, and those of its own hand."""
    events = game.get("/history?limit=500&view=full", token=game.host).body["events"]
    seen, active = set(), 0
    for event in events:
        verb, *words = event["notation"].split()
        if event["actor"] == "chance":
            owner = int(words.pop(0)) if verb == "deal" else active
            if owner != viewer:
                continue
        else:
            active = event["actor"]
        seen.update(words)
    return seen


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What is logged during the test, apart from the lines of requests, which go to standard error."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(JsonFormatter())
    logger = logging.getLogger("lostcities")
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield written
    logger.removeHandler(handler)
    logger.setLevel(logging.NOTSET)


@pytest.mark.parametrize("seed", range(4))
def test_no_response_contains_a_card_unknown_to_its_receiver(
    api: Client, log: io.StringIO, capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    rng = random.Random(seed)
    game = create_game(api, options={"expeditions": 5 + seed % 2})
    tokens = {0: game.seats[0], 1: game.seats[1], None: None}
    received: dict[int | None, str] = dict.fromkeys(tokens, "")
    for _ in range(50):
        active = game.get("").body["to_act"][0]
        moves = game.get("/moves", token=game.seats[active]).body["moves"]
        # Include responses to rejected moves: with another seat's token, or out of turn.
        wrong = api.post(game.path + "/moves", {"notation": "draw deck"}, token=game.seats[1 - active])
        received[1 - active] += bytes_of(wrong)
        made = api.post(game.path + "/moves?include=moves,score", rng.choice(moves), token=game.seats[active])
        assert made.status == 200
        received[active] += bytes_of(made)
        for viewer, token in tokens.items():
            question = rng.choice(QUESTIONS)
            received[viewer] += bytes_of(game.get(question, token=token))
        if game.get("").body["status"] == "finished":
            pytest.fail("the game is finished, so it has no hidden cards")
        for viewer, text in received.items():
            assert {*CARD.findall(text)} <= known(game, viewer), f"viewer {viewer}"
            received[viewer] = ""
    lines = log.getvalue() + capsys.readouterr().err
    assert lines.count('"message":"request"') > 100
    assert not TOKEN.search(lines)
    assert not CARD.search(lines)
    metrics = api.get("/metrics").content.decode()
    assert not TOKEN.search(metrics)
    assert not CARD.search(metrics)
    assert game.id not in metrics


def test_the_search_finds_a_leak(api: Client) -> None:
    """The cards that another seat receives are found, and count as unknown."""
    game = create_game(api)
    text = bytes_of(game.get("", token=game.seats[1]))
    assert len(CARD.findall(text)) == 8
    assert not {*CARD.findall(text)} <= known(game, 0)
    assert {*CARD.findall(text)} <= known(game, 1)
    assert TOKEN.search(str(game.created))
