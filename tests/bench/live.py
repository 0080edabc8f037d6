"""The time until a move has reached the other player, or all watchers, and the memory of a stream.

`python -m tests.bench.live` measures it alone. Two players have a stream each. One of them sends a turn, and the time
ends when the other one has its legal moves: from the stream with `include`, or by a request after the event.

500 and 1,000 streams are open on one instance of two workers, of one game or of many. Moves are made one after the
other, on an idle service or beside normal traffic. A delay is the time from sending a move until its last watcher has
it; the watchers read in this process, so their own work is part of it.
"""

import http.client
import json
import multiprocessing
import random
import re
import selectors
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import requests

from tests.server.serving import Service, serving
from tests.sse import Reader

STREAMS = 500
MANY_GAMES = 50
EVENTS_OF_A_TURN = 3
"""In a duel: a card, the draw and what is drawn."""
MOVES = 40
TRAFFIC = 100
"""Requests a second, in normal traffic."""

BY_STREAM = "by the stream with `include`"
BY_REQUEST = "by the stream, then `GET /games/{id}`"

VERSION = re.compile(rb"^id: (\d+)$", re.MULTILINE)


class Player:
    """A seat of a duel with its connection and its stream."""

    def __init__(self, url: str, game: Any, seat: int, way: str) -> None:
        where, token = urlsplit(url), game["tokens"]["seats"][seat]
        self._path = f"/games/{game['id']}"
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._connection = http.client.HTTPConnection(str(where.hostname), where.port, timeout=30)
        self._is_included = way == BY_STREAM
        include = "?include=moves" if self._is_included else ""
        self._stream = Reader(url, f"{self._path}/events{include}", token)

    def game(self) -> Any:
        """Ask for the game with the legal moves."""
        self._connection.request("GET", f"{self._path}?include=moves", headers=self._headers)
        return self.answer()

    def send_turn(self, card: Any) -> float:
        """Send a turn: play or discard, and draw. Returns when it was sent; the answer is to be read."""
        body = json.dumps({"moves": [card, {"notation": "draw deck"}]})
        sent = time.perf_counter()
        self._connection.request("POST", f"{self._path}/moves", body, self._headers)
        return sent

    def answer(self) -> Any:
        """Read the answer."""
        response = self._connection.getresponse()
        document = json.loads(response.read())
        assert response.status == 200, document
        return document

    def wait_for_moves(self, version: int) -> list[Any]:
        """Wait for this version, and return the legal moves."""
        moves: list[Any] = []
        while not moves:
            message = self._stream.next()
            assert message, "the stream ended"
            if message.id == version and message.kind == "event":
                moves = (message.data["game"] if self._is_included else self.game())["moves"]
        return moves

    def close(self) -> None:
        self._stream.close()
        self._connection.close()


def turns(count: int = MOVES) -> dict[str, list[float]]:
    """By the way in which they wait: milliseconds from sending a turn until the other player has its legal moves."""
    found: dict[str, list[float]] = {BY_STREAM: [], BY_REQUEST: []}
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), LOG_LEVEL="warning") as service:
        for way, milliseconds in found.items():
            game = create(requests.Session(), service.url)
            players = [Player(service.url, game, seat, way) for seat in (0, 1)]
            version, moves = game["version"], players[0].game()["moves"]
            for number in range(count):
                player, other = players[number % 2], players[1 - number % 2]
                sent = player.send_turn(moves[0])
                version += EVENTS_OF_A_TURN
                moves = other.wait_for_moves(version)
                milliseconds.append(1000 * (time.perf_counter() - sent))
                player.answer()
            for player in players:
                player.close()
    return found


