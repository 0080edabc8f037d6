"""Lost Cities, the card game: rule by rule."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import pairwise, product
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from lostcities.rules import duel
from lostcities.variants.core import (
    CHANCE,
    FULL,
    Actor,
    IllegalMove,
    InvalidPosition,
    Move,
    NotAMove,
    Position,
    Rules,
    Seat,
    Viewer,
    total,
)
from lostcities.variants.duel import position as positions
from lostcities.variants.duel.rules import Options, State

from tests.playing import do, refusal, source, steps, totals

IMPLEMENTED: Rules[duel.State, duel.Options] = duel
"""mypy checks here that the module implements the interface with its own types."""

COLOURS = {5: "YBWGR", 6: "YBWGRP"}
RANKS = ("w", "2", "3", "4", "5", "6", "7", "8", "9", "10")
TWELVE = ("w", "w", *RANKS)
HANDS = ("Yw Y2 Y5 B3 B8 Rw R6 R8", "Yw B2 B10 W4 W9 G2 G7 R7")
"""What the seats of these tests are dealt."""
DEALS = tuple(f"chance deal {seat} {hand}" for seat, hand in enumerate(HANDS))


ORDER = [colour + rank for colour in COLOURS[6] for rank in RANKS]
"""Every kind of card, in canonical order."""


def all_cards(expeditions: int) -> list[str]:
    """Every card of the game, in canonical order."""
    return [colour + rank for colour in COLOURS[expeditions] for rank in TWELVE]


def played(state: State, *events: str) -> State:
    """The state after those events."""
    after = do(duel, state, *events)
    assert isinstance(after, State)
    return after


def dealt(**chosen: Any) -> State:
    """The first turn of a game."""
    return played(duel.setup(2, duel.parse_options(chosen)), *DEALS)


def seen(state: State, viewer: Viewer = FULL) -> Position:
    return duel.to_position(state, viewer)


def said(state: State, seat: Seat) -> list[str]:
    """The legal moves of a seat, as listed."""
    return [move.notation for move in duel.legal_moves(state, seat)]


def situation(
    *held: str,
    laid: Sequence[str] = ("", ""),
    discards: str = "",
    deck: str | None = None,
    active: Seat = 0,
    starter: Seat = 0,
    before: Sequence[Sequence[int]] = (),
    **chosen: Any,
) -> State:
    """A seat is about to play or discard; both hold what is said and, up to eight, the highest cards left.

    Of the other cards `deck` is the deck and the rest lies at the bottom of the discards; by default all are the deck.
    `before` are the points of the rounds before.
    """
    options = duel.parse_options(chosen)
    rest = all_cards(options.expeditions)
    for name in " ".join((*held, *laid, discards, deck or "")).split():
        rest.remove(name)
    hands = [hand.split() for hand in (*held, "", "")[:2]]
    for hand in hands:
        hand += [rest.pop() for _ in range(8 - len(hand))]
    bottom = "" if deck is None else " ".join(rest)
    in_deck = len(rest) if deck is None else len(deck.split())
    turns = len(all_cards(options.expeditions)) - 16 - in_deck
    position = {
        "variant": "duel",
        "phase": "play",
        "active": active,
        "hands": hands,
        "expeditions": [by_colour(cards, options) for cards in laid],
        "discards": by_colour(f"{bottom} {discards}", options),
        "deck": in_deck,
        "closed": None,
        "turns": turns + (starter + turns + active) % 2,
        "starter": starter,
        "rounds": [[*points] for points in before],
    }
    return duel.from_position(2, options, position)


def by_colour(cards: str, options: Options) -> dict[str, list[str]]:
    return {letter: [card for card in cards.split() if card[0] == letter] for letter in COLOURS[options.expeditions]}


def last_draw(state: State) -> State:
    """The active seat gets rid of any card and draws the deck's last one."""
    card, name = said(state, state.active)[-1].split()[1], duel.CARDS[state.deck[0]]
    assert len(state.deck) == 1
    return played(state, f"{state.active} discard {card}", f"{state.active} draw deck", f"chance draw {name}")


# The game once more, naively: lists of names, on the position alone ----------------------------------------------


class Event(NamedTuple):
    """An entry of a history."""

    actor: Actor
    notation: str


def points_of(cards: Sequence[str]) -> int:
    """The points of one expedition."""
    if not cards:
        return 0
    factor, points = 1, -20
    for card in cards:
        if card.endswith("w"):
            factor += 1
        else:
            points += int(card[1:])
    return points * factor + (20 if len(cards) > 7 else 0)


def points_from(history: Sequence[Event]) -> list[list[int]]:
    """Each seat's points, round by round, from nothing but what was played: a played card never leaves."""
    rounds: list[list[dict[str, list[str]]]] = []
    for actor, notation in history:
        if notation.startswith("deal 0"):
            rounds.append([{}, {}])
        if notation.startswith("play "):
            assert actor != CHANCE
            card = notation.removeprefix("play ")
            rounds[-1][actor].setdefault(card[0], []).append(card)
    return [[sum(map(points_of, laid.values())) for laid in seats] for seats in rounds]


def starters_after(rounds: Sequence[Sequence[int]]) -> list[Seat]:
    """Who starts the first round and each round after those."""
    starters = [0]
    for first, second in rounds:
        starters.append(1 - starters[-1] if first == second else int(second > first))
    return starters


def fits(card: str, expedition: Sequence[str]) -> bool:
    if card.endswith("w"):
        return all(other.endswith("w") for other in expedition)
    return all(other.endswith("w") or int(other[1:]) < int(card[1:]) for other in expedition)


def hidden_deck(options: Options, position: Position) -> list[str]:
    """The cards that the position doesn't show, in canonical order."""
    unseen = all_cards(options.expeditions)
    piles = [*position["discards"].values(), *position["hands"]]
    for pile in (*piles, *(pile for laid in position["expeditions"] for pile in laid.values())):
        for card in pile:
            unseen.remove(card)
    return unseen


def naive_events(options: Options, position: Position) -> list[Event]:
    """Everything that can happen now, deals aside."""
    seat, closed = position["active"], position["closed"]
    if position["phase"] == "play":
        hand = [*dict.fromkeys(position["hands"][seat])]
        plays = [f"play {card}" for card in hand if fits(card, position["expeditions"][seat][card[0]])]
        return [Event(seat, text) for text in (*plays, *(f"discard {card}" for card in hand))]
    if position["phase"] == "draw":
        piles = [f"draw {letter}" for letter, pile in position["discards"].items() if pile and letter != closed]
        return [Event(seat, text) for text in ("draw deck", *piles)]
    if position["phase"] == "draw-deck":
        return [Event(CHANCE, f"draw {card}") for card in dict.fromkeys(hidden_deck(options, position))]
    return []


def naive_after(options: Options, position: Position, notation: str) -> Position:
    """The position after a legal event."""
    after = deepcopy(position)
    seat: Seat = position["active"]
    verb, *cards = notation.split()
    if verb == "deal":
        after["hands"][int(cards[0])] = cards[1:]
        after["deck"] -= 8
        after["phase"] = "play" if cards[0] == "1" else "deal"
    elif verb in ("play", "discard"):
        card = cards[0]
        after["hands"][seat].remove(card)
        if card in after["known"][seat]:
            after["known"][seat].remove(card)
        pile = after["expeditions"][seat][card[0]] if verb == "play" else after["discards"][card[0]]
        pile.append(card)
        after["closed"] = card[0] if verb == "discard" and not options.redraw_own_discard else None
        after["phase"] = "draw"
    elif cards == ["deck"]:
        after.update(phase="draw-deck", closed=None)
    else:
        from_deck = position["phase"] == "draw-deck"
        card = cards[0] if from_deck else after["discards"][cards[0]].pop()
        after["deck"] -= from_deck
        after["hands"][seat] = in_order([*after["hands"][seat], card])
        if not from_deck:
            after["known"][seat] = in_order([*after["known"][seat], card])
        after.update(phase="play", active=1 - seat, closed=None, turns=position["turns"] + 1)
        if after["deck"] == 0 or after["turns"] == options.max_turns:
            naive_end_of_round(options, after)
    return after


def naive_end_of_round(options: Options, position: Position) -> None:
    if len(position["rounds"]) + 1 == options.rounds:
        position["phase"] = "over"
        return
    points = [sum(map(points_of, laid.values())) for laid in position["expeditions"]]
    rounds = [*position["rounds"], points]
    starter = 1 - position["starter"] if points[0] == points[1] else points.index(max(points))
    position.update(
        phase="deal",
        active=starter,
        hands=[[], []],
        known=[[], []],
        expeditions=[by_colour("", options), by_colour("", options)],
        discards=by_colour("", options),
        deck=len(all_cards(options.expeditions)),
        turns=0,
        starter=starter,
        rounds=rounds,
        round_expeditions=[*position["round_expeditions"], position["expeditions"]],
    )


def in_order(cards: Sequence[str]) -> list[str]:
    return sorted(cards, key=ORDER.index)


# Components ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("expeditions", "size"), [(5, 60), (6, 72)])
def test_each_colour_has_nine_numbers_and_three_wagers(expeditions: int, size: int) -> None:
    deck = [duel.CARDS[card] for card in duel.setup(2, Options(expeditions)).deck]
    assert len(deck) == size
    assert deck == all_cards(expeditions)
    assert seen(duel.setup(2, Options(expeditions)))["deck"] == size


def test_the_components_are_told() -> None:
    assert duel.INFO.seats == (2, 2)
    assert duel.INFO.components == {
        "colours": {"Y": "yellow", "B": "blue", "W": "white", "G": "green", "R": "red", "P": "purple"},
        "numbers": [2, 3, 4, 5, 6, 7, 8, 9, 10],
        "wagers_per_colour": 3,
        "cards": {"5": 60, "6": 72},
        "hand": 8,
    }


