"""Hearing of games: what is told, to whom, and what becomes of it when the store is lost."""

import queue
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.store.listening import Listener
from service.store.redis import RedisStore
from service.table.game import Table
from tests.faults.processes import Servers, Valkey, until
from tests.store.hearing import Heard, hearing
from tests.store.tables import dealt, moved, record


def kept(store: RedisStore) -> Table:
    table, events = dealt(record())
    assert store.create(table, events)
    return table


def move(store: RedisStore, table: Table) -> Table:
    after, events = moved(table, random.Random(table.version))
    assert store.append(table, after, events, 1, None).done
    return after


@pytest.fixture
def store(store_url: str) -> RedisStore:
    return RedisStore(store_url, timeout=20)


def test_every_write_is_told_with_its_version(store: RedisStore, store_url: str) -> None:
    table, other = kept(store), kept(store)
    with hearing(store_url, table.record.id) as heard:
        versions = []
        for _ in range(5):
            move(store, other)
            other = kept(store)
            table = move(store, table)
            versions.append(table.version)
        assert [heard.get(timeout=30) for _ in versions] == [(table.record.id, version) for version in versions]
        store.delete(table.record)
        assert heard.get(timeout=30) == (table.record.id, None)
        assert heard.empty()


def test_a_write_that_comes_second_is_not_told(store: RedisStore, store_url: str) -> None:
    table = kept(store)
    after, events = moved(table, random.Random(1))
    with hearing(store_url, table.record.id) as heard:
        assert [store.append(table, after, events, 1, None).done for _ in range(3)] == [True, False, False]
        assert store.delete(table.record)
        assert not store.delete(table.record)
        assert [heard.get(timeout=30)[1] for _ in range(2)] == [after.version, None]
        assert heard.empty()


def test_what_is_ignored_is_not_heard_of(store: RedisStore, store_url: str, valkey: Any) -> None:
    one, two = kept(store), kept(store)
    heard: Heard = queue.Queue()
    listener = Listener(store_url, 5)
    listener.begin(lambda *what: heard.put(what))
    for table in (one, two):
        listener.listen(table.record.id)
        assert heard.get(timeout=30) == (table.record.id, None)
    listener.ignore(one.record.id)
    until(lambda: not valkey.pubsub_numsub(f"lc:{{{one.record.id}}}")[0][1])
    move(store, one)
    move(store, two)
    assert heard.get(timeout=30) == (two.record.id, 3)
    listener.close()
    until(lambda: not valkey.pubsub_numsub(f"lc:{{{two.record.id}}}")[0][1])


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Valkey]:
    servers = Servers(tmp_path)
    yield servers.valkey("--appendonly", "yes")
    servers.end()


def test_a_store_that_comes_back_is_heard_again(server: Valkey) -> None:
    store = RedisStore(server.url)
    tables = [kept(store) for _ in range(3)]
    with hearing(server.url, *(table.record.id for table in tables)) as heard:
        server.kill()
        server.start()
        # Whatever happened meanwhile, every game is to be looked at.
        again = {heard.get(timeout=30) for _ in tables}
        assert again == {(table.record.id, None) for table in tables}
        until(lambda: move(store, tables[0]))
        assert heard.get(timeout=30) == (tables[0].record.id, 3)


def test_a_store_that_falls_silent_is_given_up(server: Valkey) -> None:
    """A server that hangs keeps its connections open: it is asked for a sign of life."""
    store = RedisStore(server.url)
    table = kept(store)
    with hearing(server.url, table.record.id) as heard:
        server.pause()
        with pytest.raises(queue.Empty):
            heard.get(timeout=12)
        server.resume()
        assert heard.get(timeout=30) == (table.record.id, None)
