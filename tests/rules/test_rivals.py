"""Lost Cities: Rivals, rule by rule."""

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lostcities.rules import rivals
from lostcities.variants.core import CHANCE, FULL, InvalidOptions, InvalidPosition, NotAMove, Position, Rules
from lostcities.variants.rivals import position as positions
from lostcities.variants.rivals.rules import Options, State

from tests.playing import do, refusal, source, steps, totals

IMPLEMENTED: Rules[rivals.State, rivals.Options] = rivals
"""mypy checks here that the module implements the interface with its own types."""

GOLD = 36
OPENINGS = ("Gw Ww", "Rw Yw", "Gw Bw", "Ww Rw")
"""What the seats of these tests are dealt."""
DEALS = tuple(f"chance wagers {seat} {opening}" for seat, opening in enumerate(OPENINGS))


def situation(
    *taken: str,
    openings: Sequence[str] = OPENINGS,
    display: str = "",
    unusable: str = "",
    gold: Sequence[int] | None = None,
    left: int = 10,
) -> State:
    """Seat 0's turn in the first pile, with so many cards `left` in it.

    Each seat has taken those cards, in addition to its opening; where the gold does not add up, the rest is in the
    supply.
    """
    players = len(taken)
    gold = gold or [GOLD // players] * players
    turned_over = len(f"{' '.join(taken)} {display} {unusable}".split())
    piles = [turned_over + left, 1, 1, 78 - turned_over - left]
    position = {
        "variant": "rivals",
        "phase": "turn",
        "active": 0,
        "starting_wagers": [opening.split() for opening in openings[:players]],
        "expeditions": [
            {letter: [card for card in f"{opening} {cards}".split() if card[0] == letter] for letter in "GWRYB"}
            for opening, cards in zip(openings, taken, strict=False)
        ],
        "gold": gold,
        "supply": GOLD - sum(gold),
        "display": display.split(),
        "pile": left,
        "piles": piles[1:],
        "auction": None,
        "removals": 0,
        "removed": [],
        "unusable": unusable.split(),
    }
    return rivals.from_position(players, rivals.parse_options({"piles": piles}), position)


def played(state: State, *events: str) -> State:
    """The state after those events."""
    after = do(rivals, state, *events)
    assert isinstance(after, State)
    return after


def started(players: int, piles: Sequence[int] = (20, 20, 20, 20)) -> State:
    """The first turn."""
    return played(rivals.setup(players, rivals.parse_options({"piles": piles})), *DEALS[:players])


def seen(state: State) -> Position:
    return rivals.to_position(state, FULL)


def said(state: State) -> list[str]:
    """What the seat to act may say."""
    return [move.notation for move in rivals.legal_moves(state, state.active)]


# Setup -----------------------------------------------------------------------------------------------------------


def test_the_deck_is_80_cards_and_10_starting_wagers() -> None:
    deck = Counter(rivals.CARDS[card] for card in rivals.FULL_DECK)
    assert deck.total() == 80
    for colour in "GWRYB":
        assert [deck[colour + rank] for rank in rivals.RANKS] == [3, 2, 2, 2, 2, 1, 1, 1, 1, 1]
    assert [rivals.CARDS[card] for card in rivals.STARTING_WAGERS] == [f"{colour}w" for colour in "GGWWRRYYBB"]


@pytest.mark.parametrize(("players", "gold"), [(2, 18), (3, 12), (4, 9)])
def test_each_seat_begins_with_two_wagers_and_an_even_share_of_the_gold(players: int, gold: int) -> None:
    state = rivals.setup(players, Options())
    for seat in range(players):
        assert rivals.to_act(state) == (CHANCE,)
        assert rivals.phase(state) == "wagers"
        state = played(state, DEALS[seat])
    assert seen(state) == {
        "variant": "rivals",
        "phase": "turn",
        "active": 0,
        "starting_wagers": [["Gw", "Ww"], ["Rw", "Yw"], ["Gw", "Bw"], ["Ww", "Rw"]][:players],
        "expeditions": [
            {"G": ["Gw"], "W": ["Ww"], "R": [], "Y": [], "B": []},
            {"G": [], "W": [], "R": ["Rw"], "Y": ["Yw"], "B": []},
            {"G": ["Gw"], "W": [], "R": [], "Y": [], "B": ["Bw"]},
            {"G": [], "W": ["Ww"], "R": ["Rw"], "Y": [], "B": []},
        ][:players],
        "gold": [gold] * players,
        "supply": 0,
        "display": [],
        "pile": 20,
        "piles": [20, 20, 20],
        "auction": None,
        "removals": 0,
        "removed": [],
        "unusable": [],
    }
    assert rivals.to_act(state) == (0,)


def picks(*answers: tuple[int, int]) -> Callable[[int], int]:
    """Chance that is asked for exactly these ranges and picks these."""
    expected = iter(answers)

    def pick(count: int) -> int:
        asked, answer = next(expected)
        assert count == asked
        return answer

    return pick


@pytest.mark.parametrize(
    ("dealt", "answers", "outcome"),
    [
        (0, [(10, 0), (8, 0)], "wagers 0 Gw Ww"),
        (0, [(10, 9), (8, 7)], "wagers 0 Yw Bw"),
        (0, [(10, 4), (8, 4)], "wagers 0 Rw Yw"),
        # Left: Gw Ww Rw Rw Yw Yw Bw Bw.
        (1, [(8, 0), (7, 0)], "wagers 1 Gw Ww"),
        (1, [(8, 2), (6, 1)], "wagers 1 Ww Rw"),
        # Left: Ww Rw Yw Bw.
        (3, [(4, 3), (3, 0)], "wagers 3 Ww Bw"),
    ],
)
def test_the_second_wager_is_any_left_of_another_colour(
    dealt: int, answers: list[tuple[int, int]], outcome: str
) -> None:
    state = played(rivals.setup(4, Options()), *DEALS[:dealt])
    assert rivals.sample_chance(state, picks(*answers)).notation == outcome


def test_a_card_is_picked_from_the_unseen_in_canonical_order() -> None:
    state = played(started(2), "0 uncover")
    assert rivals.sample_chance(state, picks((80, 0))).notation == "reveal Gw"
    assert rivals.sample_chance(state, picks((80, 79))).notation == "reveal B10"
    assert rivals.sample_chance(played(state, "chance reveal Gw", "1 uncover"), picks((79, 2))).notation == "reveal G2"


@pytest.mark.parametrize("piles", [[20, 20, 20], [20, 20, 20, 19], [40, 40, 0, 0], [16, 16, 16, 16, 16], []])
def test_the_piles_are_four_and_hold_80_cards(piles: list[int]) -> None:
    with pytest.raises(InvalidOptions) as caught:
        rivals.parse_options({"piles": piles})
    assert (caught.value.invariant, caught.value.path) == ("piles", ("piles",))


def test_options_survive_as_plain_data() -> None:
    assert rivals.parse_options({}).plain() == {"piles": [20, 20, 20, 20]}
    chosen = rivals.parse_options({"piles": [1, 2, 3, 74]})
    assert rivals.parse_options(chosen.plain()) == chosen


# Notation --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("uncover", {}),
        ("bid 1", {"gold": 1}),
        ("bid 36", {"gold": 36}),
        ("pass", {}),
        ("take Rw", {"card": "Rw"}),
        ("remove B10", {"card": "B10"}),
        ("done", {}),
    ],
)
def test_the_structured_form_names_the_operands(text: str, fields: Mapping[str, Any]) -> None:
    move = rivals.parse(text)
    assert (move.notation, move.type, move.fields) == (text, text.split(" ", maxsplit=1)[0], fields)


