"""The committed corpus, and the commands that write and check one."""

import json
import os
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from lostcities.corpus.check import Report, check, question_of, verdicts
from lostcities.corpus.engine import answer
from lostcities.corpus.lines import FORMAT, SUFFIX, JsonObject, NotACorpus, files, read, write
from lostcities.corpus.plan import SHARED_SOURCES, Plan, sources
from lostcities.corpus.sampling import sample
from lostcities.variants.core import CHANCE
from lostcities.variants.registry import VARIANTS, Variant

from tests.conformance.tables import TABLES, every_variant
from tests.corpus.mutation import CORPUS, PAGE, corpus, differences, mutants, mutated, rule_table, section, size_table

EVERY_MUTANT = os.environ.get("MUTANTS") == "full"
WRITTEN = None if EVERY_MUTANT else 40
"""Lines of each variant that are written anew. The later ones depend on all bots."""


def ours(question: JsonObject) -> JsonObject:
    variant = VARIANTS[question["variant"]]
    return answer(question, variant.rules, variant.positions)


# The committed corpus ----------------------------------------------------------------------------------------------


def test_these_rules_agree_with_the_corpus() -> None:
    report = check(CORPUS, [], ours)
    assert report.is_clean, str(report)


@every_variant
def test_the_corpus_has_every_rule_with_its_source(variant: str) -> None:
    rules, plan = VARIANTS[variant].rules, VARIANTS[variant].corpus
    assert plan
    assert {*plan.rulings} | {*SHARED_SOURCES} == {*rules.INFO.rules}
    expected = sources(plan, rules.INFO)
    found = {each["rule"] for line in corpus(variant) for each in line["illegal"]}
    assert found == {*rules.INFO.rules}
    for line in corpus(variant):
        assert line["source"] == {each["rule"]: expected[each["rule"]] for each in line["illegal"]}


@every_variant
def test_the_corpus_has_every_move_table_and_ending(variant: str) -> None:
    rules, plan, lines = VARIANTS[variant].rules, VARIANTS[variant].corpus, corpus(variant)
    assert plan
    assert {notation for line in lines for notation in line["legal"] or ()} == {*rules.VOCABULARY}
    assert {line["players"] for line in lines} == {seats for name, seats in TABLES if name == variant}
    assert {line["position"]["phase"] for line in lines} == {*rules.INFO.phases}
    assert {line["score"]["reason"] for line in lines} == {*rules.INFO.endings, None}
    chosen = {json.dumps(line["options"]) for line in lines}
    assert chosen >= {json.dumps(options) for options in plan.options}
    assert any(len(line["score"]["winners"] or ()) > 1 for line in lines), "a shared win"
    assert {CHANCE, *range(max(line["players"] for line in lines))} == {line["actor"] for line in lines}


def test_the_corpus_is_small() -> None:
    assert sum(file.stat().st_size for file in files(CORPUS)) < 2_000_000


@pytest.mark.parametrize(("name", "table"), [("size", size_table), ("rules", rule_table)])
def test_the_tables_of_the_page_are_those_of_the_corpus(name: str, table: object) -> None:
    begin, end = section(name)
    assert callable(table)
    assert PAGE.read_text().partition(begin)[2].partition(end)[0].strip() == table()


# Wrong rules -------------------------------------------------------------------------------------------------------


def test_the_certificate_names_every_wrong_rule() -> None:
    begin, end = section("certificate")
    text = PAGE.read_text().partition(begin)[2].partition(end)[0]
    listed = re.findall(r"^\| `([\w-]+)` \| (.+?) \| ", text, re.MULTILINE)
    assert sorted(listed) == sorted((mutant.variant, mutant.rule) for mutant in mutants())
    assert len(listed) >= 40
    survivors = text.count("SURVIVES")
    assert f"{len(listed) - survivors} of {len(listed)} wrong rules are revealed" in text
    assert survivors == 0


@pytest.mark.parametrize("number", range(0, len(mutants()), 1 if EVERY_MUTANT else 4))
def test_a_wrong_rule_is_revealed(number: int) -> None:
    mutant = mutants()[number]
    rules = mutated(mutant)
    assert any(differences(mutant, rules, line) for line in corpus(mutant.variant)), mutant.rule


def test_a_copy_without_a_wrong_rule_differs_nowhere() -> None:
    mutant = mutants()[0]._replace(code="")
    rules = mutated(mutant)
    assert not any(differences(mutant, rules, line) for line in corpus("duel")[:100])


# Writing -----------------------------------------------------------------------------------------------------------


@every_variant
def test_the_same_rules_write_the_same_corpus(variant: str, tmp_path: Path) -> None:
    first, second = (
        write(tmp_path / name, VARIANTS[variant].rules, [*islice(sample(VARIANTS[variant]), WRITTEN)])
        for name in ("a", "b")
    )
    assert first.read_bytes() == second.read_bytes()
    assert [*read(first)] == [*corpus(variant)[:WRITTEN]], "`make corpus` was not run after a change"


def test_a_game_without_a_plan_has_a_corpus_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nim = Variant("tests.fifth_game")
    monkeypatch.setitem(VARIANTS, nim.rules.VARIANT, nim)
    lines = [*islice(sample(nim), 30)]
    write(tmp_path, nim.rules, lines)
    assert check(tmp_path, [], ours).is_clean
    assert {*sources(Plan(), nim.rules.INFO).values()} == {"text", "ruling"}


