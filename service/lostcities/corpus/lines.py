"""The lines of a corpus: how one is made from a state, and how a file of them is written and read.

A file is JSON lines, compressed with gzip. The first line is a header. openapi/corpus/README.md describes the members.
"""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from lostcities.variants.core import CHANCE, FULL, Actor, AnyRules, IllegalMove, Move, total

FORMAT: Final = "lostcities-corpus/1"
SUFFIX: Final = ".jsonl.gz"

JsonObject = dict[str, Any]


class NotACorpus(Exception):
    """A file or folder is no corpus; the message says why."""


def score_of(rules: AnyRules, state: Any) -> JsonObject:
    """The points of each seat line by line, the totals, and how a finished game ended."""
    sheets = rules.score(state)
    result = rules.result(state)
    return {
        "lines": [{line.item: line.points for line in sheet} for sheet in sheets],
        "totals": [total(sheet) for sheet in sheets],
        "winners": [*result.winners] if result else None,
        "reason": result.reason if result else None,
    }


def broken_rule(rules: AnyRules, state: Any, actor: Actor, move: Move) -> str | None:
    """The code of the rule that the move breaks; `None` if it is legal."""
    try:
        rules.apply(state, actor, move)
    except IllegalMove as error:
        return error.rule
    return None


def legal_notations(rules: AnyRules, state: Any, actor: Actor) -> list[str] | None:
    """Every legal move of a seat, sorted. The outcomes of chance are not listed: there are too many."""
    return None if actor == CHANCE else sorted(move.notation for move in rules.legal_moves(state, actor))


def position_after(rules: AnyRules, state: Any, actor: Actor, move: Move) -> JsonObject:
    """The position after a legal move."""
    return rules.to_position(rules.apply(state, actor, move), FULL)


class Case(NamedTuple):
    """A state, and who is asked about which moves."""

    players: int
    options: Mapping[str, Any]
    """As they are given to create a game."""
    state: Any
    actor: Actor
    illegal: Sequence[tuple[Move, str]]
    """Illegal moves with the rules that they break."""
    legal: Sequence[Move]
    """Legal moves that are applied."""


def make_line(rules: AnyRules, case: Case, sources: Mapping[str, str]) -> JsonObject:
    """A line of a corpus.

    :param sources: the source of each rule
    """
    state, actor = case.state, case.actor
    return {
        "variant": rules.VARIANT,
        "players": case.players,
        "options": case.options,
        "position": rules.to_position(state, FULL),
        "actor": actor,
        "legal": legal_notations(rules, state, actor),
        "illegal": [{"notation": move.notation, "rule": rule} for move, rule in case.illegal],
        "apply": [
            {"notation": move.notation, "position": position_after(rules, state, actor, move)} for move in case.legal
        ],
        "score": score_of(rules, state),
        "source": {rule: sources[rule] for rule in sorted({rule for _, rule in case.illegal})},
    }


# Files -----------------------------------------------------------------------------------------------------------


def write(folder: Path, rules: AnyRules, lines: Sequence[JsonObject]) -> Path:
    """Write the corpus of a variant. The same lines make the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{rules.VARIANT}{SUFFIX}"
    header = {
        "format": FORMAT,
        "variant": rules.VARIANT,
        "rules_version": rules.RULES_VERSION,
        "positions": len(lines),
    }
    data = "".join(f"{_dump(line)}\n" for line in (header, *lines)).encode()
    file.write_bytes(gzip.compress(data, mtime=0))
    return file


def _dump(data: JsonObject) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def files(folder: Path, variants: Iterable[str] = ()) -> list[Path]:
    """The files of a corpus, by default all. Raises `NotACorpus` if one is missing."""
    wanted = [folder / f"{variant}{SUFFIX}" for variant in variants] or sorted(folder.glob(f"*{SUFFIX}"))
    missing = [file for file in wanted if not file.exists()]
    if missing or not wanted:
        raise NotACorpus(f"there is no {missing[0] if missing else folder / ('*' + SUFFIX)}: `lostcities corpus write`")
    return wanted


def read(file: Path) -> Iterator[JsonObject]:
    """The lines of a file without its header. Raises `NotACorpus`."""
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            header = json.loads(next(lines, "null"))
            if not isinstance(header, dict) or header.get("format") != FORMAT:
                raise NotACorpus(f"{file} has not the format {FORMAT}")
            for line in lines:
                yield json.loads(line)
    except (OSError, EOFError, ValueError) as error:
        raise NotACorpus(f"{file} cannot be read: {error}") from None
