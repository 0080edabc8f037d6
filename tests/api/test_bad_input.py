"""Bad input gets a 4xx problem that names the field, and changes nothing."""

import json
from typing import Any

import pytest

from tests.api.test_games import HANDS
from tests.client import Client, GameClient, create_game

GAME: dict[str, Any] = {"variant": "duel", "players": ["Ann", "Ben"]}


@pytest.mark.parametrize(
    ("data", "status", "code"),
    [
        (b"", 400, "not-json"),
        (b"{", 400, "not-json"),
        (b"not json", 400, "not-json"),
        (b'{"variant": NaN}', 400, "not-json"),
        (b'{"variant": "\xff"}', 400, "not-json"),
        (b'{"variant": "\\ud800"}', 400, "not-json"),
        (b"[" * 20_000 + b"]" * 20_000, 400, "not-json"),
        (b'{"a":' * 5_000 + b"1" + b"}" * 5_000, 400, "not-json"),
        (b"[]", 422, "invalid-request"),
        (b"null", 422, "invalid-request"),
        (b'"x"', 422, "invalid-request"),
        (b"1e999", 400, "not-json"),
        (b"x" * 1_000_000, 413, "request-entity-too-large"),
    ],
)
def test_a_body_that_is_not_a_json_object_is_rejected(api: Client, data: bytes, status: int, code: str) -> None:
    for path in ("/games", "/variants/duel/moves"):
        answer = api.post(path, data=data)
        assert (answer.status, answer.code) == (status, code)


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "application/xml", ""])
def test_another_content_type_than_json_is_rejected(api: Client, content_type: str) -> None:
    answer = api.post("/games", data=json.dumps(GAME).encode(), headers={"Content-Type": content_type})
    assert (answer.status, answer.code) == (415, "unsupported-media-type")


def test_the_content_type_may_have_a_charset(api: Client) -> None:
    headers = {"Content-Type": "application/json; charset=utf-8"}
    assert api.post("/games", data=json.dumps(GAME).encode(), headers=headers).status == 201


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"variant": "chess"}, "/variant"),
        ({"variant": None}, "/variant"),
        ({"variant": ["duel"]}, "/variant"),
        ({"players": None}, "/players"),
        ({"players": "Ann"}, "/players"),
        ({"players": ["Ann"]}, "/players"),
        ({"players": ["Ann", "Ben", "Cid"]}, "/players"),
        ({"players": ["Ann", 7]}, "/players/1"),
        ({"players": ["Ann", ""]}, "/players/1"),
        ({"players": ["Ann", " Ben"]}, "/players/1"),
        ({"players": ["Ann", "B" * 41]}, "/players/1"),
        ({"players": ["Ann", "Be\0n"]}, "/players/1"),
        ({"players": ["Ann", "Ben\n"]}, "/players/1"),
        ({"players": ["Ann", "\u202eBen"]}, "/players/1"),
        ({"players": ["Ann", "B\u00aden"]}, "/players/1"),
        ({"players": ["Ann", "\u3164"]}, "/players/1"),
        ({"players": ["Ann", "💥"]}, "/players/1"),
        ({"options": []}, "/options"),
        ({"options": {"expeditions": 7}}, "/options/expeditions"),
        ({"options": {"expeditions": "5"}}, "/options/expeditions"),
        ({"options": {"expeditions": 5.5}}, "/options/expeditions"),
        ({"options": {"expeditions": True}}, "/options/expeditions"),
        ({"options": {"redraw_own_discard": "yes"}}, "/options/redraw_own_discard"),
        ({"options": {"redraw_own_discard": 1}}, "/options/redraw_own_discard"),
        ({"options": {"rounds": 0}}, "/options/rounds"),
        ({"options": {"rounds": 10}}, "/options/rounds"),
        ({"options": {"max_turns": 0}}, "/options/max_turns"),
        ({"options": {"max_turns": 10**30}}, "/options/max_turns"),
        ({"options": {"piles": [20, 20, 20, 20]}}, "/options/piles"),
        ({"seed": "00"}, "/seed"),
        ({"seed": "G" * 64}, "/seed"),
        ({"seed": "0" * 64 + "\n"}, "/seed"),
        ({"seed": 7}, "/seed"),
        ({"chance": "dice"}, "/chance"),
        ({"position": {}}, "/position/hands"),
        ({"position": 7}, "/position"),
        ({"surprise": 1}, "/surprise"),
        ({"a/b~c": 1}, "/a~1b~0c"),
    ],
)
def test_an_invalid_member_is_rejected_with_its_pointer(api: Client, change: Any, pointer: str) -> None:
    answer = api.post("/games", {**GAME, **change})
    assert (answer.status, answer.code) == (422, "invalid-request")
    assert pointer in answer.pointers


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"players": ["Ann"]}, "a game of duel has 2 players"),
        ({"variant": "rivals", "players": ["Ann"]}, "a game of rivals has 2 to 4 players"),
        ({"variant": "roll-and-write", "players": ["Ann"] * 6}, "a game of roll-and-write has 2 to 5 players"),
        ({"players": ["Ann", "B" * 41]}, "must have 1 to 40 characters"),
        ({"options": {"expeditions": 7}}, "must be a number from 5 to 6"),
        ({"options": []}, "Not an object."),
        ({"variant": "rivals", "options": {"piles": [80]}}, "must have 4 entries"),
    ],
)
def test_a_rejection_says_what_is_expected(api: Client, change: Any, sentence: str) -> None:
    answer = api.post("/games", {**GAME, **change})
    assert answer.status == 422
    assert sentence in [error["detail"] for error in answer.body["errors"]]


