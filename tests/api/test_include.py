"""`include=moves,score`: a game with the legal moves and the score of the same version."""

import random
from itertools import islice, product
from typing import Any, NamedTuple

import pytest
from flask import Flask
from lostcities.variants.core import CHANCE, FULL
from lostcities.variants.registry import VARIANTS

from tests.api.test_games import HANDS
from tests.api.test_streams import open_
from tests.client import Client, GameClient, create_game
from tests.conformance.tables import brief, every_variant
from tests.playing import Step, steps

BOTH = "include=moves,score"


class Viewing(NamedTuple):
    """A kind of caller: a token and the view that it asks for."""

    token: str | None
    view: str = ""

    def get(self, game: GameClient, what: str = "", *query: str, **headers: str) -> Any:
        asked = "&".join(part for part in (self.view, *query) if part)
        return game.get(f"{what}?{asked}" if asked else what, token=self.token, headers=headers)


def callers(game: GameClient) -> list[Viewing]:
    """The spectator, each seat, and the host with each view that it may ask for."""
    views = ["", "view=full", *(f"seat={seat}" for seat in range(len(game.seats)))]
    return [Viewing(None), *map(Viewing, game.seats), *(Viewing(game.host, view) for view in views)]


def event_of(step: Step) -> dict[str, Any]:
    who = {"actor": CHANCE} if step.actor == CHANCE else {"seat": step.actor}
    return {**who, "notation": step.move.notation}


def random_steps(variant: str, options: dict[str, Any]) -> list[Step]:
    """The events of a random game, played without the service."""
    rules = VARIANTS[variant].rules
    start = rules.setup(rules.INFO.seats[0], rules.parse_options(options))
    return [*steps(rules, start, random.Random(variant))]


@pytest.fixture
def dealt(api: Client) -> GameClient:
    game = create_game(api, chance="client")
    game.do(*HANDS)
    return game


# What is included ----------------------------------------------------------------------------------------------------


@every_variant
def test_it_equals_the_separate_calls_at_every_version_for_every_caller(api: Client, variant: str) -> None:
    """The host states chance, so that every version of the game is the newest one for a while."""
    options = brief(variant, 10)
    game = create_game(api, variant, VARIANTS[variant].rules.INFO.seats[0], chance="client", options=options)
    included = [compare(game)]
    for step in random_steps(variant, options):
        token = game.host if step.actor == CHANCE else game.seats[step.actor]
        made = api.post(f"{game.path}/moves?{BOTH}", event_of(step), token=token)
        included.append(compare(game))
        assert made.body["game"] == Viewing(token).get(game, "", BOTH).body
    assert game.get().body["status"] == "finished"
    for version, by_caller in enumerate(included):
        for caller, (moves, score) in by_caller.items():
            past = caller.get(game, "", BOTH, f"version={version}").body
            assert (past["moves"], past["score"]) == (moves, score)


def compare(game: GameClient) -> dict[Viewing, tuple[Any, Any]]:
    """Compare the game that includes both with the separate calls; the moves and the score by caller."""
    found = {}
    for caller in callers(game):
        alone, listed, score = (caller.get(game, what).body for what in ("", "/moves", "/score"))
        assert caller.get(game, "", BOTH).body == {**alone, "moves": listed["moves"], "score": score}
        assert listed["version"] == alone["version"]
        found[caller] = listed["moves"], score
    return found


@every_variant
def test_the_first_message_of_a_stream_has_it_and_a_resumed_stream_has_not(
    app: Flask, api: Client, variant: str
) -> None:
    game = create_game(api, variant, VARIANTS[variant].rules.INFO.seats[0], options=brief(variant))
    for caller in callers(game):
        path = f"{game.path}/events?{BOTH}" + (caller.view and f"&{caller.view}")
        _, first = islice(open_(app, path, caller.token), 2)
        assert (first.kind, first.data) == ("game", caller.get(game, "", BOTH).body)
    resumed = islice(open_(app, f"{game.path}/events?{BOTH}", game.host, last=0), 2)
    assert [message.kind for message in resumed] == ["retry", "event"]


