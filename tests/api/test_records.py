"""Records over HTTP: who gets one, what an import makes of it, and what verification says."""

import json
import random
from typing import Any

import pytest
from lostcities.api.fields import MAX_BODY, RECORD_EVENT_BYTES
from lostcities.api.games.moves import NOTATION
from lostcities.app import create_app
from lostcities.config import DEFAULT_RATE_LIMITS, Settings
from lostcities.games.chance import commitment
from lostcities.games.storage import SNAPSHOT_EVENTS
from lostcities.variants.registry import VARIANTS

from tests.client import Client, GameClient, create_game
from tests.conformance.tables import brief, every_variant
from tests.conftest import client_of

SEED = "4d" * 32
OTHER = "4e" * 32


def play(game: GameClient, moves: int = 100_000, seed: int = 1) -> GameClient:
    """Make random moves as the host, at most so many."""
    rng = random.Random(seed)
    for _ in range(moves):
        legal = game.get("/moves", token=game.host).body["moves"]
        if not legal:
            break
        move = rng.choice(legal)
        assert game.move(move["notation"], move["seat"]).status == 200
    return game


def record_of(game: GameClient) -> Any:
    answer = game.get("/record", token=game.host)
    assert answer.status == 200, answer.content
    return answer.body


def imported(api: Client, record: Any) -> GameClient:
    answer = api.post("/games", {"record": record})
    assert answer.status == 201, answer.content
    body = answer.body
    return GameClient(api, body["id"], body["tokens"]["host"], body["tokens"]["seats"], body)


def verified(api: Client, record: Any) -> Any:
    answer = api.post(f"/variants/{record['variant']}/verify", record)
    assert answer.status == 200, answer.content
    return answer.body


def history(game: GameClient) -> Any:
    return game.get("/history?limit=500&view=full", token=game.host).body["events"]


# Export ------------------------------------------------------------------------------------------------------------


@every_variant
def test_the_record_of_a_finished_game_is_public(api: Client, variant: str) -> None:
    game = play(create_game(api, variant, options=brief(variant, 12)))
    record = game.get("/record").body
    assert [*record] == [
        *("format", "variant", "rules_version", "players", "options", "chance", "seed", "commitment", "events"),
        "outcome",
    ]
    assert record["format"] == "lostcities-record/1"
    assert record["outcome"] == game.get().body["outcome"]
    assert record["commitment"] == commitment(bytes.fromhex(record["seed"])) == game.created["commitment"]
    assert [{"version": n, **event} for n, event in enumerate(record["events"], 1)] == history(game)
    assert record == record_of(game) == game.get("/record", token=game.seats[0]).body


def test_the_record_of_an_unfinished_game_is_the_hosts(api: Client) -> None:
    game = play(create_game(api), 3)
    assert (game.get("/record").status, game.get("/record").code) == (401, "token-required")
    refused = game.get("/record", token=game.seats[1])
    assert (refused.status, refused.code) == (403, "host-only")
    assert game.get("/record", token="seat_" + "0" * 32).code == "unknown-token"
    assert api.get("/games/aaaaaaaaaaaaaaaa/record").status == 404
    record = record_of(game)
    assert (record["seed"], record["outcome"]) == (None, None)
    assert record["commitment"] == game.created["commitment"]


def test_a_seed_that_the_caller_chose_is_in_the_record_of_an_unfinished_game(api: Client) -> None:
    assert record_of(create_game(api, seed=SEED))["seed"] == SEED


def test_a_game_with_chance_by_the_host_has_no_seed(api: Client) -> None:
    game = create_game(api, "treasure-hunt", chance="client")
    assert game.outcome("roll 1 5 w").status == 200
    record = record_of(game)
    assert (record["chance"], record["seed"], record["commitment"]) == ("client", None, None)
    assert record["events"] == [{"actor": "chance", "notation": "roll 1 5 w"}]
    assert verified(api, record)["chance"] == "unverified"
    again = imported(api, record)
    assert record_of(again) == record
    assert again.move("keep").status == 200


@every_variant
def test_a_game_from_a_position_has_it_in_its_record(api: Client, variant: str) -> None:
    first = play(create_game(api, variant, seed=SEED), 6)
    position = first.get("?view=full", token=first.host).body["position"]
    record = record_of(play(create_game(api, variant, position=position, seed=OTHER), 5))
    assert record["position"] == position
    assert verified(api, record)["valid"]
    assert record_of(imported(api, record)) == record


