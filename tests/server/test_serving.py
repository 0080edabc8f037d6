"""What can only be claimed of the running service: gunicorn, several workers, a store that comes and goes."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests

from service.rules.registry import GAMES
from service.serve import GRACE_SECONDS
from service.store.embedded import EmbeddedStore
from tests.client import Answer, Client, Seated, sit_down
from tests.conformance.tables import brief
from tests.server.serving import ROOT, Service, serving, store_at


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("data"), WORKERS="2", THREADS="8") as running:
        yield running


def together(*tasks: Any) -> list[Any]:
    """Run the tasks at the same moment, each in a thread of its own."""
    barrier = threading.Barrier(len(tasks))
    results: list[Any] = [None] * len(tasks)

    def run(index: int, task: Any) -> None:
        barrier.wait()
        try:
            results[index] = task()
        except Exception as error:
            results[index] = error

    threads = [threading.Thread(target=run, args=each) for each in enumerate(tasks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not [result for result in results if isinstance(result, Exception)], results
    return results


# Playing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("variant", "seats"), [(variant, game.ABOUT.seats[1]) for variant, game in GAMES.items()])
def test_players_who_know_nothing_of_each_other_play_a_whole_game(service: Service, variant: str, seats: int) -> None:
    """Every seat is a client of its own that only asks for its moves and makes one, until the game is over."""
    options = {**brief(variant), "max_turns": 24} if brief(variant) else {}
    game = sit_down(service.client, variant, seats, options=options)

    def play(seat: int) -> int:
        rng, made = random.Random(seat), 0
        while True:
            listed = game.get("/moves", token=game.seats[seat])
            if not listed.body["moves"]:
                if game.get("").body["status"] == "finished":
                    return made
                time.sleep(0.002)
                continue
            move = rng.choice(listed.body["moves"])
            etag = listed.headers["ETag"]
            answer = game.api.post(game.path + "/moves", move, token=game.seats[seat], if_match=etag)
            assert answer.status == 200, answer.content
            made += 1

    made = together(*[partial(play, seat) for seat in range(seats)])
    body = game.get("").body
    assert body["status"] == "finished"
    events: list[Any] = []
    while len(events) < body["version"]:
        events += game.get(f"/history?limit=500&after={len(events)}").body["events"]
    assert sum(made) == sum(event["actor"] != "chance" for event in events)
    rules = GAMES[variant]
    state = rules.setup(seats, rules.options(options))
    for event in events:
        state = rules.apply(state, event["actor"], rules.parse(event["notation"]))
    assert rules.view(state, None) == body["position"]


def test_all_who_choose_at_once_hold_the_same_etag_and_all_succeed(service: Service) -> None:
    """In a simultaneous phase another seat's move makes nobody's If-Match stale.

    At a full table of five, once the active seat has chosen, the four others choose at once.
    """
    game = sit_down(service.client, "roll-and-write", 5, chance="client")
    game.outcome("roll R O Y 1 2 3")
    assert game.move("refuse", 0).status == 200
    seen = game.get("")
    assert seen.body["to_act"] == [1, 2, 3, 4]

    def refuse(seat: int) -> Answer:
        return game.move("refuse", seat, token=game.seats[seat], if_match=seen.headers["ETag"])

    answers = together(*[partial(refuse, seat) for seat in (1, 2, 3, 4)])
    assert [answer.status for answer in answers] == [200] * 4
    assert sorted(answer.body["version"] for answer in answers) == [3, 4, 5, 6]
    assert game.move("refuse", 1, if_match=seen.headers["ETag"]).status == 412


def test_of_two_clients_racing_with_one_if_match_exactly_one_wins(service: Service) -> None:
    for _ in range(10):
        game = sit_down(service.client)
        seen = game.get("", token=game.seats[0])
        hand = seen.body["position"]["hands"][0]

        def discard(card: str, game: Seated = game, etag: str = seen.headers["ETag"]) -> Answer:
            return game.move(f"discard {card}", 0, if_match=etag)

        answers = together(partial(discard, hand[0]), partial(discard, hand[-1]))
        assert sorted(answer.status for answer in answers) == [200, 412]
        assert game.get("").body["version"] == 3


def test_one_key_makes_one_move_whatever_worker_answers(service: Service) -> None:
    game = sit_down(service.client)
    card = game.get("", token=game.seats[0]).body["position"]["hands"][0][0]
    answers = together(*[lambda: game.move(f"discard {card}", 0, key="once")] * 8)
    assert {answer.status for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert sum("Idempotent-Replayed" not in answer.headers for answer in answers) == 1


# Starting and stopping ---------------------------------------------------------------------------------------------


def remember(api: Client) -> tuple[str, str, bytes]:
    game = sit_down(api)
    card = game.get("", token=game.seats[0]).body["position"]["hands"][0][0]
    assert game.move(f"discard {card}", 0).status == 200
    return game.path, game.host, game.get("?view=full", token=game.host).content


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_games_survive_a_restart_however_the_service_ended(tmp_path: Path, how: signal.Signals) -> None:
    with serving(tmp_path) as first:
        path, host, before = remember(first.client)
        first.stop(how)
    with serving(tmp_path) as second:
        assert second.client.get(path + "?view=full", token=host).content == before


def test_workers_whose_master_was_killed_leave_and_free_its_address(tmp_path: Path) -> None:
    """Even with a stream open, which ends only with its game."""
    with store_at(tmp_path / "store") as store, serving(tmp_path / "data", REDIS_URL=store.url) as service:
        game = sit_down(service.client, "duel", 2)
        with requests.get(f"{service.url}/games/{game.id}/events", stream=True, timeout=60) as stream:
            assert next(stream.iter_content(16))
            service.process.kill()
            deadline = time.monotonic() + GRACE_SECONDS / 2
            while answers(service.url):
                assert time.monotonic() < deadline
                time.sleep(0.1)
            with serving(tmp_path / "data", REDIS_URL=store.url, PORT=str(urlsplit(service.url).port)) as another:
                assert another.client.get(f"/games/{game.id}").status == 200


def answers(url: str) -> bool:
    try:
        return requests.get(f"{url}/livez", timeout=1).ok
    except requests.Timeout:
        return True  # somebody holds the door open
    except requests.ConnectionError:
        return False


def test_after_a_reload_all_workers_still_count_together(tmp_path: Path) -> None:
    with store_at(tmp_path / "store") as store:
        temporary = tmp_path / "temporary"
        temporary.mkdir()
        with serving(tmp_path / "data", REDIS_URL=store.url, WORKERS="2", TMPDIR=str(temporary)) as service:
            asked = 5
            for _ in range(asked):
                assert service.client.get("/variants").status == 200
            service.process.send_signal(signal.SIGHUP)
            while sum("Booting worker" in line for line in service.output) < 4:
                time.sleep(0.05)
            for _ in range(20):
                assert service.client.get("/variants").status == 200
                asked += 1
                told = service.client.get("/metrics").content.decode()
                assert f'requests_total{{method="GET",route="/variants",status="200"}} {asked:.1f}' in told
        assert not [*temporary.iterdir()]


def test_it_says_where_everything_is(service: Service) -> None:
    text = "".join(service.output)
    assert f"the table:          {service.url}/" in text
    assert f"the API:            {service.url}/" in text
    assert f"its documentation:  {service.url}/docs" in text
    assert "(embedded store)" in text


def test_the_embedded_store_stops_with_the_service(tmp_path: Path) -> None:
    with serving(tmp_path) as running:
        assert (tmp_path / "store.sock").exists()
        assert running.stop() == 0
    assert not (tmp_path / "store.sock").exists()
    assert (tmp_path / "appendonlydir").is_dir()


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"PORT": "eighty"}, "PORT must be a whole number"),
        ({"WORKERS": "0"}, "WORKERS must be a whole number"),
        ({"REDIS_URL": "http://localhost"}, "REDIS_URL: it must begin with"),
        ({"CORS_ORIGINS": "example.com"}, "CORS_ORIGINS must be"),
    ],
)
def test_a_bad_setting_is_refused_at_start(tmp_path: Path, environment: dict[str, str], sentence: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "service", "serve"],
        cwd=ROOT,
        env={**os.environ, "DATA_DIR": str(tmp_path), **environment},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


# The store goes away -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"nonsense\r\n\r\n", 400, "bad-request"),
        (b"GET /livez HTTP/9.9\r\n\r\n", 400, "bad-request"),
        (b"GET /livez HTTP/1.1\r\nno colon here\r\n\r\n", 400, "bad-request"),
        (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n", 414, "request-uri-too-long"),
        (b"GET /livez HTTP/1.1\r\nX: " + b"x" * 9000 + b"\r\n\r\n", 431, "request-header-fields-too-large"),
        (b"GET /livez HTTP/1.1\r\n" + b"X: y\r\n" * 200 + b"\r\n", 431, "request-header-fields-too-large"),
        (b"POST /games HTTP/1.1\r\nTransfer-Encoding: rot13\r\n\r\n", 501, "not-implemented"),
    ],
)
def test_what_is_no_request_is_answered_as_a_problem(service: Service, sent: bytes, status: int, code: str) -> None:
    with socket.create_connection(("127.0.0.1", int(service.url.rsplit(":", 1)[1])), timeout=20) as connection:
        connection.sendall(sent)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status} ".encode())
    assert b"Content-Type: application/problem+json" in head
    problem = json.loads(body)
    assert (problem["status"], problem["code"]) == (status, code)
    assert f"X-Request-Id: {problem['request_id']}".encode() in head
    assert service.client.get("/livez").status == 200


def test_without_its_store_the_service_says_so_and_recovers_by_itself(tmp_path: Path) -> None:
    with store_at(tmp_path / "store") as store, serving(tmp_path / "data", REDIS_URL=store.url, WORKERS="1") as running:
        api = running.client
        assert "(embedded store)" not in "".join(running.output)
        game = sit_down(api)
        card = game.get("", token=game.seats[0]).body["position"]["hands"][0][0]
        before = game.get("?view=full", token=game.host).content
        store.stop()
        for answer in (
            game.get(""),
            game.get("/history"),
            game.move(f"discard {card}", 0, key="k"),
            api.post("/games", {"variant": "duel", "players": ["Ann", "Ben"]}),
            api.get("/readyz"),
        ):
            assert (answer.status, answer.code) == (503, "store-away")
            assert int(answer.headers["Retry-After"]) >= 1
        assert api.get("/livez").status == 200
        assert api.get("/variants").status == 200
        again = EmbeddedStore(tmp_path / "store")
        again.start()
        try:
            deadline = time.monotonic() + 10
            while api.get("/readyz").status != 200 and time.monotonic() < deadline:
                time.sleep(0.05)
            assert game.get("?view=full", token=game.host).content == before
            assert game.move(f"discard {card}", 0, key="k").status == 200
        finally:
            again.stop()
