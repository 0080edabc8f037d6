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
from itertools import combinations_with_replacement, permutations
from typing import Final

from lostcities.bots.core import Heuristic, never
from lostcities.variants.core import Move, Pick, Seat
from lostcities.variants.treasure_hunt.rules import (
    ALL_NUMBERS,
    BONUS_NAMES,
    BONUS_POINTS,
    COLOUR_NAMES,
    COLOURS,
    DICE,
    FACES,
    KEEP_OR_REROLL,
    NUMBERS,
    ROLLS_OF_THREE,
    SORTED,
    SUMS,
    TAKE,
    TILES,
    TILES_OF_COLOUR,
    WAGER_FACE,
    WAGER_NUMBERS,
    Dice,
    Footprints,
    State,
    higher_tiles,
)

LATER: Final = 0.28
"""The share that a footprint counts if the colour can still get it."""
NEARER: Final = 0.7
"""The share of its points that a bonus tile counts if one tile is missing; its square if two are, and so on."""
TILES_FOR_BONUS: Final = 6
"""A bonus tile for which so many tiles are missing counts nothing."""

_FOUR: Final = tuple(1 << BONUS_NAMES.index(f"four-{name}") for name in COLOUR_NAMES)
_SIX: Final = 1 << BONUS_NAMES.index("six-of-a-colour")
_RUN: Final = 1 << BONUS_NAMES.index("run-of-four")
_EVERY: Final = 1 << BONUS_NAMES.index("every-colour")
_THREE: Final = {number: 1 << BONUS_NAMES.index(f"three-{number}s") for number in (3, 5, 7)}
_RUNS: Final = tuple(0b1111 << lowest for lowest in range(len(NUMBERS) - 3))


def choose(state: State, seat: Seat, moves: Sequence[Move], pick: Pick) -> Move:  # noqa: ARG001
    """The best throw, the best tile, or the first bonus tile."""
    if state.phase == TAKE:
        hunt = Hunt(state, seat)
        worths = [hunt.worth(move.args[0], WAGER_FACE in state.dice) if move.args else 0.0 for move in moves]
    elif state.phase == KEEP_OR_REROLL:
        worths = Hunt(state, seat).throws(state.dice, moves)
    else:
        return moves[0]
    return moves[worths.index(max(worths))]


class Hunt:
    """What a seat can take, and what it is worth."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.footprints = state.options.footprints
        self.centre = state.layout.centre
        self.tiles = state.layout.tiles[seat]
        self.wagers = state.layout.wagers[seat]
        self.unclaimed = state.layout.unclaimed
        self.values = [self._value(colour, 0, 0) for colour in range(len(COLOURS))]

    def _value(self, colour: int, tile: int, wager: int) -> float:
        """The value of a colour with one more tile of it, a bit of its numbers, or 0 for none."""
        shift = colour * len(NUMBERS)
        own = ((self.tiles >> shift) & ALL_NUMBERS) | tile
        wagers = ((self.wagers >> shift) & ALL_NUMBERS) | wager
        highest = own.bit_length()
        left = (((self.centre >> shift) & ALL_NUMBERS) >> highest) << highest
        unclaimed = self.unclaimed
        value = _expedition(self.footprints, own, wagers, left)
        missing_four, missing_six, missing_run = _missing(own, left)
        if unclaimed & _FOUR[colour]:
            value += _PROGRESS[missing_four]
        if unclaimed & _SIX:
            value += _PROGRESS[missing_six]
        if unclaimed & _RUN:
            value += _PROGRESS[missing_run]
        return value

    def worth(self, tile: int, wager: bool) -> float:  # noqa: FBT001
        """What a tile adds, taken with or without a wager among the dice."""
        colour, index = divmod(tile, len(NUMBERS))
        bit = 1 << index
        face = bit if wager and index + 1 in WAGER_NUMBERS else 0
        return self._value(colour, bit, face) - self.values[colour] + self._across_colours(colour, index + 1)

    def _across_colours(self, colour: int, number: int) -> float:
        """What a tile adds to the bonus tiles for several colours."""
        value = 0.0
        if number in _THREE and self.unclaimed & _THREE[number]:
            value += _step(3 - self._count(number))
        if self.unclaimed & _EVERY and not (self.tiles >> (colour * len(NUMBERS))) & ALL_NUMBERS:
            value += _step(self._empty_colours())
        return value

    def _count(self, number: int) -> int:
        """The tiles of that number."""
        return sum([(self.tiles >> tile) & 1 for tile in range(number - 1, len(TILES), len(NUMBERS))])

    def _empty_colours(self) -> int:
        return sum([not self.tiles & tiles for tiles in TILES_OF_COLOUR])

    def throws(self, dice: Dice, moves: Sequence[Move]) -> list[float]:
        """What the best tile is worth on average, for each way to keep or throw the dice again."""
        plain = self._best_by_number(NUMBERS, wager=False)
        wager = [*plain]
        for number, worth in enumerate(self._best_by_number(WAGER_NUMBERS, wager=True)):
            if number in WAGER_NUMBERS:
                wager[number] = worth
        by_roll = []
        for sums, has_wager in _ROLLS:
            worths = wager if has_wager else plain
            best = 0.0
            for number in sums:
                best = max(best, worths[number])
            by_roll.append(best)
        return [self._average(by_roll, _without(dice, move.args)) for move in moves]

    def _average(self, by_roll: list[float], kept: Dice) -> float:
        average = 0.0
        for roll, share in _OUTCOMES[kept]:
            average += by_roll[roll] * share
        return average

    def _best_by_number(self, numbers: Sequence[int], *, wager: bool) -> list[float]:
        """What the best tile of each of these numbers is worth that the seat could take."""
        best = [0.0] * (len(NUMBERS) + 1)
        free = self.centre & higher_tiles(self.tiles)
        for number in numbers:
            for tile in range(number - 1, len(TILES), len(NUMBERS)):
                if (free >> tile) & 1:
                    best[number] = max(best[number], self.worth(tile, wager))
        return best


@lru_cache(maxsize=1 << 16)
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


@lru_cache(maxsize=1 << 16)
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


def _without(dice: Dice, thrown: Dice) -> Dice:
    kept = [*dice]
    for face in thrown:
        kept.remove(face)
    return tuple(kept)


_ROLLS: Final = tuple((SUMS[dice], WAGER_FACE in dice) for dice in ROLLS_OF_THREE)
"""For each roll the numbers that can be taken, and whether a die shows a wager."""


def _outcomes(kept: Dice) -> tuple[tuple[int, float], ...]:
    """All rolls that can follow when the other dice are thrown, by their index, and how often each does."""
    thrown = DICE - len(kept)
    return tuple(
        (ROLLS_OF_THREE.index(SORTED[kept + faces]), len({*permutations(faces)}) / len(FACES) ** thrown)
        for faces in combinations_with_replacement(range(len(FACES)), thrown)
    )


_OUTCOMES: Final = {
    kept: _outcomes(kept) for dice in range(DICE + 1) for kept in combinations_with_replacement(range(len(FACES)), dice)
}
"""By the dice that are kept."""


HEURISTIC: Final = Heuristic(choose, 300, 20_000, never)
