"""SVG elements as text, and the parts that all pictures have in common.

No element has an id, a script, a style or a reference, so that several pictures can be inlined in one page under any
content security policy. Numbers are rounded to two decimals, so that the output is the same on every platform.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from typing import Any, Final, Literal, NamedTuple

from lostcities.games.game import endings
from lostcities.languages import Say
from lostcities.variants.registry import VARIANTS

JsonObject = Mapping[str, Any]
"""A game or a score, as in a response."""

WIDTH: Final = 800
MARGIN: Final = 16
GAP: Final = 12
INNER: Final = WIDTH - 2 * MARGIN
HALF: Final = (INNER - GAP) // 2
"""Width of one of two columns."""

PAPER: Final = "#f3f0e9"
PANEL: Final = "#fffdf9"
LINE: Final = "#d9d2c5"
FAINT: Final = "#8a8377"
MUTED: Final = "#655e54"
INK: Final = "#2b2823"
GOLD: Final = "#d9a520"
BACK: Final = "#5a6675"
BACK_LINE: Final = "#8d98a6"

_FONT: Final = "system-ui,-apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif"


class Box(NamedTuple):
    """A rectangle in the picture."""

    x: float
    y: float
    width: float
    height: float


class Drawing(NamedTuple):
    """The SVG elements below the heading of a picture, and their height."""

    height: int
    parts: Iterable[str]


# Colours: each has a symbol too, for colour-blind players --------------------------------------------------------


class Colour(NamedTuple):
    """The colours and the symbol of one of the games' colours."""

    face: str
    on: str
    """Colour of text on the face."""
    tint: str
    """Background of an empty place."""
    edge: str
    symbol: str
    """A path centred at the origin, 16 wide and 16 high."""


COLOURS: Final = {
    "red": Colour("#c2473d", "#ffffff", "#f7e3e0", "#8c2e27", "M0-8L6.5 0L0 8L-6.5 0Z"),
    "orange": Colour("#e08a3c", "#2f1b04", "#fbead9", "#a35a17", "M-4-7H4L8 0L4 7H-4L-8 0Z"),
    "yellow": Colour(
        "#f0cb4e",
        "#3b2f06",
        "#fbf3d6",
        "#b08c1c",
        "M0-8L1.9-4.6L5.7-5.7L4.6-1.9L8 0L4.6 1.9L5.7 5.7L1.9 4.6L0 8L-1.9 4.6L-5.7 5.7L-4.6 1.9L-8 0L-4.6-1.9L-5.7-5.7"
        "L-1.9-4.6Z",
    ),
    "green": Colour("#3f8a5b", "#ffffff", "#e0efe5", "#28623d", "M-7 7C-8-3-1-8 7-7C8 1 3 8-4 6L-7 8Z"),
    "blue": Colour(
        "#3a70b0", "#ffffff", "#dfe9f5", "#244d80", "M0-8C2.5-4 6-1 6 2.5A6 5.5 0 0 1-6 2.5C-6-1-2.5-4 0-8Z"
    ),
    "purple": Colour("#80589f", "#ffffff", "#ebe2f2", "#573a72", "M3-8A8 8 0 1 0 7 4A6.5 6.5 0 0 1 3-8Z"),
    "white": Colour("#ffffff", "#45413a", "#f5f3ee", "#a29b8f", "M-8 6L-2.5-6L.5-.5L3-4L8 6Z"),
}


# Basic elements --------------------------------------------------------------------------------------------------


def number(value: float) -> str:
    """A number with at most two decimals.

    >>> number(12.0), number(1 / 3)
    ('12', '0.33')
    """
    return f"{round(value, 2):g}"


def format_points(value: int) -> str:
    """Points, with a minus sign (U+2212) if they are negative."""
    return f"−{-value}" if value < 0 else str(value)


def rect(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str = "none",
    *,
    stroke: str | None = None,
    r: float = 6,
    thick: float = 1,
    dashed: bool = False,
) -> str:
    """A rectangle with round corners."""
    line = f' stroke="{stroke}" stroke-width="{number(thick)}"' if stroke else ""
    dashes = ' stroke-dasharray="3 3"' if dashed else ""
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" rx="{number(r)}" '
        f'fill="{fill}"{line}{dashes}/>'
    )


