"""The log: one JSON object per line, one line per request."""

import json
import logging
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from lostcities.observability.logs import JsonFormatter, write_request

from tests.client import create_game
from tests.server.serving import Service, serving


def lines(service: Service) -> list[dict[str, Any]]:
    return [json.loads(line) for line in service.output if line.startswith("{")]


def test_each_request_is_logged_as_one_json_line(tmp_path: Path) -> None:
    with serving(tmp_path) as running:
        game = create_game(running.client)
        game.get("", headers={"X-Request-Id": "mine"}, token=game.seats[0])
        game.get("", headers={"X-Request-Id": "not mine: too odd"})
        game.get(f"?token={game.host}", headers={"X-Request-Id": "in-the-query"})
        running.client.get(f"/games/{game.host}", headers={"X-Request-Id": "in-the-path"})
        running.client.get(f"/{game.host}", headers={"X-Request-Id": "nowhere"})
        game.move("draw deck", 0, headers={"X-Request-Id": "refused"})
        running.stop()
        banner = ("the API", "its doc", "the table", "the data", "rules and bots")
        told = [line for line in running.output if not line.startswith(banner)]
        assert all(line.startswith("{") for line in told), told
        requests = [line for line in lines(running) if line["message"] == "request"]
        assert len(requests) >= 7
        by_id = {line["request_id"]: line for line in requests}
        assert len(by_id) == len(requests)
        mine = by_id["mine"]
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", mine["time"])
        assert (mine["method"], mine["route"], mine["status"]) == ("GET", "/games/{game_id}", 200)
        assert (mine["game"], mine["variant"], mine["version"]) == (game.id, "duel", 2)
        assert 0 < mine["milliseconds"] < 5000
        assert mine["bytes"] > 100
        assert "not mine: too odd" not in by_id
        assert by_id["refused"]["code"] == "wrong-phase"
        assert by_id["in-the-path"]["status"] == by_id["nowhere"]["status"] == 404
        everything = "".join(running.output)
        for token in (game.host, *game.seats):
            assert token not in everything


def test_log_level_warning_logs_no_requests(tmp_path: Path) -> None:
    with serving(tmp_path, LOG_LEVEL="warning") as running:
        create_game(running.client)
        running.stop()
        assert not [line for line in lines(running) if line["message"] == "request"]


@pytest.mark.parametrize(("access_log", "least", "most"), [("on", 100, 100), ("off", 0, 0), ("0.5", 10, 90)])
def test_a_share_of_the_requests_is_logged(tmp_path: Path, access_log: str, least: int, most: int) -> None:
    with serving(tmp_path, ACCESS_LOG=access_log) as running:
        for _ in range(100):
            running.client.get("/variants")
        running.stop()
        logged = [line for line in lines(running) if line.get("route") == "/variants"]
        assert least <= len(logged) <= most


def test_a_log_that_cannot_be_written_fails_no_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk, and a pipe that was closed."""
    full = Path("/dev/full").open("w", buffering=1)  # noqa: SIM115
    monkeypatch.setattr(sys, "stderr", full)
    for _ in range(3):
        write_request({"status": 200})
    with pytest.raises(OSError, match="No space left"):
        full.close()
    write_request({"status": 200})


def test_an_unexpected_error_is_logged_with_its_trace_and_without_its_message() -> None:
    """An error message may contain a hidden card."""

    def fail() -> None:
        try:
            dict[str, int]()["R7"]
        except KeyError as error:
            raise RuntimeError("seat 1 holds R7") from error

    with pytest.raises(RuntimeError) as caught:
        fail()
    record = logging.LogRecord("lostcities", logging.ERROR, __file__, 1, "request failed", (), caught._excinfo)
    record.facts = {"request_id": "abc"}
    line = JsonFormatter().format(record)
    assert "R7" not in line
    parsed = json.loads(line)
    assert parsed["request_id"] == "abc"
    assert parsed["trace"][0] == "RuntimeError"
    assert "KeyError" in parsed["trace"]
    assert any("test_logs.py" in step for step in parsed["trace"])


def test_a_failed_request_is_logged_with_its_id(app: Any, caplog: pytest.LogCaptureFixture, monkeypatch: Any) -> None:
    def explode() -> None:
        raise RuntimeError("the secret is R7")

    monkeypatch.setattr(app.extensions["games"].store, "ping", explode)
    with caplog.at_level(logging.ERROR, "lostcities"):
        answer = app.test_client().get("/readyz", headers={"X-Request-Id": "find-me"})
    assert answer.status_code == 500
    assert answer.json["request_id"] == "find-me"
    (record,) = [each for each in caplog.records if each.name == "lostcities"]
    assert '"request_id":"find-me"' in JsonFormatter().format(record)
    assert "RuntimeError" in JsonFormatter().format(record)
    assert "R7" not in JsonFormatter().format(record)
