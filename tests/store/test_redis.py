"""The store on a real server: every write is one atomic step, recognises itself, and leaves nothing behind."""

import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.store.address import parse
from service.store.engine import Link, Wait
from service.store.interface import Receipt, StoreAway
from service.store.redis import MARKS, RECEIPT_LIFETIME, RECEIPTS, RedisStore
from service.table.game import Event, Table
from tests.faults.processes import Servers, Valkey
from tests.faults.proxy import Faults, Proxy, proxy
from tests.store.tables import HOUR, dealt, moved, record


@pytest.fixture
def store(store_url: str) -> RedisStore:
    return RedisStore(store_url)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    """A server of this module's own, which may be treated badly."""
    servers = Servers(tmp_path_factory.mktemp("server"))
    yield servers.valkey("--appendonly", "yes", "--appendfsync", "always")
    servers.end()


@pytest.fixture
def behind(server: Valkey) -> Iterator[Proxy]:
    with proxy(server.port) as found:
        yield found


def created(store: RedisStore, **changes: Any) -> tuple[Table, list[Event]]:
    table, events = dealt(record(**changes))
    assert store.create(table, events)
    return table, events


def receipt(first: int, last: int, at: int = 5, request: bytes = b"r" * 16) -> Receipt:
    return Receipt(request, first, last, at)


def key_of(number: int) -> bytes:
    return number.to_bytes(12, "big")


def keys(valkey: Any, table: Table) -> list[bytes]:
    return sorted(valkey.keys(f"*{table.record.id}*"))


def history(store: RedisStore, table: Table) -> list[Event]:
    found = store.history(table.record.id, 1, 10_000)
    assert found
    return found[1]


# Writing ------------------------------------------------------------------------------------------------------------


def test_a_game_is_kept_as_it_was_created(store: RedisStore) -> None:
    table, events = created(store)
    kept = store.load(table.record.id)
    assert kept
    assert (kept.table, kept.at, kept.receipt) == (table, table.record.created_at, None)
    assert history(store, table) == events


def test_an_id_is_taken_once(store: RedisStore) -> None:
    table, events = created(store)
    other = table._replace(record=table.record._replace(players=("Eve", "Mallory")))
    assert not store.create(other, events)
    kept = store.load(table.record.id)
    assert kept
    assert kept.table == table


def test_no_such_game(store: RedisStore) -> None:
    table, _ = dealt(record())
    assert store.load(table.record.id) is None
    assert store.history(table.record.id, 1, 10) is None
    assert not store.append(table, table, [Event(0, "x")], 1, None).done
    assert not store.delete(table.record)
    store.confirm(table.record.id)


def test_events_are_appended_to_the_version_they_were_made_for(store: RedisStore) -> None:
    table, events = created(store)
    after, more = moved(table, random.Random(1))
    assert store.append(table, after, more, 7, None) == (True, None)
    other, others = moved(table, random.Random(2))
    assert store.append(table, other, others, 8, None) == (False, None)
    kept = store.load(table.record.id)
    assert kept
    assert (kept.table, kept.at) == (after, 7)
    assert history(store, table) == events + more


def test_history_in_parts(store: RedisStore) -> None:
    table, events = created(store)
    for first, last in [(1, 1), (1, 2), (2, 2), (2, 500), (len(events) + 1, 500), (1, 0)]:
        found = store.history(table.record.id, first, last)
        assert found
        assert found[1] == events[first - 1 : last]


def test_a_receipt_is_kept_with_its_events_and_comes_first(store: RedisStore) -> None:
    table, _ = created(store)
    after, events = moved(table, random.Random(1))
    first = receipt(table.version, after.version)
    assert store.append(table, after, events, 7, (b"key", first)) == (True, None)
    kept = store.load(table.record.id, b"key")
    assert kept
    assert kept.receipt == first
    other = store.load(table.record.id, b"other")
    assert other
    assert other.receipt is None
    # The same key once more, whatever it is sent with: the earlier receipt, and nothing changes.
    again, more = moved(after, random.Random(1))
    assert store.append(after, again, more, 9, (b"key", receipt(1, 2))) == (False, first)
    assert store.append(table, again, more, 9, (b"key", receipt(1, 2))) == (False, first)
    assert store.load(table.record.id) == (after, 7, None)


