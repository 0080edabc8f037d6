"""Operations: the metrics port, limits of the system, checks at start, and stopping."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests
from lostcities.gunicorn_config import graceful_timeout, keepalive

from tests.client import create_game
from tests.faults.processes import Servers, free_port, until
from tests.server.process_tree import store_of
from tests.server.serving import ROOT, Service, serving

PRLIMIT = shutil.which("prlimit")
STRACE = shutil.which("strace")


# Metrics port ------------------------------------------------------------------------------------------------------


def test_metrics_are_served_only_on_the_metrics_port(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path, WORKERS="2", METRICS_PORT=str(port)) as service:
        for _ in range(20):
            assert service.client.get("/variants").status == 200
        metrics = f"http://127.0.0.1:{port}/metrics"
        assert f"the metrics:        {metrics}" in "".join(service.output)
        counted = 'requests_total{method="GET",route="/variants",status="200"} 20.0'
        assert all(counted in requests.get(metrics, timeout=30).text for _ in range(4)), (
            "each worker returns the sum of all workers"
        )
        # A client can choose the Host header, but not the port of the socket.
        hidden = requests.get(f"{service.url}/metrics", headers={"Host": f"127.0.0.1:{port}"}, timeout=30)
        assert (hidden.status_code, hidden.json()["code"]) == (404, "not-found")
        for path in ("/", "/livez", "/variants", "/openapi.json", "/nothing"):
            assert requests.get(f"http://127.0.0.1:{port}{path}", timeout=30).status_code == 404
        assert requests.post(f"http://127.0.0.1:{port}/games", json={}, timeout=30).status_code == 404


# Proxies -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("trusted", "warnings"), [("", 1), ("10.0.0.0/8", 1), ("127.0.0.1", 0)])
def test_an_unlisted_proxy_is_logged_once(tmp_path: Path, trusted: str, warnings: int) -> None:
    with serving(tmp_path, WORKERS="1", TRUSTED_PROXIES=trusted, RATE_LIMITS="creation=99/minute") as service:
        assert service.client.get("/livez").status == 200
        assert not [line for line in service.output if "TRUSTED_PROXIES" in line]
        for _ in range(3):
            # A call with a rate limit: nothing else depends on the address.
            answer = service.client.post("/games", {}, headers={"X-Forwarded-For": "203.0.113.7"})
            assert answer.code == "invalid-request"
    told = [line for line in service.output if "X-Forwarded-For from 127.0.0.1 is ignored" in line]
    assert len(told) == warnings
    assert all("add it to TRUSTED_PROXIES" in line and '"level":"warning"' in line for line in told)


# Open files --------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(PRLIMIT is None, reason="prlimit is not installed")
def test_with_too_few_open_files_the_service_serves_fewer_clients(tmp_path: Path) -> None:
    """Clients over the limit wait until a connection is free."""
    with serving(tmp_path, str(PRLIMIT), "--nofile=256", WORKERS="1", MAX_STREAMS_PER_ADDRESS="100") as service:
        told = [line for line in service.output if "hard limit of open files" in line]
        assert len(told) == 1
        assert "is 256, and a worker needs 6000: each serves only 192 connections and 96 streams" in told[0]
        game = create_game(service.client)
        address = ("127.0.0.1", urlsplit(service.url).port)
        with ExitStack() as stack:
            streams = [
                stack.enter_context(requests.get(f"{service.url}{game.path}/events", stream=True, timeout=60))
                for _ in range(97)
            ]
            assert [stream.status_code for stream in streams] == [200] * 96 + [503]
            idle = [stack.enter_context(socket.create_connection(address, timeout=60)) for _ in range(300)]
            # Idle connections are closed after some time.
            assert requests.get(f"{service.url}/readyz", timeout=60).status_code == 200
            assert idle
        assert not [line for line in service.output if "Too many open files" in line or '"level":"error"' in line]
        assert service.stop() == 0


@pytest.mark.skipif(PRLIMIT is None, reason="prlimit is not installed")
def test_with_hardly_any_open_files_the_service_does_not_start(tmp_path: Path) -> None:
    done = start(tmp_path, str(PRLIMIT), "--nofile=100")
    assert done.returncode == 1
    assert "the hard limit of open files is 100, and at least 128 are needed: raise it" in done.stderr
    assert "Traceback" not in done.stderr


def start(data: Path, *prefix: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Start the service and wait for its end, because the start is expected to fail."""
    return subprocess.run(
        [*prefix, sys.executable, "-m", "lostcities", "serve"],
        cwd=ROOT,
        env={**os.environ, "PORT": "0", "DATA_DIR": str(data), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


# Durability --------------------------------------------------------------------------------------------------------


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    found = Servers(tmp_path / "servers")
    yield found
    found.end()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--appendonly", "yes", "--appendfsync", "everysec"], "the server must have 'appendfsync always'"),
        (["--appendonly", "no"], "appendonly"),
    ],
)
def test_a_store_without_aof_fails_the_start(
    tmp_path: Path, servers: Servers, arguments: list[str], reason: str
) -> None:
    done = start(tmp_path, REDIS_URL=servers.valkey(*arguments).url, DURABILITY="aof")
    assert done.returncode == 1
    assert done.stderr.startswith("lostcities: the store of REDIS_URL does not support DURABILITY=aof: ")
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_service_starts_while_the_store_is_down(tmp_path: Path) -> None:
    with serving(tmp_path, REDIS_URL=f"redis://127.0.0.1:{free_port()}", DURABILITY="aof") as service:
        assert [line for line in service.output if "DURABILITY=aof could not be checked at start" in line]
        assert service.client.get("/readyz").status == 503


