"""How durable an acknowledged write is, and how long the store may take.

Imports nothing: gunicorn's master reads the settings before gevent has patched the standard library.
"""

from typing import Final, Literal

Durability = Literal["memory", "aof", "replicated"]
"""What an acknowledged write has reached: the primary's memory, its disk, or a replica's memory."""

TIMEOUT_SECONDS: Final = 0.6
"""Default time limit of a call to the store."""
