"""`lostcities arena`: levels and commands at mirrored deals."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from lostcities import arena as module
from lostcities import bots
from lostcities.arena import Deal, Match, Players, measure, play
from lostcities.cli import main
from lostcities.line_process import CommandFailed, LineProcess
from lostcities.variants.registry import VARIANTS

from tests.faults.processes import until
from tests.test_readme import blocks

PAGE = Path(str(bots.__file__)).with_name("README.md")
LOWEST = """
import json, sys
for line in sys.stdin:
    question = json.loads(line)
    with open(sys.argv[1], "a") as log:
        log.write(line)
    print(min(question["moves"]), flush=True)
"""
"""A player that says the move that comes first in the alphabet, and keeps what it was asked."""


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    return tmp_path / "asked"


@pytest.fixture
def lowest(tmp_path: Path, asked: Path) -> str:
    program = tmp_path / "lowest.py"
    program.write_text(LOWEST)
    return shlex.join([sys.executable, str(program), str(asked)])


def arena(*arguments: str) -> None:
    main(["arena", *arguments])


def test_the_bot_of_the_page_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "bot.py"
    *_, text = [text for language, text in blocks(PAGE) if language == "python"]
    program.write_text(text)
    arena(shlex.join([sys.executable, str(program)]), "random", "--variant", "roll-and-write", "--games", "2")
    assert "win share" in capsys.readouterr().out


def test_two_levels(capsys: pytest.CaptureFixture[str]) -> None:
    arena("greedy", "random", "--variant", "treasure-hunt", "--games", "8", "--options", '{"max_turns": 20}')
    shown = capsys.readouterr()
    assert "greedy against random: treasure-hunt, 2 seats, 4 deals" in shown.out
    assert "win share  100.0 ± 0.0 %  (even: 50.0 %)" in shown.out
    assert "[##############################] 4/4" in shown.err


def test_a_command_is_asked_for_every_choice_and_sees_what_its_seat_sees(lowest: str, asked: Path) -> None:
    arena(lowest, "greedy", "--games", "2", "--options", '{"max_turns": 12}')
    questions: list[dict[str, Any]] = [json.loads(line) for line in asked.read_text().splitlines()]
    assert {question["seat"] for question in questions} == {0, 1}
    for question in questions:
        assert (question["variant"], question["players"]) == ("duel", 2)
        assert question["options"]["max_turns"] == 12
        assert len(question["moves"]) > 1
        hands = question["position"]["hands"]
        assert "?" not in hands[question["seat"]]
        assert "?" in hands[1 - question["seat"]]


@pytest.mark.parametrize("variant", VARIANTS)
def test_equal_players_are_even_at_mirrored_deals(variant: str, lowest: str) -> None:
    """Of commands as of levels: what a seat plays depends on its view alone."""
    options = {"max_turns": 12} if variant in ("duel", "treasure-hunt") else {}
    for player in (lowest, "greedy"):
        assert measure(Match(variant, 2, player, player, 2, options), 1)["share"] == (0.5, 0.0)


def test_a_match_is_the_same_in_one_process_and_in_two() -> None:
    match = Match("duel", 2, "greedy", "random", 3, {"max_turns": 20})
    one, two = (measure(match, processes) for processes in (1, 2))
    assert (one["share"], one["margin"]) == (two["share"], two["margin"])
    assert measure(match._replace(seed="other"), 1)["margin"] != one["margin"]


def test_a_match_that_is_interrupted_has_the_figures_of_its_deals(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def play_deal(task: tuple[Match, int]) -> Deal:
        if task[1] == left[0]:
            raise KeyboardInterrupt
        return Deal(1.0, 7.0, 9.0, 0.0)

    monkeypatch.setattr(module, "play_deal", play_deal)
    left = [2]
    arena("greedy", "random", "--games", "20")
    assert "2 deals\nwin share  100.0 ± 0.0 %" in capsys.readouterr().out
    left = [0]
    with pytest.raises(SystemExit) as ended:
        arena("greedy", "random", "--games", "20")
    assert ended.value.code == 130


def test_the_first_event_of_chance_is_the_same_in_all_games_of_a_deal(lowest: str, asked: Path) -> None:
    match = Match("duel", 2, lowest, lowest, 1, {"max_turns": 1})
    with Players(lowest, lowest) as opened:
        for seat in (0, 1):
            play(match, 5, seat, opened.players)
    first, second = [
        each for each in map(json.loads, asked.read_text().splitlines()) if each["position"]["phase"] == "play"
    ]
    assert first == second


PRINTS = f"{shlex.quote(sys.executable)} -c"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["no-such-command", "greedy"],
            "'no-such-command' is no level (random, greedy, expert), and cannot be started",
        ),
        ([f"{PRINTS} 'raise SystemExit(3)'", "greedy"], "ended without an answer, with exit code 3"),
        (["sleep 60", "greedy", "--timeout", "0.2"], "'sleep 60' gave no answer within 0.2 s"),
        ([f"{PRINTS} 'input(); print(7)'", "greedy"], "answered '7', which is not one of its legal moves"),
        (["printf '\\377\\n'", "greedy"], r"wrote a line that is not UTF-8: '\xff'"),
        (["yes ' '", "greedy"], "answered '', which is not one of its legal moves"),
        (["tr -d '\\n'", "greedy", "--timeout", "0.2"], "gave no answer within 0.2 s"),
        (["cat /dev/zero", "greedy"], "wrote more than 1,000,000 bytes"),
        (["greedy", "my 'bot"], "is no level (random, greedy, expert), and is no command: No closing quotation"),
        (["greedy", "random", "--variant", "chess"], "--variant is one of duel, rivals, "),
        (["greedy", "random", "--seats", "3"], "--seats of duel is 2 to 2, not 3"),
        (["greedy", "random", "--games", "0"], "--games is at least 1"),
        (["greedy", "random", "--options", '{"rounds": 99}'], "--options: "),
        (["greedy", "random", "--options", "[]"], "--options: "),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_sentence(arguments: list[str], message: str) -> None:
    with pytest.raises(SystemExit) as ended:
        arena(*arguments)
    assert message in str(ended.value)


def test_a_command_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    child = tmp_path / "child"
    process = LineProcess(["bash", "-c", f"sleep 600 & echo $! > {child}; wait"], timeout=1)
    with pytest.raises(CommandFailed, match="gave no answer within 1 s"):
        process.ask("{}")
    status = Path(f"/proc/{int(child.read_text())}/status")
    until(lambda: not status.exists() or "zombie" in status.read_text())
    process.close()


def test_a_command_that_answers_with_two_lines_is_found_out() -> None:
    process = LineProcess(["bash", "-c", r"while read question; do env printf 'one\ntwo\n'; done"])
    assert process.ask("{}") == "one"
    with pytest.raises(CommandFailed, match="wrote more than one line as an answer: 'two'"):
        process.ask("{}")
    process.close()
