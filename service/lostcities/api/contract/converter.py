"""Documents this API's fields, lists of values and unions, which apispec does not know."""

from collections.abc import Callable
from typing import Any

from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema

from lostcities.api.fields import Choice, Const, Enumeration, Flag, Int
from lostcities.api.games.schemas import Actor, NewPlayer
from lostcities.api.schemas import Shared, Union


class _Converter(OpenAPIConverter):
    """Documents our own fields and unions, and takes each schema's docstring as its description."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.field_mapping = {**self.field_mapping, Int: ("integer", None), Flag: ("boolean", None)}

    def field2property(self, field: Any) -> dict[str, Any]:
        document: dict[str, Any] = super().field2property(field)
        if isinstance(field, Const):
            document |= {"type": "string", "const": field.value}
        if isinstance(field, (Choice, Const)) and field.enumeration:
            named = self.reference_to(field.enumeration)
            said = {"description": field.metadata["description"]}
            document = said | ({"anyOf": [named, {"type": "null"}]} if field.allow_none else named)
        if field.allow_none and "pattern" in document:
            # The same for a validator. Code of openapi-generator's `go` would match a nullable text, and always fail.
            document |= {"if": {"type": "string"}, "then": {"pattern": document.pop("pattern")}}
        if "unevaluatedProperties" in field.metadata:  # apispec copies a fixed list of keywords only
            document["unevaluatedProperties"] = field.metadata["unevaluatedProperties"]
        if isinstance(field, Actor):
            document |= {"$ref": "#/components/schemas/Actor"}
        return document

    def reference_to(self, enumeration: Enumeration) -> dict[str, str]:
        """A reference to the component of the enumeration."""
        document = {
            "type": "string",
            "description": enumeration.description,
            "enum": [*enumeration.values],
            "x-enum-varnames": enumeration.constants(),
        }
        return self.component_of(enumeration.name, document)

    def component_of(self, name: str, document: dict[str, Any]) -> dict[str, str]:
        """A reference to the component, which is added at its first use."""
        if self.spec.components.schemas.setdefault(name, document) != document:
            raise ValueError(f"the contract has two components with the name {name}")
        return {"$ref": f"#/components/schemas/{name}"}

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        instance = schema() if isinstance(schema, type) else schema
        members = instance.members() if isinstance(instance, Union) else {}
        if members:
            resolve: Callable[[Any], Any] = self.resolve_nested_schema
            references = {value: resolve(member) for value, member in members.items()}
            forms = [{"$ref": "#/components/schemas/PlayerName"}] if isinstance(instance, NewPlayer) else []
            document: dict[str, Any] = {instance.keyword(): [*forms, *references.values()]}
            if instance.tag:
                mapping = {value: reference["$ref"] for value, reference in references.items()}
                document["discriminator"] = {"propertyName": instance.tag, "mapping": mapping}
        else:
            document = super().schema2jsonschema(instance)  # type: ignore[no-untyped-call]
        if isinstance(instance, Shared):
            del document["additionalProperties"]
        document["description"] = (type(instance).__doc__ or "").strip()
        return document


class Plugin(MarshmallowPlugin):
    """apispec's plugin for marshmallow, with this API's fields."""

    Converter = _Converter


def published_name(schema: Schema | type[Schema]) -> str:
    """The name of the schema's class. `View` at its end tells it from the class of what it shows."""
    return (schema if isinstance(schema, type) else type(schema)).__name__.removesuffix("View")
