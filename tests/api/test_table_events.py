"""Table events: resign, undo, claims, seats that change hands, forks."""

import random
import threading
import time
from typing import Any

import pytest
from flask import Flask
from lostcities.variants.registry import VARIANTS

from tests.api.test_secrets import games as pair_of_games
from tests.api.test_secrets import sameness
from tests.api.test_streams import open_
from tests.client import Answer, Client, GameClient, create_game
from tests.conftest import client_of
from tests.faults.processes import until

SEED = "ab" * 32


def call(game: GameClient, what: str, body: Any = None, token: str | None = None, **kwargs: Any) -> Answer:
    """A call about the table, by default of the host."""
    return game.api.post(f"{game.path}/{what}", body or {}, token=token or game.host, **kwargs)


def play_card(game: GameClient, seat: int = 0) -> str:
    """Let a seat of duel play or discard its first card. Returns the notation."""
    moves = game.get("/moves", token=game.seats[seat]).body["moves"]
    notation = str(moves[0]["notation"])
    assert game.move(notation, seat).status == 200
    return notation


# Resigning -------------------------------------------------------------------------------------------------------


def test_a_seat_of_two_that_resigns_loses_whatever_the_points(api: Client) -> None:
    game = create_game(api)
    answer = call(game, "resign", token=game.seats[1]).body
    assert [(event["actor"], event["notation"]) for event in answer["events"]] == [(1, "resign")]
    assert answer["game"]["status"] == "finished"
    assert answer["game"]["outcome"] == {"winners": [0], "totals": [0, 0], "reason": "resigned"}
    assert answer["game"]["resigned"] == [1]
    assert answer["game"]["bots"] == [None, None]
    assert game.get("/fairness").body["seed"]
    assert game.get("/score").body["winners"] == [0]


def test_a_game_of_more_seats_goes_on_with_a_bot(api: Client) -> None:
    game = create_game(api, "rivals", 3)
    body = call(game, "resign", {"seat": 2}).body["game"]
    assert (body["status"], body["resigned"], body["bots"]) == ("playing", [2], [None, None, "greedy"])
    assert call(game, "resign", token=game.seats[2]).code == "bot-seat"
    assert game.move("pass", token=game.seats[2]).code == "bot-seat"
    body = call(game, "resign", {"seat": 0}).body["game"]
    assert body["outcome"]["winners"] == [1]


def test_the_game_ends_when_no_person_plays_any_more(api: Client) -> None:
    players = ["Ann", {"name": "Bo", "bot": "greedy"}, {"name": "Cy", "bot": "random"}]
    created = api.post("/games", {"variant": "rivals", "players": players}).body
    game = GameClient(api, created["id"], created["tokens"]["host"], created["tokens"]["seats"], created)
    outcome = call(game, "resign", token=game.seats[0]).body["game"]["outcome"]
    assert outcome["reason"] == "abandoned"
    best = max(outcome["totals"][1:])
    assert outcome["winners"] == [seat for seat in (1, 2) if outcome["totals"][seat] == best]


def test_bots_cannot_play_on_where_the_host_reports_chance(api: Client) -> None:
    game = create_game(api, "roll-and-write", 3, chance="client")
    assert call(game, "resign", {"seat": 1}).code == "bots-need-seed"
    pair = create_game(api, chance="client")
    assert call(pair, "resign", {"seat": 1}).body["game"]["outcome"]["winners"] == [0]


def test_resigning_with_a_key_is_done_once(api: Client) -> None:
    game = create_game(api, "rivals", 3)
    first, second = (call(game, "resign", token=game.seats[1], key="k") for _ in range(2))
    assert second.headers["Idempotent-Replayed"] == "true"
    assert first.body == second.body
    assert call(game, "undo", token=game.seats[1], key="k").code == "idempotency-key-reused"


