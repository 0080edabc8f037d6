"""Speed of the rules in process, on one core: `python -m tests.bench.rules [ROUNDS]`.

Measures the plain rules and, if `make compiled` has built them, the compiled rules, each in its own process.

Random games with the default options are played from the first deal to the end. Every decision is chosen from
`legal_moves`, or by `sample_chance` for chance, and applied with its legality checked; choosing counts too. States of
such games are stored and restored by the codec of the store. Times are CPU seconds of this process, and the tables
take turns in every round.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from lostcities.games.game import Game, Setup
from lostcities.store.codec import decode_setup, decode_state, encode_setup, encode_state
from lostcities.variants.core import CHANCE, AnyRules
from lostcities.variants.registry import VARIANTS

from tests.bench.servers import ROOT, compiled
from tests.conformance.tables import TABLES
from tests.playing import steps
from tests.store.tables import registration, setup

SHARE: Final = 0.2
"""Minimum CPU seconds of each measurement in a round."""
STATES: Final = 200
"""Number of stored states that are restored repeatedly, spread over whole games."""


class Counts(NamedTuple):
    """Number of decisions."""

    seats: int
    chance: int


def play(game: AnyRules, seats: int, rng: Callable[[], float]) -> Counts:
    """Play a whole game. `rng` returns uniform numbers from 0 to below 1."""
    to_act, legal, sample, apply = game.to_act, game.legal_moves, game.sample_chance, game.apply

    def pick(n: int) -> int:
        return int(rng() * n)

    state = game.setup(seats, game.parse_options({}))
    decided = answered = 0
    while actors := to_act(state):
        actor = actors[0] if len(actors) == 1 else actors[int(rng() * len(actors))]
        if actor == CHANCE:
            move = sample(state, pick)
            answered += 1
        else:
            moves = legal(state, actor)
            move = moves[int(rng() * len(moves))]
            decided += 1
        state = apply(state, actor, move)
    return Counts(decided, answered)


def decisions(variant: str, seats: int, rng: random.Random) -> dict[str, float]:
    """Decisions per CPU-second: of seats, of seats with the time of chance, and of all actors."""
    game = VARIANTS[variant].rules
    decided = answered = 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < SHARE:
        counts = play(game, seats, rng.random)
        decided += counts.seats
        answered += counts.chance
    return {"seat_decisions": decided / spent, "decisions": (decided + answered) / spent}


def restores(of: Setup, stored: list[bytes]) -> dict[str, float]:
    """States decoded per CPU-second, without and with their setup."""
    kept = encode_setup(registration(), of)
    return {
        "restores": _rate(lambda: [decode_state(of, 1, data) for data in stored], len(stored)),
        "restores_with_setup": _rate(
            lambda: [decode_state(decode_setup.__wrapped__(kept)[1], 1, data) for data in stored], STATES
        ),
    }


def _rate(work: Callable[[], object], units: int) -> float:
    done = 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < SHARE / 4:
        work()
        done += units
    return done / spent


def stored_states(of: Setup, rng: random.Random) -> list[bytes]:
    """Encoded states of random games."""
    game, seats = of.rules, len(of.players)
    states: list[Any] = []
    while len(states) < STATES:
        states += [step.after for step in steps(game, game.setup(seats, of.options), rng)]
    spread = [states[at * len(states) // STATES] for at in range(STATES)]
    return [encode_state(Game(of, state, 1, (1,) * (seats + 1))) for state in spread]


def measure_here(rounds: int) -> list[dict[str, Any]]:
    """Median, minimum and maximum of each rate, for every variant and number of seats, in this process."""
    rng = random.Random("rules")
    setups = {table: setup(*table, options=VARIANTS[table[0]].rules.parse_options({})) for table in TABLES}
    stored = {table: stored_states(of, rng) for table, of in setups.items()}
    found: dict[tuple[str, int], list[dict[str, float]]] = {table: [] for table in TABLES}
    for _ in range(rounds):
        for table in TABLES:
            found[table].append(decisions(*table, rng) | restores(setups[table], stored[table]))
    return [
        {"variant": variant, "seats": seats} | {rate: _summary([each[rate] for each in each_round]) for rate in RATES}
        for (variant, seats), each_round in found.items()
    ]


RATES: Final = ("seat_decisions", "decisions", "restores", "restores_with_setup")


def _summary(rates: list[float]) -> dict[str, int]:
    return {"median": round(statistics.median(rates)), "least": round(min(rates)), "most": round(max(rates))}


def forms() -> dict[str, Path]:
    """The available forms of the rules (plain, compiled) and the folders of their packages."""
    found = compiled()
    return {"plain": ROOT / "service"} | ({"compiled": found} if found else {})


def measure(rounds: int) -> dict[str, list[dict[str, Any]]]:
    """The results of each form, by variant and number of seats."""
    return {form: _measure_form(folder, rounds) for form, folder in forms().items()}


def _measure_form(folder: Path, rounds: int) -> list[dict[str, Any]]:
    program = f"import json, tests.bench.rules as rules; print(json.dumps(rules.measure_here({rounds})))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (folder, ROOT)))},
        stdout=subprocess.PIPE,
        check=True,
    )
    measured: list[dict[str, Any]] = json.loads(done.stdout)
    return measured


def main(rounds: int = 7) -> None:
    """Measure and print."""
    print(f"per CPU-second on one core: median (least to most) of {rounds} rounds")
    headings = ("seats' decisions", "all decisions", "restores", "with the record")
    for form, tables in measure(rounds).items():
        print(f"\n{form:<15} {'seats':>5}" + "".join(f"{heading:>29}" for heading in headings))
        for table in tables:
            cells = "".join(f"{_cell(table[rate]):>29}" for rate in RATES)
            print(f"{table['variant']:<15} {table['seats']:>5}{cells}")


def _cell(rate: dict[str, int]) -> str:
    return f"{rate['median']:,} ({rate['least'] // 1000}k to {rate['most'] // 1000}k)"


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
