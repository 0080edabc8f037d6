"""The blueprint of stored games, and what its views share: links, reading the query, responses after a change."""

import re
from typing import Any, Final

from flask import Response, current_app

from lostcities.api import render
from lostcities.api.contract.blueprint import Blueprint
from lostcities.api.errors import illegal_move
from lostcities.api.games import schemas
from lostcities.api.request_context import annotate
from lostcities.api.responses import json_response
from lostcities.games.access import NoSuchGame
from lostcities.games.changes import ChangeResult
from lostcities.games.creation import CreationResult
from lostcities.games.moves import ViewRequest
from lostcities.games.service import GameService
from lostcities.games.tokens import HOST, Caller
from lostcities.variants.core import IllegalMove

games = Blueprint(
    "games",
    __name__,
    description=(
        "Games that the service stores: create one, look at it, move, watch it, verify it. A game has a host "
        "and seats, each with a token."
    ),
)

_ID: Final = re.compile(schemas.ID.strip("^$"))


# Links: create → view → moves → apply → score --------------------------------------------------------------------


def _link(operation: str, description: str, game_id: str = "$request.path.game_id", **more: Any) -> dict[str, Any]:
    return {"operationId": operation, "description": description, "parameters": {"game_id": game_id}, **more}


def _link_to_move(operation: str, description: str) -> dict[str, Any]:
    """A link to a call whose body is the first listed move."""
    return _link(operation, description, requestBody="$response.body#/moves/0")


_SEE: Final = {
    "getGame": "Get the game as the caller may see it.",
    "listMoves": "List the legal moves of the caller.",
    "getHistory": "Get the events of the game.",
    "getScore": "Get the score of the game.",
    "getFairness": "Verify the outcomes of chance.",
    "getRecord": "Get the whole game as one document.",
    "getBoard": "Get a picture of the board.",
    "getAdvice": "Get advice for the next decision.",
}
AFTER_CREATING: Final = {
    operation: _link(operation, description, "$response.body#/id")
    for operation, description in {
        **_SEE,
        "makeMoves": "Make a move in the game.",
        "checkMoves": "Check a move without making it.",
        "deleteGame": "Delete the game as its host.",
    }.items()
}
AFTER_SEEING: Final = {operation: _link(operation, description) for operation, description in _SEE.items()}
AFTER_LISTING: Final = {
    "makeMoves": _link_to_move("makeMoves", "Make the first of the moves."),
    "checkMoves": _link_to_move("checkMoves", "Check the first of the moves."),
}


# Problems --------------------------------------------------------------------------------------------------------

GAME_PROBLEMS: Final = ("Unauthorized", "NoSuchGame", "Unavailable")
"""The problems of every call on a stored game."""


# Reading the request ---------------------------------------------------------------------------------------------


def game_service() -> GameService:
    """The use cases of this application."""
    found: GameService = current_app.extensions["games"]
    return found


def valid_id(game_id: str) -> str:
    """The id, if it has the form of one. Raises `NoSuchGame`."""
    if not _ID.fullmatch(game_id):
        raise NoSuchGame
    return game_id


def view_request(query: dict[str, Any]) -> ViewRequest:
    """The view that the query asks for."""
    return ViewRequest(query.get("seat"), query.get("view"))


def include_request(query: dict[str, Any], caller: Caller) -> render.Include:
    """The members that the query's `include` adds to the game, for the caller."""
    return render.Include(tuple(query.get("include", ())), caller, view_request(query))


# Responses -------------------------------------------------------------------------------------------------------


def created_response(created: CreationResult, query: dict[str, Any]) -> Response:
    """The response of a creation: the new game with its tokens."""
    stored = created.stored
    include = include_request(query, HOST)
    document = render.game(stored, None, include)
    document["tokens"] = {"host": created.host, "seats": created.seats}
    etag = render.etag(stored.game.version, None, include=include)
    response = json_response(document, 201, Location=f"/games/{stored.id}", ETag=etag)
    return _mark_replayed(response, replayed=created.replayed)


def changed_response(result: ChangeResult, query: dict[str, Any], **members: Any) -> Response:
    """The response of a change: the events, the game after them, and what else the call returns."""
    game, viewer = result.stored.game, result.viewer
    include = include_request(query, result.caller)
    document = {
        "version": game.version,
        "events": render.events(game.rules, result.first, result.events, game.effective_viewer(viewer)),
        "game": render.game(result.stored, viewer, include),
        **members,
    }
    response = json_response(document, ETag=render.etag(game.version, viewer, include=include))
    return _mark_replayed(response, replayed=result.replayed)


def _mark_replayed(response: Response, *, replayed: bool) -> Response:
    """The response, with a header if it repeats the result of an earlier request with the same key."""
    if replayed:
        annotate(replayed=True)
        response.headers["Idempotent-Replayed"] = "true"
    return response


def judgement_of(error: IllegalMove) -> dict[str, Any]:
    """The judgement of a move that breaks a rule."""
    return {"legal": False, "problem": illegal_move(error).document()}
