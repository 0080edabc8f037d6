"""The fields of the service accept exactly the values that the contract describes.

Every field of a request is given the same values as its schema in the contract. The strings of answers are compared in
the same way, although the service does not load them.
"""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
from lostcities.api.games import schemas
from marshmallow import Schema, ValidationError, fields

from tests.contract.conforms import CONTRACT
from tests.contract.test_contract import EVERY_SCHEMA, REQUESTED, SCHEMAS_OF_CONTRACT

Leaf = tuple[str, fields.Field[Any], Any]
CONTAINERS = fields.Nested


def every_class(base: type[Schema] = Schema) -> Iterator[type[Schema]]:
    for each in base.__subclasses__():
        yield each
        yield from every_class(each)


def leaves(path: str, field: Any, schema: Any) -> Iterator[Leaf]:
    """The field and its part of the contract; of a list those of its items."""
    if isinstance(field, fields.List):
        yield from leaves(f"{path}[]", field.inner, schema["items"])
    elif not isinstance(field, CONTAINERS):
        yield path, field, schema


def named_leaves() -> Iterator[Leaf]:
    """Every field of a class that the contract has under the same name."""
    for each in dict.fromkeys(every_class()):
        name = each.__name__.removesuffix("View")
        described = SCHEMAS_OF_CONTRACT.get(name, {}).get("properties", {})
        for key, field in each().fields.items() if described else ():
            member = field.data_key or key
            yield from leaves(f"{name}.{member}", field, described[member])


IN_REQUESTS = {name for name, _, _ in REQUESTED}
LEAVES = [leaf for leaf in named_leaves() if leaf[0].split(".")[0] in IN_REQUESTS or isinstance(leaf[1], fields.String)]


def values() -> list[Any]:
    """Values of every type, every text that the contract names, and texts that almost fit a pattern."""
    digits = ["0" * 64, "f" * 64, "Z" * 64, "F" * 64, "0" * 63, "0" * 65, "0" * 63 + "\n", "0" * 64 + "\n"]
    tokens = [f"{start}_{digit * 32}" for start in ("host", "seat", "king") for digit in "0Z"]
    texts = ["", " ", "?", "a", "Ann", " Ann", "Ann ", "Ann\n", "\u00ad", "\U0001f600", "x" * 41, "x" * 200, "x" * 1001]
    cards = ["R7", "R7\n", "r7", "R11", "R1", "Rw", "Yw", "P10", "Q5", "R6w", "RR", "R 7"]
    ids = ["ab2cd3ef4gh5ij6k", "ab2cd3ef4gh5ij61", "AB2CD3EF4GH5IJ6K", "ab2cd3ef4gh5ij6\n"]
    times = ["2026-11-01T12:00:00.000Z"]
    listed = [
        value for _, schema in EVERY_SCHEMA for value in [*schema.get("enum", []), *filter(None, [schema.get("const")])]
    ]
    numbers: list[Any] = [None, True, False, -1, 0, 1, 2.0, 2.5, 9, 10, 63, 1_000_000, 1_000_001, -100_001, [], {}]
    found = [*digits, *tokens, *texts, *cards, *ids, *times, *listed, *numbers]
    return [*{json.dumps(value): value for value in found}.values()]


VALUES = values()


def accepts(field: fields.Field[Any], value: Any) -> bool:
    try:
        field.deserialize(value)
    except ValidationError:
        return False
    return True


def test_every_kind_of_field_is_compared() -> None:
    paths = {path for path, _, _ in LEAVES}
    assert len(paths) > 300
    assert {"NewDuel.seed", "DuelRecord.commitment", "Tokens.seats[]", "DuelPosition.hands[][]"} <= paths


@pytest.mark.parametrize(("field", "schema"), [pytest.param(*leaf[1:], id=leaf[0]) for leaf in LEAVES])
def test_a_field_accepts_what_its_schema_accepts(field: fields.Field[Any], schema: Any) -> None:
    described = jsonschema_rs.Draft202012Validator({**schema, "components": CONTRACT["components"]})
    assert [value for value in VALUES if accepts(field, value) != described.is_valid(value)] == []


def strings(name: str) -> list[Any]:
    return [schema for path, schema in EVERY_SCHEMA if path.endswith(name)]


def test_nullable_strings_have_the_pattern_of_the_others() -> None:
    """Where generated code does not see it: openapi-generator's `go` matches a nullable text, and always fails."""
    digits = [each for each in strings(".seed") + strings(".commitment") if each["type"] != "string"]
    assert {each["then"]["pattern"] for each in digits} == {schemas.HEX}
    assert strings("Tokens.seats[]")[0]["then"]["pattern"] == strings("Tokens.host")[0]["pattern"]
    assert [path for path, schema in EVERY_SCHEMA if "null" in schema.get("type", []) and "pattern" in schema] == []
