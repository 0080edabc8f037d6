"""Encoding and decoding of stored games."""

import random

from lostcities.games.game import Event, Game, change_table, start
from lostcities.games.table import TableEvent
from lostcities.store.codec import decode_event, decode_setup, decode_state, encode_event, encode_setup, encode_state
from lostcities.variants.registry import VARIANTS

from tests.conformance.tables import every_table
from tests.playing import steps
from tests.store.tables import registration, setup


@every_table
def test_every_state_of_a_game_survives(variant: str, seats: int) -> None:
    of, game = setup(variant, seats), VARIANTS[variant].rules
    state = game.setup(seats, of.options)
    for version, step in enumerate(steps(game, state, random.Random(1)), 1):
        table = Game(of, step.after, version, tuple(range(version, version + seats + 1)))
        back = decode_state(of, version, encode_state(table))
        assert back == table
        assert repr(back) == repr(table), "equal, and of the same types"


@every_table
def test_every_event_of_a_game_survives(variant: str, seats: int) -> None:
    of, game = setup(variant, seats), VARIANTS[variant].rules
    for step in steps(game, game.setup(seats, of.options), random.Random(2)):
        visible_to = game.visible_to(step.before, step.move) if step.move.by_chance else None
        event = Event(step.actor, step.move.notation, visible_to)
        assert decode_event(encode_event(event)) == event


@every_table
def test_registration_and_setup_survive_with_everything_in_them(variant: str, seats: int) -> None:
    of, game = setup(variant, seats), VARIANTS[variant].rules
    *_, last = steps(game, game.setup(seats, of.options), random.Random(3))
    rich = of._replace(start=last.before, players=("Ähm ✓",) * seats)
    poor = of._replace(chance="client", seed=None, seeded_by=None)
    whose = registration(seats)
    for each in (of, rich, poor):
        back = decode_setup(encode_setup(whose, each))
        assert back == (whose, each)
        assert repr(back) == repr((whose, each))


def test_a_state_is_stored_without_the_options_of_its_setup() -> None:
    of = setup("roll-and-write", 3)
    rules = VARIANTS["roll-and-write"].rules
    other = of._replace(options=of.options._replace(ten_may_start=True))
    stored = encode_state(Game(of, rules.setup(3, of.options), 0, (0,) * 4))
    assert decode_state(other, 0, stored).state.options == other.options


def test_the_options_in_force_are_stored_where_seats_have_changed_them() -> None:
    of = setup("roll-and-write", 3)
    game, _ = change_table(start(of), 1, TableEvent("clockwise"))
    assert game.state.options.order == "clockwise"
    assert decode_state(of, 1, encode_state(game)) == game
