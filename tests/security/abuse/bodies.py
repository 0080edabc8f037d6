"""Hostile request bodies for every call that takes one, generated from the OpenAPI document.

A new call, or a new member of a schema, is found by itself. No body is larger than the service accepts.
"""

import json
import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import cycle, islice, product
from typing import Any, Final, NamedTuple

from lostcities.api.fields import MAX_BODY
from lostcities.api.schemas import Bounded

Schema = Mapping[str, Any]
Path = tuple[str | int, ...]

SHUFFLED: Final = 20
"""Random bodies for each shape that a call takes, valid by the schema except for unknown members."""
LIST_LENGTHS: Final = (1000, 100, 70, 50, 35, 25, 18, 12, 8, 5, 3, 2, 1, 0)
"""Lengths to try for the lists of a body, until it is small enough."""
UNKNOWN: Final = (0, 4, 5, Bounded.most_unknown)
"""Unknown members for every object of a body. A few are reported one by one, more are refused without a look."""
WRONG: Final[Mapping[str, Any]] = {
    "null": None,
    "true": True,
    "a fraction": 0.5,
    "a number of a thousand digits": int("7" * 1000),
    "an empty text": "",
    "a text": "x",
    "a text of 200 characters": "x" * 200,
    "an empty object": {},
    "an empty list": [],
    "a list of numbers": [1] * 10,
    "a list of texts": ["x"] * 10,
    "nested lists": [[[[[[]]]]]],
}
"""Values that are wrong almost everywhere."""


class Call(NamedTuple):
    """An operation that takes a body."""

    operation: str
    path: str
    """The template of its path."""
    schema: Schema
    normal: Any
    """An example of its body."""


class Body(NamedTuple):
    """A hostile body. It is built when it is needed: there are thousands of them."""

    name: str
    build: Callable[[], bytes]


