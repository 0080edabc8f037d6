"""treasure-hunt, in the order of its rules."""

import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lostcities.rules import treasure_hunt as game
from lostcities.variants.core import FULL, IllegalMove, InvalidOptions, InvalidPosition, NotAMove, Position, Rules
from lostcities.variants.treasure_hunt import position as positions
from lostcities.variants.treasure_hunt.rules import BONUS_NAMES, COLOURS, TILES, State

from tests.playing import do, refusal, source, steps, totals

IMPLEMENTED: Rules[game.State, game.Options] = game
"""mypy checks here that the module implements the interface with its own types."""

COLOURED = ["four-red", "four-blue", "four-green", "four-yellow", "four-purple", "every-colour"]
EVERYTHING = "R1 R2 R3 R4 R5 R7 B1 B3 B5 B7 G1 G3 G5 G7 Y1 Y2 Y3 Y4 P1 P2 P3 P4"
"""Tiles that fulfil every condition."""


def rows(names: Sequence[str]) -> dict[str, list[str]]:
    return {letter: [name for name in names if name[0] == letter] for letter in COLOURS}


def position(
    *laid: str,
    phase: str = "take",
    dice: str = "",
    claimed: Sequence[str] = (),
    active: int = 0,
    turns: int | None = None,
) -> Position:
    """A position by what lies before each seat; as many turns as its tiles need unless told."""
    expeditions = [names.split() for names in laid]
    bonuses = [names.split() for names in claimed] or [[] for _ in laid]
    taken = {name.removesuffix("w") for names in expeditions for name in names}
    held = {name for names in bonuses for name in names}
    rounds = max(len(names) for names in expeditions)
    return {
        "variant": "treasure-hunt",
        "phase": phase,
        "active": active,
        "turns": len(laid) * rounds + active if turns is None else turns,
        "dice": dice.split(),
        "centre": {
            "tiles": rows([name for name in TILES if name not in taken]),
            "bonuses": [name for name in BONUS_NAMES if name not in held],
        },
        "expeditions": [rows(names) for names in expeditions],
        "bonuses": bonuses,
    }


def table(*laid: str, options: dict[str, Any] | None = None, **told: Any) -> State:
    return game.from_position(len(laid), game.parse_options(options or {}), position(*laid, **told))


def legal(state: State) -> list[str]:
    return [move.notation for move in game.legal_moves(state, state.active)]


def lying(state: State, seat: int) -> list[str]:
    """What lies before a seat, faces included."""
    return [name for row in game.to_position(state, None)["expeditions"][seat].values() for name in row]


START = game.setup(3, game.parse_options({}))

# Setup -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everything_lies_in_the_centre_and_seat_0_begins(seats: int) -> None:
    state = game.setup(seats, game.parse_options({}))
    seen = game.to_position(state, None)
    assert sum(len(row) for row in seen["centre"]["tiles"].values()) == 50
    assert seen["centre"]["tiles"]["R"] == ["R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10"]
    assert seen["centre"]["bonuses"] == [
        *("four-red", "four-blue", "four-green", "four-yellow", "four-purple"),
        *("six-of-a-colour", "run-of-four", "every-colour", "three-3s", "three-5s", "three-7s"),
    ]
    assert seen["expeditions"] == [{"R": [], "B": [], "G": [], "Y": [], "P": []}] * seats
    assert seen["bonuses"] == [[]] * seats
    assert (seen["active"], seen["turns"], seen["phase"]) == (0, 0, "roll")
    assert game.to_act(state) == ("chance",)
    assert totals(game, state) == [0] * seats


def test_seats_take_turns_clockwise() -> None:
    state = START
    for seat in (0, 1, 2, 0):
        assert state.active == seat
        state = do(game, state, "chance roll w w w", f"{seat} keep", f"{seat} skip")


# The dice --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("roll", "rerolls"),
    [
        ("1 5 w", ["1", "5", "w", "1 5", "1 w", "5 w", "1 5 w"]),
        ("1 1 w", ["1", "w", "1 1", "1 w", "1 1 w"]),
        ("w 1 1", ["1", "w", "1 1", "1 w", "1 1 w"]),
        ("w w w", ["w", "w w", "w w w"]),
    ],
)
def test_the_dice_are_kept_or_some_are_thrown_again(roll: str, rerolls: list[str]) -> None:
    state = do(game, START, f"chance roll {roll}")
    assert legal(state) == ["keep", *(f"reroll {faces}" for faces in rerolls)]


@pytest.mark.parametrize(
    ("reroll", "thrown", "dice"),
    [
        ("reroll w", "1", ["1", "1", "5"]),
        ("reroll 1 w", "w 3", ["3", "5", "w"]),
        ("reroll w 1", "3 w", ["3", "5", "w"]),
        ("reroll 5 w 1", "4 4 2", ["2", "4", "4"]),
    ],
)
def test_the_dice_not_thrown_again_stay(reroll: str, thrown: str, dice: list[str]) -> None:
    state = do(game, START, "chance roll 1 5 w", f"0 {reroll}")
    assert game.to_act(state) == ("chance",)
    assert game.to_position(state, 0)["numbers"] == []
    state = do(game, state, f"chance roll {thrown}")
    assert game.to_position(state, 0)["dice"] == dice
    assert game.phase(state) == "take"


def test_every_die_is_picked_on_its_own() -> None:
    def rolled(state: State, faces: tuple[int, ...]) -> str:
        picks = iter(faces)
        return game.sample_chance(state, lambda sides: next(picks) % sides).notation

    three = Counter(rolled(START, faces) for faces in product(range(6), repeat=3))
    assert len(three) == 56
    assert (three["roll 1 1 1"], three["roll 1 1 w"], three["roll 1 5 w"]) == (1, 3, 6)
    again = do(game, START, "chance roll 1 5 w", "0 reroll 1 w")
    two = Counter(rolled(again, faces) for faces in product(range(6), repeat=2))
    assert len(two) == 21
    assert (two["roll 1 1"], two["roll 1 w"]) == (1, 2)


