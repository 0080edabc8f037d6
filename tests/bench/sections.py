"""Everything that is measured, section by section."""

import random
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple

from lostcities.store.redis import RedisStore

from tests.bench import decisions, experts, live, rules, slow, worst_bodies
from tests.bench.bench import (
    CONNECTIONS,
    Baseline,
    Bench,
    Prepare,
    Round,
    Workload,
    constant,
    on_baseline,
    running,
)
from tests.bench.figures import PEER, Figure, Target
from tests.bench.load import Load
from tests.bench.prepared_games import (
    QUESTIONS,
    PreparedGame,
    Request,
    ask_about_position,
    check_move,
    create_game,
    get_game,
    get_history,
    list_moves,
    make_move_lists,
    make_moves,
    play,
    stored_copies,
)
from tests.bench.servers import ROOT, Server, plain_environment

REQUESTS: Final = "CPU of a request, bare stack / service: (a) Flask, (b) + a Redis read, (c) + a Redis write"
DECISIONS: Final = "a bot's decision with `include` / with a list before it"
BESIDE: Final = "a bot's decision in this version / in another one with `include`"
EXPERTS: Final = "experts: latency for others while they think, and CPU of the server for a decision"
MOVES: Final = "validated moves per CPU-second of the server"
HALF_LOAD: Final = "latency at half of the highest rate"
CONDITIONAL: Final = "conditional requests"
STREAMS: Final = "streams of events"
SLOW_CLIENTS: Final = "latency for others while slow clients attack"
WORST_BODIES: Final = "worst request bodies: CPU of the server for one request"
GROWTH: Final = "growth"
WORKER: Final = "one worker"
RULES: Final = "the rules, without a server"
SECTIONS: Final = (
    *(
        REQUESTS,
        DECISIONS,
        BESIDE,
        EXPERTS,
        MOVES,
        HALF_LOAD,
        CONDITIONAL,
        STREAMS,
        SLOW_CLIENTS,
        WORST_BODIES,
        GROWTH,
        WORKER,
        RULES,
    ),
)

LIST_MOVES: Final = "`GET /games/{id}/moves`"
GET_GAME: Final = "`GET /games/{id}`"
CHECK_MOVE: Final = "`POST /games/{id}/check`"
MAKE_MOVES: Final = "`POST /games/{id}/moves`"
CREATE_GAME: Final = "`POST /games`"
LIST_LENGTH: Final = 20
"""Moves in one request, where a request has a list of them."""
FLAT: Final = Target("≤", 1.10)
"""For costs that must not grow with the size of a game or of the store."""
MAX_BESIDE: Final = Target("≤", 0.60)
"""For the CPU of a decision beside that of version 1.0.0."""
MAX_TAIL: Final = 5.0
"""For p99 / p50 at half load."""
MAX_DELAY: Final = 100.0
"""Milliseconds until the last of `DELAY_STREAMS` watchers has a move."""
DELAY_STREAMS: Final = 500
MAX_TURN: Final = 1.2
"""Milliseconds until the other player can act, by a stream with `include`."""
MAX_PROBE: Final = 100.0
"""Milliseconds for p99 of the probes while slow clients attack."""
MAX_ADVICE_CPU: Final = 100.0
"""CPU milliseconds for an expert's decision, with compiled rules."""
MAX_BODY_CPU: Final = 20.0
"""CPU milliseconds for any body."""


_Measured = Round | decisions.Decisions


def _median(rounds: Iterable[_Measured], field: str) -> float:
    return float(statistics.median(getattr(each, field) for each in rounds))


def _quotients(left: Sequence[_Measured], right: Sequence[_Measured], field: str) -> list[float]:
    return [getattr(one, field) / getattr(other, field) for one, other in zip(left, right, strict=True)]


def _pairs(left: Sequence[_Measured], right: Sequence[_Measured], first: str, second: str) -> list[Any]:
    return [{first: one._asdict(), second: other._asdict()} for one, other in zip(left, right, strict=True)]


def _single(games: Sequence[PreparedGame], request: Callable[[PreparedGame], Request]) -> Workload:
    """Each connection sends the same request about its game over and over."""
    return Workload([[request(game)] for game in games])


# Requests against the bare stack ---------------------------------------------------------------------------------


class Comparison(NamedTuple):
    """A call, and the baseline that it is compared with."""

    name: str
    baseline: Baseline
    target: float
    prepare: Prepare
    sample: Prepare
    """Some of its requests, to check the answers."""


