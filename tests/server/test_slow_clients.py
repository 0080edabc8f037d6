"""Slow clients do not delay other clients, and the service disconnects them in time."""

import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lostcities.api.fields import MAX_BODY
from lostcities.client_timeouts import BODY_SECONDS, WRITE_SECONDS
from lostcities.gunicorn_config import keepalive

from tests.client import create_game
from tests.server.process_tree import workers_of
from tests.server.serving import Service, serving
from tests.server.slow_clients import (
    BODY,
    HEAD,
    JUNK,
    LARGE_GET,
    READER,
    SILENT,
    SMALL_BUFFER,
    Behaviour,
    SlowClients,
    probe,
)

CLIENTS = 200
MEMORY_PER_READER = 500 * 1024
"""Bytes: far more than a blocked reader needs, and far less than an unbounded buffer would use."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("data"), WORKERS="2") as running:
        yield running


def connect(service: Service) -> socket.socket:
    where = urlsplit(service.url)
    return socket.create_connection((str(where.hostname), int(where.port or 0)), timeout=60)


@pytest.fixture(scope="module", autouse=True)
def stalled(service: Service) -> Iterator[tuple[socket.socket, float]]:
    """A client that requests more than all buffers hold and reads nothing, and its start time."""
    with socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
        sock.settimeout(60)
        where = urlsplit(service.url)
        sock.connect((where.hostname, where.port))
        sock.sendall(LARGE_GET * 60)
        yield sock, time.monotonic()


def resident(service: Service) -> int:
    """Bytes of memory of all workers."""
    pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in workers_of(service.process.pid)]
    return sum(pages) * 4096


@pytest.mark.parametrize(
    ("behaviour", "seconds", "cut_off"),
    [
        (HEAD, keepalive + 2.0, True),
        (BODY, BODY_SECONDS + 2.0, True),
        (SILENT, keepalive + 2.0, True),
        (READER, 5.0, False),
        (JUNK, 2.0, True),
    ],
    ids=lambda value: value.name if isinstance(value, Behaviour) else "",
)
def test_every_probe_is_answered(service: Service, behaviour: Behaviour, seconds: float, cut_off: bool) -> None:
    game = create_game(service.client)
    before = resident(service)
    with SlowClients(service.url, behaviour, CLIENTS) as clients:
        assert probe(service.url + game.path, seconds)
        deadline = time.monotonic() + 30
        while cut_off and clients.closed < CLIENTS and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not cut_off or clients.closed >= CLIENTS
        assert resident(service) - before < CLIENTS * MEMORY_PER_READER
    if behaviour is BODY:
        assert clients.statuses[408] >= CLIENTS
    assert '"level":"error"' not in "".join(service.output)


def test_a_client_that_pauses_within_the_limits_is_answered(service: Service) -> None:
    request = b'{"variant": "duel", "players": ["Ann", "Ben"]}'
    head = b"POST /games HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {len(request)}\r\n\r\n".encode()
    with connect(service) as sock:
        for piece in (head[:20], head[20:], request[:10], request[10:]):
            sock.sendall(piece)
            time.sleep(0.5)
        assert sock.recv(65536).startswith(b"HTTP/1.1 201 ")


@pytest.mark.parametrize(
    "chunks", [b"nonsense\r\n", b"5\r\n[1,2]no end", b"5\r\n[1,2]\r\n0\r\nbad trailer\r\n\r\n", b"-1\r\n\r\n"]
)
def test_a_malformed_chunked_body_is_a_problem(service: Service, chunks: bytes) -> None:
    head = b"POST /games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    with connect(service) as sock:
        sock.sendall(head + chunks)
        received = b"".join(iter(lambda: sock.recv(65536), b""))
    answer, _, body = received.partition(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"Content-Type: application/problem+json" in answer
    assert json.loads(body)["code"] == "not-json"


@pytest.mark.parametrize(("padding", "status"), [(0, 201), (1, 413), (16_000, 413)])
def test_a_chunked_body_has_the_same_limit_as_any_other(service: Service, padding: int, status: int) -> None:
    game = b'{"variant": "duel", "players": ["Ann", "Ben"]}'
    body = game + b" " * (MAX_BODY - len(game)) + b" " * padding
    with connect(service) as sock:
        head = b"POST /games HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
        sock.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n")
        assert sock.recv(65536).startswith(b"HTTP/1.1 %d " % status)


def test_a_body_that_stops_is_a_408_problem(service: Service) -> None:
    with connect(service) as sock:
        sock.sendall(BODY.opening + b"[")
        began = time.monotonic()
        received = b"".join(iter(lambda: sock.recv(65536), b""))
    answer, _, body = received.partition(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert json.loads(body)["code"] == "request-timeout"
    assert time.monotonic() - began >= BODY_SECONDS - 1


def test_a_client_that_reads_nothing_is_disconnected(service: Service, stalled: tuple[socket.socket, float]) -> None:
    """It gets the buffered data, then the connection ends in the middle of a response."""
    sock, began = stalled
    time.sleep(max(0.0, began + WRITE_SECONDS + 3 - time.monotonic()))
    received = 0
    try:
        while data := sock.recv(1 << 20):
            received += len(data)
    except ConnectionResetError:
        pass
    whole = len(service.client.get("/openapi.json").content)
    assert received < 60 * whole
    assert '"level":"error"' not in "".join(service.output)


def test_a_pause_of_the_workers_does_not_open_the_circuit_breaker(service: Service) -> None:
    """When a paused virtual machine resumes, the timeouts of all running calls expire at the same time."""
    game = create_game(service.client)
    workers = workers_of(service.process.pid)
    for _ in range(3):
        for pid in workers:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(1)
        for pid in workers:
            os.kill(pid, signal.SIGCONT)
        assert [game.get("/moves", token=game.host).status for _ in range(20)] == [200] * 20
    assert not [line for line in service.output if "is down" in line]