# Setup -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("expeditions", "left"), [(5, 44), (6, 56)])
def test_eight_cards_are_dealt_to_seat_0_then_to_seat_1_and_seat_0_starts(expeditions: int, left: int) -> None:
    state = duel.setup(2, Options(expeditions))
    for hands, event in (([0, 0], DEALS[0]), ([8, 0], DEALS[1])):
        assert (duel.to_act(state), duel.phase(state)) == ((CHANCE,), "deal")
        assert [len(hand) for hand in seen(state)["hands"]] == hands
        assert said(state, 0) == said(state, 1) == []
        state = played(state, event)
    assert (duel.to_act(state), duel.phase(state)) == ((0,), "play")
    assert seen(state)["hands"] == [hand.split() for hand in HANDS]
    assert seen(state)["deck"] == left
    assert Counter(hidden_deck(state.options, seen(state))) == Counter(duel.CARDS[card] for card in state.deck)


class Picks:
    """Always the first or the last, and how many there were to pick from."""

    def __init__(self, *, last: bool) -> None:
        self.last = last
        self.sizes: list[int] = []

    def __call__(self, size: int) -> int:
        self.sizes.append(size)
        return size - 1 if self.last else 0


@pytest.mark.parametrize(
    ("state", "last", "outcome", "sizes"),
    [
        (duel.setup(2, Options()), False, "deal 0 Yw Yw Yw Y2 Y3 Y4 Y5 Y6", [*range(60, 52, -1)]),
        (duel.setup(2, Options()), True, "deal 0 R3 R4 R5 R6 R7 R8 R9 R10", [*range(60, 52, -1)]),
        (duel.setup(2, Options(6)), True, "deal 0 P3 P4 P5 P6 P7 P8 P9 P10", [*range(72, 64, -1)]),
        (played(duel.setup(2, Options()), DEALS[0]), False, "deal 1 Yw Yw Y3 Y4 Y6 Y7 Y8 Y9", [*range(52, 44, -1)]),
        (played(dealt(), "0 play R6", "0 draw deck"), False, "draw Yw", [44]),
        (played(dealt(), "0 play R6", "0 draw deck"), True, "draw R10", [44]),
    ],
)
def test_chance_picks_from_the_unseen_in_canonical_order(
    state: State, last: bool, outcome: str, sizes: list[int]
) -> None:
    pick = Picks(last=last)
    assert duel.sample_chance(state, pick).notation == outcome
    assert pick.sizes == sizes


# A turn ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("events", "to_act", "phase"),
    [
        ((), 0, "play"),
        (("0 play R6",), 0, "draw"),
        (("0 discard R6",), 0, "draw"),
        (("0 play R6", "0 draw deck"), CHANCE, "draw-deck"),
        (("0 play R6", "0 draw deck", "chance draw G10"), 1, "play"),
        (("0 discard R6", "0 draw deck", "chance draw G10", "1 play R7"), 1, "draw"),
        (("0 discard R6", "0 draw deck", "chance draw G10", "1 play R7", "1 draw R"), 0, "play"),
        (("0 discard R6", "0 draw deck", "chance draw G10", "1 discard R7", "1 draw deck"), CHANCE, "draw-deck"),
    ],
)
def test_a_turn_is_a_card_out_and_a_card_in(events: Sequence[str], to_act: Actor, phase: str) -> None:
    state = played(dealt(), *events)
    assert duel.to_act(state) == (to_act,)
    assert duel.phase(state) == phase
    assert [seat for seat in (0, 1) if said(state, seat)] == ([] if to_act == CHANCE else [to_act])


@pytest.mark.parametrize(
    ("expedition", "card", "rule"),
    [
        ("", "Rw", None),
        ("", "R2", None),
        ("", "R10", None),
        ("R2", "R3", None),
        ("R2", "R10", None),
        ("R9", "R10", None),
        ("Rw", "R2", None),
        ("Rw Rw Rw", "R2", None),
        ("Rw R5 R7", "R8", None),
        ("R3", "R2", "not-higher"),
        ("R10", "R9", "not-higher"),
        ("R2 R10", "R5", "not-higher"),
        ("Rw Rw R4", "R3", "not-higher"),
        ("R2", "Rw", "wager-after-number"),
        ("R10", "Rw", "wager-after-number"),
        ("Rw R2", "Rw", "wager-after-number"),
        ("Y9 B9 W9 G9", "R2", None),
        ("Y9 B9 W9 G9", "Rw", None),
    ],
)
def test_an_expedition_is_wagers_then_rising_numbers(expedition: str, card: str, rule: str | None) -> None:
    state = situation(card, laid=(expedition, ""))
    assert (f"play {card}" in said(state, 0)) == (rule is None)
    assert f"discard {card}" in said(state, 0)
    if rule:
        assert refusal(duel, state, f"0 play {card}") == rule
    else:
        assert seen(played(state, f"0 play {card}"))["expeditions"][0]["R"][-1] == card


def test_only_the_last_number_decides() -> None:
    """Every number of wagers, every last number, every card that can still be in hand."""
    for wagers in range(4):
        for last in ("", *RANKS[1:]):
            expedition = ["Gw"] * wagers + [f"G{last}"] * bool(last)
            for rank in RANKS:
                if (rank == "w" and wagers == 3) or rank == last:
                    continue
                state = situation(f"G{rank}", laid=("", " ".join(expedition)))
                assert f"play G{rank}" in said(state, 0), "the other seat's expedition does not matter"
                state = situation("", f"G{rank}", laid=("", " ".join(expedition)), active=1)
                expected = not last if rank == "w" else not last or int(rank) > int(last)
                assert (f"play G{rank}" in said(state, 1)) is expected


def test_the_clue_of_the_rulebook() -> None:
    state = situation("Rw R6 R8", "W10")
    assert {"play Rw", "play R6", "play R8"} <= {*said(state, 0)}
    state = played(
        state, "0 play R8", "0 draw deck", "chance draw Y2", "1 discard W10", "1 draw deck", "chance draw Y3"
    )
    assert refusal(duel, state, "0 play Rw") == "wager-after-number"
    assert refusal(duel, state, "0 play R6") == "not-higher"
    assert {"discard Rw", "discard R6"} <= {*said(state, 0)}


def test_moves_are_listed_plays_first_and_each_once() -> None:
    state = situation("Yw Yw Y3 B5 W10 Rw R6 R8", laid=("B6 R7", ""))
    plays = ["Yw", "Y3", "W10", "R8"]
    discards = ["Yw", "Y3", "B5", "W10", "Rw", "R6", "R8"]
    assert said(state, 0) == [f"play {card}" for card in plays] + [f"discard {card}" for card in discards]
    assert said(state, 1) == []


@pytest.mark.parametrize(
    ("discards", "put", "legal"),
    [
        ("", "play R6", "deck"),
        ("", "discard R6", "deck"),
        ("Y2", "discard R6", "deck Y"),
        ("R2", "discard R6", "deck"),
        ("R2", "play R6", "deck R"),
        ("G2 R9 Y2 B4 W5 Y3", "play R6", "deck Y B W G R"),
        ("G2 R9 Y2 B4 W5 Y3", "discard R6", "deck Y B W G"),
    ],
)
def test_a_draw_is_from_the_deck_or_any_open_pile(discards: str, put: str, legal: str) -> None:
    state = played(situation("R6", discards=discards), f"0 {put}")
    assert said(state, 0) == [f"draw {pile}" for pile in legal.split()]


def test_a_card_from_the_deck_joins_the_hand() -> None:
    state = played(dealt(), "0 play R8", "0 draw deck", "chance draw W10")
    assert seen(state)["hands"] == [["Yw", "Y2", "Y5", "B3", "B8", "W10", "Rw", "R6"], HANDS[1].split()]
    assert seen(state)["deck"] == 43
    assert "W10" not in hidden_deck(state.options, seen(state))


# The pile just discarded onto ------------------------------------------------------------------------------------


def test_the_pile_just_discarded_onto_is_closed_whatever_lies_below() -> None:
    state = played(situation("R6", discards="R2 R9 Y2"), "0 discard R6")
    assert seen(state)["closed"] == "R"
    assert refusal(duel, state, "0 draw R") == "pile-closed"
    assert seen(played(state, "0 draw Y"))["hands"][0].count("Y2") == 1


def test_the_pile_is_closed_for_that_one_draw() -> None:
    state = played(situation("R6", "B3"), "0 discard R6", "0 draw deck", "chance draw Y2")
    assert seen(state)["closed"] is None
    assert said(played(state, "1 play B3"), 1) == ["draw deck", "draw R"]
    state = played(state, "1 discard B3", "1 draw deck", "chance draw Y3", "0 play Y2")
    assert said(state, 0) == ["draw deck", "draw B", "draw R"], "a turn later its own discard is open to seat 0"


def test_playing_a_card_closes_no_pile() -> None:
    state = played(situation("R6", discards="R2"), "0 play R6")
    assert seen(state)["closed"] is None
    assert "R2" in seen(played(state, "0 draw R"))["hands"][0]


def test_the_option_lets_a_seat_draw_its_own_discard_back() -> None:
    before = situation("R6", discards="R2", redraw_own_discard=True)
    state = played(before, "0 discard R6")
    assert seen(state)["closed"] is None
    assert said(state, 0) == ["draw deck", "draw R"]
    after = played(state, "0 draw R")
    assert seen(after)["hands"] == seen(before)["hands"]
    assert seen(after)["discards"]["R"] == ["R2"]
    assert duel.to_act(after) == (1,)


# Refusals --------------------------------------------------------------------------------------------------------

DEALING = duel.setup(2, Options())
SECOND_DEAL = played(DEALING, DEALS[0])
FIRST_TURN = dealt()
TO_DRAW = played(FIRST_TURN, "0 discard R6")
AWAITED = played(TO_DRAW, "0 draw deck")
SECOND_TURN = played(AWAITED, "chance draw W10")
BUILT = situation("Rw R6 R8", "Rw", laid=("R7", ""), discards="Y2 Y3")
FINISHED = last_draw(situation(deck="G4"))
LONG = dealt(expeditions=6)