@pytest.mark.parametrize(
    ("dice", "numbers"),
    [
        ("1 5 w", [1, 5, 6]),
        ("w w w", []),
        ("3 w w", [3]),
        ("5 5 w", [5, 10]),
        ("5 5 5", [5, 10]),
        ("1 1 1", [1, 2, 3]),
        ("1 2 4", [1, 2, 3, 4, 5, 6, 7]),
        ("2 3 5", [2, 3, 5, 7, 8, 10]),
        ("3 4 5", [3, 4, 5, 7, 8, 9]),
        ("4 5 5", [4, 5, 9, 10]),
        ("1 4 5", [1, 4, 5, 6, 9, 10]),
    ],
)
def test_a_number_is_the_sum_of_one_two_or_three_dice(dice: str, numbers: list[int]) -> None:
    state = do(game, START, f"chance roll {dice}")
    assert game.to_position(state, 0)["numbers"] == numbers
    state = do(game, state, "0 keep")
    assert game.to_position(state, 0)["numbers"] == numbers
    assert legal(state) == [*(f"take {colour}{number}" for colour in COLOURS for number in numbers), "skip"]


# Tiles -----------------------------------------------------------------------------------------------------------


def test_the_example_of_the_text() -> None:
    """Dice 1, 5, w allow 1, 5 and 6, but not in a colour where the seat has that number or a higher one."""
    state = table("R2 R5 G7 B6w", "Y5", phase="take", dice="1 5 w")
    takes = ["R6", "Y1", "Y6", "P1", "P5", "P6"]
    assert legal(state) == [*(f"take {tile}" for tile in takes), "skip"]
    for tile in takes:
        assert lying(do(game, state, f"0 take {tile}"), 0).count(tile if tile == "P5" else tile + "w") == 1


@pytest.mark.parametrize(
    ("laid", "tiles"),
    [
        ("", ["R2", "R3", "R5", "R7", "R8", "R10"]),
        ("R2", ["R3", "R5", "R7", "R8", "R10"]),
        ("R1 R7", ["R8", "R10"]),
        ("R9", ["R10"]),
        ("R10", []),
        ("B10 G10 Y10 P10", ["R2", "R3", "R5", "R7", "R8", "R10"]),
    ],
)
def test_a_tile_is_higher_than_those_of_its_colour(laid: str, tiles: list[str]) -> None:
    state = table(laid, "", dice="2 3 5")
    assert [text for text in legal(state) if text.startswith("take R")] == [f"take {tile}" for tile in tiles]


@pytest.mark.parametrize(
    ("dice", "tile", "face"),
    [
        ("1 5 w", "R1", "R1w"),
        ("1 5 w", "R6", "R6w"),
        ("1 5 w", "R5", "R5"),
        ("1 5 5", "R1", "R1"),
        ("1 5 5", "R6", "R6"),
        ("1 5 5", "R10", "R10"),
        ("5 5 w", "R10", "R10w"),
        ("1 w w", "P1", "P1w"),
        ("2 4 w", "P6", "P6w"),
        ("2 w w", "P2", "P2"),
    ],
)
def test_a_tile_lies_wager_side_up_when_any_die_shows_a_wager(dice: str, tile: str, face: str) -> None:
    assert lying(do(game, table("", "", dice=dice), f"0 take {tile}"), 0) == [face]


def test_a_taken_tile_leaves_the_centre_for_all() -> None:
    state = do(game, table("", "", dice="1 5 w"), "0 take R6", "chance roll 1 5 w", "1 keep")
    assert "R6" not in game.to_position(state, None)["centre"]["tiles"]["R"]
    assert "take R6" not in legal(state)
    assert "take R1" in legal(state)


# Bonus tiles -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("laid", "others", "bonus", "missing"),
    [
        *((f"{c}1 {c}3 {c}5 {c}8", "", f"four-{name}", 0) for c, name in zip(COLOURS, game.COLOUR_NAMES, strict=True)),
        *((f"{c}1 {c}3 {c}5", "", f"four-{name}", 1) for c, name in zip(COLOURS, game.COLOUR_NAMES, strict=True)),
        ("R1 R2 R3 B4", "", "four-red", 1),
        ("R1 R2 R3 R4 R5", "", "four-red", 0),
        ("", "", "four-red", 4),
        ("R7", "", "four-red", 3),
        ("R8", "", "four-red", None),
        ("R7", "R9", "four-red", None),
        ("R1 R2 R3 R10", "", "four-red", 0),
        ("R1 R2 R10", "", "four-red", None),
        ("R1 R2 R3 R4 R5 R6", "", "six-of-a-colour", 0),
        ("R1 R2 R3 R4 R5", "", "six-of-a-colour", 1),
        ("R1 R2 R3 R4 R5 B6", "", "six-of-a-colour", 1),
        ("P1 P3 P5 P7 P9 P10", "", "six-of-a-colour", 0),
        ("R1 R2 R3 R4 R10", "", "six-of-a-colour", 6),
        ("R1 R2 R3 R4 R9 B1 B2 B3", "R10", "six-of-a-colour", 3),
        ("R9 B9 G9 Y9 P9", "", "six-of-a-colour", None),
        ("R1 R2 R3 R4", "", "run-of-four", 0),
        ("R7 R8 R9 R10", "", "run-of-four", 0),
        ("G2 G4 G5 G6 G7 G10", "", "run-of-four", 0),
        ("R1 R2 R3", "", "run-of-four", 1),
        ("R8 R9 R10", "", "run-of-four", 4),
        ("R1 R2 R4", "", "run-of-four", 3),
        ("R1 R2 R4", "B4 B7 G4 G7 Y4 Y7 P4 P7", "run-of-four", 3),
        ("R1 R2 R4 R5", "", "run-of-four", 2),
        ("R1 R2 B3 B4", "", "run-of-four", 2),
        ("R1 R2 R3", "R4", "run-of-four", 4),
        ("R9 R10 B1 B2", "", "run-of-four", 2),
        ("R10 B10 G10 Y10 P7", "", "run-of-four", 3),
        ("R10 B10 G10 Y10 P8", "", "run-of-four", None),
        ("R1 B1 G1 Y1 P1", "", "every-colour", 0),
        ("R1 B10 G6w Y3", "", "every-colour", 1),
        ("R1 R2 R3 R4 R5", "", "every-colour", 4),
        ("R1 B1 G1 Y1", "P1 P2 P3 P4 P5 P6 P7 P8 P9 P10", "every-colour", None),
        *((f"R{n} B{n} P{n}", "", f"three-{n}s", 0) for n in (3, 5, 7)),
        *((f"R{n} P{n}", "", f"three-{n}s", 1) for n in (3, 5, 7)),
        ("R3 B3 G3 Y3", "", "three-3s", 0),
        ("R3 B5 G7", "", "three-3s", 2),
        ("R3 B3 G4", "Y3", "three-3s", 1),
        ("R3 B3 G4", "Y3 P3", "three-3s", None),
        ("R3 B4 G4 Y4", "", "three-3s", None),
    ],
)
def test_a_condition_at_its_edge(laid: str, others: str, bonus: str, missing: int | None) -> None:
    state = table(laid, others, phase="roll")
    conditions = game.to_position(state, None)["conditions"][0]
    assert (bonus in conditions["fulfilled"]) == (missing == 0)
    assert (bonus in conditions["missing"]) == (missing != 0)
    assert conditions["missing"].get(bonus, 0) == missing


