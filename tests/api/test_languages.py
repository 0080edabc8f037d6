"""Sentences in the language that the caller asks for: problems, descriptions of variants, pictures."""

from collections.abc import Iterator
from typing import Any

import pytest
from lostcities.api.problems.catalogue import CATALOGUE
from lostcities.variants.registry import VARIANTS

from tests.client import Client, create_game
from tests.conformance.tables import every_variant

GERMAN = {"Accept-Language": "de"}


def named(values: dict[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in values.items()]


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("en, de;q=0.8", "en"),
        ("fr", "en"),
        ("fr, de;q=0.1", "de"),
        ("*", "en"),
        ("", "en"),
        ("\u00e4;q=x,,", "en"),
    ],
)
def test_the_header_chooses_the_language(api: Client, header: str | None, language: str) -> None:
    answer = api.get("/variants/duel", headers={} if header is None else {"Accept-Language": header})
    assert answer.headers["Content-Language"] == language
    assert "Accept-Language" in answer.headers["Vary"]
    assert answer.body["title"] == {"en": "Lost Cities: the card game", "de": "Lost Cities: Das Duell"}[language]


def texts(document: Any) -> Iterator[str]:
    """Every sentence in a description."""
    if isinstance(document, dict):
        for key, value in document.items():
            if key in ("text", "title", "chance", "meaning", "remedy", "detail") and isinstance(value, str):
                yield value
            else:
                yield from texts(value)
    elif isinstance(document, list):
        for each in document:
            yield from texts(each)


@every_variant
def test_every_sentence_of_a_variant_is_german(api: Client, variant: str) -> None:
    english, german = (api.get(f"/variants/{variant}", headers=headers).body for headers in ({}, GERMAN))
    pairs = [*zip(texts(english), texts(german), strict=True)]
    assert len(pairs) > 20
    assert [one for one, other in pairs if one == other and "Roll & Write" not in one] == []


def test_every_problem_is_explained_in_german(api: Client) -> None:
    listed = api.get("/problems", headers=GERMAN).body["problems"]
    assert [problem["code"] for problem in listed] == [*CATALOGUE]
    english = api.get("/problems").body["problems"]
    assert [one for one, other in zip(texts(english), texts(listed), strict=True) if one == other] == []


@pytest.mark.parametrize(
    ("move", "rule", "values", "german"),
    [
        ("draw deck", "wrong-phase", None, "ein Zug beginnt mit „play“ (ausspielen) oder „discard“ (ablegen)"),
        (
            "play P3",
            "colour-not-in-game",
            {"colour": "purple", "expeditions": "6"},
            "Lila ist nur in einer Partie mit 6",
        ),
        ("play R11", None, None, "„play R11“ ist kein Zug: eine Karte ist eine Wettkarte"),
    ],
)
def test_a_refusal_has_its_values_and_its_sentence(
    api: Client, move: str, rule: str | None, values: dict[str, Any] | None, german: str
) -> None:
    game = create_game(api, "duel", 2, seed="2a" * 32)
    english, translated = (game.move(move, 0, headers=headers) for headers in ({}, GERMAN))
    assert translated.headers["Content-Language"] == "de"
    assert translated.body["detail"].startswith(german)
    assert english.body["detail"] != translated.body["detail"]
    for answer in (english, translated):
        assert answer.body.get("rule") == rule
        assert answer.body.get("values") == (values and named(values))
    same = ("type", "status", "code", "rule", "values")
    assert [english.body.get(name) for name in same] == [translated.body.get(name) for name in same]


def test_a_refusal_names_the_seats_that_are_to_act(api: Client) -> None:
    game = create_game(api, "duel", 2, seed="2a" * 32)
    answer = game.move("draw deck", 1, headers=GERMAN)
    assert answer.body["values"] == named({"seats": "0", "seat": "1"})
    assert answer.body["detail"] == "am Zug ist Platz 0, nicht Platz 1"


@every_variant
def test_a_picture_has_words_and_an_etag_of_its_language(api: Client, variant: str) -> None:
    game = create_game(api, variant, VARIANTS[variant].rules.INFO.seats[0], seed="5e" * 32)
    english, german = (game.get("/board.svg", headers=headers) for headers in ({}, GERMAN))
    assert german.headers["Content-Language"] == "de"
    assert english.headers["ETag"] != german.headers["ETag"]
    assert "Punkte" in german.content.decode()
    assert "points" in english.content.decode()
    known = game.get("/board.svg", headers={**GERMAN, "If-None-Match": german.headers["ETag"]})
    assert known.status == 304
    other = game.get("/board.svg", headers={**GERMAN, "If-None-Match": english.headers["ETag"]})
    assert other.status == 200
