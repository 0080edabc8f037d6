"""Properties of the bots of every level, for every variant and number of seats."""

import random
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import pytest
from lostcities.arena import Match, measure
from lostcities.bots import expert
from lostcities.bots.core import RandomNumbers, SeatView, Thinking, random_numbers, run, sample_world
from lostcities.bots.levels import (
    EXPERT,
    GREEDY,
    LEVEL_TEXTS,
    LEVELS,
    MAX_ADVICE_EVENTS,
    PLAIN,
    RANDOM,
    advise,
    decide,
    levels_of,
)
from lostcities.rules import duel, treasure_hunt
from lostcities.variants.core import CHANCE, FULL, Move
from lostcities.variants.duel import bot as duel_bot
from lostcities.variants.registry import VARIANTS

from tests.bots.strength import table
from tests.conformance.tables import brief, every_table, every_variant
from tests.playing import do, steps

OPTIONS: Mapping[str, list[dict[str, Any]]] = {
    "duel": [{}, {"expeditions": 6, "rounds": 3}, {"redraw_own_discard": True}],
    "rivals": [{}, {"piles": [1, 2, 3, 74]}],
    "roll-and-write": [{}, {"order": "clockwise", "ten_may_start": True, "sheet": {"arrows": {}, "artefacts": {}}}],
    "treasure-hunt": [{}, {"footprints": {"plain": [0, 9] * 5}}],
}
"""Options that change what a bot has to reckon with."""


def decisions(variant: str, seats: int, count: int) -> Iterator[tuple[Any, SeatView]]:
    """States in which a seat decides, spread over random games with various options, and what the seat sees."""
    game, rng = VARIANTS[variant].rules, random.Random(f"{variant} {seats}")
    for chosen in OPTIONS.get(variant, [{}]):
        options = game.parse_options({**brief(variant), **chosen})
        states = [step.before for step in steps(game, game.setup(seats, options), rng) if step.actor != CHANCE]
        for state in rng.sample(states, min(count, len(states))):
            seat = rng.choice(game.to_act(state))
            assert isinstance(seat, int)
            yield state, SeatView(VARIANTS[variant], seats, options, game.to_position(state, seat), seat)


@every_table
@pytest.mark.parametrize("level", LEVELS)
def test_a_decision_is_legal_and_reproducible(variant: str, seats: int, level: str) -> None:
    if level not in levels_of(variant):
        assert (VARIANTS[variant].heuristic, level) == (None, GREEDY)
        return
    for state, view in decisions(variant, seats, 1 if level == EXPERT else 40):
        moves = view.variant.rules.legal_moves(state, view.seat)
        chosen = run(decide(level, view, moves, random.Random(5).randrange))
        assert chosen in moves
        if level != EXPERT:
            assert chosen == run(decide(level, view, moves, random.Random(5).randrange))


@every_table
def test_a_greedy_choice_does_not_depend_on_what_is_hidden(variant: str, seats: int) -> None:
    """In pairs of states that the seat cannot tell apart."""
    heuristic = VARIANTS[variant].heuristic or PLAIN
    for number, (state, view) in enumerate(decisions(variant, seats, 40)):
        guessed = sample_world(view, random.Random(number).randrange)
        assert view.variant.rules.to_position(guessed, view.seat) == view.position
        moves = view.variant.rules.legal_moves(state, view.seat)
        assert moves == view.variant.rules.legal_moves(guessed, view.seat)
        if len(moves) == 1:
            continue
        worlds = (state, guessed)
        real, other = (heuristic.choose(each, view.seat, moves, random.Random(1).randrange) for each in worlds)
        assert real == other
        if shortlist := heuristic.shortlist:
            assert shortlist(state, view.seat, moves) == shortlist(guessed, view.seat, moves)
            assert real in shortlist(state, view.seat, moves)


HIDDEN = "deal 0 Yw Y2 Y3 B4 W5 G6 R7 R8"


