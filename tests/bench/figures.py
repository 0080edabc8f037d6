"""Measured figures, as a table on the terminal, as JSON and as a table in tests/README.md."""

import json
import os
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from lostcities.variants.registry import VARIANTS

PEER: Final = 1_740
"""Validated moves per CPU-second of a Node server that keeps its games in memory, on a machine of 2 cores."""


class Target(NamedTuple):
    """What a figure should be."""

    sign: Literal[">", "≥", "<", "≤"]
    bound: float

    def is_met(self, value: float) -> bool:
        """Whether the value meets the target."""
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
    name: str
    """What was measured."""
    case: str
    """The variant, or another condition."""
    unit: str
    values: Sequence[float]
    """One for each round."""
    target: Target | None = None
    details: Mapping[str, float] = {}
    """Related numbers, by column."""
    rounds: Sequence[Any] = ()
    """The raw measurements."""

    @property
    def median(self) -> float:
        """The median of the rounds."""
        return statistics.median(self.values)

    @property
    def is_met(self) -> bool | None:
        """Whether the target is met; None without a target."""
        return self.target.is_met(self.median) if self.target else None


def number(value: float) -> str:
    """A number with three or so significant digits.

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
    """The lines of one table for each section."""
    for section, group in groupby(figures, lambda figure: figure.section):
        of_section = [*group]
        names = [*dict.fromkeys(name for figure in of_section for name in figure.details)]
        rows = [("", "", "median", "min to max", "target", "", *names), *(_row(each, names) for each in of_section)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        yield f"\n{section}"
        for row in rows:
            first, second, *others = zip(row, widths, strict=True)
            left = "  ".join(f"{cell:<{width}}" for cell, width in (first, second))
            yield f"  {left}  {'  '.join(f'{cell:>{width}}' for cell, width in others)}".rstrip()


def _row(figure: Figure, names: Sequence[str]) -> tuple[str, ...]:
    met = {True: "met", False: "missed", None: ""}[figure.is_met]
    spread = f"{number(min(figure.values))} to {number(max(figure.values))}"
    details = (number(figure.details[name]) if name in figure.details else "" for name in names)
    return (
        *(figure.name, figure.case, f"{number(figure.median)} {figure.unit}", spread),
        *(str(figure.target or ""), met, *details),
    )


# As a file -------------------------------------------------------------------------------------------------------


def document(figures: Sequence[Figure], **facts: Any) -> str:
    """All figures with their raw measurements, as JSON. Of the machine it has the number of cores and the load."""
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


# In tests/README.md ----------------------------------------------------------------------------------------------

BEGIN: Final = "<!-- bench -->"
END: Final = "<!-- /bench -->"


def with_section(page: str, measured: Mapping[str, Any]) -> str:
    """The page with the table of that run between its marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no {BEGIN} … {END}")
    lines = "\n".join(section(measured))
    return f"{before}{begin}\n{lines}\n{end}{after}"


def section(measured: Mapping[str, Any]) -> Iterator[str]:
    """The lines of the table: one for each figure, with its range over the variants."""
    cores, rounds, steady, generator = (measured[fact] for fact in ("cores", "rounds", "steady_rounds", "generator"))
    of_rounds = f"medians of {rounds} rounds ({steady} for p99 / p50 at half load)"
    of_machine = f"{cores} cores with a load average of {number(measured['load'])} before the run"
    yield f"Measured on {of_machine}, {of_rounds}, requests by {generator}:"
    yield from ("", "| what | measured | target |", "|---|---|---|")
    figures = measured["figures"]
    variants = {_variant(figure) for figure in figures} & VARIANTS.keys()
    for (name, unit, target), group in groupby(figures, _line):
        alike = [*group]
        among = {_variant(figure) for figure in alike} & variants
        what = f"{name}, {', '.join(among)}" if len(among) == 1 < len(variants) else name
        medians = [figure["median"] for figure in alike]
        least, most = number(min(medians)), number(max(medians))
        yield f"| {what} | {least if least == most else f'{least} to {most}'} {unit} | {target or ''} |"


def _variant(figure: Mapping[str, Any]) -> str:
    return str(figure["case"]).partition(",")[0]


def _line(figure: Mapping[str, Any]) -> tuple[str, str, str | None]:
    """Figures with the same key share a line: they differ in the variant only."""
    name = figure["name"] if _variant(figure) in VARIANTS else f"{figure['name']} {figure['case']}".strip()
    return name, figure["unit"], figure["target"]


def write_tables(page: Path, run: Path) -> None:
    """Write the table of the last run to the page."""
    page.write_text(with_section(page.read_text(), json.loads(run.read_text())))
