"""The sentences of the page: each has a translation with the same names, and none is left over."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "service" / "lostcities"
TABLE = ROOT / "web" / "static" / "table"
MODULES = [*TABLE.rglob("*.js"), *ROOT.glob("variants/*/page.js")]
CATALOGUES = sorted(TABLE.glob("texts.*.js"))

CALL = re.compile(r"(?<![\w.$])t\(\s*")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
ENTRY = re.compile(r'^  ("(?:[^"\\]|\\.)*"):\s+("(?:[^"\\]|\\.)*"),$', re.MULTILINE)


def keys_of(module: Path) -> Iterator[str]:
    """The first argument of each call of `t`."""
    text = module.read_text()
    for call in CALL.finditer(text):
        literal = STRING.match(text, call.end())
        assert literal, f"{module.name}: t() needs a literal: {text[call.start() : call.start() + 60]!r}"
        yield json.loads(literal[0])


def names_of(sentence: str) -> list[str]:
    return sorted({*re.findall(r"\{(\w+)\}", sentence)})


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda path: path.name)
def test_every_sentence_of_the_page_is_translated(catalogue: Path) -> None:
    used = {key for module in MODULES if module not in (*CATALOGUES, TABLE / "texts.js") for key in keys_of(module)}
    assert len(used) > 300
    entries = [(json.loads(key), json.loads(value)) for key, value in ENTRY.findall(catalogue.read_text())]
    keys = [key for key, _ in entries]
    assert sorted(keys) == sorted({*keys}), "a key is there twice"
    assert used - {*keys} == set(), "without a translation"
    assert {*keys} - used == set(), "not used any more"
    for key, value in entries:
        assert value
        assert names_of(key) == names_of(value), key
