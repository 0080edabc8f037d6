"""What the environments and the games of OpenSpiel have in common: actions, options, seeds and rewards."""

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

from marshmallow import ValidationError

from lostcities.api.games.schemas import OptionsView
from lostcities.api.parser import leaves
from lostcities.games.chance import SEED_BYTES
from lostcities.variants.core import AnyRules, Invalid, Move, Result, Seat
from lostcities.variants.registry import VARIANTS

if TYPE_CHECKING:
    from lostcities.env.layout import Encoding, Layout

Reward = Literal["win", "margin"]
REWARDS: Final[tuple[Reward, ...]] = ("win", "margin")


class Playable:
    """A variant with its options and its number of players.

    Actions are indexes into the vocabulary of the variant. Their order is frozen: with another order the environment
    would have another version.
    """

    def __init__(self, variant: str, players: int, options: Mapping[str, Any]) -> None:
        """Raises `ValueError` with the name of the argument that is wrong."""
        if variant not in VARIANTS:
            raise ValueError(f"variant: there is no '{variant}'; there are {', '.join(VARIANTS)}")
        encoding = VARIANTS[variant].encoding
        if encoding is None:
            raise ValueError(f"variant: '{variant}' has no module `encoding`, so there is no environment of it")
        rules = VARIANTS[variant].rules
        fewest, most = rules.INFO.seats
        if players not in range(fewest, most + 1):
            raise ValueError(f"players: {variant} has {fewest} to {most}, not {players!r}")
        self.variant = variant
        self.rules: AnyRules = rules
        self.encoding: Encoding = encoding
        self.players = players
        self.options = parse_options(variant, options)
        self.layout: Layout = encoding.layout(players)
        self.moves: tuple[Move, ...] = (*rules.VOCABULARY.values(),)
        """The move of each action."""
        self.action_of = {move.notation: action for action, move in enumerate(self.moves)}
        """The action of each notation."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Playable, (self.variant, self.players, self.options.plain())

    def legal_actions(self, state: Any, seat: Seat) -> list[int]:
        """The legal actions of a seat, ascending; none if it is not to act."""
        action_of = self.action_of
        return sorted([action_of[move.notation] for move in self.rules.legal_moves(state, seat)])


def parse_options(variant: str, options: Mapping[str, Any]) -> Any:
    """The options of a new game, checked as the service does. Raises `ValueError` with the name of the option."""
    try:
        checked = VARIANTS[variant].schema.of(OptionsView)().load({**options})
        return VARIANTS[variant].rules.parse_options(checked)
    except ValidationError as error:
        path, detail = next(leaves(error.messages))
    except Invalid as error:
        path, detail = error.path, error.detail
    raise ValueError(f"{'.'.join(map(str, ('options', *path)))}: {detail}")


# Seeds -------------------------------------------------------------------------------------------------------------


def game_seed(seed: int, game: int) -> bytes:
    """The seed of a game in a series: SHA-256 of the ASCII text `seed/game`, both in decimal.

    :param seed: the number given to `reset`
    :param game: 0 for the game of that `reset`, 1 for that of the next one without a seed, and so on

    >>> game_seed(42, 0).hex()
    'e86c2dbb236c32d0cc456189acadee15f5b88f0f261872a3b14278c5cc274d66'
    """
    return hashlib.sha256(f"{seed}/{game}".encode()).digest()


def parse_seed(text: str) -> bytes:
    """The seed of a game as the service writes it. Raises `ValueError`."""
    try:
        seed = bytes.fromhex(text)
    except (TypeError, ValueError):
        seed = b""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"options.seed: {2 * SEED_BYTES} hexadecimal digits make a seed, not {text!r}")
    return seed


# Rewards -----------------------------------------------------------------------------------------------------------


def check_reward(reward: str) -> None:
    """Raise `ValueError` unless there is such a reward."""
    if reward not in REWARDS:
        raise ValueError(f"reward: say {' or '.join(map(repr, REWARDS))}, not {reward!r}")


def rewards(result: Result, reward: str) -> list[float]:
    """What a game that has ended is worth to each seat.

    `win`: 1 for the only winner; the others share -1. Winners of equal totals share the 1 and what is left. The sum
    is 0. `margin`: the points over the best other seat.

    >>> rewards(Result((0,), (30, 10, 5), "last-card"), "win")
    [1.0, -0.5, -0.5]
    >>> rewards(Result((0,), (30, 10, 5), "last-card"), "margin")
    [20.0, -20.0, -25.0]
    >>> rewards(Result((0, 1), (30, 30, 5), "last-card"), "win")
    [0.25, 0.25, -0.5]
    """
    winners, totals, _ = result
    if reward == "win":
        others = len(totals) - 1
        won = (len(totals) / len(winners) - 1) / others
        return [won if seat in winners else -1 / others for seat in range(len(totals))]
    return [
        float(points - max(other for seat, other in enumerate(totals) if seat != own))
        for own, points in enumerate(totals)
    ]