REFUSED: list[tuple[State, str, str]] = [
    (FINISHED, "0 draw deck", "game-over"),
    (FINISHED, f"1 discard {seen(FINISHED)['hands'][1][0]}", "game-over"),
    (FINISHED, "chance draw G4", "game-over"),
    (FINISHED, DEALS[0], "game-over"),
    (FIRST_TURN, "1 play B2", "not-your-turn"),
    (FIRST_TURN, "1 draw deck", "not-your-turn"),
    (FIRST_TURN, "2 play R6", "not-your-turn"),
    (TO_DRAW, "1 draw deck", "not-your-turn"),
    (TO_DRAW, "1 draw R", "not-your-turn"),
    (SECOND_TURN, "0 play R8", "not-your-turn"),
    (DEALING, "0 play R6", "chance-to-act"),
    (SECOND_DEAL, "0 play R6", "chance-to-act"),
    (AWAITED, "0 draw deck", "chance-to-act"),
    (AWAITED, "1 play B2", "chance-to-act"),
    (DEALING, DEALS[0].replace("chance", "0"), "outcome-by-seat"),
    (AWAITED, "0 draw W10", "outcome-by-seat"),
    (FIRST_TURN, "0 draw W10", "outcome-by-seat"),
    (FIRST_TURN, "1 draw W10", "outcome-by-seat"),
    (FIRST_TURN, "chance play R6", "move-by-chance"),
    (AWAITED, "chance draw deck", "move-by-chance"),
    (TO_DRAW, "chance draw R", "move-by-chance"),
    (FIRST_TURN, "chance draw W10", "chance-not-awaited"),
    (FIRST_TURN, DEALS[0], "chance-not-awaited"),
    (TO_DRAW, "chance draw W10", "chance-not-awaited"),
    (FIRST_TURN, "0 draw deck", "wrong-phase"),
    (BUILT, "0 draw Y", "wrong-phase"),
    (TO_DRAW, "0 play R8", "wrong-phase"),
    (TO_DRAW, "0 discard R8", "wrong-phase"),
    (DEALING, "chance draw W10", "wrong-phase"),
    (AWAITED, "chance deal 0 W2 W3 W5 W6 W7 W8 W10 G3", "wrong-phase"),
    (FIRST_TURN, "0 play R7", "card-not-in-hand"),
    (FIRST_TURN, "0 discard R7", "card-not-in-hand"),
    (FIRST_TURN, "0 play G10", "card-not-in-hand"),
    (LONG, "0 play P5", "card-not-in-hand"),
    (BUILT, "0 play R7", "card-not-in-hand"),
    (BUILT, "0 play R6", "not-higher"),
    (BUILT, "0 play Rw", "wager-after-number"),
    (TO_DRAW, "0 draw Y", "pile-empty"),
    (played(LONG, "0 discard R6"), "0 draw P", "pile-empty"),
    (TO_DRAW, "0 draw R", "pile-closed"),
    (FIRST_TURN, "0 play P5", "colour-not-in-game"),
    (FIRST_TURN, "0 discard Pw", "colour-not-in-game"),
    (TO_DRAW, "0 draw P", "colour-not-in-game"),
    (AWAITED, "chance draw R6", "card-not-in-deck"),
    (AWAITED, "chance draw R7", "card-not-in-deck"),
    (AWAITED, "chance draw P5", "card-not-in-deck"),
    (DEALING, "chance deal 0 Rw Rw Rw Rw R2 R3 R4 R5", "card-not-in-deck"),
    (DEALING, "chance deal 0 R2 R2 R3 R4 R5 R6 R7 R8", "card-not-in-deck"),
    (DEALING, "chance deal 0 R2 R3 R4 R5 R6 R7 R8 P2", "card-not-in-deck"),
    (SECOND_DEAL, "chance deal 1 R8 W2 W3 W4 W5 W6 W7 W8", "card-not-in-deck"),
    (DEALING, DEALS[1], "deal-order"),
    (SECOND_DEAL, "chance deal 0 W2 W3 W4 W5 W6 W7 W8 W9", "deal-order"),
]


@pytest.mark.parametrize(("state", "event", "rule"), REFUSED, ids=[f"{rule}: {event}" for _, event, rule in REFUSED])
def test_an_illegal_move_names_its_rule(state: State, event: str, rule: str) -> None:
    assert refusal(duel, state, event) == rule


def test_every_rule_is_broken_at_least_once() -> None:
    assert {rule for _, _, rule in REFUSED} == duel.INFO.rules.keys()


@pytest.mark.parametrize(
    ("state", "event", "words"),
    [
        (BUILT, "0 play R6", "R6 is not higher than R7"),
        (situation("G10 G2", laid=("Gw G3 G9", "")), "0 play G2", "G2 is not higher than G9"),
        (BUILT, "0 play Rw", "the expedition already holds R7"),
        (FIRST_TURN, "0 play R7", "seat 0 does not hold R7"),
        (TO_DRAW, "0 draw Y", "the yellow discard pile is empty"),
        (TO_DRAW, "0 draw R", "the red pile is closed this turn"),
        (FIRST_TURN, "0 play P5", "purple plays only in a game of 6 expeditions"),
        (FIRST_TURN, "1 play B2", "it is seat 0's turn, not seat 1's"),
        (DEALING, DEALS[1], "seat 0 is dealt next, not seat 1"),
    ],
)
def test_a_refusal_says_why(state: State, event: str, words: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        played(state, event)
    assert words in str(caught.value.detail)


# End -------------------------------------------------------------------------------------------------------------


def test_the_last_card_of_the_deck_ends_the_game_at_once_and_does_not_score() -> None:
    before = situation("Y2", laid=("Y7 Y8 Y9", "R10"), deck="Y10")
    state = played(before, "0 discard Y2", "0 draw deck")
    assert duel.result(state) is None
    state = played(state, "chance draw Y10")
    assert (duel.to_act(state), duel.phase(state)) == ((), "over")
    assert "Y10" in seen(state)["hands"][0]
    assert said(state, 0) == said(state, 1) == []
    assert duel.result(state) == ((0,), (4, -10), "deck-empty")


@pytest.mark.parametrize("active", [0, 1])
def test_a_draw_from_the_discards_leaves_the_last_card_for_later(active: Seat) -> None:
    state = situation("Y2", "B2", discards="W2", deck="Y10", active=active)
    state = played(state, f"{active} play {'YB'[active]}2", f"{active} draw W")
    assert (duel.to_act(state), duel.phase(state)) == ((1 - active,), "play")
    assert seen(state)["deck"] == 1


def test_two_seats_that_only_draw_discards_never_end_it() -> None:
    state = situation("Y2", "B2", discards="W2")
    for turn in range(200):
        seat = turn % 2
        state = played(state, f"{seat} discard {'YBW'[turn % 3]}2", f"{seat} draw {'WYB'[turn % 3]}")
    assert (duel.to_act(state), seen(state)["deck"]) == ((0,), 43)


@pytest.mark.parametrize(
    ("max_turns", "turns", "over"),
    [(1, 0, False), (1, 1, True), (2, 1, False), (2, 2, True), (3, 2, False), (3, 3, True), (None, 3, False)],
)
def test_a_round_ends_after_so_many_turns_of_both_seats(max_turns: int | None, turns: int, over: bool) -> None:
    events = [
        *("0 discard R6", "0 draw deck", "chance draw G10"),
        *("1 play R7", "1 draw R"),
        *("0 discard R8", "0 draw deck", "chance draw G9"),
    ]
    ends = [0, 3, 5, 8]
    state = played(dealt(max_turns=max_turns), *events[: ends[turns]])
    assert (duel.to_act(state) == ()) is over
    assert seen(state)["turns"] == turns
    result = duel.result(state)
    assert (result is not None and result.reason == "max-turns") is over


@pytest.mark.parametrize(("rounds", "phase", "turns"), [(1, "over", duel.MOST_TURNS), (2, "deal", 0)])
def test_a_round_without_a_limit_ends_at_the_most_turns_that_are_counted(rounds: int, phase: str, turns: int) -> None:
    position = {**seen(dealt(rounds=rounds)), "turns": duel.MOST_TURNS - 2}
    state = duel.from_position(2, Options(rounds=rounds), position)
    state = played(state, "0 discard R6", "0 draw deck", "chance draw G10")
    assert duel.to_act(state) == (1,)
    state = played(state, "1 discard G2", "1 draw R")
    assert (seen(state)["phase"], seen(state)["turns"]) == (phase, turns)
    result = duel.result(state)
    assert (result and result.reason) == ("max-turns" if rounds == 1 else None)


def test_the_last_card_in_the_last_turn_counts_as_the_deck_being_empty() -> None:
    turns = seen(situation(deck="Y10"))["turns"]
    result = duel.result(last_draw(situation(deck="Y10", max_turns=turns + 1)))
    assert result is not None
    assert result.reason == "deck-empty"


# Score -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expedition", "points"),
    [
        ("", 0),
        ("R2", -18),
        ("R9 R10", -1),
        ("R2 R8 R10", 0),
        ("R2 R8 R9 R10", 9),  # 29 points of numbers, no wager
        ("Rw Rw R4 R6 R8 R9 R10", 51),  # 37 points, two wagers
        ("Rw", -40),
        ("Rw Rw", -60),
        ("Rw Rw Rw", -80),
        ("Rw R2", -36),
        ("Rw R10", -20),
        ("Rw R2 R9 R10", 2),
        ("R2 R3 R4 R5 R6 R7 R8", 15),
        ("R2 R3 R4 R5 R6 R7 R8 R9", 24 + 20),
        ("R2 R3 R4 R5 R6 R7 R8 R9 R10", 34 + 20),
        ("Rw R2 R3 R4 R5 R6 R7", 7 * 2),
        ("Rw R2 R3 R4 R5 R6 R7 R8", 15 * 2 + 20),
        ("Rw Rw Rw R2 R3 R4 R5", -6 * 4),
        ("Rw Rw Rw R2 R3 R4 R5 R6", 0 * 4 + 20),
        ("Rw Rw Rw R2 R3 R4 R5 R6 R7 R8 R9 R10", 34 * 4 + 20),
    ],
)
def test_an_expedition_scores_its_numbers_less_20_times_its_wagers_and_one(expedition: str, points: int) -> None:
    for seat in (0, 1):
        state = situation(laid=(expedition, "") if seat == 0 else ("", expedition))
        line = next(line for line in duel.score(state)[seat] if line.item == "red")
        assert line.points == points == points_of(expedition.split())
        assert totals(duel, state)[seat] == points
        assert totals(duel, state)[1 - seat] == 0