@pytest.mark.parametrize("text", ["wagers 0 Rw Bw", "wagers 0 Bw Rw"])
def test_wagers_come_in_any_order_and_leave_in_the_canonical_one(text: str) -> None:
    assert rivals.parse(text).notation == "wagers 0 Rw Bw"
    assert rivals.parse(text).by_chance


@pytest.mark.parametrize(
    "text",
    [
        "bid 0",
        "bid 37",
        "bid 01",
        "bid -1",
        "bid",
        "take R11",
        "take P5",
        "take",
        "remove R1",
        "reveal",
        "reveal ?",
        "wagers 0 Rw",
        "wagers 0 Rw R7",
        "wagers 0 Rw Bw Gw",
        "wagers 4 Rw Bw",
        "uncover R7",
        "Pass",
    ],
)
def test_what_is_outside_the_vocabulary_is_no_move(text: str) -> None:
    with pytest.raises(NotAMove):
        rivals.parse(text)


@pytest.mark.parametrize("text", ["bid 0", "bid -1", "bid 37"])
def test_an_impossible_bid_is_refused_with_the_rule(text: str) -> None:
    with pytest.raises(NotAMove, match=r"is not a move: a bid is at least 1, and at most the 36 gold of the game; say"):
        rivals.parse(text)


def test_the_order_of_taking_and_removing_is_a_ruling() -> None:
    sources = {ruling.id: ruling.source for ruling in rivals.INFO.rulings}
    assert (sources["winner"], sources["winner-order"]) == ("text", "ruling")


# Uncover ---------------------------------------------------------------------------------------------------------


def test_uncovered_cards_lie_in_a_row_and_the_turn_goes_clockwise() -> None:
    state = started(3)
    for seat, card in enumerate(("R7", "Gw", "R4")):
        assert rivals.to_act(state) == (seat,)
        state = played(state, f"{seat} uncover")
        assert rivals.to_act(state) == (CHANCE,)
        state = played(state, f"chance reveal {card}")
    assert seen(state)["display"] == ["R7", "Gw", "R4"]
    assert seen(state)["pile"] == 17
    assert rivals.to_act(state) == (0,)


@pytest.mark.parametrize(
    ("taken", "card", "usable"),
    [
        (("R5", "R5"), "R4", False),
        (("R5", "R4"), "R4", True),  # equal is enough
        (("R5", ""), "R2", True),  # only wagers so far
        (("R5", "B2"), "B2", True),  # nobody else has begun blue
        (("R5", "R6"), "Rw", False),  # no wager after a number
        (("R5", ""), "Rw", True),
        (("", ""), "Gw", True),
        (("R5", "R5", "R6"), "R3", False),
        (("R5", "R5", ""), "R3", True),
        (("R5", "R5", "R6", "R7"), "R4", False),
        (("R5", "R5", "R6", "R3"), "R4", True),
    ],
)
def test_a_card_that_no_seat_can_use_goes_out_and_is_not_replaced(
    taken: Sequence[str], card: str, usable: bool
) -> None:
    state = played(situation(*taken, display="Y9"), "0 uncover", f"chance reveal {card}")
    assert seen(state)["display"] == (["Y9", card] if usable else ["Y9"])
    assert seen(state)["unusable"] == ([] if usable else [card])
    assert seen(state)["pile"] == 9
    assert rivals.to_act(state) == (1,)


