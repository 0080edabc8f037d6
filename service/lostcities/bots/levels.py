"""The levels of play, and the one way to ask for a decision of any of them."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from lostcities.bots import expert
from lostcities.bots.core import Heuristic, SeatView, Thinking, never, random_move, random_numbers, sample_world
from lostcities.bots.expert import Estimate
from lostcities.variants.core import N_, Move, Pick
from lostcities.variants.registry import VARIANTS

RANDOM: Final = "random"
GREEDY: Final = "greedy"
EXPERT: Final = "expert"
LEVELS: Final = (RANDOM, GREEDY, EXPERT)
"""From the weakest to the strongest."""


class LevelText(NamedTuple):
    """What a level is called for people."""

    name: str
    text: str
    """One sentence."""


LEVEL_TEXTS: Final[Mapping[str, LevelText]] = {
    RANDOM: LevelText(N_("Beginner"), N_("Makes any legal move.")),
    GREEDY: LevelText(N_("Adventurer"), N_("Makes the move that looks best at once.")),
    EXPERT: LevelText(N_("Expert"), N_("Compares the moves by playing the game on many times.")),
}
"""By level."""

PLAIN: Final = Heuristic(random_move, 300, 30_000, never)
"""For a game that has none."""
MAX_ADVICE_EVENTS: Final = 42_000
"""The most events in the playouts of advice. All moves are candidates, and a person waits for it."""


def levels_of(variant: str) -> tuple[str, ...]:
    """The levels that can play the variant. A game without a heuristic has no `greedy`."""
    return tuple(level for level in LEVELS if level != GREEDY or VARIANTS[variant].heuristic)


def decide(level: str, view: SeatView, moves: Sequence[Move], pick: Pick) -> Thinking[Move]:
    """The move of a bot of that level, one of the seat's legal moves.

    The same view, moves and picks give the same decision. `pick` is called with at most 256.
    """
    if len(moves) == 1:
        return moves[0]
    if level == RANDOM:
        return random_move(None, view.seat, moves, random_numbers(pick).pick)
    usual = _usual_move(view, moves, pick)
    if level == GREEDY and usual:
        return usual
    candidates = _shortlist(view, moves, pick)
    if len(candidates) == 1:
        return candidates[0]
    heuristic = view.variant.heuristic or PLAIN
    return expert.choose((yield from expert.search(view, candidates, heuristic, usual, pick)), usual)


def advise(view: SeatView, moves: Sequence[Move], pick: Pick) -> Thinking[list[Estimate]]:
    """What each of the seat's legal moves is worth, best first: the expert's estimates."""
    heuristic = view.variant.heuristic or PLAIN
    quick = heuristic._replace(events=min(heuristic.events, MAX_ADVICE_EVENTS))
    return expert.estimates((yield from expert.search(view, moves, quick, _usual_move(view, moves, pick), pick)))


def _usual_move(view: SeatView, moves: Sequence[Move], pick: Pick) -> Move | None:
    """The greedy move, if the game has a heuristic and the seat has a choice."""
    heuristic = view.variant.heuristic
    if heuristic is None or len(moves) == 1:
        return None
    picks = random_numbers(pick).pick
    return heuristic.choose(sample_world(view, picks), view.seat, moves, picks)


def _shortlist(view: SeatView, moves: Sequence[Move], pick: Pick) -> Sequence[Move]:
    """The candidates of a decision."""
    heuristic = view.variant.heuristic or PLAIN
    if heuristic.shortlist is None:
        return moves
    return heuristic.shortlist(sample_world(view, random_numbers(pick).pick), view.seat, moves)
