"""The use cases: games are created, read, moved and ended here, whoever asks and however.

Reading is one round trip to the store, and writing another; a write that another one overtook is judged anew.
"""

import hashlib
import hmac
import secrets
import time
from base64 import b32encode
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from service.rules.game import Viewer
from service.rules.registry import GAMES
from service.store.interface import Kept, Receipt, Store, StoreAway
from service.table.asking import (
    Asked,
    Forbidden,
    Look,
    Malformed,
    Refusal,
    Stale,
    Unauthorized,
    act,
    check_fresh,
    viewer_of,
)
from service.table.chance import SEED_BYTES
from service.table.game import Event, Record, Table, replay, settle, start
from service.table.tokens import ANYBODY, TOKEN_BYTES, Caller, hashed, identify, token

ID_LENGTH: Final = 16
ATTEMPTS: Final = 50
"""How often a write is judged anew when others come first, before the caller is asked to come back."""


class NoSuchGame(Exception):
    """There is no game of that id: never was, deleted or expired."""


class KeyReused(Refusal):
    """The `Idempotency-Key` belongs to another request."""


class Busy(Exception):
    """So many others write to this game that this write never came first."""


class Wish(NamedTuple):
    """A game as somebody wants it."""

    variant: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    chance: Literal["server", "client"] = "server"
    seed: bytes | None = None
    position: Mapping[str, Any] | None = None


class Ticket(NamedTuple):
    """An `Idempotency-Key` and the fingerprint of the request that carries it."""

    key: str
    request: bytes


class Created(NamedTuple):
    """A new game and its tokens, told once."""

    kept: Kept
    host: str
    seats: tuple[str, ...]
    replayed: bool


class Acted(NamedTuple):
    """A game after some events."""

    kept: Kept
    first: int
    """The version before the events."""
    events: Sequence[Event]
    viewer: Viewer
    """Through whose eyes the caller asked to see it."""
    replayed: bool


