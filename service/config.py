"""The environment as settings, checked once at start."""

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, Self, get_args

from service.store import address
from service.store.redis import TIMEOUT_SECONDS, Durability

_LEVELS: Mapping[str, Durability] = {level: level for level in get_args(Durability)}

DAY = 24 * 60 * 60
LOG_LEVELS = ("debug", "info", "warning", "error")

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class BadSetting(ValueError):
    """A variable of the environment has no usable value."""


class Rate(NamedTuple):
    """So many requests in so many seconds; unused ones are saved up to that number."""

    limit: int
    window: int


class RateLimits(NamedTuple):
    """How much one may ask. The defaults are more than a few cores can answer: no honest client meets them."""

    client: Rate = Rate(600_000, 60)
    """Requests of one address."""
    token: Rate = Rate(600_000, 60)
    """Requests with one token, from wherever."""
    creation: Rate = Rate(60_000, 60)
    """Games created from one address."""
    open: int = 100_000
    """Games created from one address that are neither finished nor deleted nor expired."""


GENEROUS = RateLimits()


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be configured."""

    host: str = "127.0.0.1"
    """HOST: the address to listen on."""
    port: int = 8000
    """PORT: the port to listen on."""
    workers: int = 2
    """WORKERS: processes that answer requests."""
    threads: int = 4
    """THREADS: requests that each of them answers at a time."""
    data_dir: Path = Path(".data")
    """DATA_DIR: where the embedded store keeps its files."""
    redis_url: str | None = None
    """REDIS_URL: the store to use instead of the embedded one; `service/store/address.py` says what it can be."""
    redis_timeout: int = round(TIMEOUT_SECONDS * 1000)
    """REDIS_TIMEOUT: milliseconds after which a store that does not answer is given up."""
    durability: Durability = "memory"
    """DURABILITY: what a write that is acknowledged has reached: `memory`, `aof` (the disk) or `replicated`."""
    game_ttl: int = 30 * DAY
    """GAME_TTL: seconds without an event after which a game expires."""
    max_events: int = 10_000
    """MAX_EVENTS: the most events of one game."""
    max_streams: int = 1000
    """MAX_STREAMS: streams of events and waiting requests that each process holds at a time."""
    cors_origins: tuple[str, ...] = ("*",)
    """CORS_ORIGINS: the origins whose pages may call, separated by commas; `*` is any."""
    rate_limits: RateLimits | None = GENEROUS
    """RATE_LIMITS: `off`, or what differs from the default, as in `client=600/60,creation=10/60,open=100`."""
    trusted_proxies: tuple[Network, ...] = ()
    """TRUSTED_PROXIES: the networks of proxies whose `X-Forwarded-For` is believed, separated by commas."""
    api_keys: tuple[str, ...] = ()
    """API_KEYS: SHA-256 hashes of the keys that games can be created with, separated by commas; none: by anybody."""
    log_level: str = "info"
    """LOG_LEVEL: `debug`, `info` (a line for each request), `warning` or `error`."""
    otel_exporter_otlp_endpoint: str | None = None
    """OTEL_EXPORTER_OTLP_ENDPOINT: where traces are sent; needs the extra `otel`."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """The settings, each by default unless its variable is set. Raises `BadSetting`.

        >>> Settings.from_environment({"PORT": "80.5"})
        Traceback (most recent call last):
            ...
        service.config.BadSetting: PORT must be a whole number from 0 to 65535, not '80.5'
        """
        default = cls()

        def number(name: str, fallback: int, low: int, high: int) -> int:
            text = environment.get(name) or str(fallback)
            if text.isascii() and text.isdigit() and low <= int(text) <= high:
                return int(text)
            raise BadSetting(f"{name} must be a whole number from {low} to {high}, not {text!r}")

        redis_url = environment.get("REDIS_URL") or None
        return cls(
            host=environment.get("HOST") or default.host,
            port=number("PORT", default.port, 0, 65535),
            workers=number("WORKERS", default.workers, 1, 256),
            threads=number("THREADS", default.threads, 1, 256),
            data_dir=Path(environment.get("DATA_DIR") or default.data_dir).absolute(),
            redis_url=redis_url and _store(redis_url),
            redis_timeout=number("REDIS_TIMEOUT", default.redis_timeout, 50, 60_000),
            durability=_durability(environment.get("DURABILITY") or default.durability, redis_url),
            game_ttl=number("GAME_TTL", default.game_ttl, 1, 3650 * DAY),
            max_events=number("MAX_EVENTS", default.max_events, 1, 1_000_000),
            max_streams=number("MAX_STREAMS", default.max_streams, 1, 100_000),
            cors_origins=_origins(environment.get("CORS_ORIGINS") or "*"),
            rate_limits=_rate_limits(environment.get("RATE_LIMITS") or ""),
            trusted_proxies=_networks(environment.get("TRUSTED_PROXIES") or ""),
            api_keys=_hashes(environment.get("API_KEYS") or ""),
            log_level=_log_level(environment.get("LOG_LEVEL") or default.log_level),
            otel_exporter_otlp_endpoint=_endpoint(environment.get("OTEL_EXPORTER_OTLP_ENDPOINT") or None),
        )


def _store(url: str) -> str:
    try:
        address.parse(url)
    except ValueError as error:
        raise BadSetting(f"REDIS_URL: {error}") from None
    return url


def _durability(text: str, redis_url: str | None) -> Durability:
    """The level.

    >>> _durability("disk", None)
    Traceback (most recent call last):
        ...
    service.config.BadSetting: DURABILITY must be one of memory, aof, replicated, not 'disk'
    """
    level = _LEVELS.get(text)
    if level is None:
        raise BadSetting(f"DURABILITY must be one of {', '.join(_LEVELS)}, not {text!r}")
    if level == "replicated" and redis_url is None:
        raise BadSetting("DURABILITY=replicated needs a store with replicas: set REDIS_URL")
    return level


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(origin.strip() for origin in text.split(","))
    for origin in origins:
        if origin != "*" and not origin.startswith(("http://", "https://")):
            raise BadSetting(f"CORS_ORIGINS must be '*' or a list like 'https://example.com', not {origin!r}")
    return origins


def _items(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())


def _rate_limits(text: str) -> RateLimits | None:
    """The limits, the default ones replaced by name.

    >>> _rate_limits("creation=10/60, open=5").creation
    Rate(limit=10, window=60)
    >>> _rate_limits("off")
    """
    if text == "off":
        return None
    chosen: dict[str, Rate | int] = {}
    for item in _items(text):
        rate = re.fullmatch(r"(client|token|creation)=([1-9]\d{0,8})/([1-9]\d{0,4})", item)
        count = re.fullmatch(r"open=([1-9]\d{0,8})", item)
        if rate:
            chosen[rate[1]] = Rate(int(rate[2]), int(rate[3]))
        elif count:
            chosen["open"] = int(count[1])
        else:
            raise BadSetting(f"RATE_LIMITS must be 'off' or a list like 'client=600/60,open=100', not {item!r}")
    return GENEROUS._replace(**chosen)  # type: ignore[arg-type]


def _networks(text: str) -> tuple[Network, ...]:
    try:
        return tuple(ipaddress.ip_network(item) for item in _items(text))
    except ValueError as error:
        raise BadSetting(f"TRUSTED_PROXIES must be a list like '10.0.0.0/8,::1': {error}") from None


def _hashes(text: str) -> tuple[str, ...]:
    hashes = _items(text)
    if not all(re.fullmatch("[0-9a-f]{64}", each) for each in hashes):
        raise BadSetting("API_KEYS must be a list of SHA-256 hashes in hexadecimal: `lostcities api-key` makes one")
    return hashes


def _log_level(text: str) -> str:
    if text not in LOG_LEVELS:
        raise BadSetting(f"LOG_LEVEL must be one of {', '.join(LOG_LEVELS)}, not {text!r}")
    return text


def _endpoint(url: str | None) -> str | None:
    if url and find_spec("opentelemetry") is None:
        raise BadSetting("OTEL_EXPORTER_OTLP_ENDPOINT needs the extra 'otel': install lostcities[otel]")
    return url
