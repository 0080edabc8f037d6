"""Playouts of roll and write: from a state to its end, by the greedy policy, with sheets that change in place.

The rules are the truth; a test plays the same games by them.
"""

from typing import Final

from lostcities.bots.core import RandomNumbers
from lostcities.variants.bitsets import contains
from lostcities.variants.core import OVER
from lostcities.variants.roll_and_write.bot import Sheet
from lostcities.variants.roll_and_write.rules import (
    ACCELERATE,
    ACTIVE,
    ALL_COLUMNS,
    ARTEFACTS_COLUMN,
    BONUS,
    BOXES,
    BRIDGE,
    CHOOSE,
    COLOUR_DICE,
    COLOURS,
    DICE_COLUMN,
    DIGIT,
    DOUBLE,
    FINISHED,
    NUMBER_DICE,
    ROLL,
    TEN,
    Marks,
    PrintedSheet,
    State,
    opened_bridges,
)

NOTHING: Final = -1
"""The colour of a refusal, and of a stop."""
CIRCLE: Final = 0
"""The number of a circle. A die with a 0 marks it."""
LARGE: Final = 1e9
MAX_TURNS: Final = 150
"""Turns of a playout. A longer game is scored as it stands."""


def simulate(state: State, seed: int) -> tuple[list[int], int]:
    """The points of each seat after a playout, and the number of its events."""
    game = Playout(state, seed)
    if state.phase not in (ROLL, OVER):
        game.finish_turn(bytes(state.progress))
    if state.phase != OVER:
        for _ in range(MAX_TURNS):
            if game.is_over:
                break
            game.roll()
            game.finish_turn(bytes(len(game.players)))
    return [player.points() for player in game.players], game.events


def roll_dice(numbers: RandomNumbers) -> tuple[list[int], list[int]]:
    """The colours and the digits of the next roll, each ascending."""
    pick = numbers.fork()
    colours = [pick(len(COLOURS)) for _ in range(COLOUR_DICE)]
    digits = [pick(len(DIGIT)) for _ in range(NUMBER_DICE)]
    colours.sort()
    digits.sort()
    return colours, digits


class Playout:
    """A game that is played out."""

    def __init__(self, state: State, seed: int) -> None:
        self.numbers = RandomNumbers(seed)
        self.ten_may_start = state.options.ten_may_start
        self.players = [PlayedSeat(state.options.sheet, marks) for marks in state.marks]
        self.opened = opened_bridges(state.marks)
        self.active = state.active
        self.colours = [*state.colours]
        self.digits = [*state.numbers]
        self.is_active_turn = state.phase in (ROLL, ACTIVE)
        """Whether the dice of the active seat are still to leave the centre."""
        self.is_over = False
        self.events = 0

    def roll(self) -> None:
        """A turn begins."""
        self.colours, self.digits = roll_dice(self.numbers)
        self.is_active_turn = True
        self.events += 1

    def finish_turn(self, progress: bytes) -> None:
        """All seats finish their turn, from these stages. The active seat is the first one."""
        count = len(self.players)
        for distance in range(count):
            seat = (self.active + distance) % count
            stage = progress[seat]
            if stage == CHOOSE:
                stage = self.choose(self.players[seat])
            while stage == ACCELERATE:
                stage = self.accelerate(self.players[seat])
            self.is_active_turn = False
        self.end_turn()

    def choose(self, player: "PlayedSeat") -> int:
        """The seat makes its best mark, or refuses. Returns the stage that follows."""
        self.events += 1
        player.sheet.look(self.opened)
        colour, number = player.best_choice(self.colours, self.digits, self.ten_may_start)
        if colour == NOTHING:
            player.refuse()
            return FINISHED
        if self.is_active_turn:
            self.colours.remove(colour)
            self.digits.remove(number % TEN)
        return player.mark(colour, number)

    def accelerate(self, player: "PlayedSeat") -> int:
        """The seat accelerates its best expedition, or stops. Returns the stage that follows."""
        self.events += 1
        player.sheet.look(self.opened)
        colour = player.best_acceleration()
        if colour == NOTHING:
            return FINISHED
        return player.mark(colour, player.sheet.last[colour] or 1)

    def end_turn(self) -> None:
        """Bonuses are given; then the game ends, or the next seat is active."""
        new = 0
        for player in self.players:
            new |= player.passed & ~self.opened
        for player in self.players:
            player.bonuses |= player.passed & new
        self.opened |= new
        exhausted = [player.sheet.dice == BOXES for player in self.players]
        self.is_over = self.opened == ALL_COLUMNS or all(exhausted)
        self.active = (self.active + 1) % len(self.players)


