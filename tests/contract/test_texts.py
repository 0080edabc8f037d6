"""The texts of the contract explain: no description only repeats a name, and all have the same form."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from lostcities.bots.levels import LEVELS
from lostcities.games.game import endings
from lostcities.rules import roll_and_write
from lostcities.variants.registry import VARIANTS

from tests.contract.conforms import CONTRACT

FEWEST_WORDS, FEWEST_CHARACTERS = 4, 20
WITHOUT_MEANING = {
    *[
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "by",
        "can",
        "each",
        "for",
        "from",
        "has",
        "have",
        "in",
        "is",
        "it",
        "its",
        "of",
        "on",
        "one",
        "or",
        "that",
        "the",
        "this",
        "to",
        "with",
    ]
}
DATA = {"const", "default", "enum", "example", "examples", "x-extensible-enum", "x-problem-codes"}
"""The keywords whose values are data and have no descriptions."""


def descriptions(part: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every description of the contract with its path."""
    if isinstance(part, dict):
        if isinstance(part.get("description"), str):
            yield path, part["description"]
        for name, below in part.items():
            if name not in DATA or (path and path[-1] == "properties"):
                yield from descriptions(below, (*path, name))
    elif isinstance(part, list):
        for index, below in enumerate(part):
            yield from descriptions(below, (*path, str(index)))


DESCRIPTIONS = [each for each in descriptions(CONTRACT) if each[0] != ("info",)]
INTRODUCTION = {tag["name"]: tag["description"] for tag in CONTRACT["tags"] if tag.get("x-traitTag")}
"""Its sections by name."""
NOTATION = INTRODUCTION["About moves and notation"]


