"""The README is true: its session runs as pasted, its tables say what the code says.

`python -m tests.test_readme` writes the rulings anew.
"""

import re
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from service.api.catalogue import MAX_BODY
from service.api.schemas import MAX_MOVES, MAX_NAME, MAX_PAGE, MAX_WAIT
from service.app import create_app
from service.config import Settings
from service.live.hub import HEARTBEAT_SECONDS
from service.rules.registry import GAMES
from service.store.redis import RECEIPTS
from tests.bench.figures import BEGIN, END
from tests.server.serving import ROOT, serving

README = ROOT / "README.md"
HERE = "http://127.0.0.1:8000"


def blocks() -> list[tuple[str, str]]:
    """The fenced blocks: their language and their text."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)


def test_the_session_runs_as_pasted(tmp_path: Path) -> None:
    session = [each for each in blocks() if not each[1].startswith(("make", "docker"))]
    assert len(session) > 10
    script, expected = "set -e\n", []
    for (kind, text), (following, output) in pairwise([*session, ("", "")]):
        if kind == "sh":
            script += text + "echo '----'\n"
            expected.append(output if following == "text" else "")
    with serving(tmp_path / "data") as running:
        assert HERE in script
        done = subprocess.run(
            ["bash", "-c", script.replace(HERE, running.url)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
    printed = [part.rstrip() for part in done.stdout.removesuffix("----\n").split("----\n")]
    assert printed == [part.rstrip() for part in expected]


def test_every_call_of_the_contract_is_in_the_table() -> None:
    text = README.read_text()
    app = create_app(Settings(redis_url="redis://unused"))
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule).replace("{game_id}", "{id}")
        path = re.sub(f"/variants/({'|'.join(GAMES)})/", "/variants/{variant}/", path)
        if path.startswith(("/docs/", "/table/")):
            continue
        tail = path.removeprefix("/variants/{variant}") if path.count("/") == 3 else path
        assert f"`{tail}`" in text or f"{path}`" in text, path


@pytest.mark.parametrize(
    "row",
    [
        f"| body of a request | {MAX_BODY // 1024} KiB |",
        f"| a player's name | {MAX_NAME} characters: letters, digits, punctuation; no emoji |",
        f"| moves in one request | {MAX_MOVES} |",
        f"| events on a page of history | {MAX_PAGE} |",
        f"| events of a game | {Settings().max_events:,} (`MAX_EVENTS`), then 409 `game-too-long` |",
        f"| receipts of a game | {RECEIPTS:,} |",
        f"| `HOST`, `PORT` | `{Settings().host}`, `{Settings().port}` | where to listen |",
        f"| `WORKERS`, `THREADS` | {Settings().workers}, {Settings().threads} |",
        f"| `GAME_TTL` | {Settings().game_ttl} | seconds of idleness after which a game expires |",
        f"| streams and waiting requests of a process | {Settings().max_streams:,} (`MAX_STREAMS`), then 503",
        f"| time to wait for a version | {MAX_WAIT} seconds |",
        f"| time for a reader to take what it was sent | two heartbeats of {HEARTBEAT_SECONDS:.0f} seconds, then",
        f"| `MAX_STREAMS` | {Settings().max_streams} | the most streams and waiting requests of a process |",
        f"| `MAX_EVENTS` | {Settings().max_events} | the most events of a game |",
    ],
)
def test_the_limits_and_defaults_are_those_of_the_code(row: str) -> None:
    assert row in README.read_text()


def test_every_setting_is_described() -> None:
    for name in Settings.__dataclass_fields__:
        assert f"`{name.upper()}`" in README.read_text()


def test_every_variant_and_every_ruling_is_named() -> None:
    for variant in GAMES:
        assert f"| `{variant}` |" in README.read_text()
    assert README.read_text() == with_rulings(README.read_text()), "run `python -m tests.test_readme`"


def test_the_measured_tables_are_well_formed() -> None:
    _, _, rest = README.read_text().partition(BEGIN)
    section, end, _ = rest.partition(END)
    assert end, "run `make bench` and `python -m tests.bench --readme`"
    how = r"^Measured on \d+ cores, medians of \d+ rounds \(\d+ for p99 / p50 at half load\), load by (wrk|python):$"
    assert re.search(how, section, re.MULTILINE)
    tables = [part.split("\n") for part in section.strip().split("\n\n") if part.startswith("|")]
    assert [rows[0].split(" | ")[0] for rows in tables] == ["| what", "| workers"]
    for head, line, *rows in tables:
        assert line == "|---" * (head.count("|") - 1) + "|"
        assert rows
        assert {row.count("|") for row in rows} == {head.count("|")}
        assert all(re.search(r"\| [\d.,]+", row) for row in rows)


def with_rulings(text: str) -> str:
    """The README with the rulings of every game as the code has them."""
    parts = []
    for variant, game in GAMES.items():
        rows = "\n".join(f"| {ruling.text.replace('|', '/')} | {ruling.source} |" for ruling in game.ABOUT.rulings)
        head = f"<details><summary><code>{variant}</code></summary>\n\n| rule | from |\n|---|---|\n"
        parts.append(f"{head}{rows}\n\n</details>\n")
    marked = "<!-- rulings -->\n" + "\n".join(parts) + "<!-- /rulings -->"
    return re.sub("<!-- rulings -->.*<!-- /rulings -->", lambda _: marked, text, flags=re.DOTALL)


if __name__ == "__main__":
    README.write_text(with_rulings(README.read_text()))
