"""Which server holds a key: one server, the primary that Sentinels name, or the servers of a cluster.

Connections, pools, Sentinel and the slots of a cluster are redis-py's. Under gevent a checkout from redis-py's pool
takes twice as long as a command itself. So `Primary` keeps idle clients of one connection each.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from redis import Redis, exceptions
from redis.cluster import ClusterNode, RedisCluster
from redis.exceptions import RedisClusterException, ResponseError
from redis.sentinel import Sentinel

from lostcities.store.address import Address, Host

Command = tuple[Any, ...]


class Server:
    """A server and the redis-py client of it."""

    def __init__(self, name: str, redis: Any) -> None:
        self.name = name
        self.redis = redis

    def execute(self, commands: Sequence[Command]) -> list[Any]:
        """The replies to commands that are sent at once, on any connection. An error reply is an exception in it."""
        return _one(self.redis, *commands) if len(commands) == 1 else self.pipeline(commands)

    def pipeline(self, commands: Sequence[Command]) -> list[Any]:
        """The same by redis-py's pipeline, on a connection of its pool."""
        pipeline = self.redis.pipeline(transaction=False)
        for command in commands:
            pipeline.execute_command(*command)
        return pipeline.execute(raise_on_error=False)  # type: ignore[no-any-return]


class Primary(Server):
    """One server, or the primary that the Sentinels name: redis-py asks them for each new connection."""

    def __init__(self, address: Address, options: dict[str, Any]) -> None:
        """Nothing is connected yet."""
        super().__init__(address.service or address.path or "{}:{}".format(*address.hosts[0]), _redis(address, options))
        self._idle: list[Any] = []
        """Clients of one connection each."""

    def execute(self, commands: Sequence[Command]) -> list[Any]:
        """The replies, on a connection that was idle or on a new one."""
        # OpenTelemetry wraps the methods of redis-py's clients and pipelines, and so makes a span for each.
        if len(commands) > 1 and hasattr(Redis.execute_command, "__wrapped__"):
            return self.pipeline(commands)
        with self._kept() as client:
            return _one(client, *commands) if len(commands) == 1 else _at_once(client.connection, commands)

    @contextmanager
    def _kept(self) -> Iterator[Any]:
        """A client of one connection, which is kept after the block if the connection was not lost."""
        try:
            client = self._idle.pop()
        except IndexError:
            client = self.redis.client()
        try:
            yield client
        except BaseException:
            # The server has probably closed the idle connections too. The pool checks a connection before its use.
            idle, self._idle = self._idle, []
            for each in (client, *idle):
                each.close()
            raise
        # After a failover the pool of the Sentinels' primary no longer owns the connections to the old one.
        if self.redis.connection_pool.owns_connection(client.connection):
            self._idle.append(client)
        else:
            client.close()

    def server(self, key: str | None = None, host: Host | None = None) -> Server:
        """The server at that host, or that holds that key, or any."""
        del key, host
        return self

    def refresh(self) -> None:
        """Nothing to ask: the Sentinels are asked for each new connection."""


def _one(redis: Any, command: Command) -> list[Any]:
    try:
        return [redis.execute_command(*command)]
    except ResponseError as error:
        return [error]


def _at_once(connection: Any, commands: Sequence[Command]) -> list[Any]:
    connection.send_packed_command(connection.pack_commands(commands))
    return [_read(connection) for _ in commands]


def _read(connection: Any) -> Any:
    try:
        return connection.read_response()
    except ResponseError as error:
        return error


class Cluster:
    """A cluster. `RedisCluster` connects when it is made, so it is made at the first use that succeeds.

    Every method raises `RedisError` or `RedisClusterException`.
    """

    def __init__(self, address: Address, options: dict[str, Any]) -> None:
        self._hosts = list(address.hosts)
        self._options = {**options, **address.options, "ssl": address.tls, "require_full_coverage": False}
        self._made: Any = None
        self._lock = threading.Lock()

    def server(self, key: str | None = None, host: Host | None = None) -> Server:
        """The server at that host, or that holds that key, or any."""
        cluster = self._cluster()
        if host is None:
            node = cluster.get_node_from_key(key) if key else cluster.get_random_node()
        elif (node := cluster.get_node(*host)) is None:
            self.refresh()
            node = cluster.get_node(*host)
        if node is None:
            raise exceptions.ConnectionError("the cluster redirects to an unknown server")
        return Server(node.name, cluster.get_redis_connection(node))

    def refresh(self) -> None:
        """Ask the servers which of them holds what."""
        # The configured hosts are asked too: the addresses of all servers may have changed.
        with _slots_required():
            self._cluster().nodes_manager.initialize(
                additional_startup_nodes_info=self._hosts, disconnect_startup_nodes_pools=False
            )

    def _cluster(self) -> Any:
        if self._made is None:
            with self._lock, _slots_required():
                if self._made is None:
                    nodes = [ClusterNode(*host) for host in self._hosts]  # type: ignore[no-untyped-call]
                    self._made = RedisCluster(startup_nodes=nodes, **self._options)
        return self._made


def _redis(address: Address, options: dict[str, Any]) -> Any:
    """redis-py's client of one server, or of the Sentinels' primary."""
    if address.kind == "sentinel":
        # Without options of their own the clients of the Sentinels would retry, and wait for seconds.
        asked = {**options, **address.sentinel_options, "ssl": address.tls}
        sentinel = Sentinel(address.hosts, sentinel_kwargs=asked)  # type: ignore[no-untyped-call]
        return sentinel.master_for(  # type: ignore[no-untyped-call]
            address.service, ssl=address.tls, **options, **address.options
        )
    if address.path:
        return Redis(unix_socket_path=address.path, **options, **address.options)
    host, port = address.hosts[0]
    return Redis(host=host, port=port, ssl=address.tls, **options, **address.options)


@contextmanager
def _slots_required() -> Iterator[None]:
    """redis-py raises an `IndexError` for a cluster in which no server holds a slot yet."""
    try:
        yield
    except IndexError as error:
        raise RedisClusterException("no server of the cluster holds a slot") from error
