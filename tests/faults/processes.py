"""Real processes for fault tests: Valkey servers, Sentinels, clusters and the service."""

import contextlib
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self

import redis
from lostcities.store.embedded import binary

from tests.server.process_tree import descendants, store_of, workers_of

FULL = os.environ.get("FAULTS") == "full"
"""Whether the tests run in their long form: `make faults`."""
HOST = "127.0.0.1"
ROOT = Path(__file__).parents[2]


def scaled(short: int, full: int) -> int:
    """An amount: `short` in `make test`, `full` in `make faults`."""
    return full if FULL else short


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        return int(listener.getsockname()[1])


def until(condition: Callable[[], Any], seconds: float = 15.0, what: str = "") -> Any:
    """Wait until the condition returns a true value, and return it. An exception counts as false."""
    deadline = time.monotonic() + seconds
    problem: object = "never true"
    while time.monotonic() < deadline:
        try:
            if found := condition():
                return found
        except (redis.RedisError, OSError, AssertionError) as error:
            problem = error
        time.sleep(0.02)
    raise AssertionError(f"{what or 'it'} did not come true in {seconds} s: {problem!r}")


class Valkey:
    """A Valkey server, or a Sentinel, on a port of its own."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        config: str | None = None,
        port: int | None = None,
        program: Path | None = None,
    ) -> None:
        """`program`: the server to run; without it the one that the embedded store runs."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.port = port or free_port()
        self._arguments = arguments
        self._config = config
        self._program = program or binary()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}"

    def start(self, *more: str) -> Self:
        """Start it, with more arguments this time, and wait until it answers."""
        first: Sequence[str] = []
        if self._config is not None:
            file = self.folder / "valkey.conf"
            if not file.exists():
                file.write_text(self._config)
            first = [str(file)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    str(self._program),
                    *first,
                    *("--port", str(self.port), "--bind", HOST, "--dir", str(self.folder), "--save", ""),
                    *self._arguments,
                    *more,
                ],
                stdout=log,
                stderr=log,
            )
        until(lambda: self.client().ping(), what=f"the server in {self.folder}")
        return self

    def client(self) -> Any:
        return redis.Redis(host=HOST, port=self.port, socket_timeout=5, single_connection_client=False)

    def kill(self) -> None:
        """`kill -9`."""
        if self._process:
            self._process.kill()
            self._process.wait()

    def pause(self) -> None:
        assert self._process
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self._process
        self._process.send_signal(signal.SIGCONT)


class Servers:
    """Starts servers, and stops the remaining ones at the end of a test."""

    def __init__(self, folder: Path, program: Path | None = None) -> None:
        self._folder = folder
        self._program = program
        self._all: list[Valkey] = []

    def valkey(self, *arguments: str, config: str | None = None, port: int | None = None) -> Valkey:
        folder = self._folder / f"server{len(self._all)}"
        server = Valkey(folder, *arguments, config=config, port=port, program=self._program)
        self._all.append(server)
        return server.start()

    def end(self) -> None:
        for server in self._all:
            with contextlib.suppress(AssertionError):
                server.resume()
            server.kill()

    def cluster(self, primaries: int = 3, replicas: int = 3) -> list[Valkey]:
        """A cluster; the n-th replica follows the n-th primary."""
        nodes = [
            self.valkey(
                *("--cluster-enabled", "yes", "--cluster-node-timeout", "2000", "--cluster-port", str(free_port())),
                *("--cluster-require-full-coverage", "no", "--appendonly", "no", "--repl-diskless-sync-delay", "0"),
                *("--cluster-replica-validity-factor", "0"),
            )
            for _ in range(primaries + replicas)
        ]
        first = nodes[0].client()
        for node in nodes[1:]:
            bus = int(node.client().config_get("cluster-port")["cluster-port"])
            first.execute_command("CLUSTER", "MEET", HOST, node.port, bus)
        slots = 16384
        for number, node in enumerate(nodes[:primaries]):
            edges = slots * number // primaries, slots * (number + 1) // primaries - 1
            node.client().execute_command("CLUSTER", "ADDSLOTSRANGE", *edges)
        for node in nodes:
            until(partial(_knows, node, len(nodes)), what="the cluster's gossip")
        for primary, replica in zip(nodes, nodes[primaries:], strict=False):
            replica.client().execute_command("CLUSTER", "REPLICATE", primary.client().execute_command("CLUSTER MYID"))
        for node in nodes:
            until(partial(_is_whole, node), what="the cluster")
        for primary in nodes[: min(primaries, replicas)]:
            until(partial(has_replicas, primary, 1), what="the replicas")
        return nodes

    def replicated(self, replicas: int) -> list[Valkey]:
        """A primary, and replicas that follow it."""
        primary = self.valkey("--repl-diskless-sync-delay", "0")
        followers = [self.valkey("--replicaof", f"{HOST} {primary.port}") for _ in range(replicas)]
        until(partial(has_replicas, primary, replicas), what="the replicas")
        return [primary, *followers]

    def sentinels(self, primary: Valkey, count: int = 3) -> list[Valkey]:
        """Sentinels that monitor the primary as `games`. Their timeouts are long enough for a busy machine."""
        config = f"""
            sentinel monitor games {HOST} {primary.port} {count // 2 + 1}
            sentinel down-after-milliseconds games 3000
            sentinel failover-timeout games 10000
        """
        found = [self.valkey("--sentinel", config=config) for _ in range(count)]
        for sentinel in found:
            until(partial(_sees_all, sentinel, count), what="the Sentinels")
        return found


