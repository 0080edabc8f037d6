"""Everything that is measured, section by section."""

import random
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple

from service.store.redis import RedisStore
from tests.bench import live, rules
from tests.bench.courses import (
    QUESTIONS,
    Course,
    Request,
    asking,
    checking,
    creating,
    endless,
    listing,
    looking,
    moving,
    moving_in_lists,
    paging,
    play,
)
from tests.bench.figures import KINDS, PEER, Figure, Target
from tests.bench.load import Load
from tests.bench.servers import ROOT, Server, plain_environment
from tests.bench.stand import (
    CONNECTIONS,
    OURS,
    Kind,
    Prepare,
    Round,
    Stand,
    Workload,
    always,
    baseline,
    running,
)

REQUESTS: Final = (
    "requests, as fast as they are answered, against the bare stack: (a) Flask, (b) + a read, (c) + a write"
)
MOVES: Final = "validated moves per CPU-second of the server"
HALF: Final = "latency at half of the highest rate"
CONDITIONAL: Final = "what the caller has already"
GROWTH: Final = "growth"
PROCESS: Final = "a worker"
RULES: Final = "the rules in process"
WATCHERS: Final = "live events"
SECTIONS: Final = (REQUESTS, MOVES, HALF, CONDITIONAL, WATCHERS, GROWTH, PROCESS, RULES, KINDS)

LISTING: Final = "`GET /games/{id}/moves`"
MOVING: Final = "`POST /games/{id}/moves`"
LIST: Final = 20
"""Moves in one request, where there are several."""
STEADY: Final = Target("≤", 1.10)
"""What grows must not cost more."""


def _median(rounds: Iterable[Round], what: str) -> float:
    return float(statistics.median(getattr(each, what) for each in rounds))


def _quotients(left: Sequence[Round], right: Sequence[Round], what: str) -> list[float]:
    return [getattr(one, what) / getattr(other, what) for one, other in zip(left, right, strict=True)]


def _pairs(left: Sequence[Round], right: Sequence[Round], first: str, second: str) -> list[Any]:
    return [{first: one._asdict(), second: other._asdict()} for one, other in zip(left, right, strict=True)]


def _single(courses: Sequence[Course], request: Callable[[Course], Request]) -> Workload:
    """Each connection asks the same about its game again and again."""
    return Workload([[request(course)] for course in courses])


# Requests against the bare stack ---------------------------------------------------------------------------------


class Compared(NamedTuple):
    """A call, and the baseline that it is compared with."""

    what: str
    kind: Kind
    target: float | None
    prepare: Prepare
    sample: Prepare
    """Some of it, to see what is answered."""


def _reads(stand: Stand, courses: Sequence[Course]) -> Iterator[Compared]:
    for what, kind, target, request in (
        (LISTING, "b", 0.80, listing),
        ("`GET /games/{id}`", "b", 0.80, looking),
        ("`POST /games/{id}/check`", "b", 0.75, checking),
    ):
        workload = _single(courses, request)
        yield Compared(what, kind, target, always(workload), always(workload))  # type: ignore[arg-type]
    for question in QUESTIONS:
        workload = _single(courses, partial(asking, question=question))
        yield Compared(f"`POST /variants/{{variant}}/{question}`", "a", 0.60, always(workload), always(workload))


def _writes(stand: Stand, variant: str, middle: Course) -> Iterator[Compared]:
    whole = [played.course() for played in stand.pool(variant)]

    def sample() -> Workload:
        return Workload([[]], [*islice(moving(middle.anew().keep(stand.store)), LIST)])

    yield Compared(MOVING, "c", 0.70, partial(stand.moves, whole, moving), sample)
    workload = Workload([[creating(variant)]] * CONNECTIONS, status=201)
    yield Compared("`POST /games`", "c", 0.60, always(workload), always(workload))


