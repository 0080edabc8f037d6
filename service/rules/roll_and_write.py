"""roll-and-write: Lost Cities: Roll & Write, for two to five.

Colours are small integers in the order of the sheet, an expedition is the `bytes` of its numbers from the bottom up,
and circles, end artefacts, bridges and bonuses are integers with a bit for each column.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any, Final, NamedTuple, NoReturn, TypeVar

from service.rules.game import (
    CHANCE,
    SHARED_RULES,
    About,
    Actor,
    InvalidOptions,
    InvalidPosition,
    Line,
    Move,
    MoveType,
    NotAMove,
    Option,
    Outcome,
    Path,
    Pick,
    Position,
    Ruling,
    Seat,
    Sheet,
    Viewer,
    check_actor,
    decide,
    illegal,
    made,
)

VARIANT: Final = "roll-and-write"
RULES_VERSION: Final = 1

# Components ------------------------------------------------------------------------------------------------------

COLOURS: Final = "ROYGBP"
"""The letters in canonical order, which is their order on the sheet."""
COLOUR_NAMES: Final = ("red", "orange", "yellow", "green", "blue", "purple")
COLOUR: Final = {letter: colour for colour, letter in enumerate(COLOURS)}
DIGIT: Final = {str(digit): digit for digit in range(10)}
COLOUR_DICE: Final = 3
NUMBER_DICE: Final = 3
SEATS: Final = (2, 5)

TEN: Final = 10
"""What a 0 is read as during an expedition."""
BOXES: Final = 9
"""Boxes in each column of the sheet."""
COLUMNS: Final = (*COLOURS, "artefacts", "dice")
"""The columns with a bridge, in the order of their bits."""
ARTEFACTS_COLUMN: Final = 1 << COLUMNS.index("artefacts")
DICE_COLUMN: Final = 1 << COLUMNS.index("dice")
ALL_COLUMNS: Final = (1 << len(COLUMNS)) - 1
BRIDGE: Final = 7
"""The box whose marking passes the bridge in front of it."""
BONUS: Final = 20
DOUBLE: Final = 2
"""What a marked circle multiplies by."""
MAX_SCALE: Final = 1000

Boxes = tuple[tuple[int, ...], ...]
"""Box numbers by colour, each colour's ascending."""


class Scales(NamedTuple):
    """The points by boxes filled, none to nine; an expedition without a number counts only with its circle."""

    expedition: "tuple[int, ...]"
    artefacts: "tuple[int, ...]"
    dice: "tuple[int, ...]"


class PrintedSheet(NamedTuple):
    """What is printed on every seat's sheet."""

    arrows: "Boxes"
    artefacts: "Boxes"
    scales: "Scales"

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "arrows": {letter: [*boxes] for letter, boxes in zip(COLOURS, self.arrows, strict=True)},
            "artefacts": {letter: [*boxes] for letter, boxes in zip(COLOURS, self.artefacts, strict=True)},
            "scales": {name: [*scale] for name, scale in self.scales._asdict().items()},
        }


DEFAULT_SHEET: Final = PrintedSheet(
    arrows=((4, 8), (3, 6), (2, 7), (4, 7), (2, 5), (3, 6)),
    artefacts=((2, 6), (5, 8), (4, 6), (3, 8), (3, 7), (4, 9)),
    scales=Scales(
        expedition=(-50, -20, -15, -10, 5, 10, 15, 30, 35, 50),
        artefacts=(0, -40, -30, -20, 10, 20, 30, 60, 70, 100),
        dice=(0, -40, -30, -20, 10, 20, 30, 60, 70, 0),
    ),
)
"""The printed one's arrow and artefact boxes are lost: these are a ruling."""

SIMULTANEOUS: Final = "simultaneous"
CLOCKWISE: Final = "clockwise"


class Options(NamedTuple):
    """What a game can be created with."""

    order: str = SIMULTANEOUS
    sheet: "PrintedSheet" = DEFAULT_SHEET
    ten_may_start: bool = False

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return {**self._asdict(), "sheet": self.sheet.plain()}


# State -----------------------------------------------------------------------------------------------------------

ROLL: Final = "roll"
ACTIVE: Final = "active-choice"
OTHERS: Final = "other-choices"
OVER: Final = "over"

ALL_BRIDGES: Final = "all-bridges"
EXHAUSTED: Final = "exhausted"

CHOOSE: Final = 0
ACCELERATE: Final = 1
FINISHED: Final = 2
PROGRESS: Final = ("choose", "accelerate", "finished")
"""How far a seat is in this turn, by its integer."""

UNFINISHED: Final = {
    bytes(progress): tuple(seat for seat, step in enumerate(progress) if step != FINISHED)
    for seats in range(SEATS[0], SEATS[1] + 1)
    for progress in product(range(len(PROGRESS)), repeat=seats)
}
"""The seats that have not finished this turn, by everybody's progress."""
_STEPPED: Final = {
    progress: tuple(
        tuple(progress[:seat] + bytes((step,)) + progress[seat + 1 :] for step in range(len(PROGRESS)))
        for seat in range(len(progress))
    )
    for progress in UNFINISHED
}
"""Everybody's progress after one seat's step, by progress, seat and step."""


class Marks(NamedTuple):
    """What a seat has marked on its sheet."""

    expeditions: "tuple[bytes, ...]"
    """By colour, the numbers from the bottom up."""
    circles: int
    ends: int
    """The marked end artefacts."""
    artefacts: int
    dice: int
    """Dice symbols shaded: refusals, up to nine."""
    passed: int
    """The bridges that this seat has passed."""
    bonuses: int
    """The bridges whose bonus this seat has got. The first turn in which anybody passes a bridge gives it to somebody,
    so all seats' bonuses together are the bridges passed before this turn."""


