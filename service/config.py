"""The environment as settings, checked once at start."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

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
    """REDIS_URL: the store to use instead of the embedded one."""
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

        return cls(
            host=environment.get("HOST") or default.host,
            port=number("PORT", default.port, 0, 65535),
            workers=number("WORKERS", default.workers, 1, 256),
            threads=number("THREADS", default.threads, 1, 256),
            data_dir=Path(environment.get("DATA_DIR") or default.data_dir).absolute(),
            redis_url=_store_url(environment.get("REDIS_URL") or None),
            game_ttl=number("GAME_TTL", default.game_ttl, 1, 3650 * DAY),
            max_events=number("MAX_EVENTS", default.max_events, 1, 1_000_000),
            cors_origins=_origins(environment.get("CORS_ORIGINS") or "*"),
        )


def _store_url(url: str | None) -> str | None:
    schemes = ("redis://", "rediss://", "unix://")
    if url is not None and not url.startswith(schemes):
        raise BadSetting(f"REDIS_URL must begin with {', '.join(schemes)}")
    return url


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(origin.strip() for origin in text.split(","))
    for origin in origins:
        if origin != "*" and not origin.startswith(("http://", "https://")):
            raise BadSetting(f"CORS_ORIGINS must be '*' or a list like 'https://example.com', not {origin!r}")
    return origins
