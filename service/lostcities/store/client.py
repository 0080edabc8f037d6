"""The Redis client of the store: redis-py's clients with a time limit, one retry loop and circuit breakers.

`Client.run` sends a few commands about one key to the server that holds the key and reads their replies in one round
trip. Connections, pools, Sentinel and cluster topology are redis-py's. What redis-py does not do is here:

- Idle clients. Under gevent a checkout from redis-py's pool takes twice as long as the command itself. So clients of
  one connection each (`Redis.client()`) are kept for single commands. When one fails, all idle ones go back to the
  pool, which checks a connection before it is used again: the server has probably closed them too.
- The retry loop. redis-py's own retries are off: they re-send a write whose reply was lost up to ten times and have no
  limit in time. `Client` re-sends a few times within the timeout and says so in its result (`Result.is_resent`): a
  write must then recognise itself (`service/lostcities/store/redis.py`).
- WAIT and WAITAOF cover the writes of their own connection only. A write and its wait therefore are one pipeline on one
  connection, also in a cluster, where redis-py's cluster pipeline would split them. So redirections (MOVED, ASK) arrive
  here as replies.
"""

import hashlib
import logging
import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import resources
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple

import gevent
from gevent import monkey
from redis import Redis, exceptions
from redis.backoff import NoBackoff
from redis.client import PubSub
from redis.cluster import ClusterNode, RedisCluster
from redis.exceptions import AskError, MovedError, RedisClusterException, RedisError, ResponseError
from redis.retry import Retry
from redis.sentinel import Sentinel

from lostcities.games.storage import StoreFull, StoreReadOnly, StoreUnavailable
from lostcities.store.address import Address, Host, parse
from lostcities.store.breaker import CircuitBreaker
from lostcities.store.durability import TIMEOUT_SECONDS

Command = tuple[Any, ...]

CONNECTIONS: Final = 64
"""Default limit of commands that one client has under way, and so of its connections to each server."""
ATTEMPTS: Final = 3
BACKOFF_SECONDS: Final = 0.02
"""Pause after the first failed attempt; it doubles with each further one."""

_ASKING: Final[Command] = ("ASKING",)
_LOST: Final = (exceptions.ConnectionError, exceptions.TimeoutError, RedisClusterException)
"""No reply: the command may have been carried out. `RedisClusterException` is no `RedisError`."""
_REDIRECTIONS: Final = (AskError, exceptions.TryAgainError, exceptions.ClusterDownError, exceptions.ReadOnlyError)
"""Replies that say that another server, or the same one later, can carry out the command. MOVED is an `AskError`."""
_READ_ONLY: Final = ("MISCONF", "NOREPLICAS")
"""Codes of the errors with which a server refuses all writes."""

log = logging.getLogger("lostcities.store")


class Result(NamedTuple):
    """The replies to the commands; an error reply is in the list as an exception."""

    replies: list[Any]
    is_resent: bool
    """Whether an earlier attempt may have been carried out too."""


class Wait(NamedTuple):
    """A command that returns when the writes of its connection are durable, or when its time is over."""

    command: Command
    seconds: float
    """How long the server may take to answer it."""


class Script(NamedTuple):
    """A Lua script and its SHA-1, by which a server that ran it before knows it."""

    source: str
    sha: str


def script(name: str) -> Script:
    """The script in `lua/` of that name."""
    source = resources.files("lostcities.store").joinpath("lua", f"{name}.lua").read_text()
    return Script(source, hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest())


class Server:
    """A server and the redis-py client of it."""

    def __init__(self, name: str, redis: Any) -> None:
        self.name = name
        self.redis = redis

    def execute(self, command: Command) -> Any:
        """The reply to one command, on any connection."""
        return self.redis.execute_command(*command)


class _Primary(Server):
    """One server, or the primary that the Sentinels name: redis-py asks them for each new connection."""

    def __init__(self, address: Address, options: dict[str, Any]) -> None:
        """Nothing is connected yet."""
        super().__init__(address.service or address.path or "{}:{}".format(*address.hosts[0]), _redis(address, options))
        self._idle: list[Any] = []
        """Clients of one connection each."""

    def execute(self, command: Command) -> Any:
        """The reply to one command, on a connection that was idle or on a new one."""
        try:
            client = self._idle.pop()
        except IndexError:
            client = self.redis.client()
        try:
            reply = client.execute_command(*command)
        except ResponseError:
            self._idle.append(client)
            raise
        except BaseException:
            idle, self._idle = self._idle, []
            for each in (client, *idle):
                each.close()
            raise
        # After a failover the pool of the Sentinels' primary no longer owns the connections to the old one.
        if self.redis.connection_pool.owns_connection(client.connection):
            self._idle.append(client)
        else:
            client.close()
        return reply

    def server(self, key: str) -> Server:
        """The server that holds the key."""
        del key
        return self

    def server_at(self, host: Host) -> Server:
        """The server of an ASK redirection."""
        del host
        return self

    def any_server(self) -> Server:
        """A server to subscribe at."""
        return self

    def moved(self, error: MovedError) -> None:
        """Remember where a slot moved to."""

    def refresh(self) -> None:
        """Ask the servers which of them holds what."""


