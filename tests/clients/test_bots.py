"""The bots of openapi/README.md play whole games: on a real server, over a faulty network, within rate limits."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.client import GameClient, create_game
from tests.conformance.tables import brief, every_variant
from tests.contract.test_judges import missing
from tests.faults.proxy import HOST, Faults, proxy
from tests.server.serving import ROOT, Service, serving

HERE = Path(__file__).parent
PROGRAMS = {"python": [sys.executable, str(HERE / "bot.py")], "javascript": ["node", str(HERE / "bot.mjs")]}
SECONDS = 240

every_language = pytest.mark.parametrize("language", PROGRAMS)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("bots")) as running:
        yield running


def start(language: str, url: str, token: str) -> "subprocess.Popen[str]":
    if language == "javascript" and not shutil.which("node"):
        missing("there is no node here")
    command = [*PROGRAMS[language], url, token]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def play(game: GameClient, base: str, languages: Sequence[str]) -> list[Any]:
    """Let a bot of each language play its seat to the end; what they say."""
    bots = [start(language, f"{base}{game.path}", token) for language, token in zip(languages, game.seats, strict=True)]
    said = [bot.communicate(timeout=SECONDS) for bot in bots]
    assert [(bot.returncode, errors) for bot, (_, errors) in zip(bots, said, strict=True)] == [(0, "")] * len(bots)
    return [json.loads(output) for output, _ in said]


def made(game: GameClient) -> list[int]:
    """The number of moves of each seat in the history."""
    events: list[Any] = []
    page: dict[str, Any] = {"next": 0}
    while page["next"] is not None:
        page = game.get(f"/history?limit=500&after={page['next']}").body
        events += page["events"]
    return [sum(event["actor"] == seat for event in events) for seat in range(len(game.seats))]


def check(game: GameClient, told: list[Any]) -> None:
    """The game is over, the bots know how it ended, and each made exactly the moves that it knows of."""
    outcome = game.get("").body["outcome"]
    assert [each["outcome"] for each in told] == [outcome] * len(told)
    assert [each["moves"] for each in told] == made(game)
    assert outcome is not None


def counted(service: Service, metric: str) -> float:
    exposed = service.client.get("/metrics").content.decode()
    return sum(float(value) for value in re.findall(rf"^{metric}(?:{{.*}})? (\S+)$", exposed, re.MULTILINE))


@every_variant
def test_python_against_javascript(service: Service, variant: str) -> None:
    game = create_game(service.client, variant, 2, options=brief(variant, 40))
    check(game, play(game, service.url, ["python", "javascript"]))


@every_variant
def test_no_move_is_made_twice_on_a_faulty_network(service: Service, variant: str) -> None:
    """Requests and replies are lost; a move whose reply was lost is sent again, and answered from the receipt."""
    game = create_game(service.client, variant, 2, options=brief(variant, 40))
    replays = counted(service, "lostcities_replays_total")
    with proxy(int(service.url.rsplit(":", 1)[1]), seed=5) as between:
        between.faults = Faults(cut_request=0.05, drop_reply=0.15)
        check(game, play(game, f"http://{HOST}:{between.port}", ["javascript", "python"]))
    assert counted(service, "lostcities_replays_total") > replays


def test_more_than_two_play_at_once(service: Service) -> None:
    game = create_game(service.client, "roll-and-write", 4)
    check(game, play(game, service.url, ["python", "javascript"] * 2))


def test_limits_are_waited_out(tmp_path: Path) -> None:
    with serving(tmp_path, RATE_LIMITS="token=8/2 seconds") as service:
        game = create_game(service.client, options={"max_turns": 12})
        check(game, play(game, service.url, ["python", "javascript"]))
        assert counted(service, "lostcities_requests_limited_total") > 0


@every_language
@pytest.mark.parametrize(
    ("path", "token", "status"),
    [("", "seat_" + "0" * 32, 401), ("", "nonsense", 401), ("aaaaaaaaaaaaaaaa", "", 404)],
)
def test_a_bot_with_an_invalid_token_stops_with_an_error(
    service: Service, language: str, path: str, token: str, status: int
) -> None:
    game = create_game(service.client)
    url = f"{service.url}/games/{path or game.id}"
    bot = start(language, url, token or game.seats[0])
    output, errors = bot.communicate(timeout=SECONDS)
    assert bot.returncode == 1
    assert output == ""
    assert f"{status}: " in errors


@every_language
def test_a_bot_of_a_finished_game_stops_at_once(service: Service, language: str) -> None:
    game = create_game(service.client, options={"max_turns": 1})
    hand = game.get("", token=game.seats[0]).body["position"]["hands"][0]
    game.do(f"discard {hand[0]}", "draw deck")
    output, _ = start(language, service.url + game.path, game.seats[1]).communicate(timeout=20)
    assert json.loads(output) == {"moves": 0, "outcome": game.get("").body["outcome"]}


@pytest.mark.parametrize(("language", "name"), [("python", "bot.py"), ("js", "bot.mjs")])
def test_the_page_shows_the_programs_as_they_are(language: str, name: str) -> None:
    program = (HERE / name).read_text()
    assert f"```{language}\n{program}```\n" in (ROOT / "openapi" / "README.md").read_text()
    assert len(program.splitlines()) < 40
