"""The store behind the interface: Redis or Valkey.

A game is three keys in one hash slot: a hash (`r` record, `s` state, `v` version, `t` time of the last event,
`w` the last writes, `o` who opened it), a list of its events, and a hash of receipts. Reading is one round trip,
writing another; the wait for durability goes with the write.
"""

import hashlib
import os
import struct
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from redis.exceptions import NoScriptError, RedisError

from service.store.address import parse
from service.store.codec import decode_event, decode_record, decode_table, encode_event, encode_record, encode_table
from service.store.engine import Command, Link, Wait, refused
from service.store.interface import DurabilityUnknown, Kept, Receipt, StoreAway, Written
from service.table.game import Event, Record, Table

Durability = Literal["memory", "aof", "replicated"]
"""What a write that is acknowledged has reached: the primary's memory, its disk, or another server's memory."""

TIMEOUT_SECONDS: Final = 0.6
RECEIPT_LIFETIME: Final = 24 * 60 * 60 * 1000
"""Milliseconds that a game's receipts outlive the last of them."""
RECEIPTS: Final = 256
"""Receipts kept for one game: beyond that the older half is dropped. So many Redis keeps in a compact form."""

PINGS: Final = 10
"""Servers of a cluster that are tried, at random: with one of three away, three would all be that one now and then."""

# After a lost connection a command is sent again. A write therefore carries a mark of its own, and the last few marks
# are kept with the game: a write that finds its mark has been done already.
MARK_BYTES: Final = 8
MARKS: Final = 16

_RECEIPT: Final = struct.Struct(">QII16s")
"""When, the version before, the version after, the request's fingerprint."""

_WAITS: Final[Mapping[Durability, Wait | None]] = {
    "memory": None,
    # A server that goes to the disk once a second may need more than one.
    "aof": Wait(("WAITAOF", 1, 0, 2000), 2.0),
    "replicated": Wait(("WAIT", 1, 1000), 1.0),
}


class Script(NamedTuple):
    """A program that runs inside the store, in one atomic step."""

    source: str
    sha: str


def _script(source: str) -> Script:
    return Script(source, hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest())


# What changes a game tells whoever listens (`service/store/listening.py`), in the same step: its new version, or
# nothing if it is gone. A store that does not allow it is no reason to refuse the write.

# A wait for durability is about what its own connection wrote. A script that finds its work done by an earlier attempt
# through another connection therefore writes too: what is there already.
_CREATE: Final = _script("""
local marks = redis.call('HGET', KEYS[1], 'w')
if marks then
  redis.call('HSET', KEYS[1], 'w', marks)
  return string.find(marks, ARGV[1], 1, true) and 'done' or 'taken'
end
redis.call('HSET', KEYS[1], 'w', ARGV[1], 'r', ARGV[2], 's', ARGV[3], 'v', ARGV[4], 't', ARGV[5])
if ARGV[7] ~= '' then redis.call('HSET', KEYS[1], 'o', ARGV[7]) end
redis.call('PEXPIRE', KEYS[1], ARGV[6])
if #ARGV > 7 then
  redis.call('RPUSH', KEYS[2], unpack(ARGV, 8))
  redis.call('PEXPIRE', KEYS[2], ARGV[6])
end
return 'done'
""")

