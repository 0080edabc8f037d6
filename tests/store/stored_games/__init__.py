"""Stored games: the bytes of every key, as a version of the service wrote them. Every later version must read them.

Each `*.json` file holds games of one variant at several stages, each `*.jsonl` file records, one a line. A file that is
named after a version was written by that release. A file is never written anew. When the stored form changes, add files
under other names: the tests read all files.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from redis import Redis

FOLDER = Path(__file__).parent


class StoredGame(NamedTuple):
    """A game as the store has it, and what the service answered about it."""

    variant: str
    stage: str
    id: str
    host: str
    """The token of the host."""
    seats: list[str]
    """The tokens of the seats."""
    positions: dict[str, Any]
    """Full positions by version; the last one is the current position."""
    totals: list[int]
    """The score at the last version."""
    keys: dict[str, Any]
    """The value of each key: a hash, a list or a string, with its bytes in base64."""
    answered: Sequence[dict[str, Any]] = ()
    """Requests with an `Idempotency-Key`, each with its path, key, body and answer."""

    @property
    def version(self) -> int:
        return max(map(int, self.positions))


def _text(data: bytes) -> str:
    return b64encode(data).decode()


def read_keys(store: Redis, game_id: str) -> dict[str, Any]:
    """The values of all keys of a game, with the receipt of its creation."""
    receipts: dict[bytes, Any] = {key: store.get(key) for key in sorted(store.scan_iter("lc:key:*"))}
    keys: dict[str, Any] = {key.decode(): _text(value) for key, value in receipts.items() if game_id.encode() in value}
    for key in sorted(store.scan_iter(f"lc:{{{game_id}}}*")):
        if store.type(key) == b"hash":
            fields: Any = store.hgetall(key)
            keys[key.decode()] = {name.decode("latin-1"): _text(value) for name, value in sorted(fields.items())}
        else:
            items: Any = store.lrange(key, 0, -1)
            keys[key.decode()] = [_text(item) for item in items]
    return keys


def write_keys(store: Redis, keys: dict[str, Any]) -> None:
    """Store those values, in place of what is there."""
    for key, value in keys.items():
        store.delete(key)
        if isinstance(value, str):
            store.set(key, b64decode(value))
        elif isinstance(value, dict):
            store.hset(key, mapping={name.encode("latin-1"): b64decode(each) for name, each in value.items()})
        else:
            store.rpush(key, *map(b64decode, value))


def load_all() -> list[StoredGame]:
    """The games of all files."""
    return [StoredGame(**each) for path in sorted(FOLDER.glob("*.json")) for each in json.loads(path.read_text())]


def load_records() -> list[dict[str, Any]]:
    """Records that an earlier version wrote, each with the version, totals and full position at its end."""
    return [json.loads(line) for path in sorted(FOLDER.glob("*.jsonl")) for line in path.read_text().splitlines()]


def save(path: Path, games: list[StoredGame]) -> None:
    """Write a file of games."""
    path.write_text(json.dumps([game._asdict() for game in games], indent=1) + "\n")
