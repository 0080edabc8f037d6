"""Questions about what a seat sees: the stateless calls take a view of a stored game, with its hidden cards."""

import random
from typing import Any

import pytest
from lostcities.rules import duel, treasure_hunt
from lostcities.variants.core import CHANCE
from lostcities.variants.registry import VARIANTS

from tests.api.test_include import event_of, random_steps
from tests.client import Answer, Client, GameClient, create_game
from tests.conformance.tables import brief, every_variant
from tests.playing import Step

SITUATION = ("variant", "status", "to_act", "phase", "options", "position", "outcome")
HANDS = ("deal 0 Yw Y2 Y5 B3 B8 Rw R6 R8", "deal 1 Yw B2 B10 W4 W9 G2 G7 R7")


def ask(api: Client, shown: Any, what: str, **question: Any) -> Answer:
    """Put the position of a game, as it was shown, to a stateless call."""
    body = {"options": shown["options"], "position": shown["position"], **question}
    return api.post(f"/variants/{shown['variant']}/{what}", body)


def value_at(document: Any, pointer: str) -> Any:
    for key in pointer.split("/")[1:]:
        document = document[int(key) if isinstance(document, list) else key]
    return document


# A view gives the answers that the stored game gives ------------------------------------------------------------------


@every_variant
def test_the_view_of_a_seat_answers_as_the_stored_game_answers_that_seat(api: Client, variant: str) -> None:
    """At every version, for every seat and for a spectator. The host states chance, so every version is shown."""
    options, rng = brief(variant, 16), random.Random(variant)
    game = create_game(api, variant, VARIANTS[variant].rules.INFO.seats[0], chance="client", options=options)
    tokens: list[str | None] = [None, *game.seats]
    for step in random_steps(variant, options):
        views = [game.get(token=token).body for token in tokens]
        for seat in range(len(game.seats)):
            compare_questions(game, seat, views[seat + 1], rng)
        assert game.move(step.move.notation, None if step.actor == CHANCE else step.actor).status == 200
        for viewer, token, before in zip((None, *range(len(game.seats))), tokens, views, strict=True):
            compare_step(game, step, viewer, before, game.get(token=token).body)
    assert game.get().body["status"] == "finished"


def compare_questions(game: GameClient, seat: int, shown: Any, rng: random.Random) -> None:
    """Moves, score, and the check of legal moves and of some other moves."""
    token = game.seats[seat]
    listed = game.get("/moves", token=token).body["moves"]
    assert ask(game.api, shown, "moves", seat=seat).body["moves"] == listed
    assert ask(game.api, shown, "score").body == game.get("/score", token=token).body
    legal = [move["notation"] for move in listed]
    for notation in (
        *rng.sample(legal, min(len(legal), 16)),
        *rng.sample([*VARIANTS[shown["variant"]].rules.VOCABULARY], 3),
    ):
        move = {"seat": seat, "notation": notation}
        judged = game.api.post(f"{game.path}/check", move, token=token).body
        answer = ask(game.api, shown, "check", move=move).body
        for each in (judged, answer):
            each.get("problem", {}).pop("request_id", None)
        assert answer == judged


def compare_step(game: GameClient, step: Step, viewer: int | None, before: Any, after: Any) -> None:
    """The event in the view leads to the view after it, if it depends on no hidden card."""
    only = VARIANTS[before["variant"]].rules.visible_to(step.before, step.move) if step.actor == CHANCE else None
    if only not in (None, viewer):
        return
    answer = ask(game.api, before, "apply", moves=[event_of(step)])
    if answer.status == 422 and step.actor != viewer:
        assert answer.code == "hidden-card"
        pointer = answer.body["errors"][0]["pointer"].removeprefix("/position")
        assert value_at(before["position"], pointer) in ("?", None)
        return
    assert answer.status == 200, answer.content
    reached = answer.body
    assert reached["events"] == [{"version": 1, "actor": step.actor, "notation": step.move.notation}]
    if after["status"] == "finished":
        hide(after["position"], reached["position"])
    assert {name: reached[name] for name in SITUATION} == {name: after[name] for name in SITUATION}
    assert ask(game.api, reached, "score").body == game.get("/score").body, "the answer can be sent back"


def hide(shown: Any, expected: Any) -> None:
    """A finished game is public, but the answer to a view hides what the view hides: check all but those cards."""
    for seat, cards in enumerate(expected.get("hands", ())):
        if "?" in cards:
            assert len(cards) == len(shown["hands"][seat])
            assert {*cards} - {"?"} <= {*shown["hands"][seat]}
            shown["hands"][seat] = cards


# The duel: what needs a hidden card and what does not -----------------------------------------------------------------


@pytest.fixture
def game(api: Client) -> GameClient:
    """Seat 1 has taken R6, which seat 0 discarded; seat 0 is to act."""
    game = create_game(api, chance="client")
    game.do(*HANDS, "discard R6", "draw deck", "draw W10", "discard B2", "draw R")
    return game


