"""`make run`: the service of a checkout runs compiled where it can."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from lostcities.gunicorn_config import rules_form

from tests.server.process_tree import descendants
from tests.server.serving import ROOT, Service, serving

COMPILING = "plain Python (compiling in the background for the next start)"
COMPILE_SECONDS = 500
"""On a busy machine. An idle one takes 20."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose virtual environment has no compiled copy."""
    for folder in ("service", "deploy"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / ".venv").mkdir()
    return tmp_path


def until(is_done: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not is_done():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def run(checkout: Path, name: str = "data", **environment: str) -> "Service":
    """What `make run` runs."""
    return Service(checkout / name, command=(str(checkout / "deploy" / "run.py"),), WORKERS="1", **environment)


def form(service: Service) -> str:
    """What the one line says."""
    (line,) = [line for line in service.output if line.startswith("rules and bots:")]
    return line.removeprefix("rules and bots:").strip()


def loaded(service: Service) -> set[str]:
    """The compiled modules that the worker has loaded."""
    maps = [Path(f"/proc/{pid}/maps").read_text() for pid in descendants(service.process.pid)]
    # Not "lostcities/" alone: the folder of the clone may have that name.
    ours = "/compiled/lostcities/"
    return {line.split("/")[-1].split(".")[0] for text in maps for line in text.splitlines() if ours in line}


def test_the_first_start_is_plain_and_later_ones_are_compiled_unless_the_sources_change(checkout: Path) -> None:
    stamp = checkout / ".venv" / "compiled" / "made"
    # Two at the same time make one copy.
    first, second = run(checkout, "one"), run(checkout, "two")
    assert (form(first), form(second)) == (COMPILING, COMPILING)
    until(stamp.exists, COMPILE_SECONDS)
    for service in (first, second):
        until(lambda service=service: not compilers(service))  # type: ignore[misc]
        assert not loaded(service)
        service.stop()
    assert (checkout / ".venv" / "compiling.log").read_text() == ""
    made = stamp.stat().st_mtime
    service = run(checkout)
    assert form(service) == "compiled"
    assert {"rules", "expert"} <= loaded(service)
    assert service.client.get("/variants").status == 200
    service.stop()
    # A copy that is older than the sources is not served.
    with (checkout / "service" / "lostcities" / "rules" / "duel.py").open("a") as source:
        source.write("\n# changed\n")
    service = run(checkout)
    assert form(service) == COMPILING
    assert not loaded(service)
    service.stop()
    assert stamp.stat().st_mtime == made
    until(lambda: not (checkout / ".venv" / "compiling").exists())


def compilers(service: Service) -> list[int]:
    """The processes of a compilation in the background."""
    lines = {pid: Path(f"/proc/{pid}/cmdline") for pid in descendants(service.process.pid)}
    return [pid for pid, line in lines.items() if line.exists() and b"copy-in-background" in line.read_bytes()]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
def test_a_service_that_stops_ends_the_compilation(checkout: Path, how: signal.Signals) -> None:
    service = run(checkout)
    (compiler,) = compilers(service)
    until((checkout / ".venv" / "compiling" / "new" / "lostcities" / "rules").exists)
    children = [compiler, *descendants(compiler)]
    if how == signal.SIGKILL:  # only the supervisor; its children end by themselves
        service.process.kill()
        service.process.wait(30)
    else:
        service.stop(how)
    until(lambda: not any(Path(f"/proc/{pid}/cmdline").exists() and not is_zombie(pid) for pid in children))
    assert [path.name for path in (checkout / ".venv").iterdir() if path.is_dir()] == []


def is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_without_a_compiler_the_service_is_plain_python(checkout: Path) -> None:
    service = run(checkout, CC="none")
    assert form(service) == "plain Python (there is no C compiler)"
    service.stop()
    assert [*(checkout / ".venv").iterdir()] == []


def test_a_copy_without_a_compiler_is_plain_python_and_is_not_served_as_compiled(checkout: Path) -> None:
    command = [sys.executable, str(checkout / "deploy" / "run.py"), "copy"]
    done = subprocess.run(command, env={**os.environ, "CC": "none"}, capture_output=True, text=True, check=True)
    assert done.stderr == "The rules stay plain Python: there is no C compiler\n"
    assert (checkout / ".venv" / "compiled" / "lostcities" / "rules" / "duel.py").exists()
    service = run(checkout)
    assert form(service) == COMPILING
    service.stop()


def test_a_service_from_its_sources_says_so(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        assert form(service) == rules_form() == "plain Python"