@pytest.mark.parametrize("level", LEVELS)
def test_the_other_hand_changes_no_decision(level: str) -> None:
    """Two games that differ in the hand of seat 1, and so in the deck."""
    start = duel.setup(2, duel.parse_options({}))
    hands = ("Bw B2 B3 B5 B6 B7 B8 B9", "Gw Gw Gw R9 R10 W8 W9 W10")
    chosen = []
    for hand in hands:
        state = do(duel, start, f"chance {HIDDEN}", f"chance deal 1 {hand}")
        view = SeatView(VARIANTS["duel"], 2, state.options, duel.to_position(state, 0), 0)
        chosen.append(run(decide(level, view, duel.legal_moves(state, 0), random.Random(3).randrange)))
    assert chosen[0] == chosen[1]


def test_a_resampled_world_fits_what_the_seat_sees_and_depends_on_nothing_else() -> None:
    resample = duel_bot.resample
    for number, (state, view) in enumerate(decisions("duel", 2, 40)):
        guessed = sample_world(view, random.Random(number).randrange)
        first, second = (resample(each, view.seat, random.Random(number).randrange) for each in (state, guessed))
        assert first == second
        assert duel.to_position(first, view.seat) == view.position
        assert sorted([*first.deck, *cards_of(first)]) == sorted([*state.deck, *cards_of(state)])


def cards_of(state: duel.State) -> list[int]:
    """The cards in both hands."""
    return [duel.CARD[name] for hand in duel.to_position(state, FULL)["hands"] for name in hand]


def test_the_worlds_of_a_seat_differ_only_in_what_it_cannot_see() -> None:
    state, view = next(decisions("duel", 2, 1))
    worlds = [sample_world(view, random.Random(seed).randrange) for seed in range(8)]
    assert len({world.hands[1 - view.seat] for world in worlds}) > 1
    assert {world.hands[view.seat] for world in worlds} == {state.hands[view.seat]}


# Levels ----------------------------------------------------------------------------------------------------------


@every_variant
def test_the_levels_of_a_variant(variant: str) -> None:
    assert levels_of(variant) == (LEVELS if VARIANTS[variant].heuristic else (RANDOM, EXPERT))


def test_every_level_has_a_name_and_a_sentence() -> None:
    assert [*LEVEL_TEXTS] == [*LEVELS]
    assert len({text.name for text in LEVEL_TEXTS.values()}) == len(LEVELS)
    assert all(text.text.endswith(".") for text in LEVEL_TEXTS.values())


