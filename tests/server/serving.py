"""The service as a user starts it: real processes, real sockets."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import requests

from service.store.embedded import EmbeddedStore
from tests.client import Answer, Client

ROOT = Path(__file__).parents[2]
START_SECONDS = 60


class Service:
    """A running service."""

    def __init__(self, data: Path, **environment: str) -> None:
        self.output: list[str] = []
        self._ready = threading.Event()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "service", "serve"],
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
        """Stop it as a user does, or kill everything at once. A terminal sends Ctrl+C to every process."""
        if how in (signal.SIGINT, signal.SIGKILL):
            os.killpg(self.process.pid, how)
        else:
            self.process.send_signal(how)
        code = self.process.wait(30)
        self._reader.join()
        return code


@contextmanager
def serving(data: Path, **environment: str) -> Iterator[Service]:
    """A service for the time of a block."""
    service = Service(data, **environment)
    try:
        yield service
    finally:
        if service.process.poll() is None:
            service.stop()


@contextmanager
def store_at(folder: Path) -> Iterator[EmbeddedStore]:
    """A store of our own for the time of a block."""
    store = EmbeddedStore(folder)
    store.start()
    try:
        yield store
    finally:
        store.stop()
