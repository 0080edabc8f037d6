"""The use cases: create, read, move, check, advise and delete games; export, import and verify records.

A read is one round trip to the store and a write another. A move whose write came too late is applied again, to the
newer version.
"""

import hashlib
import secrets
import time
from base64 import b32encode
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from lostcities.bots.expert import Estimate
from lostcities.games.chance import SEED_BYTES
from lostcities.games.clock import acting_since, first_acting_since, late_seats
from lostcities.games.game import Course, Event, Game, Setup, start
from lostcities.games.moves import (
    Forbidden,
    Malformed,
    PreconditionFailed,
    Refusal,
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
from lostcities.games.opponents import advice, play_automatic, replay_automatic
from lostcities.games.records import Record, begin, check_outcome, is_chance_verified, record_of, replay_record
from lostcities.games.storage import (
    SNAPSHOT_EVENTS,
    CreationReceipt,
    Past,
    Receipt,
    Registration,
    Store,
    StoredGame,
    StoreUnavailable,
)
from lostcities.games.table import PERSON, TIMEOUT, UNDO, OnTimeout, OwnEvent, TableEvent
from lostcities.games.thinking import Thinkers
from lostcities.games.tokens import (
    HOST,
    SPECTATOR,
    TOKEN_BYTES,
    Caller,
    format_tokens,
    hash_token,
    identify,
    mask,
    seat_token,
)
from lostcities.variants.core import Seat, Text, Viewer, illegal, replace_at
from lostcities.variants.registry import VARIANTS

ID_LENGTH: Final = 16
MAX_HISTORY: Final = 2_000_000
"""More events than any game has: twice the largest `MAX_EVENTS`."""
CREATION_KEY_BYTES: Final = 16
"""Length of the hash that names the receipt of a creation."""
MAX_OPENING: Final = 10_000
"""More events than a game has before its first decision of a person."""
ATTEMPTS: Final = 50
"""How often a move is applied again when other writes come first."""
UNDO_EVENTS: Final = 64
"""How far back a move may be that a seat takes back: more events than a seat makes in a row."""
PAUSE_EVENTS: Final = 32
"""Events of a record that are replayed without a pause: a millisecond or two."""


class NoSuchGame(Exception):
    """There is no game with this id: it never existed, was deleted or has expired."""


class KeyReused(Refusal):
    """The `Idempotency-Key` was used for another request."""


class Busy(Exception):
    """Other writes to the game always came first."""


class RequestedGame(NamedTuple):
    """The settings of a new game."""

    variant: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    chance: Literal["server", "client"] = "server"
    seed: bytes | None = None
    position: Mapping[str, Any] | None = None
    bots: tuple[str | None, ...] = ()
    """By seat: the level of its bot, or `None` for a person. Empty: all seats are persons'."""
    turn_seconds: int | None = None
    """The time that a seat has to act; `None`: no limit."""
    on_timeout: OnTimeout | None = None


class IdempotencyKey(NamedTuple):
    """An `Idempotency-Key` and the fingerprint of its request."""

    key: str
    request: bytes
    owner: str = ""
    """The API key of a creation, if the service requires one: tenants do not share keys."""


class _Identity(NamedTuple):
    """The id and the secret parts of the tokens of a game that is being created."""

    game_id: str
    secrets: Sequence[bytes]
    is_retry: bool
    """Whether an earlier attempt with the same key has chosen them."""


class CreationResult(NamedTuple):
    """A new game and its tokens."""

    stored: StoredGame
    host: str
    seats: tuple[str | None, ...]
    """`None` for a seat that a bot plays."""
    replayed: bool


class EarlierEvents(NamedTuple):
    """The events that a new game begins with, and the game at the versions of snapshots."""

    events: Sequence[Event] = ()
    snapshots: Sequence[Game] = ()


class Verification(NamedTuple):
    """A valid record: the game after its events, and whether its chance follows from its seed."""

    game: Game
    is_chance_verified: bool


class MoveResult(NamedTuple):
    """The game after moves."""

    stored: StoredGame
    first: int
    """The version before the events."""
    events: Sequence[Event]
    caller: Caller
    viewer: Viewer
    """The viewer for whom the caller requested the game."""
    replayed: bool


class HandOver(NamedTuple):
    """The game after a seat was handed over."""

    result: MoveResult
    token: str | None
    """The new token of the seat; `None` if a bot plays it."""


class _Change(NamedTuple):
    """A change of a game before the bots answer."""

    game: Game
    events: Sequence[Event]
    registration: Registration


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
        self._lifetime = lifetime
        self._finished_lifetime = finished_lifetime
        self._pause = pause
        self._thinkers = thinkers

    # Creating

    def create(self, new_game: RequestedGame, idempotency_key: IdempotencyKey | None) -> CreationResult:
        """Create a game, or return the one that was created with the same key.

        The receipt of a key is stored before the game. A retry finds in it the id and the tokens that the first attempt
        chose, and creates the game if that attempt did not. Raises `Invalid`, `KeyReused`, `StoreFull`.
        """
        self.store.check_room()
        return self._create(start(self._setup(new_game)), EarlierEvents(), idempotency_key)

    def import_record(self, record: Record, idempotency_key: IdempotencyKey | None) -> CreationResult:
        """Create a game that goes on where the record ends, or return the one that was created with the same key.

        A game whose record has no seed gets a new one for the events to come. Raises `InvalidRecord`, and what `create`
        raises.
        """
        self.store.check_room()
        game, earlier = self._replay(record)
        return self._create(_with_new_seed(game), earlier, idempotency_key)

    def _setup(self, new_game: RequestedGame) -> Setup:
        variant, seats = VARIANTS[new_game.variant], len(new_game.players)
        options = variant.rules.parse_options(new_game.options)
        seed = None if new_game.chance == "client" else new_game.seed or secrets.token_bytes(SEED_BYTES)
        position = new_game.position
        return Setup(
            variant=new_game.variant,
            rules_version=variant.rules.RULES_VERSION,
            players=new_game.players,
            options=options,
            chance=new_game.chance,
            seed=seed,
            seeded_by=None if seed is None else "caller" if new_game.seed else "server",
            start=None if position is None else variant.positions.from_position(seats, options, dict(position)),
            max_events=self._max_events,
            bots=new_game.bots,
            turn_seconds=new_game.turn_seconds,
            on_timeout=new_game.on_timeout,
        )

    def _create(self, begun: Game, earlier: EarlierEvents, key: IdempotencyKey | None) -> CreationResult:
        """Create a game, or return the one that was created with the same key.

        :param begun: the game before the events that the service makes
        :param earlier: the events that have led to it
        """
        identity = self._choose_identity(begun, key)
        if identity.is_retry and (created := self._created_before(begun, identity)):
            return created
        registration = self._register(begun, identity)
        with self._thinkers.request() as think:
            game, events = play_automatic(begun, think)
        snapshots = [*earlier.snapshots]
        if game.version // SNAPSHOT_EVENTS > begun.version // SNAPSHOT_EVENTS:
            snapshots.append(game)
        if game.setup.turn_seconds is not None:
            since = first_acting_since(game, self.store.now(registration.id))
            registration = registration._replace(acting_since=since)
        stored = StoredGame(registration, game, registration.created_at)
        if self.store.create(stored, [*earlier.events, *events], snapshots):
            return _creation_result(stored, identity, replayed=False)
        # A simultaneous attempt with the same key was faster.
        created = self._created_before(begun, identity) if key else None
        if created is None:
            raise StoreUnavailable("id taken")
        return created

    def _choose_identity(self, begun: Game, key: IdempotencyKey | None) -> _Identity:
        """A new id and new tokens, or for a key that was used before those of the first attempt. Raises `KeyReused`."""
        game_id = _new_id()
        parts = tuple(secrets.token_bytes(TOKEN_BYTES) for _ in range(1 + begun.seats))
        if key is None:
            return _Identity(game_id, parts, is_retry=False)
        own = CreationReceipt(game_id, key.request, mask(parts, key.key, game_id))
        receipt = self.store.reserve(_creation_key(key), own)
        if receipt.request != key.request:
            raise _key_reused()
        parts = mask(receipt.masked_secrets, key.key, receipt.game_id)
        return _Identity(receipt.game_id, parts, is_retry=receipt.game_id != game_id)

    def _register(self, begun: Game, identity: _Identity) -> Registration:
        host, *seats = map(hash_token, format_tokens(identity.secrets))
        return Registration(
            id=identity.game_id,
            host=host,
            seats=tuple(b"" if begun.bot_of(seat) else hashed for seat, hashed in enumerate(seats)),
            created_at=_now(),
            lifetime=self._lifetime,
            finished_lifetime=self._finished_lifetime,
        )

    def _created_before(self, begun: Game, identity: _Identity) -> CreationResult | None:
        """The result of the earlier attempt with the same key, if that one stored the game."""
        # The process of that attempt may have ended before the write was durable.
        self.store.confirm(identity.game_id)
        past = self.store.past(identity.game_id, begun.version, begun.version + MAX_OPENING)
        if past is None:
            return None
        registration, now, *_ = past.stored
        game = replay_automatic(begun._replace(setup=now.setup), past.events_after(begun.version))
        return _creation_result(StoredGame(registration, game, registration.created_at), identity, replayed=True)

    # Records

    def record(self, game_id: str, token: str | None) -> Record:
        """The record of the game: of a finished one for any caller, of an unfinished one for the host only.

        It has no pauses: nothing is replayed. 5,000 events take some 7 ms, and a page of 500 of the history 4 ms.
        """
        stored, events, caller = self.history(game_id, token, 0, MAX_HISTORY)
        if not stored.game.is_public:
            _require_host(caller, Text("while a game goes on only the host's token gets its record"))
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
        stored = self.store.load(game_id)
        return _existing(stored), _caller(_existing(stored), token)

    def read_at(self, game_id: str, token: str | None, version: int) -> tuple[Past, Caller]:
        """The game now and at an earlier version, and the caller. Raises `Malformed` for a future version."""
        past = self.store.past(game_id, version, version)
        stored = _existing(past.stored if past else None)
        caller = _caller(stored, token)
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
        past, caller = self.read_at(game_id, token, version)
        if caller == SPECTATOR:
            raise Unauthorized("token-required", Text("advice takes the token of a seat or of the host"))
        if not past.stored.game.is_over:
            illegal("not-finished", "while a game goes on there is advice about its newest version only")
        return past.game(), HOST

    def history(
        self, game_id: str, token: str | None, after: int, limit: int
    ) -> tuple[StoredGame, list[Event], Caller]:
        """The game, up to `limit` events after version `after`, and the caller."""
        found = self.store.history(game_id, after + 1, after + limit)
        stored = _existing(found[0] if found else None)
        caller = _caller(stored, token)
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
    ) -> MoveResult:
        """Make all of the moves, or none; for a key that was used before, return the result of that request.

        :param versions_seen: versions that the caller knows (`If-Match`), or `None` for no condition

        Raises `NoSuchGame`, `Refusal`, `IllegalMove`, `Busy`.
        """
        moves: Sequence[ResolvedMove] = ()

        def act(before: StoredGame, caller: Caller) -> _Change:
            nonlocal moves
            moves = moves or resolve_moves(before.game.rules, requested)
            seen = require_seen(before.game, versions_seen)
            game, events = apply_moves(before.game, caller, moves, past_chance=caller.role == "host", check=seen)
            return _Change(game, events, before.registration)

        return self._write(game_id, token, act, view=view, idempotency_key=idempotency_key)

    def _write(
        self,
        game_id: str,
        token: str | None,
        act: Callable[[StoredGame, Caller], _Change],
        *,
        view: ViewRequest,
        idempotency_key: IdempotencyKey | None,
    ) -> MoveResult:
        """Change the game and let the bots answer; for a key that was used before, return the result of that request.

        :param act: makes the change. It is called again if another write came first
        """
        key = _receipt_key(token, idempotency_key)
        with self._thinkers.request() as think:
            for _ in range(ATTEMPTS):
                before = _existing(self.store.load(game_id, key))
                caller = _player(before, token)
                viewer = permitted_viewer(before.game, caller, view)
                if idempotency_key and before.receipt:
                    # The process of the first attempt may have ended before the write was durable.
                    self.store.confirm(game_id)
                    return self._repeat(game_id, caller, viewer, before.receipt, idempotency_key)
                game, events, registration = act(before, caller)
                game, answers = play_automatic(game, think)
                events = [*events, *answers]
                at = _now()
                if game.setup.turn_seconds is not None:
                    at = self.store.now(game_id)
                    since = acting_since(before.game, registration.acting_since, game, events, at)
                    registration = registration._replace(acting_since=since)
                after = StoredGame(registration, game, at)
                receipt = None
                if key and idempotency_key:
                    receipt = key, Receipt(idempotency_key.request, before.game.version, game.version, after.at)
                written = self.store.append(before, after, events, receipt)
                if written.done:
                    return MoveResult(after, before.game.version, events, caller, viewer, replayed=False)
                if idempotency_key and written.receipt:
                    return self._repeat(game_id, caller, viewer, written.receipt, idempotency_key)
        raise Busy

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
        stored = _existing(self.store.load(game_id))
        caller = _player(stored, token)
        permitted_viewer(stored.game, caller, view)
        moves = resolve_moves(stored.game.rules, requested)
        apply_moves(stored.game, caller, moves, past_chance=False, check=require_seen(stored.game, versions_seen))

    def _repeat(
        self, game_id: str, caller: Caller, viewer: Viewer, receipt: Receipt, idempotency_key: IdempotencyKey
    ) -> MoveResult:
        """The result of the earlier request with this key."""
        if receipt.request != idempotency_key.request:
            raise _key_reused()
        past = self.store.past(game_id, receipt.first, receipt.last)
        if past is None:
            raise NoSuchGame
        events = past.events_after(receipt.first)
        stored = past.as_it_was()._replace(at=receipt.at)
        return MoveResult(stored, receipt.first, events, caller, viewer, replayed=True)

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
    ) -> MoveResult:
        """Let a seat resign, take back its last move, or ask for clockwise order.

        :param seat: for the host: the seat; a seat's token acts for its own

        Raises `NoSuchGame`, `Refusal`, `IllegalMove`, `Busy`.
        """

        def act(before: StoredGame, caller: Caller) -> _Change:
            return self._apply(before, [(concerned_seat(before.game, caller, seat), TableEvent(kind))])

        return self._write(game_id, token, act, view=view, idempotency_key=idempotency_key)

    def claim(
        self,
        game_id: str,
        token: str | None,
        seat: Seat | None,
        *,
        view: ViewRequest,
        idempotency_key: IdempotencyKey | None,
    ) -> MoveResult:
        """Claim that the time of a seat is up, by the store's clock.

        :param seat: the seat; by default every other one whose time is up

        Raises `NoSuchGame`, `Refusal`, `IllegalMove`, `Busy`.
        """

        def act(before: StoredGame, caller: Caller) -> _Change:
            since = before.registration.acting_since
            late = late_seats(before.game, since, caller, seat, self.store.now(game_id))
            return self._apply(before, [(each, TableEvent(TIMEOUT)) for each in late])

        return self._write(game_id, token, act, view=view, idempotency_key=idempotency_key)

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

        def act(before: StoredGame, caller: Caller) -> _Change:
            _require_host(caller, Text("only the host's token hands a seat over"))
            check_player(before.game, seat, player)
            change = self._apply(before, [(seat, player)])
            created = new_token(before.game.version)
            seats = replace_at(before.registration.seats, seat, hash_token(created) if created else b"")
            return change._replace(registration=before.registration._replace(seats=seats))

        result = self._write(game_id, token, act, view=view, idempotency_key=idempotency_key)
        return HandOver(result, new_token(result.first))

    def _apply(self, before: StoredGame, events: Sequence[tuple[Seat, TableEvent]]) -> _Change:
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
        return _Change(course.game, happened, before.registration)

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
            _require_host(caller, Text("only the host's token forks this game"))
        record = record_of(stored.game, events)
        if version > len(record.events):
            raise Malformed(
                "unknown-version", Text("the game is at version {version}", version=len(record.events)), ("version",)
            )
        cut = record._replace(seed=None, seed_from=0, events=record.events[:version], outcome=None)
        game, earlier = self._replay(cut, check=False)
        if game.is_over:
            illegal("game-over", "the game is over at this version")
        return self._create(_with_new_seed(game), earlier, idempotency_key)

    # Advising

    def caller(self, stored: StoredGame, token: str | None) -> Caller:
        """The owner of the token in a game that was read. Raises `Unauthorized`."""
        return _caller(stored, token)

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
        _require_host(caller, Text("only the host's token deletes a game"))
        if versions_seen is not None and version not in versions_seen:
            raise _changed_since()
        done = self.store.delete(game_id, None if versions_seen is None else version)
        # A delete command that is sent again because its reply was lost finds no game.
        if not done and self.store.load(game_id):
            raise _changed_since()


