"""Seats that the service plays, for every variant, through the application in process."""

import random
from typing import Any

import pytest
from flask import Flask
from lostcities.bots.levels import levels_of
from lostcities.variants.registry import VARIANTS

from tests.client import Client, GameClient, create_game
from tests.conformance.tables import TABLES, brief, every_table, every_variant
from tests.conformance.test_http import verify_fairness, whole_history

pytestmark = pytest.mark.usefixtures("few_playouts")

SEED = "5e" * 32
QUICK = "random"
QUICK_TABLES = [
    (variant, seats, level) for variant, seats in TABLES for level in levels_of(variant) if level != "expert"
]


def new_game(api: Client, variant: str, bots: list[str | None], **wish: Any) -> GameClient:
    """A game in which the service plays the seats with a level."""
    players = [{"name": f"Bot {seat}", "bot": bot} if bot else f"Player {seat}" for seat, bot in enumerate(bots)]
    answer = api.post("/games", {"variant": variant, "players": players, **wish}, key=wish.pop("key", None))
    assert answer.status == 201, answer.content
    body = answer.body
    return GameClient(api, body["id"], body["tokens"]["host"], body["tokens"]["seats"], body)


def one_person(seats: int, person: int, level: str = QUICK) -> list[str | None]:
    return [None if seat == person else level for seat in range(seats)]


def play(game: GameClient, rng: random.Random, most: int = 10_000) -> list[Any]:
    """Make random moves with the persons' tokens. Returns the answers."""
    answers: list[Any] = []
    shown = game.get().body
    while shown["to_act"] and len(answers) < most:
        seat = rng.choice(shown["to_act"])
        move = rng.choice(game.get("/moves", token=game.seats[seat]).body["moves"])
        answer = game.api.post(f"{game.path}/moves", move, token=game.seats[seat])
        assert answer.status == 200, answer.content
        answers.append(answer.body)
        shown = answer.body["game"]
    return answers


@pytest.mark.parametrize(("variant", "seats", "level"), QUICK_TABLES)
def test_a_whole_game_against_bots(api: Client, variant: str, seats: int, level: str) -> None:
    person = seats - 1
    bots = one_person(seats, person, level)
    game = new_game(api, variant, bots, seed=SEED, options=brief(variant))
    assert game.created["bots"] == bots
    assert [token is None for token in game.seats] == [bot is not None for bot in bots]
    version = game.created["version"]
    assert set(game.created["to_act"]) <= {person}
    for made in play(game, random.Random(seats)):
        # The answer has all events of the step, and afterwards no bot is to act.
        assert [event["version"] for event in made["events"]] == [*range(version + 1, made["version"] + 1)]
        assert made["events"][0]["actor"] == person
        assert set(made["game"]["to_act"]) <= {person}
        version = made["version"]
    assert game.get().body["status"] == "finished"
    assert {event["actor"] for event in whole_history(game)} == {"chance", *range(seats)}
    verify_fairness(game, variant, seats)


@every_table
def test_the_same_seed_and_moves_give_the_same_game(api: Client, variant: str, seats: int) -> None:
    bots = one_person(seats, 0)
    first, second = (new_game(api, variant, bots, seed=SEED, options=brief(variant)) for _ in range(2))
    other = new_game(api, variant, bots, seed="77" * 32, options=brief(variant))
    for game in (first, second, other):
        play(game, random.Random(9), most=15)
    histories = [
        game.get("/history?limit=500&view=full", token=game.host).body["events"] for game in (first, second, other)
    ]
    assert histories[0] == histories[1] != histories[2]


@every_variant
def test_an_expert_plays(api: Client, variant: str) -> None:
    seats = VARIANTS[variant].rules.INFO.seats[0]
    games = [new_game(api, variant, one_person(seats, 0, "expert"), seed=SEED) for _ in range(2)]
    answers = [play(game, random.Random(1), most=2) for game in games]
    events = [[event for made in each for event in made["events"]] for each in answers]
    assert events[0] == events[1]
    assert {*range(1, seats)} <= {event["actor"] for event in events[0]}


# Creation -----------------------------------------------------------------------------------------------------------


@every_variant
def test_a_bot_that_begins_has_moved_when_the_game_is_created(api: Client, variant: str) -> None:
    seats = VARIANTS[variant].rules.INFO.seats[0]
    game = new_game(api, variant, one_person(seats, seats - 1), seed=SEED)
    assert game.created["to_act"] == [seats - 1]
    actors = [event["actor"] for event in whole_history(game)]
    assert set(actors) >= {"chance", 0}
    assert len(actors) == game.created["version"]


