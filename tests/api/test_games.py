"""GameService over HTTP: created, seen, moved, judged, remembered, scored and ended."""

import re
from typing import Any

import pytest
from lostcities.api import render
from lostcities.games import storage

from tests.client import Client, GameClient, create_game

SEED = "ab" * 32
HANDS = (
    "deal 0 Yw Y2 Y3 B4 W5 G6 R7 R8",
    "deal 1 Yw Y4 Y5 B5 W6 G7 R9 R10",
)


@pytest.fixture
def dealt(api: Client) -> GameClient:
    """A game with known hands: the host supplies the outcomes of chance."""
    game = create_game(api, chance="client")
    for hand in HANDS:
        assert game.outcome(hand).status == 200
    return game


# Create ------------------------------------------------------------------------------------------------------------


def test_creation_returns_the_game_its_tokens_and_its_commitment(api: Client) -> None:
    answer = api.post("/games", {"variant": "duel", "players": ["Ann", "Ben"]})
    body = answer.body
    assert answer.status == 201
    assert answer.headers["Location"] == f"/games/{body['id']}"
    assert answer.headers["Cache-Control"] == "no-store"
    assert re.fullmatch("host_[0-9a-f]{32}", body["tokens"]["host"])
    assert len({body["tokens"]["host"], *body["tokens"]["seats"]}) == 3
    assert re.fullmatch("[0-9a-f]{64}", body["commitment"])
    assert (body["version"], body["to_act"], body["phase"], body["seeded_by"]) == (2, [0], "play", "server")
    assert body["position"]["hands"] == [["?"] * 8] * 2


def test_the_same_seed_gives_the_same_game(api: Client) -> None:
    one, two = (create_game(api, seed=SEED) for _ in range(2))
    assert one.created["seeded_by"] == "caller"
    assert [game.get("?view=full", token=game.host).body["position"] for game in (one,)] == [
        game.get("?view=full", token=game.host).body["position"] for game in (two,)
    ]


@pytest.mark.parametrize(
    ("options", "hand", "deck"),
    [({}, 8, 44), ({"expeditions": 6}, 8, 56), ({"rounds": 3, "max_turns": 10, "redraw_own_discard": True}, 8, 44)],
)
def test_options_change_the_game(api: Client, options: dict[str, Any], hand: int, deck: int) -> None:
    game = create_game(api, options=options)
    assert game.created["position"]["deck"] == deck
    assert game.created["options"].items() >= options.items()


def test_a_game_starts_from_a_position(api: Client, dealt: GameClient) -> None:
    position = dealt.get("?view=full", token=dealt.host).body["position"]
    game = create_game(api, position=position)
    assert (game.created["version"], game.created["to_act"]) == (0, [0])
    assert game.get("?seat=0", token=game.host).body["position"]["hands"][0] == HANDS[0].split()[2:]
    game.do("play R7", "draw deck")
    assert game.get("?version=0&view=full", token=game.host).body["position"] == position


# Read --------------------------------------------------------------------------------------------------------------


def test_each_viewer_sees_the_cards_it_may_know(dealt: GameClient) -> None:
    own, hidden = HANDS[0].split()[2:], ["?"] * 8
    other = HANDS[1].split()[2:]

    def hands(query: str = "", token: str | None = None) -> Any:
        return dealt.get(query, token=token).body["position"]["hands"]

    assert hands() == [hidden, hidden]
    assert hands(token=dealt.host) == [hidden, hidden]
    assert hands(token=dealt.seats[0]) == [own, hidden]
    assert hands("?seat=0", dealt.seats[0]) == [own, hidden]
    assert hands("?seat=1", dealt.host) == [hidden, other]
    assert hands("?view=full", dealt.host) == [own, other]


@pytest.mark.parametrize(
    ("query", "who", "status", "code"),
    [
        ("?seat=1", "seat", 403, "not-your-seat"),
        ("?view=full", "seat", 403, "not-your-seat"),
        ("?seat=0", None, 401, "token-required"),
        ("?view=full", None, 401, "token-required"),
        ("?seat=2", "host", 422, "unknown-seat"),
        ("?seat=0&view=full", "host", 422, "seat-or-view"),
        ("?seat=-1", "host", 422, "invalid-request"),
        ("?seat=x", "host", 422, "invalid-request"),
        ("?seat=0&seat=1", "host", 422, "invalid-request"),
        ("?view=half", "host", 422, "invalid-request"),
        ("?version=99", "host", 422, "unknown-version"),
        ("?nonsense=1", "host", 422, "invalid-request"),
    ],
)
def test_a_view_of_another_seat_is_rejected(
    dealt: GameClient, query: str, who: str | None, status: int, code: str
) -> None:
    token = {"seat": dealt.seats[0], "host": dealt.host, None: None}[who]
    for what in ("", "/history"):
        if "version" in query and what:
            continue
        answer = dealt.get(what + query, token=token)
        assert (answer.status, answer.code) == (status, code)


