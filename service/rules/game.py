"""The one interface that every game implements, and the words its parts are made of.

A game is a module of pure functions over a frozen `State` (`Game` below is its shape). Seats and chance take
turns at a state; `apply` is the only way from one state to the next.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple, NoReturn, Protocol

CHANCE: Final = "chance"
"""The actor that deals, draws and rolls."""

FULL: Final = "full"
"""The viewer from whom nothing is hidden."""

Seat = int
Actor = int | Literal["chance"]
Viewer = int | Literal["full"] | None
"""Who looks: a seat, `FULL`, or `None` for a spectator."""

Pick = Callable[[int], int]
"""`pick(n)` answers a uniform number of `range(n)`. The rules ask; they never roll."""

Position = dict[str, Any]
"""A state as plain data, in the variant's own shape."""

Path = Sequence[str | int]
"""Where in plain data: keys and indexes from its root."""


# Moves -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move:
    """One word of a variant's vocabulary: a decision of a seat, or an outcome of chance.

    Within a variant the notation determines the move, so it alone is compared.
    """

    notation: str
    """The canonical text, the same in requests, responses, history and logs."""
    type: str = field(compare=False)
    """The verb."""
    args: tuple[int, ...] = field(default=(), compare=False)
    """What the verb applies to, in the game's own small integers."""
    fields: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The structured form: the verb's operands by name, as plain data. Outcomes of chance have none."""
    by_chance: bool = field(default=False, compare=False)
    """Whether chance says it, not a seat."""
    redacted: str | None = field(default=None, compare=False)
    """How it reads to those who may not see its cards: one `?` for each."""


class NotAMove(ValueError):
    """The text is outside the variant's vocabulary."""

    def __init__(self, text: str, hint: str) -> None:
        super().__init__(f"{_shown(text)} is not a move: {hint}")


class IllegalMove(Exception):
    """The move breaks a rule here. Nothing has changed."""

    def __init__(self, rule: str, detail: str) -> None:
        super().__init__(detail)
        self.rule = rule
        """The stable code of the rule that is broken."""
        self.detail = detail
        """One sentence for people."""


class Invalid(ValueError):
    """Options or a position that no game can have."""

    def __init__(self, invariant: str, path: Path, detail: str) -> None:
        super().__init__(detail)
        self.invariant = invariant
        """The stable code of the invariant that is broken."""
        self.path = tuple(path)
        """Where, from the root of the options or the position."""
        self.detail = detail


class InvalidOptions(Invalid):
    """Options that contradict each other or the variant."""


class InvalidPosition(Invalid):
    """A position that cannot be reached, or that hides what is needed."""


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "…")


# What every game refuses in the same words -----------------------------------------------------------------------

SHARED_RULES: Final[Mapping[str, str]] = {
    "game-over": "A finished game takes no more moves.",
    "not-your-turn": "Only a seat that is to act may move.",
    "chance-to-act": "A deal, draw or roll is awaited before anybody moves.",
    "outcome-by-seat": "Deals, draws and rolls are outcomes of chance: no seat can say them.",
    "move-by-chance": "Chance deals, draws and rolls; it makes no decisions.",
    "chance-not-awaited": "No outcome of chance is awaited.",
    "wrong-phase": "Another kind of decision is due.",
}


def illegal(rule: str, detail: str) -> NoReturn:
    """Refuse a move for breaking `rule`."""
    raise IllegalMove(rule, detail)


def check_actor(to_act: Sequence[Actor], actor: Actor, move: Move) -> None:
    """Refuse a move whose actor is not to act, or that is not this kind of actor's to say.

    >>> check_actor((0,), 1, Move("draw deck", "draw"))
    Traceback (most recent call last):
        ...
    service.rules.game.IllegalMove: it is seat 0's turn, not seat 1's
    """
    if not to_act:
        illegal("game-over", "the game is over")
    if move.by_chance and actor != CHANCE:
        illegal("outcome-by-seat", f"'{move.notation}' is an outcome of chance, not a seat's move")
    if actor == CHANCE and not move.by_chance:
        illegal("move-by-chance", f"'{move.notation}' is a seat's move, not an outcome of chance")
    if actor in to_act:
        return
    if actor == CHANCE:
        illegal("chance-not-awaited", f"no outcome of chance is awaited: {_turn_of(to_act)}")
    if CHANCE in to_act:
        illegal("chance-to-act", "an outcome of chance is awaited before anybody moves")
    illegal("not-your-turn", f"{_turn_of(to_act)}, not seat {actor}'s")


def _turn_of(to_act: Sequence[Actor]) -> str:
    seats = ", ".join(f"seat {seat}'s" for seat in to_act)
    return f"it is {seats} turn"


# Scores ----------------------------------------------------------------------------------------------------------


class Line(NamedTuple):
    """One line of a score sheet."""

    item: str
    points: int
    detail: Mapping[str, int] = {}
    """What the points were reckoned from."""


Sheet = tuple[Line, ...]
"""A seat's score, line by line; its total is the sum of its lines."""


class Outcome(NamedTuple):
    """How a game ended."""

    winners: tuple[Seat, ...]
    """Every seat with the highest total."""
    totals: tuple[int, ...]
    reason: str
    """Which of the variant's endings it was."""


