"""roll-and-write, in the order of its rules."""

import random
import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from itertools import product
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lostcities.rules import roll_and_write as game
from lostcities.variants.core import CHANCE, FULL, InvalidOptions, InvalidPosition, NotAMove, Rules
from lostcities.variants.roll_and_write import position as positions
from lostcities.variants.roll_and_write import rules
from lostcities.variants.roll_and_write.rules import COLOURS, COLUMNS, DEFAULT_SHEET, INFO, Options, State

from tests.playing import do, refusal, source, steps, totals

IMPLEMENTED: Rules[game.State, game.Options] = game
"""mypy checks here that the module implements the interface with its own types."""

# Situations ------------------------------------------------------------------------------------------------------


def seat(*expeditions: str, dice: int = 0, bonuses: str = "", turn: str = "choose") -> dict[str, Any]:
    """A sheet by its expeditions: `R 1 2` the numbers, `R*` with the circle, `R 1 … 9!` with the end artefact."""
    marked = {letter: {"circle": False, "numbers": [], "end_artefact": False} for letter in COLOURS}
    for text in expeditions:
        head, *numbers = text.rstrip("!").split()
        marked[head[0]] = {
            "circle": head.endswith("*"),
            "numbers": [int(number) for number in numbers],
            "end_artefact": text.endswith("!"),
        }
    return {
        "expeditions": marked,
        "artefacts": 0,
        "dice": dice,
        "bridges": {column: "bonus" if column in bonuses.split() else "ahead" for column in COLUMNS},
        "turn": turn,
    }


def position(
    *seats: dict[str, Any], options: Options, phase: str = "roll", active: int = 0, centre: str = ""
) -> dict[str, Any]:
    """Those sheets on a table, with the artefacts shaded and the bridges passed that follow from them."""
    opened = {column for sheet in seats for column, standing in sheet["bridges"].items() if standing == "bonus"}
    for sheet in seats:
        for column in opened:
            if sheet["bridges"][column] == "ahead":
                sheet["bridges"][column] = "lost"
        filled = {letter: len(column["numbers"]) for letter, column in sheet["expeditions"].items()}
        found = sum(column["end_artefact"] for column in sheet["expeditions"].values())
        for letter, boxes in options.plain()["sheet"]["artefacts"].items():
            found += sum(filled[letter] >= box for box in boxes)
        sheet["artefacts"] = min(9, found)
        for column, boxes in {**filled, "artefacts": sheet["artefacts"], "dice": sheet["dice"]}.items():
            if boxes >= 7 and sheet["bridges"][column] != "bonus":
                sheet["bridges"][column] = "late" if column in opened else "due"
    faces = centre.split()
    return {
        "variant": "roll-and-write",
        "phase": phase,
        "active": active,
        "centre": {
            "colours": [face for face in faces if face in COLOURS],
            "numbers": [int(face) for face in faces if face not in COLOURS],
        },
        "seats": [*seats],
    }


def table(*seats: dict[str, Any], active: int = 0, **chosen: Any) -> State:
    """Those sheets on a table, before a roll."""
    options = game.parse_options(chosen)
    return game.from_position(len(seats), options, position(*seats, options=options, active=active))


def rolled(dice: str, *sheets: dict[str, Any], active: int = 0, **chosen: Any) -> State:
    """Those sheets (empty ones fill up to two) after a roll for the active seat."""
    filled = (*sheets, *(seat() for _ in range(2 - len(sheets))))
    state: State = do(game, table(*filled, active=active, **chosen), f"chance roll {dice}")
    return state


def marks(state: State, at: int, colour: str) -> str:
    """An expedition of that seat, as `seat` takes it."""
    column = game.to_position(state, None)["seats"][at]["expeditions"][colour]
    circle, end = "*" if column["circle"] else "", "!" if column["end_artefact"] else ""
    return " ".join([colour + circle, *map(str, column["numbers"])]) + end


def shown(state: State, at: int) -> dict[str, Any]:
    sheet: dict[str, Any] = game.to_position(state, None)["seats"][at]
    return sheet


def centre(state: State) -> str:
    lying = game.to_position(state, None)["centre"]
    return " ".join([*lying["colours"], *map(str, lying["numbers"])])


def bonus(state: State, at: int) -> int:
    (points,) = (line.points for line in game.score(state)[at] if line.item == "bridges")
    return points


NINE = "1 2 3 4 5 6 7 8 9"
EIGHT = "1 2 3 4 5 6 7 8"
SEVEN = "1 2 3 4 5 6 7"
SIX = "1 2 3 4 5 6"


# Notation --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("roll R G G 0 3 9", "roll R G G 0 3 9"),
        ("roll G R G 9 0 3", "roll R G G 0 3 9"),
        ("roll 9 P 0 B 0 O", "roll O B P 0 0 9"),
        ("roll 2 P 1 B 0 G", "roll G B P 0 1 2"),
    ],
)
def test_a_roll_is_a_set_of_dice(text: str, canonical: str) -> None:
    assert game.parse(text).notation == canonical
    assert game.parse(text).by_chance


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("roll", "not 0 and 0"),
        ("roll R G G 0 3", "not 3 and 2"),
        ("roll R G G 0 3 9 9", "not 3 and 4"),
        ("roll R G 0 3 9 9", "not 2 and 4"),
        ("roll R G G 0 3 10", "a number die one of 0 1 2"),
        ("roll R G W 0 3 9", "a colour die shows one of R O Y G B P"),
        ("roll R G  G 0 3 9", "a colour die"),
        ("roll r G G 0 3 9", "a colour die"),
        ("write R 0", "a 0 is read as 10, or marks a circle; say 'circle R'"),
        ("pass", "a seat that chooses no dice refuses them"),
        ("write R 11", "say"),
        ("write R 07", "say"),
        ("write W 3", "say"),
        ("top R 0", "say"),
        ("circle R 0", "say"),
        ("accelerate", "say"),
        ("refuse R", "say"),
        ("stop R", "say"),
    ],
)
def test_what_is_no_move_says_why(text: str, says: str) -> None:
    with pytest.raises(NotAMove, match=re.escape(says)):
        game.parse(text)


@pytest.mark.parametrize(
    ("notation", "fields"),
    [
        ("circle R", {"colour": "R"}),
        ("write P 10", {"colour": "P", "number": 10}),
        ("top B 1", {"colour": "B", "number": 1}),
        ("accelerate Y", {"colour": "Y"}),
        ("refuse", {}),
        ("stop", {}),
    ],
)
def test_a_move_has_a_structured_form(notation: str, fields: Mapping[str, Any]) -> None:
    assert game.parse(notation).fields == fields


def test_the_vocabulary_is_complete() -> None:
    assert len(game.VOCABULARY) == 6 + 60 + 60 + 1 + 6 + 1


# A turn ----------------------------------------------------------------------------------------------------------


def test_a_game_begins_with_a_roll_for_seat_0() -> None:
    state = game.setup(3, game.parse_options({}))
    assert game.to_act(state) == (CHANCE,)
    assert state.active == 0
    state = do(game, state, "chance roll R G G 0 3 9")
    assert game.to_act(state) == (0,)
    assert game.phase(state) == "active-choice"
    assert [game.legal_moves(state, other) for other in (1, 2)] == [(), ()]


