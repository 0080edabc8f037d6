"""Node tools, pinned in `tests/contract/node`: linters of the contract, and the types of the page.

Without node the tests are skipped. `make contract` (`JUDGES=required`) fails instead.
"""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from tests.server.serving import ROOT

NODE = Path(__file__).parent / "node"
CONTRACT = ROOT / "openapi" / "openapi.json"
QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "SCARF_ANALYTICS": "false"}

Run = Callable[..., str]

only_required = pytest.mark.skipif(os.environ.get("JUDGES") != "required", reason="slow: `make contract` runs it")


def missing(what: str) -> NoReturn:
    if os.environ.get("JUDGES") == "required":
        pytest.fail(what)
    pytest.skip(f"NOT JUDGED: {what}")


def start(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=NODE,
        env={**os.environ, **QUIET},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


@pytest.fixture(scope="session")
def run() -> Run:
    """A function that runs a pinned tool and returns its output."""
    if not (shutil.which("node") and shutil.which("npm")):
        missing("there is no node here")
    # Several pytest workers may run this at the same time. The lock lets one of them install.
    lock = (NODE / "package-lock.json").read_bytes()
    installed = NODE / "node_modules" / ".installed"
    installed.parent.mkdir(exist_ok=True)
    with (NODE / "package-lock.json").open() as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not installed.exists() or installed.read_bytes() != lock:
            done = start("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
            if done.returncode:
                missing(f"npm cannot install the judges: {done.stdout[-500:]}")
            installed.write_bytes(lock)

    def tool(name: str, *arguments: str | Path) -> str:
        program = NODE / "node_modules" / ".bin" / name
        done = start(program if program.exists() else name, *arguments)
        assert done.returncode == 0, done.stdout
        return done.stdout

    return tool


def test_redocly_reports_no_problem(run: Run) -> None:
    run("redocly", "lint", "--config", "redocly.yaml", CONTRACT)


def test_spectral_reports_no_problem(run: Run) -> None:
    run("spectral", "lint", "--ruleset", "spectral.yaml", "--fail-severity", "hint", CONTRACT)


def test_the_scripts_of_the_table_pass_the_type_check(run: Run) -> None:
    """The page has no build step. Its types are JSDoc comments, checked only by this test."""
    run("tsc", "--project", "tsconfig.table.json")
