"""The engines that can keep the games: one primary, Sentinel, or a cluster. Redis or Valkey, all the same.

`Link.run` sends a few commands about one game to the server that holds it, and reads the replies: one round trip. It
knows how long that may take, when to try again and when not to try at all. redis-py's own clients are not used for
this, because the wait for durability must go through the connection that wrote, in a cluster too, and because their
retries have no bound in time.
"""

import logging
import math
import random
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from redis import exceptions
from redis.backoff import NoBackoff
from redis.connection import Connection, SSLConnection, UnixDomainSocketConnection
from redis.crc import key_slot
from redis.exceptions import AskError, MovedError, RedisError
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelConnectionPool, SentinelManagedConnection, SentinelManagedSSLConnection

from service.relay import step_aside
from service.sockets import give_up_after
from service.store.address import Address, Host
from service.store.circuit import Circuit
from service.store.interface import DurabilityUnknown, StoreAway, StoreFull, StoreReadOnly

Command = tuple[Any, ...]

_T = TypeVar("_T")
_ASKING: Final[Command] = ("ASKING",)

ATTEMPTS: Final = 3
BACKOFF_SECONDS: Final = 0.02
"""The first pause between two attempts; each further one is twice as long."""
TRUSTED_SECONDS: Final = 1.0
"""A connection that was idle for longer is looked at before it is used: the server may have closed it."""
SLACK_SECONDS: Final = 0.25
"""How much later than promised the end of a wait may be heard of."""

FAR_SECONDS: Final = 0.0003
"""Others are let in while a server answers whose round trips take longer: as long as half a request,"""
TRIPS: Final = 32
"""all of so many, because any of them can be late for other reasons."""

_LOST: Final = (exceptions.ConnectionError, exceptions.TimeoutError)
_ELSEWHERE: Final = (AskError, exceptions.TryAgainError, exceptions.ClusterDownError, exceptions.ReadOnlyError)
"""Replies that mean: not here, or not now. `MovedError` is a kind of `AskError`."""
_REFUSALS: Final[Mapping[str, type[StoreAway]]] = {"MISCONF": StoreReadOnly, "NOREPLICAS": StoreReadOnly}

log = logging.getLogger("service.store")


class Answer(NamedTuple):
    """What came back."""

    replies: list[Any]
    is_resent: bool
    """Whether an earlier attempt may have been carried out too."""


class Wait(NamedTuple):
    """A command that is answered when what the connection wrote is durable, or after some time."""

    command: Command
    seconds: float
    """How long the server may take."""


class Server:
    """One Redis server: the connections to it, and whether it is known to be away."""

    def __init__(self, name: str, make: Callable[[], Any]) -> None:
        """`make`: a connection of redis-py, not connected yet."""
        self.name = name
        self.circuit = Circuit()
        self._make = make
        self._idle: list[tuple[Any, float]] = []
        """Connections, and since when they are idle; the last one was used last."""
        self.is_far = False
        """Whether it takes long to hear from it."""
        self._trips = 0
        self._shortest = math.inf

    def has_taken(self, seconds: float) -> None:
        """A round trip took so long. Threads that look at the same time may miss one, which does no harm."""
        self._trips += 1
        self._shortest = min(self._shortest, seconds)
        if self._trips >= TRIPS:
            self.is_far = self._shortest > FAR_SECONDS
            self._trips, self._shortest = 0, math.inf

    def use(self, talk: Callable[[Any], _T]) -> _T:
        """What comes of a talk on a connection of one's own.

        After an error neither it nor those that are idle are used again.
        """
        connection = self._take()
        try:
            result = talk(connection)
        except BaseException:
            idle, self._idle = self._idle, []
            for each, _ in ((connection, 0.0), *idle):
                each.disconnect()
            raise
        self._idle.append((connection, time.monotonic()))
        return result

    def fresh(self) -> Any:
        """A new connection, which is the caller's own: to be used for anything, and to be closed."""
        connection = self._make()
        connection.connect()
        _leave_time_to_the_system(connection)
        return connection

    def _take(self) -> Any:
        """The connection that was used last, if the server has not closed it, or a new one."""
        while self._idle:
            try:
                connection, since = self._idle.pop()
            except IndexError:  # another thread was faster
                break
            if time.monotonic() - since < TRUSTED_SECONDS or _is_usable(connection):
                return connection
            connection.disconnect()
        return self.fresh()


def _leave_time_to_the_system(connection: Any) -> None:
    """Have the system end what takes too long: that is a lost connection to redis-py, as a timeout of its own is."""
    give_up_after(connection._sock, connection.socket_timeout)
    connection._sock.settimeout(None)


def _is_usable(connection: Any) -> bool:
    """Whether nothing is to be read: neither a late reply nor the end."""
    try:
        return not connection.can_read()
    except RedisError:
        return False


class Engine(Protocol):
    """Knows which server holds a key."""

    def server(self, key: str) -> Server:
        """The server that holds the key now. Raises `RedisError`."""

    def at(self, host: Host) -> Server:
        """The server of that address."""

    def refresh(self) -> None:
        """Look again who holds what, if that can change. Raises `RedisError`."""


