"""The schemas of a variant's components and scales, made from their values."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from lostcities.api.fields import LONGEST, MOST, AnyField, flag, integer, listed, nested, text
from lostcities.api.schemas import Answer, shape


class _Text(NamedTuple):
    """The description of a member, and of each of its own members or items. There `{key}` is the key."""

    member: str
    each: str = "One value of this list."


_TEXTS: Final[Mapping[str, _Text]] = {
    "arrows": _Text(
        "The boxes with an arrow, by the letter of the column.", "The boxes with an arrow in column {key}."
    ),
    "artefacts": _Text(
        "The boxes with an artefact by column, or the points by the number of shaded artefacts.",
        "The boxes with an artefact in column {key}.",
    ),
    "bonus": _Text("How many points a bonus adds, after the multiplication."),
    "bonus_from_cards": _Text("The fewest cards with which an expedition gets the bonus."),
    "bonus_from_numbers": _Text("The fewest number cards with which an expedition gets the bonus."),
    "bonuses": _Text("The bonus tiles by name, each with its condition.", "The condition of the bonus tile `{key}`."),
    "boxes_per_column": _Text("How many boxes each column of the sheet has."),
    "bridge": _Text("How many points each bridge bonus is worth."),
    "bridge_before_box": _Text("The number of the box below which each column has its bridge."),
    "bridge_standings": _Text(
        "How a seat can stand to a bridge, by name.", "What it means that a bridge is `{key}` for a seat."
    ),
    "cards": _Text(
        "How many cards the game has, where it matters by the option `expeditions`.",
        "How many cards a game with {key} expeditions has.",
    ),
    "circle": _Text("By how much a marked circle multiplies the points of an expedition."),
    "colour_dice": _Text("How many dice that show colours are rolled."),
    "colours": _Text(
        "The colours by the letter that stands for them in notation.", "The name of the colour with the letter {key}."
    ),
    "columns": _Text("The columns of the sheet from left to right.", "A colour's letter, or the name of a column."),
    "copies_per_colour": _Text(
        "How many cards each colour has, by what is printed on them.",
        "How many cards with {key} each colour has. `w` is a wager.",
    ),
    "dice": _Text("How many dice are rolled, or the points by the number of shaded dice symbols."),
    "digits": _Text("The digits on the faces of a number die.", "The digit on one face of a number die."),
    "ending_bonuses": _Text(
        "The bonus tiles whose claiming ends the game, by the number of seats.",
        "The bonus tiles that end a game with {key} seats.",
    ),
    "expedition": _Text("The points of an expedition by the number of its filled boxes."),
    "expedition_cost": _Text("How many points an expedition costs before it is multiplied."),
    "faces": _Text("What the faces of a die show. `w` is a wager.", "What one face of a die shows."),
    "footprint": _Text("How many points each footprint is worth."),
    "footprints": _Text(
        "How many footprints are printed on cards or tiles, by what else is printed on them.",
        "How many footprints are printed with {key}. `w` is a wager.",
    ),
    "gold": _Text("How many coins the game has, or how many points each coin is worth."),
    "gold_per_seat": _Text(
        "How many coins a seat begins with, by the number of seats.",
        "How many coins a seat begins with at {key} seats.",
    ),
    "hand": _Text("How many cards each seat holds at the start of a turn."),
    "multiplier": _Text("What the points of an expedition are multiplied by."),
    "number_dice": _Text("How many dice that show numbers are rolled."),
    "numbers": _Text("The numbers that are printed on cards or tiles.", "A number that is printed on a card or tile."),
    "piles": _Text("How many piles the cards are divided into."),
    "plain": _Text("The footprints on the plain faces of the numbers 1 to 10.", "The footprints on one plain face."),
    "removals_per_auction": _Text("How many cards the winner of an auction may remove."),
    "scales": _Text("The points of each kind of column by the number of filled boxes."),
    "sheet": _Text("What is printed on every sheet, unless the option `sheet` changes it."),
    "starting_wagers_per_colour": _Text("How many starting wagers each colour has."),
    "starting_wagers_per_seat": _Text("How many starting wagers each seat is dealt."),
    "tiles": _Text("How many tiles the game has."),
    "turn_stages": _Text(
        "How far a seat can have come in a turn, by name.", "What a seat has done whose turn is at `{key}`."
    ),
    "wager": _Text("The footprints on the wager faces, by number.", "The footprints on the wager face of a {key}."),
    "wager_numbers": _Text("The numbers whose tiles have a wager face.", "A number whose tiles have a wager face."),
    "wagers_per_colour": _Text("How many wagers each colour has."),
}
"""The words of the games that this package has. A variant of another package may use others."""


def like(value: Any, description: str, each: str = _Text("").each, **kwargs: Any) -> AnyField:
    """A field for values of the same type as `value`, such as a constant of the rules."""
    if isinstance(value, bool):
        return flag(description, **kwargs)
    if isinstance(value, int):
        return integer(description, -MOST, MOST, **kwargs)
    if isinstance(value, str):
        return text(description, most=LONGEST, **kwargs)
    if isinstance(value, Mapping):
        members = {key: like(below, *_texts(key, each), required=True) for key, below in value.items()}
        return nested(shape("", description, Answer, **members), description, **kwargs)
    return listed(like(value[0], each), description, 0, MOST, **kwargs)


def _texts(key: str, each: str) -> tuple[str, str]:
    """The description of a member, and of each value in it.

    >>> _texts("hand", "")[0], _texts("3", "How many cards with {key} there are.")[0]
    ('How many cards each seat holds at the start of a turn.', 'How many cards with 3 there are.')
    >>> _texts("lamps", "")[0]
    'The value of `lamps` in the rules of this variant.'
    """
    if key in _TEXTS:
        return _TEXTS[key]
    own = each.format(key=key) if "{key}" in each else f"The value of `{key}` in the rules of this variant."
    return own, _Text("").each