def test_a_card_that_becomes_useless_later_stays() -> None:
    state = situation("R2", "R5", display="R3 R6", gold=[18, 17])
    state = played(state, "0 bid 1", "1 pass", "0 take R6", "0 done", "chance reveal R4")
    assert seen(state)["display"] == ["R3"]
    assert seen(state)["unusable"] == ["R4"]


# Auction ---------------------------------------------------------------------------------------------------------


def test_the_auction_of_the_rulebook() -> None:
    """Sabrina, Jonas, Daniela and Dominic bid for two red 4s, a white 2 and a green wager."""
    state = situation("", "", "", "R3 G6 W5", display="R4 W2 R4 Gw", gold=[9, 9, 9, 8])
    bidding = [
        ("0 bid 1", 1, (1, 0, [0, 1, 2, 3])),
        ("1 pass", 2, (1, 0, [0, 2, 3])),
        ("2 bid 2", 3, (2, 2, [0, 2, 3])),
        ("3 bid 3", 0, (3, 3, [0, 2, 3])),
        ("0 bid 4", 2, (4, 0, [0, 2, 3])),
        ("2 pass", 3, (4, 0, [0, 3])),
        ("3 bid 5", 0, (5, 3, [0, 3])),
    ]
    for event, asked, (bid, holder, still_in) in bidding:
        state = played(state, event)
        assert rivals.to_act(state) == (asked,)
        assert seen(state)["auction"] == {"bid": bid, "holder": holder, "in": still_in}
        assert seen(state)["gold"] == [9, 9, 9, 8]
    state = played(state, "0 pass")
    assert rivals.to_act(state) == (3,)
    assert rivals.phase(state) == "take"
    assert seen(state)["auction"] is None
    assert (seen(state)["gold"], seen(state)["supply"]) == ([9, 9, 9, 3], 6)
    state = played(state, "3 take R4", "3 take R4", "3 remove Gw", "3 done", "chance reveal Y7")
    assert seen(state)["expeditions"][3]["R"] == ["Rw", "R3", "R4", "R4"]
    assert seen(state)["display"] == ["W2", "Y7"]
    assert seen(state)["removed"] == ["Gw"]
    assert rivals.to_act(state) == (0,)
    assert rivals.phase(state) == "turn"


@pytest.mark.parametrize(
    ("players", "events", "winner", "price"),
    [
        (2, "0 bid 1, 1 pass", 0, 1),
        (2, "0 bid 18, 1 pass", 0, 18),
        (2, "0 bid 1, 1 bid 2, 0 bid 7, 1 pass", 0, 7),
        (3, "0 bid 3, 1 pass, 2 pass", 0, 3),
        (3, "0 bid 1, 1 bid 2, 2 bid 3, 0 pass, 1 bid 4, 2 pass", 1, 4),
        (3, "0 bid 1, 1 pass, 2 bid 12, 0 pass", 2, 12),
        (4, "0 bid 2, 1 pass, 2 pass, 3 pass", 0, 2),
        (4, "0 bid 1, 1 bid 2, 2 bid 3, 3 bid 4, 0 bid 5, 1 pass, 2 pass, 3 bid 6, 0 pass", 3, 6),
        (4, "0 bid 1, 1 bid 9, 2 pass, 3 pass, 0 pass", 1, 9),
    ],
)
def test_the_last_seat_in_pays_its_bid_and_the_seat_after_it_is_next(
    players: int, events: str, winner: int, price: int
) -> None:
    state = played(situation(*[""] * players, display="Y9"), *events.split(", "))
    even = GOLD // players
    assert rivals.to_act(state) == (winner,)
    assert seen(state)["gold"] == [even - price * (seat == winner) for seat in range(players)]
    assert seen(state)["supply"] == price
    state = played(state, f"{winner} done", "chance reveal B2")
    assert rivals.to_act(state) == ((winner + 1) % players,)
    assert seen(state)["display"] == ["Y9", "B2"]


@pytest.mark.parametrize(
    ("opener", "answers", "winner"),
    [
        (1, "2 pass, 3 pass, 0 pass", 1),
        (1, "2 bid 2, 3 bid 3, 0 pass, 1 bid 4, 2 pass, 3 pass", 1),
        (2, "3 pass, 0 bid 2, 1 bid 3, 2 pass, 0 pass", 1),
        (3, "0 bid 2, 1 pass, 2 bid 3, 3 bid 4, 0 pass, 2 bid 5, 3 pass", 2),
    ],
)
def test_any_seat_opens_and_the_others_answer_clockwise_from_it(opener: int, answers: str, winner: int) -> None:
    state = situation("", "", "", "", display="Y9")
    for seat, card in zip(range(opener), ("B2", "B3", "B4"), strict=False):
        state = played(state, f"{seat} uncover", f"chance reveal {card}")
    state = played(state, f"{opener} bid 1", *answers.split(", "))
    assert (rivals.phase(state), rivals.to_act(state)) == ("take", (winner,))


