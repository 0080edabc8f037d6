"""The service as it is deployed, the bare stack beside it, and rounds that alternate between them."""

import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import redis
from lostcities.config import Settings
from lostcities.store.redis import RedisStore
from lostcities.variants.registry import VARIANTS

from tests.bench import load
from tests.bench.load import GENERATOR, Generator, InvalidRun, Script
from tests.bench.prepared_games import PlayedGame, PreparedGame, Request, random_games, stored_copies
from tests.bench.servers import Server

CONNECTIONS: Final = 16
POOL: Final = 16
"""Random games of each variant that are played in advance."""
MAX_RATE: Final = 16_000
"""Requests a second that no server here reaches. A round whose requests can be sent only once has this many.

The connections are not served evenly: it is more than twice the highest rate, so that few scripts end early.
"""

Baseline = Literal["a", "b", "c"]
"""What the bare stack does: see `baseline.py`."""


class Scale(NamedTuple):
    """How much is measured."""

    variants: Sequence[str] = tuple(VARIANTS)
    rounds: int = 7
    seconds: float = 0.8
    """Length of one side's turn in a round."""
    warm_seconds: float = 0.25
    """Length of each side's warm-up."""
    steady_rounds: int = 25
    steady_seconds: float = 1.0
    """At half load: many short rounds, because a shared host interrupts the machine in bursts."""
    live: int = 100_000
    """Games in a full store."""
    requests: int = 100_000
    """Requests after which a worker's memory is read."""
    starts: int = 7
    """Starts of the program, to time the import."""
    streams: Sequence[int] = (500, 1000)
    """Numbers of open streams."""
    watched_moves: int = 40
    """Moves that are made while the streams are open."""
    slow_clients: float = 1.0
    """Share of the full number of slow clients."""
    slow_seconds: float = 15.0
    """Length of each attack by slow clients."""
    bodies: int | None = None
    """Hostile bodies to try for each call; None: all."""
    body_seconds: float = 0.5
    """CPU time of the server for each figure about a body. The kernel counts it in ticks of 10 ms."""
    bot_games: int = 4
    """Games that bots play in one side's turn of a round."""
    bot_turns: int = 150
    """The most turns of such a game, where it has an option for that."""
    expert_seconds: float = 15.0
    """Length of the probes while experts think."""
    expert_positions: int = 20
    """Positions of each variant for which the cost of advice is measured,"""
    expert_every: int = 7
    """and how many are left out between two of them."""
    rules_rounds: int = 5
    beside: Path | None = None
    """The checkout of another version, to measure bots on both."""
    workers: int = Settings().workers
    """Worker processes of each server."""
    generator: Generator = GENERATOR


FULL: Final = Scale()
QUICK: Final = Scale(
    rounds=2,
    seconds=0.2,
    warm_seconds=0.05,
    steady_rounds=3,
    live=5_000,
    requests=4_000,
    starts=3,
    bot_games=2,
    bot_turns=40,
    expert_seconds=4.0,
    expert_positions=8,
    rules_rounds=1,
    watched_moves=10,
    slow_seconds=3.0,
    bodies=100,
)


class Round(NamedTuple):
    """The result of one side's turn."""

    answers: int
    seconds: float
    rate: float
    """Answers a second."""
    cpu: float
    """CPU seconds of the server's processes for 1,000 answers."""
    store_cpu: float
    """CPU seconds of the store for 1,000 answers."""
    p50: float
    p99: float

    @property
    def all_cpu(self) -> float:
        """CPU seconds of server and store for 1,000 answers."""
        return self.cpu + self.store_cpu


class Workload(NamedTuple):
    """The requests of a round."""

    scripts: Sequence[Sequence[Request]]
    """One for each connection."""
    sample: Sequence[Request] = ()
    """Requests that are checked before the rounds; by default the first of each script."""
    status: int = 200
    """The expected status of every answer."""
    is_sent_once: bool = False
    """Whether a connection stops at the end of its script: a move can be made only once."""

    def raw(self) -> list[Script]:
        """The bytes that are sent."""
        end = [load.STOP] if self.is_sent_once else []
        return [[*(request.raw() for request in script), *end] for script in self.scripts]


Prepare = Callable[[], Workload]
"""Makes the workload of the next round: a request that changes a game can be sent only once."""


