"""gunicorn's settings and server hooks: `gunicorn -c python:lostcities.gunicorn_config`, with REDIS_URL set.

gunicorn's master process loads this module, before gevent has patched the standard library: it must not import the
application, nor a library that the application uses on sockets or locks. Hooks run in the process that each one names.
"""

import gc
import logging
import os
import resource
import shutil
import signal
import socket
import tempfile
from itertools import count
from pathlib import Path
from typing import Any, Final

import gevent
from gunicorn.glogging import Logger

from lostcities.config import (
    EMBEDDED_STORE_VARIABLE,
    METRICS_DIR_VARIABLE,
    RULES_NOTE_VARIABLE,
    WORKER_NUMBER_VARIABLE,
    BadSetting,
    Settings,
)
from lostcities.observability import logs

BASE_CONNECTIONS: Final = 4000
"""Connections of a worker besides its streams. An idle or slow one costs a greenlet, some 20 kB."""
SPARE_FILES: Final = 1000
"""Open files of a worker besides its clients' connections: those to the store, log files, metrics."""
MIN_FILES: Final = 128
"""Open files without which no worker can do its work."""
SEND_BUFFER: Final = 64 * 1024
"""Bytes that the kernel keeps for a client that does not read. By default it grows to megabytes."""
STOP_CHECK_SECONDS: Final = 0.1
"""Interval at which a worker checks whether it has to stop."""

settings: Final = Settings.from_environment()

wsgi_app = "lostcities.wsgi:application()"
_host = f"[{settings.host}]" if ":" in settings.host else settings.host
bind = [f"{_host}:{port}" for port in (settings.port, settings.metrics_port) if port is not None]

# gevent: many long-lived connections in one process. One process for each core, because Python runs in one core.
worker_class = "gevent"
workers = settings.workers
worker_connections = BASE_CONNECTIONS + settings.max_streams
# `max_requests` stays off: replacing a worker ends all of its streams, and no leak is known that it would help against.

# A worker that does not return to its event loop for this time hangs, and is replaced.
timeout = 30
# A worker that has to stop gets this time to finish the requests in flight. Few take more than a second.
graceful_timeout = 30
# Seconds for an idle connection to send the next request, and for the head of a request to arrive completely. A worker
# that stops waits for its idle connections, so this is also how long a stop takes. A proxy in front must close its idle
# connections sooner (`keepalive_timeout 4s` in deploy/nginx.conf).
keepalive = 5

# No header of a client changes the scheme or address here: TRUSTED_PROXIES says whose X-Forwarded-For is used.
forwarded_allow_ips = ""
control_socket_disable = True


class RedactInvalidRequests(logging.Filter):
    """Remove what the client sent from gunicorn's warnings about invalid requests: it may contain a token."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep every record, without the client's data."""
        if record.getMessage().startswith("Invalid request"):
            record.msg, record.args = "invalid HTTP request", ()
        return True


class QuietLogger(Logger):  # type: ignore[misc]
    """gunicorn's logger without its access log: the application logs every request."""

    def access(self, *args: Any) -> None:
        """Log nothing. gunicorn would format a line for each request, even with its access log turned off."""


def _logging() -> dict[str, Any]:
    configuration = logs.configuration(settings.log_level)
    configuration["filters"] = {"redact": {"()": RedactInvalidRequests}}
    configuration["loggers"]["gunicorn.error"]["filters"] = ["redact"]
    return configuration


logger_class = QuietLogger
logconfig_dict = _logging()

_worker_numbers: Final[dict[int, int]] = {}
"""Number of each living worker, by gunicorn's `age`. A new worker takes the lowest free number."""


def on_starting(server: Any) -> None:
    """In the master, before anything else. A `RuntimeError` is one line of gunicorn's, and its end."""
    if settings.redis_url is None:
        raise BadSetting("REDIS_URL must be set: only `lostcities serve` starts a store of its own")
    _fit_file_limit(server)
    os.environ[METRICS_DIR_VARIABLE] = tempfile.mkdtemp(prefix="lostcities-metrics-")


