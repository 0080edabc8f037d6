"""The leak hunt: random games, in which every byte that anybody receives is searched for cards it cannot know."""

import io
import logging
import random
import re
from collections.abc import Iterator

import pytest

from service.sight.logs import Json
from tests.client import Answer, Client, Seated, sit_down

CARD = re.compile(r"(?<![A-Za-z0-9])[YBWGRP](?:10|[2-9w])(?![A-Za-z0-9])")
TOKEN = re.compile(r"(?:host|seat)_[0-9a-f]{32}")

QUESTIONS = ("", "/moves", "/history?limit=500", "/score", "/fairness", "?version=2", "?version=5")


def bytes_of(answer: Answer) -> str:
    return f"{answer.headers} {answer.content.decode()}"


def known(game: Seated, viewer: int | None) -> set[str]:
    """The cards whose place the viewer may have seen: what was played and discarded, and what it was dealt itself."""
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
    """Everything that is logged meanwhile, as it is written."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(Json())
    logger = logging.getLogger("service")
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield written
    logger.removeHandler(handler)
    logger.setLevel(logging.NOTSET)


@pytest.mark.parametrize("seed", range(4))
def test_nobody_receives_a_card_that_it_cannot_know(api: Client, log: io.StringIO, seed: int) -> None:
    rng = random.Random(seed)
    game = sit_down(api, options={"expeditions": 5 + seed % 2})
    tokens = {0: game.seats[0], 1: game.seats[1], None: None}
    received: dict[int | None, str] = dict.fromkeys(tokens, "")
    for _ in range(50):
        active = game.get("").body["to_act"][0]
        moves = game.get("/moves", token=game.seats[active]).body["moves"]
        # A move that is refused is answered too: by another seat's token, or out of turn.
        wrong = api.post(game.path + "/moves", {"notation": "draw deck"}, token=game.seats[1 - active])
        received[1 - active] += bytes_of(wrong)
        made = api.post(game.path + "/moves", rng.choice(moves), token=game.seats[active])
        assert made.status == 200
        received[active] += bytes_of(made)
        for viewer, token in tokens.items():
            question = rng.choice(QUESTIONS)
            received[viewer] += bytes_of(game.get(question, token=token))
        if game.get("").body["status"] == "finished":
            pytest.fail("the hunt is for secrets, and a finished game has none")
        for viewer, text in received.items():
            assert {*CARD.findall(text)} <= known(game, viewer), f"viewer {viewer}"
            received[viewer] = ""
    lines = log.getvalue()
    assert lines.count('"message":"request"') > 100
    assert not TOKEN.search(lines)
    assert not CARD.search(lines)
    metrics = api.get("/metrics").content.decode()
    assert not TOKEN.search(metrics)
    assert not CARD.search(metrics)
    assert game.id not in metrics


def test_the_hunter_would_see_a_leak(api: Client) -> None:
    """The hunt is not blind: what the other seat receives is found, and is not known."""
    game = sit_down(api)
    text = bytes_of(game.get("", token=game.seats[1]))
    assert len(CARD.findall(text)) == 8
    assert not {*CARD.findall(text)} <= known(game, 0)
    assert {*CARD.findall(text)} <= known(game, 1)
    assert TOKEN.search(str(game.created))