def test_earlier_versions_can_be_read(dealt: GameClient) -> None:
    seen = [dealt.get("", token=dealt.seats[0]).body]
    for move in ("play R7", "draw deck", "draw B2", "discard Yw", "draw deck", "draw B3"):
        dealt.do(move)
        seen.append(dealt.get("", token=dealt.seats[0]).body)
    for body in seen:
        again = dealt.get(f"?version={body['version']}", token=dealt.seats[0]).body
        assert {**again, "expires_at": ""} == {**body, "expires_at": ""}
    assert dealt.get("?version=0").body["phase"] == "deal"


def test_an_unchanged_view_is_304(dealt: GameClient) -> None:
    first = dealt.get("", token=dealt.seats[0])
    tag = {"If-None-Match": first.headers["ETag"]}
    again = dealt.get("", token=dealt.seats[0], headers=tag)
    assert (again.status, again.content) == (304, b"")
    assert dealt.get("", token=dealt.seats[1], headers=tag).status == 200
    assert dealt.get("", headers=tag).status == 200
    dealt.do("play R7")
    assert dealt.get("", token=dealt.seats[0], headers=tag).status == 200


@pytest.mark.parametrize("what", ["", "/moves"])
def test_an_unchanged_view_is_not_rendered(api: Client, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = create_game(api)
    etag = game.get(what, token=game.host).headers["ETag"]
    for work in ("game", "moves", "encode"):
        monkeypatch.setattr(render, work, None)
    again = game.get(what, token=game.host, headers={"If-None-Match": etag})
    assert (again.status, again.content) == (304, b"")


# Move --------------------------------------------------------------------------------------------------------------


def test_moves_lists_the_moves_of_the_callers_seats(dealt: GameClient) -> None:
    def moves(token: str | None, query: str = "") -> Any:
        return dealt.get("/moves" + query, token=token).body["moves"]

    assert {"seat": 0, "notation": "play R7", "type": "play", "card": "R7"} in moves(dealt.seats[0])
    assert len(moves(dealt.seats[0])) == 16
    assert moves(dealt.host) == moves(dealt.seats[0]) == moves(dealt.host, "?seat=0")
    assert moves(dealt.seats[1]) == moves(None) == moves(dealt.host, "?seat=1") == []


@pytest.mark.parametrize(
    "body",
    [
        {"seat": 0, "notation": "play R7"},
        {"notation": "play R7"},
        {"seat": 0, "type": "play", "card": "R7"},
        {"type": "play", "card": "R7"},
        {"seat": 0, "notation": "play R7", "type": "play", "card": "R7"},
        {"moves": [{"seat": 0, "notation": "play R7"}]},
    ],
)
def test_a_move_can_be_sent_in_several_forms(api: Client, dealt: GameClient, body: Any) -> None:
    for token in (dealt.seats[0], dealt.host):
        assert api.post(dealt.path + "/check", body, token=token).body == {"legal": True}
    answer = api.post(dealt.path + "/moves", body, token=dealt.seats[0])
    assert answer.body["events"] == [{"version": 3, "actor": 0, "notation": "play R7"}]
    assert answer.body["version"] == answer.body["game"]["version"] == 3
    assert answer.body["game"]["position"]["hands"][0] == ["Yw", "Y2", "Y3", "B4", "W5", "G6", "R8"]


def test_a_listed_move_can_be_sent_unchanged(api: Client) -> None:
    game = create_game(api, seed=SEED)
    for _ in range(6):
        (seat,) = game.get("").body["to_act"]
        move = game.get("/moves", token=game.seats[seat]).body["moves"][-1]
        answer = api.post(game.path + "/moves", move, token=game.seats[seat])
        assert answer.body["events"][0] == {
            "version": answer.body["events"][0]["version"],
            "actor": seat,
            "notation": move["notation"],
        }


def test_the_drawn_card_is_visible_only_to_its_seat(api: Client) -> None:
    game = create_game(api, seed=SEED)
    hand = game.get("", token=game.seats[0]).body["position"]["hands"][0]
    game.do(f"play {hand[0]}")
    answer = game.move("draw deck", token=game.seats[0])
    mine, drawn = answer.body["events"]
    assert (mine["actor"], mine["notation"], drawn["actor"]) == (0, "draw deck", "chance")
    assert re.fullmatch(r"draw [YBWGR](w|\d+)", drawn["notation"])
    last = "/history?after=4"
    assert game.get(last, token=game.seats[0]).body["events"][0] == drawn
    for token in (game.seats[1], game.host, None):
        assert game.get(last, token=token).body["events"] == [{**drawn, "notation": "draw ?"}]
    assert game.get(last + "&view=full", token=game.host).body["events"] == [drawn]


def test_a_list_of_moves_is_applied_completely_or_not_at_all(api: Client, dealt: GameClient) -> None:
    def send(*notations: str) -> Any:
        moves = [{"notation": notation} for notation in notations]
        return api.post(dealt.path + "/moves", {"moves": moves}, token=dealt.host)

    before = dealt.get("?view=full", token=dealt.host).content
    refused = send("play R7", "draw deck", "draw B2", "play R7")
    assert (refused.status, refused.code) == (409, "card-not-in-hand")
    assert dealt.get("?view=full", token=dealt.host).content == before
    done = send("play R7", "draw deck", "draw B2", "play R9", "draw deck")
    assert [event["actor"] for event in done.body["events"]] == [0, 0, "chance", 1, 1]
    assert done.body["game"]["to_act"] == ["chance"]


def test_a_seats_list_of_moves_ends_before_a_chance_outcome(api: Client) -> None:
    """Otherwise a rejected list would reveal the outcome."""
    game = create_game(api, seed=SEED)
    card = game.get("", token=game.seats[0]).body["position"]["hands"][0][0]
    moves = [{"notation": f"play {card}"}, {"notation": "draw deck"}]
    path, token = game.path + "/moves", game.seats[0]
    refused = api.post(path, {"moves": [*moves, {"notation": "draw deck"}]}, token=token)
    assert (refused.status, refused.code) == (409, "chance-in-between")
    assert api.post(path, {"moves": moves}, token=token).body["version"] == 5


def test_a_304_of_an_earlier_version_replays_nothing(dealt: GameClient, monkeypatch: pytest.MonkeyPatch) -> None:
    dealt.do("play R7", "draw deck", "draw B2")
    version = dealt.get("").body["version"] - 2
    etag = dealt.get(f"?version={version}").headers["ETag"]

    def refuse(*_: Any) -> Any:
        raise AssertionError("events were replayed")

    monkeypatch.setattr(storage, "replay", refuse)
    for what in ("", "/board.svg"):
        answer = dealt.get(f"{what}?version={version}", headers={"If-None-Match": etag})
        assert answer.status == 304
    assert dealt.get(f"?version={version}").status == 500


@pytest.mark.parametrize(
    ("body", "who", "status", "code"),
    [
        ({"seat": 1, "notation": "play R9"}, "seat", 403, "not-your-seat"),
        ({"actor": "chance", "notation": "draw R2"}, "seat", 403, "host-only"),
        ({"seat": 0, "notation": "play R7"}, None, 401, "token-required"),
        ({"seat": 0, "notation": "play R7"}, "stranger", 401, "unknown-token"),
        ({"seat": 2, "notation": "play R7"}, "host", 422, "unknown-seat"),
        ({"seat": 2, "notation": "play R7"}, "seat", 422, "unknown-seat"),
        ({"seat": 0, "actor": "chance", "notation": "draw R2"}, "host", 422, "seat-or-actor"),
        ({"seat": 0, "notation": "hello"}, "host", 422, "not-a-move"),
        ({"seat": 0, "notation": "play R11"}, "seat", 422, "not-a-move"),
        ({"seat": 0}, "seat", 422, "not-a-move"),
        ({"seat": 0, "type": "fly"}, "seat", 422, "not-a-move"),
        ({"seat": 0, "type": "play", "card": "R11"}, "seat", 422, "not-a-move"),
        ({"seat": 0, "type": "play", "card": 7}, "seat", 422, "not-a-move"),
        ({"seat": 0, "type": "play"}, "seat", 422, "missing-field"),
        ({"seat": 0, "type": "play", "card": "R7", "colour": "R"}, "seat", 422, "unknown-field"),
        ({"seat": 0, "notation": "play R7", "card": "R7"}, "seat", 422, "unknown-field"),
        ({"seat": 0, "notation": "play R7", "type": "play", "card": "R8"}, "seat", 422, "contradiction"),
        ({"seat": 0, "notation": "play R10"}, "seat", 409, "card-not-in-hand"),
        ({"seat": 1, "notation": "play R9"}, "host", 409, "not-your-turn"),
        ({"seat": 0, "notation": "draw deck"}, "seat", 409, "wrong-phase"),
        ({"seat": 0, "notation": "draw R2"}, "seat", 409, "outcome-by-seat"),
        ({"actor": "chance", "notation": "play R7"}, "host", 409, "move-by-chance"),
        ({"actor": "chance", "notation": "draw R2"}, "host", 409, "chance-not-awaited"),
        ({"seat": 0, "notation": "play P5"}, "seat", 409, "colour-not-in-game"),
    ],
)
def test_a_rejected_move_has_a_code_and_changes_nothing(
    api: Client, dealt: GameClient, body: Any, who: str | None, status: int, code: str
) -> None:
    token = {"seat": dealt.seats[0], "host": dealt.host, "stranger": create_game(api).host, None: None}[who]
    before = dealt.get("?view=full", token=dealt.host).content
    answer = api.post(dealt.path + "/moves", body, token=token)
    assert (answer.status, answer.code) == (status, code)
    assert dealt.get("?view=full", token=dealt.host).content == before
    check = api.post(dealt.path + "/check", body, token=token)
    if status == 409:
        assert answer.body["rule"] == code
        assert check.body == {"legal": False, "problem": {**answer.body, "request_id": check.headers["X-Request-Id"]}}
    else:
        assert (check.status, check.code) == (status, code)
    if status == 401:
        assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("query", "who", "status", "code"),
    [
        ("?seat=1", "seat", 403, "not-your-seat"),
        ("?view=full", "seat", 403, "not-your-seat"),
        ("?seat=9", "host", 422, "unknown-seat"),
        ("?seat=1&view=full", "host", 422, "seat-or-view"),
    ],
)
@pytest.mark.parametrize("key", [None, "k"])
def test_a_move_with_a_forbidden_view_is_not_made(
    api: Client, dealt: GameClient, query: str, who: str, status: int, code: str, key: str | None
) -> None:
    token = {"seat": dealt.seats[0], "host": dealt.host}[who]
    for call in ("/moves", "/check"):
        answer = api.post(dealt.path + call + query, {"notation": "play R7"}, token=token, key=key)
        assert (answer.status, answer.code) == (status, code)
        if status == 422:
            assert answer.pointers == ["seat"]
    assert dealt.get("").body["version"] == 2


