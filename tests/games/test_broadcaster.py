"""The broadcaster with a real store, real threads and short heartbeat intervals."""

import queue
import random
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from lostcities.api.render import Include
from lostcities.api.streams import Audience, encode_events
from lostcities.games import tokens
from lostcities.games.broadcaster import PAGE_EVENTS, QUEUED_PAGES, Broadcaster, TooManyOfAddress, TooManyWatchers
from lostcities.games.game import Event
from lostcities.games.storage import StoredGame, StoreUnavailable
from lostcities.store.notifications import RedisChangeSource
from lostcities.store.redis import RedisStore
from lostcities.variants.core import Viewer

from tests.faults.processes import HOST, Servers, until
from tests.server.test_serving import together
from tests.sse import PATIENCE, Message, messages
from tests.store.tables import dealt, moved

HEARTBEAT = 1.0
MANY = 6 * PAGE_EVENTS
"""Events of a game with a long history."""
OPENING = b": opened\n\n"
ADDRESS = "203.0.113.7"


def audience(viewer: Viewer) -> Audience:
    return Audience(viewer, Include((), tokens.SPECTATOR))


SPECTATOR = audience(None)


class Counts:
    """The numbers of streams and long polls in the last report."""

    def __init__(self) -> None:
        self.now = (0, 0)

    def __call__(self, streams: int, waiting: int) -> None:
        self.now = (streams, waiting)


@pytest.fixture
def store(store_url: str) -> RedisStore:
    return RedisStore(store_url, timeout=20)


@pytest.fixture
def counts() -> Counts:
    return Counts()


@pytest.fixture
def broadcaster(store: RedisStore, store_url: str, counts: Counts) -> Iterator[Broadcaster]:
    changes = RedisChangeSource(store_url, 20)
    found = Broadcaster(
        store, changes, encode_events, max_watchers=1000, max_of_address=1000, on_count=counts, heartbeat=HEARTBEAT
    )
    yield found
    found.close()


def read(data: bytes) -> list[Message]:
    """The messages in a piece of a stream, without comments."""
    return [message for message in messages(data) if message.kind != ":"]


class Watcher:
    """A client that reads a stream continuously in a thread."""

    def __init__(self, broadcaster: Broadcaster, table: StoredGame, sent: int | None = None) -> None:
        self._pieces: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._rest: list[Message] = []
        version = table.game.version if sent is None else sent
        stream = broadcaster.stream(table.id, ADDRESS, SPECTATOR, version, OPENING)
        threading.Thread(target=self._run, args=(stream,), daemon=True).start()
        assert self._pieces.get(timeout=PATIENCE) == OPENING

    def _run(self, stream: Iterator[bytes]) -> None:
        for piece in stream:
            self._pieces.put(piece)
        self._pieces.put(None)

    def next(self) -> Message | None:
        """The next message; `None` at the end."""
        deadline = time.monotonic() + PATIENCE
        while not self._rest:
            assert time.monotonic() < deadline, "no message"
            piece = self._pieces.get(timeout=PATIENCE)
            if piece is None:
                return None
            self._rest = read(piece)
        return self._rest.pop(0)

    def heartbeat(self) -> None:
        """Wait for the next heartbeat."""
        while self._pieces.get(timeout=PATIENCE) != b":\n\n":
            pass

    def versions(self, count: int) -> list[int | None]:
        return [message.id if (message := self.next()) else None for _ in range(count)]

    def rest(self) -> list[Message]:
        return [*iter(self.next, None)]


def kept(store: RedisStore) -> StoredGame:
    table, events = dealt()
    assert store.create(table, events)
    return table


def move(store: RedisStore, table: StoredGame) -> StoredGame:
    after, events = moved(table, random.Random(table.game.version))
    assert store.append(table, after, events, None).done
    return after


def new_versions(before: StoredGame, after: StoredGame) -> list[int]:
    return [*range(before.game.version + 1, after.game.version + 1)]


def move_if_available(store: RedisStore, table: StoredGame) -> StoredGame | None:
    try:
        return move(store, table)
    except StoreUnavailable:
        return None