def total(sheet: Sheet) -> int:
    """The points of a score sheet.

    >>> total((Line("red", 51), Line("blue", -40)))
    11
    """
    return sum(line.points for line in sheet)


def decide(sheets: Iterable[Sheet], reason: str) -> Outcome:
    """The outcome by points: the highest total wins, and equal totals share the win.

    >>> decide([(Line("gold", 7),), (Line("gold", 7),)], "last-card").winners
    (0, 1)
    """
    totals = tuple(total(sheet) for sheet in sheets)
    best = max(totals)
    return Outcome(tuple(seat for seat, points in enumerate(totals) if points == best), totals, reason)


# What a variant tells of itself ----------------------------------------------------------------------------------


class MoveType(NamedTuple):
    """One verb of the vocabulary."""

    type: str
    notation: str
    """The pattern of its text."""
    by: Literal["seat", "chance"]
    text: str


class Option(NamedTuple):
    """One option that a game can be created with."""

    name: str
    default: Any
    text: str


class Ruling(NamedTuple):
    """One line of the rules, and how sure we are of it."""

    id: str
    source: Literal["text", "known", "ruling"]
    """`text`: the rulebook says so; `known`: an independent public source; `ruling`: decided by this service."""
    text: str


class About(NamedTuple):
    """Everything that `GET /variants/{variant}` tells."""

    title: str
    seats: tuple[int, int]
    """The fewest and the most players."""
    components: Mapping[str, Any]
    options: Sequence[Option]
    moves: Sequence[MoveType]
    phases: Mapping[str, str]
    rules: Mapping[str, str]
    """Every rule code that an illegal move of this variant can name, `SHARED_RULES` included."""
    scales: Mapping[str, Any]
    """The numbers of the score."""
    endings: Mapping[str, str]
    rulings: Sequence[Ruling]


# States ----------------------------------------------------------------------------------------------------------

made: Final = tuple.__new__
"""`made(State, (...))` is `State(...)` without the detour through a constructor that is written in Python."""


# The interface ---------------------------------------------------------------------------------------------------


class Game(Protocol):
    """The shape of a game's module.

    `State` and `Options` are the module's own frozen tuples; the first field of a state is its options, which
    never change. States come from `setup`, `place` and `apply` alone, so every function but `place` trusts them.
    """

    @property
    def VARIANT(self) -> str:  # noqa: N802
        """Its name in the API."""

    @property
    def RULES_VERSION(self) -> int:  # noqa: N802
        """Raised with every change of what is legal or what it scores."""

    @property
    def ABOUT(self) -> About:  # noqa: N802
        """What the variant tells of itself."""

    @property
    def State(self) -> type[Any]:  # noqa: N802
        """A named tuple of options, small integers, strings, bytes and tuples of these.

        The store asks for the types of its fields: all but Python's own classes are in quotes, to outlast compiling.
        """

    @property
    def Options(self) -> type[Any]:  # noqa: N802
        """A named tuple of the same, with the method `plain() -> dict`."""

    @property
    def VOCABULARY(self) -> Mapping[str, Move]:  # noqa: N802
        """Every move that a seat can ever say, by its notation."""

    def parse(self, text: str, /) -> Move:
        """The move or outcome of that notation; raises `NotAMove`. Tokens of a set may come in any order."""

    def options(self, chosen: Mapping[str, Any], /) -> Any:
        """The options as chosen, the rest by default; `Options.plain()` is the way back. Raises `InvalidOptions`.

        The choice has the types and bounds of its schema.
        """

    def setup(self, players: int, options: Any, /) -> Any:
        """The state before any event."""

    def place(self, players: int, options: Any, position: Position, /) -> Any:
        """The state whose full view is `position`. Raises `InvalidPosition`.

        The position has the types and bounds of its schema; what it claims is not trusted.
        """

    def to_act(self, state: Any, /) -> tuple[Actor, ...]:
        """Who decides next: one seat, several, `CHANCE`, or nobody when the game is over."""

    def phase(self, state: Any, /) -> str:
        """The kind of decision that is due: a key of `ABOUT.phases`."""

    def legal(self, state: Any, seat: Seat, /) -> Sequence[Move]:
        """Every legal move of that seat in a stable order, none if it is not to act."""

    def sample(self, state: Any, pick: Pick, /) -> Move:
        """The outcome that chance's picks make, in a state where `CHANCE` is to act."""

    def apply(self, state: Any, actor: Actor, move: Move, /) -> Any:
        """The state after that move. Raises `IllegalMove`, naming the rule it breaks."""

    def witness(self, state: Any, outcome: Move, /) -> Seat | None:
        """The one seat that sees the outcome's cards, in the state it is applied to; `None`: everybody."""

    def view(self, state: Any, viewer: Viewer, /) -> Position:
        """The position as the viewer may know it. Nothing is hidden once the game is over."""

    def score(self, state: Any, /) -> tuple[Sheet, ...]:
        """Each seat's sheet: the rules applied to what lies on the table now."""

    def outcome(self, state: Any, /) -> Outcome | None:
        """How the game ended; `None` while it goes on."""
