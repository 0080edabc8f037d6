"""Rate limits, counted in the store for all workers and instances together.

`RATE_LIMITS` sets five policies. `creation` limits `POST /games` and forks by client address. `record` limits by client
address the calls that replay a record: they cost the most. `thinking` limits by client address the seconds that experts
think. `client` limits all calls by client address. `token` limits all calls by bearer token. Unknown paths and the
operations endpoints are never limited.

A limit is a sliding window: a client cannot use two full windows back to back. All limits of a request that have one
owner are counted in one round trip (`store/lua/limit.lua`), which also returns what the `RateLimit` headers say.

While the store is unavailable, each worker counts in its own memory, by the `limits` library.
"""

import hashlib
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from flask import Flask, Response, g, request
from limits import RateLimitItem, parse_many
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from redis.exceptions import RedisError

from lostcities.api.errors import ProblemError
from lostcities.api.request import bearer_token
from lostcities.auth import CREATE_GAME, FORK_GAME, client_address
from lostcities.config import RateLimits, Settings
from lostcities.games.storage import StoreUnavailable
from lostcities.observability.metrics import Metrics
from lostcities.store.client import Client, script
from lostcities.variants.core import Text

OPERATIONS: Final = "operations."
"""Prefix of the endpoints that are never limited."""
VERIFY_RECORD: Final = "variants.verify"
"""Prefix of the endpoints that verify a record."""
KEY_PREFIX: Final = "lc:limit"
"""Prefix of the Redis keys. The rest is a hash of the address or token, and the name of the limit."""
TIMEOUT_SECONDS: Final = 0.25
"""A check that takes longer falls back to the worker's memory."""
MAX_RETRY_AFTER: Final = 3600
"""The maximum of `Retry-After` in the contract, in seconds."""
UNITS: Final[Mapping[str, int]] = {"thinking": 1000}
"""What a policy counts, as parts of the unit of its setting: thinking is set in seconds and counted in milliseconds."""

Mode = Literal["hit", "test", "charge"]
"""`hit` counts if the limits allow it, `test` does not count, `charge` counts in any case."""

_COUNT: Final = script("limit")


class Limit(NamedTuple):
    """One limit of a policy."""

    policy: str
    name: str
    """Unique among all limits, as in `creation-day`."""
    item: RateLimitItem
    """The limit in the form of the `limits` library, in the unit that is counted."""
    quota: int
    """In the unit of the setting."""

    @property
    def seconds(self) -> int:
        """The length of the window."""
        return self.item.get_expiry()

    def __str__(self) -> str:
        return f"{self.quota} per {self.item.multiples} {self.item.GRANULARITY.name}"


class Standing(NamedTuple):
    """Where an address or a token stands with a limit."""

    limit: Limit
    remaining: float
    """What is left, in the unit of the setting."""
    wait: float
    """Seconds until the limit allows the request; 0 if it does."""
    window_ends: float
    """Seconds until the current window ends."""