class Games:
    """Every game of one store."""

    def __init__(self, store: Store, lifetime: int, limit: int) -> None:
        """`lifetime`: milliseconds without an event until a game expires; `limit`: the most events of a game."""
        self.store = store
        self.limit = limit
        self._lifetime = lifetime

    # Creating

    def create(self, wish: Wish, ticket: Ticket | None) -> Created:
        """A new game, or with the same ticket the same game again. Raises `Invalid`, `KeyReused`."""
        secrets_of = [secrets.token_bytes(TOKEN_BYTES) for _ in (0, *wish.players)]
        record = self._record(wish, ticket, secrets_of)
        table, events = settle(start(record))
        if self.store.create(table, events):
            return _created(table, secrets_of, replayed=False)
        kept = self.store.load(record.id)
        if ticket is None or kept is None:
            raise StoreAway("id taken")
        first = kept.table.record
        if first.request != ticket.request:
            raise _key_reused()
        table, _ = settle(start(first))
        masks = _masks(ticket.key, first.id, len(first.masks))
        return _created(table, [_xor(*pair) for pair in zip(first.masks, masks, strict=True)], replayed=True)

    def _record(self, wish: Wish, ticket: Ticket | None, secrets_of: Sequence[bytes]) -> Record:
        game = GAMES[wish.variant]
        options = game.options(wish.options)
        position = wish.position and game.place(len(wish.players), options, dict(wish.position))
        seed = None if wish.chance == "client" else wish.seed or secrets.token_bytes(SEED_BYTES)
        # The key decides the id, so that a retry finds the game that its first attempt made.
        entropy = hashlib.sha256(b"game:" + ticket.key.encode()).digest() if ticket else secrets.token_bytes(SEED_BYTES)
        game_id = b32encode(entropy[: ID_LENGTH * 5 // 8]).decode().lower()  # five bits in each letter
        masks = _masks(ticket.key, game_id, len(secrets_of)) if ticket else ()
        host, *seats = _tokens(secrets_of)
        return Record(
            id=game_id,
            variant=wish.variant,
            rules_version=game.RULES_VERSION,
            players=wish.players,
            options=options,
            chance=wish.chance,
            seed=seed,
            seeded_by=None if seed is None else "caller" if wish.seed else "server",
            host=hashed(host),
            seats=tuple(map(hashed, seats)),
            created_at=_now(),
            lifetime=self._lifetime,
            start=position,
            request=ticket.request if ticket else None,
            masks=tuple(_xor(*pair) for pair in zip(secrets_of, masks, strict=True)) if ticket else (),
        )

    # Reading

    def read(self, game_id: str, presented: str | None) -> tuple[Kept, Caller]:
        """The game, and who asks. Raises `NoSuchGame`, `Unauthorized`."""
        kept = self.store.load(game_id)
        return _found(kept), _caller(_found(kept), presented)

    def read_at(self, game_id: str, presented: str | None, version: int) -> tuple[Kept, Table, Caller]:
        """The game as it is, and as it was at an earlier version. Raises `Malformed` for one still to come."""
        kept, events, caller = self.history(game_id, presented, 0, version)
        if version > kept.table.version:
            raise Malformed("unknown-version", f"the game is at version {kept.table.version}", ("version",))
        return kept, replay(kept.table.record, events), caller

    def history(self, game_id: str, presented: str | None, after: int, limit: int) -> tuple[Kept, list[Event], Caller]:
        """The game, and up to `limit` events after version `after`."""
        found = self.store.history(game_id, after + 1, after + limit)
        kept = _found(found[0] if found else None)
        caller = _caller(kept, presented)
        return kept, found[1] if found else [], caller

    # Moving

    def act(
        self,
        game_id: str,
        presented: str | None,
        asked: Sequence[Asked],
        *,
        look: Look,
        seen: Sequence[int] | None,
        ticket: Ticket | None,
    ) -> Acted:
        """Make the moves, all or nothing; with the same ticket the same answer again.

        `seen` are the versions that the caller has seen. Raises `NoSuchGame`, `Refusal`, `IllegalMove`, `Busy`.
        """
        key = _receipt_key(presented, ticket)
        for _ in range(ATTEMPTS):
            kept = _found(self.store.load(game_id, key))
            caller = _mover(kept, presented)
            viewer = viewer_of(caller, len(kept.table.record.players), look)
            if ticket and kept.receipt:
                # Whoever made the first attempt may have gone before it was durable.
                self.store.confirm(game_id)
                return self._again(game_id, viewer, kept.receipt, ticket)
            table, events = self._judge(kept.table, caller, asked, seen, past_chance=caller.role == "host")
            at = _now()
            receipt = Receipt(ticket.request, kept.table.version, table.version, at) if ticket else None
            written = self.store.append(kept.table, table, events, at, (key, receipt) if key and receipt else None)
            if written.done:
                return Acted(Kept(table, at), kept.table.version, events, viewer, replayed=False)
            if ticket and written.receipt:
                return self._again(game_id, viewer, written.receipt, ticket)
        raise Busy

    def check(
        self, game_id: str, presented: str | None, asked: Sequence[Asked], *, look: Look, seen: Sequence[int] | None
    ) -> None:
        """Judge the moves without making them: raises what `act` would.

        What comes after an answer of chance is not judged, not even for the host: nobody foresees it.
        """
        kept = _found(self.store.load(game_id))
        caller = _mover(kept, presented)
        viewer_of(caller, len(kept.table.record.players), look)
        self._judge(kept.table, caller, asked, seen, past_chance=False)

    def _judge(
        self, table: Table, caller: Caller, asked: Sequence[Asked], seen: Sequence[int] | None, *, past_chance: bool
    ) -> tuple[Table, list[Event]]:
        if seen is not None:
            check_fresh(table, caller, asked, seen)
        return act(table, caller, asked, self.limit, past_chance=past_chance)

    def _again(self, game_id: str, viewer: Viewer, receipt: Receipt, ticket: Ticket) -> Acted:
        """The answer that the receipt's request was given."""
        if receipt.request != ticket.request:
            raise _key_reused()
        found = self.store.history(game_id, 1, receipt.last)
        if found is None:
            raise NoSuchGame
        kept, events = found
        table = replay(kept.table.record, events)
        return Acted(Kept(table, receipt.at), receipt.first, events[receipt.first :], viewer, replayed=True)

    # Ending

    def delete(self, game_id: str, presented: str | None, seen: Sequence[int] | None) -> None:
        """The host ends it: nothing of it is left."""
        kept, caller = self.read(game_id, presented)
        version = kept.table.version
        if caller.role == "anybody":
            raise Unauthorized("token-required", "only the host's token ends a game")
        if caller.role != "host":
            raise Forbidden("host-only", "only the host's token ends a game")
        if seen is not None and version not in seen:
            raise _moved_on()
        done = self.store.delete(kept.table.record, None if seen is None else version)
        # A deletion that was sent twice, because its first answer was lost, finds nothing the second time.
        if not done and self.store.load(game_id):
            raise _moved_on()


def _moved_on() -> Stale:
    return Stale("stale", "the game has moved on from what was seen")


def _now() -> int:
    return time.time_ns() // 1_000_000


def _found(kept: Kept | None) -> Kept:
    if kept is None:
        raise NoSuchGame
    return kept


def _caller(kept: Kept, presented: str | None) -> Caller:
    """Whose token was presented. A token that is not this game's is nobody's, never a spectator's."""
    if presented is None:
        return ANYBODY
    record = kept.table.record
    caller = identify(presented, record.host, record.seats)
    if caller is None:
        raise Unauthorized("unknown-token", "this is not a token of this game")
    return caller


def _mover(kept: Kept, presented: str | None) -> Caller:
    """Whose token was presented, where one is needed."""
    caller = _caller(kept, presented)
    if caller == ANYBODY:
        raise Unauthorized("token-required", "a move takes the token of its seat or of the host")
    return caller


def _created(table: Table, secrets_of: Sequence[bytes], *, replayed: bool) -> Created:
    host, *seats = _tokens(secrets_of)
    return Created(Kept(table, table.record.created_at), host, tuple(seats), replayed)


def _tokens(secrets_of: Sequence[bytes]) -> list[str]:
    host, *seats = secrets_of
    return [token("host", host), *(token("seat", seat) for seat in seats)]


def _masks(key: str, game_id: str, count: int) -> tuple[bytes, ...]:
    """One-time pads from the caller's key: the store alone does not give the tokens away, a retry does."""
    return tuple(
        hmac.digest(key.encode(), f"{game_id}/{number}".encode(), "sha256")[:TOKEN_BYTES] for number in range(count)
    )


def _xor(left: bytes, right: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(left, right, strict=True))


def _receipt_key(presented: str | None, ticket: Ticket | None) -> bytes | None:
    """Keys are told apart by who uses them: two players may both count from 1."""
    if ticket is None or presented is None:
        return None
    return hashlib.sha256(f"{presented}\n{ticket.key}".encode()).digest()[:12]


def _key_reused() -> KeyReused:
    return KeyReused("idempotency-key-reused", "this Idempotency-Key belongs to another request")