class State(NamedTuple):
    """A moment of the game."""

    options: "Options"
    phase: str
    active: Seat
    """Whose turn it is: who chooses first from the roll."""
    colours: bytes
    """The colour dice in the centre, in canonical order."""
    numbers: bytes
    """The number dice in the centre, ascending."""
    marks: "tuple[Marks, ...]"
    """By seat."""
    progress: bytes
    """By seat."""


# Moves -----------------------------------------------------------------------------------------------------------


def _numbered(verb: str, colour: int, number: int) -> Move:
    letter = COLOURS[colour]
    return Move(f"{verb} {letter} {number}", verb, (colour, number), {"colour": letter, "number": number})


CIRCLES: Final = tuple(
    Move(f"circle {letter}", "circle", (colour, 0), {"colour": letter}) for colour, letter in enumerate(COLOURS)
)
WRITES: Final = tuple(
    {number: _numbered("write", colour, number) for number in range(1, TEN + 1)} for colour in range(len(COLOURS))
)
TOPS: Final = tuple(
    {number: _numbered("top", colour, number) for number in range(1, TEN + 1)} for colour in range(len(COLOURS))
)
REFUSE: Final = Move("refuse", "refuse")
ACCELERATIONS: Final = tuple(
    Move(f"accelerate {letter}", "accelerate", (colour,), {"colour": letter}) for colour, letter in enumerate(COLOURS)
)
STOP: Final = Move("stop", "stop")

VOCABULARY: Final[Mapping[str, Move]] = {
    move.notation: move
    for move in (
        *CIRCLES,
        *(move for moves in WRITES for move in moves.values()),
        *(move for moves in TOPS for move in moves.values()),
        REFUSE,
        *ACCELERATIONS,
        STOP,
    )
}


def parse(text: str) -> Move:
    """The move or outcome of that notation.

    >>> parse("roll 9 G R 0 G 3").notation
    'roll R G G 0 3 9'
    """
    move = VOCABULARY.get(text)
    if move:
        return move
    verb, *faces = text.split(" ")
    if verb != "roll":
        raise NotAMove(
            text,
            "say 'circle R', 'write R 7', 'top R 7' or 'refuse', after an arrow 'accelerate R' or 'stop'; "
            "chance says 'roll' and six dice",
        )
    if not COLOUR.keys() | DIGIT.keys() >= {*faces}:
        raise NotAMove(text, f"a colour die shows one of {' '.join(COLOURS)} and a number die one of {' '.join(DIGIT)}")
    colours = bytes(sorted(COLOUR[face] for face in faces if face in COLOUR))
    numbers = bytes(sorted(DIGIT[face] for face in faces if face in DIGIT))
    if len(colours) != COLOUR_DICE or len(numbers) != NUMBER_DICE:
        raise NotAMove(
            text,
            f"{COLOUR_DICE} colour dice and {NUMBER_DICE} number dice are rolled, "
            f"not {len(colours)} and {len(numbers)}",
        )
    return roll(colours, numbers)


@cache
def roll(colours: bytes, numbers: bytes) -> Move:
    """Chance's roll of all six dice, each kind in ascending order."""
    notation = f"roll {_COLOUR_FACES[colours]} {_NUMBER_FACES[numbers]}"
    return Move(notation, "roll", (*colours, *numbers), _NO_FIELDS, by_chance=True)


_NO_FIELDS: Final[Mapping[str, Any]] = {}
_COLOUR_FACES: Final = {
    bytes(dice): " ".join(COLOURS[colour] for colour in dice)
    for dice in combinations_with_replacement(range(len(COLOURS)), COLOUR_DICE)
}
_NUMBER_FACES: Final = {
    bytes(dice): " ".join(map(str, dice)) for dice in combinations_with_replacement(DIGIT.values(), NUMBER_DICE)
}
"""What the dice of a kind show, as text."""


# Setup -----------------------------------------------------------------------------------------------------------


def options(chosen: Mapping[str, Any]) -> Options:
    """The options as chosen, the rest by default. A part that the sheet leaves out is the default sheet's."""
    return Options(**{**chosen, "sheet": _printed(chosen.get("sheet", {}))})


def _printed(sheet: Mapping[str, Any]) -> PrintedSheet:
    arrows, artefacts = _boxes(sheet, "arrows"), _boxes(sheet, "artefacts")
    for colour, letter in enumerate(COLOURS):
        for box in arrows[colour]:
            if box in artefacts[colour]:
                # One of them was chosen, since the default sheet is sound.
                symbol = "artefacts" if "artefacts" in sheet else "arrows"
                raise InvalidOptions(
                    "one-symbol",
                    ["sheet", symbol, letter],
                    f"box {box} of {COLOUR_NAMES[colour]} carries an arrow and an artefact: at most one symbol fits",
                )
    scales = sheet.get("scales", {})
    return PrintedSheet(arrows, artefacts, Scales(*(_scale(scales, name) for name in Scales._fields)))


def _boxes(sheet: Mapping[str, Any], symbol: str) -> Boxes:
    """The boxes with that symbol. A column that is left out has none."""
    if symbol not in sheet:
        default: Boxes = getattr(DEFAULT_SHEET, symbol)
        return default
    columns = sheet[symbol]
    for letter, boxes in columns.items():
        path: Path = ("sheet", symbol, letter)
        if letter not in COLOUR:
            raise InvalidOptions("column", path, f"'{letter}' is not one of the columns {' '.join(COLOURS)}")
        for index, box in enumerate(boxes):
            if not 1 <= box <= BOXES:
                raise InvalidOptions("box", (*path, index), f"a column has the boxes 1..{BOXES}, and no box {box}")
            if box in boxes[:index]:
                raise InvalidOptions("box-twice", (*path, index), f"box {box} of column {letter} is listed twice")
    return tuple(tuple(sorted(columns.get(letter, ()))) for letter in COLOURS)