def lengthen(store: RedisStore, table: StoredGame, by: int) -> StoredGame:
    """Append many events that do not change the state."""
    after = table._replace(game=table.game._replace(version=table.game.version + by))
    events = [Event(0, "discard R5 " + "." * 100)] * by
    assert store.append(table, after, events, None).done
    return after


# Delivery ------------------------------------------------------------------------------------------------------------


def test_a_move_is_read_once_for_all_watchers(broadcaster: Broadcaster, store: RedisStore, valkey: Any) -> None:
    table = kept(store)
    watchers = [Watcher(broadcaster, table) for _ in range(50)]
    table = move(store, table)
    for watcher in watchers:
        assert watcher.versions(table.game.version - 2) == [*range(3, table.game.version + 1)]
    for watcher in watchers:
        watcher.heartbeat()
    before = valkey.info("commandstats")["cmdstat_lrange"]["calls"]
    after = move(store, table)
    for watcher in watchers:
        assert watcher.versions(len(new_versions(table, after))) == new_versions(table, after)
    # Heartbeats may have caused additional reads.
    assert valkey.info("commandstats")["cmdstat_lrange"]["calls"] - before < 10


def test_events_are_encoded_once_for_each_kind_of_viewer(store: RedisStore, store_url: str) -> None:
    encoded: list[tuple[int, Any]] = []

    def encode(kept: StoredGame, first: int, events: Any, to: Audience) -> list[bytes]:
        if events:
            encoded.append((first, to.viewer))
        return encode_events(kept, first, events, to)

    changes = RedisChangeSource(store_url, 20)
    broadcaster = Broadcaster(
        store, changes, encode, max_watchers=1000, max_of_address=1000, on_count=Counts(), heartbeat=0.1
    )
    table = kept(store)
    streams = [broadcaster.stream(table.id, ADDRESS, audience(viewer), 2, OPENING) for viewer in (None, 0, 1) * 10]
    for stream in streams:
        assert next(stream) == OPENING
    # After a heartbeat the stream has read the game.
    for stream in streams:
        assert next(stream) == b":\n\n"
    move(store, table)
    for stream in streams:
        assert read(next(piece for piece in stream if piece != b":\n\n"))[0].id == 3
    assert sorted(encoded, key=str) == [(3, 0), (3, 1), (3, None)]
    broadcaster.close()


def test_only_watched_games_are_subscribed_to(
    broadcaster: Broadcaster, store: RedisStore, valkey: Any, counts: Counts
) -> None:
    def is_subscribed(table: StoredGame) -> bool:
        return bool(valkey.pubsub_numsub(f"lc:{{{table.id}}}")[0][1])

    watched, other = kept(store), kept(store)
    streams = [broadcaster.stream(watched.id, ADDRESS, SPECTATOR, watched.game.version, OPENING) for _ in range(2)]
    for stream in streams:
        assert next(stream) == OPENING
    until(lambda: is_subscribed(watched))
    assert not is_subscribed(other)
    streams[0].close()
    assert counts.now == (1, 0)
    assert is_subscribed(watched)
    streams[1].close()
    assert counts.now == (0, 0)
    until(lambda: not is_subscribed(watched))


def test_a_stream_that_is_never_read_is_given_back(broadcaster: Broadcaster, store: RedisStore, counts: Counts) -> None:
    table = kept(store)
    closed = broadcaster.stream(table.id, ADDRESS, SPECTATOR, 2, OPENING)
    dropped = broadcaster.stream(table.id, ADDRESS, SPECTATOR, 2, OPENING)
    assert counts.now == (2, 0)
    closed.close()
    assert counts.now == (1, 0)
    del dropped
    assert counts.now == (0, 0)


def test_a_long_history_is_sent_completely_and_in_order(broadcaster: Broadcaster, store: RedisStore) -> None:
    table = lengthen(store, kept(store), MANY)
    watcher = Watcher(broadcaster, table, sent=0)
    assert watcher.versions(table.game.version) == [*range(1, table.game.version + 1)]
    move(store, table)
    assert watcher.versions(1) == [table.game.version + 1]


