"""The client: a cluster whose slots move, lost servers, TLS, and users with the least permissions."""

import random
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from lostcities.games.storage import Receipt, StoredGame, StoreUnavailable
from lostcities.store.redis import RedisStore
from redis.crc import key_slot
from redis.exceptions import ResponseError

from tests.faults.processes import HOST, ROOT, Servers, Valkey, until
from tests.store.conftest import PERMISSIONS, has_waitaof
from tests.store.notifications import subscribed
from tests.store.tables import dealt, moved
from tests.store.tls import CERTIFICATE


@pytest.fixture(scope="module")
def nodes(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Valkey]]:
    """A cluster of three primaries."""
    servers = Servers(tmp_path_factory.mktemp("cluster"), program)
    yield servers.cluster(3, 0)
    servers.end()


@pytest.fixture
def store(nodes: list[Valkey]) -> RedisStore:
    return RedisStore(f"redis+cluster://{HOST}:{nodes[0].port},{HOST}:{nodes[1].port}")


def slot_of(table: StoredGame) -> int:
    return key_slot(f"lc:{{{table.id}}}".encode())


def test_changes_on_every_node_are_notified(store: RedisStore, nodes: list[Valkey]) -> None:
    """One connection to any node is enough."""
    tables = [game_in(store, nodes, node) for node in range(len(nodes))]
    for node in nodes:
        with subscribed(f"redis+cluster://{HOST}:{node.port}", *(table.id for table in tables)) as heard:
            tables = [play(store, table) for table in tables]
            told = {heard.get(timeout=30) for _ in tables}
            assert told == {(table.id, table.game.version) for table in tables}


def game_in(store: RedisStore, nodes: list[Valkey], node: int) -> StoredGame:
    """A new game whose slot that node holds."""
    while True:
        table, events = dealt()
        if slot_of(table) * len(nodes) // 16384 == node:
            assert store.create(table, events)
            return table


def play(store: RedisStore, table: StoredGame) -> StoredGame:
    after, events = moved(table, random.Random(1))
    assert store.append(table, after, events, None).done
    assert store.load(table.id) == after
    return after


