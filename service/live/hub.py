"""The hub: one thread of a process that holds every stream and every request that waits for a game to move.

It is told which games moved (`service/store/listening.py`), reads what is new once for each game, however many watch
it, has it written once for each kind of viewer, and gives it to every reader. Nobody waits for a reader: what it does
not take is kept, but nothing is added to it, and who has not taken it after two heartbeats is cut off. A stream that
ends without saying why is to be opened again, from the last version that was read.

What was lost on the way is found with every heartbeat, when each watched game is read anew.
"""

import heapq
import logging
import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Final, Protocol

from service.live.connection import Connection
from service.live.messages import FINISHED, GONE, HEARTBEAT
from service.rules.game import Viewer
from service.store.interface import Kept, Store, StoreAway
from service.store.listening import Heard
from service.table.game import Event

HEARTBEAT_SECONDS: Final = 15.0
RETRY_SECONDS: Final = 1.0
"""After so long a game is read again that could not be read."""
PAGE: Final = 500
"""Events that are read, and kept for a reader, at a time."""

Tell = Callable[[Kept, int, Sequence[Event], Viewer], list[bytes]]
"""Writes events, the first of which leads to that version, as a viewer may read them: a message for each."""
Count = Callable[[int, int], None]
"""Told how many streams are open, and how many requests wait."""

log = logging.getLogger("service.live")


class Ears(Protocol):
    """Hears of games: `service.store.listening.Listener`."""

    def begin(self, heard: Heard) -> None:
        """Tell that function from now on."""

    def listen(self, game_id: str) -> None:
        """Hear of that game too."""

    def ignore(self, game_id: str) -> None:
        """Hear of that game no more."""

    def close(self) -> None:
        """Hear of nothing any more."""


@dataclass(frozen=True, slots=True)
class Stream:
    """What somebody is to be told of a game, as the body of an answer.

    A worker that knows what it is gives the connection to the hub. Any other server reads it piece by piece, in a
    thread that it spends on it.
    """

    hub: "Hub"
    game_id: str
    viewer: Viewer
    sent: int
    """The version that the reader knows already."""
    opening: bytes
    """What is said before anything happens."""

    def __iter__(self) -> Iterator[bytes]:
        ours, theirs = socket.socketpair()
        with ours:
            self.hub.stream(theirs, self, lambda: None)
            while data := ours.recv(65536):
                yield data


CAN_PARK: Final = "lostcities.can_park"
"""Stands in a request's environment if its worker gives requests that wait to the hub."""
HAS_WAITED: Final = "lostcities.has_waited"
"""Stands there if the request has come back from it."""


@dataclass(frozen=True, slots=True)
class Parked:
    """A request that waits until its game has moved on from a version, or for so many seconds."""

    game_id: str
    after: int
    seconds: float


class _Reader:
    """One open stream."""

    def __init__(self, stream: Stream, connection: Connection, done: Callable[[], None]) -> None:
        self.viewer = stream.viewer
        self.sent = stream.sent
        self.connection = connection
        self.done = done
        self.is_ending = False
        """Whether everything was said."""
        self.is_late = False
        """Whether the last heartbeat found that not everything was taken."""


class _Poll:
    """One request that waits."""

    def __init__(self, parked: Parked, sock: socket.socket | None, back: Callable[[], None]) -> None:
        self.after = parked.after
        self.socket = sock
        self.back = back


class _Watched:
    """A game that somebody watches."""

    def __init__(self, game_id: str) -> None:
        self.id = game_id
        self.version = -1
        """The newest that is known here."""
        self.readers: set[_Reader] = set()
        self.polls: set[_Poll] = set()