class _Cluster:
    """The same for a cluster. `RedisCluster` connects when it is made, so it is made at the first use that succeeds.

    Every method raises `RedisError` or `RedisClusterException`.
    """

    def __init__(self, address: Address, options: dict[str, Any]) -> None:
        self._hosts = list(address.hosts)
        self._options = {**options, **address.options, "ssl": address.tls, "require_full_coverage": False}
        self._made: Any = None
        self._lock = threading.Lock()

    def server(self, key: str) -> Server:
        return self._server(self._cluster().get_node_from_key(key))

    def server_at(self, host: Host) -> Server:
        node = self._cluster().get_node(*host)
        if node is None:
            self.refresh()
            node = self._cluster().get_node(*host)
        if node is None:
            raise exceptions.ConnectionError("the cluster redirects to an unknown server")
        return self._server(node)

    def any_server(self) -> Server:
        return self._server(self._cluster().get_random_node())

    def moved(self, error: MovedError) -> None:
        try:
            self._cluster().nodes_manager.move_slot(error)
        except KeyError:  # no server held the slot before
            self.refresh()

    def refresh(self) -> None:
        # The configured hosts are asked too: the addresses of all servers may have changed.
        with _slots_required():
            self._cluster().nodes_manager.initialize(
                additional_startup_nodes_info=self._hosts, disconnect_startup_nodes_pools=False
            )

    def _server(self, node: ClusterNode) -> Server:
        return Server(node.name, self._cluster().get_redis_connection(node))

    def _cluster(self) -> Any:
        if self._made is None:
            with self._lock, _slots_required():
                if self._made is None:
                    nodes = [ClusterNode(*host) for host in self._hosts]  # type: ignore[no-untyped-call]
                    self._made = RedisCluster(startup_nodes=nodes, **self._options)
        return self._made


@contextmanager
def _slots_required() -> Iterator[None]:
    """redis-py raises an `IndexError` for a cluster in which no server holds a slot yet."""
    try:
        yield
    except IndexError as error:
        raise RedisClusterException("no server of the cluster holds a slot") from error


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


