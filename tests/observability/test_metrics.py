"""Metrics for Prometheus."""

import os
import re
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from lostcities.app import create_app
from lostcities.config import Settings
from prometheus_client.parser import text_string_to_metric_families

from tests.client import Client, create_game
from tests.conftest import client_of
from tests.server.process_tree import workers_of
from tests.server.serving import serving, store_at


@pytest.fixture
def api(store_url: str) -> Client:
    """A new service, with all counters at zero."""
    return client_of(create_app(Settings(redis_url=store_url, rate_limits=None)))


def samples(api: Client) -> dict[tuple[str, frozenset[Any]], float]:
    text = api.get("/metrics").content.decode()
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(api: Client, name: str, **labels: str) -> float:
    return samples(api).get((f"lostcities_{name}", frozenset(labels.items())), 0)


def test_requests_are_counted_and_timed_by_route(api: Client) -> None:
    game = create_game(api)
    for _ in range(3):
        game.get("")
    api.get("/games/" + "a" * 16)
    api.get("/nope/with/a/secret")
    route = "/games/{game_id}"
    assert value(api, "requests_total", method="GET", route=route, status="200") == 3
    assert value(api, "requests_total", method="GET", route=route, status="404") == 1
    assert value(api, "requests_total", method="GET", route="unknown", status="404") == 1
    assert value(api, "request_seconds_count", method="GET", route=route) == 4
    assert 0 < value(api, "request_seconds_sum", method="GET", route=route) < 4
    assert value(api, "games_created_total", variant="duel") == 1


def test_moves_are_counted_by_variant_and_rule(api: Client) -> None:
    game = create_game(api)
    card = game.get("?seat=0", token=game.host).body["position"]["hands"][0][0]
    game.do(f"discard {card}", "draw deck")
    assert game.move("draw deck", 0).status == 409
    assert game.move("draw deck", 1).status == 409
    api.post(game.path + "/check", {"notation": "draw deck"}, token=game.host)
    assert value(api, "moves_applied_total", variant="duel") == 2
    assert value(api, "moves_refused_total", variant="duel", rule="not-your-turn") == 1
    assert value(api, "moves_refused_total", variant="duel", rule="wrong-phase") == 1


def test_replays_are_counted(api: Client) -> None:
    game = create_game(api)
    card = game.get("?seat=0", token=game.host).body["position"]["hands"][0][0]
    for _ in range(3):
        assert game.move(f"discard {card}", 0, key="k").status == 200
    assert value(api, "replays_total", route="/games/{game_id}/moves") == 2
    assert value(api, "moves_applied_total", variant="duel") == 1


def test_a_write_conflict_is_counted(api: Client, app: Flask, store_url: str) -> None:
    """Two services read the same game. The second write conflicts and is retried on the new state."""
    mine = create_app(Settings(redis_url=store_url, rate_limits=None))
    game = create_game(client_of(mine), "roll-and-write", 2, chance="client")
    game.outcome("roll R O Y 1 2 3")
    games = mine.extensions["games"]
    read = games.store.load(game.id)
    assert game.move("refuse", 0).status == 200
    after = game.get("")
    assert after.body["version"] == 2
    assert not games.store.append(read, games.store.load(game.id), (), None).done
    assert value(client_of(mine), "write_conflicts_total", variant="roll-and-write") == 1


def test_the_store_is_timed_and_its_errors_are_counted(tmp_path: Path) -> None:
    with store_at(tmp_path) as store:
        api = client_of(create_app(Settings(redis_url=store.url, rate_limits=None)))
        game = create_game(api)
        game.get("")
        assert value(api, "store_seconds_count", call="create") == 1
        assert value(api, "store_seconds_count", call="load") == 1
        store.stop()
        assert game.get("").status == 503
        assert value(api, "store_errors_total", call="load", error="StoreUnavailable") == 1
        assert value(api, "requests_total", method="GET", route="/games/{game_id}", status="503") == 1


def test_labels_do_not_contain_client_input(api: Client) -> None:
    """Otherwise a client could create an unlimited number of time series."""
    series = []
    for n in range(30):
        api.get(f"/games/nope{n}")
        api.get(f"/nope{n}")
        api(f"METHOD{n}", "/games")
        api.get("/variants", headers={"X-Request-Id": f"id{n}", "Authorization": f"Bearer t{n}"})
        series.append(len(samples(api)))
    assert {*series[1:]} == {series[-1]}


def test_every_metric_has_a_help_text(api: Client) -> None:
    text = api.get("/metrics").content.decode()
    names = re.findall(r"^# TYPE (\S+)", text, re.MULTILINE)
    assert len(names) >= 11
    for name in names:
        assert re.fullmatch(r"lostcities_[a-z_]+(_total|_seconds|_created|_connections)", name)
        assert re.search(rf"^# HELP {name} \S.*\.$", text, re.MULTILINE)


def test_metrics_sum_all_workers_and_survive_a_killed_worker(tmp_path: Path) -> None:
    with serving(tmp_path, WORKERS="2") as running:
        api = running.client
        for _ in range(40):
            api.get("/variants")
        labels = {"method": "GET", "route": "/variants", "status": "200"}
        assert {value(api, "requests_total", **labels) for _ in range(8)} == {40}
        folder = metrics_folder(running.process.pid)
        for worker in workers_of(running.process.pid):
            signal_worker(worker)
        deadline = time.monotonic() + 20
        while len(workers_of(running.process.pid)) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        for _ in range(10):
            api.get("/variants")
        assert {value(api, "requests_total", **labels) for _ in range(8)} == {50}
        # A new worker continues the files of the one that it replaces: they are numbered by worker, not by process.
        assert {path.name for path in folder.iterdir()} <= {
            f"{kind}_{worker}.db" for kind in ("counter", "gauge_sum", "histogram") for worker in range(2)
        }
        running.stop()
        assert not folder.exists()


def signal_worker(pid: int) -> None:
    os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + 20
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.02)


def metrics_folder(supervisor: int) -> Path:
    """The workers' shared metrics folder, found by the mapped files of a worker."""
    maps = "".join(Path(f"/proc/{child}/maps").read_text() for child in workers_of(supervisor))
    (folder,) = {*re.findall(r"(/\S*lostcities-metrics-\w+)/", maps)}
    return Path(folder)
