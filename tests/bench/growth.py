"""Length and size of games, and cost of a move in the store: `python -m tests.bench.growth [GAMES]`.

Random games of every variant are played on a real server. Bytes are the server's own account of the game's keys
(MEMORY USAGE), with the whole history; times are its own account of its commands (INFO commandstats) and of its CPU.
"""

import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import redis
from lostcities.bots.core import random_move
from lostcities.bots.levels import GREEDY, RANDOM
from lostcities.config import DAY, Settings
from lostcities.games.game import Event, Game, advance, resolve_chance, start
from lostcities.games.storage import LONG_GAME_EVENTS, SNAPSHOT_EVENTS, CreationReceipt, Receipt, StoredGame
from lostcities.games.table import MAX_NAME
from lostcities.rules import duel
from lostcities.store.durability import Durability
from lostcities.store.embedded import EmbeddedStore
from lostcities.store.redis import RECEIPTS, RedisStore
from lostcities.variants.core import CHANCE
from lostcities.variants.registry import VARIANTS

from tests.conformance.tables import TABLES
from tests.faults.processes import Servers
from tests.store.tables import dealt, moved, registration, setup

PLAYED: dict[tuple[str, int], tuple[dict[str, Any], ...]] = {
    ("duel", 2): (
        {},
        {"expeditions": 6, "redraw_own_discard": True},
        {"rounds": duel.MAX_ROUNDS},
        {"expeditions": 6, "redraw_own_discard": True, "rounds": duel.MAX_ROUNDS},
    )
}
"""The options whose games are measured, if not only the default."""
ENDING_MOVES = {"duel": ("play", "draw deck"), "treasure-hunt": ("keep", "take", "claim")}
"""By variant that need not end: the beginnings of the moves that bring the end nearer."""

LENGTHS = (10, 100, 1_000, 10_000)
"""Lengths of a game at which the cost of a move is measured."""
WIDE_LETTER = "\N{CJK UNIFIED IDEOGRAPH-4E00}"
"""A letter of three bytes, as wide as the letters of names are."""
MOST_EVENTS_OF_MOVE = 2
"""A move that keeps a game from ending, and the outcome of chance that follows it."""
WINDOW = 200
"""Number of moves in each average."""


class Growth(NamedTuple):
    """The size of one game in bytes."""

    events: int
    moves: int
    start: int
    middle: int
    end: int
    receipts: int
    """Additional size of the receipts of all moves. They expire a day after the last one."""


def size(server: Any, table: StoredGame, *suffixes: str) -> int:
    return sum(server.memory_usage(f"lc:{{{table.id}}}{suffix}", samples=0) or 0 for suffix in suffixes)