class Client:
    """Sends commands about keys: in limited time, and not at all to a server that is known to be down."""

    def __init__(
        self,
        url: str,
        *,
        connections: int = CONNECTIONS,
        timeout: float = TIMEOUT_SECONDS,
        resends: bool = True,
        wait: Wait | None = None,
    ) -> None:
        """Nothing is connected before the first call.

        :param connections: calls at a time; further ones wait for their turn
        :param timeout: seconds for a call, including its retries
        :param resends: whether commands whose replies were lost are sent again
        :param wait: is sent after the commands of each call, and adds its time to the timeout
        """
        self._wait = wait
        self._timeout = timeout
        self._resends = resends
        self._limit = timeout + (wait.seconds if wait else 0)
        # The time of one attempt: with half of it there is time for another one.
        share = timeout / 2 if resends else timeout
        options = {
            # RESP2 needs no handshake, and the server sends nothing unasked.
            "protocol": 2,
            "driver_info": None,
            "socket_connect_timeout": share,
            "socket_timeout": share + (wait.seconds if wait else 0),
            "retry": Retry(NoBackoff(), 0),
            # The permits are the limit. redis-py's pools raise an error at theirs.
            "max_connections": 2**31,
        }
        address = parse(url)
        self._topology = (_Cluster if address.kind == "cluster" else _Primary)(address, options)
        # Used as a semaphore: one of `threading` costs 8 µs a call under gevent.
        self._permits: SimpleQueue[None] = SimpleQueue()
        for _ in range(connections):
            self._permits.put(None)
        self._breakers: dict[str, CircuitBreaker] = {}

    def run(self, key: str, *commands: Command) -> Result:
        """Send the commands to the server that holds the key; the reply to the wait comes last.

        A command that is sent again must be harmless when it is carried out twice, or recognise that. Raises
        `StoreUnavailable` if there is no reply, and leaves it to the caller what an error reply means (`error_of`).
        """
        with _time_limit(self._limit):
            try:
                self._permits.get(timeout=self._timeout)
            except Empty:
                raise StoreUnavailable("all connections are in use") from None
            try:
                return self._run(key, commands, time.monotonic() + self._timeout)
            finally:
                self._permits.put(None)

    def run_script(self, script: Script, keys: Sequence[str], *arguments: Any) -> Result:
        """Run a script by its hash; a server that does not know it yet is sent its source."""
        rest = (len(keys), *keys, *arguments)
        result = self.run(keys[0], ("EVALSHA", script.sha, *rest))
        if isinstance(result.replies[0], exceptions.NoScriptError):
            return self.run(keys[0], ("EVAL", script.source, *rest))
        return result

    def pubsub(self) -> PubSub:
        """A subscriber at any server: in a cluster every server passes on all messages. Raises `StoreUnavailable`."""
        with _time_limit(self._limit):
            try:
                return self._topology.any_server().redis.pubsub()  # type: ignore[no-any-return]
            except _LOST as error:
                raise StoreUnavailable(str(error)) from error

    def refresh(self) -> None:
        """Ask the servers for the current topology, if they answer."""
        with suppress(StoreUnavailable, RedisError, RedisClusterException), _time_limit(self._limit):
            self._topology.refresh()

    def _run(self, key: str, commands: Sequence[Command], deadline: float) -> Result:
        """Attempt after attempt until there are replies, the time is over, or the server is known to be down."""
        server: Server | None = None
        asked: Host | None = None
        is_resent = False
        problem: Exception
        for attempt in range(1, ATTEMPTS + 1):
            try:
                server = self._topology.server_at(asked) if asked else self._topology.server(key)
                replies = self._call(server, commands, asking=asked is not None)
            except _LOST as error:
                problem, asked, is_resent = error, None, True
            except RedisError as error:
                raise error_of(error) from error
            else:
                redirection = next((reply for reply in replies if isinstance(reply, _REDIRECTIONS)), None)
                if redirection is None:
                    return Result(replies, is_resent)
                if len(commands) > 1:
                    # While a slot migrates its keys may be on two servers: each command goes where its own key is.
                    results = [self._run(key, [command], deadline) for command in commands]
                    return Result([result.replies[0] for result in results], is_resent=True)
                problem, server, asked = redirection, None, self._follow(redirection)
                if isinstance(redirection, AskError):
                    continue
            pause = BACKOFF_SECONDS * 2 ** (attempt - 1) * random.uniform(0.5, 1)  # noqa: S311
            if attempt == ATTEMPTS or (is_resent and not self._resends) or time.monotonic() + pause > deadline:
                break
            time.sleep(pause)
            with suppress(RedisError, RedisClusterException):
                self._topology.refresh()
        if server:
            self._record_failure(server, problem)
        raise error_of(problem)

    def _follow(self, redirection: ResponseError) -> Host | None:
        """Remember a slot that moved; the address to send to this once, if the slot is still migrating."""
        if isinstance(redirection, MovedError):
            with suppress(RedisError, RedisClusterException):
                self._topology.moved(redirection)
            return None
        return redirection.node_addr if isinstance(redirection, AskError) else None

    def _call(self, server: Server, commands: Sequence[Command], *, asking: bool) -> list[Any]:
        """One attempt. A probe of a server that was down reports its result to the circuit breaker."""
        breaker = self._breaker(server)
        was_open = breaker.is_open
        if not breaker.allow():
            raise StoreUnavailable(f"{server.name} is down")
        try:
            replies = _send(server, commands, self._wait, asking=asking)
        except BaseException as error:
            # Another attempt may follow a lost connection, so only the last one counts; nothing follows the time limit.
            if was_open or isinstance(error, gevent.Timeout):
                self._record_failure(server, error)
            raise
        if breaker.record_success():
            log.warning("store server %s is up again", server.name)
        return replies

    def _breaker(self, server: Server) -> CircuitBreaker:
        return self._breakers.get(server.name) or self._breakers.setdefault(server.name, CircuitBreaker())

    def _record_failure(self, server: Server, problem: BaseException) -> None:
        if self._breaker(server).record_failure():
            log.warning("store server %s is down: %s", server.name, problem)


def _send(server: Server, commands: Sequence[Command], wait: Wait | None, *, asking: bool) -> list[Any]:
    """Send everything at once on one connection, and return the replies to all but ASKING."""
    if len(commands) == 1 and not wait and not asking:
        try:
            return [server.execute(commands[0])]
        except ResponseError as error:
            return [error]
    sent = [part for command in commands for part in (_ASKING, command)] if asking else [*commands]
    if wait:
        sent.append(wait.command)
    pipeline = server.redis.pipeline(transaction=False)
    for command in sent:
        pipeline.execute_command(*command)
    replies = pipeline.execute(raise_on_error=False)
    return [reply for command, reply in zip(sent, replies, strict=True) if command is not _ASKING]


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise `StoreUnavailable` after some time, whatever redis-py is at: a topology refresh may meet many dead servers.

    It works under gevent only. Elsewhere the socket timeouts alone limit a call.
    """
    if not monkey.is_module_patched("socket"):
        yield
        return
    # gevent counts from the start of the current loop iteration, which may have taken a while.
    gevent.get_hub().loop.update_now()
    # A BaseException: redis-py catches every Exception while it looks for a server that answers.
    timeout = gevent.Timeout.start_new(seconds)
    try:
        yield
    except gevent.Timeout as expired:
        if expired is not timeout:
            raise
        raise StoreUnavailable(f"no answer in {seconds} s") from None
    finally:
        timeout.close()


def error_of(error: Exception) -> StoreUnavailable:
    """What a lost connection or an error reply means to a caller of the store."""
    if isinstance(error, exceptions.OutOfMemoryError):
        return StoreFull(str(error))
    if isinstance(error, exceptions.ReadOnlyError) or str(error).startswith(_READ_ONLY):
        return StoreReadOnly(str(error))
    return StoreUnavailable(f"{type(error).__name__}: {error}")
