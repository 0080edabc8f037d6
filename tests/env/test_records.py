"""Seeds and records of environments: the games are those of the service."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lostcities.cli import main
from lostcities.env import duel_v0
from lostcities.env.aec import RawEnvironment
from lostcities.games.chance import commitment, source
from lostcities.variants.core import CHANCE

from tests.client import Client
from tests.conformance.tables import brief
from tests.env.tables import TABLES, every_variant
from tests.env.test_pettingzoo import play

SEED = "5e" * 32


def test_the_command_line_verifies_the_records_of_every_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of whole games, of truncated ones, and of games that an illegal action has ended."""
    for variant, seats in TABLES:
        for name, max_cycles in (("whole", None), ("truncated", 5)):
            env = RawEnvironment(variant, players=seats, options=brief(variant, 30), max_cycles=max_cycles)
            env.reset(seed=seats)
            play(env, np.random.default_rng(seats))
            (tmp_path / f"{variant}-{seats}-{name}.json").write_text(json.dumps(env.record()))
    ended = duel_v0.env()
    ended.reset(seed=1)
    ended.step(int(np.flatnonzero(ended.observe("seat_0")["action_mask"] == 0)[0]))
    (tmp_path / "ended.json").write_text(json.dumps(ended.unwrapped.record()))
    with pytest.raises(SystemExit) as caught:
        main(["verify", str(tmp_path)])
    assert caught.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith(f"{2 * len(TABLES) + 1} of {2 * len(TABLES) + 1} records are valid")
    assert all("chance verified" in line for line in lines[:-1])
    assert all(("not finished" in line) == ("whole" not in line) for line in lines[:-1])


def begun(env: RawEnvironment, **arguments: Any) -> tuple[str, list[tuple[Any, str]]]:
    """The seed of a new game, and its first events."""
    env.reset(**arguments)
    return env.seed.hex(), env.events


def test_an_integer_seed_begins_a_series_of_games() -> None:
    env, other = duel_v0.raw_env(), duel_v0.raw_env()
    series = [begun(env, seed=42), begun(env), begun(env)]
    assert [seed for seed, _ in series] == [hashlib.sha256(f"42/{game}".encode()).hexdigest() for game in range(3)]
    assert [begun(other, seed=42), begun(other), begun(other)] == series
    assert begun(env, seed=42) == series[0]
    assert begun(env, seed=np.int64(42)) == series[0]


def test_without_a_seed_games_differ() -> None:
    seeds = {begun(duel_v0.raw_env())[0] for _ in range(5)}
    env = duel_v0.raw_env()
    assert len(seeds | {begun(env)[0], begun(env)[0]}) == 7


def test_the_seed_of_the_service_can_be_given() -> None:
    env = duel_v0.raw_env()
    assert begun(env, options={"seed": SEED})[0] == SEED
    assert begun(env, seed=42, options={"seed": SEED})[0] == SEED
    assert env.record()["commitment"] == commitment(bytes.fromhex(SEED))


def test_chance_is_that_of_the_seed_and_the_version() -> None:
    env = duel_v0.raw_env()
    env.reset(options={"seed": SEED})
    play(env, np.random.default_rng(1))
    state = env.playable.rules.setup(2, env.playable.options)
    for version, (actor, notation) in enumerate(env.events, 1):
        if actor == CHANCE:
            outcome = env.playable.rules.sample_chance(state, source(bytes.fromhex(SEED), version))
            assert outcome.notation == notation
        state = env.playable.rules.apply(state, actor, env.playable.rules.parse(notation))


@every_variant
def test_a_bot_decides_as_in_a_game_of_the_service(api: Client, variant: str) -> None:
    options = brief(variant, 12)
    env = RawEnvironment(variant, options=options)
    env.reset(options={"seed": SEED})
    players = ["Ann", {"name": "Ben", "bot": "greedy"}]
    answer = api.post("/games", {"variant": variant, "players": players, "options": options, "seed": SEED})
    path, token = f"/games/{answer.body['id']}", answer.body["tokens"]["seats"][0]
    while not env.terminations[env.agent_selection]:
        level = "greedy" if env.agent_selection == "seat_1" else "random"
        action = env.choose(level)
        if level == "random":
            move = {"notation": env.playable.moves[action].notation}
            assert api.post(f"{path}/moves", move, token=token).status == 200
        env.step(action)
    recorded = api.get(f"{path}/record").body
    assert recorded["events"] == env.record()["events"]
    assert recorded["outcome"] == env.record()["outcome"]


def test_a_level_that_no_bot_has_is_refused() -> None:
    env = duel_v0.raw_env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="level: say 'random' or 'greedy' or 'expert', not 'best'"):
        env.choose("best")
