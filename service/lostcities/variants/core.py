"""The interface that the rules of every game implement, and the types and helpers they share.

The rules of a game are a module of pure functions over an immutable `State`; the protocol `Rules` at the end of this
module describes its shape. `apply` is the only way from one state to the next.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, ClassVar, Final, Literal, NamedTuple, NoReturn, Protocol, TypeVar

CHANCE: Final = "chance"
"""The actor that deals, draws and rolls."""

FULL: Final = "full"
"""The viewer that sees everything."""

OVER: Final = "over"
"""The phase of a finished game, in every variant."""

Seat = int
Actor = int | Literal["chance"]
Viewer = int | Literal["full"] | None
"""A seat, `FULL`, or `None` for a spectator."""

Pick = Callable[[int], int]
"""`pick(n)` returns a uniformly distributed element of `range(n)`. The rules themselves have no random numbers."""

Position = dict[str, Any]
"""A state as JSON data. Each variant has its own schema."""

Path = Sequence[str | int]
"""The keys and indexes that lead from the root of JSON data to a part of it."""


# Sentences -------------------------------------------------------------------------------------------------------


def N_(sentence: str) -> str:  # noqa: N802
    """Mark a sentence for translation, in gettext's own name for this. It is translated where it is shown."""
    return sentence


class Text:
    """A sentence for people: an English template, and the values of its placeholders.

    The sentence is made where it is shown. Values that are sentences too are translated with it: a name of a colour
    is `Text(name)`. All other values are shown as they are, so that no name of a player or notation is ever translated.

    >>> str(Text("the {colour} discard pile is empty", colour=Text("yellow")))
    'the yellow discard pile is empty'
    """

    def __init__(self, template: str, /, **values: object) -> None:
        self.template = template
        self.values = values

    def __str__(self) -> str:
        return self.translated(str)

    def __deepcopy__(self, memo: dict[int, Any]) -> "Text":
        """The same sentence: it never changes. Schemas are copied, and a compiled class has no copies of its own."""
        return self

    def plain(self) -> dict[str, Any]:
        """The values as JSON data. A sentence among them stands for its own value, if it has one only.

        >>> Text("it is {seats} turn", seats=[Text("seat {seat}'s", seat=0)]).plain()
        {'seats': [0]}
        """
        return {name: _plain(value) for name, value in self.values.items()}

    def translated(self, translate: Callable[[str], str]) -> str:
        """The sentence, after `translate` has translated the template and the values that are sentences."""
        values = {name: _translated(value, translate) for name, value in self.values.items()}
        return translate(self.template).format_map(values)


def _plain(value: object) -> object:
    if isinstance(value, Text):
        values = [*value.plain().values()]
        return values[0] if len(values) == 1 else str(value)
    return [_plain(each) for each in value] if isinstance(value, list) else value


def _translated(value: object, translate: Callable[[str], str]) -> object:
    if isinstance(value, Text):
        return value.translated(translate)
    if isinstance(value, list) and value and isinstance(value[0], Text):
        return ", ".join(text.translated(translate) for text in value)
    return value


