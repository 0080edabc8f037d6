"""Reads server-sent events."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple


class Block(NamedTuple):
    """A block of a stream. A comment gives none."""

    event: str
    data: Any
    """The decoded JSON; `None` in a block without data."""
    id: int | None
    """The version of the game."""
    retry: float | None
    """Seconds after which the service wants an interrupted stream to be opened again."""


class Reader:
    r"""Collects the text of a stream, which arrives in chunks of any size.

    >>> reader = Reader()
    >>> list(reader.feed("retry: 2000\n\nid: 2\neve"))
    [Block(event='', data=None, id=None, retry=2.0)]
    >>> list(reader.feed("nt: game\ndata: {}\n\n: ping\n\nid: 3\n"))
    [Block(event='game', data={}, id=2, retry=None)]
    """

    def __init__(self) -> None:
        self._rest = ""
        self._fields: dict[str, str] = {}

    def feed(self, chunk: str) -> Iterator[Block]:
        """The blocks that this chunk completes."""
        # `str.splitlines` would also split at characters that JSON may contain.
        *lines, self._rest = (self._rest + chunk).split("\n")
        for line in lines:
            if text := line.removesuffix("\r"):
                self._add(text)
            elif self._fields.keys() & {"data", "retry"}:
                yield block(self._fields)
                self._fields = {}

    def _add(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        is_further = name == "data" and name in self._fields
        self._fields[name] = f"{self._fields[name]}\n{value}" if is_further else value


def block(fields: dict[str, str]) -> Block:
    """The block that these lines make up."""
    return Block(
        event=fields.get("event", ""),
        data=json.loads(fields["data"]) if "data" in fields else None,
        id=int(fields["id"]) if "id" in fields else None,
        retry=int(fields["retry"]) / 1000 if "retry" in fields else None,
    )