@every_variant
def test_a_retried_creation_returns_the_game_as_it_was_created(api: Client, variant: str) -> None:
    seats = VARIANTS[variant].rules.INFO.seats[0]
    players = [{"name": "Bot", "bot": QUICK}] * (seats - 1) + ["Ann"]
    wish = {"variant": variant, "players": players}
    key = f"creation of {variant} with bots"
    key = key.replace(" ", "-") + str(random.random())
    first = api.post("/games", wish, key=key)
    body = first.body
    game = GameClient(api, body["id"], body["tokens"]["host"], body["tokens"]["seats"], body)
    play(game, random.Random(2), most=5)
    again = api.post("/games", wish, key=key)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.body == body


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"players": [{"name": "A", "bot": "random"}, {"name": "B", "bot": "random"}]}, "person-required", "/players"),
        ({"chance": "client"}, "bots-need-seed", "/chance"),
        ({"players": ["A", {"name": "B", "bot": "perfect"}]}, "invalid-request", "/players/1/bot"),
        ({"players": ["A", {"bot": "random"}]}, "invalid-request", "/players/1/name"),
        ({"players": ["A", {"name": "B"}]}, "invalid-request", "/players/1/bot"),
        ({"players": ["A", {"name": "B", "bot": None}]}, "invalid-request", "/players/1/bot"),
        ({"players": ["A", {"name": "\n", "bot": "random"}]}, "invalid-request", "/players/1/name"),
        ({"players": ["A", {"name": "B", "bot": "random", "x": 1}]}, "invalid-request", "/players/1/x"),
        ({"players": ["A", ["random"]]}, "invalid-request", "/players/1"),
    ],
)
def test_a_game_that_bots_cannot_play_is_refused(api: Client, change: Any, code: str, pointer: str) -> None:
    wish = {"variant": "duel", "players": ["A", {"name": "B", "bot": "random"}], **change}
    answer = api.post("/games", wish)
    assert (answer.status, answer.code, answer.pointers) == (422, code, [pointer])


def test_the_variants_list_their_levels(api: Client) -> None:
    for variant in VARIANTS:
        assert api.get(f"/variants/{variant}").body["bots"] == [*levels_of(variant)]


# Who moves ----------------------------------------------------------------------------------------------------------


@every_variant
def test_no_token_moves_for_a_bot(api: Client, variant: str) -> None:
    seats = VARIANTS[variant].rules.INFO.seats[0]
    game = new_game(api, variant, one_person(seats, 0), seed=SEED)
    notation = next(iter(VARIANTS[variant].rules.VOCABULARY))
    for path in ("moves", "check"):
        answer = api.post(f"{game.path}/{path}", {"seat": 1, "notation": notation}, token=game.host)
        assert (answer.status, answer.code, answer.pointers) == (403, "bot-seat", ["/seat"])
    play(game, random.Random(3), most=5)
    assert {move["seat"] for move in game.get("/moves", token=game.host).body["moves"]} <= {0}
    # A past version at which the bot was to act lists none of its moves.
    to_act = [
        (version, game.get(f"?version={version}").body["to_act"]) for version in range(game.get().body["version"])
    ]
    version = next(version for version, actors in to_act if 1 in actors)
    included = game.get(f"?version={version}&include=moves", token=game.host).body["moves"]
    assert {move["seat"] for move in included} <= {0}


def first_answered(game: GameClient, rng: random.Random) -> tuple[list[Any], Any]:
    """Moves of one person, of which a bot answers the last one only; and a further move."""
    moves: list[Any] = []
    while True:
        move = rng.choice(game.get("/moves", token=game.host).body["moves"])
        made = game.api.post(f"{game.path}/moves", move, token=game.host).body
        moves.append(move)
        if any(event["actor"] not in ("chance", move["seat"]) for event in made["events"]):
            return moves, rng.choice(game.get("/moves", token=game.host).body["moves"])


