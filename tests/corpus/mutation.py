"""Wrong rules that the corpus must reveal: `mutants.toml`, and the certificate in `openapi/corpus/README.md`.

`python -m tests.corpus.mutation` lets every wrong rule answer the whole corpus, and writes the certificate.
"""

import ast
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple, cast

from lostcities.corpus.check import question_of, verdicts
from lostcities.corpus.engine import answer
from lostcities.corpus.lines import SUFFIX, JsonObject, read
from lostcities.corpus.plan import Plan, sources
from lostcities.variants.core import AnyRules
from lostcities.variants.registry import VARIANTS

from tests.playing import source
from tests.test_readme import with_section

ROOT: Final = Path(__file__).parents[2]
CORPUS: Final = ROOT / "openapi" / "corpus"
PAGE: Final = CORPUS / "README.md"


class Mutant(NamedTuple):
    """A wrong rule."""

    variant: str
    rule: str
    """What is wrong, as a sentence."""
    name: str
    """The name in the rules that is given another meaning."""
    code: str
    """What gives it that meaning. `original` is its old meaning."""


def mutants() -> list[Mutant]:
    """The wrong rules."""
    entries = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text())
    return [Mutant(variant, **entry) for variant, each in entries.items() for entry in each]


def mutated(mutant: Mutant) -> AnyRules:
    """A copy of the rules with that wrong rule, also in the tables that are made when a module is imported."""
    rules = cast("ModuleType", VARIANTS[mutant.variant].rules)
    lines = source(rules).splitlines()
    end = _definition(ast.parse("\n".join(lines)), mutant.name).end_lineno
    assert end
    text = "\n".join((*lines[:end], f"original = {mutant.name}", mutant.code, *lines[end:]))
    copy = ModuleType(f"{rules.__name__}_mutant")
    exec(compile(text, f"{rules.__name__} with: {mutant.rule}", "exec"), copy.__dict__)
    return cast("AnyRules", copy)


def _definition(module: ast.Module, name: str) -> ast.stmt:
    """The statement at the top level that defines the name."""
    (found,) = [statement for statement in module.body if name in _defined(statement)]
    return found


def _defined(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        yield statement.name
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        yield statement.target.id
    elif isinstance(statement, ast.ImportFrom):
        yield from (alias.name for alias in statement.names)


@cache
def corpus(variant: str) -> Sequence[JsonObject]:
    """The committed lines of a variant."""
    return [*read(CORPUS / f"{variant}{SUFFIX}")]


def differences(mutant: Mutant, rules: AnyRules, line: JsonObject) -> list[str]:
    """The kinds in which a wrong rule differs from a line. A rule that fails differs, too.

    The states are read by the right rules: a wrong rule is revealed by its answers, not because it refuses a position.
    """
    positions = VARIANTS[mutant.variant].positions
    try:
        given = answer(question_of(line), rules, positions)
    except Exception:
        return ["failure"]
    return [verdict.kind for verdict in verdicts(line, given) if not verdict.agrees]


def reveals(mutant: Mutant, lines: Iterable[JsonObject]) -> bool:
    """Whether a line reveals the wrong rule."""
    rules = mutated(mutant)
    return any(differences(mutant, rules, line) for line in lines)


# The certificate ---------------------------------------------------------------------------------------------------


def certificate() -> str:
    """The tables of the page: each wrong rule with the positions that reveal it, and each rule with its source."""
    rows, revealed = [], 0
    for mutant in mutants():
        rules = mutated(mutant)
        kinds = [{*differences(mutant, rules, line)} for line in corpus(mutant.variant)]
        count = sum(1 for each in kinds if each)
        seen = sorted(set().union(*kinds))
        revealed += count > 0
        rows.append(f"| `{mutant.variant}` | {mutant.rule} | {count:,} | {', '.join(seen) or 'SURVIVES'} |")
        print(rows[-1], flush=True)
    survivors = [row for row in rows if "SURVIVES" in row]
    return "\n".join(
        (
            f"{revealed} of {len(rows)} wrong rules are revealed ({100 * revealed / len(rows):.0f} %).",
            "",
            "| variant | wrong rule | positions that reveal it | by |",
            "|---|---|---|---|",
            *(survivors + [row for row in rows if row not in survivors]),
        )
    )


def rule_table() -> str:
    """Each rule code with its source, and how often the corpus has it."""
    rows = []
    for name, variant in VARIANTS.items():
        of = sources(variant.corpus or Plan(), variant.rules.INFO)
        for rule in variant.rules.INFO.rules:
            count = sum(each["rule"] == rule for line in corpus(name) for each in line["illegal"])
            rows.append(f"| `{name}` | `{rule}` | {of[rule]} | {count:,} |")
    return "\n".join(("| variant | rule | source | illegal moves |", "|---|---|---|---|", *rows))


def size_table() -> str:
    """How many questions the corpus has of each variant."""
    rows: list[str] = []
    for name in VARIANTS:
        lines = corpus(name)
        counts: list[Any] = [len(lines)]
        counts += [sum(len(line[kind] or ()) for line in lines) for kind in ("legal", "illegal", "apply")]
        kilobytes = round((CORPUS / f"{name}{SUFFIX}").stat().st_size / 1000)
        rows.append(f"| `{name}` | " + " | ".join(f"{count:,}" for count in (*counts, kilobytes)) + " |")
    head = "| variant | positions | legal moves | illegal moves | moves applied | kB, compressed |"
    return "\n".join((head, "|---|---|---|---|---|---|", *rows))


def section(name: str) -> tuple[str, str]:
    """The markers of a section of the page."""
    return f"<!-- {name} -->", f"<!-- /{name} -->"


def write(name: str, text: str) -> None:
    """Write a section of the page."""
    PAGE.write_text(with_section(PAGE.read_text(), *section(name), text.splitlines()))


if __name__ == "__main__":
    write("size", size_table())
    write("rules", rule_table())
    write("certificate", certificate())