def test_dice_fall_as_chance_picks_them() -> None:
    """The colour dice one by one, then the number dice; every face can come up."""
    asked: list[int] = []

    def highest(faces: int) -> int:
        asked.append(faces)
        return faces - 1

    state = game.setup(2, game.parse_options({}))
    assert game.sample_chance(state, highest).notation == "roll P P P 9 9 9"
    assert asked == [6, 6, 6, 10, 10, 10]
    picks = iter((3, 0, 3, 9, 0, 3))
    assert game.sample_chance(state, lambda _: next(picks)).notation == "roll R G G 0 3 9"


@pytest.mark.parametrize(
    ("dice", "choice", "left"),
    [
        ("R G B 1 5 9", "write G 5", "R B 1 9"),
        ("R G G 1 5 9", "write G 5", "R G 1 9"),
        ("R G B 5 5 9", "write G 5", "R B 5 9"),
        ("G G G 0 0 0", "circle G", "G G 0 0"),
        ("R G B 1 5 9", "refuse", "R G B 1 5 9"),
    ],
)
def test_what_the_active_seat_chooses_leaves_the_centre(dice: str, choice: str, left: str) -> None:
    """One die of each kind goes, its twin stays; a refusal leaves all six."""
    state = do(game, rolled(dice), f"0 {choice}")
    assert centre(state) == left
    assert game.phase(state) == "other-choices"


def test_the_others_leave_the_dice_and_may_choose_the_same() -> None:
    state = rolled("R G G 1 5 9", seat(), seat(), seat())
    state = do(game, state, "0 write R 1", "1 write G 9")
    assert centre(state) == "G G 5 9"
    assert game.parse("write G 9") in game.legal_moves(state, 2)
    state = do(game, state, "2 write G 9")
    assert (marks(state, 1, "G"), marks(state, 2, "G")) == ("G 9", "G 9")


@pytest.mark.parametrize("order", ["simultaneous", "clockwise"])
def test_after_a_refusal_the_others_choose_from_all_six_dice(order: str) -> None:
    state = rolled("R G B 1 5 9", seat(), seat(), seat("R 5"), order=order)
    state = do(game, state, "0 refuse")
    assert shown(state, 0)["dice"] == 1
    every = [f"write {colour} {number}" for colour in "RGB" for number in (1, 5, 9)]
    assert [move.notation for move in game.legal_moves(state, 1)] == [*every, "refuse"]
    state = do(game, state, "1 write R 1")
    assert centre(state) == "R G B 1 5 9"
    assert [move.notation for move in game.legal_moves(state, 2)] == [*every[1:], "refuse"]
    state = do(game, state, "2 write R 5")
    assert (marks(state, 1, "R"), marks(state, 2, "R")) == ("R 1", "R 5 5")
    assert game.phase(state) == "roll"


def test_the_legal_moves_come_by_colour_then_number_and_twins_count_once() -> None:
    state = rolled("O G G 0 5 5", seat("O* 6", "G 4"))
    assert [move.notation for move in game.legal_moves(state, 0)] == ["write O 10", "write G 10", "write G 5", "refuse"]
    state = do(game, state, "0 write O 10")
    assert [move.notation for move in game.legal_moves(state, 1)] == ["write G 5", "refuse"]


def test_the_others_choose_in_any_order() -> None:
    state = rolled("R G B 1 5 9", *(seat() for _ in range(5)), active=2)
    state = do(game, state, "2 refuse")
    assert game.to_act(state) == (0, 1, 3, 4)
    state = do(game, state, "4 write R 1", "0 refuse", "3 write B 9")
    assert game.to_act(state) == (1,)
    assert [shown(state, at)["turn"] for at in range(5)] == ["finished", "choose", "finished", "finished", "finished"]
    state = do(game, state, "1 refuse")
    assert game.to_act(state) == (CHANCE,)
    assert state.active == 3


def test_the_others_choose_clockwise_if_so_chosen() -> None:
    state = rolled("R G B 1 5 9", *(seat() for _ in range(4)), active=2, order="clockwise")
    order = []
    while game.phase(state) != "roll":
        (next_seat,) = game.to_act(state)
        order.append(next_seat)
        state = do(game, state, f"{next_seat} refuse")
    assert order == [2, 3, 0, 1]
    assert state.active == 3


def test_a_seat_in_its_chain_is_still_to_act_and_holds_up_nobody() -> None:
    state = rolled("R G B 1 5 9", seat(), seat("B 1"), seat())
    state = do(game, state, "0 refuse", "1 write B 5")
    assert game.to_act(state) == (1, 2)
    assert shown(state, 1)["turn"] == "accelerate"
    state = do(game, state, "2 write R 9")
    assert game.to_act(state) == (1,)
    assert game.phase(do(game, state, "1 stop")) == "roll"


def test_in_clockwise_order_a_chain_is_finished_first() -> None:
    state = rolled("R G B 1 5 9", seat(), seat("B 1"), seat(), order="clockwise")
    state = do(game, state, "0 refuse", "1 write B 5")
    assert game.to_act(state) == (1,)
    assert game.to_act(do(game, state, "1 accelerate R")) == (2,)


def test_the_active_seat_finishes_its_chain_before_the_others_choose() -> None:
    state = do(game, rolled("R G B 1 5 9", seat("B 1")), "0 write B 5")
    assert game.to_act(state) == (0,)
    assert game.phase(state) == "active-choice"
    assert centre(state) == "R G 1 9"
    assert game.to_act(do(game, state, "0 stop")) == (1,)


# Choices ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "choice", "after"),
    [
        pytest.param("R", "circle R", "R*", id="circle"),
        pytest.param("R", "write R 1", "R 1", id="the smallest number"),
        pytest.param("R", "write R 9", "R 9", id="the highest that can start"),
        pytest.param("R*", "write R 5", "R* 5", id="after the circle"),
        pytest.param("R 5", "write R 5", "R 5 5", id="an equal number"),
        pytest.param("R 5", "write R 9", "R 5 9", id="a higher number"),
        pytest.param("R 9", "write R 10", "R 9 10", id="a 0 is a 10"),
        pytest.param("R* 9", "write R 10", "R* 9 10", id="a 0 is a 10 after a circle too"),
        pytest.param("R 9 10", "write R 10", "R 9 10 10", id="10 upon 10"),
        pytest.param(f"R {EIGHT}", "write R 9", f"R {NINE}", id="the ninth box"),
        pytest.param(f"R {NINE}", "top R 9", f"R {NINE}!", id="the top by an equal number"),
        pytest.param(f"R {NINE}", "top R 10", f"R {NINE}!", id="the top by a 0"),
    ],
)
def test_a_choice_marks_the_expedition(before: str, choice: str, after: str) -> None:
    die = game.parse(choice).args[1] % 10
    state = rolled(f"R G G {die} 5 5", seat(before, bonuses="R" if len(before) > 15 else ""))
    state = do(game, state, f"0 {choice}")
    assert marks(state, 0, "R") == after
    assert shown(state, 0)["dice"] == 0


@pytest.mark.parametrize(("before", "after"), [(0, 1), (5, 6), (8, 9), (9, 9)])
def test_a_refusal_shades_a_dice_symbol_until_nine(before: int, after: int) -> None:
    bonuses = "dice" if before >= 7 else ""
    state = do(game, rolled("R G B 1 5 9", seat("R 3", dice=before, bonuses=bonuses)), "0 refuse")
    assert shown(state, 0)["dice"] == after
    assert marks(state, 0, "R") == "R 3"


