"""Roll & Write as a vector: what a seat may know, for networks and tables."""

from functools import cache, lru_cache
from typing import Final

from lostcities.env.layout import Layout, counts, flags, one_hot, pack, points, seat_names, squash
from lostcities.variants.bitsets import contains
from lostcities.variants.core import Seat
from lostcities.variants.roll_and_write.rules import (
    BOXES,
    CLOCKWISE,
    COLOUR_DICE,
    COLOURS,
    COLUMN_ITEMS,
    COLUMNS,
    DIGIT,
    INFO,
    NUMBER_DICE,
    PROGRESS,
    TEN,
    Marks,
    Options,
    Scales,
    State,
    score,
    setup,
)

HALF_POINTS: Final = 50
BOX_NAMES: Final = tuple(f"{letter}{box}" for letter in COLOURS for box in range(1, BOXES + 1))
"""`R3` is the third box of the red column."""
_BOXES: Final = range(1, BOXES + 1)
ITEMS: Final = (*COLUMN_ITEMS, "bridges")
"""The lines of a score."""


@cache
def layout(players: int) -> Layout:
    """The layout of the vectors: the table, then each seat, the own one first and the others clockwise from it."""
    scale = range(BOXES + 1)
    return (
        flags("phase", "the kind of decision that is due", INFO.phases),
        flags("options", "options that are chosen", [CLOCKWISE, "ten-may-start"]),
        flags("arrows", "the boxes that are printed with an arrow", BOX_NAMES),
        flags("artefact boxes", "the boxes that are printed with an artefact", BOX_NAMES),
        *(
            points(f"scale of {name}", "the points by the number of boxes filled", map(str, scale), HALF_POINTS)
            for name in Scales._fields
        ),
        counts("colour dice", "the colour dice in the centre", COLOURS, COLOUR_DICE),
        counts("number dice", "the number dice in the centre", DIGIT, NUMBER_DICE),
        *(segment for name in seat_names(players) for segment in _seat_layout(name)),
    )


def _seat_layout(name: str) -> Layout:
    return (
        flags(f"{name} turn", "whether the seat is active", ["active"]),
        flags(f"{name} stage", "how far the seat is in this turn", PROGRESS),
        counts(f"{name} numbers", "the number in each box", BOX_NAMES, TEN),
        flags(f"{name} circles", "the marked circles", COLOURS),
        flags(f"{name} ends", "the marked end artefacts", COLOURS),
        counts(f"{name} symbols", "the shaded artefacts and dice symbols", ["artefacts", "dice"], BOXES),
        flags(f"{name} bridges", "the columns whose bridge the seat has passed", COLUMNS),
        flags(f"{name} bonuses", "the columns whose bonus it has got", COLUMNS),
        points(f"{name} points", "its points so far, by column and for the bridges", ITEMS, HALF_POINTS),
        points(f"{name} total", "all of its points", ["points"], HALF_POINTS),
    )


def encode(state: State, seat: Seat) -> bytes:
    """The vector of what the seat may know, which is the same for all seats but for their order."""
    options, players = state.options, len(state.marks)
    parts = [_PHASES[state.phase], _options(options), _dice(state.colours, state.numbers)]
    for each in (*range(seat, players), *range(seat)):
        parts.append(_TURN[state.active == each][state.progress[each]])
        parts.append(_marks(options, state.marks[each]))
    return b"".join(parts)


# Parts of the vector -----------------------------------------------------------------------------------------------

_PHASES: Final = one_hot(INFO.phases)
_TURN: Final = tuple(
    tuple(pack([is_active]) + stage for stage in one_hot(PROGRESS).values()) for is_active in (False, True)
)
"""Table `[is active][stage]`."""


@cache
def _options(options: Options) -> bytes:
    sheet = options.sheet
    return pack(
        (
            options.order == CLOCKWISE,
            options.ten_may_start,
            *(box in boxes for printed in (sheet.arrows, sheet.artefacts) for boxes in printed for box in _BOXES),
            *(squash(number, HALF_POINTS) for scale in sheet.scales for number in scale),
        )
    )


@cache
def _dice(colours: bytes, numbers: bytes) -> bytes:
    return pack(
        [colours.count(colour) / COLOUR_DICE for colour in range(len(COLOURS))]
        + [numbers.count(digit) / NUMBER_DICE for digit in DIGIT.values()]
    )


@lru_cache(maxsize=4096)
def _marks(options: Options, marks: Marks) -> bytes:
    """What is marked on a sheet, and the points for it."""
    (sheet,) = score(setup(1, options)._replace(marks=(marks,)))
    numbers = [line.points for line in sheet]
    return pack(
        [
            *(number / TEN for numbers in marks.expeditions for number in (*numbers, *[0] * (BOXES - len(numbers)))),
            *(contains(marks.circles, colour) for colour in range(len(COLOURS))),
            *(contains(marks.ends, colour) for colour in range(len(COLOURS))),
            marks.artefacts / BOXES,
            marks.dice / BOXES,
            *(contains(marks.passed, column) for column in range(len(COLUMNS))),
            *(contains(marks.bonuses, column) for column in range(len(COLUMNS))),
            *(squash(number, HALF_POINTS) for number in (*numbers, sum(numbers))),
        ]
    )
