"""Latency for others while experts think on every worker, and what an expert's decision costs.

Clients ask for advice all the time, each time about another position. Probes list the moves of a game meanwhile, one
after the other, each on a new connection.
"""

import itertools
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tests.bench.bench import Bench
from tests.bench.load import InvalidRun
from tests.bench.prepared_games import PreparedGame, Request, ask_about_position, list_moves
from tests.bench.servers import Server
from tests.bench.slow import Probes
from tests.server.slow_clients import PROBE_PAUSE

CLIENTS: Final = 3
"""Clients that ask for advice, for each worker."""
QUIET: Final = "no expert thinks"
BUSY: Final = "experts think on every worker"


def questions(bench: Bench, variant: str | None = None) -> Iterator[Request]:
    """Requests for advice, each about another position of the random games."""
    pool = bench.pool(variant)
    longest = max(len(played.moves) for played in pool)
    for number, played in itertools.product(range(longest), pool):
        if number < len(played.moves):
            yield ask_about_position(played.before_move(number), "advice")


def latency(bench: Bench) -> list[Probes]:
    """The probes while no expert thinks, and while experts think on every worker. Raises `InvalidRun`."""
    game = bench.middles()[0]
    quiet = probe(QUIET, bench.service, game, bench.scale.expert_seconds)
    with thinking(bench):
        busy = probe(BUSY, bench.service, game, bench.scale.expert_seconds)
    return [quiet, busy]


@contextmanager
def thinking(bench: Bench) -> Iterator[None]:
    """Experts think for the time of a block. Raises `InvalidRun` if no advice was given."""
    source, taking, stop = questions(bench), threading.Lock(), threading.Event()
    answers: list[int] = []

    def ask() -> None:
        while not stop.is_set():
            with taking:
                request = next(source, None)
            if request is None:
                return
            answers.append(bench.service.ask(request.method, request.path, request.headers, request.body).status)

    clients = [threading.Thread(target=ask) for _ in range(CLIENTS * bench.scale.workers)]
    for client in clients:
        client.start()
    try:
        yield
    finally:
        stop.set()
        for client in clients:
            client.join()
    if not {*answers} <= {200, 503} or 200 not in answers:
        raise InvalidRun(f"advice was answered with {sorted({*answers})}")


def probe(case: str, server: Server, game: PreparedGame, seconds: float) -> Probes:
    """List the moves again and again. Raises `InvalidRun`."""
    request, found = list_moves(game), []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.perf_counter()
        answer = server.ask(request.method, request.path, request.headers)
        found.append((time.perf_counter() - began) * 1000)
        if answer.status != 200:
            raise InvalidRun(f"{request.path}: {answer.status} {answer.content!r}")
        time.sleep(PROBE_PAUSE)
    return Probes(case, len(found), sorted(found))


def cost(bench: Bench, variant: str) -> list[float]:
    """CPU milliseconds of the server for the advice about each of some positions. Raises `InvalidRun`."""
    found = []
    for request in itertools.islice(questions(bench, variant), 0, None, bench.scale.expert_every):
        before = bench.service.cpu_seconds()
        answer = bench.service.ask(request.method, request.path, request.headers, request.body)
        if answer.status != 200:
            raise InvalidRun(f"{request.path}: {answer.status} {answer.content!r}")
        # The kernel counts CPU time in ticks of 10 ms.
        found.append(max(0.01, bench.service.cpu_seconds() - before) * 1000)
        if len(found) == bench.scale.expert_positions:
            break
    return found