def circle(x: float, y: float, r: float, fill: str = "none", *, stroke: str | None = None, thick: float = 1) -> str:
    """A circle, filled or outlined."""
    line = f' stroke="{stroke}" stroke-width="{number(thick)}"' if stroke else ""
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" fill="{fill}"{line}/>'


def path(data: str, fill: str = "none", *, stroke: str | None = None, thick: float = 1) -> str:
    """A path. Lines have round ends and joins."""
    line = f' stroke="{stroke}" stroke-width="{number(thick)}" stroke-linecap="round" stroke-linejoin="round"'
    return f'<path d="{data}" fill="{fill}"{line if stroke else ""}/>'


def label(
    x: float,
    y: float,
    words: str,
    size: float = 12,
    *,
    fill: str = INK,
    anchor: Literal["start", "middle", "end"] = "start",
    bold: bool = False,
) -> str:
    """A line of text. `y` is its baseline."""
    weight = ' font-weight="600"' if bold else ""
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{fill}"{weight}{place}>'
        f"{escape(words)}</text>"
    )


def shifted(x: float, y: float, *parts: str, scale: float = 1) -> str:
    """A group of elements moved to (x, y), and scaled."""
    scaled = "" if scale == 1 else f" scale({number(scale)})"
    return f'<g transform="translate({number(x)} {number(y)}){scaled}">{"".join(parts)}</g>'


def clip(x: float, y: float, width: float, height: float, *parts: str) -> str:
    """Elements clipped to a box. The origin is the upper left corner of the box."""
    box = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    return f"<svg {box}>{''.join(parts)}</svg>"


# Text of limited width -------------------------------------------------------------------------------------------


def _letter_width(letter: str) -> float:
    """The estimated width of a letter, in ems. The viewer's font is unknown."""
    if unicodedata.combining(letter):
        return 0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1
    if letter in "iIjl.,:;'!|()[] ":
        return 0.32
    if letter in "mwMW@%":
        return 1
    return 0.62 if not letter.isupper() else 0.72 if letter.isascii() else 0.9


def truncate(words: str, width: float, size: float) -> str:
    """The text, shortened with an ellipsis if it is wider than `width`.

    >>> truncate("Maximiliane", 200, 14), truncate("Maximiliane", 60, 14)
    ('Maximiliane', 'Maxi…')
    """
    room = width / size
    if sum(map(_letter_width, words)) <= room:
        return words
    kept, used = "", 1.0
    for letter in words:
        used += _letter_width(letter)
        if used > room:
            break
        kept += letter
    return kept.rstrip() + "…"


def player_name(x: float, y: float, width: float, words: str, size: float = 15) -> str:
    """A player's name. If it is truncated, the full name is in its `<title>` (shown as a tooltip)."""
    shown = truncate(words, width, size * 1.1)  # 1.1: bold text is wider
    whole = f"<title>{escape(words)}</title>" if shown != words else ""
    written = f'<text y="{number(size * 1.2)}" font-size="{number(size)}" font-weight="600" fill="{INK}">{whole}'
    return clip(x, y - size * 1.2, width, size * 1.7, written, escape(shown), "</text>")


# Game components -------------------------------------------------------------------------------------------------


@cache
def symbol(colour: str, x: float, y: float, scale: float, fill: str) -> str:
    """The symbol of a colour."""
    return shifted(x, y, path(COLOURS[colour].symbol, fill), scale=scale)


@cache
def card(colour: str, rank: str, width: int, height: int, middle: float) -> str:
    """A card at the origin. A wager's rank is `w`.

    :param middle: x coordinate of rank and symbol: the centre of the part that other cards do not cover
    """
    look = COLOURS[colour]
    size = height * 0.3
    if rank == "w":
        top = wager(middle, height * 0.28, height * 0.17, look.on, look.face)
    else:
        top = label(middle, height * 0.28 + size * 0.36, rank, size, fill=look.on, anchor="middle", bold=True)
    return "".join(
        (
            rect(0, 0, width, height, look.face, stroke=look.edge, r=height * 0.1),
            top,
            symbol(colour, middle, height * 0.7, height / 56, look.on),
        )
    )


