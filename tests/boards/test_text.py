"""Games as text: it shows all that a seat may see, and nothing else."""

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from lostcities.boards.text import describe
from lostcities.variants.registry import VARIANTS, Variant

from tests.conformance.tables import brief, every_table
from tests.playing import steps

NAMES = ["Ann (you)", "Ben", "Cleo", "Dan", "Eve"]


def views(variant: str, seats: int) -> Iterator[dict[str, Any]]:
    """What seat 0 sees of a random game, as the members of a game that its text needs."""
    rules = VARIANTS[variant].rules
    options = rules.parse_options(brief(variant))
    for number, step in enumerate(steps(rules, rules.setup(seats, options), random.Random(seats))):
        if number % 10 == 0:
            yield {"variant": variant, "options": options.plain(), "position": rules.to_position(step.after, 0)}


def words(data: object) -> Iterator[str]:
    """Every card, tile and number in a part of a position."""
    if isinstance(data, dict):
        for value in data.values():
            yield from words(value)
    elif isinstance(data, list):
        for value in data:
            yield from words(value)
    elif data not in (None, "?", True, False):
        yield str(data)


@every_table
def test_the_text_has_everything_that_lies_on_the_table(variant: str, seats: int) -> None:
    hidden = {
        "variant",
        "phase",
        "turn",
        "active",
        "conditions",
        "starting_wagers",
        "starter",
        "known",
        "closed",
        "removals",
        "auction",
    }
    for game in views(variant, seats):
        text = "\n".join(describe(game, NAMES[:seats]))
        shown = {*re.findall(r"[\w-]+", text)}
        position = {key: value for key, value in game["position"].items() if key not in hidden}
        assert {*words(position)} - {"choose", "accelerate", "finished"} <= shown, text


def test_what_a_view_hides_is_not_in_the_text() -> None:
    for game in views("duel", 2):
        position = game["position"]
        text = "\n".join(describe(game, NAMES[:2]))
        assert f"Hand of Ben: {' '.join(card for card in position['hands'][1] if card != '?')}".rstrip() in text
        assert "?" not in text


def test_a_game_without_a_text_shows_the_members_of_its_position(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(VARIANTS, "nim", Variant("tests.fifth_game"))
    game = {"variant": "nim", "options": {}, "position": {"variant": "nim", "phase": "take", "stones": 5}}
    assert describe(game, ["Ann", "Ben"]) == ["Seat 0 is Ann.", "Seat 1 is Ben.", "stones: 5"]
