"""The environments pass the tests of PettingZoo at every table, and do what their page says."""

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from lostcities.env import duel_v0, rivals_v0, roll_and_write_v0, treasure_hunt_v0
from lostcities.env.aec import RawEnvironment, environment
from lostcities.variants.core import IllegalMove, NotAMove
from lostcities.variants.registry import VARIANTS, Variant
from pettingzoo import AECEnv
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.wrappers import BaseWrapper

from tests.conformance.tables import brief
from tests.env.tables import every_table, every_variant

MODULES = {
    "duel": duel_v0,
    "rivals": rivals_v0,
    "roll-and-write": roll_and_write_v0,
    "treasure-hunt": treasure_hunt_v0,
}


def play(env: AECEnv[str, Any, int], rng: np.random.Generator, decisions: int = 10**6) -> None:
    """Make random legal moves until the game is over."""
    for _agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated or decisions == 0:
            break
        decisions -= 1
        env.step(rng.choice(np.flatnonzero(observation["action_mask"])))


# The tests of PettingZoo -------------------------------------------------------------------------------------------


# PettingZoo's own environments with action masks are exceptions by their names there.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")  # the game is over
@every_table
def test_the_tests_of_pettingzoo(variant: str, seats: int, capsys: pytest.CaptureFixture[str]) -> None:
    make = partial(MODULES[variant].env, players=seats)
    api_test(make(), num_cycles=150)
    seed_test(make, num_cycles=150)
    render_test(make)
    assert VARIANTS[variant].rules.INFO.title in capsys.readouterr().out


class Masked(BaseWrapper[str, Any, int]):
    """Samples legal actions only."""

    def action_space(self, agent: str) -> Any:
        """The space of the actions that are legal now."""
        space = self.env.action_space(agent)
        return SimpleNamespace(sample=lambda: space.sample(self.env.observe(agent)["action_mask"]))


@every_table
def test_max_cycles_ends_a_game(variant: str, seats: int) -> None:
    """Like PettingZoo's `max_cycles_test`, whose first half is for environments in which all seats act at once."""
    env = Masked(MODULES[variant].env(players=seats, max_cycles=4))
    env.reset(seed=1)
    decisions = dict.fromkeys(env.possible_agents, 0)
    for agent in env.agent_iter():
        action = None if env.truncations[agent] else env.action_space(agent).sample()
        decisions[agent] += action is not None
        env.step(action)
    assert max(decisions.values()) == 4
    assert not env.agents


# Arguments ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"players": 3}, "players: duel has 2 to 2, not 3"),
        ({"options": {"rounds": 0}}, "options.rounds: "),
        ({"options": {"round": 1}}, "options.round: "),
        ({"options": {"rounds": "2"}}, "options.rounds: "),
        ({"reward": "points"}, "reward: say 'win' or 'margin', not 'points'"),
        ({"render_mode": "rgb_array"}, "render_mode: say 'ansi' or 'human', not 'rgb_array'"),
        ({"max_cycles": 0}, "max_cycles: at least 1, not 0"),
    ],
)
def test_a_wrong_argument_is_named(arguments: dict[str, Any], error: str) -> None:
    for make in (duel_v0.env, duel_v0.raw_env):
        with pytest.raises(ValueError, match=error):
            make(**arguments)


@pytest.mark.parametrize(
    ("variant", "options", "error"),
    [
        ("rivals", {"piles": [20, 20, 20, 21]}, "options.piles: 80 cards make 4 piles"),
        ("roll-and-write", {"sheet": {"arrows": {"R": [10]}}}, "options.sheet.arrows.R.0: "),
        ("chess", {}, "variant: there is no 'chess'"),
    ],
)
def test_a_wrong_option_is_named(variant: str, options: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        environment(variant, options=options)


@pytest.mark.parametrize("seed", ["", "5e", "x" * 64, 7, None])
def test_a_wrong_seed_is_named(seed: Any) -> None:
    with pytest.raises(ValueError, match=r"options.seed: 64 hexadecimal digits make a seed"):
        duel_v0.env().reset(options={"seed": seed})


# Playing -----------------------------------------------------------------------------------------------------------


@every_variant
def test_an_illegal_action_raises_in_the_raw_environment(variant: str) -> None:
    env = MODULES[variant].raw_env()
    env.reset(seed=1)
    mask = env.observe(env.agent_selection)["action_mask"]
    with pytest.raises(IllegalMove) as caught:
        env.step(int(np.flatnonzero(mask == 0)[0]))
    assert caught.value.rule in env.playable.rules.INFO.rules
    for action in (-1, len(mask), None):
        with pytest.raises(ValueError, match=f"action: an index into the {len(mask)} moves"):
            env.step(action)


def test_an_illegal_action_ends_the_game() -> None:
    env = duel_v0.env()
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.observe("seat_0")["action_mask"] == 0)[0]))
    assert env.terminations == {"seat_0": True, "seat_1": True}
    assert env.rewards == {"seat_0": -1, "seat_1": 0}