def wager(x: float, y: float, r: float, fill: str, on: str) -> str:
    """The mark of a wager: a W in a circle."""
    return circle(x, y, r, fill) + label(x, y + r * 0.5, "W", r * 1.35, fill=on, anchor="middle", bold=True)


@cache
def card_back(width: int, height: int) -> str:
    """The back of a card at the origin."""
    return "".join(
        (
            rect(0, 0, width, height, BACK, stroke="#434d59", r=height * 0.1),
            rect(4, 4, width - 8, height - 8, stroke=BACK_LINE, r=height * 0.06),
            path(f"M{number(width / 2)} {number(height / 2 - 8)}l5 8l-5 8l-5-8Z", BACK_LINE),
        )
    )


@cache
def empty_slot(colour: str, width: int, height: int) -> str:
    """The empty place of a card, at the origin."""
    look = COLOURS[colour]
    return "".join(
        (
            rect(0.5, 0.5, width - 1, height - 1, look.tint, stroke=look.edge, r=height * 0.1, dashed=True),
            symbol(colour, width / 2, height / 2, height / 56 * 0.9, look.edge),
        )
    )


@cache
def die(colour: str | None = None, face: str = "") -> str:
    """A die at the origin, 40 wide: with a colour, with a face, or an empty place."""
    if colour:
        look = COLOURS[colour]
        return rect(0, 0, 40, 40, look.face, stroke=look.edge, r=9) + symbol(colour, 20, 20, 1.35, look.on)
    if face == "w":
        return rect(0, 0, 40, 40, PANEL, stroke=INK, r=9, thick=1.5) + wager(20, 20, 13, INK, PANEL)
    if face:
        return rect(0, 0, 40, 40, PANEL, stroke=INK, r=9, thick=1.5) + label(
            20, 28, face, 22, anchor="middle", bold=True
        )
    return rect(0.5, 0.5, 39, 39, stroke=FAINT, r=9, dashed=True)


def badge(x: float, y: float, words: str) -> str:
    """A number in a small rounded box, centred at (x, y)."""
    wide = 10 + 7 * len(words)
    return rect(x - wide / 2, y - 9, wide, 18, INK, r=9) + label(
        x, y + 4, words, 11, fill=PANEL, anchor="middle", bold=True
    )


@cache
def coin(x: float, y: float, r: float) -> str:
    """A gold coin."""
    return circle(x, y, r, "#f2cf6b", stroke="#a67c13", thick=1.5) + circle(x, y, r * 0.55, stroke="#a67c13")


def fan(cards: Sequence[tuple[str, str]], box: Box, width: int, step: float) -> str:
    """A row of overlapping cards (colour, rank), the last on top. They are `step` apart, or closer to fit the box."""
    step = min(step, (box.width - width) / max(1, len(cards) - 1))
    middle = min(step, width) / 2
    return "".join(
        shifted(box.x + place * step, box.y, card(colour, rank, width, int(box.height), round(middle, 2)))
        for place, (colour, rank) in enumerate(cards)
    )


