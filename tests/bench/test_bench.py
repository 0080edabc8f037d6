"""The bench runs and measures everything that it should. No test depends on a speed."""

import json
from pathlib import Path

import pytest

from tests.bench import load, rules
from tests.bench.__main__ import run
from tests.bench.baseline import json_of
from tests.bench.bench import Scale, running
from tests.bench.figures import BEGIN, END, Figure, Target, section, table, with_section
from tests.bench.prepared_games import Request, make_move_lists, make_moves, random_games
from tests.bench.sections import WORST_BODIES
from tests.bench.servers import ROOT, Server
from tests.bench.worst_bodies import PRINTED
from tests.conformance.tables import TABLES, every_variant
from tests.contract.conforms import CONTRACT
from tests.security.abuse.bodies import Contract
from tests.server.slow_clients import BODY, HEAD, JUNK, READER, SILENT

BEHAVIOURS = (HEAD, BODY, READER, JUNK, SILENT)

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
    streams=(50,),
    watched_moves=2,
    slow_clients=0.02,
    slow_seconds=0.3,
    bodies=3,
    body_seconds=0.05,
    bot_games=1,
    bot_turns=4,
    expert_seconds=0.3,
    expert_positions=1,
    rules_rounds=1,
    beside=ROOT,
    workers=1,
    generator="python",
)
CALLS = ["`GET /games/{id}/moves`", "`GET /games/{id}`", "`POST /games/{id}/moves`"]
QUESTIONS = [f"`POST /variants/{{variant}}/{question}`" for question in ("moves", "apply", "check", "score")]
ATTACKS = [
    "no slow clients",
    *(
        f"{clients} clients: {behaviour.name}"
        for behaviour, clients in zip(BEHAVIOURS, (10, 10, 10, 4, 40), strict=True)
    ),
]
ROWS = {
    *(
        (unit, f"{call}{added}")
        for unit, calls in (
            ("of (a)", QUESTIONS),
            ("of (b)", (*CALLS[:2], "`POST /games/{id}/check`")),
            ("of (c)", (CALLS[2], "`POST /games`")),
        )
        for call in calls
        for added in ("", ", without limits")
    ),
    *(
        ("of the other version's with `include`", f"a decision with {way}: CPU of the server")
        for way in ("`include` and a stream", "`include`")
    ),
    *(
        ("of a list before it", f"a decision with {way}: {what}")
        for way in ("`include` and a stream", "`include`")
        for what in ("requests", "CPU of the server", "CPU of the store", "wall time")
    ),
    ("ms, p99", "`GET /games/{id}/moves`"),
    ("ms of CPU", "advice"),
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
    ("ms", "until the other player can act"),
    *(("ms, p99", attack) for attack in ATTACKS),
}
"""All rows but those of the worst bodies, whose calls are those that were measured to be the most expensive."""


def test_every_row_is_measured(tmp_path: Path) -> None:
    figures, invalid = run(TINY, tmp_path / "bench.json")
    assert not invalid
    assert {(figure.unit, figure.name) for figure in figures if figure.section != WORST_BODIES} == ROWS
    bodies = [figure.name.strip("`") for figure in figures if figure.section == WORST_BODIES]
    assert len(bodies) == PRINTED
    assert {*bodies} <= {call.operation for call in Contract(CONTRACT).calls()}
    assert all(value > 0 for figure in figures for value in figure.values)
    tables = [f"{variant}, {seats} seats" for variant, seats in TABLES]
    assert [figure.case for figure in figures if figure.name.startswith("decisions")] == tables * len(rules.forms())
    printed = "\n".join(table(figures))
    measured = json.loads((tmp_path / "bench.json").read_text())
    written = "\n".join(section(measured))
    for figure in figures:
        assert figure.name in printed
        assert f"| {figure.name}" in written
    assert all(figure["rounds"] for figure in measured["figures"])


GENERATORS: list[load.Generator] = ["python", "wrk"] if load.GENERATOR == "wrk" else ["python"]
"""The load generators that are installed."""


@pytest.mark.parametrize("generator", GENERATORS)
def test_refused_requests_make_a_run_invalid(tmp_path: Path, store_url: str, generator: load.Generator) -> None:
    with running(Server(tmp_path / "server", "tests.bench.launch", "baseline", REDIS_URL=store_url)) as server:
        good, bad = Request("GET", "/a/500").raw(), Request("GET", "/a/none").raw()
        assert load.saturate(server.url, [[good]] * 3, 0.3, generator).answers > 3
        with pytest.raises(load.InvalidRun, match="refused"):
            load.saturate(server.url, [[good], [good, bad]], 0.3, generator)
        # wrk does not wait for the last answer.
        assert load.saturate(server.url, [[good, good, good, load.STOP]] * 2, 0.3, generator).answers in (4, 6)
        assert server.cpu_seconds() > 0
        assert [each.rss >= each.pss > 1 for each in server.memory()] == [True, True]


@every_variant
def test_each_move_of_a_game_is_made_once(variant: str) -> None:
    game = random_games(variant, 1)[0].before_move().copy()
    single = [json.loads(request.body or b"") for request in make_moves(game)]
    listed = [move for request in make_move_lists(game, 20) for move in json.loads(request.body or b"")["moves"]]
    assert len(single) == len(game.moves)
    assert listed == single[: len(single) // 20 * 20]


@pytest.mark.parametrize("size", [13, 14, 1000])
def test_the_baseline_answers_the_requested_size(size: int) -> None:
    assert len(json_of(size)) == size
    assert json.loads(json_of(size))


def figure(case: str, *values: float) -> Figure:
    return Figure("requests", "`GET /`", case, "of (b)", values, Target("≥", 0.8))


def test_a_table_says_which_targets_are_missed() -> None:
    good, bad = figure("duel", 0.7, 0.9, 0.8), figure("rivals", 0.79)
    assert [line.split() for line in table([good, bad])][2:] == [
        ["`GET", "/`", "duel", "0.80", "of", "(b)", "0.70", "to", "0.90", "≥", "0.80", "met"],
        ["`GET", "/`", "rivals", "0.79", "of", "(b)", "0.79", "to", "0.79", "≥", "0.80", "missed"],
    ]


def test_the_page_gets_the_range_over_the_variants() -> None:
    rows = [{**figure(variant, value)._asdict(), "median": value, "target": "≥ 0.80"} for variant, value in BOTH]
    text = with_section(f"before\n{BEGIN}\nold\n{END}\nafter\n", {**FACTS, "figures": rows})
    head, body = text.split(BEGIN)
    assert (head, body.split(END)[1]) == ("before\n", "\nafter\n")
    assert "| `GET /` | 0.81 to 0.91 of (b) | ≥ 0.80 |" in body
    assert "old" not in body


BOTH = [("duel", 0.91), ("rivals", 0.81)]
FACTS = {"cores": 2, "rounds": 5, "steady_rounds": 9, "generator": "wrk", "load": 0.1}