def _with_new_seed(game: Game) -> Game:
    """The game with a new seed for the events to come, if it needs one."""
    if game.setup.chance == "client" or game.setup.seed is not None:
        return game
    seed = secrets.token_bytes(SEED_BYTES)
    return game._replace(setup=game.setup._replace(seed=seed, seeded_by="server", seed_from=game.version))


def _changed_since() -> PreconditionFailed:
    return PreconditionFailed("stale", Text("the game has a newer version than the one in If-Match"))


def _now() -> int:
    return time.time_ns() // 1_000_000


def _existing(stored: StoredGame | None) -> StoredGame:
    if stored is None:
        raise NoSuchGame
    return stored


def _caller(stored: StoredGame, token: str | None) -> Caller:
    """The owner of the token. A wrong token is an error, not a spectator."""
    if token is None:
        return SPECTATOR
    caller = identify(token, stored.registration.host, stored.registration.seats)
    if caller is None:
        raise Unauthorized("unknown-token", Text("this is not a token of this game"))
    return caller


def still_has(before: StoredGame, now: StoredGame, token: str | None) -> bool:
    """Whether a token that was valid before still is, now that seats may have been handed over."""
    registration = now.registration
    if token is None or registration.seats == before.registration.seats:
        return True
    return identify(token, registration.host, registration.seats) is not None


