"""The servers that are measured, and their CPU time and memory, read from /proc (Linux only)."""

import http.client
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, Self
from urllib.parse import urlsplit

from lostcities.config import Settings
from lostcities.store.embedded import EmbeddedStore

from tests.server.process_tree import children, descendants

ROOT: Final = Path(__file__).parents[2]
START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 60.0
TICKS: Final = os.sysconf("SC_CLK_TCK")
"""Ticks a second of the kernel's CPU clock."""
STORE: Final = "valkey-server"


class Memory(NamedTuple):
    """Memory of one process in MiB."""

    rss: float
    """Resident set size."""
    pss: float
    """Proportional set size: of a shared page it counts this process' share."""


class Server:
    """A gunicorn with its workers. The deployed service also has a supervisor and a store."""

    def __init__(
        self, folder: Path, *command: str, owner: "Server | None" = None, checkout: Path = ROOT, **environment: str
    ) -> None:
        """Start it.

        :param owner: the server whose store this one uses; by default it starts one
        :param checkout: the folder of the version that is served
        """
        self._folder = folder
        self._owner = owner or self
        folder.mkdir(parents=True)
        self._log = folder / "log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [_python(checkout), "-m", *command],
                cwd=checkout,
                env={
                    **plain_environment(checkout),
                    "PORT": "0",
                    "DATA_DIR": str(folder / "data"),
                    "REDIS_URL": owner.store_url if owner else "",
                    # On a busy machine the default would turn a slow answer into an error.
                    "REDIS_TIMEOUT": "10000",
                    # The limits are checked as by default, and never reached.
                    "RATE_LIMITS": "creation=1000000000/minute;1000000000/day,thinking=1000000000/minute",
                    **environment,
                },
                stdout=log,
                stderr=log,
            )
        self.url = self._wait(self._listening)
        self._wait(self._is_answering)
        self.store_url: str = owner.store_url if owner else EmbeddedStore(folder / "data").url

    @classmethod
    def deployed(cls, folder: Path, workers: int, checkout: Path = ROOT) -> Self:
        """The service as `lostcities serve` serves it by default, on a store of its own."""
        return cls(folder, "lostcities", "serve", checkout=checkout, WORKERS=str(workers))

    @classmethod
    def launched(cls, folder: Path, app: str, owner: "Server", workers: int, **environment: Any) -> Self:
        """An application of `apps.py` with the deployed settings, on the store of another server."""
        return cls(folder, "tests.bench.launch", app, owner=owner, WORKERS=str(workers), **environment)

    def _wait(self, condition: Any) -> Any:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            with suppress(OSError, http.client.HTTPException):
                if found := condition():
                    return found
            time.sleep(0.02)
        self.stop()
        raise RuntimeError(f"the server does not start:\n{self._log.read_text()}")

    def _listening(self) -> str | None:
        found = re.search(r"Listening at: (http://\S+)", self._log.read_text())
        return found[1] if found else None

    def _is_answering(self) -> bool:
        return self.ask("GET", "/livez").status in (200, 404)

    def ask(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes | None = None
    ) -> "Answer":
        """Send one request on a connection of its own."""
        address = urlsplit(self.url)
        connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=30)
        try:
            connection.request(method, path, body, dict(headers or {}))
            response = connection.getresponse()
            return Answer(response.status, dict(response.getheaders()), response.read())
        finally:
            connection.close()

    def stop(self) -> None:
        """Stop it by SIGTERM, and delete its data."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self._folder / "data", ignore_errors=True)

    # CPU time and memory

    def _processes(self) -> dict[int, str]:
        """The name of the program of each process, by process id."""
        pids = (self._process.pid, *descendants(self._process.pid))
        return {pid: Path(f"/proc/{pid}/comm").read_text().strip() for pid in pids}

    def cpu_seconds(self) -> float:
        """CPU time of all processes except the store, ended ones included."""
        return sum(_cpu_seconds(pid, ended_children=True) for pid, name in self._processes().items() if name != STORE)

    def store_cpu_seconds(self) -> float:
        """CPU time of the store."""
        return sum(_cpu_seconds(pid) for pid, name in self._owner._processes().items() if name == STORE)

    def memory(self) -> list[Memory]:
        """Memory of each worker. Workers are the processes without children."""
        return [_memory(pid) for pid, name in self._processes().items() if name != STORE and not children(pid)]


def _python(checkout: Path) -> str:
    """The interpreter of a checkout: another version may need other libraries."""
    own = checkout / ".venv" / "bin" / "python"
    return str(own) if checkout != ROOT and own.exists() else sys.executable


def compiled(checkout: Path = ROOT) -> Path | None:
    """The folder of the package with compiled rules, if there is one that is newer than the sources."""
    folder = checkout / ".venv" / "compiled"
    changed = max(path.stat().st_mtime for path in checkout.glob("service/**/*.py"))
    libraries = [path.stat().st_mtime for path in folder.glob("lostcities/**/*.so")]
    return folder if libraries and min(libraries) > changed else None


def plain_environment(checkout: Path = ROOT) -> dict[str, str]:
    """The environment of the deployed service: default settings, cached bytecode, compiled rules."""
    left_out = {"PYTHONDONTWRITEBYTECODE", *(name.upper() for name in Settings.__dataclass_fields__)}
    path = os.pathsep.join(map(str, filter(None, (compiled(checkout), checkout / "service", checkout))))
    return {name: value for name, value in os.environ.items() if name not in left_out} | {
        "PYTHONPATH": path,
        "PYTHONSAFEPATH": "1",  # or else the current folder comes before the compiled rules
    }


class Answer(NamedTuple):
    """An HTTP response."""

    status: int
    headers: dict[str, str]
    content: bytes


def _cpu_seconds(pid: int, *, ended_children: bool = False) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if ended_children else 13])) / TICKS


def _memory(pid: int) -> Memory:
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    rss, pss = (re.search(rf"^{name}: +(\d+) kB$", text, re.MULTILINE) for name in ("Rss", "Pss"))
    assert rss
    assert pss
    return Memory(int(rss[1]) / 1024, int(pss[1]) / 1024)
