"""Tests of the documents: their commands run, their tables agree with the code, their links resolve.

`python -m tests.test_readme` writes the generated sections again.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from lostcities.api.contract.headers import CREATION_KEY, IDEMPOTENCY_KEY
from lostcities.api.fields import MAX_BODY, RECORD_EVENT_BYTES
from lostcities.api.games.moves import MAX_MOVES
from lostcities.api.games.queries import MAX_WAIT
from lostcities.api.games.schemas import MAX_PAGE
from lostcities.api.problems.responses import RESPONSES
from lostcities.app import create_app
from lostcities.client_timeouts import BODY_SECONDS, WRITE_SECONDS
from lostcities.config import DAY, DEFAULT_RATE_LIMITS, Settings
from lostcities.games.storage import LONG_GAME_EVENTS
from lostcities.games.table import MAX_NAME
from lostcities.gunicorn_config import keepalive
from lostcities.store.redis import RECEIPT_LIFETIME, RECEIPTS
from lostcities.variants.registry import VARIANTS

from tests.bench.figures import BEGIN, END
from tests.server.serving import ROOT, serving
from tests.test_house import tracked

README = ROOT / "README.md"
API = ROOT / "openapi" / "README.md"
RULES_PAGE = ROOT / "service" / "lostcities" / "rules" / "README.md"
DEPLOY = ROOT / "deploy" / "README.md"
TESTS = ROOT / "tests" / "README.md"
PACKAGE = ROOT / "service" / "lostcities"
PAGES = sorted(path for path in tracked() if path.suffix == ".md")
HERE = "http://127.0.0.1:8000"
DEFAULTS = Settings()
CREATION = DEFAULT_RATE_LIMITS.creation
RECORD = DEFAULT_RATE_LIMITS.record
THINKING = DEFAULT_RATE_LIMITS.thinking
NOT_MEASURED = "No long run is recorded."
GAMES_BEGIN, GAMES_END = "<!-- games -->", "<!-- /games -->"

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def blocks(page: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a page: language and text."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)


# Commands --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", [README, API], ids=["README", "openapi"])
def test_the_commands_print_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    session = [each for each in blocks(page) if not each[1].startswith("make")]
    script, expected = "set -e\n", []
    for (language, text), (following, output) in pairwise([*session, ("", "")]):
        if language == "sh":
            script += text + "echo '----'\n"
            expected.append(output if following == "text" else "")
    assert len(expected) >= 3
    assert HERE in script
    with serving(tmp_path / "data") as running:
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


@every_page
def test_every_make_command_of_a_page_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    in_line = re.findall(r"`make ([a-z-]+)", page.read_text())
    in_blocks = re.findall(r"^make ([a-z-]+)", page.read_text(), re.MULTILINE)
    assert {*in_line, *in_blocks} <= targets


@every_page
def test_every_test_path_of_a_page_exists(page: Path) -> None:
    for name in re.findall(r"`pytest ([\w/.]+)", page.read_text()):
        assert (ROOT / name).exists(), name


def test_the_python_session_of_the_readme_plays_a_game(tmp_path: Path) -> None:
    client, _ = [text for language, text in blocks(README) if language == "python"]
    assert HERE in client
    with serving(tmp_path / "data") as running:
        printed = subprocess.check_output([sys.executable, "-c", client.replace(HERE, running.url)], text=True)
    assert re.fullmatch(r"\{'winners': .*'reason': 'deck-empty'.*\}\n", printed)


@pytest.mark.parametrize("page", [README, RULES_PAGE], ids=["README", "rules"])
def test_the_example_of_the_rules_needs_only_the_standard_library(tmp_path: Path, page: Path) -> None:
    *_, program = [text for language, text in blocks(page) if language == "python"]
    # -S leaves the installed packages out of the path.
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "service")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.fullmatch(r"Result\(winners=.*, reason='deck-empty'\)\n", done.stdout)


# What must be documented -----------------------------------------------------------------------------------------


def test_every_call_is_documented() -> None:
    app = create_app(Settings(redis_url="redis://unused"))
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule).replace("{game_id}", "{id}")
        path = re.sub(f"/variants/({'|'.join(VARIANTS)})/", "/variants/{variant}/", path)
        if path.startswith(("/docs/", "/table/")):
            continue
        tail = path.removeprefix("/variants/{variant}") if path.count("/") == 3 else path
        assert f"`{tail}`" in API.read_text() or f"{path}`" in API.read_text(), path


def test_the_table_of_settings_has_every_setting() -> None:
    _, _, rest = DEPLOY.read_text().partition("\n## Settings\n")
    table, _, _ = rest.partition("\n## ")
    documented = {
        name for row in re.findall(r"^\| (`[^|]*)", table, re.MULTILINE) for name in re.findall("`(.*?)`", row)
    }
    assert documented == {name.upper() for name in Settings.__dataclass_fields__}


def test_every_problem_code_is_documented() -> None:
    documented = {*re.findall("`([a-z0-9-]+)`", API.read_text() + RULES_PAGE.read_text())}
    codes = {code for kind in RESPONSES.values() for code in kind.codes}
    assert codes <= documented, codes - documented


def test_every_variant_is_in_the_readme() -> None:
    for variant in VARIANTS:
        assert f"| `{variant}` |" in README.read_text()


@pytest.mark.parametrize(
    ("page", "row"),
    [
        (API, f"| body of a request | {MAX_BODY // 1024} KiB |"),
        (
            API,
            f"| body of a request with a record | {MAX_BODY // 1024} KiB and {RECORD_EVENT_BYTES} bytes for each of "
            f"`MAX_EVENTS` events: {MAX_BODY + RECORD_EVENT_BYTES * DEFAULTS.max_events:,} bytes |",
        ),
        (API, f"| seconds that experts think for one address | {THINKING} (`RATE_LIMITS`)"),
        (API, f"| requests of a process that wait for an expert | {DEFAULTS.max_thinking} (`MAX_THINKING`), then 503"),
        (API, f"| {DEFAULTS.max_thinking_per_address} (`MAX_THINKING_PER_ADDRESS`), then 429"),
        (API, f"| records imported or verified from one address | {RECORD} (`RATE_LIMITS`)"),
        (API, f"| a player's name | {MAX_NAME} characters: letters, digits, punctuation; no emoji |"),
        (API, f"| moves in one request | {MAX_MOVES} |"),
        (API, f"| events on a page of history | {MAX_PAGE} |"),
        (API, f"| events of a game | {DEFAULTS.max_events:,} (`MAX_EVENTS`), then the game is over |"),
        (API, f"| `Idempotency-Key` of a creation | {CREATION_KEY} to {IDEMPOTENCY_KEY} characters |"),
        (API, f"| `Idempotency-Key` of a move | 1 to {IDEMPOTENCY_KEY} characters |"),
        (API, f"has at least {CREATION_KEY} characters"),
        (API, f"| receipts of a game | {RECEIPTS:,} |"),
        (API, f"live for {RECEIPT_LIFETIME // 3_600_000} hours after the last one"),
        (API, f"at least its newest {RECEIPTS // 2}."),
        (API, f"| lifetime of an unfinished game without events | {DEFAULTS.game_ttl // DAY} days (`GAME_TTL`)"),
        (
            API,
            f"| lifetime of a finished game, and of one with {LONG_GAME_EVENTS:,} events or more | "
            f"{DEFAULTS.finished_ttl // DAY} days (`FINISHED_TTL`)",
        ),
        (DEPLOY, f"and an unfinished one of {LONG_GAME_EVENTS:,} events or more |"),
        (API, f"| streams and long polls of a process | {DEFAULTS.max_streams:,} (`MAX_STREAMS`), then 503"),
        (
            API,
            f"| streams and long polls of one address in a process | {DEFAULTS.max_streams_per_address} "
            "(`MAX_STREAMS_PER_ADDRESS`), then 429",
        ),
        (API, f"| time of a long poll | {MAX_WAIT} seconds |"),
        (API, f"| time to send the head of a request | {keepalive} seconds, then"),
        (API, f"| time to send the body of a request | {BODY_SECONDS} seconds, then 408 |"),
        (API, f"The body took longer than {BODY_SECONDS} seconds"),
        (API, f"| time to read a response, or one message of a stream | {WRITE_SECONDS} seconds, then"),
        (
            API,
            f"| games created from one address | {CREATION.replace(';', ' and ')} (`RATE_LIMITS`)",
        ),
        (DEPLOY, f"| `HOST`, `PORT` | `{DEFAULTS.host}`, `{DEFAULTS.port}` |"),
        (DEPLOY, f"| `WORKERS` | {DEFAULTS.workers} |"),
        (DEPLOY, f"| `REDIS_TIMEOUT` | {DEFAULTS.redis_timeout} |"),
        (DEPLOY, f"| `DURABILITY` | `{DEFAULTS.durability}` |"),
        (DEPLOY, f"| `DATA_DIR` | `{DEFAULTS.data_dir}` |"),
        (DEPLOY, f"| `STORE_MAXMEMORY` | `{DEFAULTS.store_maxmemory}` |"),
        (DEPLOY, f"| `STORE_FULL_PERCENT` | {DEFAULTS.store_full_percent} |"),
        (DEPLOY, f"| `GAME_TTL` | {DEFAULTS.game_ttl} |"),
        (DEPLOY, f"| `FINISHED_TTL` | {DEFAULTS.finished_ttl} |"),
        (DEPLOY, f"| `MAX_EVENTS` | {DEFAULTS.max_events} |"),
        (DEPLOY, f"| `MAX_STREAMS` | {DEFAULTS.max_streams} |"),
        (DEPLOY, f"| `MAX_STREAMS_PER_ADDRESS` | {DEFAULTS.max_streams_per_address} |"),
        (DEPLOY, f"| `MAX_THINKING` | {DEFAULTS.max_thinking} |"),
        (DEPLOY, f"| `MAX_THINKING_PER_ADDRESS` | {DEFAULTS.max_thinking_per_address} |"),
        (DEPLOY, f"| `RATE_LIMITS` | `creation={CREATION},record={RECORD},thinking={THINKING}` |"),
        (DEPLOY, f"The default is one core | `{THINKING}` |"),
        (DEPLOY, f"| `record` | records imported or verified from one address | `{RECORD}` |"),
        (DEPLOY, f"| `creation` | games created from one address | `{CREATION}` |"),
        (DEPLOY, f"| `LOG_LEVEL` | `{DEFAULTS.log_level}` |"),
    ],
)
def test_limits_and_defaults_are_those_of_the_code(page: Path, row: str) -> None:
    assert row in page.read_text()


# The form of the pages -------------------------------------------------------------------------------------------


def test_the_readme_is_short() -> None:
    assert len(README.read_text().splitlines()) <= 200


def test_every_folder_of_the_package_has_a_readme() -> None:
    folders = {path.parent for path in PACKAGE.glob("*/__init__.py")}
    for folder in {PACKAGE, *folders}:
        assert (folder / "README.md").exists(), folder


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name == "README.md"], ids=lambda page: page.parent.name
)
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    for name in re.findall(r"`([\w.-][\w./-]*(?:/|\.(?:py|lua|js|html|yaml|conf)))`", page.read_text()):
        # All games have the same files.
        assert any((folder / name).exists() for folder in (page.parent, PACKAGE, ROOT, PACKAGE / "variants/duel")), name


def anchors(page: Path) -> set[str]:
    """The anchors that a page's headings get."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: Path) -> Iterator[str]:
    """The targets of a page's links to other files."""
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if not urlsplit(target).scheme:
            yield target