def test_a_refusal_is_always_legal() -> None:
    complete = seat(*(f"{letter} {NINE}!" for letter in COLOURS), dice=6, bonuses=" ".join(COLUMNS[:7]))
    state = rolled("R G B 1 5 9", complete)
    assert [move.notation for move in game.legal_moves(state, 0)] == ["refuse"]


@pytest.mark.parametrize("ten_may_start", [False, True])
@pytest.mark.parametrize("colour", range(len(COLOURS)))
def test_the_tables_of_choices_follow_from_the_rules(colour: int, ten_may_start: bool) -> None:
    """Every expedition that can be: also one that the tables say does not differ from another."""
    options = Options(ten_may_start=ten_may_start)
    unmarked = game.setup(2, options).marks[0]
    for circle, boxes, last in product((False, True), range(10), range(1, 11)):
        for end in (False, True) if boxes == 9 else (False,):
            numbers = bytes([last] * boxes)
            expeditions = (*unmarked.expeditions[:colour], numbers, *unmarked.expeditions[colour + 1 :])
            own = unmarked._replace(expeditions=expeditions, circles=circle << colour, ends=end << colour)
            expedition = game.Expedition(circle, boxes, last if boxes else 0, end, ten_may_start)
            assert game.choices(options, own, colour) == game.legal_choices(colour, expedition)


def test_a_ten_may_start_if_so_chosen() -> None:
    state = rolled("R G B 0 5 9", ten_may_start=True)
    assert [move.notation for move in game.legal_moves(state, 0)][:2] == ["circle R", "write R 10"]
    assert marks(do(game, state, "0 write R 10"), 0, "R") == "R 10"
    circled = rolled("R G B 0 5 9", seat("R*"), ten_may_start=True)
    assert marks(do(game, circled, "0 write R 10"), 0, "R") == "R* 10"


# Boxes -----------------------------------------------------------------------------------------------------------


def printed(column: str, box: int) -> str:
    """What the default table of the rules prints in a box."""
    arrows = {"R": (4, 8), "O": (3, 6), "Y": (2, 7), "G": (4, 7), "B": (2, 5), "P": (3, 6)}
    artefacts = {"R": (2, 6), "O": (5, 8), "Y": (4, 6), "G": (3, 8), "B": (3, 7), "P": (4, 9)}
    return "arrow" if box in arrows[column] else "artefact" if box in artefacts[column] else ""


@pytest.mark.parametrize("box", range(1, 10))
@pytest.mark.parametrize("colour", COLOURS)
def test_every_box_of_the_default_sheet(colour: str, box: int) -> None:
    below = " ".join(["1"] * (box - 1))
    state = rolled(f"{colour} {colour} {colour} 5 5 5", seat(f"{colour} {below}", bonuses=colour if box > 7 else ""))
    found = shown(state, 0)["artefacts"]
    state = do(game, state, f"0 write {colour} 5")
    assert shown(state, 0)["artefacts"] - found == (printed(colour, box) == "artefact")
    assert shown(state, 0)["turn"] == ("accelerate" if printed(colour, box) == "arrow" else "finished")


def test_a_tenth_artefact_is_not_shaded() -> None:
    boxes = {letter: [1, 2] for letter in COLOURS}
    state = rolled(
        "R G P 5 5 9",
        seat("R 1 1", "O 1 1", "Y 1 1", "G 1 1", "B 1", bonuses="artefacts"),
        sheet={"artefacts": boxes, "arrows": {}},
    )
    assert shown(state, 0)["artefacts"] == 9
    state = do(game, state, "0 write P 5")
    assert shown(state, 0)["artefacts"] == 9
    assert shown(state, 0)["turn"] == "finished"


@pytest.mark.parametrize("way", ["top R 9", "accelerate R"])
def test_an_end_artefact_is_marked_even_if_none_is_left_to_shade(way: str) -> None:
    artefacts = {"O": [*range(1, 10)]}
    full = seat(f"R {NINE}", f"O {NINE}", "B 1", bonuses="R O artefacts")
    state = rolled("R B B 5 5 9", full, sheet={"artefacts": artefacts, "arrows": {"B": [2]}})
    state = do(game, state, "0 write B 5") if way.startswith("accelerate") else state
    state = do(game, state, f"0 {way}")
    assert marks(state, 0, "R") == f"R {NINE}!"
    assert shown(state, 0)["artefacts"] == 9


@pytest.mark.parametrize(
    ("before", "after", "artefacts", "then"),
    [
        pytest.param("G", "G 1", 0, "finished", id="an empty expedition begins with a 1"),
        pytest.param("G*", "G* 1", 0, "finished", id="the circle stays as it is"),
        pytest.param("G 4", "G 4 4", 0, "finished", id="the number below once more"),
        pytest.param("G 4 10", "G 4 10 10", 1, "finished", id="an artefact box"),
        pytest.param("G 4 4 6", "G 4 4 6 6", 0, "accelerate", id="another arrow box"),
        pytest.param(f"G {NINE}", f"G {NINE}!", 1, "finished", id="the end artefact"),
        pytest.param("B", "B 1 5 5", 1, "finished", id="the expedition just written in"),
    ],
)
def test_an_acceleration(before: str, after: str, artefacts: int, then: str) -> None:
    colour = before[0]
    sheets = [before, "B 1"] if colour != "B" else ["B 1"]
    state = do(game, rolled("R B B 5 5 9", seat(*sheets, bonuses="G" if len(before) > 15 else "")), "0 write B 5")
    found = shown(state, 0)["artefacts"]
    state = do(game, state, f"0 accelerate {colour}")
    assert marks(state, 0, colour) == after
    assert shown(state, 0)["artefacts"] - found == artefacts
    assert shown(state, 0)["turn"] == then


def test_all_that_is_not_complete_can_be_accelerated_or_none() -> None:
    state = rolled("R B B 5 5 9", seat(f"R {NINE}!", f"O {NINE}", "B 1", bonuses="R O"))
    state = do(game, state, "0 write B 5")
    listed = ["accelerate O", "accelerate Y", "accelerate G", "accelerate B", "accelerate P", "stop"]
    assert [move.notation for move in game.legal_moves(state, 0)] == listed


def test_a_chain_of_three_accelerations_ends_in_an_end_artefact() -> None:
    state = rolled("R G G 6 5 5", seat("R 2 4 6", "Y 3", "O 1 8", f"B {NINE}", bonuses="B"))
    found = shown(state, 0)["artefacts"]
    chain = ["0 write R 6", "0 accelerate Y", "0 accelerate O", "0 accelerate B"]
    for done in range(1, 4):
        link = do(game, state, *chain[:done])
        assert game.to_act(link) == (0,)
        assert shown(link, 0)["turn"] == "accelerate"
    state = do(game, state, *chain)
    assert [marks(state, 0, colour) for colour in "RYOB"] == ["R 2 4 6 6", "Y 3 3", "O 1 8 8", f"B {NINE}!"]
    assert shown(state, 0)["artefacts"] == found + 1
    assert game.to_act(state) == (1,)


def test_an_arrow_in_the_last_box_of_all_still_reaches_an_end() -> None:
    """The expedition just written in can always be accelerated: the decision is never an empty one."""
    others = [f"{letter} {NINE}!" for letter in COLOURS[:5]]
    state = rolled(
        "P P P 9 9 9",
        seat(*others, f"P {EIGHT}", bonuses="R O Y G B P"),
        sheet={"arrows": {"P": [9]}, "artefacts": {}},
    )
    state = do(game, state, "0 write P 9")
    assert [move.notation for move in game.legal_moves(state, 0)] == ["accelerate P", "stop"]


