"""The examples of the contract, which are recorded from the running service."""

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import msgspec

from lostcities.api.errors import CONTENT_TYPE


def add_examples(document: dict[str, Any]) -> None:
    """Put the recorded examples where they belong: to the requests and answers of calls, and to problems.

    They were recorded from the running service by `tests/contract/examples.py`.
    """
    examples_of = msgspec.json.decode((files("lostcities.api.contract") / "examples.json").read_bytes())
    for operation in operations(document):
        recorded = examples_of["operations"].get(operation["operationId"], {})
        if "request" in recorded:
            operation["requestBody"]["content"]["application/json"]["examples"] = recorded["request"]
        for status, examples in recorded.get("responses", {}).items():
            for content in operation["responses"][status]["content"].values():
                content["examples"] = examples
    for name, problem in document["components"]["responses"].items():
        if name in examples_of["problems"]:
            problem["content"][CONTENT_TYPE]["examples"] = examples_of["problems"][name]
    _share_examples(document)


def _share_examples(document: dict[str, Any]) -> None:
    """Replace examples with the same value by references to one of them."""
    places: dict[bytes, list[tuple[dict[str, Any], str, str]]] = {}
    for body_name, media in _media_with_examples(document):
        for name, example in media["examples"].items():
            value = msgspec.json.encode(example["value"], order="sorted")
            places.setdefault(value, []).append((media["examples"], name, f"{body_name}-{name}"))
    shared = document["components"]["examples"] = {}
    for same in places.values():
        if len(same) > 1:
            examples, name, shared_name = same[0]
            shared[shared_name] = examples[name]
            for each, its_name, _ in same:
                each[its_name] = {"$ref": f"#/components/examples/{shared_name}"}


def _media_with_examples(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The bodies of all operations that have examples, each with a name: the operation, and a response's status."""
    for operation in operations(document):
        name = operation["operationId"]
        bodies = {name: operation.get("requestBody", {})}
        bodies |= {f"{name}-{status}": response for status, response in operation["responses"].items()}
        for body_name, body in bodies.items():
            for media in body.get("content", {}).values():
                if "examples" in media:
                    yield body_name, media


def operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every operation of the document."""
    for item in document["paths"].values():
        yield from (part for part in item.values() if "operationId" in part)
