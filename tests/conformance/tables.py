"""Parameters for tests: each variant of the registry with each number of seats."""

import pytest
from lostcities.variants.registry import VARIANTS

TABLES = [
    (variant, seats)
    for variant, game in VARIANTS.items()
    for seats in range(game.rules.INFO.seats[0], game.rules.INFO.seats[1] + 1)
]

every_table = pytest.mark.parametrize(("variant", "seats"), TABLES)
every_variant = pytest.mark.parametrize("variant", VARIANTS)


def brief(variant: str, turns: int = 150) -> dict[str, int]:
    """Options under which random play is sure to end."""
    names = {option.name for option in VARIANTS[variant].rules.INFO.options}
    return {"max_turns": turns} if "max_turns" in names else {}
