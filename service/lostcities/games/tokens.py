"""Tokens: one for the host and one for each seat. Only their hashes are stored."""

import hashlib
import hmac
from collections.abc import Sequence
from operator import xor
from typing import Final, Literal, NamedTuple

TOKEN_BYTES: Final = 16
"""The random part of a token: 128 bits."""


class Caller(NamedTuple):
    """The sender of a request: the host, a seat, or a spectator without a token."""

    role: Literal["host", "seat", "spectator"]
    seat: int | None = None


HOST: Final = Caller("host")
SPECTATOR: Final = Caller("spectator")


def format_token(role: Literal["host", "seat"], secret: bytes) -> str:
    """The text of a token. Its role comes first, so that people can tell tokens apart.

    >>> format_token("seat", bytes(16))
    'seat_00000000000000000000000000000000'
    """
    return f"{role}_{secret.hex()}"


def format_tokens(secrets: Sequence[bytes]) -> list[str]:
    """The tokens of a game from their secret parts: the host's, then each seat's."""
    host, *seats = secrets
    return [format_token("host", host), *(format_token("seat", seat) for seat in seats)]


def seat_token(host_token: str, game_id: str, seat: int, version: int, nonce: str) -> str:
    """The token of a seat that the host hands over at that version. A retry with the same nonce gives the same one.

    It cannot be guessed without the token of the host.
    """
    said = f"{game_id}/{seat}/{version}/{nonce}"
    return format_token("seat", hmac.digest(host_token.encode(), said.encode(), "sha256")[:TOKEN_BYTES])


def mask(secrets: Sequence[bytes], key: str, game_id: str) -> tuple[bytes, ...]:
    """The secret parts of tokens, masked by a key of the caller. Masking twice gives the secret parts back.

    >>> secrets = (bytes(16), bytes(range(16)))
    >>> mask(mask(secrets, "key", "id"), "key", "id") == secrets
    True
    """
    masks = (hmac.digest(key.encode(), f"{game_id}/{number}".encode(), "sha256") for number in range(len(secrets)))
    return tuple(bytes(map(xor, *pair)) for pair in zip(secrets, masks, strict=True))


def hash_token(token: str) -> bytes:
    """The hash that is stored for a token."""
    return hashlib.sha256(token.encode()).digest()


def identify(token: str, host: bytes, seats: Sequence[bytes]) -> Caller | None:
    """The owner of a token, or `None` if it is not of this game. Compares every hash in constant time."""
    presented = hash_token(token)
    caller = HOST if hmac.compare_digest(presented, host) else None
    for seat, stored in enumerate(seats):
        if hmac.compare_digest(presented, stored):
            caller = Caller("seat", seat)
    return caller