@every_table
def test_the_rewards_are_those_of_the_result(variant: str, seats: int) -> None:
    for reward in ("win", "margin"):
        env = MODULES[variant].raw_env(players=seats, reward=reward, options=brief(variant, 20))
        env.reset(seed=seats)
        play(env, np.random.default_rng(seats))
        outcome = env.record()["outcome"]
        own = outcome["totals"]
        best_other = [max(own[:seat] + own[seat + 1 :]) for seat in range(seats)]
        if reward == "margin":
            assert [*env.rewards.values()] == [total - other for total, other in zip(own, best_other, strict=True)]
        else:
            assert sum(env.rewards.values()) == pytest.approx(0)
            best = max(env.rewards.values())
            assert [seat for seat in range(seats) if env.rewards[f"seat_{seat}"] == best] == outcome["winners"]


def test_seats_that_may_decide_at_once_do_so_in_order() -> None:
    env = roll_and_write_v0.raw_env(players=3)
    env.reset(seed=3)
    refuse = env.playable.action_of["refuse"]
    seats = []
    for _ in range(6):
        seats.append(env.agent_selection)
        env.step(refuse)
    assert seats == ["seat_0", "seat_1", "seat_2", "seat_1", "seat_0", "seat_2"]


def test_a_picture_as_text_shows_all_hands_and_who_is_to_act() -> None:
    env = duel_v0.env(render_mode="ansi")
    env.reset(options={"seed": "2a" * 32})
    assert env.render().splitlines()[:5] == [
        "Lost Cities: the card game: the active seat plays or discards a card",
        "to act: seat_0; points: 0 0",
        "Cards in the deck: 44. Finished turns: 0.",
        "Hand of seat_0: Yw Yw Y6 Y8 B4 W5 G3 R6",
        "Hand of seat_1: Bw W2 G6 R3 R4 R7 R9 R10",
    ]


# Games from outside ------------------------------------------------------------------------------------------------

LANTERN = """
from lostcities.env.layout import flags, pack, points, squash

def layout(players):
    return (flags("turn", "whether the seat is active", ["own"]), points("depth", "of the own shaft", ["depth"], 6))

def encode(state, seat):
    return pack([state.active == seat, squash(state.depth if state.active == seat else 0, 6)])
"""


def test_a_game_without_an_encoding_is_no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(VARIANTS, "lantern", Variant("tests.fifth_game"))
    assert VARIANTS["lantern"].encoding is None
    with pytest.raises(ValueError, match="variant: 'lantern' has no module `encoding`"):
        environment("lantern")


@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
def test_a_game_with_an_encoding_is_one(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "lantern_with_encoding"
    package.mkdir()
    (package / "__init__.py").touch()
    for part in ("rules", "position", "schema"):
        (package / f"{part}.py").write_text(f"from tests.fifth_game.{part} import *\n")
    (package / "encoding.py").write_text(LANTERN)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(VARIANTS, "lantern", Variant("lantern_with_encoding"))
    api_test(environment("lantern", players=3), num_cycles=50)
    env = RawEnvironment("lantern")
    env.reset(seed=1)
    play(env, np.random.default_rng(1))
    assert env.record()["outcome"]["reason"] == "last-shaft"
    with pytest.raises(NotAMove):
        env.playable.rules.parse("lower 9")
