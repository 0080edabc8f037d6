"""Requests with an `Idempotency-Key`: how their receipts are named, and when a key was used for another request."""

import hashlib
from typing import Final, NamedTuple

from lostcities.games.moves import Refusal
from lostcities.variants.core import Text

CREATION_KEY_BYTES: Final = 16
"""Length of the hash that names the receipt of a creation."""
RECEIPT_KEY_BYTES: Final = 12
"""Length of the hash that names the receipt of a change of a game, among those of the same game."""


class KeyReused(Refusal):
    """The `Idempotency-Key` was used for another request."""


class IdempotencyKey(NamedTuple):
    """An `Idempotency-Key` and the fingerprint of its request."""

    key: str
    request: bytes
    owner: str = ""
    """The API key of a creation, if the service requires one: tenants do not share keys."""

    def require_same(self, request: bytes) -> None:
        """Refuse this request if the key has a receipt of another one. Raises `KeyReused`."""
        if request != self.request:
            detail = Text("this Idempotency-Key was used for another request")
            raise KeyReused("idempotency-key-reused", detail, parameter="Idempotency-Key")

    def of_creation(self) -> bytes:
        """The name of the receipt of a creation."""
        return hashlib.sha256(f"{self.owner}\n{self.key}".encode()).digest()[:CREATION_KEY_BYTES]

    def of_change(self, token: str) -> bytes:
        """The name of the receipt of a change. It includes the token: two players may both count from 1."""
        return hashlib.sha256(f"{token}\n{self.key}".encode()).digest()[:RECEIPT_KEY_BYTES]
