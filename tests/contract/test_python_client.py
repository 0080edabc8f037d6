"""A stranger generates a typed Python client from the contract alone, and plays every game with it."""

import os
import subprocess
import sys
from pathlib import Path

from service.rules.registry import GAMES
from tests.server.serving import ROOT, serving

TOOLS = Path(sys.executable).parent
STRANGER = ROOT / "tests" / "contract" / "stranger.py"


def run(*command: str | Path, folder: Path, **environment: str) -> str:
    """Run one of our tools in that folder; what it says."""
    own = {"PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}", **environment}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **own},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_a_generated_client_plays_every_game(tmp_path: Path) -> None:
    contract = ROOT / "openapi" / "openapi.json"
    settings = Path(__file__).with_name("openapi-python-client.yaml")
    package = ["--output-path", "lost_cities_client", "--meta", "none", "--config", str(settings)]
    said = run(TOOLS / "openapi-python-client", "generate", "--path", contract, *package, folder=tmp_path)
    assert "warning" not in said.lower()
    strict = ["--strict", "--follow-imports=silent", "--config-file=", "--cache-dir=cache"]
    run(TOOLS / "mypy", *strict, STRANGER, folder=tmp_path, MYPYPATH=str(tmp_path))
    with serving(tmp_path / "data") as service:
        told = run(sys.executable, STRANGER, service.url, folder=tmp_path, PYTHONPATH=str(tmp_path))
    assert [line.split(":")[0] for line in told.splitlines() if "finished" in line] == sorted(GAMES)
