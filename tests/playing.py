"""Play games through the rules alone: what the tests of every game share."""

import random
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from service.rules.game import CHANCE, Actor, Game, IllegalMove, Move


class Step(NamedTuple):
    """One event: the state it happened in, who acted, what was done, the state it led to."""

    before: Any
    actor: Actor
    move: Move
    after: Any


def steps(game: Game, state: Any, rng: random.Random) -> Iterator[Step]:
    """Random decisions and random chance, from a state to the end of the game."""
    while actors := game.to_act(state):
        actor = rng.choice(actors)
        move = game.sample(state, rng.randrange) if actor == CHANCE else rng.choice(game.legal(state, actor))
        after = game.apply(state, actor, move)
        yield Step(state, actor, move, after)
        state = after


def do(game: Game, state: Any, *events: str) -> Any:
    """The state after events like `0 play R7` or `chance draw B2`."""
    for event in events:
        actor, notation = event.split(" ", 1)
        state = game.apply(state, CHANCE if actor == CHANCE else int(actor), game.parse(notation))
    return state


def refusal(game: Game, state: Any, event: str) -> str:
    """The code of the rule that the event breaks; the state must be untouched."""
    copy = repr(state)
    with pytest.raises(IllegalMove) as caught:
        do(game, state, event)
    assert repr(state) == copy
    assert caught.value.rule in game.ABOUT.rules
    return caught.value.rule


def totals(game: Game, state: Any) -> list[int]:
    """Each seat's points on the table now."""
    return [sum(line.points for line in sheet) for sheet in game.score(state)]


def source(game: ModuleType) -> str:
    """The text of a game's module, which lies beside it where it is compiled."""
    return Path(str(game.__file__)).with_name(game.__name__.rpartition(".")[2] + ".py").read_text()