def _reads(games: Sequence[PreparedGame]) -> Iterator[Comparison]:
    calls: Sequence[tuple[str, float, Callable[[PreparedGame], Request]]] = (
        (LIST_MOVES, 0.72, list_moves),
        (GET_GAME, 0.68, get_game),
        (CHECK_MOVE, 0.60, check_move),
    )
    for name, target, request in calls:
        workload = constant(_single(games, request))
        yield Comparison(name, "b", target, workload, workload)
    for question in QUESTIONS:
        workload = constant(_single(games, partial(ask_about_position, question=question)))
        yield Comparison(f"`POST /variants/{{variant}}/{question}`", "a", 0.35, workload, workload)


def _writes(bench: Bench, variant: str, middle: PreparedGame) -> Iterator[Comparison]:
    whole = [played.before_move() for played in bench.pool(variant)]

    def sample() -> Workload:
        return Workload([[]], [*islice(make_moves(middle.copy().save(bench.store)), LIST_LENGTH)])

    yield Comparison(MAKE_MOVES, "c", 0.55, partial(bench.moves, whole, make_moves), sample)
    workload = constant(Workload([[create_game(variant)]] * CONNECTIONS, status=201))
    yield Comparison(CREATE_GAME, "c", 0.45, workload, workload)


def requests(bench: Bench) -> Iterator[Figure]:
    """Every call against its baseline, with games of every variant. For the first one also without rate limits."""
    launch = partial(Server.launched, owner=bench.service, workers=bench.scale.workers)
    with (
        running(launch(bench.folder / "bare", "baseline")) as bare,
        running(launch(bench.folder / "unlimited", "service", RATE_LIMITS="off")) as unlimited,
    ):
        for variant in bench.scale.variants:
            bench.clear()
            games = bench.middles(variant)
            bench.put({str(number): bytes(game.stored_bytes) for number, game in enumerate(games)})
            for comparison in (*_reads(games), *_writes(bench, variant, games[0])):
                with bench.skip_if_invalid(f"{comparison.name} {variant}"):
                    others = {", without limits": unlimited} if variant == bench.scale.variants[0] else {}
                    yield from _compare(bench, {"": bench.service, **others}, bare, variant, comparison)


def _compare(
    bench: Bench, services: Mapping[str, Server], bare: Server, variant: str, comparison: Comparison
) -> Iterator[Figure]:
    """Compare services, by what is added to the name of the call, with the bare stack."""
    size = bench.sample(bench.service, comparison.sample())
    on_bare = on_baseline(comparison.baseline, comparison.prepare(), size)
    bench.sample(bare, on_bare)
    theirs, *rounds = bench.alternate(
        (bare, constant(on_bare)), *((service, comparison.prepare) for service in services.values())
    )
    for added, ours in zip(services, rounds, strict=True):
        yield _compared(f"{comparison.name}{added}", variant, comparison, size, ours, theirs)
    if comparison.name == MAKE_MOVES:
        yield _per_cpu("moves, one in a request", variant, 1, None, rounds[0])


def _compared(
    name: str, variant: str, comparison: Comparison, size: int, ours: Sequence[Round], theirs: Sequence[Round]
) -> Figure:
    raw = _pairs(ours, theirs, "ours", "baseline")
    details = {
        "ours/s": _median(ours, "rate"),
        "baseline/s": _median(theirs, "rate"),
        # Not a measure of the work: the kernel may give all connections to one worker.
        "by rate": statistics.median(_quotients(ours, theirs, "rate")),
        "CPU-s per 1,000": _median(ours, "cpu"),
        "baseline": _median(theirs, "cpu"),
        "store": _median(ours, "store_cpu"),
        "baseline's store": _median(theirs, "store_cpu"),
        "bytes": size,
    }
    unit = f"of ({comparison.baseline})"
    values = _quotients(theirs, ours, "cpu")
    return Figure(REQUESTS, name, variant, unit, values, Target("≥", comparison.target), details, raw)


# Decisions of bots -----------------------------------------------------------------------------------------------

_OF_A_DECISION: Final[Sequence[tuple[str, str, Target | None]]] = (
    ("requests", "requests", Target("≤", 0.55)),
    ("CPU of the server", "cpu", Target("≤", 0.70)),
    ("CPU of the store", "store_cpu", None),
    ("wall time", "wall", None),
)


