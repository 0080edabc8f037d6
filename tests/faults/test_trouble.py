"""A store that is full, read-only, slow or down: a quick 503 with a code, and recovery afterwards."""

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.client import Answer, GameClient, create_game
from tests.faults.load import transport
from tests.faults.processes import Servers, Service, Valkey, serving, until
from tests.faults.proxy import Faults, Proxy, proxy

SOON = 0.9
"""Maximum seconds of a response on a busy machine."""


class Scene(NamedTuple):
    store: Valkey
    proxy: Proxy
    service: Service
    game: GameClient


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Valkey, Proxy, Service]]:
    """A service with one worker on a store behind a proxy."""
    folder = tmp_path_factory.mktemp("trouble")
    servers = Servers(folder)
    store = servers.valkey("--appendonly", "yes")
    with (
        proxy(store.port) as behind,
        serving(folder / "service", REDIS_URL=behind.url, WORKERS="1") as service,
    ):
        yield store, behind, service
    servers.end()


@pytest.fixture
def scene(stage: tuple[Valkey, Proxy, Service]) -> Iterator[Scene]:
    """The same with a game. Changes to the store are reverted after the test."""
    store, behind, service = stage
    yield Scene(store, behind, service, until(lambda: create_game(transport(service.port))))
    behind.faults = Faults()
    behind.cut_all()
    store.resume()
    store.kill()
    store.start()


def first_move(game: GameClient) -> str:
    return str(game.get("/moves", token=game.host).body["moves"][0]["notation"])


def timed(send: Any) -> tuple[Answer, float]:
    start = time.monotonic()
    return send(), time.monotonic() - start


@pytest.mark.parametrize(
    ("trouble", "cure", "code"),
    [
        ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0", "store-full"),
        ("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE", "store-read-only"),
        ("CONFIG SET min-replicas-to-write 1", "CONFIG SET min-replicas-to-write 0", "store-read-only"),
    ],
)
def test_a_store_that_rejects_writes_is_503(scene: Scene, trouble: str, cure: str, code: str) -> None:
    game, store = scene.game, scene.store.client()
    before, notation = game.get("?view=full", token=game.host), first_move(game)
    store.execute_command(*trouble.split())
    answer, seconds = timed(lambda: game.move(notation, key="a"))
    assert (answer.status, answer.code, answer.headers["Retry-After"]) == (503, code, "1")
    assert seconds < SOON
    created = game.api.post("/games", {"variant": "duel", "players": ["Ann", "Ben"]})
    assert (created.status, created.code) == (503, code)
    assert game.get("?view=full", token=game.host).content == before.content
    store.execute_command(*cure.split())
    made = game.move(notation, key="a")
    assert made.status == 200
    assert "Idempotent-Replayed" not in made.headers


def slow(scene: Scene) -> None:
    scene.proxy.faults = Faults(latency=2.0)


def hanging(scene: Scene) -> None:
    scene.store.pause()


def dead(scene: Scene) -> None:
    scene.store.kill()


@pytest.mark.parametrize("trouble", [slow, hanging, dead])
def test_an_unresponsive_store_is_503_within_the_timeout(scene: Scene, trouble: Any) -> None:
    game = scene.game
    notation = first_move(game)
    trouble(scene)
    answer, seconds = timed(lambda: game.move(notation, key="a"))
    assert (answer.status, answer.code, answer.headers["Retry-After"]) == (503, "store-away", "1")
    assert seconds < SOON
    # Concurrent requests: the circuit breaker rejects all but the probes.
    with ThreadPoolExecutor(40) as pool:
        asked = [pool.submit(timed, lambda: transport(scene.service.port).get(game.path)) for _ in range(200)]
        answers = [each.result() for each in asked]
    assert {answer.code for answer, _ in answers} == {"store-away"}
    assert sorted(seconds for _, seconds in answers)[180] < SOON
    alive, seconds = timed(lambda: transport(scene.service.port).get("/livez"))
    assert alive.status == 200
    assert seconds < SOON


def test_after_a_slow_store_recovers_the_game_is_correct(scene: Scene) -> None:
    game = scene.game
    notation, version = first_move(game), game.get().body["version"]
    slow(scene)
    assert game.move(notation, key="a").status == 503
    scene.proxy.faults = Faults()
    scene.proxy.cut_all()
    made = until(lambda: (answer := game.move(notation, key="a")).status == 200 and answer, seconds=5)
    events = game.get(f"/history?after={version}", token=game.host).body["events"]
    assert made.body["version"] == game.get().body["version"] == version + len(events)
    assert [event["notation"] for event in events][:1] == [notation]


def test_a_store_that_responds_again_is_used_again(scene: Scene) -> None:
    hanging(scene)
    assert scene.game.get().status == 503
    scene.store.resume()
    until(lambda: scene.game.get().status == 200, seconds=3)


def test_a_store_without_room_for_another_client(tmp_path: Path, servers: Servers) -> None:
    store = servers.valkey("--maxclients", "20")
    with serving(tmp_path / "service", REDIS_URL=store.url, WORKERS="1") as service:
        api = transport(service.port)
        assert api.get("/livez").status == 200, "the worker is up"
        crowd = [socket.create_connection(("127.0.0.1", store.port)) for _ in range(30)]
        answer, seconds = timed(lambda: api.post("/games", {"variant": "duel", "players": ["Ann", "Ben"]}))
        assert (answer.status, answer.code) == (503, "store-away")
        assert seconds < SOON
        for each in crowd:
            each.close()
        until(lambda: create_game(api), seconds=5)
