"""Picture of rivals: piles, display, seats with gold, bids and expeditions, and the cards out of the game."""

from collections.abc import Iterator
from typing import Final

from lostcities.boards.svg import (
    COLOURS,
    FAINT,
    GAP,
    HALF,
    HEADER_HEIGHT,
    INK,
    INNER,
    MARGIN,
    MUTED,
    PANEL,
    Box,
    Drawing,
    JsonObject,
    card,
    card_back,
    coin,
    empty_slot,
    fan,
    format_points,
    heading,
    label,
    panel,
    rect,
    seat_boxes,
    seat_panel,
    shifted,
)
from lostcities.languages import Say
from lostcities.variants.rivals import rules as rivals

_NAMES: Final = dict(zip(rivals.COLOURS, rivals.COLOUR_NAMES, strict=True))

_BIG: Final = (40, 56)
_SMALL: Final = (30, 40)
_PILES: Final = 184
"""Width of the area of the piles, left of the display."""
_SUPPLY: Final = 110
"""Width of the area of the supply, right of the display."""
_PER_ROW: Final = (INNER - _PILES - _SUPPLY) // (_BIG[0] + 6)
_ROW: Final = _SMALL[1] + 6
_SEAT: Final = HEADER_HEIGHT + 30 + len(_NAMES) * _ROW + 6
_OUT: Final = (28, 38)
_OUT_ROW: Final = 15
"""Maximum number of cards in a row of those out of the game."""


def draw(game: JsonObject, score: JsonObject, say: Say) -> Drawing:
    """The display, the seats in two columns, and the cards that are out of the game."""
    position = game["position"]
    above = 46 + max(1, -(-len(position["display"]) // _PER_ROW)) * (_BIG[1] + 6)
    boxes = seat_boxes(len(game["players"]), above + GAP, _SEAT)
    below = boxes[-1].y + _SEAT + GAP
    rows = max(1, *(-(-len(position[out]) // _OUT_ROW) for out in ("removed", "unusable")))
    out = Box(MARGIN, below, INNER, 20 + rows * (_OUT[1] + 4))
    return Drawing(int(below + out.height), _parts(game, score, above, boxes, out, say=say))


def _parts(game: JsonObject, score: JsonObject, above: int, boxes: list[Box], out: Box, *, say: Say) -> Iterator[str]:
    position = game["position"]
    yield panel(Box(MARGIN, 0, INNER, above))
    yield from _piles(position, say)
    yield from _display(position, say)
    yield from _supply(position, say)
    for seat, box in enumerate(boxes):
        yield seat_panel(game, score, seat, box, say)
        yield shifted(box.x, box.y + HEADER_HEIGHT, *_seat(position, score, seat, say))
    yield panel(out)
    yield shifted(out.x, out.y, *_out(position, say))


def _piles(position: JsonObject, say: Say) -> Iterator[str]:
    """The current pile and the piles set aside."""
    width, height = _BIG
    x = MARGIN + 14
    yield heading(
        x, 24, say("pile {number} of {piles}", number=rivals.PILES - len(position["piles"]), piles=rivals.PILES)
    )
    cards = position["pile"]
    for layer in range(min(3, (cards + 6) // 7)):
        yield shifted(x + 2 * layer, 34 + 4 - 2 * layer, card_back(width, height))
    if not cards:
        yield rect(x, 36, width, height, stroke=FAINT, dashed=True)
    yield label(x + 54, 72, str(cards), 20, bold=True)
    for place, aside in enumerate(position["piles"]):
        left = x + 90 + place * 24
        yield shifted(left, 50, card_back(20, 28))
        yield label(left + 10, 92, str(aside), 11, fill=MUTED, anchor="middle")


def _display(position: JsonObject, say: Say) -> Iterator[str]:
    """The cards to be auctioned, in the order in which they were uncovered."""
    x = MARGIN + _PILES
    yield heading(x, 24, say("display"))
    if not position["display"]:
        yield label(x, 72, say("no cards yet"), 13, fill=FAINT)
    for place, name in enumerate(position["display"]):
        row, column = divmod(place, _PER_ROW)
        face = card(_NAMES[name[0]], name[1:], *_BIG, _BIG[0] / 2)
        yield shifted(x + column * (_BIG[0] + 6), 36 + row * (_BIG[1] + 6), face)


def _supply(position: JsonObject, say: Say) -> Iterator[str]:
    x = MARGIN + INNER - 14
    yield label(x, 24, say("supply"), 12, fill=MUTED, anchor="end")
    yield label(x, 70, str(position["supply"]), 20, anchor="end", bold=True)
    yield coin(x - 42, 63, 11)


def _seat(position: JsonObject, score: JsonObject, seat: int, say: Say) -> Iterator[str]:
    """A seat's gold, its state in the auction and its expeditions."""
    yield coin(23, 13, 10)
    yield label(40, 19, str(position["gold"][seat]), 17, bold=True)
    yield from _bidding(position, seat, say)
    lines = {line["item"]: line["points"] for line in score["seats"][seat]["lines"]}
    for row, (letter, cards) in enumerate(position["expeditions"][seat].items()):
        y, colour = 30 + row * _ROW, _NAMES[letter]
        yield rect(8, y - 2, HALF - 16, _SMALL[1] + 4, COLOURS[colour].tint, r=7)
        if not cards:
            yield shifted(12, y, empty_slot(colour, *_SMALL))
            continue
        yield fan([(colour, name[1:]) for name in cards], Box(12, y, HALF - 66, _SMALL[1]), _SMALL[0], _SMALL[0] + 4)
        yield label(HALF - 16, y + 25, format_points(lines[colour]), 14, anchor="end", bold=True)


def _bidding(position: JsonObject, seat: int, say: Say) -> Iterator[str]:
    auction = position["auction"]
    if auction is None:
        return
    if seat not in auction["in"]:
        yield label(HALF - 12, 18, say("passed"), 12, fill=MUTED, anchor="end")
    elif seat == auction["holder"]:
        yield rect(HALF - 76, 2, 64, 23, INK, r=11.5)
        yield label(HALF - 44, 18, say("bids {gold}", gold=auction["bid"]), 13, fill=PANEL, anchor="middle", bold=True)
    else:
        yield label(HALF - 12, 18, say("may bid"), 12, fill=MUTED, anchor="end")


def _out(position: JsonObject, say: Say) -> Iterator[str]:
    """The cards that are out of the game."""
    columns = (14, "removed", say("removed")), (HALF + GAP + 14, "unusable", say("unusable"))
    for x, member, words in columns:
        cards = [(_NAMES[name[0]], name[1:]) for name in position[member]]
        yield heading(x, 22, f"{words} {len(cards)}")
        for row in range(0, len(cards), _OUT_ROW):
            y = 12 + row // _OUT_ROW * (_OUT[1] + 4)
            yield fan(cards[row : row + _OUT_ROW], Box(x + 90, y, HALF - 116, _OUT[1]), _OUT[0], _OUT[0] + 3)
