"""What a bot's decision depends on, and which decisions are the same question."""

from collections.abc import Callable, Hashable
from typing import Any

import pytest
from lostcities.bots.core import Thinking, run
from lostcities.games import records
from lostcities.games.game import Game, start
from lostcities.games.opponents import settle
from lostcities.rules.registry import RULES

pytestmark = pytest.mark.usefixtures("few_playouts")


def bot_to_begin(seed: bytes) -> Game:
    """A game whose first event is a bot's: it begins from a position after the dice were thrown."""
    rules = RULES["treasure-hunt"]
    state: Any = rules.setup(2, rules.parse_options({}))
    state = rules.apply(state, "chance", rules.parse("roll 1 5 w"))
    record = records.GameRecord(
        "treasure-hunt", rules.RULES_VERSION, ("Bot", "Ann"), {}, "server", None, None, (), None,
        position=rules.to_position(state, "full"), bots=("expert", None),
    )  # fmt: skip
    begun = records.begin(record, 1000)
    return start(begun.record._replace(id="the same id", seed=seed))


def test_games_with_different_seeds_ask_different_questions() -> None:
    """The retry of a creation that failed has the id of the first attempt and another seed."""
    asked: list[Hashable] = []

    def think(question: Hashable, begin: Callable[[], Thinking[Any]]) -> Any:
        asked.append(question)
        return run(begin())

    firsts = []
    for seed in (b"a" * 32, b"a" * 32, b"b" * 32):
        settle(bot_to_begin(seed), think)
        firsts.append(asked[0])
        asked.clear()
    assert firsts[0] == firsts[1] != firsts[2]