def events(text: str) -> list[dict[str, Any]]:
    """Moves like `0 play R7` or `chance draw B2`, separated by commas."""
    found: list[dict[str, Any]] = []
    for each in text.split(", "):
        actor, notation = each.split(" ", 1)
        found.append({**({"actor": CHANCE} if actor == CHANCE else {"seat": int(actor)}), "notation": notation})
    return found


OWN_TURN = "0 play R8, 0 draw deck, chance draw G10"

CASES = [
    # (viewer, moves, code of the refusal)
    (0, "0 play Rw", None),
    (0, "0 draw deck", "wrong-phase"),
    (0, "0 play R7", "card-not-in-hand"),
    (0, OWN_TURN, None),
    (0, "0 play R8, 0 draw deck, chance draw R7", None),
    (0, "0 play R8, 0 draw deck, chance draw R8", "card-not-in-deck"),
    (0, "0 play R8, 0 draw deck, chance draw B2", "card-not-in-deck"),
    (0, "0 play R8, 0 draw deck, chance draw R6", "card-not-in-deck"),
    (0, "0 play R8, 0 draw deck, chance draw P7", "card-not-in-deck"),
    (0, "1 play R7", "not-your-turn"),
    (0, f"{OWN_TURN}, 1 play R6", None),
    (0, f"{OWN_TURN}, 1 discard R6", None),
    (0, f"{OWN_TURN}, 1 play R7", "hidden-card"),
    (0, f"{OWN_TURN}, 1 play Yw", "hidden-card"),
    (0, f"{OWN_TURN}, 1 play G10", "card-not-in-hand"),
    (0, f"{OWN_TURN}, 1 discard B2", "card-not-in-hand"),
    (0, f"{OWN_TURN}, 1 discard P2", "colour-not-in-game"),
    (0, f"{OWN_TURN}, 1 draw deck", "wrong-phase"),
    (0, f"{OWN_TURN}, 1 play R6, 1 draw deck", None),
    (0, f"{OWN_TURN}, 1 play R6, 1 draw B", None),
    (0, f"{OWN_TURN}, 1 play R6, 1 draw deck, chance draw B7", None),
    (0, f"{OWN_TURN}, 1 play R6, 1 draw deck, chance draw G10", "card-not-in-deck"),
    (0, f"{OWN_TURN}, 1 play R6, 1 draw B, 0 play Yw, 0 draw deck, chance draw W2, 1 play B2", None),
    (1, "0 play R8", "hidden-card"),
    (1, "0 play R7", "card-not-in-hand"),
    (1, "1 play R7", "not-your-turn"),
    (1, "0 draw B", "wrong-phase"),
    (None, "0 play R8", "hidden-card"),
    (None, "0 play R7", "hidden-card"),
    (None, "0 play B2", "card-not-in-hand"),
    (None, "chance draw R7", "chance-not-awaited"),
]


@pytest.mark.parametrize(("viewer", "moves", "code"), CASES)
def test_a_view_answers_what_it_can(game: GameClient, viewer: int | None, moves: str, code: str | None) -> None:
    shown = game.get(token=None if viewer is None else game.seats[viewer]).body
    checked = ask(game.api, shown, "check", moves=events(moves))
    applied = ask(game.api, shown, "apply", moves=events(moves))
    if code == "hidden-card":
        hidden = next(int(event["seat"]) for event in reversed(events(moves)))
        first = shown["position"]["hands"][hidden].index("?")
        for answer in (checked, applied):
            assert (answer.status, answer.code) == (422, code)
            assert answer.body["errors"][0]["pointer"] == f"/position/hands/{hidden}/{first}"
    elif code:
        assert (checked.body["legal"], checked.body["problem"]["code"]) == (False, code)
        assert (applied.status, applied.code) == (409, code)
    else:
        assert checked.body == {"legal": True}
        assert applied.status == 200


def test_cards_that_were_hidden_stay_hidden(game: GameClient) -> None:
    shown = game.get(token=game.seats[0]).body
    turn = f"{OWN_TURN}, 1 play R6, 1 draw deck, chance draw B7"
    reached = ask(game.api, shown, "apply", moves=events(turn)).body
    assert reached["position"]["hands"] == [["Yw", "Y2", "Y5", "B3", "B8", "W10", "G10", "Rw"], ["?"] * 8]
    assert [event["notation"] for event in reached["events"]][-2:] == ["draw deck", "draw ?"]


def test_the_moves_of_a_seat_with_hidden_cards_are_listed_if_they_are_public(game: GameClient) -> None:
    spectator = game.get().body
    assert ask(game.api, spectator, "moves").code == "hidden-card"
    assert ask(game.api, spectator, "moves", seat=0).code == "hidden-card"
    assert ask(game.api, spectator, "moves", seat=1).body["moves"] == []
    game.do("play R8")
    spectator = game.get().body
    listed = ask(game.api, spectator, "moves").body["moves"]
    assert [move["notation"] for move in listed] == ["draw deck", "draw B"]


