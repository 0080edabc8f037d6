"""roll-and-write: Lost Cities: Roll & Write, for two to five.

A colour is a small integer in the order of the sheet. An expedition is the `bytes` of its numbers from the bottom up.
Marked circles, marked end artefacts, passed bridges and bonuses are bit sets (`bitsets`) of columns.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, NoReturn

from lostcities.variants.bitsets import bitset, contains, elements
from lostcities.variants.core import (
    CHANCE,
    N_,
    OVER,
    Actor,
    InvalidOptions,
    Line,
    Move,
    MoveType,
    NotAMove,
    Option,
    Path,
    Pick,
    Position,
    Result,
    Seat,
    Sheet,
    Text,
    VariantInfo,
    Viewer,
    find_handler,
    illegal,
    phase_of,
    remove_one,
    replace_at,
    replacer,
    result_by_points,
    seen_by_all,
    single_actor,
)
from lostcities.variants.roll_and_write.texts import (
    BRIDGE_LABELS,
    CHANCE_TEXT,
    CHOICE_DETAILS,
    COLUMN_LABELS,
    DUE,
    ENDINGS,
    MOVE_LABELS,
    NO_SUCH_MOVE,
    OPTION_LABELS,
    PHASES,
    RULE_TEXTS,
    RULE_VALUES,
    RULINGS,
    STAGE_LABELS,
)

VARIANT: Final = "roll-and-write"
RULES_VERSION: Final = 1
SEATS: Final = (2, 5)

# Components: the dice --------------------------------------------------------------------------------------------

COLOURS: Final = "ROYGBP"
"""The letters in canonical order, which is their order on the sheet."""
COLOUR_NAMES: Final = (N_("red"), N_("orange"), N_("yellow"), N_("green"), N_("blue"), N_("purple"))
COLOUR: Final = {letter: colour for colour, letter in enumerate(COLOURS)}
DIGIT: Final = {str(digit): digit for digit in range(10)}
COLOUR_DICE: Final = 3
NUMBER_DICE: Final = 3
TEN: Final = 10
"""The number that a 0 is read as during an expedition."""

# Components: the sheet -------------------------------------------------------------------------------------------

BOXES: Final = 9
"""Boxes in each column of the sheet."""
COLUMNS: Final = (*COLOURS, "artefacts", "dice")
"""All columns, each with a bridge. The column of a colour has the number of the colour."""
ARTEFACTS_COLUMN: Final = COLUMNS.index("artefacts")
DICE_COLUMN: Final = COLUMNS.index("dice")
ALL_COLUMNS: Final = bitset(range(len(COLUMNS)))
BRIDGE: Final = 7
"""The bridge of a column is passed when this box is filled."""
BONUS: Final = 20
DOUBLE: Final = 2
"""What a marked circle multiplies by."""
MAX_SCALE: Final = 1000

Boxes = tuple[tuple[int, ...], ...]
"""Box numbers by colour, ascending."""


class Scales(NamedTuple):
    """The points for no box to nine boxes filled. The first points of an expedition are those of a circle alone."""

    expedition: "tuple[int, ...]"
    artefacts: "tuple[int, ...]"
    dice: "tuple[int, ...]"


class PrintedSheet(NamedTuple):
    """What is printed on the sheets of all seats."""

    arrows: "Boxes"
    artefacts: "Boxes"
    scales: "Scales"

    def plain(self) -> dict[str, Any]:
        """As JSON data."""
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
"""The arrow and artefact boxes of the printed sheet are lost: these are a ruling."""

# Options ---------------------------------------------------------------------------------------------------------

SIMULTANEOUS: Final = "simultaneous"
CLOCKWISE: Final = "clockwise"


class Options(NamedTuple):
    """The options of a game."""

    order: str = SIMULTANEOUS
    sheet: "PrintedSheet" = DEFAULT_SHEET
    ten_may_start: bool = False

    def plain(self) -> dict[str, Any]:
        """As JSON data."""
        return {**self._asdict(), "sheet": self.sheet.plain()}


def parse_options(chosen: Mapping[str, Any]) -> Options:
    """The chosen options, and the defaults of the others. Missing parts of the sheet are the default sheet's."""
    return Options(**{**chosen, "sheet": _parse_sheet(chosen.get("sheet", {}))})


