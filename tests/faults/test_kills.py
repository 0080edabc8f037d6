"""`kill -9` in the middle of load: of a worker, of the store, of everything."""

import os
import signal
from pathlib import Path

import pytest

from tests.client import create_game
from tests.faults.load import Load, transport
from tests.faults.processes import Servers, Service, scaled, serving, until
from tests.faults.table_load import TableLoad


def has_workers(service: Service, count: int) -> bool:
    return len(service.workers()) == count


def kill_parts(service: Service, load: Load, moves: int, *, embedded: bool) -> None:
    """A worker, the embedded store, then all of it, each after some moves."""
    victim = service.workers()[0]
    os.kill(victim, signal.SIGKILL)
    until(lambda: victim not in service.workers() and has_workers(service, 2), what="another worker")
    load.reach(load.acknowledged + moves)
    if embedded:
        os.kill(service.store(), signal.SIGKILL)
        load.reach(load.acknowledged + moves)
    service.kill()
    service.start()
    load.reach(load.acknowledged + moves)


@pytest.mark.parametrize("durability", ["memory", "aof", "replicated"])
def test_no_acknowledged_move_is_lost(tmp_path: Path, servers: Servers, durability: str) -> None:
    environment = {"DURABILITY": durability}
    if durability == "replicated":
        environment["REDIS_URL"] = servers.replicated(1)[0].url
    with serving(tmp_path / "service", **environment) as service:
        load = Load(lambda: transport(service.port), games=scaled(8, 20), clients=8)
        load.begin()
        try:
            load.reach(scaled(30, 500))
            for _ in range(scaled(1, 3)):
                kill_parts(service, load, scaled(30, 500), embedded=durability != "replicated")
        finally:
            load.end()
        load.verify()
        print(f"{durability}: {load.acknowledged} moves acknowledged, none lost")


def test_no_acknowledged_table_event_is_lost(tmp_path: Path) -> None:
    with serving(tmp_path / "service") as service:
        load = TableLoad(lambda: transport(service.port))
        load.begin()
        try:
            for _ in range(scaled(1, 10)):
                load.reach(load.acknowledged + 15)
                os.kill(service.workers()[0], signal.SIGKILL)
                load.reach(load.acknowledged + 15)
                os.kill(service.store(), signal.SIGKILL)
                load.reach(load.acknowledged + 15)
        finally:
            load.end()
        load.verify()
        print(f"{load.acknowledged} requests acknowledged, none lost")


def test_with_memory_durability_a_killed_store_loses_games_and_the_service_continues(
    tmp_path: Path, servers: Servers
) -> None:
    store = servers.valkey("--appendonly", "no")
    with serving(tmp_path / "service", REDIS_URL=store.url) as service:
        api = transport(service.port)
        game = create_game(api)
        store.kill()
        away = game.get()
        assert (away.status, away.code) == (503, "store-away")
        store.start()
        assert until(lambda: game.get().status == 404)
        assert create_game(api).get().status == 200
