"""What the values of the contract's lists mean, where their names do not say it."""

from collections.abc import Iterator, Mapping
from typing import Final

from lostcities.bots.levels import EXPERT, GREEDY, RANDOM
from lostcities.games.game import endings
from lostcities.variants.registry import VARIANTS

Meanings = Mapping[str, str]

_SHARED: Final[tuple[Meanings, ...]] = (
    {
        RANDOM: "makes any legal move",
        GREEDY: "makes the move that looks best at once",
        EXPERT: "compares moves by playing the game to its end many times",
    },
    {"server": "the service", "caller": "the client that created the game"},
)


def meanings() -> Iterator[Meanings]:
    """A table for each list: its values and what they mean."""
    yield from _SHARED
    for variant in VARIANTS.values():
        rules = variant.rules
        yield rules.INFO.phases
        yield endings(rules)
        for component in rules.INFO.components.values():
            if isinstance(component, Mapping) and all(isinstance(text, str) for text in component.values()):
                yield component


def sentence(table: Meanings) -> str:
    """The table as one sentence.

    >>> sentence({"play": "a card is played", "over": "the game is over"})
    '`play`: a card is played; `over`: the game is over.'
    """
    return "; ".join(f"`{value}`: {meaning}" for value, meaning in table.items()) + "."
