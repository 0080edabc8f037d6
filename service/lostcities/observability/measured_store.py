"""A store wrapper that times and counts calls."""

import time
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from lostcities.api.request_context import annotate
from lostcities.games.game import Event, Game
from lostcities.games.storage import AppendResult, CreationReceipt, Past, Receipt, Store, StoredGame, StoreUnavailable
from lostcities.observability.metrics import Metrics
from lostcities.variants.core import CHANCE

T = TypeVar("T")

_CALLS: Final = (
    "check_room",
    "create",
    "reserve",
    "load",
    "append",
    "now",
    "confirm",
    "history",
    "past",
    "delete",
    "ping",
)


class MeasuredStore:
    """Forwards calls to a store, measures them, and adds the game to the request's log line."""

    def __init__(self, store: Store, metrics: Metrics) -> None:
        self._store = store
        self._metrics = metrics
        self._seconds = {call: metrics.store_seconds.labels(call) for call in _CALLS}

    def _measure(self, call: str, method: Callable[[], T]) -> T:
        """Call the method; record its duration, or its error."""
        started = time.perf_counter()
        try:
            return method()
        except StoreUnavailable as error:
            self._metrics.store_errors.labels(call, type(error).__name__).inc()
            annotate(store_error=str(error))
            raise
        finally:
            self._seconds[call].observe(time.perf_counter() - started)

    def check_room(self) -> None:
        """Raise `StoreFull` if the store is nearly full."""
        self._measure("check_room", self._store.check_room)

    def create(self, new: StoredGame, events: Sequence[Event], snapshots: Sequence[Game] = ()) -> bool:
        """Store a new game. Returns False if its id is taken."""
        is_new = self._measure("create", lambda: self._store.create(new, events, snapshots))
        variant = new.game.setup.variant
        annotate(game=new.id, variant=variant)
        if is_new:
            self._metrics.games_created.labels(variant).inc()
        return is_new

    def reserve(self, key: bytes, receipt: CreationReceipt) -> CreationReceipt:
        """Store the receipt of a creation unless the key has one. Returns the stored receipt."""
        return self._measure("reserve", lambda: self._store.reserve(key, receipt))

    def load(self, game_id: str, key: bytes | None = None) -> StoredGame | None:
        """The game, with the receipt of the key."""
        stored = self._measure("load", lambda: self._store.load(game_id, key))
        _annotate_game(stored)
        return stored

    def append(
        self, before: StoredGame, after: StoredGame, events: Sequence[Event], receipt: tuple[bytes, Receipt] | None
    ) -> AppendResult:
        """Append events and store a receipt under its key, if the game is still at `before`'s version."""
        written = self._measure("append", lambda: self._store.append(before, after, events, receipt))
        variant = before.game.setup.variant
        if written.done:
            annotate(version=after.game.version)
            self._metrics.moves_applied.labels(variant).inc(sum(event.actor != CHANCE for event in events))
        elif written.receipt is None:
            self._metrics.write_conflicts.labels(variant).inc()
        return written

    def now(self, game_id: str) -> int:
        """The time of the server that has the game, in milliseconds since 1970."""
        return self._measure("now", lambda: self._store.now(game_id))

    def confirm(self, game_id: str) -> None:
        """Return when all events of the game that were ever read are as durable as the store promises."""
        self._measure("confirm", lambda: self._store.confirm(game_id))

    def history(self, game_id: str, first: int, last: int) -> tuple[StoredGame, list[Event]] | None:
        """The game and its events `first` to `last`, as far as they exist."""
        found = self._measure("history", lambda: self._store.history(game_id, first, last))
        _annotate_game(found[0] if found else None)
        return found

    def past(self, game_id: str, first: int, last: int) -> Past | None:
        """The game with the data needed for version `last` and for the events after version `first`."""
        past = self._measure("past", lambda: self._store.past(game_id, first, last))
        _annotate_game(past.stored if past else None)
        return past

    def delete(self, game_id: str, version: int | None = None) -> bool:
        """Delete the game if it is still at that version. Returns whether it was deleted."""
        return self._measure("delete", lambda: self._store.delete(game_id, version))

    def ping(self) -> None:
        """Raise `StoreUnavailable` if the store does not answer or cannot provide the configured durability."""
        self._measure("ping", self._store.ping)


def _annotate_game(stored: StoredGame | None) -> None:
    if stored:
        annotate(game=stored.id, variant=stored.game.setup.variant, version=stored.game.version)
