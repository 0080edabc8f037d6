"""A game that has no drawing of its own: the position as it is told, and each seat with its score line by line."""

import json
from collections.abc import Iterator

from service.api.board.kit import (
    GAP,
    HALF,
    INNER,
    MARGIN,
    MUTED,
    NAMED,
    Box,
    Drawn,
    Plain,
    fitting,
    label,
    panel,
    points,
    seat_panel,
)

_ROW = 20


def draw(game: Plain, score: Plain) -> Drawn:
    """The position in lines, then the seats in two columns."""
    facts = [(key, value) for key, value in game["position"].items() if key not in ("variant", "phase", "active")]
    seats = len(game["players"])
    lines = max(len(seat["lines"]) for seat in score["seats"])
    above = 16 + _ROW * len(facts)
    each = NAMED + 10 + _ROW * lines
    rows = (seats + 1) // 2
    return Drawn(above + rows * (GAP + each), _parts(game, score, facts, above, each))


def _parts(game: Plain, score: Plain, facts: list[tuple[str, object]], above: int, each: int) -> Iterator[str]:
    yield panel(Box(MARGIN, 0, INNER, above))
    for row, (key, value) in enumerate(facts):
        y = 22 + row * _ROW
        told = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        yield label(MARGIN + 12, y, key.replace("_", " "), 12, fill=MUTED)
        yield label(MARGIN + 132, y, fitting(told, INNER - 150, 13), 13)
    for seat, sheet in enumerate(score["seats"]):
        x, y = MARGIN + seat % 2 * (HALF + GAP), above + GAP + seat // 2 * (each + GAP)
        yield seat_panel(game, score, seat, Box(x, y, HALF, each))
        for row, line in enumerate(sheet["lines"]):
            base = y + NAMED + 14 + row * _ROW
            yield label(x + 12, base, fitting(line["item"], HALF - 100, 13), 13)
            yield label(x + HALF - 12, base, points(line["points"]), 13, anchor="end")