def _scale(scales: Mapping[str, Any], name: str) -> tuple[int, ...]:
    if name not in scales:
        default: tuple[int, ...] = getattr(DEFAULT_SHEET.scales, name)
        return default
    scale = scales[name]
    path: Path = ("sheet", "scales", name)
    if len(scale) != BOXES + 1:
        raise InvalidOptions(
            "scale-length", path, f"a scale has {BOXES + 1} numbers, for none to {BOXES} boxes, not {len(scale)}"
        )
    for index, points in enumerate(scale):
        if not -MAX_SCALE <= points <= MAX_SCALE:
            raise InvalidOptions("scale-bounds", (*path, index), f"{points} is not within -{MAX_SCALE}..{MAX_SCALE}")
    return tuple(scale)


def setup(players: int, options: Options) -> State:
    """Before the first roll: empty sheets, and seat 0 is active."""
    unmarked = Marks((b"",) * len(COLOURS), 0, 0, 0, 0, 0, 0)
    return State(
        options=options,
        phase=ROLL,
        active=0,
        colours=b"",
        numbers=b"",
        marks=(unmarked,) * players,
        progress=_ALL_TO_CHOOSE[players],
    )


def place(players: int, options: Options, position: Position) -> State:
    """The state whose full view is `position`.

    Every field is checked, those that follow from others included: the artefacts shaded, and each bridge's standing.
    How many turns the marks took is not told, so sheets are not held against each other or against who is active.
    """
    seats = position["seats"]
    if len(seats) != players:
        raise InvalidPosition("seats", ["seats"], f"{players} seats play, not {len(seats)}")
    if position["active"] >= players:
        raise InvalidPosition(
            "active-seat", ["active"], f"seat {position['active']} is not one of the {players} that play"
        )
    state = State(
        options=options,
        phase=position["phase"],
        active=position["active"],
        colours=bytes(sorted(COLOUR[letter] for letter in position["centre"]["colours"])),
        numbers=bytes(sorted(position["centre"]["numbers"])),
        marks=tuple(_placed(options, seat, marked) for seat, marked in enumerate(seats)),
        progress=bytes(PROGRESS.index(marked["turn"]) for marked in seats),
    )
    _check_progress(state)
    _check_centre(state)
    _check_bridges(state, seats)
    for seat in range(players):
        _check_turn(state, seat)
    _check_end(state)
    return state


def _placed(options: Options, seat: Seat, marked: Mapping[str, Any]) -> Marks:
    columns = [marked["expeditions"][letter] for letter in COLOURS]
    expeditions = tuple(_numbers(options, seat, colour, column["numbers"]) for colour, column in enumerate(columns))
    filled = (*map(len, expeditions), marked["artefacts"], marked["dice"])
    marks = Marks(
        expeditions,
        circles=_bits(column["circle"] for column in columns),
        ends=_bits(column["end_artefact"] for column in columns),
        artefacts=marked["artefacts"],
        dice=marked["dice"],
        passed=_bits(boxes >= BRIDGE for boxes in filled),
        bonuses=_bits(marked["bridges"][column] == "bonus" for column in COLUMNS),
    )
    _check_artefacts(options.sheet, seat, marks)
    for bit, column in enumerate(COLUMNS):
        if marks.bonuses & ~marks.passed & 1 << bit:
            detail = f"seat {seat} has a bonus for a bridge that it has not passed"
            raise InvalidPosition("bonus-not-passed", ["seats", seat, "bridges", column], detail)
    return marks


def _numbers(options: Options, seat: Seat, colour: int, numbers: list[int]) -> bytes:
    path: Path = ("seats", seat, "expeditions", COLOURS[colour], "numbers")
    if len(numbers) > BOXES:
        raise InvalidPosition("box-count", path, f"an expedition has {BOXES} boxes, not {len(numbers)}")
    if numbers and numbers[0] == TEN and not options.ten_may_start:
        raise InvalidPosition("zero-first", (*path, 0), f"a {TEN} cannot be the first number of an expedition")
    for index in range(1, len(numbers)):
        if numbers[index] < numbers[index - 1]:
            detail = f"{numbers[index]} is lower than {numbers[index - 1]}, the number below it"
            raise InvalidPosition("ascending", (*path, index), detail)
    return bytes(numbers)


def _bits(flags: Iterable[bool]) -> int:
    return sum(1 << column for column, flag in enumerate(flags) if flag)


def _check_artefacts(sheet: PrintedSheet, seat: Seat, marks: Marks) -> None:
    """Every artefact box written and every end artefact marked has shaded an artefact, as long as one was left."""
    for colour, numbers in enumerate(marks.expeditions):
        if marks.ends >> colour & 1 and len(numbers) < BOXES:
            raise InvalidPosition(
                "end-artefact",
                ["seats", seat, "expeditions", COLOURS[colour], "end_artefact"],
                f"the end artefact is reached after {BOXES} numbers, and {COLOUR_NAMES[colour]} has {len(numbers)}",
            )
    found = marks.ends.bit_count() + sum(
        box <= len(numbers) for numbers, boxes in zip(marks.expeditions, sheet.artefacts, strict=True) for box in boxes
    )
    if marks.artefacts != min(found, BOXES):
        raise InvalidPosition(
            "artefact-count",
            ["seats", seat, "artefacts"],
            f"the expeditions of seat {seat} have found {found} artefacts, "
            f"so {min(found, BOXES)} are shaded, not {marks.artefacts}",
        )


_TURN_IN: Final[Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]]] = {
    ROLL: ((CHOOSE,), (CHOOSE,)),
    ACTIVE: ((CHOOSE,), (CHOOSE, ACCELERATE)),
    OTHERS: ((CHOOSE, ACCELERATE, FINISHED), (FINISHED,)),
    OVER: ((FINISHED,), (FINISHED,)),
}
"""How far a seat can be, by phase: a seat that is not active, and the one that is."""


