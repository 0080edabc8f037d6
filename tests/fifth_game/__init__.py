"""A fifth game, registered from outside the package. As a plugin of pytest it is among those that all suites run over:

`pytest -p tests.fifth_game`
"""

import pytest

from service.api.variants import register
from tests.fifth_game import rules, schemas


def join() -> None:
    """Have the service know the game: all that it takes."""
    register(rules, schemas)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Before any test, and so before the application, is imported."""
    join()
