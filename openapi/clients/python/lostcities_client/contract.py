"""The generated names that the layer written by hand uses. A schema with a new name changes only this module."""

from collections.abc import Mapping
from typing import Any, Final, Literal, cast, get_args

from .api.games import create_game, get_game, get_history, make_moves
from .client import AuthenticatedClient
from .models import Acted, Event, History, Included, Problem, StreamEnd, StreamEvent
from .types import UNSET
from .unions import CreatedGame, Game, Move, MovesRequest, NewGame
from .version import VERSION

__all__ = [
    "UNSET",
    "VERSION",
    "WITH_MOVES",
    "Acted",
    "Addition",
    "AuthenticatedClient",
    "CreatedGame",
    "Event",
    "Game",
    "History",
    "Move",
    "MovesRequest",
    "NewGame",
    "Problem",
    "StreamEnd",
    "StreamEvent",
    "create_game",
    "get_game",
    "get_history",
    "make_moves",
    "parse_game",
]

Addition = Literal["moves", "score"]
"""A name in `include`."""
WITH_MOVES: Final = [Included("moves")]
"""The value of `include` that adds the legal moves to a game, when it is read and after a move."""


def parse_game(data: Mapping[str, Any]) -> Game:
    """The model of the game's variant."""
    for model in get_args(Game):
        try:
            return cast("Game", model.from_dict(data))
        except (KeyError, TypeError, ValueError):
            continue
    raise ValueError(data)
