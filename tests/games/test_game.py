"""A game in progress: versions, chance in between, replay, redaction, and which decisions a version shows."""

from contextlib import nullcontext
from typing import Any

import pytest
from lostcities.games.game import Event, Game, Setup, has_seen_decision, redact, replay, resolve_chance, start
from lostcities.games.moves import (
    Malformed,
    PreconditionFailed,
    Refusal,
    RequestedMove,
    apply_moves,
    require_seen,
    resolve_moves,
)
from lostcities.games.tokens import HOST, Caller, format_token, hash_token, identify
from lostcities.rules import duel, roll_and_write
from lostcities.variants.core import IllegalMove, Result

SEED = bytes(range(32))


def setup(game: Any, players: int, **changes: Any) -> Setup:
    made = Setup(
        variant=game.VARIANT,
        rules_version=game.RULES_VERSION,
        players=tuple(f"Player {seat}" for seat in range(players)),
        options=game.parse_options({}),
        chance="server",
        seed=SEED,
        seeded_by="server",
    )
    return made._replace(**changes)


def do(table: Game, *notations: str, caller: Caller = HOST) -> tuple[Game, list[Event]]:
    return make(table, *[RequestedMove(notation=notation) for notation in notations], caller=caller)


def make(table: Game, *requested: RequestedMove, caller: Caller = HOST) -> tuple[Game, list[Event]]:
    return apply_moves(table, caller, resolve_moves(table.rules, requested), past_chance=True)


def held(table: Game) -> str:
    """A card in seat 0's hand."""
    return str(duel.to_position(table.state, 0)["hands"][0][0])


def test_version_0_is_the_game_before_any_event() -> None:
    before = start(setup(duel, 2))
    assert (before.version, before.to_act, before.state.phase) == (0, ("chance",), "deal")
    table, events = resolve_chance(before)
    assert (table.version, table.to_act) == (2, (0,))
    assert [(event.actor, event.visible_to) for event in events] == [("chance", 0), ("chance", 1)]


def test_with_client_chance_no_outcome_is_drawn() -> None:
    before = start(setup(duel, 2, chance="client", seed=None))
    assert resolve_chance(before) == (before, [])


def test_replaying_the_events_gives_the_same_game() -> None:
    opened, opening = resolve_chance(start(setup(duel, 2)))
    table, events = do(opened, f"discard {held(opened)}", "draw deck")
    assert [event.actor for event in events] == [0, 0, "chance"]
    assert replay(start(table.setup), [*opening, *events]) == table
    assert replay(start(table.setup), opening) == opened
    assert replay(start(table.setup), []) == start(table.setup)


@pytest.mark.parametrize(("viewer", "expected"), [(0, "draw R7"), (1, "draw ?"), (None, "draw ?"), ("full", "draw R7")])
def test_a_secret_event_is_shown_to_its_witness_alone(viewer: Any, expected: str) -> None:
    event = Event("chance", "draw R7", visible_to=0)
    assert redact(duel, event, viewer) == expected
    assert redact(duel, Event(0, "draw deck"), viewer) == "draw deck"


def test_the_number_of_events_is_limited() -> None:
    """The limit is checked before a seat's move: the card that is drawn may exceed it."""
    table, _ = resolve_chance(start(setup(duel, 2, max_events=4)))
    table, _ = do(table, f"discard {held(table)}", "draw deck")
    assert (table.version, table.to_act, table.phase) == (5, (), "over")
    assert table.result == Result((), (0, 0), "too-long")
    table, _ = resolve_chance(start(setup(duel, 2, max_events=3)))
    with pytest.raises(IllegalMove) as caught:
        do(table, f"discard {held(table)}", "draw deck")
    assert caught.value.rule == "game-over"


def test_another_seats_move_leaves_a_decision_as_it_was_put() -> None:
    table = start(setup(roll_and_write, 3, chance="client", seed=None))
    table, _ = do(table, "roll R O Y 1 2 3")
    assert not has_seen_decision(table, 0, 0)
    assert has_seen_decision(table, 1, 0)
    table, _ = do(table, "refuse")
    assert table.to_act == (1, 2)
    put = table.version
    table, _ = make(table, RequestedMove(seat=2, notation="refuse"))
    assert has_seen_decision(table, put, 1)
    assert not has_seen_decision(table, put, 2)  # seat 2 has decided since then
    assert not has_seen_decision(table, put - 1, 1)
    assert not has_seen_decision(table, table.version + 1, 1)
    table, _ = make(table, RequestedMove(seat=1, notation="refuse"))
    assert table.to_act == ("chance",)
    assert has_seen_decision(table, table.version, "chance")
    assert not has_seen_decision(table, put, "chance")