# Import ------------------------------------------------------------------------------------------------------------


@every_variant
def test_a_game_goes_on_from_its_record_with_the_same_seed(api: Client, variant: str) -> None:
    """Both games have the same chance to come."""
    game = play(create_game(api, variant, seed=SEED, options=brief(variant, 12)), 6)
    record = record_of(game)
    copy = imported(api, record)
    assert copy.created["seeded_by"] == "caller"
    for each in (game, copy):
        play(each, seed=7)
    assert record_of(copy) == record_of(game)
    assert verified(api, record_of(copy))["chance"] == "verified"


@every_variant
def test_a_game_from_a_record_without_a_seed_gets_a_new_one(api: Client, variant: str) -> None:
    game = play(create_game(api, variant, options=brief(variant, 12)), 6)
    record = record_of(game)
    copy = imported(api, record)
    version = len(record["events"])
    assert copy.created["version"] == version
    assert copy.created["seeded_by"] == "server"
    assert copy.created["commitment"] != record["commitment"]
    assert copy.get("/fairness").body["seed_from"] == version
    assert game.get("/fairness").body["seed_from"] == 0
    assert "seed_from" not in record
    play(copy)
    later = copy.get("/record").body
    assert later["seed_from"] == version
    assert later["events"][:version] == record["events"]
    assert verified(api, later)["chance"] == "unverified"
    assert record_of(imported(api, later)) == later
    forged = json.loads(json.dumps(later))
    forged["seed_from"] = version - 1 if record["events"][-1]["actor"] == "chance" else 0
    answer = verified(api, forged)
    assert (answer["valid"], answer["problem"]["code"]) == (False, "wrong-chance")
    assert answer["version"] <= version


def test_chance_that_is_due_at_the_end_of_a_record_is_resolved(api: Client) -> None:
    record = record_of(create_game(api, seed=SEED))
    whole = [*record["events"]]
    game = imported(api, {**record, "events": whole[:1]})
    assert (game.created["version"], record_of(game)["events"]) == (2, whole)


