"""The layout of the repository, and what it must not contain."""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from lostcities.cli import main
from lostcities.config import BadSetting, Settings

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "service").rglob("*.py"))


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\n") if name]


def test_the_top_level_has_the_documented_entries() -> None:
    names = {path.relative_to(ROOT).parts[0] for path in tracked()}
    visible = {name for name in names if not name.startswith(".")}
    assert visible == {
        *("pyproject.toml", "service", "openapi", "tests", "deploy", "Dockerfile", "README.md"),
        *("Makefile", "LICENSE", "requirements.lock", "requirements-dev.lock"),
    }


def test_no_package_index_is_named() -> None:
    hosts = re.compile(r"pypi\.org|pythonhosted|npmjs\.(org|com)|registry\.[\w-]+\.(org|com|io|net)", re.IGNORECASE)
    own = Path(__file__)
    for path in tracked():
        if path != own and path.suffix not in (".gz", ".png", ".svg"):
            assert not hosts.search(path.read_text()), path


def test_no_two_classes_have_the_same_name() -> None:
    """A name means one thing. Those that each game has at the same place are one thing, as `State` in its rules."""
    places = defaultdict(set)
    for path in SOURCES:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(path.name if "variants" in path.parts else str(path))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_every_dependency_is_locked_by_its_hash() -> None:
    for name in ("requirements.lock", "requirements-dev.lock", "deploy/compile.lock", "tests/contract/generators.lock"):
        text = (ROOT / name).read_text()
        pinned = re.findall(r"^[\w.\[\]-]+==\S+", text, re.MULTILINE)
        assert len(pinned) > 5
        assert text.count("--hash=sha256:") >= len(pinned)


def test_the_command_line_writes_the_contract(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    main(["openapi", "--output", str(tmp_path / "openapi.json")])
    committed = (ROOT / "openapi" / "openapi.json").read_bytes()
    assert (tmp_path / "openapi.json").read_bytes() == committed
    main(["openapi"])
    assert capfdbinary.readouterr().out == committed


def test_the_core_imports_nothing_from_outside() -> None:
    """Checked at run time: importing the rules loads no third-party module."""
    program = (
        "import sys, lostcities.rules.duel, lostcities.bots.levels, lostcities.games.moves\n"
        "print([name for name in ('flask', 'redis', 'marshmallow', 'msgspec', 'random') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"PORT": "65536"}, "PORT must be a whole number from 0 to 65535"),
        ({"PORT": "-1"}, "PORT"),
        ({"WORKERS": "²"}, "WORKERS"),
        ({"THREADS": "4"}, "THREADS was removed; unset it: .* WORKERS is the number of processes"),
        ({"METRICS_PORT": "8000"}, "METRICS_PORT must differ from PORT: both are 8000"),
        ({"STORE_MAXMEMORY": "much"}, "STORE_MAXMEMORY must be an amount like '512mb', '1gb' or '0', not 'much'"),
        ({"GAME_TTL": "0"}, "GAME_TTL"),
        ({"MAX_EVENTS": "many"}, "MAX_EVENTS"),
        ({"CORS_ORIGINS": "https://a.example,b.example"}, "CORS_ORIGINS"),
        ({"REDIS_URL": "localhost:6379"}, "REDIS_URL: it must begin with"),
    ],
)
def test_the_error_names_the_bad_setting(environment: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadSetting, match=sentence):
        Settings.from_environment(environment)


def test_settings_come_from_the_environment() -> None:
    listening = {"HOST": "::", "PORT": "80", "WORKERS": "3"}
    keeping = {"DATA_DIR": "/x", "REDIS_URL": "redis://y", "GAME_TTL": "60"}
    settings = Settings.from_environment({**listening, **keeping})
    assert (settings.host, settings.port, settings.workers) == ("::", 80, 3)
    assert (str(settings.data_dir), settings.redis_url, settings.game_ttl) == ("/x", "redis://y", 60)
    assert Settings.from_environment({"METRICS_PORT": "9100", "STORE_MAXMEMORY": "2GB"}) == Settings(
        metrics_port=9100, store_maxmemory="2gb", data_dir=Path(".data").absolute()
    )
    assert Settings.from_environment({}) == Settings(data_dir=Path(".data").absolute())
