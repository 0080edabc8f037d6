"""The form of the rules and the bots: plain or compiled, whichever is to be tested. No game imports another."""

import ast
import os
import pkgutil
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType

import pytest
from lostcities import bots
from lostcities.variants import bitsets, core
from lostcities.variants.registry import VARIANTS

COMPILED = ("rules", "position", "texts", "bot")
"""The modules of a game that are compiled."""
MODULES = [
    core,
    bitsets,
    *(import_module(f"{variant.package}.{name}") for variant in VARIANTS.values() for name in COMPILED),
    *(import_module(f"{bots.__name__}.{each.name}") for each in pkgutil.iter_modules(bots.__path__)),
]


@pytest.mark.parametrize("module", MODULES, ids=lambda each: each.__name__)
def test_the_module_is_of_the_form_that_is_to_be_tested(module: ModuleType) -> None:
    is_compiled = str(module.__file__).endswith(tuple(EXTENSION_SUFFIXES))
    assert is_compiled == (os.environ.get("RULES") == "compiled")


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_list_names_a_variant_as_its_rules_do(variant: str) -> None:
    assert variant == VARIANTS[variant].rules.VARIANT


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_game_imports_another(variant: str) -> None:
    own = VARIANTS[variant].package
    others = [other.package for other in VARIANTS.values() if other.package != own]
    for source in folder(own).glob("*.py"):
        assert not [name for name in imported(source) if name.startswith((*others, "lostcities.variants.registry"))]


def folder(package: str) -> Path:
    return Path(*import_module(package).__path__)


def imported(source: Path) -> set[str]:
    """The full names of the modules that a module imports, or of what it imports from them."""
    nodes = [*ast.walk(ast.parse(source.read_text()))]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return names | {
        f"{node.module}.{alias.name}" for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names
    }
