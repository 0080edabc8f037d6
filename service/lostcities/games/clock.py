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
"""Of a second."""


def acting_since(before: Game, known: Sequence[int], after: Game, events: Sequence[Event], now: int) -> tuple[int, ...]:
    """Since when each seat is to act after these events; 0 for a seat that is not, and for a bot's.

    The time of a seat runs on while it makes several moves in a row, and while other seats decide simultaneously.

    :param known: the same of the game before them
    """
    return tuple(
        0
        if seat not in after.to_act or after.bot_of(seat)
        else known[seat]
        if known[seat] and not _begins_anew(before, seat, after, events)
        else now
        for seat in range(after.seats)
    )


def _begins_anew(before: Game, seat: Seat, after: Game, events: Sequence[Event]) -> bool:
    """Whether an event of another actor, or a new person, gave the seat its decision."""
    last = after.decision_versions[seat]
    if last <= before.version:
        return False
    event = events[last - before.version - 1]
    changed = None if event.actor == CHANCE else parse_table_event(event.notation)
    return event.actor != seat or (changed is not None and changed.kind == PERSON)


def deadline(game: Game, since: int) -> int:
    """The time at which the time of a seat is up."""
    return since + (game.setup.turn_seconds or 0) * MILLISECONDS


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
    running = {
        seat: deadline(game, each) - now
        for seat, each in enumerate(since)
        if each and (seat != caller.seat if requested is None else seat == requested)
    }
    if not running:
        illegal("nothing-to-claim", "the time of no such seat is running")
    late = [seat for seat, left in running.items() if left <= 0]
    if not late:
        # Rounded up: a claim after so many seconds is not early.
        seconds = -(-min(running.values()) // 1000)
        illegal("too-early", "the seat has {seconds} s left", seconds=seconds)
    return late
