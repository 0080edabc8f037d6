"""The time that seats have to act, and whether it is up.

All times are of the store's clock, in milliseconds since 1970.
"""

from collections.abc import Sequence
from typing import Final

from lostcities.games.game import Event, Game
from lostcities.games.moves import Unauthorized, require_seat
from lostcities.games.table import PERSON, parse_table_event
from lostcities.games.tokens import Caller
from lostcities.variants.core import CHANCE, Seat, Text, illegal

MILLISECONDS: Final = 1000
"""Milliseconds in a second."""


def acting_since(before: Game, known: Sequence[int], after: Game, events: Sequence[Event], now: int) -> tuple[int, ...]:
    """Since when each seat has its decision after these events.

    A seat that has decided keeps the time of that decision, which goes on if the seat takes its move back: otherwise it
    could gain time. The time of a seat runs on while it makes several moves in a row, and while other seats decide
    simultaneously. Bots have 0.

    :param known: the same times before these events
    """

    def since(seat: Seat) -> int:
        if after.bot_of(seat):
            return 0
        is_new = seat in after.to_act and (not known[seat] or _begins_anew(before, seat, after, events))
        return now if is_new else known[seat]

    return tuple(map(since, range(after.seats)))


def first_acting_since(game: Game, now: int) -> tuple[int, ...]:
    """Since when each seat of a new game has its decision."""
    return acting_since(game, (0,) * game.seats, game, (), now)


def running(game: Game, since: Sequence[int]) -> dict[Seat, int]:
    """The seats whose time is running, with the time at which it is up."""
    limit = (game.setup.turn_seconds or 0) * MILLISECONDS
    return {seat: each + limit for seat, each in enumerate(since) if each and seat in game.to_act}


def _begins_anew(before: Game, seat: Seat, after: Game, events: Sequence[Event]) -> bool:
    """Whether an event of another actor, or a new person, gave the seat its decision."""
    last = after.decision_versions[seat]
    if last <= before.version:
        return False
    event = events[last - before.version - 1]
    changed = None if event.actor == CHANCE else parse_table_event(event.notation)
    return event.actor != seat or (changed is not None and changed.kind == PERSON)


def late_seats(game: Game, since: Sequence[int], caller: Caller, requested: Seat | None, now: int) -> list[Seat]:
    """The seats whose time is up: all but the caller's own, or the one that is named.

    Raises `IllegalMove` if there is none.
    """
    require_seat(game, requested)
    if caller.role == "spectator":
        raise Unauthorized("token-required", Text("a token of this game is required"))
    if game.setup.turn_seconds is None:
        illegal("no-deadline", "this game was created without a time limit")
    if game.is_over:
        illegal("game-over", "the game is over")
    left = {
        seat: until - now
        for seat, until in running(game, since).items()
        if (seat != caller.seat if requested is None else seat == requested)
    }
    if not left:
        illegal("nothing-to-claim", "the time of no such seat is running")
    late = [seat for seat, milliseconds in left.items() if milliseconds <= 0]
    if not late:
        # Rounded up: a claim after so many seconds is not early.
        seconds = -(-min(left.values()) // 1000)
        illegal("too-early", "the seat has {seconds} s left", seconds=seconds)
    return late