def test_an_idle_stream_has_heartbeats(broadcaster: Broadcaster, store: RedisStore) -> None:
    stream = broadcaster.stream(kept(store).id, ADDRESS, SPECTATOR, 2, OPENING)
    assert [next(stream) for _ in range(4)] == [OPENING, *[b":\n\n"] * 3]


def test_a_stream_ends_when_its_game_expires(broadcaster: Broadcaster, store: RedisStore, valkey: Any) -> None:
    """There is no notification: the heartbeat finds it."""
    table = kept(store)
    watcher = Watcher(broadcaster, table)
    watcher.heartbeat()
    valkey.pexpire(f"lc:{{{table.id}}}", 1)
    assert watcher.rest() == [Message("end", None, {"reason": "gone"})]


def test_a_stream_ends_if_the_store_is_behind_the_sent_version(broadcaster: Broadcaster, store: RedisStore) -> None:
    table = kept(store)
    assert Watcher(broadcaster, table, sent=table.game.version + 1).rest() == []


def test_a_stream_ends_if_the_store_loses_sent_events(broadcaster: Broadcaster, store: RedisStore, valkey: Any) -> None:
    """As after a failover to a lagging replica."""
    table = kept(store)
    backup = valkey.dump(f"lc:{{{table.id}}}")
    watcher = Watcher(broadcaster, table)
    after = move(store, table)
    assert watcher.versions(after.game.version - 2) == [*range(3, after.game.version + 1)]
    valkey.restore(f"lc:{{{table.id}}}", 0, backup, replace=True)
    assert watcher.rest() == []


# Lost notifications, unavailable store -------------------------------------------------------------------------------


def test_nothing_is_missed_while_the_subscription_is_lost(
    broadcaster: Broadcaster, store: RedisStore, valkey: Any
) -> None:
    table = kept(store)
    watcher = Watcher(broadcaster, table)
    for _ in range(10):
        table = move(store, table)
        valkey.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
        table = move(store, table)
    assert watcher.versions(table.game.version - 2) == [*range(3, table.game.version + 1)]


def test_changes_are_found_without_notifications(tmp_path: Path) -> None:
    """The store's user may not publish: moves work, and heartbeats find them."""
    servers = Servers(tmp_path)
    try:
        server = servers.valkey()
        server.client().execute_command("ACL", "SETUSER", "mute", "on", "nopass", "~*", "+@all", "-publish", "&*")
        url = f"redis://mute:x@{HOST}:{server.port}"
        store = RedisStore(url)
        broadcaster = Broadcaster(
            store,
            RedisChangeSource(url),
            encode_events,
            max_watchers=10,
            max_of_address=10,
            on_count=Counts(),
            heartbeat=HEARTBEAT,
        )
        table = kept(store)
        watcher = Watcher(broadcaster, table)
        watcher.heartbeat()
        move(store, table)
        assert watcher.versions(1) == [3]
        broadcaster.close()
    finally:
        servers.end()


def test_streams_continue_when_the_store_is_available_again(tmp_path: Path) -> None:
    servers = Servers(tmp_path)
    try:
        server = servers.valkey("--appendonly", "yes")
        store = RedisStore(server.url)
        broadcaster = Broadcaster(
            store,
            RedisChangeSource(server.url),
            encode_events,
            max_watchers=10,
            max_of_address=10,
            on_count=Counts(),
            heartbeat=HEARTBEAT,
        )
        table = kept(store)
        watcher = Watcher(broadcaster, table)
        table = move(store, table)
        assert watcher.versions(table.game.version - 2) == [*range(3, table.game.version + 1)]
        server.kill()
        # Opened while the store is down: the stream waits for it.
        second = Watcher(broadcaster, table, sent=0)
        for each in (watcher, second):
            each.heartbeat()
        server.start()
        after = until(partial(move_if_available, store, table), what="the store")
        assert watcher.versions(len(new_versions(table, after))) == new_versions(table, after)
        assert second.versions(after.game.version) == [*range(1, after.game.version + 1)]
        broadcaster.close()
    finally:
        servers.end()