@every_page
def test_links_between_pages_resolve(page: Path) -> None:
    for target in links(page):
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), target


def test_every_page_is_linked_from_the_readme_or_from_a_page_that_is() -> None:
    reached, queue = {README}, [README]
    while queue:
        page = queue.pop()
        for target in links(page):
            linked = (page.parent / target.partition("#")[0]).resolve()
            if linked.suffix == ".md" and linked not in reached:
                reached.add(linked)
                queue.append(linked)
    assert {*PAGES} == reached


# Generated sections ----------------------------------------------------------------------------------------------


def test_the_measured_table_is_well_formed() -> None:
    _, _, rest = TESTS.read_text().partition(BEGIN)
    section, end, _ = rest.partition(END)
    assert end, "run `make bench` and `python -m tests.bench --tables`"
    if section.strip() == NOT_MEASURED:
        return
    machine = r"^Measured on \d+ cores with a load average of [\d.]+ before the run, "
    how = r"medians of \d+ rounds \(\d+ for p99 / p50 at half load\), requests by (wrk|python):$"
    assert re.search(machine + how, section, re.MULTILINE)
    ((head, line, *rows),) = [part.split("\n") for part in section.strip().split("\n\n") if part.startswith("|")]
    assert head == "| what | measured | target |"
    assert line == "|---|---|---|"
    assert rows
    assert {row.count("|") for row in rows} == {head.count("|")}
    assert all(re.search(r"\| [\d.,]+", row) for row in rows)