@pytest.mark.parametrize(
    ("variant", "move", "rule", "pointer"),
    [
        ("duel", {"notation": "pass"}, "a turn cannot be passed", "/notation"),
        ("duel", {"type": "pass"}, "a turn cannot be passed", "/type"),
        ("rivals", {"notation": "bid 0"}, "a bid is at least 1", "/notation"),
        ("rivals", {"type": "bid", "gold": 0}, "a bid is at least 1", "/gold"),
        ("duel", {"type": "draw", "from": "R7"}, "no 'draw' has this 'from'", "/from"),
    ],
)
def test_a_move_that_does_not_exist_is_refused_with_the_rule(
    api: Client, variant: str, move: Any, rule: str, pointer: str
) -> None:
    game = create_game(api, variant)
    answer = api.post(f"{game.path}/moves", move, token=game.seats[0])
    assert (answer.status, answer.code, answer.pointers) == (422, "not-a-move", [pointer])
    assert rule in answer.body["detail"]


def test_a_seed_with_client_chance_is_rejected(api: Client) -> None:
    answer = api.post("/games", {**GAME, "chance": "client", "seed": "00" * 32})
    assert (answer.status, answer.code, answer.pointers) == (422, "seed-unused", ["/seed"])


@pytest.mark.parametrize("missing", ["variant", "players"])
def test_a_missing_member_is_rejected_with_its_pointer(api: Client, missing: str) -> None:
    answer = api.post("/games", {name: value for name, value in GAME.items() if name != missing})
    assert answer.pointers == [f"/{missing}"]


@pytest.mark.parametrize(
    "name", ["Ann", "Ünsal Ærø", "O’Neil", "“A” – B", "李雷", "Ａｎ", "Ольга", "a.b-c_d (2)", "B" * 40]
)
def test_player_names_of_any_script_are_accepted(api: Client, name: str) -> None:
    assert create_game(api, "duel").created["players"] == ["Player 0", "Player 1"]
    answer = api.post("/games", {**GAME, "players": [name, name]})
    assert answer.body["players"] == [name, name]


def test_an_integer_may_have_a_decimal_point(api: Client) -> None:
    """JSON has one number type: 5.0 equals 5."""
    assert api.post("/games", {**GAME, "options": {"expeditions": 5.0}}).body["options"]["expeditions"] == 5


@pytest.fixture(scope="module")
def dealt(api: Client) -> GameClient:
    game = create_game(api, chance="client")
    game.do(*HANDS)
    return game


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"seat": -1, "notation": "play R7"}, "/seat"),
        ({"seat": "0", "notation": "play R7"}, "/seat"),
        ({"seat": 0.5, "notation": "play R7"}, "/seat"),
        ({"seat": 99, "notation": "play R7"}, "/seat"),
        ({"seat": 5, "notation": "play R7"}, "/seat"),
        ({"actor": "dealer", "notation": "play R7"}, "/actor"),
        ({"actor": 0, "notation": "play R7"}, "/actor"),
        ({"actor": "chance", "notation": "play R7", "type": "play", "card": "R7"}, "/type"),
        ({"notation": 7}, "/notation"),
        ({"notation": ""}, "/notation"),
        ({"notation": "x" * 201}, "/notation"),
        ({"notation": "play R7\0"}, "/notation"),
        ({"notation": "play R7 "}, "/notation"),
        ({"notation": "play R7\n"}, "/notation"),
        ({"notation": "play  R7"}, "/notation"),
        ({"notation": "Play R7"}, "/notation"),
        ({"notation": "play 💥"}, "/notation"),
        ({"notation": "play R1"}, "/notation"),
        ({"notation": None}, "/notation"),
        ({"type": "play", "card": {"$gt": ""}}, "/card"),
        ({"type": "play", "card": ["R7"]}, "/card"),
        ({"type": "play", "card": None}, "/card"),
        ({"type": 7}, "/type"),
        ({"type": "play", "card": "R" * 201}, "/card"),
        ({"type": "play", "card": json.loads("[" * 700 + "]" * 700)}, "/card"),
        ({"notation": "play R7", "x": 1}, "/x"),
        ({}, "/notation"),
        ({"moves": []}, "/moves"),
        ({"moves": {}}, "/moves"),
        ({"moves": [7]}, "/moves/0"),
        ({"moves": [{"notation": "play R7"}, {"notation": "play R99"}]}, "/moves/1/notation"),
        ({"moves": [{"notation": "play R7", "seat": -1}]}, "/moves/0/seat"),
        ({"moves": [{"notation": "play R7"}] * 101}, "/moves"),
        ({"moves": [{"notation": "play R7"}], "seat": 0}, "/seat"),
    ],
)
def test_a_malformed_move_is_rejected_and_changes_nothing(dealt: GameClient, body: Any, pointer: str) -> None:
    before = dealt.get("?view=full", token=dealt.host).content
    for path in ("/moves", "/check"):
        answer = dealt.api.post(dealt.path + path, body, token=dealt.host)
        assert answer.status == 422
        assert pointer in answer.pointers
    assert dealt.get("?view=full", token=dealt.host).content == before