class Limiter:
    """Counts requests against the configured limits."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        """Nothing is connected before the first limit is checked."""
        if settings.redis_url is None:
            raise ValueError("redis_url is required")
        self.policies = policies(settings.rate_limits)
        self._proxies = settings.trusted_proxies
        self._metrics = metrics
        # A request that was sent again would be counted twice.
        self._client = Client(settings.redis_url, timeout=TIMEOUT_SECONDS, resends=False)
        self._memory = SlidingWindowCounterRateLimiter(MemoryStorage())

    def hit(self, *names: str) -> None:
        """Count the current request against these policies. Raises a 429 problem if one of them is used up."""
        self._refuse(self._count("hit", 1, names))

    def test(self, name: str) -> None:
        """Raise a 429 problem if the policy is used up. Counts nothing."""
        self._refuse(self._count("test", 1, [name]))

    def charge(self, name: str, amount: float) -> None:
        """Count an amount, in the unit of the setting, although it may be more than what is left."""
        self._count("charge", math.ceil(amount * UNITS.get(name, 1)), [name])

    def _count(self, mode: Mode, cost: int, names: Sequence[str]) -> list[Standing]:
        """Count the cost against the policies, for the address or the token of the current request."""
        by_owner: dict[str, list[Limit]] = {}
        for name in names:
            if limits := self.policies.get(name):
                owner = bearer_token() if name == "token" else client_address(self._proxies)
                if owner:
                    by_owner.setdefault(owner, []).extend(limits)
        standings: list[Standing] = []
        for owner, limits in by_owner.items():
            hashed = hash_identity(owner)
            try:
                standings += self._count_in_store(mode, cost, hashed, limits)
            except StoreUnavailable:
                self._metrics.limits_skipped.inc()
                standings += [self._count_in_memory(mode, cost, hashed, limit) for limit in limits]
        if standings:
            g.rate_limits = {**g.get("rate_limits", {}), **{standing.limit: standing for standing in standings}}
        return standings

    def _count_in_store(self, mode: Mode, cost: int, owner: str, limits: Sequence[Limit]) -> list[Standing]:
        # The braces are a hash tag: all limits of an owner are in one slot of a cluster.
        keys = [f"{KEY_PREFIX}:{{{owner}}}:{limit.name}" for limit in limits]
        windows = [number for limit in limits for number in (limit.item.amount, limit.seconds * 1000)]
        (reply,), _ = self._client.run_script(_COUNT, keys, cost, mode, *windows)
        if isinstance(reply, RedisError):
            raise StoreUnavailable(str(reply))
        return [
            Standing(limit, remaining / UNITS.get(limit.policy, 1), wait / 1000, window_ends / 1000)
            for limit, (remaining, wait, window_ends) in zip(limits, reply, strict=True)
        ]

    def _count_in_memory(self, mode: Mode, cost: int, owner: str, limit: Limit) -> Standing:
        key = (limit.name, owner)
        if mode == "charge":
            cost = min(cost, self._memory.get_window_stats(limit.item, *key).remaining)
        count = self._memory.test if mode == "test" else self._memory.hit
        is_allowed = count(limit.item, *key, cost=cost)
        stats = self._memory.get_window_stats(limit.item, *key)
        window_ends = max(0.0, stats.reset_time - time.time())
        wait = 0.0 if is_allowed else max(window_ends, 1.0)
        return Standing(limit, stats.remaining / UNITS.get(limit.policy, 1), wait, window_ends)

    def _refuse(self, standings: Sequence[Standing]) -> None:
        """Raise a 429 problem if a limit does not allow the request."""
        exceeded = max(standings, key=lambda standing: standing.wait, default=None)
        if exceeded is None or not exceeded.wait:
            return
        limit = exceeded.limit
        self._metrics.requests_limited.labels(limit.policy).inc()
        detail = Text("too many requests: the limit '{policy}' is {limit}", policy=limit.policy, limit=limit)
        seconds = min(math.ceil(exceeded.wait), MAX_RETRY_AFTER)
        raise ProblemError(429, "too-many-requests", detail, headers={"Retry-After": str(seconds)})


def limit_requests(app: Flask, limiter: Limiter) -> None:
    """Answer requests over the limits with 429. Limited calls get the `RateLimit` headers."""
    if not limiter.policies:
        return
    general = [name for name in ("client", "token") if name in limiter.policies]

    @app.before_request
    def count_request() -> None:
        endpoint = request.endpoint
        if endpoint is None or endpoint.startswith(OPERATIONS) or request.method == "OPTIONS":
            return
        if endpoint in (CREATE_GAME, FORK_GAME):
            limiter.hit("creation", *general)
        elif endpoint.startswith(VERIFY_RECORD):
            limiter.hit("record", *general)
        elif general:
            limiter.hit(*general)

    @app.after_request
    def add_headers(response: Response) -> Response:
        if standings := g.get("rate_limits"):
            response.headers.extend(headers_of(standings.values()))
        return response


def policies(settings: RateLimits | None) -> Mapping[str, Sequence[Limit]]:
    """The limits of each policy that has some.

    >>> [str(limit) for limit in policies(RateLimits(creation="60/minute;2000/2 days"))["creation"]]
    ['60 per 1 minute', '2000 per 2 day']
    """
    chosen = settings._asdict() if settings else {}
    return {name: [_limit(name, item) for item in parse_many(text)] for name, text in chosen.items() if text}


def _limit(policy: str, item: RateLimitItem) -> Limit:
    counted = type(item)(item.amount * UNITS.get(policy, 1), item.multiples)
    window = item.GRANULARITY.name if item.multiples == 1 else f"{item.multiples}-{item.GRANULARITY.name}s"
    return Limit(policy, f"{policy}-{window}", counted, item.amount)


def headers_of(standings: Iterable[Standing]) -> list[tuple[str, str]]:
    """The header fields of the IETF draft "RateLimit header fields for HTTP"."""
    policies, states = [], []
    for limit, remaining, wait, window_ends in standings:
        policies.append(f'"{limit.name}";q={limit.quota};w={limit.seconds}')
        states.append(f'"{limit.name}";r={math.floor(remaining)};t={math.ceil(wait or window_ends)}')
    return [("RateLimit-Policy", ", ".join(policies)), ("RateLimit", ", ".join(states))]


def hash_identity(identity: str) -> str:
    """The hash of an address or a token that is used in Redis keys."""
    return hashlib.sha256(identity.encode()).hexdigest()[:24]
