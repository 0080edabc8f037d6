"""A game in progress: its setup, which never changes, its state at a version, and its events."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, NamedTuple

from lostcities.games.chance import source
from lostcities.variants.core import (
    CHANCE,
    FULL,
    OVER,
    Actor,
    AnyRules,
    IllegalMove,
    Move,
    Positions,
    Result,
    Seat,
    Viewer,
    total,
)
from lostcities.variants.registry import VARIANTS

TOO_LONG: Final = "too-long"
GAME_ENDINGS: Final[Mapping[str, str]] = {
    TOO_LONG: "the game has as many events as this service allows; it has no winner",
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
    """The variant's own `Options`."""
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

    @property
    def rules(self) -> AnyRules:
        """The rules of the variant."""
        return VARIANTS[self.variant].rules

    @property
    def positions(self) -> Positions:
        """The positions of the variant."""
        return VARIANTS[self.variant].positions


class Event(NamedTuple):
    """A move or an outcome of chance. The n-th event of a game leads to version n."""

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

    @property
    def rules(self) -> AnyRules:
        """The rules of the variant."""
        return self.setup.rules

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.setup.players)

    def bot_of(self, seat: Seat) -> str | None:
        """The level of the bot that plays the seat, or `None` if a person does."""
        bots = self.setup.bots
        return bots[seat] if bots else None

    @property
    def to_act(self) -> tuple[Actor, ...]:
        """The actors that are to decide. At the limit of events no seat is."""
        return _to_act(self.setup, self.state, self.version)

    @property
    def is_over(self) -> bool:
        """Whether the game is finished."""
        return not self.to_act

    def effective_viewer(self, viewer: Viewer) -> Viewer:
        """The viewer whose view is shown for `viewer`: a finished game is public, its seed included."""
        return FULL if self.is_over else viewer

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
        by_the_rules = self.rules.result(self.state)
        return by_the_rules or Result((), tuple(map(total, self.rules.score(self.state))), TOO_LONG)


def _to_act(setup: Setup, state: Any, version: int) -> tuple[Actor, ...]:
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
        raise IllegalMove("game-over", "the game is over")
    return _advance(game, actor, move)


def _advance(game: Game, actor: Actor, move: Move) -> tuple[Game, Event]:
    rules = game.rules
    state = rules.apply(game.state, actor, move)
    visible_to = rules.visible_to(game.state, move) if move.by_chance else None
    version = game.version + 1
    before, after = game.to_act, _to_act(game.setup, state, version)
    # In a simultaneous phase the move of one seat does not change the decision of another.
    decision_versions = tuple(
        version if seat == actor or (seat in before) != (seat in after) else earlier
        for seat, earlier in zip((*range(game.seats), CHANCE), game.decision_versions, strict=True)
    )
    return Game(game.setup, state, version, decision_versions), Event(actor, move.notation, visible_to)


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
    parse = game.rules.parse
    for event in events:
        game, _ = _advance(game, event.actor, parse(event.notation))
    return game


def redact(rules: AnyRules, event: Event, viewer: Viewer) -> str:
    """The notation of an event for a viewer. A card that the viewer may not see becomes `?`."""
    if event.visible_to is None or viewer in (event.visible_to, FULL):
        return event.notation
    return rules.parse(event.notation).redacted or event.notation


def has_seen_decision(game: Game, seen: int, actor: Actor) -> bool:
    """Whether the actor was already to make its present decision at version `seen`."""
    index = game.seats if actor == CHANCE else actor
    return game.decision_versions[index] <= seen <= game.version
