"""Event streams and long polls, through the application in process: messages, redaction and errors."""

import random
import threading
from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from typing import Any

import pytest
from flask import Flask
from lostcities.app import create_app
from lostcities.config import Settings
from lostcities.variants.registry import VARIANTS

from tests.client import Answer, Client, GameClient, create_game
from tests.conformance.tables import brief, every_variant
from tests.conftest import client_of
from tests.contract import conforms
from tests.faults.processes import until
from tests.sse import Message, messages, parse


def open_(
    app: Flask, path: str, token: str | None = None, last: int | None = None, headers: Mapping[str, str] | None = None
) -> Iterator[Message]:
    """The messages of a stream, as they arrive."""
    headers = {**(headers or {}), **({"Authorization": f"Bearer {token}"} if token else {})}
    headers |= {} if last is None else {"Last-Event-ID": str(last)}
    response = app.test_client(use_cookies=False).get(path, headers=headers, buffered=False)
    assert response.status_code == 200, response.data
    rest = b""
    for data in response.iter_encoded():
        *blocks, rest = (rest + data).split(b"\n\n")
        yield from (parse(block.decode()) for block in blocks)
    assert rest == b""


def play(game: GameClient, rng: random.Random, moves: int = 10_000) -> None:
    """Make random moves as the host, at most `moves`, until the game is over."""
    for _ in range(moves):
        if not (listed := game.get("/moves", token=game.host).body["moves"]):
            return
        assert game.api.post(game.path + "/moves", rng.choice(listed), token=game.host).status == 200


def whole(answer: Answer) -> list[Message]:
    """All messages of a finished stream, without the `retry` field."""
    retry, *rest = messages(answer.content)
    assert retry == Message("retry", None, 2000)
    return rest


def history(game: GameClient, **kwargs: Any) -> list[Any]:
    events: list[Any] = []
    while (page := game.get(f"/history?limit=500&after={len(events)}", **kwargs).body)["next"] is not None:
        events += page["events"]
    return [*events, *page["events"]]


def told(events: list[Any]) -> list[Message]:
    return [Message("event", event["version"], event) for event in events]


END = Message("end", None, {"reason": "finished"})


# Messages ----------------------------------------------------------------------------------------------------------


def alternate(game: GameClient, rng: random.Random, moves: int) -> None:
    """Make random moves, each with the token of its seat."""
    for _ in range(moves):
        if not (listed := game.get("/moves", token=game.host).body["moves"]):
            return
        move = rng.choice(listed)
        assert game.api.post(game.path + "/moves", move, token=game.seats[move["seat"]]).status == 200


@every_variant
@pytest.mark.parametrize("is_resumed", [False, True])
def test_with_include_a_stream_has_the_moves_of_every_turn(
    app: Flask, api: Client, variant: str, is_resumed: bool
) -> None:
    """The message of the newest event has what `GET /games/{id}?include=…` answers. No other request is needed."""
    game = create_game(api, variant)
    include = "?include=moves,score"
    for caller in (game.seats[0], game.seats[1], game.host, None):
        version = game.get().body["version"]
        stream = open_(app, f"{game.path}/events{include}", caller, last=version if is_resumed else None)
        assert next(stream).kind == "retry"
        if not is_resumed:
            assert next(stream).data == game.get(include, token=caller).body
        for seed in range(6):
            alternate(game, random.Random(seed), 1)
            shown = game.get(include, token=caller).body
            while (message := next(stream)).id != shown["version"]:
                assert (
                    message.kind == ":" or "game" not in message.data or message.data["game"]["version"] == message.id
                )
            assert message.data["game"] == shown
            assert {*message.data} == {"version", "actor", "notation", "game"}


def test_a_resumed_stream_has_the_game_with_the_last_of_the_missed_events(app: Flask, api: Client) -> None:
    game = create_game(api)
    alternate(game, random.Random(1), 6)
    stream = open_(app, f"{game.path}/events?include=moves", game.seats[0], last=2)
    assert next(stream).kind == "retry"
    shown = game.get("?include=moves", token=game.seats[0]).body
    missed = [next(stream) for _ in range(3, shown["version"] + 1)]
    assert [("game" in message.data) for message in missed] == [False] * (len(missed) - 1) + [True]
    assert missed[-1].data["game"] == shown


