"""The limit of events, for every variant: what is listed can be made, and at the limit the game is over."""

import random
import threading
from typing import Any

import pytest
from flask import Flask
from lostcities.app import create_app
from lostcities.config import Settings
from lostcities.games.game import Event, Game, advance, replay, resolve_chance, start
from lostcities.variants.core import IllegalMove, Result
from lostcities.variants.registry import VARIANTS

from tests.client import Client, GameClient, create_game
from tests.conformance.tables import every_table, every_variant
from tests.conftest import client_of
from tests.sse import messages
from tests.store.tables import setup

LIMIT = 20
SEED = "5e" * 32


@pytest.fixture(scope="module")
def app(store_url: str) -> Flask:
    """The application with a low limit."""
    settings = Settings(redis_url=store_url, redis_timeout=20_000, rate_limits=None, max_events=LIMIT, finished_ttl=60)
    return create_app(settings)


@pytest.fixture(scope="module")
def api(app: Flask) -> Client:
    return client_of(app)


def play(game: GameClient, rng: random.Random) -> Any:
    """Make listed moves with the seats' tokens until the game is over. Returns the game as a spectator sees it."""
    while (shown := game.get().body)["to_act"]:
        move = rng.choice(game.get("/moves", token=game.seats[rng.choice(shown["to_act"])]).body["moves"])
        answer = game.api.post(f"{game.path}/moves", move, token=game.seats[move["seat"]])
        assert answer.status == 200, answer.content
    return shown


def play_in_memory(game: Game, rng: random.Random) -> tuple[Game, list[Event]]:
    events: list[Event] = []
    while seats := [actor for actor in game.to_act if actor != "chance"]:
        seat = rng.choice(seats)
        game, event = advance(game, seat, rng.choice(game.rules.legal_moves(game.state, seat)))
        game, answers = resolve_chance(game)
        events += [event, *answers]
    return game, events


@every_table
@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8, 9, 30])
def test_a_game_ends_at_its_limit_and_not_before(variant: str, seats: int, limit: int) -> None:
    opened, opening = resolve_chance(start(setup(variant, seats)._replace(max_events=limit)))
    game, events = play_in_memory(opened, random.Random(limit))
    history = [*opening, *events]
    result = game.result
    assert result
    assert (result.reason == "too-long") == (game.rules.result(game.state) is None)
    assert result.reason != "too-long" or game.version >= limit
    assert [version for version, event in enumerate(history) if event.actor != "chance" and version >= limit] == []
    # The past of the game is not over, and its replay gives the same game.
    assert replay(start(game.setup), history) == game
    earlier = [replay(start(game.setup), history[:version]) for version in range(len(history))]
    assert [each.version for each in earlier if each.is_over] == []
    with pytest.raises(IllegalMove) as caught:
        advance(game, 0, next(iter(game.rules.VOCABULARY.values())))
    assert caught.value.rule == "game-over"


@every_table
def test_at_the_limit_the_game_is_finished_like_any_other(api: Client, variant: str, seats: int) -> None:
    game = create_game(api, variant, seats, seed=SEED)
    shown = play(game, random.Random(seats))
    score = game.get("/score").body
    totals = [seat["total"] for seat in score["seats"]]
    assert shown["version"] >= LIMIT
    assert (shown["status"], shown["to_act"], shown["phase"]) == ("finished", [], "over")
    assert shown["outcome"] == {"winners": [], "totals": totals, "reason": "too-long"}
    assert (score["final"], score["winners"]) == (True, [])
    assert game.get("/moves", token=game.host).body["moves"] == []
    assert game.get("/fairness").body["seed"] == SEED
    # Everything is public, in every call.
    full = game.get("?view=full", token=game.host).body
    assert shown == full
    assert shown["position"]["phase"] != "over"
    assert "?" not in game.get("/history").content.decode()
    assert "too-long" in [ending["reason"] for ending in api.get(f"/variants/{variant}").body["endings"]]
    assert b"no winner" in game.get("/board.svg").content


@every_table
def test_moves_after_the_limit_are_refused_as_in_any_finished_game(api: Client, variant: str, seats: int) -> None:
    game = create_game(api, variant, seats, seed=SEED)
    play(game, random.Random(seats))
    notation = next(iter(VARIANTS[variant].rules.VOCABULARY))
    for token, body in ((game.host, {"notation": notation}), (game.seats[0], {"seat": 0, "notation": notation})):
        answer = api.post(f"{game.path}/moves", body, token=token)
        assert (answer.status, answer.code) == (409, "game-over")
        judged = api.post(f"{game.path}/check", body, token=token).body
        assert (judged["legal"], judged["problem"]["code"]) == (False, "game-over")


