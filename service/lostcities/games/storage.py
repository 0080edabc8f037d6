"""The interface of the store, and its errors."""

from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple, Protocol

from lostcities.games.game import Course, Event, Game, replay
from lostcities.variants.core import Text

SNAPSHOT_EVENTS: Final = 64
"""A snapshot is stored of the first state at or after each multiple of this version."""
LONG_GAME_EVENTS: Final = 1_000
"""An unfinished game of so many events is stored no longer than a finished one. Only matches of rounds have more."""


class StoreUnavailable(Exception):
    """The store does not answer; whether anything changed is unknown. The text is for the log, not for callers."""

    code: ClassVar = "store-away"
    detail: ClassVar = Text("the store does not answer: try again, with the same Idempotency-Key")


class StoreFull(StoreUnavailable):
    """The store has no memory left for a write, or too little for another game. Nothing has changed."""

    code: ClassVar = "store-full"
    detail: ClassVar = Text("the store has no room for this: nothing was changed")


class StoreReadOnly(StoreUnavailable):
    """The store takes no writes. Nothing has changed."""

    code: ClassVar = "store-read-only"
    detail: ClassVar = Text("the store takes no writes now: nothing was changed")


class DurabilityUnknown(StoreUnavailable):
    """The write is done, but may be less durable than promised."""

    code: ClassVar = "durability-unknown"
    detail: ClassVar = Text(
        "the request was carried out, but it is not known to be as durable as this service promises: "
        "try again, with the same Idempotency-Key"
    )


class NewerRules(StoreUnavailable):
    """The game was created with newer rules than this service knows."""

    code: ClassVar = "newer-rules"
    detail: ClassVar = Text("the game was created with newer rules than this instance of the service knows: try again")


class Registration(NamedTuple):
    """Whose a stored game is: its id, the hashes of its tokens, and its times."""

    id: str
    host: bytes
    """The hash of the host's token."""
    seats: tuple[bytes, ...]
    """The hash of each seat's token; empty for a seat that a bot plays."""
    created_at: int
    """Milliseconds since 1970."""
    lifetime: int
    """Milliseconds without an event after which an unfinished game expires."""
    finished_lifetime: int
    """Milliseconds after its last event at which a finished game expires, or an unfinished one that is long."""
    acting_since: tuple[int, ...] = ()
    """By seat: since when it has or had its last decision, in milliseconds since 1970 by the store's clock.

    0 for a bot, and for a seat that has had none. Empty in a game without a time limit.
    """


class CreationReceipt(NamedTuple):
    """What is stored about a creation with an `Idempotency-Key`: enough to answer its retry, or to finish it."""

    game_id: str
    request: bytes
    """The request's fingerprint."""
    masked_secrets: tuple[bytes, ...]
    """The secret parts of the tokens, host first, masked by the key, which is not stored."""


class Receipt(NamedTuple):
    """What is stored about a request with an `Idempotency-Key`, to answer its retry."""

    request: bytes
    """Fingerprint of the request."""
    first: int
    """The version before its events."""
    last: int
    """The version after them."""
    at: int
    """The time of the request, in milliseconds since 1970."""


class StoredGame(NamedTuple):
    """A stored game."""

    registration: Registration
    game: Game
    at: int
    """The time of the last event, in milliseconds since 1970."""
    receipt: Receipt | None = None
    """The receipt of the key that `load` was called with."""

    @property
    def id(self) -> str:
        """The id of the game."""
        return self.registration.id

    @property
    def lifetime(self) -> int:
        """Milliseconds after the last event at which the game expires."""
        unfinished, finished = self.registration.lifetime, self.registration.finished_lifetime
        if self.game.is_over:
            return finished
        # Space is bytes × time: without this, one address could fill the store with long games that it left.
        return min(unfinished, finished) if self.game.version >= LONG_GAME_EVENTS else unfinished


class Past(NamedTuple):
    """A game, and what its state at an earlier version is computed from."""

    stored: StoredGame
    """The game as it is now."""
    base: Game
    """The game at the version of a snapshot, or at version 0."""
    events: Sequence[Event]
    """The events from there to the earlier version."""

    def game(self) -> Game:
        """The game at the earlier version."""
        return replay(self.base, self.events)

    def as_it_was(self) -> StoredGame:
        """The game as it was stored at the earlier version. No clock runs at a version that others have followed."""
        game = self.game()
        if game.version == self.stored.game.version:
            return self.stored
        return self.stored._replace(game=game, registration=self.stored.registration._replace(acting_since=()))

    def course(self) -> Course:
        """The game at the earlier version, with the moves that can be taken back."""
        course = Course(self.base)
        for event in self.events:
            course.apply(event)
        return course

    def events_after(self, version: int) -> Sequence[Event]:
        """The events after a version that is not before the base's."""
        return self.events[version - self.base.version :]


class AppendResult(NamedTuple):
    """The result of a write."""

    done: bool
    """Whether the write was made. Otherwise another write came first, and nothing changed."""
    receipt: Receipt | None = None
    """The receipt of an earlier request with the same key."""


class Store(Protocol):
    """Stores games. Every write is one atomic step, and as durable as configured when it returns.

    Each method raises `StoreUnavailable`.
    """

    def check_room(self) -> None:
        """Raise `StoreFull` if the store is nearly full, so that the games that it has can go on."""

    def create(self, new: StoredGame, events: Sequence[Event], snapshots: Sequence[Game] = ()) -> bool:
        """Store a new game; whether its id was free.

        :param snapshots: the game at the versions of its snapshots, if it begins with a long history
        """

    def reserve(self, key: bytes, receipt: CreationReceipt) -> CreationReceipt:
        """Store the receipt of a creation for a day, unless the key has a receipt. Returns the receipt of the key."""

    def load(self, game_id: str, key: bytes | None = None) -> StoredGame | None:
        """The game, with the receipt of that key."""

    def append(
        self, before: StoredGame, after: StoredGame, events: Sequence[Event], receipt: tuple[bytes, Receipt] | None
    ) -> AppendResult:
        """Add events, and a receipt under its key, if the stored game still has the version of `before`.

        The registration of `after` replaces that of `before`.
        """

    def now(self, game_id: str) -> int:
        """The time of the server that has the game, in milliseconds since 1970."""

    def confirm(self, game_id: str) -> None:
        """Return when every event of the game that a read may have returned is as durable as configured."""

    def history(self, game_id: str, first: int, last: int) -> tuple[StoredGame, list[Event]] | None:
        """The game and its events `first` to `last`, as far as they exist."""

    def past(self, game_id: str, first: int, last: int) -> Past | None:
        """The game, with all that is needed for version `last` and for the events after version `first`."""

    def delete(self, game_id: str, version: int | None = None) -> bool:
        """Delete the game if it has that version; `None` is any version. Returns whether it was deleted."""

    def ping(self) -> None:
        """Raise `StoreUnavailable` if the store does not answer, or cannot be as durable as configured."""
