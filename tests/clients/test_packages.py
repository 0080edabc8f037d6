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
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import requests
from werkzeug.serving import make_server
from werkzeug.wrappers import Request, Response

from tests.client import GameClient, create_game
from tests.clients.conftest import BUILDER, Programs, builder
from tests.clients.test_bots import counted
from tests.contract.test_judges import only_required
from tests.faults.proxy import HOST, Proxy, proxy
from tests.server.serving import ROOT, Service

HERE = Path(__file__).parent
SOURCES = BUILDER.parent
SECONDS = 60

every_client = pytest.mark.parametrize("language", ["python", "asyncio", "javascript"])


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
    derived = builder().SYNCHRONOUS
    assert derived.keys() < {*layer}
    layer += derived.values()
    files = [python_folder / "lostcities_client" / name for name in layer]
    done = mypy(python_folder, *files, HERE / "bot.py")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("GameClient('').make('play R7')", 'incompatible type "str"'),
        ("AsyncGameClient('').make('play R7')", 'incompatible type "str"'),
        ("next(GameClient('').messages()).data.notation", 'has no attribute "notation"'),
        ("problem.problem.rul", 'has no attribute "rul"'),
    ],
)
def test_mypy_finds_a_wrong_type(python_folder: Path, tmp_path: Path, call: str, error: str) -> None:
    program = tmp_path / "wrong.py"
    names = "AsyncGameClient, GameClient, ProblemError"
    program.write_text(f"from lostcities_client import {names}\nproblem: ProblemError\nreveal = {call}\n")
    done = mypy(python_folder, program)
    assert error in done.stdout


WRONG = """
import { GameClient } from "lostcities-client";
await new GameClient("").make({ type: "play", card: "R11" });
"""
WRONG_DATA = """
import { GameClient } from "lostcities-client";
for await (const message of new GameClient("").messages()) console.log(message.data.notation);
"""
STREAM = """
import { GameClient, ProblemError, type Game, type Move } from "lostcities-client";
const game = new GameClient("http://127.0.0.1:8000/games/aaaaaaaaaaaaaaaa");
for await (const message of game.watch()) {
  if (message.event === "event") console.log(message.data.notation.length, message.data.game?.moves?.[0]?.notation);
  else if (message.event === "end") console.log(message.data.reason);
}
for await (const turn of game.turns()) {
  const [seen, move]: [Game, Move | undefined] = [turn.game, turn.moves[0]];
  if (move) console.log(seen.version, (await turn.make(move))?.events.length);
}
const rule = (error: ProblemError): string | undefined => error.problem.rule ?? error.problem.errors?.[0]?.detail;
console.log(rule);
"""


