"""lantern: from a position to a state, and from a seat's view to a position."""

from collections.abc import Sequence

from lostcities.variants.core import FULL, Actor, InvalidPosition, Move, Path, Pick, Position, Text, Viewer

from tests.fifth_game.rules import DEPTHS, Options, State, to_position


def from_position(players: int, options: Options, position: Position) -> State:
    """The state whose full view is `position`."""
    if position["depth"] is None:
        detail = Text("a full position must give the depth of the shaft, 0 for none")
        raise InvalidPosition("hidden-card", ["depth"], detail)
    state = State(options, position["turns"], position["depth"], tuple(position["dug"]))
    if state.turns > options.shafts * players:
        raise InvalidPosition("turns", ["turns"], Text("the game would be over already"))
    if state.is_over and state.depth:
        raise InvalidPosition("depth", ["depth"], Text("must be 0 when the game is over"))
    for name in ("phase", "active"):
        expected = to_position(state, FULL)[name]
        if position[name] != expected:
            detail = Text("contradicts the turns and the depth: it is {expected}", expected=expected)
            raise InvalidPosition(name, [name], detail)
    return state


def shown_to(position: Position) -> Viewer:
    """A depth that is hidden from a seat is hidden from a spectator too, so the viewer counts as one."""
    return None if position["depth"] is None else FULL


def fill_hidden(options: Options, position: Position, pick: Pick, outcomes: Sequence[Move] = ()) -> Position:
    """A hidden depth is any of them. Outcomes that are given come after it."""
    del options, outcomes
    return {**position, "depth": DEPTHS[pick(len(DEPTHS))]} if position["depth"] is None else position


def hidden_card(view: Position, state: State, actor: Actor, move: Move | None) -> Path | None:
    """What digging brings depends on the depth, until the turn is over."""
    is_digging = actor == state.active and move is not None and move.type == "dig"
    return ("depth",) if is_digging and view["depth"] is None and view["turns"] == state.turns else None
