"""Marshmallow fields that validate exactly as their JSON Schema does, without coercion."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from marshmallow import Schema, ValidationError, fields, validate

from lostcities.variants.core import N_, Text

AnyField = fields.Field[Any]
SchemaOrLater = type[Schema] | Callable[[], type[Schema]]
"""A schema, or a function that returns it when the field is first used."""

MOST: Final = 1_000_000
"""Default maximum of numbers."""
QUERY_DIGITS: Final = 10
"""Numbers in a query have fewer digits than this."""
EXTENSIBLE: Final = 60
"""Maximum characters of a value that is not in the contract yet."""
MORE_VALUES: Final = "Later versions may add values: expect unknown ones."
LONGEST: Final = 1000
"""Maximum characters of a human-readable text."""
MAX_FAULTS: Final = 100
"""Maximum number of errors in a response."""
MAX_BODY: Final = 64 * 1024
"""The largest body that is read, in bytes."""
RECORD_EVENT_BYTES: Final = 128
"""What each event that a game may have adds to the largest body of a record."""


class Message(str):
    """What is wrong with a value: an English sentence, which is translated where it is shown.

    Marshmallow formats its messages, and this one has its values already.

    >>> Message("must have {count} {unit}", count=8, unit="cards")
    'must have 8 cards'
    """

    text: Text

    def __new__(cls, template: str, /, **values: object) -> Self:
        """The sentence of that template, with these values."""
        text = Text(template, **values)
        message = super().__new__(cls, text)
        message.text = text
        return message

    def format(self, *_: object, **__: object) -> Self:
        """The message itself."""
        return self


DEFAULT_MESSAGES: Final = (
    N_("Missing data for required field."),
    N_("Field may not be null."),
    N_("Not a valid string."),
    N_("Not a valid list."),
    N_("Not a valid delimited list."),
    N_("Invalid type."),
    N_("Invalid input type."),
    N_("Unknown field."),
)
"""The messages that marshmallow and webargs make."""


def text_of(message: str) -> Text:
    """The sentence of a message of marshmallow."""
    if isinstance(message, Message):
        return message.text
    return Text(message) if message in DEFAULT_MESSAGES else Text("{detail}", detail=message)


class Pattern(validate.Regexp):
    """Matches the whole text: a pattern that ends with `$` would accept a trailing newline."""

    def __call__(self, value: Any) -> Any:
        """Raise `ValidationError` if the value does not match."""
        if self.regex.fullmatch(value) is None:
            raise ValidationError(self.error)
        return value


def length_message(least: int, most: int, unit: str) -> Message:
    """What is wrong with a value that is too short or too long.

    >>> length_message(2, 4, "entries"), length_message(8, 8, "entries")
    ('must have 2 to 4 entries', 'must have 8 entries')
    """
    if least == most:
        return Message("must have {count} {unit}", count=least, unit=Text(unit))
    return Message("must have {least} to {most} {unit}", least=least, most=most, unit=Text(unit))


def choices_message(values: Iterable[str]) -> Message:
    """What is wrong with a value that is none of these."""
    return Message("Must be one of: {choices}.", choices=", ".join(values))


class BoundedText(fields.String):
    """A string with a minimum and a maximum length, and a pattern if it has one."""

    def __init__(self, least: int, most: int, pattern: str | None, error: Message | None, **kwargs: Any) -> None:
        checks: list[Any] = [validate.Length(least, most, error=length_message(least, most, N_("characters")))]
        if pattern:
            checks.append(Pattern(pattern, error=error or Message("does not match {regex}", regex=pattern)))
        super().__init__(validate=checks, **kwargs)
        self._lengths = range(least, most + 1)
        self._matches = re.compile(pattern or ".*", re.DOTALL).fullmatch

    def accepts(self, value: Any) -> bool:
        """Whether the value is valid as it is: all checks in one."""
        return type(value) is str and len(value) in self._lengths and self._matches(value) is not None


def text(
    description: str,
    *,
    pattern: str | None = None,
    least: int = 1,
    most: int,
    error: Message | None = None,
    **kwargs: Any,
) -> AnyField:
    """A string with a minimum and a maximum length."""
    return BoundedText(least, most, pattern, error, metadata={"description": description}, **kwargs)


@dataclass(frozen=True)
class Enumeration:
    """A list of values that is a component of the contract: generated clients have one type for it, with this name."""

    name: str
    description: str
    values: tuple[str, ...]

    def constants(self) -> list[str]:
        """The names of the values in generated code.

        They begin with the name of the list, because constants of Go share one namespace. The value of a list with
        only one is its own name.

        >>> Enumeration("DuelPhase", "", ("draw", "draw-deck")).constants()
        ['DUEL_PHASE_DRAW', 'DUEL_PHASE_DRAW_DECK']
        >>> Enumeration("RollAndWriteName", "", ("roll-and-write",)).constants()
        ['ROLL_AND_WRITE']
        """
        prefix = re.sub("(?<=[a-z])(?=[A-Z])", "_", self.name).upper() + "_" if len(self.values) > 1 else ""
        return [prefix + re.sub(r"\W+", "_", value).upper() for value in self.values]


class Choice(fields.String):
    """A string that is one of several values."""

    def __init__(self, values: Sequence[str] | Enumeration, **kwargs: Any) -> None:
        self.enumeration = values if isinstance(values, Enumeration) else None
        known = values.values if isinstance(values, Enumeration) else values
        super().__init__(validate=validate.OneOf(known, error=choices_message(known)), **kwargs)


def choice(description: str, values: Sequence[str] | Enumeration, **kwargs: Any) -> AnyField:
    """A string that is one of `values`."""
    return Choice(values, metadata={"description": description}, **kwargs)


def extensible(description: str, values: Iterable[str], **kwargs: Any) -> AnyField:
    """A string of answers that is one of `values` today. The contract has no `enum`: later versions may add values."""
    known = sorted(values)
    document = {"description": f"{description} {MORE_VALUES}", "x-extensible-enum": known}
    return fields.String(validate=validate.Length(1, EXTENSIBLE), metadata=document, **kwargs)


def word(description: str, values: Sequence[str], **kwargs: Any) -> AnyField:
    """A string that is one of `values`, as an item of a list of lists.

    The contract has a pattern and no `enum`: openapi-generator writes code that does not compile for an `enum` there.
    """
    pattern = f"^({'|'.join(values)})$"
    return text(description, pattern=pattern, most=max(map(len, values)), error=choices_message(values), **kwargs)


class Const(fields.Field[Any]):
    """Exactly one value. Used as the discriminator of unions."""

    def __init__(self, value: str | Enumeration, description: str, **kwargs: Any) -> None:
        super().__init__(metadata={"description": description}, **kwargs)
        self.enumeration = value if isinstance(value, Enumeration) else None
        (self.value,) = value.values if isinstance(value, Enumeration) else (value,)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> str:
        del attr, data, kwargs
        if value != self.value:
            raise ValidationError(Message("must be '{value}'", value=self.value))
        return self.value


class Int(fields.Field[Any]):
    """An integer in a range, as JSON Schema defines it: 2 and 2.0, but neither true nor "2"."""

    def __init__(self, low: int, high: int, **kwargs: Any) -> None:
        error = Message("must be a number from {low} to {high}", low=low, high=high)
        super().__init__(validate=validate.Range(low, high, error=error), **kwargs)
        self._low, self._high = low, high

    def accepts(self, value: Any) -> bool:
        """Whether the value is valid as it is."""
        return type(value) is int and self._low <= value <= self._high

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        del attr, data, kwargs
        if (
            isinstance(value, bool)
            or not isinstance(value, (int, float))
            or (isinstance(value, float) and not value.is_integer())
        ):
            raise ValidationError(Message("Not a valid integer."))
        return int(value)


def integer(description: str, low: int, high: int, **kwargs: Any) -> AnyField:
    """An integer in a range."""
    return Int(low, high, metadata={"description": description}, **kwargs)


def number(description: str, **kwargs: Any) -> AnyField:
    """A number in a response."""
    return fields.Float(validate=validate.Range(-MOST, MOST), metadata={"description": description}, **kwargs)


class QueryInt(Int):
    """An integer in a query string, in decimal digits."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> int:
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < QUERY_DIGITS:
            value = int(value)
        return super()._deserialize(value, attr, data, **kwargs)


