"""Marshmallow fields that mean what their JSON Schema says: no coercion, no surprise."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from marshmallow import RAISE, Schema, ValidationError, fields, missing, validate

AnyField = fields.Field[Any]

MOST: Final = 1_000_000
"""The highest number, where nothing else bounds it."""
LONGEST: Final = 1000
"""The most characters of a text that is for people."""
REMEMBERED: Final = 1000
"""The most texts that a list remembers to have passed."""


class Strict(Schema):
    """A schema that refuses unknown fields."""

    class Meta:
        """Unknown fields are refused, and the contract says so."""

        unknown = RAISE

    def load(self, data: Any, **kwargs: Any) -> Any:
        """What is right is seen at a glance; what is not, marshmallow looks at, and names all that it finds."""
        try:
            return self.glance(data)
        except ValidationError:
            return super().load(data, **kwargs)

    def glance(self, data: Any) -> dict[str, Any]:
        """The data field by field, which is all that there is to it as long as nothing is wrong.

        Raises `ValidationError`, which says nothing, for what is wrong or needs a longer look.
        """
        if type(data) is not dict or any(self._hooks.values()) or not data.keys() <= self.load_fields.keys():
            raise _UNCLEAR
        found = {}
        for name, field in self.load_fields.items():
            value = data.get(name, missing)
            value = field.glance(value) if isinstance(field, Part) else field.deserialize(value)
            if value is not missing:
                found[name] = value
        return found


_UNCLEAR: Final = ValidationError("")


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


# Each field below takes at a glance what is plainly right, which is most of what is sent, and leaves the rest to
# marshmallow, which looks longer and says what is wrong.


class Word(fields.String):
    """One of some words."""

    def __init__(self, values: Sequence[str], **kwargs: Any) -> None:
        super().__init__(validate=validate.OneOf(values), **kwargs)
        self._values = frozenset(values)

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The word."""
        return value if type(value) is str and value in self._values else super().deserialize(value, *args, **kwargs)


def choice(description: str, values: Sequence[str], **kwargs: Any) -> AnyField:
    """One of some words."""
    return Word(values, metadata={"description": description}, **kwargs)


class Const(fields.Field[Any]):
    """Exactly one word, number or truth value: the tag that tells variants apart."""

    def __init__(self, value: str | int, description: str, **kwargs: Any) -> None:
        super().__init__(metadata={"description": description}, **kwargs)
        self.value = value

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str | int:
        del attr, data, kwargs
        if type(value) is not type(self.value) or value != self.value:
            raise ValidationError(f"must be '{self.value}'")
        return self.value


class Int(fields.Field[int]):
    """A whole number of a range, as JSON Schema has it: 2 and 2.0, but neither true nor "2"."""

    def __init__(self, low: int, high: int, **kwargs: Any) -> None:
        super().__init__(validate=validate.Range(low, high), **kwargs)
        self.range = range(low, high + 1)

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The number."""
        return value if type(value) is int and value in self.range else super().deserialize(value, *args, **kwargs)

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


class Flag(fields.Field[bool]):
    """true or false, and nothing that looks like it."""

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The truth value."""
        return value if type(value) is bool else super().deserialize(value, *args, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:
        del attr, data, kwargs
        if not isinstance(value, bool):
            raise ValidationError("Not a valid boolean.")
        return value


def flag(description: str, **kwargs: Any) -> AnyField:
    """A truth value."""
    return Flag(metadata={"description": description}, **kwargs)


class Words(fields.List[Any]):
    """A list of texts. What has passed once passes again: most lists are made of the same few cards."""

    def __init__(self, item: AnyField, least: int, most: int, **kwargs: Any) -> None:
        super().__init__(item, validate=validate.Length(least, most), **kwargs)
        self._lengths = range(least, most + 1)
        self._passed: set[Any] = set()

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The list."""
        if type(value) is list and len(value) in self._lengths and self._have_passed(value):
            return value
        checked = super().deserialize(value, *args, **kwargs)
        if type(checked) is list and len(self._passed) < REMEMBERED:
            self._passed.update(checked)
        return checked

    def _have_passed(self, texts: list[Any]) -> bool:
        try:
            return self._passed.issuperset(texts)
        except TypeError:  # something in it has no hash, and is no text
            return False


class Numbers(fields.List[Any]):
    """A list of whole numbers."""

    def __init__(self, item: Int, least: int, most: int, **kwargs: Any) -> None:
        super().__init__(item, validate=validate.Length(least, most), **kwargs)
        self._lengths = range(least, most + 1)
        self._range = item.range

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """The list."""
        return value if self._is_right(value) else super().deserialize(value, *args, **kwargs)

    def _is_right(self, value: Any) -> bool:
        if type(value) is not list or len(value) not in self._lengths or not {int}.issuperset(map(type, value)):
            return False
        return not value or (min(value) in self._range and max(value) in self._range)


def listed(item: AnyField, description: str, least: int, most: int, **kwargs: Any) -> AnyField:
    """A list, bounded."""
    told = {"metadata": {"description": description}, **kwargs}
    if isinstance(item, fields.String):
        return Words(item, least, most, **told)
    if isinstance(item, Int):
        return Numbers(item, least, most, **told)
    return fields.List(item, validate=validate.Length(least, most), **told)


class Part(fields.Nested):
    """An object of its own."""

    def glance(self, value: Any) -> Any:
        """What its schema sees in it at a glance, if it can. Raises `ValidationError`."""
        schema = self.schema
        return schema.glance(value) if isinstance(schema, Strict) and type(value) is dict else self.deserialize(value)


def nested(schema: type[Schema], description: str, **kwargs: Any) -> AnyField:
    """An object of its own."""
    return Part(schema, metadata={"description": description}, **kwargs)


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