def _check_progress(state: State) -> None:
    """The active seat finishes first, then the others, in clockwise order if so chosen."""
    for seat, step in enumerate(state.progress):
        path: Path = ("seats", seat, "turn")
        if step not in _TURN_IN[state.phase][seat == state.active]:
            detail = f"seat {seat} cannot be at '{PROGRESS[step]}' in phase '{state.phase}'"
            raise InvalidPosition("turn", path, detail)
        if step == ACCELERATE and not _may_have_hit_arrow(state, seat):
            detail = f"no expedition of seat {seat} stands on an arrow box, so it has nothing to accelerate by"
            raise InvalidPosition("no-arrow", path, detail)
        if state.phase == OTHERS and state.options.order == CLOCKWISE and step != CHOOSE and seat != state.active:
            before = (seat - 1) % len(state.progress)
            if state.progress[before] != FINISHED:
                detail = f"seat {seat} chooses after seat {before} has finished"
                raise InvalidPosition("clockwise", path, detail)
    if state.phase == OTHERS and not UNFINISHED[state.progress]:
        raise InvalidPosition("turn-over", ["phase"], "all seats have finished, so this turn is over")


def _may_have_hit_arrow(state: State, seat: Seat) -> bool:
    """The box just written is the highest of its expedition, and the end artefact comes after it."""
    marks = state.marks[seat]
    return any(
        len(numbers) in boxes and not marks.ends >> colour & 1
        for colour, (numbers, boxes) in enumerate(zip(marks.expeditions, state.options.sheet.arrows, strict=True))
    )


def _check_centre(state: State) -> None:
    """After a roll all dice lie in the centre; one of each kind leaves with the active seat's choice."""
    rolled, chosen = (COLOUR_DICE, NUMBER_DICE), (COLOUR_DICE - 1, NUMBER_DICE - 1)
    if state.phase == ACTIVE:
        possible = [rolled if state.progress[state.active] == CHOOSE else chosen]
    else:
        possible = [rolled, chosen] if state.phase == OTHERS else [(0, 0)]
    lying = (len(state.colours), len(state.numbers))
    if lying not in possible:
        counts = " or ".join(f"{colours} colour dice and {numbers} number dice" for colours, numbers in possible)
        raise InvalidPosition(
            "dice-count", ["centre"], f"{counts} lie in the centre here, not {lying[0]} and {lying[1]}"
        )


def _check_bridges(state: State, seats: Sequence[Mapping[str, Any]]) -> None:
    opened = _opened(state.marks)
    for seat, marks in enumerate(state.marks):
        for column, standing in _bridges(marks, opened).items():
            told = seats[seat]["bridges"][column]
            if told != standing:
                detail = f"by the marks and bonuses of all seats this bridge is '{standing}', not '{told}'"
                raise InvalidPosition("bridge-standing", ["seats", seat, "bridges", column], detail)


def _check_turn(state: State, seat: Seat) -> None:
    """What a seat can have done in this turn must account for the bridges it has passed in this turn."""
    marks = state.marks[seat]
    due = marks.passed & ~_opened(state.marks)
    if state.progress[seat] == CHOOSE or state.phase == OVER:
        possible = not due
    elif due & DICE_COLUMN:
        possible = due == DICE_COLUMN and marks.dice == BRIDGE and _may_have_refused(state, seat)
    else:
        possible = _may_have_entered(state, seat) or (not due and _may_have_refused(state, seat))
    if not possible and due:
        detail = f"seat {seat} cannot have passed all the bridges that are 'due' to it in this turn"
        raise InvalidPosition("bridge-due", ["seats", seat, "bridges"], detail)
    if not possible:
        detail = f"seat {seat} has not marked on its sheet what its choice in this turn was"
        raise InvalidPosition("turn-unmarked", ["seats", seat, "turn"], detail)


def _may_have_refused(state: State, seat: Seat) -> bool:
    """The seat has finished with a symbol shaded; if it is active, all dice stay."""
    all_stay = len(state.colours) == COLOUR_DICE
    return state.progress[seat] == FINISHED and state.marks[seat].dice > 0 and (seat != state.active or all_stay)


def _may_have_entered(state: State, seat: Seat) -> bool:
    """The seat that has chosen has something on its expeditions; if it is active, two dice left."""
    marks = state.marks[seat]
    all_stay = len(state.colours) == COLOUR_DICE
    return (marks.circles > 0 or any(marks.expeditions)) and (seat != state.active or not all_stay)


def _check_end(state: State) -> None:
    """The end is checked between turns: within one, the last symbol may just have been shaded."""
    ending = _ending(state.marks, _opened(state.marks))
    if state.phase == OVER:
        if not ending:
            detail = "the game is over when every seat is exhausted or all bridges have been passed"
            raise InvalidPosition("game-end", ["phase"], detail)
    elif ending == ALL_BRIDGES or (
        ending == EXHAUSTED and not any(_may_have_refused(state, seat) for seat in range(len(state.marks)))
    ):
        raise InvalidPosition("game-end", ["phase"], f"before this turn the game was over: {ABOUT.endings[ending]}")


# Legal -----------------------------------------------------------------------------------------------------------


def to_act(state: State) -> tuple[Actor, ...]:
    """The active seat, then all the others at once, or one after the other if so chosen."""
    phase = state.phase
    if phase == OTHERS:
        seats = UNFINISHED[state.progress]
        return seats if state.options.order == SIMULTANEOUS else (_next_clockwise(state.active, seats),)
    if phase == ACTIVE:
        return (state.active,)
    return (CHANCE,) if phase == ROLL else ()


