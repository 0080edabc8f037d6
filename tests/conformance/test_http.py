"""HTTP tests that run for every variant: whole games, and the stateless calls compared with the stored game."""

import hashlib
import hmac
import random
from typing import Any

import pytest
from lostcities.variants.core import FULL
from lostcities.variants.registry import VARIANTS

from tests.client import Client, GameClient, create_game
from tests.conformance.tables import brief, every_table, every_variant
from tests.playing import do

SEED = "5e" * 32


def random_move(game: GameClient, rng: random.Random) -> Any:
    """A random legal move of a seat that is to act, as listed by the API. `None` when the game is over."""
    to_act = game.get("").body["to_act"]
    if not to_act:
        return None
    seat = rng.choice(to_act)
    return rng.choice(game.get("/moves", token=game.seats[seat]).body["moves"])


def make(game: GameClient, move: Any) -> Any:
    answer = game.api.post(game.path + "/moves", move, token=game.seats[move["seat"]])
    assert answer.status == 200, answer.content
    return answer.body


def ask(game: GameClient, what: str, **question: Any) -> Any:
    """Send the game's position to a stateless call."""
    body = game.get("?view=full", token=game.host).body
    answer = game.api.post(
        f"/variants/{body['variant']}/{what}", {"options": body["options"], "position": body["position"], **question}
    )
    assert answer.status == 200, answer.content
    return answer.body


@every_table
def test_a_whole_game(api: Client, variant: str, seats: int) -> None:
    rng = random.Random(seats)
    game = create_game(api, variant, seats, seed=SEED, options=brief(variant))
    while move := random_move(game, rng):
        make(game, move)
    body = game.get("").body
    assert body["status"] == "finished"
    score = game.get("/score").body
    assert score["final"]
    assert score["winners"] == body["outcome"]["winners"]
    for seat in score["seats"]:
        assert seat["total"] == sum(line["points"] for line in seat["lines"]) == body["outcome"]["totals"][seat["seat"]]
    verify_fairness(game, variant, seats)


def verify_fairness(game: GameClient, variant: str, seats: int) -> None:
    """Reproduce every chance outcome from the revealed seed and the public history, by the documented algorithm."""
    fairness = game.get("/fairness").body
    seed = bytes.fromhex(fairness["seed"])
    assert hashlib.sha256(seed).hexdigest() == fairness["commitment"] == game.created["commitment"]
    rules = VARIANTS[variant].rules
    state = rules.setup(seats, rules.parse_options(brief(variant)))
    events = whole_history(game)
    assert [event["version"] for event in events] == [*range(1, len(events) + 1)]
    for event in events:
        if event["actor"] == "chance":
            stream = (
                byte
                for block in range(100)
                for byte in hmac.new(seed, f"{event['version']}/{block}".encode(), "sha256").digest()
            )

            def pick(n: int, stream: Any = stream) -> int:
                return int(next(byte for byte in stream if byte < 256 - 256 % n)) % n

            assert rules.sample_chance(state, pick).notation == event["notation"]
        state = do(rules, state, f"{event['actor']} {event['notation']}")
    assert rules.to_position(state, FULL) == game.get("").body["position"]


def whole_history(game: GameClient) -> list[Any]:
    events: list[Any] = []
    page: dict[str, Any] = {"next": 0}
    while page["next"] is not None:
        page = game.get(f"/history?limit=500&after={page['next']}").body
        events += page["events"]
    return events


@every_table
def test_stateless_calls_agree_with_the_stored_game(api: Client, variant: str, seats: int) -> None:
    rng = random.Random(seats)
    game = create_game(api, variant, seats, seed=SEED, options=brief(variant))
    for step in range(60):
        move = random_move(game, rng)
        if move is None:
            break
        if step % 4 == 0:
            assert ask(game, "moves")["moves"] == game.get("/moves", token=game.host).body["moves"]
            assert ask(game, "score") == game.get("/score").body
            assert ask(game, "check", move=move) == {"legal": True}
            reached = ask(game, "apply", moves=[move])
            made = make(game, move)
            assert reached["events"] == [{"version": 1, "actor": move["seat"], "notation": move["notation"]}]
            if len(made["events"]) == 1:
                shown = game.get("?view=full", token=game.host).body
                assert reached["position"] == shown["position"]
                assert reached["to_act"] == shown["to_act"]
            else:
                assert reached["to_act"] == ["chance"]
        else:
            make(game, move)


@every_table
def test_a_game_can_be_created_from_any_position(api: Client, variant: str, seats: int) -> None:
    rng = random.Random(seats + 1)
    first = create_game(api, variant, seats, seed=SEED, options=brief(variant))
    for _ in range(25):
        if move := random_move(first, rng):
            make(first, move)
    body = first.get("?view=full", token=first.host).body
    second = create_game(api, variant, seats, options=body["options"], position=body["position"])
    assert second.get("?view=full", token=second.host).body["position"] == body["position"]
    if move := random_move(second, rng):
        make(second, move)


@every_variant
def test_a_host_supplies_all_chance_outcomes(api: Client, variant: str) -> None:
    """With `chance: client` the host sends all moves and outcomes of a game."""
    rules, rng = VARIANTS[variant].rules, random.Random(3)
    seats = rules.INFO.seats[0]
    game = create_game(api, variant, seats, chance="client", options=brief(variant))
    state = rules.setup(seats, rules.parse_options(brief(variant)))
    moves = []
    while actors := rules.to_act(state):
        actor = rng.choice(actors)
        move = (
            rules.sample_chance(state, rng.randrange)
            if actor == "chance"
            else rng.choice(rules.legal_moves(state, actor))
        )
        state = rules.apply(state, actor, move)
        who = {"actor": "chance"} if actor == "chance" else {"seat": actor}
        moves.append({**who, "notation": move.notation})
    for start in range(0, len(moves), 100):
        answer = api.post(game.path + "/moves", {"moves": moves[start : start + 100]}, token=game.host)
        assert answer.status == 200, answer.content
    assert game.get("").body["position"] == rules.to_position(state, FULL)
    assert game.get("/fairness").body["seed"] is None


@every_variant
def test_the_variant_is_described(api: Client, variant: str) -> None:
    body = api.get(f"/variants/{variant}").body
    assert body["variant"] == variant
    assert {ruling["source"] for ruling in body["rulings"]} >= {"text", "ruling"}
    assert variant in [each["variant"] for each in api.get("/variants").body["variants"]]


@every_variant
@pytest.mark.parametrize("path", ["moves", "apply", "check", "score"])
def test_a_stateless_call_without_a_position_is_rejected(api: Client, variant: str, path: str) -> None:
    answer = api.post(f"/variants/{variant}/{path}", {"moves": [{"notation": "hello"}]})
    assert (answer.status, answer.code) == (422, "invalid-request")
    assert "/position" in answer.pointers
