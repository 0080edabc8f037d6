"""No document publishes an `Idempotency-Key`: clients that copy the same key get the same game and its tokens."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from tests.contract.conforms import CONTRACT
from tests.server.serving import ROOT
from tests.test_house import tracked

HEADER = "Idempotency-Key"
LITERAL = re.compile(rf"""{HEADER}(?:: *[\w-]|['"][:,] *['"])""")
"""The header with a text as its value, in a command or in code. A variable or a call is no text."""
SUFFIXES = (".html", ".js", ".md", ".mjs", ".py", ".ts", ".yaml")
DOCUMENTS = [path for path in tracked() if path.suffix in SUFFIXES and ROOT / "tests" not in path.parents]


def parameters(part: Any) -> Iterator[Any]:
    """Every parameter with that name in a document."""
    if isinstance(part, dict):
        if part.get("name") == HEADER:
            yield part
        part = [*part.values()]
    if isinstance(part, list):
        for below in part:
            yield from parameters(below)


@pytest.mark.parametrize("text", [f"-H '{HEADER}: 0d9c-1'", f'{{"{HEADER}": "abc"}}', f'("{HEADER}", "abc")'])
def test_a_literal_key_is_recognised(text: str) -> None:
    assert LITERAL.search(text)


@pytest.mark.parametrize("text", [f'-H "{HEADER}: $(uuidgen)"', f'{{"{HEADER}": newKey()}}', f'("{HEADER}", str(key))'])
def test_a_generated_key_is_not_literal(text: str) -> None:
    assert not LITERAL.search(text)


def test_no_document_has_a_literal_key() -> None:
    assert len(DOCUMENTS) > 50
    assert [path for path in DOCUMENTS if LITERAL.search(path.read_text())] == []


def test_the_contract_has_no_example_of_a_key() -> None:
    """A page such as `/docs` would send it."""
    found = [*parameters(CONTRACT)]
    assert len(found) == 2
    for parameter in found:
        assert not {"example", "examples"} & parameter.keys()
        assert not {"const", "default", "enum", "example", "examples", "format"} & parameter["schema"].keys()


def test_the_keys_of_the_workflows_are_new_in_every_run() -> None:
    """They are an input, or contain the id of the game that the workflow has created."""
    workflows = yaml.safe_load((ROOT / "openapi" / "workflows.arazzo.yaml").read_text())
    values = [parameter["value"] for parameter in parameters(workflows)]
    assert "$inputs.creation_key" in values
    assert [
        each for each in values if not each.startswith(("$inputs.creation_key", "{$steps.create.outputs.game}"))
    ] == []
    inputs = workflows["components"]["inputs"]["creation"]
    assert inputs["required"] == ["creation_key"]
    assert not {"default", "example", "examples"} & inputs["properties"]["creation_key"].keys()