def _parse_sheet(sheet: Mapping[str, Any]) -> PrintedSheet:
    arrows, artefacts = _parse_boxes(sheet, "arrows"), _parse_boxes(sheet, "artefacts")
    for colour, letter in enumerate(COLOURS):
        for box in arrows[colour]:
            if box in artefacts[colour]:
                # The default sheet has no such box, so one of the two was chosen.
                symbol = "artefacts" if "artefacts" in sheet else "arrows"
                raise InvalidOptions(
                    "one-symbol",
                    ["sheet", symbol, letter],
                    Text(
                        "box {box} of {colour} carries an arrow and an artefact: at most one symbol fits",
                        box=box,
                        colour=Text(COLOUR_NAMES[colour]),
                    ),
                )
    scales = sheet.get("scales", {})
    return PrintedSheet(arrows, artefacts, Scales(*(_parse_scale(scales, name) for name in Scales._fields)))


def _parse_boxes(sheet: Mapping[str, Any], symbol: str) -> Boxes:
    """The boxes with that symbol. A missing column has none."""
    if symbol not in sheet:
        default: Boxes = getattr(DEFAULT_SHEET, symbol)
        return default
    columns = sheet[symbol]
    for letter, boxes in columns.items():
        path: Path = ("sheet", symbol, letter)
        if letter not in COLOUR:
            raise InvalidOptions(
                "column",
                path,
                Text("'{letter}' is not one of the columns {colours}", letter=letter, colours=" ".join(COLOURS)),
            )
        for index, box in enumerate(boxes):
            if not 1 <= box <= BOXES:
                raise InvalidOptions(
                    "box",
                    (*path, index),
                    Text("a column has the boxes 1..{boxes}, and no box {box}", boxes=BOXES, box=box),
                )
            if box in boxes[:index]:
                raise InvalidOptions(
                    "box-twice",
                    (*path, index),
                    Text("box {box} of column {letter} is listed twice", box=box, letter=letter),
                )
    return tuple(tuple(sorted(columns.get(letter, ()))) for letter in COLOURS)


def _parse_scale(scales: Mapping[str, Any], name: str) -> tuple[int, ...]:
    if name not in scales:
        default: tuple[int, ...] = getattr(DEFAULT_SHEET.scales, name)
        return default
    scale = scales[name]
    path: Path = ("sheet", "scales", name)
    if len(scale) != BOXES + 1:
        raise InvalidOptions(
            "scale-length",
            path,
            Text(
                "a scale has {steps} numbers, for none to {boxes} boxes, not {given}",
                steps=BOXES + 1,
                boxes=BOXES,
                given=len(scale),
            ),
        )
    for index, points in enumerate(scale):
        if not -MAX_SCALE <= points <= MAX_SCALE:
            raise InvalidOptions(
                "scale-bounds",
                (*path, index),
                Text("{points} is not within -{most}..{most}", points=points, most=MAX_SCALE),
            )
    return tuple(scale)


# State -----------------------------------------------------------------------------------------------------------

ROLL: Final = "roll"
ACTIVE: Final = "active-choice"
OTHERS: Final = "other-choices"
CHANCE_PHASES: Final = frozenset((ROLL,))

CHOOSE: Final = 0
ACCELERATE: Final = 1
FINISHED: Final = 2
TURN_STAGES: Final = {
    "choose": N_("has not chosen dice or refused yet"),
    "accelerate": N_("has reached a box with an arrow, and accelerates or stops next"),
    "finished": N_("has nothing more to decide in this turn"),
}
"""The stages of a seat's part in a turn, and what the seat has done in each."""
PROGRESS: Final = tuple(TURN_STAGES)
"""The name of each stage."""


class Marks(NamedTuple):
    """What a seat has marked on its sheet."""

    expeditions: "tuple[bytes, ...]"
    """The numbers of each colour, from the bottom up."""
    circles: int = 0
    """The colours whose circle is marked."""
    ends: int = 0
    """The colours whose end artefact is marked."""
    artefacts: int = 0
    """The number of shaded artefacts."""
    dice: int = 0
    """The number of shaded dice symbols."""
    passed: int = 0
    """The columns whose bridge the seat has passed."""
    bonuses: int = 0
    """The columns whose bonus the seat has got."""


class State(NamedTuple):
    """The state of a game."""

    options: "Options"
    phase: str
    active: Seat
    """The seat whose turn it is. It chooses first."""
    colours: bytes
    """The colour dice in the centre, ascending."""
    numbers: bytes
    """The number dice in the centre, ascending."""
    marks: "tuple[Marks, ...]"
    """The marks of each seat."""
    progress: bytes
    """How far each seat is in this turn: `CHOOSE`, `ACCELERATE` or `FINISHED`."""