def _require_host(caller: Caller, detail: Text) -> None:
    if caller.role == "spectator":
        raise Unauthorized("token-required", detail)
    if caller.role != "host":
        raise Forbidden("host-only", detail)


def _player(stored: StoredGame, token: str | None) -> Caller:
    """The owner of the token, which is required."""
    caller = _caller(stored, token)
    if caller == SPECTATOR:
        raise Unauthorized("token-required", Text("a move requires the token of its seat or of the host"))
    return caller


def _new_id() -> str:
    """A random id: five bits in each letter."""
    return b32encode(secrets.token_bytes(ID_LENGTH * 5 // 8)).decode().lower()


def _creation_result(stored: StoredGame, identity: _Identity, *, replayed: bool) -> CreationResult:
    host, *seats = format_tokens(identity.secrets)
    shown = tuple(None if stored.game.bot_of(seat) else token for seat, token in enumerate(seats))
    return CreationResult(stored, host, shown, replayed)


def _creation_key(idempotency_key: IdempotencyKey) -> bytes:
    """The name of the receipt of a creation."""
    return hashlib.sha256(f"{idempotency_key.owner}\n{idempotency_key.key}".encode()).digest()[:CREATION_KEY_BYTES]


def _receipt_key(token: str | None, idempotency_key: IdempotencyKey | None) -> bytes | None:
    """The name of a receipt. It includes the token: two players may both count from 1."""
    if idempotency_key is None or token is None:
        return None
    return hashlib.sha256(f"{token}\n{idempotency_key.key}".encode()).digest()[:12]


def _key_reused() -> KeyReused:
    detail = Text("this Idempotency-Key was used for another request")
    return KeyReused("idempotency-key-reused", detail, parameter="Idempotency-Key")
