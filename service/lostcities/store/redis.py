"""The store in Redis or Valkey.

A game is three keys in one hash slot: a hash (`r` registration and setup, `s` state, `v` version, `t` time of the last
event, `w` marks of the last writes, `n1`, `n2`, … snapshots of the state), a list of its events, and a hash of
receipts. A read is one round trip and a write another. Writes are Lua scripts (`lua/`), each one atomic step; the wait
for durability is in the same pipeline. The receipt of a creation is a key of its own: it is written before there is a
game.
"""

import math
import os
import struct
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from redis.exceptions import RedisError

from lostcities.games.game import Event, Game, replay, start, undoes_more
from lostcities.games.storage import (
    SNAPSHOT_EVENTS,
    AppendResult,
    CreationReceipt,
    DurabilityUnknown,
    Past,
    Receipt,
    StoredGame,
    StoreFull,
    StoreUnavailable,
)
from lostcities.store.client import CONNECTIONS, Client, Wait, error_of, script
from lostcities.store.codec import (
    OtherFormat,
    decode_event,
    decode_setup,
    decode_state,
    encode_event,
    encode_setup,
    encode_state,
)
from lostcities.store.durability import TIMEOUT_SECONDS, Durability
from lostcities.store.servers import Command

RECEIPT_LIFETIME: Final = 24 * 60 * 60 * 1000
"""Milliseconds that the receipts of a game are stored after the last of them."""
RECEIPTS: Final = 256
"""Receipts kept for one game; beyond that the older half is dropped. Redis keeps so small a hash in compact form."""

ROOM_SECONDS: Final = 2.0
"""How long the store is taken to have room after it had some."""

PINGS: Final = 10
"""Servers of a cluster that `ping` tries, at random: ten tries practically never all meet one that is down."""

# After a lost connection a command is sent again. A write therefore carries a random mark, and the last marks are
# stored with the game: a write that finds its mark has been done already.
MARK_BYTES: Final = 8
MARKS: Final = 16

_RECEIPT: Final = struct.Struct(">QII16s")
"""Time, version before, version after, fingerprint of the request."""

_WAITS: Final[Mapping[Durability, Wait | None]] = {
    "memory": None,
    "aof": Wait(("WAITAOF", 1, 0, 1000), 1.0),
    "replicated": Wait(("WAIT", 1, 1000), 1.0),
}


_CREATE: Final = script("create")
_APPEND: Final = script("append")
_DELETE: Final = script("delete")
_CONFIRM: Final = script("confirm")
_RESERVE: Final = script("reserve")
_HISTORY: Final = script("history")
_PAST: Final = script("past")


def _keys(game_id: str) -> list[str]:
    """The keys of a game. The braces are a hash tag: all keys of a game are in one slot of a cluster."""
    game = f"lc:{{{game_id}}}"
    return [game, f"{game}:h", f"{game}:k"]


def channel(game_id: str) -> str:
    """The channel on which the scripts publish a game's new version, or an empty message when it is deleted."""
    return _keys(game_id)[0]


