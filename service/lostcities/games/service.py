"""The use cases: create, read, move, check, advise and delete games; export, import and verify records."""

import secrets
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from lostcities.bots.expert import Estimate
from lostcities.games.access import NoSuchGame, caller_of, existing, player_of, require_host
from lostcities.games.changes import Change, ChangeResult, Changes
from lostcities.games.clock import late_seats
from lostcities.games.creation import Creation, CreationResult, EarlierEvents, RequestedGame, with_new_seed
from lostcities.games.game import Course, Event, Game, start
from lostcities.games.idempotency import IdempotencyKey
from lostcities.games.moves import (
    Malformed,
    PreconditionFailed,
    RequestedMove,
    ResolvedMove,
    Unauthorized,
    ViewRequest,
    apply_moves,
    check_player,
    concerned_seat,
    permitted_viewer,
    require_seen,
    resolve_moves,
)
from lostcities.games.opponents import advice
from lostcities.games.records import Record, begin, check_outcome, is_chance_verified, record_of, replay_record
from lostcities.games.storage import SNAPSHOT_EVENTS, Past, Store, StoredGame
from lostcities.games.table import PERSON, TIMEOUT, UNDO, OwnEvent, TableEvent
from lostcities.games.thinking import Thinkers
from lostcities.games.tokens import HOST, SPECTATOR, TOKEN_BYTES, Caller, hash_token, seat_token
from lostcities.variants.core import Seat, Text, illegal, replace_at

MAX_HISTORY: Final = 2_000_000
"""More events than any game has: twice the largest `MAX_EVENTS`."""
UNDO_EVENTS: Final = 64
"""How far back a move may be that a seat takes back: more events than a seat makes in a row."""
PAUSE_EVENTS: Final = 32
"""Events of a record that are replayed without a pause: a millisecond or two."""


class Verification(NamedTuple):
    """A valid record: the game after its events, and whether its chance follows from its seed."""

    game: Game
    is_chance_verified: bool


class HandOver(NamedTuple):
    """The game after a seat was handed over, and the token of a person."""

    result: ChangeResult
    token: str | None
    """The new token of the seat; `None` if a bot plays it."""


