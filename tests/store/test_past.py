"""Earlier versions are computed from the nearest snapshot."""

import random
from typing import Any

import msgspec
import pytest
from lostcities.games.game import Event, Game, replay, start
from lostcities.games.storage import SNAPSHOT_EVENTS, NewerRules, Receipt
from lostcities.store import codec
from lostcities.store.redis import RedisStore

from tests.conformance.tables import every_table
from tests.store.tables import dealt, moved, record


def play(store: RedisStore, of: Any, least: int) -> tuple[Game, list[Event]]:
    """A stored game with at least `least` events, or a finished one, and its events."""
    rng = random.Random(7)
    table, events = dealt(of)
    assert store.create(table, events)
    while table.version < least and not table.is_over:
        after, more = moved(table, rng)
        assert store.append(table, after, more, 1_700_000_000_000 + after.version, None).done
        table, events = after, [*events, *more]
    return table, events


@every_table
def test_every_version_is_computed_from_a_snapshot_near_it(store: RedisStore, variant: str, seats: int) -> None:
    of = record(variant, seats)
    now, events = play(store, of, 3 * SNAPSHOT_EVENTS)
    for version in range(now.version + 1):
        past = store.past(of.id, version, version)
        assert past
        assert past.stored.game == now
        assert past.game() == replay(start(of), events[:version])
        assert len(past.events) < 2 * SNAPSHOT_EVENTS


def test_the_events_after_an_earlier_version_are_returned(store: RedisStore) -> None:
    of = record()
    now, events = play(store, of, 3 * SNAPSHOT_EVENTS)
    for first, last in ((0, 1), (60, 64), (63, 70), (64, 65), (100, 130), (0, now.version)):
        past = store.past(of.id, first, last)
        assert past
        assert [*past.events_after(first)] == events[first:last]
        assert past.game() == replay(start(of), events[:last])


def test_a_list_of_moves_may_skip_snapshot_versions(store: RedisStore) -> None:
    of = record()
    table, events = dealt(of)
    assert store.create(table, events)
    rng = random.Random(3)
    after = table
    while after.version < 4 * SNAPSHOT_EVENTS and not after.is_over:
        after, more = moved(after, rng)
        events += more
    assert store.append(table, after, events[table.version :], 1_700_000_000_000, None).done
    for version in range(0, after.version + 1, 7):
        past = store.past(of.id, version, version)
        assert past
        assert past.game() == replay(start(of), events[:version])


def test_future_versions_and_unknown_games_are_none(store: RedisStore) -> None:
    of = record()
    now, _ = play(store, of, 10)
    past = store.past(of.id, now.version + 5, now.version + 5)
    assert past
    assert past.game() == now
    assert store.past("a" * 16, 0, 0) is None


@every_table
def test_a_state_of_another_format_is_computed_again(
    store: RedisStore, monkeypatch: pytest.MonkeyPatch, variant: str, seats: int
) -> None:
    of = record(variant, seats)
    now, events = play(store, of, 2 * SNAPSHOT_EVENTS)
    monkeypatch.setattr(codec, "STATE_FORMAT", 2)
    codec._format.cache_clear()
    try:
        kept = store.load(of.id)
        assert kept
        assert kept.game == now
        found = store.history(of.id, 1, 5)
        assert found
        assert found == (kept, events[:5])
        past = store.past(of.id, 70, 70)
        assert past
        assert past.game() == replay(start(of), events[:70])
    finally:
        codec._format.cache_clear()


def test_a_game_of_a_newer_rules_version_is_rejected(store: RedisStore, inspect: Any) -> None:
    of = record()
    play(store, of, 5)
    key = f"lc:{{{of.id}}}"
    stored = msgspec.msgpack.decode(inspect.hget(key, "r"))
    inspect.hset(key, "r", msgspec.msgpack.encode({**stored, "rules_version": 99}))
    with pytest.raises(NewerRules):
        store.load(of.id)


def test_a_record_may_have_fields_that_this_version_does_not_know(store: RedisStore, inspect: Any) -> None:
    of = record()
    now, _ = play(store, of, 5)
    key = f"lc:{{{of.id}}}"
    stored = msgspec.msgpack.decode(inspect.hget(key, "r"))
    inspect.hset(key, "r", msgspec.msgpack.encode({**stored, "surprise": [1, 2]}))
    kept = store.load(of.id)
    assert kept
    assert kept.game == now


def test_a_receipt_is_answered_from_the_nearest_snapshot(store: RedisStore) -> None:
    of = record()
    now, events = play(store, of, 2 * SNAPSHOT_EVENTS)
    after, more = moved(now, random.Random(1))
    receipt = Receipt(bytes(16), now.version, after.version, 1)
    assert store.append(now, after, more, 1, (bytes(12), receipt)).done
    past = store.past(of.id, receipt.first, receipt.last)
    assert past
    assert [*past.events_after(receipt.first)] == more
    assert len(past.events) < 2 * SNAPSHOT_EVENTS
    assert past.game() == after
    assert events
