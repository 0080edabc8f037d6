"""Properties of the bots of every level, for every variant and number of seats."""

import random
from collections.abc import Sequence
from typing import Any

import pytest
from lostcities.bots.core import SeatView, run
from lostcities.bots.levels import EXPERT, LEVELS, RANDOM, decide, levels_of
from lostcities.rules.core import AnyRules, Move
from lostcities.rules.registry import RULES

from tests.conformance.tables import brief, every_table, every_variant
from tests.playing import steps


def view_of(game: AnyRules, seats: int, state: Any, seat: int) -> SeatView:
    return SeatView(game, seats, state.options, game.to_position(state, seat), seat)


def decisions(variant: str, seats: int, count: int) -> Sequence[tuple[SeatView, Sequence[Move]]]:
    """Views and legal moves of seats, spread over a random game."""
    game, rng = RULES[variant], random.Random(f"{variant} {seats}")
    start = game.setup(seats, game.parse_options(brief(variant)))
    states = [step.before for step in steps(game, start, rng) if step.actor != "chance"]
    sampled = sorted(rng.sample(range(len(states)), min(count, len(states))))
    found = []
    for state in (states[index] for index in sampled):
        seat = rng.choice(game.to_act(state))
        assert isinstance(seat, int)
        found.append((view_of(game, seats, state, seat), game.legal_moves(state, seat)))
    return found


@every_table
@pytest.mark.parametrize("level", LEVELS)
def test_the_decision_is_legal_and_reproducible(variant: str, seats: int, level: str) -> None:
    if level not in levels_of(variant):
        pytest.skip(f"{variant} has no {level}")
    for number, (view, moves) in enumerate(decisions(variant, seats, 3 if level == EXPERT else 30)):
        chosen = run(decide(level, view, moves, random.Random(number).randrange))
        assert chosen in moves
        assert chosen == run(decide(level, view, moves, random.Random(number).randrange))


@every_variant
def test_the_levels_of_a_variant(variant: str) -> None:
    assert {*levels_of(variant)} <= {*LEVELS}
    assert {RANDOM, EXPERT} <= {*levels_of(variant)}
