"""The test stand: the service as it is deployed, the baselines beside it, and rounds that alternate between them."""

import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import redis

from service.config import Settings
from service.rules.registry import GAMES
from service.store.redis import RedisStore
from tests.bench import load
from tests.bench.courses import Course, Played, Request, endless, games
from tests.bench.load import GENERATOR, Generator, Script, Spoiled
from tests.bench.servers import Server

CONNECTIONS: Final = 16
POOL: Final = 16
"""Random games of each variant that are played beforehand."""
FASTEST: Final = 8_000
"""Requests in a second that no Flask on a few cores answers: so many are prepared where each can be sent once only."""

OURS: Final = "relay"
KINDS: Final = (("sync", 1), ("gthread", 4), *((OURS, threads) for threads in (1, 2, 4, 8)), ("gevent", CONNECTIONS))

Kind = Literal["a", "b", "c"]


class Scale(NamedTuple):
    """How much is measured."""

    variants: Sequence[str] = tuple(GAMES)
    rounds: int = 7
    seconds: float = 0.8
    """Of one side in a round."""
    warm_seconds: float = 0.25
    """Of each side before the first round."""
    steady_rounds: int = 25
    steady_seconds: float = 1.0
    """At half of the highest rate: many short rounds, as a host that takes the machine away does so in bursts."""
    live: int = 100_000
    """Games that are stored besides those that are asked for."""
    requests: int = 100_000
    """After which a worker's memory is looked at."""
    starts: int = 7
    """Of the program, to see how long it takes to import."""
    streams: int = 500
    watched_moves: int = 40
    """That each of so many streams is told of, if it watches their game."""
    rules_rounds: int = 5
    kinds: Sequence[tuple[str, int]] = KINDS
    """Of workers, and how many requests each answers at a time."""
    workers: int = Settings().workers
    """Of each server: as many as are deployed."""
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
    rules_rounds=1,
    watched_moves=10,
)


class Round(NamedTuple):
    """One side's turn."""

    answers: int
    seconds: float
    rate: float
    """Answers a second."""
    cpu: float
    """Seconds of the server's processes for 1,000 answers,"""
    store_cpu: float
    """and of the store's."""
    p50: float
    p99: float

    @property
    def all_cpu(self) -> float:
        """Of both."""
        return self.cpu + self.store_cpu


class Workload(NamedTuple):
    """What is asked in a round."""

    scripts: Sequence[Sequence[Request]]
    """One for each connection."""
    sample: Sequence[Request] = ()
    """Some of it, to see what is answered; by default the first of each script."""
    status: int = 200

    def raw(self) -> list[Script]:
        """As it goes over the wire."""
        return [[request.raw() for request in script] for script in self.scripts]


Prepare = Callable[[], Workload]
"""Makes the workload of the next round: what changes a game can be sent once only."""