@pytest.mark.parametrize(
    ("laid", "claims"),
    [
        ("R1 R2 R3", []),
        ("R1 R2 R3 R5", ["four-red"]),
        ("R1 R2 R3 R4", ["four-red", "run-of-four"]),
        (EVERYTHING, [*BONUS_NAMES]),
    ],
)
def test_a_seat_claims_what_it_fulfils(laid: str, claims: list[str]) -> None:
    state = do(game, table(laid, "", dice="w w w"), "0 skip")
    if claims:
        assert legal(state) == [*(f"claim {name}" for name in claims), "end"]
    else:
        assert (game.phase(state), state.active) == ("roll", 1)


def test_claims_go_on_until_nothing_is_left() -> None:
    """The tile taken fulfils two conditions; after the second claim the turn ends by itself, without `end`."""
    state = do(game, table("R1 R2 R3", "", dice="1 3 w"), "0 take R4")
    assert legal(state) == ["claim four-red", "claim run-of-four", "end"]
    state = do(game, state, "0 claim run-of-four")
    assert legal(state) == ["claim four-red", "end"]
    state = do(game, state, "0 claim four-red")
    assert (game.phase(state), state.active) == ("roll", 1)
    assert game.to_position(state, None)["bonuses"] == [["four-red", "run-of-four"], []]


def test_a_claim_may_wait_for_a_later_turn() -> None:
    state = do(game, table("R1 R2 R3", "", dice="1 4 w"), "0 take R4", "0 end")
    assert (game.phase(state), state.active) == ("roll", 1)
    assert game.to_position(state, None)["conditions"][0]["fulfilled"] == ["four-red", "run-of-four"]
    state = do(game, state, "chance roll w w w", "1 keep", "1 skip", "chance roll w w w", "0 keep", "0 skip")
    assert legal(state) == ["claim four-red", "claim run-of-four", "end"]


def test_a_bonus_tile_has_one_owner() -> None:
    """Seat 0 has a run too, but seat 1 was first."""
    state = table("R1 R2 R3 R4", "B1 B2 B3 B4", claimed=["", "run-of-four four-blue"], dice="w w w")
    state = do(game, state, "0 skip")
    assert legal(state) == ["claim four-red", "end"]
    assert "run-of-four" in game.to_position(state, None)["conditions"][0]["fulfilled"]


# The end ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_last_ten_ends_the_game(seats: int) -> None:
    state = table("", "R10 B10 G10 Y10", *[""] * (seats - 2), dice="1 5 5")
    state = do(game, state, "0 take P10")
    result = game.result(state)
    assert result is not None
    assert (result.reason, result.winners, result.totals[:2]) == ("last-ten", (1,), (2, 8))
    assert game.phase(state) == "over"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_another_ten_does_not(seats: int) -> None:
    state = do(game, table("", "R10 B10 G10", *[""] * (seats - 2), dice="1 5 5"), "0 take P10")
    assert (game.phase(state), state.active) == ("roll", 1)


@pytest.mark.parametrize("last", [["0 end"], ["0 claim every-colour"]])
def test_the_turn_of_the_last_ten_is_finished_with_its_claims(last: list[str]) -> None:
    state = table("R1 B1 G1 Y1", "R10 B10 G10 Y10", "", dice="1 5 5")
    state = do(game, state, "0 take P10")
    assert (game.phase(state), game.result(state)) == ("claim", None)
    state = do(game, state, *last)
    assert game.to_act(state) == ()


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("last", BONUS_NAMES)
def test_the_last_bonus_tile_ends_the_game_of_three_or_four(seats: int, last: str) -> None:
    held = " ".join(name for name in BONUS_NAMES if name != last)
    state = table(EVERYTHING, *[""] * (seats - 1), claimed=[held, *[""] * (seats - 1)], phase="claim")
    result = game.result(do(game, state, f"0 claim {last}"))
    assert result is not None
    assert result.reason == "last-bonus"


@pytest.mark.parametrize(("seats", "phase"), [(2, "over"), (3, "roll"), (4, "roll")])
@pytest.mark.parametrize("last", COLOURED)
def test_the_six_coloured_bonus_tiles_end_the_game_of_two(seats: int, phase: str, last: str) -> None:
    held = " ".join(name for name in COLOURED if name != last)
    state = table(EVERYTHING, *[""] * (seats - 1), claimed=[held, *[""] * (seats - 1)], phase="claim")
    state = do(game, state, f"0 claim {last}")
    assert game.phase(state) == "claim"
    state = do(game, state, "0 claim three-7s", "0 end")
    assert game.phase(state) == phase
    result = game.result(state)
    assert result is None or result.reason == "last-bonus"