def has_replicas(primary: Valkey, count: int) -> bool:
    """Whether this number of replicas is in sync."""
    about = primary.client().info("replication")
    states = [about.get(f"slave{number}", {}).get("state") for number in range(count)]
    return states == ["online"] * count


def follow(sentinels: Sequence[Valkey], primary: Valkey) -> bool:
    """Whether all Sentinels report this primary."""
    told = [each.client().execute_command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "games") for each in sentinels]
    return all(int(address[1]) == primary.port for address in told)


def _knows(node: Valkey, count: int) -> bool:
    """Whether it is connected to all nodes: what is published does not reach the others before."""
    known = node.client().cluster("NODES").values()
    return len(known) == count and all(each["connected"] and "handshake" not in each["flags"] for each in known)


def _is_whole(node: Valkey) -> bool:
    return bool(node.client().cluster("INFO")["cluster_state"] == "ok")


def _sees_all(sentinel: Valkey, count: int) -> bool:
    about = sentinel.client().execute_command("SENTINEL", "MASTER", "games")
    pairs = about if isinstance(about, dict) else dict(zip(about[::2], about[1::2], strict=True))
    known = {_text(key): _text(value) for key, value in pairs.items()}
    return int(known["num-other-sentinels"]) == count - 1 and int(known["num-slaves"]) >= 1


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


class Service:
    """The service as it is run: `python -m lostcities serve`, in a process group of its own."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self._folder = folder
        address = {"HOST": HOST, "PORT": str(free_port())}
        self._environment = {**address, "DATA_DIR": str(folder / "data"), "RATE_LIMITS": "off", **environment}
        self._process: subprocess.Popen[str] | None = None
        self._reader = threading.Thread()

    @property
    def port(self) -> int:
        return int(self._environment["PORT"])

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    def start(self) -> Self:
        """Start the service and wait until it has logged its address."""
        passed_on = ("PATH", "PYTHONPATH", "HOME", "TMPDIR", "LANG")
        clean = {name: value for name, value in os.environ.items() if name in passed_on}
        with (self._folder / "service.log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "lostcities", "serve"],
                cwd=ROOT,
                env={**clean, **self._environment},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        lines: queue.Queue[str] = queue.Queue()
        stdout = self._process.stdout
        assert stdout
        self._reader = threading.Thread(target=deque, args=(map(lines.put, stdout), 0), daemon=True)
        self._reader.start()
        assert "the API" in lines.get(timeout=30)
        return self

    def workers(self) -> list[int]:
        """The process ids of the workers."""
        return workers_of(self.pid)

    def store(self) -> int:
        """The process id of the embedded store."""
        return store_of(self.pid)

    def kill(self) -> None:
        """`kill -9` of every process of it, the embedded store included."""
        for pid in (self.pid, *descendants(self.pid)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._ended(10.0)

    def terminate(self, timeout: float = 40.0) -> int:
        """Ask it to stop, and wait until it has."""
        assert self._process
        self._process.terminate()
        return self._ended(timeout)

    def _ended(self, timeout: float) -> int:
        assert self._process
        code = self._process.wait(timeout)
        self._reader.join(10.0)
        if self._process.stdout:
            self._process.stdout.close()
        return code

    def end(self) -> None:
        if self._process and self._process.poll() is None:
            self.kill()
        elif self._process:
            self._ended(1.0)


@contextlib.contextmanager
def serving(folder: Path, **environment: str) -> Iterator[Service]:
    """The service, during a `with` block."""
    folder.mkdir(parents=True, exist_ok=True)
    service = Service(folder, **environment)
    try:
        yield service.start()
    finally:
        service.end()
