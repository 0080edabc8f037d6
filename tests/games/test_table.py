"""Table events: what they do to a game, and that simultaneous requests leave a legal history."""

import os
import random
from collections.abc import Callable, Sequence
from typing import Any, Literal

import pytest
from lostcities.games.changes import ChangeResult
from lostcities.games.creation import CreationResult, RequestedGame
from lostcities.games.game import Course, Event, undoes_more
from lostcities.games.moves import Refusal, RequestedMove, ViewRequest
from lostcities.games.records import TABLE_FORMAT, plain, record_of
from lostcities.games.service import GameService
from lostcities.games.storage import AppendResult, Receipt, StoredGame
from lostcities.games.table import BOT, NOTATIONS, PERSON, OwnEvent, TableEvent, parse_table_event
from lostcities.games.thinking import Bounds, Thinkers
from lostcities.store.redis import RedisStore
from lostcities.variants.core import CHANCE, FULL, IllegalMove
from lostcities.variants.registry import VARIANTS

from tests.conformance.tables import TABLES
from tests.store.tables import HOUR, dealt, setup

SCHEDULES = 20_000 if os.environ.get("RACES") == "full" else 1_000
VIEW = ViewRequest()


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_move_of_a_game_is_written_like_a_table_event(variant: str) -> None:
    words = {notation.split()[0] for notation in NOTATIONS}
    moves = {*VARIANTS[variant].rules.VOCABULARY, *(kind.notation for kind in VARIANTS[variant].rules.INFO.moves)}
    assert {notation.split()[0] for notation in moves} & words == set()


@pytest.mark.parametrize("notation", ["person", "person ", "person  Cleo", "person a\nb", "bot", "bot genius", "UNDO"])
def test_other_text_is_no_table_event(notation: str) -> None:
    assert parse_table_event(notation) is None


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_undo_restores_the_state_and_shows_nothing_more(variant: str, seats: int) -> None:
    """After every move of a game that can be taken back, for every viewer."""
    rng = random.Random(f"{variant}{seats}")
    stored, _ = dealt(setup(variant, seats))
    course, undone = Course(stored.game), 0
    for _ in range(200):
        game = course.game
        if not game.to_act:
            break
        if game.to_act == (CHANCE,):
            course.move(CHANCE, game.rules.sample_chance(game.state, rng.randrange))
            continue
        seat = rng.choice(game.to_act)
        assert seat != CHANCE
        move = rng.choice(game.rules.legal_moves(game.state, seat))
        course.move(seat, move)
        if course.game.is_over:
            break
        course.change_table(seat, TableEvent("undo"))
        undone += 1
        assert course.game.state == game.state
        assert course.game.version == game.version + 2
        for viewer in (*range(seats), None):
            now, before = (each.rules.to_position(each.state, viewer) for each in (course.game, game))
            assert now == before
        course.move(seat, move)
    assert undone > 10


def test_events_that_undo_an_earlier_move_need_an_earlier_snapshot() -> None:
    play, undo = Event(0, "play R7"), Event(0, "undo")
    assert not undoes_more([play, undo, play, play, undo, undo])
    assert undoes_more([play, undo, undo])
    assert undoes_more([undo])


def test_an_undo_of_a_move_in_a_snapshot_is_replayed_from_the_one_before(store_url: str) -> None:
    """A snapshot is stored at every 64th version; the undo of the move that leads to it comes after it."""
    service = service_on(RedisStore(store_url, timeout=20))
    rng = random.Random(1)
    game = service.create(RequestedGame("duel", ("Ann", "Ben"), {"rounds": 3}, seed=bytes(32)), None)
    states: dict[int, Any] = {}
    while True:
        now = service.read(game.stored.id, None)[0].game
        states[now.version] = now.rules.to_position(now.state, FULL)
        assert now.version < 140
        before, seat = now.version, now.to_act[0]
        assert isinstance(seat, int)
        move = rng.choice(now.rules.legal_moves(now.state, seat)).notation
        make(service, game, RequestedMove(seat, notation=move))
        if service.read(game.stored.id, None)[0].game.version % 64 == 0:
            try:
                service.change_table(game.stored.id, game.host, "undo", seat, view=VIEW, idempotency_key=None)
                break
            except IllegalMove:
                continue
    past, _ = service.read_at(game.stored.id, None, before + 2)
    restored = past.game()
    assert restored.rules.to_position(restored.state, FULL) == states[before]


