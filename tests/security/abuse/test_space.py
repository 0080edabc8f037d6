"""Protection of the store's memory: games expire, and a nearly full store accepts moves but no new games."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from lostcities.app import create_app
from lostcities.bots.levels import GREEDY, RANDOM
from lostcities.config import DEFAULT_RATE_LIMITS, Settings
from lostcities.games.storage import LONG_GAME_EVENTS
from lostcities.games.table import NAME
from lostcities.rules import duel
from lostcities.store.redis import RedisStore

from tests.bench.growth import ENDING_MOVES, PLAYED, WIDE_LETTER, keep_from_ending, length
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


def test_a_long_unfinished_game_expires_as_soon_as_a_finished_one(api: Client, valkey: Any) -> None:
    """Four moves that can be repeated for ever: both seats discard a card and draw it again."""
    game = create_game(api, options={"redraw_own_discard": True})
    hands = game.get("?view=full", token=game.host).body["position"]["hands"]
    turns = [{"notation": each} for cards in hands for each in (f"discard {cards[0]}", f"draw {cards[0][0]}")]
    while (version := game.get().body["version"]) < LONG_GAME_EVENTS:
        assert 29 * DAY < valkey.pttl(f"lc:{{{game.id}}}:h") <= 30 * DAY
        moves = (turns * 25)[: LONG_GAME_EVENTS - version]
        assert api.post(game.path + "/moves", {"moves": moves}, token=game.host).status == 200
    body = game.get().body
    assert (body["version"], body["status"]) == (LONG_GAME_EVENTS, "playing")
    for name in ("", ":h"):
        assert 6 * DAY < valkey.pttl(f"lc:{{{game.id}}}{name}") <= 7 * DAY
    moment = datetime.fromisoformat(body["expires_at"]) - datetime.now(UTC)
    assert timedelta(days=6) < moment <= timedelta(days=7)


def test_one_address_cannot_fill_half_of_the_default_store(store_url: str, valkey: Any) -> None:
    """With the default settings: games created in a day × the time that they are stored × the bytes of the largest."""
    settings = Settings()
    assert re.fullmatch(NAME, WIDE_LETTER)
    (a_day,) = re.findall(r"(\d+)/day", DEFAULT_RATE_LIMITS.creation)
    room = 1024**3 * settings.store_full_percent // 100
    assert settings.store_maxmemory == "1gb"
    store = RedisStore(store_url, timeout=20)
    for variant in ENDING_MOVES:
        for events in (LONG_GAME_EVENTS, settings.max_events):
            found = keep_from_ending(store, valkey, variant, events, settings)
            assert events - 2 <= found.events < events
            stored = int(a_day) * (found.bytes * found.lifetime // DAY + found.receipts + found.creation)
            assert stored < room // 2, (variant, events, found)


@pytest.mark.parametrize("level", [RANDOM, GREEDY])
def test_no_game_that_is_played_reaches_the_limit_of_events(level: str) -> None:
    """The longest that can be created: a match of nine rounds with six colours."""
    longest = PLAYED["duel", 2][-1]
    assert longest == {"expeditions": 6, "redraw_own_discard": True, "rounds": duel.MAX_ROUNDS}
    assert max(length("duel", 2, longest, level, number) for number in range(10)) < Settings().max_events


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