@pytest.mark.parametrize(
    ("what", "body", "who", "status", "code"),
    [
        ("resign", {}, "host", 422, "seat-required"),
        ("resign", {"seat": 2}, "host", 422, "unknown-seat"),
        ("resign", {"seat": 1}, "seat", 403, "not-your-seat"),
        ("undo", {"seat": 1}, "seat", 403, "not-your-seat"),
        ("undo", {}, "seat", 409, "undo-past-chance"),
        ("claim", {}, "seat", 409, "no-deadline"),
        ("claim", {"seat": 2}, "seat", 422, "unknown-seat"),
        ("seats/1", {"person": "Cleo"}, "seat", 403, "host-only"),
        ("seats/2", {"person": "Cleo"}, "host", 422, "unknown-seat"),
        ("seats/x", {"person": "Cleo"}, "host", 422, "unknown-seat"),
        ("seats/0", {"person": ""}, "host", 422, "invalid-request"),
        ("seats/0", {"bot": "genius"}, "host", 422, "invalid-request"),
        ("fork", {"version": 0}, "seat", 403, "host-only"),
        ("fork", {"version": 99}, "host", 422, "unknown-version"),
    ],
)
def test_refused_calls_change_nothing(api: Client, what: str, body: Any, who: str, status: int, code: str) -> None:
    game = create_game(api)
    before = game.get().body
    answer = call(game, what, body, token=game.host if who == "host" else game.seats[0])
    assert (answer.status, answer.code) == (status, code)
    if code != "invalid-request" and what != "seats/x":
        assert api.post(f"{game.path}/{what}", body).status == 401
    assert game.get().body == before


@pytest.mark.parametrize("what", ["resign", "undo", "claim", "seats/0"])
def test_a_finished_game_has_no_table_events(api: Client, what: str) -> None:
    game = create_game(api, turn_seconds=60)
    call(game, "resign", {"seat": 0})
    body = {"bot": "greedy"} if what == "seats/0" else {"seat": 1}
    assert call(game, what, body).code == "game-over"


# Undo ------------------------------------------------------------------------------------------------------------


def test_undo_restores_the_position(api: Client) -> None:
    game = create_game(api)
    before = game.get(token=game.seats[0]).body
    play_card(game)
    undone = call(game, "undo", token=game.seats[0]).body
    assert undone["events"][-1]["notation"] == "undo"
    assert undone["game"]["position"] == before["position"]
    assert undone["version"] == before["version"] + 2
    assert call(game, "undo", token=game.seats[0]).code == "nothing-to-undo"


def test_undo_stops_at_chance_and_at_others(api: Client) -> None:
    game = create_game(api, seed=SEED)
    play_card(game)
    game.do("draw deck")
    assert call(game, "undo", token=game.seats[0]).code == "undo-past-chance"
    play_card(game, 1)
    assert call(game, "undo", token=game.seats[0]).code == "undo-past-others"
    assert call(game, "undo", token=game.seats[1]).status == 200


def test_a_seat_cannot_undo_for_ever(api: Client) -> None:
    game = create_game(api)
    codes = []
    for _ in range(9):
        play_card(game)
        answer = call(game, "undo", token=game.seats[0])
        codes.append(answer.status)
    assert codes == [200] * 8 + [409]


# Clockwise order -------------------------------------------------------------------------------------------------


def others_choose(api: Client, **wish: Any) -> GameClient:
    """A game of roll-and-write in which the seats 1 to 3 are to choose."""
    game = create_game(api, "roll-and-write", 4, seed=SEED, **wish)
    while 0 in (state := game.get("?include=moves", token=game.host).body)["to_act"]:
        assert api.post(game.path + "/moves", state["moves"][-1], token=game.host).status == 200
    assert state["to_act"] == [1, 2, 3]
    return game


def test_a_seat_asks_for_clockwise_order(api: Client) -> None:
    game = others_choose(api, turn_seconds=60)
    answer = call(game, "clockwise", token=game.seats[2]).body
    assert [(event["actor"], event["notation"]) for event in answer["events"]] == [(2, "clockwise")]
    state = game.get().body
    assert (state["options"]["order"], state["to_act"]) == ("clockwise", [1])
    assert [clock["seat"] for clock in state["clocks"]] == [1]
    assert call(game, "clockwise", {"seat": 0}).code == "already-in-turn"
    moves = game.get("/moves", token=game.host).body["moves"]
    assert {move["seat"] for move in moves} == {1}
    question = {"options": state["options"], "position": state["position"]}
    assert api.post("/variants/roll-and-write/moves", question).body["moves"] == moves
    assert game.move(moves[0]["notation"], 3).status == 409