@every_variant
def test_a_list_of_moves_ends_where_a_bot_answers(api: Client, variant: str) -> None:
    bots = one_person(VARIANTS[variant].rules.INFO.seats[0], 0)
    moves, more = first_answered(new_game(api, variant, bots, seed=SEED), random.Random(4))
    game = new_game(api, variant, bots, seed=SEED)
    version = game.created["version"]
    # A seat's list ends where chance acts, too.
    for token, codes in ((game.host, {"bot-in-between"}), (game.seats[0], {"bot-in-between", "chance-in-between"})):
        answer = api.post(f"{game.path}/moves", {"moves": [*moves, more]}, token=token)
        assert answer.status == 409
        assert answer.code in codes
        judged = api.post(f"{game.path}/check", {"moves": [*moves, more]}, token=token).body
        assert judged["problem"]["code"] in {"bot-in-between", "chance-in-between"}
    assert game.get().body["version"] == version
    made = api.post(f"{game.path}/moves", {"moves": moves}, token=game.host)
    assert made.status == 200
    assert made.body["events"][-1]["version"] == made.body["version"] > version + len(moves)


@every_variant
def test_check_runs_no_bots(app: Flask, api: Client, variant: str) -> None:
    """An expert would be counted in the metrics."""
    bots = one_person(VARIANTS[variant].rules.INFO.seats[0], 0, "expert")
    moves, _ = first_answered(new_game(api, variant, bots, seed=SEED), random.Random(4))
    game = new_game(api, variant, bots, seed=SEED)
    for move in moves[:-1]:
        api.post(f"{game.path}/moves", move, token=game.host)
    before = thoughts(api), game.get().body["version"]
    assert api.post(f"{game.path}/check", moves[-1], token=game.host).body == {"legal": True}
    assert (thoughts(api), game.get().body["version"]) == before


def thoughts(api: Client) -> float:
    """How often an expert has thought."""
    lines = api.get("/metrics").content.decode().splitlines()
    return float(next(line for line in lines if line.startswith("lostcities_thinking_seconds_count")).split()[-1])


def test_in_a_simultaneous_phase_a_bot_moves_at_once(api: Client) -> None:
    game = new_game(api, "roll-and-write", [None, None, QUICK], seed=SEED)
    made = game.move("refuse", 0, token=game.seats[0]).body
    actors = [event["actor"] for event in made["events"]]
    assert actors[0] == 0
    assert set(actors[1:]) == {2}
    assert made["game"]["to_act"] == [1]


def test_bots_stop_at_the_limit_of_events(store_url: str) -> None:
    from lostcities.app import create_app
    from lostcities.config import Settings

    from tests.conftest import client_of

    settings = Settings(redis_url=store_url, redis_timeout=20_000, rate_limits=None, max_events=12)
    game = new_game(client_of(create_app(settings)), "treasure-hunt", [None, QUICK, QUICK, QUICK], seed=SEED)
    play(game, random.Random(5))
    shown = game.get().body
    assert shown["outcome"]["reason"] == "too-long"
    assert 12 <= shown["version"] <= 13


# Records ------------------------------------------------------------------------------------------------------------


@every_variant
def test_a_record_carries_its_bots(api: Client, variant: str) -> None:
    bots = one_person(VARIANTS[variant].rules.INFO.seats[0], 0)
    game = new_game(api, variant, bots, seed=SEED, options=brief(variant))
    play(game, random.Random(6), most=6)
    record = game.get("/record", token=game.host).body
    assert record["players"] == ["Player 0", *({"name": f"Bot {seat}", "bot": QUICK} for seat in range(1, len(bots)))]
    answer = api.post("/games", {"record": record})
    assert answer.status == 201, answer.content
    body = answer.body
    imported = GameClient(api, body["id"], body["tokens"]["host"], body["tokens"]["seats"], body)
    assert imported.created["bots"] == bots
    assert not any(imported.seats[1:])
    for each in (game, imported):
        play(each, random.Random(7))
    assert whole_history(imported) == whole_history(game)
    verified = api.post(f"/variants/{variant}/verify", game.get("/record").body).body
    assert (verified["valid"], verified["chance"]) == (True, "verified")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"players": [{"name": "A", "bot": "random"}, {"name": "B", "bot": "random"}]}, "person-required"),
        ({"chance": "client", "seed": None, "commitment": None}, "bots-need-seed"),
    ],
)
def test_a_record_that_bots_cannot_have_played_is_refused(api: Client, change: Any, code: str) -> None:
    game = new_game(api, "duel", [None, QUICK], seed=SEED)
    record = {**game.get("/record", token=game.host).body, **change}
    answer = api.post("/games", {"record": record})
    assert (answer.status, answer.code) == (422, code)


def test_a_game_without_bots_has_none(api: Client) -> None:
    game = create_game(api, "duel")
    assert game.get().body["bots"] == [None, None]
    assert game.get("/record", token=game.host).body["players"] == ["Player 0", "Player 1"]