def test_without_include_a_stream_has_no_game_after_the_first_message(app: Flask, api: Client) -> None:
    game = create_game(api)
    stream = open_(app, f"{game.path}/events", game.seats[0])
    assert [next(stream).kind for _ in range(2)] == ["retry", "game"]
    alternate(game, random.Random(1), 1)
    assert {*next(stream).data} == {"version", "actor", "notation"}


@every_variant
def test_a_stream_sends_the_game_then_every_event_then_the_end(app: Flask, api: Client, variant: str) -> None:
    options = {**brief(variant), "max_turns": 6} if brief(variant) else {}
    game = create_game(api, variant, VARIANTS[variant].rules.INFO.seats[1], options=options)
    stream = open_(app, game.path + "/events", game.seats[0])
    assert next(stream) == Message("retry", None, 2000)
    seen = game.get("", token=game.seats[0]).body
    assert next(stream) == Message("game", seen["version"], seen)
    playing = threading.Thread(target=play, args=(game, random.Random(variant)))
    playing.start()
    heard = [each for each in stream if each.kind != ":"]
    playing.join()
    assert heard[-1] == END
    versions = [each.id for each in heard[:-1]]
    assert versions == [*range(seen["version"] + 1, game.get("").body["version"] + 1)]


def test_a_stream_is_redacted_as_the_history_is(app: Flask, api: Client) -> None:
    """Each event is read before the next move, because the events of a finished game are public."""
    game = create_game(api, "duel")
    eyes: list[dict[str, Any]] = [{}, {"token": game.seats[0]}, {"token": game.seats[1]}]
    streams = [open_(app, game.path + "/events", **each) for each in eyes]
    streams += [open_(app, game.path + query, game.host) for query in ("/events?seat=1", "/events?view=full")]
    for stream in streams:
        assert [next(stream).kind, next(stream).kind] == ["retry", "game"]
    play(game, random.Random(1), moves=12)
    version = game.get("").body["version"]
    heard = [[next(stream) for _ in range(version - 2)] for stream in streams]
    shown = [history(game, **each) for each in eyes]
    shown += [game.get(f"/history?{query}", token=game.host).body["events"] for query in ("seat=1", "view=full")]
    assert heard == [told(events)[2:] for events in shown]
    notations = [[each.data["notation"] for each in of] for of in heard]
    assert all("draw ?" in each for each in notations[:4])
    assert "draw ?" not in notations[4]
    assert notations[1] != notations[2] == notations[3]


def test_a_resumed_stream_starts_after_last_event_id(app: Flask, api: Client) -> None:
    game = create_game(api, "duel")
    play(game, random.Random(2), moves=20)
    events = told(history(game))
    for last in (0, 7, len(events)):
        stream = open_(app, game.path + "/events", last=last)
        assert next(stream).kind == "retry"
        assert [next(stream) for _ in range(len(events) - last)] == events[last:]


def test_a_stream_of_a_finished_game_is_public(api: Client) -> None:
    game = create_game(api, "duel", options={"max_turns": 4})
    play(game, random.Random(3))
    shown = game.get("").body
    everything = told(history(game))
    assert not [each for each in everything if "?" in each.data["notation"]]
    assert whole(game.get("/events")) == [Message("game", shown["version"], shown), END]
    assert whole(game.get("/events", headers={"Last-Event-ID": "0"})) == [*everything, END]
    assert whole(game.get("/events", headers={"Last-Event-ID": "3"})) == [*everything[3:], END]
    nothing_more = game.get("/events", headers={"Last-Event-ID": str(shown["version"])})
    assert (nothing_more.status, nothing_more.content) == (204, b"")


def test_a_stream_ends_when_its_game_is_deleted(app: Flask, api: Client) -> None:
    game = create_game(api)
    stream = open_(app, game.path + "/events")
    assert [next(stream).kind, next(stream).kind] == ["retry", "game"]
    assert api.delete(game.path, token=game.host).status == 204
    assert [*stream] == [Message("end", None, {"reason": "gone"})]


def test_a_stream_has_headers_against_caching_and_buffering(app: Flask, api: Client) -> None:
    game = create_game(api)
    for headers, kept in (({}, "no-cache"), ({"Authorization": f"Bearer {game.host}"}, "no-store")):
        response = app.test_client().get(game.path + "/events", headers=headers, buffered=False)
        assert response.headers["Content-Type"] == "text/event-stream"
        assert response.headers["Cache-Control"] == kept
        assert response.headers["X-Accel-Buffering"] == "no"
        assert "Content-Length" not in response.headers
        response.close()
    assert app.test_client().head(game.path + "/events").data == b""