def test_five_coloured_ones_and_all_others_do_not() -> None:
    held = " ".join(name for name in BONUS_NAMES if name != "every-colour")
    state = table(EVERYTHING, "", claimed=[held, ""], phase="roll")
    state = do(game, state, "chance roll w w w", "0 keep", "0 skip", "0 end")
    assert game.phase(state) == "roll"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_max_turns_counts_the_turns_of_all_seats(seats: int) -> None:
    state = game.setup(seats, game.parse_options({"max_turns": seats + 1}))
    for seat in (*range(seats), 0):
        assert game.result(state) is None
        state = do(game, state, "chance roll w w w", f"{seat} keep", f"{seat} skip")
    result = game.result(state)
    assert result == (tuple(range(seats)), (0,) * seats, "max-turns")


def test_the_last_of_max_turns_includes_its_claims() -> None:
    state = table("R1 R2 R3 R5", "", options={"max_turns": 9}, dice="w w w")
    assert state.turns == 8
    state = do(game, state, "0 skip")
    assert game.phase(state) == "claim"
    state = do(game, state, "0 claim four-red")
    assert game.phase(state) == "over"
    assert totals(game, state) == [14, 0]


def test_without_max_turns_everybody_may_skip_as_long_as_turns_are_counted() -> None:
    state = game.setup(2, game.parse_options({}))
    for turn in range(1200):
        state = do(game, state, "chance roll w w w", f"{turn % 2} keep", f"{turn % 2} skip")
    assert (state.turns, game.phase(state)) == (1200, "roll")
    late = {**game.to_position(state, FULL), "turns": game.MOST_TURNS - 2}
    state = game.from_position(2, state.options, late)
    state = do(game, state, "chance roll w w w", "0 keep", "0 skip")
    assert game.phase(state) == "roll"
    state = do(game, state, "chance roll w w w", "1 keep", "1 skip")
    result = game.result(state)
    assert (state.turns, result and result.reason) == (game.MOST_TURNS, "max-turns")
    with pytest.raises(InvalidPosition):
        game.from_position(2, state.options, {**late, "turns": game.MOST_TURNS})


# Score -----------------------------------------------------------------------------------------------------------


def test_lauras_example() -> None:
    """4x2 + 7 + 2x2 + 6x3 + 4x2 = 45, five bonus tiles: 95. Another seat has the tile for her four green ones."""
    laura = "G1w G2 G3 G4 R1 R2 R3 R4 R5 R7 B6w Y1w Y2 Y3 Y4 Y6w P6w P7"
    state = table(
        laura,
        "G5 G6 G7 G8",
        claimed=["four-red four-yellow six-of-a-colour run-of-four every-colour", "four-green"],
        phase="roll",
    )
    assert "four-green" in game.to_position(state, 0)["conditions"][0]["fulfilled"]
    assert [(line.item, line.points, line.detail) for line in game.score(state)[0]] == [
        ("red", 7, {"footprints": 7, "wagers": 0, "multiplier": 1}),
        ("blue", 4, {"footprints": 2, "wagers": 1, "multiplier": 2}),
        ("green", 8, {"footprints": 4, "wagers": 1, "multiplier": 2}),
        ("yellow", 18, {"footprints": 6, "wagers": 2, "multiplier": 3}),
        ("purple", 8, {"footprints": 4, "wagers": 1, "multiplier": 2}),
        ("four-red", 10, {}),
        ("four-yellow", 10, {}),
        ("six-of-a-colour", 10, {}),
        ("run-of-four", 10, {}),
        ("every-colour", 10, {}),
    ]
    assert totals(game, state) == [95, 17]


@pytest.mark.parametrize(
    ("laid", "points"),
    [
        ("R1 R2 R3 R4 R5", 5),
        ("R6 R7 R8 R9 R10", 10),
        ("R1 R6 R10", 5),
        ("R1w", 2),
        ("R1w R6", 6),
        ("R1w R6w", 9),
        ("R1w R6w R10w", 20),
        ("R1w B1 B2", 4),
        ("R1w R2 R3 R4 R5 R6w R7 R8 R9 R10w", 60),
    ],
)
def test_a_colour_counts_its_footprints_once_more_for_each_wager(laid: str, points: int) -> None:
    assert totals(game, table(laid, "", phase="roll")) == [points, 0]


@pytest.mark.parametrize(
    ("footprints", "points"),
    [
        ({"plain": [1, 0, 0, 0, 0, 3, 9, 0, 0, 5]}, [(1 + 3 + 9) * 3, 1 + 3 + 5]),
        ({"plain": [1, 0, 0, 0, 0, 3, 9, 0, 0, 5], "wager": {"1": 4, "6": 1, "10": 7}}, [(4 + 1 + 9) * 3, 1 + 3 + 5]),
    ],
)
def test_the_footprints_are_data(footprints: dict[str, Any], points: list[int]) -> None:
    state = table("R1w R6w R7", "B1 B6 B10", options={"footprints": footprints}, phase="roll")
    assert totals(game, state) == points


def test_equal_totals_share_the_win() -> None:
    state = do(game, table("R1", "R10 B10 G10 Y10", "R2 B2 G6w R7", dice="1 5 5"), "0 take P10")
    result = game.result(state)
    assert result is not None
    assert (result.winners, result.totals) == ((1, 2), (3, 8, 8))


# Options ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chosen", "effective"),
    [
        (
            {},
            {
                "footprints": {"plain": [1, 1, 1, 1, 1, 2, 2, 2, 2, 2], "wager": {"1": 1, "6": 2, "10": 2}},
                "max_turns": None,
            },
        ),
        (
            {"footprints": {"plain": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]}, "max_turns": 1000},
            {
                "footprints": {"plain": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], "wager": {"1": 0, "6": 5, "10": 9}},
                "max_turns": 1000,
            },
        ),
        (
            {"footprints": {"plain": [1] * 10, "wager": {"10": 9, "6": 8, "1": 7}}, "max_turns": 1},
            {"footprints": {"plain": [1] * 10, "wager": {"1": 7, "6": 8, "10": 9}}, "max_turns": 1},
        ),
    ],
)
def test_the_effective_options_have_the_shape_of_the_chosen(chosen: dict[str, Any], effective: dict[str, Any]) -> None:
    options = game.parse_options(chosen)
    assert options.plain() == effective
    assert game.parse_options(effective) == options


