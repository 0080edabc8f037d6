"""The servers that are measured, and what they spend: read from /proc, so on Linux only."""

import http.client
import json
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

from service.config import Settings
from service.store.embedded import EmbeddedStore

ROOT: Final = Path(__file__).parents[2]
START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 60.0
TICKS: Final = os.sysconf("SC_CLK_TCK")
"""Of the kernel's clock of CPU time, in a second."""
STORE: Final = "valkey-server"


class Memory(NamedTuple):
    """Of one process, in MiB."""

    rss: float
    """All that it has in memory,"""
    pss: float
    """and with its part only of what it shares."""


class Server:
    """A gunicorn, its workers, and the store that it has started, if any."""

    def __init__(self, folder: Path, *command: str, owner: "Server | None" = None, **environment: str) -> None:
        """`owner`: the server whose store it uses, if it does not start one."""
        self._folder = folder
        self._owner = owner or self
        folder.mkdir(parents=True)
        self._log = folder / "log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", *command],
                cwd=ROOT,
                env={
                    **plain_environment(),
                    "PORT": "0",
                    "DATA_DIR": str(folder / "data"),
                    "REDIS_URL": owner.store_url if owner else "",
                    **environment,
                },
                stdout=log,
                stderr=log,
            )
        self.url = self._wait(self._listening)
        self._wait(self._is_answering)
        self.store_url: str = owner.store_url if owner else EmbeddedStore(folder / "data").url

    @classmethod
    def deployed(cls, folder: Path, workers: int) -> Self:
        """The service as `lostcities serve` serves it by default, on a store of its own."""
        return cls(folder, "tests.bench.launch", "deployed", WORKERS=str(workers))

    @classmethod
    def launched(
        cls, folder: Path, app: str, owner: "Server", changes: Mapping[str, Any] | None = None, **environment: str
    ) -> Self:
        """An application of `launch.py` on the store of another server."""
        return cls(folder, "tests.bench.launch", app, json.dumps(changes or {}), owner=owner, **environment)

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
        """One request."""
        address = urlsplit(self.url)
        connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=30)
        try:
            connection.request(method, path, body, dict(headers or {}))
            response = connection.getresponse()
            return Answer(response.status, dict(response.getheaders()), response.read())
        finally:
            connection.close()

    def stop(self) -> None:
        """As a user does."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self._folder / "data", ignore_errors=True)

    # What it spends

    def _children(self) -> dict[int, str]:
        """Each by its number, with its program's name."""
        master = self._process.pid
        pids = Path(f"/proc/{master}/task/{master}/children").read_text().split()
        return {int(pid): Path(f"/proc/{pid}/comm").read_text().strip() for pid in pids}

    def cpu_seconds(self) -> float:
        """Of the master and of all its workers, those that have ended included."""
        workers = [pid for pid, name in self._children().items() if name != STORE]
        return _cpu_seconds(self._process.pid, ended_children=True) + sum(map(_cpu_seconds, workers))

    def store_cpu_seconds(self) -> float:
        """Of the store that it uses."""
        return sum(_cpu_seconds(pid) for pid, name in self._owner._children().items() if name == STORE)

    def memory(self) -> list[Memory]:
        """Of each worker."""
        return [_memory(pid) for pid, name in self._children().items() if name != STORE]


def compiled() -> Path | None:
    """Where the package is that has compiled rules, if they could be compiled and are not of older sources."""
    folder = ROOT / ".venv" / "compiled"
    changed = max(path.stat().st_mtime for path in ROOT.glob("service/**/*.py"))
    libraries = [path.stat().st_mtime for path in folder.glob("service/rules/*.so")]
    return folder if libraries and min(libraries) > changed else None


def plain_environment() -> dict[str, str]:
    """The environment of the service as it is deployed: no settings, bytecode that is kept, compiled rules."""
    left_out = {"PYTHONDONTWRITEBYTECODE", *(name.upper() for name in Settings.__dataclass_fields__)}
    path = os.pathsep.join(map(str, filter(None, (compiled(), ROOT))))
    return {name: value for name, value in os.environ.items() if name not in left_out} | {"PYTHONPATH": path}


class Answer(NamedTuple):
    """What came back."""

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
