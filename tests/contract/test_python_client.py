"""A typed Python client generated from the contract plays a game of each variant, on a service with API keys."""

import os
import subprocess
import sys
from pathlib import Path

from lostcities.auth import hash_api_key, new_api_key
from lostcities.variants.registry import VARIANTS

from tests.server.serving import ROOT, serving

TOOLS = Path(sys.executable).parent
PROGRAM = ROOT / "tests" / "contract" / "generated_client.py"


def run(*command: str | Path, folder: Path, **environment: str) -> str:
    """Run a tool in the folder. Returns its output."""
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
    run(TOOLS / "mypy", *strict, PROGRAM, folder=tmp_path, MYPYPATH=str(tmp_path))
    key = new_api_key()
    with serving(tmp_path / "data", API_KEYS=hash_api_key(key)) as service:
        told = run(sys.executable, PROGRAM, service.url, key, folder=tmp_path, PYTHONPATH=str(tmp_path))
    assert [line.split(":")[0] for line in told.splitlines() if "finished" in line] == sorted(VARIANTS)
