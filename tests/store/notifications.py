"""A subscription to change notifications, for tests."""

import queue
from collections.abc import Iterator
from contextlib import contextmanager

from lostcities.store.notifications import RedisChangeSource

Notifications = queue.Queue[tuple[str, int | None]]


@contextmanager
def subscribed(url: str, *games: str) -> Iterator[Notifications]:
    """The notifications received about the games, from the time when their subscriptions are active."""
    heard: Notifications = queue.Queue()
    changes = RedisChangeSource(url, 5)
    changes.start(lambda *what: heard.put(what))
    for game in games:
        changes.watch(game)
    begun = [heard.get(timeout=30) for _ in games]
    assert sorted(begun, key=str) == sorted(((game, None) for game in games), key=str)
    try:
        yield heard
    finally:
        changes.close()