# Bridges ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "events", "column"),
    [
        pytest.param(seat(f"R {SIX}"), ["0 write R 9"], "R", id="the seventh number"),
        pytest.param(seat(f"G {SIX}", "B 1"), ["0 write B 9", "0 accelerate G", "0 stop"], "G", id="by acceleration"),
        pytest.param(seat(dice=6), ["0 refuse"], "dice", id="the seventh dice symbol"),
        pytest.param(
            seat(f"R {SIX}", f"Y {SIX}", f"O {SIX}", "G 1 2 3", "B 1 2"),
            ["0 write B 9"],
            "artefacts",
            id="the seventh artefact",
        ),
        pytest.param(
            seat(f"R {SIX}", f"O {NINE}", f"Y {SIX}", "B 1", bonuses="O"),
            ["0 write B 9", "0 accelerate O"],
            "artefacts",
            id="the seventh artefact by an end artefact",
        ),
    ],
)
def test_the_seventh_box_passes_its_bridge(before: dict[str, Any], events: list[str], column: str) -> None:
    state = rolled("R B B 9 9 9", deepcopy(before))
    had = bonus(state, 0)
    state = do(game, state, *events)
    assert shown(state, 0)["bridges"][column] == "due"
    assert bonus(state, 0) == had, "the bonus is given when the turn ends"
    state = do(game, state, "1 refuse")
    assert shown(state, 0)["bridges"][column] == "bonus"
    assert bonus(state, 0) == had + 20


def test_a_bridge_passed_by_two_in_a_turn_and_by_a_third_later() -> None:
    state = rolled("R R G 8 8 9", seat(f"R {SIX}"), seat(f"R {SIX}"), seat(f"R {SIX}"))
    state = do(game, state, "0 write R 8", "1 write R 8")
    assert [bonus(state, at) for at in range(3)] == [0, 0, 0]
    state = do(game, state, "2 refuse")
    assert [bonus(state, at) for at in range(3)] == [20, 20, 0]
    state = do(game, state, "chance roll R R G 8 8 9", "1 refuse", "2 write R 8")
    assert shown(state, 2)["bridges"]["R"] == "late"
    state = do(game, state, "0 refuse")
    assert [bonus(state, at) for at in range(3)] == [20, 20, 0]
    assert [shown(state, at)["bridges"]["R"] for at in range(3)] == ["bonus", "bonus", "late"]


def test_a_bridge_is_lost_for_a_seat_that_has_not_passed_it_when_its_bonus_is_given() -> None:
    state = rolled("R R G 8 8 9", seat(f"R {SIX}"), seat(f"R {SIX}"), seat(f"R {SIX}"))
    state = do(game, state, "0 write R 8", "1 refuse")
    assert [shown(state, at)["bridges"]["R"] for at in range(3)] == ["due", "ahead", "ahead"]
    state = do(game, state, "2 refuse")
    assert [shown(state, at)["bridges"]["R"] for at in range(3)] == ["bonus", "lost", "lost"]
    state = do(game, state, "chance roll R R G 8 8 9", "1 write R 8")
    assert [shown(state, at)["bridges"]["R"] for at in range(3)] == ["bonus", "late", "lost"]


def test_a_position_that_says_ahead_of_a_lost_bridge_is_taken() -> None:
    """As version 1.0.0 shows it. No other standing is taken for another."""
    state = table(seat(f"R {SEVEN}", bonuses="R"), seat("R 1"))
    told = game.to_position(state, FULL)
    bridges = told["seats"][1]["bridges"]
    assert (bridges["R"], bridges["G"]) == ("lost", "ahead")
    bridges["R"] = "ahead"
    assert game.from_position(2, state.options, told) == state
    bridges["G"] = "lost"
    with pytest.raises(InvalidPosition) as caught:
        game.from_position(2, state.options, told)
    assert (caught.value.invariant, caught.value.path) == ("bridge-standing", ("seats", 1, "bridges", "G"))


@pytest.mark.parametrize(
    ("events", "bonuses", "standings"),
    [
        pytest.param(
            ["0 write G 9", "0 stop", "1 write R 8"],
            [40, 0],
            [{"R": "bonus", "G": "bonus"}, {"R": "late", "Y": "ahead", "G": "lost"}],
            id="by two seats",
        ),
        pytest.param(
            ["0 refuse", "1 write Y 9", "1 accelerate R"],
            [20, 20],
            [{"R": "bonus", "G": "ahead"}, {"R": "late", "Y": "bonus"}],
            id="by one seat in a chain",
        ),
        pytest.param(
            ["0 write G 9", "0 stop", "1 write Y 8", "1 accelerate R"],
            [40, 20],
            [{"R": "bonus", "G": "bonus"}, {"R": "late", "Y": "bonus"}],
            id="by two seats, one of them in a chain",
        ),
    ],
)
def test_a_late_pass_gets_nothing_even_where_the_turn_opens_another_bridge(
    events: list[str], bonuses: list[int], standings: list[dict[str, str]]
) -> None:
    """Seat 0 has passed red before: of the bridges that the turn passes, only the others are new."""
    state = rolled("R Y G 8 8 9", seat(f"R {SEVEN}", f"G {SIX}", bonuses="R"), seat(f"R {SIX}", f"Y {SIX}"))
    state = do(game, state, *events)
    assert game.phase(state) == "roll"
    assert [bonus(state, at) for at in range(2)] == bonuses
    for at, expected in enumerate(standings):
        assert {column: shown(state, at)["bridges"][column] for column in expected} == expected


def test_one_chain_can_pass_several_bridges() -> None:
    state = rolled("Y B B 9 9 9", seat(f"Y {SIX}", f"R {SIX}"))
    state = do(game, state, "0 write Y 9", "0 accelerate R", "1 refuse")
    assert bonus(state, 0) == 40


def test_further_boxes_pass_nothing() -> None:
    state = rolled("R R B 9 9 9", seat(f"R {SEVEN}", bonuses="R"))
    state = do(game, state, "0 write R 9", "0 stop", "1 refuse")
    assert bonus(state, 0) == 20


# End -------------------------------------------------------------------------------------------------------------

# Artefacts: R 2, O 2, Y 2 and G 1 make seven.
EXPLORER = (f"R {SEVEN}", f"O {EIGHT}", f"Y {SEVEN}", "G 1 2 3")
OTHER_EXPLORER = (f"G {SEVEN}", f"B {SEVEN}", f"P {SEVEN}")


def test_all_eight_bridges_passed_by_different_seats_end_the_game() -> None:
    state = rolled(
        "R G B 1 1 1",
        seat(*EXPLORER, bonuses="R O Y artefacts"),
        seat(*OTHER_EXPLORER, bonuses="G B P"),
        seat(dice=6),
    )
    state = do(game, state, "0 refuse", "2 refuse")
    assert game.result(state) is None, "the end is checked at the end of the turn"
    assert game.to_act(state) == (1,)
    state = do(game, state, "1 refuse")
    assert game.to_act(state) == ()
    assert game.phase(state) == "over"
    result = game.result(state)
    assert result is not None
    assert result.reason == "all-bridges"
    assert [bonus(state, at) for at in range(3)] == [80, 60, 20]
    assert result.totals == (30 + 35 + 30 - 10 + 60 - 40 + 80, 30 + 30 + 30 + 10 - 40 + 60, 60 + 20)
    assert result.winners == (0,)