def test_a_record_with_clockwise_order_goes_on_with_it(api: Client) -> None:
    game = others_choose(api)
    call(game, "clockwise", {"seat": 3})
    record = game.get("/record", token=game.host).body
    assert (record["format"], record["options"]["order"]) == ("lostcities-record/2", "simultaneous")
    assert api.post("/variants/roll-and-write/verify", record).body["valid"]
    imported = api.post("/games", {"record": record}).body
    assert (imported["to_act"], imported["options"]["order"]) == ([1], "clockwise")
    assert game.get(f"?version={imported['version'] - 1}").body["options"]["order"] == "simultaneous"
    twice = {**record, "events": [*record["events"], record["events"][-1]]}
    assert api.post("/variants/roll-and-write/verify", twice).body["problem"]["rule"] == "already-in-turn"


# Seats that change hands -----------------------------------------------------------------------------------------


def test_a_person_gets_a_new_token_and_the_old_one_is_dead(api: Client) -> None:
    game = create_game(api)
    old = game.seats[1]
    handed, again = (call(game, "seats/1", {"person": "Cleo"}, key="once") for _ in range(2))
    assert handed.body == again.body
    new = handed.body["token"]
    assert new not in (old, game.host)
    assert handed.body["game"]["players"] == ["Player 0", "Cleo"]
    assert game.get(token=new).status == 200
    for what in ("", "/moves", "/history", "/events", "/score", "/record", "/advice"):
        assert game.get(what, token=old).code == "unknown-token"
    assert game.move("draw deck", token=old, key="x").code == "unknown-token"


def test_an_open_stream_of_a_replaced_token_ends_without_another_event(app: Flask, api: Client) -> None:
    game = create_game(api, seed=SEED)
    followed = open_(app, game.path + "/events?include=moves", game.seats[1])
    assert [next(followed).kind for _ in range(2)] == ["retry", "game"]
    call(game, "seats/1", {"person": "Cleo"})
    game.do("draw deck") if game.get().body["phase"] == "draw" else play_card(game)
    assert [(each.kind, each.data) for each in followed] == [("end", {"reason": "revoked"})]


def test_streams_of_the_others_go_on(app: Flask, api: Client) -> None:
    game = create_game(api, seed=SEED)
    streams = [open_(app, game.path + "/events", token) for token in (None, game.seats[0], game.host)]
    for each in streams:
        assert [next(each).kind for _ in range(2)] == ["retry", "game"]
    call(game, "seats/1", {"person": "Cleo"})
    call(game, "resign", {"seat": 1})
    for each in streams:
        assert [message.kind for message in each] == ["event", "event", "end"]


def test_a_long_poll_of_a_replaced_token_is_refused(app: Flask, api: Client) -> None:
    game = create_game(api, seed=SEED)
    version = game.created["version"]
    answers: list[Answer] = []

    def wait() -> None:
        answers.append(client_of(app).get(f"{game.path}?after={version}&wait=20", token=game.seats[1]))

    waiting = threading.Thread(target=wait)
    waiting.start()
    until(lambda: app.extensions["broadcaster"]._games.get(game.id))
    call(game, "seats/1", {"person": "Cleo"})
    waiting.join()
    assert [answer.code for answer in answers] == ["unknown-token"]


def test_a_bot_takes_over_and_moves_at_once(api: Client) -> None:
    game = create_game(api)
    handed = call(game, "seats/0", {"bot": "greedy"}).body
    assert handed["token"] is None
    assert handed["events"][0]["notation"] == "bot greedy"
    assert handed["game"]["to_act"] == [1]
    assert call(game, "seats/1", {"bot": "greedy"}).code == "person-required"
    back = call(game, "seats/0", {"person": "Ann"}).body
    assert back["game"]["bots"] == [None, None]


def test_a_resigned_seat_does_not_change_hands(api: Client) -> None:
    game = create_game(api, "rivals", 3)
    call(game, "resign", {"seat": 2})
    assert call(game, "seats/2", {"person": "Cleo"}).code == "seat-resigned"


# Deadlines -------------------------------------------------------------------------------------------------------


@pytest.fixture
def short_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns of a second: the contract's shortest limit is longer than a test should take."""
    monkeypatch.setattr("lostcities.games.clock.MILLISECONDS", 1)


