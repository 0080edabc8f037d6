"""Treasure Hunt as a vector: what a seat may know, for networks and tables."""

from functools import cache, lru_cache
from typing import Final

from lostcities.env.layout import Layout, counts, flags, one_hot, pack, points, seat_names, squash
from lostcities.variants.bitsets import contains
from lostcities.variants.core import Seat, total
from lostcities.variants.treasure_hunt.rules import (
    BONUS_NAMES,
    COLOUR_NAMES,
    COLOURS,
    DICE,
    FACES,
    INFO,
    MAX_FOOTPRINTS,
    NUMBERS,
    SUMS,
    TILES,
    WAGER_NUMBERS,
    WAGER_TILES,
    Options,
    State,
    score,
    setup,
)

HALF_POINTS: Final = 20
HALF_TURNS: Final = 50
WITH_WAGER: Final = tuple(tile for tile in range(len(TILES)) if contains(WAGER_TILES, tile))
"""The tiles with a wager on one face."""


@cache
def layout(players: int) -> Layout:
    """The layout of the vectors: the table, then each seat, the own one first and the others clockwise from it."""
    return (
        flags("phase", "the kind of decision that is due", INFO.phases),
        counts("plain footprints", "the footprints on the plain face, by number", map(str, NUMBERS), MAX_FOOTPRINTS),
        counts("wager footprints", "the footprints on the wager face", map(str, WAGER_NUMBERS), MAX_FOOTPRINTS),
        points("turn limit", "the option `max_turns`; 0: none", ["turns"], HALF_TURNS),
        points("turns", "the finished turns of all seats", ["turns"], HALF_TURNS),
        counts("dice", "the faces of the dice on the table", FACES, DICE),
        flags("sums", "the numbers that are a sum of the dice", map(str, NUMBERS)),
        flags("centre", "the tiles in the centre", TILES),
        flags("unclaimed", "the bonus tiles in the centre", BONUS_NAMES),
        *(segment for name in seat_names(players) for segment in _seat_layout(name)),
    )


def _seat_layout(name: str) -> Layout:
    return (
        flags(f"{name} turn", "whether the seat is active", ["active"]),
        flags(f"{name} tiles", "the tiles of the seat", TILES),
        flags(f"{name} wagers", "those of them that lie wager side up", [TILES[tile] for tile in WITH_WAGER]),
        flags(f"{name} bonuses", "its bonus tiles", BONUS_NAMES),
        points(f"{name} points", "the points of each of its expeditions as it is", COLOUR_NAMES, HALF_POINTS),
        points(f"{name} total", "all of its points so far", ["points"], HALF_POINTS),
    )


def encode(state: State, seat: Seat) -> bytes:
    """The vector of what the seat may know, which is the same for all seats but for their order."""
    layout = state.layout
    players = len(layout.tiles)
    parts = [
        _PHASES[state.phase],
        _options(state.options),
        pack((squash(state.turns, HALF_TURNS),)),
        _dice(state.dice),
        _tiles(layout.centre),
        _bonuses(layout.unclaimed),
    ]
    for each in (*range(seat, players), *range(seat)):
        parts.append(_FLAG[state.active == each])
        parts.append(_seat(state.options, layout.tiles[each], layout.wagers[each], layout.bonuses[each]))
    return b"".join(parts)


# Parts of the vector -----------------------------------------------------------------------------------------------

_FLAG: Final = (pack([0]), pack([1]))
_PHASES: Final = one_hot(INFO.phases)


@cache
def _options(options: Options) -> bytes:
    footprints = options.footprints
    return pack(
        (
            *(number / MAX_FOOTPRINTS for number in (*footprints.plain_faces, *footprints.wager_faces)),
            squash(options.max_turns or 0, HALF_TURNS),
        )
    )


@cache
def _dice(dice: tuple[int, ...]) -> bytes:
    sums = SUMS.get(dice, ())
    return pack([dice.count(face) / DICE for face in range(len(FACES))] + [number in sums for number in NUMBERS])


@lru_cache(maxsize=4096)
def _tiles(tiles: int) -> bytes:
    return pack([contains(tiles, tile) for tile in range(len(TILES))])


@cache
def _bonuses(bonuses: int) -> bytes:
    return pack([contains(bonuses, bonus) for bonus in range(len(BONUS_NAMES))])


@lru_cache(maxsize=4096)
def _seat(options: Options, tiles: int, wagers: int, bonuses: int) -> bytes:
    """The tiles and bonus tiles of a seat, and its points for them."""
    first = setup(1, options)
    layout = first.layout._replace(tiles=(tiles,), wagers=(wagers,), bonuses=(bonuses,))
    (sheet,) = score(first._replace(layout=layout))
    numbers = [*(line.points for line in sheet[: len(COLOURS)]), total(sheet)]
    return b"".join(
        (
            _tiles(tiles),
            pack([contains(wagers, tile) for tile in WITH_WAGER]),
            _bonuses(bonuses),
            pack([squash(number, HALF_POINTS) for number in numbers]),
        )
    )