def test_the_game_ends_when_all_are_exhausted() -> None:
    state = rolled("R G B 1 1 1", seat(dice=9, bonuses="dice"), seat(dice=8))
    state = do(game, state, "0 refuse", "1 refuse")
    result = game.result(state)
    assert result is not None
    assert result.reason == "exhausted"
    assert result.totals == (20, 0)


def test_an_exhausted_seat_plays_on() -> None:
    state = rolled("R G B 1 1 1", seat(dice=8, bonuses="dice"), seat(dice=7))
    state = do(game, state, "0 refuse", "1 refuse", "chance roll R G B 1 1 1", "1 write R 1")
    assert game.to_act(state) == (0,)
    assert len(game.legal_moves(state, 0)) == 3
    state = do(game, state, "0 write G 1")
    assert game.phase(state) == "roll"
    assert marks(state, 0, "G") == "G 1"


def test_an_end_in_both_ways_is_told_as_the_bridges() -> None:
    state = rolled(
        "R G B 9 9 9",
        seat(f"R {SIX}", *EXPLORER[1:], dice=9, bonuses="O Y artefacts dice"),
        seat(*OTHER_EXPLORER, dice=8, bonuses="G B P"),
    )
    result = game.result(do(game, state, "0 write R 9", "1 refuse"))
    assert result is not None
    assert result.reason == "all-bridges"


def test_equal_totals_share_the_win() -> None:
    state = rolled("R G B 1 1 1", *(seat(dice=8, bonuses="dice") for _ in range(3)))
    result = game.result(do(game, state, "0 refuse", "1 refuse", "2 refuse"))
    assert result is not None
    assert result.winners == (0, 1, 2)


# Score -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("circle", [False, True])
@pytest.mark.parametrize(("boxes", "points"), [*enumerate((0, -20, -15, -10, 5, 10, 15, 30, 35, 50))])
def test_an_expedition_scores_by_its_numbers_and_doubles(boxes: int, points: int, circle: bool) -> None:
    numbers = " ".join(NINE.split()[:boxes])
    state = table(seat(f"R{'*' if circle else ''} {numbers}", bonuses="R" if boxes >= 7 else ""), seat())
    line = game.score(state)[0][0]
    expected = -100 if circle and not boxes else points * 2 if circle else points
    assert (line.item, line.points) == ("red", expected)
    value = points if boxes or not circle else -50
    assert line.detail == {"boxes": boxes, "value": value, "circle": int(circle), "multiplier": 2 if circle else 1}


@pytest.mark.parametrize(("shaded", "points"), [*enumerate((0, -40, -30, -20, 10, 20, 30, 60, 70, 100))])
def test_artefacts_score(shaded: int, points: int) -> None:
    sheet = {"artefacts": {"R": [*range(1, shaded + 1)]}, "arrows": {}}
    numbers = " ".join(NINE.split()[:shaded])
    state = table(seat(f"R {numbers}", bonuses="R artefacts" if shaded >= 7 else ""), seat(), sheet=sheet)
    assert {line.item: line.points for line in game.score(state)[0]}["artefacts"] == points


@pytest.mark.parametrize(("shaded", "points"), [*enumerate((0, -40, -30, -20, 10, 20, 30, 60, 70, 0))])
def test_dice_symbols_score_and_nine_score_nothing(shaded: int, points: int) -> None:
    state = table(seat(dice=shaded, bonuses="dice" if shaded >= 7 else ""), seat())
    lines = {line.item: line.points for line in game.score(state)[0]}
    assert lines["dice"] == points
    assert lines["bridges"] == (20 if shaded >= 7 else 0), "an exhausted seat keeps its bonus"


def test_the_rulebooks_example_scores_425() -> None:
    example = seat(
        f"R* {EIGHT}",
        f"Y {SEVEN}",
        f"G {EIGHT}",
        f"B* {NINE}",
        "P 5",
        dice=7,
        bonuses="R Y B artefacts",
    )
    state = table(example, seat(f"G {SEVEN}", dice=7, bonuses="G dice"))
    assert [(line.item, line.points) for line in game.score(state)[0]] == [
        ("red", 70),
        ("orange", 0),
        ("yellow", 30),
        ("green", 35),
        ("blue", 100),
        ("purple", -20),
        ("artefacts", 70),
        ("dice", 60),
        ("bridges", 80),
    ]
    details = {line.item: line.detail for line in game.score(state)[0]}
    assert details["red"] == {"boxes": 8, "value": 35, "circle": 1, "multiplier": 2}
    assert details["artefacts"] == {"boxes": 8, "value": 70}
    assert details["bridges"] == {"columns": ("red", "yellow", "blue", "artefacts"), "bridges": 4, "bonus": 20}
    assert totals(game, state)[0] == 425


def test_a_sheet_of_ones_own_scores_by_its_scales() -> None:
    scales = {"expedition": [7, 1, 2, 3, 4, 5, 6, 7, 8, 9], "dice": [1000, -1000, *[0] * 8]}
    state = table(seat("R*", "G 1 1", dice=1), seat(), sheet={"scales": scales})
    assert totals(game, state) == [7 * 2 + 2 - 1000, 1000]


# Refused ---------------------------------------------------------------------------------------------------------


def pending() -> State:
    """Seat 0 has written into an arrow box, and red is complete."""
    state = rolled("R B B 5 5 9", seat(f"R {NINE}!", "B 1", bonuses="R"))
    after: State = do(game, state, "0 write B 5")
    return after


def finished() -> State:
    state = rolled("R G B 1 1 1", seat(dice=8, bonuses="dice"), seat(dice=8, bonuses="dice"))
    after: State = do(game, state, "0 refuse", "1 refuse")
    return after