# Notation --------------------------------------------------------------------------------------------------------


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
    """The move or outcome with that notation.

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
            Text(
                "say 'circle R', 'write R 7', 'top R 7' or 'refuse', after an arrow 'accelerate R' or 'stop'; "
                "chance says 'roll' and six dice"
            ),
            NO_SUCH_MOVE.get(verb, ""),
        )
    if not COLOUR.keys() | DIGIT.keys() >= {*faces}:
        raise NotAMove(
            text,
            Text(
                "a colour die shows one of {colours} and a number die one of {digits}",
                colours=" ".join(COLOURS),
                digits=" ".join(DIGIT),
            ),
        )
    colours = bytes(sorted(COLOUR[face] for face in faces if face in COLOUR))
    numbers = bytes(sorted(DIGIT[face] for face in faces if face in DIGIT))
    if len(colours) != COLOUR_DICE or len(numbers) != NUMBER_DICE:
        raise NotAMove(
            text,
            Text(
                "{colour_dice} colour dice and {number_dice} number dice are rolled, not {colours} and {numbers}",
                colour_dice=COLOUR_DICE,
                number_dice=NUMBER_DICE,
                colours=len(colours),
                numbers=len(numbers),
            ),
        )
    return roll(colours, numbers)


@cache
def roll(colours: bytes, numbers: bytes) -> Move:
    """The roll of these dice, each kind in ascending order."""
    faces = (*(COLOURS[colour] for colour in colours), *map(str, numbers))
    return Move(f"roll {' '.join(faces)}", "roll", (*colours, *numbers), by_chance=True)


# Setup -----------------------------------------------------------------------------------------------------------


def setup(players: int, options: Options) -> State:
    """All sheets are empty, and seat 0 is active."""
    marks = (Marks(expeditions=(b"",) * len(COLOURS)),) * players
    return State(options, phase=ROLL, active=0, colours=b"", numbers=b"", marks=marks, progress=_all_to_choose(players))


@cache
def _all_to_choose(players: int) -> bytes:
    return bytes([CHOOSE] * players)


# Roll the dice and choose ----------------------------------------------------------------------------------------


def _roll(state: State, seat: Seat, outcome: Move) -> State:  # noqa: ARG001
    """Chance rolls all six dice into the centre, for the active seat."""
    dice = bytes(outcome.args)
    return _after_roll(state, ACTIVE, dice[:COLOUR_DICE], dice[COLOUR_DICE:])


_after_roll: Final = replacer(State, "phase", "colours", "numbers")


def to_act(state: State) -> tuple[Actor, ...]:
    """The active seat chooses first, then the others: in any order, or clockwise if that option was chosen."""
    if state.phase != OTHERS:
        return single_actor(state, CHANCE_PHASES)
    seats = unfinished_seats(state.progress)
    return seats if state.options.order == SIMULTANEOUS else (_next_clockwise(state.active, seats),)


@cache
def unfinished_seats(progress: bytes) -> tuple[Seat, ...]:
    """The seats that have not finished this turn."""
    return tuple(seat for seat, stage in enumerate(progress) if stage != FINISHED)


def _next_clockwise(active: Seat, seats: tuple[Seat, ...]) -> Seat:
    """The first of the seats after the active one."""
    for seat in seats:
        if seat > active:
            return seat
    return seats[0]


def choose_in_turn(state: State) -> State | None:
    """The others choose in clockwise order: from this turn on, if none of them has chosen yet."""
    options, progress, active = state.options, state.progress, state.active
    if options.order == CLOCKWISE:
        return None
    others = progress[:active] + progress[active + 1 :]
    if state.phase == OTHERS and any(stage != CHOOSE for stage in others):
        return state
    return state._replace(options=options._replace(order=CLOCKWISE))


def _choose(state: State, seat: Seat, move: Move) -> State:
    """A seat chooses one colour die and one number die and marks its sheet. The active seat's dice leave the centre."""
    options, colours, numbers, marks = state.options, state.colours, state.numbers, state.marks[seat]
    colour, number = move.args
    digit = number % TEN
    if colour not in colours:
        illegal("die-not-in-centre", "no colour die in the centre shows {colour}", colour=Text(COLOUR_NAMES[colour]))
    if digit not in numbers:
        illegal("die-not-in-centre", "no number die in the centre shows {digit}", digit=digit)
    if move not in choices(options, marks, colour)[digit]:
        _refuse_choice(_expedition(options, marks, colour), move)
    stage = FINISHED
    if move.type == "circle":
        marks = _mark_circle(marks, colour)
    elif move.type == "top":
        marks = _mark_end(marks, colour)
    else:
        marks = _write(options.sheet, marks, colour, number)
        stage = _stage_after_number(options.sheet, marks, colour)
    if state.phase == ACTIVE:
        state = _without_dice(state, remove_one(colours, colour), remove_one(numbers, digit))
    return _proceed(state, seat, marks, stage)


