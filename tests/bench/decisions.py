"""Bots play a whole game over HTTP, in three ways, and each way asks for less than the one before.

They list the moves before each decision; or every answer includes the next moves, and a wait is a long poll; or they
wait with a stream that includes the moves, which is the loop of the documented bots (`turns()` in openapi/clients). All
are without retries: an answer that is not 200 makes the run invalid. Each bot has a thread and a connection. In all
ways the games have the same seeds, and the bots choose alike.
"""

import hashlib
import http.client
import json
import random
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from lostcities.variants.registry import VARIANTS

from tests.bench.bench import Scale
from tests.bench.load import InvalidRun
from tests.bench.servers import Server
from tests.conformance.tables import brief
from tests.sse import Reader

TIMEOUT: Final = 60.0
WAIT: Final = 25
"""Seconds of a long poll."""


class Bot:
    """A seat of a game, and the connection of its bot."""

    def __init__(self, url: str, path: str, token: str, rng: random.Random) -> None:
        address = urlsplit(url)
        self._url = url
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

    def follow(self, what: str, after: int) -> Reader:
        """Open a stream."""
        self.requests += 1
        return Reader(self._url, self._path + what, self._token, last=after)

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


def follow_stream(bot: Bot) -> None:
    """Play to the end with the moves that every answer and the stream include."""
    game, _ = bot.get("?include=moves")
    with bot.follow("/events?include=moves", game["version"]) as stream:
        while game["status"] == "playing":
            if game["moves"]:
                game = bot.decide("/moves?include=moves", game["moves"], f'"{game["version"]}"')[0]["game"]
            else:
                game = next_game(stream, game["version"])


def next_game(stream: Reader, version: int) -> Any:
    """The first game in the stream with a later version. Raises `InvalidRun`."""
    while message := stream.next():
        game = message.data.get("game")
        if game and game["version"] > version:
            return game
    raise InvalidRun(f"the stream ended after version {version}")


class Decisions(NamedTuple):
    """What a decision cost in the games of one side's turn."""

    decisions: int
    requests: float
    cpu: float
    """Milliseconds of the server's processes."""
    store_cpu: float
    """Milliseconds of the store."""
    wall: float
    """Milliseconds of the games for each decision."""


def seated(server: Server, variant: str, turns: int, number: int) -> list[Bot]:
    """A new game, and a bot for each of its seats. Games with the same number are alike. Raises `InvalidRun`."""
    wish = {
        "variant": variant,
        "players": [f"Bot {seat}" for seat in range(VARIANTS[variant].rules.INFO.seats[0])],
        "options": brief(variant, turns),
        "seed": hashlib.sha256(f"{variant} {number}".encode()).hexdigest(),
    }
    answer = server.ask("POST", "/games", {"Content-Type": "application/json"}, json.dumps(wish).encode())
    if answer.status != 201:
        raise InvalidRun(f"POST /games: {answer.status} {answer.content!r}")
    game = json.loads(answer.content)
    return [
        Bot(server.url, f"/games/{game['id']}", token, random.Random(f"{number} {seat}"))
        for seat, token in enumerate(game["tokens"]["seats"])
    ]


def play(server: Server, games: Sequence[Sequence[Bot]], way: Callable[[Bot], None]) -> Decisions:
    """Let the bots play one game after the other. Raises `InvalidRun`."""
    before, begun = (server.cpu_seconds(), server.store_cpu_seconds()), time.perf_counter()
    for bots in games:
        with ThreadPoolExecutor(len(bots)) as threads:
            for finished in [threads.submit(way, bot) for bot in bots]:
                finished.result()
    seconds = time.perf_counter() - begun
    # The kernel counts CPU time in ticks of 10 ms: games that are too short for it count as one tick.
    cpu, store_cpu = (
        max(0.01, after - earlier)
        for after, earlier in zip((server.cpu_seconds(), server.store_cpu_seconds()), before, strict=True)
    )
    everyone = [bot for bots in games for bot in bots]
    for bot in everyone:
        bot.close()
    made = sum(bot.decisions for bot in everyone)
    requests = sum(bot.requests for bot in everyone) / made
    return Decisions(made, requests, *(1000 * each / made for each in (cpu, store_cpu, seconds)))


Side = tuple[Server, Callable[[Bot], None]]
"""A server, and the way in which the bots play there."""


def measure(sides: Sequence[Side], variant: str, scale: Scale) -> list[list[Decisions]]:
    """The rounds of each side. They alternate, and so does their order."""
    found: list[list[Decisions]] = [[] for _ in sides]
    for number in range(scale.rounds + 1):
        for side in range(len(sides)) if number % 2 else reversed(range(len(sides))):
            server, way = sides[side]
            numbers = range(number * scale.bot_games, (number + 1) * scale.bot_games)
            games = [seated(server, variant, scale.bot_turns, each) for each in numbers]
            cost = play(server, games, way)
            # Round 0 is a warm-up.
            if number:
                found[side].append(cost)
    return found
