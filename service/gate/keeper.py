"""The gate itself: what every request passes before it is looked at."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final, cast

from flask import Flask, Request, g, request

from service.api.notes import add_header
from service.api.problems import Problem
from service.config import Network, RateLimits, Settings
from service.gate.clients import address_of, is_known
from service.gate.limits import Limits, Policy, Standing, hashed
from service.live.hub import HAS_WAITED
from service.sight.metrics import Metrics
from service.store.interface import Receipt, Store, StoreAway, Written
from service.table.game import Event, Record, Table

CREATION: Final = "games.createGame"
OPERATIONS: Final = "operations."
"""Those who operate the service are not limited."""


def keep(app: Flask, settings: Settings, limits: Limits, metrics: Metrics) -> None:
    """Refuse a creator without a key, where keys are asked for, and whoever asks too often."""
    rates = settings.rate_limits
    if rates:
        by_client, by_token = Policy("client", rates.client), Policy("token", rates.token)
        by_creator = Policy("creation", rates.creation)

    @app.before_request
    def admit() -> None:
        asked: Request = request._get_current_object()  # type: ignore[attr-defined]
        endpoint, environ = asked.endpoint or "", asked.environ
        if endpoint.startswith(OPERATIONS) or asked.method == "OPTIONS" or HAS_WAITED in environ:
            return
        client, token = _caller(
            asked.remote_addr,
            environ.get("HTTP_X_FORWARDED_FOR", ""),
            environ.get("HTTP_AUTHORIZATION", ""),
            settings.trusted_proxies,
        )
        if endpoint == CREATION and settings.api_keys and not is_known(token or "", settings.api_keys):
            detail = "creating a game takes a key of this service: send 'Authorization: Bearer' and the key"
            raise Problem(401, "api-key-required", detail, headers={"WWW-Authenticate": "Bearer"})
        if rates is None:
            return
        due = [(by_client, client)]
        if token:
            due.append((by_token, token))
        if endpoint == CREATION:
            g.client = client
            due.append((by_creator, client))
        _take(limits, metrics, due)


def _take(limits: Limits, metrics: Metrics, due: Iterable[tuple[Policy, str]]) -> None:
    """Take a permit from every bucket that is due, and tell how the caller stands."""
    standings: list[Standing] = []
    for policy, who in due:
        if standing := limits.take(policy, who):
            standings.append(standing)
            if not standing.allowed:
                break
    if standings:
        add_header("RateLimit-Policy", ", ".join([standing.policy.text for standing in standings]))
        add_header("RateLimit", ", ".join([standing.text for standing in standings]))
        if not standings[-1].allowed:
            metrics.requests_limited.labels(standings[-1].policy.name).inc()
            raise _too_many(standings[-1])


@lru_cache(maxsize=1024)
def _caller(
    peer: str | None, forwarded: str, authorization: str, trusted: tuple[Network, ...]
) -> tuple[str, str | None]:
    """The address of the caller, and its token."""
    scheme, _, token = authorization.partition(" ")
    return address_of(peer, forwarded, trusted), token.strip() or None if scheme.lower() == "bearer" else None


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

    def create(self, table: Table, events: Sequence[Event], opener: str = "") -> bool:
        """Keep a new game, if its creator may open one more."""
        record, opener = table.record, opener or hashed(g.client)
        if not self._limits.open(opener, record.id, self._most, record.lifetime // 1000):
            self._metrics.requests_limited.labels("open").inc()
            detail = f"at most {self._most} open games for each client: finish or delete some"
            raise Problem(429, "too-many-games", detail, headers={"Retry-After": "60"})
        return self._store.create(table, events, opener)

    def append(
        self, before: Table, after: Table, events: Sequence[Event], at: int, receipt: tuple[bytes, Receipt] | None
    ) -> Written:
        """Add events; a game that they end is not open any more."""
        written = self._store.append(before, after, events, at, receipt)
        if written.done and after.is_over:
            with suppress(StoreAway):  # the move was made
                self._close(before.record.id, self._store.opener(before.record.id))
        return written

    def delete(self, record: Record, version: int | None = None) -> bool:
        """Leave nothing of the game behind; one that is gone is open no more."""
        opener = self._store.opener(record.id)
        done = self._store.delete(record, version)
        if done:
            self._close(record.id, opener)
        return done

    def _close(self, game_id: str, opener: str) -> None:
        if opener:
            self._limits.close(opener, game_id)


def counted(store: Store, limits: Limits, metrics: Metrics, rates: RateLimits) -> Store:
    """The store, with the open games of every client counted and limited."""
    return cast("Store", _Counted(store, limits, metrics, rates))
