"""How strong the bots are: `make strength`, or `python -m tests.bots.strength --help`.

The matches are those of `lostcities arena`. The results go to `dist/strength.json`; `--tables` writes those of that
file to `tests/README.md`. `--against NAME=COMMAND` measures against a player outside of this tree, such as an earlier
version.
"""

import argparse
import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from lostcities.arena import Match, measure, plus_minus
from lostcities.bots.levels import EXPERT, GREEDY, LEVELS, RANDOM, levels_of
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


# Tables ----------------------------------------------------------------------------------------------------------


def table(results: Iterable[dict[str, Any]]) -> str:
    """The results as Markdown. One deal has no standard error, and no row."""
    lines = [
        "| variant | seats | level | against | deals | win share | margin | points | CPU ms a decision |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    known = [each for each in results if each["variant"] in VARIANTS and each["deals"] > 1]
    for each in sorted(known, key=_row_order):
        share, margin, points = (plus_minus(each[name], scale) for name, scale in FIGURES)
        lines.append(
            f"| `{each['variant']}` | {each['seats']} | `{each['level']}` | `{each['others']}` | {each['deals']:,} "
            f"| {share} % | {margin} | {points} | {each['seconds'][0] * 1000:.2f} |"
        )
    return "\n".join(lines)


def _row_order(result: dict[str, Any]) -> tuple[int, ...]:
    """Tables of two first; then by variant, seats and levels."""
    seats, opponent = result["seats"], result["others"]
    others = LEVELS.index(opponent) if opponent in LEVELS else len(LEVELS)
    return (seats > 2, [*VARIANTS].index(result["variant"]), seats, LEVELS.index(result["level"]), others)


FIGURES: Final = (("share", 100), ("margin", 1), ("points", 1))


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
        levels = levels_of(variant)
        opponents = [(level, others) for level, others in OPPONENTS if {level, others} <= {*levels}]
        if arguments.against:
            opponents = [(level, arguments.against.partition("=")[2]) for level in levels]
        for level, others in opponents:
            wanted = (
                (not arguments.variant or variant in arguments.variant)
                and (not arguments.seats or seats in arguments.seats)
                and (not arguments.level or level in arguments.level)
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
    parser.add_argument("--against", metavar="NAME=COMMAND", help="a command of `lostcities arena`, and its name")
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
        result = measure(match, asked.processes, asked.minutes)
        if asked.against:
            result["others"] = asked.against.partition("=")[0]
        results.append(result)
        save(result)
    print(table(results))


if __name__ == "__main__":
    main()