def test_the_host_can_choose_the_view_of_a_move_response(api: Client, dealt: GameClient) -> None:
    answer = api.post(dealt.path + "/moves?seat=1", {"notation": "play R7"}, token=dealt.host)
    assert answer.body["game"]["position"]["hands"] == [["?"] * 7, HANDS[1].split()[2:]]
    assert api.post(dealt.path + "/check?view=full", {"notation": "draw deck"}, token=dealt.host).body["legal"]
    assert dealt.get("/score?view=full", token=dealt.host).status == 200


def test_a_host_supplies_chance_outcomes(api: Client) -> None:
    game = create_game(api, chance="client")
    assert game.created["to_act"] == ["chance"]
    assert (game.created["commitment"], game.created["seeded_by"]) == (None, None)
    for notation, status, code in (
        ("deal 1 Yw Y4 Y5 B5 W6 G7 R9 R10", 409, "deal-order"),
        ("deal 0 Yw Yw Yw Yw W5 G6 R7 R8", 409, "card-not-in-deck"),
        ("deal 0 P5 P6 P7 P8 W5 G6 R7 R8", 409, "card-not-in-deck"),
        ("draw R7", 409, "wrong-phase"),
        ("deal 0 Yw Y2 Y3 B4 W5 G6 R7", 422, "not-a-move"),
        ("deal 0 Yw Y2 Y3 B4 W5 G6 R7 R11", 422, "not-a-move"),
    ):
        answer = game.outcome(notation)
        assert (answer.status, answer.code) == (status, code)
    assert game.outcome("deal 0 R8 R7 Yw Y2 Y3 B4 W5 G6").body["events"][0]["notation"] == "deal 0 " + "? " * 7 + "?"
    for seat in (0, None):
        assert (game.move("play R7", seat).status, game.move("play R7", seat).code) == (409, "chance-to-act")
    assert game.move(HANDS[1]).status == 200  # unambiguous without `actor`: chance is to act


