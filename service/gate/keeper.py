"""The gate itself: what every request passes before it is looked at."""

from collections.abc import Sequence
from typing import Any, Final, cast

from flask import Flask, Response, g, request

from service.api.problems import Problem
from service.config import RateLimits, Settings
from service.gate.clients import address_of, is_known
from service.gate.limits import Limits, Policy, Standing
from service.live.hub import HAS_WAITED
from service.sight.metrics import Metrics
from service.store.interface import Receipt, Store, Written
from service.table.game import Event, Record, Table

CREATION: Final = "games.createGame"


def keep(app: Flask, settings: Settings, limits: Limits, metrics: Metrics) -> None:
    """Refuse a creator without a key, where keys are asked for, and whoever asks too often."""

    @app.before_request
    def admit() -> None:
        if request.blueprint == "operations" or request.method == "OPTIONS" or HAS_WAITED in request.environ:
            return
        token = _token()
        if request.endpoint == CREATION and settings.api_keys and not is_known(token or "", settings.api_keys):
            detail = "creating a game takes a key of this service: send 'Authorization: Bearer' and the key"
            raise Problem(401, "api-key-required", detail, headers={"WWW-Authenticate": "Bearer"})
        if settings.rate_limits is None:
            return
        g.client = address_of(request.remote_addr, request.headers.get("X-Forwarded-For", ""), settings.trusted_proxies)
        g.standings = []
        for policy, who in _due(settings.rate_limits, g.client, token):
            standing = limits.take(policy, who)
            if standing:
                g.standings.append(standing)
                if not standing.allowed:
                    metrics.requests_limited.labels(policy.name).inc()
                    raise _too_many(standing)

    @app.after_request
    def tell(response: Response) -> Response:
        standings: Sequence[Standing] = g.get("standings") or ()
        if standings:
            response.headers["RateLimit-Policy"] = ", ".join(
                f'"{policy.name}";q={policy.rate.limit};w={policy.rate.window}' for policy, *_ in standings
            )
            response.headers["RateLimit"] = ", ".join(
                f'"{standing.policy.name}";r={standing.left};t={standing.refill}' for standing in standings
            )
        return response


def _due(rates: RateLimits, client: str, token: str | None) -> list[tuple[Policy, str]]:
    """The buckets that this request takes from, and whose they are."""
    due = [(Policy("client", rates.client), client)]
    if token:
        due.append((Policy("token", rates.token), token))
    if request.endpoint == CREATION:
        due.append((Policy("creation", rates.creation), client))
    return due


def _token() -> str | None:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def _too_many(standing: Standing) -> Problem:
    limit, window = standing.policy.rate
    detail = f"at most {limit} requests in {window} seconds (policy '{standing.policy.name}'): try again later"
    return Problem(429, "too-many-requests", detail, headers={"Retry-After": str(max(1, standing.wait))})


class _Counted:
    """A store that counts the games each client has open, and takes no more than it may have."""

    def __init__(self, store: Store, limits: Limits, metrics: Metrics, rates: RateLimits) -> None:
        self._store = store
        self._limits = limits
        self._metrics = metrics
        self._most = rates.open

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def create(self, table: Table, events: Sequence[Event]) -> bool:
        """Keep a new game, if its creator may open one more."""
        record = table.record
        if not self._limits.open(g.client, record.id, self._most, record.lifetime // 1000):
            self._metrics.requests_limited.labels("open").inc()
            detail = f"at most {self._most} open games for each client: finish or delete some"
            raise Problem(429, "too-many-games", detail, headers={"Retry-After": "60"})
        return self._store.create(table, events)

    def append(
        self, before: Table, after: Table, events: Sequence[Event], at: int, receipt: tuple[bytes, Receipt] | None
    ) -> Written:
        """Add events; a game that they end is not open any more."""
        written = self._store.append(before, after, events, at, receipt)
        if written.done and after.is_over:
            self._limits.close(before.record.id)
        return written

    def delete(self, record: Record, version: int | None = None) -> bool:
        """Leave nothing of the game behind; one that is gone is open no more."""
        done = self._store.delete(record, version)
        if done:
            self._limits.close(record.id)
        return done


def counted(store: Store, limits: Limits, metrics: Metrics, rates: RateLimits) -> Store:
    """The store, with the open games of every client counted and limited."""
    return cast("Store", _Counted(store, limits, metrics, rates))
