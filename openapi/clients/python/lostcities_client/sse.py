"""Reads server-sent events."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple


class Message(NamedTuple):
    """A block of a stream. A comment gives none."""

    event: str
    data: Any
    """The decoded JSON; `None` in a block without data."""
    id: int | None
    """The version of the game."""
    retry: float | None
    """Seconds after which the service wants an interrupted stream to be opened again."""


def messages(chunks: Iterable[str]) -> Iterator[Message]:
    r"""The messages in the text of a stream, which arrives in chunks of any size.

    >>> list(messages(["retry: 2000\n\nid: 2\neve", "nt: game\ndata: {}\n\n: ping\n", "\nid: 3\n"]))
    [Message(event='', data=None, id=None, retry=2.0), Message(event='game', data={}, id=2, retry=None)]
    """
    fields: dict[str, str] = {}
    for line in lines(chunks):
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            fields[name] = f"{fields[name]}\n{value}" if name == "data" and name in fields else value
        elif fields.keys() & {"data", "retry"}:
            yield message(fields)
            fields = {}


def message(fields: dict[str, str]) -> Message:
    """The message that the lines of a block make up."""
    return Message(
        event=fields.get("event", ""),
        data=json.loads(fields["data"]) if "data" in fields else None,
        id=int(fields["id"]) if "id" in fields else None,
        retry=int(fields["retry"]) / 1000 if "retry" in fields else None,
    )


def lines(chunks: Iterable[str]) -> Iterator[str]:
    """The complete lines. `str.splitlines` would also split at characters that JSON may contain."""
    rest = ""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split("\n")
        yield from (line.removesuffix("\r") for line in whole)
