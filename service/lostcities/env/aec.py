"""Games as environments of PettingZoo: `environment` makes one of any game with an encoding."""

import secrets
from collections.abc import Mapping
from typing import Any, Final, TypedDict

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from lostcities.boards.text import describe, row
from lostcities.bots.core import SeatView, run
from lostcities.bots.levels import decide, levels_of
from lostcities.env.layout import size
from lostcities.env.playable import Playable, Reward, check_reward, game_seed, parse_seed, rewards
from lostcities.games.chance import commitment, source
from lostcities.games.game import Event
from lostcities.games.opponents import BOT_LABEL
from lostcities.games.records import Record, plain, plain_result
from lostcities.variants.core import (
    CHANCE,
    FULL,
    Actor,
    Move,
    Position,
    Result,
    Sheet,
    Viewer,
    effective_viewer,
    total,
)
from lostcities.variants.registry import VARIANTS

ILLEGAL_REWARD: Final = -1.0
"""The reward of a seat that ends the game by an illegal action. The other seats get 0."""
RENDER_MODES: Final = ("ansi", "human")


class Observation(TypedDict):
    """What a seat observes."""

    observation: npt.NDArray[np.float32]
    """What it may know: the numbers of the layout."""
    action_mask: npt.NDArray[np.int8]
    """1 for each legal action. All 0 if the seat is not to act."""