@pytest.mark.parametrize(
    ("state", "legal"),
    [
        (situation("B2", "", gold=[3, 18]), "uncover"),
        (situation("", "", gold=[3, 18], display="R7"), "uncover, bid 1, bid 2, bid 3"),
        (situation("", "", gold=[0, 18], display="R7"), "uncover"),
        (played(situation("", "", gold=[3, 5], display="R7"), "0 bid 3"), "bid 4, bid 5, pass"),
        (played(situation("", "", gold=[3, 3], display="R7"), "0 bid 3"), "pass"),
        (played(situation("", "", gold=[3, 0], display="R7"), "0 bid 1"), "pass"),
        (
            played(situation("G5", "", display="G4 R7 G5 Gw"), "0 bid 1", "1 pass"),
            "take R7, take G5, remove G4, remove R7, remove G5, remove Gw, done",
        ),
        (
            played(situation("", "", display="R4 R4"), "0 bid 1", "1 pass"),
            "take R4, remove R4, done",
        ),
        (
            played(situation("", "", display="R4 R4"), "0 bid 1", "1 pass", "0 remove R4"),
            "take R4, done",
        ),
        (played(situation("", "", display="R4"), "0 bid 1", "1 pass", "0 take R4"), "done"),
    ],
)
def test_what_a_seat_may_say(state: State, legal: str) -> None:
    assert said(state) == legal.split(", ")
    assert rivals.legal_moves(state, 1 - state.active) == ()


@pytest.mark.parametrize(
    ("spoils", "expedition", "display", "removed"),
    [
        ("", "", "Rw R4 R6 R4 Y9", ""),
        ("take Rw, take R4, take R4, take R6", "Rw R4 R4 R6", "Y9", ""),
        ("remove R6, take R4, take R4", "R4 R4", "Rw Y9", "R6"),
        ("take R4, remove R6, take R4", "R4 R4", "Rw Y9", "R6"),
        ("take R4, remove R4", "R4", "Rw R6 Y9", "R4"),
        ("remove Y9", "", "Rw R4 R6 R4", "Y9"),
    ],
)
def test_the_winner_takes_any_number_and_removes_one_or_none_in_any_order(
    spoils: str, expedition: str, display: str, removed: str
) -> None:
    state = played(situation("", "", display="Rw R4 R6 R4 Y9"), "0 bid 1", "1 pass")
    state = played(state, *(f"0 {move}" for move in spoils.split(", ") if move), "0 done")
    assert seen(state)["expeditions"][0]["R"] == expedition.split()
    assert seen(state)["display"] == display.split()
    assert seen(state)["removed"] == removed.split()
    assert seen(state)["removals"] == 0


def test_every_auction_grants_its_own_removal() -> None:
    state = played(situation("", "", display="R4 R5"), "0 bid 1", "1 pass", "0 remove R4", "0 done")
    state = played(state, "chance reveal B2", "1 bid 1", "0 pass", "1 remove R5")
    assert seen(state)["removed"] == ["R4", "R5"]


# Illegal here ----------------------------------------------------------------------------------------------------

DEALING = rivals.setup(2, Options())
BEGUN = started(2)
REVEALING = played(BEGUN, "0 uncover")
SHOWN = situation("R5 G4", "", display="R7 R4 Gw Y9", gold=[9, 18])
BIDDING = played(SHOWN, "0 bid 3")
WON = played(BIDDING, "1 pass")
REMOVED = played(WON, "0 remove R7")
OUT = played(situation("", "", "", display="R7"), "0 bid 1", "1 pass")


def finished() -> State:
    *_, last = steps(rivals, BEGUN, random.Random(1))
    assert isinstance(last.after, State)
    return last.after


REFUSALS = [
    (finished(), "0 uncover", "game-over"),
    (BEGUN, "1 uncover", "not-your-turn"),
    (BIDDING, "0 bid 4", "not-your-turn"),
    (WON, "1 take R7", "not-your-turn"),
    (OUT, "1 bid 2", "not-your-turn"),  # it has passed
    (REVEALING, "1 uncover", "chance-to-act"),
    (DEALING, "0 uncover", "chance-to-act"),
    (REVEALING, "0 reveal R7", "outcome-by-seat"),
    (BEGUN, "chance uncover", "move-by-chance"),
    (BEGUN, "chance reveal R7", "chance-not-awaited"),
    (BEGUN, "0 take R7", "wrong-phase"),
    (BEGUN, "0 remove R7", "wrong-phase"),
    (BEGUN, "0 done", "wrong-phase"),
    (BIDDING, "1 take R7", "wrong-phase"),
    (BIDDING, "1 done", "wrong-phase"),
    (WON, "0 uncover", "wrong-phase"),
    (WON, "0 bid 4", "wrong-phase"),
    (WON, "0 pass", "wrong-phase"),
    (DEALING, "chance reveal R7", "wrong-phase"),
    (REVEALING, "chance wagers 0 Rw Bw", "wrong-phase"),
    (BEGUN, "0 bid 1", "display-empty"),
    (BIDDING, "1 bid 3", "bid-too-low"),
    (BIDDING, "1 bid 2", "bid-too-low"),
    (SHOWN, "0 bid 10", "bid-above-gold"),
    (SHOWN, "0 bid 36", "bid-above-gold"),
    (BIDDING, "1 bid 19", "bid-above-gold"),
    (BIDDING, "1 uncover", "auction-running"),
    (SHOWN, "0 pass", "no-auction"),
    (WON, "0 take B2", "card-not-in-display"),
    (WON, "0 remove B2", "card-not-in-display"),
    (WON, "0 take G3", "card-not-in-display"),  # neither there nor fitting
    (WON, "0 take R4", "number-too-low"),
    (WON, "0 take Gw", "wager-after-number"),
    (played(WON, "0 take R7"), "0 remove R7", "card-not-in-display"),
    (REMOVED, "0 take R7", "card-not-in-display"),
    (REMOVED, "0 remove R4", "already-removed"),
    (REMOVED, "0 remove R7", "already-removed"),
    (played(REVEALING, "chance reveal R7", "1 uncover"), "chance reveal R7", "card-not-in-piles"),
    (played(SHOWN, "0 uncover"), "chance reveal Y9", "card-not-in-piles"),
    (DEALING, "chance wagers 1 Rw Bw", "deal-order"),
    (DEALING, "chance wagers 2 Rw Bw", "deal-order"),
    (DEALING, "chance wagers 0 Rw Rw", "same-colour"),
    (
        played(rivals.setup(3, Options()), "chance wagers 0 Rw Bw", "chance wagers 1 Rw Yw"),
        "chance wagers 2 Rw Gw",
        "starting-wager-gone",
    ),
]


