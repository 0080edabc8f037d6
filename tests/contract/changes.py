"""Compares two contracts and describes the breaking changes, as the introduction of the contract defines them."""

import operator
from collections.abc import Callable, Iterator
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
        if old["security"] != new["security"] and {} in old["security"] and {} not in new["security"]:
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
                yield from self._schema(f"{call} {name}", parameter["schema"], after[where, name]["schema"], "request")
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
        (old_name, old), (new_name, new) = _resolve(self._old, old), _resolve(self._new, new)
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
        if "const" in old and old["const"] != new.get("const", old["const"]):
            yield f"{what}: the constant {old['const']!r} became {new['const']!r}"
        yield from self._lists(what, old, new, direction)
        if direction == "request":
            for limit, is_tighter in TIGHTER.items():
                if limit not in new or _keeps_every_value(old, limit, new[limit]):
                    continue
                if limit not in old or is_tighter(old[limit], new[limit]):
                    yield f"{what}: {limit} was {old.get(limit, 'none')} and is {new[limit]}"

    def _lists(self, what: str, old: Any, new: Any, direction: Direction) -> Iterator[str]:
        known = _listed(new) or ([new["const"]] if "const" in new else [])
        for value in _listed(old):
            if known and value not in known:
                yield f"{what}: the value {value!r} was removed"
        if direction == "answer" and "enum" in old:
            for value in new.get("enum", []):
                if value not in old["enum"]:
                    yield f"{what}: the value {value!r} was added to a list that is not extensible"

    def _members(self, what: str, old: Any, new: Any, direction: Direction) -> Iterator[str]:
        for combined in ("oneOf", "anyOf"):
            before, after = _named(self._old, old, combined), _named(self._new, new, combined)
            for name, member in before.items():
                if after and name not in after:
                    yield f"{what}: {name} is no longer one of its forms"
                elif after:
                    yield from self._schema(f"{what} {name}", member, after[name], direction)

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


def _listed(schema: Any) -> list[Any]:
    """The values that a schema lists, whether a later contract may add some or not."""
    listed: list[Any] = schema.get("enum", schema.get("x-extensible-enum", []))
    return listed


def _keeps_every_value(old: Any, limit: str, bound: Any) -> bool:
    """Whether the old schema lists its values, and all of them are within a limit of their length."""
    within = {"minLength": operator.ge, "maxLength": operator.le}.get(limit)
    return within is not None and "enum" in old and all(within(len(value), bound) for value in old["enum"])


def _types(schema: Any) -> set[str]:
    types = schema.get("type", [])
    return {*types} if isinstance(types, list) else {types}


def _named(document: Any, schema: Any, combined: str) -> dict[str, Any]:
    """The members of a union by name, or by type if they have no name. A member that is such a union adds its own."""
    named: dict[str, Any] = {}
    for member in schema.get(combined, []):
        name, target = _resolve(document, member)
        named |= _named(document, target, combined) or {name or str(member.get("type")): member}
    return named
