"""Games that an earlier version stored, and its records, are read, shown and continued by this version."""

from typing import Any

import pytest
from lostcities.variants.core import FULL
from lostcities.variants.registry import VARIANTS
from redis import Redis

from tests.client import Client, GameClient
from tests.store.stored_games import StoredGame, load_all, load_records, write_keys

GAMES = load_all()
RECORDS = load_records()
every_stored_game = pytest.mark.parametrize("stored", GAMES, ids=lambda each: f"{each.variant}, {each.stage}")


@pytest.fixture
def game(stored: StoredGame, api: Client, valkey: Redis) -> GameClient:
    """The stored game, in the store of the application."""
    write_keys(valkey, stored.keys)
    return GameClient(api, stored.id, stored.host, stored.seats, None)


def check_position(shown: Any, expected: Any) -> None:
    """A later version may show more members. It shows the others as it reads the earlier position."""
    variant = VARIANTS[shown["variant"]]
    rules, options = variant.rules, variant.rules.parse_options(shown["options"])
    state = variant.positions.from_position(len(shown["players"]), options, expected)
    read = rules.to_position(state, FULL)
    assert {name: shown["position"][name] for name in expected} == {name: read[name] for name in expected}


def test_every_variant_has_stored_games_of_every_stage() -> None:
    stages = {"created", "middle", "finished", "from a position"}
    stages |= {"with bots", "chance by the host", "from a record", "with keys"}
    assert {(game.variant, game.stage) for game in GAMES} == {(each, stage) for each in VARIANTS for stage in stages}


def test_games_with_a_snapshot_are_among_them() -> None:
    fields = [{*game.keys[f"lc:{{{game.id}}}"]} for game in GAMES if game.version >= 64]
    assert fields
    assert all("n1" in each for each in fields)


@every_stored_game
def test_a_stored_game_is_read(game: GameClient, stored: StoredGame) -> None:
    shown = game.get("?view=full", token=game.host).body
    assert (shown["variant"], shown["version"]) == (stored.variant, stored.version)
    check_position(shown, stored.positions[str(stored.version)])
    assert [seat["total"] for seat in game.get("/score").body["seats"]] == stored.totals
    assert game.get(token=game.seats[0]).status == 200
    history = game.get("/history?limit=500", token=game.host).body["events"]
    assert [event["version"] for event in history] == [*range(1, stored.version + 1)]


@every_stored_game
def test_the_past_of_a_stored_game_is_shown(game: GameClient, stored: StoredGame) -> None:
    for version, expected in stored.positions.items():
        check_position(game.get(f"?view=full&version={version}", token=game.host).body, expected)
    for earlier in range(0, stored.version, 16):
        assert game.get(f"?version={earlier}", token=game.seats[0]).body["version"] == earlier


@every_stored_game
def test_a_stored_game_is_continued(game: GameClient, stored: StoredGame) -> None:
    moves = game.get("/moves", token=game.host).body["moves"]
    if game.get().body["status"] == "finished":
        assert stored.stage in ("finished", "from a position", "with bots")
        assert not moves
        assert game.get("/fairness").body["seed"]
        return
    for seat in {move["seat"] for move in moves}:
        own = game.get("/moves", token=game.seats[seat]).body["moves"]
        assert own == [move for move in moves if move["seat"] == seat]
    move = moves[0]
    made = game.api.post(f"{game.path}/moves", move, token=game.seats[move["seat"]])
    assert made.status == 200, made.content
    assert game.get().body["version"] > stored.version


def contains(shown: Any, expected: Any) -> bool:
    """Whether an answer has everything that is expected. A later version may show more members."""
    if isinstance(expected, dict):
        return all(name in shown and contains(shown[name], each) for name, each in expected.items())
    return bool(shown == expected)


@pytest.mark.parametrize("stored", [each for each in GAMES if each.answered], ids=lambda each: each.variant)
def test_requests_that_an_earlier_version_answered_are_answered_again(game: GameClient, stored: StoredGame) -> None:
    """A client may repeat a request after the update of a service that made the move and could not say so."""
    for request in stored.answered:
        again = game.api.post(request["path"], request["body"], token=game.host, key=request["key"])
        assert again.headers["Idempotent-Replayed"] == "true"
        assert contains(again.body, request["answer"])
    assert game.get().body["version"] == stored.version


@pytest.mark.parametrize("number", range(len(RECORDS)))
def test_a_record_of_an_earlier_version_verifies_and_goes_on(api: Client, number: int) -> None:
    written, version, totals, position = RECORDS[number].values()
    path = f"/variants/{written['variant']}/verify"
    verdict = api.post(path, written).body
    assert (verdict["valid"], verdict["version"]) == (True, version)
    assert [seat["total"] for seat in verdict["score"]["seats"]] == totals
    assert verdict["outcome"] == written["outcome"]
    created = api.post("/games", {"record": written})
    assert created.status == 201, created.content
    game = GameClient(api, created.body["id"], created.body["tokens"]["host"], created.body["tokens"]["seats"], None)
    check_position(game.get("?view=full", token=game.host).body, position)
    assert game.get("/record", token=game.host).body["events"] == written["events"]
    for move in game.get("/moves", token=game.host).body["moves"][:1]:
        assert not written["outcome"]
        assert game.move(move["notation"], move["seat"]).status == 200
