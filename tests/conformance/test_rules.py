"""What holds in every game of the registry, for every number of seats, at every step of random games."""

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.rules.game import CHANCE, FULL, Actor, Game, IllegalMove, Move, NotAMove, total
from service.rules.registry import GAMES
from tests.conformance.tables import brief, every_table, every_variant
from tests.playing import Step, steps

seeds = st.integers(0, 2**32)


def opening(game: Game, seats: int) -> Any:
    return game.setup(seats, game.options({}))


def limited(game: Game, seats: int) -> Any:
    """A game that random play is sure to end."""
    return game.setup(seats, game.options(brief(game.VARIANT)))


def agrees(game: Game, state: Any, seat: int) -> None:
    """`legal` lists exactly the words of the vocabulary that `apply` takes."""
    listed = [move.notation for move in game.legal(state, seat)]
    assert len(listed) == len({*listed})
    taken = []
    for notation, move in game.VOCABULARY.items():
        rule = broken_rule(game, state, seat, move)
        assert rule is None or rule in game.ABOUT.rules
        if rule is None:
            taken.append(notation)
    assert sorted(listed) == sorted(taken)


def broken_rule(game: Game, state: Any, seat: int, move: Move) -> str | None:
    try:
        game.apply(state, seat, move)
    except IllegalMove as refused:
        return refused.rule
    return None


@every_table
@settings(max_examples=8, deadline=None)
@given(seed=seeds)
def test_a_random_game_holds_every_promise(variant: str, seats: int, seed: int) -> None:
    game, rng = GAMES[variant], random.Random(seed)
    state = limited(game, seats)
    history: list[Step] = []
    for step in steps(game, state, rng):
        history.append(step)
        state = step.after
        assert hash(state) == hash(game.apply(step.before, step.actor, step.move))
        assert game.parse(step.move.notation) == step.move
        assert game.phase(state) in game.ABOUT.phases
        if rng.random() < 0.05:
            for seat in range(seats):
                agrees(game, state, seat)
    assert game.to_act(state) == ()
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.reason in game.ABOUT.endings
    assert outcome.totals == tuple(total(sheet) for sheet in game.score(state))
    assert outcome.winners == tuple(seat for seat in range(seats) if outcome.totals[seat] == max(outcome.totals))
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
def test_a_full_view_places_the_state_again(variant: str, seats: int, seed: int) -> None:
    game, rng = GAMES[variant], random.Random(seed)
    state = limited(game, seats)
    for before in (*(step.before for step in steps(game, state, rng)), [*steps(game, state, rng)][-1].after):
        assert game.place(seats, before.options, game.view(before, FULL)) == before


@every_table
@settings(max_examples=5, deadline=None)
@given(seed=seeds)
def test_a_state_survives_its_encoding(variant: str, seats: int, seed: int) -> None:
    game = GAMES[variant]
    for step in steps(game, limited(game, seats), random.Random(seed)):
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(step.after), type=game.State) == step.after


@every_table
@settings(max_examples=5, deadline=None)
@given(seed=seeds)
def test_nobody_sees_what_only_another_seat_witnessed(variant: str, seats: int, seed: int) -> None:
    """Follow a game in pairs: where chance tells one seat a secret, the others' views do not depend on it."""
    game, rng = GAMES[variant], random.Random(seed)
    for step in steps(game, limited(game, seats), rng):
        if step.actor != CHANCE or game.witness(step.before, step.move) is None:
            continue
        insider = game.witness(step.before, step.move)
        other = game.sample(step.before, rng.randrange)
        assert other.redacted == step.move.redacted
        twin = game.apply(step.before, CHANCE, other)
        if not game.to_act(twin):
            continue
        for viewer in (None, *(seat for seat in range(seats) if seat != insider)):
            assert game.view(twin, viewer) == game.view(step.after, viewer)
            if viewer is not None:
                assert game.legal(twin, viewer) == game.legal(step.after, viewer)
        assert game.score(twin) == game.score(step.after)


@every_variant
def test_the_vocabulary_round_trips(variant: str) -> None:
    game = GAMES[variant]
    verbs = {kind.type for kind in game.ABOUT.moves if kind.by == "seat"}
    for notation, move in game.VOCABULARY.items():
        assert game.parse(notation) == move == Move(notation, move.type)
        assert move.notation == notation
        assert move.type in verbs
        assert not move.by_chance


@every_variant
@pytest.mark.parametrize("text", ["", " ", "hello", "play", "play  R7", "draw deck ", "\0", "💥", "DRAW", "x" * 5000])
def test_what_is_no_move_is_told_apart(variant: str, text: str) -> None:
    with pytest.raises(NotAMove) as caught:
        GAMES[variant].parse(text)
    assert len(str(caught.value)) < 400


@every_table
def test_an_outcome_is_chances_to_say(variant: str, seats: int) -> None:
    """An outcome said by a seat, and a seat's move said by chance, are illegal and named so."""
    game = GAMES[variant]
    state = opening(game, seats)
    assert game.outcome(state) is None
    for step in steps(game, limited(game, seats), random.Random(7)):
        wrong: Actor = 0 if step.actor == CHANCE else CHANCE
        with pytest.raises(IllegalMove) as caught:
            game.apply(step.before, wrong, step.move)
        assert caught.value.rule == ("outcome-by-seat" if step.actor == CHANCE else "move-by-chance")


@every_table
def test_the_finished_game_takes_nothing_more(variant: str, seats: int) -> None:
    game = GAMES[variant]
    *_, last = steps(game, limited(game, seats), random.Random(11))
    for move in (*game.VOCABULARY.values(), last.move):
        for actor in (*range(seats), CHANCE):
            with pytest.raises(IllegalMove) as caught:
                game.apply(last.after, actor, move)
            assert caught.value.rule == "game-over"


@every_variant
def test_the_variant_describes_itself(variant: str) -> None:
    about = GAMES[variant].ABOUT
    assert variant == GAMES[variant].VARIANT
    assert {option.name: option.default for option in about.options}.keys() == GAMES[variant].options({}).plain().keys()
    assert len({ruling.id for ruling in about.rulings}) == len(about.rulings)
    assert {ruling.source for ruling in about.rulings} <= {"text", "known", "ruling"}