@pytest.mark.parametrize(("state", "event", "rule"), REFUSALS)
def test_an_illegal_move_names_its_rule(state: State, event: str, rule: str) -> None:
    assert refusal(rivals, state, event) == rule


def test_every_rule_is_refused_at_least_once() -> None:
    assert {rule for _, _, rule in REFUSALS} == rivals.INFO.rules.keys()


# Pile end --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gold", "shared", "remainder"),
    [
        ([18, 18], [18, 18], 0),
        ([18, 17], [18, 17], 1),
        ([10, 11], [17, 18], 1),
        ([12, 5, 4], [17, 10, 9], 0),
        ([12, 5, 5], [16, 9, 9], 2),
        ([9, 9, 6, 5], [10, 10, 7, 6], 3),
    ],
)
@pytest.mark.parametrize(("card", "usable"), [("B2", True), ("R4", False)])
def test_the_last_card_of_a_pile_shares_out_the_supply(
    gold: list[int], shared: list[int], remainder: int, card: str, usable: bool
) -> None:
    taken = ("R5", "R5", "R6", "R7")[: len(gold)]
    before = situation(*taken, display="Y9", gold=gold, left=1)
    after = played(before, "0 uncover", f"chance reveal {card}")
    assert (seen(after)["gold"], seen(after)["supply"]) == (shared, remainder)
    assert seen(after)["display"] == (["Y9", card] if usable else ["Y9"])
    assert seen(after)["unusable"] == ([] if usable else [card])
    assert (seen(after)["pile"], seen(after)["piles"]) == (1, seen(before)["piles"][1:])
    assert rivals.to_act(after) == (1,)


def test_nothing_is_shared_out_before_the_last_card_of_a_pile() -> None:
    after = played(situation("", "", gold=[10, 10], left=2, display="Y9"), "0 uncover", "chance reveal B2")
    assert (seen(after)["gold"], seen(after)["supply"], seen(after)["pile"]) == ([10, 10], 16, 1)


@pytest.mark.parametrize(("card", "unusable"), [("B2", []), ("R4", ["R4"])])
def test_the_card_that_ends_an_auction_can_end_the_pile(card: str, unusable: list[str]) -> None:
    """The bid just paid is shared out too."""
    state = situation("R5", "R5", "R6", display="Y9", gold=[12, 12, 11], left=1)
    state = played(state, "0 bid 3", "1 bid 4", "2 pass", "0 pass", "1 take Y9", "1 done", f"chance reveal {card}")
    assert (seen(state)["gold"], seen(state)["supply"]) == ([13, 9, 12], 2)
    assert seen(state)["unusable"] == unusable
    assert rivals.to_act(state) == (2,)


def test_piles_come_in_one_by_one() -> None:
    state = started(2, (2, 1, 3, 74))
    left = []
    for turn, card in enumerate(("B2", "B3", "B4", "B5", "B6", "B7", "B8")):
        left.append((seen(state)["pile"], seen(state)["piles"]))
        state = played(state, f"{turn % 2} uncover", f"chance reveal {card}")
    assert left == [(2, [1, 3, 74]), (1, [1, 3, 74]), (1, [3, 74]), (3, [74]), (2, [74]), (1, [74]), (74, [])]


# The end ---------------------------------------------------------------------------------------------------------


def one_card_left() -> State:
    """The last pile's last card, R4, is to be turned over; red stands at 5 and higher; 5 gold is in the supply."""
    state = started(2, (1, 1, 1, 77))
    state = played(state, "0 uncover", "chance reveal R5", "1 uncover", "chance reveal R5")
    state = played(state, "0 uncover", "chance reveal B2")
    state = played(state, "1 bid 3", "0 pass", "1 take R5", "1 done", "chance reveal B3")
    state = played(state, "0 bid 2", "1 pass", "0 take R5", "0 done", "chance reveal B4")
    while len(state.unseen) > 1:
        card = next(card for card in state.unseen if rivals.CARDS[card] != "R4" or state.unseen.count(card) > 1)
        state = played(state, f"{state.active} uncover", f"chance reveal {rivals.CARDS[card]}")
    assert (seen(state)["pile"], seen(state)["piles"], seen(state)["supply"]) == (1, [], 5)
    assert rivals.result(state) is None
    return state


