"""The engines: a cluster whose slots move, TLS, and users who may do only what is needed."""

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from redis.crc import key_slot

from service.app import _sender
from service.config import Rate
from service.gate.limits import Limits, Policy
from service.store import engine
from service.store.address import parse
from service.store.engine import TRIPS, Link, Server
from service.store.interface import Receipt, StoreAway
from service.store.redis import RedisStore
from service.table.game import Record, Table
from tests.faults.processes import HOST, ROOT, Servers, Valkey, until
from tests.store.hearing import hearing
from tests.store.tables import dealt, moved, record
from tests.store.tls import CERTIFICATE

PERMISSIONS = """
    +evalsha +eval +hget +hmget +hset +hsetnx +hlen +hgetall +hdel +rpush +lrange +pexpire +del +ping
    +wait +waitaof +cluster|slots +asking &lc:* +publish +subscribe +unsubscribe
    +time +expire +zadd +zcard +zrem +zremrangebyscore +zscore
"""
"""All that the service needs to be allowed, on the keys `lc:*`; the last line is for the limits."""


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Valkey]]:
    """A cluster of three primaries."""
    servers = Servers(tmp_path_factory.mktemp("cluster"))
    yield servers.cluster(3, 0)
    servers.end()


@pytest.fixture
def store(nodes: list[Valkey]) -> RedisStore:
    return RedisStore(f"redis+cluster://{HOST}:{nodes[0].port},{HOST}:{nodes[1].port}")


def slot_of(of: Record) -> int:
    return key_slot(f"lc:{{{of.id}}}".encode())


def test_games_of_every_server_are_heard_of(store: RedisStore, nodes: list[Valkey]) -> None:
    """By one connection, to whichever server."""
    tables = [game_in(store, nodes, node) for node in range(len(nodes))]
    for node in nodes:
        with hearing(f"redis+cluster://{HOST}:{node.port}", *(table.record.id for table in tables)) as heard:
            tables = [play(store, table) for table in tables]
            told = {heard.get(timeout=30) for _ in tables}
            assert told == {(table.record.id, table.version) for table in tables}


def game_in(store: RedisStore, nodes: list[Valkey], node: int) -> Table:
    """A new game whose slot that node holds."""
    while True:
        table, events = dealt(record())
        if slot_of(table.record) * len(nodes) // 16384 == node:
            assert store.create(table, events)
            return table


def play(store: RedisStore, table: Table) -> Table:
    after, events = moved(table, random.Random(1))
    assert store.append(table, after, events, 7, None).done
    kept = store.load(table.record.id)
    assert kept
    assert kept.table == after
    return after