class Contract:
    """The OpenAPI document, as far as bodies are concerned."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._schemas: Mapping[str, Schema] = document["components"]["schemas"]

    def calls(self) -> list[Call]:
        """Every operation that takes a body."""
        return [
            self._call(path, operation)
            for path, item in self._document["paths"].items()
            for operation in item.values()
            if isinstance(operation, dict) and "requestBody" in operation
        ]

    def _call(self, path: str, operation: Mapping[str, Any]) -> Call:
        content = operation["requestBody"]["content"]["application/json"]
        example = next(iter(content["examples"].values()))
        if "$ref" in example:
            example = self._document["components"]["examples"][example["$ref"].rpartition("/")[2]]
        return Call(operation["operationId"], path, content["schema"], example["value"])

    def bodies(self, call: Call) -> Iterator[Body]:
        """Hostile bodies for the call."""
        yield from _rootless()
        yield from self._everywhere(call)
        yield from self._somewhere(call)
        yield from self._shuffled(call)

    # What a schema says

    def forms(self, schema: Schema) -> list[Schema]:
        """The schemas that a value may have: the members of a union, or the schema itself."""
        if "$ref" in schema:
            return self.forms(self._schemas[schema["$ref"].rpartition("/")[2]])
        members = [*schema.get("oneOf", ()), *schema.get("anyOf", ())]
        return [form for member in members for form in self.forms(member)] if members else [schema]

    def locations(self, schema: Schema, path: Path = ()) -> Iterator[tuple[Path, Schema]]:
        """Every place in a value of the schema, with the schema of that place."""
        for form in self.forms(schema):
            yield path, form
            for name, member in form.get("properties", {}).items():
                yield from self.locations(member, (*path, name))
            if "items" in form:
                yield from self.locations(form["items"], (*path, 0))

    def filled(self, schema: Schema, leaf: Callable[[Schema], Any], unknown: int, most: int) -> Any:
        """A value with every member and unknown ones, lists as long as allowed up to `most`, and leaves by `leaf`.

        The items of a list take the forms of its schema in turn. Constants are kept: they select a form.
        """
        form = self.forms(schema)[0]
        if "properties" in form:
            members = {name: self.filled(each, leaf, unknown, most) for name, each in form["properties"].items()}
            return members | {f"unknown{number}": leaf({}) for number in range(unknown)}
        if "items" in form:
            items = [self.filled(each, leaf, unknown, most) for each in self.forms(form["items"])]
            return [*islice(cycle(items), min(most, form.get("maxItems", most)))]
        return form["const"] if "const" in form else leaf(form)

    # Kinds of bodies

    def _everywhere(self, call: Call) -> Iterator[Body]:
        """The same wrong value at every leaf, unknown members in every object, every list at its longest."""
        shapes = [shape for form in self.forms(call.schema) for shape in (form, *self._with_one_kind_of_items(form))]
        for form, (name, value), unknown in product(shapes, WRONG.items(), UNKNOWN):
            text = f"{_title(form)} with {name} everywhere and {unknown} unknown members in each object"
            yield Body(text, partial(self._fitting, form, partial(_constant, value), unknown))

    def _with_one_kind_of_items(self, form: Schema) -> Iterator[Schema]:
        """The schema with the union of a list's items replaced by each of its members."""
        for name, member in form.get("properties", {}).items():
            forms = self.forms(self.forms(member)[0].get("items", {}))
            for item in forms if len(forms) > 1 else ():
                yield {**form, "properties": {**form["properties"], name: {**self.forms(member)[0], "items": item}}}

    def _fitting(self, form: Schema, leaf: Callable[[Schema], Any], unknown: int) -> bytes:
        """The body with the longest lists that the service accepts."""
        sizes = product((unknown, 0), LIST_LENGTHS)
        bodies = (encode(self.filled(form, leaf, fewer, most)) for fewer, most in sizes)
        return next(data for data in bodies if len(data) <= MAX_BODY)

    def _somewhere(self, call: Call) -> Iterator[Body]:
        """A normal body with one huge thing in one place."""
        for path, form in self.locations(call.schema):
            for name, make in _huge(form):
                place = "/".join(map(str, path)) or "the body"
                yield Body(f"{place}: {name}", partial(replaced, call.normal, path, make))

    def _shuffled(self, call: Call) -> Iterator[Body]:
        """Random values of the right kind in the right places: what only the rules can refuse."""
        pool = self._values(call)
        for form, number in product(self.forms(call.schema), range(SHUFFLED)):
            yield Body(f"{_title(form)}, shuffled {number}", partial(self._shuffle, form, pool, number))

    def _shuffle(self, form: Schema, pool: Mapping[str, list[Any]], number: int) -> bytes:
        rng = random.Random(number)
        shorter = _cut(form, rng.choice([1, 2, 5, 10, 100]))

        def leaf(schema: Schema) -> Any:
            return rng.choice(pool.get(_key(schema)) or _samples(schema) if schema else [*WRONG.values()])

        return self._fitting(shorter, leaf, rng.choice([0, 0, *UNKNOWN]))

    def _values(self, call: Call) -> dict[str, list[Any]]:
        """Valid values of each kind of leaf: those of the normal body, and those that the schema names."""
        found: dict[str, list[Any]] = {}
        for path, form in self.locations(call.schema):
            if "properties" not in form and "items" not in form:
                values = found.setdefault(_key(form), _samples(form))
                values += [value for value in _at(call.normal, path) if not isinstance(value, (dict, list))]
        return found


def encode(value: Any) -> bytes:
    """The value as JSON, without spaces."""
    return json.dumps(value, separators=(",", ":")).encode()


def _constant(value: Any, _: Schema) -> Any:
    return value


def replaced(normal: Any, path: Path, make: Callable[[], Any]) -> bytes:
    return encode(_with(normal, path, make()))


def _title(form: Schema) -> str:
    return str(form.get("description", "a body")).partition(".")[0]


def _key(schema: Schema) -> str:
    return json.dumps({name: value for name, value in schema.items() if name != "description"}, sort_keys=True)


def _cut(form: Schema, most: int) -> Schema:
    """The schema with its own lists cut to that length."""
    members = {
        name: {**member, "maxItems": min(most, member.get("maxItems", most))} if "items" in member else member
        for name, member in form.get("properties", {}).items()
    }
    return {**form, "properties": members} if members else form