class RedisStore:
    """The `Store` in Redis."""

    def __init__(
        self,
        url: str,
        connections: int = CONNECTIONS,
        durability: Durability = "memory",
        timeout: float = TIMEOUT_SECONDS,
        full_percent: int = 100,
    ) -> None:
        """Nothing is connected before the first call.

        :param connections: commands at a time, and so connections to each server, for reading and for writing
        :param timeout: seconds for a call, apart from the wait for durability
        :param full_percent: share of the server's `maxmemory` from which on `check_room` refuses
        """
        self._full_percent = full_percent
        self._room_checked = -math.inf
        self._durability = durability
        self._timeout = timeout
        self._wait = _WAITS[durability]
        self._reader = Client(url, connections=connections, timeout=timeout)
        # A client of its own: its sockets must outlast the wait, while a read is given up soon.
        self._writer = (
            Client(url, connections=connections, timeout=timeout, wait=self._wait) if self._wait else self._reader
        )

    def check_room(self) -> None:
        """Raise `StoreFull` if the server uses too much of its memory. The server is asked every few seconds.

        Of a cluster one server at random is asked: games are spread evenly. A server that has no `maxmemory`, or does
        not let us read it, is never nearly full.
        """
        if time.monotonic() - self._room_checked < ROOM_SECONDS:
            return
        (memory,), _ = self._reader.run(os.urandom(8).hex(), ("INFO", "memory"))
        if isinstance(memory, dict) and memory["used_memory"] * 100 > memory["maxmemory"] * self._full_percent > 0:
            raise StoreFull(f"{memory['used_memory']} of {memory['maxmemory']} bytes are used")
        self._room_checked = time.monotonic()

    def create(self, new: StoredGame, events: Sequence[Event], snapshots: Sequence[Game] = ()) -> bool:
        """Store a new game; whether its id was free."""
        fields: list[str | bytes] = []
        for each in snapshots:
            fields += [f"n{each.version // SNAPSHOT_EVENTS}", b"%d:%b" % (each.version, encode_state(each))]
        answer = self._do(
            _CREATE,
            _keys(new.id)[:2],
            os.urandom(MARK_BYTES),
            encode_setup(new.registration, new.game.setup),
            encode_state(new.game),
            new.game.version,
            new.at,
            new.lifetime,
            len(fields),
            *fields,
            *map(encode_event, events),
        )
        return bool(answer == b"done")

    def reserve(self, key: bytes, receipt: CreationReceipt) -> CreationReceipt:
        """Store the receipt of a creation for a day, unless the key has a receipt. Returns the receipt of the key."""
        stored = self._do(_RESERVE, [f"lc:key:{key.hex()}"], msgspec.msgpack.encode(receipt), RECEIPT_LIFETIME)
        return msgspec.msgpack.decode(stored, type=CreationReceipt)

    def load(self, game_id: str, key: bytes | None = None) -> StoredGame | None:
        """The game, with the receipt of that key."""
        game, _, receipts = _keys(game_id)
        commands: list[Command] = [("HMGET", game, "r", "s", "v", "t")]
        if key is not None:
            commands.append(("HGET", receipts, key))
        fields, *receipt = self._ask(game, *commands)
        stored = self._kept(game_id, fields)
        return stored._replace(receipt=_decode_receipt(receipt[0])) if stored and receipt and receipt[0] else stored

    def append(
        self, before: StoredGame, after: StoredGame, events: Sequence[Event], receipt: tuple[bytes, Receipt] | None
    ) -> AppendResult:
        """Add events, and a receipt under its key, if the stored game still has the version of `before`.

        The registration of `after` replaces that of `before`.
        """
        is_registered = after.registration == before.registration
        first, last = before.game.version, after.game.version
        snapshot = last // SNAPSHOT_EVENTS
        # While a slot migrates key by key, the server refuses a command that names a missing key: name no key in vain.
        answer = self._do(
            _APPEND,
            _keys(before.id)[: 3 if receipt else 2],
            os.urandom(MARK_BYTES),
            first,
            last,
            encode_state(after.game),
            after.at,
            after.lifetime,
            receipt[0] if receipt else b"",
            _encode_receipt(receipt[1]) if receipt else b"",
            MARKS,
            RECEIPTS,
            RECEIPT_LIFETIME,
            f"n{snapshot}" if snapshot > first // SNAPSHOT_EVENTS else "",
            b"" if is_registered else encode_setup(after.registration, after.game.setup),
            *map(encode_event, events),
        )
        if answer in (b"done", b"moved"):
            return AppendResult(done=answer == b"done")
        return AppendResult(done=False, receipt=_decode_receipt(answer))

    def now(self, game_id: str) -> int:
        """The time of the server that has the game, in milliseconds since 1970."""
        ((seconds, microseconds),) = self._ask(_keys(game_id)[0], ("TIME",))
        return int(seconds) * 1000 + int(microseconds) // 1000

    def confirm(self, game_id: str) -> None:
        """Return when every event of the game that a read may have returned is as durable as configured."""
        if self._wait:
            self._do(_CONFIRM, _keys(game_id)[:1])

    def history(self, game_id: str, first: int, last: int) -> tuple[StoredGame, list[Event]] | None:
        """The game and its events `first` to `last`, as far as they exist."""
        # A script: two commands would be a pipeline, which takes a connection out of the pool.
        fields, lines = self._do(_HISTORY, _keys(game_id)[:2], first, last, client=self._reader)
        stored = self._kept(game_id, fields)
        # A server that evicts keys may have kept the game without its events.
        if stored is None or len(lines) < min(last, stored.game.version) - first + 1:
            return None
        return stored, [decode_event(line) for line in lines]

    def past(self, game_id: str, first: int, last: int) -> Past | None:
        """The game, with all that is needed for version `last` and for the events after version `first`."""
        while True:
            past = self._past(game_id, first, last)
            if past is None or not past.base.version or not undoes_more(past.events):
                return past
            # The events take back a move that is in the snapshot: an earlier one is needed.
            first = past.base.version - 1

    def _past(self, game_id: str, first: int, last: int) -> Past | None:
        answer = self._do(_PAST, _keys(game_id)[:2], first, last, SNAPSHOT_EVENTS, client=self._reader)
        if answer is None:
            return None
        fields, snapshot, lines = answer
        stored = self._kept(game_id, fields)
        if stored is None:
            return None
        setup, events = stored.game.setup, [decode_event(line) for line in lines]
        if not snapshot:
            return Past(stored, start(setup), events)
        version, _, state = snapshot.partition(b":")
        try:
            return Past(stored, decode_state(setup, int(version), state), events)
        except OtherFormat:
            return Past(stored, start(setup), self._events(game_id, last))

    def _kept(self, game_id: str, fields: Sequence[bytes | None]) -> StoredGame | None:
        """The game in the fields of its hash. A state of another format is computed again from all events."""
        data, state, version, at = fields
        if data is None or state is None or version is None or at is None:
            return None
        registration, setup = decode_setup(data)
        try:
            game = decode_state(setup, int(version), state)
        except OtherFormat:
            game = replay(start(setup), self._events(game_id, int(version)))
        return StoredGame(registration, game, int(at))

    def _events(self, game_id: str, last: int) -> list[Event]:
        """The events of a game to that version."""
        game, events, _ = _keys(game_id)
        (lines,) = self._ask(game, ("LRANGE", events, 0, last - 1))
        return [decode_event(line) for line in lines]

    def delete(self, game_id: str, version: int | None = None) -> bool:
        """Delete the game if it has that version; `None` is any version. Returns whether it was deleted."""
        return bool(self._do(_DELETE, _keys(game_id), "" if version is None else version) == b"done")

    def ping(self) -> None:
        """Raise `StoreUnavailable` if the store does not answer, or cannot be as durable as configured."""
        # Any server of a cluster will do: one that is down must not make the games of the others unavailable.
        deadline = time.monotonic() + 2 * self._timeout
        for attempt in range(1, PINGS + 1):
            key = os.urandom(8).hex()
            try:
                self._reply(*self._writer.run(key, ("PING",)))
                self._check_fsync(key)
            except StoreUnavailable as error:
                is_last = attempt == PINGS or time.monotonic() > deadline
                if is_last or isinstance(error, DurabilityUnknown):
                    raise
            else:
                return

    def _check_fsync(self, key: str) -> None:
        """Raise `DurabilityUnknown` if the level `aof` cannot be stored.

        With `appendfsync everysec` Valkey 9.1 answers WAITAOF before the write is on the disk. A server that does not
        let us read its configuration is trusted.
        """
        if self._durability == "aof":
            (reply,), _ = self._reader.run(key, ("CONFIG", "GET", "appendfsync"))
            if isinstance(reply, list) and reply[1:] != [b"always"]:
                raise DurabilityUnknown("the server must have 'appendfsync always'")

    def _do(self, script: str, keys: Sequence[str], *arguments: Any, client: Client | None = None) -> Any:
        """The result of a script, once what it wrote is durable.

        :param client: the one for reading, for a script that writes nothing
        """
        return self._reply(*(client or self._writer).run_script(script, keys, *arguments))

    def _reply(self, replies: list[Any], is_resent: bool) -> Any:  # noqa: FBT001
        """The reply to a command that was followed by a wait. Raises for an error, and for what is not durable."""
        reply, *waited = replies
        if isinstance(reply, RedisError):
            raise error_of(reply)
        if waited:
            _check_durable(waited[0], self._wait)
        if reply == b"overtaken":
            # So many other writes came first that a mark of an earlier attempt may be gone.
            if is_resent:
                raise StoreUnavailable("whether the first attempt was carried out is not known")
            return b"moved"
        return reply

    def _ask(self, key: str, *commands: Command) -> list[Any]:
        """The replies to commands that only read."""
        replies, _ = self._reader.run(key, *commands)
        for reply in replies:
            if isinstance(reply, RedisError):
                raise error_of(reply)
        return replies


def _check_durable(reply: Any, wait: Wait | None) -> None:
    """Raise `DurabilityUnknown` unless the reply counts a server: WAIT replicas, WAITAOF first the server itself."""
    name = wait.command[0] if wait else ""
    if isinstance(reply, RedisError) and "unknown command" in str(reply):
        raise DurabilityUnknown(f"the server does not know {name}: DURABILITY=aof needs Redis 7.2, or Valkey")
    if isinstance(reply, RedisError) or (reply[0] if isinstance(reply, list) else reply) < 1:
        raise DurabilityUnknown(f"{name}: {reply}")


def _encode_receipt(receipt: Receipt) -> bytes:
    return _RECEIPT.pack(receipt.at, receipt.first, receipt.last, receipt.request)


def _decode_receipt(data: bytes) -> Receipt:
    at, first, last, request = _RECEIPT.unpack(data)
    return Receipt(request, first, last, at)