def requests(stand: Stand) -> Iterator[Figure]:
    """Every call against its baseline, with states of every variant."""
    workers = str(stand.scale.workers)
    bare = Server.launched(stand.folder / "bare", "baseline", stand.service, WORKERS=workers)
    threaded = Server.launched(
        stand.folder / "threaded", "baseline", stand.service, {"worker_class": "gthread"}, WORKERS=workers
    )
    with running(bare), running(threaded):
        for variant in stand.scale.variants:
            stand.clear()
            courses = stand.middles(variant)
            stand.put({str(number): bytes(course.stored_bytes) for number, course in enumerate(courses)})
            for compared in (*_reads(stand, courses), *_writes(stand, variant, courses[0])):
                with stand.unless_spoiled(f"{compared.what} {variant}"):
                    yield from _compare(stand, bare, variant, compared)
                    if compared.what in (LISTING, MOVING):
                        how = f"{compared.what}, the bare stack on gunicorn's own threads"
                        yield from _compare(stand, threaded, variant, compared._replace(what=how, target=None))


def _compare(stand: Stand, bare: Server, variant: str, compared: Compared) -> Iterator[Figure]:
    size = stand.sample(stand.service, compared.sample())
    beside = baseline(compared.kind, compared.prepare(), size)
    stand.sample(bare, beside)
    ours, theirs = stand.alternate((stand.service, compared.prepare), (bare, always(beside)))
    raw = _pairs(ours, theirs, "ours", "baseline")
    cpu = _quotients(theirs, ours, "cpu")
    also = {
        "ours/s": _median(ours, "rate"),
        "baseline/s": _median(theirs, "rate"),
        "by CPU": statistics.median(cpu),
        "CPU-s per 1,000": _median(ours, "cpu"),
        "baseline's": _median(theirs, "cpu"),
        "store's": _median(ours, "store_cpu"),
        "baseline's store's": _median(theirs, "store_cpu"),
        "bytes": size,
    }
    target = Target("≥", compared.target) if compared.target else None
    unit = f"of ({compared.kind})"
    yield Figure(REQUESTS, compared.what, variant, unit, _quotients(ours, theirs, "rate"), target, also, raw)
    if compared.what == MOVING:
        yield _per_cpu("moves, one in a request", variant, 1, None, ours)


# Moves per CPU-second --------------------------------------------------------------------------------------------


def _per_cpu(what: str, variant: str, moves: int, target: Target | None, rounds: Sequence[Round]) -> Figure:
    values = [1000 * moves / each.cpu for each in rounds]
    also = {
        f"× the peer's {PEER:,}": statistics.median(values) / PEER,
        "with the store's CPU": statistics.median(1000 * moves / each.all_cpu for each in rounds),
        "moves/s": statistics.median(moves * each.rate for each in rounds),
    }
    return Figure(MOVES, what, variant, "/CPU-s", values, target, also, rounds)


def lists(stand: Stand) -> Iterator[Figure]:
    """Lists of moves, made by the host, chance's answers in between."""
    for variant in stand.scale.variants:
        stand.clear()
        whole = [played.course() for played in stand.pool(variant)]
        (rounds,) = stand.alternate((stand.service, partial(stand.moves, whole, partial(moving_in_lists, length=LIST))))
        yield _per_cpu(f"moves, {LIST} in a request", variant, LIST, Target("≥", 3 * PEER), rounds)


# Latency ---------------------------------------------------------------------------------------------------------


def half_load(stand: Stand) -> Iterator[Figure]:
    """Requests at a steady rate, games of every variant."""
    stand.clear()
    courses = stand.middles()
    whole = [played.course() for played in stand.pool()]
    listed, looked = _single(courses, listing), _single(courses, looking)
    calls: Mapping[str, tuple[Kind, Callable[[float], Workload]]] = {
        LISTING: ("b", _for_any_time(listed)),
        "`GET /games/{id}`": ("b", _for_any_time(looked)),
        MOVING: ("c", partial(stand.moves, whole, moving)),
    }
    bare = Server.launched(stand.folder / "halved", "baseline", stand.service, WORKERS=str(stand.scale.workers))
    with running(bare):
        stand.put({str(number): bytes(course.stored_bytes) for number, course in enumerate(courses)})
        for what, (kind, prepare) in calls.items():
            some = prepare(0.01)
            beside = _for_any_time(baseline(kind, some, stand.sample(stand.service, some)))
            sides = ((stand.service, prepare), (bare, beside))
            found = [[stand.at_half_load(*side) for side in sides] for _ in range(stand.scale.steady_rounds)]
            ours, theirs = zip(*found, strict=True)
            yield _tail(what, ours, Target("≤", 5))
            yield _tail(f"{what}, the bare stack ({kind})", theirs, None)


