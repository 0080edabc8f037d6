"""The service as its users run it: gunicorn on an embedded store, in processes of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
GRACE_SECONDS = 20


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """A server on a free port, its data in that folder. Its address is what it says when it is ready."""
    settings = {"HOST": "127.0.0.1", "PORT": "0", "DATA_DIR": str(folder), "WORKERS": "2", "THREADS": "4"}
    inherited = {name: value for name, value in os.environ.items() if name != "REDIS_URL"}
    server = subprocess.Popen(
        [sys.executable, "-m", "service", "serve"],
        cwd=ROOT,
        env={**inherited, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout
    try:
        announced = server.stdout.readline()
        assert "http://" in announced, "the server did not start"
        yield announced.split()[-1].rstrip("/")
    finally:
        server.terminate()
        try:
            server.wait(GRACE_SECONDS)
        finally:
            server.kill()
            server.stdout.close()
            server.wait()
