"""The supervisor process. It starts the embedded store and gunicorn, and exits when gunicorn exits.

It does not import the application. gunicorn's workers do, after gevent has patched the standard library.
"""

import logging
import logging.config
import os
import signal
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from lostcities import child_process
from lostcities.config import EMBEDDED_STORE_VARIABLE, Settings
from lostcities.observability import logs
from lostcities.store.embedded import CannotStart, EmbeddedStore

if TYPE_CHECKING:
    from subprocess import Popen

GUNICORN: Final = (sys.executable, "-m", "gunicorn", "-c", "python:lostcities.gunicorn_config")

FORWARDED: Final[Mapping[signal.Signals, signal.Signals]] = {
    signal.SIGTERM: signal.SIGTERM,
    # On SIGINT gunicorn drops requests in flight. Ctrl+C should stop the service gracefully.
    signal.SIGINT: signal.SIGTERM,
    signal.SIGQUIT: signal.SIGQUIT,
    signal.SIGHUP: signal.SIGHUP,
    signal.SIGUSR1: signal.SIGUSR1,
    signal.SIGTTIN: signal.SIGTTIN,
    signal.SIGTTOU: signal.SIGTTOU,
}
"""The signal to send to gunicorn for each signal that the supervisor receives."""

RESTART_SECONDS: Final = 0.1
"""Seconds to wait before the first restart of the store. Doubles with each restart."""
MAX_RESTART_SECONDS: Final = 2.0
"""Maximum seconds between restarts. Signals are handled after the wait."""
STABLE_SECONDS: Final = 10.0
"""Seconds after which a running store counts as stable: the next restart waits the minimum again."""

log = logging.getLogger("lostcities.server")


def serve(settings: Settings) -> int:
    """Serve until stopped. Returns gunicorn's exit code. Raises `CannotStart` if the store cannot be used.

    The settings must equal those of the environment, because gunicorn reads them from there.
    """
    logging.config.dictConfig(logs.configuration(settings.log_level))
    if settings.redis_url is not None and settings.durability == "aof":
        _check_durability(settings.redis_url, settings.redis_timeout / 1000)
    # Signals are blocked from here on and handled by `_supervise`, so that none is lost while the children start.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, *FORWARDED})
    # SIGUSR2 upgrades gunicorn in place, which a supervised gunicorn cannot do. The default action ends the process.
    signal.signal(signal.SIGUSR2, signal.SIG_IGN)
    if settings.redis_url is not None:
        return _supervise(child_process.start(GUNICORN), None)
    store = EmbeddedStore(
        settings.data_dir, always_on_disk=settings.durability == "aof", maxmemory=settings.store_maxmemory
    )
    store.start()
    try:
        environment = {**os.environ, "REDIS_URL": store.url, EMBEDDED_STORE_VARIABLE: str(settings.data_dir)}
        return _supervise(child_process.start(GUNICORN, env=environment), store)
    finally:
        store.stop()


def _check_durability(redis_url: str, timeout: float) -> None:
    """Raise `CannotStart` if the store answers and does not support `DURABILITY=aof`; accept an unavailable store."""
    from lostcities.games.storage import DurabilityUnknown, StoreUnavailable
    from lostcities.store.redis import RedisStore

    try:
        RedisStore(redis_url, durability="aof", timeout=timeout).ping()
    except DurabilityUnknown as error:
        raise CannotStart(f"the store of REDIS_URL does not support DURABILITY=aof: {error}") from None
    except StoreUnavailable as error:
        log.warning("DURABILITY=aof could not be checked at start because the store does not answer: %s", error)


def _supervise(gunicorn: "Popen[bytes]", store: EmbeddedStore | None) -> int:
    """Forward signals to gunicorn and restart the store when it ends. Returns gunicorn's exit code."""
    pause, started = RESTART_SECONDS, time.monotonic()
    try:
        while (code := gunicorn.poll()) is None:
            received = signal.Signals(signal.sigwait({signal.SIGCHLD, *FORWARDED}))
            if received in FORWARDED:
                gunicorn.send_signal(FORWARDED[received])
            elif store and not store.is_running:
                is_stable = time.monotonic() - started > STABLE_SECONDS
                pause = RESTART_SECONDS if is_stable else min(2 * pause, MAX_RESTART_SECONDS)
                log.error("the embedded store ended: restarting it")
                time.sleep(pause)
                store.restart()
                started = time.monotonic()
    finally:
        if gunicorn.poll() is None:
            gunicorn.terminate()
            gunicorn.wait()
    return code if code >= 0 else 128 - code
