"""Compares two contracts and describes the breaking changes, as the introduction of the contract defines them.

It compares what goes over the wire. These differences are none: a list of values that has become a component, `const`
for a list of one value, a nullable type for a union with null, another name of a component, and an array in a query
whose texts are those of the list before.
"""

import operator
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any, Literal

Direction = Literal["request", "answer"]
METHODS = ("get", "put", "post", "delete", "patch")

TIGHTER: dict[str, Callable[[Any, Any], bool]] = {
    "minimum": operator.lt,
    "minLength": operator.lt,
    "minItems": operator.lt,
    "maximum": operator.gt,
    "maxLength": operator.gt,
    "maxItems": operator.gt,
    "pattern": operator.ne,
}
"""The limits of a schema. Each function tells whether a new value is stricter than an old one."""


def breaks(old: Any, new: Any) -> list[str]:
    """A description of each breaking change for clients of the old contract."""
    return [*dict.fromkeys(_Comparison(old, new).paths())]


class _Comparison:
    """The comparison of two contracts."""

    def __init__(self, old: Any, new: Any) -> None:
        self._old = old
        self._new = new
        self._compared: set[tuple[str, str, Direction]] = set()

    def paths(self) -> Iterator[str]:
        for path, old in self._old["paths"].items():
            new = self._new["paths"].get(path)
            if new is None:
                yield f"the path {path} was removed"
                continue
            for method in METHODS:
                if method in old and method not in new:
                    yield f"{method.upper()} {path} was removed"
                elif method in old:
                    shared = old.get("parameters", []), new.get("parameters", [])
                    yield from self._call(f"{method.upper()} {path}", old[method], new[method], shared)

    def _call(self, call: str, old: Any, new: Any, shared: tuple[Any, Any]) -> Iterator[str]:
        if old["operationId"] != new["operationId"]:
            yield f"{call}: its operation id {old['operationId']} became {new['operationId']}"
        yield from self._parameters(
            call, [*shared[0], *old.get("parameters", [])], [*shared[1], *new.get("parameters", [])]
        )
        if _is_open(self._old, old) and not _is_open(self._new, new):
            yield f"{call}: it takes a token now"
        yield from self._request_body(call, old.get("requestBody"), new.get("requestBody"))
        for status, response in old["responses"].items():
            if status in new["responses"]:
                yield from self._answer(f"{call} → {status}", response, new["responses"][status])
            else:
                yield f"{call} no longer answers {status}"

    def _parameters(self, call: str, old: list[Any], new: list[Any]) -> Iterator[str]:
        def named(document: Any, parameters: list[Any]) -> dict[tuple[str, str], Any]:
            resolved = [_resolve(document, parameter)[1] for parameter in parameters]
            return {(parameter["in"], parameter["name"]): parameter for parameter in resolved}

        before, after = named(self._old, old), named(self._new, new)
        for (where, name), parameter in before.items():
            if (where, name) not in after:
                yield f"{call}: the {where} parameter {name} was removed"
            else:
                schemas = _as_text(self._old, parameter), _as_text(self._new, after[where, name])
                yield from self._schema(f"{call} {name}", *schemas, "request")
        for (where, name), parameter in after.items():
            if parameter.get("required") and not before.get((where, name), {}).get("required"):
                yield f"{call}: the {where} parameter {name} is required now"

    def _request_body(self, call: str, old: Any, new: Any) -> Iterator[str]:
        if old is None and new is not None:
            yield f"{call}: a body is required now"
        elif old is not None and new is not None:
            for media, content in old["content"].items():
                if media not in new["content"]:
                    yield f"{call} no longer takes {media}"
                else:
                    schemas = content["schema"], new["content"][media]["schema"]
                    yield from self._schema(f"the body of {call}", *schemas, "request")

    def _answer(self, answer: str, old: Any, new: Any) -> Iterator[str]:
        _, old = _resolve(self._old, old)
        _, new = _resolve(self._new, new)
        for code in old.get("x-problem-codes", []):
            if code not in new.get("x-problem-codes", []):
                yield f"{answer}: the code {code} was removed"
        for name in old.get("headers", {}):
            if name not in new.get("headers", {}):
                yield f"{answer}: the header {name} was removed"
        for media, content in old.get("content", {}).items():
            if media not in new.get("content", {}):
                yield f"{answer} is no longer {media}"
            else:
                yield from self._schema(answer, content["schema"], new["content"][media]["schema"], "answer")

    def _schema(self, what: str, old: Any, new: Any, direction: Direction) -> Iterator[str]:
        """Breaking changes below `what`. Each pair of schemas is compared once."""
        if direction == "request" and _is_closed(new) and not _is_closed(old):
            yield f"{what}: unknown fields are refused now"
        (old_name, old), (new_name, new) = _not_null(self._old, old), _not_null(self._new, new)
        if old_name and new_name:
            if (old_name, new_name, direction) in self._compared:
                return
            self._compared.add((old_name, new_name, direction))
            what = f"{old_name} in {'a request' if direction == 'request' else 'an answer'}"
            if direction == "request" and _is_closed(new) and not _is_closed(old):
                yield f"{what}: unknown fields are refused now"
        yield from self._values(what, old, new, direction)
        yield from self._members(what, old, new, direction)
        yield from self._properties(what, old, new, direction)
        if "items" in old and "items" in new:
            yield from self._schema(f"{what}: each item", old["items"], new["items"], direction)

    def _values(self, what: str, old: Any, new: Any, direction: Direction) -> Iterator[str]:
        before, after = _types(old), _types(new)
        lost = before - after if direction == "request" else after - before
        if before and after and lost:
            yield f"{what}: its type {sorted(before)} became {sorted(after)}"
        yield from self._lists(what, old, new, direction)
        if direction == "request":
            for limit, is_tighter in TIGHTER.items():
                if limit not in new or _keeps_every_value(old, limit, new[limit]):
                    continue
                if limit not in old or is_tighter(old[limit], new[limit]):
                    yield f"{what}: {limit} was {old.get(limit, 'none')} and is {new[limit]}"

    def _lists(self, what: str, old: Any, new: Any, direction: Direction) -> Iterator[str]:
        known = _listed(new)
        for value in _listed(old):
            if known and value not in known:
                yield f"{what}: the value {value!r} was removed"
        closed_before, closed_now = _closed_list(old), _closed_list(new)
        if direction == "request" and closed_now and not closed_before:
            yield f"{what}: only listed values are taken now"
        if direction == "answer" and closed_before and not closed_now:
            yield f"{what}: it may have values that are not listed now"
        if direction == "answer" and closed_before:
            for value in closed_now:
                if value not in closed_before:
                    yield f"{what}: the value {value!r} was added to a list that is not extensible"

    def _members(self, what: str, old: Any, new: Any, direction: Direction) -> Iterator[str]:
        before, after = _named(self._old, old), _named(self._new, new)
        added = [member for name, member in after.items() if name not in before]
        for name, member in before.items():
            if after and name not in after:
                if not any(self._is_renamed(member, each, direction) for each in added):
                    yield f"{what}: {name} is no longer one of its forms"
            elif after:
                yield from self._schema(f"{what} {name}", member, after[name], direction)

    def _is_renamed(self, old: Any, new: Any, direction: Direction) -> bool:
        """Whether a form with another name takes the place of the old one."""
        return not [*_Comparison(self._old, self._new)._schema("", old, new, direction)]

    def _properties(self, what: str, old: Any, new: Any, direction: Direction) -> Iterator[str]:
        before, after = old.get("properties", {}), new.get("properties", {})
        for name, member in before.items():
            if name not in after:
                yield f"{what}: the field {name} was removed"
            else:
                yield from self._schema(f"{what}: {name}", member, after[name], direction)
        required, still = {*old.get("required", [])}, {*new.get("required", [])}
        if direction == "request":
            for name in sorted(still - required):
                yield f"{what}: the field {name} is required now"
        else:
            for name in sorted((required - still) & after.keys()):
                yield f"{what}: the field {name} may be missing now"