ZEROS = "R G B 0 4 4"
REFUSED: list[tuple[Callable[[], State], str, str]] = [
    (lambda: rolled("R G B 1 5 9"), "0 write O 5", "die-not-in-centre"),
    (lambda: rolled("R G B 1 5 9"), "0 write R 4", "die-not-in-centre"),
    (lambda: rolled("R G B 1 5 9"), "0 circle R", "die-not-in-centre"),
    (lambda: rolled("R G B 1 5 9", seat("R 1")), "0 write R 10", "die-not-in-centre"),
    (lambda: do(game, rolled("R G B 1 5 9"), "0 write R 1"), "1 write R 5", "die-not-in-centre"),
    (lambda: do(game, rolled("R G B 1 5 9"), "0 write R 1"), "1 write G 1", "die-not-in-centre"),
    (lambda: rolled(ZEROS, seat("R 1")), "0 circle R", "circle-after-start"),
    (lambda: rolled(ZEROS, seat("R* 1")), "0 circle R", "circle-after-start"),
    (lambda: rolled(ZEROS, seat("R*")), "0 circle R", "circle-twice"),
    (lambda: rolled(ZEROS, seat("R*"), ten_may_start=True), "0 circle R", "circle-twice"),
    (lambda: rolled(ZEROS), "0 write R 10", "zero-first"),
    (lambda: rolled(ZEROS, seat("R*")), "0 write R 10", "zero-first"),
    (lambda: rolled(ZEROS, seat("R 5")), "0 write R 4", "lower-than-last"),
    (lambda: rolled(ZEROS, seat("R 1 10")), "0 write R 4", "lower-than-last"),
    (lambda: rolled(ZEROS, seat(f"R {NINE}", bonuses="R")), "0 top R 4", "lower-than-last"),
    (lambda: rolled(ZEROS, seat(f"R {NINE}", bonuses="R")), "0 write R 10", "expedition-full"),
    (lambda: rolled(ZEROS, seat(f"R {NINE}!", bonuses="R")), "0 write R 10", "expedition-full"),
    (lambda: rolled(ZEROS, seat(f"R {EIGHT}", bonuses="R")), "0 top R 10", "top-too-early"),
    (lambda: rolled(ZEROS), "0 top R 10", "top-too-early"),
    (lambda: rolled(ZEROS, seat(f"R {NINE}!", bonuses="R")), "0 top R 10", "top-twice"),
    (lambda: rolled(ZEROS), "0 accelerate R", "no-arrow"),
    (lambda: rolled(ZEROS), "0 stop", "no-arrow"),
    (lambda: do(game, pending(), "0 stop"), "1 accelerate R", "no-arrow"),
    (pending, "0 accelerate R", "expedition-complete"),
    (pending, "0 write R 9", "wrong-phase"),
    (pending, "0 refuse", "wrong-phase"),
    (pending, "1 refuse", "not-your-turn"),
    (pending, "chance roll R G B 1 5 9", "chance-not-awaited"),
    (lambda: rolled(ZEROS), "1 refuse", "not-your-turn"),
    (lambda: do(game, rolled(ZEROS), "0 refuse"), "0 refuse", "not-your-turn"),
    (lambda: do(game, rolled(ZEROS, seat(), seat(), seat()), "0 refuse", "2 refuse"), "2 stop", "not-your-turn"),
    (
        lambda: do(game, rolled(ZEROS, seat(), seat(), seat(), order="clockwise"), "0 refuse"),
        "2 refuse",
        "not-your-turn",
    ),
    (lambda: table(seat(), seat()), "0 refuse", "chance-to-act"),
    (lambda: table(seat(), seat()), "0 roll R G B 1 5 9", "outcome-by-seat"),
    (lambda: table(seat(), seat()), "chance refuse", "move-by-chance"),
    (finished, "0 refuse", "game-over"),
    (finished, "chance roll R G B 1 5 9", "game-over"),
]


@pytest.mark.parametrize(("situation", "event", "rule"), REFUSED)
def test_an_illegal_move_names_its_rule(situation: Callable[[], State], event: str, rule: str) -> None:
    assert refusal(game, situation(), event) == rule


def test_every_rule_is_refused_at_least_once() -> None:
    assert {rule for _, _, rule in REFUSED} == INFO.rules.keys()


# Options ---------------------------------------------------------------------------------------------------------


def test_the_default_options_are_the_rules_own() -> None:
    plain = game.parse_options({}).plain()
    assert plain == {option.name: option.default for option in INFO.options}
    assert plain["order"] == "simultaneous"
    assert plain["ten_may_start"] is False
    sheet = plain["sheet"]
    for letter in COLOURS:
        assert sheet["arrows"][letter] == [box for box in range(1, 10) if printed(letter, box) == "arrow"]
        assert sheet["artefacts"][letter] == [box for box in range(1, 10) if printed(letter, box) == "artefact"]
    assert INFO.components["sheet"] == sheet
    assert [ruling.source for ruling in INFO.rulings if ruling.id == "default-sheet"] == ["ruling"]


def test_that_a_0_cannot_start_an_expedition_is_a_ruling() -> None:
    sources = {ruling.id: ruling.source for ruling in INFO.rulings}
    assert (sources["zero-is-ten"], sources["zero-before-start"]) == ("text", "ruling")


def test_a_part_left_out_is_the_default_and_a_column_left_out_has_none() -> None:
    default = DEFAULT_SHEET.plain()
    own = game.parse_options({"sheet": {"arrows": {"P": [1, 9], "R": [9, 5]}, "artefacts": {"B": [4]}}}).plain()[
        "sheet"
    ]
    assert own["arrows"] == {"R": [5, 9], "O": [], "Y": [], "G": [], "B": [], "P": [1, 9]}
    assert own["artefacts"] == {"R": [], "O": [], "Y": [], "G": [], "B": [4], "P": []}
    assert own["scales"] == default["scales"]
    scale = [*range(10)]
    own = game.parse_options({"sheet": {"scales": {"dice": scale}}}).plain()["sheet"]
    assert own == {**default, "scales": {**default["scales"], "dice": scale}}


INVALID_OPTIONS: list[tuple[dict[str, Any], str, tuple[str | int, ...]]] = [
    ({"arrows": {"W": [1]}}, "column", ("arrows", "W")),
    ({"arrows": {"r": [1]}}, "column", ("arrows", "r")),
    ({"artefacts": {"R": [1, 0]}}, "box", ("artefacts", "R", 1)),
    ({"arrows": {"R": [10]}}, "box", ("arrows", "R", 0)),
    ({"arrows": {"R": [3, 5, 3]}}, "box-twice", ("arrows", "R", 2)),
    ({"arrows": {"R": [3]}, "artefacts": {"R": [3]}}, "one-symbol", ("artefacts", "R")),
    ({"arrows": {"R": [2]}}, "one-symbol", ("arrows", "R")),
    ({"artefacts": {"P": [6]}}, "one-symbol", ("artefacts", "P")),
    ({"scales": {"dice": [0] * 9}}, "scale-length", ("scales", "dice")),
    ({"scales": {"expedition": [0] * 11}}, "scale-length", ("scales", "expedition")),
    ({"scales": {"artefacts": [0] * 9 + [1001]}}, "scale-bounds", ("scales", "artefacts", 9)),
    ({"scales": {"artefacts": [-1001] + [0] * 9}}, "scale-bounds", ("scales", "artefacts", 0)),
]


@pytest.mark.parametrize(("sheet", "code", "path"), INVALID_OPTIONS)
def test_a_sheet_that_cannot_be_printed_is_refused(
    sheet: dict[str, Any], code: str, path: tuple[str | int, ...]
) -> None:
    with pytest.raises(InvalidOptions) as caught:
        game.parse_options({"sheet": sheet})
    assert (caught.value.invariant, caught.value.path) == (code, ("sheet", *path))


def codes_of(error: str, module: ModuleType) -> set[str]:
    """Every code that the module raises that error with."""
    return {*re.findall(rf'{error}\(\s*"([a-z-]+)"', source(module))}


def test_every_invariant_of_the_options_is_broken_at_least_once() -> None:
    assert {code for _, code, _ in INVALID_OPTIONS} == codes_of("InvalidOptions", rules)


@pytest.mark.parametrize("bound", [-1000, 1000])
def test_a_scale_reaches_its_bounds(bound: int) -> None:
    assert game.parse_options({"sheet": {"scales": {"dice": [bound] * 10}}}).sheet.scales.dice == (bound,) * 10


# Positions -------------------------------------------------------------------------------------------------------

CLOCKWISE = game.parse_options({"order": "clockwise"})
DEFAULT = game.parse_options({})
FOUR_DICE = "R G 1 5"
SIX_DICE = "R G B 1 5 9"


def done(*expeditions: str, **kept: Any) -> dict[str, Any]:
    return seat(*expeditions, turn="finished", **kept)


def at(*seats: dict[str, Any], options: Options = DEFAULT, **rest: Any) -> tuple[Options, dict[str, Any]]:
    return options, position(*seats, options=options, **rest)


