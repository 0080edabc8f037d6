"""What a bot's decision depends on, and which decisions are the same question."""

import random
from collections.abc import Callable, Hashable
from typing import Any

import pytest
from lostcities.bots.core import SeatView, Thinking, run, sample_world
from lostcities.bots.levels import LEVELS
from lostcities.games import records
from lostcities.games.game import Game, start
from lostcities.games.opponents import advice, decision, play_automatic
from lostcities.rules import duel
from lostcities.variants.core import CHANCE
from lostcities.variants.registry import VARIANTS

from tests.playing import steps

pytestmark = pytest.mark.usefixtures("few_playouts")


def bot_to_begin(seed: bytes) -> Game:
    """A game whose first event is a bot's: it begins from a position after the dice were thrown."""
    rules = VARIANTS["treasure-hunt"].rules
    state: Any = rules.setup(2, rules.parse_options({}))
    state = rules.apply(state, "chance", rules.parse("roll 1 5 w"))
    record = records.Record(
        "treasure-hunt", rules.RULES_VERSION, ("Bot", "Ann"), {}, "server", None, None, (), None,
        position=rules.to_position(state, "full"), bots=("expert", None),
    )  # fmt: skip
    begun = records.begin(record, 1000)
    return start(begun.setup._replace(seed=seed))


@pytest.mark.parametrize("level", LEVELS)
def test_decisions_and_advice_in_random_pairs_of_games_that_a_seat_cannot_tell_apart(level: str) -> None:
    """Pairs of duels with the same seed and version that differ in the other hand and in the deck."""
    rng = random.Random(level)
    options = duel.parse_options({"expeditions": 6})
    turns = [step for step in steps(duel, duel.setup(2, options), rng) if step.actor != CHANCE]
    for step in rng.sample(turns[:80], 12):
        seat = step.actor
        assert isinstance(seat, int)
        view = SeatView(VARIANTS["duel"], 2, options, duel.to_position(step.before, seat), seat)
        other = sample_world(view, rng.randrange)
        assert other != step.before
        real, guessed = (duel_of(state, level) for state in (step.before, other))
        assert run(decision(real, seat)) == run(decision(guessed, seat))
        # Advice does not depend on the seed either.
        guessed = guessed._replace(setup=guessed.setup._replace(seed=b"b" * 32))
        assert advice(real, seat, asked) == advice(guessed, seat, asked)


def duel_of(state: duel.State, level: str) -> Game:
    """A game in that state, with bots of that level at both seats."""
    record = records.Record(
        "duel", duel.RULES_VERSION, ("A", "B"), {"expeditions": 6}, "server", None, None, (), None,
        bots=(level, None),
    )  # fmt: skip
    begun = records.begin(record, 1000).setup
    return start(begun._replace(start=state, seed=b"a" * 32, bots=(level, level)))


def asked(question: Hashable, begin: Callable[[], Thinking[Any]]) -> Any:
    """The question and its result."""
    return question, run(begin())


def test_games_with_different_seeds_ask_different_questions() -> None:
    """The retry of a creation that failed has another seed."""
    asked: list[Hashable] = []

    def think(question: Hashable, begin: Callable[[], Thinking[Any]]) -> Any:
        asked.append(question)
        return run(begin())

    firsts = []
    for seed in (b"a" * 32, b"a" * 32, b"b" * 32):
        play_automatic(bot_to_begin(seed), think)
        firsts.append(asked[0])
        asked.clear()
    assert firsts[0] == firsts[1] != firsts[2]
