"""Runs the service in real processes."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import requests
from lostcities.store.embedded import EmbeddedStore

from tests.client import Answer, Client
from tests.server.process_tree import descendants

ROOT = Path(__file__).parents[2]
START_SECONDS = 60
SERVE = ("-m", "lostcities", "serve")
"""The arguments for Python."""


class Service:
    """A running service."""

    def __init__(self, data: Path, *prefix: str, command: Sequence[str] = SERVE, **environment: str) -> None:
        """`prefix`: a command to run the service with, such as `prlimit --nofile=600`."""
        self.output: list[str] = []
        self._ready = threading.Event()
        self.process = subprocess.Popen(
            [*prefix, sys.executable, *command],
            cwd=ROOT,
            env={
                **os.environ,
                "PORT": "0",
                "DATA_DIR": str(data),
                "REDIS_URL": "",
                "RATE_LIMITS": "off",
                **environment,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        assert self._ready.wait(START_SECONDS), self.output
        assert self.process.poll() is None, self.output
        (self.url,) = re.findall(r"API: +(http://\S+?)/?\n", "".join(self.output))
        self.client = Client(self._send)
        self._wait_until_live()

    def _read(self) -> None:
        assert self.process.stdout
        with self.process.stdout as lines:
            for line in lines:
                self.output.append(line)
                if line.startswith("the data:"):
                    self._ready.set()
        self._ready.set()

    def _wait_until_live(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            try:
                if requests.get(self.url + "/livez", timeout=5).ok:
                    return
            except requests.RequestException:
                time.sleep(0.02)
        raise TimeoutError(self.output)

    def _send(self, method: str, path: str, headers: dict[str, str], data: bytes | None) -> Answer:
        response = requests.request(method, self.url + path, headers=headers, data=data, timeout=30)
        return Answer(response.status_code, dict(response.headers), response.content)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop the service by a signal, or kill all its processes. A terminal sends Ctrl+C to the process group."""
        if how == signal.SIGKILL:
            for pid in (self.process.pid, *descendants(self.process.pid)):
                with suppress(ProcessLookupError):
                    os.kill(pid, how)
        elif how == signal.SIGINT:
            os.killpg(self.process.pid, how)
        else:
            self.process.send_signal(how)
        code = self.process.wait(30)
        self._reader.join()
        return code


@contextmanager
def serving(data: Path, *prefix: str, command: Sequence[str] = SERVE, **environment: str) -> Iterator[Service]:
    """A service that runs during a `with` block."""
    service = Service(data, *prefix, command=command, **environment)
    try:
        yield service
    finally:
        if service.process.poll() is None:
            service.stop()


@contextmanager
def store_at(folder: Path) -> Iterator[EmbeddedStore]:
    """An embedded store that runs during a `with` block."""
    store = EmbeddedStore(folder)
    store.start()
    try:
        yield store
    finally:
        store.stop()
