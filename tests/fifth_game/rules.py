"""lantern: a minimal game for tests, with chance, hidden information, operands and options.

In a turn chance reveals the depth of a shaft to the active seat only. The seat digs once, digs twice or leaves.
Digging twice counts double, but a shaft of depth 1 then collapses and costs as many points.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from lostcities.variants.core import (
    CHANCE,
    FULL,
    SHARED_RULES,
    SHARED_VALUES,
    Actor,
    Line,
    Move,
    MoveType,
    NotAMove,
    Option,
    Pick,
    Position,
    Result,
    Ruling,
    Seat,
    Sheet,
    Text,
    VariantInfo,
    Viewer,
    already_in_turn,
    check_actor,
    illegal,
    result_by_points,
)

VARIANT: Final = "lantern"
RULES_VERSION: Final = 1

# Components ------------------------------------------------------------------------------------------------------

SEATS: Final = (2, 3)
DEPTHS: Final = range(1, 7)
MAX_SHAFTS: Final = 20
MAX_POINTS: Final = 2 * 6 * MAX_SHAFTS


class Options(NamedTuple):
    """The options of a game."""

    shafts: int = 3
    """Turns of each seat."""

    def plain(self) -> dict[str, Any]:
        """The options as JSON data."""
        return self._asdict()


# State -----------------------------------------------------------------------------------------------------------

LOWER, DIG, OVER = "lower", "dig", "over"


class State(NamedTuple):
    """The state of a game."""

    options: Options
    turns: int
    depth: int
    """The depth of the active seat's shaft; 0 before it is revealed."""
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
        raise NotAMove(text, Text("say 'dig 1', 'dig 2' or 'leave'"))
    return move


# Setup -----------------------------------------------------------------------------------------------------------


def parse_options(chosen: Mapping[str, Any]) -> Options:
    """The given options, with defaults for the others."""
    return Options(**chosen)


def setup(players: int, options: Options) -> State:
    """The initial state. Seat 0 begins."""
    return State(options, 0, 0, (0,) * players)


# Legal and apply -------------------------------------------------------------------------------------------------


def to_act(state: State) -> tuple[Actor, ...]:
    """Chance reveals the depth, then the active seat decides."""
    if state.is_over:
        return ()
    return (state.active,) if state.depth else (CHANCE,)


def phase(state: State) -> str:
    """The kind of decision that is due."""
    return OVER if state.is_over else DIG if state.depth else LOWER


choose_in_turn: Final = already_in_turn


def legal_moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """All moves, for the seat that is to act."""
    return tuple(VOCABULARY.values()) if to_act(state) == (seat,) else ()


def sample_chance(state: State, pick: Pick) -> Move:
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


# Visibility and score --------------------------------------------------------------------------------------------


def visible_to(state: State, outcome: Move) -> Seat | None:
    """Only the active seat sees the depth."""
    del outcome
    return state.active


def to_position(state: State, viewer: Viewer) -> Position:
    """The position, without the depth of another seat's shaft."""
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
    """The score sheet of each seat."""
    return tuple((Line("dug", points),) for points in state.dug)


def result(state: State) -> Result | None:
    """How the game ended."""
    return result_by_points(score(state), "last-shaft") if state.is_over else None


# Description -----------------------------------------------------------------------------------------------------

INFO: Final = VariantInfo(
    title="Lantern",
    seats=SEATS,
    components={"depths": [*DEPTHS]},
    options=[Option("shafts", Options().shafts, Text("Turns of each seat."))],
    moves=[
        MoveType("dig", "dig TIMES", "seat", "Digs once or twice."),
        MoveType("leave", "leave", "seat", "Leaves the shaft alone."),
        MoveType("lower", "lower DEPTH", "chance", "The lantern shows how deep the shaft is."),
    ],
    chance="`lower` makes one pick: pick(number of depths), an index into the depths.",
    phases={LOWER: "The lantern is lowered.", DIG: "Dig or leave.", OVER: "The game is over."},
    rules=SHARED_RULES,
    values=SHARED_VALUES,
    labels={"moves": {"dig": "dig", "leave": "leave", "lower": "lower"}, "score_items": {"dug": "dug"}},
    scales={"collapse": -1},
    endings={"last-shaft": "Every seat has had all of its turns."},
    rulings=[
        Ruling("secret", "text", "Only the active seat sees the depth."),
        Ruling("collapse", "ruling", "A shaft of depth 1 collapses."),
    ],
)
