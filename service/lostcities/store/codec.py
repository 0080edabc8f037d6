"""Registrations with setups, states and events as the bytes that are stored.

The setup and the events are the truth. Registration and setup are one map by field name, so that fields can be added;
the options and the starting position are in it as the API writes them. A state is a cache: it is stored with a number
of its format, and without the options if they are those of the setup. A state of another format is computed again from
the events.
"""

import zlib
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec

from lostcities.games.game import Event, Game, Setup
from lostcities.games.storage import NewerRules, Registration
from lostcities.games.table import Seating
from lostcities.variants.core import CHANCE, FULL
from lostcities.variants.registry import VARIANTS

STATE_FORMAT: Final = 1
"""To be raised when stored states mean something else although their fields have the same names and types."""

_encoder = msgspec.msgpack.Encoder()


class _StateParts(msgspec.Struct, array_like=True):
    """What is stored of a state."""

    format: int
    decision_versions: tuple[int, ...]
    fields: msgspec.Raw
    seating: Seating | None = None
    """Left out of a game that table events have not changed."""
    options: dict[str, Any] | None = None
    """The options in force as the API writes them. Left out if they are those of the setup."""


_state_decoder = msgspec.msgpack.Decoder(_StateParts)


class OtherFormat(Exception):
    """The stored state has another format: it must be computed again from the events."""


# Registration and setup --------------------------------------------------------------------------------------------


def encode_setup(registration: Registration, setup: Setup) -> bytes:
    """All fields of both by name."""
    fields = {**registration._asdict(), **setup._asdict()}
    start = fields.pop("start")
    fields["options"] = setup.options.plain()
    fields["position"] = None if start is None else setup.rules.to_position(start, FULL)
    return _encoder.encode(fields)


@lru_cache(maxsize=1024)
def decode_setup(data: bytes) -> tuple[Registration, Setup]:
    """The registration and the setup. Cached: many requests in a row are about one game. Raises `NewerRules`."""
    fields = msgspec.msgpack.decode(data)
    variant = VARIANTS[fields["variant"]]
    rules = variant.rules
    if fields["rules_version"] > rules.RULES_VERSION:
        raise NewerRules(f"the game has rules version {fields['rules_version']}, not {rules.RULES_VERSION}")
    fields["options"] = rules.parse_options(fields["options"])
    for name in ("players", "seats", "bots", "acting_since"):
        fields[name] = tuple(fields.get(name, ()))
    if (position := fields["position"]) is not None:
        fields["start"] = variant.positions.from_position(len(fields["players"]), fields["options"], position)
    registration, setup = (
        {name: fields[name] for name in kind._fields if name in fields} for kind in (Registration, Setup)
    )
    return Registration(**registration), Setup(**setup)


# States ------------------------------------------------------------------------------------------------------------


def encode_state(game: Game) -> bytes:
    """The state, the versions of its decisions and the changed seating, after the number of its format."""
    seating = (game.changed_seating,) if game.changed_seating else ()
    options = () if game.state.options == game.setup.options else (game.state.options.plain(),)
    return _encoder.encode((_format(game.setup.variant), game.decision_versions, game.state[1:], *seating, *options))


def decode_state(setup: Setup, version: int, data: bytes) -> Game:
    """The game at that version. Raises `OtherFormat`."""
    parts = _state_decoder.decode(data)
    if parts.format != _format(setup.variant):
        raise OtherFormat
    options = setup.options if parts.options is None else setup.rules.parse_options(parts.options)
    state = setup.rules.State(options, *_fields_decoder(setup.variant).decode(parts.fields))
    return Game(setup, state, version, parts.decision_versions, parts.seating)


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
    """The event in a line of history.

    >>> decode_event(b"c0:draw R7")
    Event(actor='chance', notation='draw R7', visible_to=0)
    """
    who, notation = data.decode().split(":", 1)
    if who[0] == "c":
        return Event(CHANCE, notation, int(who[1:]) if who[1:] else None)
    return Event(int(who), notation)
