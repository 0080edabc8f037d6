"""A primary is killed while games are watched: what happens after it is heard of."""

import queue
import random
from collections.abc import Callable
from functools import partial

import pytest

from service.store.interface import StoreAway
from service.store.redis import RedisStore
from tests.faults.processes import Servers, until
from tests.faults.test_failover import Engine, cluster, fail_over, sentinel
from tests.store.hearing import Heard, hearing
from tests.store.tables import dealt, moved, record

GAMES = 8
"""Some of them are kept by the server that is killed."""


def is_heard(store: RedisStore, game_id: str, heard: Heard) -> bool:
    """Whether a move that is made now is heard of with its version, within a second."""
    try:
        kept = store.load(game_id)
        assert kept
        after, events = moved(kept.table, random.Random(1))
        assert store.append(kept.table, after, events, 1, None).done
        while heard.get(timeout=1) != (game_id, after.version):
            pass
    except (StoreAway, queue.Empty):
        return False
    return True


@pytest.mark.parametrize("kind", [cluster, sentinel])
def test_games_are_heard_of_after_a_failover(servers: Servers, kind: Callable[[Servers], Engine]) -> None:
    engine = kind(servers)
    store = RedisStore(engine.url, durability="replicated")
    games = []
    for _ in range(GAMES):
        table, events = dealt(record())
        assert store.create(table, events)
        games.append(table.record.id)
    with hearing(engine.url, *games) as heard:
        fail_over(engine)
        for game_id in games:
            until(partial(is_heard, store, game_id, heard), seconds=60, what="a move")