def _next_clockwise(active: Seat, seats: tuple[Seat, ...]) -> Seat:
    for seat in seats:
        if seat > active:
            return seat
    return seats[0]


def phase(state: State) -> str:
    """The kind of decision that is due. A seat after an arrow box accelerates within the same phase."""
    return state.phase


def _with_digits(moves: Mapping[int, Move]) -> dict[int, tuple[Move, ...]]:
    """The moves with the digits of a set, by every set that the number dice can show. Here a 0 is a 10."""
    return {digits: tuple(moves[digit or TEN] for digit in range(TEN) if digits >> digit & 1) for digits in _DIGIT_SETS}


_DIGITS: Final = {
    dice: sum(1 << digit for digit in {*dice})
    for size in range(NUMBER_DICE + 1)
    for dice in map(bytes, combinations_with_replacement(range(TEN), size))
}
"""The digits that some number dice show, as a set: twins are one choice."""
_DIGIT_SETS: Final = {*_DIGITS.values()}
_WRITES: Final = tuple(_with_digits(moves) for moves in WRITES)
_TOPS: Final = tuple(_with_digits(moves) for moves in TOPS)
"""By colour."""

_CIRCLE: Final = tuple((circle,) for circle in CIRCLES)
_ZERO: Final = 1
"""The set of the digit 0."""
_STARTING: Final = {False: -1 - _ZERO, True: -1}
"""The digits that can start an expedition, by whether a 0 may do it as a 10."""
_FITTING: Final = tuple(sum(1 << digit for digit in range(TEN) if (digit or TEN) >= last) for last in range(TEN + 1))
"""The digits that are not lower than the last number. During an expedition a 0 is a 10."""


def _choices(options: Options, marks: Marks, colour: int, digits: int) -> tuple[Move, ...]:
    """What a seat with those marks can do with that colour and one of those digits."""
    numbers = marks.expeditions[colour]
    if not numbers:
        writes = _WRITES[colour][digits & _STARTING[options.ten_may_start]]
        return writes if not digits & _ZERO or marks.circles >> colour & 1 else _CIRCLE[colour] + writes
    if len(numbers) < BOXES:
        return _WRITES[colour][digits & _FITTING[numbers[-1]]]
    return () if marks.ends >> colour & 1 else _TOPS[colour][digits & _FITTING[numbers[-1]]]


_SHOWN: Final = {
    dice: bytes(dict.fromkeys(dice))
    for size in (COLOUR_DICE - 1, COLOUR_DICE)
    for dice in map(bytes, combinations_with_replacement(range(len(COLOURS)), size))
}
"""The different faces of some colour dice, in order."""

_ACCELERABLE: Final = tuple(
    (*(move for colour, move in enumerate(ACCELERATIONS) if not ends >> colour & 1), STOP)
    for ends in range(1 << len(COLOURS))
)
"""By end artefacts marked: every other expedition can be accelerated."""


def legal(state: State, seat: Seat) -> Sequence[Move]:
    """Choices by colour, then number, `refuse` last; or accelerations by colour, `stop` last."""
    if seat not in to_act(state):
        return ()
    options, _, _, colours, numbers, sheets, progress = state
    marks = sheets[seat]
    if progress[seat] == ACCELERATE:
        return _ACCELERABLE[marks.ends]
    digits = _DIGITS[numbers]
    moves: list[Move] = []
    for colour in _SHOWN[colours]:
        moves += _choices(options, marks, colour, digits)
    moves.append(REFUSE)
    return moves


def sample(state: State, pick: Pick) -> Move:  # noqa: ARG001
    """The colour dice one by one, then the number dice."""
    colours = _FALLEN[pick(len(COLOURS)), pick(len(COLOURS)), pick(len(COLOURS))]
    return roll(colours, _FALLEN[pick(TEN), pick(TEN), pick(TEN)])


_FALLEN: Final = {faces: bytes(sorted(faces)) for faces in product(range(TEN), repeat=NUMBER_DICE)}
"""Three dice of a kind in ascending order, by their faces as they fell."""


# Apply -----------------------------------------------------------------------------------------------------------

_BYTE: Final = tuple(bytes((value,)) for value in range(TEN + 1))

_T = TypeVar("_T")


def _with(items: tuple[_T, ...], at: int, item: _T) -> tuple[_T, ...]:
    """The items with another one in that place."""
    replaced = [*items]
    replaced[at] = item
    return tuple(replaced)


def apply(state: State, actor: Actor, move: Move) -> State:
    """The state after that move."""
    acting = to_act(state)
    if actor not in acting or move.by_chance != (actor == CHANCE):
        check_actor(acting, actor, move)
    if actor == CHANCE:
        return _rolled(state, move)
    step = _STEPS[state.progress[actor]].get(move.type)
    if step is None:
        if move.type in _STEPS[ACCELERATE]:
            illegal("no-arrow", f"seat {actor} has not just written into an arrow box: it chooses from the dice")
        illegal("wrong-phase", f"seat {actor} has written into an arrow box: 'accelerate' or 'stop' is due")
    return step(state, actor, move)


def _rolled(state: State, outcome: Move) -> State:
    """All six dice lie in the centre."""
    options, _, active, _, _, sheets, progress = state
    faces = bytes(outcome.args)
    return made(State, (options, ACTIVE, active, faces[:COLOUR_DICE], faces[COLOUR_DICE:], sheets, progress))


