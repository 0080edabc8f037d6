"""Every table that can be set: each variant of the registry, with each number of seats."""

import pytest

from service.rules.registry import GAMES

TABLES = [
    (variant, seats) for variant, game in GAMES.items() for seats in range(game.ABOUT.seats[0], game.ABOUT.seats[1] + 1)
]

every_table = pytest.mark.parametrize(("variant", "seats"), TABLES)
every_variant = pytest.mark.parametrize("variant", GAMES)


def brief(variant: str) -> dict[str, int]:
    """Options under which random play is sure to end."""
    names = {option.name for option in GAMES[variant].ABOUT.options}
    return {"max_turns": 150} if "max_turns" in names else {}