def test_a_score_sheet_has_a_line_for_each_colour_that_shows_how_it_is_reckoned() -> None:
    state = situation(laid=("Yw Y4 Y10 Pw Pw Pw P2 P3 P4 P5 P6", "B2"), expeditions=6)
    sheet, other = duel.score(state)
    assert [(line.item, line.points) for line in sheet] == [
        ("yellow", -12),
        ("blue", 0),
        ("white", 0),
        ("green", 0),
        ("red", 0),
        ("purple", 20),
    ]
    details = [{name: line.detail[name] for name in ("numbers", "wagers", "cards", "bonus")} for line in sheet]
    assert details[0] == {"numbers": 14, "wagers": 1, "cards": 3, "bonus": 0}
    assert details[1] == {"numbers": 0, "wagers": 0, "cards": 0, "bonus": 0}
    assert details[5] == {"numbers": 20, "wagers": 3, "cards": 8, "bonus": 20}
    assert [line.points for line in other] == [0, -18, 0, 0, 0, 0]
    assert duel.result(state) is None


@pytest.mark.parametrize(
    ("expedition", "steps"),
    [
        ("", (0, 0, 0, 1, 0, 0)),
        ("R2 R3 R4 R5 R7 R8", (29, -20, 9, 1, 9, 0)),
        ("Rw Rw R4 R6 R8 R9 R10", (37, -20, 17, 3, 51, 0)),
        ("Rw", (0, -20, -20, 2, -40, 0)),
        ("Rw R2 R3 R4 R5 R6 R7 R8", (35, -20, 15, 2, 30, 20)),
    ],
)
def test_a_score_line_has_the_steps_of_the_score_sheet(expedition: str, steps: Sequence[int]) -> None:
    """The rulebook's two examples are among them: 29 - 20 = 9, and (37 - 20) x 3 = 51."""
    (line,) = (line for line in duel.score(situation(laid=(expedition, "")))[0] if line.item == "red")
    names = ("numbers", "cost", "difference", "multiplier", "product", "bonus")
    assert tuple(line.detail[name] for name in names) == tuple(steps)
    assert line.detail["numbers"] + line.detail["cost"] == line.detail["difference"]
    assert line.detail["difference"] * line.detail["multiplier"] == line.detail["product"]
    assert line.detail["product"] + line.detail["bonus"] == line.points


@pytest.mark.parametrize(
    ("laid", "points", "winners"),
    [
        (("R8 R9 R10", "R2"), (7, -18), (0,)),
        (("R2", ""), (-18, 0), (1,)),
        (("R2", "Bw"), (-18, -40), (0,)),
        (("R8 R9 R10", "B8 B9 B10"), (7, 7), (0, 1)),
        (("", ""), (0, 0), (0, 1)),
    ],
)
def test_the_highest_total_wins(laid: Sequence[str], points: tuple[int, int], winners: tuple[Seat, ...]) -> None:
    for active in (0, 1):
        assert duel.result(last_draw(situation(laid=laid, deck="W2", active=active))) == (
            winners,
            points,
            "deck-empty",
        )


# Match -----------------------------------------------------------------------------------------------------------

SEVEN, OTHER_SEVEN = "R8 R9 R10", "B8 B9 B10"


@pytest.mark.parametrize("active", [0, 1])
@pytest.mark.parametrize(
    ("before", "starter", "laid", "following"),
    [
        ([], 0, (SEVEN, ""), 0),
        ([], 0, ("", SEVEN), 1),
        ([], 0, ("Rw", ""), 1),
        ([], 0, ("", ""), 1),
        ([], 0, (SEVEN, OTHER_SEVEN), 1),
        ([[0, 5]], 1, (SEVEN, ""), 0),
        ([[0, 5]], 1, ("", SEVEN), 1),
        ([[0, 5]], 1, ("", ""), 0),
        ([[3, 3]], 1, (SEVEN, OTHER_SEVEN), 0),
        ([[100, 0]], 0, ("", SEVEN), 1),  # the round just finished decides, not the sum
        ([[0, 100]], 1, (SEVEN, ""), 0),
    ],
)
def test_more_points_in_the_round_start_the_next_and_a_tie_changes_the_starter(
    before: list[list[int]], starter: Seat, laid: Sequence[str], following: Seat, active: Seat
) -> None:
    state = situation(laid=laid, deck="W2", active=active, starter=starter, before=before, rounds=3)
    points = totals(duel, situation(laid=laid))
    state = last_draw(state)
    assert (duel.to_act(state), duel.phase(state)) == ((CHANCE,), "deal")
    assert seen(state) == {
        "variant": "duel",
        "phase": "deal",
        "active": following,
        "hands": [[], []],
        "known": [[], []],
        "expeditions": [by_colour("", state.options)] * 2,
        "discards": by_colour("", state.options),
        "deck": 60,
        "closed": None,
        "turns": 0,
        "starter": following,
        "rounds": [*before, points],
        "round_expeditions": [*([] for _ in before), [by_colour(cards, state.options) for cards in laid]],
    }
    assert following == starters_after([*before, points])[-1]
    state = played(state, *DEALS)
    assert duel.to_act(state) == (following,)
    assert seen(state)["deck"] == 44


def test_rounds_add_up_and_the_highest_sum_wins_the_match() -> None:
    state = situation(laid=("", SEVEN), deck="W2", starter=1, before=[[30, -10], [-5, 20]], rounds=3)
    sheets = duel.score(state)
    assert [(line.item, line.points) for line in sheets[0]][:3] == [("round-1", 30), ("round-2", -5), ("yellow", 0)]
    assert [(line.item, line.points) for line in sheets[1]][:3] == [("round-1", -10), ("round-2", 20), ("yellow", 0)]
    assert totals(duel, state) == [25, 17]
    assert duel.result(state) is None
    assert duel.result(last_draw(state)) == ((0,), (25, 17), "deck-empty"), "though seat 1 won the last two rounds"


def test_a_finished_round_keeps_the_lines_of_its_expeditions() -> None:
    state = situation(laid=("R8 R9 R10 Yw", "Gw G2"), deck="W2", rounds=2)
    during = duel.score(state)
    after = duel.score(last_draw(state))
    for seat in (0, 1):
        line = after[seat][0]
        assert (line.item, line.points) == ("round-1", total(during[seat]))
        assert line.detail == {"expeditions": [each.plain() for each in during[seat]]}
        assert not any(each.points for each in after[seat][1:])


def test_a_position_with_the_points_of_a_round_alone_is_taken() -> None:
    """As version 1.0.0 shows it."""
    position = seen(SECOND_ROUND)
    del position["round_expeditions"]
    state = duel.from_position(2, SECOND_ROUND.options, position)
    assert duel.score(state)[0][0] == ("round-1", 7, {})
    assert seen(state) == {**position, "round_expeditions": [[]]}


def test_equal_sums_share_the_match() -> None:
    state = situation(laid=("", SEVEN), deck="W2", before=[[7, 0]], rounds=2)
    assert duel.result(last_draw(state)) == ((0, 1), (7, 7), "deck-empty")


@pytest.mark.parametrize("rounds", range(1, 10))
def test_a_match_has_so_many_rounds_each_dealt_to_seat_0_first_and_limited_anew(rounds: int) -> None:
    history: list[Event] = []
    first_movers: list[Actor] = []
    state = duel.setup(2, Options(rounds=rounds, max_turns=7))
    for step in steps(duel, state, random.Random(rounds)):
        if step.move.type in ("play", "discard") and step.before.turns == 0:
            first_movers.append(step.actor)
        history.append(Event(step.actor, step.move.notation))
        state = step.after
    deals = [notation[:6] for _, notation in history if notation.startswith("deal")]
    points = points_from(history)
    assert deals == ["deal 0", "deal 1"] * rounds
    assert len([text for _, text in history if text.startswith(("play", "discard"))]) == 7 * rounds
    assert first_movers == starters_after(points[:-1])
    assert [[*finished.points] for finished in state.rounds] == points[:-1]
    assert totals(duel, state) == [sum(seat) for seat in zip(*points, strict=True)]


# Options ---------------------------------------------------------------------------------------------------------


def test_options_have_defaults_and_survive_as_plain_data() -> None:
    chosen = {"expeditions": 6, "redraw_own_discard": True, "rounds": 3, "max_turns": 90}
    assert duel.parse_options({}).plain() == {option.name: option.default for option in duel.INFO.options}
    assert duel.parse_options({}) == (5, False, 1, None)
    assert duel.parse_options(chosen).plain() == chosen
    assert duel.parse_options(duel.parse_options(chosen).plain()) == duel.parse_options(chosen)


def test_purple_is_a_colour_like_any_other_in_the_long_game() -> None:
    state = situation(
        "Pw P2 B2 B3 B4 B5 B6 B7", "P4 W2 W3 W4 W5 W6 W7 W8", laid=("Pw P8", "P3"), discards="P5", expeditions=6
    )
    assert refusal(duel, state, "0 play Pw") == "wager-after-number"
    assert refusal(duel, state, "0 play P2") == "not-higher"
    state = played(state, "0 discard P2")
    assert refusal(duel, state, "0 draw P") == "pile-closed"
    state = played(state, "0 draw deck", "chance draw P9", "1 play P4", "1 draw P")
    assert "P2" in seen(state)["hands"][1]
    assert "play P9" in said(state, 0)
    assert totals(duel, state) == [-24, -13]


# Notation --------------------------------------------------------------------------------------------------------


def test_the_vocabulary_is_the_same_whatever_the_options() -> None:
    cards = [f"{verb} {card}" for verb in ("play", "discard") for card in ORDER]
    assert [*duel.VOCABULARY] == [*cards, "draw deck", *(f"draw {letter}" for letter in COLOURS[6])]
    for card in ORDER:
        outcome = duel.parse(f"draw {card}")
        assert (outcome.notation, outcome.by_chance, outcome.redacted) == (f"draw {card}", True, "draw ?")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "play R11",
            "play R1",
            "play R0",
            "play R02",
            "play X5",
            "play Rx",
            "play RW",
            "play r7",
            "play R7 ",
            " play R7",
        ),
        *("play", "play ", "play 7", "play R", "play R7 R8", "play\tR7", "play R7\n", "Play R7", "play ?", "playR7"),
        *(
            "discard",
            "discard R11",
            "discard deck",
            "draw",
            "draw X",
            "draw R11",
            "draw Deck",
            "draw deck deck",
            "draw ?",
        ),
        *("pass", "deal", "deal 0", "deal 0 R7", "deal 0 R2 R3 R4 R5 R6 R7 R8", "deal 0 R2 R3 R4 R5 R6 R7 R8 R9 R10"),
        *("deal 2 R2 R3 R4 R5 R6 R7 R8 R9", "deal R2 R3 R4 R5 R6 R7 R8 R9", "deal 00 R2 R3 R4 R5 R6 R7 R8 R9"),
        *("deal 0 R2 R3 R4 R5 R6 R7 R8 R11", "deal 0 R2 R3 R4 R5 R6 R7 R8  R9", "deal 0 ? ? ? ? ? ? ? ?", "deal ٠ R2"),
    ],
)
def test_text_outside_the_vocabulary_is_not_a_move(text: str) -> None:
    with pytest.raises(NotAMove, match="is not a move"):
        duel.parse(text)


