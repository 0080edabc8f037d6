"""Notifications of changed games: one pub/sub connection per process.

The scripts that change a game publish its new version on the game's own channel, in the same step (`redis.py`). A
process subscribes to the channels of the games that it watches. In a cluster every server passes on what is published
at any other, so one connection to any of them is enough.

What is published while the connection is down is lost: whenever a subscription begins, the game must be read again.
"""

import logging
import random
import threading
from contextlib import suppress
from typing import Any, Final

from redis import exceptions
from redis.client import PubSub

from lostcities.games.broadcaster import OnChange
from lostcities.store.client import Client
from lostcities.store.durability import TIMEOUT_SECONDS
from lostcities.store.redis import channel

IDLE_SECONDS: Final = 5.0
"""After this time without a message the server is pinged, and has as long again to answer."""
RETRY_SECONDS: Final = 0.5
"""The longest pause before a reconnect."""
KEEPALIVE_CHANNEL: Final = "lc:keepalive"
"""Always subscribed, never used: redis-py's `PubSub` reads nothing, not even a pong, while it has no subscription."""

log = logging.getLogger("lostcities.store")


class RedisChangeSource:
    """Notifications about the games that are watched."""

    def __init__(self, url: str, timeout: float = TIMEOUT_SECONDS) -> None:
        """Nothing is connected before `start`.

        :param timeout: seconds for making a connection
        """
        self._client = Client(url, timeout=timeout)
        self._on_change: OnChange = lambda *_: None
        self._lock = threading.Lock()
        """Held while something is sent, and while the two below are changed."""
        self._games: dict[str, str] = {}
        """The watched games by their channels."""
        self._pubsub: PubSub | None = None
        """The connection that has been sent every subscription."""
        self._closed = threading.Event()

    def start(self, on_change: OnChange) -> None:
        """Call `on_change` for every change from now on, in a thread of its own."""
        self._on_change = on_change
        threading.Thread(target=self._run, name="notifications", daemon=True).start()

    def watch(self, game_id: str) -> None:
        """Subscribe to a game. `on_change(game_id, None)` is called whenever the subscription has begun."""
        with self._lock:
            self._games[channel(game_id)] = game_id
            self._send("subscribe", channel(game_id))

    def unwatch(self, game_id: str) -> None:
        """Unsubscribe from a game."""
        with self._lock:
            self._games.pop(channel(game_id), None)
            self._send("unsubscribe", channel(game_id))

    def close(self) -> None:
        """End the thread and its connection."""
        self._closed.set()
        with self._lock:
            self._send("unsubscribe", KEEPALIVE_CHANNEL)  # the reply wakes the thread

    def _send(self, method: str, *channels: str) -> None:
        """Send a command, with the lock held. After a failure the thread reconnects and subscribes to everything."""
        if self._pubsub:
            try:
                getattr(self._pubsub, method)(*channels)
            except Exception:
                # Any error: the thread may be closing the connection at this moment.
                self._pubsub = None

    def _run(self) -> None:
        is_down = False
        while not self._closed.is_set():
            pubsub: PubSub | None = None
            try:
                # In a cluster this is another server each time, at random.
                pubsub = self._client.pubsub()
                self._subscribe(pubsub)
                if is_down:
                    log.warning("notifications of the store are received again")
                is_down = False
                self._read(pubsub)
            except Exception as error:
                if not is_down and not self._closed.is_set():
                    log.warning("no notifications from the store: %s", error)
                is_down = True
            with self._lock:
                self._pubsub = None
                if pubsub:
                    with suppress(Exception):
                        pubsub.close()
            if not self._closed.wait(RETRY_SECONDS * random.uniform(0.2, 1)):  # noqa: S311
                self._client.refresh()

    def _subscribe(self, pubsub: PubSub) -> None:
        """Connect, and subscribe to every watched game."""
        pubsub.subscribe(KEEPALIVE_CHANNEL)  # connects, which may take a while: without the lock
        with self._lock:
            if self._games:
                pubsub.subscribe(*self._games)
            self._pubsub = pubsub

    def _read(self, pubsub: PubSub) -> None:
        """Pass messages on until the connection is lost, or no longer answers."""
        is_pinged = False
        while not self._closed.is_set():
            message = pubsub.get_message(timeout=IDLE_SECONDS)
            if self._pubsub is not pubsub:
                raise exceptions.ConnectionError("a subscription could not be sent")
            if message:
                is_pinged = False
                self._deliver(message)
            elif is_pinged:
                raise exceptions.TimeoutError("no answer to PING")
            else:
                is_pinged = True
                with self._lock:
                    self._send("ping")

    def _deliver(self, message: dict[str, Any]) -> None:
        if message["type"] not in ("subscribe", "message"):
            return
        game_id = self._games.get(message["channel"].decode())
        if game_id:
            version = message["data"] if message["type"] == "message" else None
            self._on_change(game_id, int(version) if version else None)
