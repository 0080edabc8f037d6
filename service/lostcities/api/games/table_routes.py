"""The calls about what happens at the table: seats resign, take back moves, change hands; games are forked."""

import re
from typing import Any, Final

from flask import Response, current_app

from lostcities.api.contract.headers import CREATION_KEY
from lostcities.api.games import queries, schemas
from lostcities.api.games.blueprint import (
    AFTER_CREATING,
    AFTER_SEEING,
    GAME_PROBLEMS,
    changed_response,
    created_response,
    game_service,
    games,
    valid_id,
    view_request,
)
from lostcities.api.request import idempotency_key, token
from lostcities.games.moves import Malformed
from lostcities.games.table import CLOCKWISE, RESIGN, UNDO, OwnEvent, TableEvent
from lostcities.variants.core import Text

_TABLE: Final = (*GAME_PROBLEMS, "Forbidden", "InvalidSeat")


@games.route("/games/<string:game_id>/resign", methods=["POST"])
@games.operation(
    "resignGame",
    bearer="required",
    headers=["IdempotencyKey"],
    problems=[*_TABLE, "CannotResign"],
    links={200: AFTER_SEEING},
)
@games.body(schemas.SeatRequest)
@games.query(queries.IncludeViewQuery)
@games.answer(schemas.Acted, "The events, and the game after them.", "ETag", "Idempotent-Replayed")
def resign(body: dict[str, Any], query: dict[str, Any], game_id: str) -> Response:
    """Resign from a game.

    A seat may resign at any time, out of its turn too. With two seats the game is over, and the other seat has won
    whatever the points. With more seats the seat cannot win any more, and a bot of the level `greedy` plays it on. The
    game is over when only one seat can still win, or when no person plays any more.
    """
    return _change_table(RESIGN, body, query, game_id)


@games.route("/games/<string:game_id>/undo", methods=["POST"])
@games.operation(
    "undoMove",
    bearer="required",
    headers=["IdempotencyKey"],
    problems=[*_TABLE, "CannotUndo"],
    links={200: AFTER_SEEING},
)
@games.body(schemas.SeatRequest)
@games.query(queries.IncludeViewQuery)
@games.answer(schemas.Acted, "The events, and the game after them.", "ETag", "Idempotent-Replayed")
def undo_move(body: dict[str, Any], query: dict[str, Any], game_id: str) -> Response:
    """Take back a move.

    A seat takes back its last move, as long as nothing else happened since: no chance, no other seat and no bot. The
    event `undo` is added to the history, so the version grows. A second request takes back the move before.
    """
    return _change_table(UNDO, body, query, game_id)


@games.route("/games/<string:game_id>/clockwise", methods=["POST"])
@games.operation(
    "requestClockwise",
    bearer="required",
    headers=["IdempotencyKey"],
    problems=[*_TABLE, "CannotChooseInTurn"],
    links={200: AFTER_SEEING},
)
@games.body(schemas.SeatRequest)
@games.query(queries.IncludeViewQuery)
@games.answer(schemas.Acted, "The events, and the game after them.", "ETag", "Idempotent-Replayed")
def request_clockwise(body: dict[str, Any], query: dict[str, Any], game_id: str) -> Response:
    """Ask for clockwise order.

    In a game whose other seats choose at the same time (`order: simultaneous`) any seat may ask that they choose in
    clockwise order. They do so from this turn on if none of them has chosen yet, and otherwise from the next turn on.
    `options` of the game then has `order: clockwise`.
    """
    return _change_table(CLOCKWISE, body, query, game_id)


def _change_table(kind: OwnEvent, body: dict[str, Any], query: dict[str, Any], game_id: str) -> Response:
    result = game_service().change_table(
        valid_id(game_id),
        token(),
        kind,
        body.get("seat"),
        view=view_request(query),
        idempotency_key=idempotency_key(of_game=f"{game_id}/{kind}"),
    )
    return changed_response(result, query)


@games.route("/games/<string:game_id>/claim", methods=["POST"])
@games.operation(
    "claimTimeout",
    bearer="required",
    headers=["IdempotencyKey"],
    problems=[*_TABLE, "CannotClaim"],
    links={200: AFTER_SEEING},
)
@games.body(schemas.ClaimRequest)
@games.query(queries.IncludeViewQuery)
@games.answer(schemas.Acted, "The events, and the game after them.", "ETag", "Idempotent-Replayed")
def claim_timeout(body: dict[str, Any], query: dict[str, Any], game_id: str) -> Response:
    """Claim that the time of a seat is up.

    In a game with `turn_seconds` any seat and the host may do this once the `until` in `clocks` is past, by the clock
    of the store. A seat whose time is up may move as long as there is no claim. The event is `timeout`: the seat
    resigns, or a bot plays it on, as `on_timeout` says.
    """
    result = game_service().claim(
        valid_id(game_id),
        token(),
        body.get("seat"),
        view=view_request(query),
        idempotency_key=idempotency_key(of_game=f"{game_id}/claim"),
    )
    return changed_response(result, query)


@games.route("/games/<string:game_id>/seats/<string:seat>", methods=["POST"])
@games.operation(
    "handOverSeat",
    bearer="required",
    headers=["IdempotencyKey"],
    problems=[*_TABLE, "CannotHandOver"],
    links={200: AFTER_SEEING},
)
@games.body(schemas.SeatPlayer)
@games.query(queries.IncludeViewQuery)
@games.answer(
    schemas.SeatHandedOver, "The events, the game after them, and the new token.", "ETag", "Idempotent-Replayed"
)
def hand_over_seat(player: TableEvent, query: dict[str, Any], game_id: str, seat: str) -> Response:
    """Hand a seat over.

    Only the host's token may do this. A bot or another person plays the seat from now on. A person gets a new token.
    The old token of the seat is not valid any more, and its streams end.
    """
    if not re.fullmatch("[0-9]", seat):
        raise Malformed("unknown-seat", Text("a seat is a number from 0"), parameter="seat")
    handed = game_service().hand_over(
        valid_id(game_id),
        token(),
        int(seat),
        player,
        view=view_request(query),
        idempotency_key=idempotency_key(of_game=f"{game_id}/seats/{seat}"),
    )
    return changed_response(handed.result, query, token=handed.token)


@games.route("/games/<string:game_id>/fork", methods=["POST"])
@games.operation(
    "forkGame",
    bearer="optional",
    headers=["CreationKey"],
    problems=[*GAME_PROBLEMS, "Forbidden", "CannotFork", "InvalidFork"],
    links={201: AFTER_CREATING},
)
@games.body(schemas.ForkRequest)
@games.query(queries.IncludeQuery)
@games.answer(
    schemas.CreatedGame, "The new game with its tokens.", "Location", "ETag", "Idempotent-Replayed", status=201
)
def fork_game(body: dict[str, Any], query: dict[str, Any], game_id: str) -> Response:
    """Create a game that goes on from a version of this one.

    The new game has the events up to that version, and from there on a new seed. Its host and seats have new tokens.
    Only the host's token forks a game that goes on. Any caller forks a finished one, unless the service is configured
    with API keys: then only its host does.
    """
    created = game_service().fork(
        valid_id(game_id),
        token(),
        body["version"],
        idempotency_key(of_game=f"{game_id}/fork", least=CREATION_KEY),
        is_open=current_app.config["CREATION_IS_OPEN"],
    )
    return created_response(created, query)