class Bench:
    """The deployed service, its store, and the ways to measure it."""

    def __init__(self, folder: Path, scale: Scale, service: Server) -> None:
        self.folder = folder
        self.scale = scale
        self.service = service
        self.store = RedisStore(service.store_url, timeout=10)
        self._client: Any = redis.Redis.from_url(service.store_url)
        self.invalid: list[str] = []
        """What could not be measured, and why."""
        self._pool: dict[str, list[PlayedGame]] = {}

    @contextmanager
    def skip_if_invalid(self, name: str) -> Iterator[None]:
        """Note a measurement that is invalid, and continue."""
        try:
            yield
        except InvalidRun as error:
            self.invalid.append(f"{name}: {error}")

    def pool(self, variant: str | None = None) -> list[PlayedGame]:
        """Random games of the variant, or of all variants in turn."""
        if variant is None:
            return [played for alike in zip(*map(self.pool, self.scale.variants), strict=True) for played in alike]
        if variant not in self._pool:
            self._pool[variant] = random_games(variant, POOL)
        return self._pool[variant]

    def clear(self) -> None:
        """Delete everything in the store."""
        self._client.flushall()

    def stored(self, games: Sequence[PreparedGame]) -> list[PreparedGame]:
        """A stored copy of a game for each connection."""
        return [*islice(stored_copies(games, self.store), CONNECTIONS)]

    def middles(self, variant: str | None = None) -> list[PreparedGame]:
        """A stored game for each connection, half played: of the variant, or of all variants in turn."""
        return self.stored([played.middle() for played in self.pool(variant)])

    def moves(
        self,
        games: Sequence[PreparedGame],
        requests: Callable[[PreparedGame], Iterable[Request]],
        seconds: float | None = None,
    ) -> Workload:
        """Enough requests in new copies of the games for a round, one game after the other on each connection."""
        source = stored_copies(games, self.store)
        scripts: list[list[Request]] = [[] for _ in range(CONNECTIONS)]
        for script in scripts:
            while len(script) < MAX_RATE * (seconds or self.scale.seconds) / CONNECTIONS:
                script.extend(requests(next(source)))
        return Workload(scripts, is_sent_once=True)

    def put(self, values: Mapping[str, bytes]) -> None:
        """Store values for the bare stack to read."""
        self._client.mset(dict(values))

    # Measuring

    def drive(self, server: Server, scripts: Sequence[Script], seconds: float | None = None) -> Round:
        """Send requests as fast as they are answered. Raises `InvalidRun`."""
        before = server.cpu_seconds(), server.store_cpu_seconds()
        done = load.saturate(server.url, scripts, seconds or self.scale.seconds, self.scale.generator)
        return _round(done, before, (server.cpu_seconds(), server.store_cpu_seconds()))

    def at_half_load(self, server: Server, prepare: Callable[[float], Workload]) -> load.Load:
        """Send requests at half of the highest rate. `prepare` gets seconds. Raises `InvalidRun`."""
        highest = self.drive(server, prepare(self.scale.seconds).raw()).rate
        workload = prepare(self.scale.steady_seconds / 2)
        return load.steady(server.url, workload.raw(), self.scale.steady_seconds, highest / 2)

    def sample(self, server: Server, workload: Workload) -> int:
        """The mean size of the answers. Raises `InvalidRun` if one has another status than expected."""
        sizes = []
        for request in workload.sample or [script[0] for script in workload.scripts]:
            answer = server.ask(request.method, request.path, request.headers, request.body)
            if answer.status != workload.status:
                raise InvalidRun(f"{request.method} {request.path}: {answer.status} {answer.content!r}")
            sizes.append(len(answer.content))
        return round(statistics.mean(sizes))

    def alternate(self, *sides: tuple[Server, Prepare]) -> list[list[Round]]:
        """The rounds of each side. The order of the sides is reversed in every other round."""
        found: list[list[Round]] = [[] for _ in sides]
        for server, prepare in sides if self.scale.warm_seconds else ():
            # A short warm-up on a busy machine may have no answer at all.
            with suppress(InvalidRun):
                self.drive(server, prepare().raw(), self.scale.warm_seconds)
        for number in range(self.scale.rounds):
            order = [*range(len(sides))][:: -1 if number % 2 else 1]
            for side in order:
                server, prepare = sides[side]
                found[side].append(self.drive(server, prepare().raw()))
        return found


def _round(done: load.Load, before: tuple[float, float], after: tuple[float, float]) -> Round:
    # The kernel counts CPU time in ticks of 10 ms: a round that is too short for it counts as one tick.
    server, store = (
        max(0.01, later - earlier) * 1000 / done.answers for earlier, later in zip(before, after, strict=True)
    )
    return Round(done.answers, done.seconds, done.answers / done.seconds, server, store, done.p50, done.p99)


def constant(workload: Workload) -> Prepare:
    """The same workload in every round."""
    return lambda: workload


def on_baseline(baseline: Baseline, workload: Workload, size: int) -> Workload:
    """The same requests sent to the bare stack, each connection with a value of its own."""
    scripts = []
    for number, script in enumerate(workload.scripts):
        path = f"/a/{size}" if baseline == "a" else f"/{baseline}/{size}/{number}"
        scripts.append([request._replace(path=path) for request in script[:1000]])
    return Workload(scripts)


@contextmanager
def bench(folder: Path, scale: Scale) -> Iterator[Bench]:
    """The bench, with the service running, for the time of a block."""
    with running(Server.deployed(folder / "service", scale.workers)) as service:
        yield Bench(folder, scale, service)


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """Stop the server after the block."""
    try:
        yield server
    finally:
        server.stop()
