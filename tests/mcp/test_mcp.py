"""Models at the table: whole games, refusals, tokens, two clients at one table."""

import asyncio
import random
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from lostcities.mcp import tools as tools_module
from lostcities.mcp.seats import Seat, Seats
from lostcities.mcp.service import Service as HttpService
from lostcities.mcp.tools import MAX_WAIT, Tools
from lostcities.variants.registry import VARIANTS
from mcp.server.mcpserver.exceptions import ToolError

from tests.mcp.player import CODE, NAME, Player, http_player, http_server, player
from tests.server.serving import Service, serving

TOKEN = re.compile(r"(host|seat)_|[0-9a-f]{32}")
REFUSAL = re.compile(r"([a-z-]+): (.+)\. The rule: (.+)", re.DOTALL)

GAMES: dict[str, dict[str, object]] = {
    "duel": {"opponents": ["random"], "options": {"max_turns": 16}},
    "rivals": {"opponents": ["greedy", "random"], "options": {"piles": [70, 4, 3, 3]}},
    "roll-and-write": {"opponents": ["random", "random"], "seat": 1},
    "treasure-hunt": {"opponents": ["greedy"], "options": {"max_turns": 12}},
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("service"), WORKERS="1") as running:
        yield running


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def ann(service: Service, state: Path) -> Iterator[Player]:
    with player(state, "--url", service.url) as connected:
        yield connected


# Whole games -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_whole_game_is_played_and_every_refusal_names_its_rule(ann: Player, variant: str) -> None:
    """Before each move a random one is tried. What is legal is exactly what the tools list."""
    rules, rng = VARIANTS[variant].rules, random.Random(4)
    text = ann.create(variant, **GAMES[variant])
    refused = set()
    while "THE GAME IS OVER" not in text:
        assert "IT IS YOUR TURN" in text
        moves = ann.moves()
        assert f"Your legal moves: {', '.join(moves)}" in text
        tried = rng.choice([*rules.VOCABULARY])
        if tried not in moves:
            reason = REFUSAL.fullmatch(ann.refused("make_move", game=ann.game, move=tried))
            assert reason, "a rule and its sentence"
            assert reason[3] == rules.INFO.rules[reason[1]]
            refused.add(reason[1])
        # Choices that make a game short: few auctions, few dice.
        short = [move for move in moves if move in ("uncover", "refuse")]
        text = ann.ask("make_move", move=rng.choice([*moves, *short * len(moves)]))
    assert len(refused) >= 2
    assert ann.moves() == []
    assert "Winner: " in text
    assert ann.refused("make_move", game=ann.game, move=next(iter(rules.VOCABULARY))).startswith("game-over: ")
    assert "points" in ann.ask("score")


def test_a_move_is_taken_back_and_a_seat_resigns(ann: Player) -> None:
    """The refusals of table events name their rules, too."""
    first = ann.create("duel", opponents=["open"], options={"rounds": 2})
    move = ann.moves()[0]
    played = ann.ask("make_move", move=move)
    undone = ann.ask("make_move", move="undo")
    assert "Since your last look:\n  Agent (you): undo\n" in undone
    _, _, board = undone.partition("\n\n")
    assert board == first.partition("\n\n")[2] != played.partition("\n\n")[2]
    assert ann.refused("make_move", game=ann.game, move="undo") == (
        "nothing-to-undo: there is no move of this seat that can be taken back. The rule: "
        "A seat can take back its own last moves only, as long as nothing else happened since."
    )
    over = ann.ask("make_move", move="resign")
    assert "THE GAME IS OVER: all seats but one have resigned; the last one has won. Winner: Player 1. " in over
    assert "Hand of Agent (you, resigned): " in over


def test_what_changed_is_shown_once(ann: Player) -> None:
    first = ann.create("duel", opponents=["random"], seed="2a" * 32)
    assert "What happened so far:\n  chance: deal 0 Yw" in first
    assert "chance: deal 1 ? ? ? ? ? ? ? ?" in first
    after = ann.ask("make_move", move="discard B4")
    assert "Since your last look:\n  Agent (you): discard B4\nScore" in after
    after = ann.ask("make_move", move="draw deck")
    assert re.search(
        r"Since your last look:\n  Agent \(you\): draw deck\n  chance: draw [A-Z]\w+\n  Random 1 \(bot\): ", after
    )
    assert "Since your last look: nothing.\n" in ann.ask("look")


