"""The form of the rules and the bots: plain or compiled, whichever is to be tested. No game imports another."""

import ast
import os
import pkgutil
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest
from lostcities import bots
from lostcities.variants import bitsets, core
from lostcities.variants.registry import VARIANTS

COMPILED = ("rules", "position", "texts", "bot", "simulator")
"""The modules of a game that are compiled, if it has them."""
MODULES = [
    core,
    bitsets,
    *(
        import_module(f"{variant.package}.{name}")
        for variant in VARIANTS.values()
        for name in COMPILED
        if find_spec(f"{variant.package}.{name}")
    ),
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


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_replacer_is_called_with_a_value_for_each_of_its_fields(variant: str) -> None:
    nodes = [*ast.walk(ast.parse((folder(VARIANTS[variant].package) / "rules.py").read_text()))]
    fields = {
        node.target.id: node.value.args[1:]
        for node in nodes
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id == "replacer"
    }
    calls = [
        (node.func.id, node.args[1:])
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in fields
    ]
    assert {name for name, _ in calls} == fields.keys()
    assert [(name, len(values)) for name, values in calls] == [(name, len(fields[name])) for name, _ in calls]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_values_of_each_refusal_are_documented(variant: str) -> None:
    rules = VARIANTS[variant].rules
    sources = [folder(VARIANTS[variant].package) / "rules.py", folder("lostcities.variants") / "core.py"]
    named: dict[str | None, set[str]] = {}
    for node in (each for source in sources for each in ast.walk(ast.parse(source.read_text()))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "illegal":
            rule = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
            named.setdefault(str(rule) if rule else None, set()).update(str(each.arg) for each in node.keywords)
    documented = {rule: {*names} for rule, names in rules.INFO.values.items()}
    assert documented.keys() <= rules.INFO.rules.keys()
    assert {rule: names for rule, names in named.items() if rule and names}.items() <= documented.items()
    # A rule that is the value of a variable there has the values of that call.
    assert [documented[rule] for rule in documented.keys() - named.keys()] == [
        named.get(None, set()) for _ in documented.keys() - named.keys()
    ]


def folder(package: str) -> Path:
    return Path(*import_module(package).__path__)


def imported(source: Path) -> set[str]:
    """The full names of the modules that a module imports, or of what it imports from them."""
    nodes = [*ast.walk(ast.parse(source.read_text()))]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return names | {
        f"{node.module}.{alias.name}" for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names
    }
