"""The running service: gunicorn with several workers, and a store that is restarted."""

import os
import random
import re
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
from lostcities.gunicorn_config import graceful_timeout
from lostcities.store.embedded import EmbeddedStore
from lostcities.variants.core import FULL
from lostcities.variants.registry import VARIANTS

from tests.client import Answer, Client, GameClient, create_game
from tests.conformance.tables import brief
from tests.server.process_tree import workers_of
from tests.server.serving import ROOT, Service, serving, store_at


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("data"), WORKERS="2") as running:
        yield running


def together(*tasks: Any) -> list[Any]:
    """Run the tasks at the same time, each in its own thread."""
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


@pytest.mark.parametrize(("variant", "seats"), [(name, game.rules.INFO.seats[1]) for name, game in VARIANTS.items()])
def test_independent_clients_play_a_whole_game(service: Service, variant: str, seats: int) -> None:
    """Each seat is a client that lists its moves and makes one, until the game is over."""
    options = {**brief(variant), "max_turns": 24} if brief(variant) else {}
    game = create_game(service.client, variant, seats, options=options)

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
    rules = VARIANTS[variant].rules
    state = rules.setup(seats, rules.parse_options(options))
    for event in events:
        state = rules.apply(state, event["actor"], rules.parse(event["notation"]))
    assert rules.to_position(state, FULL) == body["position"]


def test_simultaneous_moves_with_the_same_if_match_all_succeed(service: Service) -> None:
    """In a simultaneous phase another seat's move does not make an If-Match stale.

    In a game of five seats four choose at the same time after the active seat.
    """
    game = create_game(service.client, "roll-and-write", 5, chance="client")
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


def test_of_two_moves_with_the_same_if_match_one_succeeds(service: Service) -> None:
    for _ in range(10):
        game = create_game(service.client)
        seen = game.get("", token=game.seats[0])
        hand = seen.body["position"]["hands"][0]

        def discard(card: str, game: GameClient = game, etag: str = seen.headers["ETag"]) -> Answer:
            return game.move(f"discard {card}", 0, if_match=etag)

        answers = together(partial(discard, hand[0]), partial(discard, hand[-1]))
        assert sorted(answer.status for answer in answers) == [200, 412]
        assert game.get("").body["version"] == 3


def test_one_key_makes_one_move_across_workers(service: Service) -> None:
    game = create_game(service.client)
    card = game.get("", token=game.seats[0]).body["position"]["hands"][0][0]
    answers = together(*[lambda: game.move(f"discard {card}", 0, key="once")] * 8)
    assert {answer.status for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert sum("Idempotent-Replayed" not in answer.headers for answer in answers) == 1


# Starting and stopping ---------------------------------------------------------------------------------------------


def remember(api: Client) -> tuple[str, str, bytes]:
    game = create_game(api)
    card = game.get("", token=game.seats[0]).body["position"]["hands"][0][0]
    assert game.move(f"discard {card}", 0).status == 200
    return game.path, game.host, game.get("?view=full", token=game.host).content


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_games_survive_a_stop_and_a_kill(tmp_path: Path, how: signal.Signals) -> None:
    with serving(tmp_path) as first:
        path, host, before = remember(first.client)
        first.stop(how)
    with serving(tmp_path) as second:
        assert second.client.get(path + "?view=full", token=host).content == before


def test_workers_exit_and_free_the_port_when_gunicorn_is_killed(tmp_path: Path) -> None:
    """Also while a stream is open."""
    with store_at(tmp_path / "store") as store, serving(tmp_path / "data", REDIS_URL=store.url) as service:
        game = create_game(service.client, "duel", 2)
        with requests.get(f"{service.url}/games/{game.id}/events", stream=True, timeout=60) as stream:
            assert next(stream.iter_content(16))
            service.process.kill()
            deadline = time.monotonic() + graceful_timeout / 2
            while answers(service.url):
                assert time.monotonic() < deadline
                time.sleep(0.1)
            with serving(tmp_path / "data", REDIS_URL=store.url, PORT=str(urlsplit(service.url).port)) as another:
                assert another.client.get(f"/games/{game.id}").status == 200


def answers(url: str) -> bool:
    try:
        return requests.get(f"{url}/livez", timeout=1).ok
    except requests.Timeout:
        return True  # a process still listens
    except requests.ConnectionError:
        return False


def test_after_a_reload_metrics_include_all_workers(tmp_path: Path) -> None:
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


def test_the_start_log_has_the_addresses(service: Service) -> None:
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
        ({"THREADS": "4"}, "THREADS was removed; unset it"),
        ({"REDIS_URL": "http://localhost"}, "REDIS_URL: it must begin with"),
        ({"CORS_ORIGINS": "example.com"}, "CORS_ORIGINS must be"),
    ],
)
def test_a_bad_setting_fails_the_start(tmp_path: Path, environment: dict[str, str], sentence: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lostcities", "serve"],
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


# Malformed requests --------------------------------------------------------------------------------------------------

SECRET = b"seat_secret"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (SECRET + b"\r\n\r\n", 400),
        (b"GET /livez HTTP/9.9\r\n\r\n", 400),
        (b"GET /livez HTTP/1.1\r\nAuthorization Bearer " + SECRET + b"\r\n\r\n", 400),
        (b"GET /" + b"x" * 5000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET /livez HTTP/1.1\r\nX: " + b"x" * 9000 + b"\r\n\r\n", 431),
        (b"GET /livez HTTP/1.1\r\n" + b"X: y\r\n" * 200 + b"\r\n", 431),
        (b"POST /games HTTP/1.1\r\nTransfer-Encoding: rot13\r\n\r\n", 501),
    ],
)
def test_a_malformed_http_request_gets_an_error_status(service: Service, sent: bytes, status: int) -> None:
    """In an HTML page: gunicorn answers before the application is called. The contract's introduction says so."""
    with socket.create_connection(("127.0.0.1", int(service.url.rsplit(":", 1)[1])), timeout=20) as connection:
        connection.sendall(sent)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())
    assert b"\r\nContent-Type: text/html\r\n" in answer
    (statuses,) = re.findall(
        r"gets an HTML page instead, with ([\d, or]+)\.", service.client.get("/openapi.json").content.decode()
    )
    assert str(status) in re.findall(r"\d+", statuses)
    assert service.client.get("/livez").status == 200
    assert SECRET.decode() not in "".join(service.output)


