"""Chance that can be verified: every outcome follows from the game's seed and the version of its event.

The algorithm, `hmac-sha256-v1`, in full:

1. The seed is 32 bytes. Its SHA-256, in hexadecimal, is the commitment published when the game is created.
2. The event with version `v` draws on the bytes of block 0, then block 1, and so on, where block `b` is
   HMAC-SHA256 with the seed as key and the ASCII text `v/b` (decimal, as in `3/0`) as message.
3. `pick(n)` takes the next byte `x` that is less than `256 - 256 mod n` (bytes that are not are skipped) and
   answers `x mod n`.
4. An outcome is a few picks in a row, all from the same event's bytes. Which picks, in which order and from what is
   described for each variant (`chance` in `GET /variants/{variant}`).
5. A bot that makes the event with version `v` uses picks of the same kind, from blocks with the message `bot/v/b` (as
   in `bot/3/0`). Chance and bots share no bytes.
"""

import hashlib
import hmac
from typing import Final

from lostcities.variants.core import Pick

ALGORITHM: Final = "hmac-sha256-v1"
SEED_BYTES: Final = 32
DESCRIPTION: Final = str(__doc__).strip()
"""The algorithm in full."""


def commitment(seed: bytes) -> str:
    """What is published of a seed before the game is over.

    >>> commitment(bytes(32))
    '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925'
    """
    return hashlib.sha256(seed).hexdigest()


def source(seed: bytes, version: int, label: str = "") -> Pick:
    """The picks of the event with that version. A label keeps picks for another purpose apart.

    >>> pick = source(bytes(32), 1)
    >>> [pick(6) for _ in range(8)]
    [1, 2, 1, 5, 5, 0, 0, 1]
    """
    block = 0
    stream = iter(b"")

    def pick(n: int) -> int:
        nonlocal block, stream
        bound = 256 - 256 % n
        while True:
            for byte in stream:
                if byte < bound:
                    return byte % n
            stream = iter(hmac.digest(seed, f"{label}{version}/{block}".encode(), "sha256"))
            block += 1

    return pick