class RawEnvironment(AECEnv[str, Observation, int]):
    """A game without PettingZoo's wrappers: an illegal action raises `IllegalMove` with the rule that it breaks.

    The agents are the seats `seat_0`, `seat_1` and so on. Chance makes its moves within `reset` and `step`. Where
    several seats may decide at the same time, they do so in ascending order.
    """

    def __init__(
        self,
        variant: str,
        *,
        players: int = 2,
        options: Mapping[str, Any] | None = None,
        reward: Reward = "win",
        render_mode: str | None = None,
        max_cycles: int | None = None,
    ) -> None:
        """Raises `ValueError` with the name of the argument that is wrong.

        :param options: the options of the game, as `POST /games` takes them
        :param reward: at the end `win` (1 to -1, the sum is 0) or `margin` (points over the best other seat)
        :param render_mode: `ansi` returns a text from `render()`, `human` prints it
        :param max_cycles: truncates a game, without a reward, when a seat has made so many decisions
        """
        super().__init__()
        check_reward(reward)
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode: say {' or '.join(map(repr, RENDER_MODES))}, not {render_mode!r}")
        if max_cycles is not None and max_cycles < 1:
            raise ValueError(f"max_cycles: at least 1, not {max_cycles!r}")
        self.playable = Playable(variant, players, options or {})
        self.reward = reward
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.metadata = {
            "name": f"{variant.replace('-', '_')}_v0",
            "render_modes": [*RENDER_MODES],
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._actions = len(self.playable.moves)
        self.action_spaces = {agent: spaces.Discrete(self._actions) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._new_observation_space() for agent in self.possible_agents}
        self._series: int | None = None
        self._game = 0

    def _new_observation_space(self) -> spaces.Dict:
        return spaces.Dict(
            {
                "observation": spaces.Box(-1.0, 1.0, (size(self.playable.layout),), np.float32),
                "action_mask": spaces.Box(0, 1, (self._actions,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the actions of an agent: all moves that any seat can ever make."""
        return self.action_spaces[agent]

    # Playing -------------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game.

        :param seed: begins a series of games that is the same each time; without it the series goes on
        :param options: `seed`, the seed of this game as the service writes it; other names have no effect
        """
        self.seed = self._next_seed(seed, options or {})
        """The seed of the game, from which its chance follows."""
        self.events: list[tuple[Actor, str]] = []
        """The actor and the notation of each event so far."""
        self._state = self.playable.rules.setup(self.playable.players, self.playable.options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._decisions = [0] * len(self.agents)
        self.agent_selection = self.agents[0]
        self._skip_agent_selection = None
        self._proceed()

    def _next_seed(self, seed: int | None, options: Mapping[str, Any]) -> bytes:
        if "seed" in options:
            return parse_seed(options["seed"])
        if seed is not None or self._series is None:
            self._series = secrets.randbits(64) if seed is None else int(seed)
            self._game = 0
        else:
            self._game += 1
        return game_seed(self._series, self._game)

    def step(self, action: int | None) -> None:
        """Make the move of the agent that is selected. A seat whose game is over makes `None`."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < self._actions:
            raise ValueError(f"action: an index into the {self._actions} moves of the game, not {action!r}")
        seat = self._seat_of[agent]
        self._apply(seat, self.playable.moves[action])
        self._decisions[seat] += 1
        self._proceed()

    def _apply(self, actor: Actor, move: Move) -> None:
        self._state = self.playable.rules.apply(self._state, actor, move)
        self.events.append((actor, move.notation))

    def _proceed(self) -> None:
        """Make the moves of chance. Then the first seat that is to act is selected, or the game is over."""
        rules = self.playable.rules
        while (acting := rules.to_act(self._state)) == _CHANCE_ACTS:
            self._apply(CHANCE, rules.sample_chance(self._state, source(self.seed, len(self.events) + 1)))
        if result := rules.result(self._state):
            self._finish(result)
            return
        seat = int(acting[0])
        self.agent_selection = self.possible_agents[seat]
        if self._decisions[seat] == self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)

    def _finish(self, result: Result) -> None:
        self.rewards = dict(zip(self.agents, rewards(result, self.reward), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]
        self._accumulate_rewards()

    def choose(self, level: str) -> int:
        """The action of a bot for the agent that is selected: `random`, `greedy` or `expert`.

        It knows what its seat may know. In a game of the service with this seed the bot in that seat decides alike.
        """
        playable, seat = self.playable, self._seat_of[self.agent_selection]
        if level not in levels_of(playable.variant):
            levels = " or ".join(map(repr, levels_of(playable.variant)))
            raise ValueError(f"level: say {levels}, not {level!r}")
        view = SeatView(VARIANTS[playable.variant], playable.players, playable.options, self.position(seat), seat)
        moves = playable.rules.legal_moves(self._state, seat)
        picks = source(self.seed, len(self.events) + 1, BOT_LABEL)
        return playable.action_of[run(decide(level, view, moves, picks)).notation]

    # Observing -----------------------------------------------------------------------------------------------------

    def observe(self, agent: str) -> Observation:
        """What the agent may know, and what it may do."""
        seat, playable = self._seat_of[agent], self.playable
        mask = bytearray(self._actions)
        if agent in self.agents and not (self.terminations[agent] or self.truncations[agent]):
            for move in playable.rules.legal_moves(self._state, seat):
                mask[playable.action_of[move.notation]] = 1
        vector = bytearray(playable.encoding.encode(self._state, seat))
        return {"observation": np.frombuffer(vector, np.float32), "action_mask": np.frombuffer(mask, np.int8)}

    def position(self, viewer: Viewer = FULL) -> Position:
        """The position as a seat may know it, as `GET /games/{id}` shows it."""
        rules = self.playable.rules
        return rules.to_position(self._state, effective_viewer(viewer, is_over=not rules.to_act(self._state)))

    def score(self) -> tuple[Sheet, ...]:
        """The score sheet of each seat as the game stands now."""
        return self.playable.rules.score(self._state)

    def record(self) -> dict[str, Any]:
        """The game so far as a document that `lostcities verify` and `POST /games` accept."""
        rules = self.playable.rules
        return plain(
            Record(
                variant=self.playable.variant,
                rules_version=rules.RULES_VERSION,
                players=(*self.possible_agents,),
                options=self.playable.options.plain(),
                chance="server",
                seed=self.seed,
                commitment=commitment(self.seed),
                events=[Event(actor, notation) for actor, notation in self.events],
                outcome=plain_result(rules.result(self._state)),
            )
        )

    def render(self) -> str | None:
        """The whole position and the points, without secrets kept: for a person who looks on."""
        rules, playable = self.playable.rules, self.playable
        acting = [self.possible_agents[int(seat)] for seat in rules.to_act(self._state)]
        game = {"variant": playable.variant, "options": playable.options.plain(), "position": self.position()}
        text = "\n".join(
            (
                f"{rules.INFO.title}: {rules.INFO.phases[rules.phase(self._state)]}",
                f"to act: {row(acting)}; points: {row(total(sheet) for sheet in self.score())}",
                *describe(game, self.possible_agents),
            )
        )
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing is open."""


_CHANCE_ACTS: Final = (CHANCE,)


def environment(variant: str, **arguments: Any) -> AECEnv[str, Observation, int]:
    """The environment of a game: an illegal action ends it, and a call out of order raises.

    The arguments are those of `RawEnvironment`.
    """
    raw = RawEnvironment(variant, **arguments)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(raw, ILLEGAL_REWARD)))
