"""Advice: for a seat of a stored game, and for a position in the request."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from lostcities.app import create_app
from lostcities.config import RateLimits, Settings
from lostcities.variants.registry import VARIANTS

from tests.client import Client, GameClient, create_game
from tests.conformance.tables import brief, every_table, every_variant
from tests.conformance.test_bot_seats import new_game, play, thoughts
from tests.conformance.test_http import make, random_move
from tests.conftest import client_of

pytestmark = pytest.mark.usefixtures("few_playouts")

SEED = "5e" * 32
ESTIMATE = ("value", "error", "loss", "loss_error", "mistake")
"""What advice adds to a move."""


def begun(api: Client, variant: str, seats: int, moves: int) -> GameClient:
    """A game after some random moves."""
    game = create_game(api, variant, seats, seed=SEED, options=brief(variant))
    rng = random.Random(moves)
    for _ in range(moves):
        if move := random_move(game, rng):
            make(game, move)
    return game


def ask(game: GameClient, view: Any, **question: Any) -> Any:
    """Send a view of the game to the stateless call."""
    body = {"options": view["options"], "position": view["position"], **question}
    answer = game.api.post(f"/variants/{view['variant']}/advice", body)
    assert answer.status == 200, answer.content
    return {**answer.body, "version": view["version"]}


@every_table
@pytest.mark.parametrize("moves", [0, 5])
def test_every_legal_move_has_a_value_and_a_view_has_the_same_advice(
    api: Client, variant: str, seats: int, moves: int
) -> None:
    game = begun(api, variant, seats, moves)
    seat = game.get().body["to_act"][0]
    token = game.seats[seat]
    advice = game.get("/advice", token=token).body
    assert (advice["variant"], advice["seat"]) == (variant, seat)
    advised = [{name: each[name] for name in each if name not in ESTIMATE} for each in advice["moves"]]
    legal = game.get("/moves", token=token).body["moves"]
    assert sorted(advised, key=str) == sorted(legal, key=str)
    assert advice["moves"][0]["value"] == max(move["value"] for move in advice["moves"])
    assert advice["moves"][0]["loss"] == min(move["loss"] for move in advice["moves"]) == 0
    for move in advice["moves"]:
        # The figures are rounded to two digits.
        assert (
            move["mistake"] == (move["loss"] > 2 * move["loss_error"])
            or abs(move["loss"] - 2 * move["loss_error"]) < 0.02
        )
    assert game.get(f"/advice?seat={seat}", token=game.host).body == advice
    # The seat's own view, and the whole position.
    assert ask(game, game.get(token=token).body, seat=seat) == advice
    assert ask(game, game.get("?view=full", token=game.host).body, seat=seat) == advice


def test_advice_does_not_depend_on_what_the_seat_cannot_see(api: Client) -> None:
    """A pair of positions that differ in the other hand and in the deck."""
    game = create_game(api, "duel", seed=SEED)
    shown = game.get("?view=full", token=game.host).body
    position = shown["position"]
    open_cards = {card for hand in position["hands"] for card in hand}
    unseen = [f"{colour}{rank}" for colour in "YBWGR" for rank in range(2, 11)]
    other = [card for card in unseen if card not in open_cards][:8]
    pair = {**shown, "position": {**position, "hands": [position["hands"][0], other]}}
    assert ask(game, pair, seat=0) == ask(game, shown, seat=0)


def test_a_known_advice_is_confirmed_without_thinking(api: Client) -> None:
    game = begun(api, "rivals", 3, 3)
    seat = game.get().body["to_act"][0]
    first = game.get("/advice", token=game.seats[seat])
    before = thoughts(api)
    known = {"If-None-Match": first.headers["ETag"]}
    assert game.get("/advice", token=game.seats[seat], headers=known).status == 304
    assert thoughts(api) == before
    assert game.get("/advice", token=game.seats[seat]).content == first.content


# Refusals --------------------------------------------------------------------------------------------------------


def test_who_gets_advice(api: Client) -> None:
    game = create_game(api, "duel", seed=SEED)
    table = [
        (None, "", 401, "token-required"),
        (game.seats[1], "", 409, "nothing-to-decide"),
        (game.seats[0], "?seat=1", 403, "not-your-seat"),
        (game.seats[0], "?seat=2", 422, "unknown-seat"),
        (game.host, "?seat=1", 409, "nothing-to-decide"),
        (game.host, "?seat=9", 422, "unknown-seat"),
        (game.host, "?view=full", 422, "invalid-request"),
    ]
    for token, query, status, code in table:
        answer = game.get(f"/advice{query}", token=token)
        assert (answer.status, answer.code) == (status, code), query
    assert game.get("/advice", token=game.host).body["seat"] == 0


def test_the_host_names_the_seat_where_several_are_to_act(api: Client) -> None:
    game = create_game(api, "roll-and-write", 3, seed=SEED)
    game.move("refuse", 0)
    answer = game.get("/advice", token=game.host)
    assert (answer.status, answer.code, answer.pointers) == (422, "seat-required", ["seat"])
    assert game.get("/advice?seat=2", token=game.host).body["seat"] == 2
    shown = game.get("?view=full", token=game.host).body
    asked = api.post("/variants/roll-and-write/advice", {"options": shown["options"], "position": shown["position"]})
    assert (asked.status, asked.code, asked.pointers) == (422, "seat-required", ["/seat"])


def test_nobody_gets_advice_for_a_bot(api: Client) -> None:
    game = new_game(api, "duel", [None, "random"], seed=SEED)
    answer = game.get("/advice?seat=1", token=game.host)
    assert (answer.status, answer.code) == (403, "bot-seat")


@every_variant
def test_a_finished_game_leaves_nothing_to_decide(api: Client, variant: str) -> None:
    seats = VARIANTS[variant].rules.INFO.seats[0]
    game = new_game(api, variant, [None, *["random"] * (seats - 1)], seed=SEED, options=brief(variant, 8))
    play(game, random.Random(1))
    for token in (game.seats[0], game.host):
        answer = game.get("/advice", token=token)
        assert (answer.status, answer.code) == (409, "nothing-to-decide")


def test_a_view_that_hides_the_own_hand_gets_no_advice(api: Client) -> None:
    game = create_game(api, "duel", seed=SEED)
    body = {"position": game.get().body["position"], "seat": 0}
    answer = api.post("/variants/duel/advice", body)
    assert (answer.status, answer.code) == (422, "hidden-card")


# What another caller has asked ------------------------------------------------------------------------------------


def candidates(game: GameClient) -> list[Any]:
    """What seat 0 of a duel sees, and what it would see with two other hands."""
    view = game.get(token=game.seats[0]).body
    hand = view["position"]["hands"][0]
    unseen = [card for card in (f"{colour}{rank}" for colour in "YBWGR" for rank in range(2, 11)) if card not in hand]
    hands = [hand, [*hand[:-1], unseen[0]], unseen[:8]]
    return [{**view, "position": {**view["position"], "hands": [each, ["?"] * 8]}} for each in hands]


def test_a_question_is_computed_although_a_seat_has_asked_it(api: Client) -> None:
    """A remembered answer comes faster: a player could try hands until one is the other player's."""
    game = create_game(api, "duel", seed=SEED)
    own, *others = candidates(game)
    advice = game.get("/advice", token=game.seats[0]).body
    before = thoughts(api)
    assert ask(game, own, seat=0) == advice
    assert thoughts(api) == before + 1
    assert ask(game, own, seat=0) == advice
    assert thoughts(api) == before + 2
    for other in others:
        ask(game, other, seat=0)
    assert thoughts(api) == before + 4


