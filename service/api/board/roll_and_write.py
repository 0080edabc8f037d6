"""The table of roll-and-write: the dice in the centre, and everybody's sheet, each column from the bottom up."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from service.api.board.kit import (
    COLOURS,
    FAINT,
    GAP,
    GOLD,
    INK,
    INNER,
    LINE,
    MARGIN,
    MUTED,
    NAMED,
    PANEL,
    Box,
    Drawn,
    Plain,
    circle,
    columns,
    die,
    heading,
    label,
    moved,
    panel,
    path,
    points,
    rect,
    seat_panel,
    symbol,
)
from service.rules import roll_and_write as rules

_NAMES: Final = dict(zip(rules.COLOURS, rules.COLOUR_NAMES, strict=True))

_DICE: Final = 84
_GUTTER: Final = 38
"""The width of an expedition's scale, left of the columns."""
_COLUMN: Final = 41
_CELL: Final = (36, 21)
_STEP: Final = _CELL[1] + 2
_BRIDGE: Final = 15
"""The height of the bridges, between two rows of boxes."""
_HEADS: Final = 44
_TOP_BOX: Final = _HEADS + 34
_CIRCLES: Final = _TOP_BOX + rules.BOXES * _STEP + _BRIDGE + 11
_POINTS: Final = _CIRCLES + 32
_SHEET: Final = NAMED + _POINTS + 10

# Shapes, relative to their middle.
_AMPHORA: Final = "m-3-7h6v2l-1 1c4 2 3 7 0 9.5v1.5h-4v-1.5c-3-2.5-4-7.5 0-9.5l-1-1z"
_ARROW: Final = "m-4.5 0l4.5-4.5l4.5 4.5m-9 5l4.5-4.5l4.5 4.5"
_OUTLINE: Final = "m-14-10.5h28a4 4 0 0 1 4 4v13a4 4 0 0 1-4 4h-28a4 4 0 0 1-4-4v-13a4 4 0 0 1 4-4z"

_PROGRESS: Final = dict(zip(rules.PROGRESS, ("to choose", "to accelerate or stop", "has chosen"), strict=True))


def draw(game: Plain, score: Plain) -> Drawn:
    """The dice, and the sheets in two columns."""
    boxes = columns(len(game["players"]), _DICE + GAP, _SHEET)
    return Drawn(int(boxes[-1].y + _SHEET), _parts(game, score, boxes))


def _parts(game: Plain, score: Plain, boxes: list[Box]) -> Iterator[str]:
    position, printed = game["position"], game["options"]["sheet"]
    yield panel(Box(MARGIN, 0, INNER, _DICE))
    yield from _dice(position["centre"])
    yield from _legend()
    ground = _printed(printed)
    for seat, box in enumerate(boxes):
        yield seat_panel(game, score, seat, box)
        marks = position["seats"][seat]
        lines = {line["item"]: line["points"] for line in score["seats"][seat]["lines"]}
        yield moved(box.x, box.y + NAMED, ground, *_sheet(marks, printed, lines))
        yield heading(box.x + 12, box.y + NAMED + 12, _progress(game, seat))


def _progress(game: Plain, seat: int) -> str:
    """Whether it is the seat's turn, and how far it is in it."""
    position = game["position"]
    told = ["active"] if seat == position["active"] and game["to_act"] else []
    if seat in game["to_act"] or position["seats"][seat]["turn"] != "choose":
        told.append(_PROGRESS[position["seats"][seat]["turn"]])
    return ", ".join(told)


def _dice(centre: Plain) -> Iterator[str]:
    x = MARGIN + 14
    yield heading(x, 22, "dice in the centre")
    faces = [die(_NAMES[letter]) for letter in centre["colours"]] + [die(None, str(face)) for face in centre["numbers"]]
    for place in range(rules.COLOUR_DICE + rules.NUMBER_DICE):
        yield moved(x + place * 48, 32, faces[place] if place < len(faces) else die())


def _legend() -> Iterator[str]:
    """What the signs on the sheets mean."""
    x = MARGIN + 336
    signs = (
        (path("M0 0" + _ARROW, stroke=MUTED, thick=2), "accelerate"),
        (path("M0 0" + _AMPHORA, MUTED), "an artefact"),
        (circle(0, 0, 7, stroke=MUTED, thick=2), "circle: points double"),
        (_bridge("ahead"), f"bridge: {rules.BONUS} for the first"),
        (_bridge("bonus"), "bonus got"),
        (_bridge("late"), "passed too late"),
    )
    for place, (sign, words) in enumerate(signs):
        column, row = divmod(place, 3)
        left, y = x + column * 210, 20 + row * 23
        yield moved(left, y, sign)
        yield label(left + 26, y + 4, words, 12, fill=MUTED)


# A sheet ---------------------------------------------------------------------------------------------------------


def _row(box: int) -> int:
    """Where a box is, counted from the bottom of the column."""
    return _TOP_BOX + (rules.BOXES - box) * _STEP + (_BRIDGE if box < rules.BRIDGE else 0)


def _left(column: int) -> int:
    return _GUTTER + column * _COLUMN


def _each(column: int, boxes: Iterable[int], shape: str) -> str:
    """The path of a shape in the middle of each of those boxes."""
    return "".join(f"M{_left(column) + _CELL[0] // 2} {_row(box) + 10.5:g}{shape}" for box in boxes)


