"""lantern: a game made up for the tests, as small as a game can be that has chance, a secret, operands and options.

In its turn a seat lowers a lantern, sees alone how deep the shaft is, and digs there once or twice or leaves it.
Digging twice counts double, but a shaft of depth 1 collapses and costs as much.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from service.rules.game import (
    CHANCE,
    FULL,
    SHARED_RULES,
    About,
    Actor,
    InvalidPosition,
    Line,
    Move,
    MoveType,
    NotAMove,
    Option,
    Outcome,
    Pick,
    Position,
    Ruling,
    Seat,
    Sheet,
    Viewer,
    check_actor,
    decide,
    illegal,
)

VARIANT: Final = "lantern"
RULES_VERSION: Final = 1

# Components ------------------------------------------------------------------------------------------------------

SEATS: Final = (2, 3)
DEPTHS: Final = range(1, 7)
MAX_SHAFTS: Final = 20
MAX_POINTS: Final = 2 * 6 * MAX_SHAFTS


class Options(NamedTuple):
    """What a game can be created with."""

    shafts: int = 3
    """Turns of each seat."""

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return self._asdict()


# State -----------------------------------------------------------------------------------------------------------

LOWER, DIG, OVER = "lower", "dig", "over"


class State(NamedTuple):
    """A moment of the game."""

    options: Options
    turns: int
    depth: int
    """Of the shaft that the active seat looks into; 0: none yet."""
    dug: tuple[int, ...]
    """Each seat's points."""

    @property
    def active(self) -> int:
        """The seat whose turn it is."""
        return self.turns % len(self.dug)

    @property
    def is_over(self) -> bool:
        """Whether every seat has had all of its turns."""
        return self.turns == self.options.shafts * len(self.dug)


# Moves -----------------------------------------------------------------------------------------------------------

VOCABULARY: Final[Mapping[str, Move]] = {
    **{f"dig {times}": Move(f"dig {times}", "dig", (times,), {"times": times}) for times in (1, 2)},
    "leave": Move("leave", "leave"),
}
_OUTCOMES: Final = {
    f"lower {depth}": Move(f"lower {depth}", "lower", (depth,), by_chance=True, redacted="lower ?") for depth in DEPTHS
}


def parse(text: str) -> Move:
    """The move or outcome of that notation."""
    move = VOCABULARY.get(text) or _OUTCOMES.get(text)
    if move is None:
        raise NotAMove(text, "say 'dig 1', 'dig 2' or 'leave'")
    return move


# Setup -----------------------------------------------------------------------------------------------------------


def options(chosen: Mapping[str, Any]) -> Options:
    """The options as chosen, the rest by default."""
    return Options(**chosen)


def setup(players: int, options: Options) -> State:
    """Before the first shaft. Seat 0 begins."""
    return State(options, 0, 0, (0,) * players)


def place(players: int, options: Options, position: Position) -> State:
    """The state whose full view is `position`."""
    if position["depth"] is None:
        raise InvalidPosition("hidden", ["depth"], "nothing may be hidden: say how deep the shaft is, 0 for none")
    state = State(options, position["turns"], position["depth"], tuple(position["dug"]))
    if state.turns > options.shafts * players:
        raise InvalidPosition("turns", ["turns"], "the game would be over already")
    if state.is_over and state.depth:
        raise InvalidPosition("depth", ["depth"], "the game is over, and nobody looks into a shaft")
    for name in ("phase", "active"):
        if view(state, FULL)[name] != position[name]:
            raise InvalidPosition(name, [name], f"contradicts the turns and the depth: it is {view(state, FULL)[name]}")
    return state


# Legal and apply -------------------------------------------------------------------------------------------------


def to_act(state: State) -> tuple[Actor, ...]:
    """Chance lowers the lantern, then the active seat decides."""
    if state.is_over:
        return ()
    return (state.active,) if state.depth else (CHANCE,)


def phase(state: State) -> str:
    """The kind of decision that is due."""
    return OVER if state.is_over else DIG if state.depth else LOWER


def legal(state: State, seat: Seat) -> tuple[Move, ...]:
    """All the moves there are, for the seat that is to act."""
    return tuple(VOCABULARY.values()) if to_act(state) == (seat,) else ()


def sample(state: State, pick: Pick) -> Move:
    """How deep the shaft is."""
    del state
    return _OUTCOMES[f"lower {DEPTHS[pick(len(DEPTHS))]}"]


def apply(state: State, actor: Actor, move: Move) -> State:
    """The state after that move."""
    check_actor(to_act(state), actor, move)
    if move.by_chance:
        return state._replace(depth=move.args[0])
    if move.notation not in VOCABULARY:
        illegal("wrong-phase", "dig, or leave")
    points = 0 if move.type == "leave" else _points(state.depth, move.args[0])
    dug = tuple(own + points * (seat == actor) for seat, own in enumerate(state.dug))
    return state._replace(turns=state.turns + 1, depth=0, dug=dug)


def _points(depth: int, times: int) -> int:
    return -times if depth == 1 else depth * times


# View and score --------------------------------------------------------------------------------------------------


def witness(state: State, outcome: Move) -> Seat | None:
    """Only who holds the lantern sees how deep the shaft is."""
    del outcome
    return state.active


def view(state: State, viewer: Viewer) -> Position:
    """Everything but the depth of the shaft that another seat looks into."""
    hidden = state.depth and viewer not in (FULL, state.active)
    return {
        "variant": VARIANT,
        "phase": phase(state),
        "active": state.active,
        "turns": state.turns,
        "depth": None if hidden else state.depth,
        "dug": [*state.dug],
    }


def score(state: State) -> tuple[Sheet, ...]:
    """What each seat has dug."""
    return tuple((Line("dug", points),) for points in state.dug)


def outcome(state: State) -> Outcome | None:
    """How the game ended."""
    return decide(score(state), "last-shaft") if state.is_over else None


# About -----------------------------------------------------------------------------------------------------------

ABOUT: Final = About(
    title="Lantern",
    seats=SEATS,
    components={"depths": [*DEPTHS]},
    options=[Option("shafts", Options().shafts, "Turns of each seat.")],
    moves=[
        MoveType("dig", "dig TIMES", "seat", "Digs once or twice."),
        MoveType("leave", "leave", "seat", "Leaves the shaft alone."),
        MoveType("lower", "lower DEPTH", "chance", "The lantern shows how deep the shaft is."),
    ],
    phases={LOWER: "The lantern is lowered.", DIG: "Dig or leave.", OVER: "The game is over."},
    rules=SHARED_RULES,
    scales={"collapse": -1},
    endings={"last-shaft": "Every seat has had all of its turns."},
    rulings=[
        Ruling("secret", "text", "Only who holds the lantern sees the depth."),
        Ruling("collapse", "ruling", "A shaft of depth 1 collapses."),
    ],
)
