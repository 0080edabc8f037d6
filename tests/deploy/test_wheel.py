"""The wheel, installed into an empty virtual environment: its files, the rules without dependencies, and the server."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import requests
from lostcities.variants.registry import VARIANTS

from tests.server.serving import ROOT, START_SECONDS

PACKAGE = ROOT / "service" / "lostcities"
RULES_ALONE = """
import sys
import lostcities.rules
from lostcities.rules import duel
from lostcities.variants.registry import VARIANTS
state = duel.setup(2, duel.parse_options({}))
assert duel.to_act(state) == ("chance",)
foreign = {name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names - {"lostcities", "__main__"}
rules = [variant.rules for variant in VARIANTS.values()]
print(len(rules), *sorted(name for name in foreign if not name.startswith(("_", "sitecustomize"))))
"""


def environment() -> dict[str, str]:
    """Nothing of this checkout: only what pip needs to reach its packages."""
    kept = ("PIP_", "HOME", "http", "HTTP", "SSL")
    return {"PATH": "/usr/bin:/bin", **{name: value for name, value in os.environ.items() if name.startswith(kept)}}


def run(*command: str | Path, folder: Path, **more: str) -> str:
    done = subprocess.run(
        command, cwd=folder, env={**environment(), **more}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(folder: Path) -> Path:
    """A wheel of plain Python: the compiled form has tests of its own, and takes minutes."""
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder, folder=ROOT, CC="none")
    (wheel,) = folder.glob("*.whl")
    return wheel


@contextmanager
def served(command: Path, folder: Path) -> Iterator[str]:
    """The address of a service that the command started."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    process = subprocess.Popen(
        [command, "serve"],
        cwd=folder,
        env={**environment(), "PORT": port, "DATA_DIR": str(folder / "data")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until_live(f"http://127.0.0.1:{port}", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        assert process.wait(30) == 0


def wait_until_live(url: str, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            if requests.get(f"{url}/livez", timeout=5).ok:
                return
        except requests.RequestException:
            time.sleep(0.05)
    raise AssertionError("the service did not start")


def test_an_installed_wheel_is_complete_and_serves(tmp_path: Path) -> None:
    wheel = build(tmp_path / "dist")
    empty = tmp_path / "empty"
    empty.mkdir()
    run(sys.executable, "-m", "venv", tmp_path / "venv", folder=empty)
    python = tmp_path / "venv" / "bin" / "python"
    (site,) = (tmp_path / "venv").glob("lib/python3*/site-packages")
    before = {path.name for path in site.iterdir()}

    run(python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile", wheel, folder=empty)
    added = {path.name for path in site.iterdir()} - before
    assert added == {"lostcities", f"{'-'.join(wheel.name.split('-')[:2])}.dist-info"}
    sources = {path.relative_to(PACKAGE) for path in PACKAGE.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    installed = {path.relative_to(site / "lostcities") for path in (site / "lostcities").rglob("*") if path.is_file()}
    assert installed == sources
    assert {Path("py.typed"), Path("store/lua/append.lua"), Path("web/static/table/index.html")} <= installed
    assert run(python, "-c", RULES_ALONE, folder=empty).split() == [str(len(VARIANTS))]

    locked = ("--require-hashes", "-r", ROOT / "requirements.lock")
    run(python, "-m", "pip", "install", "--quiet", *locked, folder=empty)
    with served(python.with_name("lostcities"), empty) as url:
        created = requests.post(f"{url}/games", json={"variant": "duel", "players": ["Ann", "Ben"]}, timeout=10)
        assert created.status_code == 201
        assert requests.get(f"{url}/table/1/games/duel.js", timeout=10).status_code == 200
