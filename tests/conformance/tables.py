"""Parameters for tests: each variant of the registry with each number of seats."""

import pytest
from lostcities.rules.registry import RULES

TABLES = [
    (variant, seats) for variant, game in RULES.items() for seats in range(game.INFO.seats[0], game.INFO.seats[1] + 1)
]

every_table = pytest.mark.parametrize(("variant", "seats"), TABLES)
every_variant = pytest.mark.parametrize("variant", RULES)


def brief(variant: str, turns: int = 150) -> dict[str, int]:
    """Options under which random play is sure to end."""
    names = {option.name for option in RULES[variant].INFO.options}
    return {"max_turns": turns} if "max_turns" in names else {}
