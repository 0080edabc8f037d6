"""What is told while it happens: the answers that are not complete yet."""

import threading
from collections.abc import Sequence
from typing import Any, Final, cast

import msgspec
from flask import Response, current_app, request

from service.api import render
from service.api.notes import current
from service.api.problems import Fault, Problem, unprocessable
from service.api.schemas import MAX_VERSION
from service.live.hub import CAN_PARK, HAS_WAITED, Hub, Parked, Stream
from service.live.messages import RETRY, message
from service.rules.game import FULL, Viewer
from service.store.interface import Kept
from service.table.asking import Malformed
from service.table.game import Event

CONTENT_TYPE: Final = "text/event-stream"
NO_MORE: Final = "The game is over and its last event was seen: nothing more will come."
FULL_HOUSE_SECONDS: Final = 5
"""When to come back if there is no room."""


DOCUMENT: Final = {
    "type": "object",
    "description": (
        "A message of the stream. First `game`, unless the stream is resumed; then `event`, again and again; at last "
        "`end`, after which the stream is closed. A line with nothing but a colon, every 15 seconds, says that the "
        "service is still there."
    ),
    "properties": {
        "id": {
            "type": "string",
            "pattern": r"^\d{1,7}$",
            "maxLength": 7,
            "description": "The version of a `game` or an `event`.",
        },
        "event": {"type": "string", "enum": ["game", "event", "end"], "description": "What the message tells."},
        "data": {
            "type": "string",
            "maxLength": 1_000_000,
            "contentMediaType": "application/json",
            "contentSchema": {
                "oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("Game", "Event", "StreamEnd")]
            },
            "description": "JSON: a Game, an Event or a StreamEnd.",
        },
    },
    "required": ["event", "data"],
}
"""A message of a stream, as the contract describes it."""


def tell(kept: Kept, first: int, events: Sequence[Event], viewer: Viewer) -> list[bytes]:
    """Events as messages, exactly as the history shows them to the viewer."""
    shown = render.events(kept.table.record, first - 1, events, _eyes(kept, viewer))
    return [message("event", msgspec.json.encode(each), each["version"]) for each in shown]


def _eyes(kept: Kept, viewer: Viewer) -> Viewer:
    return FULL if kept.table.is_over else viewer


def last_seen() -> int | None:
    """The version in `Last-Event-ID`, if it is sent."""
    text = request.headers.get("Last-Event-ID")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= MAX_VERSION):
        raise unprocessable([Fault("Last-Event-ID", f"must be a version: a whole number from 0 to {MAX_VERSION}")])
    return int(text)


def follow(kept: Kept, viewer: Viewer, seen: int | None) -> Response:
    """Everything that happens from now on, or from the version that was seen."""
    table = kept.table
    if seen is not None and seen > table.version:
        raise Malformed("unknown-version", f"the game is at version {table.version}", parameter="Last-Event-ID")
    if table.is_over and seen == table.version:
        return Response(status=204)
    opening = RETRY
    if seen is None:
        document = render.game(table, kept.at, _eyes(kept, viewer))
        opening += message("game", msgspec.json.encode(document), table.version)
    stream = Stream(_hub(), table.record.id, viewer, table.version if seen is None else seen, opening)
    response = Response(stream, content_type=CONTENT_TYPE, direct_passthrough=True)
    response.headers["Cache-Control"] = "no-store" if "Authorization" in request.headers else "no-cache"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def check(looking: dict[str, Any]) -> None:
    """Refuse to wait for what is past, or for nothing in particular."""
    if "version" in looking and "after" in looking:
        raise Malformed("after-or-version", "ask for 'version' or for what comes 'after'", parameter="after")
    if "wait" in looking and "after" not in looking:
        raise Malformed("after-required", "say 'after' which version to wait", parameter="wait")


def is_early(looking: dict[str, Any], version: int) -> bool:
    """Whether the caller wants to wait for something newer than this version, and has not done so."""
    return bool(looking.get("wait")) and version <= looking["after"] and HAS_WAITED not in request.environ


def wait(game_id: str, looking: dict[str, Any]) -> Response | None:
    """Wait until the game has moved on from the version that was seen, or as long as the caller wants.

    A response stands for the wait itself: the whole request comes back when it is over. Without one it is over.
    """
    hub, parked = _hub(), Parked(game_id, looking["after"], looking["wait"])
    if CAN_PARK in request.environ:
        if notes := current():
            notes.is_parked = True
        return Response(cast("Any", parked), direct_passthrough=True)
    over = threading.Event()
    hub.park(None, parked, over.set)
    over.wait()
    return None


def _hub() -> Hub:
    hub: Hub = current_app.extensions["hub"]
    if hub.is_full:
        detail = "no more streams can be opened here now: try again later"
        raise Problem(503, "too-many-streams", detail, headers={"Retry-After": str(FULL_HOUSE_SECONDS)})
    return hub
