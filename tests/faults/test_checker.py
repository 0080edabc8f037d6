"""The linearizability checker accepts correct histories and detects faulty stores."""

import random
import time
from collections import deque
from collections.abc import Sequence
from math import inf
from typing import Any
from unittest.mock import patch

import pytest
from lostcities.app import create_app
from lostcities.config import Settings
from lostcities.games.game import Event, Game, Setup, resolve_chance, start
from lostcities.games.storage import AppendResult, Receipt, StoredGame
from lostcities.rules import duel
from lostcities.store.redis import RedisStore

from tests.conftest import client_of
from tests.faults.linearizable import NotLinearizable, Request, check, judge
from tests.faults.load import Load

SETUP = Setup(
    variant=duel.VARIANT,
    rules_version=duel.RULES_VERSION,
    players=("Ann", "Ben"),
    options=duel.parse_options({}),
    chance="server",
    seed=bytes(32),
    seeded_by="caller",
)
START, _ = resolve_chance(start(SETUP))
FIRST, OTHER = (move.notation for move in duel.legal_moves(START.state, 0)[:2])


def move(notation: str, sent: float, answered: float = inf, *, on: Game = START) -> tuple[Game, Request]:
    """A move of seat 0, answered as the rules do on that table."""
    asked = Request("move", sent, answered, notation, 0)
    table, answer = judge(on, asked)
    return table, Request("move", sent, answered, notation, 0, answer)


def look(sent: float, answered: float, *, on: Game) -> Request:
    return Request("game", sent, answered, answer=judge(on, Request("game", 0))[1])


def test_one_after_the_other() -> None:
    after, made = move(FIRST, 0, 1)
    assert check(START, [made, look(2, 3, on=after)]) == after


def test_a_read_during_a_move_may_see_either() -> None:
    after, made = move(FIRST, 0, 5)
    check(START, [made, look(1, 2, on=START)])
    check(START, [made, look(1, 2, on=after)])
    with pytest.raises(NotLinearizable):
        check(START, [made, look(1, 2, on=after), look(3, 4, on=START)])


def test_a_stale_read_is_caught() -> None:
    _, made = move(FIRST, 0, 1)
    with pytest.raises(NotLinearizable, match="the rules say"):
        check(START, [made, look(2, 3, on=START)])


def test_a_lost_update_is_caught() -> None:
    """Both responses claim to be the first move."""
    with pytest.raises(NotLinearizable):
        check(START, [move(FIRST, 0, 3)[1], move(OTHER, 1, 2)[1]])


def test_an_unanswered_move_may_have_happened_once_or_not() -> None:
    after, lost = move(FIRST, 0)
    assert check(START, [lost, look(1, 2, on=START)]) == START
    assert check(START, [lost, look(1, 2, on=START), look(3, 4, on=after)]) == after
    with pytest.raises(NotLinearizable):
        check(START, [lost, look(1, 2, on=after), look(3, 4, on=START)])


def test_a_wrong_refusal_is_caught() -> None:
    _, made = move(FIRST, 0, 1)
    refused = Request("move", 0, 1, FIRST, 0, "not-your-turn")
    with pytest.raises(NotLinearizable):
        check(START, [refused])
    with pytest.raises(NotLinearizable):
        check(START, [Request("move", 2, 3, FIRST, 0, "wrong-phase"), Request("move", 4, 5, FIRST, 0, made.answer)])


# Faulty stores ----------------------------------------------------------------------------------------------------


class Blind(RedisStore):
    """Overwrites concurrent writes."""

    def append(
        self, before: StoredGame, after: StoredGame, events: Sequence[Event], receipt: tuple[bytes, Receipt] | None
    ) -> AppendResult:
        time.sleep(0.002)
        return super().append(self.load(before.id) or before, after, events, receipt)


class Doubling(RedisStore):
    """Sometimes applies a retried write twice."""

    def append(
        self, before: StoredGame, after: StoredGame, events: Sequence[Event], receipt: tuple[bytes, Receipt] | None
    ) -> AppendResult:
        written = super().append(before, after, events, receipt)
        if written.done and random.random() < 0.1:
            twice = after._replace(game=after.game._replace(version=after.game.version + len(events)))
            super().append(after, twice, events, None)
        return written


class Forgetful(RedisStore):
    """Sometimes acknowledges a write without storing it."""

    def append(
        self, before: StoredGame, after: StoredGame, events: Sequence[Event], receipt: tuple[bytes, Receipt] | None
    ) -> AppendResult:
        if random.random() < 0.1:
            return AppendResult(done=True)
        return super().append(before, after, events, receipt)


class Lagging(RedisStore):
    """Sometimes returns an old version, as a lagging replica would."""

    def __init__(self, url: str, **settings: Any) -> None:
        super().__init__(url, **settings)
        self._shown: dict[str, StoredGame] = {}

    def load(self, game_id: str, key: bytes | None = None) -> StoredGame | None:
        if key is None and game_id in self._shown and random.random() < 0.1:
            return self._shown[game_id]
        kept = super().load(game_id, key)
        if kept and random.random() < 0.5:
            self._shown[game_id] = kept
        return kept


def played(store_url: str, store: type[RedisStore]) -> Load:
    """Some games on that store, with the real application in front of it."""
    with patch("lostcities.app.RedisStore", store):
        app = create_app(Settings(redis_url=store_url))
    load = Load(lambda: client_of(app), games=4, clients=6)
    load.run(150)
    return load


@pytest.mark.parametrize("store", [Blind, Doubling, Forgetful, Lagging])
def test_a_broken_store_is_caught(store_url: str, store: type[RedisStore]) -> None:
    load = played(store_url, store)
    with pytest.raises(NotLinearizable):
        deque((check(game.start, game.requests) for game in load.games), maxlen=0)


def test_a_sound_store_is_not_blamed(store_url: str) -> None:
    played(store_url, RedisStore).verify()