class _Primary:
    """One server, or the one that the Sentinels say is the primary: its connections find it anew by themselves."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def server(self, key: str) -> Server:
        del key
        return self._server

    def at(self, host: Host) -> Server:
        del host
        return self._server

    def refresh(self) -> None:
        pass


class _Cluster:
    """Many servers, each of which holds some of the 16384 slots."""

    def __init__(self, address: Address, options: Mapping[str, Any], seconds: float) -> None:
        """`seconds`: for finding out who holds what."""
        self._options = options
        self._seconds = seconds
        self._tls = address.tls
        self._seeds = address.hosts
        self._servers: dict[Host, Server] = {}
        self._ranges: list[tuple[int, int, Host]] = []
        """First slot, last slot, primary; in order."""
        self._refreshing = threading.Lock()

    def server(self, key: str) -> Server:
        if not self._ranges:
            self.refresh()
        slot = key_slot(key.encode())
        ranges = self._ranges
        index = bisect_right(ranges, slot, key=lambda held: held[0]) - 1
        if index < 0 or slot > ranges[index][1]:
            raise exceptions.ConnectionError(f"no server of the cluster holds slot {slot}")
        return self.at(ranges[index][2])

    def at(self, host: Host) -> Server:
        server = self._servers.get(host)
        if server is None:
            server = self._servers.setdefault(host, _server(host, tls=self._tls, options=self._options))
        return server

    def refresh(self) -> None:
        """Ask one server after the other until one knows who holds what. Another thread may be at it already."""
        if not self._refreshing.acquire(timeout=0 if self._ranges else self._seconds):
            return
        try:
            # Those that are known to be away are asked last.
            hosts = list(dict.fromkeys((*self._servers, *self._seeds)))
            random.shuffle(hosts)
            self._ranges = self._ask(sorted(hosts, key=lambda host: self.at(host).circuit.is_open))
        finally:
            self._refreshing.release()

    def _ask(self, hosts: Sequence[Host]) -> list[tuple[int, int, Host]]:
        problem: RedisError = exceptions.ConnectionError("no server of the cluster answers")
        deadline = time.monotonic() + self._seconds
        for server, host in ((self.at(host), host) for host in hosts):
            if time.monotonic() > deadline or not server.circuit.admits():
                continue
            try:
                slots = server.use(_slots)
            except _LOST as error:
                server.circuit.failed()
                problem = error
            else:
                server.circuit.worked()
                return sorted((first, last, _named(primary, host)) for first, last, primary, *_ in slots)
        raise problem


def _slots(connection: Any) -> Any:
    connection.send_command("CLUSTER", "SLOTS")
    return connection.read_response(disconnect_on_error=True)


def _named(primary: Sequence[Any], asked: Host) -> Host:
    """The address of a primary; a server that does not know its own name is the one that was asked."""
    name = (primary[0] or b"").decode()
    return (name if name not in ("", "?") else asked[0]), int(primary[1])


def connect(address: Address, timeout: float) -> Engine:
    """The engine of an address; `timeout` bounds each step of making a connection. Nothing is connected yet."""
    common = {
        "protocol": 2,
        "driver_info": None,
        "socket_connect_timeout": timeout,
        "socket_timeout": timeout,
        "socket_keepalive": True,
        "retry": Retry(NoBackoff(), 0),
    }
    options = {**common, **address.options}
    if address.kind == "cluster":
        return _Cluster(address, options, timeout)
    if address.kind == "sentinel":
        return _Primary(_sentinel(address, options, {**common, **address.sentinel_options, "ssl": address.tls}))
    if address.path:
        del options["socket_keepalive"]
        unix: Any = UnixDomainSocketConnection
        return _Primary(Server(address.path, partial(unix, path=address.path, **options)))
    return _Primary(_server(address.hosts[0], tls=address.tls, options=options))


def _server(host: Host, *, tls: bool, options: Mapping[str, Any]) -> Server:
    kind = SSLConnection if tls else Connection
    return Server(f"{host[0]}:{host[1]}", partial(kind, host=host[0], port=host[1], **options))


def _sentinel(address: Address, options: Mapping[str, Any], sentinel_options: Mapping[str, Any]) -> Server:
    sentinels = Sentinel(address.hosts, sentinel_kwargs=sentinel_options)  # type: ignore[no-untyped-call]
    kind = SentinelManagedSSLConnection if address.tls else SentinelManagedConnection
    # Of the pool only this is used: a connection that it makes asks the Sentinels who is the primary.
    pool = SentinelConnectionPool(  # type: ignore[no-untyped-call]
        address.service, sentinels, connection_class=kind, max_connections=2**31, **options
    )
    return Server(f"the primary {address.service!r} of the Sentinels", pool.make_connection)


# Asking ----------------------------------------------------------------------------------------------------------


class _Redirected(Exception):
    """Another server is to be asked, or the same one again."""

    def __init__(self, reply: RedisError) -> None:
        super().__init__(str(reply))
        self.reply = reply
        self.to: Host | None = None
        """The server to be asked this once, because the slot is on its way there."""
        if isinstance(reply, AskError) and not isinstance(reply, MovedError):
            self.to = reply.node_addr


class Link:
    """Asks an engine: in bounded time, and not at all while the server in question is known to be away."""

    def __init__(self, address: Address, connections: int, timeout: float) -> None:
        """`connections`: used at a time at most; `timeout`: seconds for everything but a wait for durability."""
        self._engine = connect(address, timeout / 2)
        self._permits: SimpleQueue[None] = SimpleQueue()
        for _ in range(connections):
            self._permits.put(None)
        self._timeout = timeout

    def run(self, key: str, commands: Sequence[Command], wait: Wait | None = None) -> Answer:
        """The replies to each command, then to the wait, sent together to the server that holds the key.

        After a lost connection everything is sent again, so that a command must recognise itself or be harmless. An
        error reply is in the list, unless it means that the store is away: then `StoreAway` is raised, or
        `DurabilityUnknown` if it is only the end of the wait that was not heard of.
        """
        deadline = time.monotonic() + self._timeout
        try:
            self._permits.get(timeout=self._timeout)
        except Empty:
            raise StoreAway("all connections are in use") from None
        try:
            return self._try(key, commands, wait, deadline)
        finally:
            self._permits.put(None)

    def _try(self, key: str, commands: Sequence[Command], wait: Wait | None, deadline: float) -> Answer:
        """Attempt after attempt. A server that was away already is tried once."""
        server: Server | None = None
        asked: Host | None = None
        problem = RedisError()
        written = False
        for attempt in range(1, ATTEMPTS + 1):
            server = None
            replies: list[Any] = []
            try:
                server = self._engine.at(asked) if asked else self._engine.server(key)
                if not server.circuit.admits():
                    raise StoreAway(f"{server.name} is away")
                self._exchange(server, commands, wait, deadline, replies, asking=asked is not None)
            except _LOST as error:
                problem, asked = error, None
                written = written or len(replies) == len(commands)
            except _Redirected as error:
                _answered(server)
                problem, asked = error.reply, error.to
                server = None
            else:
                _answered(server)
                return Answer(replies, is_resent=attempt > 1)
            pause = BACKOFF_SECONDS * 2 ** (attempt - 1) * random.uniform(0.5, 1)  # noqa: S311
            is_last = attempt == ATTEMPTS or time.monotonic() + pause > deadline
            if is_last or (server and server.circuit.is_open):
                break
            time.sleep(pause)
            self._look_again()
        if server:
            _failed(server, problem)
        raise _away(problem, written=written)

    def _exchange(
        self,
        server: Server,
        commands: Sequence[Command],
        wait: Wait | None,
        deadline: float,
        replies: list[Any],
        *,
        asking: bool,
    ) -> None:
        """Send everything at once, then read reply after reply into the list."""
        sent = [part for each in commands for part in (_ASKING, each)] if asking else commands

        def talk(connection: Any) -> None:
            connection.send_packed_command(
                connection.pack_command(*sent[0])
                if len(sent) == 1 and not wait
                else connection.pack_commands([*sent, wait.command] if wait else sent)
            )
            for command in sent:
                left = deadline - time.monotonic()
                # The connection's own timeout is half of it. Setting another one would cost as much as the reply.
                reply = _read(connection) if left >= self._timeout / 2 else _read(connection, timeout=max(0.01, left))
                if isinstance(reply, _ELSEWHERE):
                    # The rest of the replies is lost with the connection.
                    raise _Redirected(reply)
                if command is not _ASKING:
                    replies.append(reply)
            if wait:
                replies.append(_read(connection, timeout=wait.seconds + SLACK_SECONDS))

        if wait or server.is_far:
            step_aside()
        began = time.perf_counter()
        server.use(talk)
        if not wait:
            server.has_taken(time.perf_counter() - began)

    def _look_again(self) -> None:
        try:
            self._engine.refresh()
        except RedisError as error:
            log.debug("nobody knows who holds what: %s", error)


def _failed(server: Server, problem: RedisError) -> None:
    if not server.circuit.is_open:
        log.warning("the store is away: %s: %s", server.name, problem)
    server.circuit.failed()


def _answered(server: Server | None) -> None:
    if server and server.circuit.is_open:
        log.warning("the store is back: %s", server.name)
        server.circuit.worked()


def _read(connection: Any, **timeout: float) -> Any:
    """One reply; an error that the server replies with is a reply. Raises what is `_LOST`."""
    try:
        return connection.read_response(**timeout)
    except _LOST:
        raise
    except RedisError as error:
        return error


def _away(problem: Exception, *, written: bool) -> StoreAway:
    if isinstance(problem, exceptions.ReadOnlyError):
        return StoreReadOnly(str(problem))
    return DurabilityUnknown(str(problem)) if written else StoreAway(str(problem))


def refused(error: RedisError) -> StoreAway:
    """What an error reply to a command means to the caller."""
    if isinstance(error, exceptions.OutOfMemoryError):
        return StoreFull(str(error))
    return _REFUSALS.get(str(error).split(" ", maxsplit=1)[0], StoreAway)(f"{type(error).__name__}: {error}")
