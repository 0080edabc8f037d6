"""greedy for the treasure hunt.

Each colour has a value for its seat: its footprints and a share of those that it can still get, times its wagers, and
a part of each bonus tile that it brings nearer. A tile is worth what it adds to these values. The tiles below it, which
the colour can no longer take, are its price. The bot takes the tile that is worth most, or none if all of them cost
more than they bring.

It throws the dice again that promise the best tile on average, by looking at everything that they can show. It claims
every bonus tile at once.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, permutations
from typing import Final

from lostcities.bots.core import Heuristic, never
from lostcities.variants.bitsets import elements
from lostcities.variants.core import Move, Pick, Seat
from lostcities.variants.treasure_hunt.rules import (
    ALL_COLOURS,
    ALL_NUMBERS,
    BONUS_NAMES,
    BONUS_POINTS,
    COLOUR_NAMES,
    COLOURS,
    DICE,
    FACES,
    KEEP,
    KEEP_OR_REROLL,
    NUMBERS,
    REROLLS,
    ROLLS_OF_THREE,
    SKIP,
    SORTED,
    SUMS,
    TAKE,
    TAKES,
    TILES_OF_COLOUR,
    WAGER_FACE,
    WAGER_NUMBERS,
    Dice,
    Footprints,
    State,
    Tiles,
    tile_set,
)

LATER: Final = 0.28
"""The share that a footprint counts if the colour can still get it."""
NEARER: Final = 0.7
"""The share of its points that a bonus tile counts if one tile is missing; its square if two are, and so on."""
NEVER: Final = -1e6
"""The worth of a tile that cannot be taken."""
NO_TILE: Final = -1
TILES_FOR_BONUS: Final = 6
"""A bonus tile for which so many tiles are missing counts nothing."""

_FOUR: Final = tuple(1 << BONUS_NAMES.index(f"four-{name}") for name in COLOUR_NAMES)
_SIX: Final = 1 << BONUS_NAMES.index("six-of-a-colour")
_RUN: Final = 1 << BONUS_NAMES.index("run-of-four")
_EVERY: Final = 1 << BONUS_NAMES.index("every-colour")
_ANY_FOUR: Final = sum(_FOUR)
_GOALS: Final = tuple(four | _SIX | _RUN for four in _FOUR)
"""The bonus tiles that tiles of each colour bring nearer."""
_THREE: Final = {number: 1 << BONUS_NAMES.index(f"three-{number}s") for number in (3, 5, 7)}
_OF_NUMBER: Final = {number: tile_set(ALL_COLOURS, [number]) for number in NUMBERS}
_RUNS: Final = tuple(0b1111 << lowest for lowest in range(len(NUMBERS) - 3))


def choose(state: State, seat: Seat, moves: Sequence[Move], pick: Pick) -> Move:  # noqa: ARG001
    """The best throw, the best tile, or the first bonus tile."""
    layout = state.layout
    hunt = Hunt(state.options.footprints, layout.tiles[seat], layout.wagers[seat])
    if state.phase == TAKE:
        hunt.look(layout.centre, layout.unclaimed)
        tile = hunt.best_tile(state.dice)
        return SKIP if tile == NO_TILE else TAKES[tile]
    if state.phase == KEEP_OR_REROLL:
        hunt.look(layout.centre, layout.unclaimed)
        thrown = hunt.best_throw(state.dice)
        return REROLLS[thrown] if thrown else KEEP
    return moves[0]


class Hunt:
    """What a seat can take, and what it is worth."""

    def __init__(self, footprints: Footprints, tiles: Tiles, wagers: Tiles) -> None:
        """:param tiles: those of the seat; `wagers`: the ones that lie wager side up"""
        self.footprints = footprints
        self.tiles = tiles
        self.wagers = wagers
        self.plain: list[Row] = []
        self.wager: list[Row] = []

    def look(self, centre: Tiles, unclaimed: int) -> None:
        """Begin a turn with these tiles and bonus tiles in the centre: value all tiles."""
        self.plain, self.wager = [], []
        across = [_step(3 - self._count(number)) if unclaimed & bonus else 0.0 for number, bonus in _THREE.items()]
        missing = self._empty_colours() if unclaimed & _EVERY else 0
        for colour in range(len(COLOURS)):
            shift = colour * len(NUMBERS)
            own = (self.tiles >> shift) & ALL_NUMBERS
            highest = own.bit_length()
            left = (((centre >> shift) & ALL_NUMBERS) >> highest) << highest
            wagers = (self.wagers >> shift) & ALL_NUMBERS
            step = 0.0 if own else _step(missing)
            plain, wager = _rows(self.footprints, own, wagers, left, unclaimed & _GOALS[colour])
            self.plain.append(_with_bonuses(plain, step, across))
            self.wager.append(_with_bonuses(wager, step, across))

    def _count(self, number: int) -> int:
        """The tiles of that number."""
        return (self.tiles & _OF_NUMBER[number]).bit_count()

    def _empty_colours(self) -> int:
        return sum([not self.tiles & tiles for tiles in TILES_OF_COLOUR])

    def best_tile(self, dice: Dice) -> int:
        """The best tile to take with these dice, or `NO_TILE`."""
        rows = self.wager if WAGER_FACE in dice else self.plain
        best, most = NO_TILE, 0.0
        for colour, row in enumerate(rows):
            for number in SUMS[dice]:
                if row[number] > most or (best == NO_TILE and row[number] == 0.0):
                    best, most = colour * len(NUMBERS) + number - 1, row[number]
        return best

    def best_throw(self, dice: Dice) -> Dice:
        """The dice to throw again, so that the best tile is worth most on average; none if all are kept."""
        plain, wager = _best_by_number(self.plain), _best_by_number(self.wager)
        by_roll = []
        for sums, has_wager in _ROLLS:
            worths = wager if has_wager else plain
            best = 0.0
            for number in sums:
                if worths[number] > best:  # noqa: PLR1730 (`max` takes twice as long)
                    best = worths[number]
            by_roll.append(best)
        chosen: Dice = ()
        most = -1.0
        for thrown, outcomes in _THROWS[dice]:
            average = 0.0
            for roll, share in outcomes:
                average += by_roll[roll] * share
            if average > most:
                chosen, most = thrown, average
        return chosen


Row = list[float]
"""What the tiles of a colour are worth, by number. A tile that cannot be taken has `NEVER`, or a little more."""


def _best_by_number(rows: list[Row]) -> Row:
    """What the best tile of each number is worth."""
    return [max(0.0, *worths) for worths in zip(*rows, strict=True)]


def _with_bonuses(row: tuple[float, ...], step: float, across: list[float]) -> Row:
    """The row with the bonus tiles for several colours: `step` for each tile, `across` for 3, 5 and 7."""
    worths = [worth + step for worth in row]
    for index, number in enumerate(_THREE):
        worths[number] += across[index]
    return worths


@lru_cache(maxsize=1 << 13)
def _rows(
    footprints: Footprints, own: int, wagers: int, left: int, goals: int
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """What each tile adds to the value of its colour, without and with a wager among the dice.

    :param left: the numbers that the colour can still get; `goals`: the bonus tiles that it brings nearer
    """
    now = _value(footprints, own, wagers, left, goals)
    plain = [NEVER] * (len(NUMBERS) + 1)
    wager = [NEVER] * (len(NUMBERS) + 1)
    for index in elements(left):
        bit = 1 << index
        above = (left >> (index + 1)) << (index + 1)
        number = index + 1
        plain[number] = wager[number] = _value(footprints, own | bit, wagers, above, goals) - now
        if number in WAGER_NUMBERS:
            wager[number] = _value(footprints, own | bit, wagers | bit, above, goals) - now
    return tuple(plain), tuple(wager)


def _value(footprints: Footprints, own: int, wagers: int, left: int, goals: int) -> float:
    """The value of a colour."""
    value = _expedition(footprints, own, wagers, left)
    missing_four, missing_six, missing_run = _missing(own, left)
    if goals & _ANY_FOUR:
        value += _PROGRESS[missing_four]
    if goals & _SIX:
        value += _PROGRESS[missing_six]
    if goals & _RUN:
        value += _PROGRESS[missing_run]
    return value


def _expedition(footprints: Footprints, own: int, wagers: int, left: int) -> float:
    """The points of a colour, with a share of the footprints that are left for it."""
    points = 0.0
    for index in range(len(NUMBERS)):
        if (wagers >> index) & 1:
            points += footprints.wager_faces[WAGER_NUMBERS.index(index + 1)]
        elif (own >> index) & 1:
            points += footprints.plain_faces[index]
        elif (left >> index) & 1:
            points += LATER * footprints.plain_faces[index]
    return points * (1 + wagers.bit_count())


@lru_cache(maxsize=1 << 14)
def _missing(own: int, left: int) -> tuple[int, int, int]:
    """How many tiles are missing for four and for six of a colour, and for a run of four."""
    count, most = own.bit_count(), (own | left).bit_count()
    run = min([4 - (own & run).bit_count() for run in _RUNS if run & (own | left) == run], default=TILES_FOR_BONUS)
    return (
        max(0, 4 - count) if most >= 4 else TILES_FOR_BONUS,
        max(0, 6 - count) if most >= 6 else TILES_FOR_BONUS,
        run,
    )


_PROGRESS: Final = (*(BONUS_POINTS * NEARER**missing for missing in range(TILES_FOR_BONUS)), 0.0)
"""What a bonus tile counts, by the number of tiles that are missing."""


def _step(missing: int) -> float:
    """What one tile adds to a bonus tile for which so many are missing."""
    return _PROGRESS[missing - 1] - _PROGRESS[missing] if 1 <= missing <= TILES_FOR_BONUS else 0.0


_ROLLS: Final = tuple((SUMS[dice], WAGER_FACE in dice) for dice in ROLLS_OF_THREE)
"""For each roll the numbers that can be taken, and whether a die shows a wager."""


def _outcomes(kept: Dice) -> tuple[tuple[int, float], ...]:
    """All rolls that can follow when the other dice are thrown, by their index, and how often each does."""
    thrown = DICE - len(kept)
    return tuple(
        (ROLLS_OF_THREE.index(SORTED[kept + faces]), len({*permutations(faces)}) / len(FACES) ** thrown)
        for faces in combinations_with_replacement(range(len(FACES)), thrown)
    )


def _throws(dice: Dice) -> tuple[tuple[Dice, tuple[tuple[int, float], ...]], ...]:
    """The choices of dice to throw again, and what can follow. The first choice throws none."""
    kept_by_thrown: dict[Dice, Dice] = {}
    for size in range(DICE + 1):
        for chosen in combinations(range(DICE), size):
            thrown = tuple([dice[die] for die in chosen])
            kept_by_thrown[thrown] = tuple([dice[die] for die in range(DICE) if die not in chosen])
    return tuple([(thrown, _outcomes(kept)) for thrown, kept in kept_by_thrown.items()])


_THROWS: Final = {dice: _throws(dice) for dice in ROLLS_OF_THREE}


HEURISTIC: Final = Heuristic(choose, 300, 20_000, never)