def test_the_time_of_a_seat_is_shown_and_can_be_claimed(api: Client, short_turns: None) -> None:
    game = create_game(api, turn_seconds=300)
    (clock,) = game.created["clocks"]
    assert (clock["seat"], game.created["on_timeout"]) == (0, "resign")
    assert call(game, "claim", token=game.seats[1]).code == "too-early"
    time.sleep(0.35)
    assert call(game, "claim", token=game.seats[0]).code == "nothing-to-claim"
    claimed = call(game, "claim", token=game.seats[1]).body
    assert [event["notation"] for event in claimed["events"]] == ["timeout"]
    assert claimed["game"]["outcome"]["winners"] == [1]


def test_a_bot_plays_on_after_a_claim(api: Client, short_turns: None) -> None:
    game = create_game(api, turn_seconds=5, on_timeout="bot")
    time.sleep(0.01)
    claimed = call(game, "claim").body
    assert claimed["game"]["bots"] == ["greedy", None]
    assert claimed["game"]["resigned"] == []
    assert [clock["seat"] for clock in claimed["game"]["clocks"]] == [1]


def test_a_seat_gains_no_time_by_taking_its_move_back(api: Client) -> None:
    """In duel the turn ends without chance when a card is drawn from a pile."""
    game = create_game(api, turn_seconds=300, seed=SEED)
    (clock,) = game.created["clocks"]
    seat = clock["seat"]
    discard = next(each for each in game.get("/moves", token=game.host).body["moves"] if each["type"] == "discard")
    game.do(discard["notation"])
    game.move(f"draw {discard['card'][0]}")
    assert game.get().body["to_act"] == [seat]  # the own discard cannot be drawn
    game.do("draw deck")
    other = next(
        each
        for each in game.get("/moves", token=game.host).body["moves"]
        if each["type"] == "discard" and each["card"][0] != discard["card"][0]
    )
    game.do(other["notation"])
    (before,) = game.get().body["clocks"]
    game.do(f"draw {discard['card'][0]}")
    assert [each["seat"] for each in game.get().body["clocks"]] == [seat]
    undone = call(game, "undo", {"seat": 1 - seat}).body["game"]
    assert undone["clocks"] == [before]


def test_a_seat_that_has_lost_on_time_is_told_that_the_game_is_over(api: Client, short_turns: None) -> None:
    game = create_game(api, turn_seconds=5)
    (move, *_) = game.get("/moves", token=game.seats[0]).body["moves"]
    time.sleep(0.01)
    assert call(game, "claim", token=game.seats[1]).status == 200
    assert api.post(game.path + "/moves", move, token=game.seats[0]).code == "game-over"


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"turn_seconds": 4}, "invalid-request"),
        ({"turn_seconds": 10_000_000}, "invalid-request"),
        ({"on_timeout": "bot"}, "turn-seconds-required"),
        ({"turn_seconds": 60, "on_timeout": "bot", "chance": "client"}, "bots-need-seed"),
    ],
)
def test_wrong_time_limits_are_refused(api: Client, wish: Any, code: str) -> None:
    answer = api.post("/games", {"variant": "duel", "players": ["Ann", "Ben"], **wish})
    assert (answer.status, answer.code) == (422, code)


# Forks -----------------------------------------------------------------------------------------------------------


def test_a_fork_goes_on_from_a_version_with_a_new_seed(api: Client) -> None:
    game = create_game(api, seed=SEED)
    play_card(game)
    game.do("draw deck")
    version = game.get().body["version"] - 1
    forked = call(game, "fork", {"version": version}).body
    assert forked["version"] >= version
    assert forked["commitment"] != game.created["commitment"]
    new = GameClient(api, forked["id"], forked["tokens"]["host"], forked["tokens"]["seats"], forked)
    events = [game.get("/record", token=game.host), new.get("/record", token=new.host)]
    assert events[0].body["events"][:version] == events[1].body["events"][:version]
    assert game.get(token=new.host).code == "unknown-token"


def test_any_caller_forks_a_finished_game(api: Client) -> None:
    game = create_game(api)
    assert api.post(f"{game.path}/fork", {"version": 2}).code == "token-required"
    call(game, "resign", {"seat": 0})
    assert api.post(f"{game.path}/fork", {"version": 2}).status == 201
    assert api.post(f"{game.path}/fork", {"version": game.get().body["version"]}).code == "game-over"


# Records ---------------------------------------------------------------------------------------------------------


