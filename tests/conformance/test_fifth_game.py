"""A variant registered from outside the package is found everywhere, and passes the conformance suite."""

import os
import re
import shutil
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


BOT = """
from lostcities.bots.core import Heuristic, never

def leave(state, seat, moves, pick):
    return moves[-1]

HEURISTIC = Heuristic(leave, 20, 1000, never)
"""
BOARD = """
from lostcities.boards.svg import Drawing, label

def draw(game, score, say):
    return Drawing(40, [label(0, 0, "a picture of its own", 12)])
"""
PAGE = "export function draw() { return []; }"
ASKS = """
import sys
sys.path.insert(0, sys.argv[1])
from lostcities.variants.registry import register
register("whole_game")
from lostcities.app import create_app
from lostcities.config import Settings
from lostcities.web.table import _ASSETS
api = create_app(Settings(redis_url=sys.argv[2])).test_client()
assert "LanternPosition" in api.get("/openapi.json").json["components"]["schemas"]
assert api.get("/variants/lantern").json["bots"] == ["random", "greedy", "expert"]
created = api.post("/games", json={"variant": "lantern", "players": ["Ann", {"name": "Ben", "bot": "greedy"}]}).json
picture = api.get(f"/games/{created['id']}/board.svg")
assert "a picture of its own" in picture.text
assert "export function draw" in api.get(f"/table/{_ASSETS.digest}/games/lantern.js").text
"""


def test_a_game_is_found_everywhere_by_its_folder_and_one_line(tmp_path: Path, store_url: str) -> None:
    """In the contract, the bots, the pictures and the page, with each optional part."""
    game = tmp_path / "whole_game"
    shutil.copytree(ROOT / "tests" / "fifth_game", game, ignore=shutil.ignore_patterns("__init__.py", "__pycache__"))
    for module in game.glob("*.py"):
        module.write_text(module.read_text().replace("tests.fifth_game", "whole_game"))
    for name, text in (("__init__.py", ""), ("bot.py", BOT), ("board.py", BOARD), ("page.js", PAGE)):
        (game / name).write_text(text)
    run("-c", ASKS, str(tmp_path), store_url)


def test_a_game_without_a_required_module_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "half_a_game").mkdir()
    (tmp_path / "half_a_game" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ImportError, match=r"the module half_a_game\.rules is missing"):
        register("half_a_game")


def test_registering_a_variant_twice_raises() -> None:
    with pytest.raises(ValueError, match="duel already"):
        register("lostcities.variants.duel")