def _choose(state: State, seat: Seat, move: Move) -> State:
    """A combination of two dice goes onto the sheet."""
    options, phase, _, colours, numbers, sheets, _ = state
    marks, step = sheets[seat], FINISHED
    colour, number = move.args
    digit = number % TEN
    if colour not in colours:
        illegal("die-not-in-centre", f"no colour die in the centre shows {COLOUR_NAMES[colour]}")
    if digit not in numbers:
        illegal("die-not-in-centre", f"no number die in the centre shows {digit}")
    if move not in _choices(options, marks, colour, 1 << digit):
        _forbid(marks, move)
    if move.type == "write":
        marks, step = _write(options.sheet, marks, colour, number)
    else:
        marks = _mark_end(marks, colour) if move.type == "top" else _mark_circle(marks, colour)
    if phase == ACTIVE:
        # The active seat's two dice leave the centre; a twin of either stays.
        colours = colours.replace(_BYTE[colour], b"", 1)
        numbers = numbers.replace(_BYTE[digit], b"", 1)
    return _proceed(state, (colours, numbers), seat, marks, step)


def _forbid(marks: Marks, move: Move) -> NoReturn:
    """Name the rule that keeps the choice off the sheet."""
    colour, number = move.args
    name, numbers = COLOUR_NAMES[colour], marks.expeditions[colour]
    if move.type == "circle":
        if numbers:
            illegal("circle-after-start", f"the {name} expedition has started: its circle can no longer be marked")
        illegal("circle-twice", f"the {name} circle is already marked")
    if move.type == "top":
        if len(numbers) < BOXES:
            illegal("top-too-early", f"the {name} expedition has {len(numbers)} of the {BOXES} numbers before its end")
        if marks.ends >> colour & 1:
            illegal("top-twice", f"the {name} end artefact is already marked")
    elif len(numbers) == BOXES:
        illegal("expedition-full", f"the {name} expedition already has {BOXES} numbers")
    if not numbers:
        illegal("zero-first", f"a 0 cannot start the {name} expedition as a {TEN}")
    illegal("lower-than-last", f"{number} is lower than {numbers[-1]}, the last number of the {name} expedition")


def _refuse(state: State, seat: Seat, move: Move) -> State:  # noqa: ARG001
    """The next dice symbol is shaded, if one is left, and all dice stay."""
    expeditions, circles, ends, artefacts, dice, passed, bonuses = state.marks[seat]
    dice, passed = _shade(dice, passed, DICE_COLUMN)
    marks = made(Marks, (expeditions, circles, ends, artefacts, dice, passed, bonuses))
    return _proceed(state, (state.colours, state.numbers), seat, marks, FINISHED)


def _write(sheet: PrintedSheet, marks: Marks, colour: int, number: int) -> tuple[Marks, int]:
    """A number goes into the next free box, and the box's symbol takes effect: also whether the seat accelerates.

    After an arrow there is always something to accelerate: at least this expedition, to its end artefact if need be.
    """
    expeditions, circles, ends, artefacts, dice, passed, bonuses = marks
    numbers = expeditions[colour] + _BYTE[number]
    box = len(numbers)
    if box == BRIDGE:
        passed |= 1 << colour
    if box in sheet.artefacts[colour]:
        artefacts, passed = _shade(artefacts, passed, ARTEFACTS_COLUMN)
    expeditions = _with(expeditions, colour, numbers)
    marks = made(Marks, (expeditions, circles, ends, artefacts, dice, passed, bonuses))
    return marks, ACCELERATE if box in sheet.arrows[colour] else FINISHED


def _mark_circle(marks: Marks, colour: int) -> Marks:
    """The expedition's points will be doubled."""
    expeditions, circles, ends, artefacts, dice, passed, bonuses = marks
    return made(Marks, (expeditions, circles | 1 << colour, ends, artefacts, dice, passed, bonuses))


def _mark_end(marks: Marks, colour: int) -> Marks:
    """The end artefact is marked, and an artefact shaded, if one is left."""
    expeditions, circles, ends, artefacts, dice, passed, bonuses = marks
    artefacts, passed = _shade(artefacts, passed, ARTEFACTS_COLUMN)
    return made(Marks, (expeditions, circles, ends | 1 << colour, artefacts, dice, passed, bonuses))


def _shade(shaded: int, passed: int, column: int) -> tuple[int, int]:
    """One more symbol of a column, if one is left, and the bridges passed with it."""
    if shaded == BOXES:
        return shaded, passed
    return shaded + 1, passed | column if shaded + 1 == BRIDGE else passed


def _accelerate(state: State, seat: Seat, move: Move) -> State:
    """The number below goes into the next free box once more, a 1 into the first; after nine, the end is marked."""
    marks, step = state.marks[seat], FINISHED
    colour = move.args[0]
    numbers = marks.expeditions[colour]
    if len(numbers) < BOXES:
        marks, step = _write(state.options.sheet, marks, colour, numbers[-1] if numbers else 1)
    elif marks.ends >> colour & 1:
        illegal("expedition-complete", f"the {COLOUR_NAMES[colour]} expedition and its end artefact are complete")
    else:
        marks = _mark_end(marks, colour)
    return _proceed(state, (state.colours, state.numbers), seat, marks, step)


def _stop(state: State, seat: Seat, move: Move) -> State:  # noqa: ARG001
    """The seat declines to accelerate."""
    return _proceed(state, (state.colours, state.numbers), seat, state.marks[seat], FINISHED)


_STEPS: Final[dict[int, dict[str, Callable[[State, Seat, Move], State]]]] = {
    CHOOSE: {"circle": _choose, "write": _choose, "top": _choose, "refuse": _refuse},
    ACCELERATE: {"accelerate": _accelerate, "stop": _stop},
}
"""What a seat can do, by its progress."""


def _proceed(state: State, dice: tuple[bytes, bytes], seat: Seat, marks: Marks, step: int) -> State:
    """The seat's sheet and progress are renewed, and these dice lie; the last seat to finish ends the turn."""
    options, phase, active, _, _, sheets, progress = state
    colours, numbers = dice
    sheets = _with(sheets, seat, marks)
    progress = _STEPPED[progress][seat][step]
    if step == FINISHED:
        if not UNFINISHED[progress]:
            return _end_turn(options, active, sheets, progress)
        phase = OTHERS
    return made(State, (options, phase, active, colours, numbers, sheets, progress))


