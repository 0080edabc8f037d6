"""Picture of a duel: a seat on each side, the discard piles between the expeditions, the deck above."""

from collections.abc import Iterator, Sequence
from typing import Final

from lostcities.boards.svg import (
    COLOURS,
    FAINT,
    HEADER_HEIGHT,
    INK,
    INNER,
    MARGIN,
    PANEL,
    Box,
    Drawing,
    JsonObject,
    badge,
    card,
    card_back,
    empty_slot,
    format_points,
    heading,
    label,
    panel,
    rect,
    seat_panel,
    shifted,
    truncate,
)
from lostcities.languages import Say
from lostcities.variants.duel import rules as duel

_NAMES: Final = dict(zip(duel.COLOURS, duel.COLOUR_NAMES, strict=True))

_CENTRE: Final = 84
_SIDE: Final = (INNER - _CENTRE) // 2
_CARD: Final = (38, 54)
_STEP: Final = 23
"""The visible width of a card that is covered by the next card."""
HAND_SIZE: Final = (35, 50)
"""Width and height of a card in a hand."""
_ROW: Final = _CARD[1] + 10
_SEATS: Final = HEADER_HEIGHT + HAND_SIZE[1] + 14


def draw(game: JsonObject, score: JsonObject, say: Say) -> Drawing:
    """The hands, the deck, a row for each colour, and the progress of the match."""
    rows = len(game["position"]["discards"])
    return Drawing(_SEATS + 12 + rows * _ROW + 34, _parts(game, score, say))


def _parts(game: JsonObject, score: JsonObject, say: Say) -> Iterator[str]:
    position = game["position"]
    for seat, hand in enumerate(position["hands"]):
        x = MARGIN + seat * (_SIDE + _CENTRE)
        yield seat_panel(game, score, seat, Box(x, 0, _SIDE, _SEATS), say)
        for place, name in enumerate(hand):
            yield shifted(
                x + 13 + place * (HAND_SIZE[0] + 5), HEADER_HEIGHT + 3, _card_face(name, HAND_SIZE, HAND_SIZE[0] / 2)
            )
    yield from _deck(position["deck"], say)
    yield shifted(0, _SEATS + 12, *_rows(position, score, say))
    progress = truncate(_progress(game, say), INNER - 24, 12)
    yield heading(MARGIN + 12, _SEATS + 12 + len(position["discards"]) * _ROW + 28, progress)


def _card_face(name: str, size: tuple[int, int], middle: float) -> str:
    return card_back(*size) if name == duel.HIDDEN else card(_NAMES[name[0]], name[1:], *size, middle)


def _deck(cards: int, say: Say) -> Iterator[str]:
    """The deck: one to three layers by the number of cards, or a dashed outline if it is empty."""
    width, height = _CARD
    left = MARGIN + INNER / 2 - width / 2
    for layer in range(min(3, (cards + 19) // 20)):
        yield shifted(left + 2 - 2 * layer, 18 - 2 * layer, card_back(width, height))
    if not cards:
        yield rect(left, 14, width, height, stroke=FAINT, dashed=True)
    yield label(MARGIN + INNER / 2, 90, say("deck {cards}", cards=cards), 12, anchor="middle", bold=True)


def _rows(position: JsonObject, score: JsonObject, say: Say) -> Iterator[str]:
    discards = position["discards"]
    width, height = _CARD
    yield panel(Box(MARGIN, 0, INNER, len(discards) * _ROW + 10))
    inner = _SIDE - 4
    for row, (letter, pile) in enumerate(discards.items()):
        y, colour = row * _ROW + 10, _NAMES[letter]
        yield rect(MARGIN + 8, y - 3, INNER - 16, height + 6, COLOURS[colour].tint, r=8)
        yield from _pile(colour, pile, y, say("closed") if position["closed"] == letter else "")
        for seat, expeditions in enumerate(position["expeditions"]):
            x = MARGIN + inner - width if seat == 0 else MARGIN + INNER - inner
            outwards = -_STEP if seat == 0 else _STEP
            yield from _expedition(colour, expeditions[letter], x, y, outwards)
            if expeditions[letter]:
                line = next(line for line in score["seats"][seat]["lines"] if line["item"] == colour)
                x = MARGIN + 27 if seat == 0 else MARGIN + INNER - 27
                yield label(x, y + height / 2 + 5, format_points(line["points"]), 13, anchor="middle", bold=True)


def _expedition(colour: str, cards: Sequence[str], x: float, y: float, outwards: int) -> Iterator[str]:
    """Cards from the centre outwards, the newest on top. The side towards the centre stays visible."""
    if not cards:
        yield shifted(x, y, empty_slot(colour, *_CARD))
    seen = _STEP / 2 + 1 if outwards > 0 else _CARD[0] - _STEP / 2 - 1
    for place, name in enumerate(cards):
        yield shifted(x + place * outwards, y, _card_face(name, _CARD, seen))


def _pile(colour: str, cards: Sequence[str], y: float, mark: str) -> Iterator[str]:
    """A discard pile: the top card, the number of cards, and the mark of a closed pile."""
    width, height = _CARD
    x = MARGIN + INNER / 2 - width / 2
    if not cards:
        yield shifted(x, y, empty_slot(colour, width, height))
        return
    for layer in range(min(3, len(cards)) - 1, 0, -1):
        yield rect(x + 2 * layer, y - 2 * layer, width, height, COLOURS[colour].edge, stroke=PANEL, r=5)
    yield shifted(x, y, _card_face(cards[-1], _CARD, width / 2))
    if len(cards) > 1:
        yield badge(x + width + 4, y + 9, f"{len(cards)}")
    if mark:
        yield rect(x - 6, y + height - 13, width + 12, 16, INK, r=8)
        yield label(x + width / 2, y + height - 1.5, mark, 11, fill=PANEL, anchor="middle")


def _progress(game: JsonObject, say: Say) -> str:
    position, options = game["position"], game["options"]
    turns, most = position["turns"], options["max_turns"]
    parts = [
        say("{turns} turns finished of {most}", turns=turns, most=most)
        if most
        else say("{turns} turns finished", turns=turns)
    ]
    if options["rounds"] > 1:
        parts.append(say("round {number} of {rounds}", number=len(position["rounds"]) + 1, rounds=options["rounds"]))
    if position["rounds"]:
        points = [[format_points(each) for each in finished] for finished in position["rounds"]]
        results = [say("{first} to {second}", first=first, second=second) for first, second in points]
        parts.append(say("earlier: {results}", results=", ".join(results)))
    return " · ".join(parts)
