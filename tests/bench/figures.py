"""What was measured, as a table, as JSON and as a section of the README."""

import json
import os
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from service.rules.registry import GAMES

PEER: Final = 1_740
"""Validated moves per CPU-second of a Node server that keeps its games in memory, on a machine of 2 cores."""


class Target(NamedTuple):
    """What a figure should be."""

    sign: Literal[">", "≥", "<", "≤"]
    bound: float

    def is_met(self, value: float) -> bool:
        """Whether the value is."""
        return {
            ">": value > self.bound,
            "≥": value >= self.bound,
            "<": value < self.bound,
            "≤": value <= self.bound,
        }[self.sign]

    def __str__(self) -> str:
        return f"{self.sign} {number(self.bound)}"


class Figure(NamedTuple):
    """One line of the table."""

    section: str
    what: str
    of: str
    """The variant, or what else tells it from its like."""
    unit: str
    values: Sequence[float]
    """One for each round."""
    target: Target | None = None
    also: Mapping[str, float] = {}
    """What belongs to it, by name."""
    rounds: Sequence[Any] = ()
    """All that was measured, round by round."""

    @property
    def median(self) -> float:
        """Over the rounds."""
        return statistics.median(self.values)

    @property
    def is_met(self) -> bool | None:
        """Whether the target is, if there is one."""
        return self.target.is_met(self.median) if self.target else None


def number(value: float) -> str:
    """A number with as many digits as say something.

    >>> number(12345.6), number(52.25), number(0.8349)
    ('12,346', '52.2', '0.83')
    """
    return (
        f"{value:,.0f}"
        if abs(value) >= 100 or value == int(value)
        else f"{value:.1f}"
        if value >= 10
        else f"{value:.2f}"
    )


# On the terminal -------------------------------------------------------------------------------------------------


def table(figures: Iterable[Figure]) -> Iterator[str]:
    """One table for each section."""
    for section, group in groupby(figures, lambda figure: figure.section):
        of_section = [*group]
        names = [*dict.fromkeys(name for figure in of_section for name in figure.also)]
        rows = [("", "", "median", "least to most", "target", "", *names), *(_row(each, names) for each in of_section)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        yield f"\n{section}"
        for row in rows:
            first, second, *others = zip(row, widths, strict=True)
            left = "  ".join(f"{cell:<{width}}" for cell, width in (first, second))
            yield f"  {left}  {'  '.join(f'{cell:>{width}}' for cell, width in others)}".rstrip()


def _row(figure: Figure, names: Sequence[str]) -> tuple[str, ...]:
    met = {True: "met", False: "missed", None: ""}[figure.is_met]
    spread = f"{number(min(figure.values))} to {number(max(figure.values))}"
    also = (number(figure.also[name]) if name in figure.also else "" for name in names)
    return (
        *(figure.what, figure.of, f"{number(figure.median)} {figure.unit}", spread),
        *(str(figure.target or ""), met, *also),
    )


# As a file -------------------------------------------------------------------------------------------------------


def document(figures: Sequence[Figure], **facts: Any) -> str:
    """Everything, with the raw rounds. The machine is named by its cores only."""
    written = [
        {
            **figure._asdict(),
            "target": figure.target and str(figure.target),
            "median": figure.median,
            "met": figure.is_met,
            "rounds": [each._asdict() if hasattr(each, "_asdict") else each for each in figure.rounds],
        }
        for figure in figures
    ]
    return json.dumps({"cores": os.cpu_count(), **facts, "figures": written}, indent=1, ensure_ascii=False) + "\n"


# In the README ---------------------------------------------------------------------------------------------------

BEGIN: Final = "<!-- bench -->"
END: Final = "<!-- /bench -->"
KINDS: Final = "kinds of workers"
"""The section that has a table of its own in the README."""


def with_section(readme: str, measured: Mapping[str, Any]) -> str:
    """The README with the tables of that run between its marks."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the README has no {BEGIN} … {END}")
    lines = "\n".join(section(measured))
    return f"{before}{begin}\n{lines}\n{end}{after}"


def section(measured: Mapping[str, Any]) -> Iterator[str]:
    """The tables: a line for each thing measured, over all variants, and one for each kind of workers."""
    cores, rounds, steady, generator = (measured[fact] for fact in ("cores", "rounds", "steady_rounds", "generator"))
    of_rounds = f"medians of {rounds} rounds ({steady} for p99 / p50 at half load)"
    yield f"Measured on {cores} cores, {of_rounds}, load by {generator}:"
    yield from ("", "| what | measured | target |", "|---|---|---|")
    others = [figure for figure in measured["figures"] if figure["section"] != KINDS]
    variants = {_variant(figure) for figure in others} & GAMES.keys()
    for (name, unit, target), group in groupby(others, _alike):
        alike = [*group]
        among = {_variant(figure) for figure in alike} & variants
        what = f"{name}, {', '.join(among)}" if len(among) == 1 < len(variants) else name
        medians = [figure["median"] for figure in alike]
        least, most = number(min(medians)), number(max(medians))
        yield f"| {what} | {least if least == most else f'{least} to {most}'} {unit} | {target or ''} |"
    kinds = [figure for figure in measured["figures"] if figure["section"] == KINDS]
    names = [*dict.fromkeys(name for figure in kinds for name in figure["also"])]
    yield from ("", f"| workers | {' | '.join(names)} |", "|---" * (1 + len(names)) + "|")
    for figure in kinds:
        yield f"| {figure['what']} | {' | '.join(number(figure['also'][name]) for name in names)} |"


def _variant(figure: Mapping[str, Any]) -> str:
    return str(figure["of"]).partition(",")[0]


def _alike(figure: Mapping[str, Any]) -> tuple[str, str, str | None]:
    """Figures that share a line: those that differ in the variant only."""
    what = figure["what"] if _variant(figure) in GAMES else f"{figure['what']} {figure['of']}".strip()
    return what, figure["unit"], figure["target"]


def write_readme(readme: Path, run: Path) -> None:
    """Put the tables of the last run into the README."""
    readme.write_text(with_section(readme.read_text(), json.loads(run.read_text())))
