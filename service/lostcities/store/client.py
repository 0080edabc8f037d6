"""The Redis client of the store: calls with a time limit, one retry loop and circuit breakers.

`Client.run` sends a few commands about one key to the server that holds the key and reads their replies in one round
trip. What redis-py does not do is here:

- The retry loop. redis-py's own retries are off: they re-send a write whose reply was lost up to ten times and have no
  limit in time. `Client` re-sends a few times within the timeout and says so in its result (`CallResult.is_resent`): a
  write must then recognise itself (`service/lostcities/store/redis.py`).
- WAIT and WAITAOF cover the writes of their own connection only. A write and its wait therefore are one pipeline on one
  connection, also in a cluster, where redis-py's cluster pipeline would split them. So redirections (MOVED, ASK) arrive
  here as replies.
"""

import hashlib
import logging
import math
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import resources
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple

import gevent
from gevent import monkey
from redis import exceptions
from redis.backoff import NoBackoff
from redis.client import PubSub
from redis.exceptions import AskError, RedisClusterException, RedisError
from redis.retry import Retry

from lostcities.games.storage import StoreFull, StoreReadOnly, StoreUnavailable
from lostcities.store.address import Host, parse
from lostcities.store.breaker import CircuitBreaker
from lostcities.store.durability import TIMEOUT_SECONDS
from lostcities.store.servers import Cluster, Command, Primary, Server

CONNECTIONS: Final = 64
"""Default limit of commands that one client has under way, and so of its connections to each server."""
PAUSES: Final = (0.02, 0.04)
"""Seconds between the attempts of a call."""

_ASKING: Final[Command] = ("ASKING",)
_LOST: Final = (exceptions.ConnectionError, exceptions.TimeoutError, RedisClusterException)
"""No reply: the command may have been carried out. `RedisClusterException` is no `RedisError`."""
_REDIRECTIONS: Final = (AskError, exceptions.TryAgainError, exceptions.ClusterDownError, exceptions.ReadOnlyError)
"""Another server, or the same one later, can carry out the command. MOVED is an `AskError`."""

log = logging.getLogger("lostcities.store")


class CallResult(NamedTuple):
    """The replies to the commands; an error reply is in the list as an exception."""

    replies: list[Any]
    is_resent: bool
    """Whether an earlier attempt may have been carried out too."""


class Wait(NamedTuple):
    """A command that returns when the writes of its connection are durable, or when its time is over."""

    command: Command
    seconds: float
    """How long the server may take to answer it."""


def script(name: str) -> str:
    """The Lua script in `lua/` of that name."""
    return resources.files("lostcities.store").joinpath("lua", f"{name}.lua").read_text()


@cache
def _sha1(script: str) -> str:
    """The hash by which a server that ran a script before knows it."""
    return hashlib.sha1(script.encode(), usedforsecurity=False).hexdigest()


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
        self._servers = (Cluster if address.kind == "cluster" else Primary)(address, options)
        # Used as a semaphore: one of `threading` costs 8 µs a call under gevent.
        self._permits: SimpleQueue[None] = SimpleQueue()
        for _ in range(connections):
            self._permits.put(None)
        self._breakers: dict[str, CircuitBreaker] = {}

    def run(self, key: str, *commands: Command) -> CallResult:
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

    def run_script(self, script: str, keys: Sequence[str], *arguments: Any) -> CallResult:
        """Run a script by its hash, or by its source on a server that does not know it yet."""
        rest = (len(keys), *keys, *arguments)
        result = self.run(keys[0], ("EVALSHA", _sha1(script), *rest))
        if isinstance(result.replies[0], exceptions.NoScriptError):
            return self.run(keys[0], ("EVAL", script, *rest))
        return result

    def pubsub(self) -> PubSub:
        """A subscriber at any server: in a cluster every server passes on all messages. Raises `StoreUnavailable`."""
        with _time_limit(self._limit):
            try:
                return self._servers.server().redis.pubsub()  # type: ignore[no-any-return]
            except _LOST as error:
                raise StoreUnavailable(str(error)) from error

    def refresh(self) -> None:
        """Ask the servers for the current topology, if they answer."""
        with suppress(StoreUnavailable, RedisError, RedisClusterException), _time_limit(self._limit):
            self._servers.refresh()

    def _run(self, key: str, commands: Sequence[Command], deadline: float) -> CallResult:
        """Attempt after attempt until there are replies, the time is over, or the server is known to be down."""
        pauses = iter(PAUSES)
        host: Host | None = None
        is_resent = False
        while True:
            problem: Exception
            try:
                replies = self._call(self._servers.server(key, host), commands, asking=host is not None)
            except _LOST as error:
                problem, host, is_resent = error, None, True
            except RedisError as error:
                raise error_of(error) from error
            else:
                redirection = next((reply for reply in replies if isinstance(reply, _REDIRECTIONS)), None)
                if redirection is None:
                    return CallResult(replies, is_resent)
                if len(commands) > 1:
                    # While a slot migrates its keys may be on two servers: each command goes where its own key is.
                    results = [self._run(key, [command], deadline) for command in commands]
                    return CallResult([result.replies[0] for result in results], is_resent=True)
                problem, host = redirection, getattr(redirection, "node_addr", None)
            pause = next(pauses, math.inf) * random.uniform(0.5, 1)  # noqa: S311
            if (is_resent and not self._resends) or time.monotonic() + pause > deadline:
                raise error_of(problem)
            if host is None:
                time.sleep(pause)
            if type(problem) is not AskError:  # after ASK the slot is still at the server that was asked first
                self.refresh()

    def _call(self, server: Server, commands: Sequence[Command], *, asking: bool) -> list[Any]:
        """One attempt, which reports its result to the circuit breaker of the server."""
        breaker = self._breakers.get(server.name) or self._breakers.setdefault(server.name, CircuitBreaker())
        if not breaker.allow():
            raise StoreUnavailable(f"{server.name} is down")
        try:
            replies = _send(server, commands, self._wait, asking=asking)
        except BaseException as error:
            if breaker.record_failure():
                log.warning("store server %s is down: %s", server.name, error)
            raise
        if breaker.record_success():
            log.warning("store server %s is up again", server.name)
        return replies


def _send(server: Server, commands: Sequence[Command], wait: Wait | None, *, asking: bool) -> list[Any]:
    """Send everything at once on one connection, and return the replies to all but ASKING."""
    if not wait and not asking:
        return server.execute(commands)
    sent = [part for command in commands for part in (_ASKING, command)] if asking else [*commands]
    if wait:
        sent.append(wait.command)
    return [reply for command, reply in zip(sent, server.pipeline(sent), strict=True) if command is not _ASKING]


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
    timeout = gevent.Timeout(seconds)
    try:
        with timeout:
            yield
    except gevent.Timeout as expired:
        if expired is not timeout:
            raise
        raise StoreUnavailable(f"no answer in {seconds} s") from None


def error_of(error: Exception) -> StoreUnavailable:
    """What a lost connection or an error reply means to a caller of the store."""
    if isinstance(error, exceptions.OutOfMemoryError):
        return StoreFull(str(error))
    if isinstance(error, exceptions.ReadOnlyError) or str(error).startswith(("MISCONF", "NOREPLICAS")):
        return StoreReadOnly(str(error))
    return StoreUnavailable(f"{type(error).__name__}: {error}")