def _printed(printed: Plain) -> str:
    """What is on every sheet before anybody marks it: heads, scales and signs."""
    scales = printed["scales"]
    parts = []
    for column, letter in enumerate(rules.COLOURS):
        colour = _NAMES[letter]
        look = COLOURS[colour]
        parts += [
            moved(_left(column) + _CELL[0] / 2, _HEADS - 12, symbol(colour, 0, 0, 1, look.edge)),
            path(_each(column, range(1, rules.BOXES + 1), _OUTLINE), look.tint, stroke=look.edge, thick=0.6),
            path(_each(column, printed["arrows"][letter], _ARROW), stroke=look.edge, thick=2),
            path(_each(column, printed["artefacts"][letter], _AMPHORA), look.edge),
        ]
    for column, name in ((6, "artefacts"), (7, "dice")):
        sign = path("M0 0" + _AMPHORA, INK) if name == "artefacts" else _PIPS
        parts.append(moved(_left(column) + _CELL[0] / 2, _HEADS - 12, sign))
        for box in range(1, rules.BOXES + 1):
            parts.append(moved(_left(column), _row(box), _scaled(points(scales[name][box]), shaded=False)))
    for box in range(rules.BOXES + 1):
        y = _row(box) + 15 if box else _CIRCLES + 4
        parts.append(label(_GUTTER - 6, y, points(scales["expedition"][box]), 10, fill=MUTED, anchor="end"))
    return "".join(parts)


_PIPS: Final = rect(-8, -8, 16, 16, INK, r=4) + "".join(
    circle(x, y, 1.6, PANEL) for x, y in ((-4, -4), (4, -4), (0, 0), (-4, 4), (4, 4))
)


@cache
def _written(colour: str, number: int) -> str:
    look = COLOURS[colour]
    return rect(0, 0, *_CELL, look.face, stroke=look.edge, r=4) + label(
        _CELL[0] / 2, 15.5, str(number), 14, fill=look.on, anchor="middle", bold=True
    )


@cache
def _scaled(words: str, *, shaded: bool) -> str:
    """A box of the artefacts or the dice, with the points that it is worth."""
    fill, ink = (INK, PANEL) if shaded else ("#efebe2", MUTED)
    return rect(0, 0, *_CELL, fill, stroke=INK if shaded else LINE, r=4) + label(
        _CELL[0] / 2, 14.5, words, 11 if len(words) < 5 else 9, fill=ink, anchor="middle", bold=shaded
    )


@cache
def _bridge(standing: str) -> str:
    """A bridge around the origin."""
    arch = path("M-16 5C-10-4 10-4 16 5M-16-3H16", stroke=FAINT, thick=2)
    if standing == "ahead":
        return arch
    if standing == "late":
        return arch + path("M-5-5L5 6M5-5L-5 6", stroke=INK, thick=2)
    look = INK if standing == "bonus" else GOLD
    return rect(-17, -7, 34, 14, look, r=7) + label(
        0, 4, f"+{rules.BONUS}", 11, fill=PANEL if standing == "bonus" else INK, anchor="middle", bold=True
    )


def _sheet(marks: Plain, printed: Plain, lines: Plain) -> Iterator[str]:
    """What a seat has marked."""
    for column, (letter, expedition) in enumerate(marks["expeditions"].items()):
        x, colour = _left(column), _NAMES[letter]
        yield moved(x + _CELL[0] / 2, _TOP_BOX - 14, _end(colour, is_marked=expedition["end_artefact"]))
        for box, number in enumerate(expedition["numbers"], 1):
            yield moved(x, _row(box), _written(colour, number))
        yield moved(x + _CELL[0] / 2, _CIRCLES, _circle(colour, is_marked=expedition["circle"]))
        if expedition["numbers"] or expedition["circle"]:
            yield _worth(column, lines[colour])
    for column, name in ((6, "artefacts"), (7, "dice")):
        for box in range(1, marks[name] + 1):
            worth = points(printed["scales"][name][box])
            yield moved(_left(column), _row(box), _scaled(worth, shaded=True))
        if marks[name]:
            yield _worth(column, lines[name])
    for column, standing in enumerate(marks["bridges"].values()):
        yield moved(_left(column) + _CELL[0] / 2, _row(rules.BRIDGE) + _STEP + _BRIDGE / 2 - 1, _bridge(standing))


def _worth(column: int, value: int) -> str:
    words = points(value)
    return label(_left(column) + _CELL[0] / 2, _POINTS, words, 13 if len(words) < 5 else 10, anchor="middle", bold=True)


@cache
def _end(colour: str, *, is_marked: bool) -> str:
    """The artefact at the end of an expedition."""
    look = COLOURS[colour]
    if is_marked:
        return circle(0, 0, 11, look.face) + path("M0 0" + _AMPHORA, look.on)
    return path("M0 0" + _AMPHORA, stroke=look.edge)


@cache
def _circle(colour: str, *, is_marked: bool) -> str:
    """The circle that doubles an expedition's points."""
    look = COLOURS[colour]
    if not is_marked:
        return circle(0, 0, 10, look.tint, stroke=look.edge, thick=1.5)
    return circle(0, 0, 11, look.face, stroke=look.edge) + label(
        0, 4.5, f"×{rules.DOUBLE}", 13, fill=look.on, anchor="middle", bold=True
    )
