"""What the greedy bot plays in the duel."""

import random
from typing import Any

import pytest
from lostcities.rules import duel
from lostcities.variants.core import CHANCE
from lostcities.variants.duel import bot

from tests.playing import do
from tests.rules.test_duel import situation

LONG_HAND = "R5 R6 R7 R8 R9 R10 Y2 Yw"
"""Six cards for a red expedition, two for an expedition that is not worth its cost."""

CHOICES: list[tuple[str, dict[str, Any], list[str], str]] = [
    (
        "the lowest card of an expedition comes first",
        {"held": ("R4 R8 Y9 B9 W9 G9 Y10 B10",), "laid": ("R2 R3", "Y3")},
        [],
        "play R4",
    ),
    (
        "a card that continues an expedition of the other seat is not discarded",
        {"held": ("Y7 B7 R2 Y8 Y9 W7 W8 B8",), "laid": ("R3 R4 R5", "Y2 Y3 B2 B3 W2 W3")},
        [],
        "discard R2",
    ),
    (
        "with time enough a useless card of a pile is left",
        {"held": (LONG_HAND,), "laid": ("R2 R3 R4", "Y3"), "discards": "B2"},
        ["0 play R5"],
        "draw deck",
    ),
    (
        "a card that fits is taken from its pile",
        {"held": (LONG_HAND,), "laid": ("B2 B3 B4 R2 R3 R4", "Y3"), "discards": "B8"},
        ["0 play R5"],
        "draw B",
    ),
    (
        "in a hurry a card of a pile saves a card of the deck",
        {"held": (LONG_HAND,), "laid": ("R2 R3 R4", "Y3"), "deck": "G2 G3 G4"},
        ["0 play R5"],
        "draw Y",
    ),
    (
        "in a hurry nothing is discarded, although a lower card may come",
        {"held": ("R6 R8 R9 R10 Y2 B2 W2 G2",), "laid": ("Rw Rw Rw", "Y3"), "deck": "R2 R3 R4 R5 R7"},
        [],
        "play R6",
    ),
    (
        "an expedition is begun that pays",
        {"held": ("R2 R4 R6 R7 R9 R10 Y3 B3",)},
        [],
        "play R2",
    ),
    (
        "no expedition is begun just before max_turns",
        {"held": ("R2 R4 R6 R7 R9 R10 Y3 B3",), "max_turns": 2},
        [],
        "discard R2",
    ),
]


@pytest.mark.parametrize(("chosen", "events", "expected"), [case[1:] for case in CHOICES], ids=[c[0] for c in CHOICES])
def test_the_greedy_choice(chosen: dict[str, Any], events: list[str], expected: str) -> None:
    state = do(duel, situation(*chosen["held"], **{key: chosen[key] for key in chosen.keys() - {"held"}}), *events)
    assert bot.choose(state, 0, duel.legal_moves(state, 0), random.Random(1).randrange).notation == expected


@pytest.mark.parametrize("chosen", [{}, {"expeditions": 6}, {"redraw_own_discard": True}], ids=str)
def test_greedy_bots_do_not_play_for_time_for_ever(chosen: dict[str, Any]) -> None:
    """Both seats may want the other one to draw the last cards of the deck."""
    for seed in range(60):
        rng = random.Random(seed)
        state = duel.setup(2, duel.parse_options(chosen))
        while actors := duel.to_act(state):
            actor = actors[0]
            if actor == CHANCE:
                move = duel.sample_chance(state, rng.randrange)
            else:
                assert isinstance(actor, int)
                move = bot.choose(state, actor, duel.legal_moves(state, actor), rng.randrange)
            state = duel.apply(state, actor, move)
            assert state.turns < 100
