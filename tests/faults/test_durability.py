"""What is acknowledged is what the level promises; short of it: 503, and a retry with the same key is safe."""

from pathlib import Path

import pytest

from tests.client import Answer, Seated
from tests.faults.load import transport
from tests.faults.processes import Servers, Valkey, has_replicas, serving, until


def lazy_disk(servers: Servers) -> tuple[Valkey, Valkey]:
    """A store whose file never goes to the disk by itself."""
    store = servers.valkey("--appendonly", "yes", "--appendfsync", "no")
    return store, store


def mend_disk(store: Valkey) -> None:
    store.client().config_set("appendfsync", "always")


def lonely(servers: Servers) -> tuple[Valkey, Valkey]:
    """A store whose only replica follows nobody."""
    primary, replica = servers.replicated(1)
    replica.client().execute_command("REPLICAOF", "NO", "ONE")
    until(lambda: has_replicas(primary, 0))
    return primary, replica


@pytest.mark.parametrize(("durability", "engine"), [("aof", lazy_disk), ("replicated", lonely)])
def test_short_of_the_promise(tmp_path: Path, servers: Servers, durability: str, engine: object) -> None:
    assert callable(engine)
    store, other = engine(servers)
    with serving(tmp_path / "service", REDIS_URL=store.url, DURABILITY=durability) as service:
        api = transport(service.port)
        wish = {"variant": "duel", "players": ["Ann", "Ben"]}

        def create() -> Answer:
            return api.post("/games", wish, key="this-is-one-game")

        unknown = create()
        assert (unknown.status, unknown.code, unknown.headers["Retry-After"]) == (503, "durability-unknown", "1")
        # A retry finds the game, and may no more promise it than the first attempt could.
        assert create().code == "durability-unknown"
        assert api.get("/readyz").status == 503
        if durability == "aof":
            mend_disk(store)
        else:
            other.client().execute_command("REPLICAOF", "127.0.0.1", store.port)
            until(lambda: has_replicas(store, 1), seconds=30)
        created = create()
        assert created.status == 201
        assert created.headers["Idempotent-Replayed"] == "true"
        assert api.get("/readyz").status == 200
        body = created.body
        game = Seated(api, body["id"], body["tokens"]["host"], body["tokens"]["seats"], body)
        notation = game.get("/moves", token=game.host).body["moves"][0]["notation"]
        assert game.move(notation, key="a").status == 200
        again = game.move(notation, key="a")
        assert again.headers["Idempotent-Replayed"] == "true"


def test_a_level_that_the_store_cannot_keep_is_told(tmp_path: Path, servers: Servers) -> None:
    store = servers.valkey("--appendonly", "no")
    with serving(tmp_path / "service", REDIS_URL=store.url, DURABILITY="aof") as service:
        answer = transport(service.port).get("/readyz")
        assert (answer.status, answer.code) == (503, "durability-unknown")
