"""The games of OpenSpiel pass its tests, hide what they must, and can be searched by its bots."""

import json
import pickle
from typing import Any

import numpy as np
import pyspiel
import pytest
from lostcities.env import openspiel
from lostcities.env.playable import Playable
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from tests.conformance.tables import brief
from tests.env.tables import every_table, every_variant


def advance(state: Any, rng: np.random.RandomState, decisions: int = 10**6) -> int:
    """Make random picks and decisions; the number of decisions."""
    made = 0
    while not state.is_terminal() and (made < decisions or state.is_chance_node()):
        made += not state.is_chance_node()
        state.apply_action(rng.choice(state.legal_actions()))
    return made


@every_table
def test_the_random_simulation_of_openspiel_with_serialisation(variant: str, seats: int) -> None:
    game = openspiel.load(variant, seats, brief(variant, 12))
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@every_variant
def test_a_game_is_registered_by_its_name(variant: str) -> None:
    game = pyspiel.load_game(openspiel.short_name(variant))
    assert game.num_players() == 2
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert game.new_initial_state().is_chance_node()


def test_options_and_rewards_are_parameters() -> None:
    options = {"rounds": 2, "max_turns": 3, "redraw_own_discard": True}
    game = openspiel.load("duel", options=options, reward="margin")
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game)
    assert {**options, "expeditions": 5} == again.playable.options.plain()
    state = again.new_initial_state()
    advance(state, np.random.RandomState(1))
    first, second = state.returns()
    assert first == -second
    assert json.loads(str(state))["phase"] == "over"
    totals = [sum(line.points for line in sheet) for sheet in state.score()]
    assert first == totals[0] - totals[1]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"players": 5}, "players: duel has 2 to 2, not 5"),
        ({"options": {"rounds": 10}}, "options.rounds: "),
        ({"reward": "points"}, "reward: say 'win' or 'margin', not 'points'"),
    ],
)
def test_a_wrong_argument_is_named(arguments: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        openspiel.load("duel", **arguments)


@every_table
def test_each_pick_is_a_uniform_chance_node(variant: str, seats: int) -> None:
    state = openspiel.load(variant, seats).new_initial_state()
    rng, nodes = np.random.RandomState(1), 0
    while not state.is_terminal() and nodes < 60:
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert [picked for picked, _ in outcomes] == [*range(len(outcomes))]
            assert {probability for _, probability in outcomes} == {1 / len(outcomes)}
            nodes += 1
        state.apply_action(rng.choice(state.legal_actions()))
    assert nodes > 5


def test_a_deal_of_the_duel_is_eight_picks_for_each_seat() -> None:
    state = openspiel.load("duel").new_initial_state()
    sizes = []
    while state.is_chance_node():
        sizes.append(len(state.chance_outcomes()))
        state.apply_action(0)
    assert sizes == [*range(60, 52, -1), *range(52, 44, -1)]
    assert state.position(0)["hands"][0] == ["Yw", "Yw", "Yw", "Y2", "Y3", "Y4", "Y5", "Y6"]
    assert state.action_to_string(0, state.legal_actions()[0]) == "play Yw"


@every_table
def test_a_sampled_state_is_one_that_the_player_cannot_tell_apart(variant: str, seats: int) -> None:
    rng, differing = np.random.RandomState(seats), 0
    for decisions in (0, 7, 20, 41):
        state = openspiel.load(variant, seats).new_initial_state()
        advance(state, rng, decisions)
        player = state.current_player()
        for _ in range(5):
            sampled = state.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(0.0, 1.0))
            differing += str(sampled) != str(state)
            assert sampled.legal_actions() == state.legal_actions()
            for view in ("information_state_string", "observation_string", "observation_tensor"):
                assert getattr(sampled, view)(player) == getattr(state, view)(player)
            advance(sampled, rng, 5)
    assert (differing > 10) == (variant == "duel")


def test_a_player_sees_no_card_of_another_player() -> None:
    state = openspiel.load("duel").new_initial_state()
    rng = np.random.RandomState(4)
    advance(state, rng, 30)
    for player in (0, 1):
        seen = state.information_state_string(player).splitlines()
        assert seen[player] != f"deal {player} ? ? ? ? ? ? ? ?"
        assert seen[1 - player] == f"deal {1 - player} ? ? ? ? ? ? ? ?"
        assert "draw ?" in seen
        assert state.observation_string(player) == json.dumps(state.position(player))


def test_copies_and_pickles_play_on_alike() -> None:
    state = openspiel.load("rivals", 3).new_initial_state()
    advance(state, np.random.RandomState(2), 10)
    copies = [state.clone(), pickle.loads(pickle.dumps(state))]
    for copy in copies:
        advance(copy, np.random.RandomState(3))
    assert str(copies[0]) == str(copies[1])
    assert copies[0].returns() == copies[1].returns()
    assert not state.is_terminal()
    assert Playable("rivals", 3, {}).action_of == state.progress.playable.action_of


def test_ismcts_plays_a_whole_duel() -> None:
    game = openspiel.load("duel")
    rng = np.random.RandomState(7)
    bot = ISMCTSBot(game, RandomRolloutEvaluator(1, rng), uct_c=1.0, max_simulations=2, random_state=rng)
    state = game.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node() or state.current_player() == 1:
            state.apply_action(rng.choice(state.legal_actions()))
        else:
            state.apply_action(bot.step(state))
            decisions += 1
    assert decisions > 40
    assert json.loads(str(state))["deck"] == 0
    assert sorted(state.returns()) in ([-1, 1], [0, 0])
