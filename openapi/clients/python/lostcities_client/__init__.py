"""A client of the Lost Cities rules oracle.

`GameClient` plays and watches one game. `create` creates one. Every other call is a generated function in
`lostcities_client.api`, used with a client from `connect`. The data are in `lostcities_client.models`.
"""

from .client import AuthenticatedClient
from .game import GameClient, Turn, connect, create
from .models import Acted, Event, StreamEnd
from .transport import ProblemError, Retry
from .unions import CreatedGame, Game, Move, MovesRequest, NewGame

__all__ = [
    "Acted",
    "AuthenticatedClient",
    "CreatedGame",
    "Event",
    "Game",
    "GameClient",
    "Move",
    "MovesRequest",
    "NewGame",
    "ProblemError",
    "Retry",
    "StreamEnd",
    "Turn",
    "connect",
    "create",
]