def test_advice_takes_the_view_of_the_seat_that_decides(game: GameClient) -> None:
    """A draw is listed for every viewer, but which one is best depends on the hand."""
    own, other = (game.get(token=token).body for token in game.seats)
    refused = ask(game.api, other, "advice")
    assert (refused.code, refused.body["errors"][0]["pointer"]) == ("hidden-card", "/position/hands/0/0")
    assert ask(game.api, own, "advice").status == 200
    game.do("play R8")
    for token in (game.seats[1], None):
        refused = ask(game.api, game.get(token=token).body, "advice")
        assert (refused.code, refused.body["errors"][0]["pointer"]) == ("hidden-card", "/position")


def test_include_lists_the_moves_that_the_view_can_answer(game: GameClient) -> None:
    shown = game.get(token=game.seats[0]).body
    question = {"options": shown["options"], "position": shown["position"]}
    for turn, listed in (("0 play R8", ["draw deck", "draw B"]), (OWN_TURN, [])):
        asked = {**question, "moves": events(turn)}
        body = game.api.post("/variants/duel/apply?include=moves,score", asked).body
        assert [move["notation"] for move in body["moves"]] == listed
        assert body["score"]["seats"][0]["total"] == -12


def test_a_view_that_leads_to_the_end_keeps_its_secrets_and_can_be_sent_back(api: Client) -> None:
    game = create_game(api, chance="client", options={"max_turns": 1})
    game.do(*HANDS)
    shown = game.get(token=game.seats[0]).body
    reached = ask(api, shown, "apply", moves=events(OWN_TURN)).body
    assert (reached["status"], reached["outcome"]["winners"]) == ("finished", [1])
    assert reached["position"]["hands"][1] == ["?"] * 8
    assert ask(api, reached, "score").body["final"]
    assert ask(api, reached, "moves").body["moves"] == []
    game.do("play R8", "draw deck", "draw G10")
    assert game.get().body["position"]["hands"][1] == HANDS[1].split()[2:], "the stored game is public"


def test_a_view_across_rounds(api: Client) -> None:
    """The deals of the next round are given, and are no cards of this round."""
    game = create_game(api, chance="client", options={"max_turns": 1, "rounds": 2})
    game.do(*HANDS)
    shown = game.get(token=game.seats[0]).body
    deals = ", ".join(f"chance {deal}" for deal in HANDS)
    reached = ask(api, shown, "apply", moves=events(f"{OWN_TURN}, {deals}"))
    assert reached.status == 200, reached.content
    assert reached.body["position"]["hands"] == [HANDS[0].split()[2:], ["?"] * 8]


@pytest.mark.parametrize(
    ("variant", "turn", "most"),
    [
        ("duel", "1 discard G2, 1 draw deck, chance draw G10", duel.MOST_TURNS),
        ("treasure-hunt", "chance roll w w w, 1 keep, 1 skip", treasure_hunt.MOST_TURNS),
    ],
)
def test_a_position_at_the_most_turns_is_not_led_beyond_them(api: Client, variant: str, turn: str, most: int) -> None:
    """Every answer can be sent back."""
    game = create_game(api, variant, chance="client")
    if variant == "duel":
        game.do(*HANDS)
    shown = game.get("?view=full", token=game.host).body
    shown["position"].update(turns=most - 1, active=1)
    reached = ask(api, shown, "apply", moves=events(turn)).body
    assert (reached["position"]["turns"], reached["status"]) == (most, "finished")
    assert reached["outcome"]["reason"] == "max-turns"
    assert ask(api, reached, "score").body["final"]
    assert ask(api, reached, "apply", moves=events(turn)).code == "game-over"


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"deck": 40}, "card-count", "/position/deck"),
        ({"hands": [["?"] * 8, ["R6", *["?"] * 6]]}, "hand-size", "/position/hands/1"),
        ({"known": [["R6"], []]}, "known", "/position/known/0/0"),
        ({"known": [[], ["R7"]]}, "known", "/position/known/1/0"),
        ({"hands": [["?"] * 8, ["R6", "R6", *["?"] * 6]]}, "too-many-copies", "/position/hands/1/1"),
        ({"hands": [["?"] * 8, ["P6", *["?"] * 7]], "known": [[], ["P6"]]}, "colours", "/position/hands/1/0"),
    ],
)
def test_a_view_is_checked_like_a_position(game: GameClient, change: Any, code: str, pointer: str) -> None:
    shown = game.get().body
    answer = ask(game.api, {**shown, "position": {**shown["position"], **change}}, "score")
    assert (answer.status, answer.code, answer.body["errors"][0]["pointer"]) == (422, code, pointer)


def test_a_view_does_not_start_a_game(game: GameClient) -> None:
    wish = {"variant": "duel", "players": ["Ann", "Ben"], "position": game.get(token=game.seats[0]).body["position"]}
    answer = game.api.post("/games", wish)
    assert (answer.status, answer.code) == (422, "hidden-card")
    assert answer.body["errors"][0]["pointer"] == "/position/hands/1/1"
