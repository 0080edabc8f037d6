"""The Redis store on a real server: atomic writes, safe retries, and expiry of all keys."""

import random
import statistics
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lostcities.games.game import Event, Setup
from lostcities.games.storage import DurabilityUnknown, Receipt, StoredGame, StoreUnavailable
from lostcities.store.breaker import FAILING_SECONDS, FAILURES
from lostcities.store.client import Client, Wait
from lostcities.store.redis import MARKS, RECEIPT_LIFETIME, RECEIPTS, RedisStore

from tests.faults.processes import Valkey
from tests.faults.proxy import Faults, Proxy, proxy
from tests.store.conftest import has_waitaof
from tests.store.tables import HOUR, dealt, moved, setup

LEVELS = pytest.mark.parametrize("durability", ["memory", "aof"], indirect=True)


@pytest.fixture
def behind(server: Valkey) -> Iterator[Proxy]:
    with proxy(server.port) as found:
        yield found


def created(store: RedisStore, of: Setup | None = None, **changes: Any) -> tuple[StoredGame, list[Event]]:
    table, events = dealt(of, **changes)
    assert store.create(table, events)
    return table, events


def at_version(table: StoredGame, version: int) -> StoredGame:
    """The game as if so many events had happened."""
    return table._replace(game=table.game._replace(version=version), at=7)


def receipt(first: int, last: int, at: int = 5, request: bytes = b"r" * 16) -> Receipt:
    return Receipt(request, first, last, at)


def key_of(number: int) -> bytes:
    return number.to_bytes(12, "big")


def keys(inspect: Any, table: StoredGame) -> list[bytes]:
    return sorted(inspect.keys(f"*{table.id}*"))


def history(store: RedisStore, table: StoredGame) -> list[Event]:
    found = store.history(table.id, 1, 10_000)
    assert found
    return found[1]


# Writing ------------------------------------------------------------------------------------------------------------


def test_a_game_is_kept_as_it_was_created(store: RedisStore) -> None:
    table, events = created(store)
    kept = store.load(table.id)
    assert kept == table
    assert history(store, table) == events


def test_an_id_can_be_used_once(store: RedisStore) -> None:
    table, events = created(store)
    other, _ = dealt(setup(players=("Eve", "Mallory")), id=table.id)
    assert not store.create(other, events)
    assert store.load(table.id) == table


def test_an_unknown_game_is_none(store: RedisStore) -> None:
    table, _ = dealt()
    assert store.load(table.id) is None
    assert store.history(table.id, 1, 10) is None
    assert not store.append(table, table, [Event(0, "x")], None).done
    assert not store.delete(table.id)
    store.confirm(table.id)


def test_events_are_appended_to_the_version_they_were_made_for(store: RedisStore) -> None:
    table, events = created(store)
    after, more = moved(table, random.Random(1))
    assert store.append(table, after, more, None) == (True, None)
    other, others = moved(table, random.Random(2), at=8)
    assert store.append(table, other, others, None) == (False, None)
    assert store.load(table.id) == after
    assert history(store, table) == events + more


def test_history_in_parts(store: RedisStore) -> None:
    table, events = created(store)
    for first, last in [(1, 1), (1, 2), (2, 2), (2, 500), (len(events) + 1, 500), (1, 0)]:
        found = store.history(table.id, first, last)
        assert found
        assert found[1] == events[first - 1 : last]


def test_a_receipt_is_kept_with_its_events_and_comes_first(store: RedisStore) -> None:
    table, _ = created(store)
    after, events = moved(table, random.Random(1))
    first = receipt(table.game.version, after.game.version)
    assert store.append(table, after, events, (b"key", first)) == (True, None)
    kept = store.load(table.id, b"key")
    assert kept
    assert kept.receipt == first
    other = store.load(table.id, b"other")
    assert other
    assert other.receipt is None
    # The same key again: the earlier receipt is returned and nothing changes.
    again, more = moved(after, random.Random(1))
    assert store.append(after, again, more, (b"key", receipt(1, 2))) == (False, first)
    assert store.append(table, again, more, (b"key", receipt(1, 2))) == (False, first)
    assert store.load(table.id) == after


