"""Generic picture: the members of the position as text, and the score sheet of each seat."""

import json
from collections.abc import Iterator

from lostcities.boards.svg import (
    GAP,
    HALF,
    HEADER_HEIGHT,
    INNER,
    MARGIN,
    MUTED,
    Box,
    Drawing,
    JsonObject,
    format_points,
    label,
    panel,
    seat_panel,
    truncate,
)
from lostcities.languages import Say

_ROW = 20


def draw(game: JsonObject, score: JsonObject, say: Say) -> Drawing:
    """The position as lines of text, then the seats in two columns."""
    facts = [(key, value) for key, value in game["position"].items() if key not in ("variant", "phase", "active")]
    seats = len(game["players"])
    lines = max(len(seat["lines"]) for seat in score["seats"])
    above = 16 + _ROW * len(facts)
    each = HEADER_HEIGHT + 10 + _ROW * lines
    rows = (seats + 1) // 2
    return Drawing(above + rows * (GAP + each), _parts(game, score, facts, above, each, say=say))


def _parts(
    game: JsonObject, score: JsonObject, facts: list[tuple[str, object]], above: int, each: int, *, say: Say
) -> Iterator[str]:
    yield panel(Box(MARGIN, 0, INNER, above))
    for row, (key, value) in enumerate(facts):
        y = 22 + row * _ROW
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        yield label(MARGIN + 12, y, key.replace("_", " "), 12, fill=MUTED)
        yield label(MARGIN + 132, y, truncate(text, INNER - 150, 13), 13)
    for seat, sheet in enumerate(score["seats"]):
        x, y = MARGIN + seat % 2 * (HALF + GAP), above + GAP + seat // 2 * (each + GAP)
        yield seat_panel(game, score, seat, Box(x, y, HALF, each), say)
        for row, line in enumerate(sheet["lines"]):
            base = y + HEADER_HEIGHT + 14 + row * _ROW
            yield label(x + 12, base, truncate(line["item"], HALF - 100, 13), 13)
            yield label(x + HALF - 12, base, format_points(line["points"]), 13, anchor="end")