def test_every_tool_is_described_to_models_and_in_the_readme(ann: Player) -> None:
    tools = ann.tools()
    page = (Path(str(tools_module.__file__)).parent / "README.md").read_text()
    assert {*re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)} == {*tools}
    for tool in tools.values():
        assert tool.description.endswith(".")
        assert all(argument["description"] for argument in tool.input_schema["properties"].values())
        assert tool.annotations.read_only_hint == (tool.name not in ("new_game", "join_game", "make_move"))


def test_advice_and_rules_are_text(ann: Player) -> None:
    ann.create("treasure-hunt", opponents=["random"], seed="2a" * 32)
    lines = ann.ask("advice").splitlines()[1:]
    assert {re.split(r"  +", line)[0] for line in lines} <= {*ann.moves()}
    rules = ann.call("rules", variant="treasure-hunt")[1]
    assert all(ruling.text in rules for ruling in VARIANTS["treasure-hunt"].rules.INFO.rulings)
    listed = ann.call("list_games")[1]
    assert all(f"{variant}: " in listed for variant in VARIANTS)


# Refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("new_game", {"variant": "chess"}, "Must be one of: duel, "),
        ("new_game", {"variant": "duel", "opponents": ["greedy", "greedy"]}, "a game of duel has 2 players"),
        ("new_game", {"variant": "duel", "opponents": ["gready"]}, "Must be one of: random, greedy, expert."),
        ("new_game", {"variant": "duel", "options": {"turns": 3}}, "Unknown field. (/options/turns)"),
        ("new_game", {"variant": "duel", "seat": 2}, "unknown-seat: a game with 1 opponents has the seats 0 to 1"),
        ("new_game", {"variant": "duel", "seed": "abc"}, "/seed"),
        ("new_game", {"variant": "duel", "name": "\n"}, "/players/0"),
        ("new_game", {}, "invalid-request: Field required (/variant)"),
        ("new_game", {"variant": 7, "opponents": []}, "(/variant); List should have at least 1 item"),
        (
            "new_game",
            {"variant": "duel", "level": "expert"},
            "invalid-request: unknown argument, new_game takes variant, ",
        ),
        ("list_games", {"variant": "duel"}, "unknown argument, list_games takes no arguments (/variant)"),
        ("rules", {"variant": "chess"}, "no-such-variant: there is no game 'chess'"),
        ("rules", {"variant": "../games"}, "no-such-variant: there is no game '../games'"),
        ("look", {"game": "duel-2222222222"}, "unknown-game: there is no game 'duel-2222222222'"),
        ("look", {"game": "../../../etc/passwd"}, "unknown-game"),
        ("make_move", {"game": "duel-222222222222", "move": "draw deck"}, "unknown-game"),
        ("join_game", {"code": "join-222222222222"}, "unknown-code: no seat waits for the code"),
        ("join_game", {"code": "join-../../222222"}, "unknown-code"),
        ("wait_for_turn", {"game": "duel-222222222222", "seconds": MAX_WAIT + 1}, "less than or equal to 50"),
    ],
)
def test_bad_input_is_a_tool_error_that_says_what_is_wrong(
    ann: Player, tool: str, arguments: dict[str, object], sentence: str
) -> None:
    refused = ann.refused(tool, **arguments)
    assert sentence in refused
    assert "\n" not in refused, "a sentence, and no exception of a library"


def test_a_text_that_is_no_move_is_refused_with_what_can_be_said(ann: Player) -> None:
    ann.create("duel")
    assert ann.refused("make_move", game=ann.game, move="resign now").startswith(
        "not-a-move: 'resign now' is not a move"
    )


def test_a_service_that_is_away_is_a_sentence() -> None:
    with pytest.raises(ToolError, match="the service does not answer: ConnectError; try again later"):
        asyncio.run(HttpService().get("http://127.0.0.1:9/variants"))


def test_an_address_that_is_not_the_service_is_a_sentence(service: Service) -> None:
    with pytest.raises(ToolError, match="answers with the status 200; is its address right"):
        asyncio.run(HttpService().get(f"{service.url}/docs"))


