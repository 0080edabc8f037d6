"""If the durability level cannot be reached, the response is 503, and a retry with the same key is safe."""

from pathlib import Path

import pytest

from tests.client import Answer, GameClient
from tests.faults.load import transport
from tests.faults.processes import Servers, Valkey, has_replicas, serving, until


def on_disk(servers: Servers) -> tuple[Valkey, Valkey]:
    store = servers.valkey("--appendonly", "yes", "--appendfsync", "always")
    return store, store


def break_disk(store: Valkey) -> None:
    """Stop the automatic fsync of the append-only file."""
    store.client().config_set("appendfsync", "no")


def mend_disk(store: Valkey) -> None:
    store.client().config_set("appendfsync", "always")


def lonely(servers: Servers) -> tuple[Valkey, Valkey]:
    """A primary without an attached replica."""
    primary, replica = servers.replicated(1)
    replica.client().execute_command("REPLICAOF", "NO", "ONE")
    until(lambda: has_replicas(primary, 0))
    return primary, replica


@pytest.mark.parametrize(("durability", "engine"), [("aof", on_disk), ("replicated", lonely)])
def test_an_unreached_durability_level_is_503_until_it_is_reached(
    tmp_path: Path, servers: Servers, durability: str, engine: object
) -> None:
    assert callable(engine)
    store, other = engine(servers)
    with serving(tmp_path / "service", REDIS_URL=store.url, DURABILITY=durability) as service:
        api = transport(service.port)
        if durability == "aof":
            until(lambda: api.get("/readyz").status == 200)
            break_disk(store)
        wish = {"variant": "duel", "players": ["Ann", "Ben"]}

        def create() -> Answer:
            return api.post("/games", wish, key="this-is-one-game")

        unknown = create()
        assert (unknown.status, unknown.code, unknown.headers["Retry-After"]) == (503, "durability-unknown", "1")
        # A retry finds the receipt of the first attempt, whose durability is still not reached.
        assert create().code == "durability-unknown"
        assert api.get("/readyz").status == 503
        if durability == "aof":
            mend_disk(store)
        else:
            other.client().execute_command("REPLICAOF", "127.0.0.1", store.port)
            until(lambda: has_replicas(store, 1), seconds=30)
        created = create()
        assert created.status == 201
        again = create()
        assert again.headers["Idempotent-Replayed"] == "true"
        assert again.content == created.content
        assert api.get("/readyz").status == 200
        body = created.body
        game = GameClient(api, body["id"], body["tokens"]["host"], body["tokens"]["seats"], body)
        notation = game.get("/moves", token=game.host).body["moves"][0]["notation"]
        assert game.move(notation, key="a").status == 200
        repeated = game.move(notation, key="a")
        assert repeated.headers["Idempotent-Replayed"] == "true"


def test_an_unsupported_durability_level_is_503(tmp_path: Path, servers: Servers) -> None:
    store = servers.valkey("--appendonly", "yes", "--appendfsync", "always")
    with serving(tmp_path / "service", REDIS_URL=store.url, DURABILITY="aof") as service:
        store.client().config_set("appendonly", "no")
        answer = transport(service.port).get("/readyz")
        assert (answer.status, answer.code) == (503, "durability-unknown")