# Moves -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move:
    """A decision of a seat, or an outcome of chance.

    Moves of a variant are equal if their notations are.
    """

    notation: str
    """The canonical text, the same in requests, responses, history and logs."""
    type: str = field(compare=False)
    """The verb."""
    args: tuple[int, ...] = field(default=(), compare=False)
    """The operands as the small integers that the rules use."""
    fields: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The operands by name, as JSON data. Empty for outcomes of chance."""
    by_chance: bool = field(default=False, compare=False)
    """Whether this is an outcome of chance."""
    redacted: str | None = field(default=None, compare=False)
    """The notation for viewers that may not see its cards: each card is a `?`. `None`: all may see it."""


class NotAMove(ValueError):
    """The text is not the notation of any move of the variant.

    :param hint: what can be said instead
    :param rule: the rule of the game that explains why there is no such move, if there is one

    >>> str(NotAMove("bid 0", Text("say 'bid 1' or 'pass'"), "a bid is at least 1"))
    "'bid 0' is not a move: a bid is at least 1; say 'bid 1' or 'pass'"
    """

    def __init__(self, text: str, hint: Text, rule: str = "") -> None:
        quoted = _quoted(text)
        self.detail = (
            Text("{text} is not a move: {rule}; {hint}", text=quoted, rule=Text(rule), hint=hint)
            if rule
            else Text("{text} is not a move: {hint}", text=quoted, hint=hint)
        )
        """One sentence for people."""
        super().__init__(str(self.detail))


class IllegalMove(Exception):
    """The move breaks a rule in this state."""

    def __init__(self, rule: str, detail: Text) -> None:
        super().__init__(rule)
        self.rule = rule
        """The stable code of the broken rule."""
        self.detail = detail
        """One sentence for people, with the values that it is made of."""

    def __str__(self) -> str:
        return str(self.detail)


class Invalid(ValueError):
    """Options or a position that contradict themselves or the variant."""

    member: ClassVar[str] = ""
    """The member of a request or a record that is wrong."""

    def __init__(self, invariant: str, path: Path, detail: Text) -> None:
        super().__init__(str(detail))
        self.invariant = invariant
        """The stable code of the broken invariant."""
        self.path = tuple(path)
        """Where in the options or the position it is broken."""
        self.detail = detail
        """One sentence for people."""


class InvalidOptions(Invalid):
    """Options that contradict each other or the variant."""

    member: ClassVar[str] = "options"


class InvalidPosition(Invalid):
    """A position that is not consistent, or that hides a card.

    Cards, gold, marks and turns must be accounted for. It need not be reachable by play.
    """

    member: ClassVar[str] = "position"


def _quoted(text: str) -> Text:
    r"""The beginning of a text in quotation marks, with escapes instead of control characters.

    >>> str(_quoted("bid")), str(_quoted("Ann's"))
    ("'bid'", '"Ann\'s"')
    """
    shown = repr(text if len(text) <= 40 else text[:40] + "…")
    inner = shown[1:-1]
    return Text("'{text}'", text=inner) if shown[0] == "'" else Text('"{text}"', text=inner)


# Legality: what all games share ----------------------------------------------------------------------------------

SHARED_RULES: Final[Mapping[str, str]] = {
    "game-over": N_("A finished game takes no more moves."),
    "not-your-turn": N_("Only a seat that is to act may move."),
    "chance-to-act": N_("A deal, draw or roll is expected before the next move."),
    "outcome-by-seat": N_("Deals, draws and rolls are outcomes of chance: no seat can say them."),
    "move-by-chance": N_("Chance deals, draws and rolls; it makes no decisions."),
    "chance-not-awaited": N_("No outcome of chance is awaited."),
    "wrong-phase": N_("Another kind of decision is due."),
}
"""The rules that every variant has, by their codes."""

SHARED_VALUES: Final[Mapping[str, Sequence[str]]] = {
    "not-your-turn": ("seats", "seat"),
    "outcome-by-seat": ("notation",),
    "move-by-chance": ("notation",),
    "chance-not-awaited": ("seats",),
}
"""The names of the values in the refusals of these rules."""

Handler = TypeVar("Handler")


def illegal(rule: str, template: str, /, **values: object) -> NoReturn:
    """Raise `IllegalMove` with a sentence of this template and these values."""
    raise IllegalMove(rule, Text(template, **values))


class TurnState(Protocol):
    """A state of a game in which the seats take turns."""

    @property
    def phase(self) -> str:
        """The kind of decision that is due."""

    @property
    def active(self) -> Seat:
        """The seat that decides in all phases but those of chance."""


def phase_of(state: TurnState, /) -> str:
    """`phase` of a game whose state has it as a field."""
    return state.phase


def single_actor(state: TurnState, chance_phases: Collection[str]) -> tuple[Actor, ...]:
    """`to_act` of a game in which one actor decides at a time: chance in its phases, otherwise the active seat."""
    phase = state.phase
    if phase == OVER:
        return ()
    return (CHANCE,) if phase in chance_phases else (state.active,)


def find_handler(
    handlers: Mapping[str, Mapping[str, Handler]],
    phase: str,
    to_act: tuple[Actor, ...],
    actor: Actor,
    move: Move,
    *,
    due: Mapping[str, str],
) -> Handler:
    """The function that applies a move of this type in this phase, after checking that the actor may make it.

    `handlers` are by phase and type of move. `due` says what each phase expects, for the error.

    >>> find_handler({"play": {}}, "play", (0,), 0, Move("pass", "pass"), due={"play": "a card is played first"})
    Traceback (most recent call last):
        ...
    lostcities.variants.core.IllegalMove: a card is played first
    """
    handler = handlers[phase].get(move.type)
    if handler is None or actor not in to_act or move.by_chance != (actor == CHANCE):
        check_actor(to_act, actor, move)
        illegal("wrong-phase", due[phase])
    return handler


def find_single_handler(
    handlers: Mapping[str, Mapping[str, Handler]],
    state: TurnState,
    actor: Actor,
    move: Move,
    *,
    chance_phases: Collection[str],
    due: Mapping[str, str],
) -> Handler:
    """`find_handler` of a game in which one actor decides at a time, as `single_actor` says."""
    phase = state.phase
    handler = handlers[phase].get(move.type)
    by_chance = phase in chance_phases
    if handler is None or move.by_chance != by_chance or actor != (CHANCE if by_chance else state.active):
        return find_handler(handlers, phase, single_actor(state, chance_phases), actor, move, due=due)
    return handler


def check_actor(to_act: tuple[Actor, ...], actor: Actor, move: Move) -> None:
    """Raise `IllegalMove` unless the actor is to act and the move is of its kind: a decision or an outcome of chance.

    >>> check_actor((0,), 1, Move("draw deck", "draw"))
    Traceback (most recent call last):
        ...
    lostcities.variants.core.IllegalMove: it is seat 0's turn, not seat 1's
    """
    if not to_act:
        illegal("game-over", "the game is over")
    if move.by_chance and actor != CHANCE:
        illegal("outcome-by-seat", "'{notation}' is an outcome of chance, not a seat's move", notation=move.notation)
    if actor == CHANCE and not move.by_chance:
        illegal("move-by-chance", "'{notation}' is a seat's move, not an outcome of chance", notation=move.notation)
    if actor in to_act:
        return
    if actor == CHANCE:
        illegal("chance-not-awaited", "no outcome of chance is awaited: it is {seats} turn", seats=_owners(to_act))
    if CHANCE in to_act:
        illegal("chance-to-act", "an outcome of chance is expected before the next move")
    illegal("not-your-turn", "it is {seats} turn, not seat {seat}'s", seats=_owners(to_act), seat=actor)


def _owners(to_act: tuple[Actor, ...]) -> list[Text]:
    return [Text("seat {seat}'s", seat=seat) for seat in to_act]


# Immutable collections -------------------------------------------------------------------------------------------

Item = TypeVar("Item")


def replace_at(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    """A copy of the tuple with another item at that index.

    >>> replace_at(("a", "b", "c"), 1, "x")
    ('a', 'x', 'c')
    """
    changed = [*items]
    changed[index] = item
    return tuple(changed)


new_tuple: Final = tuple.__new__
"""`new_tuple(State, (…))` is `State(…)` in half of the time."""

Copy = TypeVar("Copy", bound=tuple[Any, ...])


def replacer(named_tuple: type[Copy], *fields: str) -> Callable[..., Copy]:
    """A function that copies a named tuple with other values of these fields, given in this order.

    It does what `_replace` does in two thirds of the time, for the transitions that happen most often. To save time it
    does not count the values: a test counts them in every call.

    >>> replacer(Line, "points")(Line("red", 51), -20)
    Line(item='red', points=-20, detail={})
    """
    names: tuple[str, ...] = getattr(named_tuple, "_fields")  # noqa: B009 (no attribute of all tuples)
    if unknown := {*fields} - {*names}:
        raise ValueError(f"{named_tuple.__name__} has no fields {sorted(unknown)}")
    count = len(fields)
    select = itemgetter(*(fields.index(name) if name in fields else count + at for at, name in enumerate(names)))

    def replace(old: Copy, *values: Any) -> Copy:
        return new_tuple(named_tuple, select(values + old))

    return replace


def remove_one(cards: bytes, card: int) -> bytes:
    """A copy of the cards without the first one equal to `card`.

    >>> remove_one(bytes([7, 3, 7]), 7) == bytes([3, 7])
    True
    """
    return cards.replace(bytes((card,)), b"", 1)


# Hidden information ----------------------------------------------------------------------------------------------


def effective_viewer(viewer: Viewer, *, is_over: bool) -> Viewer:
    """The viewer whose view is shown for `viewer`: a finished game is public."""
    return FULL if is_over else viewer


def sees_all(position: Position, /) -> Viewer:
    """`shown_to` of a game whose positions hide nothing."""
    del position
    return FULL


def already_in_turn(state: object, /) -> None:
    """`choose_in_turn` of a game whose seats never choose at the same time."""
    del state


def seen_by_all(state: object, outcome: Move, /) -> Seat | None:
    """`visible_to` of a game whose outcomes are all public."""
    del state, outcome
    return None


def nothing_to_fill(options: object, position: Position, pick: Pick, outcomes: Sequence[Move] = (), /) -> Position:
    """`fill_hidden` of a game whose positions hide nothing."""
    del options, pick, outcomes
    return position


def nothing_hidden(view: Position, state: object, actor: Actor, move: Move | None, /) -> Path | None:
    """`hidden_card` of a game whose positions hide nothing."""
    del view, state, actor, move
    return None


# Scores ----------------------------------------------------------------------------------------------------------


class Line(NamedTuple):
    """One line of a score sheet."""

    item: str
    points: int
    detail: Mapping[str, Any] = {}
    """The steps of the calculation in the order of the rulebook, as JSON data."""

    def plain(self) -> dict[str, Any]:
        """The line as JSON data."""
        return {"item": self.item, "points": self.points, **self.detail}


Sheet = tuple[Line, ...]
"""A seat's score, line by line. Its total is the sum of its lines."""


