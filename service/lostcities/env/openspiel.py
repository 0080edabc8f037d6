"""Games of OpenSpiel. The import registers `python_lostcities_duel` and so on, one for each game with an encoding.

Each pick of chance is a chance node with equal probabilities: a deal of eight cards is eight nodes in a row. Where
several seats may decide at the same time, they do so in ascending order.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final, NamedTuple, Self
from urllib.parse import quote, unquote

import numpy as np
import pyspiel

from lostcities.env.layout import size
from lostcities.env.playable import Playable, Reward, check_reward, rewards
from lostcities.variants.core import CHANCE, FULL, Pick, Seat, Sheet, Viewer, effective_viewer
from lostcities.variants.registry import VARIANTS

MOST_OUTCOMES: Final = 256
"""No pick has more outcomes: it takes one byte of the source of chance."""
MOST_EVENTS: Final = 20_000_000
"""No game has more decisions, or more picks: the longest is a treasure hunt of a million turns."""
MOST_POINTS: Final = 1_000_000.0
"""No margin is larger."""


def short_name(variant: str) -> str:
    """The name of a game in OpenSpiel.

    >>> short_name("roll-and-write")
    'python_lostcities_roll_and_write'
    """
    return f"python_lostcities_{variant.replace('-', '_')}"


def load(
    variant: str, players: int = 2, options: Mapping[str, Any] | None = None, reward: Reward = "win"
) -> "LostCitiesGame":
    """The game with these options. Raises `ValueError` with the name of the argument that is wrong.

    `pyspiel.load_game` does the same from its own parameters. Their `options` are JSON, percent-encoded because the
    strings of games have commas and brackets of their own.
    """
    check_reward(reward)
    Playable(variant, players, options or {})
    parameters = {"players": players, "options": _quoted(options or {}), "reward": reward}
    game: LostCitiesGame = pyspiel.load_game(short_name(variant), parameters)
    return game


def _quoted(options: Mapping[str, Any]) -> str:
    return quote(json.dumps(options), safe="") if options else ""


# The progress of a game --------------------------------------------------------------------------------------------


class _PickNeeded(Exception):
    """Chance needs one more pick."""

    def __init__(self, outcomes: int) -> None:
        super().__init__(outcomes)
        self.outcomes = outcomes


def _given(picks: Iterable[int]) -> Pick:
    """These picks in a row. One more raises `_PickNeeded`."""
    left = iter(picks)

    def pick(n: int) -> int:
        picked = next(left, None)
        if picked is None:
            raise _PickNeeded(n)
        return picked

    return pick


class _Fields(NamedTuple):
    playable: Playable
    state: Any
    picks: tuple[int, ...]
    """The picks so far of the outcome of chance that is awaited."""
    outcomes: int
    """The outcomes of the next pick; 0 if no pick is awaited."""
    seen: tuple[str, ...]
    """By seat: the notation of every event as the seat saw it, a line for each."""


class Progress(_Fields):
    """A game in progress. It never changes, so that copies of OpenSpiel's states share it."""

    __slots__ = ()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    @classmethod
    def begin(cls, playable: Playable) -> Self:
        """The game before its first pick or decision."""
        state = playable.rules.setup(playable.players, playable.options)
        return cls(playable, state, (), 0, ("",) * playable.players)._settled()

    @property
    def seat(self) -> Seat | None:
        """The seat that is to act; `None`: chance, or the game is over."""
        acting = self.playable.rules.to_act(self.state)
        return None if not acting or acting[0] == CHANCE else acting[0]

    def after(self, action: int) -> Self:
        """The game after a pick or a decision."""
        if self.outcomes:
            return self._replace(picks=(*self.picks, action))._settled()
        seat = self.seat
        if seat is None:
            raise ValueError("action: the game is over")
        move = self.playable.moves[action]
        state = self.playable.rules.apply(self.state, seat, move)
        seen = tuple([f"{before}{seat} {move.notation}\n" for before in self.seen])
        return self._replace(state=state, seen=seen)._settled()

    def _settled(self) -> Self:
        """The same, after the outcomes of chance for which there are enough picks."""
        rules, game = self.playable.rules, self
        while rules.to_act(game.state) == (CHANCE,):
            try:
                outcome = rules.sample_chance(game.state, _given(game.picks))
            except _PickNeeded as needed:
                return game._replace(outcomes=needed.outcomes)
            viewer = rules.visible_to(game.state, outcome)
            seen = tuple(
                [
                    f"{before}{outcome.notation if viewer in (None, seat) else outcome.redacted}\n"
                    for seat, before in enumerate(game.seen)
                ]
            )
            game = game._replace(state=rules.apply(game.state, CHANCE, outcome), picks=(), outcomes=0, seen=seen)
        return game

    def position(self, viewer: Viewer) -> str:
        """The position as JSON. A finished game hides nothing."""
        rules = self.playable.rules
        shown = effective_viewer(viewer, is_over=not rules.to_act(self.state))
        return json.dumps(rules.to_position(self.state, shown))

    def resampled(self, seat: Seat, pick: Pick) -> Self:
        """A game that the seat cannot tell from this one.

        What another seat has seen is replaced by its position: no history leads to a sampled hand.
        """
        playable, options = self.playable, self.playable.options
        positions = VARIANTS[playable.variant].positions
        view = playable.rules.to_position(self.state, seat)
        state = positions.from_position(playable.players, options, positions.fill_hidden(options, view, pick))
        sampled = self._replace(state=state)
        return sampled._replace(
            seen=tuple(own if other == seat else f"{sampled.position(other)}\n" for other, own in enumerate(self.seen))
        )