_without_dice: Final = replacer(State, "colours", "numbers")


class Expedition(NamedTuple):
    """What the rules of a choice depend on."""

    circle: bool
    """Whether the circle is marked."""
    boxes: int
    """The number of boxes with a number."""
    last: int
    """The last number; 0 if there is none."""
    end: bool
    """Whether the end artefact is marked."""
    ten_may_start: bool
    """The option of that name."""


def _expedition(options: Options, marks: Marks, colour: int) -> Expedition:
    numbers = marks.expeditions[colour]
    return Expedition(
        contains(marks.circles, colour),
        len(numbers),
        numbers[-1] if numbers else 0,
        contains(marks.ends, colour),
        options.ten_may_start,
    )


def broken_rule(expedition: Expedition, choice: Move) -> str | None:
    """The rule that forbids a choice on an expedition; `None` if it is legal."""
    _, number = choice.args
    if choice.type == "circle":
        return rule_against_circle(expedition)
    if choice.type == "write":
        return rule_against_number(expedition, number)
    return rule_against_end(expedition, number)


def _refuse_choice(expedition: Expedition, choice: Move) -> NoReturn:
    """Name the rule that forbids the choice."""
    colour, number = choice.args
    rule = str(broken_rule(expedition, choice))
    _, boxes, last, _, _ = expedition
    illegal(rule, CHOICE_DETAILS[rule], colour=Text(COLOUR_NAMES[colour]), number=number, boxes=boxes, last=last)


def _proceed(state: State, seat: Seat, marks: Marks, stage: int) -> State:
    """The state after a seat has marked its sheet. When all seats have finished, the turn ends."""
    sheets = replace_at(state.marks, seat, marks)
    progress = _set_stage(state.progress, seat, stage)
    if not unfinished_seats(progress):
        return _end_turn(state, sheets, progress)
    return _after_choice(state, OTHERS if stage == FINISHED else state.phase, sheets, progress)


_after_choice: Final = replacer(State, "phase", "marks", "progress")


@cache
def _set_stage(progress: bytes, seat: Seat, stage: int) -> bytes:
    return progress[:seat] + bytes((stage,)) + progress[seat + 1 :]


# Refuse the dice -------------------------------------------------------------------------------------------------


def _refuse(state: State, seat: Seat, move: Move) -> State:  # noqa: ARG001
    """The seat shades the next dice symbol, if one is left. All dice stay in the centre."""
    marks = state.marks[seat]
    if not is_exhausted(marks):
        dice = marks.dice + 1
        marks = _with_die_symbol(marks, dice, _pass_bridge(marks.passed, DICE_COLUMN, dice))
    return _proceed(state, seat, marks, FINISHED)


_with_die_symbol: Final = replacer(Marks, "dice", "passed")


# Lead expeditions: the circle ------------------------------------------------------------------------------------


def rule_against_circle(expedition: Expedition) -> str | None:
    """A circle is marked before the first number of its expedition, and only once."""
    if expedition.boxes > 0:
        return "circle-after-start"
    if expedition.circle:
        return "circle-twice"
    return None


def _mark_circle(marks: Marks, colour: int) -> Marks:
    return marks._replace(circles=marks.circles | (1 << colour))


# Lead expeditions: the numbers -----------------------------------------------------------------------------------


def rule_against_number(expedition: Expedition, number: int) -> str | None:
    """The next number is equal to the last one or higher. A 0 is a 10 during an expedition, but cannot start it."""
    if expedition.boxes == BOXES:
        return "expedition-full"
    if expedition.boxes == 0 and number == TEN and not expedition.ten_may_start:
        return "zero-first"
    if number < expedition.last:
        return "lower-than-last"
    return None