class Result(NamedTuple):
    """How a game ended."""

    winners: tuple[Seat, ...]
    """Every seat with the highest total."""
    totals: tuple[int, ...]
    reason: str
    """A key of `VariantInfo.endings`."""


def total(sheet: Sheet) -> int:
    """The points of a score sheet.

    >>> total((Line("red", 51), Line("blue", -40)))
    11
    """
    return sum(line.points for line in sheet)


def result_by_points(sheets: Iterable[Sheet], reason: str) -> Result:
    """The highest total wins; equal totals share the win.

    >>> result_by_points([(Line("gold", 7),), (Line("gold", 7),)], "last-card").winners
    (0, 1)
    """
    totals = tuple(total(sheet) for sheet in sheets)
    best = max(totals)
    return Result(tuple(seat for seat, points in enumerate(totals) if points == best), totals, reason)


# The description of a variant ------------------------------------------------------------------------------------


class MoveType(NamedTuple):
    """One type of move."""

    type: str
    notation: str
    """The pattern of its text."""
    by: Literal["seat", "chance"]
    text: str


class Option(NamedTuple):
    """One option of a new game."""

    name: str
    default: Any
    text: Text


class Ruling(NamedTuple):
    """One sentence of the rules, and where it comes from."""

    id: str
    source: Literal["text", "known", "ruling"]
    """`text`: the rulebook says so; `known`: an independent public source; `ruling`: decided by this service."""
    text: str