def seat_boxes(seats: int, y: float, height: float) -> list[Box]:
    """The boxes of the seats, in two columns."""
    return [
        Box(MARGIN + seat % 2 * (HALF + GAP), y + seat // 2 * (height + GAP), HALF, height) for seat in range(seats)
    ]


def heading(x: float, y: float, words: str) -> str:
    """The heading of a part of the picture."""
    return label(x, y, words, 12, fill=MUTED)


def panel(box: Box) -> str:
    """A panel without emphasis."""
    return rect(*box, PANEL, stroke=LINE, r=10)


def seat_panel(game: JsonObject, score: JsonObject, seat: int, box: Box, say: Say) -> str:
    """A seat's panel with name, points and marks for "to act" and "has won". The content starts at `HEADER_HEIGHT`."""
    is_to_act = seat in game["to_act"]
    has_won = game["outcome"] is not None and seat in game["outcome"]["winners"]
    stroke, thick = (INK, 2.5) if is_to_act else (GOLD, 2.5) if has_won else (LINE, 1)
    parts = [rect(*box, PANEL, stroke=stroke, thick=thick, r=10)]
    left, right = box.x + 12, box.x + box.width - 12
    if is_to_act:
        parts.append(path(f"M{number(left)} {number(box.y + 13)}l10 7l-10 7Z", INK))
        left += 17
    if has_won:
        parts.append(shifted(left + 7, box.y + 19, path(_STAR, GOLD)))
        left += 20
    total, points = format_points(score["seats"][seat]["total"]), say("points")
    parts += [
        player_name(left, box.y + 25, right - left - 50 - 14 * len(total), game["players"][seat]),
        f'<text x="{number(right)}" y="{number(box.y + 26)}" fill="{MUTED}" font-size="11" text-anchor="end">'
        f"{escape(points)} "
        f'<tspan font-size="20" font-weight="600" fill="{INK}">{total}</tspan></text>',
    ]
    return "".join(parts)


_STAR: Final = "M0-8L2.3-2.6L8-2.1L3.7 1.7L5 7.4L0 4.4L-5 7.4L-3.7 1.7L-8-2.1L-2.3-2.6Z"

HEADER_HEIGHT: Final = 36
"""Height of the header of a seat's panel."""


# The complete picture --------------------------------------------------------------------------------------------

_TOP: Final = 74
"""Height of the picture's heading."""


def picture(game: JsonObject, score: JsonObject, drawn: Drawing, say: Say) -> str:
    """The complete SVG document: the heading and the drawing below it."""
    info = VARIANTS[game["variant"]].rules.INFO
    title = say(info.title)
    height = _TOP + drawn.height + MARGIN
    status_line = _status_line(game, say)
    version = say("version {version}", version=game["version"])
    wide = 12 + 6.6 * len(version)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'role="img" font-family="{_FONT}">'
    )
    return "".join(
        (
            head,
            f"<title>{escape(f'{title}, {version}')}</title><desc>{escape(_describe(game, score, say))}</desc>",
            rect(0, 0, WIDTH, height, PAPER, r=14),
            label(MARGIN, 34, title, 22, bold=True),
            label(MARGIN, 56, truncate(status_line, INNER, 13), 13, fill=MUTED),
            rect(WIDTH - MARGIN - wide, 16, wide, 24, PANEL, stroke=LINE, r=12),
            label(WIDTH - MARGIN - wide / 2, 32, version, 12, fill=MUTED, anchor="middle"),
            f'<g transform="translate(0 {_TOP})">',
            *drawn.parts,
            "</g></svg>\n",
        )
    )


def _status_line(game: JsonObject, say: Say) -> str:
    """The current phase, or how the game ended."""
    rules = VARIANTS[game["variant"]].rules
    phase = rules.INFO.phases[game["phase"]]
    text = say(phase)
    if game["outcome"] is not None:
        ending = endings(rules)[game["outcome"]["reason"]]
        text = f"{text.rstrip('.')}: {say(ending)}"
    return text[0].upper() + text[1:]


def _describe(game: JsonObject, score: JsonObject, say: Say) -> str:
    """The description of the picture for screen readers."""
    players = game["players"]
    standing = ", ".join(f"{player} {seat['total']}" for player, seat in zip(players, score["seats"], strict=True))
    to_act = ", ".join(say("chance") if actor == "chance" else players[actor] for actor in game["to_act"])
    winners = ", ".join(players[seat] for seat in score["winners"])
    sentences = (
        _status_line(game, say).rstrip("."),
        to_act and say("To act: {players}", players=to_act),
        winners and say("Won by: {players}", players=winners),
    )
    return ". ".join((*filter(None, sentences), say("Points: {standing}", standing=standing))) + "."
