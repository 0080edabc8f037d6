"""The hub by itself: real sockets, a real store, and heartbeats that are fast enough to wait for."""

import random
import socket
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from service.api.live import tell
from service.live.hub import Hub, Parked, Stream
from service.store.interface import StoreAway
from service.store.listening import Listener
from service.store.redis import RedisStore
from service.table.game import Event, Table
from tests.faults.processes import HOST, Servers, until
from tests.sse import Message, parse
from tests.store.tables import dealt, moved, record

BEAT = 1.0
MANY = 3000
"""Events, of a game whose history is more than is kept for a reader."""


OURS: list[socket.socket] = []
"""The ends of connections that tests hold."""


@pytest.fixture(autouse=True)
def _hang_up() -> Iterator[None]:
    yield
    while OURS:
        OURS.pop().close()


class Counted:
    """What the hub last said of how many it holds."""

    def __init__(self) -> None:
        self.now = (0, 0)

    def __call__(self, streams: int, waiting: int) -> None:
        self.now = (streams, waiting)


@pytest.fixture
def store(store_url: str) -> RedisStore:
    return RedisStore(store_url, timeout=20)


@pytest.fixture
def counted() -> Counted:
    return Counted()


@pytest.fixture
def hub(store: RedisStore, store_url: str, counted: Counted) -> Iterator[Hub]:
    found = Hub(store, Listener(store_url, 20), tell, most=1000, counted=counted, beat=BEAT)
    yield found
    found.close()


class Watcher:
    """One end of a stream, whose other end the hub has."""

    def __init__(self, hub: Hub, game_id: str, sent: int, window: int | None = None) -> None:
        self.socket, theirs = socket.socketpair()
        OURS.append(self.socket)
        self.socket.settimeout(30)
        if window:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        self.done = threading.Event()
        self._rest = b""
        hub.stream(theirs, Stream(hub, game_id, None, sent, b""), self.done.set)

    def next(self, *, comments: bool = False) -> Message | None:
        """The next message; `None` at the end."""
        while True:
            while b"\n\n" not in self._rest:
                data = self.socket.recv(65536)
                if not data:
                    return None
                self._rest += data
            block, self._rest = self._rest.split(b"\n\n", 1)
            message = parse(block.decode())
            if comments or message.kind != ":":
                return message

    def versions(self, count: int) -> list[int | None]:
        return [message.id if (message := self.next()) else None for _ in range(count)]

    def rest(self) -> list[Message]:
        return [*iter(self.next, None)]


def kept(store: RedisStore) -> Table:
    table, events = dealt(record())
    assert store.create(table, events)
    return table


def move(store: RedisStore, table: Table) -> Table:
    after, events = moved(table, random.Random(table.version))
    assert store.append(table, after, events, 1, None).done
    return after


def patiently(store: RedisStore, table: Table) -> Table | None:
    """The game one move later, if the store answers."""
    try:
        return move(store, table)
    except StoreAway:
        return None


def lengthen(store: RedisStore, table: Table, by: int) -> Table:
    """Many events at once, which change nothing."""
    after = table._replace(version=table.version + by)
    events = [Event(0, "discard R5 " + "." * 100)] * by
    assert store.append(table, after, events, 1, None).done
    return after


# Telling -----------------------------------------------------------------------------------------------------------


def test_a_move_is_told_to_everybody_and_read_once(hub: Hub, store: RedisStore, valkey: Any, counted: Counted) -> None:
    table = kept(store)
    watchers = [Watcher(hub, table.record.id, table.version) for _ in range(50)]
    until(lambda: counted.now == (50, 0))
    table = move(store, table)
    for watcher in watchers:
        assert watcher.versions(1) == [3]
    before = valkey.info("commandstats")["cmdstat_lrange"]["calls"]
    after = move(store, table)
    for watcher in watchers:
        assert watcher.versions(after.version - 3) == [*range(4, after.version + 1)]
    # Besides the move's own there may have been a heartbeat or two.
    assert valkey.info("commandstats")["cmdstat_lrange"]["calls"] - before < 10


