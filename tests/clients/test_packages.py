"""The client packages: their types, and what the layer that is written by hand adds to the generated code."""

import asyncio
import doctest
import importlib
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.client import GameClient, create_game
from tests.clients.conftest import BUILDER, Programs
from tests.clients.test_bots import counted
from tests.contract.test_judges import only_required
from tests.faults.proxy import HOST, Proxy, proxy
from tests.server.serving import ROOT, Service

HERE = Path(__file__).parent
SOURCES = BUILDER.parent
SECONDS = 60

every_language = pytest.mark.parametrize("language", ["python", "javascript"])


@pytest.fixture
def between(service: Service) -> Iterator[Proxy]:
    with proxy(int(service.url.rsplit(":", 1)[1])) as found:
        yield found


def through(between: Proxy) -> str:
    return f"http://{HOST}:{between.port}"


def test_the_versions_are_those_of_the_contract() -> None:
    version = json.loads((ROOT / "openapi" / "openapi.json").read_text())["info"]["version"]
    assert f'version = "{version}"' in (SOURCES / "python" / "pyproject.toml").read_text()
    assert json.loads((SOURCES / "typescript" / "package.json").read_text())["version"] == version


@only_required
def test_the_wheel_plays_in_an_empty_environment(wheel: Path, service: Service, tmp_path: Path) -> None:
    """The npm package is installed into an empty project by every test that uses it."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path], check=True)
    subprocess.run([tmp_path / "bin" / "pip", "install", "--quiet", wheel], check=True, capture_output=True)
    stored = create_game(service.client, options={"max_turns": 6})
    bots = [
        subprocess.Popen([tmp_path / "bin" / "python", HERE / "bot.py", service.url + stored.path, token])
        for token in stored.seats
    ]
    assert [bot.wait(SECONDS) for bot in bots] == [0, 0]
    assert stored.get("").body["status"] == "finished"


# Types -----------------------------------------------------------------------------------------------------------


def mypy(folder: Path, *files: str | Path) -> "subprocess.CompletedProcess[str]":
    """Check files strictly against the installed package. Errors of the generated code are not reported."""
    options = ["--strict", "--follow-imports=silent", "--config-file=", f"--cache-dir={folder / 'cache'}"]
    command = [sys.executable, "-m", "mypy", *options, *map(str, files)]
    environment = {**os.environ, "MYPYPATH": str(folder)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_python_package_and_its_bot_pass_mypy(python_folder: Path) -> None:
    layer = [path.name for path in (SOURCES / "python" / "lostcities_client").glob("*.py")]
    assert "game.py" in layer
    files = [python_folder / "lostcities_client" / name for name in layer]
    done = mypy(python_folder, *files, HERE / "bot.py")
    assert done.returncode == 0, done.stdout


def test_mypy_finds_a_wrong_type(python_folder: Path, tmp_path: Path) -> None:
    program = tmp_path / "wrong.py"
    program.write_text("from lostcities_client import GameClient\nGameClient('').make('play R7')\n")
    done = mypy(python_folder, program)
    assert 'incompatible type "str"' in done.stdout


WRONG = """
import { GameClient } from "lostcities-client";
await new GameClient("").make({ type: "play", card: "R11" });
"""
STREAM = """
import { GameClient, type Game, type Move } from "lostcities-client";
const game = new GameClient("http://127.0.0.1:8000/games/aaaaaaaaaaaaaaaa");
for await (const message of game.watch()) {
  if (message.event === "event") console.log(message.data.notation.length);
  else if (message.event === "end") console.log(message.data.reason);
}
for await (const turn of game.turns()) {
  const [seen, move]: [Game, Move | undefined] = [turn.game, turn.moves[0]];
  if (move) console.log(seen.version, (await turn.make(move))?.events.length);
}
"""


def compile_typescript(folder: Path, program: str) -> str:
    """Compile a program strictly against the installed package. Returns what the compiler says."""
    (folder / "program.mts").write_text(program)
    compiler = ROOT / "build" / "clients" / "typescript" / "node_modules" / ".bin" / "tsc"
    options = ["--strict", "--noUncheckedIndexedAccess", "--module", "nodenext", "--target", "es2022"]
    done = subprocess.run([compiler, *options, "program.mts"], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout


@pytest.mark.parametrize(("program", "error"), [(STREAM, ""), (WRONG, "error TS2322")])
def test_the_npm_package_is_typed(node_folder: Path, program: str, error: str) -> None:
    said = compile_typescript(node_folder, program)
    assert error in said
    assert bool(said) == bool(error), said


def example(language: str, service: Service) -> str:
    """The program in the package's README, for the running service."""
    (program,) = re.findall(
        r"^```\w+\n(.*?)^```$", (SOURCES / language / "README.md").read_text(), re.MULTILINE | re.DOTALL
    )
    assert "http://127.0.0.1:8000" in program
    return str(program).replace("http://127.0.0.1:8000", service.url)