def _for_any_time(workload: Workload) -> Callable[[float], Workload]:
    return lambda _: workload


def _tail(what: str, found: Sequence[Load], target: Target | None) -> Figure:
    also = {
        "p50 ms": statistics.median(each.p50 for each in found),
        "p99 ms": statistics.median(each.p99 for each in found),
        "requests/s": statistics.median(each.answers / each.seconds for each in found),
    }
    return Figure(HALF, what, "", "p99 / p50", [each.p99 / each.p50 for each in found], target, also, found)


def conditional(stand: Stand) -> Iterator[Figure]:
    """304 against 200, games of every variant."""
    stand.clear()
    courses = stand.middles()
    for what, request in ((LISTING, listing), ("`GET /games/{id}`", looking)):
        whole = _single(courses, request)
        tagged = Workload([[_tagged(stand.service, each)] for (each,) in whole.scripts], status=304)
        stand.sample(stand.service, tagged)
        short, long = stand.alternate((stand.service, always(tagged)), (stand.service, always(whole)))
        also = {
            "CPU-s per 1,000": _median(short, "cpu"),
            "of 200": _median(long, "cpu"),
            "304/s": _median(short, "rate"),
            "200/s": _median(long, "rate"),
        }
        values = _quotients(short, long, "cpu")
        raw = _pairs(short, long, "304", "200")
        yield Figure(CONDITIONAL, what, "", "CPU of 304 / of 200", values, None, also, raw)


def _tagged(server: Server, request: Request) -> Request:
    return request._replace(etag=server.ask(request.method, request.path, request.headers).headers["ETag"])


# Growth ----------------------------------------------------------------------------------------------------------

EARLY, LATE, LONGEST, PAGE, FEW = 10, 500, 10_000, 100, 100


def _grown(what: str, of: str, large: Sequence[Round], small: Sequence[Round]) -> Figure:
    also = {
        "by rate": statistics.median(_quotients(small, large, "rate")),
        "CPU-s per 1,000": _median(large, "all_cpu"),
        "small": _median(small, "all_cpu"),
    }
    values = _quotients(large, small, "all_cpu")
    return Figure(GROWTH, what, of, "× the CPU", values, STEADY, also, _pairs(large, small, "large", "small"))


def _long_games() -> list[Course]:
    """Duels from their five hundredth event on."""
    rng = random.Random("long")
    found: list[Course] = []
    while len(found) < 8:
        played = play("duel", 2, rng, rounds=3)
        late = [number for number, table in enumerate(played.tables) if table.version >= LATE]
        if len(late) > 2 * LIST:
            found.append(played.course(late[0]))
    return found


def versions(stand: Stand) -> Iterator[Figure]:
    """The same positions with few and with many events behind them."""
    sides = [[course.at_version(version, LIST) for course in _long_games()] for version in (LATE, EARLY)]
    stand.clear()
    kept = [stand.kept(courses) for courses in sides]
    of = f"version {LATE} / {EARLY}"
    for what, request in ((LISTING, listing), ("`GET /games/{id}`", looking)):
        late, early = stand.alternate(*((stand.service, always(_single(courses, request))) for courses in kept))
        yield _grown(what, of, late, early)
    late, early = stand.alternate(*((stand.service, partial(stand.moves, courses, moving)) for courses in sides))
    yield _grown(MOVING, of, late, early)


