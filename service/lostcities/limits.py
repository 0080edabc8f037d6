"""Rate limits by Flask-Limiter, counted in Redis for all workers and instances together.

`RATE_LIMITS` sets five policies. `creation` limits `POST /games` by client address. `record` limits by client address
the calls that replay a record: they cost the most. `thinking` limits by client address the decisions that an expert
thinks about. `client` limits all calls by client address. `token` limits all calls by bearer token. Unknown paths and
the operations endpoints are never limited.

Strategy: `sliding-window-counter`. It costs one script call per limit, as `fixed-window` does, but a client cannot use
two full windows back to back. `moving-window` would store an entry for each request.

Only a 429 response carries limit headers (`Retry-After`). The headers that Flask-Limiter can add to every response cost
another round trip to Redis.

While Redis is unavailable, each worker counts in its own memory (`in_memory_fallback_enabled`). Flask-Limiter retries
Redis after 1, 2, 4 … 32 seconds.
"""

import hashlib
import math
import threading
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast
from urllib.parse import quote

import gevent
from flask import Flask, g, request
from flask_limiter import ApplicationLimit, Limiter, RateLimitExceeded, RouteLimit
from limits.storage import RedisStorage, SlidingWindowCounterSupport, Storage, storage_from_string
from redis.backoff import NoBackoff
from redis.retry import Retry

from lostcities.api.problems import Problem
from lostcities.auth import CREATE_GAME, bearer_token, client_address
from lostcities.config import Settings
from lostcities.observability.metrics import Metrics
from lostcities.store.address import parse

OPERATIONS: Final = "operations."
"""Prefix of the endpoints that are never limited."""
VERIFY_RECORD: Final = "variants.verify"
"""Prefix of the endpoints that verify a record."""
KEY_PREFIX: Final = "lc:limit"
"""Prefix of the Redis keys. The rest is a hash of the address or token, the policy and the limit."""
TIMEOUT_SECONDS: Final = 0.25
"""Seconds. A check that takes longer falls back to the worker's memory."""
MAX_CONNECTIONS: Final = 4096
"""Redis connections per worker for limits. An exhausted pool would be treated as an unavailable Redis."""
MAX_RETRY_AFTER: Final = 3600
"""The maximum of `Retry-After` in the contract, in seconds."""

_THINKING: Final = "count_thinking"
"""The name of the extension that counts thinking, and of the mark of a request that is being counted."""

T = TypeVar("T")


def limit_requests(app: Flask, settings: Settings, metrics: Metrics) -> None:
    """Answer requests over the configured limits with 429. Connects to Redis when the first limit is checked."""
    app.extensions["check_record_limit"] = lambda: None
    limits = settings.rate_limits
    if limits is None or settings.redis_url is None:
        return
    redis_url = settings.redis_url
    has_general_limits = bool(limits.client or limits.token)

    def key_of(identity: str) -> str:
        if limiter.limiter.storage is not limiter.storage:
            metrics.limits_skipped.inc()
        return hash_identity(identity)

    def by_address() -> str:
        return key_of(client_address(settings.trusted_proxies))

    def by_token() -> str:
        return key_of(bearer_token())

    policies = [
        ApplicationLimit(limits.creation, scope="creation", key_function=by_address, exempt_when=_is_no_creation),
        ApplicationLimit(limits.client, scope="client", key_function=by_address),
        ApplicationLimit(limits.token, scope="token", key_function=by_token, exempt_when=_has_no_token),
    ]
    options: dict[str, Any] = {"connect": lambda: connect(redis_url)}
    limiter = Limiter(
        by_address,
        app=app,
        application_limits=[policy for policy in policies if policy.limit_provider],
        strategy="sliding-window-counter",
        storage_uri=f"{DeferredStorage.STORAGE_SCHEME[0]}://",
        storage_options=options,
        in_memory_fallback_enabled=True,
        # When several requests meet a failing Redis at the same time, only the first one starts the fallback.
        swallow_errors=True,
    )

    @limiter.request_filter
    def is_unlimited() -> bool:
        endpoint = request.endpoint or ""
        is_exempt = endpoint.startswith(OPERATIONS) or request.method == "OPTIONS"
        is_limited = endpoint == CREATE_GAME or _is_verification() or has_general_limits or _THINKING in g
        return is_exempt or not is_limited

    if limits.record:
        _limit_records(app, limiter.shared_limit(limits.record, "record", key_func=by_address))
    if limits.thinking:
        app.extensions[_THINKING] = limiter.shared_limit(limits.thinking, "thinking", key_func=by_address)(_count)

    @app.errorhandler(RateLimitExceeded)
    def refuse(error: RateLimitExceeded) -> Any:
        policy = str(error.limit.scope)
        metrics.requests_limited.labels(policy).inc()
        detail = f"too many requests: the limit '{policy}' is {error.limit.limit}"
        headers = {"Retry-After": str(_retry_after(limiter))}
        return Problem(429, "too-many-requests", detail, headers=headers).response()


def _limit_records(app: Flask, limit: RouteLimit) -> None:
    """Limit the calls that replay a record.

    Verification is limited before its body is read. A creation is limited by its view, because only the body says
    whether there is a record to import: the limit is on a function that the view calls.
    """

    @limit
    def check_record_limit() -> None:
        """Count a record. Raises `RateLimitExceeded`."""

    @app.before_request
    def limit_verification() -> None:
        if _is_verification() and request.method != "OPTIONS":
            check_record_limit()

    app.extensions["check_record_limit"] = check_record_limit


