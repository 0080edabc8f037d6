"""Streams and long polls: every watcher of a game gets its new events.

Each watched game has one thread. It reads what is new from the store once, for all watchers, and puts it as a `_Page`
into their queues. A stream is a generator that takes pages from its queue; a long poll waits for an event. A stream
that is behind (just opened, resumed, or too slow for its queue) reads the missing pages from the store itself.

Under gunicorn's gevent worker these threads, queues and events are gevent's, so that a watcher costs a greenlet.
"""

import logging
import queue
import threading
from collections.abc import Callable, Generator, Hashable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any, Final, Protocol

from lostcities.games.game import Event
from lostcities.games.sse import FINISHED, GONE, HEARTBEAT, REVOKED
from lostcities.games.storage import Store, StoredGame, StoreUnavailable

HEARTBEAT_SECONDS: Final = 15.0
"""An idle stream sends a comment this often. Each watched game is read as often, which finds lost notifications."""
RETRY_SECONDS: Final = 1.0
"""Delay before the store is asked again after a failure."""
PAGE_EVENTS: Final = 500
QUEUED_PAGES: Final = 8

Audience = Hashable
"""Streams of the same audience get the same messages. What it contains is known to `EncodeEvents` only."""
EncodeEvents = Callable[[StoredGame, int, Sequence[Event], Any], list[bytes]]
"""Encodes events for an audience, one message each. The number is the version that the first event leads to."""
IsAllowed = Callable[[StoredGame], bool]
"""Whether a stream may show the events of the game as it is now."""
OnCount = Callable[[int, int], None]
"""Called with the number of open streams and of waiting long polls."""
OnChange = Callable[[str, int | None], None]
"""Called with a game's id and its new version; `None` if it has to be read to know what changed."""

log = logging.getLogger("lostcities.live")


class TooManyWatchers(Exception):
    """This process has as many streams and long polls as it may."""


class TooManyOfAddress(TooManyWatchers):
    """This process has as many streams and long polls of one address as it may."""


class ChangeSource(Protocol):
    """Notifications about the games that are watched. Some may be lost."""

    def start(self, on_change: OnChange) -> None:
        """Call `on_change` for every change from now on, in a thread of the source."""

    def watch(self, game_id: str) -> None:
        """Subscribe to a game. `on_change(game_id, None)` is called whenever the subscription has begun."""

    def unwatch(self, game_id: str) -> None:
        """Unsubscribe from a game."""

    def close(self) -> None:
        """Stop."""


class _Page:
    """A game as read from the store, and up to `PAGE_EVENTS` of its events."""

    def __init__(
        self, stored: StoredGame | None, after: int, events: Sequence[Event], encode_events: EncodeEvents
    ) -> None:
        self.stored = stored
        self._events = events
        self._encode_events = encode_events
        self._encoded: dict[Audience, list[bytes]] = {}
        self.after = after
        """The version before the first event."""
        self.is_gone = stored is None
        self.is_over = stored is not None and stored.game.is_over
        self.version = stored.game.version if stored else -1
        """The version of the game, which may be newer than the last event here."""

    def messages(self, audience: Audience) -> list[bytes]:
        """The events as this audience may see them, encoded once for all of its streams."""
        if self.stored is None:
            return []
        if audience not in self._encoded:
            self._encoded[audience] = self._encode_events(self.stored, self.after + 1, self._events, audience)
        return self._encoded[audience]


class _Stream:
    """The queue of one stream. `None` in it ends the stream."""

    def __init__(self, address: str, is_connected: Callable[[], bool], is_allowed: IsAllowed) -> None:
        self.address = address
        self.is_connected = is_connected
        self.is_allowed = is_allowed
        self._pages: queue.SimpleQueue[_Page | None] = queue.SimpleQueue()

    def deliver(self, page: _Page) -> None:
        """Queue a page. A full queue drops it: the stream will read it from the store."""
        if self._pages.qsize() < QUEUED_PAGES:
            self._pages.put(page)

    def end(self) -> None:
        """End the stream after the pages in the queue."""
        self._pages.put(None)

    def next_page(self, seconds: float) -> _Page | None:
        """The next page, or `None` at the end. Raises `queue.Empty` after so many seconds."""
        return self._pages.get(timeout=seconds)


class _LongPoll:
    """One request that waits for a version newer than `after`."""

    def __init__(self, address: str, after: int) -> None:
        self.address = address
        self._after = after
        self._is_done = threading.Event()
        self._found: StoredGame | None = None

    def deliver(self, page: _Page) -> None:
        """End the wait if the game has a newer version, is over or is gone."""
        if page.version > self._after or page.is_over or page.is_gone:
            self._found = page.stored
            self._is_done.set()

    def end(self) -> None:
        """End the wait."""
        self._is_done.set()

    def wait(self, seconds: float) -> StoredGame | None:
        """Wait until the end, or for so many seconds. The game that ended the wait, if one did."""
        self._is_done.wait(seconds)
        return self._found