def test_waiting_for_a_service_that_hangs_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools_module, "LATEST", 0)
    monkeypatch.setattr(tools_module, "MAX_CALL", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        seats = Seats(tmp_path)
        game = seats.keep(Seat(url, "qlcrj7ot4z6aj3e7", 0, "duel", "seat_" + 32 * "0"))
        tools = Tools(lambda: url, HttpService(), seats)
        with pytest.raises(ToolError, match=r"^the service does not answer in time"):
            asyncio.run(tools.wait_for_turn(game, 1))
        with pytest.raises(ToolError, match=r"^Error executing tool look: the service does not answer in time"):
            asyncio.run(tools.server().call_tool("look", {"game": game}))


# Two clients at one table ------------------------------------------------------------------------------------------


def test_two_clients_play_at_one_table(ann: Player, service: Service, state: Path) -> None:
    """Each has a server of its own. The code is good for one player, and no message has a token."""
    created = ann.create("duel", opponents=["open"], name="Ann", options={"max_turns": 6})
    (code,) = CODE.findall(created)
    with player(state, "--url", service.url) as ben:
        hand = re.findall(r"Hand of Ann \(you\): (.*)", created)[0]
        joined = ben.join(code.upper() + " ")
        assert ben.game != ann.game
        assert "Hand of Ann: 8 unknown cards" in joined
        assert hand not in joined
        for late in (ben, ann):
            assert late.refused("join_game", code=code).startswith("unknown-code: ")
        assert ben.refused("look", game=code).startswith("unknown-game: ")
        assert ben.refused("make_move", game=ben.game, move="draw deck").startswith("not-your-turn: ")
        players = [ann, ben]
        while "THE GAME IS OVER" not in (text := players[0].ask("look")):
            assert "IT IS YOUR TURN" in text
            assert "is to act" in players[1].ask("look")
            with ThreadPoolExecutor(1) as threads:
                waiting = threads.submit(players[1].ask, "wait_for_turn")
                for _ in range(2):
                    players[0].ask("make_move", move=players[0].moves()[0])
                text = waiting.result()
            assert "IT IS YOUR TURN" in text or "THE GAME IS OVER" in text
            players.reverse()
        sent = ann.everything_sent + ben.everything_sent
        assert created.splitlines()[0] in sent.replace("\\n", "\n")
        assert not TOKEN.search(sent)
        stored = [path.read_text() for path in state.rglob("*.json")]
        assert all(TOKEN.search(text) for text in stored), "the pattern finds tokens"


def test_waiting_is_bounded(ann: Player) -> None:
    ann.create("duel", opponents=["open"], seat=1)
    assert "It is not your turn: Player 0 is to act." in ann.ask("wait_for_turn", seconds=1)


def test_a_server_that_is_started_again_knows_its_games(ann: Player, service: Service, state: Path) -> None:
    ann.create("treasure-hunt", opponents=["random"])
    with player(state, "--url", service.url) as again:
        again.game = ann.game
        assert "IT IS YOUR TURN" in again.ask("look")


# Other ways to run it ----------------------------------------------------------------------------------------------


def test_the_embedded_service_ends_with_the_server(tmp_path: Path) -> None:
    """And for those who measure models, no answer lists the legal moves."""
    with player(tmp_path, "--hide-legal-moves", TMPDIR=str(tmp_path)) as cleo:
        assert {"legal_moves", "advice"}.isdisjoint(cleo.tools())
        text = cleo.create("duel", seed="2a" * 32)
        assert "IT IS YOUR TURN" in text
        assert "legal" not in text
        assert "legal" not in cleo.ask("make_move", move="play Yw")
        assert [*tmp_path.glob("lostcities-mcp-*")]
    assert not [*tmp_path.glob("lostcities-mcp-*")]


def test_over_http_each_client_knows_only_its_own_games(tmp_path: Path, service: Service) -> None:
    with http_server(tmp_path, "--url", service.url) as url, http_player(url) as ann, http_player(url) as ben:
        (code,) = CODE.findall(ann.create("duel", opponents=["open"]))
        assert NAME.findall(ben.join(code)) == [ben.game]
        ann.ask("make_move", move=ann.moves()[0])
        assert ben.moves() == []
        assert ben.refused("make_move", game=ben.game, move="draw deck").startswith("not-your-turn: ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--url", "127.0.0.1:8000"], "--url must be an address like 'http://127.0.0.1:8000'"),
        (["--http", "8001"], "--http must be an address like '127.0.0.1:8001'"),
        (["--http", "127.0.0.1:99999"], "--http must be an address like '127.0.0.1:8001'"),
    ],
)
def test_bad_arguments_are_a_sentence(arguments: list[str], sentence: str) -> None:
    command = [sys.executable, "-m", "lostcities", "mcp", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert sentence in done.stderr