def test_all_keys_of_a_game_are_in_one_slot_and_games_are_spread(store: RedisStore, nodes: list[Valkey]) -> None:
    games = [game_in(store, nodes, node) for node in range(3) for _ in range(3)]
    for number, table in enumerate(games):
        after, events = moved(table, random.Random(1))
        receipt = store.load(table.record.id, b"key")
        assert receipt
        assert store.append(table, after, events, 7, (b"key", _receipt(table, after))).done
        (holder,) = [node for node in nodes if node.client().keys(f"*{table.record.id}*")]
        assert holder is nodes[number // 3]
        keys = holder.client().keys(f"*{table.record.id}*")
        assert len(keys) == 3
        slots = {holder.client().execute_command("CLUSTER", "KEYSLOT", key) for key in keys}
        assert slots == {slot_of(table.record)}
        found = store.history(table.record.id, 1, 500)
        assert found
        assert len(found[1]) == after.version
        assert store.delete(table.record)


def _receipt(before: Table, after: Table) -> Receipt:
    return Receipt(bytes(16), before.version, after.version, 7)


def test_a_slot_that_moves_takes_its_games_along(store: RedisStore, nodes: list[Valkey]) -> None:
    """All at once, as Valkey 9 does it."""
    table = play(store, game_in(store, nodes, 0))
    slot, (here, there) = slot_of(table.record), (node.client() for node in nodes[:2])
    to = there.execute_command("CLUSTER", "MYID")
    here.execute_command("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", to)
    until(lambda: there.keys(f"*{table.record.id}*") and not here.keys(f"*{table.record.id}*"), what="the move")
    play(store, play(store, table))


@pytest.mark.parametrize("has_receipts", [False, True])
def test_a_slot_that_moves_key_by_key(store: RedisStore, nodes: list[Valkey], has_receipts: bool) -> None:
    """Through all stages: keys still here, keys already there, the slot handed over; and nobody misses a move."""
    table = game_in(store, nodes, 0)
    slot, (here, there) = slot_of(table.record), (node.client() for node in nodes[:2])
    ids = [client.execute_command("CLUSTER", "MYID") for client in (here, there)]
    after, events = moved(table, random.Random(1))
    assert store.append(table, after, events, 7, (b"key", _receipt(table, after)) if has_receipts else None).done
    there.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[0])
    here.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[1])
    table = play(store, after)
    keys = here.execute_command("CLUSTER", "GETKEYSINSLOT", slot, 100)
    here.execute_command("MIGRATE", HOST, nodes[1].port, "", 0, 5000, "KEYS", *keys)
    table = play(store, table)
    if not has_receipts:
        late, more = moved(table, random.Random(1))
        with pytest.raises(StoreAway):  # its receipts would be a new key
            store.append(table, late, more, 7, (b"key", _receipt(table, late)))
    found = store.history(table.record.id, 1, 500)
    assert found
    assert len(found[1]) == table.version
    for client in (there, here, nodes[2].client()):
        client.execute_command("CLUSTER", "SETSLOT", slot, "NODE", ids[1])
    play(store, play(store, table))
    assert there.exists(f"lc:{{{table.record.id}}}")


def test_a_dead_node_costs_the_others_nothing(tmp_path: Path) -> None:
    servers = Servers(tmp_path)
    try:
        nodes = servers.cluster(3, 0)
        store = RedisStore(f"redis+cluster://{','.join(f'{HOST}:{node.port}' for node in nodes)}")
        lost, kept = game_in(store, nodes, 0), game_in(store, nodes, 1)
        nodes[0].kill()
        for _ in range(3):
            start = time.monotonic()
            with pytest.raises(StoreAway):
                store.load(lost.record.id)
            assert time.monotonic() - start < 0.9
            kept = play(store, kept)
        store.ping()
        nodes[0].start()
        until(lambda: _is_gone(store, lost), seconds=10)
        play(store, kept)
    finally:
        servers.end()


def _is_gone(store: RedisStore, table: Table) -> bool:
    """Whether the server is back, which forgot everything."""
    try:
        return store.load(table.record.id) is None
    except StoreAway:
        return False


def test_sentinels_that_are_away_are_passed_over(tmp_path: Path) -> None:
    """Two of three: one that refuses, one that hangs."""
    servers = Servers(tmp_path)
    try:
        primary, _ = servers.replicated(1)
        sentinels = servers.sentinels(primary)
        sentinels[0].kill()
        sentinels[1].pause()
        store = RedisStore(f"redis+sentinel://{','.join(f'{HOST}:{each.port}' for each in sentinels)}/games")
        start = time.monotonic()
        store.ping()
        assert time.monotonic() - start < 0.9
        table, events = dealt(record())
        assert store.create(table, events)
        play(store, table)
        with pytest.raises(StoreAway):
            RedisStore(f"redis+sentinel://{HOST}:{sentinels[2].port}/nobody").ping()
    finally:
        servers.end()


# Users and TLS --------------------------------------------------------------------------------------------------------


@contextmanager
def tls_in_front_of(port: int) -> Iterator[int]:
    """A port that speaks TLS, and asks for the client's certificate."""
    command = [sys.executable, "-m", "tests.store.tls", str(port)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout
            yield int(process.stdout.readline())
        finally:
            process.kill()


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Valkey]:
    """A server whose only user of use is `games`, with what the service needs and no more."""
    servers = Servers(tmp_path)
    server = servers.valkey("--appendonly", "yes")
    client = server.client()
    client.execute_command("ACL", "SETUSER", "games", "on", ">s@cret", "~lc:*", *PERMISSIONS.split())
    client.execute_command("ACL", "SETUSER", "default", "off")
    client.close()
    yield server
    servers.end()