def _end_turn(options: Options, active: Seat, sheets: tuple[Marks, ...], progress: bytes) -> State:
    """A bridge first passed in this turn gives its bonus to all who passed it; then the end is checked."""
    opened = passed = 0
    for _, _, _, _, _, own, bonuses in sheets:
        opened |= bonuses
        passed |= own
    if passed != opened:
        sheets = tuple([marks._replace(bonuses=marks.bonuses | marks.passed & ~opened) for marks in sheets])
    if _ending(sheets, passed):
        return made(State, (options, OVER, active, b"", b"", sheets, progress))
    players = len(sheets)
    return made(State, (options, ROLL, (active + 1) % players, b"", b"", sheets, _ALL_TO_CHOOSE[players]))


_ALL_TO_CHOOSE: Final = tuple(bytes([CHOOSE] * players) for players in range(SEATS[1] + 1))
"""By the number of seats: everybody's progress before a roll."""


def _opened(sheets: tuple[Marks, ...]) -> int:
    """The bridges that anybody passed before this turn: each has given its bonus to somebody."""
    opened = 0
    for marks in sheets:
        opened |= marks.bonuses
    return opened


def _ending(sheets: tuple[Marks, ...], opened: int) -> str | None:
    """Which end the game has come to after a turn; both at once are told as the bridges'."""
    if opened == ALL_COLUMNS:
        return ALL_BRIDGES
    for marks in sheets:
        if marks.dice < BOXES:
            return None
    return EXHAUSTED


# View ------------------------------------------------------------------------------------------------------------


def witness(state: State, outcome: Move) -> Seat | None:  # noqa: ARG001
    """Dice are rolled in the open."""
    return None


def view(state: State, viewer: Viewer) -> Position:  # noqa: ARG001
    """Everything, to everybody: all sheets lie open. What is printed on them is in the options."""
    opened = _opened(state.marks)
    return {
        "variant": VARIANT,
        "phase": state.phase,
        "active": state.active,
        "centre": {"colours": [COLOURS[colour] for colour in state.colours], "numbers": [*state.numbers]},
        "seats": [
            {
                "expeditions": {
                    letter: {
                        "circle": bool(marks.circles >> colour & 1),
                        "numbers": [*marks.expeditions[colour]],
                        "end_artefact": bool(marks.ends >> colour & 1),
                    }
                    for colour, letter in enumerate(COLOURS)
                },
                "artefacts": marks.artefacts,
                "dice": marks.dice,
                "bridges": _bridges(marks, opened),
                "turn": PROGRESS[step],
            }
            for marks, step in zip(state.marks, state.progress, strict=True)
        ],
    }


BRIDGES: Final = {
    "ahead": "this seat has not passed it",
    "due": "passed in this turn, the first in which anybody has: the bonus is given when the turn ends",
    "bonus": "passed, and the bonus got",
    "late": "passed after the bonus had gone to others",
}
"""How a seat stands to a bridge."""


def _bridges(marks: Marks, opened: int) -> dict[str, str]:
    """How the seat stands to each bridge, `opened` being those passed by anybody before this turn."""
    standings = {}
    for bit, column in enumerate(COLUMNS):
        if not marks.passed >> bit & 1:
            standings[column] = "ahead"
        elif not opened >> bit & 1:
            standings[column] = "due"
        else:
            standings[column] = "bonus" if marks.bonuses >> bit & 1 else "late"
    return standings


# Score -----------------------------------------------------------------------------------------------------------


def score(state: State) -> tuple[Sheet, ...]:
    """The expeditions, artefacts, dice symbols, and the bonuses given so far."""
    return tuple(_score_sheet(state.options.sheet.scales, marks) for marks in state.marks)


def _score_sheet(scales: Scales, marks: Marks) -> Sheet:
    bridges = marks.bonuses.bit_count()
    return (
        *(
            _expedition_line(scales, name, len(numbers), marks.circles >> colour & 1)
            for colour, (name, numbers) in enumerate(zip(COLOUR_NAMES, marks.expeditions, strict=True))
        ),
        Line("artefacts", scales.artefacts[marks.artefacts], {"boxes": marks.artefacts}),
        Line("dice", scales.dice[marks.dice], {"boxes": marks.dice}),
        Line("bridges", bridges * BONUS, {"bridges": bridges}),
    )


def _expedition_line(scales: Scales, colour: str, boxes: int, circle: int) -> Line:
    """A line of the score sheet: untouched 0, otherwise by its scale, doubled by a marked circle.

    >>> _expedition_line(DEFAULT_SHEET.scales, "red", 0, 0).points
    0
    >>> _expedition_line(DEFAULT_SHEET.scales, "red", 0, 1).points
    -100
    """
    points = scales.expedition[boxes] if boxes or circle else 0
    return Line(colour, points * DOUBLE if circle else points, {"boxes": boxes, "circle": circle})


def outcome(state: State) -> Outcome | None:
    """The highest total wins."""
    ending = _ending(state.marks, _opened(state.marks)) if state.phase == OVER else None
    return decide(score(state), ending) if ending else None


# About -----------------------------------------------------------------------------------------------------------

