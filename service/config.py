"""The environment as settings, checked once at start."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self, get_args

from service.store import address
from service.store.redis import TIMEOUT_SECONDS, Durability

_LEVELS: Mapping[str, Durability] = {level: level for level in get_args(Durability)}

DAY = 24 * 60 * 60


class BadSetting(ValueError):
    """A variable of the environment has no usable value."""


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
    cors_origins: tuple[str, ...] = ("*",)
    """CORS_ORIGINS: the origins whose pages may call, separated by commas; `*` is any."""

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
            cors_origins=_origins(environment.get("CORS_ORIGINS") or "*"),
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
