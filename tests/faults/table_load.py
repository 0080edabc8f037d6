"""Clients that make moves and table events at the same time, record what was acknowledged, and verify it."""

import random
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from lostcities.variants.registry import VARIANTS

from tests.client import Client, GameClient, create_game
from tests.faults.load import PATIENCE, persist

REFUSED: Final = (403, 409)
"""Statuses of requests that a bot's seat, the end of the game or a faster request makes impossible."""
KINDS: Final = ("move", "move", "move", "undo", "undo", "person", "bot", "claim", "clockwise", "resign")


@dataclass
class LoadedTable:
    """A game, and the answers that acknowledge changes of it."""

    game: GameClient
    answers: list[Any] = field(default_factory=list)
    handed: list[tuple[int, int, str | None]] = field(default_factory=list)
    """The version before each hand-over, the seat and its new token."""


class TableLoad:
    """Clients in threads, two for each game. Every request has a key and is sent again until it is answered."""

    def __init__(self, connect: Callable[[], Client]) -> None:
        self._connect = connect
        self._stop = threading.Event()
        self.failures: list[BaseException] = []
        self.tables: list[LoadedTable] = []
        for number, variant in enumerate(VARIANTS):
            seats = VARIANTS[variant].rules.INFO.seats[1]
            wish = {"seed": f"{number:02x}" * 32, "turn_seconds": 5, "on_timeout": "bot"}
            self.tables.append(LoadedTable(create_game(connect(), variant, seats, **wish)))
        self._threads = [
            threading.Thread(target=self._play, args=[table, random.Random(f"{number}/{client}")], daemon=True)
            for number, table in enumerate(self.tables)
            for client in range(2)
        ]

    @property
    def acknowledged(self) -> int:
        """The changes of all games."""
        return sum(len(table.answers) for table in self.tables)

    def begin(self) -> None:
        for thread in self._threads:
            thread.start()

    def reach(self, changes: int, seconds: float = 60.0) -> None:
        """Wait until this number of changes is acknowledged, or all games are over."""
        deadline = time.monotonic() + seconds
        while self.acknowledged < changes and any(thread.is_alive() for thread in self._threads):
            assert not self.failures, self.failures[0]
            assert time.monotonic() < deadline, f"only {self.acknowledged} of {changes} in {seconds} s"
            time.sleep(0.01)

    def end(self) -> None:
        """Stop the clients after their current request."""
        self._stop.set()
        for thread in self._threads:
            thread.join(PATIENCE + 30)
            assert not thread.is_alive()
        if self.failures:
            raise self.failures[0]

    def _play(self, table: LoadedTable, rng: random.Random) -> None:
        try:
            api = self._connect()
            while not self._stop.is_set():
                if not self._act(api, table, rng):
                    return
        except BaseException as error:
            self.failures.append(error)

    def _act(self, api: Client, table: LoadedTable, rng: random.Random) -> bool:
        """Send a random request. Returns whether the game goes on."""
        path, host = table.game.path, table.game.host
        state = persist(lambda: api.get(path + "?include=moves", token=host)).body
        if state["status"] == "finished":
            return False
        kind, seat = rng.choice(KINDS), rng.randrange(len(state["players"]))
        if kind == "resign" and rng.random() < 0.9:
            return True
        what: str = kind
        body: Any = {"seat": seat}
        if kind == "move":
            what, body = "moves", rng.choice(state["moves"])
        elif kind in ("person", "bot"):
            what, body = f"seats/{seat}", {kind: "Dee" if kind == "person" else "greedy"}
        key = str(uuid.UUID(int=rng.getrandbits(128)))
        answer = persist(lambda: api.post(f"{path}/{what}?view=full", body, token=host, key=key))
        if answer.status == 200:
            table.answers.append(answer.body)
            if kind in ("person", "bot"):
                table.handed.append((answer.body["events"][0]["version"], seat, answer.body["token"]))
        else:
            assert answer.status in REFUSED, answer.content
        return True

    def verify(self) -> None:
        """Every acknowledged event is in its history, every history is legal, and the newest tokens are valid."""
        api = self._connect()
        for table in self.tables:
            path, host = table.game.path, table.game.host
            record = api.get(f"{path}/record", token=host).body
            verdict = api.post(f"/variants/{record['variant']}/verify", record).body
            assert (verdict["valid"], verdict["chance"]) == (True, "verified"), verdict
            for answer in table.answers:
                for event in answer["events"]:
                    kept = record["events"][event["version"] - 1]
                    assert kept == {"actor": event["actor"], "notation": event["notation"]}
            newest = {seat: token for _, seat, token in sorted(table.handed)}
            for _, seat, token in table.handed:
                expected = 200 if token == newest[seat] else 401
                assert not token or api.get(path, token=token).status == expected
