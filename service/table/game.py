"""A game being played: its record, which never changes, and its state, version by version."""

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from service.rules.game import CHANCE, Actor, Game, Move, Viewer
from service.rules.registry import GAMES
from service.table.chance import source


class Record(NamedTuple):
    """What is fixed when a game is created."""

    id: str
    variant: str
    rules_version: int
    players: tuple[str, ...]
    options: Any
    """The variant's own `Options`."""
    chance: Literal["server", "client"]
    """Who answers for chance: the seeded source, or the host."""
    seed: bytes | None
    """Nothing is drawn from a seed where the host answers for chance."""
    seeded_by: Literal["server", "caller"] | None
    host: bytes
    """The hash of the host's token."""
    seats: tuple[bytes, ...]
    """The hash of each seat's token."""
    created_at: int
    """Milliseconds since 1970."""
    lifetime: int
    """Milliseconds without an event after which the game expires."""
    start: Any = None
    """The state at version 0 of a game created from a position."""
    request: bytes | None = None
    """The fingerprint of the creating request, if it had an `Idempotency-Key`."""
    masks: tuple[bytes, ...] = ()
    """The secret parts of the tokens, host first, masked by that key: what a retry is answered from."""

    @property
    def game(self) -> Game:
        """The rules it is played by."""
        return GAMES[self.variant]


class Event(NamedTuple):
    """One entry of the history. The n-th event leads to version n."""

    actor: Actor
    notation: str
    witness: int | None = None
    """The one seat that sees the cards it names; `None`: everybody."""


class Table(NamedTuple):
    """A game at one version."""

    record: Record
    state: Any
    version: int
    since: tuple[int, ...]
    """For each seat, then chance: the version at which the decision that it now faces was put to it, or, if it faces
    none, at which its last one ended."""

    @property
    def to_act(self) -> tuple[Actor, ...]:
        """Who decides next."""
        return self.record.game.to_act(self.state)

    @property
    def is_over(self) -> bool:
        """Whether nobody decides any more, and nothing is secret."""
        return not self.to_act


def start(record: Record) -> Table:
    """The game before any event."""
    game = record.game
    state = game.setup(len(record.players), record.options) if record.start is None else record.start
    return Table(record, state, 0, (0,) * (len(record.players) + 1))


def advance(table: Table, actor: Actor, move: Move) -> tuple[Table, Event]:
    """One event. Raises `IllegalMove`."""
    game = table.record.game
    state = game.apply(table.state, actor, move)
    witness = game.witness(table.state, move) if move.by_chance else None
    version = table.version + 1
    before, after = table.to_act, game.to_act(state)
    # Another's move in a simultaneous phase leaves a seat's decision as it was put to it.
    since = tuple(
        version if seat == actor or (seat in before) != (seat in after) else earlier
        for seat, earlier in zip((*range(len(table.record.players)), CHANCE), table.since, strict=True)
    )
    return Table(table.record, state, version, since), Event(actor, move.notation, witness)


def settle(table: Table) -> tuple[Table, list[Event]]:
    """Let the seeded source answer for chance until a seat is to act or the game is over."""
    events: list[Event] = []
    record = table.record
    if record.seed is not None:
        while table.to_act == (CHANCE,):
            outcome = record.game.sample(table.state, source(record.seed, table.version + 1))
            table, event = advance(table, CHANCE, outcome)
            events.append(event)
    return table, events


def replay(record: Record, events: Iterable[Event]) -> Table:
    """The game after those events."""
    table = start(record)
    for event in events:
        table, _ = advance(table, event.actor, record.game.parse(event.notation))
    return table


def shown(record: Record, event: Event, viewer: Viewer) -> str:
    """The event's notation as the viewer may read it: every card it may not see is a `?`."""
    if event.witness is None or viewer in (event.witness, "full"):
        return event.notation
    return record.game.parse(event.notation).redacted or event.notation


def is_fresh(table: Table, seen: int, actor: Actor) -> bool:
    """Whether a caller who has seen version `seen` has seen the decision that this actor now faces."""
    index = len(table.record.players) if actor == CHANCE else actor
    return table.since[index] <= seen <= table.version