def test_of_many_writers_one_wins(server: Valkey, store: RedisStore) -> None:
    table, _ = created(store)
    after, events = moved(table, random.Random(1))
    won: list[bool] = []
    barrier = threading.Barrier(8)

    def write() -> None:
        mine = RedisStore(server.url, timeout=20)
        barrier.wait()
        won.append(mine.append(table, after, events, None).done)

    threads = [threading.Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == [False] * 7 + [True]


# Retries ------------------------------------------------------------------------------------------------------------


@LEVELS
@pytest.mark.parametrize("lost", [1, 2])
def test_a_write_whose_reply_was_lost_recognises_itself(behind: Proxy, lost: int, durability: Any) -> None:
    store = RedisStore(behind.url, durability=durability)
    table, events = dealt()
    behind.faults = Faults(drop_replies=lost)
    assert store.create(table, events), "the stored game is its own"
    after, more = moved(table, random.Random(1))
    behind.faults = Faults(drop_replies=lost)
    assert store.append(table, after, more, None).done
    final, rest = moved(after, random.Random(1))
    behind.faults = Faults(drop_replies=lost)
    assert store.append(after, final, rest, (b"key", receipt(after.game.version, final.game.version))).done
    assert behind.faults.drop_replies == 0
    assert history(store, table) == events + more + rest
    assert store.delete(table.id, table.game.version) is False, "the game has a newer version"
    behind.faults = Faults(drop_replies=lost)
    assert store.delete(table.id) is False, "the game was already deleted"
    assert store.load(table.id) is None


@pytest.mark.parametrize(("others", "is_known"), [(MARKS - 1, True), (MARKS + 1, False)])
def test_a_retried_write_is_recognised_after_other_writes(
    behind: Proxy, server: Valkey, others: int, is_known: bool
) -> None:
    store, direct, rng = RedisStore(behind.url), RedisStore(server.url), random.Random(1)
    table, _ = created(direct, setup(chance="client", seed=None))
    after, events = at_version(table, 1), [Event("chance", "deal")]

    def overtake() -> None:
        now = after
        for number in range(others):
            then = at_version(now, now.game.version + 1)
            assert direct.append(now, then, [Event(0, f"move {number} {rng.random()}")], None).done
            now = then

    behind.when_dropped = overtake
    behind.faults = Faults(drop_replies=1)
    if is_known:
        assert store.append(table, after, events, None).done
    else:
        with pytest.raises(StoreUnavailable):
            store.append(table, after, events, None)
    assert history(direct, table).count(events[0]) == 1


def test_a_first_attempt_after_another_write_is_a_conflict(store: RedisStore) -> None:
    table, _ = created(store, setup(chance="client", seed=None))
    far = at_version(table, MARKS * 3)
    assert store.append(table, far, [Event(0, "x")], None).done
    assert store.append(table, at_version(table, 1), [Event(0, "y")], None) == (False, None)


def test_scripts_are_loaded_again_after_script_flush(server: Valkey) -> None:
    store = RedisStore(server.url)
    table, _ = created(store)
    server.client().script_flush()
    after, events = moved(table, random.Random(1))
    assert store.append(table, after, events, None).done
    server.kill()
    server.start()
    final, more = moved(after, random.Random(1))
    assert store.append(after, final, more, None).done
    created(store)


# Bounds -------------------------------------------------------------------------------------------------------------


def test_receipts_are_bounded_in_number_and_the_newest_stay(store: RedisStore, inspect: Any) -> None:
    table, _ = created(store, setup(chance="client", seed=None))
    total = RECEIPTS + 100
    for number in range(total):
        after = at_version(table, number + 1)
        # All have the same time, so the version decides which are the oldest.
        written = store.append(table, after, [Event(0, "x")], (key_of(number), receipt(number, number + 1)))
        assert written.done
        table = after
    game = table.id
    assert inspect.hlen(f"lc:{{{game}}}:k") <= RECEIPTS
    assert inspect.object("encoding", f"lc:{{{game}}}:k") == b"listpack"
    known = [kept.receipt is not None for number in range(total) if (kept := store.load(game, key_of(number)))]
    assert known == sorted(known), "no receipt is gone while an older one is there"
    assert all(known[-RECEIPTS // 2 :])
    assert not known[0]


@pytest.mark.parametrize("lifetime", [HOUR, 30 * 24 * HOUR])
def test_every_key_expires(store: RedisStore, inspect: Any, lifetime: int) -> None:
    table, _ = created(store, lifetime=lifetime)
    assert [0 < inspect.pttl(key) <= lifetime for key in keys(inspect, table)] == [True] * 2
    after, events = moved(table, random.Random(1))
    assert store.append(table, after, events, (b"key", receipt(1, 2))).done
    game, past, receipts = keys(inspect, table)
    assert lifetime - 10_000 < inspect.pttl(game) <= lifetime
    assert inspect.pexpiretime(past) == inspect.pexpiretime(game)
    assert 0 < inspect.pttl(receipts) <= min(lifetime, RECEIPT_LIFETIME)


def test_an_event_extends_the_expiry_and_a_read_does_not(store: RedisStore, inspect: Any) -> None:
    table, _ = created(store)
    game = f"lc:{{{table.id}}}"
    for key in keys(inspect, table):
        inspect.pexpire(key, 1000)
    store.load(table.id)
    store.history(table.id, 1, 10)
    assert inspect.pttl(game) <= 1000
    after, events = moved(table, random.Random(1))
    assert store.append(table, after, events, None).done
    assert [inspect.pttl(key) > 1000 for key in keys(inspect, table)] == [True] * 2


def test_an_expired_game_leaves_no_key_behind(store: RedisStore, inspect: Any) -> None:
    table, _ = created(store, lifetime=300)
    after, events = moved(table, random.Random(1))
    assert store.append(table, after, events, (b"key", receipt(1, 2))).done
    assert len(keys(inspect, table)) == 3
    time.sleep(0.35)
    assert store.load(table.id) is None
    assert keys(inspect, table) == []


def test_a_deleted_game_leaves_no_key_behind(store: RedisStore, inspect: Any) -> None:
    table, _ = created(store)
    after, events = moved(table, random.Random(1))
    assert store.append(table, after, events, (b"key", receipt(1, 2))).done
    assert store.delete(table.id)
    assert keys(inspect, table) == []
    assert not store.append(after, after, events, (b"key", receipt(1, 2))).done, "a late write does not create keys"
    store.confirm(table.id)
    assert keys(inspect, table) == []


# Time ---------------------------------------------------------------------------------------------------------------


@LEVELS
def test_reading_is_one_round_trip_and_writing_another(behind: Proxy, durability: Any) -> None:
    store = RedisStore(behind.url, durability=durability)
    table, _ = created(store)

    def trips(what: Any) -> int:
        before = behind.requests
        what()
        return behind.requests - before

    after, events = moved(table, random.Random(1))
    assert trips(lambda: store.load(table.id)) == 1
    assert trips(lambda: store.load(table.id, b"key")) == 1
    store.append(table, after, events, None)
    store.confirm(table.id)
    assert trips(lambda: store.append(table, after, events, (b"key", receipt(1, 2)))) == 1
    assert trips(lambda: store.history(table.id, 1, 10)) == 1
    assert trips(lambda: store.confirm(table.id)) == (0 if durability == "memory" else 1)


def test_calls_to_a_stopped_store_fail_fast(tmp_path: Path) -> None:
    store = RedisStore(f"unix://{tmp_path}/nobody.sock")
    times: list[float] = []
    until = time.monotonic() + 2 * FAILING_SECONDS
    while time.monotonic() < until or len(times) < 2 * FAILURES:
        start = time.monotonic()
        with pytest.raises(StoreUnavailable):
            store.load("x")
        times.append(time.monotonic() - start)
    assert max(times) < 0.5
    # The median of the last calls: on a busy machine a single one may be interrupted.
    assert statistics.median(times[-5:]) < 0.05


def test_a_call_without_a_free_connection_times_out(server: Valkey) -> None:
    client = Client(server.url, connections=1, timeout=0.3, wait=Wait(("BLPOP", "nothing", 1), 1.5))
    hog = threading.Thread(target=client.run, args=("x", ("PING",)))
    hog.start()
    time.sleep(0.1)
    start = time.monotonic()
    with pytest.raises(StoreUnavailable, match="in use"):
        client.run("x", ("PING",))
    assert time.monotonic() - start < 0.9
    hog.join()
    assert client.run("x", ("PING",)).replies == [True, None]


def test_aof_durability_needs_waitaof(server: Valkey) -> None:
    if has_waitaof(server):
        pytest.skip("this server has WAITAOF")
    store = RedisStore(server.url, durability="aof")
    table, events = dealt()
    with pytest.raises(DurabilityUnknown, match=r"DURABILITY=aof needs Redis 7\.2, or Valkey"):
        store.ping()
    with pytest.raises(DurabilityUnknown, match=r"DURABILITY=aof needs Redis 7\.2, or Valkey"):
        store.create(table, events)


def test_aof_durability_rejects_appendfsync_everysec(server: Valkey) -> None:
    if not has_waitaof(server):
        pytest.skip("this server has no WAITAOF")
    store = RedisStore(server.url, durability="aof")
    store.ping()
    server.client().config_set("appendfsync", "everysec")
    try:
        with pytest.raises(DurabilityUnknown, match="appendfsync always"):
            store.ping()
    finally:
        server.client().config_set("appendfsync", "always")