@pytest.mark.parametrize(
    ("text", "rule"),
    [("pass", "a turn cannot be passed; say 'play R7'"), ("play R1", "a number from 2 to 10"), ("hello", "move: say")],
)
def test_a_text_that_a_rule_excludes_is_refused_with_the_rule(text: str, rule: str) -> None:
    with pytest.raises(NotAMove, match=rule):
        duel.parse(text)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("deal 0 R7 Yw B2 B3 W4 W5 G6 Rw", "deal 0 Yw B2 B3 W4 W5 G6 Rw R7"),
        ("deal 1 P2 R2 G2 W2 B2 Y2 P10 Pw", "deal 1 Y2 B2 W2 G2 R2 Pw P2 P10"),
        ("deal 1 R10 R9 R2 Rw R8 Rw R7 Rw", "deal 1 Rw Rw Rw R2 R7 R8 R9 R10"),
    ],
)
def test_a_deal_is_taken_in_any_order_and_written_in_the_canonical_one(text: str, canonical: str) -> None:
    verb, seat, *cards = text.split()
    for shuffled in (cards, cards[::-1], sorted(cards)):
        outcome = duel.parse(" ".join((verb, seat, *shuffled)))
        assert outcome.notation == canonical
        assert outcome == duel.parse(canonical)
        assert outcome.redacted == f"deal {seat} ? ? ? ? ? ? ? ?"


@pytest.mark.parametrize(
    ("notation", "kind", "fields"),
    [
        ("play R7", "play", {"card": "R7"}),
        ("discard Pw", "discard", {"card": "Pw"}),
        ("draw deck", "draw", {"from": "deck"}),
        ("draw G", "draw", {"from": "G"}),
    ],
)
def test_the_structured_form_names_the_operand(notation: str, kind: str, fields: Mapping[str, str]) -> None:
    move = duel.parse(notation)
    assert (move.type, move.fields, move.by_chance, move.redacted) == (kind, fields, False, None)


# Mistakes that others have made ----------------------------------------------------------------------------------


def test_a_second_and_a_third_wager_follow_the_first() -> None:
    state = situation("Rw Rw Rw R2", "Y2 Y3 Y4 Y5")
    for wagers in (1, 2, 3):
        state = played(state, "0 play Rw", "0 draw deck", f"chance draw G{wagers + 1}")
        assert seen(state)["expeditions"][0]["R"] == ["Rw"] * wagers
        state = played(state, f"1 play Y{wagers + 1}", "1 draw deck", f"chance draw B{wagers + 1}")
    assert seen(played(state, "0 play R2"))["expeditions"][0]["R"] == ["Rw", "Rw", "Rw", "R2"]


def test_the_eighth_card_earns_the_bonus_once_and_unmultiplied() -> None:
    state = situation("R9 R10", "W10", laid=("Rw Rw R2 R3 R4 R5 R6", ""))
    assert totals(duel, state) == [0, 0]
    state = played(state, "0 play R9")
    assert totals(duel, state) == [9 * 3 + 20, 0]
    state = played(
        state, "0 draw deck", "chance draw Y2", "1 discard W10", "1 draw deck", "chance draw Y3", "0 play R10"
    )
    assert totals(duel, state) == [19 * 3 + 20, 0]


def test_a_discard_pile_gives_back_the_last_card_first() -> None:
    state = situation("R4 Y2", "R6 B2", discards="R5 R3")
    state = played(
        state, "0 discard R4", "0 draw deck", "chance draw W2", "1 discard R6", "1 draw deck", "chance draw W3"
    )
    assert seen(state)["discards"]["R"] == ["R5", "R3", "R4", "R6"]
    state = played(state, "0 play Y2", "0 draw R", "1 play B2", "1 draw R")
    hands = seen(state)["hands"]
    assert [[card for card in hand if card in ("R3", "R4", "R5", "R6")] for hand in hands] == [["R6"], ["R4"]]
    assert seen(state)["discards"]["R"] == ["R5", "R3"]


def test_a_seat_does_not_redraw_its_own_discard() -> None:
    state = played(situation("R6", discards="Y2"), "0 discard R6")
    assert "draw R" not in said(state, 0)
    assert refusal(duel, state, "0 draw R") == "pile-closed"


def test_nobody_plays_once_the_deck_is_empty() -> None:
    state = last_draw(situation("Y10", "B10", deck="W2"))
    events = [f"{seat} {word}" for seat in (0, 1) for word in duel.VOCABULARY]
    assert {refusal(duel, state, event) for event in events} == {"game-over"}


def test_no_card_is_put_down_that_is_not_in_hand() -> None:
    """Neither one of the other hand, nor of the deck, nor one that already lies on the table."""
    state = situation("Y2", "Y3", laid=("Y4", "Y5"), discards="Y6", deck="Y7")
    words = [f"0 {verb} Y{number}" for verb in ("play", "discard") for number in range(3, 8)]
    assert {refusal(duel, state, word) for word in words} == {"card-not-in-hand"}


def test_a_wager_played_twice_must_be_held_twice() -> None:
    state = situation("Rw", "Y2", laid=("", "Rw"), discards="Rw")
    state = played(state, "0 play Rw", "0 draw deck", "chance draw W2", "1 play Y2", "1 draw deck", "chance draw W3")
    assert refusal(duel, state, "0 play Rw") == "card-not-in-hand"


def test_the_other_seat_cannot_move_not_even_its_own_cards() -> None:
    for state in (FIRST_TURN, TO_DRAW):
        assert {refusal(duel, state, f"1 {word}") for word in duel.VOCABULARY} == {"not-your-turn"}


def test_a_tie_is_not_given_to_seat_0() -> None:
    result = duel.result(last_draw(situation(laid=(SEVEN, OTHER_SEVEN), deck="W2")))
    assert result is not None
    assert result.winners == (0, 1)


def test_an_expedition_that_is_not_started_costs_nothing() -> None:
    assert totals(duel, dealt()) == totals(duel, dealt(expeditions=6)) == [0, 0]
    assert totals(duel, played(dealt(), "0 discard Rw")) == [0, 0]


def test_a_refused_move_leaves_everything_as_it_was() -> None:
    """A card neither leaves the hand nor reaches the table before its play is known to be legal."""
    before = seen(BUILT)
    for word in ("play R6", "play Rw", "play B2", "draw Y", "draw deck"):
        refusal(duel, BUILT, f"0 {word}")
    assert seen(BUILT) == before
    assert said(played(BUILT, "0 play R8"), 0) == ["draw deck", "draw Y"]


# Views and secrets -----------------------------------------------------------------------------------------------


def test_a_view_shows_the_table_and_the_own_hand() -> None:
    state = played(dealt(max_turns=9, rounds=2), "0 play Rw", "0 draw deck", "chance draw W10", "1 discard G2")
    hidden = ["?"] * 8
    own = [["Yw", "Y2", "Y5", "B3", "B8", "W10", "R6", "R8"], ["Yw", "B2", "B10", "W4", "W9", "G7", "R7"]]
    table = {
        "variant": "duel",
        "phase": "draw",
        "active": 1,
        "known": [[], []],
        "expeditions": [
            {"Y": [], "B": [], "W": [], "G": [], "R": ["Rw"]},
            {"Y": [], "B": [], "W": [], "G": [], "R": []},
        ],
        "discards": {"Y": [], "B": [], "W": [], "G": ["G2"], "R": []},
        "deck": 43,
        "closed": "G",
        "turns": 1,
        "starter": 0,
        "rounds": [],
        "round_expeditions": [],
    }
    assert seen(state, 0) == {**table, "hands": [own[0], hidden[:7]]}
    assert seen(state, 1) == {**table, "hands": [hidden, own[1]]}
    assert seen(state, None) == {**table, "hands": [hidden, hidden[:7]]}
    assert seen(state, FULL) == {**table, "hands": own}


def test_hands_stay_hidden_after_the_end_and_between_rounds() -> None:
    """A finished game is public, but that is for its host to say: a view that leads to the end does not know more."""
    assert seen(FINISHED, 0)["hands"] == [seen(FINISHED)["hands"][0], ["?"] * 8]
    assert seen(FINISHED, None)["hands"] == [["?"] * 8] * 2
    between = last_draw(situation(deck="W2", rounds=2))
    assert seen(played(between, DEALS[0]), 1)["hands"] == [["?"] * 8, []]


@pytest.mark.parametrize(
    ("state", "outcome", "viewer"),
    [
        (DEALING, HANDS[0], 0),
        (SECOND_DEAL, HANDS[1], 1),
        (AWAITED, "draw W10", 0),
        (played(SECOND_TURN, "1 discard B2", "1 draw deck"), "draw Y9", 1),
    ],
)
def test_who_gets_a_card_alone_sees_it(state: State, outcome: str, viewer: Seat) -> None:
    notation = outcome if outcome.startswith("draw") else f"deal {viewer} {outcome}"
    assert duel.visible_to(state, duel.parse(notation)) == viewer


def answers(state: State, viewer: Seat | None) -> str:
    """Everything that the rules ever tell that viewer, as text."""
    told: list[Any] = [seen(state, viewer), duel.score(state), duel.result(state), duel.to_act(state)]
    if viewer is not None:
        told.append(said(state, viewer))
        for move in duel.VOCABULARY.values():
            try:
                after = duel.apply(state, viewer, move)
                # A move that ends the game reveals everything.
                told.append(seen(after, viewer) if duel.to_act(after) else "over")
            except IllegalMove as refused:
                told.append((refused.rule, refused.detail))
    return json.dumps(told, default=str)