_APPEND: Final = _script(f"""
local mark, before, after, state, at, lifetime, key, receipt = unpack(ARGV, 1, 8)
local kept = redis.call('HMGET', KEYS[1], 'v', 'w')
if not kept[1] then return 'moved' end
if string.find(kept[2], mark, 1, true) then
  redis.call('HSET', KEYS[1], 'w', kept[2])
  return 'done'
end
local is_due = kept[1] == before
if key ~= '' and not (is_due and redis.call('HSETNX', KEYS[3], key, receipt) == 1) then
  local earlier = redis.call('HGET', KEYS[3], key)
  if earlier then
    redis.call('HSET', KEYS[1], 'w', kept[2])
    return earlier
  end
end
if not is_due then
  return kept[1] - before <= {MARKS} and 'moved' or 'overtaken'
end
local marks = string.sub(kept[2] .. mark, -{MARKS * MARK_BYTES})
redis.call('HSET', KEYS[1], 'v', after, 's', state, 't', at, 'w', marks)
redis.call('RPUSH', KEYS[2], unpack(ARGV, 9))
redis.pcall('PUBLISH', KEYS[1], after)
redis.call('PEXPIRE', KEYS[1], lifetime)
redis.call('PEXPIRE', KEYS[2], lifetime)
if key ~= '' then
  redis.call('PEXPIRE', KEYS[3], math.min(lifetime, {RECEIPT_LIFETIME}))
  if redis.call('HLEN', KEYS[3]) > {RECEIPTS} then
    local all, versions = redis.call('HGETALL', KEYS[3]), {{}}
    local function version(i) return (struct.unpack('>I4', all[i], 13)) end
    for i = 2, #all, 2 do versions[#versions + 1] = version(i) end
    table.sort(versions)
    for i = 2, #all, 2 do
      if version(i) <= versions[{RECEIPTS // 2}] then redis.call('HDEL', KEYS[3], all[i - 1]) end
    end
  end
end
return 'done'
""")

_DELETE: Final = _script("""
local version = redis.call('HGET', KEYS[1], 'v')
if not version then return 'gone' end
if ARGV[1] ~= '' and version ~= ARGV[1] then return 'moved' end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.pcall('PUBLISH', KEYS[1], '')
return 'done'
""")

_CONFIRM: Final = _script("""
local marks = redis.call('HGET', KEYS[1], 'w')
if marks then redis.call('HSET', KEYS[1], 'w', marks) end
return 'done'
""")


def _keys(game_id: str) -> list[str]:
    """The game's keys: the braces put them into one slot of a cluster."""
    game = f"lc:{{{game_id}}}"
    return [game, f"{game}:h", f"{game}:k"]


def channel(game_id: str) -> str:
    """Where the game's writes are told: it is called like the first of the game's keys."""
    return _keys(game_id)[0]