@contextmanager
def traced(pid: int, output: Path) -> Iterator[None]:
    """Record the fsync calls of a process with strace."""
    command = [str(STRACE), "-f", "-e", "trace=fdatasync,fsync", "-o", str(output), "-p", str(pid)]
    tracer = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert tracer.stderr
    try:
        if "attached" not in (told := tracer.stderr.readline()):
            pytest.skip(f"strace is not permitted: {told}")
        yield
    finally:
        tracer.terminate()
        tracer.wait(30)
        tracer.stderr.close()


@pytest.mark.skipif(STRACE is None, reason="strace is not installed")
def test_every_acknowledged_write_was_synced_to_the_disk(tmp_path: Path) -> None:
    """Moves in sequence: there is an fsync for each."""
    with serving(tmp_path, DURABILITY="aof", WORKERS="1") as service:
        game = create_game(service.client)
        with traced(store_of(service.process.pid), tmp_path / "trace"):
            for number in range(10):
                notation = game.get("/moves", token=game.host).body["moves"][0]["notation"]
                assert game.move(notation).status == 200
                calls = len(re.findall(r"(fdatasync|fsync)\(\d+", (tmp_path / "trace").read_text()))
                assert calls > number


# Stopping ----------------------------------------------------------------------------------------------------------


def connect(service: Service, path: str) -> socket.socket:
    """Send a request and keep the connection open."""
    connection = socket.create_connection(("127.0.0.1", urlsplit(service.url).port or 0), timeout=60)
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
    return connection


def rest_of(connection: socket.socket) -> bytes:
    """The data until the service closes the connection."""
    return b"".join(iter(lambda: connection.recv(65536), b""))


def test_a_stop_ends_long_polls_and_streams_and_closes_connections(tmp_path: Path) -> None:
    with serving(tmp_path, WORKERS="1") as service:
        game = create_game(service.client)
        stream = connect(service, f"{game.path}/events")
        poll = connect(service, f"{game.path}?after=2&wait=30")
        idle = connect(service, "/livez")
        until(lambda: 'live_connections{kind="waiting"} 1.0' in service.client.get("/metrics").content.decode())
        began = time.monotonic()
        service.process.terminate()
        ended = rest_of(stream)
        assert ended.endswith(b"\r\n0\r\n\r\n"), "the stream ends with the last chunk"
        head, _, body = rest_of(poll).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 ")
        assert b'"version":2,' in body
        assert rest_of(idle).startswith(b"HTTP/1.1 200 ")
        assert service.stop() == 0
        assert time.monotonic() - began < graceful_timeout
        for connection in (stream, poll, idle):
            connection.close()
    assert not [line for line in service.output if "graceful timeout" in line]
    assert keepalive < graceful_timeout
