"""greedy for rivals.

Each expedition has a value for its seat: its footprints and a share of those that are still in the piles and fit, times
its wagers, and the bonus as far as its numbers go towards it. A card is worth what it adds to that value; the display
is worth the sum of all cards that the seat would take.

The bot opens an auction when the display is worth enough to it, and bids one more gold each time up to a limit: what
the display is worth to itself and to the seat that would get it otherwise, halved, because one seat's loss is the
other's gain. After an auction it takes its cards from the lowest up and removes the card that is worth most to
another seat.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from lostcities.bots.core import Heuristic, never
from lostcities.variants.core import Move, Pick, Seat
from lostcities.variants.rivals.rules import (
    AUCTION,
    BONUS,
    BONUS_NUMBERS,
    DONE,
    FOOTPRINTS,
    KINDS,
    PASS,
    TAKE,
    UNCOVER,
    State,
    expedition_index,
    may_be_added,
)

LATER: Final = 0.3
"""The share that a footprint counts if it is still in the piles and fits."""
OPENING: Final = 6.0
"""The bot opens an auction when the display is worth at least this."""
THRIFT: Final = 0.6
"""The highest bid, as a share of the worth: gold scores in the end, and later auctions need it."""

BID_STEPS: Final = (0, 1, 2, 4, 8, 16, 32)
"""The bids that an expert tries, counted from the lowest one."""


def choose(state: State, seat: Seat, moves: Sequence[Move], pick: Pick) -> Move:  # noqa: ARG001
    """A bid, an answer to a bid, or a card."""
    if state.phase == TAKE:
        return _take_or_remove(state, seat, moves)
    if not state.display:
        return moves[0]
    seats = range(len(state.gold))
    worths = [display_worth(state, each) for each in seats]
    rival = max(worths[each] for each in seats if each != seat)
    limit = THRIFT * (worths[seat] + rival) / 2
    # Bids are listed from the lowest up: first in an auction, after `uncover` at its opening.
    if state.phase == AUCTION:
        return moves[0] if state.auction.bid + 1 <= limit else PASS
    return moves[1] if worths[seat] >= max(rival, OPENING) and limit >= 1 else UNCOVER


def shortlist(state: State, seat: Seat, moves: Sequence[Move]) -> Sequence[Move]:
    """A few bids, from the lowest up with growing steps. A card that is worth taking is taken without a search."""
    if state.phase == TAKE:
        usual = _take_or_remove(state, seat, moves)
        return [usual] if usual.type == "take" else moves
    bids = [move for move in moves if move.type == "bid"]
    return [*(move for move in moves if move.type != "bid"), *(bids[step] for step in BID_STEPS if step < len(bids))]


def display_worth(state: State, seat: Seat) -> float:
    """What a seat gains if it takes its cards of the display for nothing."""
    worth = 0.0
    expeditions = [*state.expeditions]
    for card in sorted(state.display):
        index = expedition_index(seat, card)
        gain = card_worth(card, expeditions[index], state.unseen)
        if gain > 0:
            worth += gain
            expeditions[index] += bytes((card,))
    return worth


def card_worth(card: int, expedition: bytes, unseen: bytes) -> float:
    """What a card adds to the value of an expedition; 0 if it does not fit."""
    if not may_be_added(card, expedition):
        return 0.0
    left = _left(unseen, card // KINDS)
    return _value(expedition + bytes((card,)), left) - _value(expedition, left)


def _take_or_remove(state: State, seat: Seat, moves: Sequence[Move]) -> Move:
    """The lowest card that is worth taking; then the removal that hurts another seat most; then the end."""
    takes = [move for move in moves if move.type == "take" and _worth_to(state, seat, move) > 0]
    if takes:
        return min(takes, key=lambda move: move.args[0])
    others = [other for other in range(len(state.gold)) if other != seat]
    best, most = DONE, 0.0
    for move in moves:
        if move.type == "remove":
            loss = max([_worth_to(state, other, move) for other in others])
            if loss > most:
                best, most = move, loss
    return best


def _worth_to(state: State, seat: Seat, move: Move) -> float:
    """What the card of a move is worth to a seat."""
    card = move.args[0]
    return card_worth(card, state.expeditions[expedition_index(seat, card)], state.unseen)


@lru_cache(maxsize=1 << 12)
def _left(unseen: bytes, colour: int) -> bytes:
    """The ranks of a colour that are still in the piles."""
    return bytes(card % KINDS for card in unseen if card // KINDS == colour)


@lru_cache(maxsize=1 << 16)
def _value(expedition: bytes, left: bytes) -> float:
    """The points that an expedition will probably score."""
    ranks = [card % KINDS for card in expedition]
    wagers = ranks.count(0)
    numbers = len(ranks) - wagers
    last = ranks[-1] if ranks else 0
    fitting = [rank for rank in left if rank >= last and rank]
    footprints = sum(FOOTPRINTS[rank] for rank in ranks) + LATER * sum(FOOTPRINTS[rank] for rank in fitting)
    complete = min(1.0, (numbers + LATER * len(fitting)) / BONUS_NUMBERS)
    return footprints * (1 + wagers) + BONUS * complete * complete


HEURISTIC: Final = Heuristic(choose, 200, 30_000, never, shortlist)