def _write(sheet: PrintedSheet, marks: Marks, colour: int, number: int) -> Marks:
    """Write a number into the next free box. An artefact box shades an artefact."""
    numbers = marks.expeditions[colour] + bytes((number,))
    box = len(numbers)
    expeditions = replace_at(marks.expeditions, colour, numbers)
    marks = _with_number(marks, expeditions, _pass_bridge(marks.passed, colour, box))
    return _shade_artefact(marks) if box in sheet.artefacts[colour] else marks


_with_number: Final = replacer(Marks, "expeditions", "passed")


# Lead expeditions: acceleration ----------------------------------------------------------------------------------


def _stage_after_number(sheet: PrintedSheet, marks: Marks, colour: int) -> int:
    """A number in an arrow box lets the seat accelerate an expedition.

    There always is one: at least the expedition of that number, which has a free box or an unmarked end artefact.
    """
    return ACCELERATE if len(marks.expeditions[colour]) in sheet.arrows[colour] else FINISHED


@cache
def _accelerations(ends: int) -> tuple[Move, ...]:
    """The moves after an arrow box: all expeditions can be accelerated whose end artefact is not marked."""
    return (*(move for colour, move in enumerate(ACCELERATIONS) if not contains(ends, colour)), STOP)


def _accelerate(state: State, seat: Seat, move: Move) -> State:
    """The seat repeats the last number of an expedition in its next box, begins it with a 1, or marks its end."""
    (colour,) = move.args
    marks, sheet = state.marks[seat], state.options.sheet
    if contains(marks.ends, colour):
        illegal(
            "expedition-complete",
            "the {colour} expedition and its end artefact are complete",
            colour=Text(COLOUR_NAMES[colour]),
        )
    numbers = marks.expeditions[colour]
    stage = FINISHED
    if len(numbers) == BOXES:
        marks = _mark_end(marks, colour)
    else:
        marks = _write(sheet, marks, colour, numbers[-1] if numbers else 1)
        stage = _stage_after_number(sheet, marks, colour)
    return _proceed(state, seat, marks, stage)


def _stop(state: State, seat: Seat, move: Move) -> State:  # noqa: ARG001
    """The seat does not accelerate."""
    return _proceed(state, seat, state.marks[seat], FINISHED)


def _no_arrow(state: State, seat: Seat, move: Move) -> NoReturn:  # noqa: ARG001
    illegal("no-arrow", "seat {seat} has not just written into an arrow box: it chooses from the dice", seat=seat)


# Lead expeditions: artefacts -------------------------------------------------------------------------------------


def _shade_artefact(marks: Marks) -> Marks:
    """Shade the next artefact, if one is left."""
    artefacts = marks.artefacts
    if artefacts == BOXES:
        return marks
    return _with_artefact(marks, artefacts + 1, _pass_bridge(marks.passed, ARTEFACTS_COLUMN, artefacts + 1))


_with_artefact: Final = replacer(Marks, "artefacts", "passed")


def rule_against_end(expedition: Expedition, number: int) -> str | None:
    """After nine numbers, another one that could follow marks the end artefact of the expedition, once."""
    if expedition.boxes < BOXES:
        return "top-too-early"
    if expedition.end:
        return "top-twice"
    if number < expedition.last:
        return "lower-than-last"
    return None


def _mark_end(marks: Marks, colour: int) -> Marks:
    """Mark the end artefact of an expedition, which also shades an artefact."""
    return _shade_artefact(marks._replace(ends=marks.ends | (1 << colour)))


# Lead expeditions: all choices together ----------------------------------------------------------------------------

Choices = tuple[tuple[Move, ...], ...]
"""The legal moves with a die of one colour, by the digit on the number die."""


def choices(options: Options, marks: Marks, colour: int) -> Choices:
    """The legal moves of a seat with a die of that colour, by the digit on the number die."""
    numbers = marks.expeditions[colour]
    if not numbers:
        return _CHOICES_BEFORE[colour][contains(marks.circles, colour)][options.ten_may_start]
    if len(numbers) < BOXES:
        return _CHOICES_DURING[colour][numbers[-1]]
    return _CHOICES_AFTER[colour][contains(marks.ends, colour)][numbers[-1]]


def legal_choices(colour: int, expedition: Expedition) -> Choices:
    """The choices that break no rule: what the tables below, which are faster, are made from."""
    by_digit = []
    for digit in range(TEN):
        number = digit or TEN
        moves = [CIRCLES[colour]] if digit == 0 else []
        moves += [WRITES[colour][number], TOPS[colour][number]]
        by_digit.append(tuple(move for move in moves if broken_rule(expedition, move) is None))
    return tuple(by_digit)


