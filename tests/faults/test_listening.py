"""A primary is killed while games are watched: later changes are notified, and streams go on without a gap."""

import queue
import random
from collections.abc import Callable
from functools import partial

import pytest
from lostcities.api.streams import encode_events
from lostcities.games.broadcaster import Broadcaster
from lostcities.games.storage import StoreUnavailable
from lostcities.store.notifications import RedisChangeSource
from lostcities.store.redis import RedisStore

from tests.faults.processes import Servers, until
from tests.faults.test_failover import Engine, cluster, fail_over, sentinel
from tests.games.test_broadcaster import Counts, Watcher
from tests.store.notifications import Notifications, subscribed
from tests.store.tables import dealt, moved

GAMES = 8
"""Enough games that the killed server holds some of them."""


def is_heard(store: RedisStore, game_id: str, heard: Notifications) -> bool:
    """Whether a new move is notified with its version within a second."""
    try:
        kept = store.load(game_id)
        assert kept
        after, events = moved(kept, random.Random(1))
        assert store.append(kept, after, events, None).done
        while heard.get(timeout=1) != (game_id, after.game.version):
            pass
    except (StoreUnavailable, queue.Empty):
        return False
    return True


@pytest.mark.parametrize("kind", [cluster, sentinel])
def test_changes_are_notified_after_a_failover(servers: Servers, kind: Callable[[Servers], Engine]) -> None:
    engine = kind(servers)
    store = RedisStore(engine.url, durability="replicated")
    games = []
    for _ in range(GAMES):
        table, events = dealt()
        assert store.create(table, events)
        games.append(table.id)
    with subscribed(engine.url, *games) as heard:
        fail_over(engine)
        for game_id in games:
            until(partial(is_heard, store, game_id, heard), seconds=60, what="a move")


def move(store: RedisStore, game_id: str) -> int | None:
    """Make a move if the store is available: the new version."""
    try:
        kept = store.load(game_id)
        assert kept
        after, events = moved(kept, random.Random(1))
        return after.game.version if store.append(kept, after, events, None).done else None
    except StoreUnavailable:
        return None


@pytest.mark.parametrize("kind", [cluster, sentinel])
def test_streams_go_on_after_a_failover(servers: Servers, kind: Callable[[Servers], Engine]) -> None:
    engine = kind(servers)
    store = RedisStore(engine.url, durability="replicated")
    broadcaster = Broadcaster(
        store, RedisChangeSource(engine.url), encode_events, max_watchers=100, max_of_address=100, on_count=Counts()
    )
    tables = []
    for _ in range(GAMES):
        table, events = dealt()
        assert store.create(table, events)
        tables.append(table)
    watchers = [Watcher(broadcaster, table) for table in tables]
    fail_over(engine)
    for table, watcher in zip(tables, watchers, strict=True):
        *_, version = [until(partial(move, store, table.id), seconds=60, what="a move") for _ in range(3)]
        assert watcher.versions(version - table.game.version) == [*range(table.game.version + 1, version + 1)]
    broadcaster.close()
