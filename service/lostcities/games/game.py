"""A game in progress: its setup, which never changes, its state at a version, and its events."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, NamedTuple

from lostcities.games.chance import source
from lostcities.games.table import (
    MAX_UNDONE,
    TABLE_ENDINGS,
    UNDO,
    OnTimeout,
    Seating,
    TableEvent,
    parse_table_event,
)
from lostcities.variants.core import (
    CHANCE,
    FULL,
    N_,
    OVER,
    Actor,
    AnyRules,
    IllegalMove,
    Move,
    Positions,
    Result,
    Seat,
    Text,
    Viewer,
    effective_viewer,
    illegal,
    total,
)
from lostcities.variants.registry import VARIANTS

TOO_LONG: Final = "too-long"
GAME_ENDINGS: Final[Mapping[str, str]] = {
    TOO_LONG: N_("the game has as many events as this service allows; it has no winner"),
    **TABLE_ENDINGS,
}
"""Endings by this service, besides those of the variant."""


def endings(rules: AnyRules) -> Mapping[str, str]:
    """Every reason for which a game of the variant can end."""
    return {**rules.INFO.endings, **GAME_ENDINGS}


class Setup(NamedTuple):
    """What a game is: everything that determines its course besides its events. Fixed when the game is created."""

    variant: str
    rules_version: int
    players: tuple[str, ...]
    """The names by seat."""
    options: Any
    """The variant's own `Options`. Those in force are in the state: seats may ask for another order."""
    chance: Literal["server", "client"]
    """Who determines the outcomes of chance: the seed, or the host."""
    seed: bytes | None = None
    """`None` if the host determines the outcomes."""
    seeded_by: Literal["server", "caller"] | None = None
    start: Any = None
    """The state at version 0 of a game created from a position."""
    max_events: int = 5_000
    """The number of events from which on no seat may move. Games that were stored without it have the default."""
    seed_from: int = 0
    """The seed determines the outcomes of the events after this version: a game may go on from a record without one."""
    bots: tuple[str | None, ...] = ()
    """By seat: the level of the bot that plays it, or `None` for a person. Empty: all seats are persons'."""
    turn_seconds: int | None = None
    """The time that a seat has to act; `None`: no limit."""
    on_timeout: OnTimeout | None = None
    """What happens to a seat whose time is up. `None` if there is no limit."""

    @property
    def rules(self) -> AnyRules:
        """The rules of the variant."""
        return VARIANTS[self.variant].rules

    @property
    def positions(self) -> Positions:
        """The positions of the variant."""
        return VARIANTS[self.variant].positions


class Event(NamedTuple):
    """A move, an outcome of chance or a table event. The n-th event of a game leads to version n."""

    actor: Actor
    notation: str
    visible_to: int | None = None
    """The only seat that may see the cards in the notation, or `None` if they are public."""


class Game(NamedTuple):
    """A game at one version."""

    setup: Setup
    state: Any
    version: int
    decision_versions: tuple[int, ...]
    """For each seat, then chance: the version of the last event that began, ended or replaced its decision."""
    changed_seating: Seating | None = None
    """Who plays the seats, if table events have changed it."""

    @property
    def rules(self) -> AnyRules:
        """The rules of the variant."""
        return self.setup.rules

    @property
    def seating(self) -> Seating:
        """Who plays the seats now."""
        setup = self.setup
        return self.changed_seating or Seating(setup.players, setup.bots or (None,) * len(setup.players))

    @property
    def players(self) -> tuple[str, ...]:
        """The names by seat, as table events have changed them."""
        return self.changed_seating.players if self.changed_seating else self.setup.players

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.setup.players)

    def bot_of(self, seat: Seat) -> str | None:
        """The level of the bot that plays the seat, or `None` if a person does."""
        bots = self.changed_seating.bots if self.changed_seating else self.setup.bots
        return bots[seat] if bots else None

    @property
    def to_act(self) -> tuple[Actor, ...]:
        """The actors that are to decide. At the limit of events no seat is."""
        return _to_act(self.setup, self.state, self.version, self.changed_seating)

    @property
    def is_over(self) -> bool:
        """Whether the game is finished."""
        return not self.to_act

    def effective_viewer(self, viewer: Viewer) -> Viewer:
        """The viewer whose view is shown for `viewer`: a finished game is public, its seed included."""
        return effective_viewer(viewer, is_over=self.is_over)

    @property
    def is_public(self) -> bool:
        """Whether a spectator gets everything."""
        return self.effective_viewer(None) == FULL

    @property
    def public_seed(self) -> bytes | None:
        """The seed, as far as a spectator gets it: before the end it would foretell the chance."""
        return self.setup.seed if self.is_public else None

    @property
    def phase(self) -> str:
        """The kind of decision that is due."""
        return OVER if self.is_over else self.rules.phase(self.state)

    @property
    def result(self) -> Result | None:
        """How the game ended; `None` while it goes on."""
        if not self.is_over:
            return None
        seating = self.seating
        by_the_rules = None if seating.ended else self.rules.result(self.state)
        if by_the_rules and not seating.resigned:
            return by_the_rules
        totals = tuple(map(total, self.rules.score(self.state)))
        best = max(totals[seat] for seat in seating.in_play)
        winners = tuple(seat for seat in seating.in_play if totals[seat] == best)
        if seating.ended:
            return Result(winners, totals, seating.ended)
        return by_the_rules._replace(winners=winners) if by_the_rules else Result((), totals, TOO_LONG)


