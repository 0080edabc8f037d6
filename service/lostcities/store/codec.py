"""Records, states and events as the bytes that are stored.

The record and the events are the truth: a record is stored by field name, so that fields can be added, with its options
and its starting position as the API writes them. A state is a cache: it is stored with a number of its format, without
the options, which the record holds. A state of another format is computed again from the events.
"""

import zlib
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec

from lostcities.games.game import Event, Game, Record
from lostcities.games.storage import NewerRules
from lostcities.variants.core import CHANCE, FULL
from lostcities.variants.registry import VARIANTS

STATE_FORMAT: Final = 1
"""To be raised when stored states mean something else although their fields have the same names and types."""

_encoder = msgspec.msgpack.Encoder()
_StateParts = tuple[int, tuple[int, ...], msgspec.Raw]
_state_decoder = msgspec.msgpack.Decoder(_StateParts)
_OMITTED: Final = {"options", "start"}
"""Fields of a record that are stored as plain data."""


class OtherFormat(Exception):
    """The stored state has another format: it must be computed again from the events."""


# Records -----------------------------------------------------------------------------------------------------------


def encode_record(record: Record) -> bytes:
    """All fields of a record by name."""
    rules = record.rules
    plain = {name: value for name, value in record._asdict().items() if name not in _OMITTED}
    plain["options"] = record.options.plain()
    plain["position"] = None if record.start is None else rules.to_position(record.start, FULL)
    return _encoder.encode(plain)


@lru_cache(maxsize=1024)
def decode_record(data: bytes) -> Record:
    """The record. Cached: a game is mostly asked about many times in a row. Raises `NewerRules`."""
    plain = msgspec.msgpack.decode(data)
    variant = VARIANTS[plain["variant"]]
    rules = variant.rules
    if plain["rules_version"] > rules.RULES_VERSION:
        raise NewerRules(f"the game has rules version {plain['rules_version']}, not {rules.RULES_VERSION}")
    options = rules.parse_options(plain.pop("options"))
    position = plain.pop("position")
    plain["players"] = tuple(plain["players"])
    plain["seats"] = tuple(plain["seats"])
    plain["bots"] = tuple(plain.get("bots", ()))
    start = None if position is None else variant.positions.from_position(len(plain["players"]), options, position)
    known = {name: value for name, value in plain.items() if name in Record._fields}
    return Record(**known, options=options, start=start)


# States ------------------------------------------------------------------------------------------------------------


def encode_state(game: Game) -> bytes:
    """The state and the versions of its decisions, behind the number of its format."""
    return _encoder.encode((_format(game.record.variant), game.decision_versions, game.state[1:]))


def decode_state(record: Record, version: int, data: bytes) -> Game:
    """The game at that version. Raises `OtherFormat`."""
    number, since, fields = _state_decoder.decode(data)
    if number != _format(record.variant):
        raise OtherFormat
    state = record.rules.State(record.options, *_fields_decoder(record.variant).decode(fields))
    return Game(record, state, version, since)


@cache
def _fields_decoder(variant: str) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(_tuple_of(_field_types(variant).values()))


@cache
def _format(variant: str) -> int:
    """A number that differs when the fields of a state differ in name, order or type."""
    return zlib.crc32(repr((STATE_FORMAT, _describe(_field_types(variant)))).encode())


def _field_types(variant: str) -> dict[str, Any]:
    """The names and types of a state's fields without the first, its options."""
    (_, *types) = get_type_hints(VARIANTS[variant].rules.State).items()
    return dict(types)


def _describe(type_: Any) -> Any:
    """A type as plain data; a named tuple by the names and types of its fields."""
    if isinstance(type_, dict):
        return {name: _describe(each) for name, each in type_.items()}
    if hasattr(type_, "_fields"):
        return _describe(get_type_hints(type_))
    if arguments := get_args(type_):
        return [get_origin(type_).__name__, *map(_describe, arguments)]
    return getattr(type_, "__name__", repr(type_))


def _tuple_of(types: Iterable[Any]) -> Any:
    return tuple.__class_getitem__(tuple(types))


# Events ------------------------------------------------------------------------------------------------------------


def encode_event(event: Event) -> bytes:
    """One line of history.

    >>> encode_event(Event("chance", "draw R7", 0)), encode_event(Event(1, "draw deck"))
    (b'c0:draw R7', b'1:draw deck')
    """
    actor = "c" if event.actor == CHANCE else event.actor
    visible_to = "" if event.visible_to is None else event.visible_to
    return f"{actor}{visible_to}:{event.notation}".encode()


def decode_event(data: bytes) -> Event:
    """The way back.

    >>> decode_event(b"c0:draw R7")
    Event(actor='chance', notation='draw R7', visible_to=0)
    """
    who, notation = data.decode().split(":", 1)
    if who[0] == "c":
        return Event(CHANCE, notation, int(who[1:]) if who[1:] else None)
    return Event(int(who), notation)