_BOOLEANS: Final = (False, True)
_STARTED: Final = Expedition(circle=False, boxes=1, last=1, end=False, ten_may_start=False)
_CHOICES_BEFORE: Final = tuple(
    tuple(
        tuple(
            legal_choices(colour, Expedition(circle, boxes=0, last=0, end=False, ten_may_start=ten_may_start))
            for ten_may_start in _BOOLEANS
        )
        for circle in _BOOLEANS
    )
    for colour in range(len(COLOURS))
)
"""Before the first number: by colour, by whether the circle is marked, and by the option."""
_CHOICES_DURING: Final = tuple(
    tuple(legal_choices(colour, _STARTED._replace(last=last)) for last in range(TEN + 1))
    for colour in range(len(COLOURS))
)
"""After the first number: by colour and last number. The count of numbers and the circle no longer matter."""
_CHOICES_AFTER: Final = tuple(
    tuple(
        tuple(legal_choices(colour, _STARTED._replace(boxes=BOXES, last=last, end=end)) for last in range(TEN + 1))
        for end in _BOOLEANS
    )
    for colour in range(len(COLOURS))
)
"""After the ninth number: by colour, by whether the end artefact is marked, and by last number."""


# Bridges ---------------------------------------------------------------------------------------------------------


def _pass_bridge(passed: int, column: int, boxes: int) -> int:
    """The bridges passed by a seat after it filled another box of a column."""
    return passed | (1 << column) if boxes == BRIDGE else passed


def opened_bridges(sheets: tuple[Marks, ...]) -> int:
    """The bridges that any seat had passed before this turn.

    The first turn in which a bridge is passed gives its bonus, so these are the bridges with a bonus.
    """
    opened = 0
    for marks in sheets:
        opened |= marks.bonuses
    return opened


def _give_bonuses(sheets: tuple[Marks, ...]) -> tuple[Marks, ...]:
    """The bonus of a bridge goes to the seats that passed it in the first turn in which any seat passed it."""
    opened = passed = opened_bridges(sheets)
    for marks in sheets:
        passed |= marks.passed
    if passed == opened:
        return sheets
    return tuple(marks._replace(bonuses=marks.bonuses | (marks.passed & ~opened)) for marks in sheets)


# The end of the game ---------------------------------------------------------------------------------------------

ALL_BRIDGES: Final = "all-bridges"
EXHAUSTED: Final = "exhausted"


def _end_turn(state: State, sheets: tuple[Marks, ...], progress: bytes) -> State:
    """The bonuses are given; then the game ends, or the next seat is active."""
    sheets = _give_bonuses(sheets)
    if find_ending(sheets):
        return _next_turn(state, OVER, state.active, b"", b"", sheets, progress)
    players = len(sheets)
    return _next_turn(state, ROLL, (state.active + 1) % players, b"", b"", sheets, _all_to_choose(players))


_next_turn: Final = replacer(State, "phase", "active", "colours", "numbers", "marks", "progress")


def find_ending(sheets: tuple[Marks, ...]) -> str | None:
    """What ends the game before or after a turn. `ALL_BRIDGES` takes precedence."""
    if opened_bridges(sheets) == ALL_COLUMNS:
        return ALL_BRIDGES
    for marks in sheets:
        if not is_exhausted(marks):
            return None
    return EXHAUSTED


def is_exhausted(marks: Marks) -> bool:
    """Whether a seat has shaded its last dice symbol."""
    return marks.dice == BOXES


# Score -----------------------------------------------------------------------------------------------------------

COLUMN_ITEMS: Final = (*COLOUR_NAMES, *COLUMNS[len(COLOURS) :])
"""The name of each column on a score sheet."""
_BRIDGE_COLUMNS: Final = tuple(
    tuple(COLUMN_ITEMS[column] for column in elements(bonuses)) for bonuses in range(ALL_COLUMNS + 1)
)
"""Table `[bonuses]` of the names of the columns whose bonus a seat has got."""


def score(state: State) -> tuple[Sheet, ...]:
    """The expeditions, the artefacts, the dice symbols and the bonuses that have been given."""
    return tuple(_score_sheet(state.options.sheet.scales, marks) for marks in state.marks)


