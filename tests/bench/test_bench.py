"""The bench runs, and measures all that it should. How fast anything is, no test asks."""

import json
from pathlib import Path

import pytest

from tests.bench import load, rules
from tests.bench.__main__ import run
from tests.bench.baseline import json_of
from tests.bench.courses import Request, games, moving, moving_in_lists
from tests.bench.figures import BEGIN, END, Figure, Target, section, table, with_section
from tests.bench.servers import Server
from tests.bench.stand import KINDS, Scale, running
from tests.conformance.tables import TABLES, every_variant

TINY = Scale(
    variants=("duel",),
    rounds=1,
    seconds=0.05,
    warm_seconds=0,
    steady_rounds=1,
    steady_seconds=0.2,
    live=100,
    requests=20,
    starts=1,
    streams=50,
    watched_moves=2,
    rules_rounds=1,
    kinds=KINDS[-1:],
    workers=1,
    generator="python",
)
CALLS = ["`GET /games/{id}/moves`", "`GET /games/{id}`", "`POST /games/{id}/moves`"]
QUESTIONS = [f"`POST /variants/{{variant}}/{question}`" for question in ("moves", "apply", "check", "score")]
THREADED = "the bare stack on gunicorn's own threads"
ROWS = {
    *(("of (b)", call) for call in (*CALLS[:2], "`POST /games/{id}/check`")),
    *(("of (c)", call) for call in (CALLS[2], "`POST /games`")),
    *(("of (a)", question) for question in QUESTIONS),
    *((f"of ({kind})", f"{call}, {THREADED}") for kind, call in (("b", CALLS[0]), ("c", CALLS[2]))),
    *(("/CPU-s", f"moves, {count} in a request") for count in ("one", "20")),
    *(("p99 / p50", call) for call in CALLS),
    *(("p99 / p50", f"{call}, the bare stack ({kind})") for call, kind in zip(CALLS, "bbc", strict=True)),
    *(("CPU of 304 / of 200", call) for call in CALLS[:2]),
    *(("× the CPU", call) for call in (*CALLS, "`GET /games/{id}/history`")),
    ("MiB", "memory after 20 requests"),
    ("s", "start of the application"),
    *(("/CPU-s", f"decisions, listed and applied, {form} rules") for form in rules.forms()),
    *(("/CPU-s", f"restores of a stored state, {form} rules") for form in rules.forms()),
    ("ms", "a move reaches the last of 50 watchers"),
    ("GET moves/s", "gevent"),
}


def test_every_row_is_measured(tmp_path: Path) -> None:
    figures, spoiled = run(TINY, tmp_path / "bench.json")
    assert not spoiled
    assert {(figure.unit, figure.what) for figure in figures} == ROWS
    assert all(value > 0 for figure in figures for value in figure.values)
    tables = [f"{variant}, {seats} seats" for variant, seats in TABLES]
    assert [figure.of for figure in figures if figure.what.startswith("decisions")] == tables * len(rules.forms())
    printed = "\n".join(table(figures))
    measured = json.loads((tmp_path / "bench.json").read_text())
    written = "\n".join(section(measured))
    for figure in figures:
        assert figure.what in printed
        assert f"| {figure.what}" in written
    assert all(figure["rounds"] for figure in measured["figures"])


GENERATORS: list[load.Generator] = ["python", "wrk"] if load.GENERATOR == "wrk" else ["python"]
"""Those that are installed here."""


@pytest.mark.parametrize("generator", GENERATORS)
def test_a_load_of_refusals_is_no_figure(tmp_path: Path, store_url: str, generator: load.Generator) -> None:
    with running(Server(tmp_path / "server", "tests.bench.launch", "baseline", REDIS_URL=store_url)) as server:
        good, bad = Request("GET", "/a/500").raw(), Request("GET", "/a/none").raw()
        assert load.saturate(server.url, [[good]] * 3, 0.3, generator).answers > 3
        with pytest.raises(load.Spoiled, match="refused"):
            load.saturate(server.url, [[good], [good, bad]], 0.3, generator)
        assert server.cpu_seconds() > 0
        assert [each.rss >= each.pss > 1 for each in server.memory()] == [True, True]


@every_variant
def test_the_moves_of_a_course_are_made_once_each(variant: str) -> None:
    course = games(variant, 1)[0].course().anew()
    single = [json.loads(request.body or b"") for request in moving(course)]
    listed = [move for request in moving_in_lists(course, 20) for move in json.loads(request.body or b"")["moves"]]
    assert len(single) == len(course.ahead)
    assert listed == single[: len(single) // 20 * 20]


@pytest.mark.parametrize("size", [13, 14, 1000])
def test_the_baseline_answers_as_much_as_it_should(size: int) -> None:
    assert len(json_of(size)) == size
    assert json.loads(json_of(size))


def figure(of: str, *values: float) -> Figure:
    return Figure("requests", "`GET /`", of, "of (b)", values, Target("≥", 0.8))


def test_a_table_names_what_is_missed() -> None:
    good, bad = figure("duel", 0.7, 0.9, 0.8), figure("rivals", 0.79)
    assert [line.split() for line in table([good, bad])][2:] == [
        ["`GET", "/`", "duel", "0.80", "of", "(b)", "0.70", "to", "0.90", "≥", "0.80", "met"],
        ["`GET", "/`", "rivals", "0.79", "of", "(b)", "0.79", "to", "0.79", "≥", "0.80", "missed"],
    ]


def test_the_readme_gets_the_range_over_the_variants() -> None:
    rows = [{**figure(variant, value)._asdict(), "median": value, "target": "≥ 0.80"} for variant, value in BOTH]
    text = with_section(f"before\n{BEGIN}\nold\n{END}\nafter\n", {**FACTS, "figures": rows})
    head, body = text.split(BEGIN)
    assert (head, body.split(END)[1]) == ("before\n", "\nafter\n")
    assert "| `GET /` | 0.81 to 0.91 of (b) | ≥ 0.80 |" in body
    assert "old" not in body


BOTH = [("duel", 0.91), ("rivals", 0.81)]
FACTS = {"cores": 2, "rounds": 5, "steady_rounds": 9, "generator": "wrk"}
