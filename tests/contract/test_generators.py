"""Clients that public generators make from the contract. Each plays a game of every variant on a real service.

Their moves are the listed ones, sent back as they are. openapi-python-client has a test of its own. Generating and
compiling takes a minute: only `make contract` runs this.
"""

import fcntl
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lostcities.rules.registry import RULES

from tests.contract.test_judges import CONTRACT, NODE, Run, missing, only_required, run
from tests.contract.test_python_client import run as run_in
from tests.server.serving import ROOT, Service, serving

__all__ = ["run"]

pytestmark = only_required

GENERATED = NODE / "generated"
LOCK = Path(__file__).with_name("generators.lock")
TYPESCRIPT = ["openapi-typescript", "hey-api", "orval", "typescript-fetch"]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("generators")) as running:
        yield running


def finished(output: str) -> list[str]:
    """The variants of the games that a program says it has finished."""
    return [line.split(":")[0] for line in output.splitlines() if "finished" in line]


@pytest.fixture(scope="module")
def environment() -> Path:
    """The programs of a virtual environment with openapi-generator and what its Python client needs."""
    if not shutil.which("java"):
        missing("there is no java here")
    folder = ROOT / "build" / "generators"
    installed = folder / "installed"
    folder.mkdir(parents=True, exist_ok=True)
    with LOCK.open() as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not installed.exists() or installed.read_bytes() != LOCK.read_bytes():
            subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
            command = [str(folder / "bin" / "pip"), "install", "--quiet", "--require-hashes", "-r", str(LOCK)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                missing(f"pip cannot install openapi-generator: {done.stderr[-500:]}")
            installed.write_bytes(LOCK.read_bytes())
    return folder / "bin"


def openapi_generator(environment: Path, language: str, output: Path, *options: str) -> None:
    generator = str(environment / "openapi-generator-cli")
    command = [generator, "generate", "-i", str(CONTRACT), "-g", language, "-o", str(output), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def compiled(run: Run, environment: Path) -> Path:
    """The folder of the TypeScript programs, compiled strictly with the code of all generators."""
    shutil.rmtree(GENERATED, ignore_errors=True)
    said = run("openapi-typescript", CONTRACT, "--output", GENERATED / "openapi-typescript.d.ts")
    assert "⚠" not in said
    run("openapi-ts")
    run("orval")
    openapi_generator(environment, "typescript-fetch", GENERATED / "typescript-fetch")
    run("tsc", "--project", ".")
    return GENERATED / "js"


@pytest.mark.parametrize("generator", TYPESCRIPT)
def test_a_typescript_client_plays_every_game(run: Run, compiled: Path, service: Service, generator: str) -> None:
    assert finished(run("node", compiled / f"play-{generator}.js", service.url)) == sorted(RULES)


def test_the_python_client_of_openapi_generator_plays_every_game(
    environment: Path, service: Service, tmp_path: Path
) -> None:
    program = Path(__file__).with_name("play_openapi_generator.py")
    openapi_generator(environment, "python", tmp_path, "--package-name", "openapi_generator_client")
    strict = ["--strict", "--follow-imports=silent", "--config-file=", "--cache-dir=cache"]
    run_in(sys.executable, "-m", "mypy", *strict, program, folder=tmp_path, MYPYPATH=str(tmp_path))
    told = run_in(environment / "python", program, service.url, folder=tmp_path, PYTHONPATH=str(tmp_path))
    assert finished(told) == sorted(RULES)
