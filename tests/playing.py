"""Helpers that play games directly on the rules, without the service."""

import random
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from lostcities.variants.core import CHANCE, Actor, AnyRules, IllegalMove, Move


class Step(NamedTuple):
    """One event: the state before, the actor, the move and the state after."""

    before: Any
    actor: Actor
    move: Move
    after: Any


def steps(game: AnyRules, state: Any, rng: random.Random) -> Iterator[Step]:
    """Play random moves and outcomes from a state to the end of the game."""
    while actors := game.to_act(state):
        actor = rng.choice(actors)
        move = (
            game.sample_chance(state, rng.randrange) if actor == CHANCE else rng.choice(game.legal_moves(state, actor))
        )
        after = game.apply(state, actor, move)
        yield Step(state, actor, move, after)
        state = after


def do(game: AnyRules, state: Any, *events: str) -> Any:
    """The state after events like `0 play R7` or `chance draw B2`."""
    for event in events:
        actor, notation = event.split(" ", 1)
        state = game.apply(state, CHANCE if actor == CHANCE else int(actor), game.parse(notation))
    return state


def refusal(game: AnyRules, state: Any, event: str) -> str:
    """The code of the rule that the event violates. Checks that the state is unchanged."""
    copy = repr(state)
    with pytest.raises(IllegalMove) as caught:
        do(game, state, event)
    assert repr(state) == copy
    assert caught.value.rule in game.INFO.rules
    return caught.value.rule


def totals(game: AnyRules, state: Any) -> list[int]:
    """Each seat's current total."""
    return [sum(line.points for line in sheet) for sheet in game.score(state)]


def source(game: ModuleType) -> str:
    """The source of a rules module. A compiled module has its source beside it."""
    return Path(str(game.__file__)).with_name(game.__name__.rpartition(".")[2] + ".py").read_text()