@every_variant
def test_an_imported_game_has_its_whole_past(api: Client, valkey: Any, variant: str) -> None:
    game = play(create_game(api, variant, seats(variant), seed=SEED, options=brief(variant, 60)))
    copy = imported(api, record_of(game))
    assert history(copy) == history(game)
    last = game.get().body["version"]
    for version in {0, 1, last // 2, last - 1, last}:
        was, now = (each.get(f"?version={version}").body for each in (game, copy))
        assert was["position"] == now["position"]
    snapshots = sorted(int(field[1:]) for field in valkey.hkeys(f"lc:{{{copy.id}}}") if field.startswith(b"n"))
    assert snapshots == [*range(1, last // SNAPSHOT_EVENTS + 1)]


def seats(variant: str) -> int:
    return VARIANTS[variant].rules.INFO.seats[1]


def test_an_imported_game_has_new_tokens(api: Client) -> None:
    game = create_game(api, seed=SEED)
    copy = imported(api, record_of(game))
    assert copy.id != game.id
    assert not {copy.host, *copy.seats} & {game.host, *game.seats}
    assert copy.get("/moves", token=game.host).code == "unknown-token"


def test_a_retry_of_an_import_gets_the_same_game(api: Client) -> None:
    record = record_of(play(create_game(api), 4))
    key = "a-key-of-16-characters"
    first, second = (api.post("/games", {"record": record}, key=key) for _ in range(2))
    assert first.body == second.body
    assert second.headers["Idempotent-Replayed"] == "true"
    other = {**record, "players": ["Cid", "Dee"]}
    assert api.post("/games", {"record": other}, key=key).code == "idempotency-key-reused"


# Refusals ----------------------------------------------------------------------------------------------------------


def with_event(index: int, **changes: Any) -> Any:
    def change(record: Any) -> None:
        record["events"][index].update(changes)

    return change


def with_member(**changes: Any) -> Any:
    return lambda record: record.update(changes)


WRONG = [
    (with_event(2, notation="play R2"), 3, "illegal-event", "card-not-in-hand", "/events/2"),
    (with_event(2, actor=1), 3, "illegal-event", "not-your-turn", "/events/2"),
    (with_event(2, actor="chance"), 3, "illegal-event", "move-by-chance", "/events/2"),
    (with_event(2, actor=7), 3, "unknown-seat", None, "/events/2/actor"),
    (with_event(2, notation="hello"), 3, "not-a-move", None, "/events/2/notation"),
    (with_event(0, notation="deal 0 Yw Yw Yw Y2 Y3 Y4 Y5 Y6"), 1, "wrong-chance", None, "/events/0/notation"),
    (with_member(rules_version=999), 0, "other-rules-version", None, "/rules_version"),
    (with_member(commitment=OTHER), 0, "wrong-commitment", None, "/commitment"),
    (with_member(commitment=None), 0, "wrong-commitment", None, "/commitment"),
    (with_member(seed=OTHER), 0, "wrong-commitment", None, "/commitment"),
    (
        with_member(seed=OTHER, commitment=commitment(bytes.fromhex(OTHER))),
        1,
        "wrong-chance",
        None,
        "/events/0/notation",
    ),
    (with_member(chance="client"), 0, "seed-unused", None, "/seed"),
    (with_member(chance="client", seed=None), 0, "wrong-commitment", None, "/commitment"),
    (with_member(seed_from=1000), 0, "wrong-seed-from", None, "/seed_from"),
    (
        with_member(outcome={"winners": [0], "totals": [5, 3], "reason": "deck-empty"}),
        8,
        "wrong-outcome",
        None,
        "/outcome",
    ),
]


@pytest.mark.parametrize(("change", "version", "code", "rule", "pointer"), WRONG)
def test_a_wrong_record_is_refused_at_its_first_wrong_part(
    api: Client, valkey: Any, change: Any, version: int, code: str, rule: str | None, pointer: str
) -> None:
    game = create_game(api, seed=SEED, options={"max_turns": 60})
    hand = game.get("?seat=0", token=game.host).body["position"]["hands"][0]
    assert "R2" not in hand
    record = record_of(play(game, 4))
    assert len(record["events"]) == 8
    change(record)
    answer = verified(api, record)
    problem = answer["problem"]
    assert answer == {"valid": False, "version": version, "problem": problem}
    assert (problem["code"], problem.get("rule"), problem["errors"][0]["pointer"]) == (code, rule, pointer)
    before = valkey.dbsize()
    refused = api.post("/games", {"record": record}, key="a-key-for-a-bad-record")
    assert (refused.status, refused.code, refused.pointers) == (422, code, [f"/record{pointer}"])
    assert valkey.dbsize() == before, "nothing is stored"


def test_a_finished_game_without_its_result_is_refused(api: Client) -> None:
    record = record_of(play(create_game(api, seed=SEED, options={"max_turns": 4})))
    assert verified(api, record)["valid"]
    answer = verified(api, {**record, "outcome": None})
    assert (answer["version"], answer["problem"]["code"]) == (len(record["events"]), "wrong-outcome")
    longer = {**record, "events": [*record["events"], {"actor": 0, "notation": "draw deck"}]}
    answer = verified(api, longer)
    assert (answer["version"], answer["problem"]["rule"]) == (len(record["events"]) + 1, "game-over")


def test_an_impossible_position_or_option_of_a_record_is_refused_with_its_pointer(api: Client) -> None:
    record = record_of(create_game(api, "rivals", seed=SEED))
    refused = api.post("/games", {"record": {**record, "options": {"piles": [1, 1, 1, 1]}}})
    assert (refused.code, refused.pointers) == ("piles", ["/record/options/piles"])
    game = create_game(api, seed=SEED)
    position = game.get("?view=full", token=game.host).body["position"]
    position["deck"] = 0
    record = {**record_of(game), "position": position, "events": []}
    assert api.post("/games", {"record": record}).pointers[0].startswith("/record/position")


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"format": "lostcities-record/3"}, "/format"),
        ({"variant": "rivals"}, "/variant"),
        ({"players": ["Ann"]}, "/players"),
        ({"extra": 1}, "/extra"),
        ({"seed": "xyz"}, "/seed"),
        ({"events": {}}, "/events"),
        ({"events": [{"actor": 0}]}, "/events/0/notation"),
        ({"events": [{"actor": 0, "notation": "draw deck", "version": 1}]}, "/events/0/version"),
        ({"events": [{"actor": True, "notation": "draw deck"}]}, "/events/0/actor"),
        ({"events": [{"actor": "host", "notation": "draw deck"}]}, "/events/0/actor"),
        ({"events": [{"actor": 10, "notation": "draw deck"}]}, "/events/0/actor"),
        ({"events": [{"actor": 0, "notation": ""}]}, "/events/0/notation"),
        ({"events": [{"actor": 0, "notation": "x" * (NOTATION + 1)}]}, "/events/0/notation"),
        ({"events": [None]}, "/events/0"),
    ],
)
def test_a_document_that_is_no_record_is_refused(api: Client, change: Any, pointer: str) -> None:
    record = {**record_of(create_game(api, seed=SEED)), **change}
    answer = api.post("/variants/duel/verify", record)
    assert (answer.status, answer.code) == (422, "invalid-request")
    assert pointer in answer.pointers


