"""expert: search by sampled worlds and playouts.

A *world* is a state that fits what the seat knows: hidden cards are filled in at random. A *playout* makes one
candidate move in a world and plays the game to its end by a policy. The value of a move is its mean final margin over
the best other seat.

All candidates are tried in the same worlds and with the same random numbers, so that their difference comes from the
moves and not from luck. Successive halving spends most playouts on the best candidates: after each stage the worse
half of them is dropped. The number of playouts is fixed, so that the same picks give the same decision.
"""

from collections.abc import Sequence
from math import inf, sqrt
from typing import Any, Final, NamedTuple

from lostcities.bots.core import Policy, RandomNumbers, SeatView, Thinking, random_numbers, sample_world
from lostcities.rules.core import CHANCE, AnyRules, Move, Pick, Seat, total

PLAYOUTS: Final = 200
"""Playouts of a decision, all candidates together."""
MAX_MOVES: Final = 400
"""Events of a playout. A longer game is scored as it stands."""


class Estimate(NamedTuple):
    """What a move is worth."""

    move: Move
    value: float
    """The expected final margin over the best other seat."""
    error: float
    """The standard error of the value; infinite after a single playout."""


def search(view: SeatView, moves: Sequence[Move], policy: Policy, pick: Pick) -> Thinking[list[Estimate]]:
    """The estimates of all moves, best first. Moves that were dropped earlier come later."""
    numbers = random_numbers(pick)
    margins: dict[Move, list[float]] = {move: [] for move in moves}
    candidates, dropped = [*moves], list[Move]()
    stages = max(1, (len(moves) - 1).bit_length())
    for _ in range(stages):
        for _ in range(max(1, PLAYOUTS // stages // len(candidates))):
            world, seed = sample_world(view, numbers.pick), numbers.pick(2**30)
            for move in candidates:
                after = view.rules.apply(world, view.seat, move)
                end = play_out(view.rules, after, policy, RandomNumbers(seed).pick)
                margins[move].append(margin(view.rules, end, view.seat))
                yield
        candidates.sort(key=lambda move: -_mean(margins[move]))
        half = (len(candidates) + 1) // 2
        candidates, dropped = candidates[:half], candidates[half:] + dropped
    return [Estimate(move, _mean(margins[move]), _standard_error(margins[move])) for move in candidates + dropped]


def play_out(rules: AnyRules, state: Any, policy: Policy, pick: Pick) -> Any:
    """The state at the end of the game, if all seats follow the policy."""
    for _ in range(MAX_MOVES):
        actors = rules.to_act(state)
        if not actors:
            break
        actor = actors[0]
        if actor == CHANCE:
            move = rules.sample_chance(state, pick)
        else:
            move = policy(state, actor, rules.legal_moves(state, actor), pick)
        state = rules.apply(state, actor, move)
    return state


def margin(rules: AnyRules, state: Any, seat: Seat) -> int:
    """By how many points the seat is ahead of the best other seat."""
    totals = [total(sheet) for sheet in rules.score(state)]
    own = totals.pop(seat)
    return own - max(totals)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _standard_error(values: Sequence[float]) -> float:
    count = len(values)
    if count == 1:
        return inf
    mean = _mean(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / (count - 1) / count)
