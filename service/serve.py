"""Serve the application with gunicorn, on the store that is configured or on an embedded one."""

import shutil
import signal
import tempfile
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, Final

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger

from service.app import create_app
from service.config import BadSetting, Settings
from service.live.worker import NOBODY_GETS_IN, Crowd
from service.sight import logs
from service.sight.metrics import share
from service.store.embedded import EmbeddedStore
from service.worker import DrainingWorker

GRACE_SECONDS: Final = 30
"""Told to stop, a worker has so long to answer what it has begun; no answer takes a tenth of it."""
SILENT_SECONDS: Final = 30
"""A worker whose main thread gives no sign for so long hangs, and is replaced. Slow requests do not count."""
IDLE_SECONDS: Final = 75
"""An idle connection is kept longer than proxies do (60 by custom), so that none sends into one just closed."""
CONNECTIONS: Final = 1000
"""Connections that a worker has at a time, besides its streams; further ones are left to the others, or wait."""
WORKER_REQUESTS: Final = 100_000
"""Then a worker is replaced: a leak of 1 kB in a request would have cost 100 MB by then."""
WORKER_JITTER: Final = 10_000
"""At most so many more, at random, so that the workers are not replaced all at once."""


class _Workers:
    """Numbers the workers, and gives them a folder to count into: a new worker goes on where a dead one ended."""

    def __init__(self) -> None:
        self.folder: Path | None = None
        self._crowd = Crowd()

    def begin(self, server: Any) -> None:
        """Before the first worker."""
        del server
        self.folder = Path(tempfile.mkdtemp(prefix="lostcities-metrics-"))

    def number(self, server: Any, worker: Any) -> None:
        """Before a worker is forked: the first number that no living one has."""
        taken = {each.number for each in server.WORKERS.values()}
        worker.number = next(number for number in count() if number not in taken)
        worker.crowd = self._crowd

    def share(self, server: Any, worker: Any) -> None:
        """In the new worker."""
        del server
        if self.folder:
            share(self.folder, worker.number)

    def bury(self, server: Any, worker: Any) -> None:
        """A worker has ended, however."""
        del server
        self._crowd.tell(worker.number, NOBODY_GETS_IN)

    def end(self, server: Any) -> None:
        """After the last worker."""
        del server
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


_workers: Final = _Workers()
"""One for all configurations: a reload asks for a new one, and must find the folder and the numbers."""


class _Log(Logger):  # type: ignore[misc]
    """gunicorn's own log. It has no line for a request: the service writes one itself."""

    def access(self, *request: Any) -> None:
        """Nothing, at no cost."""


def configuration(settings: Settings) -> dict[str, Any]:
    """gunicorn's settings, hooks included.

    Threads, because a request waits for the store half of its time; `WORKERS` processes, because Python computes in one
    thread at a time: one for each core.
    """
    workers = _workers
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return {
        "bind": f"{host}:{settings.port}",
        "workers": settings.workers,
        "worker_class": DrainingWorker,
        "threads": settings.threads,
        "worker_connections": CONNECTIONS + settings.max_streams,
        "timeout": SILENT_SECONDS,
        "graceful_timeout": GRACE_SECONDS,
        "keepalive": IDLE_SECONDS,
        "max_requests": WORKER_REQUESTS,
        "max_requests_jitter": WORKER_JITTER,
        # Nothing that a client can write is believed here; `TRUSTED_PROXIES` says whose X-Forwarded-For is.
        "forwarded_allow_ips": "",
        "control_socket_disable": True,
        "logger_class": _Log,
        "logconfig_dict": logs.configuration(settings.log_level),
        "on_starting": workers.begin,
        "pre_fork": workers.number,
        "post_fork": workers.share,
        "child_exit": workers.bury,
        "on_exit": workers.end,
    }


class _Master(Arbiter):  # type: ignore[misc]
    """gunicorn's master, which sees to it that the workers live, and here that the embedded store does."""

    def __init__(self, server: "_Server", embedded: EmbeddedStore | None) -> None:
        self._embedded = embedded
        self._is_stopping = False
        super().__init__(server)

    def stop(self, graceful: bool = True) -> None:  # noqa: FBT001, FBT002
        self._is_stopping = True
        super().stop(graceful)

    def reap_workers(self) -> None:
        super().reap_workers()
        if self._is_stopping:
            # A worker that was just being born when it was told to stop has not heard it.
            self.kill_workers(signal.SIGTERM)

    def manage_workers(self) -> None:
        if self._embedded:
            self._embedded.revive()
        super().manage_workers()


class _Server(BaseApplication):  # type: ignore[misc]
    """gunicorn with its settings from here, not from its command line."""

    def __init__(self, settings: Settings, embedded: EmbeddedStore | None) -> None:
        self._settings = settings
        self._embedded = embedded
        super().__init__()

    def load_config(self) -> None:
        for name, value in {**configuration(self._settings), "when_ready": self._announce}.items():
            self.cfg.set(name, value)

    def run(self) -> None:
        _Master(self, self._embedded).run()

    def load(self) -> Flask:
        return create_app(self._settings)

    def _announce(self, server: Any) -> None:
        for listener in server.LISTENERS:
            print(f"the API:            {_address(listener)}/", flush=True)
            print(f"its documentation:  {_address(listener)}/docs", flush=True)
            print(f"the table:          {_address(listener)}/", flush=True)
        data = f"{self._settings.data_dir} (embedded store)" if self._embedded else "the store of REDIS_URL"
        print(f"the data:           {data}", flush=True)


def _address(listener: Any) -> str:
    host, port = listener.sock.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(settings: Settings) -> None:
    """Serve until stopped. Raises `CannotStart` if there is no store to be had."""
    embedded = None
    if settings.redis_url is None:
        embedded = EmbeddedStore(settings.data_dir, always_on_disk=settings.durability == "aof")
        embedded.start()
        settings = replace(settings, redis_url=embedded.url)
    try:
        _Server(settings, embedded).run()
    finally:
        if embedded:
            embedded.stop()


def application() -> Flask:
    """The application as the environment says, for a gunicorn that somebody else starts."""
    settings = Settings.from_environment()
    if settings.redis_url is None:
        raise BadSetting("REDIS_URL must be set: only `lostcities serve` brings a store of its own")
    return create_app(settings)
