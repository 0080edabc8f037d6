"""CPU time of the server for the worst request body of each call.

The bodies are those of `tests/security/abuse/bodies.py`, generated from the OpenAPI document. All of them are timed in
this process, by the CPU time of its thread. The worst of each call is then measured on the running service, by the CPU
time of the service's processes, beside a normal request of the same call.
"""

import http.client
import itertools
import random
import time
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from flask import Flask
from lostcities.app import create_app
from lostcities.config import Settings

from tests.bench.bench import Bench
from tests.bench.prepared_games import PreparedGame, Request, make_moves
from tests.bench.servers import Server
from tests.contract.conforms import CONTRACT
from tests.security.abuse.bodies import Call, Contract, encode

PRINTED: Final = 10
"""Calls that are reported: those with the worst bodies."""
MAX_REQUESTS: Final = 400
GAME_COPIES: Final = 20
"""Copies of a game in which the normal moves are made: each move can be made once."""


class Worst(NamedTuple):
    """The worst body of a call."""

    call: Call
    name: str
    """What is wrong with the body."""
    request: Request
    cpu: float
    """CPU milliseconds in this process."""


class Cost(NamedTuple):
    """What the worst body of a call costs the server."""

    operation: str
    body: str
    size: int
    milliseconds: float
    """CPU time of the server for one request."""
    normal: float
    """CPU time of the server for one normal request of the same call."""


def measure(bench: Bench) -> list[Cost]:
    """The most expensive calls, worst first."""
    bench.clear()
    settings = Settings(redis_url=bench.service.store_url, redis_timeout=20_000, rate_limits=None)
    app = create_app(settings)
    contract = Contract(CONTRACT)
    game = bench.middles(bench.scale.variants[0])[0]
    worst = [
        _worst_of(app, call, _target(call, game), contract, bench.scale.bodies)
        for call in contract.calls()
        if _is_measured(call, bench.scale.variants)
    ]
    worst.sort(key=lambda each: each.cpu, reverse=True)
    costs = [_cost(bench, each) for each in worst[:PRINTED]]
    return sorted(costs, key=lambda cost: cost.milliseconds, reverse=True)


def _is_measured(call: Call, variants: Sequence[str]) -> bool:
    """Whether the call is about games in general, or about one of these variants. The cost of advice is no body's."""
    if call.operation.startswith("advise"):
        return False
    return not call.path.startswith("/variants/") or call.path.split("/")[2] in variants


def _target(call: Call, game: PreparedGame) -> Request:
    """A request of the call, without a body."""
    return Request("POST", call.path.replace("/games/{game_id}", game.path), game.host if "{" in call.path else None)


def _worst_of(app: Flask, call: Call, target: Request, contract: Contract, limit: int | None) -> Worst:
    bodies = [*contract.bodies(call)]
    if limit is not None and limit < len(bodies):
        bodies = random.Random(call.operation).sample(bodies, limit)
    _cpu_here(app, target._replace(body=encode(call.normal)))  # fills the caches
    found = Worst(call, "", target, 0.0)
    for body in bodies:
        request = target._replace(body=body.build())
        cpu = _cpu_here(app, request)
        if cpu > found.cpu:
            # Once more: the first time may have met the garbage collector.
            cpu = min(cpu, _cpu_here(app, request))
        if cpu > found.cpu:
            found = Worst(call, body.name, request, cpu)
    return found


def _cpu_here(app: Flask, request: Request) -> float:
    """CPU milliseconds of one request in this process."""
    client = app.test_client(use_cookies=False)
    began = time.thread_time()
    client.open(request.path, method=request.method, headers=request.headers, data=request.body)
    return (time.thread_time() - began) * 1000


def _cost(bench: Bench, worst: Worst) -> Cost:
    seconds = bench.scale.body_seconds
    hostile = _cpu_of(bench.service, itertools.repeat(worst.request), seconds)
    normal = _cpu_of(bench.service, _normal(bench, worst), seconds)
    return Cost(worst.call.operation, worst.name, len(worst.request.body or b""), hostile, normal)


def _normal(bench: Bench, worst: Worst) -> Iterable[Request]:
    """Normal requests of the same call."""
    if worst.call.operation != "makeMoves":
        return itertools.repeat(worst.request._replace(body=encode(worst.call.normal)))
    variant = bench.scale.variants[0]
    games = (bench.pool(variant)[0].before_move().copy().save(bench.store) for _ in range(GAME_COPIES))
    return (request for game in games for request in make_moves(game))


def _cpu_of(server: Server, requests: Iterable[Request], seconds: float) -> float:
    """CPU milliseconds of the server for one request, from requests that take `seconds` of CPU time together."""
    where = urlsplit(server.url)
    connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=30)
    before, count = server.cpu_seconds(), 0
    try:
        for request in itertools.islice(requests, MAX_REQUESTS):
            connection.request(request.method, request.path, request.body, request.headers)
            connection.getresponse().read()
            count += 1
            if count % 20 == 0 and server.cpu_seconds() - before > seconds:
                break
        return max(0.01, server.cpu_seconds() - before) * 1000 / count
    finally:
        connection.close()
