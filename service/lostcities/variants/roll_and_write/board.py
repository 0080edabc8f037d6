"""Picture of roll-and-write: the dice in the centre and a sheet for each seat, filled from the bottom up."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from lostcities.boards.svg import (
    COLOURS,
    FAINT,
    GAP,
    GOLD,
    HEADER_HEIGHT,
    INK,
    INNER,
    LINE,
    MARGIN,
    MUTED,
    PANEL,
    Box,
    Drawing,
    JsonObject,
    circle,
    die,
    format_points,
    heading,
    label,
    panel,
    path,
    rect,
    seat_boxes,
    seat_panel,
    shifted,
    symbol,
)
from lostcities.languages import Say
from lostcities.variants.core import N_
from lostcities.variants.roll_and_write import rules

_NAMES: Final = dict(zip(rules.COLOURS, rules.COLOUR_NAMES, strict=True))

_DICE: Final = 84
_GUTTER: Final = 38
"""Width of the expedition scale, left of the columns."""
_COLUMN: Final = 41
_CELL: Final = (36, 21)
_STEP: Final = _CELL[1] + 2
_BRIDGE: Final = 15
"""Height of the row of bridges, between two rows of boxes."""
_HEADS: Final = 44
_TOP_BOX: Final = _HEADS + 34
_CIRCLES: Final = _TOP_BOX + rules.BOXES * _STEP + _BRIDGE + 11
_POINTS: Final = _CIRCLES + 32
_SHEET: Final = HEADER_HEIGHT + _POINTS + 10

# SVG paths, relative to the centre of the shape.
_AMPHORA: Final = "m-3-7h6v2l-1 1c4 2 3 7 0 9.5v1.5h-4v-1.5c-3-2.5-4-7.5 0-9.5l-1-1z"
_ARROW: Final = "m-4.5 0l4.5-4.5l4.5 4.5m-9 5l4.5-4.5l4.5 4.5"
_OUTLINE: Final = "m-14-10.5h28a4 4 0 0 1 4 4v13a4 4 0 0 1-4 4h-28a4 4 0 0 1-4-4v-13a4 4 0 0 1 4-4z"

_PROGRESS: Final = dict(
    zip(rules.PROGRESS, (N_("to choose"), N_("to accelerate or stop"), N_("has chosen")), strict=True)
)


def draw(game: JsonObject, score: JsonObject, say: Say) -> Drawing:
    """The dice, and the sheets in two columns."""
    boxes = seat_boxes(len(game["players"]), _DICE + GAP, _SHEET)
    return Drawing(int(boxes[-1].y + _SHEET), _parts(game, score, boxes, say))


def _parts(game: JsonObject, score: JsonObject, boxes: list[Box], say: Say) -> Iterator[str]:
    position, printed = game["position"], game["options"]["sheet"]
    yield panel(Box(MARGIN, 0, INNER, _DICE))
    yield from _dice(position["centre"], say)
    yield from _legend(say)
    blank = _blank_sheet(printed)
    for seat, box in enumerate(boxes):
        yield seat_panel(game, score, seat, box, say)
        marks = position["seats"][seat]
        lines = {line["item"]: line["points"] for line in score["seats"][seat]["lines"]}
        yield shifted(box.x, box.y + HEADER_HEIGHT, blank, *_marks(marks, printed, lines))
        yield heading(box.x + 12, box.y + HEADER_HEIGHT + 12, _progress(game, seat, say))


def _progress(game: JsonObject, seat: int, say: Say) -> str:
    """The seat's state in the turn, as text."""
    position = game["position"]
    texts = [say("active")] if seat == position["active"] and game["to_act"] else []
    if seat in game["to_act"] or position["seats"][seat]["turn"] != "choose":
        progress = _PROGRESS[position["seats"][seat]["turn"]]
        texts.append(say(progress))
    return ", ".join(texts)


def _dice(centre: JsonObject, say: Say) -> Iterator[str]:
    x = MARGIN + 14
    yield heading(x, 22, say("dice in the centre"))
    faces = [die(_NAMES[letter]) for letter in centre["colours"]] + [die(None, str(face)) for face in centre["numbers"]]
    for place in range(rules.COLOUR_DICE + rules.NUMBER_DICE):
        yield shifted(x + place * 48, 32, faces[place] if place < len(faces) else die())


def _legend(say: Say) -> Iterator[str]:
    """The legend of the symbols on the sheets."""
    x = MARGIN + 336
    signs = (
        (path("M0 0" + _ARROW, stroke=MUTED, thick=2), say("accelerate")),
        (path("M0 0" + _AMPHORA, MUTED), say("an artefact")),
        (circle(0, 0, 7, stroke=MUTED, thick=2), say("circle: points double")),
        (bridge(rules.AHEAD), say("bridge: {bonus} for the first", bonus=rules.BONUS)),
        (bridge(rules.GOT_BONUS), say("bonus got")),
        (bridge(rules.LOST), say("bonus gone to others")),
        (bridge(rules.LATE), say("passed too late")),
    )
    for place, (sign, words) in enumerate(signs):
        column, row = (0, place) if place < 3 else (1, place - 3)
        left, y = x + column * 210, 15 + row * 18
        yield shifted(left, y, sign)
        yield label(left + 26, y + 4, words, 12, fill=MUTED)


# A sheet ---------------------------------------------------------------------------------------------------------