def test_at_the_limit_of_events_only_chance_adds_one() -> None:
    """A draw is the last event that a game may have: the host has still to say what was drawn."""
    begun = Course(dealt(setup("duel"))[0].game)
    begun.move(0, begun.game.rules.legal_moves(begun.game.state, 0)[0])
    limited = begun.game.setup._replace(chance="client", seed=None, max_events=begun.game.version + 1)
    course = Course(begun.game._replace(setup=limited))
    course.move(0, begun.game.rules.parse("draw deck"))
    before = course.game
    assert before.to_act == (CHANCE,)
    for kind in ("undo", "resign", "person"):
        with pytest.raises(IllegalMove) as refused:
            course.change_table(0, TableEvent(kind, "Cleo" if kind == "person" else ""))
        assert (refused.value.rule, course.game) == ("game-over", before)
    course.move(CHANCE, before.rules.sample_chance(before.state, random.Random(1).randrange))
    result = course.game.result
    assert result
    assert result.reason == "too-long"


# Clockwise order -------------------------------------------------------------------------------------------------


def rolled(seats: int = 4) -> Course:
    """A game of roll-and-write whose others are to choose."""
    stored, _ = dealt(setup("roll-and-write", seats))
    course = Course(stored.game)
    course.move(0, course.game.rules.legal_moves(course.game.state, 0)[-1])
    assert course.game.to_act == tuple(range(1, seats))
    return course


def choose(course: Course, seat: int) -> None:
    """Let a seat choose, and finish its part of the turn."""
    while seat in course.game.to_act:
        course.move(seat, course.game.rules.legal_moves(course.game.state, seat)[-1])


def test_the_others_choose_clockwise_from_this_turn_on_if_none_has_chosen() -> None:
    course = rolled()
    course.change_table(3, TableEvent("clockwise"))
    assert course.game.state.options.order == "clockwise"
    assert course.game.to_act == (1,)
    with pytest.raises(IllegalMove):
        course.move(2, course.game.rules.legal_moves(rolled().game.state, 2)[-1])
    choose(course, 1)
    assert course.game.to_act == (2,)


def test_the_others_choose_clockwise_from_the_next_turn_on_if_one_has_chosen() -> None:
    course = rolled()
    choose(course, 2)
    course.change_table(3, TableEvent("clockwise"))
    assert course.game.state.options.order == "simultaneous"
    assert [*course.game.to_act] == [1, 3]
    choose(course, 3)
    choose(course, 1)
    assert course.game.state.options.order == "clockwise"
    game = course.game
    course.move(CHANCE, game.rules.sample_chance(game.state, random.Random(1).randrange))
    choose(course, 1)
    assert course.game.to_act == (2,)


def test_a_move_after_which_the_order_changes_can_be_taken_back() -> None:
    course = rolled(3)
    choose(course, 1)
    course.change_table(1, TableEvent("clockwise"))
    before = course.game
    moves = 0
    while 2 in course.game.to_act:
        course.move(2, before.rules.legal_moves(course.game.state, 2)[-1])
        moves += 1
    assert course.game.state.options.order == "clockwise"
    for _ in range(moves):
        course.change_table(2, TableEvent("undo"))
    assert (course.game.state, course.game.to_act) == (before.state, (2,))


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_whose_seats_choose_in_turn_has_no_other_order(variant: str) -> None:
    course = rolled(3) if variant == "roll-and-write" else Course(dealt(setup(variant))[0].game)
    if variant == "roll-and-write":
        course.change_table(1, TableEvent("clockwise"))
    before = course.game
    with pytest.raises(IllegalMove) as refused:
        course.change_table(0, TableEvent("clockwise"))
    assert (refused.value.rule, course.game) == ("already-in-turn", before)


# Races -----------------------------------------------------------------------------------------------------------


class Interleaving(RedisStore):
    """A store in which other requests come between the read and the write of a request."""

    def __init__(self, url: str) -> None:
        super().__init__(url, timeout=20)
        self.rng = random.Random(0)
        self.others: list[Callable[[], None]] = []

    def append(
        self, before: StoredGame, after: StoredGame, events: Sequence[Event], receipt: tuple[bytes, Receipt] | None
    ) -> AppendResult:
        while self.others and self.rng.random() < 0.5:
            self.others.pop()()
        return super().append(before, after, events, receipt)


def service_on(store: RedisStore) -> GameService:
    return GameService(store, lifetime=HOUR, finished_lifetime=HOUR, max_events=5000, thinkers=Thinkers(Bounds(8, 8)))


def make(service: GameService, game: CreationResult, *moves: RequestedMove) -> ChangeResult:
    return service.make_moves(game.stored.id, game.host, moves, view=VIEW, versions_seen=None, idempotency_key=None)