class Hub:
    """Gives to many what happens to games. Its thread begins with the first of them."""

    def __init__(
        self, store: Store, ears: Ears, tell: Tell, *, most: int, counted: Count, beat: float = HEARTBEAT_SECONDS
    ) -> None:
        """`most`: streams and waiting requests at a time; `beat`: seconds between heartbeats."""
        self._store = store
        self._ears = ears
        self._tell = tell
        self._most = most
        self._counted = counted
        self._beat_seconds = beat
        self._lock = threading.Lock()
        self._tasks: deque[Callable[[], None]] = deque()
        """What other threads ask for."""
        self._bell: socket.socket | None = None
        """Wakes the hub's thread, once there is one."""
        self._is_closed = False
        # The rest is the thread's own.
        self._selector: selectors.BaseSelector
        self._games: dict[str, _Watched] = {}
        self._due: dict[_Watched, None] = {}
        """The games to be read, in order."""
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._number = count()
        self._readers = 0
        self._polls = 0

    # Asked by other threads

    @property
    def is_full(self) -> bool:
        """Whether no more can be taken."""
        return self._readers + self._polls >= self._most

    def stream(self, sock: socket.socket, stream: Stream, done: Callable[[], None]) -> None:
        """Take over a connection and tell it everything; `done` is called when it is closed."""
        reader = _Reader(stream, Connection(sock), done)
        if not self._ask(partial(self._open, stream, reader)):
            reader.connection.close()
            done()

    def park(self, sock: socket.socket | None, parked: Parked, back: Callable[[], None]) -> None:
        """Call `back` when the wait is over, or when the peer on the other end of the socket hangs up."""
        poll = _Poll(parked, sock, back)
        if not self._ask(partial(self._park, parked, poll)):
            back()

    def close(self) -> None:
        """Cut every stream off, and call everybody back who waits; whoever comes now is treated alike at once."""
        with self._lock:
            if self._bell and not self._is_closed:
                self._tasks.append(self._close)
                self._ring()
            self._is_closed = True

    def _notice(self, game_id: str, version: int | None) -> None:
        self._ask(partial(self._heard, game_id, version))

    def _ask(self, task: Callable[[], None]) -> bool:
        """Have the hub's thread do something; whether it still can."""
        with self._lock:
            if self._is_closed:
                return False
            if self._bell is None:
                self._begin()
            self._tasks.append(task)
            self._ring()
        return True

    def _ring(self) -> None:
        with suppress(BlockingIOError):
            if self._bell:
                self._bell.send(b"!")

    def _begin(self) -> None:
        ear, self._bell = socket.socketpair()
        ear.settimeout(0)
        self._bell.settimeout(0)
        self._selector = selectors.DefaultSelector()
        self._selector.register(ear, selectors.EVENT_READ, partial(_drain, ear))
        threading.Thread(target=self._run, args=(ear,), name="hub", daemon=True).start()
        self._ears.begin(self._notice)

    # The thread

    def _run(self, ear: socket.socket) -> None:
        while self._bell:
            wait = max(0.0, self._timers[0][0] - time.monotonic()) if self._timers else None
            for key, events in self._selector.select(0 if self._due else wait):
                key.data(events)
            while tasks := self._tasks:
                tasks.popleft()()
            while self._timers and self._timers[0][0] <= time.monotonic():
                heapq.heappop(self._timers)[2]()
            due, self._due = self._due, {}
            for game in due:
                if self._games.get(game.id) is game:
                    self._read(game)
        self._selector.close()
        ear.close()

    def _in(self, seconds: float, task: Callable[[], None]) -> None:
        heapq.heappush(self._timers, (time.monotonic() + seconds, next(self._number), task))

    def _heard(self, game_id: str, version: int | None) -> None:
        game = self._games.get(game_id)
        if game and (version is None or version > game.version):
            self._due[game] = None

    def _watched(self, game_id: str) -> _Watched:
        """The game, to be read in any case."""
        game = self._games.get(game_id)
        if game is None:
            game = self._games[game_id] = _Watched(game_id)
            self._ears.listen(game_id)
            self._in(self._beat_seconds, partial(self._beat, game))
        self._due[game] = None
        return game

    def _leave(self, game: _Watched) -> None:
        """Watch a game no more if nobody does."""
        self._counted(self._readers, self._polls)
        if not game.readers and not game.polls and self._games.get(game.id) is game:
            del self._games[game.id]
            self._ears.ignore(game.id)

    # Streams

    def _open(self, stream: Stream, reader: _Reader) -> None:
        game = self._watched(stream.game_id)
        game.readers.add(reader)
        self._readers += 1
        self._counted(self._readers, self._polls)
        self._selector.register(reader.connection.socket, selectors.EVENT_READ, partial(self._on_socket, game, reader))
        self._write(game, reader, stream.opening)

    def _on_socket(self, game: _Watched, reader: _Reader, events: int) -> None:
        if events & selectors.EVENT_READ and reader.connection.is_gone():
            self._cut(game, reader)
        elif events & selectors.EVENT_WRITE:
            self._write(game, reader, b"")
            if reader in game.readers and reader.connection.is_clear:
                self._due[game] = None

    def _write(self, game: _Watched, reader: _Reader, data: bytes) -> None:
        """Send; a reader that takes everything may have more, or has had its end."""
        connection = reader.connection
        try:
            connection.write(data)
        except OSError:
            self._cut(game, reader)
            return
        if connection.is_clear:
            reader.is_late = False
            if reader.is_ending:
                self._cut(game, reader)
                return
        wanted = selectors.EVENT_READ if connection.is_clear else selectors.EVENT_READ | selectors.EVENT_WRITE
        key = self._selector.get_key(connection.socket)
        if key.events != wanted:
            self._selector.modify(connection.socket, wanted, key.data)

    def _cut(self, game: _Watched, reader: _Reader) -> None:
        """Close a stream."""
        if reader in game.readers:
            game.readers.remove(reader)
            self._readers -= 1
            self._selector.unregister(reader.connection.socket)
            reader.connection.close()
            reader.done()
            self._leave(game)

    def _beat(self, game: _Watched) -> None:
        """Every now and then: a sign of life for every reader, which cuts off those that do not read."""
        if self._games.get(game.id) is not game:
            return
        self._in(self._beat_seconds, partial(self._beat, game))
        self._due[game] = None
        for reader in [*game.readers]:
            if reader.connection.is_clear:
                self._write(game, reader, HEARTBEAT)
            elif reader.is_late:
                self._cut(game, reader)
            else:
                reader.is_late = True

    # Requests that wait

    def _park(self, parked: Parked, poll: _Poll) -> None:
        game = self._watched(parked.game_id)
        game.polls.add(poll)
        self._polls += 1
        self._counted(self._readers, self._polls)
        if poll.socket:
            self._selector.register(poll.socket, selectors.EVENT_READ, lambda _: self._release(game, poll))
        self._in(parked.seconds, partial(self._release, game, poll))

    def _release(self, game: _Watched, poll: _Poll) -> None:
        """The wait is over. A peer that hangs up, or says more than it may, is found out by answering it."""
        if poll in game.polls:
            game.polls.remove(poll)
            self._polls -= 1
            if poll.socket:
                self._selector.unregister(poll.socket)
            poll.back()
            self._leave(game)

    # Reading

    def _read(self, game: _Watched) -> None:
        """Tell everybody what is new in a game."""
        try:
            self._deliver(game)
        except StoreAway:
            self._in(RETRY_SECONDS, partial(self._heard, game.id, None))
        except Exception as error:
            log.error("a game cannot be told", exc_info=error)
            for reader in [*game.readers]:
                self._cut(game, reader)

    def _deliver(self, game: _Watched) -> None:
        ready = [reader for reader in game.readers if reader.connection.is_clear and not reader.is_ending]
        before = min((reader.sent for reader in ready), default=max(0, game.version))
        found = self._store.history(game.id, before + 1, before + PAGE)
        if found is None:
            self._end(game)
            return
        kept, events = found
        game.version = kept.table.version
        for poll in [poll for poll in game.polls if poll.after < game.version]:
            self._release(game, poll)
        told: dict[Viewer, list[bytes]] = {}
        for reader in ready:
            if reader.viewer not in told:
                told[reader.viewer] = self._tell(kept, before + 1, events, reader.viewer)
            self._give(game, reader, told[reader.viewer][reader.sent - before :], is_over=kept.table.is_over)
        if any(reader.sent < game.version and reader.connection.is_clear for reader in game.readers):
            self._due[game] = None

    def _give(self, game: _Watched, reader: _Reader, messages: Sequence[bytes], *, is_over: bool) -> None:
        if reader.sent > game.version:
            # The store has lost what this reader was told: it must begin anew.
            self._cut(game, reader)
            return
        reader.sent += len(messages)
        reader.is_ending = is_over and reader.sent == game.version
        if messages or reader.is_ending:
            self._write(game, reader, b"".join(messages) + (FINISHED if reader.is_ending else b""))

    def _end(self, game: _Watched) -> None:
        """There is no such game any more."""
        for poll in [*game.polls]:
            self._release(game, poll)
        for reader in [*game.readers]:
            reader.is_ending = True
            self._write(game, reader, GONE)

    def _close(self) -> None:
        for game in [*self._games.values()]:
            for poll in [*game.polls]:
                self._release(game, poll)
            for reader in [*game.readers]:
                self._cut(game, reader)
        self._ears.close()
        if self._bell:
            self._bell.close()
            self._bell = None


def _drain(ear: socket.socket, events: int) -> None:
    del events
    with suppress(BlockingIOError):
        while ear.recv(4096):
            pass