def _resolve(document: Any, part: Any) -> tuple[str, Any]:
    """The name and the target of a reference. Anything else is returned unchanged."""
    name = ""
    while "$ref" in part:
        name = part["$ref"].rsplit("/", 1)[1]
        target = document
        for step in part["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        part = target
    return name, part


def _is_closed(schema: Any) -> bool:
    return schema.get("additionalProperties") is False or schema.get("unevaluatedProperties") is False


def _is_open(document: Any, operation: Any) -> bool:
    """Whether an operation can be called without a token. Its own security replaces that of the contract."""
    security = operation.get("security", document.get("security", []))
    return not security or {} in security


def _as_text(document: Any, parameter: Any) -> Any:
    """The schema of a parameter, where an array of different values is the list of the texts that it has in a query."""
    schema = parameter["schema"]
    if schema.get("type") != "array" or parameter.get("explode", True) or not schema.get("uniqueItems"):
        return schema
    values = _closed_list(_resolve(document, schema["items"])[1])
    lengths = range(schema["minItems"], schema["maxItems"] + 1)
    return {"type": "string", "enum": [",".join(each) for length in lengths for each in permutations(values, length)]}


def _not_null(document: Any, schema: Any) -> tuple[str, Any]:
    """The name and the schema. A union with null is the schema that also allows null."""
    name, schema = _resolve(document, schema)
    if schema.get("if") == {"type": "string"}:  # a nullable text has its pattern there
        schema = {**schema, **schema["then"]}
    null = {"type": "null"}
    parts = [part for part in schema.get("anyOf", []) if part != null]
    if null not in schema.get("anyOf", []) or len(parts) != 1:
        return name, schema
    name, part = _resolve(document, parts[0])
    values = {"enum": [*part["enum"], None]} if "enum" in part else {}
    return name, {**part, **values, "type": [*_types(part), "null"]}


def _listed(schema: Any) -> list[Any]:
    """The values that a schema lists, whether a later contract may add some or not."""
    listed: list[Any] = _closed_list(schema) or schema.get("x-extensible-enum", [])
    return listed


def _closed_list(schema: Any) -> list[Any]:
    """The values that a schema lists, if it has no others."""
    listed: list[Any] = [schema["const"]] if "const" in schema else schema.get("enum", [])
    return listed


def _keeps_every_value(old: Any, limit: str, bound: Any) -> bool:
    """Whether the old schema lists its values, and all of them are within a limit of their length."""
    within = {"minLength": operator.ge, "maxLength": operator.le}.get(limit)
    return within is not None and "enum" in old and all(within(len(value), bound) for value in old["enum"])


def _types(schema: Any) -> set[str]:
    types = schema.get("type", [])
    return {*types} if isinstance(types, list) else {types}


def _named(document: Any, union: Any) -> dict[str, Any]:
    """The members of a union: objects by name, other values by type. A member that is a union adds its own."""
    members: dict[str, Any] = {}
    for member in [*union.get("oneOf", []), *union.get("anyOf", [])]:
        name, schema = _resolve(document, member)
        is_value = "type" in schema and schema["type"] != "object"
        members |= _named(document, schema) or {str(schema["type"]) if is_value else name: member}
    return members
