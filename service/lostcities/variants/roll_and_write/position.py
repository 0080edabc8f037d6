"""roll-and-write: from a position to a state."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from lostcities.variants.bitsets import bitset, contains, elements
from lostcities.variants.core import (
    OVER,
    InvalidPosition,
    Path,
    Position,
    Seat,
    Text,
    nothing_hidden,
    nothing_to_fill,
    sees_all,
)
from lostcities.variants.roll_and_write.rules import (
    ACCELERATE,
    ACTIVE,
    AHEAD,
    ALL_BRIDGES,
    BOXES,
    BRIDGE,
    CHOOSE,
    CLOCKWISE,
    COLOUR,
    COLOUR_DICE,
    COLOUR_NAMES,
    COLOURS,
    COLUMNS,
    DICE_COLUMN,
    EXHAUSTED,
    FINISHED,
    GOT_BONUS,
    LOST,
    NUMBER_DICE,
    OTHERS,
    PROGRESS,
    ROLL,
    TEN,
    Marks,
    Options,
    PrintedSheet,
    State,
    bridge_standings,
    find_ending,
    opened_bridges,
    unfinished_seats,
)
from lostcities.variants.roll_and_write.texts import ENDINGS


def from_position(players: int, options: Options, position: Position) -> State:
    """The state of a position.

    Fields that follow from others are checked, too: the number of shaded artefacts, and how seats stand to the bridges.
    The number of turns is not part of a position, so the sheets of different seats are not compared with each other.
    """
    seats = position["seats"]
    if len(seats) != players:
        raise InvalidPosition(
            "seats", ["seats"], Text("{players} seats play, not {given}", players=players, given=len(seats))
        )
    if position["active"] >= players:
        raise InvalidPosition(
            "active-seat",
            ["active"],
            Text("seat {seat} is not one of the {players} that play", seat=position["active"], players=players),
        )
    state = State(
        options=options,
        phase=position["phase"],
        active=position["active"],
        colours=bytes(sorted(COLOUR[letter] for letter in position["centre"]["colours"])),
        numbers=bytes(sorted(position["centre"]["numbers"])),
        marks=tuple(_parse_marks(options, seat, marked) for seat, marked in enumerate(seats)),
        progress=bytes(PROGRESS.index(marked["turn"]) for marked in seats),
    )
    _check_progress(state)
    _check_centre(state)
    _check_bridges(state, seats)
    for seat in range(players):
        _check_turn(state, seat)
    _check_end(state)
    return state


# The sheet of a seat ---------------------------------------------------------------------------------------------


def _parse_marks(options: Options, seat: Seat, marked: Mapping[str, Any]) -> Marks:
    columns = [marked["expeditions"][letter] for letter in COLOURS]
    expeditions = tuple(
        _parse_numbers(options, seat, colour, column["numbers"]) for colour, column in enumerate(columns)
    )
    filled = (*map(len, expeditions), marked["artefacts"], marked["dice"])
    marks = Marks(
        expeditions,
        circles=_columns_where(column["circle"] for column in columns),
        ends=_columns_where(column["end_artefact"] for column in columns),
        artefacts=marked["artefacts"],
        dice=marked["dice"],
        passed=_columns_where(boxes >= BRIDGE for boxes in filled),
        bonuses=_columns_where(marked["bridges"][column] == GOT_BONUS for column in COLUMNS),
    )
    _check_artefacts(options.sheet, seat, marks)
    for column in elements(marks.bonuses & ~marks.passed):
        detail = Text("seat {seat} has a bonus for a bridge that it has not passed", seat=seat)
        raise InvalidPosition("bonus-not-passed", ["seats", seat, "bridges", COLUMNS[column]], detail)
    return marks


def _columns_where(flags: Iterable[bool]) -> int:
    return bitset(column for column, flag in enumerate(flags) if flag)


def _parse_numbers(options: Options, seat: Seat, colour: int, numbers: list[int]) -> bytes:
    path: Path = ("seats", seat, "expeditions", COLOURS[colour], "numbers")
    if len(numbers) > BOXES:
        raise InvalidPosition(
            "box-count", path, Text("an expedition has {boxes} boxes, not {numbers}", boxes=BOXES, numbers=len(numbers))
        )
    if numbers and numbers[0] == TEN and not options.ten_may_start:
        raise InvalidPosition(
            "zero-first", (*path, 0), Text("a {ten} cannot be the first number of an expedition", ten=TEN)
        )
    for index in range(1, len(numbers)):
        if numbers[index] < numbers[index - 1]:
            detail = Text(
                "{number} is lower than {below}, the number below it", number=numbers[index], below=numbers[index - 1]
            )
            raise InvalidPosition("ascending", (*path, index), detail)
    return bytes(numbers)


def _check_artefacts(sheet: PrintedSheet, seat: Seat, marks: Marks) -> None:
    """Each written artefact box and each marked end artefact has shaded an artefact, as long as one was left."""
    for colour, numbers in enumerate(marks.expeditions):
        if contains(marks.ends, colour) and len(numbers) < BOXES:
            raise InvalidPosition(
                "end-artefact",
                ["seats", seat, "expeditions", COLOURS[colour], "end_artefact"],
                Text(
                    "the end artefact is reached after {boxes} numbers, and {colour} has {numbers}",
                    boxes=BOXES,
                    colour=Text(COLOUR_NAMES[colour]),
                    numbers=len(numbers),
                ),
            )
    found = marks.ends.bit_count() + sum(
        box <= len(numbers) for numbers, boxes in zip(marks.expeditions, sheet.artefacts, strict=True) for box in boxes
    )
    if marks.artefacts != min(found, BOXES):
        raise InvalidPosition(
            "artefact-count",
            ["seats", seat, "artefacts"],
            Text(
                "the expeditions of seat {seat} have found {found} artefacts, so {due} are shaded, not {artefacts}",
                seat=seat,
                found=found,
                due=min(found, BOXES),
                artefacts=marks.artefacts,
            ),
        )


# How far the turn is ---------------------------------------------------------------------------------------------

_STAGES_OF_ACTIVE: Final[Mapping[str, Sequence[int]]] = {
    ROLL: (CHOOSE,),
    ACTIVE: (CHOOSE, ACCELERATE),
    OTHERS: (FINISHED,),
    OVER: (FINISHED,),
}
"""How far the active seat can be, by phase."""
_STAGES_OF_OTHERS: Final[Mapping[str, Sequence[int]]] = {
    ROLL: (CHOOSE,),
    ACTIVE: (CHOOSE,),
    OTHERS: (CHOOSE, ACCELERATE, FINISHED),
    OVER: (FINISHED,),
}
"""How far the other seats can be, by phase."""


def _check_progress(state: State) -> None:
    """The active seat finishes first, then the others, clockwise if that option was chosen."""
    for seat, stage in enumerate(state.progress):
        path: Path = ("seats", seat, "turn")
        stages = _STAGES_OF_ACTIVE if seat == state.active else _STAGES_OF_OTHERS
        if stage not in stages[state.phase]:
            detail = Text(
                "seat {seat} cannot be at '{progress}' in phase '{phase}'",
                seat=seat,
                progress=PROGRESS[stage],
                phase=state.phase,
            )
            raise InvalidPosition("turn", path, detail)
        if stage == ACCELERATE and not _may_have_hit_arrow(state, seat):
            detail = Text(
                "no expedition of seat {seat} stands on an arrow box, so it has nothing to accelerate by", seat=seat
            )
            raise InvalidPosition("no-arrow", path, detail)
        if state.phase == OTHERS and state.options.order == CLOCKWISE and stage != CHOOSE and seat != state.active:
            before = (seat - 1) % len(state.progress)
            if state.progress[before] != FINISHED:
                detail = Text("seat {seat} chooses after seat {before} has finished", seat=seat, before=before)
                raise InvalidPosition("clockwise", path, detail)
    if state.phase == OTHERS and not unfinished_seats(state.progress):
        raise InvalidPosition("turn-over", ["phase"], Text("all seats have finished, so this turn is over"))


def _may_have_hit_arrow(state: State, seat: Seat) -> bool:
    """Whether the last box of an expedition has an arrow, and the end artefact has not been marked after it."""
    marks = state.marks[seat]
    return any(
        len(numbers) in boxes and not contains(marks.ends, colour)
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
            "dice-count",
            ["centre"],
            Text(
                "{counts} lie in the centre here, not {colours} and {numbers}",
                counts=counts,
                colours=lying[0],
                numbers=lying[1],
            ),
        )


# What was done in this turn --------------------------------------------------------------------------------------


def _check_bridges(state: State, seats: Sequence[Mapping[str, Any]]) -> None:
    opened = opened_bridges(state.marks)
    for seat, marks in enumerate(state.marks):
        for column, standing in bridge_standings(marks, opened).items():
            told = seats[seat]["bridges"][column]
            # Version 1.0.0 shows every bridge that the seat has not passed as `ahead`: such positions are stored.
            if told != standing and (told, standing) != (AHEAD, LOST):
                detail = Text(
                    "by the marks and bonuses of all seats this bridge is '{standing}', not '{told}'",
                    standing=standing,
                    told=told,
                )
                raise InvalidPosition("bridge-standing", ["seats", seat, "bridges", column], detail)


def _check_turn(state: State, seat: Seat) -> None:
    """A seat can have passed the bridges of this turn by what it can have done in this turn."""
    marks = state.marks[seat]
    due = marks.passed & ~opened_bridges(state.marks)
    if state.progress[seat] == CHOOSE or state.phase == OVER:
        possible = not due
    elif contains(due, DICE_COLUMN):
        possible = due == bitset([DICE_COLUMN]) and marks.dice == BRIDGE and _may_have_refused(state, seat)
    else:
        possible = _may_have_chosen(state, seat) or (not due and _may_have_refused(state, seat))
    if not possible and due:
        detail = Text("seat {seat} cannot have passed all the bridges that are 'due' to it in this turn", seat=seat)
        raise InvalidPosition("bridge-due", ["seats", seat, "bridges"], detail)
    if not possible:
        detail = Text("seat {seat} has not marked on its sheet what its choice in this turn was", seat=seat)
        raise InvalidPosition("turn-unmarked", ["seats", seat, "turn"], detail)


def _may_have_refused(state: State, seat: Seat) -> bool:
    """Whether the seat has finished and has a shaded dice symbol. All dice stay if the active seat refuses."""
    all_stay = len(state.colours) == COLOUR_DICE
    return state.progress[seat] == FINISHED and state.marks[seat].dice > 0 and (seat != state.active or all_stay)


def _may_have_chosen(state: State, seat: Seat) -> bool:
    """Whether the seat has a mark on its expeditions. Two dice leave if the active seat chooses."""
    marks = state.marks[seat]
    all_stay = len(state.colours) == COLOUR_DICE
    return (marks.circles > 0 or any(marks.expeditions)) and (seat != state.active or not all_stay)


def _check_end(state: State) -> None:
    """The end is checked between turns. Within a turn, the last dice symbol may just have been shaded."""
    ending = find_ending(state.marks)
    if state.phase == OVER:
        if not ending:
            detail = Text("the game is over when every seat is exhausted or all bridges have been passed")
            raise InvalidPosition("game-end", ["phase"], detail)
    elif ending == ALL_BRIDGES or (
        ending == EXHAUSTED and not any(_may_have_refused(state, seat) for seat in range(len(state.marks)))
    ):
        raise InvalidPosition(
            "game-end", ["phase"], Text("before this turn the game was over: {ending}", ending=Text(ENDINGS[ending]))
        )


shown_to: Final = sees_all
fill_hidden: Final = nothing_to_fill
hidden_card: Final = nothing_hidden
