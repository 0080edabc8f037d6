"""Picture of a treasure hunt: the centre, the dice, and each seat's tiles in columns by number."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from lostcities.boards.svg import (
    COLOURS,
    FAINT,
    GAP,
    HALF,
    HEADER_HEIGHT,
    INK,
    INNER,
    LINE,
    MARGIN,
    MUTED,
    PANEL,
    PAPER,
    Box,
    Drawing,
    JsonObject,
    die,
    format_points,
    heading,
    label,
    panel,
    rect,
    seat_boxes,
    seat_panel,
    shifted,
    symbol,
    wager,
)
from lostcities.languages import Say
from lostcities.variants.treasure_hunt import rules
from lostcities.variants.treasure_hunt.texts import BONUS_WORDS

_NAMES: Final = dict(zip(rules.COLOURS, rules.COLOUR_NAMES, strict=True))

_TILE: Final = (34, 31)
_OWN: Final = (29, 26)
_CHIP: Final = (110, 22)
_PER_ROW: Final = 3
_CENTRE: Final = 216
_RIGHT: Final = MARGIN + 412
"""The x coordinate of the dice and the bonus tiles, right of the tiles."""


def draw(game: JsonObject, score: JsonObject, say: Say) -> Drawing:
    """The centre, and the seats in two columns."""
    rows = max(1, *(-(-len(bonuses) // _PER_ROW) for bonuses in game["position"]["bonuses"]))
    height = HEADER_HEIGHT + 6 + len(_NAMES) * (_OWN[1] + 6) + rows * (_CHIP[1] + 5) + 8
    boxes = seat_boxes(len(game["players"]), _CENTRE + GAP, height)
    return Drawing(int(boxes[-1].y + height), _parts(game, score, boxes, say))


def _parts(game: JsonObject, score: JsonObject, boxes: list[Box], say: Say) -> Iterator[str]:
    position = game["position"]
    yield panel(Box(MARGIN, 0, INNER, _CENTRE))
    yield from _centre(position, say)
    yield from _dice(position, say)
    yield heading(_RIGHT, 98, say("bonus tiles"))
    yield shifted(_RIGHT, 106, *_chips(rules.BONUS_NAMES, position["centre"]["bonuses"], say))
    for seat, box in enumerate(boxes):
        yield seat_panel(game, score, seat, box, say)
        yield shifted(box.x, box.y + HEADER_HEIGHT + 4, *_seat(position, score, seat, say))


def _centre(position: JsonObject, say: Say) -> Iterator[str]:
    """The remaining tiles. Those with a number that the dice allow have a thick outline."""
    yield heading(MARGIN + 14, 22, say("centre"))
    for row, (letter, tiles) in enumerate(position["centre"]["tiles"].items()):
        for number in rules.NUMBERS:
            x, y = MARGIN + 14 + (number - 1) * (_TILE[0] + 4), 32 + row * (_TILE[1] + 4)
            is_there = f"{letter}{number}" in tiles
            yield shifted(x, y, _tile(_NAMES[letter], str(number), _TILE) if is_there else _gap(_NAMES[letter], _TILE))
            if is_there and number in position["numbers"]:
                yield rect(x - 1.5, y - 1.5, _TILE[0] + 3, _TILE[1] + 3, stroke=INK, r=6, thick=2.5)


def _dice(position: JsonObject, say: Say) -> Iterator[str]:
    yield heading(_RIGHT, 22, say("dice"))
    for place in range(rules.DICE):
        shown = place < len(position["dice"])
        yield shifted(_RIGHT + place * 48, 32, die(None, position["dice"][place]) if shown else die())
    if position["numbers"]:
        yield label(_RIGHT + 158, 48, say("allow the numbers"), 12, fill=MUTED)
        yield label(_RIGHT + 158, 68, " ".join(map(str, position["numbers"])), 16, bold=True)


@cache
def _tile(colour: str, face: str, size: tuple[int, int]) -> str:
    """A tile at the origin. The wager side has a W."""
    look, (width, height) = COLOURS[colour], size
    side = (
        wager(width * 0.77, height * 0.28, height * 0.22, look.on, look.face)
        if face.endswith("w")
        else symbol(colour, width * 0.78, height * 0.3, height / 52, look.on)
    )
    shown = face.removesuffix("w")
    high = height * (0.54 if len(shown) == 1 else 0.46)
    words = label(width * 0.37, height * 0.78, shown, high, fill=look.on, anchor="middle", bold=True)
    return rect(0, 0, width, height, look.face, stroke=look.edge, r=5) + words + side


@cache
def _gap(colour: str, size: tuple[int, int]) -> str:
    """The empty place of a tile."""
    look, (width, height) = COLOURS[colour], size
    return rect(0.5, 0.5, width - 1, height - 1, look.tint, r=5) + symbol(
        colour, width / 2, height / 2, height / 60, look.face
    )


def _chips(names: Sequence[str], there: Sequence[str], say: Say) -> Iterator[str]:
    """Bonus tiles in rows. Those that are not in `there` are faint."""
    for place, name in enumerate(names):
        row, column = divmod(place, _PER_ROW)
        words = say(BONUS_WORDS[name])
        chip = _chip(name, words, gone=name not in there)
        yield shifted(column * (_CHIP[0] + 5), row * (_CHIP[1] + 5), chip)


@cache
def _chip(name: str, words: str, *, gone: bool) -> str:
    """A bonus tile at the origin: its name in words, and the symbol of its colour if it has one."""
    colour = name.rpartition("-")[2]
    look = COLOURS.get(colour)
    fill, stroke, ink = (
        (PANEL, LINE, FAINT) if gone else (look.tint if look else PAPER, look.edge if look else INK, INK)
    )
    parts = [rect(0.5, 0.5, _CHIP[0] - 1, _CHIP[1] - 1, fill, stroke=stroke, r=11, dashed=gone)]
    left = 10
    if look:
        parts.append(symbol(colour, 14, 11, 0.75, FAINT if gone else look.edge))
        left = 26
    return "".join((*parts, label(left, 15, words, 11, fill=ink)))


def _seat(position: JsonObject, score: JsonObject, seat: int, say: Say) -> Iterator[str]:
    """A seat's tiles in columns by number, and its bonus tiles."""
    lines = {line["item"]: line["points"] for line in score["seats"][seat]["lines"]}
    width, height = _OWN
    for row, (letter, tiles) in enumerate(position["expeditions"][seat].items()):
        y, colour = row * (height + 6), _NAMES[letter]
        own = {int(tile[1:].removesuffix("w")): tile[1:] for tile in tiles}
        for number in rules.NUMBERS:
            piece = _tile(colour, own[number], _OWN) if number in own else _gap(colour, _OWN)
            yield shifted(12 + (number - 1) * (width + 3), y, piece)
        if tiles:
            yield label(HALF - 14, y + 18, format_points(lines[colour]), 14, anchor="end", bold=True)
    below = len(_NAMES) * (height + 6) + 4
    bonuses = position["bonuses"][seat]
    yield shifted(12, below, *_chips(bonuses, bonuses, say))
    if not bonuses:
        yield label(12, below + 15, say("no bonus tiles yet"), 12, fill=FAINT)
