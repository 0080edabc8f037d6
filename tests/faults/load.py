"""A load of clients that play many games at the same time, record every request, and verify the results."""

import http.client
import random
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import inf
from typing import Any

from lostcities.games.game import Event, Game, Setup, replay, resolve_chance, start
from lostcities.rules import duel
from lostcities.variants.registry import VARIANTS

from tests.client import Answer, Client
from tests.conformance.tables import brief
from tests.faults.linearizable import Request, check

HOST = "127.0.0.1"
PATIENCE = 30.0
"""Seconds for which a request with a key is retried."""


class Unanswered(Exception):
    """The connection was lost, so it is unknown whether the request was carried out."""


class _Connection(http.client.HTTPConnection):
    """A connection that is closed with its client."""

    def __del__(self) -> None:
        self.close()


def transport(port: int, *, timeout: float = 30.0, keep_alive: bool = True) -> Client:
    """A client of a real server over one connection. It reconnects when the connection is lost."""
    connections: list[_Connection] = []

    def send(method: str, path: str, headers: dict[str, str], data: bytes | None) -> Answer:
        if not connections:
            connections.append(_Connection(HOST, port, timeout=timeout))
        connection = connections[0]
        try:
            connection.request(method, path, body=data, headers=headers)
            response = connection.getresponse()
            answer = Answer(response.status, dict(response.headers), response.read())
        except (OSError, http.client.HTTPException) as error:
            connections.clear()
            connection.close()
            raise Unanswered(repr(error)) from error
        if response.will_close or not keep_alive:
            connections.clear()
            connection.close()
        return answer

    return Client(send)


@dataclass
class PlayedGame:
    """A game, its initial state, and all requests to it."""

    id: str
    host: str
    start: Game
    requests: list[Request] = field(default_factory=list)
    is_over: bool = False


def deal(api: Client, number: int) -> PlayedGame:
    """Create a game with a known seed. The variants take turns; the longest one has two turns."""
    variant = [*VARIANTS, duel.VARIANT][number % (len(VARIANTS) + 1)]
    rules = VARIANTS[variant].rules
    _, seats = rules.INFO.seats
    wish = {
        "variant": variant,
        "players": [f"Player {seat}" for seat in range(seats)],
        "options": brief(variant),
        "seed": random.Random(number).randbytes(32).hex(),
    }
    answer = persist(lambda: api.post("/games", wish, key=f"game-{uuid.uuid4()}"))
    assert answer.status == 201, answer.content
    created = answer.body
    setup = Setup(
        variant=variant,
        rules_version=rules.RULES_VERSION,
        players=tuple(wish["players"]),
        options=rules.parse_options(brief(variant)),
        chance="server",
        seed=bytes.fromhex(str(wish["seed"])),
        seeded_by="caller",
    )
    table, _ = resolve_chance(start(setup))
    assert created["version"] == table.version
    return PlayedGame(created["id"], created["tokens"]["host"], table)