# Slow readers --------------------------------------------------------------------------------------------------------


def test_a_slow_reader_gets_all_events_and_does_not_delay_others(broadcaster: Broadcaster, store: RedisStore) -> None:
    """Its queue overflows, so it reads the missed events from the store."""
    table = kept(store)
    slow = broadcaster.stream(table.id, ADDRESS, SPECTATOR, table.game.version, OPENING)
    assert [next(slow), next(slow)] == [OPENING, b":\n\n"]
    fast = Watcher(broadcaster, table)
    versions: list[int | None] = []
    for _ in range(4 * QUEUED_PAGES):
        before, table = table, move(store, table)
        assert fast.versions(len(new_versions(before, table))) == new_versions(before, table)
    while len(versions) < table.game.version - 2:
        versions += [message.id for message in read(next(slow))]
    assert versions == [*range(3, table.game.version + 1)]
    assert next(slow) == b":\n\n"


# Long polls ----------------------------------------------------------------------------------------------------------


class Waiter:
    """A long poll in a thread."""

    def __init__(self, broadcaster: Broadcaster, table: StoredGame, after: int, seconds: float) -> None:
        self.is_over = threading.Event()
        self.found: StoredGame | None = None
        arguments = (broadcaster, table.id, after, seconds)
        threading.Thread(target=self._run, args=arguments, daemon=True).start()

    def _run(self, broadcaster: Broadcaster, game_id: str, after: int, seconds: float) -> None:
        self.found = broadcaster.wait_for_change(game_id, ADDRESS, after, seconds)
        self.is_over.set()


def by_moving(store: RedisStore, table: StoredGame) -> StoredGame:
    return move(store, table)


def by_deleting(store: RedisStore, table: StoredGame) -> None:
    assert store.delete(table.id)


@pytest.mark.parametrize("how", [by_moving, by_deleting])
def test_a_long_poll_ends_with_a_change(
    broadcaster: Broadcaster,
    store: RedisStore,
    counts: Counts,
    how: Callable[[RedisStore, StoredGame], StoredGame | None],
) -> None:
    """It returns the changed game, which need not be read again, or nothing if there is none."""
    table = kept(store)
    waiter = Waiter(broadcaster, table, table.game.version, 600)
    until(lambda: counts.now == (0, 1))
    assert not waiter.is_over.wait(1.5 * HEARTBEAT)
    after = how(store, table)
    assert waiter.is_over.wait(PATIENCE)
    assert waiter.found == after
    assert counts.now == (0, 0)


@pytest.mark.parametrize(("after", "seconds", "is_found"), [(1, 600, True), (2, 0.1, False), (99, 0.1, False)])
def test_a_long_poll_ends_after_its_time_or_if_it_is_behind(
    broadcaster: Broadcaster, store: RedisStore, after: int, seconds: float, *, is_found: bool
) -> None:
    """A change before the subscription ends it at once."""
    waiter = Waiter(broadcaster, kept(store), after, seconds)
    assert waiter.is_over.wait(PATIENCE)
    assert bool(waiter.found) == is_found


def test_a_second_long_poll_gets_a_change_that_the_first_has_seen(
    broadcaster: Broadcaster, store: RedisStore, counts: Counts
) -> None:
    table = kept(store)
    first, later = Waiter(broadcaster, table, 2, 600), Waiter(broadcaster, table, 99, 600)
    until(lambda: counts.now == (0, 2))
    move(store, table)
    assert first.is_over.wait(PATIENCE)
    assert Waiter(broadcaster, table, 2, 600).is_over.wait(PATIENCE)
    assert not later.is_over.is_set()


def test_a_long_poll_on_a_finished_game_ends_at_once(broadcaster: Broadcaster, store: RedisStore) -> None:
    table = kept(store)
    waiter = Waiter(broadcaster, table, 9999, 600)
    while not table.game.is_over:
        table = move(store, table)
    assert waiter.is_over.wait(PATIENCE)