def changed(path: tuple[str | int, ...], value: Any, *seats: dict[str, Any]) -> tuple[Options, dict[str, Any]]:
    """Those sheets before a roll, with one value set to what does not follow."""
    options, broken = at(*(seats or (seat(), seat())))
    *way, last = path
    inner: Any = broken
    for key in way:
        inner = inner[key]
    inner[last] = value
    return options, broken


REFUSING: dict[str, Any] = {"phase": "other-choices", "centre": SIX_DICE}
CHOOSING: dict[str, Any] = {"phase": "other-choices", "centre": FOUR_DICE}
BROKEN: list[tuple[tuple[Options, dict[str, Any]], str, tuple[str | int, ...]]] = [
    (at(seat(), seat(), seat()), "seats", ("seats",)),
    (at(seat()), "seats", ("seats",)),
    (changed(("active",), 2), "active-seat", ("active",)),
    (at(seat("R " + "1 " * 10), seat()), "box-count", ("seats", 0, "expeditions", "R", "numbers")),
    (at(seat(), seat("G 1 3 2")), "ascending", ("seats", 1, "expeditions", "G", "numbers", 2)),
    (at(seat("B 10"), seat()), "zero-first", ("seats", 0, "expeditions", "B", "numbers", 0)),
    (at(seat(f"R {EIGHT}!", bonuses="R"), seat()), "end-artefact", ("seats", 0, "expeditions", "R", "end_artefact")),
    (changed(("seats", 0, "artefacts"), 0, seat("R 1 2"), seat()), "artefact-count", ("seats", 0, "artefacts")),
    (changed(("seats", 1, "artefacts"), 1), "artefact-count", ("seats", 1, "artefacts")),
    (at(seat(f"R {SIX}", bonuses="R"), seat()), "bonus-not-passed", ("seats", 0, "bridges", "R")),
    (at(seat(), seat(dice=6, bonuses="dice")), "bonus-not-passed", ("seats", 1, "bridges", "dice")),
    (changed(("seats", 0, "bridges", "R"), "late"), "bridge-standing", ("seats", 0, "bridges", "R")),
    (
        changed(("seats", 0, "bridges", "R"), "late", seat(f"R {SEVEN}"), seat()),
        "bridge-standing",
        ("seats", 0, "bridges", "R"),
    ),
    (
        changed(("seats", 0, "bridges", "R"), "due", seat(f"R {SEVEN}"), seat(f"R {SEVEN}", bonuses="R")),
        "bridge-standing",
        ("seats", 0, "bridges", "R"),
    ),
    # How far everybody is.
    (at(seat(), seat(turn="finished")), "turn", ("seats", 1, "turn")),
    (at(seat(turn="finished"), seat(), phase="active-choice", centre=SIX_DICE), "turn", ("seats", 0, "turn")),
    (at(seat(), seat(turn="accelerate"), phase="active-choice", centre=SIX_DICE), "turn", ("seats", 1, "turn")),
    (at(seat(), seat(), **REFUSING), "turn", ("seats", 0, "turn")),
    (at(seat(dice=9), seat(dice=9), phase="over"), "turn", ("seats", 0, "turn")),
    (at(done(dice=1), done(dice=1), **REFUSING), "turn-over", ("phase",)),
    (at(done(dice=1), seat(), done(dice=1), options=CLOCKWISE, **REFUSING), "clockwise", ("seats", 2, "turn")),
    (
        at(done(dice=1), seat("B 1 1", turn="accelerate"), done(dice=1), options=CLOCKWISE, **REFUSING),
        "clockwise",
        ("seats", 2, "turn"),
    ),
    (
        at(done(dice=1), seat(), seat("B 1 1", turn="accelerate"), options=CLOCKWISE, **REFUSING),
        "clockwise",
        ("seats", 2, "turn"),
    ),
    (at(done("R 1"), seat("R 1", turn="accelerate"), **CHOOSING), "no-arrow", ("seats", 1, "turn")),
    (
        at(
            done("P 1"),
            seat(f"R {NINE}!", bonuses="R", turn="accelerate"),
            options=game.parse_options({"sheet": {"arrows": {"R": [9]}}}),
            **CHOOSING,
        ),
        "no-arrow",
        ("seats", 1, "turn"),
    ),
    # The dice in the centre.
    (at(seat(), seat(), centre=SIX_DICE), "dice-count", ("centre",)),
    (at(seat(), seat(), phase="active-choice"), "dice-count", ("centre",)),
    (at(seat(), seat(), phase="active-choice", centre=FOUR_DICE), "dice-count", ("centre",)),
    (
        at(seat("B 1 1", turn="accelerate"), seat(), phase="active-choice", centre=SIX_DICE),
        "dice-count",
        ("centre",),
    ),
    (at(done("R 1"), seat(), phase="other-choices", centre="R G B 1 5"), "dice-count", ("centre",)),
    # What was done in this turn.
    (at(done(), seat(), **REFUSING), "turn-unmarked", ("seats", 0, "turn")),
    (at(done("R 1"), seat(), **REFUSING), "turn-unmarked", ("seats", 0, "turn")),
    (at(done(dice=1), seat(), **CHOOSING), "turn-unmarked", ("seats", 0, "turn")),
    (at(done(dice=1), done(), seat(), **REFUSING), "turn-unmarked", ("seats", 1, "turn")),
    (at(seat(f"R {SEVEN}"), seat()), "bridge-due", ("seats", 0, "bridges")),
    (at(done("R 1"), seat(f"R {SEVEN}"), **CHOOSING), "bridge-due", ("seats", 1, "bridges")),
    (at(done(f"R {SEVEN}", dice=1), seat(), **REFUSING), "bridge-due", ("seats", 0, "bridges")),
    (at(done("R 1", dice=7), seat(), **CHOOSING), "bridge-due", ("seats", 0, "bridges")),
    (at(done(dice=8), seat(), **REFUSING), "bridge-due", ("seats", 0, "bridges")),
    (at(done(dice=1), done(f"R {SEVEN}", dice=7), seat(), **REFUSING), "bridge-due", ("seats", 1, "bridges")),
    (at(done(dice=1), seat("B 1 1", dice=7, turn="accelerate"), **REFUSING), "bridge-due", ("seats", 1, "bridges")),
    (at(done(dice=9), done(dice=9), phase="over"), "bridge-due", ("seats", 0, "bridges")),
    # The end.
    (at(seat(dice=9, bonuses="dice"), seat(dice=9)), "game-end", ("phase",)),
    (
        at(seat(dice=9, bonuses="dice"), seat(dice=9), phase="active-choice", centre=SIX_DICE),
        "game-end",
        ("phase",),
    ),
    (at(done("R 1", dice=9, bonuses="dice"), seat(dice=9), **CHOOSING), "game-end", ("phase",)),
    (
        at(
            done(*EXPLORER, dice=7, bonuses="R O Y artefacts dice"),
            seat(*OTHER_EXPLORER, bonuses="G B P"),
            **CHOOSING,
        ),
        "game-end",
        ("phase",),
    ),
    (at(done(dice=9, bonuses="dice"), done(dice=8), phase="over"), "game-end", ("phase",)),
]


