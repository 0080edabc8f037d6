"""Measure everything and print it: `python -m tests.bench [--quick | --tables] [--only bots] [--beside CHECKOUT]`.

The deployed service and the bare stack are measured in alternating rounds on one machine. The tables go to the standard
output, the progress to the standard error output, and the raw measurements to `dist/bench.json`.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from tests.bench.bench import FULL, QUICK, Scale, bench
from tests.bench.figures import Figure, document, number, table, write_tables
from tests.bench.sections import MEASURES, SECTIONS
from tests.bench.servers import ROOT

RUN: Final = ROOT / "dist" / "bench.json"
QUICK_RUN: Final = ROOT / "dist" / "bench-quick.json"


class Run(NamedTuple):
    """The result of a run."""

    figures: list[Figure]
    invalid: list[str]
    """What could not be measured, and why."""


def run(scale: Scale, output: Path, only: str | None = None) -> Run:
    """Measure everything, or only what the function of that name measures, and write the file."""
    begun, load = time.monotonic(), os.getloadavg()[0]
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, bench(Path(folder), scale) as running:
        for measure in (each for each in MEASURES if only in (None, each.__name__)):
            with running.skip_if_invalid(measure.__name__):
                for figure in measure(running):
                    figures.append(figure)
                    passed = f"{time.monotonic() - begun:6.1f} s"
                    print(passed, figure.name, figure.case, number(figure.median), figure.unit, file=sys.stderr)
    order = [*dict.fromkeys((figure.section, figure.name) for figure in figures)]
    figures.sort(key=lambda figure: (SECTIONS.index(figure.section), order.index((figure.section, figure.name))))
    output.parent.mkdir(parents=True, exist_ok=True)
    rounds = {"rounds": scale.rounds, "steady_rounds": scale.steady_rounds, "seconds": scale.seconds, "load": load}
    output.write_text(document(figures, **rounds, generator=scale.generator, invalid=running.invalid))
    return Run(figures, running.invalid)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure the service.")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--quick", action="store_true", help="a few minutes instead of half an hour")
    mode.add_argument("--tables", action="store_true", help="write the table of the last long run to tests/README.md")
    parser.add_argument("--only", choices=[measure.__name__ for measure in MEASURES], help="measure nothing else")
    parser.add_argument("--beside", type=Path, metavar="CHECKOUT", help="also measure bots on this other version")
    chosen = parser.parse_args()
    if chosen.tables:
        write_tables(ROOT / "tests" / "README.md", RUN)
        return
    scale, output = (QUICK, QUICK_RUN) if chosen.quick else (FULL, RUN)
    if chosen.only:
        output = output.with_stem(f"{output.stem}-{chosen.only}")
    figures, invalid = run(scale._replace(beside=chosen.beside), output, chosen.only)
    print(*table(figures), sep="\n")
    if invalid:
        sys.exit("\n".join(("\nnot measured:", *invalid)))


if __name__ == "__main__":
    main()
