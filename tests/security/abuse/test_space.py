"""Protection of the store's memory: games expire, and a nearly full store accepts moves but no new games."""

from typing import Any

import pytest
from lostcities.app import create_app
from lostcities.config import Settings

from tests.client import Client, create_game
from tests.conftest import client_of
from tests.faults.processes import Servers, until

DAY = 24 * 60 * 60 * 1000


def test_a_finished_game_expires_sooner(api: Client, valkey: Any) -> None:
    game = create_game(api, options={"max_turns": 1})
    key = f"lc:{{{game.id}}}"
    assert 29 * DAY < valkey.pttl(key) <= 30 * DAY
    while game.get("").body["to_act"]:
        moves = game.get("/moves", token=game.host).body["moves"]
        game.do(moves[0]["notation"])
    for name in (key, f"{key}:h"):
        assert 6 * DAY < valkey.pttl(name) <= 7 * DAY
    body = game.get("").body
    assert body["status"] == "finished"
    assert body["expires_at"][:10] > body["created_at"][:10]


@pytest.fixture
def crowded(tmp_path: Any) -> Any:
    """A store with a memory limit."""
    servers = Servers(tmp_path)
    yield servers.valkey("--maxmemory", "64mb", "--maxmemory-policy", "noeviction")
    servers.end()


def test_a_nearly_full_store_accepts_moves_but_no_new_games(crowded: Any) -> None:
    settings = Settings(redis_url=crowded.url, redis_timeout=20_000, rate_limits=None, store_full_percent=20)
    game = create_game(client_of(create_app(settings)))
    client = crowded.client()
    names = [f"ballast-{number}" for number in range(200)]
    for name in names:  # small values, because the buffer of a large one stays allocated
        client.set(name, bytes(100 * 1024))
    api = client_of(create_app(settings))  # a new application has no cached result of the check
    refused = api.post("/games", {"variant": "duel", "players": ["Ann", "Ben"]})
    assert (refused.status, refused.code) == (503, "store-full")
    assert int(refused.headers["Retry-After"]) >= 1
    moves = game.get("/moves", token=game.host).body["moves"]
    assert api.post(game.path + "/moves", moves[0], token=game.host).status == 200
    client.delete(*names)
    until(lambda: api.post("/games", {"variant": "duel", "players": ["Ann", "Ben"]}).status == 201)
    client.close()
