"""What the service asks of its store, whatever engine is behind it."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple, Protocol

from service.table.game import Event, Record, Table


class StoreAway(Exception):
    """The store does not answer: whether anything changed is not known. Its text is for the log, not for callers."""

    code: ClassVar = "store-away"
    detail: ClassVar = "the store does not answer: try again, with the same Idempotency-Key"


class StoreFull(StoreAway):
    """The store has no memory left for a write. Nothing has changed."""

    code: ClassVar = "store-full"
    detail: ClassVar = "the store is out of memory and takes no writes: nothing was changed"


class StoreReadOnly(StoreAway):
    """The store takes no writes. Nothing has changed."""

    code: ClassVar = "store-read-only"
    detail: ClassVar = "the store takes no writes now: nothing was changed"


class DurabilityUnknown(StoreAway):
    """The write is done, but not known to be as durable as is promised."""

    code: ClassVar = "durability-unknown"
    detail: ClassVar = (
        "the request was carried out, but it is not known to be as durable as this service promises: "
        "try again, with the same Idempotency-Key"
    )


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
    """Keeps games; every write is one atomic step, and when it returns as durable as the store promises.

    Each method raises `StoreAway`.
    """

    def create(self, table: Table, events: Sequence[Event], opener: str = "") -> bool:
        """Keep a new game, and who opened it, unless there is one of that id."""

    def opener(self, game_id: str) -> str:
        """Who opened the game, if that was told and the game is there."""

    def load(self, game_id: str, key: bytes | None = None) -> Kept | None:
        """The game, with the receipt of that key."""

    def append(
        self, before: Table, after: Table, events: Sequence[Event], at: int, receipt: tuple[bytes, Receipt] | None
    ) -> Written:
        """Add events and keep a receipt under its key, if the game still is at `before`'s version."""

    def confirm(self, game_id: str) -> None:
        """Return when everything that was ever read of the game is as durable as the store promises."""

    def history(self, game_id: str, first: int, last: int) -> tuple[Kept, list[Event]] | None:
        """The game, and its events `first` to `last`, as far as there are."""

    def delete(self, record: Record, version: int | None = None) -> bool:
        """Leave nothing of the game behind, if there is one and it still is at that version; whether that was done."""

    def ping(self) -> None:
        """Raise `StoreAway` if the store does not answer, or cannot promise what it is to promise."""
