"""A client of the Lost Cities rules oracle.

`GameClient` plays and watches one game, `create` creates one. `AsyncGameClient` and `create_async` do the same in an
event loop. Every other call is a generated function in `lostcities_client.api`, used with a client from `connect`. The
data are in `lostcities_client.models`.
"""

from .async_game import AsyncGameClient, AsyncTurn, create_async
from .connection import connect
from .contract import (
    VERSION,
    Acted,
    Addition,
    AuthenticatedClient,
    CreatedGame,
    Event,
    Game,
    Move,
    MovesRequest,
    NewGame,
    StreamEnd,
    StreamEvent,
)
from .game import GameClient, Turn, create
from .messages import EndMessage, EventMessage, GameMessage, Message
from .transport import OutdatedServiceError, ProblemDocument, ProblemError, Retry

__all__ = [
    "VERSION",
    "Acted",
    "Addition",
    "AsyncGameClient",
    "AsyncTurn",
    "AuthenticatedClient",
    "CreatedGame",
    "EndMessage",
    "Event",
    "EventMessage",
    "Game",
    "GameClient",
    "GameMessage",
    "Message",
    "Move",
    "MovesRequest",
    "NewGame",
    "OutdatedServiceError",
    "ProblemDocument",
    "ProblemError",
    "Retry",
    "StreamEnd",
    "StreamEvent",
    "Turn",
    "connect",
    "create",
    "create_async",
]