def with_secrets_shuffled(state: State, viewer: Seat | None, rng: random.Random) -> State:
    """A state that differs only in what the viewer can't see."""
    position = seen(state)
    hidden = hidden_deck(state.options, position)
    others = [seat for seat in (0, 1) if seat != viewer]
    for seat in others:
        unknown = Counter(position["hands"][seat]) - Counter(position["known"][seat])
        hidden += unknown.elements()
    rng.shuffle(hidden)
    for seat in others:
        known = position["known"][seat]
        position["hands"][seat] = [*known, *(hidden.pop() for _ in position["hands"][seat][len(known) :])]
    return duel.from_position(2, state.options, position)


@pytest.mark.parametrize("viewer", [None, 0, 1])
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), redraw=st.booleans())
def test_what_a_viewer_is_told_does_not_depend_on_what_it_cannot_see(
    viewer: Seat | None, seed: int, redraw: bool
) -> None:
    rng = random.Random(seed)
    differing = 0
    for step in steps(duel, duel.setup(2, Options(redraw_own_discard=redraw, rounds=2, max_turns=30)), rng):
        if rng.random() < 0.8 or not duel.to_act(step.after):
            continue
        twin = with_secrets_shuffled(step.after, viewer, rng)
        differing += twin != step.after
        assert answers(twin, viewer) == answers(step.after, viewer)
    assert differing


# Known cards: drawn from a discard pile --------------------------------------------------------------------------

OPEN = situation("Yw R6 G2 W3", "Yw R7 B2", discards="R2 G5 Yw")
"""Three piles are open. Each seat holds a wager that the other has not seen; the third is on its pile."""
TAKEN = ["0 discard G2", "0 draw R", "1 play B2", "1 draw Y"]
"""Seat 0 takes R2, seat 1 takes Yw."""


@pytest.mark.parametrize(
    ("events", "known"),
    [
        ([], ["", ""]),
        (["0 discard R6"], ["", ""]),
        (["0 discard R6", "0 draw Y"], ["Yw", ""]),
        (["0 discard R6", "0 draw deck", "chance draw B9"], ["", ""]),
        (["0 play R6", "0 draw R"], ["R2", ""]),
        (["0 discard G2", "0 draw R", "1 discard Yw", "1 draw G"], ["R2", "G2"]),
        (TAKEN, ["R2", "Yw"]),
        ([*TAKEN, "0 play R2"], ["", "Yw"]),
        ([*TAKEN, "0 discard R2"], ["", "Yw"]),
        ([*TAKEN, "0 discard R2", "0 draw deck", "chance draw G9", "1 play R7", "1 draw R"], ["", "Yw R2"]),
        ([*TAKEN, "0 play Yw"], ["R2", "Yw"]),
        # Seat 1 holds two equal wagers, of which one was seen. The one that it plays may be that one.
        ([*TAKEN, "0 play R6", "0 draw deck", "chance draw G9", "1 play Yw"], ["R2", ""]),
        ([*TAKEN, "0 play R6", "0 draw deck", "chance draw G9", "1 discard Yw"], ["R2", ""]),
        # A wager that was never seen is discarded and taken back: now one is known.
        (["0 discard Yw", "0 draw R", "1 discard Yw", "1 draw G", "0 play R2", "0 draw Y"], ["Yw", "G5"]),
    ],
)
def test_a_card_from_a_discard_pile_is_known_until_it_is_put_down(events: Sequence[str], known: Sequence[str]) -> None:
    state = played(OPEN, *events)
    expected = [cards.split() for cards in known]
    for viewer in (None, 0, 1, FULL):
        assert seen(state, viewer)["known"] == expected
    for seat in (0, 1):
        hand = seen(state)["hands"][seat]
        hidden = [*expected[seat], *["?"] * (len(hand) - len(expected[seat]))]
        assert seen(state, None)["hands"][seat] == seen(state, 1 - seat)["hands"][seat] == hidden
        assert seen(state, seat)["hands"][seat] == hand


def test_two_known_wagers_are_known_as_two() -> None:
    state = played(situation("G2 G3", "B2", discards="Yw Yw"), "0 discard G2", "0 draw Y", "1 discard B2", "1 draw G")
    state = played(state, "0 discard G3", "0 draw Y")
    assert seen(state, 1)["hands"][0][:3] == ["Yw", "Yw", "?"]
    state = played(state, "1 discard G2", "1 draw deck", "chance draw B9")
    assert seen(played(state, "0 play Yw"), 1)["hands"][0][:2] == ["Yw", "?"]


def test_a_new_round_forgets_what_was_known() -> None:
    state = played(situation("G2 G3", discards="R2", deck="W2", rounds=2), "0 discard G2", "0 draw R")
    state = last_draw(state)
    assert seen(state)["known"] == [[], []]
    assert seen(played(state, *DEALS), None)["hands"] == [["?"] * 8] * 2


def remembered(history: Sequence[Event], viewer: Seat | None) -> list[list[str]]:
    """The hands as a perfect memory shows them, from nothing but the redacted events.

    The certain number of equal cards in another hand is the largest surplus of open draws over cards put down, counted
    from any moment to now.
    """
    sizes, own = [0, 0], list[str]()
    piles: dict[str, list[str]] = {}
    flow: list[list[tuple[str, int]]] = [[], []]
    drawer = 0
    for actor, notation in this_round(history):
        verb, *tokens = notation.split()
        if verb == "deal":
            seat = int(tokens[0])
            sizes[seat] = 8
            own = tokens[1:] if seat == viewer else own
        elif actor == CHANCE:
            sizes[drawer] += 1
            own += tokens if drawer == viewer else []
        elif verb in ("play", "discard"):
            sizes[actor] -= 1
            flow[actor].append((tokens[0], -1))
            if actor == viewer:
                own.remove(tokens[0])
            if verb == "discard":
                piles.setdefault(tokens[0][0], []).append(tokens[0])
        elif tokens == ["deck"]:
            drawer = actor
        else:
            card = piles[tokens[0]].pop()
            sizes[actor] += 1
            flow[actor].append((card, 1))
            own += [card] if actor == viewer else []
    hands = []
    for seat in (0, 1):
        certain = [card for card in ORDER for _ in range(largest_surplus(flow[seat], card))]
        hands.append(in_order(own) if seat == viewer else certain + ["?"] * (sizes[seat] - len(certain)))
    return hands


def largest_surplus(flow: Sequence[tuple[str, int]], card: str) -> int:
    changes = [change for name, change in flow if name == card]
    return max(sum(changes[start:]) for start in range(len(changes) + 1))


@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**32), redraw=st.booleans(), expeditions=st.sampled_from([5, 6]))
def test_a_view_shows_what_the_redacted_history_says(seed: int, redraw: bool, expeditions: int) -> None:
    rng = random.Random(seed)
    options = Options(expeditions, redraw_own_discard=redraw, rounds=2, max_turns=40)
    histories: dict[Seat | None, list[Event]] = {viewer: [] for viewer in (None, 0, 1)}
    named = 0
    for step in steps(duel, duel.setup(2, options), rng):
        only = duel.visible_to(step.before, step.move) if step.actor == CHANCE else None
        for viewer, history in histories.items():
            told = step.move.notation if only in (None, viewer) else step.move.redacted
            history.append(Event(step.actor, str(told)))
            if duel.to_act(step.after) and any(map(any, step.after.hands)):
                shown = seen(step.after, viewer)["hands"]
                assert shown == remembered(history, viewer)
                named += viewer is None and any(card != "?" for hand in shown for card in hand)
    assert named


# Hidden cards are filled in --------------------------------------------------------------------------------------


class Script:
    """Picks that are given, and how many there were to pick from."""

    def __init__(self, picks: Sequence[int]) -> None:
        self.picks = [*picks]
        self.sizes: list[int] = []

    def __call__(self, size: int) -> int:
        self.sizes.append(size)
        return self.picks[len(self.sizes) - 1]


def fillings(state: State, view: Position, sizes: Sequence[int], *outcomes: str) -> Counter[str]:
    """How often each hand of seat 1 comes out, over all picks."""
    found: Counter[str] = Counter()
    for picks in product(*map(range, sizes)):
        script = Script(picks)
        filled = duel.fill_hidden(state.options, view, script, [duel.parse(outcome) for outcome in outcomes])
        assert script.sizes == [*sizes]
        world = duel.from_position(2, state.options, filled)
        found[" ".join(seen(world)["hands"][1])] += 1
    return found


def two_hidden(state: State) -> Position:
    """The position without the first two cards of seat 1's hand."""
    view = seen(state)
    view["hands"][1] = [*view["hands"][1][2:], "?", "?"]
    return view


@pytest.mark.parametrize(
    ("deck", "outcomes", "sizes", "hands"),
    [
        ("G4 G5", [], [4, 3], {"Y2 Y3": 2, "Y2 G4": 2, "Y2 G5": 2, "Y3 G4": 2, "Y3 G5": 2, "G4 G5": 2}),
        ("Yw Yw", [], [4, 3], {"Y2 Y3": 2, "Yw Y2": 4, "Yw Y3": 4, "Yw Yw": 2}),
        ("G4 G5", ["draw Y2"], [3, 2], {"Y3 G4": 2, "Y3 G5": 2, "G4 G5": 2}),
        ("G4 G5", ["draw Y2", "draw G4"], [2, 1], {"Y3 G5": 2}),
        ("Yw Yw", ["draw Yw"], [3, 2], {"Yw Y2": 2, "Yw Y3": 2, "Y2 Y3": 2}),
        ("G4 G5", ["draw R10"], [4, 3], {"Y2 Y3": 2, "Y2 G4": 2, "Y2 G5": 2, "Y3 G4": 2, "Y3 G5": 2, "G4 G5": 2}),
        ("G4 G5", ["draw Y2", "deal 0 Y3 G4 G5 R2 R3 R4 R5 R6"], [3, 2], {"Y3 G4": 2, "Y3 G5": 2, "G4 G5": 2}),
        ("G4 G5", ["draw Y2", "draw Y3", "draw G4", "draw G5"], [2, 1], {"G4 G5": 2}),
    ],
)
def test_every_world_that_fits_the_view_and_the_outcomes_is_equally_likely(
    deck: str, outcomes: Sequence[str], sizes: Sequence[int], hands: Mapping[str, int]
) -> None:
    """Equal wagers are different cards here: a hand with one of two is twice as likely."""
    state = situation("", "Y2 Y3", deck=deck)
    kept = " ".join(seen(state)["hands"][1][2:])
    found = fillings(state, two_hidden(state), sizes, *outcomes)
    assert found == {" ".join(in_order(f"{hand} {kept}".split())): count for hand, count in hands.items()}