def persist(send: Callable[[], Answer], seconds: float = PATIENCE) -> Answer:
    """Retry a request until the status is not 503. Raises `Unanswered`."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            answer = send()
            if answer.status != 503:
                return answer
            problem = f"503 {answer.code}"
        except Unanswered as error:
            problem = str(error)
        if time.monotonic() > deadline:
            raise Unanswered(problem)
        time.sleep(random.uniform(0.01, 0.1))


class Load:
    """Clients in threads that play games."""

    def __init__(
        self,
        connect: Callable[[], Client],
        *,
        games: int,
        clients: int,
        seed: int = 0,
        keyed: float = 0.8,
        patience: float = PATIENCE,
    ) -> None:
        """`connect`: a client for each; `keyed`: the share of moves sent with a key, and again until answered.

        `patience`: seconds for which that is tried; without any, a client leaves when something is not answered.
        """
        self.acknowledged = 0
        self.refused = 0
        self.unanswered = 0
        self.lost: list[str] = []
        """The errors of clients without patience."""
        self.failures: list[BaseException] = []
        self._patience = patience
        self._connect = connect
        self._keyed = keyed
        self._stop = threading.Event()
        self._lock = threading.Lock()
        api = connect()
        self.games = [deal(api, number) for number in range(games)]
        self._threads = [
            threading.Thread(target=self._play, args=[random.Random(f"{seed}/{number}")], daemon=True)
            for number in range(clients)
        ]

    def begin(self) -> None:
        for thread in self._threads:
            thread.start()

    def reach(self, moves: int, seconds: float = 300.0) -> None:
        """Wait until this number of moves is acknowledged, or all games are over."""
        deadline = time.monotonic() + seconds
        while self.acknowledged < moves and not all(game.is_over for game in self.games):
            assert not self.failures, self.failures[0]
            assert time.monotonic() < deadline, f"only {self.acknowledged} of {moves} moves in {seconds} s"
            time.sleep(0.01)

    def end(self) -> None:
        """Stop the clients after their current request."""
        self._stop.set()
        for thread in self._threads:
            thread.join(PATIENCE + 30)
            assert not thread.is_alive()
        if self.failures:
            raise self.failures[0]

    def run(self, moves: int, seconds: float = 300.0) -> None:
        self.begin()
        try:
            self.reach(moves, seconds)
        finally:
            self.end()

    # Clients

    def _play(self, rng: random.Random) -> None:
        try:
            api = self._connect()
            while not self._stop.is_set() and (open_games := [game for game in self.games if not game.is_over]):
                # Some games have many clients, so that requests conflict.
                self._turn(api, rng, open_games[int(len(open_games) * rng.random() ** 2)])
        except Unanswered as error:
            self.lost.append(str(error))
        except BaseException as error:
            self.failures.append(error)

    def _turn(self, api: Client, rng: random.Random, game: PlayedGame) -> None:
        if rng.random() < 0.1:
            self._ask(game, "game", lambda: api.get(f"/games/{game.id}?view=full", token=game.host))
        found = self._ask(game, "moves", lambda: api.get(f"/games/{game.id}/moves", token=game.host))
        if found is None:
            return
        if not found[1]:
            game.is_over = True
            return
        seat, notation = rng.choice(found[1])
        body = {"seat": seat, "notation": notation}
        key = f"move-{uuid.UUID(int=rng.getrandbits(128))}" if rng.random() < self._keyed else None

        def move() -> Answer:
            return api.post(f"/games/{game.id}/moves?view=full", body, token=game.host, key=key)

        self._ask(game, "move", move, again=key is not None, seat=seat, notation=notation)

    def _ask(self, game: PlayedGame, kind: Any, send: Callable[[], Answer], *, again: bool = True, **about: Any) -> Any:
        """Send and record a request. Returns the response, or `None` if there was none."""
        sent = time.monotonic()
        try:
            answer = persist(send, self._patience if again else 0.0)
        except Unanswered:
            with self._lock:
                self.unanswered += 1
            game.requests.append(Request(kind, sent, inf, **about))
            if not self._patience:
                raise
            return None
        answered = time.monotonic()
        told = _told(kind, answer)
        game.requests.append(Request(kind, sent, answered, answer=told, **about))
        with self._lock:
            self.acknowledged += kind == "move" and answer.status == 200
            self.refused += answer.status == 409
        return told

    # Verification

    def verify(self, *, reads: bool = True) -> None:
        """Every acknowledged move is in the history once, every history is legal, and every answer explained.

        Without `reads` only what was acknowledged needs to be explained: what was seen may have been lost since.
        """
        api = self._connect()
        for game in self.games:
            history = _history(api, game)
            for request in game.requests:
                if _is_acknowledged(request):
                    version, events = request.answer
                    found = tuple((event.actor, event.notation) for event in history[version - len(events) : version])
                    assert found == events, f"game {game.id}: {events} was acknowledged for {version}, kept is {found}"
            if not reads:
                game.requests = [each for each in game.requests if _is_acknowledged(each) or each.answered == inf]
            self._ask(game, "game", partial(api.get, f"/games/{game.id}?view=full", token=game.host))
            final = replay(start(game.start.setup), history)
            checked = check(game.start, game.requests)
            assert checked.state == final.state
            assert checked.version == len(history)


def _is_acknowledged(request: Request) -> bool:
    return request.kind == "move" and request.answered < inf and isinstance(request.answer, tuple)


def _told(kind: str, answer: Answer) -> Any:
    """An answer in the checker's words."""
    body = answer.body
    if answer.status == 409:
        return body["rule"]
    assert answer.status == 200, answer.content
    if kind == "move":
        return body["version"], tuple((event["actor"], event["notation"]) for event in body["events"])
    if kind == "moves":
        return body["version"], tuple((each["seat"], each["notation"]) for each in body["moves"])
    return body["version"], body["position"]


def _history(api: Client, game: PlayedGame) -> list[Event]:
    """All events, without redaction (as the host)."""
    events: list[Event] = []
    after: int | None = 0
    while after is not None:
        path = f"/games/{game.id}/history?view=full&limit=500&after={after}"
        answer = persist(partial(api.get, path, token=game.host))
        assert answer.status == 200, answer.content
        page = answer.body
        assert [event["version"] for event in page["events"]] == list(range(after + 1, after + 1 + len(page["events"])))
        events += [Event(event["actor"], event["notation"]) for event in page["events"]]
        after = page["next"]
    return events
