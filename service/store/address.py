"""REDIS_URL: which engine keeps the games, and how it is reached.

One primary     redis://[user:password@]host[:port][/db]      rediss:// with TLS      unix:///path/to/socket[?db=0]
Sentinel        redis+sentinel://[user:password@]host[:port],host[:port]…/service[/db]      rediss+sentinel:// with TLS
Cluster         redis+cluster://[user:password@]host[:port],host[:port]…                    rediss+cluster:// with TLS

Behind a `?` may stand `client_name`, for TLS `ssl_ca_certs`, `ssl_certfile`, `ssl_keyfile`, `ssl_cert_reqs` and
`ssl_check_hostname`, and for the Sentinels themselves `sentinel_username` and `sentinel_password`.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

Kind = Literal["primary", "sentinel", "cluster"]
Host = tuple[str, int]

REDIS_PORT: Final = 6379
SENTINEL_PORT: Final = 26379

_SCHEMES: Final[Mapping[str, tuple[Kind, bool]]] = {
    "redis": ("primary", False),
    "rediss": ("primary", True),
    "unix": ("primary", False),
    "redis+sentinel": ("sentinel", False),
    "rediss+sentinel": ("sentinel", True),
    "redis+cluster": ("cluster", False),
    "rediss+cluster": ("cluster", True),
}
_FILES: Final = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
_WORDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "ssl_cert_reqs": {"required": "required", "optional": "optional", "none": "none"},
    "ssl_check_hostname": {"true": True, "false": False},
}


class Address(NamedTuple):
    """An engine, and how each of its servers is reached."""

    kind: Kind
    tls: bool
    hosts: tuple[Host, ...]
    """The primary, the Sentinels, or some nodes of the cluster; none where there is a `path`."""
    path: str | None
    """The unix socket of a primary on this machine."""
    service: str | None
    """What the Sentinels call the primary."""
    options: Mapping[str, Any]
    """What else each connection to a server of games is made with."""
    sentinel_options: Mapping[str, Any]
    """What else each connection to a Sentinel is made with."""


def parse(url: str) -> Address:
    """Read a URL. Raises `ValueError` with a sentence that gives no password away.

    >>> parse("rediss+sentinel://app:s%40crt@one,two:5000/games").hosts
    (('one', 26379), ('two', 5000))
    >>> parse("redis+cluster://one:7000/2")
    Traceback (most recent call last):
        ...
    ValueError: a cluster has no numbered databases: nothing can stand behind the last host
    """
    parts = urlsplit(url)
    if parts.scheme not in _SCHEMES:
        raise ValueError(f"it must begin with {', '.join(f'{scheme}://' for scheme in _SCHEMES)}")
    kind, tls = _SCHEMES[parts.scheme]
    if parts.fragment or "@" in parts.path + parts.query:
        raise ValueError("a '#', '?' or '/' in a password is written '%23', '%3F' or '%2F'")
    users, _, hosts = parts.netloc.rpartition("@")
    asked = _asked(parts, kind, tls)
    options = {**_credentials(users), **{name: asked[name] for name in asked if not name.startswith("sentinel_")}}
    sentinel_options = {
        name.removeprefix("sentinel_"): asked[name] for name in asked if name.startswith(("sentinel_", "ssl_"))
    }
    if parts.scheme == "unix":
        if hosts or len(parts.path) < 2:
            raise ValueError("a unix socket is given by its whole path, as in unix:///run/redis.sock")
        return Address(kind, tls, (), unquote(parts.path), None, options, {})
    service, database = _path(parts.path, kind)
    if database:
        options["db"] = _number(database, "the database", 0, 2**31 - 1)
    port = SENTINEL_PORT if kind == "sentinel" else REDIS_PORT
    found = tuple(_host(text, port) for text in hosts.split(","))
    if kind == "primary" and len(found) > 1:
        raise ValueError("several hosts are Sentinels or a cluster: redis+sentinel:// or redis+cluster://")
    return Address(kind, tls, found, None, service, options, sentinel_options)


def _credentials(text: str) -> dict[str, str]:
    user, _, password = text.partition(":")
    given = {"username": unquote(user), "password": unquote(password)}
    return {name: value for name, value in given.items() if value}


def _host(text: str, port: int) -> Host:
    """`host`, `host:port`, or an IPv6 address in brackets with or without a port."""
    name, bracket, rest = text.rpartition("]")
    host, colon, number = rest.partition(":")
    host = f"{name}{bracket}{host}".strip("[]") if bracket else host
    if not host:
        raise ValueError("a host is missing")
    return host, _number(number, f"the port of {host}", 1, 65535) if colon else port


def _path(path: str, kind: Kind) -> tuple[str | None, str]:
    """The Sentinels' service and the database's number."""
    words = [unquote(word) for word in path.strip("/").split("/")] if path.strip("/") else []
    if kind == "cluster" and words:
        raise ValueError("a cluster has no numbered databases: nothing can stand behind the last host")
    if kind == "sentinel" and not words:
        raise ValueError("the Sentinels' name of the primary is missing, as in redis+sentinel://host:26379/mymaster")
    service = words.pop(0) if kind == "sentinel" else None
    if len(words) > 1:
        raise ValueError("only the number of a database can stand at the end of the path")
    return service, words[0] if words else ""


def _asked(parts: SplitResult, kind: Kind, tls: bool) -> dict[str, Any]:  # noqa: FBT001
    """What stands behind the `?`."""
    known = {"client_name"}
    known |= {"db"} if parts.scheme == "unix" else set()
    known |= {*_FILES, *_WORDS} if tls else set()
    known |= {"sentinel_username", "sentinel_password"} if kind == "sentinel" else set()
    asked: dict[str, Any] = {}
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if name not in known:
            raise ValueError(f"{name!r} is not known with {parts.scheme}://: {', '.join(sorted(known))} are")
        asked[name] = _value(name, value)
    if asked.get("ssl_cert_reqs") == "none":
        asked["ssl_check_hostname"] = False
    return asked


def _value(name: str, value: str) -> Any:
    if name == "db":
        return _number(value, "the database", 0, 2**31 - 1)
    if name in _FILES and not Path(value).is_file():
        raise ValueError(f"{name}: there is no file {value!r}")
    if name in _WORDS:
        if value not in _WORDS[name]:
            raise ValueError(f"{name} must be one of {', '.join(_WORDS[name])}, not {value!r}")
        return _WORDS[name][value]
    if not value:
        raise ValueError(f"{name} has no value")
    return value


def _number(text: str, what: str, low: int, high: int) -> int:
    if text.isascii() and text.isdigit() and low <= int(text) <= high:
        return int(text)
    # What was written is not repeated: it may be a part of a password that was meant to stand elsewhere.
    raise ValueError(f"{what} must be a whole number from {low} to {high}")
