"""Serve the application with gunicorn, on the store that is configured or on an embedded one."""

import signal
from dataclasses import replace
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter

from service.app import create_app
from service.config import Settings
from service.store.embedded import EmbeddedStore
from service.worker import DrainingWorker

GRACE_SECONDS = 30


class _Master(Arbiter):  # type: ignore[misc]
    """gunicorn's master, which sees to it that the workers live, and here that the embedded store does."""

    def __init__(self, server: "_Server", embedded: EmbeddedStore | None) -> None:
        self._embedded = embedded
        self._is_stopping = False
        super().__init__(server)

    def stop(self, graceful: bool = True) -> None:  # noqa: FBT001, FBT002
        self._is_stopping = graceful
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
        settings = self._settings
        chosen: dict[str, Any] = {
            "bind": f"[{settings.host}]:{settings.port}"
            if ":" in settings.host
            else f"{settings.host}:{settings.port}",
            "workers": settings.workers,
            "worker_class": DrainingWorker,
            "threads": settings.threads,
            "graceful_timeout": GRACE_SECONDS,
            "control_socket_disable": True,
            "when_ready": self._announce,
            "on_exit": self._exit,
        }
        for name, value in chosen.items():
            self.cfg.set(name, value)

    def run(self) -> None:
        _Master(self, self._embedded).run()

    def load(self) -> Flask:
        return create_app(self._settings)

    def _announce(self, server: Any) -> None:
        for listener in server.LISTENERS:
            print(f"the API:            {_address(listener)}/", flush=True)
            print(f"its documentation:  {_address(listener)}/docs", flush=True)
        data = f"{self._settings.data_dir} (embedded store)" if self._embedded else "the store of REDIS_URL"
        print(f"the data:           {data}", flush=True)

    def _exit(self, server: Any) -> None:
        del server
        if self._embedded:
            self._embedded.stop()


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