# The interface of OpenSpiel ----------------------------------------------------------------------------------------


def _game_type(variant: str, reward: str = "win") -> pyspiel.GameType:
    info = VARIANTS[variant].rules.INFO
    fewest, most = info.seats
    return pyspiel.GameType(
        short_name=short_name(variant),
        long_name=info.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if reward == "win" else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": 2, "options": "", "reward": "win"},
    )


class LostCitiesGame(pyspiel.Game):
    """A game of OpenSpiel. Each variant has a subclass."""

    variant: ClassVar[str]

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        reward = parameters["reward"]
        check_reward(reward)
        options = json.loads(unquote(parameters["options"]) or "{}")
        self.playable = Playable(self.variant, parameters["players"], options)
        self.reward = reward
        most = 1.0 if reward == "win" else MOST_POINTS
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.playable.moves),
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=self.playable.players,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0 if reward == "win" else None,
            max_game_length=MOST_EVENTS,
        )
        super().__init__(_game_type(self.variant, reward), info, dict(parameters))
        self.beginning = Progress.begin(self.playable)

    def new_initial_state(self) -> "LostCitiesState":
        """The state before the first pick or decision."""
        return LostCitiesState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The bound of the picks in a game."""
        return MOST_EVENTS

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "LostCitiesObserver":
        """What a seat observes: its position, or with `perfect_recall` all that it has seen."""
        if params:
            raise ValueError(f"params: there are no parameters of observations, not {params!r}")
        return LostCitiesObserver(self, has_recall=iig_obs_type is not None and iig_obs_type.perfect_recall)


class LostCitiesState(pyspiel.State):
    """A state of OpenSpiel."""

    def __init__(self, game: LostCitiesGame) -> None:
        super().__init__(game)
        self.progress = game.beginning
        self.reward = game.reward

    def current_player(self) -> int:
        """The seat that is to act, or the code of chance or of the end."""
        if self.progress.outcomes:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.progress.seat
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def _legal_actions(self, player: int) -> list[int]:
        return self.progress.playable.legal_actions(self.progress.state, player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of the next pick."""
        outcomes = self.progress.outcomes
        return [(picked, 1 / outcomes) for picked in range(outcomes)]

    def _apply_action(self, action: int) -> None:
        self.progress = self.progress.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"pick {action}" if player == pyspiel.PlayerId.CHANCE else self.progress.playable.moves[action].notation

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self.progress.outcomes and self.progress.seat is None

    def returns(self) -> list[float]:
        """The rewards of a game that has ended; zeros before."""
        result = self.progress.playable.rules.result(self.progress.state)
        return rewards(result, self.reward) if result else [0.0] * self.progress.playable.players

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "LostCitiesState":
        """A state that the player cannot tell from this one.

        :param sampler: uniform random numbers from 0 to 1
        """
        state: LostCitiesState = self.clone()
        state.progress = self.progress.resampled(player, lambda n: min(int(sampler() * n), n - 1))
        return state

    def position(self, viewer: Viewer = FULL) -> dict[str, Any]:
        """The position as a seat may know it."""
        position: dict[str, Any] = json.loads(self.progress.position(viewer))
        return position

    def score(self) -> tuple[Sheet, ...]:
        """The score sheet of each seat as the game stands now."""
        return self.progress.playable.rules.score(self.progress.state)

    def __str__(self) -> str:
        picks = " ".join(map(str, self.progress.picks))
        return f"{self.progress.position(FULL)} {picks}" if picks else self.progress.position(FULL)


class LostCitiesObserver:
    """An observer of OpenSpiel."""

    def __init__(self, game: LostCitiesGame, *, has_recall: bool) -> None:
        self._has_recall = has_recall
        self.tensor = None if has_recall else np.zeros(size(game.playable.layout), np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: LostCitiesState, player: int) -> None:
        """Write what a seat may know to the tensor."""
        if self.tensor is not None:
            progress = state.progress
            self.tensor[:] = np.frombuffer(progress.playable.encoding.encode(progress.state, player), np.float32)

    def string_from(self, state: LostCitiesState, player: int) -> str:
        """What a seat may know as text."""
        return state.progress.seen[player] if self._has_recall else state.progress.position(player)


def _register(variant: str) -> None:
    # A class, as OpenSpiel's own games have it: the library lets go of it after Python has ended.
    game = type(f"LostCitiesGame[{variant}]", (LostCitiesGame,), {"variant": variant})
    pyspiel.register_game(_game_type(variant), game)


for _name, _variant in VARIANTS.items():
    if _variant.encoding:
        _register(_name)