# History, score, fairness, deletion --------------------------------------------------------------------------------


def test_history_pages_have_no_gaps(dealt: GameClient) -> None:
    for move in ("play R7", "draw deck", "draw B2", "discard Yw", "draw deck", "draw B3"):
        dealt.do(move)
    pages, after = [], "0"
    while after != "None":
        page = dealt.get(f"/history?after={after}&limit=3", token=dealt.seats[1]).body
        pages.append([event["notation"] for event in page["events"]])
        after = str(page["next"])
    assert pages == [
        ["deal 0 ? ? ? ? ? ? ? ?", HANDS[1], "play R7"],
        ["draw deck", "draw ?", "discard Yw"],
        ["draw deck", "draw B3"],
    ]
    assert dealt.get("/history").body["next"] is None
    assert dealt.get("/history?after=8").body == {"events": [], "next": None}
    assert dealt.get("/history?after=500").body == {"events": [], "next": None}
    for query in ("limit=0", "limit=501", "after=-1", "after=1.5"):
        assert dealt.get(f"/history?{query}").status == 422


def test_the_score_of_an_unfinished_game_has_no_winner(dealt: GameClient) -> None:
    dealt.do("play R7")
    score = dealt.get("/score").body
    assert (score["final"], score["winners"]) == (False, [])
    assert [seat["total"] for seat in score["seats"]] == [-13, 0]
    assert score["seats"][0]["lines"][4] == {
        "item": "red", "points": -13, "numbers": 7, "cost": -20, "difference": -13, "wagers": 0, "multiplier": 1,
        "product": -13, "cards": 1, "bonus": 0,
    }  # fmt: skip