def words(text: str) -> list[str]:
    """The words of a text or a name: `DuelGame`, `created_at`, "The game's id."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return [word.lower() for word in re.findall(r"[A-Za-z0-9']+", spaced)]


def stem(word: str) -> str:
    return re.sub(r"('s|ies|es|s|ed|ing|e)$", "", word)


def repeats(name: str, description: str) -> bool:
    """Whether the description has no word that the name does not have."""
    told = {stem(word) for word in words(description) if word not in WITHOUT_MEANING}
    return told <= {stem(word) for word in words(name)}


def test_repetitions_are_found() -> None:
    assert repeats("wagers_per_colour", "Wagers per colour.")
    assert repeats("score", "The scores.")
    assert repeats("StreamEnd", "The end of the stream.")
    assert not repeats("hand", "How many cards a seat holds.")
    assert len(DESCRIPTIONS) > 1000


def test_no_description_repeats_its_name() -> None:
    assert sorted({f"{path[-1]}: {text}" for path, text in DESCRIPTIONS if repeats(path[-1], text)}) == []


def is_short(text: str) -> bool:
    return len(text.split()) < FEWEST_WORDS or len(text) < FEWEST_CHARACTERS


def test_no_description_is_short() -> None:
    assert sorted({text for _, text in DESCRIPTIONS if is_short(text)}) == []


def test_every_description_is_a_sentence() -> None:
    """It begins with a capital letter, or with code, and ends with a full stop, or with an example."""
    wrong = {text for _, text in DESCRIPTIONS if not re.fullmatch(r"[A-Z`].*(\.|```)", text.strip(), re.DOTALL)}
    assert sorted(wrong) == []


@pytest.mark.parametrize("word", ["whoever", "nobody", "somebody", "someone", "is told"])
def test_no_description_has_a_riddle(word: str) -> None:
    assert [text for _, text in DESCRIPTIONS if re.search(rf"\b{word}\b", text, re.IGNORECASE)] == []


def lists(part: Any) -> Iterator[tuple[list[str], str]]:
    """Every list of values in a schema, with its description."""
    if isinstance(part, dict):
        values = part.get("enum", part.get("x-extensible-enum"))
        if isinstance(values, list) and "description" in part:
            yield sorted(value for value in values if value is not None), part["description"]
        part = [*part.values()]
    if isinstance(part, list):
        for below in part:
            yield from lists(below)


LISTS = [*lists(CONTRACT["components"]["schemas"])]


@pytest.mark.parametrize(
    "values",
    [
        *(pytest.param(variant.rules.INFO.phases, id=f"phases of {name}") for name, variant in VARIANTS.items()),
        *(pytest.param(endings(variant.rules), id=f"endings of {name}") for name, variant in VARIANTS.items()),
        pytest.param(roll_and_write.BRIDGES, id="bridges of a sheet"),
        pytest.param(roll_and_write.PROGRESS, id="stages of a turn"),
        pytest.param(LEVELS, id="levels of bots"),
        pytest.param(["server", "caller"], id="choosers of a seed"),
    ],
)
def test_each_value_of_a_list_is_explained(values: Iterable[str]) -> None:
    texts = [text for listed, text in LISTS if listed == sorted(values)]
    assert texts
    for text in texts:
        assert [value for value in values if not re.search(rf"`{value}`: \w{{2,}}", text)] == []


OPERATIONS = [part for item in CONTRACT["paths"].values() for part in item.values() if "operationId" in part]


def test_every_operation_has_a_summary_without_full_stop_and_a_description() -> None:
    for operation in OPERATIONS:
        assert re.fullmatch(r"[A-Z].{8,70}[^.]", operation["summary"]), operation["summary"]
        assert len(operation["description"].split()) > 10, operation["operationId"]


def test_every_operation_has_a_tag_that_is_described() -> None:
    described = {tag["name"]: tag["description"] for tag in CONTRACT["tags"] if tag["name"] not in INTRODUCTION}
    assert all(len(text.split()) > 8 for text in described.values())
    assert {tag for operation in OPERATIONS for tag in operation["tags"]} == described.keys()
    assert all(len(operation["tags"]) == 1 for operation in OPERATIONS)


def test_headers_and_their_parameters_have_examples() -> None:
    components = CONTRACT["components"]
    assert [name for name, each in components["headers"].items() if "examples" not in each["schema"]] == []
    without = [name for name, each in components["parameters"].items() if "example" not in each]
    # Clients that send the same key share what it creates.
    assert without == ["CreationKey", "IdempotencyKey"]


def test_the_description_of_the_contract_is_short() -> None:
    """openapi-generator copies it into every file that it generates."""
    text = CONTRACT["info"]["description"]
    assert len(text) < 800
    assert not re.search("^#", text, re.MULTILINE)


@pytest.mark.parametrize(
    "subject",
    ["authentication", "moves and notation", "bots", "chance", "errors", "retries", "streams", "limits", "changes"],
)
def test_the_introduction_has_a_section(subject: str) -> None:
    assert len(INTRODUCTION[f"About {subject}"].split()) > 40


def test_the_introduction_has_the_notation_of_every_game() -> None:
    assert "`Yw`" in NOTATION
    assert "`R10`" in NOTATION
    for variant in VARIANTS:
        rules = VARIANTS[variant].rules
        for move in rules.INFO.moves:
            assert f"| {variant} | `{move.notation}` |" in NOTATION.replace("\\|", "|")


def test_the_introduction_explains_every_part_of_a_notation() -> None:
    text = NOTATION.partition("| game | notation |")[0]
    notations = [move.notation for variant in VARIANTS.values() for move in variant.rules.INFO.moves]
    words = {word for notation in notations for word in re.findall(r"<[a-z]+>", notation)}
    assert {"<card>", "<bonus>", "<face>"} <= words
    assert {word for word in words if f"`{word}`" not in text} == set()


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_introduction_has_the_letter_of_every_colour(variant: str) -> None:
    colours = VARIANTS[variant].rules.INFO.components.get("colours", {})
    listed = ", ".join(f"`{letter}` {name}" for letter, name in colours.items())
    assert (f"| {variant} | {listed} |" in NOTATION) == bool(colours)
