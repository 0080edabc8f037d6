"""The folder of seats and codes."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from lostcities.mcp.seats import LIFETIME, Seat, Seats, default_folder
from mcp.server.mcpserver.exceptions import ToolError

SEAT = Seat("http://127.0.0.1:8000", "qlcrj7ot4z6aj3e7", 1, "roll-and-write", "seat_" + 32 * "0")


def test_a_kept_seat_is_found_by_its_name_also_by_another_server(tmp_path: Path) -> None:
    name = Seats(tmp_path).keep(SEAT)
    assert name.startswith("roll-and-write-")
    assert Seats(tmp_path).find(name) == SEAT


def test_of_many_players_with_one_code_one_gets_the_seat(tmp_path: Path) -> None:
    code = Seats(tmp_path).invite(SEAT)

    def join(_: int) -> str | None:
        try:
            return Seats(tmp_path).join(code)
        except ToolError:
            return None

    with ThreadPoolExecutor(8) as threads:
        (name,) = [name for name in threads.map(join, range(40)) if name]
    assert Seats(tmp_path).find(name) == SEAT


def test_names_lead_out_of_no_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text("{}")
    seats = Seats(tmp_path / "seats")
    for name in (
        "../secret",
        "duel-../secret",
        str(tmp_path / "secret"),
        "",
        "duel-222222222222\n",
        "join-222222222222",
    ):
        with pytest.raises(ToolError, match="unknown-game"):
            seats.find(name)
        with pytest.raises(ToolError, match="unknown-code"):
            seats.join(name)


def test_only_the_owner_may_read_the_folder_and_old_seats_are_deleted(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "seats"
    old, new = Seats(folder).keep(SEAT), Seats(folder).keep(SEAT)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o600}
    past = time.time() - LIFETIME - 60
    os.utime(folder / f"{old}.json", (past, past))
    Seats(folder)
    assert [file.stem for file in folder.iterdir()] == [new]


def test_the_folder_is_that_of_the_users_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    assert default_folder() == Path("/state/lostcities/mcp")
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", "/home/ann")
    assert default_folder() == Path("/home/ann/.local/state/lostcities/mcp")
