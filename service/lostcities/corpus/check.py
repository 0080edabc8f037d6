"""`lostcities corpus check`: asks an engine about every position of a corpus, and reports where it agrees.

The engine is a command that reads questions from standard input and writes answers to standard output, one JSON object
in each line. openapi/corpus/README.md describes both.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from lostcities.corpus.lines import JsonObject, files, read
from lostcities.line_process import TIMEOUT, CommandFailed, LineProcess

MAX_LENGTH: Final = 300
"""Characters of a value in the report."""

Ask = Callable[[JsonObject], JsonObject]


def _is_same(expected: Any, got: Any) -> bool:
    """Whether two JSON values are equal. Unlike in Python, `true` is not 1."""
    if isinstance(expected, dict) and isinstance(got, dict):
        return expected.keys() == got.keys() and all(_is_same(value, got[name]) for name, value in expected.items())
    if isinstance(expected, list) and isinstance(got, list):
        return len(expected) == len(got) and all(map(_is_same, expected, got))
    return isinstance(expected, bool) == isinstance(got, bool) and bool(expected == got)


def _difference(expected: Any, got: Any, path: str = "") -> tuple[str, Any, Any]:
    """The place of the first difference in two JSON values, and both sides there."""
    pairs: Iterable[tuple[Any, Any, Any]] = ()
    if isinstance(expected, dict) and isinstance(got, dict) and expected.keys() == got.keys():
        pairs = ((name, value, got[name]) for name, value in expected.items())
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        pairs = ((index, *each) for index, each in enumerate(zip(expected, got, strict=True)))
    for name, one, other in pairs:
        if not _is_same(one, other):
            return _difference(one, other, f"{path}/{name}")
    return path, expected, got


class Verdict(NamedTuple):
    """Whether an engine agrees in one respect."""

    kind: str
    """`legal`, `check`, `rule`, `apply` or `score`."""
    rule: str | None
    """The code of the rule, for the kind `rule`."""
    about: str
    """The notation, or nothing."""
    expected: Any
    got: Any

    @property
    def agrees(self) -> bool:
        """Whether the answer is that of the corpus."""
        return _is_same(self.expected, self.got)


KINDS: Final = {
    "legal": "the list of legal moves",
    "check": "whether a move is legal",
    "rule": "the rule that an illegal move breaks",
    "apply": "the position after a move",
    "score": "points, totals, winners and ending",
}


def question_of(line: JsonObject) -> JsonObject:
    """What an engine is asked about a line. Legal and illegal moves are mixed."""
    applied = [each["notation"] for each in line["apply"]]
    return {
        **{name: line[name] for name in ("variant", "players", "options", "position", "actor")},
        "check": sorted((*applied, *(each["notation"] for each in line["illegal"]))),
        "apply": applied,
    }


def verdicts(line: JsonObject, answer: JsonObject) -> Iterator[Verdict]:
    """The answer compared with the line. What the answer leaves out differs."""
    if line["legal"] is not None:
        yield Verdict("legal", None, "", line["legal"], _sorted(answer.get("legal")))
    rules = {each["notation"]: each["rule"] for each in line["illegal"]}
    asked = question_of(line)
    for notation, got in zip(asked["check"], _padded(answer.get("check"), asked["check"]), strict=True):
        rule = rules.get(notation)
        is_answer = got is None or isinstance(got, str)
        yield Verdict("check", None, notation, _legality(rule), _legality(got) if is_answer else "no answer")
        if rule is not None:
            yield Verdict("rule", rule, notation, rule, got)
    for each, got in zip(line["apply"], _padded(answer.get("apply"), asked["apply"]), strict=True):
        yield Verdict("apply", None, each["notation"], each["position"], got)
    yield Verdict("score", None, "", line["score"], answer.get("score"))


def _sorted(data: Any) -> Any:
    """A list of notations without its order."""
    return sorted(data) if isinstance(data, list) and all(isinstance(each, str) for each in data) else data


def _padded(answers: Any, asked: Sequence[str]) -> Sequence[Any]:
    """As many answers as were asked for."""
    return answers if isinstance(answers, list) and len(answers) == len(asked) else ["no answer"] * len(asked)


def _legality(rule: str | None) -> str:
    return "legal" if rule is None else "illegal"


# The engine as a command -------------------------------------------------------------------------------------------


class Engine:
    """A command that answers questions, during a `with` block."""

    def __init__(self, command: Sequence[str], timeout: float = TIMEOUT) -> None:
        """Start the command. Raises `CommandFailed`.

        :param command: a program and its arguments
        :param timeout: seconds for each answer
        """
        self._process = LineProcess(command, timeout)

    def __enter__(self) -> Ask:
        return self._ask

    def _ask(self, question: JsonObject) -> JsonObject:
        line = self._process.ask(json.dumps(question, ensure_ascii=False))
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise CommandFailed(f"wrote an answer that is not JSON: {error}: {_short(line)}") from None
        if not isinstance(answer, dict):
            raise CommandFailed(f"wrote an answer that is not a JSON object: {_short(line)}")
        return answer

    def __exit__(self, *_: object) -> None:
        self._process.close()


# The report --------------------------------------------------------------------------------------------------------


class Report:
    """Counts what agrees, by kind and by rule."""

    def __init__(self) -> None:
        self.asked: Counter[tuple[str, str, str | None]] = Counter()
        """By variant, kind and rule."""
        self.agreed: Counter[tuple[str, str, str | None]] = Counter()
        self.differences: dict[tuple[str, str, str | None], str] = {}
        """The first difference of each kind and rule."""
        self._sources: dict[tuple[str, str | None], str] = {}

    def add(self, place: str, line: JsonObject, answer: JsonObject) -> bool:
        """Compare an answer. Returns whether it agrees in everything."""
        variant, agrees = line["variant"], True
        for verdict in verdicts(line, answer):
            key = (variant, verdict.kind, verdict.rule)
            self.asked[key] += 1
            self.agreed[key] += verdict.agrees
            if verdict.rule:
                self._sources[variant, verdict.rule] = line["source"][verdict.rule]
            if not verdict.agrees:
                agrees = False
                if key not in self.differences:
                    path, expected, got = _difference(verdict.expected, verdict.got)
                    where = " ".join(filter(None, (verdict.kind, verdict.about, path)))
                    wrong = f"expected {_short(expected)}, got {_short(got)}"
                    self.differences[key] = f"{place}: {where}: {wrong}"
        return agrees

    @property
    def is_clean(self) -> bool:
        """Whether everything was asked and agrees."""
        return bool(self.asked) and self.asked == self.agreed

    def __str__(self) -> str:
        """The counts, and some differences."""
        lines = []
        for variant in dict.fromkeys(variant for variant, _, _ in self.asked):
            lines.append(variant)
            lines += [self._row(f"  {kind:6} {text}", variant, kind) for kind, text in KINDS.items()]
            rules = sorted({rule for each, _, rule in self.asked if each == variant and rule})
            lines += [
                self._row(f"    {rule} ({self._sources[variant, rule]})", variant, "rule", rule) for rule in rules
            ]
        if self.differences:
            number = self.asked.total() - self.agreed.total()
            lines += ["", f"{number:,} differences, the first of each kind and rule:", *self.differences.values()]
        return "\n".join(lines)

    def _row(self, label: str, variant: str, kind: str, rule: str | None = None) -> str:
        def count(counter: "Counter[tuple[str, str, str | None]]") -> int:
            return sum(
                number
                for (each, of_kind, of_rule), number in counter.items()
                if each == variant and of_kind == kind and (rule is None or of_rule == rule)
            )

        asked, agreed = count(self.asked), count(self.agreed)
        return f"{label:52} {agreed:>7,} of {asked:>7,}" + ("" if asked == agreed else "  DIFFERS")


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = text.strip()
    return text if len(text) <= MAX_LENGTH else text[:MAX_LENGTH] + "…"


def check(folder: Path, variants: Iterable[str], ask: Ask) -> Report:
    """Ask an engine about every position of a corpus. Raises `NotACorpus` and `CommandFailed`."""
    report = Report()
    for file in files(folder, variants):
        for number, line in enumerate(read(file), 2):
            report.add(f"{file.name}, line {number}", line, ask(question_of(line)))
    return report
