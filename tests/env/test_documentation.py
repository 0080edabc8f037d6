"""The page of the environments: its programs run, its tables agree with the code.

`python -m tests.env.test_documentation` writes the tables.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import lostcities
from lostcities.env.layout import size
from lostcities.env.playable import Playable, game_seed

from tests.env.tables import ENVIRONMENTS
from tests.test_readme import blocks, table, with_section

PAGE = Path(lostcities.__file__).parent / "env" / "README.md"
BEGIN, END = "<!-- layouts -->", "<!-- /layouts -->"
LONGEST = 40


def run(program: str) -> str:
    """What a program prints. OpenSpiel keeps the games until after Python has ended, which must not fail."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def programs() -> list[str]:
    return [text for language, text in blocks(PAGE) if language == "python"]


def test_the_example_is_short_and_prints_what_the_page_shows() -> None:
    example = programs()[0]
    (printed,) = [text for language, text in blocks(PAGE) if language == "text"]
    assert len(example.splitlines()) <= LONGEST
    assert run(example) == printed
    wins = {name: int(number) for name, number in map(str.split, printed.splitlines())}
    assert wins["greedy"] > wins["table"] > wins["random"] + 5


def test_the_other_programs_run() -> None:
    printed = run("\n".join(programs()[1:]))
    assert re.match(r"\[[-\d.]+, [-\d.]+\] 4\nphase: play\n", printed)
    assert printed.endswith("{'cards': 44}\n")


def test_the_page_names_the_seed_of_its_example() -> None:
    assert f"`{game_seed(42, 0).hex()[:16]}`" in PAGE.read_text()


def test_the_tables_are_those_of_the_code() -> None:
    assert PAGE.read_text() == with_tables(PAGE.read_text()), "run `python -m tests.env.test_documentation`"


def with_tables(text: str) -> str:
    """The page with the generated tables."""
    return with_section(text, BEGIN, END, [line for variant in ENVIRONMENTS for line in section(variant)])


def section(variant: str) -> Iterator[str]:
    """The layout of one game."""
    fewest, most = ENVIRONMENTS[variant].rules.INFO.seats
    playables = [Playable(variant, seats, {}) for seats in range(fewest, most + 1)]
    sizes = ", ".join(f"{size(each.layout)} with {each.players} seats" for each in playables)
    yield from (f"### `{variant}`", "", f"{len(playables[0].moves)} actions. Numbers in a vector: {sizes}.", "")
    if most > fewest:
        yield from ("With more seats the segments of `other 1` follow again for `other 2` and so on.", "")
    rows: list[tuple[str, ...]] = [
        (f"`{segment.name}`", str(len(segment.labels)), f"`{segment.formula}`", segment.meaning)
        for segment in playables[0].layout
    ]
    yield from table("segment | size | number | meaning", rows)


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text()))
