"""A service that runs as long as the MCP server does: `lostcities serve` on a free port, with a store of its own."""

import os
import re
import signal
import sys
import tempfile
import time
from functools import cached_property
from pathlib import Path
from typing import Final, Self

from lostcities import child_process

SERVE: Final = (sys.executable, "-m", "lostcities", "serve")
START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 30.0
_ADDRESS: Final = re.compile(r"^the API: +(http://\S+?)/?$", re.MULTILINE)


class ServiceNotStarted(RuntimeError):
    """The service cannot be started; the message says why."""


class EmbeddedService:
    """A service that runs during a `with` block. Its games end with it."""

    def __enter__(self) -> Self:
        """Start it. `url` waits until it listens."""
        self._folder = tempfile.TemporaryDirectory(prefix="lostcities-mcp-", ignore_cleanup_errors=True)
        self._log = Path(self._folder.name, "service.log")
        with self._log.open("wb") as output:
            self._process = child_process.start(SERVE, env={**os.environ, **self._settings()}, output=output)
        return self

    def _settings(self) -> dict[str, str]:
        """The settings that differ from those of the environment."""
        return {
            "HOST": "127.0.0.1",
            "PORT": "0",
            "METRICS_PORT": "",
            "WORKERS": "1",
            "DATA_DIR": str(Path(self._folder.name, "data")),
            "REDIS_URL": "",
            "DURABILITY": "",
            "RATE_LIMITS": "off",
            "API_KEYS": "",
            "LOG_LEVEL": "warning",
        }

    @cached_property
    def url(self) -> str:
        """The address of the service, once it listens. Raises `ServiceNotStarted`."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            printed = self._log.read_text(errors="replace")
            found = _ADDRESS.search(printed)
            if found:
                return found[1]
            if self._process.poll() is not None:
                raise ServiceNotStarted(f"the embedded service does not start: {printed.strip()}")
            time.sleep(0.02)
        raise ServiceNotStarted(f"the embedded service did not start within {START_SECONDS:.0f} s")

    def __exit__(self, *_: object) -> None:
        """Stop it, and delete its data. A client that stops the server sends SIGTERM after 2 seconds."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child_process.stop(self._process, STOP_SECONDS)
        self._folder.cleanup()
