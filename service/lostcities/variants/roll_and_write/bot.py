"""greedy for roll and write.

Each column of the sheet has a value: the points of its scale for the boxes that will probably be filled in the end. For
an expedition these are more, the lower its last number is. A bridge that no seat has passed yet counts as far as the
column will probably reach it.

The bot makes the mark that adds most to these values, artefacts and arrows included. So it writes low numbers first,
rather fills a few expeditions than to begin all, and refuses the dice when every mark would cost more than a refusal.
"""

from collections.abc import Sequence
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
    Marks,
    PrintedSheet,
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
    sheet = Sheet(state.options.sheet, state.marks[seat])
    sheet.look(opened_bridges(state.marks))
    worths = [_worth(sheet, move) for move in moves]
    return moves[worths.index(max(worths))]


def _worth(sheet: "Sheet", move: Move) -> float:
    """What a move adds to the values of the columns."""
    if move is STOP:
        return 0.0
    if move is REFUSE:
        return sheet.refusal()
    colour = move.args[0]
    if move.type == "circle":
        return sheet.circle(colour)
    if move.type == "accelerate":
        return sheet.acceleration(colour)
    return sheet.number(colour, move.args[1], sheet.value_of(colour))


class Sheet:
    """The sheet of a seat, and what a mark on it is worth. The marks may change between decisions."""

    def __init__(self, printed: PrintedSheet, marks: Marks) -> None:
        self.artefact_boxes = printed.artefacts
        self.arrow_boxes = printed.arrows
        self.expedition_scale = [float(points) for points in printed.scales.expedition]
        self.artefacts_scale = [float(points) for points in printed.scales.artefacts]
        self.dice_scale = [float(points) for points in printed.scales.dice]
        self.boxes = [len(numbers) for numbers in marks.expeditions]
        self.last = [numbers[-1] if numbers else 0 for numbers in marks.expeditions]
        self.circles = marks.circles
        self.ends = marks.ends
        self.artefacts = marks.artefacts
        self.dice = marks.dice
        self.opened = 0
        self.turns_left = 0.0

    def look(self, opened: int) -> None:
        """Begin a decision. These bridges were passed by any seat before this turn."""
        self.opened = opened
        self.turns_left = max(0.0, TURNS - (sum(self.boxes) + self.circles.bit_count() + self.dice))

    def circle(self, colour: int) -> float:
        """What the circle of an expedition without a number adds."""
        return self._value(colour, 0, 0, circle=True) - self._value(colour, 0, 0, circle=False)

    def acceleration(self, colour: int) -> float:
        """What the repeated number of an expedition adds, a 1 before the first number, or the end artefact."""
        return self.number(colour, self.last[colour] or 1, self.value_of(colour))

    def value_of(self, colour: int) -> float:
        """The value of an expedition as it is."""
        return self._value(colour, self.boxes[colour], self.last[colour], circle=contains(self.circles, colour))

    def number(self, colour: int, number: int, value: float) -> float:
        """What a number adds to the value, with the symbol of its box, or the end artefact after nine numbers."""
        boxes = self.boxes[colour]
        if boxes == BOXES:
            return self._artefact()
        worth = self._value(colour, boxes + 1, number, circle=contains(self.circles, colour)) - value
        if boxes + 1 in self.artefact_boxes[colour]:
            worth += self._artefact()
        elif boxes + 1 in self.arrow_boxes[colour]:
            worth += ARROW
        return worth

    def refusal(self) -> float:
        """The last dice symbol takes the points of all others."""
        if self.dice == BOXES - 1:
            return self.dice_scale[BOXES] - self.dice_scale[BOXES - 1]
        return REFUSAL if self.dice < BOXES else 0.0

    def _value(self, colour: int, boxes: int, last: int, *, circle: bool) -> float:
        """The points that an expedition will probably score."""
        reached = min(float(BOXES), boxes + min(ROOM * (TEN - last), PACE * self.turns_left))
        points = _on_scale(self.expedition_scale, reached)
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
        if self.artefacts == BOXES:
            return 0.0
        return self._artefacts(self.artefacts + 1) - self._artefacts(self.artefacts)

    def _artefacts(self, boxes: int) -> float:
        """The points that the artefacts will probably score if so many are shaded now."""
        reached = boxes + MORE_ARTEFACTS * (BOXES - 1 - boxes) / BOXES if boxes < BOXES else float(BOXES)
        return _on_scale(self.artefacts_scale, reached) + self._bridge(ARTEFACTS_COLUMN, boxes, reached)


def _on_scale(scale: list[float], boxes: float) -> float:
    """The points of a scale, also between two boxes."""
    below = int(boxes)
    if below >= BOXES:
        return scale[BOXES]
    return scale[below] + (boxes - below) * (scale[below + 1] - scale[below])


HEURISTIC: Final = Heuristic(choose, 300, 30_000, never)