def compile_typescript(folder: Path, program: str) -> str:
    """Compile a program strictly against the installed package. Returns what the compiler says."""
    (folder / "program.mts").write_text(program)
    compiler = ROOT / "build" / "clients" / "typescript" / "node_modules" / ".bin" / "tsc"
    options = ["--strict", "--noUncheckedIndexedAccess", "--module", "nodenext", "--target", "es2022"]
    done = subprocess.run([compiler, *options, "program.mts"], cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout


@pytest.mark.parametrize(("program", "error"), [(STREAM, ""), (WRONG, "error TS2322"), (WRONG_DATA, "error TS2339")])
def test_the_npm_package_is_typed(node_folder: Path, program: str, error: str) -> None:
    said = compile_typescript(node_folder, program)
    assert error in said
    assert bool(said) == bool(error), said


def blocks(language: str, kind: str) -> str:
    """What the blocks of a kind in the package's README contain, one after the other."""
    page = (SOURCES / language / "README.md").read_text()
    return "\n".join(re.findall(rf"^```{kind}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))


def example(language: str, kind: str, service: Service) -> tuple[str, str]:
    """The program that the blocks of the package's README make up, for the running service, and what it prints."""
    program = blocks(language, kind)
    assert "http://127.0.0.1:8000" in program
    return program.replace("http://127.0.0.1:8000", service.url), blocks(language, "text").replace("\n\n", "\n")


def test_the_examples_of_the_python_package(python_folder: Path, service: Service, tmp_path: Path) -> None:
    program, printed = example("python", "python", service)
    file = tmp_path / "example.py"
    file.write_text(program)
    checked = mypy(python_folder, file)
    assert checked.returncode == 0, checked.stdout
    environment = {**os.environ, "PYTHONPATH": str(python_folder)}
    done = subprocess.run([sys.executable, file], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == printed


def test_the_examples_of_the_npm_package(node_folder: Path, service: Service) -> None:
    program, printed = example("typescript", "ts", service)
    assert compile_typescript(node_folder, program) == ""
    done = subprocess.run(["node", "program.mjs"], cwd=node_folder, capture_output=True, text=True, check=True)
    assert done.stdout == printed


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
    assert refused.value.problem.rule == "wrong-phase"
    assert not refused.value.problem.errors
    assert refused.value.problem["rule"] == refused.value.problem.get("rule") == "wrong-phase"
    assert "errors" not in refused.value.problem


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


def test_the_examples_in_docstrings(client: ModuleType) -> None:
    assert doctest.testmod(client.sse) == (0, 3)
    assert doctest.testmod(client.transport) == (0, 1)


# Problems and versions -------------------------------------------------------------------------------------------


class Relay:
    """Passes requests on to the service, and changes the responses as a proxy or another version would."""

    def __init__(self, service: Service) -> None:
        self.headers: dict[str, str | None] = {}
        """Headers of every response. `None` removes one."""
        self.instead: Response | None = None
        """Sent instead of the service's response."""
        self.agents: list[str | None] = []
        """The `User-Agent` of each request."""
        self.paths: list[str] = []
        """The path of each request."""
        self._service = service
        self._server = make_server(HOST, 0, self._answer, threaded=True)
        self.url = f"http://{HOST}:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _answer(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        request = Request(environ)
        self.agents.append(request.headers.get("User-Agent"))
        self.paths.append(request.path)
        if self.instead:
            return self.instead(environ, start_response)
        url, sent = f"{self._service.url}{request.full_path}", dict(request.headers)
        answer = requests.request(request.method, url, headers=sent, data=request.get_data(), timeout=SECONDS)
        kept = {name: value for name, value in answer.headers.items() if name not in {"Connection", "Server", "Date"}}
        changed = {name: value for name, value in {**kept, **self.headers}.items() if value is not None}
        return Response(answer.content, answer.status_code, changed)(environ, start_response)


@pytest.fixture
def relay(service: Service) -> Iterator[Relay]:
    found = Relay(service)
    yield found
    found.stop()


def read(programs: Programs, client: ModuleType, language: str, url: str) -> dict[str, Any]:
    """Read a game once: its version, or the error."""
    if language == "javascript":
        output, errors = programs.start("read.mjs", url).communicate(timeout=SECONDS)
        assert errors == ""
        return dict(json.loads(output))

    async def ask() -> Any:
        async with client.AsyncGameClient(url) as game:
            return await game.get()

    try:
        if language == "asyncio":
            return {"version": asyncio.run(ask()).version}
        with client.GameClient(url) as game:
            return {"version": game.get().version}
    except client.ProblemError as error:
        return {"error": type(error).__name__, "message": str(error), "problem": error.problem.to_dict()}
    except client.OutdatedServiceError as error:
        return {"error": type(error).__name__, "message": str(error)}


@every_client
def test_the_version_is_sent_and_compared(
    programs: Programs, client: ModuleType, service: Service, relay: Relay, language: str
) -> None:
    """No request is added for it."""
    url = relay.url + create_game(service.client).path
    assert read(programs, client, language, url) == {"version": 2}
    relay.headers = {"API-Version": "99.0.0"}
    assert read(programs, client, language, url) == {"version": 2}
    relay.headers = {"API-Version": "0.9.7"}
    refused = read(programs, client, language, url)
    assert refused["error"] == "OutdatedServiceError"
    assert f"has version 0.9.7 of the API and this client was built for {client.VERSION}: " in refused["message"]
    runtime = "node/" if language == "javascript" else "python-httpx/"
    assert len(relay.agents) == 3
    assert all(str(agent).startswith(f"lostcities-client/{client.VERSION} {runtime}") for agent in relay.agents)


FROM_SERVICE = {"X-Request-Id": "a"}
VERSIONS = [
    (200, {"API-Version": "1.1.0"}, None),
    (200, {"API-Version": "1.1.9"}, None),
    (200, {"API-Version": "1.10.0"}, None),
    (200, {"API-Version": "2.0.0"}, None),
    (200, {"API-Version": "1.0.9"}, "1.0.9"),
    (404, {"API-Version": "0.9.0"}, "0.9.0"),
    (200, {"API-Version": "a proxy's"}, None),
    (200, FROM_SERVICE, "1.0.0"),
    (404, {**FROM_SERVICE, "Content-Type": "application/problem+json"}, "1.0.0"),
    (404, {**FROM_SERVICE, "Content-Type": "text/html"}, None),
    (200, {}, None),
]
"""Status and headers of a response, and the version that is too old for a client of 1.1.4.

A service without the header has version 1.0.0. A response without an `X-Request-Id` may be a proxy's."""


@pytest.mark.parametrize(("status", "headers", "too_old"), VERSIONS)
def test_python_knows_a_service_that_is_too_old(
    client: ModuleType, status: int, headers: dict[str, str], too_old: str | None
) -> None:
    response = client.transport.httpx.Response(status, headers=headers)
    if too_old is None:
        client.transport.check_version(response, "1.1.4")
    else:
        with pytest.raises(client.OutdatedServiceError, match=f"has version {too_old} of the API") as refused:
            client.transport.check_version(response, "1.1.4")
        assert (refused.value.service, refused.value.needed) == (too_old, "1.1.4")


def run_javascript(folder: Path, program: str) -> str:
    """What a module prints that uses the installed package."""
    command = ["node", "--input-type=module", "--eval", program]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=SECONDS)
    return done.stdout


def test_javascript_knows_a_service_that_is_too_old(node_folder: Path) -> None:
    program = f"""
    import {{ checkVersion }} from "./node_modules/lostcities-client/dist/errors.js";
    console.log(JSON.stringify({json.dumps(VERSIONS)}.map(([status, headers]) => {{
      try {{ checkVersion(new Response("", {{ status, headers }}), "1.1.4"); }}
      catch (error) {{ return error.service; }}
      return null;
    }})));
    """
    assert json.loads(run_javascript(node_folder, program)) == [too_old for *_, too_old in VERSIONS]


@every_client
def test_a_response_of_a_proxy_is_a_problem_without_a_code(
    programs: Programs, client: ModuleType, relay: Relay, language: str
) -> None:
    relay.instead = Response("<p>no such page</p>", 404, content_type="text/html")
    told = read(programs, client, language, f"{relay.url}/games/aaaaaaaaaaaaaaaa")
    assert told == {
        "error": "ProblemError",
        "message": "404: : <p>no such page</p>",
        "problem": {
            "type": "about:blank",
            "title": "NOT FOUND",
            "status": 404,
            "code": "",
            "detail": "<p>no such page</p>",
            "request_id": "",
        },
    }


# History ---------------------------------------------------------------------------------------------------------


def history(programs: Programs, client: ModuleType, language: str, url: str, *arguments: int) -> list[int]:
    """The versions of the events, which the pager gives."""
    if language == "javascript":
        output, errors = programs.start("history.mjs", url, *map(str, arguments)).communicate(timeout=SECONDS)
        assert errors == ""
        return list(json.loads(output))
    after, size = arguments
    if language == "python":
        with client.GameClient(url) as game:
            return [event.version for event in game.history(after, page_size=size)]

    async def ask() -> list[int]:
        async with client.AsyncGameClient(url) as game:
            return [event.version async for event in game.history(after, page_size=size)]

    return asyncio.run(ask())


@every_client
def test_the_history_is_read_page_by_page(
    programs: Programs, client: ModuleType, service: Service, relay: Relay, language: str
) -> None:
    stored = create_game(service.client, options={"max_turns": 3})
    while stored.get("").body["status"] == "playing":
        stored.do(moves(stored)[-1])
    last = stored.get("").body["version"]
    assert history(programs, client, language, relay.url + stored.path, 0, 3) == [*range(1, last + 1)]
    assert len(relay.agents) == -(-last // 3)
    assert history(programs, client, language, service.url + stored.path, 4, 500) == [*range(5, last + 1)]
    assert history(programs, client, language, service.url + stored.path, last, 500) == []


# Streams ---------------------------------------------------------------------------------------------------------


def watch(
    programs: Programs, client: ModuleType, language: str, url: str, after: str = ""
) -> Iterator[tuple[str, Any]]:
    """The messages of a stream: their kind, and the version of the game or the event."""
    if language == "javascript":
        program = programs.start("watch.mjs", url, "", after)
        assert program.stdout
        yield from (tuple(json.loads(line)) for line in program.stdout)
        assert program.communicate(timeout=SECONDS) == ("", "")
        return
    since = int(after) if after else None
    for event, data in (pulled if language == "asyncio" else iterated)(client, url, since):
        yield event, getattr(data, "version", None)


def iterated(client: ModuleType, url: str, after: int | None) -> Iterator[Any]:
    with client.GameClient(url) as game:
        yield from game.messages(after)


def pulled(client: ModuleType, url: str, after: int | None) -> Iterator[Any]:
    """The messages of the asynchronous client, one at a time."""
    game = client.AsyncGameClient(url)
    messages = game.messages(after)

    async def following() -> Any:
        return await anext(messages, None)

    with asyncio.Runner() as runner:
        while message := runner.run(following()):
            yield message
        runner.run(game.__aexit__())


@every_client
def test_an_interrupted_stream_is_resumed(
    programs: Programs, client: ModuleType, service: Service, between: Proxy, language: str
) -> None:
    stored = create_game(service.client, options={"max_turns": 3})
    messages = watch(programs, client, language, through(between) + stored.path)
    seen = [next(messages)]
    while stored.get("").body["status"] == "playing":
        stored.do(moves(stored)[-1])
        # A cut between the last event and the end would be no error: the resumed stream has nothing to say (204).
        if stored.get("").body["status"] == "playing":
            between.cut_all()
        while seen[-1][1] != stored.get("").body["version"]:
            seen.append(next(messages))
    seen += messages
    last = stored.get("").body["version"]
    assert seen == [("game", 2), *(("event", version) for version in range(3, last + 1)), ("end", None)]
    rest = watch(programs, client, language, service.url + stored.path, after="4")
    assert list(rest) == [*(("event", version) for version in range(5, last + 1)), ("end", None)]
    assert list(watch(programs, client, language, service.url + stored.path, after=str(last))) == []


def test_with_include_the_newest_event_has_the_game(client: ModuleType, node_folder: Path, service: Service) -> None:
    stored = create_game(service.client, options={"max_turns": 1})
    while stored.get("").body["status"] == "playing":
        stored.do(moves(stored)[-1])
    with client.GameClient(service.url + stored.path) as game:
        *earlier, newest, end = game.messages(after=2, include=["moves", "score"])
    assert [bool(message.data.game) for message in earlier] == [False, False]
    seen = newest.data.game
    assert (seen.version, seen.moves, seen.score.final, end.event) == (5, [], True, "end")
    program = f"""
    import {{ GameClient }} from "lostcities-client";
    const game = new GameClient("{service.url}{stored.path}");
    for await (const {{ data }} of game.messages(2, {{ include: ["moves", "score"] }}))
      console.log(data.version, data.game?.version, data.game?.moves.length, data.game?.score.final);
    """
    nothing = "undefined undefined undefined"
    assert run_javascript(node_folder, program) == f"3 {nothing}\n4 {nothing}\n5 5 0 true\nundefined {nothing}\n"


def test_python_polls_where_a_proxy_holds_streams_back(
    client: ModuleType, service: Service, relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The relay passes a response on when it is complete, as some proxies do."""
    monkeypatch.setattr(client.game, "SILENCE", 0.5)
    stored = create_game(service.client, options={"max_turns": 6})

    def play(url: str, token: str) -> None:
        with client.GameClient(url + stored.path, token) as game:
            for turn in game.turns():
                assert turn.make(turn.moves[-1])

    other = threading.Thread(target=play, args=(service.url, stored.seats[1]))
    other.start()
    play(relay.url, stored.seats[0])
    other.join()
    assert stored.get("").body["status"] == "finished"
    assert relay.paths.count(f"{stored.path}/events") == client.game.TRIES


def test_watch_gives_only_the_data(client: ModuleType, service: Service) -> None:
    stored = create_game(service.client, options={"max_turns": 1})
    while stored.get("").body["status"] == "playing":
        stored.do(moves(stored)[-1])
    with client.GameClient(service.url + stored.path) as game:
        assert [type(each).__name__ for each in game.watch(after=4)] == ["Event", "StreamEnd"]
        streamed = [message.data.to_dict() for message in game.messages(after=4)]
        assert streamed == [data.to_dict() for data in game.watch(after=4)]


def test_a_stream_is_stopped_by_a_signal_in_javascript(node_folder: Path, service: Service) -> None:
    stored = create_game(service.client)
    program = f"""
    import {{ GameClient }} from "lostcities-client";
    const stop = new AbortController();
    const messages = new GameClient("{service.url}{stored.path}").messages(undefined, {{ signal: stop.signal }});
    console.log((await messages.next()).value.event);
    setTimeout(() => stop.abort(new Error("enough")), 200);
    await messages.next().catch((error) => console.log(error.message));
    """
    assert run_javascript(node_folder, program) == "game\nenough\n"


def test_the_clients_ask_for_a_language(client: ModuleType, node_folder: Path, service: Service) -> None:
    stored = create_game(service.client)
    url, token, german = service.url + stored.path, stored.seats[1], "dieser Token zieht nur für Platz 1"
    with client.GameClient(url, stored.seats[0]) as game:
        move = next(game.turns()).moves[0]

    async def refused() -> str:
        async with client.AsyncGameClient(url, token, language="de") as game:
            with pytest.raises(client.ProblemError) as caught:
                await game.make(move)
        return str(caught.value.detail)

    assert asyncio.run(refused()) == german
    with (
        client.GameClient(url, token, language="de-AT, en;q=0.5") as game,
        pytest.raises(client.ProblemError) as caught,
    ):
        game.make(move)
    assert caught.value.detail == german
    program = f"""
    import {{ GameClient }} from "lostcities-client";
    const game = new GameClient("{url}", "{token}", {{ language: "de" }});
    await game.make({json.dumps(move.to_dict())}).catch((error) => console.log(error.detail));
    """
    assert run_javascript(node_folder, program) == f"{german}\n"