@pytest.mark.parametrize(
    ("footprints", "path"),
    [
        ({"plain": [1] * 9}, ("footprints", "plain")),
        ({"plain": [1] * 11}, ("footprints", "plain")),
        ({"plain": [1] * 10, "wager": {}}, ("footprints", "wager")),
        ({"plain": [1] * 10, "wager": {"1": 1, "6": 1}}, ("footprints", "wager")),
        ({"plain": [1] * 10, "wager": {"1": 1, "6": 1, "10": 1, "9": 1}}, ("footprints", "wager")),
    ],
)
def test_footprints_are_complete(footprints: dict[str, Any], path: tuple[str, ...]) -> None:
    with pytest.raises(InvalidOptions) as caught:
        game.parse_options({"footprints": footprints})
    assert (caught.value.invariant, caught.value.path) == ("footprints", path)


# Notation --------------------------------------------------------------------------------------------------------


def test_the_vocabulary() -> None:
    assert Counter(move.type for move in game.VOCABULARY.values()) == {
        "keep": 1,
        "reroll": 6 + 21 + 56,
        "take": 50,
        "skip": 1,
        "claim": 11,
        "end": 1,
    }


@pytest.mark.parametrize(
    ("text", "canonical", "fields"),
    [
        ("reroll w 1", "reroll 1 w", {"dice": ["1", "w"]}),
        ("reroll w 5 5", "reroll 5 5 w", {"dice": ["5", "5", "w"]}),
        ("take R6", "take R6", {"tile": "R6"}),
        ("claim four-red", "claim four-red", {"bonus": "four-red"}),
        ("keep", "keep", {}),
        ("skip", "skip", {}),
        ("end", "end", {}),
        ("roll w 5 1", "roll 1 5 w", {}),
        ("roll w", "roll w", {}),
    ],
)
def test_text_is_taken_in_any_order_and_given_in_canonical(text: str, canonical: str, fields: dict[str, Any]) -> None:
    move = game.parse(text)
    assert (move.notation, move.fields) == (canonical, fields)
    assert move.by_chance == text.startswith("roll")


@pytest.mark.parametrize(
    "text",
    [
        *("take R11", "take R0", "take W1", "take R6w", "take R6 R7", "take", "R6 take"),
        *("reroll", "reroll 6", "reroll 1 1 1 1", "reroll 1  w", "reroll 1 w ", "reroll W", "reroll 0"),
        *("roll", "roll 1 2 3 4", "roll 6", "roll 1 5 w w", "roll ?"),
        *("claim", "claim four-white", "claim four-red four-blue", "keep 1", "skip skip", "end turn", "pass"),
    ],
)
def test_text_outside_the_vocabulary_is_no_move(text: str) -> None:
    with pytest.raises(NotAMove):
        game.parse(text)


# What is refused -------------------------------------------------------------------------------------------------

ROLLED = do(game, START, "chance roll 1 5 w")
KEPT = do(game, ROLLED, "0 keep")
REROLLED = do(game, ROLLED, "0 reroll 1 w", "chance roll 2 w")
CLAIMING = do(game, table("R1 R2 R3", "B1 B2 B3 B4", claimed=["", "four-blue"], dice="1 3 w"), "0 take R4")
FINISHED = do(game, table("", "R10 B10 G10 Y10", dice="1 5 5"), "0 take P10")

REFUSALS = [
    (FINISHED, "0 skip", "game-over", "over"),
    (FINISHED, "chance roll 1 5 w", "game-over", "over"),
    (KEPT, "1 skip", "not-your-turn", "seat 0's turn, not seat 1's"),
    (CLAIMING, "1 claim run-of-four", "not-your-turn", "seat 0's turn, not seat 1's"),
    (START, "0 keep", "chance-to-act", "expected"),
    (do(game, ROLLED, "0 reroll 1"), "0 take R6", "chance-to-act", "expected"),
    (START, "0 roll 1 5 w", "outcome-by-seat", "roll 1 5 w"),
    (START, "chance keep", "move-by-chance", "keep"),
    (KEPT, "chance roll 1 5 w", "chance-not-awaited", "seat 0's turn"),
    (START, "chance roll 1 5", "dice-count", "3 dice are thrown, not 2"),
    (do(game, ROLLED, "0 reroll 1 w"), "chance roll 1", "dice-count", "2 dice are thrown, not 1"),
    (do(game, ROLLED, "0 reroll 1 w"), "chance roll 1 5 w", "dice-count", "2 dice are thrown, not 3"),
    (ROLLED, "0 reroll 2", "face-not-shown", "show 1 5 w, not all of 2"),
    (ROLLED, "0 reroll 1 1", "face-not-shown", "show 1 5 w, not all of 1 1"),
    (ROLLED, "0 reroll w 5 5", "face-not-shown", "not all of 5 5 w"),
    (KEPT, "0 reroll 1", "dice-final", "no other throw"),
    (REROLLED, "0 reroll 2", "dice-final", "no other throw"),
    (ROLLED, "0 take R6", "wrong-phase", "the dice come first"),
    (ROLLED, "0 skip", "wrong-phase", "the dice come first"),
    (ROLLED, "0 claim four-red", "wrong-phase", "the dice come first"),
    (ROLLED, "0 end", "wrong-phase", "the dice come first"),
    (KEPT, "0 keep", "wrong-phase", "a tile comes next"),
    (KEPT, "0 claim four-red", "wrong-phase", "a tile comes next"),
    (KEPT, "0 end", "wrong-phase", "a tile comes next"),
    (CLAIMING, "0 take R6", "wrong-phase", "bonus tiles come next"),
    (CLAIMING, "0 skip", "wrong-phase", "bonus tiles come next"),
    (CLAIMING, "0 keep", "wrong-phase", "bonus tiles come next"),
    (CLAIMING, "0 reroll 1", "wrong-phase", "bonus tiles come next"),
    (KEPT, "0 take R2", "not-a-sum", "2 is not a sum of one or more of the dice 1 5 w"),
    (KEPT, "0 take R10", "not-a-sum", "10 is not a sum"),
    (REROLLED, "0 take R1", "not-a-sum", "1 is not a sum of one or more of the dice 2 5 w"),
    (table("R1w", "", dice="1 5 w"), "0 take R1", "tile-not-in-centre", "seat 0 has it"),
    (table("", "R6", dice="1 5 w"), "0 take R6", "tile-not-in-centre", "R6 is not in the centre: seat 1 has it"),
    (table("R2 R7", "", dice="1 5 w"), "0 take R6", "not-higher", "R6 is not higher than R7"),
    (table("R10", "", dice="1 5 w"), "0 take R1", "not-higher", "R1 is not higher than R10"),
    (CLAIMING, "0 claim four-blue", "bonus-not-in-centre", "'four-blue' is not in the centre: seat 1 has it"),
    (do(game, CLAIMING, "0 claim four-red"), "0 claim four-red", "bonus-not-in-centre", "seat 0 has it"),
    (CLAIMING, "0 claim four-green", "condition-not-fulfilled", "seat 0 does not have 4 or more green tiles"),
    (CLAIMING, "0 claim six-of-a-colour", "condition-not-fulfilled", "6 or more tiles of one colour"),
]