def eventful(api: Client, variant: str, seats: int, seed: int) -> GameClient:
    """A finished game with table events of every kind."""
    game = create_game(api, variant, seats, turn_seconds=5, on_timeout="bot", seed=SEED)
    rng = random.Random(seed)
    tokens = [*game.seats]
    for number in range(30):
        state = game.get("?include=moves", token=game.host).body
        if state["status"] == "finished":
            return game
        move = rng.choice(state["moves"])
        assert api.post(game.path + "/moves", move, token=game.host).status == 200
        if number % 3 == 0 or number < 5:
            call(game, "undo", {"seat": move["seat"]})
        if number == 5:
            tokens[0] = call(game, "seats/0", {"person": "Cleo"}).body["token"]
        if number == 9:
            call(game, "seats/1", {"bot": "greedy"})
        if number == 12:
            call(game, "seats/1", {"person": "Dora"})
        if number == 20:
            time.sleep(0.01)
            call(game, "claim", {"seat": game.get().body["to_act"][0]})
            break
    for seat in range(seats):
        call(game, "resign", {"seat": seat})
    return game


@pytest.mark.parametrize("variant", VARIANTS)
def test_records_with_table_events_verify_and_import(api: Client, variant: str, short_turns: None) -> None:
    seats = VARIANTS[variant].rules.INFO.seats[1]
    game = eventful(api, variant, seats, 7)
    record = game.get("/record", token=game.host).body
    assert record["format"] == "lostcities-record/2"
    kinds = {event["notation"].split()[0] for event in record["events"]}
    assert {"resign", "undo", "person", "bot", "timeout"} <= kinds
    verdict = api.post(f"/variants/{variant}/verify", record).body
    assert (verdict["valid"], verdict["chance"], verdict["outcome"]) == (True, "verified", record["outcome"])
    imported = api.post("/games", {"record": record}).body
    assert imported["outcome"] == record["outcome"]
    assert imported["players"] == game.get().body["players"]
    for version in range(0, len(record["events"]), 17):
        assert game.get(f"?version={version}").status == 200


def broken(record: Any, kind: str) -> list[tuple[Any, set[str]]]:
    """The record with one field of its first table event of a kind changed, and the codes that may name it."""
    place = next(at for at, event in enumerate(record["events"]) if event["notation"].split()[0] == kind)
    event, events = record["events"][place], record["events"]

    def changed(**members: Any) -> Any:
        return {**record, "events": [*events[:place], {**event, **members}, *events[place + 1 :]]}

    illegal = {"illegal-event", "wrong-chance", "not-a-move", "wrong-outcome"}
    return [
        (changed(notation="resigned"), {"not-a-move"}),
        (changed(actor="chance"), {"not-a-move"}),
        (changed(actor=9), {"unknown-seat"}),
        ({**record, "events": [*events[:place], *events[place + 1 :]]}, illegal),
        ({**record, "format": "lostcities-record/1"}, {"wrong-deadline"}),
        ({name: value for name, value in record.items() if name != "on_timeout"}, {"wrong-deadline"}),
        ({name: value for name, value in record.items() if name != "turn_seconds"}, {"wrong-deadline"}),
    ]


@pytest.mark.parametrize("kind", ["undo", "bot", "person", "timeout", "resign"])
def test_changed_table_events_are_found(api: Client, kind: str, short_turns: None) -> None:
    game = eventful(api, "duel", 2, 7)
    record = game.get("/record", token=game.host).body
    for document, codes in broken(record, kind):
        verdict = api.post("/variants/duel/verify", document).body
        assert not verdict["valid"]
        assert verdict["problem"]["code"] in codes


# Secrets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("undo", {}),
        ("resign", {"seat": 1}),
        ("claim", {}),
        ("seats/1", {"person": "Cleo"}),
        ("seats/1", {"bot": "greedy"}),
        ("fork", {"version": 3}),
        ("undo", {"seat": 1}),
    ],
)
def test_answers_about_the_table_do_not_depend_on_hidden_cards(api: Client, what: str, body: Any) -> None:
    """Two games that differ in the hand of seat 1, asked by seat 0 and by the host without a view."""
    for who in ("seat", "host"):
        shown = []
        for game in pair_of_games(api):
            if who == "host" and what in ("resign", "fork", "seats/1"):
                continue  # the end is public, a new token random, a bot needs a seed
            answer = call(game, what, body, token=game.seats[0] if who == "seat" else game.host)
            shown.append(sameness(game, answer))
        assert shown == shown[:1] * len(shown)
