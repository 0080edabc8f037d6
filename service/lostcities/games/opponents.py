"""Seats that the service plays, and advice: what bots see, where their picks come from, when they move.

A stored game never waits for a bot: the event that makes a bot's seat act is written together with the bot's moves. So
a bot's decision follows from the seed and the history, and no other request can come between.
"""

import hashlib
from collections.abc import Callable, Hashable, Iterable
from typing import Final, Protocol, TypeVar

from lostcities.bots.core import SeatView, Thinking
from lostcities.bots.expert import Estimate
from lostcities.bots.levels import advise, decide
from lostcities.games.chance import source
from lostcities.games.game import Event, Game, advance, replay, resolve_chance
from lostcities.variants.core import CHANCE, Move, Seat
from lostcities.variants.registry import VARIANTS

BOT_LABEL: Final = "bot/"
"""The label of the bots' picks. It keeps them apart from the picks of chance."""

T = TypeVar("T")


class Think(Protocol):
    """Runs computations of bots."""

    def __call__(self, question: Hashable, begin: Callable[[], Thinking[T]]) -> T:
        """The result of the computation that `begin()` starts. Equal questions have equal results."""


def bot_to_act(game: Game) -> Seat | None:
    """The first seat that is to act and is played by the service."""
    return next((actor for actor in game.to_act if actor != CHANCE and game.bot_of(actor)), None)


def play_automatic(game: Game, think: Think) -> tuple[Game, list[Event]]:
    """Make the moves of bots and determine the outcomes of chance until only persons are to act.

    In a simultaneous phase a bot moves although persons are to act too.
    """
    game, events = resolve_chance(game)
    while (seat := bot_to_act(game)) is not None:
        game, event = advance(game, seat, _decide(game, seat, think))
        game, outcomes = resolve_chance(game)
        events += [event, *outcomes]
    return game, events


def _decide(game: Game, seat: Seat, think: Think) -> Move:
    question = game.setup.seed, game.version, seat, game.state
    return think(question, lambda: decision(game, seat))


def replay_automatic(game: Game, events: Iterable[Event]) -> Game:
    """The game after those of its next events that `play_automatic` made."""
    for event in events:
        if bot_to_act(game) is None and (game.setup.seed is None or game.to_act != (CHANCE,)):
            break
        game = replay(game, [event])
    return game


def decision(game: Game, seat: Seat) -> Thinking[Move]:
    """The move of the bot that plays the seat. It sees what the seat may see; its picks follow from the seed."""
    level, seed = game.bot_of(seat), game.setup.seed
    if level is None or seed is None:
        raise ValueError(f"no bot plays seat {seat}")
    moves = game.rules.legal_moves(game.state, seat)
    return (yield from decide(level, view_of(game, seat), moves, source(seed, game.version + 1, BOT_LABEL)))


def advice(game: Game, seat: Seat, think: Think) -> list[Estimate]:
    """What each legal move of the seat is worth, best first.

    The picks follow from what the seat sees: the same view has the same answer, in a stored game and in a question.
    """
    view = view_of(game, seat)
    seen = repr((game.setup.variant, view.options.plain(), view.position, seat))
    picks = hashlib.sha256(seen.encode()).digest()
    moves = game.rules.legal_moves(game.state, seat)
    return think(picks, lambda: advise(view, moves, source(picks, 0)))


def view_of(game: Game, seat: Seat) -> SeatView:
    """All that a bot in this seat may know."""
    position = game.rules.to_position(game.state, seat)
    return SeatView(VARIANTS[game.setup.variant], game.seats, game.state.options, position, seat)