def finish(game: GameClient) -> None:
    """Discard and draw until the deck is empty."""
    while to_act := game.get("").body["to_act"]:
        moves = game.get("/moves", token=game.host).body["moves"]
        discard = next((move for move in moves if move["type"] == "discard"), moves[0])
        assert game.move(discard["notation"], to_act[0]).status == 200


def test_a_finished_game_is_public(api: Client) -> None:
    game = create_game(api, seed=SEED)
    early = game.get("?version=2").headers["ETag"]
    assert game.get("/fairness").body["seed"] is None
    finish(game)
    body = game.get("").body
    assert (body["status"], body["to_act"], body["phase"]) == ("finished", [], "over")
    assert body["outcome"] == {"winners": [0, 1], "totals": [0, 0], "reason": "deck-empty"}
    assert "?" not in str(body["position"]["hands"])
    assert all("?" not in event["notation"] for event in game.get("/history?limit=500").body["events"])
    past = game.get("?version=2")
    assert "?" not in str(past.body["position"]["hands"])
    assert past.headers["ETag"] != early
    score = game.get("/score").body
    assert (score["final"], score["winners"]) == (True, [0, 1])
    assert game.get("/fairness").body["seed"] == SEED
    assert game.get("/moves", token=game.host).body["moves"] == []
    assert game.move("play R7").code == "game-over"


def test_deleting_a_game_removes_all_its_keys(api: Client, valkey: Any) -> None:
    game = create_game(api)
    assert game.move("draw deck", key="k").status == 409
    card = game.get("", token=game.seats[0]).body["position"]["hands"][0][0]
    assert game.move(f"discard {card}", key="k").status == 200
    assert len(valkey.keys(f"*{game.id}*")) == 3
    assert api.delete(game.path).status == 401
    assert api.delete(game.path, token=game.seats[0]).status == 403
    assert api.delete(game.path, token=game.host, if_match='"2"').status == 412
    assert api.delete(game.path, token=game.host, if_match='"3"').status == 204
    assert valkey.keys(f"*{game.id}*") == []
    for what in ("", "/moves", "/history", "/score", "/fairness"):
        assert game.get(what, token=game.host).code == "no-such-game"
    assert api.delete(game.path, token=game.host).status == 404


def test_an_idle_game_expires(api: Client, valkey: Any) -> None:
    game = create_game(api)
    month = 30 * 24 * 60 * 60 * 1000
    for key in valkey.keys(f"*{game.id}*"):
        assert month - 60_000 < valkey.pttl(key) <= month