def _to_act(setup: Setup, state: Any, version: int, seating: Seating | None) -> tuple[Actor, ...]:
    if seating and seating.ended:
        return ()
    acting = setup.rules.to_act(state)
    # The limit is checked before a move of a seat. The outcomes of chance that the move causes may exceed it.
    return acting if version < setup.max_events or acting == (CHANCE,) else ()


def start(setup: Setup) -> Game:
    """The game before any event."""
    seats = len(setup.players)
    state = setup.rules.setup(seats, setup.options) if setup.start is None else setup.start
    return Game(setup, state, 0, (0,) * (seats + 1))


def advance(game: Game, actor: Actor, move: Move) -> tuple[Game, Event]:
    """The game after one more event, and the event. Raises `IllegalMove`."""
    if game.is_over:
        raise IllegalMove("game-over", Text("the game is over"))
    return _advance(game, actor, move)


def _advance(game: Game, actor: Actor, move: Move) -> tuple[Game, Event]:
    rules = game.rules
    state = rules.apply(game.state, actor, move)
    visible_to = rules.visible_to(game.state, move) if move.by_chance else None
    return _next(game, actor, state, game.changed_seating), Event(actor, move.notation, visible_to)


def _next(game: Game, actor: Actor, state: Any, seating: Seating | None) -> Game:
    """The game after an event of the actor that led to the state and the table."""
    version = game.version + 1
    if seating and seating.in_turn:
        state = game.rules.choose_in_turn(state) or state
    before, after = game.to_act, _to_act(game.setup, state, version, seating)
    # In a simultaneous phase the move of one seat does not change the decision of another.
    decision_versions = tuple(
        version if seat == actor or (seat in before) != (seat in after) else earlier
        for seat, earlier in zip((*range(game.seats), CHANCE), game.decision_versions, strict=True)
    )
    return Game(game.setup, state, version, decision_versions, seating)


def change_table(game: Game, seat: Seat, event: TableEvent) -> tuple[Game, Event]:
    """The game after a table event other than `undo`, and the event. Raises `IllegalMove`."""
    _require_room(game)
    seating, setup = game.seating, game.setup
    bots_can_play = setup.chance == "server"
    match event.kind:
        case "resign":
            seating = seating.resign(seat, bots_can_play=bots_can_play)
        case "timeout":
            if seat not in game.to_act:
                illegal("not-your-turn", "the time of a seat runs only while it is to act")
            seating = seating.time_out(seat, setup.on_timeout, bots_can_play=bots_can_play)
        case "clockwise":
            seating = seating.choose_in_turn(seat, is_possible=game.rules.choose_in_turn(game.state) is not None)
        case "bot":
            seating = seating.hand_to_bot(seat, event.operand, bots_can_play=bots_can_play)
        case "person":
            seating = seating.hand_to_person(seat, event.operand)
        case _:
            raise ValueError(f"{event.kind} does not change the seating")
    return _next(game, seat, game.state, seating), Event(seat, event.notation)