# Limits, closing -----------------------------------------------------------------------------------------------------


def bounded(store: RedisStore, store_url: str, counts: Counts, most: int, of_address: int) -> Broadcaster:
    changes = RedisChangeSource(store_url)
    return Broadcaster(store, changes, encode_events, max_watchers=most, max_of_address=of_address, on_count=counts)


def test_watchers_over_the_maximum_are_refused(store: RedisStore, store_url: str, counts: Counts) -> None:
    broadcaster = bounded(store, store_url, counts, 2, 2)
    table = kept(store)
    Waiter(broadcaster, table, table.game.version, 600)
    until(lambda: counts.now == (0, 1))
    stream = broadcaster.stream(table.id, ADDRESS, SPECTATOR, 2, OPENING)
    assert counts.now == (1, 1)
    with pytest.raises(TooManyWatchers):
        broadcaster.stream(table.id, "203.0.113.8", SPECTATOR, 2, OPENING)
    with pytest.raises(TooManyWatchers):
        broadcaster.wait_for_change(table.id, "203.0.113.8", 2, 600)
    stream.close()
    broadcaster.stream(table.id, "203.0.113.8", SPECTATOR, 2, OPENING).close()
    broadcaster.close()


def test_one_address_leaves_the_rest_to_others(store: RedisStore, store_url: str, counts: Counts) -> None:
    broadcaster = bounded(store, store_url, counts, 10, 3)
    tables = [kept(store), kept(store)]
    streams = [broadcaster.stream(table.id, ADDRESS, SPECTATOR, 2, OPENING) for table in tables]
    Waiter(broadcaster, tables[0], tables[0].game.version, 600)
    until(lambda: counts.now == (2, 1))
    for table in tables:
        with pytest.raises(TooManyOfAddress):
            broadcaster.stream(table.id, ADDRESS, SPECTATOR, 2, OPENING)
        with pytest.raises(TooManyOfAddress):
            broadcaster.wait_for_change(table.id, ADDRESS, 2, 600)
        streams.append(broadcaster.stream(table.id, "203.0.113.8", SPECTATOR, 2, OPENING))
    assert counts.now == (4, 1)
    streams[0].close()
    broadcaster.stream(tables[0].id, ADDRESS, SPECTATOR, 2, OPENING).close()
    broadcaster.close()


def test_simultaneous_streams_of_an_address_do_not_exceed_its_maximum(
    store: RedisStore, store_url: str, counts: Counts
) -> None:
    broadcaster = bounded(store, store_url, counts, 1000, 50)
    table = kept(store)

    def connect() -> Iterator[bytes] | None:
        try:
            return broadcaster.stream(table.id, ADDRESS, SPECTATOR, 2, OPENING)
        except TooManyOfAddress:
            return None

    streams = together(*[connect] * 200)
    assert (streams.count(None), counts.now) == (150, (50, 0))
    streams.clear()
    assert counts.now == (0, 0)
    broadcaster.close()


def test_closing_ends_all_watchers_at_once(broadcaster: Broadcaster, store: RedisStore, counts: Counts) -> None:
    table = kept(store)
    watcher = Watcher(broadcaster, table)
    waiter = Waiter(broadcaster, table, table.game.version, 600)
    until(lambda: counts.now == (1, 1))
    broadcaster.close()
    assert watcher.rest() == []
    assert waiter.is_over.wait(PATIENCE)
    assert Watcher(broadcaster, table).rest() == []
    assert Waiter(broadcaster, table, table.game.version, 600).is_over.wait(PATIENCE)
    until(lambda: counts.now == (0, 0))


def test_an_unused_broadcaster_can_be_closed(store: RedisStore, store_url: str) -> None:
    broadcaster = Broadcaster(
        store, RedisChangeSource(store_url), encode_events, max_watchers=1, max_of_address=1, on_count=Counts()
    )
    broadcaster.close()
    broadcaster.close()
