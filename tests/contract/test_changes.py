"""The contract has no breaking change since those that were released, in `openapi/released`."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from lostcities.api.game_contract import pascal_case
from lostcities.api.games.schemas import HEX
from lostcities.rules import roll_and_write
from lostcities.variants.registry import VARIANTS

from tests.contract.changes import breaks
from tests.contract.conforms import CONTRACT
from tests.server.serving import ROOT

RELEASED = {path.stem: json.loads(path.read_bytes()) for path in (ROOT / "openapi" / "released").glob("*.json")}
"""The contracts by their versions."""

ALWAYS_REFUSED = {
    f"{pascal_case(variant)}Record in a request: {name}: pattern was none and is {HEX}"
    for variant in VARIANTS
    for name in ("commitment", "seed")
}
"""Limits that version 1.0.0 enforces although its contract does not have them."""

LOST_BRIDGES = {
    f"RollAndWriteBridges in an answer: {column}: it may have values that are not listed now"
    for column in roll_and_write.COLUMNS
}
"""The contract of 1.0.0 closed a list that lacked a value of the rulebook: a bridge whose bonus is gone."""

RECORD_FORMAT = {
    f"{pascal_case(variant)}Record in an answer: format: the value 'lostcities-record/2' was added to a list that is "
    "not extensible"
    for variant in VARIANTS
}
"""A record says its format so that a client does not take a record of another one for one that it knows."""


DECLARED = {"1.0.0": ALWAYS_REFUSED | LOST_BRIDGES | RECORD_FORMAT}
"""The changes since a version that its clients were told about in the changelog."""


@pytest.mark.parametrize("version", sorted(RELEASED))
def test_the_contract_has_no_breaking_change(version: str) -> None:
    assert RELEASED[version]["info"]["version"] == version
    assert {*breaks(RELEASED[version], CONTRACT)} == DECLARED.get(version, set())


def test_the_first_version_of_this_major_version_is_among_the_released() -> None:
    assert f"{CONTRACT['info']['version'].split('.')[0]}.0.0" in RELEASED


def test_an_unchanged_contract_has_no_breaking_change() -> None:
    assert breaks(CONTRACT, CONTRACT) == []


def schema(contract: Any, name: str) -> Any:
    return contract["components"]["schemas"][name]


def create(contract: Any) -> Any:
    return contract["paths"]["/games"]["post"]


def include(contract: Any) -> Any:
    parameters = contract["paths"]["/games/{game_id}"]["get"]["parameters"]
    return next(each for each in parameters if each.get("name") == "include")


def rename(contract: Any, union: str, name: str, without: str = "") -> None:
    """Give a form of a union another name, and leave a member out of it."""
    schemas = contract["components"]["schemas"]
    schemas["Renamed"] = renamed = schemas.pop(name)
    renamed["properties"].pop(without, None)
    for form in schemas[union]["anyOf"]:
        form["$ref"] = form["$ref"].replace(f"/{name}", "/Renamed")


BREAKING: list[tuple[str, Callable[[Any], Any]]] = [
    ("the path /games was removed", lambda new: new["paths"].pop("/games")),
    ("DELETE /games/{game_id} was removed", lambda new: new["paths"]["/games/{game_id}"].pop("delete")),
    (
        "POST /games: its operation id createGame became makeGame",
        lambda new: create(new).update(operationId="makeGame"),
    ),
    ("POST /games no longer answers 201", lambda new: create(new)["responses"].pop("201")),
    (
        "POST /games → 201: the header Location was removed",
        lambda new: create(new)["responses"]["201"]["headers"].pop("Location"),
    ),
    ("POST /games no longer takes application/json", lambda new: create(new)["requestBody"].update(content={})),
    (
        "GET /games/{game_id}/history: the query parameter limit was removed",
        lambda new: new["paths"]["/games/{game_id}/history"]["get"].update(parameters=[]),
    ),
    (
        "GET /variants: the query parameter language is required now",
        lambda new: new["paths"]["/variants"]["get"]["parameters"].append(
            {"in": "query", "name": "language", "required": True, "schema": {"type": "string"}}
        ),
    ),
    (
        "GET /games/{game_id}: it takes a token now",
        lambda new: new["paths"]["/games/{game_id}"]["get"].update(security=[{"bearerToken": []}]),
    ),
    (
        "DuelGame in an answer: the field phase was removed",
        lambda new: schema(new, "DuelGame")["properties"].pop("phase"),
    ),
    (
        "DuelGame in an answer: the field phase may be missing now",
        lambda new: schema(new, "DuelGame")["required"].remove("phase"),
    ),
    ("NewDuel in a request: the field seed was removed", lambda new: schema(new, "NewDuel")["properties"].pop("seed")),
    (
        "NewDuel in a request: the field seed is required now",
        lambda new: schema(new, "NewDuel")["required"].append("seed"),
    ),
    (
        "ChanceSource in a request: the value 'client' was removed",
        lambda new: schema(new, "ChanceSource")["enum"].remove("client"),
    ),
    (
        "GameStatus in an answer: the value 'finished' was removed",
        lambda new: schema(new, "GameStatus")["enum"].remove("finished"),
    ),
    (
        "GameStatus in an answer: the value 'paused' was added to a list that is not extensible",
        lambda new: schema(new, "GameStatus")["enum"].append("paused"),
    ),
    (
        "DuelOutcome in an answer: reason: the value 'deck-empty' was removed",
        lambda new: schema(new, "DuelOutcome")["properties"]["reason"]["x-extensible-enum"].remove("deck-empty"),
    ),
    (
        "POST /games → 422: the code seed-unused was removed",
        lambda new: new["components"]["responses"]["InvalidGame"]["x-problem-codes"].remove("seed-unused"),
    ),
    (
        "DuelPosition in a request: unknown fields are refused now",
        lambda new: schema(new, "DuelPosition").update(additionalProperties=False),
    ),
    (
        "PlayMoveType in a request: the value 'play' was removed",
        lambda new: schema(new, "PlayMoveType").update(enum=["lay"]),
    ),
    (
        "DuelPlayMove in a request: type: the value 'play' was removed",
        lambda new: schema(new, "DuelPlayMove")["properties"].update(type={"type": "string", "const": "lay"}),
    ),
    (
        "DuelGame in an answer: status: it may have values that are not listed now",
        lambda new: schema(new, "DuelGame")["properties"].update(status={"type": "string"}),
    ),
    (
        "NewDuel in a request: seed: only listed values are taken now",
        lambda new: schema(new, "NewDuel")["properties"]["seed"].update(enum=["0" * 64]),
    ),
    (
        "DuelPosition in an answer: closed: the value 'P' was removed",
        lambda new: schema(new, "DuelPosition")["properties"].update(
            closed={"type": ["string", "null"], "enum": ["Y", "B", "W", "G", "R", None]}
        ),
    ),
    (
        "Actor in an answer: string is no longer one of its forms",
        lambda new: schema(new, "Actor")["anyOf"].pop(0),
    ),
    (
        "GET /games/{game_id} include: the value 'moves,score' was removed",
        lambda new: include(new)["schema"].update(maxItems=1),
    ),
    (
        "PlayerName in a request: maxLength was 40 and is 30",
        lambda new: schema(new, "PlayerName").update(maxLength=30),
    ),
    (
        "NewDuel in a request: chance: maxLength was none and is 5",
        lambda new: schema(new, "NewDuel")["properties"].update(
            chance={"type": "string", "enum": ["server", "client"], "maxLength": 5}
        ),
    ),
    (
        "DuelGame in an answer: version: its type ['integer'] became ['string']",
        lambda new: schema(new, "DuelGame")["properties"]["version"].update(type="string"),
    ),
    (
        "NewGame in a request: NewDuel is no longer one of its forms",
        lambda new: schema(new, "NewGame")["oneOf"].pop(0),
    ),
    (
        "GET /games/{game_id}/events → 200: StreamEnd is no longer one of its forms",
        lambda new: rename(new, "StreamMessage", "StreamEnd", without="reason"),
    ),
]


@pytest.mark.parametrize(("sentence", "change"), BREAKING, ids=[sentence for sentence, _ in BREAKING])
def test_a_breaking_change_is_described(sentence: str, change: Callable[[Any], Any]) -> None:
    new = deepcopy(CONTRACT)
    change(new)
    assert sentence in breaks(CONTRACT, new)


HARMLESS: list[Callable[[Any], Any]] = [
    lambda new: schema(new, "DuelOutcome")["properties"]["reason"]["x-extensible-enum"].append("too-long"),
    lambda new: new["components"]["responses"]["InvalidGame"]["x-problem-codes"].append("seed-stale"),
    lambda new: schema(new, "DuelOptions")["properties"].update(more={"type": "string"}),
    lambda new: new["paths"].update({"/more": {}}),
    lambda new: schema(new, "DuelGame")["properties"].update(more={"type": "string"}),
    lambda new: schema(new, "NewDuel")["properties"].update(more={"type": "string"}),
    lambda new: schema(new, "NewDuel")["properties"].update(
        chance={"type": "string", "enum": ["server", "client", "dice"]}
    ),
    lambda new: schema(new, "DuelPlayMove")["properties"].update(type={"type": "string", "const": "play"}),
    lambda new: schema(new, "DuelGame")["properties"].update(
        seeded_by={"type": ["string", "null"], "enum": ["server", "caller", None]}
    ),
    lambda new: schema(new, "Actor")["anyOf"].__setitem__(0, {"type": "string", "const": "chance"}),
    lambda new: include(new).update(
        schema={"type": "string", "enum": ["moves", "score", "moves,score", "score,moves"]}
    ),
    lambda new: new["paths"]["/games/{game_id}"]["get"].update(security=[{}, {"bearerToken": []}]),
    lambda new: schema(new, "NewDuel")["properties"].update(
        chance={"type": "string", "enum": ["server", "client"], "minLength": 1, "maxLength": 60}
    ),
    lambda new: schema(new, "PlayerName").update(maxLength=80),
    lambda new: schema(new, "NewDuel")["required"].remove("players"),
    lambda new: create(new)["responses"].update({"418": {"description": "Short and stout."}}),
    lambda new: schema(new, "NewDuel").update(description="A duel, please."),
    lambda new: schema(new, "Actor").update(anyOf=[{"anyOf": schema(new, "Actor")["anyOf"]}]),
    lambda new: rename(new, "StreamMessage", "StreamEnd"),
]


@pytest.mark.parametrize("change", HARMLESS)
def test_an_addition_is_not_a_breaking_change(change: Callable[[Any], Any]) -> None:
    new = deepcopy(CONTRACT)
    change(new)
    assert breaks(CONTRACT, new) == []
