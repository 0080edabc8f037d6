"""Properties of the rules of every variant, for every number of seats, at every step of random games."""

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lostcities.variants.core import CHANCE, FULL, Actor, AnyRules, IllegalMove, Move, NotAMove, total
from lostcities.variants.registry import VARIANTS

from tests.conformance.tables import brief, every_table, every_variant
from tests.playing import Step, steps

seeds = st.integers(0, 2**32)


def opening(game: AnyRules, seats: int) -> Any:
    return game.setup(seats, game.parse_options({}))


def limited(game: AnyRules, seats: int) -> Any:
    """The initial state of a game of bounded length."""
    return game.setup(seats, game.parse_options(brief(game.VARIANT)))


def agrees(game: AnyRules, state: Any, seat: int) -> None:
    """Check that `legal_moves` lists exactly the moves of the vocabulary that `apply` accepts."""
    listed = [move.notation for move in game.legal_moves(state, seat)]
    assert len(listed) == len({*listed})
    taken = []
    for notation, move in game.VOCABULARY.items():
        rule = broken_rule(game, state, seat, move)
        assert rule is None or rule in game.INFO.rules
        if rule is None:
            taken.append(notation)
    assert sorted(listed) == sorted(taken)


def broken_rule(game: AnyRules, state: Any, seat: int, move: Move) -> str | None:
    try:
        game.apply(state, seat, move)
    except IllegalMove as refused:
        return refused.rule
    return None


@every_table
@settings(max_examples=8, deadline=None)
@given(seed=seeds)
def test_a_random_game_has_all_properties(variant: str, seats: int, seed: int) -> None:
    game, rng = VARIANTS[variant].rules, random.Random(seed)
    state = limited(game, seats)
    history: list[Step] = []
    for step in steps(game, state, rng):
        history.append(step)
        state = step.after
        assert hash(state) == hash(game.apply(step.before, step.actor, step.move))
        assert game.parse(step.move.notation) == step.move
        assert game.phase(state) in game.INFO.phases
        if rng.random() < 0.05:
            for seat in range(seats):
                agrees(game, state, seat)
    assert game.to_act(state) == ()
    result = game.result(state)
    assert result is not None
    assert result.reason in game.INFO.endings
    assert result.totals == tuple(total(sheet) for sheet in game.score(state))
    assert result.winners == tuple(seat for seat in range(seats) if result.totals[seat] == max(result.totals))
    for seat in range(seats):
        agrees(game, state, seat)
    replayed = limited(game, seats)
    for step in history:
        replayed = game.apply(replayed, step.actor, game.parse(step.move.notation))
    assert replayed == state
    assert game.score(replayed) == game.score(state)


@every_table
@settings(max_examples=5, deadline=None)
@given(seed=seeds)
def test_from_position_restores_the_state_from_a_full_view(variant: str, seats: int, seed: int) -> None:
    game, rng = VARIANTS[variant].rules, random.Random(seed)
    state = limited(game, seats)
    for before in (*(step.before for step in steps(game, state, rng)), [*steps(game, state, rng)][-1].after):
        assert (
            VARIANTS[variant].positions.from_position(seats, before.options, game.to_position(before, FULL)) == before
        )


@every_table
@settings(max_examples=5, deadline=None)
@given(seed=seeds)
def test_a_state_survives_encoding(variant: str, seats: int, seed: int) -> None:
    game = VARIANTS[variant].rules
    for step in steps(game, limited(game, seats), random.Random(seed)):
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(step.after), type=game.State) == step.after


@every_table
@settings(max_examples=5, deadline=None)
@given(seed=seeds)
def test_views_do_not_depend_on_another_seats_secrets(variant: str, seats: int, seed: int) -> None:
    """Where chance gives one seat a secret card, the views of the other seats are the same for every card."""
    game, rng = VARIANTS[variant].rules, random.Random(seed)
    for step in steps(game, limited(game, seats), rng):
        if step.actor != CHANCE or game.visible_to(step.before, step.move) is None:
            continue
        insider = game.visible_to(step.before, step.move)
        other = game.sample_chance(step.before, rng.randrange)
        assert other.redacted == step.move.redacted
        twin = game.apply(step.before, CHANCE, other)
        if not game.to_act(twin):
            continue
        for viewer in (None, *(seat for seat in range(seats) if seat != insider)):
            assert game.to_position(twin, viewer) == game.to_position(step.after, viewer)
            if viewer is not None:
                assert game.legal_moves(twin, viewer) == game.legal_moves(step.after, viewer)
        assert game.score(twin) == game.score(step.after)