def _require_room(game: Game) -> None:
    """Raise `IllegalMove` where a table event cannot be added: at the limit of events only chance may act."""
    if game.is_over or game.version >= game.setup.max_events:
        illegal("game-over", "the game is over")


class Course:
    """A game and what an `undo` would restore, while events are applied one after the other."""

    def __init__(self, game: Game) -> None:
        """The game from which events follow. What came before it cannot be undone."""
        self.game = game
        self._restored: list[Any] = []
        """The states before the last moves, all of one seat, the newest last."""
        self._last: Actor | None = None
        """The actor of the last event; `None` before the first one and after a table event."""
        self._undone = 0
        """How many moves the seat has taken back since another event."""

    def move(self, actor: Actor, move: Move) -> Event:
        """A move or an outcome of chance. Raises `IllegalMove`."""
        if self.game.is_over:
            illegal("game-over", "the game is over")
        return self._move(actor, move)

    def apply(self, event: Event) -> None:
        """An event of a stored history, which is trusted."""
        changed = None if event.actor == CHANCE else parse_table_event(event.notation)
        if changed is None:
            self._move(event.actor, self.game.rules.parse(event.notation))
        else:
            self.change_table(int(event.actor), changed)

    def change_table(self, seat: Seat, event: TableEvent) -> Event:
        """A table event. Raises `IllegalMove`."""
        if event.kind == UNDO:
            return self._undo(seat)
        self.game, happened = change_table(self.game, seat, event)
        self._forget(None)
        return happened

    def _move(self, actor: Actor, move: Move) -> Event:
        before = self.game.state
        self.game, event = _advance(self.game, actor, move)
        if actor != self._last or actor == CHANCE:
            self._forget(actor)
        if actor != CHANCE:
            self._restored.append(before)
        return event

    def _forget(self, actor: Actor | None) -> None:
        self._restored.clear()
        self._last = actor
        self._undone = 0

    def _undo(self, seat: Seat) -> Event:
        game = self.game
        _require_room(game)
        if game.bot_of(seat):
            illegal("nothing-to-undo", "a bot takes back no moves")
        if self._last == CHANCE:
            illegal("undo-past-chance", "chance has acted since the last move of this seat")
        if self._last not in (None, seat):
            illegal("undo-past-others", "another seat has moved since the last move of this seat")
        if not self._restored:
            illegal("nothing-to-undo", "there is no move of this seat that can be taken back")
        if self._undone >= MAX_UNDONE:
            illegal("nothing-to-undo", "this seat has taken back its moves too often: it has to let one stand")
        self.game = _next(game, seat, self._restored.pop(), game.changed_seating)
        self._undone += 1
        return Event(seat, UNDO)


def resolve_chance(game: Game) -> tuple[Game, list[Event]]:
    """Determine outcomes of chance from the seed until a seat is to act or the game is finished."""
    events: list[Event] = []
    seed = game.setup.seed
    if seed is not None:
        while game.to_act == (CHANCE,):
            outcome = game.rules.sample_chance(game.state, source(seed, game.version + 1))
            game, event = advance(game, CHANCE, outcome)
            events.append(event)
    return game, events


def replay(game: Game, events: Iterable[Event]) -> Game:
    """The game after those further events of its history."""
    course = Course(game)
    for event in events:
        course.apply(event)
    return course.game


def undoes_more(events: Iterable[Event]) -> bool:
    """Whether the events take back a move that is not among them, so that they cannot be replayed by themselves."""
    moves = 0
    for event in events:
        if event.notation == UNDO:
            moves -= 1
        elif event.actor != CHANCE and parse_table_event(event.notation) is None:
            moves += 1
        if moves < 0:
            return True
    return False


def redact(rules: AnyRules, event: Event, viewer: Viewer) -> str:
    """The notation of an event for a viewer. A card that the viewer may not see becomes `?`."""
    if event.visible_to is None or viewer in (event.visible_to, FULL):
        return event.notation
    return rules.parse(event.notation).redacted or event.notation


def has_seen_decision(game: Game, seen: int, actor: Actor) -> bool:
    """Whether the actor was already to make its present decision at version `seen`."""
    index = game.seats if actor == CHANCE else actor
    return game.decision_versions[index] <= seen <= game.version