def bots(bench: Bench) -> Iterator[Figure]:
    """Whole games of bots. CPU and wall time are in milliseconds."""
    ways = (decisions.follow_stream, decisions.include_moves, decisions.list_first)
    for variant in bench.scale.variants:
        bench.clear()
        *sides, theirs = decisions.measure([(bench.service, way) for way in ways], variant, bench.scale)
        for name, ours in zip(("`include` and a stream", "`include`"), sides, strict=True):
            for what, field, target in _OF_A_DECISION:
                row = f"a decision with {name}: {what}"
                yield _decided(DECISIONS, row, variant, "of a list before it", field, target, ours, theirs)


def _decided(
    section: str,
    name: str,
    variant: str,
    unit: str,
    field: str,
    target: Target | None,
    ours: Sequence[decisions.Decisions],
    theirs: Sequence[decisions.Decisions],
) -> Figure:
    details = {
        "this way": _median(ours, field),
        "the other way": _median(theirs, field),
        "decisions": _median(ours, "decisions"),
    }
    values, raw = _quotients(ours, theirs, field), _pairs(ours, theirs, "ours", "theirs")
    return Figure(section, name, variant, unit, values, target, details, raw)


def beside(bench: Bench) -> Iterator[Figure]:
    """CPU of a decision beside that of another version with `include`, if there is a checkout of one."""
    if bench.scale.beside is None:
        return
    with running(Server.deployed(bench.folder / "beside", bench.scale.workers, bench.scale.beside)) as other:
        sides = [
            (bench.service, decisions.follow_stream),
            (bench.service, decisions.include_moves),
            (other, decisions.include_moves),
        ]
        for variant in bench.scale.variants:
            bench.clear()
            *found, theirs = decisions.measure(sides, variant, bench.scale)
            for name, ours in zip(("`include` and a stream", "`include`"), found, strict=True):
                row = f"a decision with {name}: CPU of the server"
                yield _decided(
                    BESIDE, row, variant, "of the other version's with `include`", "cpu", MAX_BESIDE, ours, theirs
                )


# Experts ---------------------------------------------------------------------------------------------------------


def thinking(bench: Bench) -> Iterator[Figure]:
    """Latency of normal requests while experts think on every worker, and the CPU time of an expert's decision."""
    bench.clear()
    for probes in experts.latency(bench):
        details = {
            "p50 ms": probes.percentile(50),
            "slowest ms": probes.percentile(100),
            "answered": len(probes.milliseconds),
        }
        value = [probes.percentile(99)]
        yield Figure(EXPERTS, LIST_MOVES, probes.attack, "ms, p99", value, Target("<", MAX_PROBE), details, [probes])
    for variant in bench.scale.variants:
        costs = experts.cost(bench, variant)
        details = {"least": min(costs), "most": max(costs)}
        yield Figure(EXPERTS, "advice", variant, "ms of CPU", costs, Target("≤", MAX_ADVICE_CPU), details, costs)


# Moves per CPU-second --------------------------------------------------------------------------------------------


def _per_cpu(name: str, variant: str, moves: int, target: Target | None, rounds: Sequence[Round]) -> Figure:
    values = [1000 * moves / each.cpu for each in rounds]
    details = {
        f"× the peer's {PEER:,}": statistics.median(values) / PEER,
        "with the store's CPU": statistics.median(1000 * moves / each.all_cpu for each in rounds),
        "moves/s": statistics.median(moves * each.rate for each in rounds),
    }
    return Figure(MOVES, name, variant, "/CPU-s", values, target, details, rounds)


def lists(bench: Bench) -> Iterator[Figure]:
    """Lists of moves, made by the host, with outcomes of chance in between."""
    for variant in bench.scale.variants:
        bench.clear()
        whole = [played.before_move() for played in bench.pool(variant)]
        (rounds,) = bench.alternate(
            (bench.service, partial(bench.moves, whole, partial(make_move_lists, length=LIST_LENGTH)))
        )
        yield _per_cpu(f"moves, {LIST_LENGTH} in a request", variant, LIST_LENGTH, Target("≥", 3 * PEER), rounds)


# Latency ---------------------------------------------------------------------------------------------------------


