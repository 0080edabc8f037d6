"""The store behind the interface: Redis or Valkey.

A game is three keys in one hash slot: a hash (`r` record, `s` state, `v` version, `t` time of the last event,
`w` the last writes), a list of its events, and a hash of receipts. Reading is one round trip, writing another.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any, Final, ParamSpec, TypeVar

import redis
from redis.backoff import ExponentialBackoff
from redis.retry import Retry

from service.store.codec import decode_event, decode_record, decode_table, encode_event, encode_record, encode_table
from service.store.interface import Kept, Receipt, StoreAway, Written
from service.table.game import Event, Record, Table

P = ParamSpec("P")
T = TypeVar("T")

CONNECT_SECONDS: Final = 0.5
ANSWER_SECONDS: Final = 2.0
RECEIPT_LIFETIME: Final = 24 * 60 * 60 * 1000
"""Milliseconds that a game's receipts outlive the last of them."""
RECEIPTS: Final = 1024
"""Receipts kept for one game: beyond that the older half is dropped."""

# redis-py sends a command again when the connection broke before the answer came. A write therefore carries a mark
# of its own, and the last few marks are kept with the game: a write that finds its mark has been done already.
MARK_BYTES: Final = 8
MARKS: Final = 16

_CREATE: Final = """
local marks = redis.call('HGET', KEYS[1], 'w')
if marks then
  return string.find(marks, ARGV[1], 1, true) and 'done' or 'taken'
end
redis.call('HSET', KEYS[1], 'w', ARGV[1], 'r', ARGV[2], 's', ARGV[3], 'v', ARGV[4], 't', ARGV[5])
redis.call('PEXPIRE', KEYS[1], ARGV[6])
if #ARGV > 6 then
  redis.call('RPUSH', KEYS[2], unpack(ARGV, 7))
  redis.call('PEXPIRE', KEYS[2], ARGV[6])
end
return 'done'
"""

_APPEND: Final = f"""
local mark, before, after, state, at, lifetime, key, receipt = unpack(ARGV, 1, 8)
local kept = redis.call('HMGET', KEYS[1], 'v', 'w')
if not kept[1] then return 'moved' end
if string.find(kept[2], mark, 1, true) then return 'done' end
if key ~= '' then
  local earlier = redis.call('HGET', KEYS[3], key)
  if earlier then return earlier end
end
if kept[1] ~= before then return 'moved' end
local marks = string.sub(kept[2] .. mark, -{MARKS * MARK_BYTES})
redis.call('HSET', KEYS[1], 'v', after, 's', state, 't', at, 'w', marks)
redis.call('RPUSH', KEYS[2], unpack(ARGV, 9))
redis.call('PEXPIRE', KEYS[1], lifetime)
redis.call('PEXPIRE', KEYS[2], lifetime)
if key ~= '' then
  redis.call('HSET', KEYS[3], key, receipt)
  redis.call('PEXPIRE', KEYS[3], math.min(lifetime, {RECEIPT_LIFETIME}))
  if redis.call('HLEN', KEYS[3]) > {RECEIPTS} then
    local all, ages = redis.call('HGETALL', KEYS[3]), {{}}
    for i = 2, #all, 2 do ages[#ages + 1] = tonumber(string.match(all[i], '^%d+:(%d+)')) end
    table.sort(ages)
    local oldest = ages[{RECEIPTS // 2}]
    for i = 2, #all, 2 do
      if tonumber(string.match(all[i], '^%d+:(%d+)')) < oldest then redis.call('HDEL', KEYS[3], all[i - 1]) end
    end
  end
end
return 'done'
"""


def _keys(game_id: str) -> list[str]:
    """The game's keys: the braces put them into one slot of a cluster."""
    game = f"lc:{{{game_id}}}"
    return [game, f"{game}:h", f"{game}:k"]


