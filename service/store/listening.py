"""Hearing of the games that are watched: one connection for all of them, whichever engine keeps them.

What changes a game tells its new version on the game's own channel, in the same step (`service/store/redis.py`). A
process subscribes to the channels of the games that it watches, and to no others. In a cluster every server passes on
what any of them is told, so that one connection to any of them will do.

What is told while the connection is away is lost: whenever a subscription begins, the game has to be looked at.
"""

import contextlib
import logging
import os
import random
import threading
from collections.abc import Callable, Iterable
from typing import Any, Final

from redis import exceptions
from redis.exceptions import RedisError

from service.store.address import parse
from service.store.engine import connect
from service.store.redis import TIMEOUT_SECONDS, channel

Heard = Callable[[str, int | None], None]
"""Told of a game and the version that it has reached; `None`: it must be looked at."""

QUIET_SECONDS: Final = 5.0
"""A connection on which nothing is heard for so long is asked for a sign of life, and given as long again for it."""
PAUSE_SECONDS: Final = 0.5
"""The longest pause before a lost connection is made anew."""

log = logging.getLogger("service.store")


class Listener:
    """Hears of games. Nothing is connected before the first is listened for."""

    def __init__(self, url: str, timeout: float = TIMEOUT_SECONDS) -> None:
        """`timeout`: seconds that connecting may take at most."""
        self._engine = connect(parse(url), timeout / 2)
        self._heard: Heard = lambda *_: None
        self._lock = threading.Lock()
        self._wanted: dict[str, str] = {}
        """The games, by their channels."""
        self._connection: Any = None
        self._closed = threading.Event()

    def begin(self, heard: Heard) -> None:
        """Tell that function from now on, in a thread of its own."""
        self._heard = heard
        threading.Thread(target=self._run, name="listener", daemon=True).start()

    def listen(self, game_id: str) -> None:
        """Hear of that game too: first when its subscription has begun."""
        with self._lock:
            self._wanted[channel(game_id)] = game_id
            self._send("SUBSCRIBE", [channel(game_id)])

    def ignore(self, game_id: str) -> None:
        """Hear of that game no more."""
        with self._lock:
            self._wanted.pop(channel(game_id), None)
            self._send("UNSUBSCRIBE", [channel(game_id)])

    def close(self) -> None:
        """Hear of nothing any more."""
        self._closed.set()
        with self._lock:
            self._send("UNSUBSCRIBE", ())  # whose answer wakes the thread

    def _send(self, command: str, channels: Iterable[str]) -> None:
        """To be called with the lock held. What a lost connection was not told, the next one is."""
        if self._connection:
            try:
                self._connection.send_command(command, *channels, check_health=False)
            except RedisError:
                self._connection = None

    def _hang_up(self) -> None:
        with self._lock:
            connection, self._connection = self._connection, None
        if connection:
            with contextlib.suppress(OSError):
                connection.disconnect()

    def _run(self) -> None:
        is_away = False
        while not self._closed.is_set():
            try:
                connection = self._subscribed()
                if is_away:
                    log.warning("the store is heard again")
                is_away = False
                self._attend(connection)
            except Exception as error:
                # Whoever fails to send closes the connection, which its reader may notice in any way.
                if not is_away and not self._closed.is_set():
                    log.warning("the store is not heard: %s", error)
                is_away = True
            self._hang_up()
            if self._closed.is_set():
                return
            self._closed.wait(PAUSE_SECONDS * random.uniform(0.2, 1))  # noqa: S311
            with contextlib.suppress(RedisError):
                self._engine.refresh()

    def _subscribed(self) -> Any:
        """A new connection, which has asked for every game. Of a cluster another server is tried each time."""
        connection = self._engine.server(os.urandom(8).hex()).fresh()
        with self._lock:
            self._connection = connection
            if self._wanted:
                self._send("SUBSCRIBE", self._wanted)
        return connection

    def _attend(self, connection: Any) -> None:
        """Pass on what is heard until the connection is lost, or as good as lost."""
        is_asked = False
        while not self._closed.is_set():
            # Whoever failed to send has closed it, and reading would open it anew.
            if self._connection is not connection:
                raise exceptions.ConnectionError("the connection was lost")
            if connection.can_read(timeout=QUIET_SECONDS):
                is_asked = False
                self._pass_on(connection.read_response(timeout=QUIET_SECONDS))
            elif is_asked:
                raise exceptions.TimeoutError("the connection is silent")
            else:
                is_asked = True
                with self._lock:
                    self._send("PING", ())

    def _pass_on(self, reply: Any) -> None:
        if not isinstance(reply, list) or reply[0] not in (b"subscribe", b"message"):
            return
        kind, where, what = reply
        game_id = self._wanted.get(where.decode())
        if game_id:
            self._heard(game_id, int(what) if kind == b"message" and what else None)