def half_load(bench: Bench) -> Iterator[Figure]:
    """Requests at a steady rate, with games of every variant."""
    bench.clear()
    games = bench.middles()
    whole = [played.before_move() for played in bench.pool()]
    calls: Mapping[str, tuple[Baseline, Callable[[float], Workload]]] = {
        LIST_MOVES: ("b", _constant(_single(games, list_moves))),
        GET_GAME: ("b", _constant(_single(games, get_game))),
        MAKE_MOVES: ("c", partial(bench.moves, whole, make_moves)),
    }
    with running(Server.launched(bench.folder / "half", "baseline", bench.service, bench.scale.workers)) as bare:
        bench.put({str(number): bytes(game.stored_bytes) for number, game in enumerate(games)})
        for name, (baseline, prepare) in calls.items():
            some = prepare(0.01)
            on_bare = _constant(on_baseline(baseline, some, bench.sample(bench.service, some)))
            sides = ((bench.service, prepare), (bare, on_bare))
            found = [[bench.at_half_load(*side) for side in sides] for _ in range(bench.scale.steady_rounds)]
            ours, theirs = zip(*found, strict=True)
            beside = _tail(f"{name}, the bare stack ({baseline})", theirs, None)
            # No worse than the bare stack is good enough.
            yield _tail(name, ours, Target("≤", max(MAX_TAIL, beside.median)))
            yield beside


def _constant(workload: Workload) -> Callable[[float], Workload]:
    """The same workload for any number of seconds."""
    return lambda _: workload


def _tail(name: str, found: Sequence[Load], target: Target | None) -> Figure:
    details = {
        "p50 ms": statistics.median(each.p50 for each in found),
        "p99 ms": statistics.median(each.p99 for each in found),
        "requests/s": statistics.median(each.answers / each.seconds for each in found),
    }
    return Figure(HALF_LOAD, name, "", "p99 / p50", [each.p99 / each.p50 for each in found], target, details, found)


def conditional(bench: Bench) -> Iterator[Figure]:
    """CPU of a 304 against CPU of a 200, with games of every variant."""
    bench.clear()
    games = bench.middles()
    for name, request in ((LIST_MOVES, list_moves), (GET_GAME, get_game)):
        whole = _single(games, request)
        tagged = Workload([[_tagged(bench.service, each)] for (each,) in whole.scripts], status=304)
        bench.sample(bench.service, tagged)
        short, long = bench.alternate((bench.service, constant(tagged)), (bench.service, constant(whole)))
        details = {
            "CPU-s per 1,000": _median(short, "cpu"),
            "of 200": _median(long, "cpu"),
            "304/s": _median(short, "rate"),
            "200/s": _median(long, "rate"),
        }
        values = _quotients(short, long, "cpu")
        raw = _pairs(short, long, "304", "200")
        yield Figure(CONDITIONAL, name, "", "CPU of 304 / of 200", values, None, details, raw)


def _tagged(server: Server, request: Request) -> Request:
    return request._replace(etag=server.ask(request.method, request.path, request.headers).headers["ETag"])


# Growth ----------------------------------------------------------------------------------------------------------

EARLY, LATE, LONGEST, PAGE, FEW = 10, 500, 10_000, 100, 100


def _grown(name: str, case: str, large: Sequence[Round], small: Sequence[Round]) -> Figure:
    details = {
        "by rate": statistics.median(_quotients(small, large, "rate")),
        "CPU-s per 1,000": _median(large, "all_cpu"),
        "small": _median(small, "all_cpu"),
    }
    values = _quotients(large, small, "all_cpu")
    return Figure(GROWTH, name, case, "× the CPU", values, FLAT, details, _pairs(large, small, "large", "small"))


def _long_games() -> list[PreparedGame]:
    """Duels with 500 events and moves left to make."""
    rng = random.Random("long")
    found: list[PreparedGame] = []
    while len(found) < 8:
        played = play("duel", 2, rng, rounds=3)
        late = [number for number, table in enumerate(played.tables) if table.game.version >= LATE]
        if len(late) > 2 * LIST_LENGTH:
            found.append(played.before_move(late[0]))
    return found


def versions(bench: Bench) -> Iterator[Figure]:
    """The same positions after few events and after many."""
    sides = [[game.at_version(version, LIST_LENGTH) for game in _long_games()] for version in (LATE, EARLY)]
    bench.clear()
    stored = [bench.stored(games) for games in sides]
    case = f"version {LATE} / {EARLY}"
    for name, request in ((LIST_MOVES, list_moves), (GET_GAME, get_game)):
        late, early = bench.alternate(*((bench.service, constant(_single(games, request))) for games in stored))
        yield _grown(name, case, late, early)
    late, early = bench.alternate(*((bench.service, partial(bench.moves, games, make_moves)) for games in sides))
    yield _grown(MAKE_MOVES, case, late, early)