def test_all_keys_of_a_game_are_in_one_slot_and_games_are_spread(store: RedisStore, nodes: list[Valkey]) -> None:
    games = [game_in(store, nodes, node) for node in range(3) for _ in range(3)]
    for number, table in enumerate(games):
        after, events = moved(table, random.Random(1))
        receipt = store.load(table.id, b"key")
        assert receipt
        assert store.append(table, after, events, (b"key", _receipt(table, after))).done
        (holder,) = [node for node in nodes if node.client().keys(f"*{table.id}*")]
        assert holder is nodes[number // 3]
        keys = holder.client().keys(f"*{table.id}*")
        assert len(keys) == 3
        slots = {holder.client().execute_command("CLUSTER", "KEYSLOT", key) for key in keys}
        assert slots == {slot_of(table)}
        found = store.history(table.id, 1, 500)
        assert found
        assert len(found[1]) == after.game.version
        assert store.delete(table.id)


def _receipt(before: StoredGame, after: StoredGame) -> Receipt:
    return Receipt(bytes(16), before.game.version, after.game.version, 7)


def test_games_stay_available_when_their_slot_migrates(store: RedisStore, nodes: list[Valkey]) -> None:
    """Atomic slot migration, as in Valkey 9."""
    table = play(store, game_in(store, nodes, 0))
    slot, (here, there) = slot_of(table), (node.client() for node in nodes[:2])
    if "MIGRATESLOTS" not in str(here.execute_command("CLUSTER", "HELP")):
        pytest.skip("this server moves slots key by key only")
    to = there.execute_command("CLUSTER", "MYID")
    here.execute_command("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", to)
    until(lambda: there.keys(f"*{table.id}*") and not here.keys(f"*{table.id}*"), what="the move")
    play(store, play(store, table))


@pytest.mark.parametrize("has_receipts", [False, True])
def test_a_slot_that_moves_key_by_key(store: RedisStore, nodes: list[Valkey], has_receipts: bool) -> None:
    """All stages of a migration. No notification is lost."""
    table = game_in(store, nodes, 0)
    slot, (here, there) = slot_of(table), (node.client() for node in nodes[:2])
    ids = [client.execute_command("CLUSTER", "MYID") for client in (here, there)]
    after, events = moved(table, random.Random(1))
    assert store.append(table, after, events, (b"key", _receipt(table, after)) if has_receipts else None).done
    there.execute_command("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[0])
    here.execute_command("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[1])
    table = play(store, after)
    early = store.load(table.id, b"unused")
    assert early
    assert early == table
    keys = here.execute_command("CLUSTER", "GETKEYSINSLOT", slot, 100)
    here.execute_command("MIGRATE", HOST, nodes[1].port, "", 0, 5000, "KEYS", *keys)
    table = play(store, table)
    if not has_receipts:
        late, more = moved(table, random.Random(1))
        with pytest.raises(StoreUnavailable):  # its receipts would be a new key
            store.append(table, late, more, (b"key", _receipt(table, late)))
    with_key = store.load(table.id, b"unused")  # without receipts that key is nowhere, and the game is there
    assert with_key
    assert with_key == table
    found = store.history(table.id, 1, 500)
    assert found
    assert len(found[1]) == table.game.version
    for client in (there, here, nodes[2].client()):
        client.execute_command("CLUSTER", "SETSLOT", slot, "NODE", ids[1])
    play(store, play(store, table))
    assert there.exists(f"lc:{{{table.id}}}")


def test_a_failed_node_does_not_affect_games_on_other_nodes(tmp_path: Path, program: Path) -> None:
    servers = Servers(tmp_path, program)
    try:
        nodes = servers.cluster(3, 0)
        store = RedisStore(f"redis+cluster://{','.join(f'{HOST}:{node.port}' for node in nodes)}")
        lost, kept = game_in(store, nodes, 0), game_in(store, nodes, 1)
        nodes[0].kill()
        for _ in range(3):
            start = time.monotonic()
            with pytest.raises(StoreUnavailable):
                store.load(lost.id)
            assert time.monotonic() - start < 0.9
            kept = play(store, kept)
        store.ping()
        nodes[0].start()
        until(lambda: _is_gone(store, lost), seconds=10)
        play(store, kept)
    finally:
        servers.end()


def test_a_failover_is_followed_while_the_old_primary_stays_down(tmp_path: Path, program: Path) -> None:
    servers = Servers(tmp_path, program)
    try:
        nodes = servers.cluster(3, 3)
        url = f"redis+cluster://{HOST}:{nodes[1].port}"
        store = RedisStore(url)
        table = game_in(RedisStore(url, durability="replicated"), nodes[:3], 0)
        nodes[0].kill()
        until(lambda: _answers(store, table), seconds=60, what="the failover")
        play(store, table)
    finally:
        servers.end()


def _answers(store: RedisStore, table: StoredGame) -> bool:
    try:
        kept = store.load(table.id)
    except StoreUnavailable:
        return False
    assert kept == table
    return True


def test_a_cluster_that_is_down_at_first_is_used_when_it_is_up(tmp_path: Path, program: Path) -> None:
    servers = Servers(tmp_path, program)
    try:
        nodes = servers.cluster(3, 0)
        for node in nodes:
            node.kill()
        store = RedisStore(f"redis+cluster://{HOST}:{nodes[0].port},{HOST}:{nodes[2].port}")
        table, _ = dealt()
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                store.load(table.id)
        for node in nodes:
            node.start()
        until(lambda: _is_gone(store, table), seconds=30)
        play(store, until(lambda: _new_game(store), seconds=30))
    finally:
        servers.end()


def _new_game(store: RedisStore) -> StoredGame | None:
    table, events = dealt()
    try:
        assert store.create(table, events)
    except StoreUnavailable:
        return None
    return table


def _is_gone(store: RedisStore, table: StoredGame) -> bool:
    """Whether the restarted server is available. It has no data."""
    try:
        return store.load(table.id) is None
    except StoreUnavailable:
        return False


# Kept connections --------------------------------------------------------------------------------------------------


def in_parallel(store: RedisStore, table: StoredGame, count: int) -> None:
    """Load a game several times at once, so that the store opens as many connections."""
    with ThreadPoolExecutor(count) as pool:
        assert all(pool.map(lambda _: store.load(table.id), range(count)))


def connections(server: Valkey) -> int:
    """The connections of stores that call themselves `oracle`."""
    return len([each for each in server.client().client_list() if each["name"] == "oracle"])


@pytest.fixture
def servers(tmp_path: Path, program: Path) -> Iterator[Servers]:
    started = Servers(tmp_path, program)
    yield started
    started.end()


def store_with_game(address: str) -> tuple[RedisStore, StoredGame]:
    """A store that calls itself `oracle`, and a game in it."""
    store = RedisStore(f"{address}?client_name=oracle")
    table, events = dealt()
    assert store.create(table, events)
    return store, table


def test_calls_one_after_the_other_use_one_connection(servers: Servers) -> None:
    server = servers.valkey()
    store, table = store_with_game(f"redis://{HOST}:{server.port}")
    for _ in range(20):
        store.load(table.id)
        store.load(table.id, b"key")
    assert connections(server) == 1
    in_parallel(store, table, 8)
    assert 1 <= connections(server) <= 8


def test_connections_that_the_server_closed_are_replaced(servers: Servers) -> None:
    """One failed attempt drops all idle connections: each of them would fail."""
    server = servers.valkey()
    store, table = store_with_game(f"redis://{HOST}:{server.port}")
    for _ in range(5):
        in_parallel(store, table, 16)
        server.client().execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        assert store.load(table.id)
        table = play(store, table)
    found = store.history(table.id, 1, 500)
    assert found
    assert len(found[1]) == table.game.version, "no write was lost or made twice"


def test_after_a_failover_no_connection_to_the_old_primary_is_kept(servers: Servers) -> None:
    primary, replica = servers.replicated(1)
    sentinels = servers.sentinels(primary)
    hosts = ",".join(f"{HOST}:{each.port}" for each in sentinels)
    store, table = store_with_game(f"redis+sentinel://{hosts}/games")
    in_parallel(store, table, 8)
    assert connections(primary) > 0

    def failed_over() -> bool:
        # The Sentinels refuse a failover until they know the replica.
        with suppress(ResponseError):
            sentinels[0].client().execute_command("SENTINEL", "FAILOVER", "games")
        return bool(replica.client().info("replication")["role"] == "master")

    until(failed_over, 60)
    until(lambda: primary.client().info("replication")["role"] == "slave", 60)

    def moves_on() -> bool:
        with suppress(StoreUnavailable):
            return store.load(table.id) is not None and bool(play(store, table))
        return False

    until(moves_on, 30)
    in_parallel(store, table, 8)
    assert connections(replica) > 0
    assert connections(primary) == 0


def test_unavailable_sentinels_are_skipped(tmp_path: Path, program: Path) -> None:
    """One of three Sentinels is stopped and one hangs."""
    servers = Servers(tmp_path, program)
    try:
        primary, _ = servers.replicated(1)
        sentinels = servers.sentinels(primary)
        sentinels[0].kill()
        sentinels[1].pause()
        store = RedisStore(f"redis+sentinel://{','.join(f'{HOST}:{each.port}' for each in sentinels)}/games")
        start = time.monotonic()
        store.ping()
        assert time.monotonic() - start < 0.9
        table, events = dealt()
        assert store.create(table, events)
        play(store, table)
        with pytest.raises(StoreUnavailable):
            RedisStore(f"redis+sentinel://{HOST}:{sentinels[2].port}/unknown").ping()
    finally:
        servers.end()


# Under gevent ---------------------------------------------------------------------------------------------------------


def under_gevent(program: str, *arguments: str) -> str:
    """The output of a program that runs with gevent's patches, as a worker does."""
    source = "from gevent import monkey; monkey.patch_all()\n" + textwrap.dedent(program)
    command = [sys.executable, "-c", source, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout


def test_an_unresponsive_cluster_fails_within_the_timeout() -> None:
    """Ten servers accept connections and never answer. redis-py alone would try one after the other."""
    silent = [socket.create_server((HOST, 0), backlog=64) for _ in range(10)]
    url = "redis+cluster://" + ",".join(f"{HOST}:{each.getsockname()[1]}" for each in silent)
    output = under_gevent(
        """
        import sys, time, gevent
        from lostcities.games.storage import StoreUnavailable
        from lostcities.store.redis import RedisStore
        store = RedisStore(sys.argv[1], timeout=1.0)
        def seconds():
            start = time.monotonic()
            try:
                store.load("x")
            except StoreUnavailable:
                return time.monotonic() - start
        jobs = [gevent.spawn(seconds) for _ in range(20)]
        gevent.joinall(jobs, raise_error=True)
        print(max(job.value for job in jobs))
        """,
        url,
    )
    assert float(output) < 4
    for each in silent:
        each.close()


def test_an_unresponsive_server_fails_within_the_timeout(server: Valkey) -> None:
    """A connection that timed out in the middle of a reply is not used again."""
    output = under_gevent(
        """
        import sys, gevent
        from lostcities.store.client import Client
        from lostcities.games.storage import StoreUnavailable
        client = Client(sys.argv[1], timeout=0.4, connections=2)
        def blocked():
            try:
                client.run("x", ("BLPOP", "nothing", "3"))
            except StoreUnavailable as error:
                return str(error)
        jobs = [gevent.spawn(blocked) for _ in range(6)]
        gevent.joinall(jobs, raise_error=True)
        assert all(job.value for job in jobs), [job.value for job in jobs]
        gevent.sleep(1)
        print(client.run("x", ("ECHO", "hello")).replies)
        """,
        server.url,
    )
    assert output.strip() == "[b'hello']"


def test_many_greenlets_share_few_connections_and_one_subscription(server: Valkey) -> None:
    output = under_gevent(
        """
        import queue, sys, gevent
        from lostcities.store.notifications import RedisChangeSource
        from lostcities.store.redis import RedisStore, channel
        from tests.store.tables import dealt
        store, heard = RedisStore(sys.argv[1], connections=4, timeout=20), queue.Queue()
        changes = RedisChangeSource(sys.argv[1], 5)
        changes.start(lambda *what: heard.put(what))
        def play():
            table, events = dealt()
            assert store.create(table, events)
            changes.watch(table.id)
            return table
        jobs = [gevent.spawn(play) for _ in range(100)]
        gevent.joinall(jobs, raise_error=True)
        games = {job.value.id for job in jobs}
        assert {heard.get(timeout=20) for _ in games} == {(game, None) for game in games}
        gevent.joinall([gevent.spawn(store.delete, job.value.id) for job in jobs], raise_error=True)
        assert {heard.get(timeout=20) for _ in games} == {(game, None) for game in games}
        changes.close()
        print("done")
        """,
        server.url,
    )
    assert output.strip() == "done"


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


@pytest.mark.parametrize("durability", ["memory", "aof"])
def test_the_documented_permissions_are_enough(guarded: Valkey, durability: Any, server: Valkey) -> None:
    if durability == "aof" and not has_waitaof(server):
        pytest.skip("this server has no WAITAOF")
    url = f"redis://games:s%40cret@{HOST}:{guarded.port}"
    store = RedisStore(url, durability=durability)
    store.ping()
    table, events = dealt()
    assert store.create(table, events)
    after = play(store, table)
    final, more = moved(after, random.Random(2))
    assert store.append(after, final, more, (b"key", _receipt(after, final))).done
    store.confirm(table.id)
    assert store.history(table.id, 1, 5)
    with subscribed(url, table.id) as heard:
        assert store.delete(table.id)
        assert heard.get(timeout=30) == (table.id, None)


def test_the_permissions_are_documented() -> None:
    _, command = (ROOT / "deploy" / "SIZING.md").read_text().split("ACL SETUSER games on >password ~lc:*")
    assert command.partition("\n\n")[0].split() == PERMISSIONS.split()


@pytest.mark.parametrize("who", ["", "games:wrong@", "unknown:s%40cret@"])
def test_a_wrong_password_raises_store_unavailable(guarded: Valkey, who: str) -> None:
    with pytest.raises(StoreUnavailable):
        RedisStore(f"redis://{who}{HOST}:{guarded.port}").ping()


def test_tls(guarded: Valkey) -> None:
    with tls_in_front_of(guarded.port) as port:
        options = f"?ssl_ca_certs={CERTIFICATE}&ssl_certfile={CERTIFICATE}&ssl_keyfile={CERTIFICATE}"
        url = f"rediss://games:s%40cret@{HOST}:{port}/0{options}"
        store = RedisStore(url)
        table, events = dealt()
        assert store.create(table, events)
        with subscribed(url, table.id) as heard:
            after = play(store, table)
            assert heard.get(timeout=30) == (table.id, after.game.version)
        with pytest.raises(StoreUnavailable):
            RedisStore(f"redis://games:s%40cret@{HOST}:{port}").ping()
        with pytest.raises(StoreUnavailable):
            RedisStore(f"rediss://games:s%40cret@{HOST}:{port}").ping()