ABOUT: Final = About(
    title="Lost Cities: Roll & Write",
    seats=SEATS,
    components={
        "colours": dict(zip(COLOURS, COLOUR_NAMES, strict=True)),
        "colour_dice": COLOUR_DICE,
        "number_dice": NUMBER_DICE,
        "digits": [*DIGIT.values()],
        "columns": [*COLUMNS],
        "boxes_per_column": BOXES,
        "bridge_before_box": BRIDGE,
        "bridge_standings": BRIDGES,
        "sheet": DEFAULT_SHEET.plain(),
    },
    options=(
        Option("order", SIMULTANEOUS, "how the others choose: 'simultaneous', in any order, or 'clockwise', in turn"),
        Option(
            "sheet",
            DEFAULT_SHEET.plain(),
            f"what is printed: by colour the boxes 1..{BOXES} with an arrow and those with an artefact, at most one "
            f"symbol each, and scales of {BOXES + 1} numbers -{MAX_SCALE}..{MAX_SCALE}, the first for circle only or "
            "none; a part or scale left out is the default, a colour left out has no such box",
        ),
        Option("ten_may_start", default=False, text="whether a 0 may start an expedition as a 10"),
    ),
    moves=(
        MoveType("circle", "circle <colour>", "seat", "with a 0, mark the circle of an expedition without a number"),
        MoveType("write", "write <colour> <1..10>", "seat", "write the number, a 0 as 10, into the next free box"),
        MoveType("top", "top <colour> <1..10>", "seat", "mark the end artefact of an expedition with nine numbers"),
        MoveType("refuse", "refuse", "seat", "choose no dice and shade the next dice symbol"),
        MoveType(
            "accelerate",
            "accelerate <colour>",
            "seat",
            "after an arrow box, repeat an expedition's last number in its next box, begin it with a 1 or mark its end",
        ),
        MoveType("stop", "stop", "seat", "decline to accelerate"),
        MoveType("roll", "roll <colour> x3 <digit> x3", "chance", "what the six dice show"),
    ),
    phases={
        ROLL: "chance rolls all six dice for the active seat",
        ACTIVE: "the active seat chooses a colour die and a number die or refuses, and accelerates after an arrow box",
        OTHERS: "the other seats choose from the dice in the centre or refuse, and accelerate after an arrow box",
        OVER: "the game is over",
    },
    rules={
        **SHARED_RULES,
        "die-not-in-centre": "Only dice that lie in the centre can be chosen.",
        "circle-after-start": "A circle can be marked only before the first number of its expedition.",
        "circle-twice": "A circle is marked once.",
        "zero-first": "A 0 cannot start an expedition as a 10.",
        "lower-than-last": "A number must not be lower than the expedition's last number.",
        "expedition-full": "An expedition has nine boxes.",
        "top-too-early": "An end artefact is reached only after nine numbers.",
        "top-twice": "An end artefact is marked once.",
        "no-arrow": "Only a seat that has just written into an arrow box accelerates or stops.",
        "expedition-complete": "An expedition whose end artefact is marked cannot be accelerated.",
    },
    scales={
        **DEFAULT_SHEET.plain()["scales"],
        "circle": DOUBLE,
        "bridge": BONUS,
    },
    endings={
        ALL_BRIDGES: "each of the eight bridges has been passed by somebody",
        EXHAUSTED: "every seat has shaded all its dice symbols",
    },
    rulings=(
        Ruling("dice", "text", "Three dice show the six colours, three the digits 0 to 9; all six are rolled."),
        Ruling("active-chooses-first", "text", "The active seat's two dice leave the centre before the others choose."),
        Ruling("refused-dice-stay", "text", "If the active seat refuses, all six dice stay in the centre."),
        Ruling(
            "shared-dice", "text", "The others' choices leave the dice where they are: several may choose the same."
        ),
        Ruling("order", "text", "The others choose at the same time, or clockwise on request (order)."),
        Ruling("circle", "text", "A 0 marks the circle of its colour, only before the expedition's first number."),
        Ruling("not-lower", "text", "A number may equal the last one of its expedition or be higher."),
        Ruling(
            "zero-is-ten", "text", "During an expedition a 0 is a 10; before, it is the circle only (ten_may_start)."
        ),
        Ruling("end-artefact", "text", "After nine numbers, one more that would fit marks the end artefact, once."),
        Ruling("end-artefact-shades", "text", "Marking an end artefact shades an artefact, as long as one is left."),
        Ruling("refuse", "text", "A refusal shades the next dice symbol; after nine it has no effect."),
        Ruling("artefact-box", "text", "A number in an artefact box shades an artefact, as long as one is left."),
        Ruling("accelerate", "text", "A number in an arrow box, however it came there, lets its seat accelerate once."),
        Ruling(
            "accelerate-number", "text", "An acceleration repeats the number below, begins with a 1, or marks an end."
        ),
        Ruling("accelerate-no-circle", "text", "An acceleration never marks a circle."),
        Ruling("bridge", "text", "The seventh box of a column passes its bridge; the first to pass it get 20."),
        Ruling("bridge-shared", "text", "All who pass a bridge in the turn in which it is first passed get its bonus."),
        Ruling("end", "text", "A turn ends the game if all seats are exhausted or all eight bridges were passed."),
        Ruling("exhausted", "text", "Nine dice symbols score nothing; their seat plays on and keeps its bonuses."),
        Ruling("doubled", "text", "A marked circle doubles its expedition, for better or worse; bonuses never double."),
        Ruling("untouched", "text", "An expedition with neither circle nor number scores 0."),
        Ruling("shared-win", "text", "All seats with the highest total win."),
        Ruling(
            "scales", "known", "The points by boxes filled are those of the scales, which a game can override (sheet)."
        ),
        Ruling(
            "default-sheet",
            "ruling",
            "Which boxes were printed with an arrow or an artefact is lost: those of the default sheet are made up, "
            "and a game can be created with its own (sheet).",
        ),
        Ruling("bonus-at-turn-end", "ruling", "Bonuses are given, and counted in the score, when the turn ends."),
        Ruling("both-endings", "ruling", "A turn that ends the game in both ways is told as ended by the bridges."),
    ),
)
