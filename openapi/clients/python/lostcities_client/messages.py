"""The messages of a game's stream. Each has two members: `event`, its kind, and `data`."""

from typing import Literal, NamedTuple

from .contract import Game, StreamEnd, StreamEvent, parse_game
from .sse import Block


class GameMessage(NamedTuple):
    """The first message: the game as the caller may see it. A resumed stream has none."""

    event: Literal["game"]
    data: Game


class EventMessage(NamedTuple):
    """A move or an outcome of chance. With `include` the newest one has the `game` after it."""

    event: Literal["event"]
    data: StreamEvent


class EndMessage(NamedTuple):
    """The last message: why the stream ends."""

    event: Literal["end"]
    data: StreamEnd


Message = GameMessage | EventMessage | EndMessage
"""A type checker knows the type of `data` where `event` was compared: `if message.event == "game": …`."""


def parse_message(block: Block) -> Message | None:
    """The message in a block of the stream. `None` for kinds that this version does not know."""
    match block.event:
        case "game":
            return GameMessage("game", parse_game(block.data))
        case "event":
            return EventMessage("event", StreamEvent.from_dict(block.data))
        case "end":
            return EndMessage("end", StreamEnd.from_dict(block.data))
    return None