def grow(store: RedisStore, server: Any, variant: str, seats: int, rng: random.Random) -> Growth:
    """Play a game with an `Idempotency-Key` for every move, and measure its size."""
    options = VARIANTS[variant].rules.parse_options({})
    table, events = dealt(setup(variant, seats, options=options, seed=rng.randbytes(32)))
    store.create(table, events)
    sizes = [size(server, table, "", ":h")]
    while table.game.to_act:
        after, events = moved(table, rng, table.at + 1)
        receipt = Receipt(rng.randbytes(16), table.game.version, after.game.version, after.at)
        store.append(table, after, events, (rng.randbytes(12), receipt))
        table = after
        sizes.append(size(server, table, "", ":h"))
    receipts = size(server, table, ":k")
    store.delete(table.id)
    return Growth(table.game.version, len(sizes) - 1, sizes[0], sizes[len(sizes) // 2], sizes[-1], receipts)


def growths(store: RedisStore, server: Any, games: int) -> Iterator[str]:
    yield "variant              seats  events  moves   start  middle     end  + receipts"
    for variant, seats in TABLES:
        found = [grow(store, server, variant, seats, random.Random(f"{variant} {number}")) for number in range(games)]
        mean = Growth(*(round(statistics.mean(column)) for column in zip(*found, strict=True)))
        yield (
            f"{variant:<20} {seats:>5}  {mean.events:>6}  {mean.moves:>5}  {mean.start:>6}  {mean.middle:>6}"
            f"  {mean.end:>6}  {mean.receipts:>10}"
        )


def lengths(games: int) -> Iterator[str]:
    """The number of events of games to their end."""
    yield f"variant              seats  play    events: mean    most of {games} games"
    for variant, seats in TABLES:
        for options in PLAYED.get((variant, seats), ({},)):
            for level in (RANDOM, GREEDY):
                found = [length(variant, seats, options, level, number) for number in range(games)]
                name = f"{variant:<20} {seats:>5}  {level:<6}"
                yield f"{name}  {statistics.mean(found):>12.0f}  {max(found):>8}  {options or ''}"


def length(variant: str, seats: int, options: Mapping[str, Any], level: str, number: int) -> int:
    """The number of events of one game that bots of a level play."""
    rules, rng, events = VARIANTS[variant].rules, random.Random(f"{variant} {number}"), 0
    state = rules.setup(seats, rules.parse_options(options))
    heuristic = VARIANTS[variant].heuristic
    choose = heuristic.choose if heuristic and level == GREEDY else random_move
    while actors := rules.to_act(state):
        actor = rng.choice(actors)
        if actor == CHANCE:
            move = rules.sample_chance(state, rng.randrange)
        else:
            moves = rules.legal_moves(state, actor)
            move = choose(state, actor, moves, rng.randrange) if len(moves) > 1 else moves[0]
        state = rules.apply(state, actor, move)
        events += 1
    return events


class Longest(NamedTuple):
    """The bytes of a game that was kept from ending."""

    events: int
    game: int
    """The record, the state and the snapshots of states."""
    history: int
    receipts: int
    creation: int
    """The receipt of its creation, which is stored for a day."""
    lifetime: int
    """Milliseconds."""

    @property
    def bytes(self) -> int:
        """What is stored as long as the game is."""
        return self.game + self.history


def keep_from_ending(store: RedisStore, server: Any, variant: str, events: int, settings: Settings) -> Longest:
    """Store an unfinished game of so many events, with all that can be in it: a position, long names, receipts."""
    rules, rng = VARIANTS[variant].rules, random.Random(variant)
    of = setup(
        variant,
        seats := rules.INFO.seats[1],
        options=rules.parse_options({}),
        players=(WIDE_LETTER * MAX_NAME,) * seats,
        max_events=settings.max_events,
    )
    position, _ = resolve_chance(start(of))
    stored, history = dealt(
        of._replace(start=position.state),
        lifetime=settings.game_ttl * 1000,
        finished_lifetime=settings.finished_ttl * 1000,
    )
    table = stored.game
    snapshots: list[Game] = []

    def prolong() -> list[Event]:
        nonlocal table
        actor = table.to_act[0]
        assert actor != CHANCE
        moves = rules.legal_moves(table.state, actor)
        harmless = [move for move in moves if not move.notation.startswith(ENDING_MOVES[variant])]
        move = max(harmless or moves, key=lambda each: len(each.notation))
        before = table.version
        after, event = advance(table, actor, move)
        table, answers = resolve_chance(after)
        if table.version // SNAPSHOT_EVENTS > before // SNAPSHOT_EVENTS:
            snapshots.append(table)
        return [event, *answers]

    while table.version < events - RECEIPTS * MOST_EVENTS_OF_MOVE:
        history += prolong()
    stored = stored._replace(game=table)
    store.create(stored, history, snapshots)
    while table.version + MOST_EVENTS_OF_MOVE < events:
        before, added = stored, prolong()
        stored = stored._replace(game=table)
        receipt = Receipt(bytes(16), before.game.version, table.version, stored.at)
        store.append(before, stored, added, (rng.randbytes(12), receipt))
    key = rng.randbytes(32)
    store.reserve(key, CreationReceipt(stored.id, bytes(16), (bytes(16),) * (seats + 1)))
    creation = server.memory_usage(f"lc:key:{key.hex()}", samples=0)
    game, listed, receipts = (size(server, stored, suffix) for suffix in ("", ":h", ":k"))
    store.delete(stored.id)
    server.delete(f"lc:key:{key.hex()}")
    return Longest(table.version, game, listed, receipts, creation, stored.lifetime)


def longest(store: RedisStore, server: Any, settings: Settings) -> Iterator[str]:
    """The bytes of games that were kept from ending, just before they become long and just before their limit."""
    yield "variant               events    game  history  together  + receipts  + receipt of creation  days stored"
    for variant in ENDING_MOVES:
        for events in (LONG_GAME_EVENTS, settings.max_events):
            found = keep_from_ending(store, server, variant, events, settings)
            yield (
                f"{variant:<20} {found.events:>7}  {found.game:>6}  {found.history:>7}  {found.bytes:>8}"
                f"  {found.receipts:>10}  {found.creation:>21}  {found.lifetime // (DAY * 1000):>11}"
            )


def copies(store: RedisStore, server: Any, count: int) -> Iterator[str]:
    """Growth of the server's memory with many finished duels, per game."""
    rng = random.Random("copies")
    table, history = dealt()
    while table.game.to_act:
        table, events = moved(table, rng)
        history += events
    before = server.info("memory")["used_memory"]
    registrations = [registration() for _ in range(count)]
    for each in registrations:
        store.create(table._replace(registration=each), history)
    grown = server.info("memory")["used_memory"] - before
    for each in registrations:
        store.delete(each.id)
    each_game = f"{grown / count:.0f} bytes of memory each, all included"
    yield f"{count} finished duels of {table.game.version} events: {each_game}"


def costs(store: RedisStore, server: Any) -> Iterator[str]:
    """Server time of a move in microseconds, at several lengths of a game."""
    yield f"events before the move   µs of a write in the server (mean of {WINDOW})"
    table, events = dealt()
    store.create(table, events)
    for length in LENGTHS:
        while table.game.version < length:
            table = _append(store, table, [Event(0, "draw deck"), Event("chance", "draw R7", 0)])
        server.config_resetstat()
        for _ in range(WINDOW):
            table = _append(store, table, [Event(0, "draw deck"), Event("chance", "draw R7", 0)])
        yield f"{length:>22}   {server.info('commandstats')['cmdstat_evalsha']['usec_per_call']:.1f}"


def _append(store: RedisStore, table: StoredGame, events: list[Event]) -> StoredGame:
    first, last = table.game.version, table.game.version + len(events)
    after = table._replace(game=table.game._replace(version=last))
    receipt = Receipt(bytes(16), first, last, after.at)
    written = store.append(table, after, events, (last.to_bytes(12, "big"), receipt))
    assert written.done
    return after


def load(store: RedisStore, server: Any, moves: int) -> Iterator[str]:
    """Server cost of a move: a read, a write, and the network."""
    tables = [dealt(setup(seed=bytes([number] * 32))) for number in range(50)]
    for table, events in tables:
        store.create(table, events)
    before = _account(server)
    rng, made = random.Random(1), 0
    playing = [table for table, _ in tables]
    while made < moves and playing:
        index = rng.randrange(len(playing))
        table = playing[index]
        store.load(table.id, b"key")
        after, events = moved(table, rng)
        receipt = Receipt(bytes(16), table.game.version, after.game.version, after.at)
        store.append(table, after, events, (rng.randbytes(12), receipt))
        playing[index] = after
        if not after.game.to_act:
            playing.pop(index)
        made += 1
    spent = {name: (value - before[name]) / made for name, value in _account(server).items()}
    yield (
        f"one move (a read and a write, mean of {made}): {spent['cpu'] * 1e6:.0f} µs of the server's CPU, "
        f"{spent['in']:.0f} bytes to it, {spent['out']:.0f} bytes from it, {spent['file']:.0f} bytes of its file"
    )


def _account(server: Any) -> dict[str, float]:
    """CPU seconds of the server, and bytes of its network and its append-only file."""
    about = server.info("all")
    return {
        "cpu": about["used_cpu_user"] + about["used_cpu_sys"],
        "in": about["total_net_input_bytes"],
        "out": about["total_net_output_bytes"],
        "file": about["aof_current_size"],
    }


LEVELS: list[tuple[Durability, str]] = [
    ("memory", "everysec"),
    ("aof", "always"),
    ("aof", "everysec"),
    ("replicated", "everysec"),
]


def levels(folder: Path, writers: int = 16, seconds: float = 3.0) -> Iterator[str]:
    """Rate of writes at each durability level, by many threads of one process."""
    yield f"durability  appendfsync  writes/s by {writers} at once   median ms    p99 ms"
    servers = Servers(folder)
    try:
        for durability, fsync in LEVELS:
            server = servers.replicated(1)[0] if durability == "replicated" else servers.valkey()
            server.client().config_set("appendonly", "yes")
            server.client().config_set("appendfsync", fsync)
            times = sorted(_writes(RedisStore(server.url, writers, durability), writers, seconds))
            median, p99 = (times[int(len(times) * part)] * 1000 for part in (0.5, 0.99))
            yield f"{durability:<10}  {fsync:<11}  {len(times) / seconds:>23.0f}  {median:>10.1f}  {p99:>8.1f}"
    finally:
        servers.end()


def _writes(store: RedisStore, writers: int, seconds: float) -> list[float]:
    times: list[float] = []
    deadline = time.monotonic() + seconds

    def write() -> None:
        table, events = dealt()
        store.create(table, events)
        while (start := time.monotonic()) < deadline:
            table = _append(store, table, [Event(0, "draw deck"), Event("chance", "draw R7", 0)])
            times.append(time.monotonic() - start)

    threads = [threading.Thread(target=write) for _ in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times


def main(games: int = 20) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        embedded = EmbeddedStore(Path(folder))
        embedded.start()
        try:
            store, server = RedisStore(embedded.url), redis.Redis.from_url(embedded.url)
            about = server.info("server") | server.info("memory")
            print(
                f"Valkey {about.get('valkey_version')}, allocator {about['mem_allocator']}; {games} random games each;"
            )
            print(f"bytes per game, the whole history included; a game keeps at most {RECEIPTS} receipts\n")
            for line in growths(store, server, games):
                print(line, flush=True)
            print()
            for line in (*lengths(15 * games), "", *longest(store, server, Settings()), ""):
                print(line, flush=True)
            for line in (*copies(store, server, 2000), "", *costs(store, server), "", *load(store, server, 5000), ""):
                print(line, flush=True)
        finally:
            embedded.stop()
        for line in levels(Path(folder)):
            print(line, flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