def test_a_game_without_a_policy_has_random_and_expert(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(VARIANTS["duel"], "heuristic", None)
    assert levels_of("duel") == (RANDOM, EXPERT)


@pytest.mark.parametrize("variant", [name for name, variant in VARIANTS.items() if variant.heuristic])
def test_greedy_beats_random(variant: str) -> None:
    """A short match with fixed deals. `make strength` measures more."""
    figures = measure(Match(variant, 2, GREEDY, RANDOM, deals=8), processes=1)
    share, _ = figures["share"]
    margin, error = figures["margin"]
    assert share >= 0.9
    assert margin > 5 * error > 0
    assert f"| `{variant}` | 2 | `greedy` | `random` | 8 |" in table([figures])


def test_a_single_deal_has_no_row() -> None:
    """It has no standard error."""
    results = [measure(Match("rivals", 3, RANDOM, RANDOM, deals), processes=1) for deals in (1, 2)]
    assert table(results) == table(results[1:])
    assert "inf" not in table(results)


def test_greedy_in_the_duel_scores_against_itself() -> None:
    figures = measure(Match("duel", 2, GREEDY, GREEDY, deals=100), processes=1)
    points, error = figures["points"]
    assert points > 20 + error
    assert figures["share"] == (0.5, 0.0)


# Search ----------------------------------------------------------------------------------------------------------


def hunting() -> tuple[SeatView, list[Move]]:
    """A choice of tiles with a clear answer: the fourth red tile is worth a bonus tile."""
    state = treasure_hunt.setup(2, treasure_hunt.parse_options({"max_turns": 8}))
    for number, face in ((1, "1"), (2, "2"), (3, "3")):
        state = do(
            treasure_hunt,
            state,
            *(f"chance roll {face} w w", "0 keep", f"0 take R{number}"),
            *("chance roll w w w", "1 keep", "1 skip"),
        )
    state = do(treasure_hunt, state, "chance roll 2 4 w", "0 keep")
    view = SeatView(VARIANTS["treasure-hunt"], 2, state.options, treasure_hunt.to_position(state, 0), 0)
    return view, [*treasure_hunt.legal_moves(state, 0)]


def test_advice_has_every_move_best_first() -> None:
    view, moves = hunting()
    advice = run(advise(view, moves, random.Random(1).randrange))
    assert {estimate.move for estimate in advice} == {*moves}
    assert [estimate.value for estimate in advice] == sorted((each.value for each in advice), reverse=True)
    assert advice[0].move.notation == "take R4"
    assert advice[0].value > advice[-1].value + 2 * advice[-1].error
    assert advice == run(advise(view, moves, random.Random(1).randrange))
    assert run(decide(EXPERT, view, moves, random.Random(1).randrange)).notation == "take R4"


def test_thinking_pauses_after_each_playout() -> None:
    view, moves = hunting()
    heuristic = view.variant.heuristic
    assert heuristic
    assert len([*advise(view, moves, random.Random(1).randrange)]) > heuristic.playouts / 2


def test_a_single_move_needs_no_thinking() -> None:
    view, moves = hunting()
    for level in LEVELS:
        assert [*decide(level, view, moves[:1], random.Random(1).randrange)] == []
        assert run(decide(level, view, moves[:1], random.Random(1).randrange)) == moves[0]


@every_table
def test_a_single_move_is_advised_after_a_few_playouts(variant: str, seats: int) -> None:
    """Its value is estimated; there is nothing to choose."""
    for state, view in decisions(variant, seats, 1):
        moves = view.variant.rules.legal_moves(state, view.seat)[:1]
        assert len([*advise(view, moves, random.Random(1).randrange)]) == expert.LONE_WORLDS


@every_table
def test_the_work_of_a_decision_and_of_advice_is_bounded(
    variant: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted in events of playouts, at the beginning of a game, where playouts are longest."""
    game, heuristic = VARIANTS[variant].rules, VARIANTS[variant].heuristic or PLAIN
    events = 0

    def is_settled(state: Any) -> bool:
        nonlocal events
        events += 1
        return heuristic.is_settled(state)

    def simulate(state: Any, seed: int) -> tuple[list[int], int]:
        nonlocal events
        assert simulator
        totals, length = simulator(state, seed)
        events += length
        return totals, length

    simulator = VARIANTS[variant].simulate
    monkeypatch.setattr(VARIANTS[variant], "heuristic", heuristic._replace(is_settled=is_settled))
    monkeypatch.setattr(VARIANTS[variant], "simulate", simulator and simulate)
    options = game.parse_options({})
    choices = (
        (step.before, step.actor, game.legal_moves(step.before, step.actor))
        for step in steps(game, game.setup(seats, options), random.Random(1))
        if step.actor != CHANCE
    )
    state, seat, moves = next(choice for choice in choices if len(choice[2]) > 1)
    view = SeatView(VARIANTS[variant], seats, options, game.to_position(state, seat), seat)
    thoughts: list[tuple[Thinking[Any], int]] = [
        (decide(EXPERT, view, moves, random.Random(1).randrange), heuristic.events),
        (advise(view, moves, random.Random(1).randrange), min(heuristic.events, MAX_ADVICE_EVENTS)),
    ]
    for thinking, budget in thoughts:
        begun = [events for _ in thinking]
        playouts, longest = len(begun), max(after - before for before, after in pairwise(begun))
        # In each stage all candidates are tried twice, and the last world may go over the budget.
        least = 2 * (len(moves) + 2 * 2**expert.MOST_STAGES)
        assert events - begun[0] <= budget // (seats - 1) + least * longest
        assert playouts <= heuristic.playouts + least


@every_table
def test_a_single_move_has_a_value(variant: str, seats: int) -> None:
    """In every position of a random game, one of each phase. Rivals has one when a seat has no gold."""
    game, options = VARIANTS[variant].rules, VARIANTS[variant].rules.parse_options(brief(variant))
    forced: dict[str, tuple[Any, int]] = {}
    for seed in range(4):
        for step in steps(game, game.setup(seats, options), random.Random(seed)):
            if step.actor != CHANCE and len(game.legal_moves(step.before, step.actor)) == 1:
                forced[f"{game.phase(step.before)} {step.move.notation}"] = step.before, step.actor
    for state, seat in forced.values():
        view = SeatView(VARIANTS[variant], seats, options, game.to_position(state, seat), seat)
        moves = game.legal_moves(state, seat)
        assert [each.move for each in run(advise(view, moves, random.Random(1).randrange))] == [*moves]


A, B, C = (Move(name, name) for name in "ABC")


@pytest.mark.parametrize(
    ("margins", "usual", "expected"),
    [
        ({A: [5.0, 7.0, 9.0], B: [1.0, 2.0, 3.0]}, B, A),
        ({A: [9.0, -7.0, 2.0], B: [1.0, 0.0, 2.0]}, B, B),
        ({A: [9.0, -7.0, 2.0], B: [1.0, 0.0, 2.0]}, None, A),
        ({A: [5.0, 7.0, 9.0], B: [1.0, 2.0, 3.0], C: [99.0]}, B, A),
    ],
    ids=["clearly better", "perhaps better", "nothing usual", "dropped early"],
)
def test_the_choice(margins: dict[Move, list[float]], usual: Move | None, expected: Move) -> None:
    assert expert.choose(margins, usual) == expected


@pytest.mark.parametrize(
    ("margins", "expected"),
    [
        ({A: [2.0, 4.0], B: [1.0, 1.0]}, {A: 3.0, B: 1.0}),
        ({A: [30.0, 30.0, 0.0, 0.0], B: [28.0, 28.0]}, {A: 15.0, B: 13.0}),
        ({A: [-9.0, -9.0, 5.0, 5.0], B: [-10.0, -12.0], C: [-9.0, -9.0, 1.0, 1.0]}, {A: -2.0, C: -4.0, B: -4.0}),
    ],
    ids=["same worlds", "dropped after lucky worlds", "dropped after unlucky worlds"],
)
def test_the_value_of_a_dropped_move_does_not_depend_on_its_luck(
    margins: dict[Move, list[float]], expected: dict[Move, float]
) -> None:
    """The first worlds count for all moves; only the finalists are tried in the others."""
    found = expert.estimates(margins)
    assert {each.move: each.value for each in found} == expected
    assert found[0].move == A
    assert all(each.error >= found[0].error for each in found if len(margins[each.move]) < len(margins[A]))


@pytest.mark.parametrize(
    ("margins", "losses", "mistakes"),
    [
        ({A: [2.0, 4.0, 3.0, 3.0], B: [1.0, 2.0, 2.0, 1.0]}, {A: 0.0, B: 1.5}, {B}),
        ({A: [20.0, -4.0, 3.0, 3.0], B: [1.0, 2.0, 2.0, 1.0]}, {A: 0.0, B: 4.0}, set()),
        ({A: [2.0, 4.0], B: [2.0, 4.0]}, {A: 0.0, B: 0.0}, set()),
        ({A: [2.0, 4.0, 3.0, 3.0], B: [-5.0, -4.0]}, {A: 0.0, B: 7.5}, {B}),
    ],
    ids=["clearly worse", "perhaps worse", "equal", "dropped early"],
)
def test_a_mistake_is_a_loss_above_two_standard_errors(
    margins: dict[Move, list[float]], losses: dict[Move, float], mistakes: set[Move]
) -> None:
    found = expert.estimates(margins)
    assert {each.move: each.loss for each in found} == losses
    assert {each.move for each in found if expert.is_mistake(each)} == mistakes


# Random numbers --------------------------------------------------------------------------------------------------


def test_random_numbers_are_even_and_follow_from_the_picks() -> None:
    numbers = random_numbers(random.Random(7).randrange)
    counts = [0] * 6
    for _ in range(6000):
        counts[numbers.pick(6)] += 1
    assert 900 < min(counts) <= max(counts) < 1100
    again = random_numbers(random.Random(7).randrange)
    other = random_numbers(random.Random(8).randrange)
    assert again.pick(2**30) != other.pick(2**30)


def test_an_event_does_not_change_the_random_numbers_of_the_next() -> None:
    first, second = RandomNumbers(11), RandomNumbers(11)
    used = first.fork()
    assert [used(100) for _ in range(5)] != [second.pick(100) for _ in range(5)][::-1]
    second = RandomNumbers(11)
    second.fork()
    assert first.fork()(1000) == second.fork()(1000)
