"""Games as text, for people and language models at a terminal: `describe`, and the helpers of the games' own modules.

Only the data that the caller gets as JSON are used, so a text cannot show a hidden card.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from lostcities.variants.registry import VARIANTS

JsonObject = dict[str, Any]

Describe = Callable[[JsonObject, Sequence[str]], Iterable[str]]
"""`describe(game, names)` of a game's own module `board_text`."""

NOTHING: Final = "-"
"""What stands for an empty place."""


def describe(game: JsonObject, names: Sequence[str]) -> list[str]:
    """The position of a game as lines of text.

    :param game: the game, as `GET /games/{id}` returns it to the reader
    :param names: what each seat is called
    """
    variant = VARIANTS.get(game["variant"])
    return [*((variant and variant.describe) or _describe_members)(game, names)]


def _describe_members(game: JsonObject, names: Sequence[str]) -> Iterator[str]:
    """A game without a text of its own: the members of its position."""
    for seat, name in enumerate(names):
        yield f"Seat {seat} is {name}."
    for key, value in game["position"].items():
        if key not in ("variant", "phase"):
            yield f"{key}: {in_words(value)}"


def row(cards: Iterable[object]) -> str:
    """Cards, tiles or dice in a row.

    >>> row(["Rw", "R7"]), row([])
    ('Rw R7', '-')
    """
    return " ".join(map(str, cards)) or NOTHING


def in_words(data: Any) -> str:
    """JSON data as short text.

    >>> in_words({"hand": 8, "arrows": {"R": [4, 8], "O": []}})
    'hand: 8, arrows: (R: 4 8, O: -)'
    """
    if isinstance(data, dict):
        return ", ".join(
            f"{name}: ({in_words(value)})" if isinstance(value, dict) else f"{name}: {in_words(value)}"
            for name, value in data.items()
        )
    return row(map(in_words, data)) if isinstance(data, list) else str(data)


def columns(*lines: Sequence[str]) -> Iterator[str]:
    """Lines whose cells stand below each other.

    >>> [*columns(("", "you"), ("gold", "7"))]
    ['      you', 'gold  7']
    """
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    for line in lines:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