@pytest.mark.parametrize(("state", "event", "rule", "words"), REFUSALS)
def test_what_is_illegal_names_its_rule(state: State, event: str, rule: str, words: str) -> None:
    assert refusal(game, state, event) == rule
    with pytest.raises(IllegalMove, match=re.escape(words)):
        do(game, state, event)


def test_every_rule_is_refused_once() -> None:
    assert {rule for _, _, rule, _ in REFUSALS} == game.INFO.rules.keys()


# Positions -------------------------------------------------------------------------------------------------------


def test_what_is_derived_may_be_sent_back_left_out_or_stale() -> None:
    state = table("R1w R6", "R10", dice="1 5 w", claimed=["", ""])
    seen = game.to_position(state, FULL)
    stale = seen | {"numbers": [10], "conditions": []}
    bare = {key: value for key, value in seen.items() if key not in ("numbers", "conditions")}
    for sent in (seen, stale, bare):
        assert game.from_position(2, state.options, sent) == state


def test_everybody_sees_the_same() -> None:
    for viewer in (0, 1, None):
        assert game.to_position(CLAIMING, viewer) == game.to_position(CLAIMING, FULL)
    assert game.visible_to(START, game.parse("roll 1 5 w")) is None


def test_the_whole_view() -> None:
    state = table("R1w R2 R3", "B6 B10", dice="w 5 1", phase="keep-or-reroll")
    assert game.to_position(state, None) == {
        "variant": "treasure-hunt",
        "phase": "keep-or-reroll",
        "active": 0,
        "turns": 6,
        "dice": ["1", "5", "w"],
        "numbers": [1, 5, 6],
        "centre": {
            "tiles": {
                "R": ["R4", "R5", "R6", "R7", "R8", "R9", "R10"],
                "B": ["B1", "B2", "B3", "B4", "B5", "B7", "B8", "B9"],
                **{letter: [f"{letter}{number}" for number in range(1, 11)] for letter in "GYP"},
            },
            "bonuses": [*BONUS_NAMES],
        },
        "expeditions": [
            {"R": ["R1w", "R2", "R3"], "B": [], "G": [], "Y": [], "P": []},
            {"R": [], "B": ["B6", "B10"], "G": [], "Y": [], "P": []},
        ],
        "bonuses": [[], []],
        "conditions": [
            {
                "fulfilled": [],
                "missing": {
                    "four-red": 1,
                    "four-blue": 4,
                    "four-green": 4,
                    "four-yellow": 4,
                    "four-purple": 4,
                    "six-of-a-colour": 3,
                    "run-of-four": 1,
                    "every-colour": 4,
                    "three-3s": 2,
                    "three-5s": 3,
                    "three-7s": 3,
                },
            },
            {
                "fulfilled": [],
                "missing": {
                    "four-red": 4,
                    "four-blue": None,
                    "four-green": 4,
                    "four-yellow": 4,
                    "four-purple": 4,
                    "six-of-a-colour": 6,
                    "run-of-four": 4,
                    "every-colour": 4,
                    "three-3s": 3,
                    "three-5s": 3,
                    "three-7s": 3,
                },
            },
        ],
    }