LAST = one_card_left()


@pytest.mark.parametrize(
    ("events", "gold", "supply"),
    [
        (("{0} uncover", "chance reveal R4"), [16, 15], 5),
        (("{0} bid 4", "{1} pass", "{0} done", "chance reveal R4"), None, 9),
    ],
    ids=["by uncovering", "by an auction"],
)
def test_the_last_card_of_the_last_pile_ends_the_game_at_once(
    events: Sequence[str], gold: list[int] | None, supply: int
) -> None:
    seat = LAST.active
    expected = gold or [coins - 4 * (seat == payer) for payer, coins in enumerate((16, 15))]
    state = played(LAST, *(event.format(seat, 1 - seat) for event in events))
    assert rivals.to_act(state) == ()
    assert rivals.phase(state) == "over"
    assert (seen(state)["gold"], seen(state)["supply"]) == (expected, supply)
    assert (seen(state)["pile"], seen(state)["piles"]) == (0, [])
    assert seen(state)["unusable"][-1] == "R4"
    result = rivals.result(state)
    assert result is not None
    assert result.reason == "last-card"
    # Footprints of one red 5, doubled for seat 1, which was dealt a red wager.
    assert result.totals == (expected[0] + 1, expected[1] + 2)


def test_equal_totals_share_the_win() -> None:
    """Nobody ever takes a card or bids."""
    state = started(4)
    while rivals.to_act(state):
        state = played(state, f"{state.active} uncover")
        state = rivals.apply(state, CHANCE, rivals.sample_chance(state, lambda _: 0))
    result = rivals.result(state)
    assert result is not None
    assert (result.winners, result.totals) == ((0, 1, 2, 3), (9, 9, 9, 9))
    assert len(seen(state)["display"]) == 80


# Score -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("", 0),
        ("B2", 1),
        ("B5", 1),
        ("B6", 2),
        ("B10", 2),
        ("B2 B2 B3", 3),
        ("B2 B2 B3 B3", 4 + 8),
        ("B6 B7 B8", 6),
        ("B6 B7 B8 B9", 8 + 8),
        ("Bw", 0),
        ("Bw Bw Bw", 0),
        ("Bw Bw Bw B10", 8),
        ("Bw B2 B2 B3", 6),  # four cards, but three numbers
        ("Bw B2 B2 B3 B3", 8 + 8),  # the bonus is not multiplied
        ("Bw Bw Bw B2 B2 B3 B3 B4 B4 B5 B5 B6 B7 B8 B9 B10", 18 * 4 + 8),
    ],
)
def test_an_expedition_scores_footprints_times_wagers_and_a_bonus(cards: str, points: int) -> None:
    state = situation(cards, "", display="Y9", gold=[7, 18])
    lines = {line.item: line for line in rivals.score(state)[0]}
    assert lines["blue"].points == points
    assert lines["gold"].points == 7
    assert totals(rivals, state) == [points + 7, 18]


def test_the_score_of_the_rulebook() -> None:
    """Its expeditions are worth 72; the gold comes on top."""
    cards = "G6 G7 G8 G9 W2 W6 W7 Rw Rw R2 R2 R6 R7 Yw Yw Bw Bw Bw B6 B7"
    sheet, _ = rivals.score(situation(cards, "", openings=("Ww Bw", "Rw Yw"), gold=[5, 18]))
    assert [(line.item, line.points) for line in sheet] == [
        ("green", 8 + 8),
        ("white", 5 * 2),
        ("red", 6 * 3 + 8),
        ("yellow", 0),
        ("blue", 4 * 5),
        ("gold", 5),
    ]
    assert sum(line.points for line in sheet[:-1]) == 72
    names = ("footprints", "multiplier", "product", "bonus")
    assert [tuple(line.detail[name] for name in names) for line in sheet[:-1]] == [
        (8, 1, 8, 8),
        (5, 2, 10, 0),
        (6, 3, 18, 8),
        (0, 3, 0, 0),
        (4, 5, 20, 0),
    ]
    assert (sheet[2].detail["wagers"], sheet[2].detail["numbers"]) == (2, 4)
    assert sheet[-1].detail == {"coins": 5}


# Positions -------------------------------------------------------------------------------------------------------

FOUR = played(situation("G5", "R4", "B2", "", display="R7 Gw", gold=[9, 9, 8, 7]), "0 bid 3", "1 pass")
"""Seat 2 is to answer seat 0's bid; seats 0, 2 and 3 are in."""
UNUSABLE = situation("R5", "R5", display="Y9", unusable="R4")