@pytest.mark.parametrize(("broken", "code", "path"), BROKEN)
def test_a_position_that_cannot_be_is_refused(
    broken: tuple[Options, dict[str, Any]], code: str, path: tuple[str | int, ...]
) -> None:
    options, claimed = broken
    players = 2 if code == "seats" else len(claimed["seats"])
    with pytest.raises(InvalidPosition) as caught:
        game.from_position(players, options, claimed)
    assert (caught.value.invariant, caught.value.path) == (code, path)


def test_every_invariant_of_a_position_is_broken_at_least_once() -> None:
    assert {code for _, code, _ in BROKEN} == codes_of("InvalidPosition", positions)


@pytest.mark.parametrize(
    "sound",
    [
        pytest.param(at(done(dice=9, bonuses="dice"), seat(dice=9), **REFUSING), id="the ninth symbol just shaded"),
        pytest.param(at(done(dice=7), done(f"R {SEVEN}"), seat(), **REFUSING), id="bridges passed in this turn"),
        pytest.param(at(seat("B 1 1", turn="accelerate"), done("R 1"), active=1, **CHOOSING), id="a chain"),
        pytest.param(at(seat(), done(dice=1), done("R 1"), active=1, options=CLOCKWISE, **REFUSING), id="clockwise"),
        pytest.param(at(done(dice=9, bonuses="dice"), done(dice=9), phase="over", active=1), id="over"),
    ],
)
def test_a_position_is_placed_as_it_is_shown(sound: tuple[Options, dict[str, Any]]) -> None:
    options, shown_position = sound
    state = game.from_position(len(shown_position["seats"]), options, deepcopy(shown_position))
    assert game.to_position(state, FULL) == shown_position


def test_the_dice_of_a_position_come_in_any_order() -> None:
    options, shuffled = at(seat(), seat(), phase="active-choice", centre="P R G 9 0 3")
    assert centre(game.from_position(2, options, shuffled)) == "R G P 0 3 9"


# Random games ----------------------------------------------------------------------------------------------------


@st.composite
def sheets(draw: st.DrawFn) -> dict[str, Any]:
    """A sheet of its own: each box blank, with an arrow or with an artefact; and scales."""
    symbols = {letter: draw(st.lists(st.sampled_from("-><"), min_size=9, max_size=9)) for letter in COLOURS}
    scale = st.lists(st.integers(-1000, 1000), min_size=10, max_size=10)
    return {
        "arrows": {letter: [box for box in range(1, 10) if symbols[letter][box - 1] == ">"] for letter in COLOURS},
        "artefacts": {letter: [box for box in range(1, 10) if symbols[letter][box - 1] == "<"] for letter in COLOURS},
        "scales": {name: draw(scale) for name in ("expedition", "artefacts", "dice")},
    }


chosen_options = st.fixed_dictionaries(
    {},
    optional={
        "order": st.sampled_from(["simultaneous", "clockwise"]),
        "ten_may_start": st.booleans(),
        "sheet": sheets(),
    },
)


@given(chosen=chosen_options)
def test_options_are_told_as_they_are_taken(chosen: dict[str, Any]) -> None:
    options = game.parse_options(chosen)
    assert game.parse_options(options.plain()) == options
    assert chosen.items() <= options.plain().items()


def columns(sheet: dict[str, Any]) -> dict[str, int]:
    """How many boxes are filled in each column."""
    filled = {letter: len(column["numbers"]) for letter, column in sheet["expeditions"].items()}
    return {**filled, "artefacts": sheet["artefacts"], "dice": sheet["dice"]}


def check_sheet(options: Options, sheet: dict[str, Any], taken: set[str]) -> None:
    """:param taken: the columns whose bridge bonus a seat has got"""
    found = 0
    for letter, column in sheet["expeditions"].items():
        numbers = column["numbers"]
        assert numbers == sorted(numbers)
        assert len(numbers) <= 9
        assert all(1 <= number <= 10 for number in numbers)
        assert options.ten_may_start or numbers[:1] != [10]
        assert len(numbers) == 9 or not column["end_artefact"]
        found += column["end_artefact"]
        found += sum(box <= len(numbers) for box in options.plain()["sheet"]["artefacts"][letter])
    assert sheet["artefacts"] == min(9, found)
    assert 0 <= sheet["dice"] <= 9
    for column, boxes in columns(sheet).items():
        standing = sheet["bridges"][column]
        assert (standing in ("ahead", "lost")) == (boxes < 7)
        assert (standing in ("ahead", "due")) == (column not in taken)


def check_centre(state: State) -> None:
    """Six dice from the roll to the active seat's choice, four after it unless it refused."""
    lying = len(centre(state).split())
    if state.phase == "active-choice":
        assert lying == (4 if shown(state, state.active)["turn"] == "accelerate" else 6)
    else:
        assert lying in ((4, 6) if state.phase == "other-choices" else (0,))


@pytest.mark.parametrize("players", range(2, 6))
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), chosen=chosen_options)
def test_random_games_keep_the_laws(players: int, seed: int, chosen: dict[str, Any]) -> None:
    state = game.setup(players, game.parse_options(chosen))
    first_passed: dict[str, int] = {}
    bonuses = [0] * players
    turn = 0
    sheets = game.to_position(state, None)["seats"]
    for step in steps(game, state, random.Random(seed)):
        state = step.after
        earlier, sheets = sheets, game.to_position(state, None)["seats"]
        taken = {column for sheet in sheets for column, standing in sheet["bridges"].items() if standing == "bonus"}
        for other, sheet in enumerate(sheets):
            check_sheet(state.options, sheet, taken)
            if other != step.actor and state.phase not in ("roll", "over"):
                assert step.before.marks[other] == state.marks[other]
        check_centre(state)
        assert game.from_position(players, state.options, game.to_position(state, FULL)) == state
        if step.actor != CHANCE:
            before, after = columns(earlier[step.actor]), columns(sheets[step.actor])
            for column in COLUMNS:
                if before[column] < 7 <= after[column] and first_passed.setdefault(column, turn) == turn:
                    bonuses[step.actor] += 20
        if state.phase in ("roll", "over"):
            turn += 1
            assert [bonus(state, at) for at in range(players)] == bonuses
            exhausted = all(sheet["dice"] == 9 for sheet in sheets)
            assert (state.phase == "over") == (exhausted or len(first_passed) == 8)
            assert state.phase == "over" or state.active == turn % players
    assert state.phase == "over"
    assert turn <= 6 + 54 + 6 + 9, "every choice marks the sheet of a seat that is not exhausted"


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(3, 5))
def test_what_seats_choose_at_the_same_time_does_not_depend_on_the_order(seed: int, players: int) -> None:
    rng = random.Random(seed)
    for step in steps(game, game.setup(players, DEFAULT), rng):
        state = step.before
        acting = [actor for actor in game.to_act(state) if isinstance(actor, int)]
        if len(acting) < 2:
            continue
        first, second = rng.sample(acting, 2)
        one, other = rng.choice(game.legal_moves(state, first)), rng.choice(game.legal_moves(state, second))
        after = game.apply(state, first, one)
        assert game.legal_moves(after, second) == game.legal_moves(state, second)
        assert game.apply(after, second, other) == game.apply(game.apply(state, second, other), first, one)


@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_everybody_sees_everything(seed: int) -> None:
    for step in steps(game, game.setup(3, DEFAULT), random.Random(seed)):
        full = game.to_position(step.after, FULL)
        assert all(game.to_position(step.after, viewer) == full for viewer in (None, 0, 1, 2))
        if step.actor == CHANCE:
            assert game.visible_to(step.before, step.move) is None