def test_whole_numbers_may_be_written_with_a_point(api: Client) -> None:
    record = record_of(play(create_game(api, seed=SEED), 1))
    text = (
        json.dumps(record).replace('"actor": 0', '"actor": 0.0').replace('"rules_version": 1', '"rules_version": 1.0')
    )
    assert api.post("/variants/duel/verify", data=text.encode()).body["valid"]


@pytest.mark.parametrize(
    "name", ["format", "rules_version", "options", "chance", "seed", "commitment", "events", "outcome"]
)
def test_every_member_is_required(api: Client, name: str) -> None:
    record = record_of(create_game(api, seed=SEED))
    del record[name]
    assert api.post("/variants/duel/verify", record).pointers == [f"/{name}"]


def test_a_record_excludes_the_settings_of_a_new_game(api: Client) -> None:
    record = record_of(create_game(api, seed=SEED))
    assert api.post("/games", {"record": record, "seed": SEED}).pointers == ["/seed"]


# Limits ------------------------------------------------------------------------------------------------------------


def test_a_record_as_long_as_a_game_may_be_fits_into_a_body(store_url: str) -> None:
    """The longest moves and outcomes of every variant, written with indentation."""
    for variant in VARIANTS:
        rules = VARIANTS[variant].rules
        longest = max(rules.VOCABULARY, key=len)
        event = json.dumps({"actor": "chance", "notation": longest}, indent=4)
        assert len(event) + 20 <= RECORD_EVENT_BYTES, variant
    api = client_of(create_app(Settings(redis_url=store_url, rate_limits=None, max_events=5000)))
    record = record_of(create_game(api, seed=SEED))
    limit = MAX_BODY + RECORD_EVENT_BYTES * 5000
    body = json.dumps(record).encode()
    padded = body + b" " * (limit - len(body))
    assert api.post("/variants/duel/verify", data=padded).body["valid"]
    assert api.post("/variants/duel/verify", data=padded + b" ").status == 413
    wrapped = b'{"record": %b}' % body
    assert api.post("/games", data=wrapped + b" " * (limit - len(wrapped))).status == 201
    assert api.post("/games", data=wrapped + b" " * (limit - len(wrapped) + 1)).status == 413
    plain = b'{"variant": "duel", "players": ["Ann", "Ben"]}'
    assert api.post("/games", data=plain + b" " * MAX_BODY).status == 413


def test_a_record_of_more_events_than_a_game_may_have_is_refused(store_url: str) -> None:
    api = client_of(create_app(Settings(redis_url=store_url, rate_limits=None)))
    record = record_of(play(create_game(api, seed=SEED), 8))
    strict = client_of(create_app(Settings(redis_url=store_url, rate_limits=None, max_events=6)))
    answer = verified(strict, record)
    number = next(n for n, event in enumerate(record["events"], 1) if n > 6 and event["actor"] != "chance")
    assert (answer["valid"], answer["version"], answer["problem"]["code"]) == (False, number, "game-too-long")


def test_records_have_a_rate_limit_of_their_own(store_url: str) -> None:
    limits = DEFAULT_RATE_LIMITS._replace(creation="", record="3/minute")
    api = client_of(create_app(Settings(redis_url=store_url, redis_timeout=20_000, rate_limits=limits)))
    record = record_of(create_game(api, seed=SEED))
    assert verified(api, record)["valid"]
    assert api.post("/games", {"record": record}).status == 201
    assert verified(api, record)["valid"]
    for refused in (api.post("/variants/duel/verify", record), api.post("/games", {"record": record})):
        assert (refused.status, refused.code) == (429, "too-many-requests")
        assert "'record' is 3 per 1 minute" in refused.body["detail"]
    create_game(api)
    assert api("OPTIONS", "/variants/duel/verify").status == 200