GET = b"GET /livez HTTP/1.1\r\nHost: here\r\n\r\n"
UNREAD = b"POST /livez HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\nGET /"
CHUNKED = b"POST /livez HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nGET /\r\n0\r\n\r\n"


@pytest.mark.parametrize(
    ("second", "status"),
    [
        (GET.replace(b"livez", b"nothing"), b"404"),
        (GET.replace(b"GET", b"HEAD"), b"200"),
        (UNREAD, b"405"),
        (CHUNKED, b"405"),
    ],
)
def test_pipelined_requests_are_answered_in_order(service: Service, second: bytes, status: bytes) -> None:
    """A body that the application does not read is not parsed as the next request."""
    with socket.create_connection(("127.0.0.1", int(service.url.rsplit(":", 1)[1])), timeout=20) as connection:
        connection.sendall(GET + second + GET)
        heard = b""
        while heard.count(b"HTTP/1.1 ") < 3 or not heard.endswith(b"}"):
            heard += connection.recv(65536)
    assert re.findall(rb"HTTP/1.1 (\d+)", heard) == [b"200", status, b"200"]


# Processes ---------------------------------------------------------------------------------------------------------


def test_gunicorn_loads_its_settings_without_the_application() -> None:
    """Only a worker imports the application and its libraries, after gevent has patched the standard library."""
    program = (
        "import sys, lostcities.gunicorn_config\n"
        "names = ('flask', 'redis', 'limits', 'prometheus_client', 'urllib3', 'opentelemetry', 'lostcities.app')\n"
        "print([name for name in names if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_gevent_patches_in_time(service: Service) -> None:
    assert "MonkeyPatchWarning" not in "".join(service.output)


def test_a_dead_gunicorn_ends_the_service(tmp_path: Path) -> None:
    with serving(tmp_path) as running:
        (gunicorn,) = {parent_of(worker) for worker in workers_of(running.process.pid)}
        os.kill(gunicorn, signal.SIGKILL)
        assert running.process.wait(30) == 128 + signal.SIGKILL
    assert not (tmp_path / "store.sock").exists()


def parent_of(pid: int) -> int:
    (parent,) = re.findall(r"PPid:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(parent)


# Store failure -----------------------------------------------------------------------------------------------------


def test_without_its_store_the_service_is_not_ready_and_recovers(tmp_path: Path) -> None:
    with store_at(tmp_path / "store") as store, serving(tmp_path / "data", REDIS_URL=store.url, WORKERS="1") as running:
        api = running.client
        assert "(embedded store)" not in "".join(running.output)
        game = create_game(api)
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
