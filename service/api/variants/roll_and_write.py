"""Roll-and-write's options, position and score lines."""

from service.api.fields import AnyField, Const, Strict, choice, flag, integer, listed, nested, shape
from service.rules import roll_and_write as rules

_SEATS = rules.SEATS


def _boxes(colour: str) -> AnyField:
    return listed(integer("A box.", 1, rules.BOXES), f"Boxes of the {colour} column.", 0, rules.BOXES)


RollAndWriteBoxes = shape(
    "RollAndWriteBoxes",
    "Boxes that carry a symbol, by column; a column that is left out has none.",
    **{letter: _boxes(colour) for letter, colour in zip(rules.COLOURS, rules.COLOUR_NAMES, strict=True)},
)


def _scale(description: str) -> AnyField:
    points = integer("Points.", -rules.MAX_SCALE, rules.MAX_SCALE)
    return listed(points, description, rules.BOXES + 1, rules.BOXES + 1)


class RollAndWriteScales(Strict):
    """The points by boxes filled, none to nine; a scale that is left out is the default."""

    expedition = _scale("An expedition; the first number is for a circle alone.")
    artefacts = _scale("The column of artefacts.")
    dice = _scale("The column of dice symbols.")


class RollAndWriteSheet(Strict):
    """What is printed on every seat's sheet; a part that is left out is the default."""

    arrows = nested(RollAndWriteBoxes, "Boxes with an arrow: an acceleration.")
    artefacts = nested(RollAndWriteBoxes, "Boxes with an artefact.")
    scales = nested(RollAndWriteScales, "The score boxes.")


class RollAndWriteOptions(Strict):
    """What a game of roll-and-write can be created with."""

    order = choice("How the other seats choose.", [rules.SIMULTANEOUS, rules.CLOCKWISE])
    sheet = nested(RollAndWriteSheet, "A printed sheet of your own.")
    ten_may_start = flag("Whether a 0 may start an expedition as a 10.")


class RollAndWriteExpedition(Strict):
    """A seat's expedition of one colour."""

    circle = flag("Whether its double-point circle is marked.", required=True)
    numbers = listed(
        integer("A number.", 1, rules.TEN), "Its numbers from the bottom up.", 0, rules.BOXES, required=True
    )
    end_artefact = flag("Whether the artefact at its end is marked.", required=True)


RollAndWriteExpeditions = shape(
    "RollAndWriteExpeditions",
    "A seat's expeditions by colour.",
    **{
        letter: nested(RollAndWriteExpedition, f"The {colour} expedition.", required=True)
        for letter, colour in zip(rules.COLOURS, rules.COLOUR_NAMES, strict=True)
    },
)

RollAndWriteBridges = shape(
    "RollAndWriteBridges",
    "How a seat stands to each bridge: " + "; ".join(f"`{name}`: {text}" for name, text in rules.BRIDGES.items()) + ".",
    **{column: choice(f"The bridge of {column}.", [*rules.BRIDGES], required=True) for column in rules.COLUMNS},
)


class RollAndWriteMarks(Strict):
    """What a seat has marked on its sheet."""

    expeditions = nested(RollAndWriteExpeditions, "By colour.", required=True)
    artefacts = integer("Artefacts shaded.", 0, rules.BOXES, required=True)
    dice = integer("Dice symbols shaded.", 0, rules.BOXES, required=True)
    bridges = nested(RollAndWriteBridges, "By column.", required=True)
    turn = choice("How far the seat is in this turn.", [*rules.PROGRESS], required=True)


class RollAndWriteCentre(Strict):
    """The dice in the centre."""

    colours = listed(
        choice("A colour.", [*rules.COLOURS]), "Colour dice, in order.", 0, rules.COLOUR_DICE, required=True
    )
    numbers = listed(integer("A digit.", 0, 9), "Number dice, ascending.", 0, rules.NUMBER_DICE, required=True)


class RollAndWritePosition(Strict):
    """A moment of a game of roll-and-write: all of it is public."""

    variant = Const(rules.VARIANT, "Tells the position's shape.", required=True)
    phase = choice("The kind of decision that is due.", [*rules.ABOUT.phases], required=True)
    active = integer("The seat whose turn it is.", 0, _SEATS[1] - 1, required=True)
    centre = nested(RollAndWriteCentre, "The dice in the centre.", required=True)
    seats = listed(nested(RollAndWriteMarks, "A seat's."), "Each seat's sheet.", *_SEATS, required=True)


class RollAndWriteLine(Strict):
    """A line of a score: a column, or the bridges."""

    item = choice("A column, or `bridges`.", [*rules.COLOUR_NAMES, "artefacts", "dice", "bridges"], required=True)
    points = integer("What it adds to the total.", -2 * rules.MAX_SCALE, 2 * rules.MAX_SCALE, required=True)
    boxes = integer("Boxes filled.", 0, rules.BOXES)
    circle = integer("1 if the circle is marked: the points are doubled.", 0, 1)
    bridges = integer("Bridges whose bonus was got.", 0, len(rules.COLUMNS))


OPTIONS, POSITION, LINE = RollAndWriteOptions, RollAndWritePosition, RollAndWriteLine
PER_SEAT = "seats"
OPERANDS = {"colour": "The expedition's colour.", "number": "The number; a 0 of the dice is a 10."}
INVARIANTS = (
    "active-seat",
    "artefact-count",
    "ascending",
    "bonus-not-passed",
    "box",
    "box-count",
    "box-twice",
    "bridge-due",
    "bridge-standing",
    "clockwise",
    "column",
    "dice-count",
    "end-artefact",
    "game-end",
    "no-arrow",
    "one-symbol",
    "scale-bounds",
    "scale-length",
    "seats",
    "turn",
    "turn-over",
    "turn-unmarked",
    "zero-first",
)
