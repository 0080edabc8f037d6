"""Lantern's options, position and score lines."""

from lostcities.api.schemas.fields import Answer, Const, Shared, choice, integer, listed

from tests.fifth_game import rules


class LanternOptions(Shared):
    """The options of lantern."""

    shafts = integer("Turns of each seat.", 1, rules.MAX_SHAFTS)


class LanternPosition(Shared):
    """A position of lantern."""

    variant = Const(rules.VARIANT, "Tells the position's shape.", required=True)
    phase = choice("The kind of decision that is due.", [*rules.INFO.phases], required=True)
    active = integer("The seat whose turn it is.", 0, rules.SEATS[1] - 1, required=True)
    turns = integer("Turns so far.", 0, rules.SEATS[1] * rules.MAX_SHAFTS, required=True)
    depth = integer("Of the shaft; 0: none yet; null: another seat's to know.", 0, 6, required=True, allow_none=True)
    dug = listed(
        integer("Points.", -rules.MAX_POINTS, rules.MAX_POINTS), "Each seat's points.", *rules.SEATS, required=True
    )


class LanternLine(Answer):
    """A line of a score."""

    item = choice("What it is for.", ["dug"], required=True)
    points = integer("What it adds to the total.", -rules.MAX_POINTS, rules.MAX_POINTS, required=True)


OPTIONS, POSITION, LINE = LanternOptions, LanternPosition, LanternLine
PER_SEAT = "dug"
OPERANDS = {"times": "How often."}
INVARIANTS = {
    "active": "The active seat follows from the number of turns.",
    "depth": "A shaft has a depth only while it is dug.",
    "hidden-card": "The depth is named where the answer depends on it.",
    "phase": "The phase fits the number of turns.",
    "turns": "A game has as many turns as its option allows.",
}