def test_simultaneous_requests_leave_a_linear_and_legal_history(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In random schedules of moves and table events. What was acknowledged is in the history."""
    monkeypatch.setattr("lostcities.games.clock.MILLISECONDS", 0)
    store = Interleaving(store_url)
    service = service_on(store)
    refused = acknowledged = finished = 0
    for number in range(SCHEDULES):
        rng = store.rng = random.Random(number)
        variant, seats = rng.choice([("duel", 2), ("rivals", 3), ("roll-and-write", 3), ("treasure-hunt", 2)])
        on_timeout: Literal["resign", "bot"] = rng.choice(["resign", "bot"])
        new = RequestedGame(variant, ("Ann", "Ben", "Cid")[:seats], {}, turn_seconds=60, on_timeout=on_timeout)
        game = service.create(new, None)
        results: list[ChangeResult] = []
        problems: list[Exception] = []

        def run(act: Callable[[], ChangeResult], results: Any = results, problems: Any = problems) -> None:
            try:
                results.append(act())
            except (IllegalMove, Refusal) as error:
                problems.append(error)

        acts = [request(service, game, rng) for _ in range(6)]
        store.others = [lambda act=act: run(act) for act in acts]  # type: ignore[misc]
        while store.others:
            store.others.pop()()
        assert len(results) + len(problems) == len(acts)
        stored, events, _ = service.history(game.stored.id, None, 0, 10_000)
        assert len(events) == stored.game.version
        taken = sorted((each.first, each.stored.game.version) for each in results)
        ends = [game.stored.game.version, *(last for _, last in taken)]
        assert [first for first, _ in taken] == ends[:-1]
        assert ends[-1] == stored.game.version
        for each in results:
            assert events[each.first : each.stored.game.version] == [*each.events]
        replayed = service.verify(record_of(stored.game, events)._replace(seed=stored.game.setup.seed)).game
        assert (replayed.state, replayed.seating) == (stored.game.state, stored.game.seating)
        refused, acknowledged = refused + len(problems), acknowledged + len(results)
        finished += stored.game.is_over
    assert min(refused, acknowledged, finished) > SCHEDULES / 10


def request(service: GameService, game: CreationResult, rng: random.Random) -> Callable[[], ChangeResult]:
    """A random request of the host."""
    game_id, host, seat = game.stored.id, game.host, rng.randrange(game.stored.game.seats)

    def move() -> ChangeResult:
        now = service.read(game_id, None)[0].game
        actor = next((each for each in now.to_act if each != CHANCE), 0)
        legal = now.rules.legal_moves(now.state, actor) if now.to_act else ()
        notation = rng.choice(legal or [*now.rules.VOCABULARY.values()]).notation
        return make(service, game, RequestedMove(actor, notation=notation))

    def hand_over(player: TableEvent) -> ChangeResult:
        return service.hand_over(game_id, host, seat, player, view=VIEW, idempotency_key=None).result

    def change(kind: OwnEvent) -> ChangeResult:
        return service.change_table(game_id, host, kind, seat, view=VIEW, idempotency_key=None)

    return rng.choice(
        [
            *[move] * 4,
            *[lambda: change("undo")] * 2,
            lambda: change("resign"),
            lambda: change("clockwise"),
            lambda: service.claim(game_id, host, seat, view=VIEW, idempotency_key=None),
            lambda: hand_over(TableEvent(PERSON, "Dee")),
            lambda: hand_over(TableEvent(BOT, "random")),
        ]
    )


def test_many_simultaneous_claims_make_one_event(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lostcities.games.clock.MILLISECONDS", 0)
    store = Interleaving(store_url)
    service = service_on(store)
    new = RequestedGame("treasure-hunt", ("Ann", "Ben", "Cid"), {}, turn_seconds=60, on_timeout="bot")
    game = service.create(new, None)
    outcomes: list[str] = []

    def claim() -> None:
        try:
            service.claim(game.stored.id, game.host, 0, view=VIEW, idempotency_key=None)
            outcomes.append("done")
        except IllegalMove as error:
            outcomes.append(error.rule)

    store.others = [claim] * 40
    while store.others:
        store.others.pop()()
    assert sorted(outcomes) == ["done", *["nothing-to-claim"] * 39]


# Records ---------------------------------------------------------------------------------------------------------


def test_a_record_without_table_events_keeps_its_format() -> None:
    stored, events = dealt()
    assert plain(record_of(stored.game, events))["format"] != TABLE_FORMAT
    course = Course(stored.game)
    more = [*events, course.change_table(0, TableEvent("resign"))]
    record = record_of(course.game, more)
    assert plain(record)["format"] == TABLE_FORMAT