class Stand:
    """Servers on one store."""

    def __init__(self, folder: Path, scale: Scale, service: Server) -> None:
        self.folder = folder
        self.scale = scale
        self.service = service
        self.store = RedisStore(service.store_url, timeout=10)
        self._client: Any = redis.Redis.from_url(service.store_url)
        self.spoiled: list[str] = []
        """What could not be measured, and why."""
        self._pool: dict[str, list[Played]] = {}

    @contextmanager
    def unless_spoiled(self, what: str) -> Iterator[None]:
        """What is spoiled is not reported as a figure; the rest goes on."""
        try:
            yield
        except Spoiled as error:
            self.spoiled.append(f"{what}: {error}")

    def pool(self, variant: str | None = None) -> list[Played]:
        """Random games of the variant, or of all of them in turn."""
        if variant is None:
            return [played for alike in zip(*map(self.pool, self.scale.variants), strict=True) for played in alike]
        if variant not in self._pool:
            self._pool[variant] = games(variant, POOL)
        return self._pool[variant]

    def clear(self) -> None:
        """Forget every game."""
        self._client.flushall()

    def kept(self, courses: Sequence[Course]) -> list[Course]:
        """A stored copy of a game for each connection."""
        return [*islice(endless(courses, self.store), CONNECTIONS)]

    def middles(self, variant: str | None = None) -> list[Course]:
        """A stored game for each connection, in the middle of it; of all variants in turn, if none is named."""
        return self.kept([played.middle() for played in self.pool(variant)])

    def moves(
        self, courses: Sequence[Course], requests: Callable[[Course], Iterable[Request]], seconds: float | None = None
    ) -> Workload:
        """As many requests in fresh copies of the games as a round can need, game after game on each connection."""
        source = endless(courses, self.store)
        scripts: list[list[Request]] = [[] for _ in range(CONNECTIONS)]
        for script in scripts:
            while len(script) < FASTEST * (seconds or self.scale.seconds) / CONNECTIONS:
                script.extend(requests(next(source)))
        return Workload(scripts)

    def put(self, values: Mapping[str, bytes]) -> None:
        """Values for the baselines to read."""
        self._client.mset(dict(values))

    # Measuring

    def drive(self, server: Server, scripts: Sequence[Script], seconds: float | None = None) -> Round:
        """Ask as fast as it answers. Raises `Spoiled`."""
        before = server.cpu_seconds(), server.store_cpu_seconds()
        done = load.saturate(server.url, scripts, seconds or self.scale.seconds, self.scale.generator)
        return _round(done, before, (server.cpu_seconds(), server.store_cpu_seconds()))

    def at_half_load(self, server: Server, prepare: Callable[[float], Workload]) -> load.Load:
        """Ask at half of the highest rate; `prepare` makes enough work for so many seconds. Raises `Spoiled`."""
        highest = self.drive(server, prepare(self.scale.seconds).raw()).rate
        workload = prepare(self.scale.steady_seconds / 2)
        return load.steady(server.url, workload.raw(), self.scale.steady_seconds, highest / 2)

    def sample(self, server: Server, workload: Workload) -> int:
        """The mean size of the answers. Raises `Spoiled` if one is not what it should be."""
        sizes = []
        for request in workload.sample or [script[0] for script in workload.scripts]:
            answer = server.ask(request.method, request.path, request.headers, request.body)
            if answer.status != workload.status:
                raise Spoiled(f"{request.method} {request.path}: {answer.status} {answer.content!r}")
            sizes.append(len(answer.content))
        return round(statistics.mean(sizes))

    def alternate(self, *sides: tuple[Server, Prepare]) -> list[list[Round]]:
        """Each side's rounds; who begins changes with every round."""
        found: list[list[Round]] = [[] for _ in sides]
        for server, prepare in sides if self.scale.warm_seconds else ():
            # On a busy machine nothing may be answered in so short a time: the rounds will tell.
            with suppress(Spoiled):
                self.drive(server, prepare().raw(), self.scale.warm_seconds)
        for number in range(self.scale.rounds):
            order = [*range(len(sides))][:: -1 if number % 2 else 1]
            for side in order:
                server, prepare = sides[side]
                found[side].append(self.drive(server, prepare().raw()))
        return found


def _round(done: load.Load, before: tuple[float, float], after: tuple[float, float]) -> Round:
    # The kernel's clock ticks 100 times a second: a round too short for it has cost a tick.
    server, store = (
        max(0.01, later - earlier) * 1000 / done.answers for earlier, later in zip(before, after, strict=True)
    )
    return Round(done.answers, done.seconds, done.answers / done.seconds, server, store, done.p50, done.p99)


def always(workload: Workload) -> Prepare:
    """The same in every round."""
    return lambda: workload


def baseline(kind: Kind, workload: Workload, size: int) -> Workload:
    """The same requests put to a baseline, each connection with a value of its own."""
    scripts = []
    for number, script in enumerate(workload.scripts):
        path = f"/a/{size}" if kind == "a" else f"/{kind}/{size}/{number}"
        scripts.append([request._replace(path=path) for request in script[:1000]])
    return Workload(scripts)


@contextmanager
def stand(folder: Path, scale: Scale) -> Iterator[Stand]:
    """The service for the time of a block."""
    with running(Server.deployed(folder / "service", scale.workers)) as service:
        yield Stand(folder, scale, service)


@contextmanager
def running(server: Server) -> Iterator[Server]:
    """A server for the time of a block."""
    try:
        yield server
    finally:
        server.stop()
