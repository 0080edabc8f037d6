"""Closed connections, delays and lost replies: no acknowledged move is lost, and none is made twice."""

from pathlib import Path

from tests.faults.load import Load, transport
from tests.faults.processes import Servers, scaled, serving
from tests.faults.proxy import Faults, proxy


def test_on_a_faulty_network_no_move_is_lost_or_made_twice(tmp_path: Path, servers: Servers) -> None:
    """On both sides of the service: between it and its clients, and between it and its store."""
    store = servers.valkey()
    with (
        proxy(store.port, seed=1) as behind,
        serving(tmp_path / "service", REDIS_URL=behind.url) as service,
        proxy(service.port, seed=2) as before,
    ):
        load = Load(lambda: transport(before.port), games=scaled(8, 50), clients=16)
        behind.faults = Faults(cut_request=0.02, drop_reply=0.02, delay=0.05)
        before.faults = Faults(cut_request=0.005, drop_reply=0.005, delay=0.02)
        moves = scaled(400, 10_000)
        load.run(moves, seconds=900)
        assert load.acknowledged >= moves
        behind.faults = before.faults = Faults()
        load.verify()
        print(f"{load.acknowledged} moves made, {load.refused} refused, {load.unanswered} requests without an answer")