def test_a_deal_that_is_given_is_not_dealt_to_the_other_seat_before() -> None:
    state = played(duel.setup(2, Options()), DEALS[0])
    outcome = duel.parse("deal 1 W2 W3 W4 W5 W6 W7 W8 W9")
    for seed in range(20):
        pick = random.Random(seed).randrange
        world = duel.from_position(2, Options(), duel.fill_hidden(Options(), seen(state, 1), pick, [outcome]))
        assert seen(duel.apply(world, CHANCE, outcome), 1)["hands"][1] == outcome.notation.split()[2:]


def test_more_hidden_cards_than_are_left_are_refused() -> None:
    view = seen(situation(deck="G4"), 0)
    view["discards"]["G"] += ["G4"]
    view["discards"]["R"] += [name for name in seen(situation(deck="G4"))["hands"][1] if name[0] == "R"]
    with pytest.raises(InvalidPosition) as caught:
        duel.fill_hidden(Options(), view, random.randrange)
    assert (caught.value.invariant, caught.value.path) == ("card-count", ("hands", 1, 0))


# Positions -------------------------------------------------------------------------------------------------------

LIMITED = dealt(max_turns=5)
MATCH = situation(deck="W2", before=[[3, 1]], rounds=2)
SECOND_ROUND = last_draw(situation(laid=("R8 R9 R10", ""), deck="W2", rounds=2))
"""Seat 0 has 7 points from the first round."""

BROKEN: list[tuple[State, Mapping[str, Any], str, tuple[str | int, ...]]] = [
    (FIRST_TURN, {"discards.P": []}, "colours", ("discards",)),
    (FIRST_TURN, {"discards": {"Y": []}}, "colours", ("discards",)),
    (FIRST_TURN, {"expeditions.1.P": []}, "colours", ("expeditions", 1)),
    (LONG, {"expeditions.0": by_colour("", Options())}, "colours", ("expeditions", 0)),
    (FIRST_TURN, {"hands.1.7": "P7"}, "colours", ("hands", 1, 7)),
    (FIRST_TURN, {"hands.1": ["?"] * 8}, "hidden-card", ("hands", 1, 0)),
    (FIRST_TURN, {"hands.0.7": "?"}, "hidden-card", ("hands", 0, 7)),
    (FIRST_TURN, {"hands.0": HANDS[0].split()[:7]}, "hand-size", ("hands", 0)),
    (FIRST_TURN, {"hands.1": []}, "hand-size", ("hands", 1)),
    (TO_DRAW, {"hands.0": HANDS[0].replace("R6", "G9").split()}, "hand-size", ("hands", 0)),
    (TO_DRAW, {"active": 1}, "hand-size", ("hands", 0)),
    (AWAITED, {"hands.1": HANDS[1].split()[:7]}, "hand-size", ("hands", 1)),
    (DEALING, {"hands.1": HANDS[1].split()}, "hand-size", ("hands", 1)),
    (SECOND_DEAL, {"hands.0": HANDS[0].split()[:3]}, "hand-size", ("hands", 0)),
    (SECOND_DEAL, {"phase": "play"}, "hand-size", ("hands", 1)),
    (BUILT, {"expeditions.0.R": ["Y4"]}, "colour", ("expeditions", 0, "R", 0)),
    (BUILT, {"discards.Y": ["Y2", "B3"]}, "colour", ("discards", "Y", 1)),
    (BUILT, {"expeditions.0.B": ["B4", "B3"]}, "ascending", ("expeditions", 0, "B", 1)),
    (BUILT, {"expeditions.1.G": ["G2", "G3", "Gw"]}, "ascending", ("expeditions", 1, "G", 2)),
    (BUILT, {"expeditions.0.R": ["R7", "R7"]}, "too-many-copies", ("expeditions", 0, "R", 1)),
    (BUILT, {"expeditions.1.R": ["R7"]}, "too-many-copies", ("expeditions", 1, "R", 0)),
    (BUILT, {"expeditions.1.Y": ["Y2"]}, "too-many-copies", ("discards", "Y", 0)),
    (BUILT, {"discards.R": ["R7"]}, "too-many-copies", ("discards", "R", 0)),
    (FIRST_TURN, {"hands.0.7": "R6"}, "too-many-copies", ("hands", 0, 7)),
    (FIRST_TURN, {"hands.1.7": "R8"}, "too-many-copies", ("hands", 1, 7)),
    (BUILT, {"expeditions.0.G": ["Gw", "Gw", "Gw", "Gw"]}, "too-many-copies", ("expeditions", 0, "G", 3)),
    (FIRST_TURN, {"discards.R": ["Rw", "Rw", "Rw"]}, "too-many-copies", ("hands", 0, 5)),
    (FIRST_TURN, {"known": [["R7"], []]}, "known", ("known", 0, 0)),
    (FIRST_TURN, {"known": [["R8", "R6"], ["R7", "R7"]]}, "known", ("known", 1, 1)),
    (FIRST_TURN, {"known": [["Rw", "Rw"], []]}, "known", ("known", 0, 1)),
    (FIRST_TURN, {"deck": 45}, "card-count", ("deck",)),
    (FIRST_TURN, {"discards.R": ["R2"]}, "card-count", ("deck",)),
    (LONG, {"deck": 44}, "card-count", ("deck",)),
    (SECOND_DEAL, {"discards.R": ["R2"], "deck": 51}, "deal-first", ("phase",)),
    (DEALING, {"expeditions.0.R": ["R2"], "deck": 59}, "deal-first", ("phase",)),
    (DEALING, {"turns": 1}, "deal-first", ("phase",)),
    (DEALING, {"active": 1}, "turn-order", ("active",)),
    (FIRST_TURN, {"active": 1}, "turn-order", ("active",)),
    (FIRST_TURN, {"starter": 1}, "starter", ("starter",)),
    (SECOND_TURN, {"turns": 0, "active": 0}, "turns", ("turns",)),
    (FIRST_TURN, {"closed": "R"}, "closed", ("closed",)),
    (TO_DRAW, {"closed": None}, "closed", ("closed",)),
    (AWAITED, {"closed": "R"}, "closed", ("closed",)),
    (TO_DRAW, {"closed": "Y"}, "closed", ("closed",)),
    (TO_DRAW, {"closed": "P"}, "closed", ("closed",)),
    (played(dealt(redraw_own_discard=True), "0 discard R6"), {"closed": "R"}, "closed", ("closed",)),
    (FIRST_TURN, {"rounds": [[1, 2]]}, "rounds", ("rounds",)),
    (MATCH, {"rounds": [[1, 2], [3, 4]]}, "rounds", ("rounds",)),
    (last_draw(MATCH), {"rounds": [], "round_expeditions": []}, "rounds", ("rounds",)),
    (FIRST_TURN, {"round_expeditions": [[]]}, "round-expeditions", ("round_expeditions",)),
    (SECOND_ROUND, {"round_expeditions": []}, "round-expeditions", ("round_expeditions",)),
    (SECOND_ROUND, {"round_expeditions.0": [by_colour("", Options())]}, "round-expeditions", ("round_expeditions", 0)),
    (SECOND_ROUND, {"round_expeditions.0.1.G": ["G2"]}, "round-expeditions", ("round_expeditions", 0)),
    (SECOND_ROUND, {"rounds": [[8, 0]]}, "round-expeditions", ("round_expeditions", 0)),
    (SECOND_ROUND, {"round_expeditions.0.1.R": ["R8"]}, "too-many-copies", ("round_expeditions", 0, 1, "R", 0)),
    (SECOND_ROUND, {"round_expeditions.0.0.R": ["R9", "R8"]}, "ascending", ("round_expeditions", 0, 0, "R", 1)),
    (SECOND_ROUND, {"round_expeditions.0.0.R": ["G8"]}, "colour", ("round_expeditions", 0, 0, "R", 0)),
    (SECOND_ROUND, {"round_expeditions.0.0.P": []}, "colours", ("round_expeditions", 0, 0)),
    (FIRST_TURN, {"phase": "over"}, "round-end", ("phase",)),
    (FINISHED, {"phase": "play"}, "round-end", ("phase",)),
    (LIMITED, {"turns": 5, "active": 1}, "round-end", ("phase",)),
    (LIMITED, {"turns": 6}, "round-end", ("phase",)),
    (LIMITED, {"phase": "over"}, "round-end", ("phase",)),
    (FIRST_TURN, {"turns": duel.MOST_TURNS}, "round-end", ("phase",)),
]


@pytest.mark.parametrize(("state", "changes", "code", "path"), BROKEN)
def test_a_position_that_cannot_be_names_its_fault(
    state: State, changes: Mapping[str, Any], code: str, path: tuple[str | int, ...]
) -> None:
    position = seen(state)
    assert duel.from_position(2, state.options, position) == state
    for place, value in changes.items():
        *parents, last = (int(key) if key.isdigit() else key for key in place.split("."))
        inner: Any = position
        for key in parents:
            inner = inner[key]
        inner[last] = value
    with pytest.raises(InvalidPosition) as caught:
        duel.from_position(2, state.options, position)
    assert (caught.value.invariant, caught.value.path) == (code, path)
    assert str(caught.value.detail)


def test_every_invariant_is_broken_at_least_once() -> None:
    named = {*re.findall(r'InvalidPosition\(\s*"([a-z-]+)"', source(positions))}
    assert {code for _, _, code, _ in BROKEN} == named


def test_a_hand_is_placed_in_any_order() -> None:
    state = played(OPEN, *TAKEN)
    position = seen(state)
    for name in ("hands", "known"):
        position[name] = [hand[::-1] for hand in position[name]]
    assert duel.from_position(2, state.options, position) == state


def test_without_known_cards_none_are_known() -> None:
    position = seen(played(OPEN, *TAKEN))
    del position["known"]
    assert seen(duel.from_position(2, Options(), position), 0)["hands"][1] == ["?"] * 8


