"""Identity of the caller: client address and API key."""

import hashlib
import hmac
import ipaddress
import logging
import secrets
from collections.abc import Sequence
from functools import cache
from typing import Final

from flask import Flask, g, request

from lostcities.api.errors import ProblemError
from lostcities.api.request import bearer_token
from lostcities.config import Network
from lostcities.variants.core import Text

CREATE_GAME: Final = "games.create_game"
"""The endpoint of `POST /games`."""
FORK_GAME: Final = "games.fork_game"
"""The endpoint of `POST /games/{game_id}/fork`, which creates a game too."""
IPV6_PREFIX: Final = 64
"""Prefix length that identifies an IPv6 client: a home or company network has at least a /64."""

log = logging.getLogger("lostcities.auth")


def require_api_key(app: Flask, key_hashes: Sequence[str]) -> None:
    """Reject `POST /games` without one of these API keys. With an empty list no key is needed.

    The view reads the key from `g.api_key`.
    """
    if not key_hashes:
        return

    @app.before_request
    def check_api_key() -> None:
        if request.endpoint != CREATE_GAME or request.method == "OPTIONS":
            return
        key = bearer_token()
        if not is_known_key(key, key_hashes):
            detail = Text(
                "creating a game requires an API key of this service: send 'Authorization: Bearer' and the key"
            )
            raise ProblemError(401, "api-key-required", detail, headers={"WWW-Authenticate": "Bearer"})
        g.api_key = key


def client_address(trusted_proxies: Sequence[Network]) -> str:
    """The address of the request's client."""
    peer, forwarded = request.remote_addr, request.headers.get("X-Forwarded-For", "")
    if forwarded and is_unlisted(peer, trusted_proxies):
        _warn_about_proxy()
    return resolve_address(peer, forwarded, trusted_proxies)


@cache
def _warn_about_proxy() -> None:
    """Log one warning per process: requests seem to come through a proxy that `TRUSTED_PROXIES` does not list."""
    log.warning(
        "X-Forwarded-For from %s is ignored: if it is a proxy, add it to TRUSTED_PROXIES, or all of its clients share "
        "one rate limit",
        request.remote_addr,
    )


def is_unlisted(peer: str | None, trusted_proxies: Sequence[Network]) -> bool:
    """Whether the address is private, as most reverse proxies' addresses are, and not that of a trusted proxy.

    >>> is_unlisted("127.0.0.1", ()), is_unlisted("10.0.0.1", (ipaddress.ip_network("10.0.0.0/8"),))
    (True, False)
    >>> is_unlisted("8.8.8.8", ()), is_unlisted(None, ())
    (False, False)
    """
    try:
        address = ipaddress.ip_address(peer or "")
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return address.is_private and not any(address in network for network in trusted_proxies)


def resolve_address(peer: str | None, forwarded: str, trusted_proxies: Sequence[Network]) -> str:
    """The last address on the path to this service that is not a trusted proxy. IPv6 addresses are given as a network.

    Only the entries of `X-Forwarded-For` that trusted proxies added are used: a client can send any others.

    >>> proxies = (ipaddress.ip_network("10.0.0.0/8"),)
    >>> resolve_address("10.0.0.1", "6.6.6.6, 203.0.113.7, 10.0.0.2", proxies)
    '203.0.113.7'
    >>> resolve_address("203.0.113.7", "6.6.6.6", proxies)
    '203.0.113.7'
    >>> resolve_address("2001:db8::abcd", "", ())
    '2001:db8::/64'
    """
    nearest = "unknown"
    for hop in reversed([*forwarded.split(","), peer or ""]):
        try:
            address = ipaddress.ip_address(_without_port(hop.strip()))
        except ValueError:
            break
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        nearest = _client_network(address)
        if not any(address in network for network in trusted_proxies):
            break
    return nearest


def _without_port(hop: str) -> str:
    """An address of `X-Forwarded-For` without the port that some proxies add.

    >>> [_without_port(hop) for hop in ("203.0.113.7:5678", "[2001:db8::1]:5678", "2001:db8::1")]
    ['203.0.113.7', '2001:db8::1', '2001:db8::1']
    """
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop


def _client_network(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> str:
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((address, IPV6_PREFIX), strict=False))


def new_api_key() -> str:
    """A new API key."""
    return f"key_{secrets.token_hex(16)}"


def hash_api_key(key: str) -> str:
    """The hash of a key, as `API_KEYS` lists it.

    >>> hash_api_key("key_1")[:16]
    '0c08dbd4adb6472c'
    """
    return hashlib.sha256(key.encode()).hexdigest()


def is_known_key(key: str, key_hashes: Sequence[str]) -> bool:
    """Whether the key has one of these hashes. Compares all of them, each in constant time."""
    presented = hash_api_key(key)
    return sum(hmac.compare_digest(presented, known) for known in key_hashes) > 0
