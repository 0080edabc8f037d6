"""Changing stored games: one atomic write for each request, its retries, and attempts that other writes overtake.

A read is one round trip to the store and a write another. A change whose write came too late is made again, on the
newer version.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from lostcities.games.access import NoSuchGame, existing, player_of
from lostcities.games.clock import acting_since
from lostcities.games.creation import now_milliseconds
from lostcities.games.game import Event, Game
from lostcities.games.idempotency import IdempotencyKey
from lostcities.games.moves import ViewRequest, permitted_viewer
from lostcities.games.opponents import Think, play_automatic
from lostcities.games.storage import Receipt, Registration, Store, StoredGame
from lostcities.games.thinking import Thinkers
from lostcities.games.tokens import Caller
from lostcities.variants.core import Viewer

ATTEMPTS: Final = 50
"""How often a change is made again when other writes come first."""


class Busy(Exception):
    """Other writes to the game always came first."""


class Change(NamedTuple):
    """A change of a game before the bots answer."""

    game: Game
    events: Sequence[Event]
    registration: Registration


Act = Callable[[StoredGame, Caller], Change]
"""Makes a change. It is called again if another write came first."""


class ChangeResult(NamedTuple):
    """The game after a change."""

    stored: StoredGame
    first: int
    """The version before the change."""
    events: Sequence[Event]
    """The events of the change, and the answers of the bots."""
    caller: Caller
    viewer: Viewer
    """The viewer for whom the caller requested the game."""
    replayed: bool


class Changes:
    """Changes games in one store."""

    def __init__(self, store: Store, thinkers: Thinkers) -> None:
        self._store = store
        self._thinkers = thinkers

    def make(
        self, game_id: str, token: str | None, act: Act, *, view: ViewRequest, idempotency_key: IdempotencyKey | None
    ) -> ChangeResult:
        """Change the game and let the bots answer; for a key that was used before, return the result of that request.

        Raises `NoSuchGame`, `Refusal`, `Busy`, and what `act` raises.
        """
        key = idempotency_key.of_change(token) if idempotency_key and token else None
        with self._thinkers.request() as think:
            for _ in range(ATTEMPTS):
                before = existing(self._store.load(game_id, key))
                caller = player_of(before, token)
                viewer = permitted_viewer(before.game, caller, view)
                if idempotency_key and before.receipt:
                    # The process of the first attempt may have ended before the write was durable.
                    self._store.confirm(game_id)
                    return self._repeat(game_id, caller, viewer, before.receipt, idempotency_key)
                after, events = self._with_answers(before, act(before, caller), think)
                receipt = None
                if key and idempotency_key:
                    receipt = key, Receipt(idempotency_key.request, before.game.version, after.game.version, after.at)
                written = self._store.append(before, after, events, receipt)
                if written.done:
                    return ChangeResult(after, before.game.version, events, caller, viewer, replayed=False)
                if idempotency_key and written.receipt:
                    return self._repeat(game_id, caller, viewer, written.receipt, idempotency_key)
        raise Busy

    def _with_answers(self, before: StoredGame, change: Change, think: Think) -> tuple[StoredGame, list[Event]]:
        """The game after a change and the answers of the bots, and the events of both."""
        game, answers = play_automatic(change.game, think)
        events = [*change.events, *answers]
        registration, at = change.registration, now_milliseconds()
        if game.setup.turn_seconds is not None:
            at = self._store.now(before.id)
            since = acting_since(before.game, registration.acting_since, game, events, at)
            registration = registration._replace(acting_since=since)
        return StoredGame(registration, game, at), events

    def _repeat(
        self, game_id: str, caller: Caller, viewer: Viewer, receipt: Receipt, idempotency_key: IdempotencyKey
    ) -> ChangeResult:
        """The result of the earlier request with this key."""
        idempotency_key.require_same(receipt.request)
        past = self._store.past(game_id, receipt.first, receipt.last)
        if past is None:
            raise NoSuchGame
        events = past.events_after(receipt.first)
        stored = past.as_it_was()._replace(at=receipt.at)
        return ChangeResult(stored, receipt.first, events, caller, viewer, replayed=True)