class GameService:
    """The use cases on one store."""

    def __init__(
        self,
        store: Store,
        *,
        lifetime: int,
        finished_lifetime: int,
        max_events: int,
        thinkers: Thinkers,
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        """Use cases on a store.

        :param lifetime: milliseconds without an event until an unfinished game expires
        :param finished_lifetime: milliseconds until a finished game expires
        :param max_events: the number of events from which on no seat may move
        :param thinkers: runs the bots
        :param pause: called again and again during a long computation, so that other requests are served
        """
        self.store = store
        self._max_events = max_events
        self._pause = pause
        self._thinkers = thinkers
        self._creation = Creation(store, thinkers, lifetime=lifetime, finished_lifetime=finished_lifetime)
        self._changes = Changes(store, thinkers)

    # Creating

    def create(self, new_game: RequestedGame, idempotency_key: IdempotencyKey | None) -> CreationResult:
        """Create a game, or return the one that was created with the same key.

        Raises `Invalid`, `KeyReused`, `StoreFull`.
        """
        self.store.check_room()
        return self._creation.create(start(new_game.setup(self._max_events)), EarlierEvents(), idempotency_key)

    def import_record(self, record: Record, idempotency_key: IdempotencyKey | None) -> CreationResult:
        """Create a game that goes on where the record ends, or return the one that was created with the same key.

        A game whose record has no seed gets a new one for the events to come. Raises `InvalidRecord`, and what `create`
        raises.
        """
        self.store.check_room()
        game, earlier = self._replay(record)
        return self._creation.create(with_new_seed(game), earlier, idempotency_key)

    # Records

    def record(self, game_id: str, token: str | None) -> Record:
        """The record of the game: of a finished one for any caller, of an unfinished one for the host only.

        It has no pauses: nothing is replayed. 5,000 events take some 7 ms, and a page of 500 of the history 4 ms.
        """
        stored, events, caller = self.history(game_id, token, 0, MAX_HISTORY)
        if not stored.game.is_public:
            require_host(caller, Text("while a game goes on only the host's token gets its record"))
        return record_of(stored.game, events)

    def verify(self, record: Record) -> Verification:
        """The game after the events of a record. Raises `InvalidRecord`."""
        game, _ = self._replay(record)
        return Verification(game, is_chance_verified(record))

    def _replay(self, record: Record, *, check: bool = True) -> tuple[Game, EarlierEvents]:
        """The game after all events of the record, with pauses. Raises `InvalidRecord`.

        :param check: whether the outcome of the record is checked
        """
        game = begin(record, self._max_events)
        events: list[Event] = []
        snapshots: list[Game] = []
        for step in replay_record(game, record, self._max_events):
            game, event = step
            events.append(event)
            if game.version % SNAPSHOT_EVENTS == 0:
                snapshots.append(game)
            if game.version % PAUSE_EVENTS == 0:
                self._pause()
        if check:
            check_outcome(game, record)
        return game, EarlierEvents(events, snapshots)

    # Reading

    def read(self, game_id: str, token: str | None) -> tuple[StoredGame, Caller]:
        """The game and the caller. Raises `NoSuchGame`, `Unauthorized`."""
        stored = existing(self.store.load(game_id))
        return stored, caller_of(stored, token)

    def read_at(self, game_id: str, token: str | None, version: int) -> tuple[Past, Caller]:
        """The game now and at an earlier version, and the caller. Raises `Malformed` for a future version."""
        past = self.store.past(game_id, version, version)
        stored = existing(past.stored if past else None)
        caller = caller_of(stored, token)
        if past is None or version > stored.game.version:
            raise Malformed(
                "unknown-version",
                Text("the game is at version {version}", version=stored.game.version),
                parameter="version",
            )
        return past, caller

    def finished_at(self, game_id: str, token: str | None, version: int) -> tuple[Game, Caller]:
        """A finished game at a version, in which every token of the game may see what the host may.

        Raises `IllegalMove` for a game that goes on, `Malformed` for a version that the game does not have.
        """
        stored, caller = self.read(game_id, token)
        if caller == SPECTATOR:
            raise Unauthorized("token-required", Text("advice takes the token of a seat or of the host"))
        if not stored.game.is_public:
            illegal("not-finished", "while a game goes on there is advice about its newest version only")
        past, _ = self.read_at(game_id, token, version)
        return past.game(), HOST

    def history(
        self, game_id: str, token: str | None, after: int, limit: int
    ) -> tuple[StoredGame, list[Event], Caller]:
        """The game, up to `limit` events after version `after`, and the caller."""
        found = self.store.history(game_id, after + 1, after + limit)
        stored = existing(found[0] if found else None)
        caller = caller_of(stored, token)
        return stored, found[1] if found else [], caller

    # Moving

    def make_moves(
        self,
        game_id: str,
        token: str | None,
        requested: Sequence[RequestedMove],
        *,
        view: ViewRequest,
        versions_seen: Sequence[int] | None,
        idempotency_key: IdempotencyKey | None,
    ) -> ChangeResult:
        """Make all of the moves, or none; for a key that was used before, return the result of that request.

        :param versions_seen: versions that the caller knows (`If-Match`), or `None` for no condition

        Raises `NoSuchGame`, `Refusal`, `IllegalMove`, `Busy`.
        """
        moves: Sequence[ResolvedMove] = ()

        def act(before: StoredGame, caller: Caller) -> Change:
            nonlocal moves
            moves = moves or resolve_moves(before.game.rules, requested)
            seen = require_seen(before.game, versions_seen)
            game, events = apply_moves(before.game, caller, moves, past_chance=caller.role == "host", check=seen)
            return Change(game, events, before.registration)

        return self._changes.make(game_id, token, act, view=view, idempotency_key=idempotency_key)

    def check(
        self,
        game_id: str,
        token: str | None,
        requested: Sequence[RequestedMove],
        *,
        view: ViewRequest,
        versions_seen: Sequence[int] | None,
    ) -> None:
        """Check the moves without making them. Raises what `make_moves` would. Bots do not answer.

        A list ends where chance acts, for the host too: checking must not reveal outcomes.
        """
        stored = existing(self.store.load(game_id))
        caller = player_of(stored, token)
        permitted_viewer(stored.game, caller, view)
        moves = resolve_moves(stored.game.rules, requested)
        apply_moves(stored.game, caller, moves, past_chance=False, check=require_seen(stored.game, versions_seen))

    # The table

    def change_table(
        self,
        game_id: str,
        token: str | None,
        kind: OwnEvent,
        seat: Seat | None,
        *,
        view: ViewRequest,
        idempotency_key: IdempotencyKey | None,
    ) -> ChangeResult:
        """Let a seat resign, take back its last move, or ask for clockwise order.

        :param seat: for the host: the seat; a seat's token acts for its own

        Raises `NoSuchGame`, `Refusal`, `IllegalMove`, `Busy`.
        """

        def act(before: StoredGame, caller: Caller) -> Change:
            return self._apply(before, [(concerned_seat(before.game, caller, seat), TableEvent(kind))])

        return self._changes.make(game_id, token, act, view=view, idempotency_key=idempotency_key)

    def claim(
        self,
        game_id: str,
        token: str | None,
        seat: Seat | None,
        *,
        view: ViewRequest,
        idempotency_key: IdempotencyKey | None,
    ) -> ChangeResult:
        """Claim that the time of a seat is up, by the store's clock.

        :param seat: the seat; by default every other one whose time is up

        Raises `NoSuchGame`, `Refusal`, `IllegalMove`, `Busy`.
        """

        def act(before: StoredGame, caller: Caller) -> Change:
            since = before.registration.acting_since
            late = late_seats(before.game, since, caller, seat, self.store.now(game_id))
            return self._apply(before, [(each, TableEvent(TIMEOUT)) for each in late])

        return self._changes.make(game_id, token, act, view=view, idempotency_key=idempotency_key)

    def hand_over(
        self,
        game_id: str,
        token: str | None,
        seat: Seat,
        player: TableEvent,
        *,
        view: ViewRequest,
        idempotency_key: IdempotencyKey | None,
    ) -> HandOver:
        """Hand a seat over to a bot, or to a person with a new token. The old token is not valid any more.

        Raises `NoSuchGame`, `Refusal`, `IllegalMove`, `Busy`.
        """
        nonce = idempotency_key.key if idempotency_key else secrets.token_hex(TOKEN_BYTES)

        def new_token(version: int) -> str | None:
            return seat_token(str(token), game_id, seat, version, nonce) if player.kind == PERSON else None

        def act(before: StoredGame, caller: Caller) -> Change:
            require_host(caller, Text("only the host's token hands a seat over"))
            check_player(before.game, seat, player)
            change = self._apply(before, [(seat, player)])
            created = new_token(before.game.version)
            seats = replace_at(before.registration.seats, seat, hash_token(created) if created else b"")
            return change._replace(registration=before.registration._replace(seats=seats))

        result = self._changes.make(game_id, token, act, view=view, idempotency_key=idempotency_key)
        return HandOver(result, new_token(result.first))

    def _apply(self, before: StoredGame, events: Sequence[tuple[Seat, TableEvent]]) -> Change:
        """The game after table events, of which those after the end of the game do not happen."""
        course = Course(before.game)
        if events[0][1].kind == UNDO:
            past = self.store.past(before.id, max(0, before.game.version - UNDO_EVENTS), before.game.version)
            if past is None:
                raise NoSuchGame
            course = past.course()
        happened: list[Event] = []
        for seat, event in events:
            if not (happened and course.game.is_over):
                happened.append(course.change_table(seat, event))
        return Change(course.game, happened, before.registration)

    def fork(
        self,
        game_id: str,
        token: str | None,
        version: int,
        idempotency_key: IdempotencyKey | None,
        *,
        is_open: bool,
    ) -> CreationResult:
        """Create a game that goes on from a version of this one, with a new seed and new tokens.

        The host may do this, and for a finished game any caller.

        :param is_open: whether any caller may create games

        Raises `NoSuchGame`, `Refusal`, `IllegalMove`, and what `create` raises.
        """
        self.store.check_room()
        stored, events, caller = self.history(game_id, token, 0, MAX_HISTORY)
        if not (stored.game.is_public and is_open):
            require_host(caller, Text("only the host's token forks this game"))
        record = record_of(stored.game, events)
        if version > len(record.events):
            raise Malformed(
                "unknown-version", Text("the game is at version {version}", version=len(record.events)), ("version",)
            )
        cut = record._replace(seed=None, seed_from=0, events=record.events[:version], outcome=None)
        game, earlier = self._replay(cut, check=False)
        if game.is_over:
            illegal("game-over", "the game is over at this version")
        return self._creation.create(with_new_seed(game), earlier, idempotency_key)

    # Advising

    def advise(self, game: Game, seat: Seat) -> list[Estimate]:
        """What each legal move of the seat is worth, best first.

        Raises `TooMuchThinking`, `TooMuchThinkingForAddress`.
        """
        with self._thinkers.request() as think:
            return advice(game, seat, think)

    # Ending

    def delete(self, game_id: str, token: str | None, versions_seen: Sequence[int] | None) -> None:
        """Delete the game. Only the host may."""
        stored, caller = self.read(game_id, token)
        version = stored.game.version
        require_host(caller, Text("only the host's token deletes a game"))
        if versions_seen is not None and version not in versions_seen:
            raise _changed_since()
        done = self.store.delete(game_id, None if versions_seen is None else version)
        # A delete command that is sent again because its reply was lost finds no game.
        if not done and self.store.load(game_id):
            raise _changed_since()


def _changed_since() -> PreconditionFailed:
    return PreconditionFailed("stale", Text("the game has a newer version than the one in If-Match"))
