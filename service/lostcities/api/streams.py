"""Event streams and long polls of the views."""

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from flask import Response, current_app, request

from lostcities.api import render
from lostcities.api.errors import ProblemError
from lostcities.api.json_provider import encode
from lostcities.api.request import has_authorization
from lostcities.games.broadcaster import Broadcaster, TooManyOfAddress, TooManyWatchers
from lostcities.games.game import Event
from lostcities.games.moves import Malformed
from lostcities.games.sse import RETRY, message
from lostcities.games.storage import StoredGame
from lostcities.variants.core import Text, Viewer

CONTENT_TYPE: Final = "text/event-stream"
NO_MORE: Final = "The game is finished and the caller has its last event: nothing will follow."
FULL_RETRY_SECONDS: Final = 5
"""`Retry-After` when the maximum number of streams and long polls is reached, of the process or of an address."""
TCP_ESTABLISHED: Final = 1
"""From Linux's `netinet/tcp.h`."""

DOCUMENT: Final = {
    "anyOf": [
        {"$ref": "#/components/schemas/StreamMessage"},
        {"type": "string", "description": "The text of a whole stream.", "minLength": 1},
    ]
}
"""The contract's schema of a stream: the data of a message, as generated clients yield it, or the text of them all."""


class Audience(NamedTuple):
    """Whose view of a game a stream shows, and what it shows besides the events."""

    viewer: Viewer
    include: render.Include


def encode_events(stored: StoredGame, first: int, events: Sequence[Event], audience: Audience) -> list[bytes]:
    """Encode events as stream messages, with the same redaction as in the history.

    The message of the newest event contains the game if `include` names something: no client has to ask for it.
    """
    game, viewer = stored.game, audience.viewer
    shown = render.events(game.rules, first - 1, events, game.effective_viewer(viewer))
    if audience.include.names and shown and shown[-1]["version"] == game.version:
        shown[-1]["game"] = render.game(stored, viewer, audience.include)
    return [message("event", encode(each), each["version"]) for each in shown]


def follow(
    stored: StoredGame,
    viewer: Viewer,
    seen: int | None,
    include: render.Include,
    is_allowed: Callable[[StoredGame], bool],
) -> Response:
    """The stream of a game from version `seen`, or from the current version. 204 if no event can follow.

    :param include: what the messages contain besides the events
    :param is_allowed: whether the caller's token is still valid in the game as it is now
    """
    game = stored.game
    if seen is not None and seen > game.version:
        raise Malformed(
            "unknown-version", Text("the game is at version {version}", version=game.version), parameter="Last-Event-ID"
        )
    if game.is_over and seen == game.version:
        return Response(status=204)
    opening = RETRY
    if seen is None:
        document = render.game(stored, viewer, include)
        opening += message("game", encode(document), game.version)
    sent = game.version if seen is None else seen
    connection = request.environ.get("gunicorn.socket")
    with _refusing():
        body = _broadcaster().stream(
            stored.id,
            _address(),
            Audience(viewer, include),
            sent,
            opening,
            is_connected=lambda: _is_connected(connection),
            is_allowed=is_allowed,
        )
    response = Response(body, content_type=CONTENT_TYPE, direct_passthrough=True)
    response.headers["Cache-Control"] = "no-store" if has_authorization() else "no-cache"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _is_connected(connection: socket.socket | None) -> bool:
    """Whether the client's connection is open. Known on Linux for TCP; otherwise assumed."""
    if connection is None or not hasattr(socket, "TCP_INFO"):
        return True
    try:
        # The first byte of `tcp_info` is the state of the connection.
        return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == TCP_ESTABLISHED
    except OSError:
        return connection.family == socket.AF_UNIX


def check_query(query: dict[str, Any]) -> None:
    """Reject combinations of `version`, `after` and `wait` that contradict each other."""
    if "version" in query and "after" in query:
        raise Malformed("after-or-version", Text("'version' and 'after' cannot be combined"), parameter="after")
    if "wait" in query and "after" not in query:
        raise Malformed("after-required", Text("'wait' requires 'after'"), parameter="wait")


def is_early(query: dict[str, Any], version: int) -> bool:
    """Whether the caller wants to wait for a version newer than this one."""
    return bool(query.get("wait")) and version <= query["after"]


def wait(game_id: str, query: dict[str, Any]) -> StoredGame | None:
    """Wait for a version newer than `after`, for at most `wait` seconds. On `None` the game has to be read again."""
    with _refusing():
        return _broadcaster().wait_for_change(game_id, _address(), query["after"], query["wait"])


def _broadcaster() -> Broadcaster:
    broadcaster: Broadcaster = current_app.extensions["broadcaster"]
    return broadcaster


def _address() -> str:
    """The client's address, behind trusted proxies the forwarded one."""
    address: str = current_app.extensions["client_address"]()
    return address


@contextmanager
def _refusing() -> Iterator[None]:
    """Raise a problem if there are too many streams and long polls."""
    headers = {"Retry-After": str(FULL_RETRY_SECONDS)}
    try:
        yield
    except TooManyOfAddress:
        detail = Text(
            "the maximum number of streams and long polls of your address is open: close some, or try again later"
        )
        raise ProblemError(429, "too-many-streams-for-address", detail, headers=headers) from None
    except TooManyWatchers:
        detail = Text("the maximum number of streams is open: try again later")
        raise ProblemError(503, "too-many-streams", detail, headers=headers) from None