def test_the_games_are_described_as_in_the_code() -> None:
    assert RULES_PAGE.read_text() == with_games(RULES_PAGE.read_text()), "run `python -m tests.test_readme`"


def with_games(text: str) -> str:
    """The page with the generated section of every game."""
    lines = [line for variant in VARIANTS for line in game_section(variant)]
    return with_section(text, GAMES_BEGIN, GAMES_END, lines)


def with_section(text: str, begin: str, end: str, lines: list[str]) -> str:
    """The page with these lines between two marks."""
    before, begins, rest = text.partition(begin)
    _, ends, after = rest.partition(end)
    assert begins
    assert ends
    return "\n".join((before + begin, *lines, end + after))


def game_section(variant: str) -> Iterator[str]:
    """The lines about one game."""
    info = VARIANTS[variant].rules.INFO
    fewest, most = info.seats
    yield from (
        f"### `{variant}`",
        "",
        f"{info.title}, {fewest if fewest == most else f'{fewest} to {most}'} players.",
        "",
    )
    yield from table("notation | by | meaning", [(f"`{move.notation}`", move.by, move.text) for move in info.moves])
    yield from (f"Chance: {info.chance}", "")
    yield from table("option | meaning", [(f"`{option.name}`", str(option.text)) for option in info.options])
    yield from ("<details><summary>rules and their sources</summary>", "")
    yield from table("rule | source", [(ruling.text, ruling.source) for ruling in info.rulings])
    yield from ("</details>", "<details><summary>codes</summary>", "")
    yield from table("rule code | rule", [(f"`{code}`", text) for code, text in info.rules.items()])
    yield from table(
        "invariant of positions and options | meaning",
        [(f"`{code}`", text) for code, text in VARIANTS[variant].schema.invariants.items()],
    )
    yield from ("</details>", "")


def table(head: str, rows: list[tuple[str, ...]]) -> Iterator[str]:
    """A table, and an empty line."""
    yield from (f"| {head} |", "|---" * (head.count("|") + 1) + "|")
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', '/') for cell in row)} |"
    yield ""


if __name__ == "__main__":
    RULES_PAGE.write_text(with_games(RULES_PAGE.read_text()))
