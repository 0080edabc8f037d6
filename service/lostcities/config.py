"""Settings from environment variables, validated at start."""

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple, Self, get_args

from lostcities.store import address
from lostcities.store.durability import Durability

_LEVELS: Mapping[str, Durability] = {level: level for level in get_args(Durability)}

DAY = 24 * 60 * 60
LOG_LEVELS = ("debug", "info", "warning", "error")

REMOVED: Final[Mapping[str, str]] = {
    "THREADS": "workers do not use threads; WORKERS is the number of processes",
}
"""Variables of earlier versions, and why each was removed."""

EMBEDDED_STORE_VARIABLE: Final = "LOSTCITIES_EMBEDDED_STORE"
"""Set for gunicorn by `lostcities serve`: the folder of the running embedded store."""
RULES_NOTE_VARIABLE: Final = "LOSTCITIES_RULES_NOTE"
"""Set by `make run`: why the rules and the bots are not compiled."""
METRICS_DIR_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
"""Set for the workers: the folder in which prometheus-client shares their metrics."""
WORKER_NUMBER_VARIABLE: Final = "LOSTCITIES_WORKER_NUMBER"
"""Set for each worker: a number that is unique among the running workers."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class BadSetting(ValueError):
    """An environment variable has an invalid value."""


class RateLimits(NamedTuple):
    """The limits of each policy in the notation of the `limits` library, separated by `;`. "" is no limit."""

    creation: str = "60/minute;500/day"
    """Games created from one address."""
    client: str = ""
    """Calls from one address."""
    token: str = ""
    """Calls with one bearer token."""
    record: str = "30/minute"
    """Records imported or verified from one address."""
    thinking: str = "60/minute"
    """Seconds that experts think for one address: advice, and the moves of their seats. One core of the default two."""


DEFAULT_RATE_LIMITS = RateLimits()

_RATE_LIMIT = re.compile(r"[1-9]\d*\s*(/|\s+per\s+)\s*([1-9]\d*)?\s*(second|minute|hour|day|month|year)s?")
"""One limit. Checked by a pattern because importing `limits` imports `ssl` before gevent has patched it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The configuration of the service."""

    host: str = "127.0.0.1"
    """HOST: the address to listen on."""
    port: int = 8000
    """PORT: the port to listen on."""
    metrics_port: int | None = None
    """METRICS_PORT: a port that serves only `/metrics`. If it is set, PORT does not serve `/metrics`."""
    workers: int = 2
    """WORKERS: number of worker processes."""
    data_dir: Path = Path(".data")
    """DATA_DIR: folder for the files of the embedded store. Only its owner gets access to it."""
    store_maxmemory: str = "1gb"
    """STORE_MAXMEMORY: memory limit of the embedded store, in Valkey's notation; `0` means no limit."""
    redis_url: str | None = None
    """REDIS_URL: the store to use instead of the embedded one. `lostcities/store/address.py` lists the forms."""
    redis_timeout: int = 600
    """REDIS_TIMEOUT: timeout of a store call, in milliseconds."""
    durability: Durability = "memory"
    """DURABILITY: what an acknowledged write has reached: `memory`, `aof` (the disk) or `replicated` (a replica)."""
    game_ttl: int = 30 * DAY
    """GAME_TTL: seconds from the last event until an unfinished game expires. A long one expires by FINISHED_TTL."""
    finished_ttl: int = 7 * DAY
    """FINISHED_TTL: seconds from the last event until a finished game expires."""
    max_events: int = 6_000
    """MAX_EVENTS: number of events at which a game ends without a winner."""
    store_full_percent: int = 90
    """STORE_FULL_PERCENT: percentage of the store's `maxmemory` above which games are not created. Moves still work."""
    max_streams: int = 1000
    """MAX_STREAMS: maximum number of open event streams and long polls per worker."""
    max_streams_per_address: int = 50
    """MAX_STREAMS_PER_ADDRESS: maximum number of open event streams and long polls of one address per worker."""
    max_thinking: int = 64
    """MAX_THINKING: maximum number of requests per worker that wait for a decision of an expert."""
    max_thinking_per_address: int = 16
    """MAX_THINKING_PER_ADDRESS: the same for the requests of one client address."""
    cors_origins: tuple[str, ...] = ("*",)
    """CORS_ORIGINS: origins whose pages may call the API, separated by commas; `*` allows all."""
    rate_limits: RateLimits | None = DEFAULT_RATE_LIMITS
    """RATE_LIMITS: `off`, or changes to the default, as in `creation=60/minute;500/day,client=6000/minute`."""
    trusted_proxies: tuple[Network, ...] = ()
    """TRUSTED_PROXIES: networks of proxies whose `X-Forwarded-For` is used, separated by commas."""
    api_keys: tuple[str, ...] = ()
    """API_KEYS: SHA-256 hashes of the keys that may create games, separated by commas. If empty, no key is needed."""
    log_level: str = "info"
    """LOG_LEVEL: `debug`, `info` (a line for each request), `warning` or `error`."""
    access_log: float = 1.0
    """ACCESS_LOG: `on`, `off`, or the share of requests that are logged, as in `0.01`. LOG_LEVEL must be `info`."""
    otel_exporter_otlp_endpoint: str | None = None
    """OTEL_EXPORTER_OTLP_ENDPOINT: URL to send traces to; needs the extra `otel`."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """The settings. A variable that is not set has its default. Raises `BadSetting`.

        >>> Settings.from_environment({"PORT": "80.5"})
        Traceback (most recent call last):
            ...
        lostcities.config.BadSetting: PORT must be a whole number from 0 to 65535, not '80.5'
        """
        default = cls()
        for name, reason in REMOVED.items():
            if environment.get(name):
                raise BadSetting(f"{name} was removed; unset it: {reason}")

        def number(name: str, fallback: int, low: int, high: int) -> int:
            text = environment.get(name) or str(fallback)
            if text.isascii() and text.isdigit() and low <= int(text) <= high:
                return int(text)
            raise BadSetting(f"{name} must be a whole number from {low} to {high}, not {text!r}")

        redis_url = environment.get("REDIS_URL") or None
        return cls(
            host=environment.get("HOST") or default.host,
            port=number("PORT", default.port, 0, 65535),
            metrics_port=_metrics_port(number("METRICS_PORT", 0, 0, 65535), number("PORT", default.port, 0, 65535)),
            workers=number("WORKERS", default.workers, 1, 256),
            data_dir=Path(environment.get("DATA_DIR") or default.data_dir).absolute(),
            store_maxmemory=_memory(environment.get("STORE_MAXMEMORY") or default.store_maxmemory),
            redis_url=redis_url and _store(redis_url),
            redis_timeout=number("REDIS_TIMEOUT", default.redis_timeout, 50, 60_000),
            durability=_durability(environment.get("DURABILITY") or default.durability, redis_url),
            game_ttl=number("GAME_TTL", default.game_ttl, 1, 3650 * DAY),
            finished_ttl=number("FINISHED_TTL", default.finished_ttl, 1, 3650 * DAY),
            max_events=number("MAX_EVENTS", default.max_events, 1, 1_000_000),
            store_full_percent=number("STORE_FULL_PERCENT", default.store_full_percent, 1, 100),
            max_streams=number("MAX_STREAMS", default.max_streams, 1, 100_000),
            max_streams_per_address=number("MAX_STREAMS_PER_ADDRESS", default.max_streams_per_address, 1, 100_000),
            max_thinking=number("MAX_THINKING", default.max_thinking, 1, 1000),
            max_thinking_per_address=number("MAX_THINKING_PER_ADDRESS", default.max_thinking_per_address, 1, 1000),
            cors_origins=_origins(environment.get("CORS_ORIGINS") or "*"),
            rate_limits=_rate_limits(environment.get("RATE_LIMITS") or ""),
            trusted_proxies=_networks(environment.get("TRUSTED_PROXIES") or ""),
            api_keys=_hashes(environment.get("API_KEYS") or ""),
            log_level=_log_level(environment.get("LOG_LEVEL") or default.log_level),
            access_log=_share(environment.get("ACCESS_LOG") or "on"),
            otel_exporter_otlp_endpoint=_endpoint(environment.get("OTEL_EXPORTER_OTLP_ENDPOINT") or None),
        )


def _metrics_port(metrics_port: int, port: int) -> int | None:
    if metrics_port and metrics_port == port:
        raise BadSetting(f"METRICS_PORT must differ from PORT: both are {metrics_port}")
    return metrics_port or None


def _memory(text: str) -> str:
    """An amount of memory in Valkey's notation.

    >>> _memory("512MB")
    '512mb'
    >>> _memory("1 GiB")
    Traceback (most recent call last):
        ...
    lostcities.config.BadSetting: STORE_MAXMEMORY must be an amount like '512mb', '1gb' or '0', not '1 GiB'
    """
    if not re.fullmatch(r"\d{1,15}(b|kb?|mb?|gb?)?", text.lower(), re.ASCII):
        raise BadSetting(f"STORE_MAXMEMORY must be an amount like '512mb', '1gb' or '0', not {text!r}")
    return text.lower()


def _store(url: str) -> str:
    try:
        address.parse(url)
    except ValueError as error:
        raise BadSetting(f"REDIS_URL: {error}") from None
    return url


def _durability(text: str, redis_url: str | None) -> Durability:
    """The durability level.

    >>> _durability("disk", None)
    Traceback (most recent call last):
        ...
    lostcities.config.BadSetting: DURABILITY must be one of memory, aof, replicated, not 'disk'
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
    """The default limits, changed by `text`. None if limits are off.

    >>> _rate_limits("client=6000/minute, creation=10/hour;50/day")
    RateLimits(creation='10/hour;50/day', client='6000/minute', token='', record='30/minute', thinking='60/minute')
    >>> _rate_limits("off")
    >>> _rate_limits("open=100")
    Traceback (most recent call last):
        ...
    lostcities.config.BadSetting: RATE_LIMITS: open games are no longer limited: remove 'open=100'
    """
    if text == "off":
        return None
    chosen: dict[str, str] = {}
    for item in _items(text):
        name, _, limits = item.partition("=")
        if name == "open":
            raise BadSetting(f"RATE_LIMITS: open games are no longer limited: remove {item!r}")
        if re.fullmatch(r"(client|token|creation)=\d+/\d+", item):
            raise BadSetting(f"RATE_LIMITS: {item!r} has no unit of time: write '{item} seconds'")
        if name not in RateLimits._fields or not all(_RATE_LIMIT.fullmatch(each.strip()) for each in limits.split(";")):
            example = "creation=60/minute;500/day,client=6000/minute"
            raise BadSetting(f"RATE_LIMITS must be 'off' or a list like '{example}', not {item!r}")
        chosen[name] = limits
    return DEFAULT_RATE_LIMITS._replace(**chosen)


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


def _share(text: str) -> float:
    """A share of requests.

    >>> _share("off"), _share("0.25"), _share("on")
    (0.0, 0.25, 1.0)
    """
    if not re.fullmatch(r"on|off|0|1|0?\.\d{1,9}", text, re.ASCII):
        raise BadSetting(f"ACCESS_LOG must be 'on', 'off' or a share like '0.01', not {text!r}")
    return float({"on": "1", "off": "0"}.get(text, text))


def _endpoint(url: str | None) -> str | None:
    if url and find_spec("opentelemetry") is None:
        raise BadSetting("OTEL_EXPORTER_OTLP_ENDPOINT needs the extra 'otel': install lostcities[otel]")
    return url
