"""Streams and long polls of the running service with two workers, including failures."""

import contextlib
import http.client
import os
import random
import re
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.api.test_streams import END, history, play, told
from tests.client import Answer, GameClient, create_game
from tests.faults.processes import until
from tests.server.process_tree import store_of, workers_of
from tests.server.serving import Service, serving
from tests.server.test_serving import together
from tests.sse import Message, Reader

STREAMS = 500
MANY = 6000
"""Events of a game whose history exceeds a reader's queue."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    environment = {"WORKERS": "2", "MAX_EVENTS": str(2 * MANY), "MAX_STREAMS_PER_ADDRESS": str(STREAMS)}
    with serving(tmp_path_factory.mktemp("data"), **environment) as running:
        yield running


def live(service: Service, kind: str) -> float:
    """The number of open streams or waiting requests in all workers."""
    text = service.client.get("/metrics").content.decode()
    (value,) = re.findall(rf'live_connections\{{kind="{kind}"\}} (\S+)', text)
    return float(value)


@contextlib.contextmanager
def watching(service: Service, game: GameClient, count: int, token: str | None = None) -> Iterator[list[Reader]]:
    """Open streams that have received their first message."""
    with contextlib.ExitStack() as stack:
        readers = [stack.enter_context(Reader(service.url, game.path + "/events", token)) for _ in range(count)]
        for reader in readers:
            assert (message := reader.next())
            assert message.kind == "game"
        yield readers


# Streams -----------------------------------------------------------------------------------------------------------


def test_streams_of_all_workers_are_redacted_for_their_viewers(service: Service) -> None:
    """With many streams of every kind of viewer."""
    game = create_game(service.client, "duel", options={"max_turns": 6})
    with contextlib.ExitStack() as stack:
        tokens = [None, *game.seats]
        groups = [stack.enter_context(watching(service, game, 8, token)) for token in tokens]
        play(game, random.Random(1), moves=9)
        version = game.get("").body["version"]
        for token, readers in zip(tokens, groups, strict=True):
            shown = told(history(game, token=token))[2:]
            for reader in readers:
                assert reader.until(version) == shown
        play(game, random.Random(2))
        everything = told(history(game))
        for readers in groups:
            for reader in readers:
                *events, end = reader.rest()
                assert [event.id for event in events] == [event.id for event in everything[version:]]
                assert end == END


def test_a_reader_that_reconnects_gets_every_event_exactly_once(service: Service) -> None:
    """Moves continue while readers reconnect with `Last-Event-ID`, to any worker."""
    game = create_game(service.client, "duel", options={"max_turns": 60})
    playing = threading.Thread(target=play, args=(game, random.Random(3)))

    def read(seed: int) -> list[Message]:
        found: list[Message] = []
        rng, last = random.Random(seed), 0
        while True:
            with Reader(service.url, game.path + "/events", last=last) as reader:
                if reader.status == 204:
                    return found
                for _ in range(rng.randrange(1, 12)):
                    message = reader.next()
                    if message is None or message == END:
                        break
                    found.append(message)
                    last = message.id or last

    playing.start()
    read_by = together(*[partial(read, seed) for seed in range(6)])
    playing.join()
    everything = told(history(game))
    for found in read_by:
        assert [message.id for message in found] == [*range(1, len(everything) + 1)]
        for message, public in zip(found, everything, strict=True):
            words = zip(message.data["notation"].split(), public.data["notation"].split(), strict=True)
            assert all(word in (known, "?") for word, known in words)


def test_a_deleted_game_ends_its_streams(service: Service) -> None:
    game = create_game(service.client)
    with watching(service, game, 6) as readers:
        assert service.client.delete(game.path, token=game.host).status == 204
        for reader in readers:
            assert reader.rest() == [Message("end", None, {"reason": "gone"})]


def test_500_streams_beside_normal_traffic(service: Service) -> None:
    """Every stream gets every move, and other requests are answered at the same time."""
    games = [create_game(service.client) for _ in range(10)]
    with contextlib.ExitStack() as stack:
        groups = [stack.enter_context(watching(service, game, STREAMS // len(games))) for game in games]
        assert live(service, "stream") == STREAMS
        together(*[partial(play, game, random.Random(game.id), 10) for game in games])
        for game, readers in zip(games, groups, strict=True):
            version = game.get("").body["version"]
            for reader in readers:
                assert [message.id for message in reader.until(version)] == [*range(3, version + 1)]
    # The next heartbeat detects closed connections.
    until(lambda: live(service, "stream") == 0, seconds=60)


def test_one_address_cannot_take_the_streams_of_others(tmp_path: Path) -> None:
    """200 clients of 127.0.0.1 connect at the same time. Those of 127.0.0.2 are served, and closed streams are free."""
    of_address, attempts = 20, 200
    with serving(tmp_path, WORKERS="2", MAX_STREAMS="100", MAX_STREAMS_PER_ADDRESS=str(of_address)) as running:
        game = create_game(running.client)

        def connect(source: str) -> Reader:
            return Reader(running.url, game.path + "/events", source=source)

        with contextlib.ExitStack() as stack:
            readers = [stack.enter_context(each) for each in together(*[partial(connect, "127.0.0.1")] * attempts)]
            statuses = Counter(reader.status for reader in readers)
            assert statuses.keys() == {200, 429}
            assert of_address <= statuses[200] <= 2 * of_address
            assert live(running, "stream") == statuses[200]
            refused = next(reader for reader in readers if reader.status == 429)
            assert refused.headers["Retry-After"] == "5"
            others = [stack.enter_context(connect("127.0.0.2")) for _ in range(of_address)]
            assert {reader.status for reader in others} == {200}
        # The next heartbeat detects closed connections.
        until(lambda: live(running, "stream") == 0, seconds=60)
        with connect("127.0.0.1") as reader:
            assert reader.status == 200


def test_idle_streams_have_heartbeats_and_blocked_readers_are_disconnected(service: Service) -> None:
    """The game goes on until its history exceeds the client's queue."""
    game = create_game(service.client, "duel", options={"redraw_own_discard": True})
    hands = game.get("?view=full", token=game.host).body["position"]["hands"]
    turns = [
        {"notation": f"{verb} {cards[0] if verb == 'discard' else cards[0][0]}"}
        for cards in hands
        for verb in ("discard", "draw")
    ]
    with Reader(service.url, game.path + "/events", window=4096) as slow, watching(service, game, 1) as (fast,):
        for _ in range(MANY // 100):
            answer = service.client.post(game.path + "/moves", {"moves": turns * 25}, token=game.host)
            assert answer.status == 200, answer.content
        assert len(fast.until(2 + MANY)) == MANY
        assert fast.next(comments=True) == Message(":", None, "")
        until(lambda: live(service, "stream") == 1, seconds=60, what="the cut")
        got = [message.id for message in slow.rest() if message.id]
        assert got == [*range(2, 2 + len(got))]
        assert len(got) < MANY
    assert not [line for line in service.output if "Traceback" in line]
    with Reader(service.url, game.path + "/events", last=got[-1]) as resumed:
        assert len(resumed.until(2 + MANY)) == 2 + MANY - got[-1]


# Long polls --------------------------------------------------------------------------------------------------------


class Line:
    """A keep-alive connection."""

    def __init__(self, service: Service) -> None:
        self._connection = http.client.HTTPConnection(str(urlsplit(service.url).netloc), timeout=60)

    def ask(self, path: str) -> None:
        self._connection.request("GET", path)

    def answer(self) -> Answer:
        response = self._connection.getresponse()
        return Answer(response.status, dict(response.getheaders()), response.read())

    def close(self) -> None:
        self._connection.close()


def test_many_long_polls_are_all_answered(service: Service) -> None:
    game = create_game(service.client)
    lines = [Line(service) for _ in range(40)]
    for line in lines:
        line.ask(f"{game.path}?after=2&wait=30")
    until(lambda: live(service, "waiting") == len(lines))
    assert game.get("").body["version"] == 2
    play(game, random.Random(4), moves=1)
    shown = game.get("").content
    answers = [line.answer() for line in lines]
    assert {(answer.status, answer.content) for answer in answers} == {(200, shown)}
    assert {answer.headers["Connection"] for answer in answers} == {"keep-alive"}
    # The connections can be used for further long polls.
    for line in lines:
        line.ask(f"{game.path}?after=3&wait=1")
    assert {line.answer().content for line in lines} == {shown}
    for line in lines:
        line.ask("/livez")
        assert line.answer().status == 200
        line.close()


def test_the_next_change_removes_long_polls_of_closed_connections(service: Service) -> None:
    game = create_game(service.client)
    lines = [Line(service) for _ in range(10)]
    for line in lines:
        line.ask(f"{game.path}?after=2&wait=30")
    until(lambda: live(service, "waiting") == len(lines))
    for line in lines:
        line.close()
    play(game, random.Random(6), moves=1)
    until(lambda: live(service, "waiting") == 0)
    assert not [line for line in service.output if "Traceback" in line]


def test_a_long_poll_counts_as_one_request(tmp_path: Path) -> None:
    with serving(tmp_path, WORKERS="1", RATE_LIMITS="client=3/hour") as running:
        game = create_game(running.client)
        assert game.get("?after=2&wait=1").status == 200
        with Reader(running.url, game.path + "/events") as reader:
            assert reader.status == 200
        assert game.get("").status == 429
        assert running.stop() == 0
    lines = [line for line in running.output if '"route":"/games/{game_id}"' in line]
    assert len(lines) == 2
    assert len([line for line in running.output if '"route":"/games/{game_id}/events"' in line]) == 1
    assert not [line for line in running.output if "host_" in line or "seat_" in line]


# Stopping, and store failures -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_ends_all_streams_and_long_polls_at_once(tmp_path: Path, how: signal.Signals) -> None:
    with serving(tmp_path) as running:
        game = create_game(running.client)
        line = Line(running)
        line.ask(f"{game.path}?after=2&wait=30")
        with watching(running, game, 20) as readers:
            until(lambda: live(running, "waiting") == 1)
            assert running.stop(how) == 0
            # No `end` message, so that clients reconnect.
            assert [reader.rest() for reader in readers] == [[]] * len(readers)
        answer = line.answer()
        assert (answer.status, answer.body["version"]) == (200, 2)
        line.close()
    with serving(tmp_path) as again, Reader(again.url, game.path + "/events", last=2) as reader:
        assert reader.status == 200


def test_a_reader_of_a_killed_worker_can_resume(tmp_path: Path) -> None:
    with serving(tmp_path, WORKERS="1") as running:
        game = create_game(running.client)
        with watching(running, game, 1) as (reader,):
            (worker,) = workers_of(running.process.pid)
            os.kill(worker, signal.SIGKILL)
            assert reader.rest() == []
        until(lambda: running.client.get("/livez").status == 200)
        assert live(running, "stream") == 0
        play(game, random.Random(5), moves=1)
        with Reader(running.url, game.path + "/events", last=2) as reader:
            assert [message.id for message in reader.until(3)] == [3]


def test_streams_continue_after_the_store_was_restarted(tmp_path: Path) -> None:
    with serving(tmp_path) as running:
        game = create_game(running.client)

        def is_moved() -> Any:
            listed = game.get("/moves", token=game.host)
            return listed.status == 200 and game.move(listed.body["moves"][0]["notation"]).status == 200

        with watching(running, game, 6) as readers:
            os.kill(store_of(running.process.pid), signal.SIGKILL)
            for _ in range(4):
                until(is_moved, seconds=60, what="the store")
            version = game.get("").body["version"]
            for reader in readers:
                assert [message.id for message in reader.until(version)] == [*range(3, version + 1)]