def test_cors_allows_last_event_id(api: Client) -> None:
    asked = {"Origin": "https://a.example", "Access-Control-Request-Method": "GET"}
    answer = api("OPTIONS", "/games/aaaaaaaaaaaaaaaa/events", headers=asked)
    assert "Last-Event-ID" in answer.headers["Access-Control-Allow-Headers"]


# Errors ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "last", "token", "status", "code", "pointers"),
    [
        ("/events", "-1", None, 422, "invalid-request", ["Last-Event-ID"]),
        ("/events", "", None, 422, "invalid-request", ["Last-Event-ID"]),
        ("/events", "²", None, 422, "invalid-request", ["Last-Event-ID"]),
        ("/events", "1e3", None, 422, "invalid-request", ["Last-Event-ID"]),
        ("/events", "10000000000", None, 422, "invalid-request", ["Last-Event-ID"]),
        ("/events", "3", None, 422, "unknown-version", ["Last-Event-ID"]),
        ("/events?seat=0&view=full", None, "host", 422, "seat-or-view", ["seat"]),
        ("/events?seat=7", None, "host", 422, "unknown-seat", ["seat"]),
        ("/events?after=1", None, None, 422, "invalid-request", ["after"]),
        ("/events?seat=0", None, None, 401, "token-required", []),
        ("/events?seat=1", None, "seat", 403, "not-your-seat", ["seat"]),
        ("/events", None, "stranger", 401, "unknown-token", []),
        ("?wait=1", None, None, 422, "after-required", ["wait"]),
        ("?after=0&wait=31", None, None, 422, "invalid-request", ["wait"]),
        ("?after=0&wait=-1", None, None, 422, "invalid-request", ["wait"]),
        ("?after=0&wait=0.5", None, None, 422, "invalid-request", ["wait"]),
        ("?after=-1&wait=1", None, None, 422, "invalid-request", ["after"]),
        ("?after=1&version=1", None, None, 422, "after-or-version", ["after"]),
        ("?after=1&wait=30&version=1", None, None, 422, "after-or-version", ["after"]),
        ("?wait=30&version=1", None, None, 422, "after-required", ["wait"]),
        ("?after=2&wait=30&seat=0", None, None, 401, "token-required", []),
        ("?after=2&wait=30", None, "stranger", 401, "unknown-token", []),
    ],
)
def test_an_invalid_request_is_rejected_at_once(
    api: Client, path: str, last: str | None, token: str | None, status: int, code: str, pointers: list[str]
) -> None:
    game = create_game(api)
    tokens = {"host": game.host, "seat": game.seats[0], "stranger": "seat_" + "0" * 32}
    headers = {} if last is None else {"Last-Event-ID": last}
    answer = game.get(path, headers=headers, token=tokens.get(token or ""))
    assert (answer.status, answer.code, answer.pointers) == (status, code, pointers)


def test_a_stream_of_an_unknown_game_is_404(api: Client) -> None:
    for game_id in ("a" * 16, "nope"):
        assert api.get(f"/games/{game_id}/events").code == "no-such-game"
        assert api.get(f"/games/{game_id}?after=0&wait=30").code == "no-such-game"


def test_too_many_streams_is_503_with_retry_after(store_url: str) -> None:
    app = create_app(Settings(redis_url=store_url, rate_limits=None, max_streams=2))
    game = create_game(client_of(app))
    streams = [open_(app, game.path + "/events") for _ in range(2)]
    for stream in streams:
        assert next(stream).kind == "retry"
    for path in ("/events", "?after=2&wait=30"):
        answer = game.get(path)
        assert (answer.status, answer.code, answer.headers["Retry-After"]) == (503, "too-many-streams", "5")
    assert game.get("?after=1&wait=30").status == 200
    game.api.delete(game.path, token=game.host)
    for stream in streams:
        assert [*stream][-1].kind == "end"
    game = create_game(client_of(app))
    assert next(open_(app, game.path + "/events")).kind == "retry"