def _samples(schema: Schema) -> list[Any]:
    """Some values that the schema of a leaf allows, as far as it says."""
    if "enum" in schema:
        return [*schema["enum"]]
    type_ = schema.get("type", "string")
    types = type_ if isinstance(type_, list) else [type_]
    samples: dict[str, list[Any]] = {
        "integer": [schema.get("minimum", 0), schema.get("maximum", 0), 1],
        "boolean": [True, False],
        "string": ["x" * schema.get("minLength", 1), "x" * schema.get("maxLength", 1)],
        "null": [None],
    }
    return [value for each in types for value in samples.get(each, [None])]


def _at(value: Any, path: Path) -> list[Any]:
    """The values at a path; an index stands for all items of a list."""
    found = [value]
    for part in path:
        if isinstance(part, int):
            found = [item for each in found if isinstance(each, list) for item in each]
        else:
            found = [each[part] for each in found if isinstance(each, dict) and part in each]
    return found


def _with(value: Any, path: Path, new: Any) -> Any:
    """A copy of the value with something else at that place; what is missing on the way is added."""
    if not path:
        return new
    part, *rest = path
    if isinstance(part, int):
        items = [*value] if isinstance(value, list) else []
        return [_with(items[0] if items else None, tuple(rest), new), *items[1:]]
    members = dict(value) if isinstance(value, dict) else {}
    return {**members, part: _with(members.get(part), tuple(rest), new)}


ROOM: Final = MAX_BODY - 8000
"""Bytes for the huge part of a body: the rest is for the normal one around it."""


def _repeated(item: str, size: int = ROOM) -> Any:
    """A list of as many items as fit, given one as JSON."""
    return [json.loads(item)] * (size // (len(item) + 1))


def _huge(form: Schema) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Huge values for a place: of the right type, and of the wrong one."""
    yield "a long text", lambda: "x" * ROOM
    yield "a text of escapes", lambda: "\u0001" * (ROOM // 6)
    yield "a number of 4,000 digits", lambda: int("7" * 4000)
    if "items" in form:
        for item in ("{}", "[]", "0", '""', "null", "[[]]", '{"a":{}}'):
            yield f"an overlong list of {item}", partial(_repeated, item)
        yield "numbers of a thousand digits", partial(_repeated, "7" * 1000)
    if "properties" in form:
        yield "many unknown members", lambda: {f"m{number}": 0 for number in range(ROOM // 12)}
        yield "one long unknown name", lambda: {"x" * ROOM: 0}
        yield "20 long unknown names", lambda: {str(number) + "x" * (ROOM // 25): 0 for number in range(20)}
    if "items" in form or "properties" in form:
        yield "deep lists", lambda: json.loads("[" * 400 + "]" * 400)
        yield "deep objects", lambda: json.loads('{"a":' * 400 + "1" + "}" * 400)


def _rootless() -> Iterator[Body]:
    """Bodies that are no object, or no JSON."""
    whole: Mapping[str, bytes] = {
        "nothing": b"",
        "spaces": b" " * MAX_BODY,
        "no UTF-8": b'{"a":"' + b"\xff" * 1000 + b'"}',
        "a lone surrogate": b'"\\ud800"',
        "a list never closed": b"[" * MAX_BODY,
        "an object never closed": b'{"a":' * (MAX_BODY // 5),
        "a text never closed": b'"' + b"x" * (MAX_BODY - 1),
        "a number of 65,536 digits": b"7" * MAX_BODY,
        "a tiny number": b"1e-99999",
        "a huge number": b"1e99999",
        "not a number": b"NaN",
        "a byte order mark": b"\xef\xbb\xbf{}",
        "the same name many times": b"{" + b",".join([b'"variant":"duel"'] * 3500) + b"}",
        "many lists": encode(_repeated("[]")),
        "many objects": encode(_repeated("{}")),
        "many numbers": encode(_repeated("0")),
    }
    for name, data in whole.items():
        yield Body(name, partial(bytes, data))