def _score_sheet(scales: Scales, marks: Marks) -> Sheet:
    points_of_artefacts, points_of_dice = scales.artefacts[marks.artefacts], scales.dice[marks.dice]
    columns = _BRIDGE_COLUMNS[marks.bonuses]
    return (
        *(
            _score_expedition(scales, name, len(numbers), circle=contains(marks.circles, colour))
            for colour, (name, numbers) in enumerate(zip(COLOUR_NAMES, marks.expeditions, strict=True))
        ),
        Line("artefacts", points_of_artefacts, {"boxes": marks.artefacts, "value": points_of_artefacts}),
        Line("dice", points_of_dice, {"boxes": marks.dice, "value": points_of_dice}),
        Line("bridges", len(columns) * BONUS, {"columns": columns, "bridges": len(columns), "bonus": BONUS}),
    )


def _score_expedition(scales: Scales, colour: str, boxes: int, *, circle: bool) -> Line:
    """An expedition without marks scores 0, any other by its scale. A marked circle doubles the points.

    >>> _score_expedition(DEFAULT_SHEET.scales, "red", 0, circle=False).points
    0
    >>> _score_expedition(DEFAULT_SHEET.scales, "red", 0, circle=True).points
    -100
    """
    value = scales.expedition[boxes] if boxes or circle else 0
    multiplier = DOUBLE if circle else 1
    steps = {"boxes": boxes, "value": value, "circle": int(circle), "multiplier": multiplier}
    return Line(colour, value * multiplier, steps)


def result(state: State) -> Result | None:
    """The highest total wins."""
    ending = find_ending(state.marks) if state.phase == OVER else None
    return result_by_points(score(state), ending) if ending else None


# The interface ---------------------------------------------------------------------------------------------------


phase: Final = phase_of
"""Accelerations have no phase of their own: the other seats go on choosing."""


def legal_moves(state: State, seat: Seat) -> Sequence[Move]:
    """Choices by colour, then by number, then `refuse`; or accelerations by colour, then `stop`."""
    if seat not in to_act(state):
        return ()
    marks = state.marks[seat]
    if state.progress[seat] == ACCELERATE:
        return _accelerations(marks.ends)
    options, digits = state.options, distinct_faces(state.numbers)
    moves: list[Move] = []
    for colour in distinct_faces(state.colours):
        by_digit = choices(options, marks, colour)
        for digit in digits:
            moves += by_digit[digit]
    moves.append(REFUSE)
    return moves


@cache
def distinct_faces(dice: bytes) -> tuple[int, ...]:
    """The faces of some dice, ascending. Equal dice are one choice."""
    return tuple(sorted({*dice}))


def sample_chance(state: State, pick: Pick) -> Move:  # noqa: ARG001
    """The colour dice one by one, then the number dice."""
    colours = [pick(len(COLOURS)), pick(len(COLOURS)), pick(len(COLOURS))]
    numbers = [pick(len(DIGIT)), pick(len(DIGIT)), pick(len(DIGIT))]
    colours.sort()
    numbers.sort()
    return roll(bytes(colours), bytes(numbers))


HANDLERS: Final[Mapping[str, Mapping[str, Callable[[State, Seat, Move], State]]]] = {
    ROLL: {"roll": _roll},
    "choose": {
        "circle": _choose,
        "write": _choose,
        "top": _choose,
        "refuse": _refuse,
        "accelerate": _no_arrow,
        "stop": _no_arrow,
    },
    "accelerate": {"accelerate": _accelerate, "stop": _stop},
}
"""The function that applies a move, by what is due of the actor and by type of move."""


def apply(state: State, actor: Actor, move: Move) -> State:
    """The state after that move."""
    acting = to_act(state)
    due, seat = ROLL, state.active
    if actor != CHANCE and actor in acting:
        due, seat = PROGRESS[state.progress[actor]], actor
    return find_handler(HANDLERS, due, acting, actor, move, due=DUE)(state, seat, move)


# Positions -------------------------------------------------------------------------------------------------------


visible_to: Final = seen_by_all


def to_position(state: State, viewer: Viewer) -> Position:  # noqa: ARG001
    """The same for every viewer. What is printed on the sheets is in the options."""
    opened = opened_bridges(state.marks)
    return {
        "variant": VARIANT,
        "phase": state.phase,
        "active": state.active,
        "centre": {"colours": [COLOURS[colour] for colour in state.colours], "numbers": [*state.numbers]},
        "seats": [
            {
                "expeditions": {
                    letter: {
                        "circle": contains(marks.circles, colour),
                        "numbers": [*marks.expeditions[colour]],
                        "end_artefact": contains(marks.ends, colour),
                    }
                    for colour, letter in enumerate(COLOURS)
                },
                "artefacts": marks.artefacts,
                "dice": marks.dice,
                "bridges": bridge_standings(marks, opened),
                "turn": PROGRESS[stage],
            }
            for marks, stage in zip(state.marks, state.progress, strict=True)
        ],
    }


