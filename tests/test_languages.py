"""The catalogues of translations: complete, with the same placeholders, and a further language is one file."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from lostcities import languages
from lostcities.api.problems.catalogue import CATALOGUE
from lostcities.variants.core import Text
from lostcities.web.table import buttons_of_languages, modules_of_texts

from tests.server.serving import ROOT

CATALOGUES = sorted(languages.FOLDER.glob("*/LC_MESSAGES/*.po"))


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def placeholders(sentence: str) -> set[str]:
    return {*re.findall(r"\{(\w*)\}", sentence)}


@pytest.fixture(scope="module")
def sentences(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The sentences that are marked in the source, collected as `make texts` does it."""
    collected = tmp_path_factory.mktemp("texts") / "texts.pot"
    recipe = re.search(r"pybabel --quiet (extract .*?--output-file) ", (ROOT / "Makefile").read_text(), re.DOTALL)
    assert recipe
    options = recipe[1].replace("\\\n", " ").split()
    command = [sys.executable, "-m", "babel.messages.frontend", "--quiet", *options, str(collected), "service"]
    subprocess.run(command, cwd=ROOT, check=True)
    return {message.id for message in read(collected) if isinstance(message.id, str) and message.id}


def test_a_catalogue_is_compiled_for_each_language() -> None:
    assert CATALOGUES
    assert ("en", *(path.parents[1].name for path in CATALOGUES)) == languages.LANGUAGES


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parents[1].name)
def test_every_sentence_has_a_translation(path: Path, sentences: set[str]) -> None:
    translated = {message.id for message in read(path) if message.string and not message.fuzzy}
    assert sentences - translated == set()
    assert translated - sentences - {""} == set(), "run make texts"


def test_the_titles_of_the_problems_are_collected(sentences: set[str]) -> None:
    assert {meanings[0].title for meanings in CATALOGUE.values()} <= sentences


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parents[1].name)
def test_a_translation_has_the_placeholders_of_its_sentence(path: Path) -> None:
    different = [
        message.id
        for message in read(path)
        if isinstance(message.id, str)
        and isinstance(message.string, str)
        and placeholders(message.id) != placeholders(message.string)
    ]
    assert different == []


def test_values_that_are_sentences_or_words_are_translated() -> None:
    words = {"{seats} must pass {what}": "{what}: {seats}", "red": "rot", "a {colour} bridge": "Brücke in {colour}"}
    text = Text(
        "{seats} must pass {what}",
        seats=[Text("seat {seat}", seat=0), Text("seat {seat}", seat=1)],
        what=Text("a {colour} bridge", colour=Text("red")),
    )
    assert str(text) == "seat 0, seat 1 must pass a red bridge"
    assert text.plain() == {"seats": [0, 1], "what": "red"}
    assert text.translated(lambda sentence: words.get(sentence, sentence)) == "Brücke in rot: seat 0, seat 1"


def test_a_name_or_a_notation_is_never_translated_or_a_template() -> None:
    assert languages.translate(Text("To act: {players}", players="red, {seat}"), "de") == "Am Zug: red, {seat}"
    assert languages.translate(
        Text("'{notation}' is a seat's move, not an outcome of chance", notation="pass"), "de"
    ) == ("„pass“ ist der Zug eines Platzes, kein Ergebnis des Zufalls")
    assert languages.translate("", "de") == ""


def test_a_further_language_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (source,) = [path for path in CATALOGUES if path.parents[1].name == "de"]
    catalogue = tmp_path / "nl" / "LC_MESSAGES" / source.name
    catalogue.parent.mkdir(parents=True)
    header = source.read_text().partition("\n\n")[0].replace('"Language: de', '"Language: nl')
    words = {"English": "Nederlands", "yellow": "geel", "Rules": "Regels"}
    catalogue.write_text(header + "".join(f'\n\nmsgid "{word}"\nmsgstr "{own}"\n' for word, own in words.items()))
    command = [sys.executable, "-m", "babel.messages.frontend", "--quiet", "compile"]
    subprocess.run([*command, "--domain", "lostcities", "--directory", str(tmp_path)], check=True)
    monkeypatch.setattr(languages, "FOLDER", tmp_path)
    assert languages.languages_in(tmp_path) == ("en", "nl")
    assert languages.translate(Text("the {colour} discard pile is empty", colour=Text("yellow")), "nl") == (
        "the geel discard pile is empty"
    )
    assert ">Nederlands</button>" in buttons_of_languages(languages.languages_in(tmp_path))
    assert '"Rules": "Regels"' in modules_of_texts(languages.languages_in(tmp_path))["texts/nl.js"]
    languages.translator.cache_clear()


@pytest.mark.parametrize(
    ("variables", "language"),
    [({"LANG": "de_AT.UTF-8"}, "de"), ({"LANG": "fr_FR.UTF-8"}, "en"), ({"LANG": "en_US", "LANGUAGE": "de"}, "de")],
)
def test_the_command_line_follows_the_environment(
    variables: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert languages.language_of_environment() == language