@every_variant
def test_a_creation_shows_what_its_host_would_get(api: Client, variant: str) -> None:
    wish = {"variant": variant, "players": ["Ann", "Ben", "Cid"][: VARIANTS[variant].rules.INFO.seats[0]]}
    answer = api.post(f"/games?{BOTH}", wish)
    created = answer.body
    tokens = created.pop("tokens")
    game = GameClient(api, created["id"], tokens["host"], tokens["seats"], created)
    same = game.get(f"?{BOTH}", token=game.host)
    assert created == same.body
    assert created["moves"]
    assert answer.headers["ETag"] == same.headers["ETag"]


@every_variant
def test_apply_shows_the_moves_and_the_score_of_the_position_that_it_reaches(api: Client, variant: str) -> None:
    rules, options = VARIANTS[variant].rules, brief(variant, 4)
    for step in random_steps(variant, options):
        position = rules.to_position(step.before, FULL)
        asked = {"options": options, "position": position, "move": event_of(step)}
        answer = api.post(f"/variants/{variant}/apply?{BOTH}", asked).body
        reached = {"options": options, "position": answer["position"]}
        assert answer["moves"] == api.post(f"/variants/{variant}/moves", reached).body["moves"]
        assert answer["score"] == api.post(f"/variants/{variant}/score", reached).body
        del answer["moves"], answer["score"]
        assert answer == api.post(f"/variants/{variant}/apply", asked).body


def test_a_long_poll_has_it(dealt: GameClient) -> None:
    waited = dealt.get(f"?after=1&wait=20&{BOTH}", token=dealt.seats[0]).body
    assert waited == dealt.get(f"?{BOTH}", token=dealt.seats[0]).body
    assert waited["moves"]


@pytest.mark.parametrize(
    ("include", "names"),
    [
        ("moves", {"moves"}),
        ("score", {"score"}),
        ("moves,score", {"moves", "score"}),
        ("score,moves", {"moves", "score"}),
    ],
)
def test_only_what_is_named_is_included(dealt: GameClient, include: str, names: set[str]) -> None:
    alone = dealt.get("", token=dealt.seats[0]).body
    answer = dealt.get(f"?include={include}", token=dealt.seats[0]).body
    assert answer.keys() - alone.keys() == names


def test_it_needs_no_further_command_of_the_store(dealt: GameClient, valkey: Any) -> None:
    def commands(query: str) -> int:
        before = valkey.info("stats")["total_commands_processed"]
        assert dealt.get(query, token=dealt.host).status == 200
        return int(valkey.info("stats")["total_commands_processed"] - before)

    for alone, both in (("", f"?{BOTH}"), ("?version=2", f"?version=2&{BOTH}")):
        # Other threads may use the store at the same time.
        assert min(commands(alone) for _ in range(5)) == min(commands(both) for _ in range(5))


# ETags -----------------------------------------------------------------------------------------------------------


def test_responses_with_the_same_etag_are_equal(dealt: GameClient) -> None:
    """Also between callers, and between what they include: a cache may have any of them."""
    dealt.do("play R7")
    seen: dict[str, Any] = {}
    for caller, include, version in product(callers(dealt), ("", "moves", "score", "moves,score"), ("", "version=2")):
        answer = caller.get(dealt, "", include and f"include={include}", version)
        assert seen.setdefault(answer.headers["ETag"], answer.body) == answer.body
        repeated = caller.get(
            dealt, "", include and f"include={include}", version, **{"If-None-Match": answer.headers["ETag"]}
        )
        assert (repeated.status, repeated.headers["ETag"]) == (304, answer.headers["ETag"])
    # Two versions; four views (public, full, two seats) with four contents each; and two with the host's moves.
    assert len(seen) == 2 * (4 * 4 + 2)


def test_the_order_of_the_names_does_not_matter(dealt: GameClient) -> None:
    one, two = (dealt.get(f"?include={names}") for names in ("moves,score", "score,moves"))
    assert (one.headers["ETag"], one.content) == (two.headers["ETag"], two.content)


def test_names_in_parameters_of_their_own_mean_the_same(dealt: GameClient) -> None:
    """Generated clients repeat the parameter of a list, although the contract says that a comma separates its items."""
    one, two = (dealt.get(f"?include={names}") for names in ("moves,score", "moves&include=score"))
    assert (one.headers["ETag"], one.content) == (two.headers["ETag"], two.content)


def test_an_etag_of_another_include_is_not_304(dealt: GameClient) -> None:
    alone = dealt.get("", token=dealt.seats[0]).headers["ETag"]
    answer = dealt.get(f"?{BOTH}", token=dealt.seats[0], headers={"If-None-Match": alone})
    assert answer.status == 200


