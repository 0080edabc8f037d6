"""Questions about a position in a request: a full position, or what a seat or a spectator sees of one.

Hidden cards are filled in so that they fit the view. No answer depends on how: a question that a hidden card decides is
refused, and the answer hides what the view hides.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from lostcities.games.game import Event, Game, Setup, start
from lostcities.games.moves import (
    Malformed,
    RequestedMove,
    ResolvedMove,
    ViewRequest,
    acting_seats,
    apply_moves,
    resolve_moves,
)
from lostcities.games.tokens import HOST
from lostcities.variants.core import FULL, Actor, Move, Position, Seat, Viewer
from lostcities.variants.registry import VARIANTS


class Question(NamedTuple):
    """A position in a request, and a game in that position."""

    view: Position
    """The position as it was sent."""
    viewer: Viewer
    """The viewer of that position: a seat, a spectator, or one that sees everything."""
    game: Game
    """The game whose host asks. Its hidden cards are one possibility of many."""
    moves: Sequence[ResolvedMove]
    """The moves that the question is about."""

    def legal_seats(self, seat: int | None) -> list[int]:
        """The acting seats, or the given one if it acts. Raises `Malformed` if their moves depend on a hidden card."""
        seats = acting_seats(self.game, HOST, ViewRequest(seat, path=("seat",)))
        for each in seats:
            self._require_visible(self.game, each, None)
        return seats

    def require_view_of(self, seat: Seat) -> None:
        """Raise `Malformed` unless the position shows all that the seat knows."""
        self.legal_seats(seat)
        if self.viewer not in (FULL, seat):
            raise Malformed("hidden-card", f"the answer depends on what seat {seat} sees", ("position",))

    def visible_seats(self, game: Game) -> list[int]:
        """The acting seats of a game that this one has led to, without those whose moves depend on hidden cards."""
        hidden_card = game.setup.positions.hidden_card
        return [
            seat
            for seat in acting_seats(game, HOST, ViewRequest())
            if hidden_card(self.view, game.state, seat, None) is None
        ]

    def apply(self) -> tuple[Game, list[Event]]:
        """The game after the moves, and the events. Raises as `apply_moves` does, and `Malformed` for a hidden card."""
        check = None if self.viewer == FULL else self._require_visible
        return apply_moves(self.game, HOST, self.moves, past_chance=True, check=check)

    def _require_visible(self, game: Game, actor: Actor, move: Move | None) -> None:
        path = game.setup.positions.hidden_card(self.view, game.state, actor, move)
        if path is not None:
            raise Malformed("hidden-card", "the answer depends on this card, which is hidden", ("position", *path))


def ask(
    variant: str,
    players: int,
    options: Mapping[str, Any],
    position: Position,
    requested: Sequence[RequestedMove] = (),
) -> Question:
    """A question about a position, and about moves in it. Raises `Invalid`, or `Malformed` for what is not a move."""
    rules, positions = VARIANTS[variant].rules, VARIANTS[variant].positions
    chosen = rules.parse_options(options)
    moves = resolve_moves(rules, requested)
    viewer = positions.shown_to(position)
    filled = position
    if viewer != FULL:
        filled = positions.fill_hidden(chosen, position, _first, [move for _, move in moves if move.by_chance])
    state = positions.from_position(players, chosen, filled)
    setup = Setup(variant, rules.RULES_VERSION, ("",) * players, chosen, "client", start=state)
    return Question(position, viewer, start(setup), moves)


def _first(n: int) -> int:
    """Always the first possibility, so that the same question has the same answer."""
    del n
    return 0