# Secrets -----------------------------------------------------------------------------------------------------------


@every_variant
def test_the_seed_of_an_unfinished_game_never_leaves(api: Client, app: Any, variant: str) -> None:
    """Not by the record, not by a game that is created from it, and not by a verification."""
    game = create_game(api, variant, options=brief(variant, 60))
    stored = app.extensions["games"].store.load(game.id)
    seed = stored.game.setup.seed
    for _ in range(5):
        answer = game.get("/record", token=game.host)
        assert answer.body["seed"] is None
        copy = imported(api, answer.body)
        received = [
            answer.content,
            *(copy.get(question, token=copy.host).content for question in ("", "/record", "/fairness")),
            api.post(f"/variants/{variant}/verify", answer.body).content,
            *(game.get("/record", token=token).content for token in (None, *game.seats)),
        ]
        assert not any(seed.hex().encode() in content for content in received)
        own = app.extensions["games"].store.load(copy.id).game.setup
        assert own.seed != seed, "the copy does not foretell the game"
        assert not any(own.seed.hex().encode() in content for content in received)
        play(game, 3)


# Games that were too long ------------------------------------------------------------------------------------------


def test_a_game_that_was_too_long_moves_to_a_service_with_another_limit(store_url: str) -> None:
    small, large = (
        client_of(create_app(Settings(redis_url=store_url, rate_limits=None, max_events=limit))) for limit in (20, 500)
    )
    record = record_of(play(create_game(small, seed=SEED)))
    assert record["outcome"]["reason"] == "too-long"
    assert verified(large, record)["valid"]
    assert record_of(imported(large, record)) == record
    open_ended = {**record, "outcome": None}
    assert verified(large, open_ended)["valid"]
    answer = verified(small, open_ended)
    assert (answer["valid"], answer["problem"]["code"]) == (False, "game-too-long")
    assert imported(large, open_ended).created["status"] == "playing"
    early = {**record, "outcome": {**record["outcome"], "winners": [0]}}
    assert verified(large, early)["problem"]["code"] == "wrong-outcome"


def test_a_game_is_too_long_only_where_it_has_no_other_end_and_a_seat_is_to_act(api: Client) -> None:
    """The limit is not in the record, so any length will do."""

    def with_end(record: Any, version: int) -> Any:
        cut = {**record, "events": record["events"][:version], "outcome": None}
        totals = [seat["total"] for seat in verified(api, cut)["score"]["seats"]]
        return {**cut, "outcome": {"winners": [], "totals": totals, "reason": "too-long"}}

    record = record_of(play(create_game(api, seed=SEED, options={"max_turns": 4})))
    over = {**record, "outcome": {**record["outcome"], "winners": [], "reason": "too-long"}}
    answer = verified(api, over)
    assert (answer["version"], answer["problem"]["code"]) == (len(record["events"]), "wrong-outcome")
    for version in range(len(record["events"])):
        answer = verified(api, with_end(record, version))
        is_chance = record["events"][version]["actor"] == "chance"
        assert answer["valid"] != is_chance, version
        assert not is_chance or answer["problem"]["code"] == "wrong-outcome"
    copy = imported(api, with_end(record, 3))
    assert (copy.created["status"], copy.created["outcome"]["winners"]) == ("finished", [])


# Bots --------------------------------------------------------------------------------------------------------------


@every_variant
def test_a_game_with_a_bot_goes_on_with_its_bot(api: Client, variant: str) -> None:
    players = ["Ann", {"name": "Rob", "bot": "random"}]
    answer = api.post("/games", {"variant": variant, "players": players, "seed": SEED})
    game = GameClient(
        api, answer.body["id"], answer.body["tokens"]["host"], answer.body["tokens"]["seats"], answer.body
    )
    record = record_of(play(game, 3))
    assert record["players"] == players
    assert verified(api, record)["chance"] == "verified"
    copy = imported(api, record)
    assert copy.created["bots"] == [None, "random"]
    assert copy.created["tokens"]["seats"][1] is None
    assert record_of(copy) == record
    for each in (game, copy):
        play(each, 2, seed=5)
    assert record_of(copy) == record_of(game), "the bot decides alike: its picks follow from the seed"