def test_its_etags_are_conditions_of_moves(dealt: GameClient) -> None:
    etags = [Viewing(dealt.host, view).get(dealt, "", BOTH).headers["ETag"] for view in ("", "seat=0", "view=full")]
    for etag in etags:
        checked = dealt.api.post(f"{dealt.path}/check", {"notation": "play R7"}, token=dealt.host, if_match=etag)
        assert checked.status == 200
    etag = ", ".join(etags)
    made = dealt.api.post(f"{dealt.path}/moves?{BOTH}", {"notation": "play R7"}, token=dealt.seats[0], if_match=etag)
    assert dealt.move("draw deck", if_match=etag).status == 412
    assert dealt.move("draw deck", if_match=made.headers["ETag"]).status == 200


# Retries -----------------------------------------------------------------------------------------------------------


def test_a_retry_repeats_what_was_included(dealt: GameClient) -> None:
    path, move = f"{dealt.path}/moves?{BOTH}", {"notation": "play R7"}
    first = dealt.api.post(path, move, token=dealt.seats[0], key="a")
    assert first.body["game"]["moves"]
    dealt.do("draw deck", "draw B2", "play R9")
    again = dealt.api.post(path, move, token=dealt.seats[0], key="a")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (again.content, again.headers["ETag"]) == (first.content, first.headers["ETag"])


def test_a_key_with_another_include_is_rejected(dealt: GameClient) -> None:
    move = {"notation": "play R7"}
    dealt.api.post(f"{dealt.path}/moves?{BOTH}", move, token=dealt.seats[0], key="a")
    again = dealt.api.post(f"{dealt.path}/moves?include=moves", move, token=dealt.seats[0], key="a")
    assert (again.status, again.code) == (422, "idempotency-key-reused")


def test_a_retried_creation_repeats_what_was_included(api: Client) -> None:
    key, wish = "5d1c3e9c-create-include", {"variant": "duel", "players": ["Ann", "Ben"]}
    first = api.post(f"/games?{BOTH}", wish, key=key)
    again = api.post(f"/games?{BOTH}", wish, key=key)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.content == first.content


# Errors ------------------------------------------------------------------------------------------------------------

WRONG = [
    *("include=", "include=history", "include=moves,history", "include=Moves", "include=moves,", "include=,moves"),
    *("include=moves,moves", "include=score,moves,score", "include=moves,%20score", "include=moves;score"),
    *("include=moves&include=moves", "include=moves,score&include=score", "include=moves&include="),
]


@pytest.mark.parametrize("query", WRONG)
def test_unknown_and_repeated_names_are_rejected(dealt: GameClient, query: str) -> None:
    position = dealt.get("?view=full", token=dealt.host).body["position"]
    move = {"notation": "play R7"}
    for method, path, body in (
        ("POST", "/games", {"variant": "duel", "players": ["Ann", "Ben"]}),
        ("GET", dealt.path, None),
        ("POST", f"{dealt.path}/moves", move),
        ("GET", f"{dealt.path}/events", None),
        ("POST", "/variants/duel/apply", {"position": position, "move": move}),
    ):
        answer = dealt.api(method, f"{path}?{query}", body, token=None if path == "/games" else dealt.host)
        assert (answer.status, answer.code) == (422, "invalid-request")
        assert [part["pointer"] for part in answer.body["errors"]] == ["include"]
    assert dealt.get().body["version"] == 2


@pytest.mark.parametrize(
    ("method", "what"),
    [
        *(("GET", what) for what in ("/moves", "/history", "/score", "/fairness", "/board.svg")),
        *(("POST", "/check"), ("DELETE", "")),
    ],
)
def test_other_calls_do_not_take_it(dealt: GameClient, method: str, what: str) -> None:
    body = {"notation": "play R7"} if method == "POST" else None
    answer = dealt.api(method, f"{dealt.path}{what}?include=moves", body, token=dealt.host)
    assert (answer.status, answer.code) == (422, "invalid-request")


def test_a_query_means_the_same_in_each_call_and_every_time(dealt: GameClient) -> None:
    """The arguments of a query are kept for the schema of their call."""
    for _ in range(2):
        assert {"moves", "score"} <= dealt.get(f"?{BOTH}").body.keys()
        assert dealt.get(f"/moves?{BOTH}").status == 422
        assert dealt.get("?include=nothing").status == 422
