"""Marshmallow fields that mean what their JSON Schema says: no coercion, no surprise."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, Final, Literal

import msgspec
from marshmallow import RAISE, Schema, ValidationError, fields, validate

from service.api.glance import Form, Glanced, form_of

AnyField = fields.Field[Any]

MOST: Final = 1_000_000
"""The highest number, where nothing else bounds it."""
LONGEST: Final = 1000
"""The most characters of a text that is for people."""


class Strict(Schema):
    """A schema that refuses unknown fields."""

    class Meta:
        """Unknown fields are refused, and the contract says so."""

        unknown = RAISE

    @cached_property
    def form(self) -> Form | None:
        """How its objects look at a glance."""
        return form_of(self)

    def load(self, data: Any, **kwargs: Any) -> Any:
        """What is right is seen at a glance; what is not, marshmallow looks at, and names all that it finds."""
        if self.form and type(data) is dict:
            try:
                msgspec.convert(data, self.form.type)
                rest = {name: field.deserialize(data[name]) for name, field in self.form.rest.items() if name in data}
            except (msgspec.ValidationError, ValidationError):
                pass
            else:
                return {**data, **rest} if rest else data
        return super().load(data, **kwargs)


def shape(name: str, doc: str, base: type[Schema] = Strict, /, **members: Any) -> type[Schema]:
    """A schema made from its members, where these are made by the rules' own data."""
    return type(name, (base,), {"__doc__": doc, **members})


class Pattern(validate.Regexp):
    """The whole text matches: a `$` would let a trailing newline through."""

    def __call__(self, value: Any) -> Any:
        """Refuse a value that does not match."""
        if self.regex.fullmatch(value) is None:
            raise ValidationError(self._format_error(value))
        return value


def text(
    description: str, *, pattern: str | None = None, least: int = 1, most: int, error: str = "", **kwargs: Any
) -> AnyField:
    """A string, bounded."""
    checks: list[Any] = [validate.Length(least, most)]
    if pattern:
        checks.append(Pattern(pattern, error=error or "does not match {regex}"))
    return fields.String(validate=checks, metadata={"description": description}, **kwargs)


def choice(description: str, values: Sequence[str], **kwargs: Any) -> AnyField:
    """One of some words."""
    return fields.String(validate=validate.OneOf(values), metadata={"description": description}, **kwargs)


class Const(Glanced):
    """Exactly one word, number or truth value: the tag that tells variants apart."""

    def __init__(self, value: str | int, description: str, **kwargs: Any) -> None:
        super().__init__(metadata={"description": description}, **kwargs)
        self.value = value
        self.form = Literal[value]

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str | int:
        del attr, data, kwargs
        if type(value) is not type(self.value) or value != self.value:
            raise ValidationError(f"must be '{self.value}'")
        return self.value


class Int(Glanced):
    """A whole number of a range, as JSON Schema has it: 2 and 2.0, but neither true nor "2"."""

    def __init__(self, low: int, high: int, **kwargs: Any) -> None:
        super().__init__(validate=validate.Range(low, high), **kwargs)
        self.form = Annotated[int, msgspec.Meta(ge=low, le=high)]

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        del attr, data, kwargs
        if (
            isinstance(value, bool)
            or not isinstance(value, (int, float))
            or (isinstance(value, float) and not value.is_integer())
        ):
            raise ValidationError("Not a valid integer.")
        return int(value)


def integer(description: str, low: int, high: int, **kwargs: Any) -> AnyField:
    """A whole number, bounded."""
    return Int(low, high, metadata={"description": description}, **kwargs)


class Flag(Glanced):
    """true or false, and nothing that looks like it."""

    form = bool

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:
        del attr, data, kwargs
        if not isinstance(value, bool):
            raise ValidationError("Not a valid boolean.")
        return value


def flag(description: str, **kwargs: Any) -> AnyField:
    """A truth value."""
    return Flag(metadata={"description": description}, **kwargs)


def listed(item: AnyField, description: str, least: int, most: int, **kwargs: Any) -> AnyField:
    """A list, bounded."""
    return fields.List(item, validate=validate.Length(least, most), metadata={"description": description}, **kwargs)


def nested(schema: type[Schema], description: str, **kwargs: Any) -> AnyField:
    """An object of its own."""
    return fields.Nested(schema, metadata={"description": description}, **kwargs)


def like(value: Any, description: str, **kwargs: Any) -> AnyField:
    """A field for a value that never changes, known by its shape: what the rules tell of themselves."""
    if isinstance(value, bool):
        return flag(description, **kwargs)
    if isinstance(value, int):
        return integer(description, -MOST, MOST, **kwargs)
    if isinstance(value, str):
        return text(description, most=LONGEST, **kwargs)
    if isinstance(value, Mapping):
        members = {key: like(each, _words(key), required=True) for key, each in value.items()}
        return nested(shape("", description, **members), description, **kwargs)
    return listed(like(value[0], "One of them."), description, 0, MOST, **kwargs)


def _words(key: str) -> str:
    """A key as a description.

    >>> _words("wagers_per_colour")
    'Wagers per colour.'
    """
    return key.replace("_", " ").capitalize() + "."
