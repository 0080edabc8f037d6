"""Clients that public generators make from the contract. Each plays a game of every variant on a real service.

The generators have their default settings; `openapi/README.md` names the exceptions. The moves are the listed ones,
sent back as they are. openapi-python-client has a test of its own. Generating and compiling takes some minutes: only
`make contract` runs this. Go and Java are judged where their compilers are installed.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lostcities.variants.registry import VARIANTS

from tests.contract.test_judges import CONTRACT, NODE, Run, missing, only_required, run
from tests.contract.test_python_client import run as run_in
from tests.server.serving import ROOT, Service, serving

__all__ = ["run"]

pytestmark = only_required

GENERATED = NODE / "generated"
LOCK = Path(__file__).with_name("generators.lock")
HERE = Path(__file__).parent
DEBIAN_GO = Path("/usr/share/gocode")
"""Where Debian's packages have the sources of Go libraries: golang-gopkg-validator.v2-dev."""
DEBIAN_JAVA = Path("/usr/share/java/geronimo-annotation-1.3-spec.jar")
"""The annotation `Generated`, from Debian's libgeronimo-annotation-1.3-spec-java."""
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
    assert finished(run("node", compiled / f"play-{generator}.js", service.url)) == sorted(VARIANTS)


def test_the_python_client_of_openapi_generator_plays_every_game(
    environment: Path, service: Service, tmp_path: Path
) -> None:
    program = Path(__file__).with_name("play_openapi_generator.py")
    openapi_generator(environment, "python", tmp_path, "--package-name", "openapi_generator_client")
    strict = ["--strict", "--follow-imports=silent", "--config-file=", "--cache-dir=cache"]
    run_in(sys.executable, "-m", "mypy", *strict, program, folder=tmp_path, MYPYPATH=str(tmp_path))
    told = run_in(environment / "python", program, service.url, folder=tmp_path, PYTHONPATH=str(tmp_path))
    assert finished(told) == sorted(VARIANTS)


def test_the_go_client_of_openapi_generator_plays_every_game(
    environment: Path, service: Service, tmp_path: Path
) -> None:
    if not shutil.which("go") or not (DEBIAN_GO / "src" / "gopkg.in" / "validator.v2").exists():
        pytest.skip("NOT JUDGED: there is no Go here, or not the library that the client imports")
    openapi_generator(environment, "go", tmp_path / "src" / "lostcities")
    shutil.copytree(HERE / "go", tmp_path / "src" / "play")
    sources = {"GO111MODULE": "off", "GOPATH": f"{tmp_path}{os.pathsep}{DEBIAN_GO}"}
    run_in("go", "build", "-o", tmp_path / "player", "play", folder=tmp_path, **sources)
    assert finished(run_in(tmp_path / "player", service.url, folder=tmp_path)) == sorted(VARIANTS)


def test_the_java_client_of_openapi_generator_plays_every_game(
    environment: Path, service: Service, tmp_path: Path
) -> None:
    """It uses Jackson, which the generator itself contains. The default library needs one that Debian does not have."""
    if not shutil.which("javac") or not DEBIAN_JAVA.exists():
        pytest.skip("NOT JUDGED: there is no Java compiler here, or not the library that the client imports")
    options = ["--library", "native", "--additional-properties", "openApiNullable=false"]
    openapi_generator(environment, "java", tmp_path, *options)
    (jackson,) = environment.parent.glob("lib/*/site-packages/openapi_generator_cli/openapi-generator.jar")
    path = os.pathsep.join(map(str, [tmp_path / "classes", jackson, DEBIAN_JAVA]))
    sources = [*(tmp_path / "src" / "main").rglob("*.java"), HERE / "java" / "Play.java"]
    run_in("javac", "-nowarn", "-d", tmp_path / "classes", "-cp", path, *sources, folder=tmp_path)
    assert finished(run_in("java", "-cp", path, "Play", service.url, folder=tmp_path)) == sorted(VARIANTS)
