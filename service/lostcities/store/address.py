"""REDIS_URL: one server, Sentinel or a cluster, and how to connect.

One server   redis://[user:password@]host[:port][/db]      rediss:// with TLS      unix:///path/to/socket[?db=0]
Sentinel     redis+sentinel://[user:password@]host[:port],host[:port]…/service[/db]      rediss+sentinel:// with TLS
Cluster      redis+cluster://[user:password@]host[:port],host[:port]…                    rediss+cluster:// with TLS

Options after a `?`: `client_name`; for TLS `ssl_ca_certs`, `ssl_certfile`, `ssl_keyfile`, `ssl_cert_reqs` and
`ssl_check_hostname`; for the Sentinels themselves `sentinel_username` and `sentinel_password`.

redis-py's own URLs know neither Sentinels nor several hosts. This module imports nothing of redis-py, so that the
settings can be checked without it.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

Kind = Literal["primary", "sentinel", "cluster"]
Host = tuple[str, int]

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
_CHOICES: Final[Mapping[str, Mapping[str, Any]]] = {
    "ssl_cert_reqs": {"required": "required", "optional": "optional", "none": "none"},
    "ssl_check_hostname": {"true": True, "false": False},
}


class Address(NamedTuple):
    """A parsed REDIS_URL."""

    kind: Kind
    tls: bool
    hosts: tuple[Host, ...]
    """The server, the Sentinels, or some nodes of the cluster; empty where there is a `path`."""
    path: str | None
    """The unix socket."""
    service: str | None
    """The Sentinels' name of the primary."""
    options: Mapping[str, Any]
    """Further arguments of redis-py's client of the servers."""
    sentinel_options: Mapping[str, Any]
    """Further arguments of redis-py's clients of the Sentinels."""


def parse(url: str) -> Address:
    """Parse a URL. Raises `ValueError` with a sentence that reveals no password.

    >>> parse("rediss+sentinel://app:s%40crt@one,two:5000/games").hosts
    (('one', 26379), ('two', 5000))
    >>> parse("redis+cluster://one:7000/2")
    Traceback (most recent call last):
        ...
    ValueError: a cluster has no numbered databases: nothing may follow the last host
    """
    # `urlsplit` knows one host only: newer Pythons refuse a list that contains IPv6 addresses.
    scheme, slashes, rest = url.partition("://")
    authority = re.split("[/?#]", rest, maxsplit=1)[0]
    parts = urlsplit(scheme + slashes + rest.removeprefix(authority))
    if parts.scheme not in _SCHEMES:
        raise ValueError(f"it must begin with {', '.join(f'{scheme}://' for scheme in _SCHEMES)}")
    kind, tls = _SCHEMES[parts.scheme]
    if parts.fragment or "@" in parts.path + parts.query:
        raise ValueError("write a '#', '?' or '/' in a password as '%23', '%3F' or '%2F'")
    login, _, hosts = authority.rpartition("@")
    user, _, password = login.partition(":")
    given = _options(parts, kind, tls)
    options = {name: value for name, value in given.items() if not name.startswith("sentinel_")}
    options |= {name: unquote(text) for name, text in (("username", user), ("password", password)) if text}
    for_sentinels = {
        name.removeprefix("sentinel_"): value for name, value in given.items() if name.startswith(("sentinel_", "ssl_"))
    }
    if parts.scheme == "unix":
        if hosts or len(parts.path) < 2:
            raise ValueError("a unix socket is given by its whole path, as in unix:///run/redis.sock")
        return Address(kind, tls, (), unquote(parts.path), None, options, {})
    service, database = _path(parts.path, kind)
    if database:
        options["db"] = _database(database)
    found = tuple(_host(text, 26379 if kind == "sentinel" else 6379) for text in hosts.split(","))
    if kind == "primary" and len(found) > 1:
        raise ValueError("several hosts are Sentinels or a cluster: redis+sentinel:// or redis+cluster://")
    return Address(kind, tls, found, None, service, options, for_sentinels)


def _host(text: str, port: int) -> Host:
    """`host`, `host:port`, or an IPv6 address in brackets with or without a port."""
    head, bracket, tail = text.rpartition("]")
    name, colon, number = tail.partition(":")
    host = head.removeprefix("[") if bracket else name
    if not host:
        raise ValueError("a host is missing")
    return host, _number(number, f"the port of {host}", 1, 65535) if colon else port


def _path(path: str, kind: Kind) -> tuple[str | None, str]:
    """The Sentinels' name of the primary, and the number of the database."""
    words = [unquote(word) for word in path.strip("/").split("/") if word]
    if kind == "cluster" and words:
        raise ValueError("a cluster has no numbered databases: nothing may follow the last host")
    if kind == "sentinel" and not words:
        raise ValueError("the Sentinels' name of the primary is missing, as in redis+sentinel://host:26379/mymaster")
    service = words.pop(0) if kind == "sentinel" else None
    if len(words) > 1:
        raise ValueError("only the number of a database may stand at the end of the path")
    return service, words[0] if words else ""


def _options(parts: SplitResult, kind: Kind, tls: bool) -> dict[str, Any]:  # noqa: FBT001
    """The options after the `?`, checked."""
    known = {"client_name"}
    known |= {"db"} if parts.scheme == "unix" else set()
    known |= {*_FILES, *_CHOICES} if tls else set()
    known |= {"sentinel_username", "sentinel_password"} if kind == "sentinel" else set()
    given = dict(parse_qsl(parts.query, keep_blank_values=True))
    for name in given:
        if name not in known:
            raise ValueError(f"{name!r} is not known with {parts.scheme}://: {', '.join(sorted(known))} are")
    return {name: _value(name, text) for name, text in given.items()}


def _value(name: str, text: str) -> Any:
    if name == "db":
        return _database(text)
    if name in _CHOICES:
        if text not in _CHOICES[name]:
            raise ValueError(f"{name} must be one of {', '.join(_CHOICES[name])}, not {text!r}")
        return _CHOICES[name][text]
    if name in _FILES and not Path(text).is_file():
        raise ValueError(f"{name}: there is no file {text!r}")
    if not text:
        raise ValueError(f"{name} has no value")
    return text


def _database(text: str) -> int:
    return _number(text, "the database", 0, 2**31 - 1)


def _number(text: str, what: str, low: int, high: int) -> int:
    if text.isascii() and text.isdigit() and low <= int(text) <= high:
        return int(text)
    # The text is not repeated: it may be part of a password that was meant to stand elsewhere.
    raise ValueError(f"{what} must be a whole number from {low} to {high}")
