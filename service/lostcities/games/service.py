"""The use cases: create, read, move, check, advise and delete games; export, import and verify records.

A read is one round trip to the store and a write another. A move whose write came too late is applied again, to the
newer version.
"""

import hashlib
import hmac
import secrets
import time
from base64 import b32encode
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from lostcities.bots.expert import Estimate
from lostcities.games.chance import SEED_BYTES
from lostcities.games.game import Event, Game, Record, start
from lostcities.games.moves import (
    Forbidden,
    Malformed,
    PreconditionFailed,
    Refusal,
    RequestedMove,
    Unauthorized,
    ViewRequest,
    apply_moves,
    check_decision_seen,
    resolve_moves,
    viewer_of,
)
from lostcities.games.opponents import advice, first_settled, settle
from lostcities.games.records import GameRecord, begin, check_outcome, is_chance_verified, record_of, replay_record
from lostcities.games.storage import (
    SNAPSHOT_EVENTS,
    CreationReceipt,
    Past,
    Receipt,
    Store,
    StoredGame,
    StoreUnavailable,
)
from lostcities.games.thinking import Thinkers
from lostcities.games.tokens import SPECTATOR, TOKEN_BYTES, Caller, format_token, hash_token, identify
from lostcities.variants.core import Seat, Viewer
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


PAUSE_EVENTS: Final = 32
"""Events of a record that are replayed without a pause: a millisecond or two."""


class NoSuchGame(Exception):
    """There is no game with this id: it never existed, was deleted or has expired."""


class KeyReused(Refusal):
    """The `Idempotency-Key` was used for another request."""


class Busy(Exception):
    """Other writes to the game always came first."""


class NewGame(NamedTuple):
    """The settings of a new game."""

    variant: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    chance: Literal["server", "client"] = "server"
    seed: bytes | None = None
    position: Mapping[str, Any] | None = None
    bots: tuple[str | None, ...] = ()
    """By seat: the level of its bot, or `None` for a person. Empty: all seats are persons'."""


class IdempotencyKey(NamedTuple):
    """An `Idempotency-Key` and the fingerprint of its request."""

    key: str
    request: bytes
    owner: str = ""
    """The API key of a creation, if the service requires one: tenants do not share keys."""


class CreatedGame(NamedTuple):
    """A new game and its tokens."""

    stored: StoredGame
    host: str
    seats: tuple[str | None, ...]
    """`None` for a seat that a bot plays."""
    replayed: bool


