"""greedy for the treasure hunt.

Each colour has a value for its seat: its footprints and a share of those that it can still get, times its wagers, and
a part of each bonus tile that it brings nearer. A tile is worth what it adds to these values. The tiles below it, which
the colour can no longer take, are its price. The bot takes the tile that is worth most, or none if all of them cost
more than they bring.

It throws the dice again that promise the best tile on average, by looking at everything that they can show. It claims
every bonus tile at once.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations, product
from typing import Final

from lostcities.bots.core import Heuristic, never
from lostcities.variants.bitsets import bitset
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
NOT_WORTH_IT: Final = -1.0
"""The worth of a prize without a tile, or whose tiles all cost more than they bring."""
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
_PRIZES: Final = (*NUMBERS, *WAGER_NUMBERS)
"""What dice can be good for, by the number of the tile: each number plain, then three numbers wager side up."""
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
        self.worths: list[float] = []
        """By prize: what its best tile is worth, or `NOT_WORTH_IT`."""
        self.colours: list[int] = []
        """By prize: the colour of that tile."""

    def look(self, centre: Tiles, unclaimed: int) -> None:
        """Begin a turn with these tiles and bonus tiles in the centre: find the best tile of each prize."""
        self.worths, self.colours = [NOT_WORTH_IT] * len(_PRIZES), [0] * len(_PRIZES)
        across = [0.0] * len(_PRIZES)
        for number, bonus in _THREE.items():
            if unclaimed & bonus:
                across[number - 1] = _step(3 - (self.tiles & _OF_NUMBER[number]).bit_count())
        missing = self._empty_colours() if unclaimed & _EVERY else 0
        for colour in range(len(COLOURS)):
            shift = colour * len(NUMBERS)
            own = (self.tiles >> shift) & ALL_NUMBERS
            highest = own.bit_length()
            left = (((centre >> shift) & ALL_NUMBERS) >> highest) << highest
            wagers = (self.wagers >> shift) & ALL_NUMBERS
            step = 0.0 if own else _step(missing)
            for prize, gain in _gains(self.footprints, own, wagers, left, unclaimed & _GOALS[colour]):
                worth = gain + step + across[prize]
                if worth >= 0.0 and worth > self.worths[prize]:
                    self.worths[prize] = worth
                    self.colours[prize] = colour

    def _empty_colours(self) -> int:
        return sum([not self.tiles & tiles for tiles in TILES_OF_COLOUR])

    def best_tile(self, dice: Dice) -> int:
        """The best tile to take with these dice, or `NO_TILE`."""
        best, most = NO_TILE, NOT_WORTH_IT
        for prize in _PRIZES_OF[dice]:
            if self.worths[prize] > most:
                best, most = self.colours[prize] * len(NUMBERS) + _PRIZES[prize] - 1, self.worths[prize]
        return best

    def best_throw(self, dice: Dice) -> Dice:
        """The dice to throw again, so that the best tile is worth most on average; none if all are kept."""
        prizes = [(worth, prize) for prize, worth in enumerate(self.worths) if worth > 0.0]
        prizes.sort(reverse=True)
        chosen: Dice = ()
        most = -1.0
        for thrown, count, rolls_for in _THROWS[dice]:
            average = 0.0
            left = (1 << count) - 1
            for worth, prize in prizes:
                rolls = rolls_for[prize] & left
                if rolls:
                    average += worth * rolls.bit_count() / count
                    left ^= rolls
            if average > most:
                chosen, most = thrown, average
        return chosen


@lru_cache(maxsize=1 << 13)
def _gains(footprints: Footprints, own: int, wagers: int, left: int, goals: int) -> tuple[tuple[int, float], ...]:
    """The prizes that a colour still has, and what the tile of each adds to its value.

    :param left: the numbers that the colour can still get; `goals`: the bonus tiles that it brings nearer
    """
    now = _value(footprints, own, wagers, left, goals)
    gains = []
    for prize, number in enumerate(_PRIZES):
        bit = 1 << (number - 1)
        if left & bit:
            above = left & -(bit << 1)
            laid = wagers | bit if prize >= len(NUMBERS) else wagers
            gains.append((prize, _value(footprints, own | bit, laid, above, goals) - now))
    return tuple(gains)


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


def _prizes(roll: Dice) -> tuple[int, ...]:
    """The prizes that a roll allows. With a wager among the dice, a tile that has one is taken wager side up."""
    has_wager = WAGER_FACE in roll
    return tuple(
        prize
        for prize, number in enumerate(_PRIZES)
        if number in SUMS[roll] and (number not in WAGER_NUMBERS or has_wager == (prize >= len(NUMBERS)))
    )


_PRIZES_OF: Final = {dice: _prizes(dice) for dice in ROLLS_OF_THREE}


@cache
def _rolls_for(kept: Dice) -> tuple[int, tuple[int, ...]]:
    """How many rolls can follow when the other dice are thrown; for each prize, as bits, those that allow it."""
    rolls = [SORTED[kept + faces] for faces in product(range(len(FACES)), repeat=DICE - len(kept))]
    return len(rolls), tuple(
        bitset([index for index, roll in enumerate(rolls) if prize in _PRIZES_OF[roll]])
        for prize in range(len(_PRIZES))
    )


def _throws(dice: Dice) -> tuple[tuple[Dice, int, tuple[int, ...]], ...]:
    """The choices of dice to throw again, and what can follow. The first choice throws none."""
    kept_by_thrown: dict[Dice, Dice] = {}
    for size in range(DICE + 1):
        for chosen in combinations(range(DICE), size):
            thrown = tuple([dice[die] for die in chosen])
            kept_by_thrown[thrown] = tuple([dice[die] for die in range(DICE) if die not in chosen])
    return tuple([(thrown, *_rolls_for(kept)) for thrown, kept in kept_by_thrown.items()])


_THROWS: Final = {dice: _throws(dice) for dice in ROLLS_OF_THREE}


HEURISTIC: Final = Heuristic(choose, 300, 20_000, never)