def test_of_many_writers_one_wins(store_url: str, store: RedisStore) -> None:
    table, _ = created(store)
    after, events = moved(table, random.Random(1))
    won: list[bool] = []
    barrier = threading.Barrier(8)

    def write() -> None:
        mine = RedisStore(store_url)
        barrier.wait()
        won.append(mine.append(table, after, events, 7, None).done)

    threads = [threading.Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == [False] * 7 + [True]


# Sent again ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("durability", ["memory", "aof"])
@pytest.mark.parametrize("lost", [1, 2])
def test_a_write_whose_reply_was_lost_recognises_itself(behind: Proxy, lost: int, durability: Any) -> None:
    store = RedisStore(behind.url, durability=durability)
    table, events = dealt(record())
    behind.faults = Faults(drop_replies=lost)
    assert store.create(table, events), "the game that is there is its own"
    after, more = moved(table, random.Random(1))
    behind.faults = Faults(drop_replies=lost)
    assert store.append(table, after, more, 7, None).done
    final, rest = moved(after, random.Random(1))
    behind.faults = Faults(drop_replies=lost)
    assert store.append(after, final, rest, 8, (b"key", receipt(after.version, final.version))).done
    assert behind.faults.drop_replies == 0
    assert history(store, table) == events + more + rest
    assert store.delete(table.record, table.version) is False, "it has moved on from there"
    behind.faults = Faults(drop_replies=lost)
    assert store.delete(table.record) is False, "whoever deleted it, it is gone"
    assert store.load(table.record.id) is None


@pytest.mark.parametrize(("others", "is_known"), [(MARKS - 1, True), (MARKS + 1, False)])
def test_a_write_is_recognised_behind_so_many_others_and_never_done_twice(
    behind: Proxy, server: Valkey, others: int, is_known: bool
) -> None:
    store, direct, rng = RedisStore(behind.url), RedisStore(server.url), random.Random(1)
    table, _ = created(direct, chance="client", seed=None)
    after, events = table._replace(version=1), [Event("chance", "deal")]

    def overtake() -> None:
        now = after
        for number in range(others):
            then = now._replace(version=now.version + 1)
            assert direct.append(now, then, [Event(0, f"move {number} {rng.random()}")], 8, None).done
            now = then

    behind.when_dropped = overtake
    behind.faults = Faults(drop_replies=1)
    if is_known:
        assert store.append(table, after, events, 7, None).done
    else:
        with pytest.raises(StoreAway):
            store.append(table, after, events, 7, None)
    assert history(direct, table).count(events[0]) == 1


def test_a_first_attempt_that_was_overtaken_is_merely_late(store: RedisStore) -> None:
    table, _ = created(store, chance="client", seed=None)
    far = table._replace(version=MARKS * 3)
    assert store.append(table, far, [Event(0, "x")], 7, None).done
    assert store.append(table, table._replace(version=1), [Event(0, "y")], 8, None) == (False, None)


def test_scripts_survive_being_forgotten(server: Valkey) -> None:
    store = RedisStore(server.url)
    table, _ = created(store)
    server.client().script_flush()
    after, events = moved(table, random.Random(1))
    assert store.append(table, after, events, 7, None).done
    server.kill()
    server.start()
    final, more = moved(after, random.Random(1))
    assert store.append(after, final, more, 8, None).done
    created(store)


# Bounds -------------------------------------------------------------------------------------------------------------


def test_receipts_are_bounded_in_number_and_the_newest_stay(store: RedisStore, valkey: Any) -> None:
    table, _ = created(store, chance="client", seed=None)
    total = RECEIPTS + 100
    for number in range(total):
        after = table._replace(version=number + 1)
        # All in the same millisecond: it is the version that tells the old from the new.
        written = store.append(table, after, [Event(0, "x")], 7, (key_of(number), receipt(number, number + 1)))
        assert written.done
        table = after
    game = table.record.id
    assert valkey.hlen(f"lc:{{{game}}}:k") <= RECEIPTS
    assert valkey.object("encoding", f"lc:{{{game}}}:k") == b"listpack"
    known = [kept.receipt is not None for number in range(total) if (kept := store.load(game, key_of(number)))]
    assert known == sorted(known), "no receipt is gone while an older one is there"
    assert all(known[-RECEIPTS // 2 :])
    assert not known[0]


@pytest.mark.parametrize("lifetime", [HOUR, 30 * 24 * HOUR])
def test_every_key_expires(store: RedisStore, valkey: Any, lifetime: int) -> None:
    table, _ = created(store, lifetime=lifetime)
    assert [0 < valkey.pttl(key) <= lifetime for key in keys(valkey, table)] == [True] * 2
    after, events = moved(table, random.Random(1))
    assert store.append(table, after, events, 7, (b"key", receipt(1, 2))).done
    game, past, receipts = keys(valkey, table)
    assert lifetime - 10_000 < valkey.pttl(game) <= lifetime
    assert valkey.pexpiretime(past) == valkey.pexpiretime(game)
    assert 0 < valkey.pttl(receipts) <= min(lifetime, RECEIPT_LIFETIME)


def test_an_event_prolongs_a_games_life_and_a_look_does_not(store: RedisStore, valkey: Any) -> None:
    table, _ = created(store)
    game = f"lc:{{{table.record.id}}}"
    for key in keys(valkey, table):
        valkey.pexpire(key, 1000)
    store.load(table.record.id)
    store.history(table.record.id, 1, 10)
    assert valkey.pttl(game) <= 1000
    after, events = moved(table, random.Random(1))
    assert store.append(table, after, events, 7, None).done
    assert [valkey.pttl(key) > 1000 for key in keys(valkey, table)] == [True] * 2


def test_an_expired_game_leaves_no_key_behind(store: RedisStore, valkey: Any) -> None:
    table, _ = created(store, lifetime=300)
    after, events = moved(table, random.Random(1))
    assert store.append(table, after, events, 7, (b"key", receipt(1, 2))).done
    assert len(keys(valkey, table)) == 3
    time.sleep(0.35)
    assert store.load(table.record.id) is None
    assert keys(valkey, table) == []


def test_a_deleted_game_leaves_no_key_behind(store: RedisStore, valkey: Any) -> None:
    table, _ = created(store)
    after, events = moved(table, random.Random(1))
    assert store.append(table, after, events, 7, (b"key", receipt(1, 2))).done
    assert store.delete(table.record)
    assert keys(valkey, table) == []
    assert not store.append(after, after, events, 8, (b"key", receipt(1, 2))).done, "and a late write revives nothing"
    store.confirm(table.record.id)
    assert keys(valkey, table) == []


# Time ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("durability", ["memory", "aof"])
def test_reading_is_one_round_trip_and_writing_another(behind: Proxy, durability: Any) -> None:
    store = RedisStore(behind.url, durability=durability)
    table, _ = created(store)

    def trips(what: Any) -> int:
        before = behind.requests
        what()
        return behind.requests - before

    after, events = moved(table, random.Random(1))
    assert trips(lambda: store.load(table.record.id)) == 1
    assert trips(lambda: store.load(table.record.id, b"key")) == 1
    store.append(table, after, events, 7, None)
    store.confirm(table.record.id)
    assert trips(lambda: store.append(table, after, events, 7, (b"key", receipt(1, 2)))) == 1
    assert trips(lambda: store.history(table.record.id, 1, 10)) == 1
    assert trips(lambda: store.confirm(table.record.id)) == (0 if durability == "memory" else 1)


def test_a_dead_store_costs_little_and_then_nothing(tmp_path: Path) -> None:
    store = RedisStore(f"unix://{tmp_path}/nobody.sock")
    times = []
    for _ in range(3):
        start = time.monotonic()
        with pytest.raises(StoreAway):
            store.load("x")
        times.append(time.monotonic() - start)
    assert times[0] < 0.5
    assert max(times[1:]) < 0.05


def test_a_call_that_finds_every_connection_in_use_does_not_wait_for_ever(store_url: str) -> None:
    link = Link(parse(store_url), connections=1, timeout=0.3)
    hog = threading.Thread(target=link.run, args=("x", [("PING",)], Wait(("BLPOP", "nothing", 1), 1.5)))
    hog.start()
    time.sleep(0.1)
    start = time.monotonic()
    with pytest.raises(StoreAway, match="in use"):
        link.run("x", [("PING",)])
    assert time.monotonic() - start < 0.6
    hog.join()
    assert link.run("x", [("PING",)]).replies == [b"PONG"]
