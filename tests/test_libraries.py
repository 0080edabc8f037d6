"""The service uses only public interfaces of libraries, so that dependencies can be upgraded at any time."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULES = {path: ast.parse(path.read_text()) for path in sorted((ROOT / "service").rglob("*.py"))}

NAMED_TUPLE = {"_replace", "_asdict", "_fields", "_make"}
"""Documented as public by the standard library, despite the underscore."""
DOCUMENTATION_HOOKS = {"_prepare_doc_cbks", "_register_responses"}
"""flask-smorest's hooks for documentation, used in one `Api` and one `Blueprint` subclass only."""
ENVIRONMENT_HOOKS = {"_accumulate_rewards", "_was_dead_step"}
"""PettingZoo's methods for authors of environments."""
FIELD_HOOKS = {"_deserialize", "_serialize"}
"""Methods that marshmallow documents for custom fields."""
NOT_SUBCLASSED = ("gunicorn", "gevent", "redis", "flask.Flask", "werkzeug")


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def own_private_names() -> set[str]:
    """All private names that the service defines."""
    names = set()
    for tree in MODULES.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                names.add(node.name)
            elif isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Store):
                names.add(node.attr if isinstance(node, ast.Attribute) else node.id)
    return names


def imported(tree: ast.Module) -> dict[str, str]:
    """The names that a module imports, with their full names."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
        elif isinstance(node, ast.Import):
            names |= {(each.asname or each.name).split(".")[0]: each.name for each in node.names}
    return names


def subclasses(tree: ast.Module) -> Iterator[tuple[ast.ClassDef, str]]:
    """Each class with an imported base class, and the full name of that base."""
    known = imported(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for base in node.bases:
                name = ast.unparse(base).split("[", maxsplit=1)[0]
                first, _, rest = name.partition(".")
                if first in known:
                    yield node, f"{known[first]}.{rest}".strip(".")


def test_no_private_name_of_a_library_is_used() -> None:
    own = own_private_names()
    allowed = own | NAMED_TUPLE | ENVIRONMENT_HOOKS
    for path, tree in MODULES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in allowed:
                where = f"{path.relative_to(ROOT)}:{node.lineno}"
                assert node.attr in DOCUMENTATION_HOOKS, f"{where} uses {node.attr}"
                assert path.parent.name == "contract", f"{where} uses {node.attr}"
        for name in imported(tree).values():
            assert not any(is_private(part) for part in name.split(".")) or name.startswith("_typeshed"), (path, name)


def test_no_private_method_of_a_library_is_overridden() -> None:
    for path, tree in MODULES.items():
        for node, base in subclasses(tree):
            if base.startswith("service."):
                continue
            private = {each.name for each in node.body if isinstance(each, ast.FunctionDef) and is_private(each.name)}
            if base.startswith("flask_smorest."):
                assert private <= DOCUMENTATION_HOOKS, (path, node.name)
            elif base.startswith("marshmallow.fields."):
                assert private <= FIELD_HOOKS, (path, node.name)
            elif base.split(".")[0] in ("webargs", "flask", "apispec"):
                assert not private, (path, node.name)


def test_no_worker_connection_pool_or_application_is_subclassed() -> None:
    for path, tree in MODULES.items():
        for node, base in subclasses(tree):
            is_allowed = base == "gunicorn.glogging.Logger"  # documented: `logger_class`
            assert is_allowed or not base.startswith(NOT_SUBCLASSED), f"{path}: {node.name} is a {base}"


def test_versions_are_pinned_in_the_lock_files_alone() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"].values()
    for requirement in [*project["project"]["dependencies"], *(each for extra in extras for each in extra)]:
        assert not re.search(r"==|===|~=", requirement.split(";")[0]), requirement
