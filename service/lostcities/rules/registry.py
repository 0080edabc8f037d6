"""The list of variants. A new game of this package is added here, and in no other list."""

from typing import Final

from lostcities.rules import duel, rivals, roll_and_write, treasure_hunt
from lostcities.rules.core import AnyRules

_GAMES: Final[tuple[AnyRules, ...]] = (duel, rivals, roll_and_write, treasure_hunt)

RULES: Final[dict[str, AnyRules]] = {rules.VARIANT: rules for rules in _GAMES}
"""By the name of the variant in the API."""


def module_name(variant: str) -> str:
    """The name of a variant's module, the same in each package that has one module per game.

    >>> module_name("roll-and-write")
    'roll_and_write'
    """
    return variant.replace("-", "_")
