"""expert: search by sampled worlds and playouts.

A *world* is a state that fits what the seat knows: hidden cards are filled in at random. A *playout* makes one
candidate move in a world and goes on by the greedy policy to the end of the game, or of a round. The value of a move is
its mean final margin over the best other seat.

All candidates are tried in the same worlds and with the same random numbers, so that their difference comes from the
moves and not from luck. Successive halving spends most playouts on the best candidates: after each stage the worse
half of them is dropped, or more if there are many. For advice all legal moves are candidates. For a decision a
heuristic may leave out those that are hardly ever the best.

A search has a budget of playouts and of events in them. It is counted in work and not in seconds, so that the same
picks give the same decision on every machine. All other seats may answer a move one after the other, so the budget of
a decision is smaller where there are more seats.

The move that the greedy bot would make is never dropped. The expert makes another one only if it was better by more
than chance explains.
"""

from collections.abc import Mapping, Sequence
from math import inf, sqrt
from typing import Any, Final, NamedTuple

from lostcities.bots.core import Heuristic, RandomNumbers, SeatView, Thinking, random_numbers, sample_worlds
from lostcities.variants.core import CHANCE, AnyRules, Move, Pick, total
from lostcities.variants.registry import Variant

MAX_EVENTS: Final = 400
"""Events of a playout. A longer game is scored as it stands."""
LEAST_WORLDS: Final = 2
"""The worlds in which each candidate of a stage is tried, whatever the budget: a standard error needs two."""
LONE_WORLDS: Final = 8
"""The worlds in which the only legal move is tried, for an estimate of its value."""
WIDE_CHOICE: Final = 6
"""The moves that get all playouts. A choice of fewer moves gets fewer: less is lost by it."""
MOST_STAGES: Final = 4
"""The stages of a search. The last one has two candidates, each one before at most twice as many, the first one all."""
CAUTION: Final = 1.0
"""The standard errors by which a move must be better than the greedy one."""
MISTAKE: Final = 2.0
"""The standard errors by which a mistake is worse than the best move."""

Margins = Mapping[Move, Sequence[float]]
"""The final margins of the playouts of each move. Those at the same index belong to the same world."""


class Estimate(NamedTuple):
    """What a move is worth."""

    move: Move
    value: float
    """The expected final margin over the best other seat."""
    error: float
    """The standard error of the value."""
    loss: float
    """How much less it is worth than the best move, in the worlds in which both were tried."""
    loss_error: float
    """The standard error of the loss. It is less than those of the values, because both moves had the same luck."""


def is_mistake(estimate: Estimate) -> bool:
    """Whether the move is worth less than the best one by more than chance explains."""
    return estimate.loss > MISTAKE * estimate.loss_error


def estimates(margins: Margins) -> list[Estimate]:
    """The value of each move, best first.

    A move that was dropped was tried in the first worlds only, and these may have been lucky ones. So it is compared
    with the best move in the worlds in which both were tried.
    """
    best = _best_finalist(margins)
    value, error = mean_and_error(margins[best])
    found = []
    for move, values in margins.items():
        gain, gain_error = _gain(values, margins[best])
        found.append(Estimate(move, value + gain, sqrt(error**2 + gain_error**2), max(0.0, -gain), gain_error))
    return sorted(found, key=lambda estimate: -estimate.value)


def choose(margins: Margins, usual: Move | None) -> Move:
    """The best move, or the usual one if the difference may be chance."""
    best = _best_finalist(margins)
    if usual is None:
        return best
    gain, error = _gain(margins[best], margins[usual])
    return best if gain > CAUTION * error else usual


def _best_finalist(margins: Margins) -> Move:
    """The best of the moves that were tried in all worlds."""
    worlds = max(map(len, margins.values()))
    finalists = [move for move, values in margins.items() if len(values) == worlds]
    return max(finalists, key=lambda move: sum(margins[move]))


def _gain(values: Sequence[float], others: Sequence[float]) -> tuple[float, float]:
    """The mean difference of two moves in the worlds in which both were tried, and its standard error."""
    return mean_and_error([value - other for value, other in zip(values, others, strict=False)])


def search(
    view: SeatView, moves: Sequence[Move], heuristic: Heuristic, usual: Move | None, pick: Pick
) -> Thinking[dict[Move, list[float]]]:
    """Play out all moves; the best ones, and the usual one, most often."""
    numbers = random_numbers(pick)
    guesses = sample_worlds(view, heuristic.resample, numbers.pick)
    margins: dict[Move, list[float]] = {move: [] for move in moves}
    candidates = [*moves]
    stages = max(1, min(MOST_STAGES, (len(moves) - 1).bit_length()))
    playouts = heuristic.playouts * min(len(moves), WIDE_CHOICE) // WIDE_CHOICE // stages
    budget = heuristic.events // (view.players - 1) // stages
    for left in reversed(range(stages)):
        most_worlds = playouts // len(candidates) if len(moves) > 1 else LONE_WORLDS
        worlds = events = 0
        while worlds < LEAST_WORLDS or (worlds < most_worlds and events < budget):
            world, seed = next(guesses), numbers.pick(2**30)
            for move in candidates:
                yield
                after = view.variant.rules.apply(world, view.seat, move)
                totals, length = play_out(view.variant, after, heuristic, seed)
                own = totals.pop(view.seat)
                margins[move].append(own - max(totals))
                events += length
            worlds += 1
        candidates.sort(key=lambda move: -sum(margins[move]))
        kept = min((len(candidates) + 1) // 2, 2**left)
        candidates = [move for rank, move in enumerate(candidates) if rank < kept or move == usual]
    return margins


def play_out(variant: Variant, state: Any, heuristic: Heuristic, seed: int) -> tuple[list[int], int]:
    """The points of each seat if all of them go on by the heuristic, and the number of events until then."""
    simulate = variant.simulate
    return simulate(state, seed) if simulate else play_by_rules(variant.rules, state, heuristic, RandomNumbers(seed))


def play_by_rules(rules: AnyRules, state: Any, heuristic: Heuristic, numbers: RandomNumbers) -> tuple[list[int], int]:
    """The same for a game without a simulator."""
    events = 0
    while events < MAX_EVENTS:
        actors = rules.to_act(state)
        if not actors or heuristic.is_settled(state):
            break
        actor = actors[0]
        if actor == CHANCE:
            move = rules.sample_chance(state, numbers.fork())
        else:
            moves = rules.legal_moves(state, actor)
            move = moves[0] if len(moves) == 1 else heuristic.choose(state, actor, moves, numbers.pick)
        state = rules.apply(state, actor, move)
        events += 1
    return [total(sheet) for sheet in rules.score(state)], events


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and its standard error, which is unknown for a single value: infinite."""
    count = len(values)
    mean = sum(values) / count
    if count == 1:
        return mean, inf
    return mean, sqrt(sum([(value - mean) ** 2 for value in values]) / (count - 1) / count)
