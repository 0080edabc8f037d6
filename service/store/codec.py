"""Records, states and events as the bytes that are stored.

A state is stored without its options, which its record holds once: what every move rewrites stays small.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, get_type_hints

import msgspec

from service.rules.game import CHANCE
from service.rules.registry import GAMES
from service.table.game import Event, Record, Table

_encoder = msgspec.msgpack.Encoder()


def _fields(variant: str) -> Any:
    """The type of a state's fields but the first, its options."""
    _, *types = get_type_hints(GAMES[variant].State).values()
    return _tuple_of(types)


def _tuple_of(types: Iterable[Any]) -> Any:
    return tuple.__class_getitem__(tuple(types))


@cache
def _record_decoder(variant: str) -> msgspec.msgpack.Decoder[Any]:
    types = get_type_hints(Record) | {"options": GAMES[variant].Options, "start": _fields(variant) | None}
    return msgspec.msgpack.Decoder(_tuple_of(types.values()))


@cache
def _table_decoder(variant: str) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(_tuple_of([tuple[int, ...], _fields(variant)]))


def encode_record(record: Record) -> bytes:
    """All of a record, behind its variant, which says what the rest is made of."""
    start = None if record.start is None else record.start[1:]
    return record.variant.encode() + b":" + _encoder.encode(record._replace(start=start))


@lru_cache(maxsize=1024)
def decode_record(data: bytes) -> Record:
    """The way back. Who asks once about a game asks again, and its record never changes."""
    variant, _, fields = data.partition(b":")
    record = Record(*_record_decoder(variant.decode()).decode(fields))
    if record.start is None:
        return record
    return record._replace(start=record.game.State(record.options, *record.start))


def encode_table(table: Table) -> bytes:
    """What changes with every event: the state, and since when its decisions are due."""
    return _encoder.encode((table.since, table.state[1:]))


def decode_table(record: Record, version: int, data: bytes) -> Table:
    """The way back."""
    since, fields = _table_decoder(record.variant).decode(data)
    return Table(record, record.game.State(record.options, *fields), version, since)


def encode_event(event: Event) -> bytes:
    """One line of history.

    >>> encode_event(Event("chance", "draw R7", 0)), encode_event(Event(1, "draw deck"))
    (b'c0:draw R7', b'1:draw deck')
    """
    actor = "c" if event.actor == CHANCE else event.actor
    witness = "" if event.witness is None else event.witness
    return f"{actor}{witness}:{event.notation}".encode()


def decode_event(data: bytes) -> Event:
    """The way back.

    >>> decode_event(b"c0:draw R7")
    Event(actor='chance', notation='draw R7', witness=0)
    """
    who, notation = data.decode().split(":", 1)
    if who[0] == "c":
        return Event(CHANCE, notation, int(who[1:]) if who[1:] else None)
    return Event(int(who), notation)