TENS_OF_ONE = "R10 B10 G10 Y10 P10"
BROKEN: list[tuple[Position, dict[str, Any], str, tuple[str | int, ...]]] = [
    (position("", "", "", phase="roll"), {}, "seats", ("expeditions",)),
    (position("", "", phase="roll") | {"bonuses": [[]]}, {}, "seats", ("bonuses",)),
    (
        position("", "", phase="roll") | {"expeditions": [rows([]) | {"R": ["B1"]}, rows([])]},
        {},
        "colour",
        ("expeditions", 0, "R", 0),
    ),
    (position("R4w", "", phase="roll"), {}, "wager-face", ("expeditions", 0, "R", 0)),
    (
        position("", "", phase="roll") | {"centre": {"tiles": rows(["G6w"]), "bonuses": []}},
        {},
        "wager-face",
        ("centre", "tiles", "G", 0),
    ),
    (position("", "R4 R1", phase="roll"), {}, "ascending", ("expeditions", 1, "R", 1)),
    (position("R6w R6", "", phase="roll"), {}, "ascending", ("expeditions", 0, "R", 1)),
    (
        position("", "", phase="roll") | {"centre": {"tiles": rows(TILES[::-1]), "bonuses": [*BONUS_NAMES]}},
        {},
        "ascending",
        ("centre", "tiles", "R", 1),
    ),
    (position("R6w", "R6", phase="roll"), {}, "lies-twice", ("expeditions", 1, "R", 0)),
    (
        position("R6w", "", phase="roll") | {"centre": {"tiles": rows(TILES), "bonuses": [*BONUS_NAMES]}},
        {},
        "lies-twice",
        ("expeditions", 0, "R", 0),
    ),
    (
        position("R1 R2 R3 R4", "R5 R6 R7 R8", phase="roll", claimed=["four-red", "four-red"]),
        {},
        "lies-twice",
        ("bonuses", 1, 0),
    ),
    (position("R1 R2 R3 R4", "", phase="roll", claimed=["four-red four-red", ""]), {}, "lies-twice", ("bonuses", 0, 1)),
    (
        position("", "", phase="roll") | {"centre": {"tiles": rows(TILES[1:]), "bonuses": [*BONUS_NAMES]}},
        {},
        "lies-nowhere",
        ("centre",),
    ),
    (
        position("", "", phase="roll") | {"centre": {"tiles": rows(TILES), "bonuses": BONUS_NAMES[:-1]}},
        {},
        "lies-nowhere",
        ("centre",),
    ),
    (position("", "", phase="roll", active=1, turns=2), {}, "active", ("active",)),
    (position("", "", phase="roll", active=3, turns=3), {}, "active", ("active",)),
    *(
        (position("", "", phase=phase, dice=dice), {}, "dice-count", ("dice",))
        for phase, dice in [
            ("roll", "1"),
            ("keep-or-reroll", ""),
            ("keep-or-reroll", "1 5"),
            ("keep-or-reroll", "1 5 w w"),
            ("reroll", "1 5 w"),
            ("take", "1 5"),
            ("claim", "1 5 w"),
            ("over", "1 5 w"),
        ]
    ),
    (position("R1", "", phase="roll", turns=0), {}, "tile-count", ("expeditions", 0)),
    (position("R1", "B1", phase="roll", active=1, turns=1), {}, "tile-count", ("expeditions", 1)),
    (position("R1 R2", "", phase="take", dice="1 5 w", turns=2), {}, "tile-count", ("expeditions", 0)),
    (position("", "R1 R2 R3 R4", phase="claim", active=1, turns=5), {}, "tile-count", ("expeditions", 1)),
    (position("R1 R2 R3 R5", "B1 B2 B3 B4", phase="claim", turns=6), {}, "tile-count", ("expeditions", 1)),
    (position("R1 R2 R3", "", phase="roll", claimed=["four-red", ""]), {}, "bonus-unearned", ("bonuses", 0)),
    (position("R1 R2 R3 R4", "", phase="roll", claimed=["", "four-red"]), {}, "bonus-unearned", ("bonuses", 1)),
    (position("R1 R2 R3", "", phase="claim"), {}, "nothing-to-claim", ("phase",)),
    (
        position("R1 R2 R3 R5", "", phase="claim", claimed=["four-red", ""]),
        {},
        "nothing-to-claim",
        ("phase",),
    ),
    (position("R1 R2 R3 R5", "", phase="claim", active=1), {}, "nothing-to-claim", ("phase",)),
    (position("", "", phase="roll", turns=4), {"max_turns": 3}, "max-turns", ("turns",)),
    (position("", "", phase="over", turns=4), {"max_turns": 3}, "max-turns", ("turns",)),
    (position("", "", phase="roll", turns=4), {"max_turns": 4}, "max-turns", ("turns",)),
    (position("R1 R2 R3 R5", "", phase="claim", turns=8), {"max_turns": 8}, "max-turns", ("turns",)),
    (position("", "", phase="over", turns=4), {}, "game-end", ("phase",)),
    (position("", "", phase="over", turns=4), {"max_turns": 5}, "game-end", ("phase",)),
    (position("", TENS_OF_ONE, phase="roll", claimed=["", "every-colour"]), {}, "game-end", ("phase",)),
    (position(EVERYTHING, "", phase="roll", claimed=[" ".join(COLOURED), ""]), {}, "game-end", ("phase",)),
    (position("", TENS_OF_ONE, phase="over", active=1), {}, "ended-before", ("expeditions",)),
    (position("R1 R2 R3 R4", TENS_OF_ONE, phase="claim"), {}, "ended-before", ("expeditions",)),
    (
        position(EVERYTHING, "", phase="over", active=0, claimed=[" ".join(COLOURED), ""]),
        {},
        "ended-before",
        ("bonuses",),
    ),
]


@pytest.mark.parametrize(("broken", "options", "invariant", "path"), BROKEN)
def test_a_position_that_cannot_be_is_refused(
    broken: Position, options: dict[str, Any], invariant: str, path: tuple[str | int, ...]
) -> None:
    with pytest.raises(InvalidPosition) as caught:
        game.from_position(2, game.parse_options(options), broken)
    assert (caught.value.invariant, caught.value.path) == (invariant, path)


def test_every_invariant_is_broken_once() -> None:
    named = re.findall(r'InvalidPosition\(\s*"([a-z-]+)"', source(positions))
    assert {invariant for _, _, invariant, _ in BROKEN} == {*named}


@pytest.mark.parametrize(
    ("placed", "phase"),
    [
        (table("", "", phase="reroll", dice=""), "reroll"),
        (table("", "", phase="reroll", dice="w 1"), "reroll"),
        (table("", "", "", "", phase="take", dice="1 w 5", active=3, turns=3), "take"),
        (table("", "R1 R2 R3 R4", phase="claim", active=1, turns=7), "claim"),
        (table("", TENS_OF_ONE, phase="over", active=0), "over"),
        (table("", TENS_OF_ONE, phase="claim", active=1), "claim"),
        (table("", "", phase="over", turns=3, active=1, options={"max_turns": 3}), "over"),
        (table(EVERYTHING, "", phase="over", active=1, claimed=[" ".join(COLOURED), ""], turns=45), "over"),
        (table(EVERYTHING, "", "", phase="roll", claimed=[" ".join(COLOURED), "", ""]), "roll"),
    ],
)
def test_a_position_that_can_be_is_placed(placed: State, phase: str) -> None:
    assert game.phase(placed) == phase
    assert game.from_position(len(placed.layout.tiles), placed.options, game.to_position(placed, FULL)) == placed