BROKEN = [
    (FOUR, {"gold": [9, 9, 8]}, "seats", ("gold",)),
    (FOUR, {"expeditions": []}, "seats", ("expeditions",)),
    (BEGUN, {"starting_wagers": [["Gw", "Ww"]]}, "seats", ("starting_wagers",)),
    (BEGUN, {"active": 2}, "seats", ("active",)),
    (FOUR, {"auction.holder": 4}, "seats", ("auction", "holder")),
    (FOUR, {"auction.in": [0, 2, 4]}, "seats", ("auction", "in", 2)),
    (FOUR, {"auction": None}, "auction-phase", ("auction",)),
    (FOUR, {"phase": "turn"}, "auction-phase", ("auction",)),
    (FOUR, {"auction.in": [2, 3]}, "auction-seats", ("auction", "in")),
    (FOUR, {"auction.in": [0]}, "auction-seats", ("auction", "in")),
    (FOUR, {"auction.in": [0, 2, 2]}, "auction-seats", ("auction", "in")),
    (FOUR, {"active": 3}, "auction-turn", ("active",)),
    (FOUR, {"active": 0}, "auction-turn", ("active",)),
    (FOUR, {"auction.bid": 10}, "bid-above-gold", ("auction", "bid")),
    (BIDDING, {"display": [], "removed": ["R7", "R4", "Gw", "Y9"]}, "display-empty", ("display",)),
    (BEGUN, {"starting_wagers.0": ["Gw"]}, "starting-wagers", ("starting_wagers", 0)),
    (BEGUN, {"starting_wagers.0": ["Gw", "Gw"]}, "starting-wagers", ("starting_wagers", 0)),
    (BEGUN, {"starting_wagers.1": ["Rw", "Y2"]}, "starting-wagers", ("starting_wagers", 1)),
    (BEGUN, {"starting_wagers.0": []}, "deal-order", ("starting_wagers", 1)),
    (BEGUN, {"starting_wagers.1": []}, "deal-phase", ("phase",)),
    (BEGUN, {"phase": "wagers"}, "deal-phase", ("phase",)),
    (FOUR, {"starting_wagers.3": ["Gw", "Rw"]}, "too-many-copies", ("starting_wagers",)),
    (SHOWN, {"display.0": "G4", "display.1": "G4"}, "too-many-copies", ("display", 1)),
    (SHOWN, {"removed": ["Y9"]}, "too-many-copies", ("removed", 0)),
    (SHOWN, {"expeditions.1.Y": ["Yw"] * 5}, "too-many-copies", ("expeditions", 1, "Y", 4)),
    (SHOWN, {"expeditions.0.B": ["Y9"]}, "colour", ("expeditions", 0, "B", 0)),
    (SHOWN, {"expeditions.0.R": ["R5", "R4"]}, "ascending", ("expeditions", 0, "R", 1)),
    (SHOWN, {"expeditions.0.R": ["R5", "Rw"]}, "ascending", ("expeditions", 0, "R", 1)),
    (SHOWN, {"expeditions.0.G": ["G4"]}, "starting-wager-missing", ("expeditions", 0, "G")),
    (SHOWN, {"expeditions.1.Y": []}, "starting-wager-missing", ("expeditions", 1, "Y")),
    (UNUSABLE, {"unusable": ["R5"]}, "usable", ("unusable", 0)),
    (UNUSABLE, {"unusable": ["R4", "B2"]}, "usable", ("unusable", 1)),
    (BEGUN, {"piles": [20, 20]}, "card-count", ("pile",)),
    (BEGUN, {"pile": 19}, "card-count", ("pile",)),
    (SHOWN, {"display": ["R7"]}, "card-count", ("pile",)),
    (BEGUN, {"piles": [20, 20, 19]}, "piles", ("piles",)),
    (BEGUN, {"piles": [20, 20, 20, 20]}, "piles", ("piles",)),
    (BEGUN, {"pile": 21}, "piles", ("pile",)),
    (played(started(2, (1, 1, 1, 77)), "0 uncover"), {"display": ["R7"], "pile": 0}, "piles", ("pile",)),
    (BEGUN, {"phase": "over"}, "game-end", ("phase",)),
    (finished(), {"phase": "turn"}, "game-end", ("phase",)),
    (finished(), {"phase": "reveal"}, "game-end", ("phase",)),
    (BEGUN, {"supply": 1}, "gold-count", ("supply",)),
    (BEGUN, {"gold": [18, 17]}, "gold-count", ("supply",)),
    (BEGUN, {"gold": [19, 17]}, "gold-unshared", ("gold",)),
    (DEALING, {"display": ["R7"], "pile": 19}, "deal-first", ("phase",)),
    (BEGUN, {"active": 1}, "opening", ("active",)),
    (DEALING, {"active": 1}, "opening", ("active",)),
    (BEGUN, {"gold": [18, 17], "supply": 1}, "opening", ("supply",)),
    (WON, {"gold": [18, 18], "supply": 0}, "bid-unpaid", ("supply",)),
    (BEGUN, {"removals": 1}, "removals", ("removals",)),
    (WON, {"removals": 0}, "removals", ("removals",)),
]


@pytest.mark.parametrize(("state", "changes", "invariant", "path"), BROKEN)
def test_a_position_that_cannot_be_reached_names_its_fault(
    state: State, changes: Mapping[str, Any], invariant: str, path: tuple[str | int, ...]
) -> None:
    position = seen(state)
    for place, value in changes.items():
        *parents, last = (int(key) if key.isdigit() else key for key in place.split("."))
        inner: Any = position
        for key in parents:
            inner = inner[key]
        inner[last] = value
    with pytest.raises(InvalidPosition) as caught:
        rivals.from_position(len(state.gold), state.options, position)
    assert (caught.value.invariant, caught.value.path) == (invariant, path)