def count_thinking(app: Flask, *, is_first: bool) -> None:
    """Count a decision that an expert thinks about for the current request. Raises `RateLimitExceeded` for the first.

    A request that began to think goes on to its end. Otherwise one that needs more decisions than the limit allows
    could never succeed. The code that starts an expert calls this: the address of a request does not say whether one
    will think.
    """
    if count := app.extensions.get(_THINKING):
        setattr(g, _THINKING, True)
        try:
            count()
        except RateLimitExceeded:
            if is_first:
                raise


def _count() -> None:
    """Does nothing. Flask-Limiter counts the calls of decorated functions."""


def hash_identity(identity: str) -> str:
    """The hash of an address or a token that is used in Redis keys."""
    return hashlib.sha256(identity.encode()).hexdigest()[:24]


def _is_no_creation() -> bool:
    return request.endpoint != CREATE_GAME


def _is_verification() -> bool:
    return (request.endpoint or "").startswith(VERIFY_RECORD)


def _has_no_token() -> bool:
    return not bearer_token()


def _retry_after(limiter: Limiter) -> int:
    """Seconds until the exceeded limit allows another request."""
    limit = limiter.current_limit
    try:
        seconds = math.ceil(limit.window.reset_time - time.time()) if limit else 1
    except Exception:  # Redis failed after the limit was checked; `limits` raises redis-py's exceptions
        seconds = 1
    return min(max(seconds, 1), MAX_RETRY_AFTER)


class DeferredStorage(Storage, SlidingWindowCounterSupport):
    """A Redis storage of `limits` that connects at its first call and bounds the time of each call.

    The storage for clusters connects in its constructor and raises if no server answers. A worker must start anyway.
    """

    STORAGE_SCHEME = ["deferred"]  # noqa: RUF012 - as the base class declares it

    def __init__(self, uri: str, connect: Callable[[], RedisStorage]) -> None:
        super().__init__(uri)
        self._connect = connect
        self._redis: RedisStorage | None = None
        self._connecting = threading.Lock()

    def _call(self, question: Callable[[RedisStorage], T]) -> T:
        """Call the storage; connect first if necessary. Raises `TimeoutError` and redis-py's exceptions."""
        # gevent measures timeouts from the start of the current loop iteration, which may be some time ago.
        gevent.get_hub().loop.update_now()
        # A BaseException: redis-py catches Exception while it discovers the nodes of a cluster.
        timeout = gevent.Timeout.start_new(TIMEOUT_SECONDS)
        try:
            with self._connecting:
                if self._redis is None:
                    self._redis = self._connect()
            return question(self._redis)
        except gevent.Timeout as expired:
            if expired is not timeout:
                raise
            raise TimeoutError("Redis did not answer in time") from None
        finally:
            timeout.close()

    @property
    def base_exceptions(self) -> type[Exception] | tuple[type[Exception], ...]:
        """The exception types of this storage."""
        return Exception

    def acquire_sliding_window_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count a request if the limit allows it. Returns whether it does."""
        return self._call(lambda redis: redis.acquire_sliding_window_entry(key, limit, expiry, amount))

    def get_sliding_window(self, key: str, expiry: int) -> tuple[int, float, int, float]:
        """Count and time to live of the previous window, then of the current window."""
        return self._call(lambda redis: redis.get_sliding_window(key, expiry))

    def clear_sliding_window(self, key: str, expiry: int) -> None:
        """Delete the counts of this key."""
        self._call(lambda redis: redis.clear_sliding_window(key, expiry))

    def check(self) -> bool:
        """Whether Redis answers. Reads a key: PING would go to all nodes of a cluster, failed replicas included."""
        try:
            self.get("check")
        except Exception:
            return False
        return True

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Increment a counter."""
        return self._call(lambda redis: redis.incr(key, expiry, amount))

    def get(self, key: str) -> int:
        """The value of a counter."""
        return self._call(lambda redis: redis.get(key))

    def get_expiry(self, key: str) -> float:
        """The time at which a counter expires."""
        return self._call(lambda redis: redis.get_expiry(key))

    def clear(self, key: str) -> None:
        """Delete a counter."""
        self._call(lambda redis: redis.clear(key))

    def reset(self) -> int | None:
        """Delete all counters."""
        return self._call(lambda redis: redis.reset())


def connect(redis_url: str) -> RedisStorage:
    """The storage of `limits` for `REDIS_URL`: a single server, Sentinel or a cluster."""
    address = parse(redis_url)
    connection: dict[str, Any] = {
        "socket_timeout": TIMEOUT_SECONDS,
        "socket_connect_timeout": TIMEOUT_SECONDS,
        "retry": Retry(NoBackoff(), 0),
    }
    options = {**connection, **address.options, "key_prefix": KEY_PREFIX, "max_connections": MAX_CONNECTIONS}
    if address.path:
        return _storage(f"redis+unix://{quote(address.path)}", options)
    hosts = ",".join(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in address.hosts)
    if address.kind == "primary":
        return _storage(f"{'rediss' if address.tls else 'redis'}://{hosts}", options)
    if address.tls:
        connection["ssl"] = options["ssl"] = True
    if address.kind == "cluster":
        return _storage(f"redis+cluster://{hosts}", options)
    # Without this, `limits` sends the primary's credentials to the Sentinels.
    credentials = {"username": None, "password": None}
    options["sentinel_kwargs"] = {**connection, **credentials, **address.sentinel_options}
    return _storage(f"redis+sentinel://{hosts}/{address.service}", {**options, "use_replicas": False})


def _storage(uri: str, options: dict[str, Any]) -> RedisStorage:
    return cast("RedisStorage", storage_from_string(uri, **options))
