"""The rules have two forms, plain and compiled. The tests here are for both, and must meet the one that is meant."""

import os
from importlib.machinery import EXTENSION_SUFFIXES
from types import ModuleType

import pytest

from service.rules import duel, game, rivals, roll_and_write, treasure_hunt


@pytest.mark.parametrize("module", [game, duel, rivals, roll_and_write, treasure_hunt], ids=lambda each: each.__name__)
def test_the_rules_are_of_the_form_that_is_to_be_tested(module: ModuleType) -> None:
    is_compiled = str(module.__file__).endswith(tuple(EXTENSION_SUFFIXES))
    assert is_compiled == (os.environ.get("RULES") == "compiled")