def test_only_watched_games_are_heard_of(hub: Hub, store: RedisStore, valkey: Any) -> None:
    def heard(of: Table) -> bool:
        return bool(valkey.pubsub_numsub(f"lc:{{{of.record.id}}}")[0][1])

    watched, other = kept(store), kept(store)
    watchers = [Watcher(hub, watched.record.id, watched.version) for _ in range(2)]
    until(lambda: heard(watched))
    assert not heard(other)
    watchers[0].socket.close()
    assert watchers[0].done.wait(30)
    move(store, watched)
    assert watchers[1].versions(1) == [3]
    assert heard(watched)
    watchers[1].socket.close()
    until(lambda: not heard(watched))


def test_a_long_history_comes_in_order_and_whole(hub: Hub, store: RedisStore) -> None:
    table = lengthen(store, kept(store), MANY)
    watcher = Watcher(hub, table.record.id, 0)
    assert watcher.versions(table.version) == [*range(1, table.version + 1)]
    move(store, table)
    assert watcher.versions(1) == [table.version + 1]


def test_there_are_heartbeats(hub: Hub, store: RedisStore) -> None:
    watcher = Watcher(hub, kept(store).record.id, 2)
    assert [watcher.next(comments=True) for _ in range(3)] == [Message(":", None, "")] * 3


def test_a_game_that_expires_is_gone(hub: Hub, store: RedisStore, valkey: Any) -> None:
    """Nobody tells it: it is found with a heartbeat."""
    table = kept(store)
    watcher = Watcher(hub, table.record.id, table.version)
    valkey.pexpire(f"lc:{{{table.record.id}}}", 1)
    assert watcher.rest() == [Message("end", None, {"reason": "gone"})]
    assert watcher.done.wait(30)


def test_a_store_that_has_lost_what_was_told_has_its_readers_begin_anew(hub: Hub, store: RedisStore) -> None:
    table = kept(store)
    watcher = Watcher(hub, table.record.id, table.version + 1)
    assert watcher.rest() == []
    assert watcher.done.wait(30)


# Losing ------------------------------------------------------------------------------------------------------------


def test_what_is_told_while_nobody_hears_is_not_lost(hub: Hub, store: RedisStore, valkey: Any) -> None:
    """The subscription is cut again and again in the middle of moves."""
    table = kept(store)
    watcher = Watcher(hub, table.record.id, table.version)
    for _ in range(10):
        table = move(store, table)
        valkey.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
        table = move(store, table)
    assert watcher.versions(table.version - 2) == [*range(3, table.version + 1)]


def test_a_store_that_tells_nothing_is_looked_at(tmp_path: Path) -> None:
    """A user who may not publish: a move is made all the same, and found with a heartbeat."""
    servers = Servers(tmp_path)
    try:
        server = servers.valkey()
        server.client().execute_command("ACL", "SETUSER", "mute", "on", "nopass", "~*", "+@all", "-publish", "&*")
        url = f"redis://mute:x@{HOST}:{server.port}"
        store = RedisStore(url)
        hub = Hub(store, Listener(url), tell, most=10, counted=Counted(), beat=BEAT)
        table = kept(store)
        watcher = Watcher(hub, table.record.id, table.version)
        assert watcher.next(comments=True) == Message(":", None, "")
        move(store, table)
        assert watcher.versions(1) == [3]
        hub.close()
    finally:
        servers.end()


def test_a_store_that_comes_back_is_heard_again(tmp_path: Path) -> None:
    servers = Servers(tmp_path)
    try:
        server = servers.valkey("--appendonly", "yes")
        store = RedisStore(server.url)
        hub = Hub(store, Listener(server.url), tell, most=10, counted=Counted())
        table = kept(store)
        watcher = Watcher(hub, table.record.id, table.version)
        table = move(store, table)
        assert watcher.versions(1) == [3]
        server.kill()
        server.start()
        table = until(partial(patiently, store, table), what="the store")
        assert watcher.versions(table.version - 3) == [*range(4, table.version + 1)]
        hub.close()
    finally:
        servers.end()