class VariantInfo(NamedTuple):
    """The description of a variant: what `GET /variants/{variant}` returns."""

    title: str
    seats: tuple[int, int]
    """The fewest and the most players."""
    components: Mapping[str, Any]
    options: Sequence[Option]
    moves: Sequence[MoveType]
    chance: str
    """How each outcome of chance follows from picks: what is picked from what, in which order."""
    phases: Mapping[str, str]
    rules: Mapping[str, str]
    """Every rule code that an illegal move of this variant can name, `SHARED_RULES` included."""
    values: Mapping[str, Sequence[str]]
    """The names of the values in the refusals of a rule, by its code, `SHARED_VALUES` included."""
    labels: Mapping[str, Mapping[str, str | Text]]
    """The words that a person reads instead of an id, by kind and id. They begin as in the middle of a sentence."""
    scales: Mapping[str, Any]
    """The numbers of the score."""
    endings: Mapping[str, str]
    rulings: Sequence[Ruling]


# The interface ---------------------------------------------------------------------------------------------------


class GameOptions(Protocol):
    """What the `Options` of every game have in common."""

    def plain(self) -> dict[str, Any]:
        """The options as JSON data."""


StateT = TypeVar("StateT")
OptionsT = TypeVar("OptionsT", bound=GameOptions)