def test_the_example_of_the_python_package(python_folder: Path, service: Service, tmp_path: Path) -> None:
    program = tmp_path / "example.py"
    program.write_text(example("python", service))
    assert mypy(python_folder, program).returncode == 0
    environment = {**os.environ, "PYTHONPATH": str(python_folder)}
    done = subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("3\nDuelScore(")


def test_the_example_of_the_npm_package(node_folder: Path, service: Service) -> None:
    assert compile_typescript(node_folder, example("typescript", service)) == ""
    done = subprocess.run(["node", "program.mjs"], cwd=node_folder, capture_output=True, text=True, check=True)
    assert done.stdout == "3\nfalse\n"


# Retries ---------------------------------------------------------------------------------------------------------


def new_duel(client: ModuleType, turns: int = 2) -> Any:
    wish = {"variant": "duel", "players": ["Ann", "Ben"], "options": {"max_turns": turns}}
    return client.models.NewDuel.from_dict(wish)


def test_python_creates_a_game_once_when_the_reply_is_lost(
    client: ModuleType, service: Service, between: Proxy
) -> None:
    before = counted(service, "lostcities_games_created_total")
    between.faults.drop_replies = 2
    created = client.create(through(between), new_duel(client))
    assert counted(service, "lostcities_games_created_total") == before + 1
    with client.GameClient(f"{service.url}/games/{created.id}", created.tokens.seats[0]) as game:
        assert len(next(game.turns()).moves) > 8


def test_javascript_uses_the_package(programs: Programs, service: Service, between: Proxy) -> None:
    before = counted(service, "lostcities_games_created_total")
    between.faults.drop_replies = 2
    output, errors = programs.start("create.mjs", through(between)).communicate(timeout=SECONDS)
    assert errors == ""
    told = json.loads(output)
    assert counted(service, "lostcities_games_created_total") == before + 1
    assert (told["legal"], told["final"], told["refused"]) == (False, False, [409, "wrong-phase"])
    assert told["made"] == [3, None]  # the second decision was based on the same state


def test_python_refuses_a_decision_on_an_old_state(client: ModuleType, service: Service) -> None:
    stored = create_game(service.client, options={"max_turns": 2})
    with client.GameClient(service.url + stored.path, stored.seats[0]) as game:
        first, second = next(game.turns()), next(game.turns())
        assert first.make(first.moves[0]).version == 3
        assert second.make(second.moves[0]) is None
        with pytest.raises(client.ProblemError, match="409: wrong-phase: ") as refused:
            game.make(first.moves[0])
    assert refused.value.problem["rule"] == "wrong-phase"


def test_python_gives_up_after_the_last_attempt(client: ModuleType, service: Service, between: Proxy) -> None:
    stored = create_game(service.client)
    between.faults.drop_reply = 1.0
    requests = between.requests
    retry = client.Retry(attempts=3, first=0.01)
    lost = pytest.raises(client.transport.httpx.TransportError)
    with client.GameClient(through(between) + stored.path, retry=retry) as game, lost:
        game.get()
    assert between.requests == requests + 3


