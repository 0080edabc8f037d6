"""The kinds of schemas: closed ones of requests, open ones of answers, unions, and those that every game has.

The schema of a kind for a game is declared in the game's `schema.py`: `class DuelGame(Duel, GameView)`.
"""

from collections.abc import Callable, Mapping
from functools import cache
from itertools import islice
from typing import Any, ClassVar, Final

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, fields
from marshmallow.schema import SchemaMeta

from lostcities.api.fields import AnyField, Message, choices_message, listed, nested
from lostcities.api.game_contract import GameContract
from lostcities.variants.registry import VARIANTS

UNKNOWN_FIELD: Final = "Unknown field."
NOT_AN_OBJECT: Final = Message("Not an object.")


# Of each game ----------------------------------------------------------------------------------------------------


class GameSchemas:
    """The base of a game's schemas. A game has one direct subclass of it, which names its contract.

    A schema has this subclass and one or more kinds as its bases: `class DuelGame(Duel, GameView)`. Without a docstring
    of its own it has the description of its kind.
    """

    contract: ClassVar[GameContract]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for kind in cls.__bases__:
            if issubclass(kind, Schema):
                cls.contract.schemas[kind] = cls  # type: ignore[assignment] # a subclass of `kind`
                about = getattr(kind, "about", "") or str(kind.__doc__)
                cls.__doc__ = cls.__doc__ or about.format(game=cls.contract.variant)


class PerGame(fields.Field[Any]):
    """A member that differs by game. In the schemas of a game it is the field that `make` returns for the game."""

    def __init__(self, make: Callable[[GameContract], AnyField]) -> None:
        super().__init__()
        self.make = make


def own(kind: type[Schema], description: str, **kwargs: Any) -> PerGame:
    """A nested object: the game's own schema of a kind."""
    return PerGame(lambda game: nested(lambda: game.of(kind), description, **kwargs))


def own_list(kind: type[Schema], each: str, description: str, least: int, most: int) -> PerGame:
    """A list of objects of the game's own schema of a kind. `each` describes one of them."""
    return PerGame(lambda game: listed(nested(lambda: game.of(kind), each), description, least, most, required=True))


class _Meta(SchemaMeta):
    """Replaces members that differ by game, in the schemas of a game."""

    @classmethod
    def get_declared_fields(
        mcs,  # noqa: N804 (marshmallow names it so)
        klass: Any,
        cls_fields: Any,
        inherited_fields: Any,
        dict_cls: type[dict[Any, Any]] = dict,
    ) -> dict[str, Any]:
        declared = super().get_declared_fields(klass, cls_fields, inherited_fields, dict_cls)
        game = getattr(klass, "contract", None)
        if game is None:
            return declared
        return {name: field.make(game) if isinstance(field, PerGame) else field for name, field in declared.items()}


# Kinds -----------------------------------------------------------------------------------------------------------


class Base(Schema, metaclass=_Meta):
    """The base of all schemas."""

    contract: ClassVar[GameContract]
    """The game, of a schema that belongs to one."""
    about: ClassVar[str] = ""
    """Describes the games' schemas of a kind, with `{game}` for the name of the game. By default its docstring does."""


class Bounded(Base):
    """A schema that counts an object's members before it validates them, so that huge objects are cheap to reject."""

    error_messages = {"type": NOT_AN_OBJECT}  # noqa: RUF012 (marshmallow declares it so)
    most_unknown: ClassVar = 20
    """Maximum number of unknown members that are validated, or reported individually."""

    def load(self, data: Any, **kwargs: Any) -> Any:
        """Validate and convert the data. Raises `ValidationError`."""
        if isinstance(data, Mapping) and len(data) > len(self.fields) + self.most_unknown:
            unknown = islice((name for name in data if name not in self.fields), self.most_unknown)
            raise ValidationError({name: [UNKNOWN_FIELD] for name in unknown})
        return super().load(data, **kwargs)


class Strict(Bounded):
    """A schema that rejects unknown fields."""

    class Meta:
        """Reject unknown fields. apispec writes this to the contract as `additionalProperties: false`."""

        unknown = RAISE


class Shared(Strict):
    """A schema of requests and answers that may get more members: options and positions.

    The contract leaves it open, so that a client ignores members that it does not know. A request refers to it by
    `closed`, and is refused if it has an unknown member.
    """


class Answer(Base):
    """A schema of answers only. It is open: a client ignores members that it does not know."""

    class Meta:
        """apispec writes no `additionalProperties` for this."""

        unknown = EXCLUDE


class TakesRecord(Base):
    """A schema of bodies that may contain the record of a game. Such bodies have a limit of their own."""

    def has_record(self, body: Any) -> bool:
        """Whether the decoded body has a record."""
        del body
        return True


def shape(name: str, doc: str, base: type[Schema] = Strict, /, **members: Any) -> type[Schema]:
    """Create a schema class from members that are computed, for example from a variant's vocabulary."""
    return type(name, (base,), {"__doc__": doc, **members})


@cache
def instance(schema: type[Schema]) -> Schema:
    """One instance for each class: making one costs as much as using it."""
    return schema()


# Unions ----------------------------------------------------------------------------------------------------------


class Union(Base):
    """One of several schemas. With a `tag`, the value of that field says which."""

    tag: ClassVar[str | None] = None

    @classmethod
    def members(cls) -> Mapping[str, type[Schema]]:
        """The schemas, by the value of the tag if there is one."""
        raise NotImplementedError

    @classmethod
    def keyword(cls) -> str:
        """The keyword of JSON Schema. Generators of TypeScript merge the members of `anyOf` into one type."""
        return "oneOf"

    def load(self, data: Any, **kwargs: Any) -> Any:
        """Check the data by the schema that its tag names."""
        tag, members = str(self.tag), self.members()
        if not isinstance(data, Mapping):
            raise ValidationError({"_schema": [NOT_AN_OBJECT]})
        if tag not in data:
            raise ValidationError({tag: ["Missing data for required field."]})
        member = members.get(data[tag]) if isinstance(data[tag], str) else None
        if member is None:
            raise ValidationError({tag: [choices_message(members)]})
        kwargs.pop("unknown", None)
        return instance(member).load(data, **kwargs)


class ByVariant(Union):
    """A schema with a subclass for each variant. It is the union of them; a subclass is an ordinary schema."""

    tag = "variant"

    @classmethod
    def members(cls) -> Mapping[str, type[Schema]]:
        """The schemas of this kind by variant. A variant's own schema has none."""
        if hasattr(cls, "contract"):
            return {}
        return {name: variant.schema.of(cls) for name, variant in VARIANTS.items()}

    def load(self, data: Any, **kwargs: Any) -> Any:
        """Check the data by the schema of its variant."""
        return super(Union, self).load(data, **kwargs) if hasattr(self, "contract") else super().load(data, **kwargs)
