"""`lostcities arena`: two players play mirrored deals.

A player is a level of the bots or a command. In a match the first player has one seat and the second player all others.
Each deal is played once from every seat, so that both have the same luck: with two seats a deal is a mirrored pair of
games. The n-th event of chance in a deal follows from the same random numbers in all of its games.

bots/README.md has the protocol of commands.
"""

import json
import math
import multiprocessing
import random
import shlex
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Final, NamedTuple, Protocol, Self

from marshmallow import ValidationError

from lostcities.api.games.schemas import OptionsView
from lostcities.bots.core import SeatView, run
from lostcities.bots.expert import mean_and_error
from lostcities.bots.levels import LEVELS, decide
from lostcities.line_process import TIMEOUT, CommandFailed, LineProcess
from lostcities.variants.core import CHANCE, Move, Pick, total
from lostcities.variants.registry import VARIANTS

MAX_SHOWN: Final = 100
"""Characters of a wrong answer in a message."""


class ArenaError(Exception):
    """A player that cannot be started, or an answer that is not a legal move."""


# Players ---------------------------------------------------------------------------------------------------------


class Player(Protocol):
    """Decides for a seat."""

    def decide(self, view: SeatView, moves: Sequence[Move], pick: Pick) -> Move:
        """One of the moves, of which there are at least two."""

    def close(self) -> None:
        """No decision follows."""


class Level:
    """A level of the bots. It gets what its seat may see, as in the service."""

    def __init__(self, level: str) -> None:
        self.level = level

    def decide(self, view: SeatView, moves: Sequence[Move], pick: Pick) -> Move:
        """The decision of the bot."""
        return run(decide(self.level, view, moves, pick))

    def close(self) -> None:
        """Nothing to do."""


class Command:
    """A process that answers lines."""

    def __init__(self, command: str, timeout: float) -> None:
        self.command = command
        try:
            self.process = LineProcess(shlex.split(command), timeout)
        except (CommandFailed, ValueError) as error:
            what = error if isinstance(error, CommandFailed) else f"is no command: {error}"
            raise ArenaError(f"'{command}' is no level ({', '.join(LEVELS)}), and {what}") from error

    def decide(self, view: SeatView, moves: Sequence[Move], pick: Pick) -> Move:  # noqa: ARG002
        """Send the question and read the answer. Raises `ArenaError`."""
        question = {
            "variant": view.variant.rules.VARIANT,
            "players": view.players,
            "options": view.options.plain(),
            "seat": view.seat,
            "position": view.position,
            "moves": [move.notation for move in moves],
        }
        try:
            answer = self.process.ask(json.dumps(question)).strip()
        except CommandFailed as error:
            raise ArenaError(f"'{self.command}' {error}") from error
        for move in moves:
            if move.notation == answer:
                return move
        raise ArenaError(f"'{self.command}' answered {answer[:MAX_SHOWN]!r}, which is not one of its legal moves")

    def close(self) -> None:
        """Close its standard input and wait for its end."""
        self.process.close()


class Players:
    """The two players of a match, for a `with` block."""

    def __init__(self, *names: str, timeout: float = TIMEOUT) -> None:
        """:param timeout: seconds that a command has for an answer"""
        self.players: list[Player] = []
        try:
            for name in names:
                self.players.append(Level(name) if name in LEVELS else Command(name, timeout))
        except ArenaError:
            self._close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        for player in self.players:
            player.close()


# Matches ---------------------------------------------------------------------------------------------------------


class Match(NamedTuple):
    """The first player at one seat, the second player at all others."""

    variant: str
    seats: int
    level: str
    """The first player: a level or a command."""
    others: str
    deals: int
    options: Mapping[str, Any] = {}
    seed: str = ""
    """Another seed has other deals."""
    timeout: float = TIMEOUT
    """Seconds that a command has for an answer."""


class Deal(NamedTuple):
    """The games of one deal: means over the seats of the first player."""

    share: float
    """Of the win: 1, 0, or a part of a shared win."""
    margin: float
    """Over the best other seat."""
    points: float
    seconds: float
    """CPU time of this process in a decision of the first player."""


def check(match: Match) -> None:
    """Raise `ArenaError` unless there is such a game."""
    if match.variant not in VARIANTS:
        raise ArenaError(f"--variant is one of {', '.join(VARIANTS)}, not '{match.variant}'")
    rules = VARIANTS[match.variant].rules
    fewest, most = rules.INFO.seats
    if not fewest <= match.seats <= most:
        raise ArenaError(f"--seats of {match.variant} is {fewest} to {most}, not {match.seats}")
    if match.deals < 1:
        raise ArenaError("--games is at least 1")
    try:
        rules.parse_options(VARIANTS[match.variant].schema.of(OptionsView)().load(match.options))
    except (ValueError, ValidationError) as error:
        raise ArenaError(f"--options: {error}") from error