@pytest.mark.parametrize(
    "path",
    ["/games/{id}?x=1", "/games/{id}/moves?version=1", "/games/{id}/score?x=0", "/livez?x=1", "/variants?x"],
)
def test_an_unknown_query_parameter_is_rejected(dealt: GameClient, path: str) -> None:
    answer = dealt.api.get(path.replace("{id}", dealt.id), token=dealt.host if "id" in path else None)
    assert answer.status == 422
    assert answer.pointers == [path.split("?")[1].split("=", maxsplit=1)[0]]


@pytest.mark.parametrize("path", ["/games/x", "/games/" + "a" * 16, "/games/" + "A" * 16, "/games/%00", "/games/💥"])
def test_an_unknown_game_is_not_found(api: Client, path: str) -> None:
    for what in ("", "/moves", "/history", "/score", "/fairness"):
        answer = api.get(path + what)
        assert (answer.status, answer.code) == (404, "no-such-game")
    assert api.post(path + "/moves", {"notation": "play R7"}, token="host_0").status == 404
    assert api.delete(path, token="host_0").status == 404


@pytest.mark.parametrize(
    "header", ["Basic abc", "Bearer", "Bearer ", "token", "Bearer host_00000000000000000000000000000000", "Bearer é"]
)
def test_an_unknown_token_is_401_and_not_treated_as_a_spectator(dealt: GameClient, header: str) -> None:
    for what in ("", "/moves", "/history", "/score", "/fairness"):
        answer = dealt.api.get(dealt.path + what, headers={"Authorization": header})
        assert answer.status == 401
        assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_unknown_paths_and_methods_are_problems(api: Client) -> None:
    assert (api.get("/nope").status, api.get("/nope").code) == (404, "not-found")
    assert api.get("/variants//duel").status == 404
    assert api.get("/games/").status == 404
    answer = api("PUT", "/games")
    assert (answer.status, answer.code) == (405, "method-not-allowed")
    assert {"POST", "OPTIONS"} <= {*answer.headers["Allow"].split(", ")}
    assert api.get("/variants/chess").code == "no-such-variant"
    assert api.post("/variants/chess/moves", {}).status == 404


IMPOSSIBLE: list[tuple[Any, str, str]] = [
    ({"deck": 45}, "card-count", "/position/deck"),
    ({"hands": [["Yw"] * 8, ["Y4"] * 8]}, "too-many-copies", "/position/hands/0/3"),
    ({"hands": [["Y2"], ["Y3"]]}, "hand-size", "/position/hands/0"),
    ({"phase": "over"}, "round-end", "/position/phase"),
    ({"closed": "R"}, "closed", "/position/closed"),
    ({"rounds": [[1, 2]]}, "rounds", "/position/rounds"),
]


@pytest.mark.parametrize(("change", "code", "pointer"), IMPOSSIBLE)
def test_an_impossible_position_is_rejected_with_the_violated_invariant(
    dealt: GameClient, change: Any, code: str, pointer: str
) -> None:
    position = {**dealt.get("?view=full", token=dealt.host).body["position"], **change}
    for path, body in (
        ("/games", {**GAME, "position": position}),
        ("/variants/duel/moves", {"position": position}),
        ("/variants/duel/score", {"position": position}),
        ("/variants/duel/apply", {"position": position, "move": {"notation": "play R7"}}),
        ("/variants/duel/check", {"position": position, "move": {"notation": "play R7"}}),
    ):
        answer = dealt.api.post(path, body)
        assert (answer.status, answer.code) == (422, code)
        assert answer.pointers == [pointer]


def test_an_expedition_that_descends_or_has_a_hidden_card_is_rejected(dealt: GameClient) -> None:
    position = dealt.get("?view=full", token=dealt.host).body["position"]
    position["expeditions"][1]["R"] = ["R4", "R3"]
    position["deck"] -= 2
    answer = dealt.api.post("/variants/duel/moves", {"position": position})
    assert (answer.code, answer.pointers) == ("ascending", ["/position/expeditions/1/R/1"])
    seen = dealt.get("").body["position"]
    answer = dealt.api.post("/variants/duel/moves", {"position": seen})
    assert (answer.code, answer.pointers) == ("hidden-card", ["/position/hands/0/0"])
