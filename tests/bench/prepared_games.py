"""Games to measure with: random games, played in advance by the rules, so that every request in them is legal.

A game is stored with the seed that it was played with, so that the service draws the same outcomes of chance.
"""

import random
import secrets
from base64 import b32encode
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, islice
from typing import Any, Final, NamedTuple

import msgspec
from lostcities.games.game import Event
from lostcities.games.storage import StoredGame
from lostcities.games.tokens import format_token, hash_token
from lostcities.store.codec import encode_setup, encode_state
from lostcities.store.redis import RedisStore
from lostcities.variants.core import FULL
from lostcities.variants.registry import VARIANTS

from tests.conformance.tables import TABLES, brief
from tests.store.tables import dealt, moved, setup

BATCH: Final = 500
"""Events stored by one write."""


class Request(NamedTuple):
    """An HTTP request."""

    method: str
    path: str
    token: str | None = None
    body: bytes | None = None
    etag: str | None = None
    """Value of `If-None-Match`."""

    @property
    def headers(self) -> dict[str, str]:
        """The request's headers."""
        headers = {"Host": "bench"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if self.etag:
            headers["If-None-Match"] = self.etag
        if self.body is not None:
            headers["Content-Type"] = "application/json"
            headers["Content-Length"] = str(len(self.body))
        return headers

    def raw(self) -> bytes:
        """The bytes that are sent."""
        lines = (f"{self.method} {self.path} HTTP/1.1", *(f"{name}: {value}" for name, value in self.headers.items()))
        return "\r\n".join((*lines, "", "")).encode() + (self.body or b"")


class PreparedGame(NamedTuple):
    """A game in progress, and the moves that its seats will make."""

    stored: StoredGame
    events: Sequence[Event]
    moves: Sequence[Event]
    host: str = ""
    """The host's token."""
    seats: Sequence[str] = ()
    """The token of each seat."""

    @property
    def path(self) -> str:
        """The game's path."""
        return f"/games/{self.stored.id}"

    @property
    def next_token(self) -> str:
        """The token of the seat that makes the next move."""
        return self.seats[int(self.moves[0].actor)]

    @property
    def stored_bytes(self) -> int:
        """Size of what a read of the game gets from the store."""
        game = self.stored.game
        return len(encode_setup(self.stored.registration, game.setup)) + len(encode_state(game))

    def copy(self) -> "PreparedGame":
        """The same game under another id and with other tokens."""
        host = format_token("host", secrets.token_bytes(16))
        seats = [format_token("seat", secrets.token_bytes(16)) for _ in range(self.stored.game.seats)]
        other = self.stored.registration._replace(
            id=b32encode(secrets.token_bytes(10)).decode().lower(),
            host=hash_token(host),
            seats=tuple(map(hash_token, seats)),
        )
        return self._replace(stored=self.stored._replace(registration=other), host=host, seats=seats)

    def save(self, store: RedisStore) -> "PreparedGame":
        """Store the game and return it."""
        before = self._at(min(BATCH, self.stored.game.version))
        store.create(before, self.events[:BATCH])
        for first in range(BATCH, len(self.events), BATCH):
            events = self.events[first : first + BATCH]
            after = self._at(first + len(events))
            store.append(before, after, events, None)
            before = after
        return self

    def _at(self, version: int) -> StoredGame:
        return self.stored._replace(game=self.stored.game._replace(version=version))

    def at_version(self, version: int, moves: int) -> "PreparedGame":
        """The same position with another number of events before it, and that many random moves to make.

        The events are the game's own, repeated. Outcomes of chance depend on the version, so the moves are new ones.
        """
        events = [*islice(cycle(self.events), version)]
        game = self.stored.game
        since = tuple(min(version, each) for each in game.decision_versions)
        # A game at its limit of events has no moves.
        unlimited = game.setup._replace(max_events=version + game.setup.max_events)
        stored = self.stored._replace(game=game._replace(setup=unlimited, version=version, decision_versions=since))
        return self._replace(
            stored=stored, events=events, moves=[*islice(_random_moves(stored, random.Random(0)), moves)]
        )


class PlayedGame(NamedTuple):
    """A game that was played to its end."""

    tables: list[StoredGame]
    """The table before each move."""
    moves: list[Event]
    events: list[Event]

    def before_move(self, first: int = 0) -> PreparedGame:
        """The game as it was before that move."""
        stored = self.tables[first]
        return PreparedGame(stored, self.events[: stored.game.version], self.moves[first:])

    def middle(self) -> PreparedGame:
        """The game with half of its moves made."""
        return self.before_move(len(self.moves) // 2)


def _random_moves(table: StoredGame, rng: random.Random) -> Iterator[Event]:
    """Random moves from there to the end of the game."""
    while table.game.to_act:
        table, (move, *_) = moved(table, rng)
        yield move


def play(variant: str, seats: int, rng: random.Random, **options: Any) -> PlayedGame:
    """A random game, played to its end."""
    chosen = VARIANTS[variant].rules.parse_options({**brief(variant), **options})
    table, events = dealt(setup(variant, seats, options=chosen, seed=rng.randbytes(32)))
    tables, moves = [], []
    while table.game.to_act:
        tables.append(table)
        table, happened = moved(table, rng)
        moves.append(happened[0])
        events += happened
    return PlayedGame(tables, moves, events)


def random_games(variant: str, count: int) -> list[PlayedGame]:
    """Random games of a variant, with every number of seats in turn."""
    seats = [seats for each, seats in TABLES if each == variant]
    rng = random.Random(variant)
    return [play(variant, seats[number % len(seats)], rng) for number in range(count)]


def stored_copies(games: Iterable[PreparedGame], store: RedisStore) -> Iterator[PreparedGame]:
    """Copies of the games in turn, without end, each stored when it is taken."""
    for game in cycle(games):
        yield game.copy().save(store)


# Requests --------------------------------------------------------------------------------------------------------


def _move(event: Event) -> dict[str, Any]:
    return {"seat": event.actor, "notation": event.notation}


def list_moves(game: PreparedGame) -> Request:
    """The seat to move lists its legal moves."""
    return Request("GET", f"{game.path}/moves", game.next_token)


def get_game(game: PreparedGame) -> Request:
    """The seat to move gets the game."""
    return Request("GET", game.path, game.next_token)


def check_move(game: PreparedGame) -> Request:
    """The seat to move checks its next move."""
    return Request("POST", f"{game.path}/check", game.next_token, msgspec.json.encode(_move(game.moves[0])))


def create_game(variant: str) -> Request:
    """A new game with the fewest players."""
    players = [f"Player {seat}" for seat in range(VARIANTS[variant].rules.INFO.seats[0])]
    return Request("POST", "/games", body=msgspec.json.encode({"variant": variant, "players": players}))


def get_history(game: PreparedGame, after: int, limit: int) -> Request:
    """The seat to move reads a page of the history."""
    return Request("GET", f"{game.path}/history?after={after}&limit={limit}", game.next_token)


def make_moves(game: PreparedGame) -> Iterator[Request]:
    """The seats make the game's moves, one in each request."""
    for event in game.moves:
        yield Request("POST", f"{game.path}/moves", game.seats[int(event.actor)], msgspec.json.encode(_move(event)))


def make_move_lists(game: PreparedGame, length: int) -> Iterator[Request]:
    """The host makes the game's moves, `length` of them in each request."""
    for first in range(0, len(game.moves) - length + 1, length):
        moves = [*map(_move, game.moves[first : first + length])]
        yield Request("POST", f"{game.path}/moves", game.host, msgspec.json.encode({"moves": moves}))


QUESTIONS: Final = ("moves", "apply", "check", "score")
"""The stateless calls."""


def ask_about_position(game: PreparedGame, question: str) -> Request:
    """A stateless call about the game's position."""
    of, state = game.stored.game.setup, game.stored.game.state
    body = {"options": of.options.plain(), "position": of.rules.to_position(state, FULL)}
    if question in ("apply", "check"):
        body["move"] = _move(game.moves[0])
    if question == "advice":
        body["seat"] = game.moves[0].actor
    return Request("POST", f"/variants/{of.variant}/{question}", body=msgspec.json.encode(body))
