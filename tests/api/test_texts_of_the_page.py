"""The sentences of the page: each is a literal, and in the catalogues of translations."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from lostcities.languages import ENGLISH, LANGUAGES
from lostcities.web.table import buttons_of_languages, modules_of_texts

from tests.test_languages import CATALOGUES

ROOT = Path(__file__).parents[2] / "service" / "lostcities"
TABLE = ROOT / "web" / "static" / "table"
MODULES = [*TABLE.rglob("*.js"), *ROOT.glob("variants/*/page.js")]

CALL = re.compile(r"(?<![\w.$])t\(\s*")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def keys_of(module: Path) -> Iterator[str]:
    """The first argument of each call of `t`."""
    text = module.read_text()
    for call in CALL.finditer(text):
        literal = STRING.match(text, call.end())
        assert literal, f"{module.name}: t() needs a literal: {text[call.start() : call.start() + 60]!r}"
        yield json.loads(literal[0])


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parents[1].name)
def test_every_sentence_of_the_page_is_in_the_catalogue(path: Path) -> None:
    used = {key for module in MODULES if module != TABLE / "texts.js" for key in keys_of(module)}
    assert len(used) > 300
    with path.open("rb") as file:
        translations = {message.id: message.string for message in read_po(file)}
    assert used - translations.keys() == set(), "collected by make texts"
    made = modules_of_texts(LANGUAGES)
    served = made[f"texts/{path.parents[1].name}.js"].removeprefix("export default ").removesuffix(";\n")
    assert json.loads(served) == {key: translations[key] for key in used}


def test_the_page_has_the_languages_of_the_service() -> None:
    assert buttons_of_languages(LANGUAGES) == (
        '<button class="language" lang="en" hidden>English</button> '
        '<button class="language" lang="de" hidden>Deutsch</button>'
    )
    assert modules_of_texts(LANGUAGES).keys() == {
        f"texts/{language}.js" for language in LANGUAGES if language != ENGLISH
    }
