"""A game from outside costs its rules, its schemas and one line; then every suite runs over it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from service.api.variants import SCHEMAS, register
from service.rules.registry import GAMES

ROOT = Path(__file__).parents[2]


def run(*arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def contract(tmp_path: Path) -> str:
    """The contract of a service that knows the game."""
    program = "from tests.fifth_game import join; join(); from service.cli import main; main()"
    run("-c", program, "openapi", "--output", str(tmp_path / "openapi.json"))
    return str(tmp_path / "openapi.json")


def test_a_game_from_outside_passes_the_conformance_suite(contract: str) -> None:
    suites = ["tests/conformance/test_rules.py", "tests/conformance/test_http.py", "tests/api/test_board.py"]
    told = run(
        *("-m", "pytest", "-q", "-p", "tests.fifth_game", "-p", "no:cacheprovider", "-k", "lantern", *suites),
        CONTRACT=contract,
    )
    (passed,) = re.findall(r"(\d+) passed", told)
    assert int(passed) > 30
    assert "skipped" not in told
    assert "failed" not in told


def test_two_games_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="duel already"):
        register(GAMES["duel"], SCHEMAS["duel"])
