"""Creating stored games: their ids and tokens, the events before the first decision, retries with the same key."""

import secrets
import time
from base64 import b32encode
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from lostcities.games.chance import SEED_BYTES
from lostcities.games.clock import first_acting_since
from lostcities.games.game import Event, Game, Setup
from lostcities.games.idempotency import IdempotencyKey
from lostcities.games.opponents import play_automatic, replay_automatic
from lostcities.games.storage import (
    SNAPSHOT_EVENTS,
    CreationReceipt,
    Registration,
    Store,
    StoredGame,
    StoreUnavailable,
)
from lostcities.games.table import OnTimeout
from lostcities.games.thinking import Thinkers
from lostcities.games.tokens import TOKEN_BYTES, format_tokens, hash_token, mask
from lostcities.variants.registry import VARIANTS

ID_LENGTH: Final = 16
MAX_OPENING: Final = 10_000
"""More events than a game has before its first decision of a person."""


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

    def setup(self, max_events: int) -> Setup:
        """The setup of the game, with a new seed if it needs one. Raises `Invalid`.

        :param max_events: the number of events from which on no seat may move
        """
        variant = VARIANTS[self.variant]
        options = variant.rules.parse_options(self.options)
        seed = None if self.chance == "client" else self.seed or secrets.token_bytes(SEED_BYTES)
        position = self.position
        start = None
        if position is not None:
            start = variant.positions.from_position(len(self.players), options, dict(position))
        return Setup(
            variant=self.variant,
            rules_version=variant.rules.RULES_VERSION,
            players=self.players,
            options=options,
            chance=self.chance,
            seed=seed,
            seeded_by=None if seed is None else "caller" if self.seed else "server",
            start=start,
            max_events=max_events,
            bots=self.bots,
            turn_seconds=self.turn_seconds,
            on_timeout=self.on_timeout,
        )


class EarlierEvents(NamedTuple):
    """The events that a new game begins with, and the game at the versions of snapshots."""

    events: Sequence[Event] = ()
    snapshots: Sequence[Game] = ()


class CreationResult(NamedTuple):
    """A new game and its tokens."""

    stored: StoredGame
    host: str
    seats: tuple[str | None, ...]
    """`None` for a seat that a bot plays."""
    replayed: bool


class _Identity(NamedTuple):
    """The id and the secret parts of the tokens of a game that is being created."""

    game_id: str
    secrets: Sequence[bytes]
    is_retry: bool
    """Whether an earlier attempt with the same key has chosen them."""


class Creation:
    """Creates games in one store.

    The receipt of a key is stored before the game. A retry finds in it the id and the tokens that the first attempt
    chose, and creates the game if that attempt did not.
    """

    def __init__(self, store: Store, thinkers: Thinkers, *, lifetime: int, finished_lifetime: int) -> None:
        """:param lifetime: milliseconds until an unfinished game expires; `finished_lifetime`: a finished one"""
        self._store = store
        self._thinkers = thinkers
        self._lifetime = lifetime
        self._finished_lifetime = finished_lifetime

    def create(self, begun: Game, earlier: EarlierEvents, key: IdempotencyKey | None) -> CreationResult:
        """Create a game, or return the one that was created with the same key. Raises `KeyReused`, `StoreFull`.

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
        stored = StoredGame(self._start_clocks(registration, game), game, registration.created_at)
        if self._store.create(stored, [*earlier.events, *events], snapshots):
            return _result(stored, identity, replayed=False)
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
        receipt = self._store.reserve(key.of_creation(), own)
        key.require_same(receipt.request)
        parts = mask(receipt.masked_secrets, key.key, receipt.game_id)
        return _Identity(receipt.game_id, parts, is_retry=receipt.game_id != game_id)

    def _register(self, begun: Game, identity: _Identity) -> Registration:
        host, *seats = map(hash_token, format_tokens(identity.secrets))
        return Registration(
            id=identity.game_id,
            host=host,
            seats=tuple(b"" if begun.bot_of(seat) else hashed for seat, hashed in enumerate(seats)),
            created_at=now_milliseconds(),
            lifetime=self._lifetime,
            finished_lifetime=self._finished_lifetime,
        )

    def _start_clocks(self, registration: Registration, game: Game) -> Registration:
        """The registration with the time of the first decisions, in a game with a time limit."""
        if game.setup.turn_seconds is None:
            return registration
        return registration._replace(acting_since=first_acting_since(game, self._store.now(registration.id)))

    def _created_before(self, begun: Game, identity: _Identity) -> CreationResult | None:
        """The result of the earlier attempt with the same key, if that one stored the game."""
        # The process of that attempt may have ended before the write was durable.
        self._store.confirm(identity.game_id)
        past = self._store.past(identity.game_id, begun.version, begun.version + MAX_OPENING)
        if past is None:
            return None
        registration, now, *_ = past.stored
        game = replay_automatic(begun._replace(setup=now.setup), past.events_after(begun.version))
        return _result(StoredGame(registration, game, registration.created_at), identity, replayed=True)


def with_new_seed(game: Game) -> Game:
    """The game with a new seed for the events to come, if it needs one."""
    if game.setup.chance == "client" or game.setup.seed is not None:
        return game
    seed = secrets.token_bytes(SEED_BYTES)
    return game._replace(setup=game.setup._replace(seed=seed, seeded_by="server", seed_from=game.version))


def now_milliseconds() -> int:
    """The time of this process, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def _new_id() -> str:
    """A random id: five bits in each letter."""
    return b32encode(secrets.token_bytes(ID_LENGTH * 5 // 8)).decode().lower()


def _result(stored: StoredGame, identity: _Identity, *, replayed: bool) -> CreationResult:
    host, *seats = format_tokens(identity.secrets)
    shown = tuple(None if stored.game.bot_of(seat) else token for seat, token in enumerate(seats))
    return CreationResult(stored, host, shown, replayed)