# Checking ----------------------------------------------------------------------------------------------------------


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "lostcities", "corpus", "check", "--corpus", str(CORPUS), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_an_engine_is_a_command() -> None:
    done = run("--variant", "rivals", "--", sys.executable, "-m", "lostcities", "corpus", "answer")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("rivals\n  legal  the list of legal moves ")
    assert re.search(r"^    bid-too-low \(text\) +(\d+) of +\1$", done.stdout, re.MULTILINE)
    assert "DIFFERS" not in done.stdout


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("import sys; [print('{}', flush=True) for line in sys.stdin]", "legal  the list of legal moves"),
        (
            "input(); print('nonsense', flush=True)",
            "wrote an answer that is not JSON: Expecting value: line 1",
        ),
        ("input(); print('[' * 100_000, flush=True)", "wrote an answer that is not JSON: "),
        ("input(); print('[]', flush=True)", "wrote an answer that is not a JSON object: []"),
        ("raise SystemExit(3)", "exit code 3"),
        ("import time; input(); time.sleep(60)", "gave no answer within 0.5 s"),
    ],
)
def test_an_engine_that_answers_badly_is_reported(program: str, sentence: str) -> None:
    timeout = "0.5" if "within" in sentence else "60"
    done = run("--variant", "rivals", "--timeout", timeout, "--", sys.executable, "-c", program)
    assert done.returncode == 1
    assert sentence in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


WRONG = """
import json, sys
from lostcities.corpus.engine import answers
for line in answers(sys.stdin):
    answer = json.loads(line)
    answer["check"] = [None if rule == "wager-after-number" else rule for rule in answer["check"]]
    print(json.dumps(answer), flush=True)
"""


def test_a_wrong_rule_of_an_engine_is_reported_by_kind_and_rule() -> None:
    """What it gets right is told apart, and there is an example of each difference."""
    done = run("--variant", "rivals", "--", sys.executable, "-c", WRONG)
    assert done.returncode == 1
    differing = [line.split("  ")[1:3] for line in done.stdout.splitlines() if line.endswith("DIFFERS")]
    assert [" ".join(words).split()[0] for words in differing] == ["check", "rule", "wager-after-number"]
    assert re.search(r"^    wager-after-number \(text\) +0 of +\d+  DIFFERS$", done.stdout, re.MULTILINE)
    *_, check, rule = done.stdout.splitlines()
    assert re.fullmatch(r"rivals.jsonl.gz, line \d+: check take \ww: expected illegal, got legal", check)
    assert re.fullmatch(r"rivals.jsonl.gz, line \d+: rule take \ww: expected wager-after-number, got null", rule)


def test_a_difference_in_a_position_is_reported_with_its_place() -> None:
    line = next(line for line in corpus("duel") if line["legal"] and line["apply"])
    answer = ours(question_of(line))
    answer["apply"][0]["hands"][1][0] = "Z9"
    answer["score"]["totals"].append(0)
    report = Report()
    assert not report.add("duel", line, answer)
    expected, totals = line["apply"][0], line["score"]["totals"]
    assert [*report.differences.values()] == [
        f"duel: apply {expected['notation']} /hands/1/0: expected {expected['position']['hands'][1][0]}, got Z9",
        f"duel: score /totals: expected {totals}, got {[*totals, 0]}",
    ]


def test_a_command_and_a_folder_that_are_missing_are_named(tmp_path: Path) -> None:
    assert "/no/engine cannot be started: No such file or directory" in run("--", "/no/engine").stderr
    done = run("--corpus", str(tmp_path), "--", "cat")
    assert done.returncode == 1
    assert f"there is no {tmp_path / '*.jsonl.gz'}: `lostcities corpus write`" in done.stderr


def test_a_file_that_is_no_corpus_is_named(tmp_path: Path) -> None:
    file = tmp_path / f"duel{SUFFIX}"
    file.write_bytes(b"{}")
    with pytest.raises(NotACorpus, match="cannot be read"):
        [*read(file)]
    rules = VARIANTS["duel"].rules
    file = write(tmp_path, rules, [])
    assert [*read(file)] == []
    assert FORMAT == "lostcities-corpus/1"


def test_whatever_an_answer_leaves_out_differs() -> None:
    """An engine can have the right answers to some questions only."""
    line = next(line for line in corpus("duel") if line["legal"] and line["illegal"] and line["apply"])
    right = ours(question_of(line))
    assert all(verdict.agrees for verdict in verdicts(line, right))
    assert all(verdict.agrees for verdict in verdicts(line, {**right, "legal": right["legal"][::-1]})), "in any order"
    for member in right:
        left_out = {name: value for name, value in right.items() if name != member}
        wrong = {verdict.kind for verdict in verdicts(line, left_out) if not verdict.agrees}
        assert wrong == ({"check", "rule"} if member == "check" else {member})
    totals = [*map(bool, line["score"]["totals"])]
    assert {0, 1} >= {*line["score"]["totals"]}
    booleans = {**right, "score": {**right["score"], "totals": totals}}
    assert {verdict.kind for verdict in verdicts(line, booleans) if not verdict.agrees} == {"score"}
    codeless = {**right, "check": [rule and "" for rule in right["check"]]}
    assert {verdict.kind for verdict in verdicts(line, codeless) if not verdict.agrees} == {"rule"}
