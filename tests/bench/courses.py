"""Games to measure with: random ones, played beforehand by the rules, so that every request in them is legal.

A game is stored with the seed that it was played with, so that the service's chance answers as it did beforehand.
"""

import random
import secrets
from base64 import b32encode
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, islice
from typing import Any, Final, NamedTuple

import msgspec

from service.rules.game import FULL
from service.rules.registry import GAMES
from service.store.codec import encode_record, encode_table
from service.store.redis import RedisStore
from service.table.game import Event, Table
from service.table.tokens import hashed, token
from tests.conformance.tables import TABLES, brief
from tests.store.tables import dealt, moved, record

BATCH: Final = 500
"""Events that are stored at a time."""


class Request(NamedTuple):
    """One request."""

    method: str
    path: str
    token: str | None = None
    body: bytes | None = None
    etag: str | None = None
    """Of what the caller has already."""

    @property
    def headers(self) -> dict[str, str]:
        """As it is sent."""
        sent = {"Host": "bench"}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        if self.etag:
            sent["If-None-Match"] = self.etag
        if self.body is not None:
            sent["Content-Type"] = "application/json"
            sent["Content-Length"] = str(len(self.body))
        return sent

    def raw(self) -> bytes:
        """As it goes over the wire."""
        lines = (f"{self.method} {self.path} HTTP/1.1", *(f"{name}: {value}" for name, value in self.headers.items()))
        return "\r\n".join((*lines, "", "")).encode() + (self.body or b"")


class Course(NamedTuple):
    """A game as it is stored, and the moves that its seats are going to make."""

    table: Table
    events: Sequence[Event]
    ahead: Sequence[Event]
    host: str = ""
    seats: Sequence[str] = ()

    @property
    def path(self) -> str:
        """Where it is found."""
        return f"/games/{self.table.record.id}"

    @property
    def next(self) -> Event:
        """The move that is made next."""
        return self.ahead[0]

    @property
    def mover(self) -> str:
        """The token of the seat that makes it."""
        return self.seats[int(self.next.actor)]

    @property
    def stored_bytes(self) -> int:
        """What a reader gets from the store."""
        return len(encode_record(self.table.record)) + len(encode_table(self.table))

    def anew(self) -> "Course":
        """The same game under another id, with other tokens."""
        of = self.table.record
        host = token("host", secrets.token_bytes(16))
        seats = [token("seat", secrets.token_bytes(16)) for _ in of.players]
        of = of._replace(
            id=b32encode(secrets.token_bytes(10)).decode().lower(), host=hashed(host), seats=tuple(map(hashed, seats))
        )
        return self._replace(table=self.table._replace(record=of), host=host, seats=seats)

    def keep(self, store: RedisStore) -> "Course":
        """Store it."""
        table = self.table._replace(version=min(BATCH, self.table.version))
        store.create(table, self.events[:BATCH])
        for first in range(BATCH, len(self.events), BATCH):
            events = self.events[first : first + BATCH]
            after = self.table._replace(version=first + len(events))
            store.append(table, after, events, self.table.record.created_at, None)
            table = after
        return self

    def at_version(self, version: int, ahead: int) -> "Course":
        """The same position with as many events behind it, its own as often as it takes, and some random moves ahead.

        Chance answers by the version: the moves that were made from here are not those that can be made now.
        """
        events = [*islice(cycle(self.events), version)]
        since = tuple(min(version, each) for each in self.table.since)
        table = self.table._replace(version=version, since=since)
        return self._replace(table=table, events=events, ahead=[*islice(_moves(table, random.Random(0)), ahead)])


class Played(NamedTuple):
    """A game that was played to its end."""

    tables: list[Table]
    """Before each move."""
    moves: list[Event]
    events: list[Event]

    def course(self, first: int = 0) -> Course:
        """From before that move on."""
        table = self.tables[first]
        return Course(table, self.events[: table.version], self.moves[first:])

    def middle(self) -> Course:
        """From the middle of its moves on."""
        return self.course(len(self.moves) // 2)


def _moves(table: Table, rng: random.Random) -> Iterator[Event]:
    """Random moves from there to the end."""
    while table.to_act:
        table, (move, *_) = moved(table, rng)
        yield move


def play(variant: str, seats: int, rng: random.Random, **options: Any) -> Played:
    """A random game, to its end."""
    chosen = GAMES[variant].options({**brief(variant), **options})
    table, events = dealt(record(variant, seats, options=chosen, seed=rng.randbytes(32)))
    tables, moves = [], []
    while table.to_act:
        tables.append(table)
        table, happened = moved(table, rng)
        moves.append(happened[0])
        events += happened
    return Played(tables, moves, events)


def games(variant: str, count: int) -> list[Played]:
    """Random games of a variant, with every number of seats in turn."""
    seats = [seats for each, seats in TABLES if each == variant]
    rng = random.Random(variant)
    return [play(variant, seats[number % len(seats)], rng) for number in range(count)]


# Requests in them ------------------------------------------------------------------------------------------------


def _move(event: Event) -> dict[str, Any]:
    return {"seat": event.actor, "notation": event.notation}


def listing(course: Course) -> Request:
    """The seat to move asks for its legal moves."""
    return Request("GET", f"{course.path}/moves", course.mover)


def looking(course: Course) -> Request:
    """It asks for the game."""
    return Request("GET", course.path, course.mover)


def checking(course: Course) -> Request:
    """It asks whether its next move is legal."""
    return Request("POST", f"{course.path}/check", course.mover, msgspec.json.encode(_move(course.next)))


def creating(variant: str) -> Request:
    """Somebody wants a game for as few as can play it."""
    players = [f"Player {seat}" for seat in range(GAMES[variant].ABOUT.seats[0])]
    return Request("POST", "/games", body=msgspec.json.encode({"variant": variant, "players": players}))


def paging(course: Course, after: int, limit: int) -> Request:
    """The seat to move reads a page of the history."""
    return Request("GET", f"{course.path}/history?after={after}&limit={limit}", course.mover)


def moving(course: Course) -> Iterator[Request]:
    """Each seat makes its moves, one by one."""
    for event in course.ahead:
        yield Request("POST", f"{course.path}/moves", course.seats[int(event.actor)], msgspec.json.encode(_move(event)))


def moving_in_lists(course: Course, length: int) -> Iterator[Request]:
    """The host makes them, so many in one request."""
    for first in range(0, len(course.ahead) - length + 1, length):
        moves = [*map(_move, course.ahead[first : first + length])]
        yield Request("POST", f"{course.path}/moves", course.host, msgspec.json.encode({"moves": moves}))


QUESTIONS: Final = ("moves", "apply", "check", "score")


def asking(course: Course, question: str) -> Request:
    """Somebody asks about the position as if it were his own."""
    of, state = course.table.record, course.table.state
    body = {"options": of.options.plain(), "position": of.game.view(state, FULL)}
    if question in ("apply", "check"):
        body["move"] = _move(course.next)
    return Request("POST", f"/variants/{of.variant}/{question}", body=msgspec.json.encode(body))


def endless(courses: Iterable[Course], store: RedisStore) -> Iterator[Course]:
    """Fresh copies of the games, one after the other, stored as they are taken."""
    for course in cycle(courses):
        yield course.anew().keep(store)