AHEAD: Final = "ahead"
LOST: Final = "lost"
DUE_BONUS: Final = "due"
GOT_BONUS: Final = "bonus"
LATE: Final = "late"
BRIDGES: Final = {
    AHEAD: N_("not passed, and the bonus can still be got"),
    LOST: N_("not passed, and the bonus has gone to others"),
    DUE_BONUS: N_(
        "passed in this turn, the first in which a seat has passed it: the bonus is given when the turn ends"
    ),
    GOT_BONUS: N_("passed, and the bonus got"),
    LATE: N_("passed after the bonus had gone to others"),
}
"""How a seat stands to a bridge."""


def bridge_standings(marks: Marks, opened: int) -> dict[str, str]:
    """How a seat stands to each bridge. `opened` are the bridges passed by any seat before this turn."""
    standings = {}
    for bridge, column in enumerate(COLUMNS):
        if not contains(marks.passed, bridge):
            standings[column] = LOST if contains(opened, bridge) else AHEAD
        elif not contains(opened, bridge):
            standings[column] = DUE_BONUS
        else:
            standings[column] = GOT_BONUS if contains(marks.bonuses, bridge) else LATE
    return standings


# Description -----------------------------------------------------------------------------------------------------

INFO: Final = VariantInfo(
    title=N_("Lost Cities: Roll & Write"),
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
        "turn_stages": TURN_STAGES,
        "sheet": DEFAULT_SHEET.plain(),
    },
    options=(
        Option(
            "order",
            SIMULTANEOUS,
            Text("How the other seats choose: `simultaneous`, in any order, or `clockwise`, in turn."),
        ),
        Option(
            "sheet",
            DEFAULT_SHEET.plain(),
            Text(
                "What is printed on the sheets: by colour the boxes, 1 to {boxes}, with an arrow and those with an "
                "artefact, at most one symbol each; and scales of {steps} numbers, -{most} to {most}, the first for "
                "no filled box. A part or scale that is left out is the default, a colour that is left out has no "
                "such box.",
                boxes=BOXES,
                steps=BOXES + 1,
                most=MAX_SCALE,
            ),
        ),
        Option("ten_may_start", default=False, text=Text("Whether a 0 may start an expedition as a 10.")),
    ),
    moves=(
        MoveType(
            "circle", "circle <colour>", "seat", N_("with a 0, mark the circle of an expedition without a number")
        ),
        MoveType("write", "write <colour> <1..10>", "seat", N_("write the number, a 0 as 10, into the next free box")),
        MoveType("top", "top <colour> <1..10>", "seat", N_("mark the end artefact of an expedition with nine numbers")),
        MoveType("refuse", "refuse", "seat", N_("choose no dice and shade the next dice symbol")),
        MoveType(
            "accelerate",
            "accelerate <colour>",
            "seat",
            N_(
                "after an arrow box, repeat an expedition's last number in its next box, begin it with a 1 or mark "
                "its end"
            ),
        ),
        MoveType("stop", "stop", "seat", N_("decline to accelerate")),
        MoveType("roll", "roll <colour> x3 <digit> x3", "chance", N_("what the six dice show")),
    ),
    chance=CHANCE_TEXT,
    phases=PHASES,
    rules=RULE_TEXTS,
    values=RULE_VALUES,
    labels={
        "colours": dict(zip(COLOURS, COLOUR_NAMES, strict=True)),
        "columns": {**dict(zip(COLOURS, COLOUR_NAMES, strict=True)), **COLUMN_LABELS},
        "score_items": {
            **dict(zip(COLOUR_NAMES, COLOUR_NAMES, strict=True)),
            **COLUMN_LABELS,
            "bridges": N_("bridges"),
        },
        "bridges": BRIDGE_LABELS,
        "turn_stages": STAGE_LABELS,
        "moves": MOVE_LABELS,
        "options": OPTION_LABELS,
    },
    scales={**DEFAULT_SHEET.plain()["scales"], "circle": DOUBLE, "bridge": BONUS},
    endings=ENDINGS,
    rulings=RULINGS,
)
