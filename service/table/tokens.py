"""Who may do what: one token for the host, one for each seat. Only their hashes are kept."""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

TOKEN_BYTES: Final = 16
"""The random part of a token: 128 bits."""


class Caller(NamedTuple):
    """Who asks: the host, a seat, or anybody."""

    role: Literal["host", "seat", "anybody"]
    seat: int | None = None


HOST: Final = Caller("host")
ANYBODY: Final = Caller("anybody")


def token(role: Literal["host", "seat"], secret: bytes) -> str:
    """A token, its role in front for people to tell it from the others.

    >>> token("seat", bytes(16))
    'seat_00000000000000000000000000000000'
    """
    return f"{role}_{secret.hex()}"


def hashed(token: str) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).digest()


def identify(token: str, host: bytes, seats: Sequence[bytes]) -> Caller | None:
    """Whose token it is; `None` if it is not this game's. Compares every hash in constant time."""
    presented = hashed(token)
    caller = HOST if hmac.compare_digest(presented, host) else None
    for seat, kept in enumerate(seats):
        if hmac.compare_digest(presented, kept):
            caller = Caller("seat", seat)
    return caller
