"""Parameters for tests: each variant that has environments, with each number of seats."""

import pytest
from lostcities.variants.registry import VARIANTS

from tests.conformance import tables

ENVIRONMENTS = {variant: game for variant, game in VARIANTS.items() if game.encoding}
TABLES = [(variant, seats) for variant, seats in tables.TABLES if variant in ENVIRONMENTS]

every_table = pytest.mark.parametrize(("variant", "seats"), TABLES)
every_variant = pytest.mark.parametrize("variant", ENVIRONMENTS)