def _guarded(method: Callable[P, T]) -> Callable[P, T]:
    """Whatever the engine complains of, the caller learns that the store is away."""

    def guarded(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return method(*args, **kwargs)
        except redis.RedisError as error:
            raise StoreAway(type(error).__name__) from error

    return guarded


class RedisStore:
    """Games in Redis."""

    def __init__(self, url: str, connections: int = 16) -> None:
        """Nothing is connected before the first call."""
        self._redis: Any = redis.Redis(
            connection_pool=redis.BlockingConnectionPool.from_url(
                url,
                max_connections=connections,
                timeout=ANSWER_SECONDS,
                socket_connect_timeout=CONNECT_SECONDS,
                socket_timeout=ANSWER_SECONDS,
                retry=Retry(ExponentialBackoff(cap=0.1, base=0.02), 2),
                health_check_interval=0,
            )
        )
        self._create = self._redis.register_script(_CREATE)
        self._append = self._redis.register_script(_APPEND)

    @_guarded
    def create(self, table: Table, events: Sequence[Event]) -> bool:
        """Keep a new game, unless there is one of that id."""
        record = table.record
        answer = self._create(
            keys=_keys(record.id)[:2],
            args=[
                os.urandom(MARK_BYTES),
                encode_record(record),
                encode_table(table),
                table.version,
                record.created_at,
                record.lifetime,
                *map(encode_event, events),
            ],
        )
        return bool(answer == b"done")

    @_guarded
    def load(self, game_id: str, key: bytes | None = None) -> Kept | None:
        """The game, with the receipt of that key."""
        game, _, receipts = _keys(game_id)
        if key is None:
            return _kept(self._redis.hmget(game, "r", "s", "v", "t"))
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.hmget(game, "r", "s", "v", "t")
            pipe.hget(receipts, key)
            fields, receipt = pipe.execute()
        kept = _kept(fields)
        return kept._replace(receipt=_decode_receipt(receipt)) if kept and receipt else kept

    @_guarded
    def append(
        self, before: Table, after: Table, events: Sequence[Event], at: int, receipt: tuple[bytes, Receipt] | None
    ) -> Written:
        """Add events and keep a receipt under its key, if the game still is at `before`'s version."""
        record = before.record
        answer = self._append(
            keys=_keys(record.id),
            args=[
                os.urandom(MARK_BYTES),
                before.version,
                after.version,
                encode_table(after),
                at,
                record.lifetime,
                receipt[0] if receipt else b"",
                _encode_receipt(receipt[1]) if receipt else b"",
                *map(encode_event, events),
            ],
        )
        if answer in (b"done", b"moved"):
            return Written(done=answer == b"done")
        return Written(done=False, receipt=_decode_receipt(answer))

    @_guarded
    def history(self, game_id: str, first: int, last: int) -> tuple[Kept, list[Event]] | None:
        """The game, and its events `first` to `last`, as far as there are."""
        game, events, _ = _keys(game_id)
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.hmget(game, "r", "s", "v", "t")
            pipe.lrange(events, first - 1, last - 1)
            fields, lines = pipe.execute()
        kept = _kept(fields)
        # An index of -1 is the list's end to Redis, and "before the first event" to us.
        return (kept, [decode_event(line) for line in lines[: max(0, last - first + 1)]]) if kept else None

    @_guarded
    def delete(self, record: Record) -> bool:
        """Leave nothing of the game behind; whether there was one."""
        return bool(self._redis.delete(*_keys(record.id)))

    @_guarded
    def ping(self) -> None:
        """Raise `StoreAway` if the store does not answer."""
        self._redis.ping()


def _kept(fields: Sequence[bytes | None]) -> Kept | None:
    record, state, version, at = fields
    if record is None or state is None or version is None or at is None:
        return None
    return Kept(decode_table(decode_record(record), int(version), state), int(at))


def _encode_receipt(receipt: Receipt) -> bytes:
    return f"{receipt.at}:{receipt.first}:{receipt.last}:{receipt.request.hex()}".encode()


def _decode_receipt(data: bytes) -> Receipt:
    at, first, last, request = data.decode().split(":")
    return Receipt(bytes.fromhex(request), int(first), int(last), int(at))