@every_variant
def test_a_list_of_moves_ends_at_the_limit(api: Client, variant: str) -> None:
    """The host's list continues past chance. All of it is made, or nothing if it exceeds the limit."""
    rules = VARIANTS[variant].rules
    seats = rules.INFO.seats[1]
    of = setup(variant, seats)._replace(seed=bytes.fromhex(SEED), options=rules.parse_options({}), max_events=LIMIT)
    opened, _ = resolve_chance(start(of))
    _, events = play_in_memory(opened, random.Random(5))
    moves = [{"seat": event.actor, "notation": event.notation} for event in events if event.actor != "chance"]
    game = create_game(api, variant, seats, seed=SEED)
    too_many = api.post(f"{game.path}/moves", {"moves": [*moves, moves[-1]]}, token=game.host)
    assert (too_many.status, too_many.code) == (409, "game-over")
    assert game.get().body["version"] == opened.version
    made = api.post(f"{game.path}/moves", {"moves": moves}, token=game.host).body["game"]
    assert made["outcome"]["reason"] == "too-long"
    assert "?" not in str(made["position"])


@every_variant
def test_the_past_of_such_a_game_is_shown_as_it_was(api: Client, variant: str) -> None:
    game = create_game(api, variant, VARIANTS[variant].rules.INFO.seats[0], seed=SEED)
    last = play(game, random.Random(2))["version"]
    for version in range(last):
        past = game.get(f"?version={version}").body
        assert (past["status"], past["outcome"]) == ("playing", None)
        assert past["to_act"]
    assert game.get(f"?version={last}").body["status"] == "finished"


@every_variant
@pytest.mark.parametrize("limit", range(LIMIT, LIMIT + 3))
def test_outcomes_that_a_host_states_may_exceed_the_limit(store_url: str, variant: str, limit: int) -> None:
    """The game is over when a seat is to act at the limit, not while an outcome of chance is expected."""
    settings = Settings(redis_url=store_url, redis_timeout=20_000, rate_limits=None, max_events=limit)
    seats, rng = VARIANTS[variant].rules.INFO.seats[0], random.Random(limit)
    client_chance = create_game(client_of(create_app(settings)), variant, seats, chance="client")
    of = setup(variant, seats)._replace(seed=None, options=VARIANTS[variant].rules.parse_options({}), max_events=limit)
    game = start(of)
    while to_act := client_chance.get().body["to_act"]:
        assert to_act == [*game.to_act]
        actor = rng.choice(game.to_act)
        if actor == "chance":
            move = game.rules.sample_chance(game.state, rng.randrange)
            answer = client_chance.outcome(move.notation)
        else:
            assert game.version < limit
            move = rng.choice(game.rules.legal_moves(game.state, actor))
            answer = client_chance.move(move.notation, actor)
        assert answer.status == 200, answer.content
        game, _ = advance(game, actor, move)
    assert game.version >= limit
    assert game.result == Result((), tuple(client_chance.get().body["outcome"]["totals"]), "too-long")


@every_variant
def test_streams_and_long_polls_end_at_the_limit(app: Flask, api: Client, variant: str) -> None:
    game = create_game(api, variant, VARIANTS[variant].rules.INFO.seats[0], seed=SEED)
    heard: list[Any] = []
    watching = [
        threading.Thread(target=lambda: heard.append(client_of(app).get(f"{game.path}/events"))),
        threading.Thread(target=lambda: client_of(app).get(f"{game.path}?after=1000&wait=30")),
    ]
    for each in watching:
        each.start()
    last = play(game, random.Random(4))["version"]
    for each in watching:
        each.join(timeout=20)
        assert not each.is_alive()
    *_, event, end = messages(heard[0].content)
    assert (event.id, end.kind, end.data) == (last, "end", {"reason": "finished"})
    assert api.get(f"{game.path}/events", headers={"Last-Event-ID": str(last)}).status == 204


def test_a_finished_games_lifetime_begins_at_the_limit(api: Client) -> None:
    game = create_game(api, "duel", seed=SEED)
    before = game.get().body["expires_at"]
    assert play(game, random.Random(6))["expires_at"] < before


def test_the_limit_is_the_one_that_the_game_was_created_with(api: Client, store_url: str) -> None:
    other = client_of(create_app(Settings(redis_url=store_url, redis_timeout=20_000, rate_limits=None, max_events=5)))
    game = create_game(api, "duel", seed=SEED)
    assert play(game._replace(api=other), random.Random(8))["version"] >= LIMIT