def pages(stand: Stand) -> Iterator[Figure]:
    """A page at several places of a long history, and the only page of a short one."""
    stand.clear()
    long, short = (_long_games()[0].at_version(version, 1).anew().keep(stand.store) for version in (LONGEST, PAGE))
    places = {
        "first": paging(long, 0, PAGE),
        "middle": paging(long, (LONGEST - PAGE) // 2, PAGE),
        "last": paging(long, LONGEST - PAGE, PAGE),
        "only": paging(short, 0, PAGE),
    }
    sides = [Workload([[request]] * CONNECTIONS) for request in places.values()]
    first, middle, last, only = stand.alternate(*((stand.service, always(side)) for side in sides))
    what = "`GET /games/{id}/history`"
    yield _grown(what, f"middle / first page of {LONGEST:,} events", middle, first)
    yield _grown(what, f"last / first page of {LONGEST:,} events", last, first)
    yield _grown(what, f"first page of {LONGEST:,} / of {PAGE} events", first, only)


def live_games(stand: Stand) -> Iterator[Figure]:
    """Two services, one with few games in its store, one with many."""
    stand.clear()
    other = Server.deployed(stand.folder / "crowded", stand.scale.workers)
    with running(other):
        crowd = Stand(stand.folder, stand.scale, other)
        middles = [played.middle() for played in stand.pool()]
        _fill(stand.store, middles, FEW)
        _fill(crowd.store, middles, stand.scale.live)
        of = f"{stand.scale.live:,} / {FEW} live games"
        many, few = stand.alternate(
            (other, always(_single(crowd.middles(), listing))),
            (stand.service, always(_single(stand.middles(), listing))),
        )
        yield _grown(LISTING, of, many, few)
        many, few = stand.alternate(
            (other, partial(crowd.moves, middles, moving)), (stand.service, partial(stand.moves, middles, moving))
        )
        yield _grown(MOVING, of, many, few)


def _fill(store: RedisStore, courses: Sequence[Course], count: int) -> None:
    for _ in islice(endless(courses, store), count):
        pass


# A worker --------------------------------------------------------------------------------------------------------


def memory(stand: Stand) -> Iterator[Figure]:
    """What one worker has in memory after many requests of every kind."""
    stand.clear()
    server = Server.launched(
        stand.folder / "single", "service", stand.service, {"max_requests": 0, "max_requests_jitter": 0}, WORKERS="1"
    )
    whole = [played.course() for played in stand.pool()]
    with running(server):
        stand.drive(server, stand.moves(whole, _session).raw())
        (before,) = server.memory()
        answers = 0
        while answers < stand.scale.requests:
            answers += stand.drive(server, stand.moves(whole, _session).raw()).answers
        (after,) = server.memory()
    what = f"memory after {stand.scale.requests:,} requests"
    yield Figure(PROCESS, what, "RSS", "MiB", [after.rss], Target("<", 80), {"at first": before.rss}, [after])
    yield Figure(PROCESS, what, "PSS", "MiB", [after.pss], None, {"at first": before.pss}, [after])


def _session(course: Course) -> Iterator[Request]:
    """A game as bots play it: some questions beforehand, then one move after the other."""
    for question in QUESTIONS:
        yield asking(course, question)
    yield creating(course.table.record.variant)
    for event, request in zip(course.ahead, moving(course), strict=True):
        now = course._replace(ahead=[event])
        yield from (listing(now), checking(now), request, looking(now))
    yield paging(course, 0, PAGE)


_IMPORT: Final = """
from time import perf_counter, process_time
begun = perf_counter(), process_time()
import service.app
imported = perf_counter(), process_time()
from service.config import Settings
service.app.create_app(Settings(redis_url="redis://unused"))
made = perf_counter(), process_time()
print(*(end - start for marks in ((begun, imported), (begun, made)) for start, end in zip(*marks)))
"""


def start(stand: Stand) -> Iterator[Figure]:
    """How long a fresh process takes to import the application, and to make it."""
    found = []
    for _ in range(stand.scale.starts):
        told = subprocess.run(
            [sys.executable, "-P", "-c", _IMPORT],
            cwd=ROOT,
            env=plain_environment(),
            capture_output=True,
            text=True,
            check=True,
        )
        found.append([float(each) for each in told.stdout.split()])
    imported, imported_cpu, made, made_cpu = (list(column) for column in zip(*found, strict=True))
    for of, seconds, cpu in (("imported", imported, imported_cpu), ("imported and made", made, made_cpu)):
        also = {"CPU": statistics.median(cpu)}
        yield Figure(PROCESS, "start of the application", of, "s", seconds, Target("<", 0.7), also, found)


# The rules in process --------------------------------------------------------------------------------------------


def in_process(stand: Stand) -> Iterator[Figure]:
    """Decisions and restores per CPU-second, without a server. The targets are for the faster form of the rules."""
    measured = rules.measure(stand.scale.rules_rounds)
    for what, rate, also in (
        ("decisions, listed and applied", "decisions", {"of seats alone": "seat_decisions"}),
        ("restores of a stored state", "restores", {"with its record": "restores_with_record"}),
    ):
        for form, table in ((form, table) for form, tables in measured.items() for table in tables):
            bound = 50_000 if rate == "restores" else 400_000 if table["variant"] == "duel" else 150_000
            yield Figure(
                RULES,
                f"{what}, {form} rules",
                f"{table['variant']}, {table['seats']} seats",
                "/CPU-s",
                [table[rate][each] for each in ("least", "median", "most")],
                Target(">", bound) if form == [*measured][-1] else None,
                {name: table[other]["median"] for name, other in also.items()},
                [table],
            )


# Watchers --------------------------------------------------------------------------------------------------------


def watchers(stand: Stand) -> Iterator[Figure]:
    """How long after a move was sent its last watcher has it."""
    for case in live.measure(stand.scale.streams, stand.scale.watched_moves):
        values = case.milliseconds
        yield Figure(
            WATCHERS,
            f"a move reaches the last of {case.streams:,} watchers",
            case.name,
            "ms",
            values,
            Target("≤", 100),
            {"p99": sorted(values)[int(len(values) * 0.99)]},
            [case._asdict()],
        )


# Kinds of workers ------------------------------------------------------------------------------------------------


def kinds(stand: Stand) -> Iterator[Figure]:
    """The service with other workers than the deployed ones, games of every variant."""
    stand.clear()
    servers: dict[str, Server] = {}
    with ExitStack() as stack:
        for kind, threads in stand.scale.kinds:
            changes = {} if kind == OURS else {"worker_class": kind, "threads": threads if kind == "gthread" else 1}
            name = f"{kind} × {threads}" if kind in (OURS, "gthread") else kind
            server = Server.launched(
                *(stand.folder / name, "service", stand.service, changes),
                WORKERS=str(stand.scale.workers),
                THREADS=str(threads),
            )
            servers[name] = stack.enter_context(running(server))
        reads = _single(stand.middles(), listing)
        whole = [played.course() for played in stand.pool()]
        listed = stand.alternate(*((server, always(reads)) for server in servers.values()))
        moved = stand.alternate(*((server, partial(stand.moves, whole, moving)) for server in servers.values()))
    for name, gets, posts in zip(servers, listed, moved, strict=True):
        also = {
            f"{call} moves, {what}": _median(rounds, field)
            for call, rounds in (("GET", gets), ("POST", posts))
            for what, field in (
                ("requests/s", "rate"),
                ("CPU-s per 1,000", "cpu"),
                ("p50 ms", "p50"),
                ("p99 ms", "p99"),
            )
        }
        yield Figure(
            KINDS, name, "", "GET moves/s", [each.rate for each in gets], None, also, _pairs(gets, posts, "GET", "POST")
        )


MEASURES: Final[Sequence[Callable[[Stand], Iterator[Figure]]]] = (
    *(requests, lists, half_load, conditional, watchers, versions, pages, live_games, memory, start, in_process, kinds),
)
