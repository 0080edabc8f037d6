"""Bots in a running service: streams, retries, races, the bound on thinking, and requests while an expert thinks."""

import random
import threading
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests

from tests.client import Answer, GameClient, create_game
from tests.conformance.test_bot_seats import new_game, play
from tests.server.serving import Service, serving
from tests.sse import Message, parse

SEED = "5e" * 32
DEADLINE = 60


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("data"), WORKERS="2") as running:
        yield running


def at_once(*calls: Callable[[], Answer]) -> list[Answer]:
    """The answers to calls that are made at the same time."""
    start = threading.Barrier(len(calls))
    answers: list[Answer | None] = [None] * len(calls)

    def run(index: int, call: Callable[[], Answer]) -> None:
        start.wait()
        answers[index] = call()

    threads = [threading.Thread(target=run, args=each) for each in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE)
    return [answer for answer in answers if answer]


def history(game: GameClient) -> list[Any]:
    events: list[Any] = game.get("/history?limit=500&view=full", token=game.host).body["events"]
    return events


def follow(service: Service, game: GameClient, heard: list[Message], opened: threading.Event) -> None:
    """Collect the messages of the game's stream until it ends."""
    with requests.get(f"{service.url}{game.path}/events", stream=True, timeout=DEADLINE) as stream:
        opened.set()
        block: list[str] = []
        for line in stream.iter_lines(decode_unicode=True):
            if line:
                block.append(line)
            elif block:
                heard.append(parse("\n".join(block)))
                block = []


def test_a_stream_delivers_the_moves_of_bots(service: Service) -> None:
    game = new_game(service.client, "treasure-hunt", [None, "random", "greedy"], seed=SEED, options={"max_turns": 9})
    heard: list[Message] = []
    opened = threading.Event()
    watching = threading.Thread(target=follow, args=(service, game, heard, opened))
    watching.start()
    assert opened.wait(DEADLINE)
    play(game, random.Random(1))
    watching.join(DEADLINE)
    assert not watching.is_alive()
    events = [message.data for message in heard if message.kind == "event"]
    assert events == history(game)[game.created["version"] :]
    assert {event["actor"] for event in events} == {"chance", 0, 1, 2}
    assert heard[-1].kind == "end"


def test_a_long_poll_returns_the_game_after_the_bots_moves(service: Service) -> None:
    game = new_game(service.client, "rivals", [None, None, "random"], seed=SEED)
    version = game.created["version"]
    polled, made = at_once(
        lambda: game.get(f"?after={version}&wait=30"), lambda: game.move("uncover", 0, token=game.seats[0])
    )
    assert polled.body["version"] == made.body["version"]
    assert set(polled.body["to_act"]) <= {0, 1}


