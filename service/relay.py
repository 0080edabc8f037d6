"""Threads that take turns: the one with the baton waits for whoever asks, and answers without passing anything on.

To hand every request from a thread that waits to one that works costs more than many a request: both have to be woken,
and all of them contend for the interpreter. Here a second thread is woken only if an answer takes long: it takes the
baton and goes on waiting, as many times as there are threads.
"""

import logging
import selectors
import socket
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, Final

PATIENCE_SECONDS: Final = 0.005
"""An answer that takes longer is left to its thread, and another one takes the baton."""
DROWSY_SECONDS: Final = 1.0
"""When nothing was asked for so long, nobody looks any more whether an answer takes long, until one is begun."""

Parting = Callable[[], None]
"""What is to be done with a connection once it is not watched any more."""

log = logging.getLogger("service.relay")

_relay: Final[ContextVar["Relay | None"]] = ContextVar("relay", default=None)
"""The one that a thread runs in."""


def nothing() -> None:
    """What is left to be done with a connection that was given up."""


def step_aside() -> None:
    """Said before a wait that is known to be long, has another thread take the baton at once."""
    if relay := _relay.get():
        relay.give_up_baton()


class Relay:
    """Watches connections, and answers those that have something to say."""

    def __init__(
        self,
        runners: int,
        answer: Callable[[Any], Parting | None],
        counted: Callable[[int, bool], None] = lambda *_: None,
    ) -> None:
        """`runners`: threads; `answer`: reads what came from a connection, and answers it.

        A connection is anything with a socket called `sock`. If `answer` returns a function, the connection is watched
        no more and the function is called; only this may close the socket or give it away. `counted` is told how many
        are watched or being answered, and whether a thread is free to answer more, whenever that changes.
        """
        self._answer = answer
        self._counted = counted
        self._selector = selectors.DefaultSelector()
        self._watched: dict[Any, int] = {}
        """Connections, and the numbers of their sockets' files: a socket that was closed does not know it any more."""
        self._asking: deque[Any] = deque()
        """Connections that have something to say, in the order in which they are answered."""
        self._back: deque[Any] = deque()
        """Connections that came back to be answered: their turn is after those that ask meanwhile."""
        self._runners = runners
        self._away = 0
        """Runners that answer without the baton."""
        self._ear, self._bell = socket.socketpair()
        """Wake whoever waits."""
        for end in (self._ear, self._bell):
            end.settimeout(0)
        self._selector.register(self._ear, selectors.EVENT_READ)
        self._baton = threading.Lock()
        self._lock = threading.Lock()
        """Guards who has the baton and what it answers, against those who take it away."""
        self._holder: int | None = None
        self._answering: Any = None
        """What the holder of the baton answers; `None` while it waits."""
        self._begun = 0
        """Answers that were begun."""
        self._is_drowsy = False
        self._stirred = threading.Event()
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=target, name="relay", daemon=True)
            for target in (self._look_after, *(self._run,) * runners)
        ]
        for thread in self._threads:
            thread.start()

    def watch(self, connection: Any) -> None:
        """Answer the connection whenever it has something to say."""
        with self._lock:
            self._watch(connection)

    def leave(self, connection: Any, parting: Parting | None = None) -> None:
        """Watch the connection no more, and part from it: nothing may happen to its socket before."""
        with self._lock:
            self._unwatch(connection)
            if parting:
                parting()

    def answer(self, connection: Any) -> None:
        """Answer the connection when its turn comes: what it has to say has been read already."""
        self._back.append(connection)
        self._ring()

    def shutdown(self, wait: bool = False) -> None:  # noqa: FBT001, FBT002
        """Wait for nobody any more. What is being answered is answered before all is over, which one may wait for."""
        self._over.set()
        self._stirred.set()
        self._ring()
        if wait:
            for thread in self._threads:
                thread.join()
            for each in (self._selector, self._ear, self._bell):
                each.close()

    def give_up_baton(self) -> None:
        """Leave the waiting to another thread, if it is the calling one's."""
        with self._lock:
            if self._holder == threading.get_ident():
                self._pass_on()

    def _pass_on(self) -> None:
        """Whoever has the baton answers one connection more, which nobody else must answer meanwhile."""
        self._unwatch(self._answering)
        if self._answering is not None:
            self._away += 1
            self._tell()
        self._holder = self._answering = None
        self._baton.release()

    def _unwatch(self, connection: Any) -> None:
        if connection in self._watched:
            self._selector.unregister(self._watched.pop(connection))
            self._tell()

    def _watch(self, connection: Any) -> None:
        """Watch the connection, unless its socket was closed meanwhile."""
        if connection not in self._watched and (file := connection.sock.fileno()) >= 0:
            # A socket may be closed while its connection is answered, and the number of its file be given to another.
            if stale := self._selector.get_map().get(file):
                self._unwatch(stale.data)
            self._selector.register(file, selectors.EVENT_READ, connection)
            self._watched[connection] = file
            self._tell()

    def _tell(self) -> None:
        self._counted(len(self._watched) + self._away, self._away < self._runners)

    def _ring(self) -> None:
        with suppress(BlockingIOError):
            self._bell.send(b"!")

    # The runners

    def _run(self) -> None:
        """A thread's life: wait for the baton, run with it, lose it."""
        _relay.set(self)
        me = threading.get_ident()
        while not self._over.is_set():
            self._baton.acquire()
            self._holder = me
            while self._holder == me and not self._over.is_set():
                if not self._asking:
                    self._wait()
                else:
                    self._answer_one(self._asking.popleft(), me)
            self.give_up_baton()

    def _wait(self) -> None:
        """Wait until somebody asks."""
        for key, _ in self._selector.select(0 if self._back else None):
            if key.data:
                self._asking.append(key.data)
            else:
                self._ear.recv(4096)
        while self._back:
            self._asking.append(self._back.popleft())

    def _answer_one(self, connection: Any, me: int) -> None:
        self._answering = connection
        self._begun += 1
        if self._is_drowsy:
            self._stirred.set()
        try:
            parting = self._answer(connection)
            if parting:
                self.leave(connection)
                parting()
        except BaseException:  # the baton must not be lost with the thread that has it
            log.exception("a connection is given up")
            self.leave(connection)
            parting = nothing
        with self._lock:
            if self._holder == me:
                self._answering = None
            else:
                self._away -= 1
                self._tell()
            if not parting:
                self._watch(connection)

    # Who looks after them

    def _look_after(self) -> None:
        """Take the baton away from whoever answers the same connection for too long."""
        quiet = 0.0
        while not self._over.is_set():
            begun = self._begun
            self._over.wait(PATIENCE_SECONDS)
            quiet = quiet + PATIENCE_SECONDS if begun == self._begun else 0.0
            with self._lock:
                if self._answering is not None and begun == self._begun:
                    self._pass_on()
            if quiet >= DROWSY_SECONDS:
                self._doze()
                quiet = 0.0

    def _doze(self) -> None:
        """Sleep until an answer is begun."""
        self._is_drowsy = True
        if self._answering is None:
            self._stirred.wait()
        self._stirred.clear()
        self._is_drowsy = False
