"""Bots play a whole game over HTTP: they list the moves before each decision, or every answer includes the next moves.

The loops are those of the bots in openapi/README.md, without their retries: an answer that is not 200 makes the run
invalid. Each bot has a thread and a connection. In both ways the games have the same seed, and the bots choose alike.
"""

import hashlib
import http.client
import json
import random
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from lostcities.rules.registry import RULES

from tests.bench.load import InvalidRun
from tests.bench.servers import Server
from tests.conformance.tables import brief

TIMEOUT: Final = 60.0
WAIT: Final = 25
"""Seconds of a long poll."""


class Bot:
    """A seat of a game, and the connection of its bot."""

    def __init__(self, url: str, path: str, token: str, rng: random.Random) -> None:
        address = urlsplit(url)
        self._connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=TIMEOUT)
        self._path = path
        self._token = token
        self._rng = rng
        self.requests = 0
        self.decisions = 0

    def get(self, what: str) -> tuple[Any, str]:
        """Send a GET; the body and the ETag of the answer."""
        return self._ask("GET", what, None, {})

    def decide(self, what: str, moves: list[Any], etag: str) -> tuple[Any, str]:
        """Make one of the moves; the body and the ETag of the answer."""
        self.decisions += 1
        headers = {"Content-Type": "application/json", "If-Match": etag, "Idempotency-Key": str(uuid.uuid4())}
        return self._ask("POST", what, json.dumps(self._rng.choice(moves)).encode(), headers)

    def _ask(self, method: str, what: str, body: bytes | None, headers: Mapping[str, str]) -> tuple[Any, str]:
        self.requests += 1
        authorised = {"Authorization": f"Bearer {self._token}", **headers}
        self._connection.request(method, self._path + what, body, authorised)
        response = self._connection.getresponse()
        content = response.read()
        if response.status != 200:
            raise InvalidRun(f"{method} {what}: {response.status} {content!r}")
        return json.loads(content), response.headers["ETag"]

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def list_first(bot: Bot) -> None:
    """Play to the end with a request for the moves before each decision."""
    status = "playing"
    while status == "playing":
        listed, etag = bot.get("/moves")
        if listed["moves"]:
            game = bot.decide("/moves", listed["moves"], etag)[0]["game"]
        else:
            game, _ = bot.get(f"?after={listed['version']}&wait={WAIT}")
        status = game["status"]


def include_moves(bot: Bot) -> None:
    """Play to the end with the moves that every answer includes."""
    game, etag = bot.get("?include=moves")
    while game["status"] == "playing":
        if game["moves"]:
            made, etag = bot.decide("/moves?include=moves", game["moves"], etag)
            game = made["game"]
        else:
            game, etag = bot.get(f"?include=moves&after={game['version']}&wait={WAIT}")


class BotGame(NamedTuple):
    """What a decision cost in one game."""

    decisions: int
    requests: float
    cpu: float
    """Milliseconds of the server's processes."""
    store_cpu: float
    """Milliseconds of the store."""
    wall: float
    """Milliseconds of the game for each decision."""


def play(server: Server, variant: str, turns: int, number: int, way: Callable[[Bot], None]) -> BotGame:
    """Let bots play a game. Games with the same number are alike. Raises `InvalidRun`."""
    seats = RULES[variant].INFO.seats[0]
    wish = {
        "variant": variant,
        "players": [f"Bot {seat}" for seat in range(seats)],
        "options": brief(variant, turns),
        "seed": hashlib.sha256(f"{variant} {number}".encode()).hexdigest(),
    }
    answer = server.ask("POST", "/games", {"Content-Type": "application/json"}, json.dumps(wish).encode())
    if answer.status != 201:
        raise InvalidRun(f"POST /games: {answer.status} {answer.content!r}")
    game = json.loads(answer.content)
    bots = [
        Bot(server.url, f"/games/{game['id']}", token, random.Random(f"{number} {seat}"))
        for seat, token in enumerate(game["tokens"]["seats"])
    ]
    before, begun = (server.cpu_seconds(), server.store_cpu_seconds()), time.perf_counter()
    with ThreadPoolExecutor(seats) as threads:
        for finished in [threads.submit(way, bot) for bot in bots]:
            finished.result()
    seconds = time.perf_counter() - begun
    # The kernel counts CPU time in ticks of 10 ms: a game that is too short for it counts as one tick.
    cpu, store_cpu = (
        max(0.01, after - earlier)
        for after, earlier in zip((server.cpu_seconds(), server.store_cpu_seconds()), before, strict=True)
    )
    for bot in bots:
        bot.close()
    made = sum(bot.decisions for bot in bots)
    requests = sum(bot.requests for bot in bots) / made
    return BotGame(made, requests, *(1000 * each / made for each in (cpu, store_cpu, seconds)))


def measure(server: Server, variant: str, turns: int, rounds: int) -> tuple[list[BotGame], list[BotGame]]:
    """The games with `include`, and those with lists. They alternate, and so does their order."""
    ways = (include_moves, list_first)
    found: tuple[list[BotGame], list[BotGame]] = ([], [])
    for number, order in _orders(rounds):
        for side in order:
            game = play(server, variant, turns, number, ways[side])
            if number:
                found[side].append(game)
    return found


def _orders(rounds: int) -> Iterator[tuple[int, tuple[int, int]]]:
    """The number of each round and the order of the two sides in it. Round 0 is a warm-up."""
    for number in range(rounds + 1):
        yield number, (0, 1) if number % 2 else (1, 0)