@pytest.mark.parametrize(
    ("asked", "notation"),
    [
        (RequestedMove(notation="write R 7"), "write R 7"),
        (RequestedMove(type="write", operands={"colour": "R", "number": 7}), "write R 7"),
        (RequestedMove(type="write", operands={"colour": "R", "number": 7.0}), "write R 7"),
        (RequestedMove(notation="write R 7", type="write", operands={"colour": "R", "number": 7}), "write R 7"),
        (RequestedMove(type="refuse"), "refuse"),
    ],
)
def test_a_move_is_understood_however_it_is_said(asked: RequestedMove, notation: str) -> None:
    assert resolve_moves(roll_and_write, [asked])[0].move.notation == notation


@pytest.mark.parametrize(
    ("asked", "code", "path"),
    [
        (RequestedMove(), "not-a-move", ("notation",)),
        (RequestedMove(notation="write R 11"), "not-a-move", ("notation",)),
        (RequestedMove(type="fly"), "not-a-move", ("type",)),
        (RequestedMove(type="write", operands={"colour": "R"}), "missing-field", ("number",)),
        (RequestedMove(type="write", operands={"colour": "R", "number": "7"}), "not-a-move", ("number",)),
        (RequestedMove(type="write", operands={"colour": "R", "number": True}), "not-a-move", ("number",)),
        (RequestedMove(type="write", operands={"colour": "R", "number": 7, "x": 1}), "unknown-field", ("x",)),
        (RequestedMove(type="refuse", operands={"x": None}), "unknown-field", ("x",)),
        (RequestedMove(notation="refuse", operands={"x": 1}), "unknown-field", ("x",)),
        (RequestedMove(notation="refuse", type="stop"), "contradiction", ("notation",)),
    ],
)
def test_what_is_not_understood_is_named(asked: RequestedMove, code: str, path: tuple[str, ...]) -> None:
    with pytest.raises(Malformed) as caught:
        resolve_moves(roll_and_write, [asked._replace(path=("moves", 3))])
    assert (caught.value.code, caught.value.path) == (code, ("moves", 3, *path))


def test_the_host_must_say_who_moves_where_several_can() -> None:
    table = start(setup(roll_and_write, 3, chance="client", seed=None))
    table, _ = do(table, "roll R O Y 1 2 3", "refuse")
    with pytest.raises(Refusal) as caught:
        do(table, "refuse")
    assert caught.value.code == "seat-required"
    assert do(table, "refuse", caller=Caller("seat", 2))[1] == [Event(2, "refuse")]


@pytest.mark.parametrize(
    ("versions", "is_seen"), [([2], True), ([1], False), ([1, 2], True), ([3], False), ([], False)]
)
def test_a_list_is_refused_if_one_of_its_decisions_came_up_later(versions: list[int], is_seen: bool) -> None:
    """The second move names no seat: it is the decision of seat 2, which came up at version 2."""
    table = start(setup(roll_and_write, 3, chance="client", seed=None))
    table, _ = do(table, "roll R O Y 1 2 3", "refuse")
    moves = resolve_moves(roll_and_write, [RequestedMove(seat=1, notation="refuse"), RequestedMove(notation="refuse")])
    with nullcontext() if is_seen else pytest.raises(PreconditionFailed):
        apply_moves(table, HOST, moves, past_chance=True, check=require_seen(table, versions))


def test_tokens_are_told_apart_by_their_hashes() -> None:
    host, *seats = (format_token("host", bytes(16)), format_token("seat", bytes(16)), format_token("seat", b"x" * 16))
    kept = [hash_token(each) for each in (host, *seats)]
    assert identify(host, kept[0], kept[1:]) == HOST
    assert [identify(seat, kept[0], kept[1:]) for seat in seats] == [Caller("seat", 0), Caller("seat", 1)]
    assert identify("host_", kept[0], kept[1:]) is None
    assert identify(kept[0].hex(), kept[0], kept[1:]) is None
