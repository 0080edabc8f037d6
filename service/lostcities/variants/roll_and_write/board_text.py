"""A game of roll-and-write as text: the dice, and the sheet of each seat."""

from collections.abc import Iterator, Sequence

from lostcities.boards.text import JsonObject, columns, row
from lostcities.variants.roll_and_write.rules import BOXES, BRIDGE, BRIDGES, COLOUR_NAMES, COLOURS, TURN_STAGES

_LEGEND = (
    f"A sheet: boxes 1 to {BOXES} of each expedition from left to right, _ for an empty one, > for a printed arrow, "
    f"* for a printed artefact, | for the bridge before box {BRIDGE}."
)


def describe(game: JsonObject, names: Sequence[str]) -> Iterator[str]:
    """The position as lines of text."""
    position, sheet = game["position"], game["options"]["sheet"]
    centre = position["centre"]
    yield f"Dice in the centre: colours {row(centre['colours'])}, numbers {row(centre['numbers'])}"
    yield f"Active seat: {names[position['active']]}"
    yield _LEGEND
    for name, seat in zip(names, position["seats"], strict=True):
        yield ""
        yield f"Sheet of {name}, which {TURN_STAGES[seat['turn']]}:"
        yield from columns(("", "circle", "boxes", "end", "bridge"), *_columns_of(seat, sheet))
    standings = {seat["bridges"][column] for seat in position["seats"] for column in seat["bridges"]}
    yield ""
    yield "Bridges: " + "; ".join(f"{name}: {text}" for name, text in BRIDGES.items() if name in standings) + "."


def _columns_of(seat: JsonObject, sheet: JsonObject) -> Iterator[tuple[str, ...]]:
    """The columns of a sheet, each as a line."""
    for letter, name in zip(COLOURS, COLOUR_NAMES, strict=True):
        expedition = seat["expeditions"][letter]
        boxes = _boxes(expedition["numbers"], sheet["arrows"][letter], sheet["artefacts"][letter])
        circle, end = _mark(expedition["circle"]), _mark(expedition["end_artefact"])
        yield f"{letter} {name}", circle, boxes, end, seat["bridges"][letter]
    for column in ("artefacts", "dice"):
        yield column, "", f"{seat[column]} of {BOXES} shaded", "", seat["bridges"][column]


def _boxes(numbers: Sequence[int], arrows: Sequence[int], artefacts: Sequence[int]) -> str:
    """The boxes of an expedition.

    >>> _boxes([3, 5, 5], [2], [6])
    '3 5> 5 _ _ _* | _ _ _'
    """
    boxes = []
    for box in range(1, BOXES + 1):
        symbol = ">" if box in arrows else "*" if box in artefacts else ""
        boxes.append((str(numbers[box - 1]) if box <= len(numbers) else "_") + symbol)
    return " ".join((*boxes[: BRIDGE - 1], "|", *boxes[BRIDGE - 1 :]))


def _mark(marked: bool) -> str:  # noqa: FBT001
    return "marked" if marked else "open"
