"""Hearing of games, for tests."""

import queue
from collections.abc import Iterator
from contextlib import contextmanager

from service.store.listening import Listener

Heard = queue.Queue[tuple[str, int | None]]


@contextmanager
def hearing(url: str, *games: str) -> Iterator[Heard]:
    """What is heard of those games, once their subscriptions have begun."""
    heard: Heard = queue.Queue()
    listener = Listener(url, 5)
    listener.begin(lambda *what: heard.put(what))
    for game in games:
        listener.listen(game)
    begun = [heard.get(timeout=30) for _ in games]
    assert sorted(begun, key=str) == sorted(((game, None) for game in games), key=str)
    try:
        yield heard
    finally:
        listener.close()
