"""`lostcities corpus write`, `check` and `answer`."""

import sys
from collections.abc import Sequence
from pathlib import Path

from lostcities.corpus.check import Engine, check
from lostcities.corpus.engine import answers
from lostcities.corpus.lines import NotACorpus, write
from lostcities.corpus.sampling import sample
from lostcities.line_process import CommandFailed
from lostcities.variants.registry import VARIANTS


def write_corpus(folder: Path, variants: Sequence[str]) -> bool:
    """Write the corpus of the variants, by default all."""
    for name in variants or VARIANTS:
        variant = VARIANTS[name]
        print(f"{name}: …", end="", file=sys.stderr, flush=True)
        lines = [*sample(variant)]
        file = write(folder, variant.rules, lines)
        print(f"\r{file}: {len(lines):,} positions, {file.stat().st_size:,} bytes", file=sys.stderr)
    return True


def check_engine(folder: Path, variants: Sequence[str], command: Sequence[str], timeout: float) -> bool:
    """Print where an engine agrees with the corpus. Returns whether it agrees in everything."""
    try:
        with Engine(command, timeout) as ask:
            report = check(folder, variants, ask)
    except NotACorpus as error:
        print(f"lostcities: {error}", file=sys.stderr)
        return False
    except CommandFailed as error:
        print(f"lostcities: {command[0]} {error}", file=sys.stderr)
        return False
    print(report)
    return report.is_clean


def answer_questions() -> bool:
    """Answer the questions on standard input with this service's rules."""
    for line in answers(sys.stdin):
        print(line, flush=True)
    return True
