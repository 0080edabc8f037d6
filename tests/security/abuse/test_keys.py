"""Attacks on `Idempotency-Key` by an attacker who sees ids or guesses keys."""

import hashlib
from base64 import b32encode
from typing import Any

import pytest
from lostcities.app import create_app
from lostcities.auth import hash_api_key
from lostcities.config import Settings
from lostcities.games.creation import ID_LENGTH

from tests.client import Client
from tests.conftest import client_of

GAME: dict[str, Any] = {"variant": "duel", "players": ["Ann", "Ben"]}
KEY = "lobby-4711-lobby-4711"


def test_an_id_does_not_depend_on_its_key(api: Client) -> None:
    """Attack: guess keys offline until one gives the id, then repeat the request with that key."""
    game_id = api.post("/games", GAME, key=KEY).body["id"]
    for prefix in (b"", b"game:", b"\n"):
        for digest in (hashlib.sha256(prefix + KEY.encode()).digest(), hashlib.sha1(prefix + KEY.encode()).digest()):
            assert b32encode(digest).decode().lower()[:ID_LENGTH] != game_id


def test_ids_are_random_with_and_without_a_key(api: Client) -> None:
    ids = {api.post("/games", GAME, key=f"{KEY}-{number}").body["id"] for number in range(20)}
    ids |= {api.post("/games", GAME).body["id"] for _ in range(20)}
    assert len(ids) == 40


@pytest.mark.parametrize("key", ["1", "lobby-4711", "x" * 15])
def test_a_short_key_is_rejected(api: Client, key: str) -> None:
    answer = api.post("/games", GAME, key=key)
    assert (answer.status, answer.code, answer.pointers) == (422, "invalid-request", ["Idempotency-Key"])


@pytest.fixture(scope="module")
def tenants(store_url: str) -> Client:
    """A service with the API keys `key_a` and `key_b`."""
    keys = (hash_api_key("key_a"), hash_api_key("key_b"))
    return client_of(create_app(Settings(redis_url=store_url, redis_timeout=20_000, rate_limits=None, api_keys=keys)))


def test_a_tenant_cannot_use_the_receipts_of_another(tenants: Client) -> None:
    """Attack: repeat another tenant's request with its idempotency key, to get its tokens."""
    mine = tenants.post("/games", GAME, key=KEY, token="key_a")
    theirs = tenants.post("/games", GAME, key=KEY, token="key_b")
    assert (mine.status, theirs.status) == (201, 201)
    assert "Idempotent-Replayed" not in theirs.headers
    assert mine.body["id"] != theirs.body["id"]
    assert {*mine.body["tokens"]["seats"]}.isdisjoint(theirs.body["tokens"]["seats"])
    again = tenants.post("/games", GAME, key=KEY, token="key_a")
    assert again.content == mine.content


def test_the_store_contains_no_token(api: Client, valkey: Any) -> None:
    """Attack: read all data in the store."""
    before = {*valkey.scan_iter("*")}
    tokens = api.post("/games", GAME, key=KEY + "-stored").body["tokens"]
    new = {*valkey.scan_iter("*")} - before
    stored = b""
    for name in new:
        kind = valkey.type(name)
        stored += name + (
            valkey.get(name)
            if kind == b"string"
            else b"".join(valkey.lrange(name, 0, -1))
            if kind == b"list"
            else b"".join(part for pair in valkey.hgetall(name).items() for part in pair)
        )
    assert any(name.startswith(b"lc:key:") for name in new)
    assert KEY.encode() not in stored
    for token in (tokens["host"], *tokens["seats"]):
        secret = token.split("_")[1]
        assert secret.encode() not in stored
        assert bytes.fromhex(secret) not in stored


def test_a_retry_completes_an_interrupted_creation(api: Client, valkey: Any) -> None:
    """The first attempt stored its receipt but not the game."""
    key = KEY + "-lost"
    first = api.post("/games", GAME, key=key)
    game = f"lc:{{{first.body['id']}}}"
    valkey.delete(game, f"{game}:h", f"{game}:k")
    again = api.post("/games", GAME, key=key)
    assert (again.status, again.body["id"], again.body["tokens"]) == (201, first.body["id"], first.body["tokens"])
    assert "Idempotent-Replayed" not in again.headers
    token = again.body["tokens"]["seats"][0]
    assert api.get(f"/games/{again.body['id']}/moves", token=token).body["moves"]
    assert api.post("/games", GAME, key=key).content == again.content


def test_a_key_expires_after_a_day(api: Client, valkey: Any) -> None:
    key = KEY + "-day"
    first = api.post("/games", GAME, key=key)
    (receipt,) = [name for name in valkey.scan_iter("lc:key:*") if first.body["id"].encode() in valkey.get(name)]
    day = 24 * 60 * 60 * 1000
    assert day - 60_000 < valkey.pttl(receipt) <= day
    valkey.delete(receipt)
    assert api.post("/games", GAME, key=key).body["id"] != first.body["id"]
    assert api.get(f"/games/{first.body['id']}").status == 200