def pages(bench: Bench) -> Iterator[Figure]:
    """A page at several places of a long history, and the only page of a short one."""
    bench.clear()
    long, short = (_long_games()[0].at_version(version, 1).copy().save(bench.store) for version in (LONGEST, PAGE))
    places = {
        "first": get_history(long, 0, PAGE),
        "middle": get_history(long, (LONGEST - PAGE) // 2, PAGE),
        "last": get_history(long, LONGEST - PAGE, PAGE),
        "only": get_history(short, 0, PAGE),
    }
    sides = [Workload([[request]] * CONNECTIONS) for request in places.values()]
    first, middle, last, only = bench.alternate(*((bench.service, constant(side)) for side in sides))
    name = "`GET /games/{id}/history`"
    yield _grown(name, f"middle / first page of {LONGEST:,} events", middle, first)
    yield _grown(name, f"last / first page of {LONGEST:,} events", last, first)
    yield _grown(name, f"first page of {LONGEST:,} / of {PAGE} events", first, only)


def live_games(bench: Bench) -> Iterator[Figure]:
    """Two services, one with few games in its store, one with many."""
    bench.clear()
    with running(Server.deployed(bench.folder / "full", bench.scale.workers)) as other:
        full = Bench(bench.folder, bench.scale, other)
        middles = [played.middle() for played in bench.pool()]
        _fill(bench.store, middles, FEW)
        _fill(full.store, middles, bench.scale.live)
        case = f"{bench.scale.live:,} / {FEW} live games"
        many, few = bench.alternate(
            (other, constant(_single(full.middles(), list_moves))),
            (bench.service, constant(_single(bench.middles(), list_moves))),
        )
        yield _grown(LIST_MOVES, case, many, few)
        many, few = bench.alternate(
            (other, partial(full.moves, middles, make_moves)),
            (bench.service, partial(bench.moves, middles, make_moves)),
        )
        yield _grown(MAKE_MOVES, case, many, few)


def _fill(store: RedisStore, games: Sequence[PreparedGame], count: int) -> None:
    for _ in islice(stored_copies(games, store), count):
        pass


# One worker ------------------------------------------------------------------------------------------------------


def memory(bench: Bench) -> Iterator[Figure]:
    """Memory of one worker after many requests of every kind."""
    bench.clear()
    server = Server.launched(bench.folder / "single", "service", bench.service, workers=1)
    whole = [played.before_move() for played in bench.pool()]
    with running(server):
        bench.drive(server, bench.moves(whole, _session).raw())
        (before,) = server.memory()
        answers = 0
        while answers < bench.scale.requests:
            answers += bench.drive(server, bench.moves(whole, _session).raw()).answers
        (after,) = server.memory()
    name = f"memory after {bench.scale.requests:,} requests"
    yield Figure(WORKER, name, "RSS", "MiB", [after.rss], Target("<", 80), {"at first": before.rss}, [after])
    yield Figure(WORKER, name, "PSS", "MiB", [after.pss], None, {"at first": before.pss}, [after])


def _session(game: PreparedGame) -> Iterator[Request]:
    """A game as bots play it: some stateless calls, then one move after the other."""
    for question in QUESTIONS:
        yield ask_about_position(game, question)
    yield create_game(game.stored.game.setup.variant)
    for event, request in zip(game.moves, make_moves(game), strict=True):
        now = game._replace(moves=[event])
        yield from (list_moves(now), check_move(now), request, get_game(now))
    yield get_history(game, 0, PAGE)


_IMPORT: Final = """
from time import perf_counter, process_time
begun = perf_counter(), process_time()
import lostcities.app
imported = perf_counter(), process_time()
from lostcities.config import Settings
lostcities.app.create_app(Settings(redis_url="redis://unused"))
created = perf_counter(), process_time()
print(*(end - start for marks in ((begun, imported), (begun, created)) for start, end in zip(*marks)))
"""


def start(bench: Bench) -> Iterator[Figure]:
    """Time for a new process to import the application, and to create it."""
    found = []
    for _ in range(bench.scale.starts):
        done = subprocess.run(
            [sys.executable, "-P", "-c", _IMPORT],
            cwd=ROOT,
            env=plain_environment(),
            capture_output=True,
            text=True,
            check=True,
        )
        found.append([float(each) for each in done.stdout.split()])
    imported, imported_cpu, created, created_cpu = (list(column) for column in zip(*found, strict=True))
    cases = (("imported", imported, imported_cpu), ("imported and created", created, created_cpu))
    for case, seconds, cpu in cases:
        details = {"CPU": statistics.median(cpu)}
        yield Figure(WORKER, "start of the application", case, "s", seconds, Target("<", 0.7), details, found)


# The rules -----------------------------------------------------------------------------------------------------


def in_process(bench: Bench) -> Iterator[Figure]:
    """Decisions and restores per CPU-second, without a server. The targets are for the faster form of the rules."""
    measured = rules.measure(bench.scale.rules_rounds)
    for name, rate, details in (
        ("decisions, listed and applied", "decisions", {"of seats alone": "seat_decisions"}),
        ("restores of a stored state", "restores", {"with its setup": "restores_with_setup"}),
    ):
        for form, table in ((form, table) for form, tables in measured.items() for table in tables):
            bound = 50_000 if rate == "restores" else 400_000 if table["variant"] == "duel" else 150_000
            yield Figure(
                RULES,
                f"{name}, {form} rules",
                f"{table['variant']}, {table['seats']} seats",
                "/CPU-s",
                [table[rate][each] for each in ("least", "median", "most")],
                Target(">", bound) if form == [*measured][-1] else None,
                {column: table[other]["median"] for column, other in details.items()},
                [table],
            )


# Streams ---------------------------------------------------------------------------------------------------------


def streams(bench: Bench) -> Iterator[Figure]:
    """Time from sending a move until the other player has its legal moves, or the last watcher the move."""
    for way, milliseconds in live.turns(bench.scale.watched_moves).items():
        target = Target("≤", MAX_TURN) if way == live.BY_STREAM else None
        details = {"p99": sorted(milliseconds)[int(len(milliseconds) * 0.99)]}
        yield Figure(STREAMS, "until the other player can act", way, "ms", milliseconds, target, details, milliseconds)
    for count in bench.scale.streams:
        for case in live.measure(count, bench.scale.watched_moves):
            values = case.milliseconds
            yield Figure(
                STREAMS,
                f"a move reaches the last of {case.streams:,} watchers",
                case.name,
                "ms",
                values,
                Target("≤", MAX_DELAY) if case.streams <= DELAY_STREAMS else None,
                {"p99": sorted(values)[int(len(values) * 0.99)], "kB a stream": case.kilobytes},
                [case._asdict()],
            )


# Attacks ---------------------------------------------------------------------------------------------------------


def slow_clients(bench: Bench) -> Iterator[Figure]:
    """Latency of normal requests while many clients send or read as little as they can."""
    for probes in slow.measure(bench.scale.slow_seconds, bench.scale.slow_clients):
        answered = len(probes.milliseconds)
        if not answered:
            bench.invalid.append(f"{probes.attack}: none of {probes.sent} probes was answered")
            continue
        details = {
            "p50 ms": probes.percentile(50),
            "slowest ms": probes.percentile(100),
            "answered": answered,
            "sent": probes.sent,
        }
        value = [probes.percentile(99)]
        yield Figure(SLOW_CLIENTS, probes.attack, "", "ms, p99", value, Target("<", MAX_PROBE), details, [probes])


def hostile_bodies(bench: Bench) -> Iterator[Figure]:
    """The worst bodies that the service accepts, beside normal ones of the same call."""
    for cost in worst_bodies.measure(bench):
        details = {"normal ms": cost.normal, "× normal": cost.milliseconds / max(cost.normal, 0.01), "bytes": cost.size}
        value = [cost.milliseconds]
        target = Target("≤", MAX_BODY_CPU)
        yield Figure(WORST_BODIES, f"`{cost.operation}`", cost.body, "ms", value, target, details, [cost])


MEASURES: Final[Sequence[Callable[[Bench], Iterator[Figure]]]] = (
    *(requests, bots, beside, thinking, lists, half_load, conditional, streams, slow_clients, hostile_bodies),
    *(versions, pages, live_games, memory, start, in_process),
)
