"""What the service asks of its store, whatever engine is behind it."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from service.table.game import Event, Record, Table


class StoreAway(Exception):
    """The store does not answer, or takes no writes. Nothing is known to have changed."""


class Receipt(NamedTuple):
    """What is kept of a request that had an `Idempotency-Key`: enough to answer its retry."""

    request: bytes
    """The request's fingerprint."""
    first: int
    """The version before its events."""
    last: int
    """The version after them."""
    at: int
    """When they happened, in milliseconds since 1970."""


class Kept(NamedTuple):
    """A game as it is kept."""

    table: Table
    at: int
    """When the last event happened, in milliseconds since 1970."""
    receipt: Receipt | None = None
    """The receipt that was asked for, if it is there."""


class Written(NamedTuple):
    """What became of a write."""

    done: bool
    """Whether the game now is as written. Otherwise nothing changed: another write came first."""
    receipt: Receipt | None = None
    """The receipt of an earlier request with the same key, which came first."""


class Store(Protocol):
    """Keeps games; every write is one atomic step. Each method raises `StoreAway`."""

    def create(self, table: Table, events: Sequence[Event]) -> bool:
        """Keep a new game, unless there is one of that id."""

    def load(self, game_id: str, key: bytes | None = None) -> Kept | None:
        """The game, with the receipt of that key."""

    def append(
        self, before: Table, after: Table, events: Sequence[Event], at: int, receipt: tuple[bytes, Receipt] | None
    ) -> Written:
        """Add events and keep a receipt under its key, if the game still is at `before`'s version."""

    def history(self, game_id: str, first: int, last: int) -> tuple[Kept, list[Event]] | None:
        """The game, and its events `first` to `last`, as far as there are."""

    def delete(self, record: Record) -> bool:
        """Leave nothing of the game behind; whether there was one."""

    def ping(self) -> None:
        """Raise `StoreAway` if the store does not answer."""
