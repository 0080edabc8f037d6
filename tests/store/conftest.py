"""Servers for the tests of the store."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from lostcities.store.embedded import binary
from lostcities.store.redis import RedisStore

from tests.faults.processes import Servers, Valkey

PERMISSIONS = """
    +evalsha +eval +hget +hmget +hset +hsetnx +hlen +hgetall +hdel +rpush +lrange +pexpire +del +ping
    +wait +waitaof +config|get +cluster|slots +asking &lc:* +publish +subscribe +unsubscribe
    +get +set +time
"""
"""The permissions that the service needs, on the keys `lc:*`. The last line is for rate limits."""

PROGRAMS = ("valkey-server", "redis-server")


@pytest.fixture(scope="module", params=PROGRAMS)
def program(request: pytest.FixtureRequest) -> Path:
    """The server to run: the Valkey of the embedded store, and the Redis of the system."""
    if request.param == "valkey-server":
        return binary()
    found = shutil.which(request.param)
    if found is None:
        pytest.skip("there is no redis-server here: apt-get install redis-server")
    return Path(found)


@pytest.fixture(scope="module")
def server(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    """A server for the module. Tests may kill and restart it."""
    servers = Servers(tmp_path_factory.mktemp("server"), program)
    yield servers.valkey("--appendonly", "yes", "--appendfsync", "always")
    servers.end()


@pytest.fixture
def inspect(server: Valkey) -> Iterator["redis.Redis"]:
    """A Redis client of the server."""
    with redis.Redis.from_url(server.url) as client:
        yield client


@pytest.fixture
def store(server: Valkey) -> RedisStore:
    return RedisStore(server.url, timeout=20)


def has_waitaof(server: Valkey) -> bool:
    """Whether the server knows WAITAOF: Valkey, and Redis from 7.2 on."""
    try:
        server.client().execute_command("WAITAOF", 0, 0, 1)
    except redis.ResponseError:
        return False
    return True


@pytest.fixture
def durability(request: pytest.FixtureRequest, server: Valkey) -> Any:
    """The durability level of an indirect parameter. Skips if the server does not support it."""
    if request.param == "aof" and not has_waitaof(server):
        pytest.skip("this server has no WAITAOF")
    return request.param


@pytest.fixture
def guarded(tmp_path: Path, program: Path) -> Iterator[Valkey]:
    """A server whose only enabled user is `games`, with exactly the needed permissions."""
    servers = Servers(tmp_path, program)
    server = servers.valkey("--appendonly", "yes", "--appendfsync", "always")
    client = server.client()
    known = [each for each in PERMISSIONS.split() if each != "+waitaof" or has_waitaof(server)]
    client.execute_command("ACL", "SETUSER", "games", "on", ">s@cret", "~lc:*", *known)
    client.execute_command("ACL", "SETUSER", "default", "off")
    client.close()
    yield server
    servers.end()
