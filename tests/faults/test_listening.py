"""A primary is killed while games are watched: what happens after it is heard of."""

import queue
import random
from collections.abc import Callable
from functools import partial

import pytest

from service.store.interface import StoreAway
from service.store.redis import RedisStore
from service.table.game import Table
from tests.faults.processes import Servers, until
from tests.faults.test_failover import Engine, cluster, fail_over, sentinel
from tests.store.hearing import Heard, hearing
from tests.store.tables import dealt, moved, record

GAMES = 8
"""Some of them are kept by the server that is killed."""


def is_heard(store: RedisStore, tables: list[Table], number: int, heard: Heard) -> bool:
    """Whether a move that is made now is heard of with its version, within a second."""
    table = tables[number]
    after, events = moved(table, random.Random(1))
    try:
        assert store.append(table, after, events, 1, None).done
    except StoreAway:
        return False
    tables[number] = after
    try:
        while heard.get(timeout=1) != (table.record.id, after.version):
            pass
    except queue.Empty:
        return False
    return True


@pytest.mark.parametrize("kind", [cluster, sentinel])
def test_games_are_heard_of_after_a_failover(servers: Servers, kind: Callable[[Servers], Engine]) -> None:
    engine = kind(servers)
    store = RedisStore(engine.url, durability="replicated")
    tables: list[Table] = []
    for _ in range(GAMES):
        table, events = dealt(record())
        assert store.create(table, events)
        tables.append(table)
    with hearing(engine.url, *(table.record.id for table in tables)) as heard:
        fail_over(engine)
        for number in range(GAMES):
            until(partial(is_heard, store, tables, number, heard), seconds=60, what="a move")
