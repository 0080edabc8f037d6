"""Sentences in the language that the caller asks for: problems, descriptions of variants, pictures, whole games."""

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from lostcities.api.problems.catalogue import CATALOGUE
from lostcities.variants.registry import VARIANTS

from tests.client import Answer, Client, create_game
from tests.conformance.tables import brief, every_variant

GERMAN = {"Accept-Language": "de"}

ENGLISH = re.compile(
    r"(?<![\w-])(the|is|are|of|and|not|with|has|must|may|than|this|only|cannot|tiles?|cards?|colours?|points)(?![\w-])"
)
"""Words of English sentences that no German one has."""


def named(values: dict[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in values.items()]


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("de-AT, en;q=0.8", "de"),
        ("de-AT, en", "de"),
        ("de_CH", "de"),
        ("DE", "de"),
        ("en, de;q=0.8", "en"),
        ("en-GB, de;q=0.8", "en"),
        ("de;q=0, fr", "en"),
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


@every_variant
def test_the_labels_of_a_variant_are_german(api: Client, variant: str) -> None:
    english, german = (api.get(f"/variants/{variant}", headers=headers).body["labels"] for headers in ({}, GERMAN))
    pairs = [(kind, name, english[kind][name], german[kind][name]) for kind in english for name in english[kind]]
    assert [each for each in pairs if each[2] == each[3] and each[2] not in ("Gold", "Orange", "orange")] == []
    info = VARIANTS[variant].rules.INFO
    assert {*german["moves"]} == {move.type for move in info.moves}
    assert {*german["options"]} == {option.name for option in info.options}
    capitals = [label for kind, _, _, label in pairs if kind != "colours" and not label[0].isdigit()]
    assert all(label[0].isupper() for label in capitals)


def test_a_label_says_what_an_id_means(api: Client) -> None:
    english, german = (api.get("/variants/treasure-hunt", headers=headers).body["labels"] for headers in ({}, GERMAN))
    assert english["bonuses"]["every-colour"] == english["score_items"]["every-colour"] == "One tile of every colour"
    assert german["bonuses"]["every-colour"] == german["score_items"]["every-colour"] == "Ein Plättchen jeder Farbe"
    assert (english["colours"]["R"], german["colours"]["R"]) == ("red", "Rot")


def strings(document: Any) -> Iterator[str]:
    """Every text in an answer but notations and values of refusals."""
    if isinstance(document, dict):
        for name, each in document.items():
            yield from () if name in ("notation", "values") else strings(each)
    elif isinstance(document, list):
        for each in document:
            yield from strings(each)
    elif isinstance(document, str):
        yield document


def english_in(answer: Answer) -> list[str]:
    """The English sentences in an answer. What has no space is an id."""
    if answer.headers["Content-Type"].startswith("image/svg"):
        found = re.findall(r">([^<>]+)<", answer.content.decode())
    else:
        found = [*strings(answer.body)]
    return [each for each in found if " " in each and ENGLISH.search(each)]


@every_variant
def test_no_english_is_shown_to_a_german_in_a_whole_game(api: Client, variant: str) -> None:
    rules, rng = VARIANTS[variant].rules, random.Random(29)
    seats = rules.INFO.seats[0]
    game = create_game(api, variant, seats, seed="29" * 32, options=brief(variant, 16))
    asked = [game.get(f"/{what}", headers=GERMAN, token=game.host) for what in ("fairness", "history", "score")]
    rulings = set()
    now = game.get("?include=moves", headers=GERMAN, token=game.host).body
    while now["status"] == "playing":
        body = {"seat": rng.randrange(seats), "notation": rng.choice([*rules.VOCABULARY])}
        judged = api.post(f"{game.path}/check", body, headers=GERMAN, token=game.host)
        rulings.add(judged.body.get("problem", {}).get("code"))
        move = rng.choice(now["moves"])
        made = api.post(f"{game.path}/moves?include=moves", move, headers=GERMAN, token=game.host)
        asked += [judged, made]
        now = made.body["game"]
    whole = [game.get(f"/{what}", headers=GERMAN) for what in ("board.svg", "fairness", "history", "score", "record")]
    verified = api.post(f"/variants/{variant}/verify", whole[-1].body, headers=GERMAN)
    refused = game.move("hello", 0, headers=GERMAN)
    assert len(rulings) > 3
    assert [each for answer in (*asked, *whole, verified, refused) for each in english_in(answer)] == []


@pytest.mark.parametrize(
    ("change", "german"),
    [
        ({"players": ["Ann"]}, "/players: eine Partie duel hat 2 Spieler"),
        ({"players": ["Ann", ""]}, "/players/1: muss 1 bis 40 Zeichen haben"),
        ({"players": None}, "/players: Diese Angabe darf nicht `null` sein."),
        ({"options": {"rounds": 10}}, "/options/rounds: muss eine Zahl von 1 bis 9 sein"),
        ({"options": []}, "/options: Das ist kein Objekt."),
        ({"wager": 1}, "/wager: Diese Angabe gibt es hier nicht."),
    ],
)
def test_what_is_wrong_with_a_request_is_said_in_german(api: Client, change: dict[str, Any], german: str) -> None:
    answer = api.post("/games", {"variant": "duel", "players": ["Ann", "Ben"], **change}, headers=GERMAN)
    assert answer.code == "invalid-request"
    assert answer.body["detail"].startswith(german)
    assert answer.body["errors"][0]["detail"] in answer.body["detail"]


@pytest.mark.parametrize("text", ["pass", "red", "Roll"])
def test_a_text_of_the_caller_is_not_translated(api: Client, text: str) -> None:
    game = create_game(api, "duel", 2, seed="2a" * 32)
    assert game.move(text, 0, headers=GERMAN).body["detail"].startswith(f"„{text}“ ist kein Zug: ")