@pytest.mark.parametrize("level", ["greedy", "expert"])
def test_a_move_that_is_sent_many_times_with_one_key_is_made_once(service: Service, level: str) -> None:
    game = new_game(service.client, "rivals", [None, level], seed=SEED)

    def send() -> Answer:
        return game.move("uncover", 0, token=game.seats[0], key="one-decision")

    answers = at_once(*[send] * 5)
    assert {answer.status for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert ["Idempotent-Replayed" in answer.headers for answer in answers].count(False) == 1
    assert history(game)[game.created["version"] :] == answers[0].body["events"]
    assert send().content == answers[0].content


def test_a_creation_that_is_sent_many_times_with_one_key_is_made_once(service: Service) -> None:
    wish = {"variant": "rivals", "players": [{"name": "Bot", "bot": "expert"}, "Ann"]}
    answers = at_once(*[lambda: service.client.post("/games", wish, key="one-creation-with-a-bot")] * 4)
    assert {answer.status for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1


def test_of_competing_moves_each_is_made_once_or_refused(service: Service) -> None:
    """A request that comes late is answered by the newer game. No event of a bot is lost or doubled."""
    game = new_game(service.client, "treasure-hunt", [None, "random"], seed=SEED, options={"max_turns": 20})
    for _ in range(12):
        moves = game.get("/moves", token=game.host).body["moves"]
        if not moves:
            break
        first = moves[0]

        def send(move: Any = first) -> Answer:
            return service.client.post(f"{game.path}/moves", move, token=game.host)

        answers = at_once(send, send, send)
        assert {answer.status for answer in answers} <= {200, 409}
        assert any(answer.status == 200 for answer in answers)
    events = history(game)
    assert [event["version"] for event in events] == [*range(1, len(events) + 1)]
    record = game.get("/record", token=game.host).body
    verified = service.client.post("/variants/treasure-hunt/verify", record).body
    assert (verified["valid"], verified["chance"]) == (True, "verified")


def test_other_requests_are_answered_while_an_expert_thinks(tmp_path: Path) -> None:
    """With one worker. They could not be answered before the expert is done if it did not pause."""
    with serving(tmp_path / "data", WORKERS="1") as running:
        game = create_game(running.client, "roll-and-write", 5, seed=SEED)
        done = threading.Event()
        advice: list[Answer] = []

        def think() -> None:
            advice.append(game.get("/advice", token=game.seats[0]))
            done.set()

        thinking = threading.Thread(target=think)
        thinking.start()
        answered = 0
        while not done.is_set():
            assert game.get("/moves", token=game.seats[0]).status == 200
            answered += not done.is_set()
        thinking.join(DEADLINE)
        assert advice[0].status == 200
        assert answered >= 5


@pytest.mark.parametrize(
    ("setting", "refusal"),
    [
        ("MAX_THINKING", (503, "too-much-thinking")),
        ("MAX_THINKING_PER_ADDRESS", (429, "too-much-thinking-for-address")),
    ],
)
def test_too_much_thinking_is_refused_and_changes_nothing(
    tmp_path: Path, setting: str, refusal: tuple[int, str]
) -> None:
    with serving(tmp_path / "data", WORKERS="1", **{setting: "1"}) as running:
        games = [new_game(running.client, "rivals", [None, "expert"], seed=f"{number:02x}" * 32) for number in range(3)]

        def send(game: GameClient) -> Callable[[], Answer]:
            return lambda: game.move("uncover", 0, token=game.seats[0], key="uncover")

        answers = at_once(*map(send, games))
        refused = [answer for answer in answers if answer.status != 200]
        assert 0 < len(refused) < 3
        assert {(answer.status, answer.code) for answer in refused} == {refusal}
        assert {answer.headers["Retry-After"] for answer in refused} == {"1"}
        for game, answer in zip(games, answers, strict=True):
            if answer.status != 200:
                assert game.get().body["version"] == game.created["version"]
            assert send(game)().status == 200


def test_an_address_that_keeps_asking_leaves_turns_for_others(tmp_path: Path) -> None:
    """It has as many requests waiting as it may, in one worker. Another address is answered each time."""
    with serving(tmp_path / "data", WORKERS="1", MAX_THINKING="3", MAX_THINKING_PER_ADDRESS="2") as running:
        game = create_game(running.client, "roll-and-write", 5, seed=SEED)
        stopped = threading.Event()
        statuses: list[int] = []

        def keep_asking() -> None:
            while not stopped.is_set():
                statuses.append(advice_from("127.0.0.1", running, game))

        greedy = [threading.Thread(target=keep_asking) for _ in range(5)]
        for each in greedy:
            each.start()
        try:
            assert [advice_from("127.0.0.2", running, game) for _ in range(5)] == [200] * 5
        finally:
            stopped.set()
            for each in greedy:
                each.join(DEADLINE)
        assert {*statuses} == {200, 429}


def advice_from(address: str, running: Service, game: GameClient) -> int:
    """The status of a request for advice from that address of this machine."""
    url = urlsplit(running.url)
    connection = HTTPConnection(url.hostname or "", url.port, timeout=DEADLINE, source_address=(address, 0))
    try:
        connection.request("GET", f"{game.path}/advice", headers={"Authorization": f"Bearer {game.seats[0]}"})
        return connection.getresponse().status
    finally:
        connection.close()