class PlayedSeat:
    """A seat that is played out."""

    def __init__(self, printed: PrintedSheet, marks: Marks) -> None:
        self.scales = printed.scales
        self.sheet = Sheet(printed, marks)
        self.passed = marks.passed
        self.bonuses = marks.bonuses

    def best_choice(self, colours: list[int], digits: list[int], ten_may_start: bool) -> tuple[int, int]:  # noqa: FBT001
        """The colour of the best mark and its number or `CIRCLE`; the colour `NOTHING` to refuse."""
        sheet = self.sheet
        best, best_number, most = NOTHING, CIRCLE, -LARGE
        for colour in colours:
            if contains(sheet.ends, colour):
                continue
            boxes, last, value = sheet.boxes[colour], sheet.last[colour], sheet.value_of(colour)
            for digit in digits:
                if digit == 0 and boxes == 0 and not contains(sheet.circles, colour):
                    worth = sheet.circle(colour)
                    if worth > most:
                        best, best_number, most = colour, CIRCLE, worth
                number = digit or TEN
                if number < last or (boxes == 0 and number == TEN and not ten_may_start):
                    continue
                worth = sheet.number(colour, number, value)
                if worth > most:
                    best, best_number, most = colour, number, worth
        return (NOTHING, CIRCLE) if sheet.refusal() > most else (best, best_number)

    def best_acceleration(self) -> int:
        """The colour of the best acceleration, or `NOTHING` to stop."""
        best, most = NOTHING, -LARGE
        for colour in range(len(COLOURS)):
            if not contains(self.sheet.ends, colour):
                worth = self.sheet.acceleration(colour)
                if worth > most:
                    best, most = colour, worth
        return NOTHING if most < 0.0 else best

    def refuse(self) -> None:
        """Shade the next dice symbol, if one is left."""
        if self.sheet.dice < BOXES:
            self.sheet.dice += 1
            self._fill(DICE_COLUMN, self.sheet.dice)

    def mark(self, colour: int, number: int) -> int:
        """Mark a circle, a number, or the end artefact of nine numbers. Returns the stage that follows."""
        sheet = self.sheet
        if number == CIRCLE:
            sheet.circles |= 1 << colour
            return FINISHED
        if sheet.boxes[colour] == BOXES:
            sheet.ends |= 1 << colour
            self._shade_artefact()
            return FINISHED
        box = sheet.boxes[colour] + 1
        sheet.boxes[colour] = box
        sheet.last[colour] = number
        self._fill(colour, box)
        if box in sheet.artefact_boxes[colour]:
            self._shade_artefact()
        return ACCELERATE if box in sheet.arrow_boxes[colour] else FINISHED

    def _shade_artefact(self) -> None:
        if self.sheet.artefacts < BOXES:
            self.sheet.artefacts += 1
            self._fill(ARTEFACTS_COLUMN, self.sheet.artefacts)

    def _fill(self, column: int, box: int) -> None:
        """Another box of a column is filled."""
        if box == BRIDGE:
            self.passed |= 1 << column

    def points(self) -> int:
        """The score as it stands."""
        sheet, scales = self.sheet, self.scales
        points = scales.artefacts[sheet.artefacts] + scales.dice[sheet.dice] + self.bonuses.bit_count() * BONUS
        for colour, boxes in enumerate(sheet.boxes):
            if contains(sheet.circles, colour):
                points += scales.expedition[boxes] * DOUBLE
            elif boxes:
                points += scales.expedition[boxes]
        return points