def play(match: Match, deal: int, seat: int, players: Sequence[Player]) -> Deal:
    """One game, with the first player at that seat."""
    game = VARIANTS[match.variant].rules
    options = game.parse_options(match.options)
    state: Any = game.setup(match.seats, options)
    chance = events = decisions = 0
    seconds = 0.0
    while actors := game.to_act(state):
        actor = actors[0]
        if actor == CHANCE:
            move = game.sample_chance(state, random.Random(f"{match.seed}{deal}/{chance}").randrange)  # noqa: S311
            chance += 1
        else:
            moves = game.legal_moves(state, actor)
            move = moves[0]
            if len(moves) > 1:
                view = SeatView(VARIANTS[match.variant], match.seats, options, game.to_position(state, actor), actor)
                pick = random.Random(f"{match.seed}{deal}/{events}/{actor}").randrange  # noqa: S311
                begun = time.process_time()
                move = players[actor != seat].decide(view, moves, pick)
                if actor == seat:
                    seconds += time.process_time() - begun
                    decisions += 1
        state = game.apply(state, actor, move)
        events += 1
    totals = [total(sheet) for sheet in game.score(state)]
    own = totals.pop(seat)
    best = max(totals)
    share = 1 / (1 + totals.count(own)) if own >= best else 0.0
    return Deal(share, own - best, own, seconds / max(1, decisions))


def play_deal(task: tuple[Match, int]) -> Deal:
    """One deal from every seat."""
    match, deal = task
    with Players(match.level, match.others, timeout=match.timeout) as opened:
        games = [play(match, deal, seat, opened.players) for seat in range(match.seats)]
    return Deal(*(sum(values) / match.seats for values in zip(*games, strict=True)))


def measure(match: Match, processes: int, minutes: float = math.inf) -> dict[str, Any]:
    """The mean and the standard error of each figure of `Deal`, with a progress bar on the way.

    After that many minutes, or by Ctrl+C, the match ends early.
    """
    tasks = [(match, deal) for deal in range(match.deals)]
    if processes == 1:
        deals = [*_progress(match, map(play_deal, tasks), minutes)]
    else:
        with multiprocessing.Pool(processes, _ignore_interrupts) as pool:
            deals = [*_progress(match, pool.imap_unordered(play_deal, tasks), minutes)]
    figures = {name: mean_and_error([getattr(deal, name) for deal in deals]) for name in Deal._fields}
    return match._asdict() | figures | {"deals": len(deals)}


def _ignore_interrupts() -> None:
    """On Ctrl+C the parent process ends the match."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _progress(match: Match, deals: Iterable[Deal], minutes: float) -> Iterator[Deal]:
    """A bar on the terminal, in a single line that is written over."""
    begun, shares, count = time.monotonic(), 0.0, 0
    try:
        for count, deal in enumerate(deals, 1):
            yield deal
            shares += deal.share
            bar = "#" * (30 * count // match.deals)
            seconds = round(time.monotonic() - begun)
            text = f"{match.variant}, {match.seats} seats, {match.level} and {match.others}: {shares / count:.0%}"
            print(
                f"\r[{bar:<30}] {count}/{match.deals} {seconds:>4} s  {text}\033[K", end="", file=sys.stderr, flush=True
            )
            if seconds > 60 * minutes:
                break
    except KeyboardInterrupt:
        if not count:
            raise
    print(file=sys.stderr)


# The command -----------------------------------------------------------------------------------------------------


def run_arena(match: Match, processes: int) -> None:
    """Play a match and print its figures."""
    result = measure(match, processes)
    print(f"{match.level} against {match.others}: {match.variant}, {match.seats} seats, {result['deals']} deals")
    print(f"win share  {plus_minus(result['share'], 100)} %  (even: {100 / match.seats:.1f} %)")
    print(f"margin     {plus_minus(result['margin'])} points")


def plus_minus(figure: tuple[float, float], scale: int = 1) -> str:
    """The mean and the standard error of a figure.

    >>> plus_minus((0.625, 0.031), 100)
    '62.5 ± 3.1'
    """
    mean, error = figure
    return f"{mean * scale:.1f} ± {error * scale:.1f}"
