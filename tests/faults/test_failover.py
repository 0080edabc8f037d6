"""A primary is killed in the middle of load: a replica takes over, and what was acknowledged as replicated is there."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.faults.load import Load, transport
from tests.faults.processes import HOST, Servers, Valkey, follow, has_replicas, scaled, serving, until


def is_primary(server: Valkey) -> bool:
    return bool(server.client().info("replication")["role"] == "master")


def has_heir(replicas: list[Valkey]) -> bool:
    return any(map(is_primary, replicas))


class Engine(NamedTuple):
    """What a test of failover is about."""

    url: str
    primary: Valkey
    replicas: list[Valkey]
    sentinels: list[Valkey]


def cluster(servers: Servers) -> Engine:
    nodes = servers.cluster()
    hosts = ",".join(f"127.0.0.1:{node.port}" for node in nodes)
    return Engine(f"redis+cluster://{hosts}", nodes[0], [nodes[3]], [])


def sentinel(servers: Servers) -> Engine:
    primary, *replicas = servers.replicated(2)
    sentinels = servers.sentinels(primary)
    hosts = ",".join(f"127.0.0.1:{each.port}" for each in sentinels)
    return Engine(f"redis+sentinel://{hosts}/games", primary, replicas, sentinels)


def fail_over(engine: Engine) -> Engine:
    """Kill the primary, and when a replica has taken over bring it back, empty, to follow that one."""
    until(partial(has_replicas, engine.primary, len(engine.replicas)), seconds=60, what="the replicas")
    engine.primary.kill()
    until(partial(has_heir, engine.replicas), what="the failover")
    heir = next(filter(is_primary, engine.replicas))
    # A Sentinel that has not heard of it yet would send clients to the empty server.
    until(partial(follow, engine.sentinels, heir), seconds=60, what="the Sentinels' agreement")
    others = [replica for replica in engine.replicas if replica is not heir]
    # A node of a cluster knows by itself whom to follow.
    returned = engine.primary.start(*(["--replicaof", f"{HOST} {heir.port}"] if engine.sentinels else []))
    return engine._replace(primary=heir, replicas=[returned, *others])


@pytest.mark.parametrize("kind", [cluster, sentinel])
def test_a_failover_loses_nothing_that_was_acknowledged(
    tmp_path: Path, servers: Servers, kind: Callable[[Servers], Engine]
) -> None:
    engine = kind(servers)
    with serving(tmp_path / "service", REDIS_URL=engine.url, DURABILITY="replicated") as service:
        load = Load(lambda: transport(service.port), games=scaled(12, 48), clients=scaled(8, 16))
        load.begin()
        try:
            for _ in range(scaled(1, 3)):
                load.reach(load.acknowledged + scaled(50, 1000))
                engine = fail_over(engine)
                load.reach(load.acknowledged + scaled(50, 1000))
        finally:
            load.end()
        load.verify(reads=False)
        print(f"{load.acknowledged} moves acknowledged, none lost")
