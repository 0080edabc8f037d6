"""The calls on stored games: creating, reading, moving, watching. Those at the table are in `table_routes.py`."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from flask import Response, current_app

from lostcities.api import render, streams
from lostcities.api.contract.headers import BINARY_HEADERS, CREATION_KEY, LANGUAGE_HEADERS, headers
from lostcities.api.errors import Fault, ProblemError, invalid_record
from lostcities.api.games import queries, schemas
from lostcities.api.games.blueprint import (
    AFTER_CREATING,
    AFTER_LISTING,
    AFTER_SEEING,
    GAME_PROBLEMS,
    changed_response,
    created_response,
    game_service,
    games,
    include_request,
    judgement_of,
    valid_id,
    view_request,
)
from lostcities.api.games.moves import MovesRequest
from lostcities.api.games.records import GameRecordView, NewGame
from lostcities.api.request import idempotency_key, last_event_id, token, versions_seen
from lostcities.api.request_context import VARY, language, language_headers
from lostcities.api.responses import bytes_response, conditional_response, json_response, not_modified
from lostcities.boards import board
from lostcities.games import records
from lostcities.games.access import caller_of, still_has
from lostcities.games.creation import RequestedGame
from lostcities.games.game import Game
from lostcities.games.moves import (
    Malformed,
    RequestedMove,
    ViewRequest,
    acting_seats,
    advised_seat,
    check_bots,
    check_deadline,
    permitted_viewer,
)
from lostcities.games.storage import Past, StoredGame
from lostcities.games.tokens import Caller
from lostcities.languages import ENGLISH
from lostcities.variants.core import FULL, IllegalMove, Text, Viewer


def _viewer(game: Game, caller: Caller, query: dict[str, Any]) -> Viewer:
    return permitted_viewer(game, caller, view_request(query))


@games.route("/games", methods=["POST"])
@games.operation(
    "createGame",
    bearer="optional",
    headers=["CreationKey"],
    problems=["Unauthorized", "InvalidGame", "Unavailable"],
    links={201: AFTER_CREATING},
)
@games.body(NewGame)
@games.query(queries.IncludeQuery)
@games.answer(
    schemas.CreatedGame, "The new game with its tokens.", "Location", "ETag", "Idempotent-Replayed", status=201
)
def create_game(body: dict[str, Any], query: dict[str, Any]) -> Response:
    """Create a game.

    The response contains the tokens of the host and of each seat. They are not shown again. Moves of chance (deals,
    draws and rolls) are made by the service from a seed, up to the first decision of a seat; the response contains the
    commitment to that seed. With `chance: client` the host reports the outcomes of chance instead. The service also
    plays the seats of bots; they have no token. A `record` instead of settings is replayed event by event, and the new
    game goes on where it ends: with the record's seed, or with a new one if it has none. A service that is configured
    with API keys expects one of them as the bearer token of this call. `include` shows what the host would get.
    """
    if "record" in body:
        return _import(body["record"], query)
    created = game_service().create(_requested_game(body), idempotency_key(of_game="", least=CREATION_KEY))
    return created_response(created, query)


def _requested_game(body: dict[str, Any]) -> RequestedGame:
    """The settings in the body. Raises `ProblemError` or `Malformed` if they contradict each other."""
    seed, chance = body.get("seed"), body.get("chance", "server")
    if seed and chance == "client":
        detail = Text("a game with `chance: client` uses no seed")
        raise ProblemError(422, "seed-unused", detail, faults=[Fault("/seed", detail)])
    names, bots = zip(*body["players"], strict=True)
    check_bots(bots, chance)
    if "on_timeout" in body and "turn_seconds" not in body:
        raise Malformed("turn-seconds-required", Text("'on_timeout' requires 'turn_seconds'"), ("on_timeout",))
    on_timeout = body.get("on_timeout", "resign") if "turn_seconds" in body else None
    check_deadline(len(names), chance, on_timeout)
    return RequestedGame(
        variant=body["variant"],
        players=names,
        bots=bots if any(bots) else (),
        options=body.get("options", {}),
        chance=chance,
        seed=bytes.fromhex(seed) if seed else None,
        position=body.get("position"),
        turn_seconds=body.get("turn_seconds"),
        on_timeout=on_timeout,
    )


def _import(document: dict[str, Any], query: dict[str, Any]) -> Response:
    """Create a game that goes on where a record ends."""
    current_app.extensions["limiter"].hit("record")
    try:
        created = game_service().import_record(records.parse(document), idempotency_key(of_game="", least=CREATION_KEY))
    except records.InvalidRecord as error:
        raise invalid_record(error, ["record"]) from None
    return created_response(created, query)


@games.route("/games/<string:game_id>")
@games.operation(
    "getGame",
    bearer="optional",
    headers=["IfNoneMatch"],
    problems=[*GAME_PROBLEMS, "Forbidden", "InvalidLookBack"],
    links={200: AFTER_SEEING},
)
@games.query(queries.GameQuery)
@games.answer(schemas.GameView, "The game as the caller may see it.", "ETag")
@games.not_modified("The caller has this version already.")
def get_game(query: dict[str, Any], game_id: str) -> Response:
    """Get a game as the caller may see it.

    A seat's token shows what that seat may see. The host's token shows the public view, or with `seat` or `view` what
    it asks for. A request without a token shows what a spectator may see. A finished game is public. `version` shows an
    earlier version. With `after` and `wait` the response is delayed until the game has a newer version, or until the
    time is up. With `include` the response also contains the caller's legal moves or the score, of the same version.
    """
    streams.check_query(query)
    seen = _requested_version(game_id, query)
    if not seen.now.is_over and streams.is_early(query, seen.now.version):
        newer = streams.wait(game_id, query)
        # The seat may have got a new token meanwhile.
        seen = _view_of(newer, caller_of(newer, token()), query) if newer else _requested_version(game_id, query)
    return conditional_response(seen.etag, lambda: render.game(seen.game(), seen.viewer, seen.include))


class _VersionView(NamedTuple):
    """What a caller looks at: the game now or at an earlier version, and its ETag."""

    now: Game
    game: Callable[[], StoredGame]
    """The game at the version that was asked for: computing the past costs time, which a 304 does not need."""
    viewer: Viewer
    include: render.Include
    etag: str


def _requested_version(game_id: str, query: dict[str, Any]) -> _VersionView:
    """The game now, or at the version that is asked for."""
    version = query.get("version")
    if version is None:
        stored, caller = game_service().read(valid_id(game_id), token())
        return _view_of(stored, caller, query)
    past, caller = game_service().read_at(valid_id(game_id), token(), version)
    return _view_of(past.stored, caller, query, past)


def _view_of(stored: StoredGame, caller: Caller, query: dict[str, Any], past: Past | None = None) -> _VersionView:
    """The game for a caller that was identified: as it is stored, or at an earlier version."""
    version = query["version"] if past else stored.game.version
    viewer = _viewer(stored.game, caller, query)
    # The past of a finished game is public too.
    shown = stored.game.effective_viewer(viewer)
    include = include_request(query, caller)
    etag = render.etag(version, viewer, stored.game, include)
    return _VersionView(stored.game, past.as_it_was if past else lambda: stored, shown, include, etag)


@games.route("/games/<string:game_id>", methods=["DELETE"])
@games.operation("deleteGame", bearer="required", headers=["IfMatch"], problems=[*GAME_PROBLEMS, "Forbidden", "Stale"])
@games.no_query()
@games.answer(None, "The game was deleted, with its history and tokens.", status=204)
def delete_game(game_id: str) -> Response:
    """Delete a game.

    Only the host's token may do this. The game, its tokens and its history are removed.
    """
    game_service().delete(valid_id(game_id), token(), versions_seen())
    return Response(status=204)


@games.route("/games/<string:game_id>/moves")
@games.operation(
    "listMoves",
    bearer="optional",
    headers=["IfNoneMatch"],
    problems=[*GAME_PROBLEMS, "Forbidden", "InvalidLook"],
    links={200: AFTER_LISTING},
)
@games.query(queries.ViewQuery)
@games.answer(schemas.LegalMoves, "The legal moves, in a stable order.", "ETag")
@games.not_modified("The caller has this list already.")
def list_moves(query: dict[str, Any], game_id: str) -> Response:
    """List the legal moves.

    The list contains the moves of the seats that the caller may act for: one seat's for its token, every acting seat's
    for the host's token, none without a token. Each move can be sent to `POST /games/{game_id}/moves` exactly as it is
    listed.
    """
    stored, caller = game_service().read(valid_id(game_id), token())
    seats = acting_seats(stored.game, caller, view_request(query))
    seat = query.get("seat", caller.seat)
    viewer: Viewer = FULL if caller.role == "host" and seat is None else seat
    return conditional_response(render.etag(stored.game.version, viewer), lambda: render.moves(stored.game, seats))


@games.route("/games/<string:game_id>/moves", methods=["POST"])
@games.operation(
    "makeMoves",
    bearer="required",
    headers=["IdempotencyKey", "IfMatch"],
    problems=[*GAME_PROBLEMS, "Forbidden", "IllegalMove", "Stale", "InvalidMove"],
    links={200: AFTER_SEEING},
)
@games.body(MovesRequest)
@games.query(queries.IncludeViewQuery)
@games.answer(schemas.Acted, "The events, and the game after them.", "ETag", "Idempotent-Replayed")
def make_moves(asked: list[RequestedMove], query: dict[str, Any], game_id: str) -> Response:
    """Make a move, or a list of moves.

    A list is applied as a whole or not at all. The response contains the events, outcomes of chance and moves of bots
    included, and the game as the caller may see it afterwards. Send an `Idempotency-Key` to make a retry safe. Send
    `If-Match` with the ETag of the version that the decision is based on: the request is refused with 412 if the seat
    was asked to decide after it. With `include=moves` the game contains the moves of the next decision, if it is the
    caller's.
    """
    result = game_service().make_moves(
        valid_id(game_id),
        token(),
        asked,
        view=view_request(query),
        versions_seen=versions_seen(),
        idempotency_key=idempotency_key(of_game=game_id),
    )
    return changed_response(result, query)


@games.route("/games/<string:game_id>/check", methods=["POST"])
@games.operation(
    "checkMoves",
    bearer="required",
    headers=["AcceptLanguage", "IfMatch"],
    problems=[*GAME_PROBLEMS, "Forbidden", "Stale", "InvalidCheck"],
)
@games.body(MovesRequest)
@games.query(queries.ViewQuery)
@games.answer(schemas.Judgement, "Whether the moves are legal, and if not why.", *LANGUAGE_HEADERS)
def check_moves(asked: list[RequestedMove], query: dict[str, Any], game_id: str) -> Response:
    """Check a move, or a list of moves, without making it.

    The response says whether the moves are legal, and if not with which problem they would be refused. Text that is not
    a move of the variant at all is refused with 422.
    """
    try:
        game_service().check(valid_id(game_id), token(), asked, view=view_request(query), versions_seen=versions_seen())
    except IllegalMove as error:
        return json_response(judgement_of(error), 200, **language_headers())
    return json_response({"legal": True}, 200, **language_headers())


@games.route("/games/<string:game_id>/advice")
@games.operation(
    "getAdvice",
    bearer="required",
    headers=["IfNoneMatch"],
    problems=[*GAME_PROBLEMS, "Forbidden", "NothingToDecide", "InvalidAdvice"],
)
@games.query(queries.AdviceQuery)
@games.answer(schemas.Advice, "What each legal move is worth.", "ETag")
@games.not_modified("The caller has this advice already.")
def get_advice(query: dict[str, Any], game_id: str) -> Response:
    """Get advice for the caller's own seat.

    The expert's estimate of every legal move, best first. It uses what the seat may see of the game. The same version
    has the same advice. The host's token gets advice for a seat of a person. In a finished game every token of the game
    gets advice for every such seat at every `version`, with what the seat saw at that version.
    """
    if "version" in query:
        game, caller = game_service().finished_at(valid_id(game_id), token(), query["version"])
    else:
        stored, caller = game_service().read(valid_id(game_id), token())
        game = stored.game
    seat = advised_seat(game, caller, ViewRequest(query.get("seat")))
    etag = render.etag(game.version, seat)
    return conditional_response(etag, lambda: render.advice(game, seat, game_service().advise(game, seat)))


@games.route("/games/<string:game_id>/history")
@games.operation("getHistory", bearer="optional", problems=[*GAME_PROBLEMS, "Forbidden", "InvalidLook"])
@games.query(queries.HistoryQuery)
@games.answer(schemas.History, "A page of events, the oldest first.")
def get_history(query: dict[str, Any], game_id: str) -> Response:
    """Get the events so far.

    All moves, outcomes of chance and table events, oldest first, in pages. A card that the caller may not see is
    written as `?`.
    """
    after = query["after"]
    stored, events, caller = game_service().history(valid_id(game_id), token(), after, query["limit"])
    viewer = stored.game.effective_viewer(_viewer(stored.game, caller, query))
    last = after + len(events)
    return json_response(
        {
            "events": render.events(stored.game.rules, after, events, viewer),
            "next": last if last < stored.game.version else None,
        }
    )


@games.route("/games/<string:game_id>/events")
@games.operation(
    "streamEvents", bearer="optional", headers=["LastEventId"], problems=[*GAME_PROBLEMS, "Forbidden", "InvalidStream"]
)
@games.query(queries.IncludeViewQuery)
@games.answer(
    streams.DOCUMENT,
    "The stream. Each message has the data that the schema describes.",
    "Cache-Control",
    "X-Accel-Buffering",
    content_type=streams.CONTENT_TYPE,
)
@games.alt_response(204, description=streams.NO_MORE, headers=headers(*BINARY_HEADERS), success=True)
def stream_events(query: dict[str, Any], game_id: str) -> Response:
    """Watch a game as a stream of server-sent events.

    The first message is the game as the caller may see it, with what `include` adds. Each further message is an event,
    as the history shows it to the caller. With `include` the message of the newest event also has a member `game`: the
    game after that event, with what `include` adds. So a client that waits for its turn has its legal moves when the
    turn begins, in a resumed stream too. Of events that arrive together only the last one has it.

    The `id` of a message is a version: a client that reconnects with the last one in `Last-Event-ID` receives every
    later event once, and no game as the first message. The stream ends with an `end` message when the game is finished
    or deleted. A stream that ends without one was interrupted and should be resumed.

    The schema of the response describes the data of each message, as JSON, and the text of a whole stream, as the
    examples show it. On the wire a message has the lines `id`, `event` and `data`, and an empty one after them:

    ```
    id: 3
    event: event
    data: {"version":3,"actor":0,"notation":"play Yw"}
    ```

    Every 15 seconds without a message the service sends a comment line (`:`).
    """
    seen, presented = last_event_id(), token()
    stored, caller = game_service().read(valid_id(game_id), presented)
    include = include_request(query, caller)
    return streams.follow(
        stored, _viewer(stored.game, caller, query), seen, include, lambda now: still_has(stored, now, presented)
    )


@games.route("/games/<string:game_id>/score")
@games.operation("getScore", bearer="optional", problems=[*GAME_PROBLEMS, "Forbidden", "InvalidLook"])
@games.query(queries.ViewQuery)
@games.answer(schemas.Score, "The score of each seat, line by line.")
def get_score(query: dict[str, Any], game_id: str) -> Response:
    """Get the score.

    The score of each seat, line by line, as if the game ended now. `winners` is filled when the game is finished.
    """
    stored, caller = game_service().read(valid_id(game_id), token())
    _viewer(stored.game, caller, query)
    return json_response(render.score(stored.game))


@games.route("/games/<string:game_id>/fairness")
@games.operation("getFairness", bearer="optional", headers=["AcceptLanguage"], problems=GAME_PROBLEMS)
@games.no_query()
@games.answer(schemas.Fairness, "Commitment, algorithm and, for a finished game, the seed.", *LANGUAGE_HEADERS)
def get_fairness(game_id: str) -> Response:
    """Get what is needed to verify the outcomes of chance.

    The commitment that was published when the game was created, a description of the algorithm and, once the game is
    finished, the seed.
    """
    stored, _ = game_service().read(valid_id(game_id), token())
    return json_response(render.fairness(stored.game, language()), 200, **language_headers())


@games.route("/games/<string:game_id>/record")
@games.operation("getRecord", bearer="optional", problems=[*GAME_PROBLEMS, "Forbidden"])
@games.no_query()
@games.answer(GameRecordView, "The record of the whole game.")
def get_record(game_id: str) -> Response:
    """Get the whole game as one document.

    Its settings, all of its events with every card, and its result. `POST /games` creates a game from it, and `POST
    /variants/{variant}/verify` verifies it. Of a finished game every caller gets the record, with the seed. Of an
    unfinished game only the host's token gets it, without the seed unless the caller chose it.
    """
    return json_response(records.plain(game_service().record(valid_id(game_id), token())))


_PICTURE: Final = {
    "type": "string",
    "minLength": 1,
    "maxLength": 1_000_000,
    "description": "An SVG document of 800 units width.",
}


@games.route("/games/<string:game_id>/board.svg")
@games.operation(
    "getBoard",
    bearer="optional",
    headers=["AcceptLanguage", "IfNoneMatch"],
    problems=[*GAME_PROBLEMS, "Forbidden", "InvalidLookBack"],
)
@games.query(queries.VersionQuery)
@games.answer(
    _PICTURE,
    "The picture of the position, as SVG.",
    "ETag",
    "Cache-Control",
    *LANGUAGE_HEADERS,
    content_type="image/svg+xml",
)
@games.not_modified("The caller has this version already.", "Vary")
def get_board(query: dict[str, Any], game_id: str) -> Response:
    """Get a picture of the board.

    An SVG drawing of what `GET /games/{game_id}` shows the same caller, with the score. It is 800 units wide and needs
    no other file. The same position always gives the same picture.
    """
    seen = _requested_version(game_id, query)
    spoken = language()
    etag = seen.etag if spoken == ENGLISH else f'{seen.etag[:-1]}-{spoken}"'
    if response := not_modified(etag, Vary=VARY):
        return response
    stored = seen.game()
    picture = board(render.game(stored, seen.viewer), render.score(stored.game), spoken)
    return bytes_response(picture.encode(), "image/svg+xml", 200, ETag=etag, **language_headers())