def _fit_file_limit(server: Any) -> None:
    """Raise the limit of open files to what a worker needs, or lower what a worker serves to the hard limit."""
    wanted = server.cfg.worker_connections + SPARE_FILES
    files = _raise_file_limit(wanted)
    if files >= wanted:
        return
    if files < MIN_FILES:
        raise RuntimeError(f"the hard limit of open files is {files}, and at least {MIN_FILES} are needed: raise it")
    connections, streams = fit(files, settings.max_streams)
    server.cfg.set("worker_connections", connections)
    os.environ["MAX_STREAMS"] = str(streams)
    server.log.warning(
        "the hard limit of open files is %s, and a worker needs %s: each serves only %s connections and %s streams",
        *(files, wanted, connections, streams),
    )


def fit(files: int, max_streams: int) -> tuple[int, int]:
    """Connections and streams of a worker that can open so many files.

    A quarter is for the store and other files, and half of the connections are not for streams.

    >>> fit(1024, 1000)
    (768, 384)
    """
    connections = files - min(SPARE_FILES, files // 4)
    return connections, min(max_streams, connections // 2)


def _raise_file_limit(wanted: int) -> int:
    """Raise the soft limit of open files as far as needed and the hard limit allows; how many files may be opened."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


def when_ready(server: Any) -> None:
    """In the master, once it listens: limit the send buffers, which connections inherit, and print the addresses."""
    for listener in server.LISTENERS:
        listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        address = _address(listener.sock)
        if address.endswith(f":{settings.metrics_port}"):
            print(f"the metrics:        {address}/metrics", flush=True)
            continue
        print(f"the API:            {address}/", flush=True)
        print(f"its documentation:  {address}/docs", flush=True)
        print(f"the table:          {address}/", flush=True)
    print(f"rules and bots:     {rules_form()}", flush=True)
    folder = os.environ.get(EMBEDDED_STORE_VARIABLE)
    print(f"the data:           {f'{folder} (embedded store)' if folder else 'the store of REDIS_URL'}", flush=True)


def rules_form() -> str:
    """Whether the rules and the bots are compiled. Imports none of them."""
    if any(Path(__file__).parent.glob("variants/**/*.so")):
        return "compiled"
    note = os.environ.get(RULES_NOTE_VARIABLE)
    return f"plain Python ({note})" if note else "plain Python"


def _address(sock: socket.socket) -> str:
    if sock.family == socket.AF_UNIX:
        return f"unix:{sock.getsockname()}"
    host, port = sock.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def pre_fork(server: Any, worker: Any) -> None:
    """In the master, before a worker is forked."""
    del server
    taken = {*_worker_numbers.values()}
    _worker_numbers[worker.age] = next(number for number in count() if number not in taken)


def post_fork(server: Any, worker: Any) -> None:
    """In the new worker, before gevent patches and the application is loaded."""
    del server
    # Until gunicorn has installed its own handlers a worker has the master's, which would lose this signal.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # A worker counts into the metrics files of its number: its totals go on where a dead worker's ended.
    os.environ[WORKER_NUMBER_VARIABLE] = str(_worker_numbers[worker.age])


def post_worker_init(worker: Any) -> None:
    """In the worker, once the application is loaded."""
    # The application's objects live as long as the worker: the garbage collector need not look at them again.
    gc.freeze()
    gevent.spawn(_end_streams, worker)


def _end_streams(worker: Any) -> None:
    """End streams and long polls when the worker has to stop: it waits for every open request."""
    while worker.alive:
        gevent.sleep(STOP_CHECK_SECONDS)
    worker.wsgi.extensions["broadcaster"].close()


def child_exit(server: Any, worker: Any) -> None:
    """In the master, after a worker has ended."""
    del server
    _worker_numbers.pop(worker.age, None)


def on_exit(server: Any) -> None:
    """In the master, after the last worker has ended."""
    del server
    shutil.rmtree(os.environ[METRICS_DIR_VARIABLE], ignore_errors=True)