def test_python_waits_for_a_later_version(client: ModuleType, service: Service, between: Proxy) -> None:
    stored = create_game(service.client, options={"max_turns": 2})
    later = threading.Timer(0.3, lambda: stored.do(moves(stored)[0]))
    with client.GameClient(through(between) + stored.path, stored.seats[0]) as game:
        assert game.wait(after=2, seconds=0).version == 2
        later.start()
        assert game.wait(after=2).version == 3
    later.join()


def moves(stored: GameClient) -> list[str]:
    return [move["notation"] for move in stored.get("/moves", token=stored.host).body["moves"]]


def test_the_asynchronous_functions_have_retries_too(client: ModuleType, service: Service, between: Proxy) -> None:
    stored = create_game(service.client)
    get_game = importlib.import_module("lostcities_client.api.games.get_game")
    between.faults.drop_replies = 2

    async def ask() -> Any:
        async with client.connect(through(between), stored.seats[0]) as connection:
            return await get_game.asyncio(stored.id, client=connection)

    assert asyncio.run(ask()).version == 2


@pytest.mark.parametrize(
    ("value", "seconds"),
    [(None, 0), ("3", 3), ("-3", 0), ("soon", 0), ("Wed, 21 Oct 2015 07:28:00 GMT", 0)],
)
def test_retry_after_is_a_number_or_a_date(client: ModuleType, value: str | None, seconds: float) -> None:
    assert retry_after(client, value) == seconds


def test_retry_after_may_be_a_date_to_come(client: ModuleType) -> None:
    in_an_hour = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    assert 3000 <= retry_after(client, in_an_hour) <= 3600


def retry_after(client: ModuleType, value: str | None) -> float:
    """The seconds that the Python client waits after a 503 with this header."""
    headers = {} if value is None else {"Retry-After": value}
    response = client.transport.httpx.Response(503, headers=headers)
    seconds: float = client.transport.retry_after(response)
    return seconds


def test_the_examples_of_the_python_package(client: ModuleType) -> None:
    assert doctest.testmod(client.sse) == (0, 1)


# Streams ---------------------------------------------------------------------------------------------------------


def watch(
    programs: Programs, client: ModuleType, language: str, url: str, after: str = ""
) -> Iterator[tuple[str, Any]]:
    """The messages of a stream: their kind, and the version of the game or the event."""
    if language == "python":
        kinds = {"Event": "event", "StreamEnd": "end"}
        with client.GameClient(url) as game:
            for message in game.watch(int(after) if after else None):
                yield kinds.get(type(message).__name__, "game"), getattr(message, "version", None)
    else:
        program = programs.start("watch.mjs", url, "", after)
        assert program.stdout
        yield from (tuple(json.loads(line)) for line in program.stdout)
        assert program.communicate(timeout=SECONDS) == ("", "")


@every_language
def test_an_interrupted_stream_is_resumed(
    programs: Programs, client: ModuleType, service: Service, between: Proxy, language: str
) -> None:
    stored = create_game(service.client, options={"max_turns": 3})
    messages = watch(programs, client, language, through(between) + stored.path)
    seen = [next(messages)]
    while stored.get("").body["status"] == "playing":
        stored.do(moves(stored)[-1])
        between.cut_all()
        while seen[-1][1] != stored.get("").body["version"]:
            seen.append(next(messages))
    seen += messages
    last = stored.get("").body["version"]
    assert seen == [("game", 2), *(("event", version) for version in range(3, last + 1)), ("end", None)]
    rest = watch(programs, client, language, service.url + stored.path, after="4")
    assert list(rest) == [*(("event", version) for version in range(5, last + 1)), ("end", None)]
    assert list(watch(programs, client, language, service.url + stored.path, after=str(last))) == []
