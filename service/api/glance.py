"""Marshmallow's schemas as types of msgspec, which tell at a glance that a request is right.

A schema is the one place that says what is taken. Its type is made from it: what the type takes, the schema takes too,
and takes as it is. Whatever the type does not take is left to the schema, which looks longer and says what is wrong.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec
from marshmallow import Schema, fields, missing, validate

_NO_FLAGS: Final = re.compile("").flags


class Form(NamedTuple):
    """An object at a glance."""

    type: Any
    """Takes it if it is right, apart from"""
    rest: Mapping[str, fields.Field[Any]]
    """what only marshmallow can read."""


class _Opaque(Exception):
    """No type takes the same."""


def form_of(schema: Schema) -> Form | None:
    """How the objects look that the schema takes as they are; `None` if it changes them or has more to say of them."""
    if schema.many or any(schema._hooks.values()) or any(map(_changes, schema.load_fields.values())):
        return None
    members: list[Any] = []
    keys: dict[str, str] = {}
    rest: dict[str, fields.Field[Any]] = {}
    for number, (name, field) in enumerate(schema.load_fields.items()):
        member = f"_{number}"  # not every key is a name in Python
        key = keys[member] = field.data_key or name
        try:
            type_ = _type_of(field)
        except _Opaque:
            type_, rest[key] = object, field
        members.append((member, type_) if field.required else (member, type_ | msgspec.UnsetType, msgspec.UNSET))
    title = type(schema).__name__ or "Form"
    return Form(msgspec.defstruct(title, members, rename=keys, kw_only=True, forbid_unknown_fields=True), rest)


def _changes(field: fields.Field[Any]) -> bool:
    """Whether the field adds something, or calls it something else."""
    return field.load_default is not missing or (field.attribute or field.name) != (field.data_key or field.name)


def _type_of(field: fields.Field[Any]) -> Any:
    """The type of what the field takes as it is."""
    if field.pre_load or field.post_load:
        raise _Opaque
    type_ = _type_of_glanced(field) if isinstance(field, Glanced) else _type_of_standard(field)
    return type_ | None if field.allow_none else type_


class Glanced(fields.Field[Any]):
    """A field that knows its own type."""

    form: Any


def _type_of_glanced(field: Glanced) -> Any:
    """Its own type, which knows of a range: whatever else is checked, it does not know of."""
    if any(type(check) is not validate.Range for check in field.validators):
        raise _Opaque
    return field.form


def _type_of_standard(field: fields.Field[Any]) -> Any:
    if isinstance(field, fields.List):
        return Annotated[list[_type_of(field.inner)], _bounds(field)]  # type: ignore[misc]
    if isinstance(field, fields.Nested):
        form = getattr(field.schema, "form", None)
        if form is None or form.rest or field.many or field.validators:
            raise _Opaque
        return form.type
    if isinstance(field, fields.String):
        if len(field.validators) == 1 and isinstance(check := field.validators[0], validate.OneOf):
            return Literal[tuple(check.choices)]
        return Annotated[str, _bounds(field)]
    raise _Opaque


def _bounds(field: fields.Field[Any]) -> msgspec.Meta:
    """What the field's validators say."""
    said: dict[str, Any] = {}
    for check in field.validators:
        if isinstance(check, validate.Length) and check.equal is None and "min_length" not in said:
            said |= {"min_length": check.min, "max_length": check.max}
        elif isinstance(check, validate.Regexp) and check.regex.flags == _NO_FLAGS and "pattern" not in said:
            said["pattern"] = f"^(?:{check.regex.pattern!s})\\Z"
        else:
            raise _Opaque
    return msgspec.Meta(**said)
