"""greedy for roll and write.

Each column of the sheet has a value: the points of its scale for the boxes that will probably be filled in the end. For
an expedition these are more, the lower its last number is. A bridge that no seat has passed yet counts as far as the
column will probably reach it.

The bot makes the mark that adds most to these values, artefacts and arrows included. So it writes low numbers first,
rather fills a few expeditions than to begin all, and refuses the dice when every mark would cost more than a refusal.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from lostcities.bots.core import Heuristic, never
from lostcities.variants.bitsets import contains
from lostcities.variants.core import Move, Pick, Seat
from lostcities.variants.roll_and_write.rules import (
    ARTEFACTS_COLUMN,
    BONUS,
    BOXES,
    BRIDGE,
    DOUBLE,
    REFUSE,
    STOP,
    TEN,
    State,
    opened_bridges,
)

ROOM: Final = 0.5
"""The boxes that an expedition will still fill, for each number above its last one."""
MORE_ARTEFACTS: Final = 4.5
"""The artefacts that a seat will still shade, at the beginning."""
REFUSAL: Final = -9.0
"""The points that a refusal is worth. Its dice symbol would be shaded later anyway."""
TURNS: Final = 40.0
"""The marks of a seat in a whole game."""
PACE: Final = 0.2
"""The boxes that an expedition can fill in each turn that is left."""
ARROW: Final = 12.0
"""The points that an arrow box is worth."""


def choose(state: State, seat: Seat, moves: Sequence[Move], pick: Pick) -> Move:  # noqa: ARG001
    """The mark with the highest worth."""
    sheet = Sheet(state, seat)
    worths = [sheet.worth(move) for move in moves]
    return moves[worths.index(max(worths))]


class Sheet:
    """The sheet of a seat, and what a mark on it is worth."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.printed = state.options.sheet
        self.marks = state.marks[seat]
        self.opened = opened_bridges(state.marks)
        marked = sum(map(len, self.marks.expeditions)) + self.marks.circles.bit_count() + self.marks.dice
        self.turns_left = max(0.0, TURNS - marked)

    def worth(self, move: Move) -> float:
        """What a move adds to the values of the columns."""
        if move is STOP:
            return 0.0
        if move is REFUSE:
            return self._refusal()
        colour = move.args[0]
        numbers = self.marks.expeditions[colour]
        if move.type == "circle":
            return self._value(colour, 0, 0, circle=True) - self._value(colour, 0, 0, circle=False)
        if len(numbers) == BOXES:
            return self._artefact()
        last = numbers[-1] if numbers else 0
        number = (last or 1) if move.type == "accelerate" else move.args[1]
        return self._number(colour, len(numbers), last, number)

    def _number(self, colour: int, boxes: int, last: int, number: int) -> float:
        """What a number adds, with the symbol of its box."""
        circle = contains(self.marks.circles, colour)
        worth = self._value(colour, boxes + 1, number, circle=circle) - self._value(colour, boxes, last, circle=circle)
        if boxes + 1 in self.printed.artefacts[colour]:
            worth += self._artefact()
        elif boxes + 1 in self.printed.arrows[colour]:
            worth += ARROW
        return worth

    def _value(self, colour: int, boxes: int, last: int, *, circle: bool) -> float:
        """The points that an expedition will probably score."""
        reached = min(float(BOXES), boxes + min(ROOM * (TEN - last), PACE * self.turns_left))
        points = _on_scale(self.printed.scales.expedition, reached)
        if boxes == 0 and not circle:
            points = max(0.0, points)
        return (points * DOUBLE if circle else points) + self._bridge(colour, boxes, reached)

    def _bridge(self, column: int, boxes: int, reached: float) -> float:
        """What the bridge of a column counts."""
        if contains(self.opened, column) or boxes > BRIDGE:
            return 0.0
        share = min(1.0, (boxes + reached) / 2 / BRIDGE)
        return BONUS * share * share

    def _artefact(self) -> float:
        """What one more artefact adds."""
        shaded = self.marks.artefacts
        if shaded == BOXES:
            return 0.0
        return self._artefacts(shaded + 1) - self._artefacts(shaded)

    def _refusal(self) -> float:
        """The last dice symbol takes the points of all others."""
        shaded, scale = self.marks.dice, self.printed.scales.dice
        if shaded == BOXES - 1:
            return float(scale[BOXES] - scale[BOXES - 1])
        return REFUSAL if shaded < BOXES else 0.0

    def _artefacts(self, boxes: int) -> float:
        """The points that the artefacts will probably score if so many are shaded now."""
        reached = boxes + MORE_ARTEFACTS * (BOXES - 1 - boxes) / BOXES if boxes < BOXES else float(BOXES)
        return _on_scale(self.printed.scales.artefacts, reached) + self._bridge(ARTEFACTS_COLUMN, boxes, reached)


@lru_cache(maxsize=1 << 12)
def _on_scale(scale: tuple[int, ...], boxes: float) -> float:
    """The points of a scale, also between two boxes."""
    below = int(boxes)
    if below >= BOXES:
        return float(scale[BOXES])
    return scale[below] + (boxes - below) * (scale[below + 1] - scale[below])


HEURISTIC: Final = Heuristic(choose, 300, 30_000, never)
