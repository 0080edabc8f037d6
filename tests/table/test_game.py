"""A game being played: versions, chance in between, replay, what is shown, and who has seen which decision."""

from typing import Any

import pytest

from service.rules import duel, roll_and_write
from service.rules.game import IllegalMove
from service.table.asking import Asked, Malformed, Refusal, act, understand
from service.table.game import Event, Record, Table, is_fresh, replay, settle, shown, start
from service.table.tokens import HOST, Caller, hashed, identify, token

SEED = bytes(range(32))


def record(game: Any, players: int, **changes: Any) -> Record:
    made = Record(
        id="a" * 16,
        variant=game.VARIANT,
        rules_version=game.RULES_VERSION,
        players=tuple(f"Player {seat}" for seat in range(players)),
        options=game.options({}),
        chance="server",
        seed=SEED,
        seeded_by="server",
        host=b"",
        seats=(),
        created_at=0,
        lifetime=1000,
    )
    return made._replace(**changes)


def do(table: Table, *notations: str, caller: Caller = HOST, limit: int = 10_000) -> tuple[Table, list[Event]]:
    return act(table, caller, [Asked(notation=notation) for notation in notations], limit, past_chance=True)


def held(table: Table) -> str:
    """A card in seat 0's hand."""
    return str(duel.view(table.state, 0)["hands"][0][0])


def test_version_0_is_the_game_before_any_event() -> None:
    before = start(record(duel, 2))
    assert (before.version, before.to_act, before.state.phase) == (0, ("chance",), "deal")
    table, events = settle(before)
    assert (table.version, table.to_act) == (2, (0,))
    assert [(event.actor, event.witness) for event in events] == [("chance", 0), ("chance", 1)]


def test_where_the_host_answers_for_chance_nothing_is_drawn() -> None:
    before = start(record(duel, 2, chance="client", seed=None))
    assert settle(before) == (before, [])


def test_replay_leads_to_the_same_game() -> None:
    opened, opening = settle(start(record(duel, 2)))
    table, events = do(opened, f"discard {held(opened)}", "draw deck")
    assert [event.actor for event in events] == [0, 0, "chance"]
    assert replay(table.record, [*opening, *events]) == table
    assert replay(table.record, opening) == opened
    assert replay(table.record, []) == start(table.record)


@pytest.mark.parametrize(("viewer", "expected"), [(0, "draw R7"), (1, "draw ?"), (None, "draw ?"), ("full", "draw R7")])
def test_a_secret_event_is_shown_to_its_witness_alone(viewer: Any, expected: str) -> None:
    event = Event("chance", "draw R7", witness=0)
    assert shown(record(duel, 2), event, viewer) == expected
    assert shown(record(duel, 2), Event(0, "draw deck"), viewer) == "draw deck"


def test_a_game_has_a_last_event() -> None:
    table, _ = settle(start(record(duel, 2)))
    card = held(table)
    with pytest.raises(IllegalMove) as caught:
        do(table, f"discard {card}", "draw deck", limit=4)
    assert caught.value.rule == "game-too-long"
    assert do(table, f"discard {card}", "draw deck", limit=5)[0].version == 5


def test_another_seats_move_leaves_a_decision_as_it_was_put() -> None:
    table = start(record(roll_and_write, 3, chance="client", seed=None))
    table, _ = do(table, "roll R O Y 1 2 3")
    assert not is_fresh(table, 0, 0)
    assert is_fresh(table, 1, 0)
    table, _ = do(table, "refuse")
    assert table.to_act == (1, 2)
    put = table.version
    table, _ = act(table, HOST, [Asked(seat=2, notation="refuse")], 100, past_chance=True)
    assert is_fresh(table, put, 1)
    assert not is_fresh(table, put, 2)  # its decision is made: whoever has not seen that is late
    assert not is_fresh(table, put - 1, 1)
    assert not is_fresh(table, table.version + 1, 1)
    table, _ = act(table, HOST, [Asked(seat=1, notation="refuse")], 100, past_chance=True)
    assert table.to_act == ("chance",)
    assert is_fresh(table, table.version, "chance")
    assert not is_fresh(table, put, "chance")


@pytest.mark.parametrize(
    ("asked", "notation"),
    [
        (Asked(notation="write R 7"), "write R 7"),
        (Asked(type="write", operands={"colour": "R", "number": 7}), "write R 7"),
        (Asked(type="write", operands={"colour": "R", "number": 7.0}), "write R 7"),
        (Asked(notation="write R 7", type="write", operands={"colour": "R", "number": 7}), "write R 7"),
        (Asked(type="refuse"), "refuse"),
    ],
)
def test_a_move_is_understood_however_it_is_said(asked: Asked, notation: str) -> None:
    assert understand(roll_and_write, asked).notation == notation


@pytest.mark.parametrize(
    ("asked", "code", "path"),
    [
        (Asked(), "not-a-move", ("notation",)),
        (Asked(notation="write R 11"), "not-a-move", ("notation",)),
        (Asked(type="fly"), "not-a-move", ("type",)),
        (Asked(type="write", operands={"colour": "R"}), "missing-field", ("number",)),
        (Asked(type="write", operands={"colour": "R", "number": "7"}), "not-a-move", ("number",)),
        (Asked(type="write", operands={"colour": "R", "number": True}), "not-a-move", ("number",)),
        (Asked(type="write", operands={"colour": "R", "number": 7, "x": 1}), "unknown-field", ("x",)),
        (Asked(type="refuse", operands={"x": None}), "unknown-field", ("x",)),
        (Asked(notation="refuse", operands={"x": 1}), "unknown-field", ("x",)),
        (Asked(notation="refuse", type="stop"), "contradiction", ("notation",)),
    ],
)
def test_what_is_not_understood_is_named(asked: Asked, code: str, path: tuple[str, ...]) -> None:
    with pytest.raises(Malformed) as caught:
        understand(roll_and_write, asked._replace(path=("moves", 3)))
    assert (caught.value.code, caught.value.path) == (code, ("moves", 3, *path))


def test_the_host_must_say_who_moves_where_several_can() -> None:
    table = start(record(roll_and_write, 3, chance="client", seed=None))
    table, _ = do(table, "roll R O Y 1 2 3", "refuse")
    with pytest.raises(Refusal) as caught:
        do(table, "refuse")
    assert caught.value.code == "seat-required"
    assert do(table, "refuse", caller=Caller("seat", 2))[1] == [Event(2, "refuse")]


def test_tokens_are_told_apart_by_their_hashes() -> None:
    host, *seats = (token("host", bytes(16)), token("seat", bytes(16)), token("seat", b"x" * 16))
    kept = [hashed(each) for each in (host, *seats)]
    assert identify(host, kept[0], kept[1:]) == HOST
    assert [identify(seat, kept[0], kept[1:]) for seat in seats] == [Caller("seat", 0), Caller("seat", 1)]
    assert identify("host_", kept[0], kept[1:]) is None
    assert identify(kept[0].hex(), kept[0], kept[1:]) is None