def test_every_invariant_is_broken_at_least_once() -> None:
    named = {*re.findall(r'InvalidPosition\(\s*"([a-z-]+)"', source(positions))}
    assert {invariant for _, _, invariant, _ in BROKEN} == named


@pytest.mark.parametrize(
    "state", [DEALING, BEGUN, REVEALING, SHOWN, BIDDING, WON, REMOVED, UNUSABLE, FOUR, LAST, finished()]
)
def test_a_position_in_any_order_is_the_same_state(state: State) -> None:
    position = seen(state)
    position["starting_wagers"] = [[*reversed(dealt)] for dealt in position["starting_wagers"]]
    if position["auction"]:
        position["auction"]["in"].reverse()
    assert rivals.from_position(len(state.gold), state.options, position) == state


# Random games ----------------------------------------------------------------------------------------------------


@st.composite
def some_piles(draw: st.DrawFn) -> list[int]:
    """Four piles of at least one card, 80 in all."""
    cuts = sorted(draw(st.sets(st.integers(1, 79), min_size=3, max_size=3)))
    return [after - before for before, after in pairwise((0, *cuts, 80))]


def cards_of(state: State) -> Counter[str]:
    """Every card of the game, wherever it is."""
    position = seen(state)
    piles = [pile for expeditions in position["expeditions"] for pile in expeditions.values()]
    rows = [*piles, position["display"], position["removed"], position["unusable"]]
    dealt = Counter(card for wagers in position["starting_wagers"] for card in wagers)
    starting = Counter({f"{colour}w": 2 for colour in "GWRYB"})
    return Counter(card for row in rows for card in row) + (starting - dealt) + Counter(map(_name, state.unseen))


def _name(card: int) -> str:
    return rivals.CARDS[card]


ALL_CARDS = Counter(map(_name, (*rivals.FULL_DECK, *rivals.STARTING_WAGERS)))


@pytest.mark.parametrize("players", [2, 3, 4])
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32), piles=some_piles())
def test_gold_and_cards_are_conserved_to_the_end(players: int, seed: int, piles: list[int]) -> None:
    state = rivals.setup(players, rivals.parse_options({"piles": piles}))
    reveals = 0
    for step in steps(rivals, state, random.Random(seed)):
        before, after = seen(step.before), seen(step.after)
        assert sum(after["gold"]) + after["supply"] == GOLD
        assert min((*after["gold"], after["supply"])) >= 0
        assert cards_of(step.after) == ALL_CARDS
        assert after["pile"] + sum(after["piles"]) == len(step.after.unseen)
        assert {repr(rivals.to_position(step.after, viewer)) for viewer in (None, FULL, *range(players))} == {
            repr(after)
        }
        if step.actor == CHANCE:
            assert rivals.visible_to(step.before, step.move) is None
        reveals += step.move.type == "reveal"
        if step.move.type == "reveal" and len(after["piles"]) < len(before["piles"]):
            share = before["supply"] // players
            assert after["gold"] == [gold + share for gold in before["gold"]]
        elif step.move.type != "pass":
            assert after["gold"] == before["gold"]
    assert reveals == 80


@pytest.mark.parametrize("players", [2, 3, 4])
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_whoever_has_passed_is_not_asked_again_in_that_auction(players: int, seed: int) -> None:
    out: set[int] = set()
    last_bid = 0
    for _, actor, move, after in steps(rivals, started(players), random.Random(seed)):
        if move.type == "bid":
            assert move.args[0] > last_bid
            last_bid = move.args[0]
        elif move.type == "pass":
            assert isinstance(actor, int)
            out.add(actor)
        elif move.type == "done":
            assert len(out) == players - 1
            assert actor not in out
            out, last_bid = set(), 0
        if rivals.phase(after) == "auction":
            assert isinstance(actor, int)
            clockwise = ((actor + step) % players for step in range(1, players))
            assert after.active == next(seat for seat in clockwise if seat not in out)
            assert {*seen(after)["auction"]["in"]} == {*range(players)} - out


# About -----------------------------------------------------------------------------------------------------------


def test_the_numbers_of_the_page_are_visible() -> None:
    about = rivals.INFO
    assert about.seats == (2, 4)
    assert about.components["footprints"] == dict(zip(rivals.RANKS, (0, 1, 1, 1, 1, 2, 2, 2, 2, 2), strict=True))
    assert about.components["gold"] == GOLD
    assert about.components["gold_per_seat"] == {"2": 18, "3": 12, "4": 9}
    assert [(option.name, option.default) for option in about.options] == [("piles", [20, 20, 20, 20])]
    assert (about.scales["bonus"], about.scales["bonus_from_numbers"]) == (8, 4)


def test_every_phase_and_verb_is_described() -> None:
    phases: set[str] = set()
    said: set[tuple[str, str]] = set()
    for step in steps(rivals, rivals.setup(3, Options()), random.Random(3)):
        phases |= {rivals.phase(step.before), rivals.phase(step.after)}
        said.add((step.move.type, "chance" if step.actor == CHANCE else "seat"))
    assert phases == rivals.INFO.phases.keys()
    assert said == {(kind.type, kind.by) for kind in rivals.INFO.moves}