class RedisStore:
    """Games in Redis."""

    def __init__(
        self,
        url: str,
        connections: int = 16,
        durability: Durability = "memory",
        timeout: float = TIMEOUT_SECONDS,
    ) -> None:
        """`timeout`: seconds that a call may take at most, apart from a wait for durability.

        Nothing is connected before the first call.
        """
        self._link = Link(parse(url), connections, timeout)
        self._wait = _WAITS[durability]

    def create(self, table: Table, events: Sequence[Event], opener: str = "") -> bool:
        """Keep a new game, and who opened it, unless there is one of that id."""
        record = table.record
        answer = self._do(
            _CREATE,
            _keys(record.id)[:2],
            os.urandom(MARK_BYTES),
            encode_record(record),
            encode_table(table),
            table.version,
            record.created_at,
            record.lifetime,
            opener,
            *map(encode_event, events),
        )
        return bool(answer == b"done")

    def opener(self, game_id: str) -> str:
        """Who opened the game, if that was told and the game is there."""
        game, *_ = _keys(game_id)
        (opener,) = self._ask(game, ("HGET", game, "o"))
        return (opener or b"").decode()

    def load(self, game_id: str, key: bytes | None = None) -> Kept | None:
        """The game, with the receipt of that key."""
        game, _, receipts = _keys(game_id)
        commands: list[Command] = [("HMGET", game, "r", "s", "v", "t")]
        if key is not None:
            commands.append(("HGET", receipts, key))
        fields, *receipt = self._ask(game, *commands)
        kept = _kept(fields)
        return kept._replace(receipt=_decode_receipt(receipt[0])) if kept and receipt and receipt[0] else kept

    def append(
        self, before: Table, after: Table, events: Sequence[Event], at: int, receipt: tuple[bytes, Receipt] | None
    ) -> Written:
        """Add events and keep a receipt under its key, if the game still is at `before`'s version."""
        record = before.record
        # While a slot moves key by key, a command that names a missing key is put off: no more are named than it takes.
        answer = self._do(
            _APPEND,
            _keys(record.id)[: 3 if receipt else 2],
            os.urandom(MARK_BYTES),
            before.version,
            after.version,
            encode_table(after),
            at,
            record.lifetime,
            receipt[0] if receipt else b"",
            _encode_receipt(receipt[1]) if receipt else b"",
            *map(encode_event, events),
        )
        if answer in (b"done", b"moved"):
            return Written(done=answer == b"done")
        return Written(done=False, receipt=_decode_receipt(answer))

    def confirm(self, game_id: str) -> None:
        """Return when everything that was ever read of the game is as durable as the store promises."""
        if self._wait:
            self._do(_CONFIRM, _keys(game_id)[:1])

    def history(self, game_id: str, first: int, last: int) -> tuple[Kept, list[Event]] | None:
        """The game, and its events `first` to `last`, as far as there are."""
        game, events, _ = _keys(game_id)
        fields, lines = self._ask(
            game, ("HMGET", game, "r", "s", "v", "t"), ("LRANGE", events, first - 1, max(first, last) - 1)
        )
        kept = _kept(fields)
        if kept is None:
            return None
        # A write may have come between the two commands: its events are of a later version. Or the game's end.
        count = max(0, min(last, kept.table.version) - first + 1)
        return (kept, [decode_event(line) for line in lines[:count]]) if len(lines) >= count else None

    def delete(self, record: Record, version: int | None = None) -> bool:
        """Leave nothing of the game behind, if there is one and it still is at that version; whether that was done."""
        return bool(self._do(_DELETE, _keys(record.id), "" if version is None else version) == b"done")

    def ping(self) -> None:
        """Raise `StoreAway` if the store does not answer, or cannot promise what it is to promise."""
        # Of a cluster any server will do: one that is away must not take the games of the others with it.
        for attempt in range(PINGS):
            try:
                self._write(os.urandom(8).hex(), ("PING",))
            except StoreAway as error:
                if attempt == PINGS - 1 or isinstance(error, DurabilityUnknown):
                    raise
            else:
                return

    def _do(self, script: Script, keys: Sequence[str], *arguments: Any) -> Any:
        """Run a script on a game's keys. The server knows it by its hash, unless it was started anew."""
        rest = (len(keys), *keys, *arguments)
        try:
            return self._write(keys[0], ("EVALSHA", script.sha, *rest))
        except NoScriptError:
            return self._write(keys[0], ("EVAL", script.source, *rest))

    def _write(self, key: str, command: Command) -> Any:
        """The reply to a command, once what it wrote is durable. Raises `NoScriptError`."""
        (reply, *waited), is_resent = self._link.run(key, [command], self._wait)
        if isinstance(reply, NoScriptError):
            raise reply
        if isinstance(reply, RedisError):
            raise refused(reply)
        if waited and not _is_enough(waited[0]):
            raise DurabilityUnknown(f"{self._wait and self._wait.command[0]}: {waited[0]}")
        if reply == b"overtaken":
            # So many writes followed the one that this one saw that its mark may have been among them, and gone.
            if is_resent:
                raise StoreAway("whether the first attempt was carried out is not known")
            return b"moved"
        return reply

    def _ask(self, key: str, *commands: Command) -> list[Any]:
        """The replies to commands that only read."""
        replies, _ = self._link.run(key, commands)
        for reply in replies:
            if isinstance(reply, RedisError):
                raise refused(reply)
        return replies


def _is_enough(waited: Any) -> bool:
    """Whether the reply to a wait counts one server or more: WAIT says how many, WAITAOF how many here and there."""
    if isinstance(waited, RedisError):
        return False
    return bool((waited[0] if isinstance(waited, list) else waited) >= 1)


def _kept(fields: Sequence[bytes | None]) -> Kept | None:
    record, state, version, at = fields
    if record is None or state is None or version is None or at is None:
        return None
    return Kept(decode_table(decode_record(record), int(version), state), int(at))


def _encode_receipt(receipt: Receipt) -> bytes:
    return _RECEIPT.pack(receipt.at, receipt.first, receipt.last, receipt.request)


def _decode_receipt(data: bytes) -> Receipt:
    at, first, last, request = _RECEIPT.unpack(data)
    return Receipt(request, first, last, at)