class Watchers:
    """Many streams, read by one thread, which records when each of them has received which version."""

    def __init__(self, url: str, games: list[Any], count: int) -> None:
        self._selector = selectors.DefaultSelector()
        self._arrived: dict[tuple[str, int], list[float]] = {}
        self._changed = threading.Condition()
        self._readers: list[Reader] = []
        self.of = count // len(games)
        """Streams on each game."""
        for number in range(self.of * len(games)):
            game = games[number % len(games)]
            seats = game["tokens"]["seats"]
            token = [None, *seats][number // len(games) % (len(seats) + 1)]
            reader = Reader(url, f"/games/{game['id']}/events", token)
            assert reader.next(), "no game"
            self._readers.append(reader)
            self._selector.register(reader, selectors.EVENT_READ, (reader.socket, game["id"]))
        self._is_open = True
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        while self._is_open:
            for key, _ in self._selector.select(0.2):
                stream, game = key.data
                versions = [int(version) for version in VERSION.findall(stream.recv(65536))]
                now = time.perf_counter()
                for version in versions:
                    arrived = self._arrived.setdefault((game, version), [])
                    arrived.append(now)
                    if len(arrived) == self.of:
                        with self._changed:
                            self._changed.notify()

    def all_have(self, game: str, version: int) -> float:
        """When the last watcher of the game had that version."""
        with self._changed:
            complete = self._changed.wait_for(lambda: len(self._arrived.get((game, version), [])) == self.of, 30)
            assert complete, f"{len(self._arrived.get((game, version), []))} of {self.of} have version {version}"
            return max(self._arrived[game, version])

    def close(self) -> None:
        self._is_open = False
        self._thread.join()
        for reader in self._readers:
            reader.close()


def create(session: requests.Session, url: str) -> Any:
    return session.post(f"{url}/games", json={"variant": "duel", "players": ["Ann", "Ben"]}, timeout=30).json()


def move(session: requests.Session, url: str, game: Any, rng: random.Random) -> tuple[int, float]:
    """Make a move: the version that it led to, and when it was sent."""
    path, headers = f"{url}/games/{game['id']}/moves", {"Authorization": f"Bearer {game['tokens']['host']}"}
    moves = session.get(path, headers=headers, timeout=30).json()["moves"]
    sent = time.perf_counter()
    answer = session.post(path, json=rng.choice(moves), headers=headers, timeout=30)
    return int(answer.json()["version"]), sent


def play(url: str, name: str, stop: Any) -> None:
    """Normal traffic: games are created, looked at and moved."""
    session, rng = requests.Session(), random.Random(name)
    while not stop.is_set():
        game = create(session, url)
        for _ in range(20):
            session.get(f"{url}/games/{game['id']}", timeout=30)
            move(session, url, game, rng)
            stop.wait(3 / TRAFFIC)


@contextmanager
def traffic(url: str, name: str, *, wanted: bool) -> Iterator[None]:
    """Other clients, in a process of their own."""
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    process = context.Process(target=play, args=(url, name, stop))
    if wanted:
        process.start()
    try:
        yield
    finally:
        stop.set()
        if wanted:
            process.join()


class Case(NamedTuple):
    """A number of streams of a number of games, with or without other traffic."""

    name: str
    streams: int
    milliseconds: list[float]
    """From sending each move until its last watcher has it."""
    kilobytes: float
    """Memory of the service's processes for each stream."""


def memory(pid: int) -> int:
    """Kilobytes of memory of a process and its descendants; shared pages count once."""
    (pss,) = re.findall(r"^Pss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(pss) + sum(memory(int(child)) for child in children)


def delays(service: Service, name: str, games: int, streams: int, moves: int, *, busy: bool) -> Case:
    """Make moves, and wait for every watcher of each."""
    url = service.url
    session, rng = requests.Session(), random.Random(name)
    created = [create(session, url) for _ in range(games)]
    before = memory(service.process.pid)
    watchers = Watchers(url, created, streams)
    kilobytes = (memory(service.process.pid) - before) / streams
    try:
        with traffic(url, name, wanted=busy):
            milliseconds = []
            for number in range(moves):
                game = created[number % games]
                version, sent = move(session, url, game, rng)
                milliseconds.append((watchers.all_have(game["id"], version) - sent) * 1000)
                time.sleep(0.05)
    finally:
        watchers.close()
    return Case(name, streams, milliseconds, kilobytes)


def measure(streams: int = STREAMS, moves: int = MOVES) -> Iterator[Case]:
    """Every case, each on a new instance, because a process does not return the memory of an earlier case."""
    environment = {"LOG_LEVEL": "warning", "MAX_STREAMS_PER_ADDRESS": str(streams)}
    for games in (1, MANY_GAMES):
        for kind in ("idle", "beside traffic"):
            name = f"{games} game{'s' * (games > 1)}, {kind}"
            with tempfile.TemporaryDirectory() as folder, serving(Path(folder), **environment) as service:
                yield delays(service, name, games, streams, moves, busy=kind != "idle")


if __name__ == "__main__":
    for way, milliseconds in turns().items():
        print(f"until the other player can act, {way}: {statistics.median(milliseconds):.2f} ms", flush=True)
    for streams in (STREAMS, 2 * STREAMS):
        for case in measure(streams):
            values = sorted(case.milliseconds)
            delay = f"{values[len(values) // 2]:.1f} ms, at most {values[-1]:.1f} ms"
            print(f"{streams} streams, {case.name}: {delay}, {case.kilobytes:.0f} kB a stream", flush=True)
