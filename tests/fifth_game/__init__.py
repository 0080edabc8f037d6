"""A fifth game, registered from outside the package.

As a pytest plugin it adds the game to all parametrised tests: `pytest -p tests.fifth_game`.
"""

import pytest
from lostcities.variants.registry import register


def join() -> None:
    """Register the game with the service."""
    register(__name__)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Register the game before tests import the application."""
    join()