# Slow readers ------------------------------------------------------------------------------------------------------


def test_who_does_not_read_is_cut_off_and_may_resume(hub: Hub, store: RedisStore) -> None:
    table = lengthen(store, kept(store), MANY)
    slow, fast = (Watcher(hub, table.record.id, 0, window) for window in (1, None))
    assert fast.versions(table.version) == [*range(1, table.version + 1)]
    assert slow.done.wait(30)
    got = [message.id for message in slow.rest()]
    assert 0 < len(got) < table.version
    assert got == [*range(1, len(got) + 1)]
    resumed = Watcher(hub, table.record.id, len(got))
    assert resumed.versions(table.version - len(got)) == [*range(len(got) + 1, table.version + 1)]
    assert not fast.done.is_set()


def test_who_reads_slowly_is_served(hub: Hub, store: RedisStore) -> None:
    """So slowly that nothing is ever kept for it that it does not take before the second heartbeat."""
    table = lengthen(store, kept(store), MANY)
    watcher = Watcher(hub, table.record.id, 0, window=1)
    versions: list[int | None] = []
    while len(versions) < table.version:
        versions += watcher.versions(min(500, table.version - len(versions)))
        threading.Event().wait(BEAT / 20)
    assert versions == [*range(1, table.version + 1)]


# Waiting -----------------------------------------------------------------------------------------------------------


class Waiter:
    """A request that waits, on a connection of which the hub has the other end."""

    def __init__(self, hub: Hub, table: Table, after: int, seconds: float) -> None:
        self.socket, theirs = socket.socketpair()
        OURS.extend((self.socket, theirs))
        self.over = threading.Event()
        hub.park(theirs, Parked(table.record.id, after, seconds), self.over.set)


def by_moving(store: RedisStore, table: Table, waiter: Waiter) -> None:
    move(store, table)


def by_deleting(store: RedisStore, table: Table, waiter: Waiter) -> None:
    assert store.delete(table.record)


def by_hanging_up(store: RedisStore, table: Table, waiter: Waiter) -> None:
    waiter.socket.close()


def by_saying_more(store: RedisStore, table: Table, waiter: Waiter) -> None:
    waiter.socket.send(b"GET / HTTP/1.1\r\n\r\n")


@pytest.mark.parametrize("how", [by_moving, by_deleting, by_hanging_up, by_saying_more])
def test_a_wait_ends(
    hub: Hub, store: RedisStore, counted: Counted, how: Callable[[RedisStore, Table, Waiter], None]
) -> None:
    table = kept(store)
    waiter = Waiter(hub, table, table.version, 600)
    until(lambda: counted.now == (0, 1))
    assert not waiter.over.wait(1.5 * BEAT)
    how(store, table, waiter)
    assert waiter.over.wait(30)
    until(lambda: counted.now == (0, 0))


@pytest.mark.parametrize(("after", "seconds"), [(1, 600), (2, 0.1), (99, 0.1)])
def test_a_wait_ends_by_itself(hub: Hub, store: RedisStore, after: int, seconds: float) -> None:
    waiter = Waiter(hub, kept(store), after, seconds)
    assert waiter.over.wait(30)


# Closing -----------------------------------------------------------------------------------------------------------


def test_at_the_end_everybody_is_given_back(hub: Hub, store: RedisStore) -> None:
    table = kept(store)
    watcher = Watcher(hub, table.record.id, table.version)
    waiter = Waiter(hub, table, table.version, 600)
    hub.close()
    assert watcher.rest() == []
    assert watcher.done.wait(30)
    assert waiter.over.wait(30)
    late, later = Watcher(hub, table.record.id, table.version), Waiter(hub, table, table.version, 600)
    assert late.rest() == []
    assert late.done.is_set()
    assert later.over.is_set()


def test_a_hub_that_was_never_used_ends_too(store: RedisStore, store_url: str) -> None:
    hub = Hub(store, Listener(store_url), tell, most=1, counted=Counted())
    hub.close()
    hub.close()
