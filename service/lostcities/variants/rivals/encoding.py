"""Rivals as a vector: what a seat may know, for networks and tables."""

from functools import cache, lru_cache
from typing import Final

from lostcities.env.layout import Layout, counts, flags, one_hot, pack, points, seat_names, squash
from lostcities.variants.core import Seat
from lostcities.variants.rivals.rules import (
    CARDS,
    COLOUR,
    COLOUR_NAMES,
    COLOURS,
    COPIES,
    FULL_DECK,
    GOLD,
    INFO,
    KINDS,
    PILES,
    REMOVALS,
    Options,
    State,
    score,
    setup,
)

HALF_POINTS: Final = 20
MOST_CARDS: Final = len(FULL_DECK)
IN_PILES: Final = COPIES * len(COLOURS)
"""How many of each card are in the piles."""
ON_EXPEDITION: Final = tuple(copies + (1 if rank == 0 else 0) for _ in COLOURS for rank, copies in enumerate(COPIES))
"""How many of each card an expedition can have: with the wagers of the piles a starting wager."""


@cache
def layout(players: int) -> Layout:
    """The layout of the vectors: the table, then each seat, the own one first and the others clockwise from it."""
    return (
        flags("phase", "the kind of decision that is due", INFO.phases),
        counts("bid", "the highest bid of the auction", ["gold"], GOLD),
        counts("removals", "the cards that the winner of the auction may still remove", ["cards"], REMOVALS),
        counts("supply", "the gold in the supply", ["gold"], GOLD),
        counts("display", "the cards of the display", CARDS, IN_PILES),
        counts("unseen", "the cards in the piles", CARDS, IN_PILES),
        counts("piles", "the number of cards in the current pile and in the later ones", _PILE_NAMES, MOST_CARDS),
        *(segment for name in seat_names(players) for segment in _seat_layout(name)),
    )


_PILE_NAMES: Final = ("current", *(f"later {n}" for n in range(1, PILES)))


def _seat_layout(name: str) -> Layout:
    return (
        flags(
            f"{name} turn",
            "whether the seat is active, holds the highest bid, has not passed in the auction",
            ["active", "holder", "in auction"],
        ),
        counts(f"{name} gold", "the gold of the seat", ["gold"], GOLD),
        counts(f"{name} expeditions", "the cards of its expeditions", CARDS, ON_EXPEDITION),
        points(f"{name} points", "the points of each of its expeditions as it is", COLOUR_NAMES, HALF_POINTS),
        points(f"{name} total", "its points so far, with those of the gold", ["points"], HALF_POINTS),
    )


def encode(state: State, seat: Seat) -> bytes:
    """The vector of what the seat may know, which is the same for all seats but for their order.

    The order of the display and the cards that have left the game are left out: they do not matter to what follows.
    """
    players = len(state.gold)
    bid, holder, queue = state.auction
    parts = [
        _PHASES[state.phase],
        pack((bid / GOLD, state.removals / REMOVALS, state.supply / GOLD)),
        _counted(state.display),
        _counted(state.unseen),
        _piles(state.piles),
    ]
    for each in (*range(seat, players), *range(seat)):
        gold = state.gold[each]
        expeditions = state.expeditions[each * len(COLOURS) : (each + 1) * len(COLOURS)]
        is_bidding = bid > 0 and (each == holder or each in queue)
        parts.append(pack((state.active == each, holder == each, is_bidding, gold / GOLD)))
        parts += [_expedition(expedition) for expedition in expeditions]
        scored = [_points(expedition) for expedition in expeditions]
        parts.append(pack([squash(number, HALF_POINTS) for number in (*scored, sum(scored) + gold)]))
    return b"".join(parts)


# Parts of the vector -----------------------------------------------------------------------------------------------

_PHASES: Final = one_hot(INFO.phases)
_NO_CARDS: Final = pack([0] * KINDS)


@lru_cache(maxsize=4096)
def _counted(cards: bytes) -> bytes:
    """How many of each card these are."""
    return pack([cards.count(card) / IN_PILES[card] for card in range(len(CARDS))])


@lru_cache(maxsize=4096)
def _piles(sizes: tuple[int, ...]) -> bytes:
    return pack([size / MOST_CARDS for size in sizes] + [0] * (PILES - len(sizes)))


@lru_cache(maxsize=4096)
def _expedition(cards: bytes) -> bytes:
    """How many of each card of its colour an expedition has."""
    if not cards:
        return _NO_CARDS
    first = COLOUR[cards[0]] * KINDS
    return pack([cards.count(card) / ON_EXPEDITION[card] for card in range(first, first + KINDS)])


@lru_cache(maxsize=4096)
def _points(expedition: bytes) -> int:
    """The points of an expedition, which are the same in every colour."""
    first = setup(1, Options())
    (sheet,) = score(first._replace(expeditions=(expedition, *first.expeditions[1:])))
    return sheet[0].points