@pytest.mark.parametrize("durability", ["memory", "aof"])
def test_a_user_with_just_these_permissions(guarded: Valkey, durability: Any) -> None:
    url = f"redis://games:s%40cret@{HOST}:{guarded.port}"
    store = RedisStore(url, durability=durability)
    store.ping()
    table, events = dealt(record())
    assert store.create(table, events)
    after = play(store, table)
    final, more = moved(after, random.Random(2))
    assert store.append(after, final, more, 8, (b"key", _receipt(after, final))).done
    store.confirm(table.record.id)
    assert store.history(table.record.id, 1, 5)
    with hearing(url, table.record.id) as heard:
        assert store.delete(table.record)
        assert heard.get(timeout=30) == (table.record.id, None)


def test_the_limits_need_no_more_than_these_permissions(guarded: Valkey) -> None:
    skipped: list[None] = []
    limits = Limits(_sender(f"redis://games:s%40cret@{HOST}:{guarded.port}", 1), lambda: skipped.append(None))
    standing = limits.take(Policy("client", Rate(10, 60)), "somebody")
    assert standing
    assert (standing.allowed, standing.left) == (True, 9)
    assert [limits.open("somebody", game, 1, 60) for game in ("one", "two")] == [True, False]
    limits.close("somebody", "one")
    assert limits.open("somebody", "two", 1, 60)
    assert not skipped


def test_the_permissions_are_documented() -> None:
    _, command = (ROOT / "deploy" / "SIZING.md").read_text().split("ACL SETUSER games on >password ~lc:*")
    assert command.partition("\n\n")[0].split() == PERMISSIONS.split()


@pytest.mark.parametrize("who", ["", "games:wrong@", "nobody:s%40cret@"])
def test_a_wrong_password_is_a_store_that_is_away(guarded: Valkey, who: str) -> None:
    with pytest.raises(StoreAway):
        RedisStore(f"redis://{who}{HOST}:{guarded.port}").ping()


def test_tls(guarded: Valkey) -> None:
    with tls_in_front_of(guarded.port) as port:
        options = f"?ssl_ca_certs={CERTIFICATE}&ssl_certfile={CERTIFICATE}&ssl_keyfile={CERTIFICATE}"
        url = f"rediss://games:s%40cret@{HOST}:{port}/0{options}"
        store = RedisStore(url)
        table, events = dealt(record())
        assert store.create(table, events)
        with hearing(url, table.record.id) as heard:
            after = play(store, table)
            assert heard.get(timeout=30) == (table.record.id, after.version)
        with pytest.raises(StoreAway):
            RedisStore(f"redis://games:s%40cret@{HOST}:{port}").ping()
        with pytest.raises(StoreAway):
            RedisStore(f"rediss://games:s%40cret@{HOST}:{port}").ping()


@pytest.mark.parametrize(
    ("trips", "is_far"),
    [
        ([0.001] * TRIPS, True),
        ([0.001] * (TRIPS - 1), False),
        ([0.001] * (TRIPS - 1) + [0.0001], False),
        ([0.001] * TRIPS + [0.0001] * TRIPS, False),
        ([0.0001] * TRIPS + [0.001] * TRIPS, True),
    ],
)
def test_a_server_is_far_if_no_answer_comes_soon(trips: list[float], is_far: bool) -> None:
    server = Server("far or near", lambda: None)
    for seconds in trips:
        server.has_taken(seconds)
    assert server.is_far == is_far


def test_while_a_far_server_answers_others_are_let_in(nodes: list[Valkey], monkeypatch: pytest.MonkeyPatch) -> None:
    asides: list[bool] = []
    monkeypatch.setattr(engine, "step_aside", lambda: asides.append(True))
    link = Link(parse(nodes[0].url), 1, 1.0)
    link.run("key", [("PING",)])
    assert not asides
    link._engine.server("key").is_far = True
    link.run("key", [("PING",)])
    assert asides == [True]