def query_integer(description: str, low: int, high: int, **kwargs: Any) -> AnyField:
    """An integer in a range, in a query string."""
    return QueryInt(low, high, metadata={"description": description}, **kwargs)


class Flag(fields.Field[Any]):
    """A boolean. Strings and numbers are rejected."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:
        del attr, data, kwargs
        if not isinstance(value, bool):
            raise ValidationError(Message("Not a valid boolean."))
        return value


def flag(description: str, **kwargs: Any) -> AnyField:
    """A boolean."""
    return Flag(metadata={"description": description}, **kwargs)


class BoundedList(fields.List[Any]):
    """A list whose length is checked before its items, and whose items are checked up to `MAX_FAULTS` errors.

    This bounds the cost of validating a list. If the item's field has a method `accepts`, a list without errors costs
    one call of it for each item, which is much less than a field's whole validation.

    :param length_error: what is said of a list of another length
    """

    def __init__(
        self,
        item: AnyField,
        least: int,
        most: int,
        *,
        description: str = "",
        length_error: Message | None = None,
        **kwargs: Any,
    ) -> None:
        # The length is no validator of marshmallow, because these run after the items.
        metadata = {"description": description, "minItems": least, "maxItems": most}
        super().__init__(item, metadata=metadata, **kwargs)
        self._lengths = range(least, most + 1)
        self._length_error = length_error or length_message(least, most, N_("entries"))
        self._accepts = getattr(item, "accepts", None)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> list[Any]:
        del attr, data
        if not isinstance(value, list):
            raise self.make_error("invalid")
        if len(value) not in self._lengths:
            raise ValidationError(self._length_error)
        if self._accepts and all(map(self._accepts, value)):
            return [*value]
        items: list[Any] = []
        errors: dict[int, Any] = {}
        found = 0
        for index, each in enumerate(value):
            try:
                items.append(self.inner.deserialize(each, **kwargs))
            except ValidationError as error:
                errors[index] = error.messages
                found += count_messages(error.messages)
                if found >= MAX_FAULTS:
                    break
        if errors:
            raise ValidationError(errors)
        return items


def count_messages(messages: Any) -> int:
    """The number of messages in marshmallow's tree of messages.

    >>> count_messages({"a": ["wrong"], 3: {"b": ["short", "odd"]}})
    3
    """
    if isinstance(messages, Mapping):
        return sum(map(count_messages, messages.values()))
    return len(messages) if isinstance(messages, list) else 1


def listed(item: AnyField, description: str, least: int, most: int, **kwargs: Any) -> AnyField:
    """A list with a minimum and a maximum length. `length_error` is what is said of a list of another length."""
    return BoundedList(item, least, most, description=description, **kwargs)


def nested(schema: SchemaOrLater, description: str, **kwargs: Any) -> AnyField:
    """A nested object."""
    return fields.Nested(schema, metadata={"description": description}, **kwargs)


def closed(schema: SchemaOrLater, description: str, **kwargs: Any) -> AnyField:
    """A nested object of a request, without members that the schema does not have."""
    return fields.Nested(schema, metadata={"description": description, "unevaluatedProperties": False}, **kwargs)
