"""Notifications: what is published, who receives it, and what happens when the connection is lost."""

import queue
import random
from typing import Any

import pytest
from lostcities.games.storage import StoredGame
from lostcities.store.notifications import RedisChangeSource
from lostcities.store.redis import RedisStore

from tests.faults.processes import Valkey, until
from tests.store.notifications import Notifications, subscribed
from tests.store.tables import dealt, moved


def kept(store: RedisStore) -> StoredGame:
    table, events = dealt()
    assert store.create(table, events)
    return table


def move(store: RedisStore, table: StoredGame) -> StoredGame:
    after, events = moved(table, random.Random(table.game.version))
    assert store.append(table, after, events, None).done
    return after


def test_every_write_is_notified_with_its_version(store: RedisStore, server: Valkey) -> None:
    table, other = kept(store), kept(store)
    with subscribed(server.url, table.id) as heard:
        versions = []
        for _ in range(5):
            move(store, other)
            other = kept(store)
            table = move(store, table)
            versions.append(table.game.version)
        assert [heard.get(timeout=30) for _ in versions] == [(table.id, version) for version in versions]
        store.delete(table.id)
        assert heard.get(timeout=30) == (table.id, None)
        assert heard.empty()


def test_a_conflicting_write_is_not_notified(store: RedisStore, server: Valkey) -> None:
    table = kept(store)
    after, events = moved(table, random.Random(1))
    with subscribed(server.url, table.id) as heard:
        assert [store.append(table, after, events, None).done for _ in range(3)] == [True, False, False]
        assert store.delete(table.id)
        assert not store.delete(table.id)
        assert [heard.get(timeout=30)[1] for _ in range(2)] == [after.game.version, None]
        assert heard.empty()


def test_a_game_that_is_no_longer_watched_is_not_notified(store: RedisStore, server: Valkey, inspect: Any) -> None:
    one, two = kept(store), kept(store)
    heard: Notifications = queue.Queue()
    changes = RedisChangeSource(server.url, 5)
    changes.start(lambda *what: heard.put(what))
    for table in (one, two):
        changes.watch(table.id)
        assert heard.get(timeout=30) == (table.id, None)
    changes.unwatch(one.id)
    until(lambda: not inspect.pubsub_numsub(f"lc:{{{one.id}}}")[0][1])
    move(store, one)
    move(store, two)
    assert heard.get(timeout=30) == (two.id, 3)
    changes.close()
    until(lambda: not inspect.pubsub_numsub(f"lc:{{{two.id}}}")[0][1])


def test_notifications_continue_after_a_restart_of_the_store(server: Valkey) -> None:
    store = RedisStore(server.url)
    tables = [kept(store) for _ in range(3)]
    with subscribed(server.url, *(table.id for table in tables)) as heard:
        server.kill()
        server.start()
        # Changes may have been missed, so every game is reported.
        again = {heard.get(timeout=30) for _ in tables}
        assert again == {(table.id, None) for table in tables}
        until(lambda: move(store, tables[0]))
        assert heard.get(timeout=30) == (tables[0].id, 3)


def test_an_unresponsive_store_is_disconnected(server: Valkey) -> None:
    """A hanging server keeps its connections open, so the client sends PING."""
    store = RedisStore(server.url)
    table = kept(store)
    with subscribed(server.url, table.id) as heard:
        server.pause()
        with pytest.raises(queue.Empty):
            heard.get(timeout=12)
        server.resume()
        assert heard.get(timeout=30) == (table.id, None)
