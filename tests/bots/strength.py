"""How strong the bots are: `make strength`, or `python -m tests.bots.strength --help`.

In a match one seat has a bot of the first level and all others have the second level. Each deal is played once from
every seat, so that the luck of the cards and of the seats is the same for both levels: with two seats a deal is a
mirrored pair of games. The n-th event of chance in a deal follows from the same random numbers in all of its games.

Bots get what their seat may see, as in the service. The results go to `dist/strength.json`; `--tables` writes those of
that file to `tests/README.md`.
"""

import argparse
import json
import math
import multiprocessing
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from lostcities.bots.core import SeatView, run
from lostcities.bots.levels import EXPERT, GREEDY, LEVELS, RANDOM, decide, levels_of
from lostcities.variants.core import CHANCE, total
from lostcities.variants.registry import VARIANTS

from tests.conformance.tables import TABLES

ROOT: Final = Path(__file__).parents[2]
RESULTS: Final = ROOT / "dist" / "strength.json"
PAGE: Final = ROOT / "tests" / "README.md"
MARKERS: Final = ("<!-- strength -->", "<!-- /strength -->")

OPPONENTS: Final = ((GREEDY, RANDOM), (EXPERT, GREEDY), (GREEDY, GREEDY))
DEALS: Final = {RANDOM: 1000, GREEDY: 1000, EXPERT: 100}
"""Deals of a match at a table of two, by its stronger level."""
FEWER: Final = {RANDOM: 100, GREEDY: 100, EXPERT: 20}
"""The same at a larger table."""


class Match(NamedTuple):
    """A bot of the first level at one seat, bots of the second at all others."""

    variant: str
    seats: int
    level: str
    others: str
    deals: int


class Deal(NamedTuple):
    """The games of one deal: means over the seats of the first bot."""

    share: float
    """Of the win: 1, 0, or a part of a shared win."""
    margin: float
    """Over the best other seat."""
    points: float
    seconds: float
    """CPU time of a decision of the first level."""


def play(match: Match, deal: int, seat: int) -> Deal:
    """One game, with the first level at that seat."""
    game = VARIANTS[match.variant].rules
    options = game.parse_options({})
    state: Any = game.setup(match.seats, options)
    chance = events = decisions = 0
    seconds = 0.0
    while actors := game.to_act(state):
        actor = actors[0]
        if actor == CHANCE:
            move = game.sample_chance(state, random.Random(f"{deal}/{chance}").randrange)
            chance += 1
        else:
            view = SeatView(VARIANTS[match.variant], match.seats, options, game.to_position(state, actor), actor)
            moves = game.legal_moves(state, actor)
            pick = random.Random(f"{deal}/{events}/{actor}").randrange
            begun = time.process_time()
            move = run(decide(match.level if actor == seat else match.others, view, moves, pick))
            if actor == seat and len(moves) > 1:
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
    games = [play(match, deal, seat) for seat in range(match.seats)]
    return Deal(*(sum(values) / match.seats for values in zip(*games, strict=True)))


def measure(match: Match, processes: int, minutes: float = math.inf) -> dict[str, Any]:
    """The figures of a match, with a progress bar on the way. After that many minutes it ends early."""
    tasks = [(match, deal) for deal in range(match.deals)]
    if processes == 1:
        deals = [*_progress(match, map(play_deal, tasks), minutes)]
    else:
        with multiprocessing.Pool(processes) as pool:
            deals = [*_progress(match, pool.imap_unordered(play_deal, tasks), minutes)]
    figures = {name: _mean_and_error([getattr(deal, name) for deal in deals]) for name in Deal._fields}
    return match._asdict() | figures | {"deals": len(deals)}


def _mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    mean = math.fsum(values) / len(values)
    if len(values) == 1:
        return mean, math.inf
    variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, math.sqrt(variance / len(values))


