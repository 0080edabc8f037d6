"""The commands `lostcities verify` and `lostcities replay`."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lostcities import record_files
from lostcities.cli import main
from lostcities.games import records
from lostcities.record_files import verify_files

from tests.games.recorded_games import long_duel, recorded_game
from tests.test_house import ROOT


def document_of(number: int) -> Any:
    return records.plain(recorded_game(number).record)


def finished(form: str = records.FORMAT) -> Any:
    """A finished duel of that format."""
    documents = (document_of(number) for number in range(0, 1000, 11))
    return next(each for each in documents if each["outcome"] and each["seed"] and each["format"] == form)


def written(folder: Path, name: str, document: Any) -> Path:
    path = folder / name
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as caught:
        main([*arguments])
    return int(caught.value.code or 0)


def test_a_valid_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = finished()
    assert run("verify", str(written(tmp_path, "game.json", document))) == 0
    said = capsys.readouterr()
    events, totals = len(document["events"]), " : ".join(map(str, document["outcome"]["totals"]))
    assert f"game.json: valid: {document['variant']}, {events} events, chance verified, {totals}, " in said.out
    assert said.err == ""


def test_a_folder_of_records_is_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(22):
        written(tmp_path, f"{number:02}.json", document_of(number))
    written(tmp_path, "notes.txt", "not a record")
    assert run("verify", str(tmp_path)) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert len(lines) == 22
    assert re.fullmatch(r"22 of 22 records are valid, [\d,]+ a second", last)


WRONG = [
    ("{", "INVALID: not JSON: "),
    ("[]", "INVALID: not a record: the document: Not an object."),
    ({"variant": "duel"}, "INVALID: not a record: /format: Missing data for required field."),
    ({"variant": "chess"}, "INVALID: not a record: /variant: Must be one of: "),
]


@pytest.mark.parametrize(("document", "sentence"), WRONG)
def test_a_file_that_is_no_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], document: Any, sentence: str
) -> None:
    assert run("verify", str(written(tmp_path, "x.json", document)), str(written(tmp_path, "y.json", finished()))) == 1
    out = capsys.readouterr().out
    assert sentence in out
    assert "1 of 2 records are valid" in out


def test_an_invalid_record_is_named_with_its_event_and_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = finished()
    document["events"][0]["actor"] = 0
    path = written(tmp_path, "x.json", document)
    assert run("verify", str(path)) == 1
    assert "x.json: INVALID: event 1: outcome-by-seat: " in capsys.readouterr().out
    assert run("replay", str(path)) == 1
    assert "event 1: outcome-by-seat: " in capsys.readouterr().err
    document = finished()
    document["outcome"] = None
    assert run("verify", str(written(tmp_path, "x.json", document))) == 1
    assert "x.json: INVALID: wrong-outcome: " in capsys.readouterr().out


def test_a_missing_file_and_an_empty_folder_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", str(tmp_path / "missing.json")) == 1
    assert "cannot be read: No such file or directory" in capsys.readouterr().out
    assert run("verify", str(tmp_path)) == 1
    assert "0 of 0 records are valid" in capsys.readouterr().out
    assert run("replay", str(tmp_path / "missing.json")) == 1


@pytest.mark.parametrize("form", [records.FORMAT, records.TABLE_FORMAT])
def test_a_replay_prints_events_score_and_result(tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    """With the names of the persons who played at each event."""
    document = finished(form)
    path = written(tmp_path, "game.json", document)
    assert run("replay", str(path)) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.startswith(f"{document['variant']}, rules version 1: Ann (seat 0), Ben (seat 1)")
    names = [*document["players"]]
    for version, (line, event) in enumerate(zip(lines, document["events"], strict=False), 1):
        if event["notation"].startswith("person "):
            names[event["actor"]] = event["notation"].removeprefix("person ")
        who = "chance" if event["actor"] == "chance" else names[event["actor"]]
        assert re.fullmatch(f" *{version}  {who} *  {event['notation']}", line)
    score = lines[len(document["events"]) :]
    for name, line, total in zip(names, score, document["outcome"]["totals"], strict=False):
        assert re.match(f"{name} +{total}  ", line)
    assert score[-1].endswith(f"({document['outcome']['reason']})")


def test_a_replay_stops_at_a_version_and_prints_the_position(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, "game.json", finished())
    for to in (0, 2):
        assert run("replay", str(path), "--to", str(to)) == 0
        _, *lines = capsys.readouterr().out.splitlines()
        assert json.loads("\n".join(lines[to:]))["variant"] == "duel"


@pytest.mark.parametrize("to", ["-1", "100000"])
def test_a_version_that_the_record_does_not_have(tmp_path: Path, capsys: pytest.CaptureFixture[str], to: str) -> None:
    document = finished()
    assert run("replay", str(written(tmp_path, "game.json", document)), "--to", to) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.endswith(f"game.json: the record has the versions 0..{len(document['events'])}\n")


def test_a_file_that_is_too_large_is_not_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, "game.json", finished())
    monkeypatch.setattr(record_files, "MAX_BYTES", path.stat().st_size)
    assert run("verify", str(path)) == 0
    monkeypatch.setattr(record_files, "MAX_BYTES", path.stat().st_size - 1)
    assert run("verify", str(path)) == 1
    assert "INVALID: not a record: larger than " in capsys.readouterr().out


def command(*arguments: str | Path, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "lostcities", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_names_do_not_control_the_terminal_and_need_no_encoding(tmp_path: Path) -> None:
    """Members and files of any name, and a player whose name the encoding of the output lacks."""
    written(tmp_path, "1.json", {**finished(), "\x1b[2J": 1})
    written(tmp_path, os.fsdecode(b"2\xff\x1b[2J.json"), "{")
    document = finished()
    document["players"] = ["Zoë", "Zoé"]
    written(tmp_path, "3.json", document)
    with command("verify", tmp_path, PYTHONIOENCODING="ascii:strict") as verify:
        out, err = verify.communicate(timeout=60)
    assert (verify.returncode, err) == (1, b"")
    first, second, third, last = out.decode("ascii").splitlines()
    assert first.endswith("1.json: INVALID: not a record: /\\x1b[2J: Unknown field.")
    assert "2\\udcff\\x1b[2J.json: INVALID: not JSON: " in second
    assert "Zo\\xe" in third
    assert last.startswith("1 of 3 records are valid")


def test_a_reader_may_stop_early(tmp_path: Path) -> None:
    """As in `lostcities replay game.json | head -1`."""
    path = written(tmp_path, "game.json", records.plain(long_duel(4000)))  # more than a pipe holds
    with command("replay", path) as replay:
        assert replay.stdout
        assert replay.stderr
        assert replay.stdout.readline().startswith(b"duel, rules version 1: ")
        replay.stdout.close()
        assert replay.stderr.read() == b""
        assert replay.wait(timeout=60) == 1


def test_no_progress_is_shown_where_there_is_no_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [written(tmp_path, f"{number}.json", document_of(number)) for number in range(3)]
    assert verify_files(files)
    said = capsys.readouterr()
    assert said.err == ""
    assert "\r" not in said.out


def test_a_terminal_shows_the_progress(tmp_path: Path) -> None:
    for number in range(150):
        written(tmp_path, f"{number}.json", document_of(number % 20))
    controller, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "lostcities", "verify", str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, stderr=terminal
    ) as command:
        os.close(terminal)
        shown = b""
        try:
            while part := os.read(controller, 4096):
                shown += part
        except OSError:  # Linux reports the end of a terminal as an error
            pass
        out, _ = command.communicate(timeout=60)
    os.close(controller)
    assert command.returncode == 0
    assert re.search(rb"\[#+\.*\] \d+/150, [\d,]+ a second", shown)
    assert out.decode().splitlines()[-1].startswith("150 of 150 records are valid")


def test_the_commands_follow_the_language_of_the_environment(tmp_path: Path) -> None:
    valid = written(tmp_path, "a.json", finished())
    broken = written(tmp_path, "b.json", {**finished(), "events": [{"actor": 0, "notation": "draw deck"}]})
    environment = {**os.environ, "LANG": "de_DE.UTF-8"}
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        environment.pop(name, None)

    def said(*arguments: str | Path) -> str:
        command = [sys.executable, "-m", "lostcities", *arguments]
        done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    verified = said("verify", valid, broken)
    assert re.search(r"a\.json: gültig: [a-z-]+, \d+ Ereignisse, Zufall geprüft, ", verified)
    assert "b.json: UNGÜLTIG: Ereignis 1: " in verified
    assert "1 von 2 Aufzeichnungen sind gültig, " in verified
    replayed = said("replay", valid)
    assert "Zufall" in replayed
    assert "Platz 0" in replayed
    assert not re.search(r"\b(seat|chance|red|blue|rules)\b", replayed)