# About -----------------------------------------------------------------------------------------------------------


def test_what_was_decided_is_visible_as_data() -> None:
    info = game.INFO
    assert info.components["ending_bonuses"] == {"2": COLOURED, "3": [*BONUS_NAMES], "4": [*BONUS_NAMES]}
    assert info.scales["footprints"] == game.parse_options({}).plain()["footprints"]
    assert {ruling.id for ruling in info.rulings if ruling.source == "ruling"} == {
        "footprints",
        "coloured-bonuses",
        "turn-ends-by-itself",
        "max-turns",
        "draw",
    }


# Random games ----------------------------------------------------------------------------------------------------


def fulfils(tiles: Iterable[str], bonus: str) -> bool:
    """The condition as a person reads it off the bonus tile."""
    numbers = {letter: sorted(int(tile[1:]) for tile in tiles if tile[0] == letter) for letter in COLOURS}
    if bonus.startswith("four-"):
        return len(numbers[bonus[5].upper()]) >= 4
    if bonus == "six-of-a-colour":
        return any(len(row) >= 6 for row in numbers.values())
    if bonus == "run-of-four":
        return any({n, n + 1, n + 2, n + 3} <= {*row} for row in numbers.values() for n in row)
    if bonus == "every-colour":
        return all(numbers.values())
    return sum(int(bonus[6]) in row for row in numbers.values()) >= 3


def plain_score(seen: Position, seat: int, footprints: dict[str, Any]) -> int:
    points = 10 * len(seen["bonuses"][seat])
    for row in seen["expeditions"][seat].values():
        wagers = [tile[1:-1] for tile in row if tile.endswith("w")]
        plain = [int(tile[1:]) for tile in row if not tile.endswith("w")]
        seen_footprints = sum(footprints["wager"][n] for n in wagers) + sum(footprints["plain"][n - 1] for n in plain)
        points += seen_footprints * (1 + len(wagers))
    return points


def check_laws(state: State) -> None:
    """What can never change: 50 tiles and 11 bonus tiles, each in one place."""
    seen = game.to_position(state, None)
    seats = len(seen["expeditions"])
    places = [seen["centre"]["tiles"], *seen["expeditions"]]
    tiles = [tile for place in places for row in place.values() for tile in row]
    assert sorted(tile.removesuffix("w") for tile in tiles) == sorted(TILES)
    assert all(tile[1:-1] in ("1", "6", "10") for tile in tiles if tile.endswith("w"))
    bonuses = [name for names in (seen["centre"]["bonuses"], *seen["bonuses"]) for name in names]
    assert sorted(bonuses) == sorted(BONUS_NAMES)
    assert seen["active"] == seen["turns"] % seats
    footprints = state.options.plain()["footprints"]
    assert totals(game, state) == [plain_score(seen, seat, footprints) for seat in range(seats)]
    for seat in range(seats):
        own = [tile.removesuffix("w") for row in seen["expeditions"][seat].values() for tile in row]
        fulfilled = [name for name in BONUS_NAMES if fulfils(own, name)]
        assert seen["conditions"][seat]["fulfilled"] == fulfilled
        assert {*seen["bonuses"][seat]} <= {*fulfilled}
        assert len(own) <= (seen["turns"] + seats - 1) // seats + 1


def check_missing(state: State, seat: int) -> None:
    """One or two tiles that are said to be missing are enough, and no fewer; `None` is never."""
    seen = game.to_position(state, None)
    own = [tile.removesuffix("w") for row in seen["expeditions"][seat].values() for tile in row]
    highest = {tile[0]: int(tile[1:]) for tile in own}
    reach = [
        tile for row in seen["centre"]["tiles"].values() for tile in row if int(tile[1:]) > highest.get(tile[0], 0)
    ]
    for bonus, missing in seen["conditions"][seat]["missing"].items():
        assert (missing is not None) == fulfils([*own, *reach], bonus)
        for count in (1, 2):
            enough = any(fulfils([*own, *more], bonus) for more in combinations(reach, count))
            assert enough == (missing is not None and missing <= count <= len(reach))


footprints = st.lists(st.integers(0, 9), min_size=10, max_size=10)
tables = st.fixed_dictionaries(
    {},
    optional={
        "footprints": st.fixed_dictionaries(
            {"plain": footprints},
            optional={"wager": st.fixed_dictionaries({n: st.integers(0, 9) for n in ("1", "6", "10")})},
        ),
        "max_turns": st.integers(1, 200),
    },
)


@settings(max_examples=25, deadline=None)
@given(seats=st.integers(2, 4), chosen=tables, seed=st.integers(0, 2**32))
def test_random_games_obey_the_laws(seats: int, chosen: dict[str, Any], seed: int) -> None:
    rng = random.Random(seed)
    state = game.setup(seats, game.parse_options(chosen))
    check_laws(state)
    for step in steps(game, state, rng):
        state = step.after
        check_laws(state)
        assert (len(state.dice) == 3) == (state.phase in ("keep-or-reroll", "take"))
        if state.phase == "claim":
            assert len(legal(state)) > 1
        if rng.random() < 0.01:
            check_missing(state, rng.randrange(seats))
    centre = game.to_position(state, None)["centre"]
    result = game.result(state)
    assert result is not None
    assert result.reason in game.INFO.endings
    tens_are_gone = not any(f"{letter}10" in centre["tiles"][letter] for letter in COLOURS)
    assert (result.reason == "last-ten") == tens_are_gone
    ending = COLOURED if seats == 2 else BONUS_NAMES
    if result.reason == "last-bonus":
        assert not {*ending} & {*centre["bonuses"]}
    if result.reason == "max-turns":
        assert state.turns == chosen["max_turns"]
