"""Measure everything and print it: `python -m tests.bench [--quick | --readme]`.

One run, on one machine: the service as it is deployed and plain Flask beside it, round by round. The table goes to the
standard output, what is under way to the standard error output, and all raw rounds to `dist/bench.json`.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from tests.bench.figures import Figure, document, number, table, write_readme
from tests.bench.sections import MEASURES, SECTIONS
from tests.bench.servers import ROOT
from tests.bench.stand import FULL, QUICK, Scale, stand

RUN: Final = ROOT / "dist" / "bench.json"
QUICK_RUN: Final = ROOT / "dist" / "bench-quick.json"


class Run(NamedTuple):
    """What came of it."""

    figures: list[Figure]
    spoiled: list[str]
    """What could not be measured, and why."""


def run(scale: Scale, output: Path) -> Run:
    """Measure everything and write the file."""
    begun = time.monotonic()
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, stand(Path(folder), scale) as standing:
        for measure in MEASURES:
            with standing.unless_spoiled(measure.__name__):
                for figure in measure(standing):
                    figures.append(figure)
                    passed = f"{time.monotonic() - begun:6.1f} s"
                    print(passed, figure.what, figure.of, number(figure.median), figure.unit, file=sys.stderr)
    order = [*dict.fromkeys((figure.section, figure.what) for figure in figures)]
    figures.sort(key=lambda figure: (SECTIONS.index(figure.section), order.index((figure.section, figure.what))))
    output.parent.mkdir(parents=True, exist_ok=True)
    rounds = {"rounds": scale.rounds, "steady_rounds": scale.steady_rounds, "seconds": scale.seconds}
    output.write_text(document(figures, **rounds, generator=scale.generator, spoiled=standing.spoiled))
    return Run(figures, standing.spoiled)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure the service.")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--quick", action="store_true", help="a minute or two instead of a quarter of an hour")
    mode.add_argument("--readme", action="store_true", help="put the tables of the last long run into the README")
    chosen = parser.parse_args()
    if chosen.readme:
        write_readme(ROOT / "README.md", RUN)
        return
    figures, spoiled = run(QUICK, QUICK_RUN) if chosen.quick else run(FULL, RUN)
    print(*table(figures), sep="\n")
    if spoiled:
        sys.exit("\n".join(("\nnot measured:", *spoiled)))


if __name__ == "__main__":
    main()