class History(NamedTuple):
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

    def create(self, new_game: NewGame, idempotency_key: IdempotencyKey | None) -> CreatedGame:
        """Create a game, or return the one that was created with the same key.

        The receipt of a key is stored before the game. A retry finds in it the id and the tokens that the first attempt
        chose, and creates the game if that attempt did not. Raises `Invalid`, `KeyReused`, `StoreFull`.
        """
        self.store.check_room()
        return self._create(start(self._record(new_game)), History(), idempotency_key)

    def import_record(self, record: GameRecord, idempotency_key: IdempotencyKey | None) -> CreatedGame:
        """Create a game that goes on where the record ends, or return the one that was created with the same key.

        A game whose record has no seed gets a new one for the events to come. Raises `InvalidRecord`, and what `create`
        raises.
        """
        self.store.check_room()
        game, history = self._replay(record)
        fixed = game.record._replace(
            created_at=_now(), lifetime=self._lifetime, finished_lifetime=self._finished_lifetime
        )
        if record.chance == "server" and record.seed is None:
            seed = secrets.token_bytes(SEED_BYTES)
            fixed = fixed._replace(seed=seed, seeded_by="server", seed_from=game.version)
        return self._create(game._replace(record=fixed), history, idempotency_key)

    def _create(self, begun: Game, history: History, idempotency_key: IdempotencyKey | None) -> CreatedGame:
        """Create a game with a new id and new tokens.

        :param begun: the game before the first outcome of chance that is to be determined
        """
        own_id = _new_id()
        game_id, tokens = own_id, [secrets.token_bytes(TOKEN_BYTES) for _ in (0, *begun.record.players)]
        if idempotency_key:
            receipt = self.store.reserve(_creation_key(idempotency_key), _receipt(idempotency_key, game_id, tokens))
            if receipt.request != idempotency_key.request:
                raise _key_reused()
            game_id = receipt.game_id
            tokens = _masked(idempotency_key.key, game_id, receipt.masked_secrets)
        record = _with_tokens(begun.record._replace(id=game_id), tokens)
        # A retry finds the game before its bots think again.
        if game_id == own_id or not any(record.bots) or not self.store.load(game_id):
            with self._thinkers.request() as think:
                game, events = settle(begun._replace(record=record), think)
            snapshots = [*history.snapshots]
            if game.version // SNAPSHOT_EVENTS > begun.version // SNAPSHOT_EVENTS:
                snapshots.append(game)
            if self.store.create(game, [*history.events, *events], snapshots):
                return _created(game, tokens, replayed=False)
        past = self.store.past(game_id, begun.version, begun.version + MAX_OPENING)
        if idempotency_key is None or past is None:
            raise StoreUnavailable("id taken")
        game = first_settled(begun._replace(record=past.stored.game.record), past.events_after(begun.version))
        return _created(game, tokens, replayed=True)

    def _record(self, new_game: NewGame) -> Record:
        """What is fixed of the new game, without its id and its tokens."""
        variant = VARIANTS[new_game.variant]
        rules = variant.rules
        options = rules.parse_options(new_game.options)
        seed = None if new_game.chance == "client" else new_game.seed or secrets.token_bytes(SEED_BYTES)
        return Record(
            id="",
            variant=new_game.variant,
            rules_version=rules.RULES_VERSION,
            players=new_game.players,
            options=options,
            chance=new_game.chance,
            seed=seed,
            seeded_by=None if seed is None else "caller" if new_game.seed else "server",
            host=b"",
            seats=(),
            created_at=_now(),
            lifetime=self._lifetime,
            finished_lifetime=self._finished_lifetime,
            start=new_game.position
            and VARIANTS[new_game.variant].positions.from_position(
                len(new_game.players), options, dict(new_game.position)
            ),
            max_events=self._max_events,
            bots=new_game.bots,
        )

    # Records

    def record(self, game_id: str, token: str | None) -> GameRecord:
        """The record of the game: of a finished one for any caller, of an unfinished one for the host only.

        It has no pauses: nothing is replayed. 5,000 events take some 7 ms, and a page of 500 of the history 4 ms.
        """
        stored, events, caller = self.history(game_id, token, 0, MAX_HISTORY)
        if not stored.game.is_over:
            _require_host(caller, "while a game goes on only the host's token gets its record")
        return record_of(stored.game, events)

    def verify(self, record: GameRecord) -> Verification:
        """The game after the events of a record. Raises `InvalidRecord`."""
        game, _ = self._replay(record)
        return Verification(game, is_chance_verified(record))

    def _replay(self, record: GameRecord) -> tuple[Game, History]:
        """The game after all events of the record, with pauses. Raises `InvalidRecord`."""
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
        check_outcome(game, record)
        return game, History(events, snapshots)

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
            raise Malformed("unknown-version", f"the game is at version {stored.game.version}", parameter="version")
        return past, caller

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
        key = _receipt_key(token, idempotency_key)
        with self._thinkers.request() as think:
            for _ in range(ATTEMPTS):
                stored = _existing(self.store.load(game_id, key))
                caller = _player(stored, token)
                viewer = viewer_of(caller, len(stored.game.record.players), view)
                if idempotency_key and stored.receipt:
                    # The process of the first attempt may have ended before the write was durable.
                    self.store.confirm(game_id)
                    return self._repeat(game_id, caller, viewer, stored.receipt, idempotency_key)
                game, events = self._apply(
                    stored.game, caller, requested, versions_seen, past_chance=caller.role == "host"
                )
                game, answers = settle(game, think)
                events += answers
                at = _now()
                receipt = None
                if key and idempotency_key:
                    receipt = key, Receipt(idempotency_key.request, stored.game.version, game.version, at)
                written = self.store.append(stored.game, game, events, at, receipt)
                if written.done:
                    return MoveResult(StoredGame(game, at), stored.game.version, events, caller, viewer, replayed=False)
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
        viewer_of(caller, len(stored.game.record.players), view)
        self._apply(stored.game, caller, requested, versions_seen, past_chance=False)

    def _apply(
        self,
        game: Game,
        caller: Caller,
        requested: Sequence[RequestedMove],
        versions_seen: Sequence[int] | None,
        *,
        past_chance: bool,
    ) -> tuple[Game, list[Event]]:
        moves = resolve_moves(game.record.rules, requested)
        if versions_seen is not None:
            check_decision_seen(game, caller, moves, versions_seen)
        return apply_moves(game, caller, moves, past_chance=past_chance)

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
        return MoveResult(StoredGame(past.game(), receipt.at), receipt.first, events, caller, viewer, replayed=True)

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
        _require_host(caller, "only the host's token deletes a game")
        if versions_seen is not None and version not in versions_seen:
            raise _changed_since()
        done = self.store.delete(stored.game.record, None if versions_seen is None else version)
        # A delete command that is sent again because its reply was lost finds no game.
        if not done and self.store.load(game_id):
            raise _changed_since()


