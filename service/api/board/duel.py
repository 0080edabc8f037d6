"""The table of a duel: a seat on each side, the discard piles between their expeditions, the deck above these."""

from collections.abc import Iterator, Sequence
from typing import Final

from service.api.board.kit import (
    COLOURS,
    FAINT,
    INK,
    INNER,
    MARGIN,
    NAMED,
    PANEL,
    Box,
    Drawn,
    Plain,
    back,
    badge,
    card,
    fitting,
    heading,
    label,
    moved,
    panel,
    points,
    rect,
    seat_panel,
    slot,
)
from service.rules import duel

_NAMES: Final = dict(zip(duel.COLOURS, duel.COLOUR_NAMES, strict=True))

_CENTRE: Final = 84
_SIDE: Final = (INNER - _CENTRE) // 2
_CARD: Final = (38, 54)
_STEP: Final = 23
"""How much of an expedition's card is seen beside the one on top of it."""
_HAND: Final = (35, 50)
_ROW: Final = _CARD[1] + 10
_SEATS: Final = NAMED + _HAND[1] + 14


def draw(game: Plain, score: Plain) -> Drawn:
    """The hands and the deck, a row for each colour, and how far the match is."""
    rows = len(game["position"]["discards"])
    return Drawn(_SEATS + 12 + rows * _ROW + 34, _parts(game, score))


def _parts(game: Plain, score: Plain) -> Iterator[str]:
    position = game["position"]
    for seat, hand in enumerate(position["hands"]):
        x = MARGIN + seat * (_SIDE + _CENTRE)
        yield seat_panel(game, score, seat, Box(x, 0, _SIDE, _SEATS))
        for place, name in enumerate(hand):
            yield moved(x + 13 + place * (_HAND[0] + 5), NAMED + 3, _face(name, _HAND, _HAND[0] / 2))
    yield from _deck(position["deck"])
    yield moved(0, _SEATS + 12, *_rows(position, score))
    progress = fitting(_progress(game), INNER - 24, 12)
    yield heading(MARGIN + 12, _SEATS + 12 + len(position["discards"]) * _ROW + 28, progress)


def _face(name: str, size: tuple[int, int], middle: float) -> str:
    return back(*size) if name == duel.HIDDEN else card(_NAMES[name[0]], name[1:], *size, middle)


def _deck(cards: int) -> Iterator[str]:
    """A pile that is as high as it has cards, more or less."""
    width, height = _CARD
    left = MARGIN + INNER / 2 - width / 2
    for layer in range(min(3, (cards + 19) // 20)):
        yield moved(left + 2 - 2 * layer, 18 - 2 * layer, back(width, height))
    if not cards:
        yield rect(left, 14, width, height, stroke=FAINT, dashed=True)
    yield label(MARGIN + INNER / 2, 90, f"deck {cards}", 12, anchor="middle", bold=True)


def _rows(position: Plain, score: Plain) -> Iterator[str]:
    discards = position["discards"]
    width, height = _CARD
    yield panel(Box(MARGIN, 0, INNER, len(discards) * _ROW + 10))
    inner = _SIDE - 4
    for row, (letter, pile) in enumerate(discards.items()):
        y, colour = row * _ROW + 10, _NAMES[letter]
        yield rect(MARGIN + 8, y - 3, INNER - 16, height + 6, COLOURS[colour].tint, r=8)
        yield from _pile(colour, pile, y, is_closed=position["closed"] == letter)
        for seat, expeditions in enumerate(position["expeditions"]):
            x = MARGIN + inner - width if seat == 0 else MARGIN + INNER - inner
            outwards = -_STEP if seat == 0 else _STEP
            yield from _expedition(colour, expeditions[letter], x, y, outwards)
            if expeditions[letter]:
                line = next(line for line in score["seats"][seat]["lines"] if line["item"] == colour)
                x = MARGIN + 27 if seat == 0 else MARGIN + INNER - 27
                yield label(x, y + height / 2 + 5, points(line["points"]), 13, anchor="middle", bold=True)


def _expedition(colour: str, cards: Sequence[str], x: float, y: float, outwards: int) -> Iterator[str]:
    """Cards from the centre outwards, the newest on top: what is seen of one is the side that faces the centre."""
    if not cards:
        yield moved(x, y, slot(colour, *_CARD))
    seen = _STEP / 2 + 1 if outwards > 0 else _CARD[0] - _STEP / 2 - 1
    for place, name in enumerate(cards):
        yield moved(x + place * outwards, y, _face(name, _CARD, seen))


def _pile(colour: str, cards: Sequence[str], y: float, *, is_closed: bool) -> Iterator[str]:
    """The top card, and how many there are."""
    width, height = _CARD
    x = MARGIN + INNER / 2 - width / 2
    if not cards:
        yield moved(x, y, slot(colour, width, height))
        return
    for layer in range(min(3, len(cards)) - 1, 0, -1):
        yield rect(x + 2 * layer, y - 2 * layer, width, height, COLOURS[colour].edge, stroke=PANEL, r=5)
    yield moved(x, y, _face(cards[-1], _CARD, width / 2))
    if len(cards) > 1:
        yield badge(x + width + 4, y + 9, f"{len(cards)}")
    if is_closed:
        yield rect(x - 6, y + height - 13, width + 12, 16, INK, r=8)
        yield label(x + width / 2, y + height - 1.5, "closed", 11, fill=PANEL, anchor="middle")


def _progress(game: Plain) -> str:
    position, options = game["position"], game["options"]
    told = f"{position['turns']} turns finished"
    if options["max_turns"]:
        told += f" of {options['max_turns']}"
    if options["rounds"] > 1:
        told += f" · round {len(position['rounds']) + 1} of {options['rounds']}"
    if position["rounds"]:
        results = (f"{points(first)} to {points(second)}" for first, second in position["rounds"])
        told += f" · before: {', '.join(results)}"
    return told