def _box_y(box: int) -> int:
    """The y coordinate of a box. Boxes are numbered from the bottom."""
    return _TOP_BOX + (rules.BOXES - box) * _STEP + (_BRIDGE if box < rules.BRIDGE else 0)


def _column_x(column: int) -> int:
    return _GUTTER + column * _COLUMN


def _shapes_at(column: int, boxes: Iterable[int], shape: str) -> str:
    """A path with the shape in the centre of each of the boxes."""
    return "".join(f"M{_column_x(column) + _CELL[0] // 2} {_box_y(box) + 10.5:g}{shape}" for box in boxes)


def _blank_sheet(printed: JsonObject) -> str:
    """The printed parts of a sheet: column heads, scales and symbols."""
    scales = printed["scales"]
    parts = []
    for column, letter in enumerate(rules.COLOURS):
        colour = _NAMES[letter]
        look = COLOURS[colour]
        parts += [
            shifted(_column_x(column) + _CELL[0] / 2, _HEADS - 12, symbol(colour, 0, 0, 1, look.edge)),
            path(_shapes_at(column, range(1, rules.BOXES + 1), _OUTLINE), look.tint, stroke=look.edge, thick=0.6),
            path(_shapes_at(column, printed["arrows"][letter], _ARROW), stroke=look.edge, thick=2),
            path(_shapes_at(column, printed["artefacts"][letter], _AMPHORA), look.edge),
        ]
    for column, name in ((6, "artefacts"), (7, "dice")):
        sign = path("M0 0" + _AMPHORA, INK) if name == "artefacts" else _PIPS
        parts.append(shifted(_column_x(column) + _CELL[0] / 2, _HEADS - 12, sign))
        for box in range(1, rules.BOXES + 1):
            parts.append(
                shifted(_column_x(column), _box_y(box), _scale_box(format_points(scales[name][box]), shaded=False))
            )
    for box in range(rules.BOXES + 1):
        y = _box_y(box) + 15 if box else _CIRCLES + 4
        parts.append(label(_GUTTER - 6, y, format_points(scales["expedition"][box]), 10, fill=MUTED, anchor="end"))
    return "".join(parts)


_PIPS: Final = rect(-8, -8, 16, 16, INK, r=4) + "".join(
    circle(x, y, 1.6, PANEL) for x, y in ((-4, -4), (4, -4), (0, 0), (-4, 4), (4, 4))
)


@cache
def _number_box(colour: str, number: int) -> str:
    look = COLOURS[colour]
    return rect(0, 0, *_CELL, look.face, stroke=look.edge, r=4) + label(
        _CELL[0] / 2, 15.5, str(number), 14, fill=look.on, anchor="middle", bold=True
    )


@cache
def _scale_box(words: str, *, shaded: bool) -> str:
    """A box of the artefacts or the dice column, with its points."""
    fill, ink = (INK, PANEL) if shaded else ("#efebe2", MUTED)
    return rect(0, 0, *_CELL, fill, stroke=INK if shaded else LINE, r=4) + label(
        _CELL[0] / 2, 14.5, words, 11 if len(words) < 5 else 9, fill=ink, anchor="middle", bold=shaded
    )


@cache
def bridge(standing: str) -> str:
    """A bridge, centred at the origin."""
    arch = path("M-16 5C-10-4 10-4 16 5M-16-3H16", stroke=FAINT, thick=2)
    if standing == rules.AHEAD:
        return arch
    if standing == rules.LOST:
        return arch + path("M-13 1H13", stroke=MUTED, thick=2)
    if standing == rules.LATE:
        return arch + path("M-5-5L5 6M5-5L-5 6", stroke=INK, thick=2)
    is_given = standing == rules.GOT_BONUS
    return rect(-17, -7, 34, 14, INK if is_given else GOLD, r=7) + label(
        0, 4, f"+{rules.BONUS}", 11, fill=PANEL if is_given else INK, anchor="middle", bold=True
    )


def _marks(marks: JsonObject, printed: JsonObject, lines: JsonObject) -> Iterator[str]:
    """The marks of a seat on its sheet."""
    for column, (letter, expedition) in enumerate(marks["expeditions"].items()):
        x, colour = _column_x(column), _NAMES[letter]
        yield shifted(x + _CELL[0] / 2, _TOP_BOX - 14, _end_artefact(colour, is_marked=expedition["end_artefact"]))
        for box, number in enumerate(expedition["numbers"], 1):
            yield shifted(x, _box_y(box), _number_box(colour, number))
        yield shifted(x + _CELL[0] / 2, _CIRCLES, _circle(colour, is_marked=expedition["circle"]))
        if expedition["numbers"] or expedition["circle"]:
            yield _points_label(column, lines[colour])
    for column, name in ((6, "artefacts"), (7, "dice")):
        for box in range(1, marks[name] + 1):
            worth = format_points(printed["scales"][name][box])
            yield shifted(_column_x(column), _box_y(box), _scale_box(worth, shaded=True))
        if marks[name]:
            yield _points_label(column, lines[name])
    for column, standing in enumerate(marks["bridges"].values()):
        yield shifted(
            _column_x(column) + _CELL[0] / 2, _box_y(rules.BRIDGE) + _STEP + _BRIDGE / 2 - 1, bridge(standing)
        )


def _points_label(column: int, value: int) -> str:
    words = format_points(value)
    return label(
        _column_x(column) + _CELL[0] / 2, _POINTS, words, 13 if len(words) < 5 else 10, anchor="middle", bold=True
    )


@cache
def _end_artefact(colour: str, *, is_marked: bool) -> str:
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
