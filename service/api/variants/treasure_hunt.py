"""Treasure-hunt's options, position and score lines."""

from marshmallow import Schema

from service.api.fields import AnyField, Const, Strict, choice, integer, listed, nested, shape
from service.rules import treasure_hunt as rules

_SEATS = rules.SEATS


def _footprints(description: str, **kwargs: bool) -> AnyField:
    return integer(description, 0, rules.MAX_FOOTPRINTS, **kwargs)


TreasureHuntWagerFootprints = shape(
    "TreasureHuntWagerFootprints",
    "Footprints on the wager faces.",
    **{str(number): _footprints(f"Of a {number}.", required=True) for number in rules.WAGER_NUMBERS},
)


class TreasureHuntFootprints(Strict):
    """Footprints on the tiles."""

    plain = listed(_footprints("Of that number."), "Plain faces of 1 to 10.", 10, 10, required=True)
    wager = nested(TreasureHuntWagerFootprints, "Wager faces; left out: as on the plain ones.")


class TreasureHuntOptions(Strict):
    """What a treasure hunt can be created with."""

    footprints = nested(TreasureHuntFootprints, "Replaces the footprints on the tiles.")
    max_turns = integer(
        "Ends the game after so many turns, all seats' together; null: never.", 1, rules.MAX_TURNS, allow_none=True
    )


def _rows(name: str, doc: str, *, faces: bool) -> type[Schema]:
    """An object with a row of tiles for each colour, with or without their faces."""
    rows = {}
    for letter, colour in zip(rules.COLOURS, rules.COLOUR_NAMES, strict=True):
        tiles = [f"{letter}{number}" for number in rules.NUMBERS]
        tiles += [f"{letter}{number}w" for number in rules.WAGER_NUMBERS if faces]
        rows[letter] = listed(choice("A tile.", tiles), f"The {colour} tiles, ascending.", 0, 10, required=True)
    return shape(name, doc, **rows)


TreasureHuntTiles = _rows("TreasureHuntTiles", "Tiles in the centre by colour.", faces=False)
TreasureHuntExpeditions = _rows(
    "TreasureHuntExpeditions", "A seat's tiles by colour; one that lies wager side up ends in `w`.", faces=True
)


def _bonuses(description: str) -> AnyField:
    names = [*rules.BONUS_NAMES]
    return listed(choice("A bonus tile.", names), description, 0, len(names), required=True)


class TreasureHuntCentre(Strict):
    """What lies in the centre."""

    tiles = nested(TreasureHuntTiles, "Tiles by colour.", required=True)
    bonuses = _bonuses("Bonus tiles.")


TreasureHuntMissing = shape(
    "TreasureHuntMissing",
    "Tiles still needed for each condition that is not fulfilled; null: out of reach.",
    **{bonus.name: integer(f"For {bonus.condition}.", 1, 10, allow_none=True) for bonus in rules.BONUSES},
)


class TreasureHuntConditions(Strict):
    """How a seat stands with the bonus tiles."""

    fulfilled = _bonuses("Conditions that it fulfils now.")
    missing = nested(TreasureHuntMissing, "How far it is from the others.", required=True)


class TreasureHuntPosition(Strict):
    """A moment of a treasure hunt: all of it is public."""

    variant = Const(rules.VARIANT, "Tells the position's shape.", required=True)
    phase = choice("The kind of decision that is due.", [*rules.ABOUT.phases], required=True)
    active = integer("The seat whose turn it is.", 0, 3, required=True)
    turns = integer("Turns finished, all seats' together.", 0, 1_000_000, required=True)
    dice = listed(choice("A face.", [*rules.FACES]), "The dice that lie, in order.", 0, rules.DICE, required=True)
    numbers = listed(integer("A tile's number.", 1, 10), "The numbers that the dice allow; ignored in a request.", 0, 7)
    centre = nested(TreasureHuntCentre, "What lies in the centre.", required=True)
    expeditions = listed(nested(TreasureHuntExpeditions, "A seat's."), "Each seat's tiles.", *_SEATS, required=True)
    bonuses = listed(_bonuses("A seat's."), "Each seat's bonus tiles.", *_SEATS, required=True)
    conditions = listed(
        nested(TreasureHuntConditions, "A seat's."), "How each seat stands; ignored in a request.", 0, _SEATS[1]
    )


class TreasureHuntLine(Strict):
    """A line of a score: an expedition, or a bonus tile."""

    item = choice("A colour, or a bonus tile.", [*rules.COLOUR_NAMES, *rules.BONUS_NAMES], required=True)
    points = integer("What it adds to the total.", 0, 1000, required=True)
    footprints = integer("Footprints on the expedition's tiles.", 0, 90)
    wagers = integer("Tiles that lie wager side up.", 0, 3)


OPTIONS, POSITION, LINE = TreasureHuntOptions, TreasureHuntPosition, TreasureHuntLine
PER_SEAT = "expeditions"
OPERANDS = {
    "dice": "The faces of the dice that are thrown again, in any order.",
    "tile": "The tile.",
    "bonus": "The bonus tile.",
}
INVARIANTS = (
    "active",
    "ascending",
    "bonus-unearned",
    "colour",
    "dice-count",
    "ended-before",
    "footprints",
    "game-end",
    "lies-nowhere",
    "lies-twice",
    "max-turns",
    "nothing-to-claim",
    "seats",
    "tile-count",
    "wager-face",
)
