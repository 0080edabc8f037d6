"""`errors[].pointer` is a JSON pointer for what is in the body, and the parameter's name for all else."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from lostcities.api.problems.catalogue import SHARED

from tests.client import Client, GameClient, create_game

GAME = {"variant": "duel", "players": ["Ann", "Ben"]}
WAGER = {"notation": "play Yw"}
BOT = {"name": "Ben", "bot": "greedy"}
USED_KEY = "used-for-another-game"
LISTED = {"type": "play", "card": "Yw"}


class Ask(NamedTuple):
    """A request by the host of the game `{game}`, of which `{position}` is the position, or by a seat."""

    method: str
    path: str
    body: Any = None
    headers: Mapping[str, str] = MappingProxyType({})
    seat: int | None = None


def get(path: str, seat: int | None = None, **headers: str) -> Ask:
    return Ask("GET", path, None, {name.replace("_", "-"): value for name, value in headers.items()}, seat)


def post(path: str, body: Any, seat: int | None = None, **headers: str) -> Ask:
    return Ask("POST", path, body, {name.replace("_", "-"): value for name, value in headers.items()}, seat)


TABLE: list[tuple[Ask, str, str]] = [
    # In the body.
    (post("/games", []), "invalid-request", ""),
    (post("/games", {**GAME, "variant": "chess"}), "invalid-request", "/variant"),
    (post("/games", {**GAME, "players": ["Ann", ""]}), "invalid-request", "/players/1"),
    (post("/games", {**GAME, "a/b": 1}), "invalid-request", "/a~1b"),
    (post("/games", {**GAME, "chance": "client", "seed": "0" * 64}), "seed-unused", "/seed"),
    (
        post("/games", {"variant": "rivals", "players": ["A", "B"], "options": {"piles": [80, 1, 1, 1]}}),
        "piles",
        "/options/piles",
    ),
    (post("/games", {**GAME, "players": ["Ann", BOT], "chance": "client"}), "bots-need-seed", "/chance"),
    (post("/games", {**GAME, "players": [BOT, BOT]}), "person-required", "/players"),
    (post("{game}/moves", {"notation": "sing"}), "not-a-move", "/notation"),
    (post("{game}/moves", {"moves": [WAGER, {"notation": "sing"}]}), "not-a-move", "/moves/1/notation"),
    (post("{game}/check", {"type": "sing"}), "not-a-move", "/type"),
    (post("{game}/check", {**LISTED, "card": "Y1"}), "not-a-move", "/card"),
    (post("{game}/check", {"type": "play"}), "missing-field", "/card"),
    (post("{game}/check", {**LISTED, "loudly": True}), "unknown-field", "/loudly"),
    (post("{game}/check", {**LISTED, "notation": "play Y2"}), "contradiction", "/notation"),
    (post("{game}/moves", {**WAGER, "seat": 0, "actor": "chance"}), "seat-or-actor", "/actor"),
    (post("{game}/moves", {**WAGER, "seat": 5}), "unknown-seat", "/seat"),
    (post("{game}/moves", {"moves": [{**WAGER, "seat": 5}]}), "unknown-seat", "/moves/0/seat"),
    (post("{simultaneous}/moves", {"notation": "refuse"}), "seat-required", "/seat"),
    (post("{game}/moves", {**WAGER, "seat": 1}, seat=0), "not-your-seat", "/seat"),
    (post("{game}/moves", {**WAGER, "actor": "chance"}, seat=0), "host-only", "/actor"),
    (post("/variants/duel/moves", {"position": "{position}", "seat": 7}), "unknown-seat", "/seat"),
    (
        post("/variants/duel/check", {"position": "{position}", "move": {"notation": "sing"}}),
        "not-a-move",
        "/move/notation",
    ),
    (
        post("/variants/duel/apply", {"position": "{position}", "moves": [WAGER, {"type": "play"}]}),
        "missing-field",
        "/moves/1/card",
    ),
    (post("/variants/duel/score", {"position": {}}), "invalid-request", "/position/variant"),
    # In the query.
    (get("{game}?version=9999"), "unknown-version", "version"),
    (get("{game}/board.svg?version=9999"), "unknown-version", "version"),
    (get("{game}?version=x"), "invalid-request", "version"),
    (get("{game}?seat=0&seat=1"), "invalid-request", "seat"),
    (get("{game}?colour=red"), "invalid-request", "colour"),
    (get("{game}?include=everything"), "invalid-request", "include"),
    (get("{game}?version=1&after=1"), "after-or-version", "after"),
    (get("{game}?wait=1"), "after-required", "wait"),
    (get("{game}?seat=7"), "unknown-seat", "seat"),
    (get("{game}/moves?seat=7"), "unknown-seat", "seat"),
    (post("{game}/moves?seat=7", WAGER), "unknown-seat", "seat"),
    (get("{game}/history?seat=0&view=full"), "seat-or-view", "seat"),
    (get("{game}?seat=1", seat=0), "not-your-seat", "seat"),
    (get("{game}?view=full", seat=0), "not-your-seat", "view"),
    # In the headers.
    (get("{game}/events", Last_Event_ID="9999"), "unknown-version", "Last-Event-ID"),
    (get("{game}/events", Last_Event_ID="x"), "invalid-request", "Last-Event-ID"),
    (post("/games", {**GAME, "on_timeout": "bot"}), "turn-seconds-required", "/on_timeout"),
    (post("/games", GAME, Idempotency_Key="short"), "invalid-request", "Idempotency-Key"),
    (
        post("/games", GAME, Idempotency_Key=USED_KEY),
        "idempotency-key-reused",
        "Idempotency-Key",
    ),
    (post("{game}/moves", WAGER, If_Match='"1"' + " " * 300), "invalid-request", "If-Match"),
]


@pytest.fixture(scope="module")
def game(api: Client) -> GameClient:
    other = {**GAME, "players": ["Cid", "Dee"]}
    assert api.post("/games", other, key=USED_KEY).status == 201
    return create_game(api)


@pytest.fixture(scope="module")
def simultaneous(api: Client) -> GameClient:
    """A game in which several seats are to act."""
    game = create_game(api, variant="roll-and-write", players=3)
    seat = game.get("").body["to_act"][0]
    assert game.api.post(game.path + "/moves", {"seat": seat, "notation": "refuse"}, token=game.host).status == 200
    assert len(game.get("").body["to_act"]) == 2
    return game


@pytest.mark.parametrize(("ask", "code", "pointer"), TABLE, ids=[f"{code}-{at}" for _, code, at in TABLE])
def test_an_error_names_the_part_that_is_wrong(
    api: Client, game: GameClient, simultaneous: GameClient, ask: Ask, code: str, pointer: str
) -> None:
    of = simultaneous if "{simultaneous}" in ask.path else game
    path = ask.path.replace("{game}", game.path).replace("{simultaneous}", simultaneous.path)
    body = ask.body
    if isinstance(body, dict) and body.get("position") == "{position}":
        body = {**body, "position": game.get("?view=full", token=game.host).body["position"]}
    token = None if not path.startswith("/games/") else of.host if ask.seat is None else of.seats[ask.seat]
    answer = api(ask.method, path, body, token=token, headers=dict(ask.headers))
    assert (answer.code, answer.pointers[:1]) == (code, [pointer])


OF_RECORDS = {
    "game-too-long",
    "illegal-event",
    "other-rules-version",
    "wrong-chance",
    "wrong-commitment",
    "wrong-deadline",
    "wrong-outcome",
    "wrong-seed-from",
}
"""`tests/api/test_records.py` has the table of these."""


def test_the_table_has_every_code_of_a_request_that_does_not_fit() -> None:
    refusals = {known.code for known in SHARED if known.status == 422}
    # A game without a heuristic lacks a level; all games of the service have one.
    assert refusals - {"no-such-level"} == {code for _, code, _ in TABLE if code in refusals} | OF_RECORDS