_Watcher = _Stream | _LongPoll


class _WatchedGame:
    """A watched game. `watchers` is guarded by the broadcaster's lock."""

    def __init__(self, game_id: str) -> None:
        self.id = game_id
        self.watchers: set[_Watcher] = set()
        self.is_changed = threading.Event()
        self.latest: _Page | None = None
        """The page that the game's thread has read last."""

    def end_watchers(self) -> None:
        """End all streams and long polls."""
        for watcher in [*self.watchers]:
            watcher.end()

    @property
    def version(self) -> int | None:
        """The newest version that the game's thread knows."""
        return None if self.latest is None or self.latest.is_gone else self.latest.version


class Broadcaster:
    """The streams and long polls of this process."""

    def __init__(
        self,
        store: Store,
        changes: ChangeSource,
        encode_events: EncodeEvents,
        *,
        max_watchers: int,
        max_of_address: int,
        on_count: OnCount,
        heartbeat: float = HEARTBEAT_SECONDS,
    ) -> None:
        """Nothing is read and no thread is started before the first stream or long poll.

        :param max_watchers: the most streams and long polls at a time
        :param max_of_address: the most streams and long polls of one client address at a time
        """
        self._store = store
        self._changes = changes
        self._encode_events = encode_events
        self._max_watchers = max_watchers
        self._max_of_address = max_of_address
        self._on_count = on_count
        self._heartbeat = heartbeat
        # Reentrant: the garbage collector may close an abandoned stream, which takes the lock, at any point.
        self._lock = threading.RLock()
        self._games: dict[str, _WatchedGame] = {}
        # Sets, not numbers: an abandoned stream may be closed in the middle of an addition.
        self._watchers: dict[type, set[_Watcher]] = {_Stream: set(), _LongPoll: set()}
        self._watchers_of: dict[str, set[_Watcher]] = {}
        """By client address. An address without watchers has no entry."""
        self._is_started = False
        self._closed = threading.Event()

    def stream(
        self,
        game_id: str,
        address: str,
        audience: Audience,
        sent: int,
        opening: bytes,
        *,
        is_connected: Callable[[], bool] = lambda: True,
        is_allowed: IsAllowed = lambda _: True,
    ) -> Generator[bytes, None, None]:
        """The body of a stream: `opening`, then the events after version `sent` as they happen.

        The stream is counted from now on until the generator ends, is closed or is dropped, for instance by a response
        to HEAD, whose body is never read. Raises `TooManyWatchers`.

        It ends with an `end` message when the game is finished or gone, or the token is not valid any more. It ends
        without one when the client has to resume: the process stops, or the store has lost events that were sent.
        `is_connected` is asked before every heartbeat, `is_allowed` before events are sent.
        `service/lostcities/client_timeouts.py` cuts off a client that does not read.
        """
        body = self._stream(game_id, _Stream(address, is_connected, is_allowed), audience, sent, opening)
        # Runs to the first `yield`, which is inside the `with`: a generator that has not begun runs no `finally`.
        next(body)
        return body

    def _stream(
        self, game_id: str, stream: _Stream, audience: Audience, sent: int, opening: bytes
    ) -> Generator[bytes, None, None]:
        with self._watching(game_id, stream) as game:
            yield b""
            for data in chain([opening], self._follow(game, stream, audience, sent)):
                # A write to a closed connection fails only at the second attempt, which is another heartbeat later.
                if data == HEARTBEAT and not stream.is_connected():
                    return
                yield data

    def wait_for_change(self, game_id: str, address: str, after: int, seconds: float) -> StoredGame | None:
        """Wait until the game has a version newer than `after`, is over or gone, the time is up, or the process stops.

        No change is missed: the game is read after its subscription has begun. Returns the newer or finished game, so
        that it need not be read again, and otherwise `None`. Raises `TooManyWatchers`.
        """
        poll = _LongPoll(address, after)
        with self._watching(game_id, poll):
            return poll.wait(seconds)

    def close(self) -> None:
        """End all streams and long polls; later ones end at once."""
        with self._lock:
            if self._closed.is_set():
                return
            self._closed.set()
            for game in [*self._games.values()]:
                game.is_changed.set()
                game.end_watchers()
        if self._is_started:
            self._changes.close()

    @contextmanager
    def _watching(self, game_id: str, watcher: _Watcher) -> Iterator[_WatchedGame]:
        game = self._add(game_id, watcher)
        try:
            yield game
        finally:
            self._remove(game, watcher)

    def _add(self, game_id: str, watcher: _Watcher) -> _WatchedGame:
        with self._lock:
            self._count(watcher)
            game = self._games.get(game_id)
            is_new = game is None
            if game is None:
                game = self._games[game_id] = _WatchedGame(game_id)
            game.watchers.add(watcher)
            try:
                if self._closed.is_set():
                    watcher.end()
                elif game.latest:
                    watcher.deliver(game.latest)
                elif is_new:
                    self._start_watching(game)
            except BaseException:
                self._remove(game, watcher)
                raise
        return game

    def _start_watching(self, game: _WatchedGame) -> None:
        if not self._is_started:
            self._is_started = True
            self._changes.start(self._on_change)
        self._changes.watch(game.id)
        threading.Thread(target=self._broadcast, args=(game,), name=f"broadcast-{game.id}", daemon=True).start()

    def _remove(self, game: _WatchedGame, watcher: _Watcher) -> None:
        with self._lock:
            game.watchers.discard(watcher)
            self._discount(watcher)
            if not game.watchers:
                del self._games[game.id]
                game.is_changed.set()
                if not self._closed.is_set():
                    self._changes.unwatch(game.id)

    def _count(self, watcher: _Watcher) -> None:
        """Count one more watcher, or raise `TooManyWatchers`, in one step: simultaneous requests exceed no bound."""
        of_address = self._watchers_of.get(watcher.address) or set()
        if len(of_address) >= self._max_of_address:
            raise TooManyOfAddress
        if sum(map(len, self._watchers.values())) >= self._max_watchers:
            raise TooManyWatchers
        of_address.add(watcher)
        self._watchers_of[watcher.address] = of_address
        self._watchers[type(watcher)].add(watcher)
        self._report_counts()

    def _discount(self, watcher: _Watcher) -> None:
        of_address = self._watchers_of[watcher.address]
        of_address.discard(watcher)
        if not of_address:
            del self._watchers_of[watcher.address]
        self._watchers[type(watcher)].discard(watcher)
        self._report_counts()

    def _report_counts(self) -> None:
        self._on_count(len(self._watchers[_Stream]), len(self._watchers[_LongPoll]))

    def _on_change(self, game_id: str, version: int | None) -> None:
        # Takes no lock: the source may hold one of its own.
        del version
        if game := self._games.get(game_id):
            game.is_changed.set()

    # The thread of a game

    def _broadcast(self, game: _WatchedGame) -> None:
        """Deliver what is new to all watchers until there are none."""
        wait = self._heartbeat
        while True:
            game.is_changed.wait(wait)
            game.is_changed.clear()
            if self._closed.is_set() or self._games.get(game.id) is not game:
                return
            try:
                self._deliver_news(game)
                wait = self._heartbeat
            except StoreUnavailable:
                wait = RETRY_SECONDS
            except Exception:
                # For instance an entry in the store that cannot be decoded. The clients will try again.
                log.exception("cannot read a watched game")
                with self._lock:
                    game.end_watchers()

    def _deliver_news(self, game: _WatchedGame) -> None:
        page = self._read(game.id, game.version)
        if page.version == game.version:
            return
        with self._lock:
            game.latest = page
            watchers = [*game.watchers]
        for watcher in watchers:
            watcher.deliver(page)

    def _read(self, game_id: str, after: int | None) -> _Page:
        """The game and the events after that version; without events if it is `None`."""
        if after is None:
            stored = self._store.load(game_id)
            return _Page(stored, stored.game.version if stored else 0, (), self._encode_events)
        stored, events = self._store.history(game_id, after + 1, after + PAGE_EVENTS) or (None, [])
        return _Page(stored, after, events, self._encode_events)

    # A stream

    def _follow(self, game: _WatchedGame, stream: _Stream, audience: Audience, sent: int) -> Iterator[bytes]:
        """The messages after version `sent`, and heartbeats."""
        # The first read finds what happened since the request was read, and the history of a resumed stream.
        is_behind = True
        while not self._closed.is_set():
            try:
                page = self._read(game.id, sent) if is_behind else stream.next_page(self._heartbeat)
            except queue.Empty:
                yield HEARTBEAT
                # If the game's thread knows an older version than this stream, the store may have lost events.
                is_behind = game.version is not None and game.version < sent
                continue
            except StoreUnavailable:
                yield HEARTBEAT
                self._closed.wait(RETRY_SECONDS)
                continue
            if page is None:
                return
            if page.stored is None or not stream.is_allowed(page.stored):
                yield REVOKED if page.stored else GONE
                return
            if not page.after <= sent <= page.version:
                if is_behind:
                    # The store has lost events that were sent.
                    return
                # The page before this one was dropped, or this one is older than what the stream has read itself.
                is_behind = True
                continue
            if messages := page.messages(audience)[sent - page.after :]:
                yield b"".join(messages)
                sent += len(messages)
            if page.is_over and sent == page.version:
                yield FINISHED
                return
            # After a page from the queue the game's thread may know of newer ones, which the full queue has dropped.
            is_behind = sent < page.version or (not is_behind and sent < (game.version or 0))