def test_a_refusal_does_not_tell_what_a_seat_has_asked(store_url: str) -> None:
    """A player whose limit is used up sends hands that the other player may have."""
    api = client_of(limited(store_url, "1/hour", "127.0.0.0/8"))
    game = create_game(api, "duel", seed=SEED)
    assert game.get("/advice", token=game.seats[0], headers={"X-Forwarded-For": "203.0.113.1"}).status == 200
    views = candidates(game)

    def attack(view: Any) -> int:
        body = {"options": view["options"], "position": view["position"], "seat": 0}
        return api.post("/variants/duel/advice", body, headers={"X-Forwarded-For": "203.0.113.2"}).status

    use_up(lambda: attack(views[-1]))
    assert [attack(view) for view in views] == [429] * 3


# The limit of thinking -------------------------------------------------------------------------------------------


def limited(store_url: str, thinking: str, proxies: str = "") -> Flask:
    limits = RateLimits(creation="", record="", thinking=thinking)
    trusted = Settings.from_environment({"TRUSTED_PROXIES": proxies}).trusted_proxies
    return create_app(Settings(redis_url=store_url, redis_timeout=20_000, rate_limits=limits, trusted_proxies=trusted))


def use_up(ask: Callable[[], int]) -> None:
    """Ask until the limit refuses it."""
    assert 429 in (ask() for _ in range(1000))


