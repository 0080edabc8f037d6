"""Earlier versions are computed from the nearest snapshot."""

import random
from typing import Any

import msgspec
import pytest
from lostcities.games.game import Event, Setup, replay, start
from lostcities.games.storage import SNAPSHOT_EVENTS, NewerRules, Receipt, StoredGame
from lostcities.store import codec
from lostcities.store.redis import RedisStore

from tests.conformance.tables import every_table
from tests.store.tables import dealt, moved, setup


def play(store: RedisStore, of: Setup, least: int) -> tuple[StoredGame, list[Event]]:
    """A stored game with at least `least` events, or a finished one, and its events."""
    rng = random.Random(7)
    table, events = dealt(of)
    assert store.create(table, events)
    while table.game.version < least and not table.game.is_over:
        after, more = moved(table, rng)
        assert store.append(table, after, more, None).done
        table, events = after, [*events, *more]
    return table, events


@every_table
def test_every_version_is_computed_from_a_snapshot_near_it(store: RedisStore, variant: str, seats: int) -> None:
    of = setup(variant, seats)
    now, events = play(store, of, 3 * SNAPSHOT_EVENTS)
    for version in range(now.game.version + 1):
        past = store.past(now.id, version, version)
        assert past
        assert past.stored == now
        assert past.game() == replay(start(of), events[:version])
        assert len(past.events) < 2 * SNAPSHOT_EVENTS


def test_the_events_after_an_earlier_version_are_returned(store: RedisStore) -> None:
    of = setup()
    now, events = play(store, of, 3 * SNAPSHOT_EVENTS)
    for first, last in ((0, 1), (60, 64), (63, 70), (64, 65), (100, 130), (0, now.game.version)):
        past = store.past(now.id, first, last)
        assert past
        assert [*past.events_after(first)] == events[first:last]
        assert past.game() == replay(start(of), events[:last])


def test_a_list_of_moves_may_skip_snapshot_versions(store: RedisStore) -> None:
    of = setup()
    table, events = dealt(of)
    assert store.create(table, events)
    rng = random.Random(3)
    after = table
    while after.game.version < 4 * SNAPSHOT_EVENTS and not after.game.is_over:
        after, more = moved(after, rng)
        events += more
    assert store.append(table, after, events[table.game.version :], None).done
    for version in range(0, after.game.version + 1, 7):
        past = store.past(table.id, version, version)
        assert past
        assert past.game() == replay(start(of), events[:version])


def test_future_versions_and_unknown_games_are_none(store: RedisStore) -> None:
    now, _ = play(store, setup(), 10)
    past = store.past(now.id, now.game.version + 5, now.game.version + 5)
    assert past
    assert past.game() == now.game
    assert store.past("a" * 16, 0, 0) is None


@every_table
def test_a_state_of_another_format_is_computed_again(
    store: RedisStore, monkeypatch: pytest.MonkeyPatch, variant: str, seats: int
) -> None:
    of = setup(variant, seats)
    now, events = play(store, of, 2 * SNAPSHOT_EVENTS)
    monkeypatch.setattr(codec, "STATE_FORMAT", 2)
    codec._format.cache_clear()
    try:
        kept = store.load(now.id)
        assert kept
        assert kept == now
        found = store.history(now.id, 1, 5)
        assert found
        assert found == (kept, events[:5])
        past = store.past(now.id, 70, 70)
        assert past
        assert past.game() == replay(start(of), events[:70])
    finally:
        codec._format.cache_clear()


def test_a_game_of_a_newer_rules_version_is_rejected(store: RedisStore, inspect: Any) -> None:
    now, _ = play(store, setup(), 5)
    key = f"lc:{{{now.id}}}"
    stored = msgspec.msgpack.decode(inspect.hget(key, "r"))
    inspect.hset(key, "r", msgspec.msgpack.encode({**stored, "rules_version": 99}))
    with pytest.raises(NewerRules):
        store.load(now.id)


def test_a_record_may_have_fields_that_this_version_does_not_know(store: RedisStore, inspect: Any) -> None:
    now, _ = play(store, setup(), 5)
    key = f"lc:{{{now.id}}}"
    stored = msgspec.msgpack.decode(inspect.hget(key, "r"))
    inspect.hset(key, "r", msgspec.msgpack.encode({**stored, "surprise": [1, 2]}))
    kept = store.load(now.id)
    assert kept
    assert kept == now


def test_a_receipt_is_answered_from_the_nearest_snapshot(store: RedisStore) -> None:
    now, events = play(store, setup(), 2 * SNAPSHOT_EVENTS)
    after, more = moved(now, random.Random(1))
    receipt = Receipt(bytes(16), now.game.version, after.game.version, 1)
    assert store.append(now, after, more, (bytes(12), receipt)).done
    past = store.past(now.id, receipt.first, receipt.last)
    assert past
    assert [*past.events_after(receipt.first)] == more
    assert len(past.events) < 2 * SNAPSHOT_EVENTS
    assert past.game() == after.game
    assert events