@pytest.mark.parametrize("known", [[["R2"], ["R7"]], [["Yw", "Yw"], ["Yw"]], [["R2"], ["Yw", "Yw"]]])
def test_the_known_cards_of_a_view_are_those_that_it_names(known: Sequence[Sequence[str]]) -> None:
    state = played(OPEN, *TAKEN)
    view = seen(state, None)
    without = {name: value for name, value in view.items() if name != "known"}
    pick = random.Random(1).randrange
    assert seen(duel.from_position(2, Options(), duel.fill_hidden(Options(), without, pick)), None) == view
    with pytest.raises(InvalidPosition) as caught:
        duel.fill_hidden(Options(), {**view, "known": known}, pick)
    assert caught.value.invariant == "known"


# Node counts -----------------------------------------------------------------------------------------------------


def naive_lines(options: Options, position: Position, depth: int) -> Iterator[Position]:
    """The positions after every line of so many events, or up to the end of the game."""
    events = naive_events(options, position) if depth else []
    if not events:
        yield position
    for _, notation in events:
        yield from naive_lines(options, naive_after(options, position, notation), depth - 1)


def lines(state: State, depth: int) -> Iterator[State]:
    """The states after every such line; the deck answers with each of its different cards."""
    actors = duel.to_act(state) if depth else ()
    if not actors:
        yield state
    for actor in actors:
        moves = (
            duel.legal_moves(state, actor) if actor != CHANCE else [duel.DRAWN[card] for card in sorted({*state.deck})]
        )
        for move in moves:
            yield from lines(duel.apply(state, actor, move), depth - 1)


FEW = ("Yw Yw Yw Bw Bw Bw W2 W3", "Gw Gw Gw Rw Rw Rw W4 W5")
"""Hands of four different cards."""
BLOCKED = ("Y9 B9 W9", "G9 R9 W8")

# Counted by `naive_lines`; each row's first four numbers are counted by it again in every run.
NODES: list[tuple[str, State, list[int]]] = [
    ("two cards left", situation(*FEW, deck="Y2 B2"), [8, 44, 304, 1712, 12764, 73416]),
    ("two cards left, redraw", situation(*FEW, deck="Y2 B2", redraw_own_discard=True), [8, 48, 336, 2048, 15448]),
    ("one card left", situation(*FEW, deck="Y2"), [8, 44, 296, 1592, 11780]),
    ("three equal cards left", situation(FEW[0], deck="Gw Gw Gw"), [8, 44, 584, 3296, 24248]),
    ("nothing can be played", situation(*FEW, laid=BLOCKED, deck="Y2 B2"), [4, 20, 72, 352, 1696, 8608]),
    ("two turns left", situation(*FEW, laid=BLOCKED, deck="Y2 B2", max_turns=44), [4, 20, 72, 352, 544, 544]),
    ("the long game", situation(*FEW, laid=("Pw", "P10"), deck="Y2 P2", expeditions=6), [8, 52, 368, 2416, 18696]),
    ("no discards", situation(*FEW), [8, 8, 336, 2688, 3864, 121024]),
]


@pytest.mark.parametrize(("state", "counts"), [row[1:] for row in NODES], ids=[row[0] for row in NODES])
def test_there_are_so_many_lines_of_each_length(state: State, counts: list[int]) -> None:
    assert [sum(1 for _ in lines(state, depth)) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(("state", "counts"), [row[1:] for row in NODES], ids=[row[0] for row in NODES])
def test_the_lines_lead_where_the_naive_game_leads(state: State, counts: list[int]) -> None:
    for depth, count in enumerate(counts[:4], 1):
        expected = [*naive_lines(state.options, seen(state), depth)]
        assert [seen(after) for after in lines(state, depth)] == expected
        assert len(expected) == count


# Random games ----------------------------------------------------------------------------------------------------


some_options = st.builds(
    Options, st.sampled_from([5, 6]), st.booleans(), st.integers(1, 9), st.none() | st.integers(1, 40)
)


class RandomGames(RuleBasedStateMachine):
    """GameService of random options, each kept in step with its naive double and judged at every step."""

    @initialize(options=some_options)
    def create(self, options: Options) -> None:
        self.options = options
        self.state = duel.setup(2, options)
        self.naive = seen(self.state)
        self.history: list[Event] = []

    @precondition(lambda self: not duel.to_act(self.state))
    @rule(options=some_options)
    def create_another(self, options: Options) -> None:
        self.look_back()
        self.create(options)

    def happen(self, actor: Actor, notation: str) -> None:
        self.state = duel.apply(self.state, actor, duel.parse(notation))
        self.history.append(Event(actor, notation))

    @precondition(lambda self: duel.to_act(self.state) != ())
    @rule(seed=st.integers(0, 2**32))
    def go_on(self, seed: int) -> None:
        rng = random.Random(seed)
        (actor,) = duel.to_act(self.state)
        listed = (
            said(self.state, actor) if actor != CHANCE else [duel.sample_chance(self.state, rng.randrange).notation]
        )
        if self.state.phase != "deal":
            possible = [event.notation for event in naive_events(self.options, self.naive)]
            assert listed == possible if actor != CHANCE else listed[0] in possible
        notation = rng.choice(listed)
        self.naive = naive_after(self.options, self.naive, notation)
        self.happen(actor, notation)

    @invariant()
    def is_what_the_naive_game_says(self) -> None:
        assert seen(self.state) == self.naive

    @invariant()
    def takes_the_listed_moves_and_no_others(self) -> None:
        for seat in (0, 1):
            taken = [notation for notation, move in duel.VOCABULARY.items() if is_taken(self.state, seat, move)]
            assert sorted(taken) == sorted(said(self.state, seat))

    @invariant()
    def conserves_the_cards(self) -> None:
        position = seen(self.state)
        piles = [*position["hands"], *position["discards"].values()]
        piles += [pile for laid in position["expeditions"] for pile in laid.values()]
        deck = [duel.CARDS[card] for card in self.state.deck]
        assert Counter(card for pile in (*piles, deck) for card in pile) == Counter(all_cards(self.options.expeditions))
        assert position["deck"] == len(deck)

    @invariant()
    def counts_the_deck_down(self) -> None:
        here = this_round(self.history)
        taken = sum(8 if text.startswith("deal") else 1 for actor, text in here if actor == CHANCE)
        if here and self.state.phase != "deal":
            assert len(self.state.deck) == len(all_cards(self.options.expeditions)) - taken

    @invariant()
    def lays_expeditions_in_order(self) -> None:
        for laid in seen(self.state)["expeditions"]:
            for letter, pile in laid.items():
                assert {card[0] for card in pile} <= {letter}
                for below, above in pairwise(pile):
                    assert below.endswith("w") or (not above.endswith("w") and int(below[1:]) < int(above[1:]))

    @invariant()
    def scores_what_was_played(self) -> None:
        points = points_from(self.history) or [[0, 0]]
        assert totals(duel, self.state) == [sum(seat) for seat in zip(*points, strict=True)]

    def teardown(self) -> None:
        """Play on to the end."""
        if hasattr(self, "state"):
            for step in steps(duel, self.state, random.Random(len(self.history))):
                self.happen(step.actor, step.move.notation)
            self.look_back()

    def look_back(self) -> None:
        """What the history of a finished game says of it."""
        points = points_from(self.history)
        sums = [sum(seat) for seat in zip(*points, strict=True)]
        winners = tuple(seat for seat in (0, 1) if sums[seat] == max(sums))
        result = duel.result(self.state)
        assert result is not None
        assert (result.winners, result.totals) == (winners, tuple(sums))
        assert totals(duel, self.state) == sums
        assert len(points) == self.options.rounds
        movers = movers_by_round(self.history)
        assert [seats[0] for seats in movers] == starters_after(points[:-1])
        for seats in movers:
            assert all(seat == 1 - before for before, seat in pairwise(seats))
            assert self.options.max_turns is None or len(seats) <= self.options.max_turns


def is_taken(state: State, seat: Seat, move: Move) -> bool:
    try:
        duel.apply(state, seat, move)
    except IllegalMove:
        return False
    return True


def this_round(history: Sequence[Event]) -> Sequence[Event]:
    """What has happened since the first deal of the round."""
    starts = [index for index, event in enumerate(history) if event.notation.startswith("deal 0")]
    return history[starts[-1] :] if starts else []


def movers_by_round(history: Sequence[Event]) -> list[list[Seat]]:
    """Whose turn it was, turn by turn, round by round."""
    rounds: list[list[Seat]] = []
    for actor, notation in history:
        if notation.startswith("deal 0"):
            rounds.append([])
        if notation.startswith(("play", "discard")):
            assert actor != CHANCE
            rounds[-1].append(actor)
    return rounds


TestRandomGames = RandomGames.TestCase
TestRandomGames.settings = settings(max_examples=30, stateful_step_count=150, deadline=None)


# About -----------------------------------------------------------------------------------------------------------


def test_every_phase_verb_and_ending_is_described() -> None:
    phases: set[str] = set()
    verbs: set[tuple[str, str]] = set()
    endings: set[str] = set()
    for max_turns in (None, 9):
        for step in steps(duel, duel.setup(2, Options(max_turns=max_turns)), random.Random(3)):
            phases |= {duel.phase(step.before), duel.phase(step.after)}
            verbs.add((step.move.type, "chance" if step.actor == CHANCE else "seat"))
            result = duel.result(step.after)
            endings |= {result.reason} if result else set()
    assert phases == duel.INFO.phases.keys()
    assert verbs == {(kind.type, kind.by) for kind in duel.INFO.moves}
    assert endings == duel.INFO.endings.keys()


def test_rulings_tell_the_rulebook_from_our_own_decisions() -> None:
    sources = {ruling.id: ruling.source for ruling in duel.INFO.rulings}
    assert (sources["deal"], sources["deal-order"]) == ("text", "ruling")
    (option,) = (option for option in duel.INFO.options if option.name == "redraw_own_discard")
    assert "rulebook's text does not forbid it" in str(option.text)


def test_the_numbers_of_the_score_are_told() -> None:
    assert duel.INFO.scales == {
        "expedition_cost": 20,
        "bonus": 20,
        "bonus_from_cards": 8,
        "multiplier": "1 + wagers",
    }