def test_advice_and_experts_share_a_rate_limit(store_url: str) -> None:
    """Calls that need no expert are not limited."""
    app = limited(store_url, "2/minute")
    api = client_of(app)
    game = new_game(api, "rivals", [None, "expert"], seed=SEED)
    quick = new_game(api, "rivals", [None, "greedy"], seed=SEED)
    made = game.move("uncover", 0)
    assert made.status == 200
    version = made.body["version"]
    use_up(lambda: game.get("/advice", token=game.seats[0]).status)
    move = game.get("/moves", token=game.host).body["moves"][0]
    answers = [game.get("/advice", token=game.host), game.api.post(f"{game.path}/moves", move, token=game.host)]
    assert {(answer.status, answer.code) for answer in answers} == {(429, "too-many-requests")}
    assert all(1 <= int(answer.headers["Retry-After"]) <= 60 for answer in answers)
    assert game.get().body["version"] == version
    assert len(play(quick, random.Random(2), most=3)) == 3


def test_a_request_that_began_to_think_goes_on(store_url: str) -> None:
    """A request that needs more than the limit allows succeeds; a later one that needs any is refused."""
    api = client_of(limited(store_url, "1/hour"))
    game = new_game(api, "roll-and-write", [None, *["expert"] * 4], seed=SEED)
    begun = thoughts(api)
    assert game.move("refuse", 0).status == 200
    assert thoughts(api) - begun >= 4
    use_up(lambda: game.get("/advice", token=game.seats[0]).status)


def test_without_rate_limits_experts_are_not_limited(store_url: str) -> None:
    api = client_of(limited(store_url, ""))
    for seed in range(4):
        game = create_game(api, "rivals", seed=f"{seed:02x}" * 32)
        assert game.get("/advice", token=game.seats[0]).status == 200


def test_a_finished_game_has_advice_about_every_decision(api: Client, few_playouts: None) -> None:
    """For every token of the game, with what the seat saw then."""
    game = create_game(api, seed="5e" * 32)
    version = game.created["version"]
    then = game.get("/advice", token=game.seats[0]).body
    assert game.get(f"/advice?version={version + 1}").status == 401
    early = game.get(f"/advice?version={version}", token=game.seats[0])
    assert (early.status, early.code) == (409, "not-finished")
    card = then["moves"][0]["notation"]
    game.do(card)
    api.post(game.path + "/resign", {"seat": 1}, token=game.host)
    for token in (*game.seats, game.host):
        assert game.get(f"/advice?version={version}&seat=0", token=token).body == then
        assert game.get(f"/advice?version={version + 1}", token=token).body["seat"] == 0
        assert game.get(f"/advice?version={version}&seat=1", token=token).code == "nothing-to-decide"
        assert game.get(f"/advice?version={version + 2}", token=token).code == "nothing-to-decide"
        assert game.get("/advice?version=99", token=token).code == "unknown-version"
    assert game.get(f"/advice?version={version}&seat=0").code == "token-required"