def test_too_many_streams_for_an_address_is_429_with_retry_after(store_url: str) -> None:
    """Addresses are those that a trusted proxy forwards. An address that the client itself states is not used."""
    proxies = (ip_network("127.0.0.0/8"),)
    settings = Settings(redis_url=store_url, rate_limits=None, max_streams_per_address=2, trusted_proxies=proxies)
    app = create_app(settings)
    game = create_game(client_of(app))
    greedy = {"X-Forwarded-For": "203.0.113.8, 203.0.113.7"}
    streams = [open_(app, game.path + "/events", headers=greedy) for _ in range(2)]
    for stream in streams:
        assert next(stream).kind == "retry"
    for path in ("/events", "?after=2&wait=30"):
        answer = game.get(path, headers=greedy)
        assert (answer.status, answer.code, answer.headers["Retry-After"]) == (429, "too-many-streams-for-address", "5")
    assert game.get("", headers=greedy).status == 200
    assert game.get("?after=2&wait=1", headers={"X-Forwarded-For": "203.0.113.8"}).status == 200
    assert game.get("?after=2&wait=1").status == 200
    game.api.delete(game.path, token=game.host)
    for stream in streams:
        assert [*stream][-1].kind == "end"
    game = create_game(client_of(app))
    assert next(open_(app, game.path + "/events", headers=greedy)).kind == "retry"


def test_a_response_to_head_takes_no_stream(store_url: str) -> None:
    """Its body is never read."""
    app = create_app(Settings(redis_url=store_url, rate_limits=None, max_streams_per_address=2))
    game = create_game(client_of(app))
    assert [game.api("HEAD", game.path + "/events").status for _ in range(5)] == [200] * 5
    assert next(open_(app, game.path + "/events")).kind == "retry"


# Long polls --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("include", ["", "include=moves,score"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_long_poll_ends_with_the_next_move(api: Client, seat: int, include: str) -> None:
    game = create_game(api)
    query, token = f"?after=2&wait=30&{include}", game.seats[seat]
    answers: list[Answer] = []
    waiting = threading.Thread(target=lambda: answers.append(game.get(query, token=token)))
    waiting.start()
    until(lambda: 'live_connections{kind="waiting"} 1.0' in api.get("/metrics").content.decode())
    play(game, random.Random(4), moves=1)
    waiting.join()
    same = game.get(f"?{include}", token=token)
    assert [(answer.content, answer.headers["ETag"]) for answer in answers] == [(same.content, same.headers["ETag"])]
    assert answers[0].body["version"] == 3


def test_a_long_poll_for_an_existing_version_ends_at_once(api: Client) -> None:
    game = create_game(api)
    for query in ("?after=1&wait=30", "?after=0", "?after=2", "?after=2&wait=0", "?after=9&wait=0"):
        assert game.get(query).body["version"] == 2


def test_a_long_poll_that_times_out_returns_the_current_game(api: Client) -> None:
    game = create_game(api)
    answer = game.get("?after=2&wait=1")
    assert (answer.status, answer.body["version"]) == (200, 2)
    again = game.get("?after=2&wait=1", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status, again.content) == (304, b"")


def test_a_long_poll_ends_when_its_game_is_deleted(api: Client) -> None:
    game = create_game(api)
    answers: list[Answer] = []
    waiting = threading.Thread(target=lambda: answers.append(game.get("?after=2&wait=30")))
    waiting.start()
    api.delete(game.path, token=game.host)
    waiting.join()
    assert answers[0].code == "no-such-game"


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_data_of_every_message_conforms_to_the_contract(api: Client, variant: str) -> None:
    """The contract describes the data of one message: a game, an event, or the end."""
    options = (
        {"max_turns": 2} if "max_turns" in [option.name for option in VARIANTS[variant].rules.INFO.options] else {}
    )
    game = create_game(api, variant, VARIANTS[variant].rules.INFO.seats[0], options=options)
    while moves := game.get("/moves", token=game.host).body["moves"]:
        assert game.api.post(game.path + "/moves", moves[0], token=game.host).status == 200
    _, *whole = messages(game.get("/events").content)
    _, *resumed = messages(game.get("/events", headers={"Last-Event-ID": "0"}).content)
    _, *included = messages(game.get("/events?include=moves,score", headers={"Last-Event-ID": "0"}).content)
    assert [each.kind for each in whole] == ["game", "end"]
    assert {each.kind for each in resumed} == {each.kind for each in included} == {"event", "end"}
    assert included[-2].data["game"] == game.get("?include=moves,score").body
    for each in (*whole, *resumed, *included):
        conforms.validate(each.kind, {"$ref": "#/components/schemas/StreamMessage"}, each.data)
