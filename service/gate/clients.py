"""Who asks, by address or by key: configured, never guessed."""

import hashlib
import hmac
import ipaddress
import secrets
from collections.abc import Sequence
from typing import Final

from service.config import Network

IPV6_CLIENT: Final = 64
"""A home or a company has at least this much of an address to itself, and any number of addresses in it."""


def address_of(peer: str | None, forwarded: str, trusted: tuple[Network, ...]) -> str:
    """The client's address: the nearest one, from our end of the way, that is no trusted proxy's.

    `X-Forwarded-For` counts only as far as trusted proxies wrote it: what came before is the client's own invention.

    >>> proxies = (ipaddress.ip_network("10.0.0.0/8"),)
    >>> address_of("10.0.0.1", "6.6.6.6, 203.0.113.7, 10.0.0.2", proxies)
    '203.0.113.7'
    >>> address_of("203.0.113.7", "6.6.6.6", proxies)
    '203.0.113.7'
    >>> address_of("2001:db8::abcd", "", ())
    '2001:db8::/64'
    """
    way = [*forwarded.split(","), peer or ""]
    nearest = "unknown"
    for hop in reversed(way):
        try:
            address = ipaddress.ip_address(hop.strip())
        except ValueError:
            break
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        nearest = _client(address)
        if not any(address in network for network in trusted):
            break
    return nearest


def _client(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> str:
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((address, IPV6_CLIENT), strict=False))


def new_key() -> str:
    """A key to create games with."""
    return f"key_{secrets.token_hex(16)}"


def hash_of_key(key: str) -> str:
    """What is configured of a key.

    >>> hash_of_key("key_1")[:16]
    '0c08dbd4adb6472c'
    """
    return hashlib.sha256(key.encode()).hexdigest()


def is_known(key: str, hashes: Sequence[str]) -> bool:
    """Whether it is one of the keys. Compares every hash in constant time."""
    presented = hash_of_key(key)
    return sum(hmac.compare_digest(presented, known) for known in hashes) > 0
