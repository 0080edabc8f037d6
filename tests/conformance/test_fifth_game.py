"""A variant registered from outside the package passes the conformance suite."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from lostcities.variants.registry import register

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
    """The contract of a service with the additional variant."""
    program = "from tests.fifth_game import join; join(); from lostcities.cli import main; main()"
    run("-c", program, "openapi", "--output", str(tmp_path / "openapi.json"))
    return str(tmp_path / "openapi.json")


def test_a_game_from_outside_passes_the_conformance_suite(contract: str) -> None:
    suites = [
        "tests/conformance/test_rules.py",
        "tests/conformance/test_http.py",
        "tests/conformance/test_bot_seats.py",
        "tests/api/test_advice.py",
        "tests/boards/test_boards.py",
        "tests/api/test_views.py",
        "tests/bots/test_levels.py",
    ]
    told = run(
        *(
            "-m",
            "pytest",
            "-q",
            "-p",
            "tests.fifth_game",
            "-p",
            "no:cacheprovider",
            "-k",
            "lantern and not pictures_of_the_readme",
            *suites,
        ),
        CONTRACT=contract,
    )
    (passed,) = re.findall(r"(\d+) passed", told)
    assert int(passed) > 30
    assert "skipped" not in told
    assert "failed" not in told


def test_registering_a_variant_twice_raises() -> None:
    with pytest.raises(ValueError, match="duel already"):
        register("lostcities.variants.duel")