@every_table
@settings(max_examples=3, deadline=None)
@given(seed=seeds)
def test_hidden_cards_are_filled_so_that_the_view_stays_the_same(variant: str, seats: int, seed: int) -> None:
    """An outcome that is given stays possible."""
    game, positions, rng = VARIANTS[variant].rules, VARIANTS[variant].positions, random.Random(seed)
    state = limited(game, seats)
    for step in steps(game, state, rng):
        outcomes = [step.move] if step.actor == CHANCE else []
        for viewer in (None, *range(seats)):
            view = game.to_position(step.before, viewer)
            copy = repr(view)
            filled = positions.fill_hidden(state.options, view, rng.randrange, outcomes)
            assert repr(view) == copy
            world = positions.from_position(seats, state.options, filled)
            assert game.to_position(world, viewer) == view
            for outcome in outcomes:
                game.apply(world, CHANCE, outcome)
        full = game.to_position(step.before, FULL)
        assert positions.fill_hidden(state.options, full, rng.randrange) is full


@every_table
@settings(max_examples=3, deadline=None)
@given(seed=seeds)
def test_an_answer_that_needs_no_hidden_card_is_the_same_in_every_world(variant: str, seats: int, seed: int) -> None:
    game, positions, rng = VARIANTS[variant].rules, VARIANTS[variant].positions, random.Random(seed)
    state = limited(game, seats)
    for step in steps(game, state, rng):
        if rng.random() < 0.95 and step.actor != CHANCE:
            continue
        viewer = rng.choice((None, *range(seats)))
        view = game.to_position(step.before, viewer)
        if positions.shown_to(view) == FULL:
            assert view == game.to_position(step.before, FULL)
            continue
        one, other = (
            positions.from_position(seats, state.options, positions.fill_hidden(state.options, view, rng.randrange))
            for _ in range(2)
        )
        assert game.score(one) == game.score(other) == game.score(step.before)
        for seat in range(seats):
            path = positions.hidden_card(view, one, seat, None)
            assert path == positions.hidden_card(view, other, seat, None)
            assert path is None or seat != viewer
            if path is None:
                assert game.legal_moves(one, seat) == game.legal_moves(other, seat)
            else:
                assert value_at(view, path) in ("?", None)
            for move in (*game.VOCABULARY.values(), step.move):
                if positions.hidden_card(view, one, seat, move) is None:
                    assert effect(game, one, seat, move, viewer) == effect(game, other, seat, move, viewer)
                else:
                    assert seat != viewer


def value_at(position: Any, path: Any) -> Any:
    for key in path:
        position = position[key]
    return position


def effect(game: AnyRules, state: Any, seat: int, move: Move, viewer: int | None) -> Any:
    """What the viewer learns from the move."""
    try:
        after = game.apply(state, seat, move)
    except IllegalMove as refused:
        return refused.rule, str(refused.detail)
    return game.to_position(after, viewer), game.to_act(after), game.result(after)


@every_variant
def test_the_vocabulary_round_trips(variant: str) -> None:
    game = VARIANTS[variant].rules
    verbs = {kind.type for kind in game.INFO.moves if kind.by == "seat"}
    for notation, move in game.VOCABULARY.items():
        assert game.parse(notation) == move == Move(notation, move.type)
        assert move.notation == notation
        assert move.type in verbs
        assert not move.by_chance


@every_variant
@pytest.mark.parametrize("text", ["", " ", "hello", "play", "play  R7", "draw deck ", "\0", "💥", "DRAW", "x" * 5000])
def test_text_that_is_not_a_move_raises_not_a_move(variant: str, text: str) -> None:
    with pytest.raises(NotAMove) as caught:
        VARIANTS[variant].rules.parse(text)
    assert len(str(caught.value)) < 400


@every_table
def test_outcomes_by_seats_and_moves_by_chance_are_illegal(variant: str, seats: int) -> None:
    """The error names the rule."""
    game = VARIANTS[variant].rules
    state = opening(game, seats)
    assert game.result(state) is None
    for step in steps(game, limited(game, seats), random.Random(7)):
        wrong: Actor = 0 if step.actor == CHANCE else CHANCE
        with pytest.raises(IllegalMove) as caught:
            game.apply(step.before, wrong, step.move)
        assert caught.value.rule == ("outcome-by-seat" if step.actor == CHANCE else "move-by-chance")


@every_table
def test_a_finished_game_accepts_no_move(variant: str, seats: int) -> None:
    game = VARIANTS[variant].rules
    *_, last = steps(game, limited(game, seats), random.Random(11))
    for move in (*game.VOCABULARY.values(), last.move):
        for actor in (*range(seats), CHANCE):
            with pytest.raises(IllegalMove) as caught:
                game.apply(last.after, actor, move)
            assert caught.value.rule == "game-over"


@every_variant
def test_the_variant_describes_itself(variant: str) -> None:
    rules = VARIANTS[variant].rules
    info = rules.INFO
    assert variant == rules.VARIANT
    assert {option.name for option in info.options} == rules.parse_options({}).plain().keys()
    assert len({ruling.id for ruling in info.rulings}) == len(info.rulings)
    assert {ruling.source for ruling in info.rulings} <= {"text", "known", "ruling"}
    assert all(f"`{kind.type}`" in info.chance for kind in info.moves if kind.by == "chance")
