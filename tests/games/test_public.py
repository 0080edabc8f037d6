"""That a finished game is public is decided by one function."""

import ast
from collections.abc import Iterator
from pathlib import Path

import lostcities
import pytest

SOURCE = Path(str(lostcities.__file__)).parent
ENDS = {"is_over", "to_act", "result", "outcome", "ended", "finished", "status", "OVER"}
"""Names that say whether a game is over."""
SECRETS = {"FULL", "viewer", "seed", "require_host", "Forbidden", "Unauthorized"}
"""Names of what the end of a game reveals, and of what refuses it."""


def names(*nodes: ast.AST) -> set[str]:
    """The names and attributes in the nodes."""
    found = [each for node in nodes for each in ast.walk(node)]
    return {each.id for each in found if isinstance(each, ast.Name)} | {
        each.attr for each in found if isinstance(each, ast.Attribute)
    }


def decisions(source: str) -> Iterator[str]:
    """The conditions on the end of a game that decide about a secret."""
    for node in ast.walk(ast.parse(source)):
        decided: list[ast.AST]
        match node:
            case ast.IfExp(test, body, orelse):
                decided = [body, orelse]
            case ast.If(test, statements, others):
                decided = [*statements, *others]
            case ast.BoolOp(_, [test, *values]):
                decided = [*values]
            case _:
                continue
        if names(test) & ENDS and names(*decided) & SECRETS:
            yield ast.unparse(node)


@pytest.mark.parametrize(
    "source",
    [
        "shown = FULL if game.is_over else viewer",
        "if not stored.game.to_act:\n    viewer = FULL",
        "if game.result is None:\n    require_host(caller)",
        "seed = game.is_over and game.setup.seed",
        "return game.setup.seed if game.phase == OVER else None",
    ],
)
def test_such_decisions_are_found(source: str) -> None:
    assert len([*decisions(source)]) == 1


def test_one_function_decides_that_a_finished_game_is_public() -> None:
    found = {
        (path.relative_to(SOURCE).as_posix(), decision)
        for path in SOURCE.rglob("*.py")
        for decision in decisions(path.read_text())
    }
    # A bot's seat is refused as long as the game goes on.
    about_views = {(module, decision) for module, decision in found if "Forbidden" not in decision}
    assert about_views == {("variants/core.py", "FULL if is_over else viewer")}
