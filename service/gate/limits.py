"""How often, and how many: counted in Redis, for all processes and machines together.

A client, a token and a creator each have a bucket of permits that refills steadily. So that a busy client does not cost
a round trip for each request, a process fetches a hundredth of the bucket at a time and spends it by itself; a limit is
therefore exact to that hundredth for each process, on the strict side, and small limits are exact.

What cannot be counted because the store is away is allowed, and counted as skipped.
"""

import hashlib
import logging
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from redis.exceptions import NoScriptError, RedisError

from service.config import Rate
from service.store.interface import StoreAway

Send = Callable[[str, tuple[Any, ...]], Any]
"""Sends a command about one key to the store. Raises `RedisError` or `StoreAway`."""

SHARE: Final = 100
"""A process fetches this part of a bucket at a time,"""
SHARE_SECONDS: Final = 10.0
"""and what it has not spent after so long is lost."""
AWAY_SECONDS: Final = 2.0
"""So long nothing is asked of a store that was away."""
REMEMBERED: Final = 10_000
"""Buckets that a process remembers at a time."""

_TAKE: Final = """
local limit, window, wanted = tonumber(ARGV[1]), ARGV[2] * 1000, tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local kept = redis.call('HMGET', KEYS[1], 'permits', 'at')
local permits = limit
if kept[1] then permits = math.min(limit, kept[1] + math.max(0, now - kept[2]) * limit / window) end
local granted = math.min(wanted, math.floor(permits))
redis.call('HSET', KEYS[1], 'permits', permits - granted, 'at', now)
redis.call('PEXPIRE', KEYS[1], window)
return {granted, math.floor(permits - granted), granted > 0 and 0 or math.ceil((1 - permits) * window / limit)}
"""

_OPEN: Final = """
local time = redis.call('TIME')
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', time[1])
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 1 end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], time[1] + ARGV[3], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
"""

log = logging.getLogger("service.limits")


class Policy:
    """A limit and what it is called."""

    __slots__ = ("name", "rate", "text")

    def __init__(self, name: str, rate: Rate) -> None:
        self.name = name
        self.rate = rate
        self.text = f'"{name}";q={rate.limit};w={rate.window}'
        """As the header has it."""


class Standing(NamedTuple):
    """How a client stands with a policy after this request."""

    policy: Policy
    allowed: bool
    left: int
    """Permits left in the bucket."""
    wait: int
    """Seconds until the next permit, if there is none."""

    @property
    def text(self) -> str:
        """As the header has it: what is left, and the seconds until the bucket is full again."""
        limit, window = self.policy.rate
        return f'"{self.policy.name}";r={self.left};t={-((self.left - limit) * window // limit)}'


@dataclass(slots=True)
class _Share:
    """The part of a bucket that a process holds."""

    permits: int
    """What it may spend by itself."""
    left: int
    """What was left in the bucket."""
    until: float
    """When it ends: with no permits granted, when the next one can be had."""
    granted: bool


class Limits:
    """The buckets and the open games of every client."""

    def __init__(self, send: Send, skipped: Callable[[], None]) -> None:
        """`skipped` is told of every limit that could not be checked."""
        self._send = send
        self._skipped = skipped
        self._shares: dict[str, _Share] = {}
        self._lock = threading.Lock()
        self._away_until = 0.0

    def take(self, policy: Policy, who: str) -> Standing | None:
        """A permit from the bucket of somebody, or none; `None` if it cannot be told."""
        key = _bucket(policy.name, who)
        return self._spend(key, policy) or self._fetch(key, policy)

    def _spend(self, key: str, policy: Policy) -> Standing | None:
        """From what this process holds."""
        with self._lock:
            share, now = self._shares.get(key), time.monotonic()
            if share is None or now >= share.until:
                return None
            if not share.granted:
                return Standing(policy, allowed=False, left=0, wait=math.ceil(share.until - now))
            if not share.permits:
                return None
            share.permits -= 1
            return Standing(policy, allowed=True, left=share.left + share.permits, wait=0)

    def _fetch(self, key: str, policy: Policy) -> Standing | None:
        """From the store."""
        limit, window = policy.rate
        reply = self._run(_TAKE, key, limit, window, max(1, limit // SHARE))
        if reply is None:
            return None
        granted, left, wait = reply
        seconds = SHARE_SECONDS if granted else wait / 1000
        share = _Share(max(0, granted - 1), left, time.monotonic() + seconds, granted=granted > 0)
        self._hold(key, share)
        return Standing(policy, share.granted, left + share.permits, math.ceil(wait / 1000))

    def _hold(self, key: str, share: _Share) -> None:
        with self._lock:
            if len(self._shares) >= REMEMBERED:
                now = time.monotonic()
                self._shares = {name: held for name, held in self._shares.items() if held.until > now}
            if len(self._shares) >= REMEMBERED:
                self._shares.clear()
            self._shares[key] = share

    def open(self, opener: str, game_id: str, most: int, lifetime: int) -> bool:
        """Count a new game among those that somebody has open; whether there was room.

        It counts until it is closed, at most for `lifetime` seconds.
        """
        allowed = self._run(_OPEN, _opened(opener), game_id, most, lifetime)
        return allowed is None or bool(allowed)

    def close(self, opener: str, game_id: str) -> None:
        """The game is over or gone: it does not count any more."""
        self._ask(_opened(opener), ("ZREM", _opened(opener), game_id))

    def _run(self, script: str, key: str, *arguments: Any) -> Any:
        """Run a script on one key; `None` if the store is away."""
        sha = hashlib.sha1(script.encode(), usedforsecurity=False).hexdigest()
        return self._ask(key, ("EVALSHA", sha, 1, key, *arguments), or_else=("EVAL", script, 1, key, *arguments))

    def _ask(self, key: str, command: tuple[Any, ...], or_else: tuple[Any, ...] | None = None) -> Any:
        if time.monotonic() < self._away_until:
            self._skipped()
            return None
        try:
            return self._send(key, command)
        except NoScriptError:
            return self._ask(key, or_else) if or_else else None
        except (RedisError, StoreAway) as error:
            self._away_until = time.monotonic() + AWAY_SECONDS
            self._skipped()
            log.warning("limits are not checked: %s", type(error).__name__)
            return None


@lru_cache(maxsize=1024)
def _bucket(policy: str, who: str) -> str:
    return f"lc:limit:{policy}:{hashed(who)}"


def _opened(opener: str) -> str:
    """The key under which the open games of somebody are counted."""
    return f"lc:open:{opener}"


def hashed(who: str) -> str:
    """Somebody's mark: neither an address nor a token is kept."""
    return hashlib.sha256(who.encode()).hexdigest()[:24]
