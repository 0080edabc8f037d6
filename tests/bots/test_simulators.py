"""Every simulator plays as the rules do: the same moves, so the same points after the same number of events."""

import os
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from lostcities.bots.core import Heuristic, RandomNumbers
from lostcities.rules import duel, rivals, roll_and_write, treasure_hunt
from lostcities.variants.core import CHANCE, Move
from lostcities.variants.duel.simulator import shuffled as shuffled_duel
from lostcities.variants.registry import VARIANTS
from lostcities.variants.rivals.simulator import shuffled as shuffled_rivals
from lostcities.variants.roll_and_write.simulator import roll_dice
from lostcities.variants.treasure_hunt.simulator import Luck

from tests.conformance.tables import TABLES
from tests.playing import steps, totals

PLAYOUTS = 3000 if os.environ.get("SIMULATORS") == "full" else 150
"""From each table. The long form takes some minutes."""

OPTIONS: Mapping[str, list[dict[str, Any]]] = {
    "duel": [{}, {"expeditions": 6, "rounds": 3}, {"redraw_own_discard": True}, {"max_turns": 30}],
    "rivals": [{}, {"piles": [1, 2, 3, 74]}],
    "roll-and-write": [{}, {"order": "clockwise", "ten_may_start": True, "sheet": {"arrows": {}, "artefacts": {}}}],
    "treasure-hunt": [{}, {"footprints": {"plain": [0, 9] * 5}}, {"max_turns": 20}],
}

Chance = Callable[[Any], Move]
"""The next outcome of chance in a state."""


def luck_of_duel(state: duel.State, seed: int) -> Chance:
    """Seat 0 draws from the end of one shuffled deck, seat 1 from its beginning."""
    deck = shuffled_duel(state, seed)
    return lambda state: duel.DRAWN[deck.pop(-1 if state.active == 0 else 0)]


def luck_of_treasure_hunt(state: treasure_hunt.State, seed: int) -> Chance:
    """Six faces for each turn: three for the first throw, three for the dice that are thrown again."""
    luck = Luck(seed, state.turns)
    turns = [luck.turn() for _ in range(200)]

    def chance(now: treasure_hunt.State) -> Move:
        first, second = turns[now.turns - state.turns]
        thrown = first if now.phase == treasure_hunt.ROLL else second[: treasure_hunt.DICE - len(now.dice)]
        return treasure_hunt.ROLLS[treasure_hunt.SORTED[thrown]]

    return chance


def luck_of_rivals(state: rivals.State, seed: int) -> Chance:
    """One card after the other, from the end of the shuffled piles."""
    deck = shuffled_rivals(state, seed)
    return lambda _: rivals.REVEALED[deck.pop()]


def luck_of_roll_and_write(state: roll_and_write.State, seed: int) -> Chance:
    """One roll after the other."""
    numbers = RandomNumbers(seed)

    def chance(now: roll_and_write.State) -> Move:
        colours, digits = roll_dice(numbers)
        return roll_and_write.roll(bytes(colours), bytes(digits))

    return chance


LUCK: Mapping[str, Callable[[Any, int], Chance]] = {
    "duel": luck_of_duel,
    "rivals": luck_of_rivals,
    "roll-and-write": luck_of_roll_and_write,
    "treasure-hunt": luck_of_treasure_hunt,
}
"""What chance does in the playout with that seed."""


def states(variant: str, seats: int) -> Iterator[Any]:
    """States of random games and of games that the greedy bots play, after a move of a seat."""
    game, heuristic = VARIANTS[variant].rules, VARIANTS[variant].heuristic
    assert heuristic
    for number in range(1000):
        rng = random.Random(f"{variant} {seats} {number}")
        options = game.parse_options(rng.choice(OPTIONS[variant]))
        state: Any = game.setup(seats, options)
        if number % 2:
            played = [step.after for step in steps(game, state, rng) if step.actor != CHANCE]
        else:
            played = []
            while actors := game.to_act(state):
                actor = rng.choice(actors)
                if actor == CHANCE:
                    state = game.apply(state, CHANCE, game.sample_chance(state, rng.randrange))
                    continue
                moves = game.legal_moves(state, actor)
                move = rng.choice(moves) if rng.random() < 0.2 else heuristic.choose(state, actor, moves, rng.randrange)
                state = game.apply(state, actor, move)
                played.append(state)
        yield from rng.sample(played, min(12, len(played)))


def play_by_rules(variant: str, state: Any, heuristic: Heuristic, chance: Chance) -> tuple[list[int], int]:
    game, events = VARIANTS[variant].rules, 0
    while (actors := game.to_act(state)) and not heuristic.is_settled(state):
        actor = actors[0]
        if actor == CHANCE:
            move = chance(state)
        else:
            moves = game.legal_moves(state, actor)
            move = moves[0] if len(moves) == 1 else heuristic.choose(state, actor, moves, random.randrange)
        state = game.apply(state, actor, move)
        events += 1
    return totals(game, state), events


SIMULATED = [(variant, seats) for variant, seats in TABLES if VARIANTS[variant].simulate]


@pytest.mark.parametrize(("variant", "seats"), SIMULATED)
def test_a_simulator_plays_as_the_rules_do(variant: str, seats: int) -> None:
    heuristic, simulate = VARIANTS[variant].heuristic, VARIANTS[variant].simulate
    assert heuristic
    assert simulate
    for seed, state in zip(range(PLAYOUTS), states(variant, seats), strict=False):
        expected = play_by_rules(variant, state, heuristic, LUCK[variant](state, seed))
        assert simulate(state, seed) == expected, state