def _changed_since() -> PreconditionFailed:
    return PreconditionFailed("stale", "the game has a newer version than the one in If-Match")


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
    record = stored.game.record
    caller = identify(token, record.host, record.seats)
    if caller is None:
        raise Unauthorized("unknown-token", "this is not a token of this game")
    return caller


def _require_host(caller: Caller, detail: str) -> None:
    if caller.role == "spectator":
        raise Unauthorized("token-required", detail)
    if caller.role != "host":
        raise Forbidden("host-only", detail)


def _player(stored: StoredGame, token: str | None) -> Caller:
    """The owner of the token, which is required."""
    caller = _caller(stored, token)
    if caller == SPECTATOR:
        raise Unauthorized("token-required", "a move requires the token of its seat or of the host")
    return caller


def _new_id() -> str:
    """A random id: five bits in each letter."""
    return b32encode(secrets.token_bytes(ID_LENGTH * 5 // 8)).decode().lower()


def _created(game: Game, secrets_of: Sequence[bytes], *, replayed: bool) -> CreatedGame:
    host, *seats = _tokens(secrets_of)
    shown = tuple(None if game.record.bot_of(seat) else token for seat, token in enumerate(seats))
    return CreatedGame(StoredGame(game, game.record.created_at), host, shown, replayed)


def _tokens(secrets_of: Sequence[bytes]) -> list[str]:
    host, *seats = secrets_of
    return [format_token("host", host), *(format_token("seat", seat) for seat in seats)]


def _with_tokens(record: Record, secrets_of: Sequence[bytes]) -> Record:
    """The record with the hashes of those tokens. The seat of a bot has none."""
    host, *seats = map(hash_token, _tokens(secrets_of))
    return record._replace(
        host=host, seats=tuple(b"" if record.bot_of(seat) else hashed for seat, hashed in enumerate(seats))
    )


def _creation_key(idempotency_key: IdempotencyKey) -> bytes:
    """The name of the receipt of a creation."""
    return hashlib.sha256(f"{idempotency_key.owner}\n{idempotency_key.key}".encode()).digest()[:CREATION_KEY_BYTES]


def _receipt(idempotency_key: IdempotencyKey, game_id: str, secrets_of: Sequence[bytes]) -> CreationReceipt:
    return CreationReceipt(game_id, idempotency_key.request, tuple(_masked(idempotency_key.key, game_id, secrets_of)))


def _masked(key: str, game_id: str, secrets_of: Sequence[bytes]) -> list[bytes]:
    """The secret parts of tokens masked by the caller's key; masking twice gives the secrets back."""
    return [
        _xor(secret, hmac.digest(key.encode(), f"{game_id}/{number}".encode(), "sha256")[:TOKEN_BYTES])
        for number, secret in enumerate(secrets_of)
    ]


def _xor(left: bytes, right: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(left, right, strict=True))


def _receipt_key(token: str | None, idempotency_key: IdempotencyKey | None) -> bytes | None:
    """The name of a receipt. It includes the token: two players may both count from 1."""
    if idempotency_key is None or token is None:
        return None
    return hashlib.sha256(f"{token}\n{idempotency_key.key}".encode()).digest()[:12]


def _key_reused() -> KeyReused:
    detail = "this Idempotency-Key was used for another request"
    return KeyReused("idempotency-key-reused", detail, parameter="Idempotency-Key")
