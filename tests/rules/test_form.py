"""The form of the rules and the bots: plain or compiled, whichever is to be tested. No game imports another."""

import ast
import os
import pkgutil
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType

import pytest
from lostcities import bots, rules
from lostcities.rules.registry import RULES, module_name

MODULES = [
    import_module(module.name)
    for package in (rules, bots)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if not module.ispkg and not module.name.endswith("__mypyc")
]


@pytest.mark.parametrize("module", MODULES, ids=lambda each: each.__name__)
def test_the_module_is_of_the_form_that_is_to_be_tested(module: ModuleType) -> None:
    is_compiled = str(module.__file__).endswith(tuple(EXTENSION_SUFFIXES))
    assert is_compiled == (os.environ.get("RULES") == "compiled")


def imported(source: Path) -> set[str]:
    """The last parts of the names that a module imports."""
    nodes = [node for node in ast.walk(ast.parse(source.read_text())) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in nodes for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    return {name.rsplit(".", 1)[-1] for name in names}


@pytest.mark.parametrize("variant", RULES)
def test_no_game_imports_another(variant: str) -> None:
    sources = [*Path(*rules.__path__).rglob(f"{module_name(variant)}.py")]
    others = {module_name(other) for other in RULES if other != variant}
    for source in sources:
        assert not imported(source) & {*others, "registry"}, source
