"""The bots of openapi/README.md play whole games: on a real server, over a faulty network, within rate limits."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.client import GameClient, create_game
from tests.clients.conftest import Programs
from tests.conformance.tables import brief, every_variant
from tests.faults.proxy import HOST, Faults, proxy
from tests.server.serving import ROOT, Service, serving

HERE = Path(__file__).parent
PYTHON, JAVASCRIPT = BOTS = ["bot.py", "bot.mjs"]
SECONDS = 240

every_bot = pytest.mark.parametrize("bot", BOTS)


def play(programs: Programs, game: GameClient, base: str, names: Sequence[str]) -> list[str]:
    """Let each bot play its seat to the end. Returns what they print."""
    seats = zip(names, game.seats, strict=True)
    bots = [programs.start(name, f"{base}{game.path}", token) for name, token in seats]
    said = [bot.communicate(timeout=SECONDS) for bot in bots]
    assert [(bot.returncode, errors) for bot, (_, errors) in zip(bots, said, strict=True)] == [(0, "")] * len(bots)
    return [output for output, _ in said]


def made(game: GameClient) -> list[int]:
    """The number of moves of each seat in the history."""
    events: list[Any] = []
    page: dict[str, Any] = {"next": 0}
    while page["next"] is not None:
        page = game.get(f"/history?limit=500&after={page['next']}").body
        events += page["events"]
    return [sum(event["actor"] == seat for event in events) for seat in range(len(game.seats))]


def parsed(output: str) -> tuple[int, list[int]]:
    """What a bot prints: the number of its moves, and the winners in its language's notation."""
    matched = re.fullmatch(r"(\d+) .*winners\W+\[([\d, ]*)\].*\n", output, re.DOTALL)
    assert matched, output
    return int(matched[1]), [int(seat) for seat in matched[2].split(",") if seat.strip()]


def check(game: GameClient, told: list[str]) -> None:
    """The game is over, the bots know how it ended, and each made exactly the moves that it knows of."""
    outcome = game.get("").body["outcome"]
    assert outcome is not None
    assert [parsed(each) for each in told] == [(moves, outcome["winners"]) for moves in made(game)]


def counted(service: Service, metric: str, label: str = "") -> float:
    """The sum of a metric, of all its labels or of those that contain a text."""
    exposed = service.client.get("/metrics").content.decode()
    found = re.findall(rf"^{metric}({{.*}})? (\S+)$", exposed, re.MULTILINE)
    return sum(float(value) for labels, value in found if label in labels)


@pytest.mark.parametrize("names", [[PYTHON, PYTHON], [JAVASCRIPT, JAVASCRIPT]], ids=BOTS)
def test_a_bot_sends_one_request_for_each_of_its_moves(programs: Programs, service: Service, names: list[str]) -> None:
    """A bot also reads the game at first and at the end, and opens one stream. It sends nothing to wait."""
    game = create_game(service.client)
    before = requests_about_games(service)
    told = play(programs, game, service.url, names)
    asked = requests_about_games(service) - before
    assert asked <= 1.05 * sum(made(game)) + 3 * len(names)
    check(game, told)


def requests_about_games(service: Service) -> float:
    return counted(service, "lostcities_requests_total", 'route="/games/')


@pytest.mark.parametrize("limit", ["MAX_STREAMS", "MAX_STREAMS_PER_ADDRESS"])
def test_bots_play_on_where_no_more_streams_are_allowed(programs: Programs, tmp_path: Path, limit: str) -> None:
    """The bot that gets no stream reads the game after the seconds that `Retry-After` demands."""
    with serving(tmp_path, **{limit: "1", "WORKERS": "1"}) as service:
        game = create_game(service.client, options={"max_turns": 4})
        check(game, play(programs, game, service.url, [PYTHON, JAVASCRIPT]))


@every_variant
def test_python_against_javascript(programs: Programs, service: Service, variant: str) -> None:
    game = create_game(service.client, variant, 2, options=brief(variant, 40))
    check(game, play(programs, game, service.url, [PYTHON, JAVASCRIPT]))


@every_variant
def test_no_move_is_made_twice_on_a_faulty_network(programs: Programs, service: Service, variant: str) -> None:
    """Requests and replies are lost. A move whose reply was lost is sent again, and answered from the receipt."""
    game = create_game(service.client, variant, 2, options=brief(variant, 40))
    replays = counted(service, "lostcities_replays_total")
    with proxy(int(service.url.rsplit(":", 1)[1]), seed=5) as between:
        between.faults = Faults(cut_request=0.05, drop_reply=0.15)
        check(game, play(programs, game, f"http://{HOST}:{between.port}", [JAVASCRIPT, PYTHON]))
    assert counted(service, "lostcities_replays_total") > replays


def test_more_than_two_play_at_once(programs: Programs, service: Service) -> None:
    game = create_game(service.client, "roll-and-write", 4)
    check(game, play(programs, game, service.url, [PYTHON, JAVASCRIPT] * 2))


def test_limits_are_waited_out(programs: Programs, tmp_path: Path) -> None:
    with serving(tmp_path, RATE_LIMITS="token=8/2 seconds") as service:
        game = create_game(service.client, options={"max_turns": 12})
        check(game, play(programs, game, service.url, [PYTHON, JAVASCRIPT]))
        assert counted(service, "lostcities_requests_limited_total") > 0


@every_bot
@pytest.mark.parametrize(
    ("path", "token", "status"),
    [("", "seat_" + "0" * 32, 401), ("", "nonsense", 401), ("aaaaaaaaaaaaaaaa", "", 404)],
)
def test_a_bot_with_an_invalid_token_stops_with_an_error(
    programs: Programs, service: Service, bot: str, path: str, token: str, status: int
) -> None:
    game = create_game(service.client)
    started = programs.start(bot, f"{service.url}/games/{path or game.id}", token or game.seats[0])
    output, errors = started.communicate(timeout=SECONDS)
    assert started.returncode == 1
    assert output == ""
    assert f"{status}: " in errors


@every_bot
def test_a_bot_of_a_finished_game_stops_at_once(programs: Programs, service: Service, bot: str) -> None:
    game = create_game(service.client, options={"max_turns": 1})
    hand = game.get("", token=game.seats[0]).body["position"]["hands"][0]
    game.do(f"discard {hand[0]}", "draw deck")
    output, _ = programs.start(bot, service.url + game.path, game.seats[1]).communicate(timeout=SECONDS)
    assert parsed(output) == (0, game.get("").body["outcome"]["winners"])


@pytest.mark.parametrize(("language", "name"), [("python", PYTHON), ("js", JAVASCRIPT)])
def test_the_page_shows_the_programs_as_they_are(language: str, name: str) -> None:
    program = (HERE / name).read_text()
    assert f"```{language}\n{program}```\n" in (ROOT / "openapi" / "README.md").read_text()
    assert len(program.splitlines()) <= 10