class Rules(Protocol[StateT, OptionsT]):
    """The interface of a game's module of rules.

    `State` and `Options` are named tuples of the module. States come only from `setup`, `from_position` and `apply`,
    so all functions but `from_position` trust them.
    """

    @property
    def VARIANT(self) -> str:  # noqa: N802
        """The name of the variant in the API."""

    @property
    def RULES_VERSION(self) -> int:  # noqa: N802
        """Increased with every change of what is legal or what it scores."""

    @property
    def INFO(self) -> VariantInfo:  # noqa: N802
        """The description of the variant."""

    @property
    def State(self) -> type[StateT]:  # noqa: N802
        """A named tuple of the options, small integers, strings, bytes and tuples of these. The options come first.

        The store reads the types of its fields. Annotations other than built-in classes are strings, because mypyc
        keeps only those.
        """

    @property
    def Options(self) -> type[OptionsT]:  # noqa: N802
        """A named tuple of the same types."""

    @property
    def VOCABULARY(self) -> Mapping[str, Move]:  # noqa: N802
        """Every move that a seat can ever make, by its notation."""

    def parse(self, text: str, /) -> Move:
        """The move or outcome with that notation. Tokens of a set may be in any order.

        Raises `NotAMove`.
        """

    def parse_options(self, chosen: Mapping[str, Any], /) -> OptionsT:
        """The chosen options, and the defaults of the others. The inverse of `Options.plain()`.

        The types and bounds of the schema have been checked. Raises `InvalidOptions`.
        """

    def setup(self, players: int, options: OptionsT, /) -> StateT:
        """The state before any event."""

    def to_act(self, state: StateT, /) -> tuple[Actor, ...]:
        """The actors that may decide now: one seat, several seats, `CHANCE`, or none when the game is over."""

    def phase(self, state: StateT, /) -> str:
        """The kind of decision that is due: a key of `INFO.phases`."""

    def legal_moves(self, state: StateT, seat: Seat, /) -> Sequence[Move]:
        """Every legal move of the seat in a stable order; none if it is not to act."""

    def sample_chance(self, state: StateT, pick: Pick, /) -> Move:
        """The outcome that follows from the picks, in a state in which `CHANCE` is to act.

        `INFO.chance` describes it so exactly that others can compute it again.
        """

    def apply(self, state: StateT, actor: Actor, move: Move, /) -> StateT:
        """The state after that move. Raises `IllegalMove`."""

    def choose_in_turn(self, state: StateT, /) -> StateT | None:
        """The state in which the seats choose in turn that would choose at the same time.

        The same state if seats have begun to choose at the same time: the order changes after that. `None` if all seats
        choose in turn already.
        """

    def visible_to(self, state: StateT, outcome: Move, /) -> Seat | None:
        """The only seat that sees the cards of the outcome; `None`: all do. `state` is the one before it."""

    def to_position(self, state: StateT, viewer: Viewer, /) -> Position:
        """The position as the viewer may know it while the game goes on. A finished game is shown to all as `FULL`."""

    def score(self, state: StateT, /) -> tuple[Sheet, ...]:
        """The score sheet of each seat as the game stands now."""

    def result(self, state: StateT, /) -> Result | None:
        """How the game ended; `None` while it goes on."""


class Positions(Protocol):
    """The interface of a game's module of positions."""

    def from_position(self, players: int, options: Any, position: Position, /) -> Any:
        """The state that `to_position(state, FULL)` shows as `position`.

        The types and bounds of the schema have been checked, and nothing else. Raises `InvalidPosition`.
        """

    def shown_to(self, position: Position, /) -> Viewer:
        """The viewer to whom this position is shown: `FULL` if it hides nothing, a seat, or `None` for a spectator."""

    def fill_hidden(self, options: Any, position: Position, pick: Pick, outcomes: Sequence[Move] = (), /) -> Position:
        """A full position that fits the view of a seat or a spectator.

        Each hidden card is replaced by one that the view leaves possible, uniformly if `pick` is uniform. `outcomes`
        are outcomes of chance that will follow in this order: they stay possible, so the card of `draw R5` is in the
        deck. An outcome that the view rules out has no effect. A position that hides nothing is returned as it is.

        Raises `InvalidPosition` if more cards are hidden than are left. `from_position` checks everything else.
        """

    def hidden_card(self, view: Position, state: Any, actor: Actor, move: Move | None, /) -> Path | None:
        """The path of a hidden card in the view on which the actor's move depends; `None`: no hidden card matters.

        `state` was reached from the view after `fill_hidden`. Without a move: on which the list of the actor's legal
        moves depends. The score never depends on hidden cards.
        """


AnyRules = Rules[Any, Any]
"""The rules of some variant, where the variant is known only at run time."""