def _progress(match: Match, deals: Iterable[Deal], minutes: float) -> Iterator[Deal]:
    """A bar on the terminal, in a single line that is written over."""
    begun, shares = time.monotonic(), 0.0
    for count, deal in enumerate(deals, 1):
        yield deal
        shares += deal.share
        bar = "#" * (30 * count // match.deals)
        seconds = round(time.monotonic() - begun)
        text = f"{match.variant}, {match.seats} seats, {match.level} and {match.others}: {shares / count:.0%}"
        print(f"\r[{bar:<30}] {count}/{match.deals} {seconds:>4} s  {text}\033[K", end="", file=sys.stderr, flush=True)
        if seconds > 60 * minutes:
            break
    print(file=sys.stderr)


# Tables ----------------------------------------------------------------------------------------------------------


def table(results: Iterable[dict[str, Any]]) -> str:
    """The results as Markdown. One deal has no standard error, and no row."""
    lines = [
        "| variant | seats | level | against | deals | win share | margin | points | CPU ms a decision |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    known = [each for each in results if each["variant"] in VARIANTS and each["deals"] > 1]
    for each in sorted(known, key=_row_order):
        share, margin, points = (_plus_minus(each[name], scale) for name, scale in FIGURES)
        lines.append(
            f"| `{each['variant']}` | {each['seats']} | `{each['level']}` | `{each['others']}` | {each['deals']:,} "
            f"| {share} % | {margin} | {points} | {each['seconds'][0] * 1000:.2f} |"
        )
    return "\n".join(lines)


def _row_order(result: dict[str, Any]) -> tuple[int, ...]:
    """Tables of two first; then by variant, seats and levels."""
    seats, levels = result["seats"], (LEVELS.index(result[name]) for name in ("level", "others"))
    return (seats > 2, [*VARIANTS].index(result["variant"]), seats, *levels)


FIGURES: Final = (("share", 100), ("margin", 1), ("points", 1))


def _plus_minus(figure: tuple[float, float], scale: int) -> str:
    mean, error = figure
    return f"{mean * scale:.1f} ± {error * scale:.1f}"


def saved() -> dict[str, dict[str, Any]]:
    """The results of earlier runs, by match."""
    if not RESULTS.exists():
        return {}
    found: dict[str, dict[str, Any]] = json.loads(RESULTS.read_text())
    return found


def save(result: dict[str, Any]) -> None:
    """Keep a result, in place of an earlier one of the same match."""
    key = " ".join(str(result[name]) for name in ("variant", "seats", "level", "others"))
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(saved() | {key: result}, indent=1))


def write_tables() -> None:
    """Write all saved results to the page."""
    opening, closing = MARKERS
    before, rest = PAGE.read_text().split(opening)
    after = rest.split(closing)[1]
    PAGE.write_text(f"{before}{opening}\n{table(saved().values())}\n{closing}{after}")


# The command -----------------------------------------------------------------------------------------------------


def chosen(arguments: argparse.Namespace) -> list[Match]:
    """The matches that were asked for."""
    matches = []
    for variant, seats in TABLES:
        for level, others in OPPONENTS:
            wanted = (
                (not arguments.variant or variant in arguments.variant)
                and (not arguments.seats or seats in arguments.seats)
                and (not arguments.level or level in arguments.level)
                and {level, others} <= {*levels_of(variant)}
            )
            if wanted:
                deals = arguments.deals or (DEALS if seats == 2 else FEWER)[level]
                matches.append(Match(variant, seats, level, others, deals))
    return matches


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the chosen matches and print the table."""
    parser = argparse.ArgumentParser(prog="strength", description="Measure how strong the bots are.")
    parser.add_argument("variant", nargs="*", choices=[*VARIANTS, []], help="all by default")
    parser.add_argument("--seats", type=int, nargs="+", help="numbers of seats, all by default")
    parser.add_argument("--level", nargs="+", choices=LEVELS, help="the stronger level, greedy and expert by default")
    parser.add_argument("--deals", type=int, help="deals of each match")
    parser.add_argument("--minutes", type=float, default=math.inf, help="end each match after this time")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--tables", action="store_true", help="only write the saved results to tests/README.md")
    asked = parser.parse_args(arguments)
    if asked.tables:
        write_tables()
        return
    results = []
    for match in chosen(asked):
        results.append(measure(match, asked.processes, asked.minutes))
        save(results[-1])
    print(table(results))


if __name__ == "__main__":
    main()
