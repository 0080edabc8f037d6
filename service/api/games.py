"""The calls about games that the service keeps."""

import hashlib
import re
from typing import Any, Final, NamedTuple

import msgspec
from flask import Response, current_app, request

from service.api import live, render
from service.api.answers import Answer, answer, sent, tagged, unchanged
from service.api.board import board
from service.api.contract import IDEMPOTENCY_KEY, IF_MATCH, Blueprint, body_of
from service.api.problems import Fault, Problem, illegal_move, invalid, unprocessable
from service.api.schemas import (
    ID,
    ActedView,
    CreatedGame,
    Fairness,
    GameView,
    HistoryQuery,
    HistoryView,
    Judgement,
    LegalMoves,
    Looking,
    LookingBack,
    MovesRequest,
    NewGame,
    ScoreView,
    Waiting,
)
from service.rules.game import FULL, IllegalMove, InvalidOptions, InvalidPosition, Viewer
from service.store.games import Acted, Games, NoSuchGame, Ticket, Wish
from service.table.asking import Asked, Look, Unauthorized, acting_seats, viewer_of
from service.table.game import Table
from service.table.tokens import Caller

games = Blueprint("games", __name__, description="Games that the service keeps.")

_ID: Final = re.compile(ID.strip("^$"))
_KEY: Final = re.compile(f"[!-~]{{1,{IDEMPOTENCY_KEY}}}")
_ETAG: Final = re.compile(r'(?:W/)?"(\d{1,9})(?:-s\d|-full)?(?:-past|-open)?"')


# Links: create → view → moves → apply → score --------------------------------------------------------------------


def _link(operation: str, description: str, game_id: str = "$request.path.game_id", **more: Any) -> dict[str, Any]:
    return {"operationId": operation, "description": description, "parameters": {"game_id": game_id}, **more}


def _link_to_move(operation: str, description: str) -> dict[str, Any]:
    """A legal move, as it is listed, is the body of the call that makes it."""
    return _link(operation, description, requestBody="$response.body#/moves/0")


_SEE: Final = {
    "getGame": "See the game.",
    "listMoves": "List what is legal in it.",
    "getHistory": "Read what has happened in it.",
    "getScore": "Score it.",
    "getFairness": "Verify its chance.",
    "getBoard": "Look at its table.",
}
_AFTER_CREATING: Final = {
    operation: _link(operation, description, "$response.body#/id")
    for operation, description in {
        **_SEE,
        "makeMoves": "Make a move in it.",
        "checkMoves": "Judge a move in it.",
        "deleteGame": "End it.",
    }.items()
}
_AFTER_SEEING: Final = {operation: _link(operation, description) for operation, description in _SEE.items()}
_AFTER_LISTING: Final = {
    "makeMoves": _link_to_move("makeMoves", "Make the first of the moves."),
    "checkMoves": _link_to_move("checkMoves", "Judge the first of the moves."),
}


# Reading the headers ---------------------------------------------------------------------------------------------


def _games() -> Games:
    found: Games = current_app.extensions["games"]
    return found


def _known(game_id: str) -> str:
    """What cannot be an id is no game's."""
    if not _ID.fullmatch(game_id):
        raise NoSuchGame
    return game_id


def _token() -> str | None:
    header: str | None = request.environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthorized("bearer-token-expected", "send 'Authorization: Bearer' and a token of the game")
    return token.strip()


def _ticket(*, of_game: str) -> Ticket | None:
    """The `Idempotency-Key`, and the fingerprint of the request: its body, whatever its white space, and its query."""
    key: str | None = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        raise unprocessable([Fault("Idempotency-Key", f"must be 1 to {IDEMPOTENCY_KEY} visible ASCII characters")])
    body = msgspec.json.encode(msgspec.json.decode(body_of(request)), order="sorted")
    query = request.query_string
    return Ticket(key, hashlib.sha256(b"\n".join((of_game.encode(), query, body))).digest()[:16])


def _seen() -> list[int] | None:
    """The versions that `If-Match` says the caller has seen; an ETag that is none of ours is none."""
    header: str | None = request.environ.get("HTTP_IF_MATCH")
    if header is None or header.strip() == "*":
        return None
    if len(header) > IF_MATCH:
        raise unprocessable([Fault("If-Match", f"must have at most {IF_MATCH} characters")])
    return [int(version) for version in _ETAG.findall(header)]


# Looking ---------------------------------------------------------------------------------------------------------


def _look(query: dict[str, Any]) -> Look:
    return Look(query.get("seat"), query.get("view"))


def _eyes(table: Table, caller: Caller, query: dict[str, Any]) -> Viewer:
    return viewer_of(caller, len(table.record.players), _look(query))


# The calls -------------------------------------------------------------------------------------------------------

_STORED: Final = ("Unauthorized", "NoSuchGame", "Unavailable")


@games.call(
    "POST",
    "/games",
    "createGame",
    {201: (CreatedGame, "The game, with its tokens, which are told only here.")},
    body=NewGame,
    takes=["IdempotencyKey"],
    sends=["Location", "ETag", "Idempotent-Replayed"],
    problems=["Unauthorized", "InvalidGame", "Unavailable"],
    links={201: _AFTER_CREATING},
)
def create(wanted: dict[str, Any]) -> Answer:
    """Create a game.

    The answer holds the tokens of the host and of each seat, which are told only here, and the commitment to the seed.
    Chance answers for itself until a seat is to act, unless the host answers for it. A service that is configured with
    API keys takes one of them as the bearer's token here.
    """
    seed = wanted.get("seed")
    if seed and wanted.get("chance") == "client":
        detail = "where the host answers for chance there is no seed"
        raise Problem(422, "seed-unused", detail, faults=[Fault("/seed", detail)])
    wish = Wish(
        variant=wanted["variant"],
        players=tuple(wanted["players"]),
        options=wanted.get("options", {}),
        chance=wanted.get("chance", "server"),
        seed=bytes.fromhex(seed) if seed else None,
        position=wanted.get("position"),
    )
    try:
        created = _games().create(wish, _ticket(of_game=""))
    except (InvalidOptions, InvalidPosition) as error:
        raise invalid(error, ["options" if isinstance(error, InvalidOptions) else "position"]) from None
    table, at, _ = created.kept
    document = render.game(table, at, None)
    document["tokens"] = {"host": created.host, "seats": created.seats}
    response = answer(document, 201, Location=f"/games/{table.record.id}", ETag=render.etag(table, None))
    return _replayed(response, replayed=created.replayed)


def _replayed(response: Answer, *, replayed: bool) -> Answer:
    if replayed:
        response.headers.append(("Idempotent-Replayed", "true"))
    return response


@games.call(
    "GET",
    "/games/<string:game_id>",
    "getGame",
    {200: (GameView, "The game as the caller may see it."), 304: (None, "The caller has it already.")},
    query=Waiting,
    takes=["IfNoneMatch"],
    sends=["ETag"],
    problems=[*_STORED, "Forbidden", "InvalidLookBack"],
    bearer="optional",
    links={200: _AFTER_SEEING},
)
def get(looking: dict[str, Any], game_id: str) -> Answer | Response:
    """Get a game as the caller may see it.

    Now, or at an earlier version. A seat's token sees what its seat sees, the host's what it asks for, and without a
    token one sees what a spectator sees. When the game is over everything is public. With `after` and `wait` the answer
    comes when the game has moved on, or when the time is up.
    """
    live.check(looking)
    seen = _look_back(game_id, looking)
    if not seen.table.is_over and live.is_early(looking, seen.table.version):
        if waiting := live.wait(game_id, looking):
            return waiting
        seen = _look_back(game_id, looking)
    return tagged(seen.etag, lambda: render.game(seen.table, seen.at, seen.viewer))


class _Seen(NamedTuple):
    """What a caller looks at: a table, when its last event happened, through whose eyes, and its tag."""

    table: Table
    at: int
    viewer: Viewer
    etag: str


def _look_back(game_id: str, looking: dict[str, Any]) -> _Seen:
    """The table now, or at the version that is asked for."""
    version = looking.get("version")
    if version is None:
        kept, caller = _games().read(_known(game_id), _token())
        table = kept.table
    else:
        kept, table, caller = _games().read_at(_known(game_id), _token(), version)
    viewer = _eyes(table, caller, looking)
    # When the whole game is over everything is public, its past included.
    shown = FULL if kept.table.is_over else viewer
    return _Seen(table, kept.at, shown, render.etag(table, viewer, of=kept.table))


@games.call(
    "DELETE",
    "/games/<string:game_id>",
    "deleteGame",
    {204: (None, "Nothing of the game is left.")},
    takes=["IfMatch"],
    problems=[*_STORED, "Forbidden", "Stale"],
    bearer="required",
)
def delete(game_id: str) -> Answer:
    """End a game.

    Only its host can. Nothing of it is left, its tokens and its history included.
    """
    _games().delete(_known(game_id), _token(), _seen())
    return Answer(204, [])


@games.call(
    "GET",
    "/games/<string:game_id>/moves",
    "listMoves",
    {200: (LegalMoves, "The legal moves, in a stable order."), 304: (None, "The caller has them already.")},
    query=Looking,
    takes=["IfNoneMatch"],
    sends=["ETag"],
    problems=[*_STORED, "Forbidden", "InvalidLook"],
    bearer="optional",
    links={200: _AFTER_LISTING},
)
def list_moves(query: dict[str, Any], game_id: str) -> Answer:
    """List the legal moves.

    Those of the seats that the caller may act for: a seat's token lists its own, the host's every seat's, and without a
    token there are none. Each can be sent back as it is to be made.
    """
    kept, caller = _games().read(_known(game_id), _token())
    seats = acting_seats(kept.table, caller, _look(query))
    seat = query.get("seat", caller.seat)
    viewer: Viewer = FULL if caller.role == "host" and seat is None else seat
    return tagged(render.etag(kept.table, viewer), lambda: render.moves(kept.table, seats))


@games.call(
    "POST",
    "/games/<string:game_id>/moves",
    "makeMoves",
    {200: (ActedView, "What happened, and the game as the caller may see it now.")},
    body=MovesRequest,
    query=Looking,
    takes=["IdempotencyKey", "IfMatch"],
    sends=["ETag", "Idempotent-Replayed"],
    problems=[*_STORED, "Forbidden", "IllegalMove", "Stale", "InvalidMove"],
    bearer="required",
    links={200: _AFTER_SEEING},
)
def make_moves(asked: list[Asked], looking: dict[str, Any], game_id: str) -> Answer:
    """Make a move, or a list of moves.

    All or nothing: if one breaks a rule, none is made. The answer holds what happened, chance's answers included, and
    the game as the caller may see it now. Send an `Idempotency-Key` to retry safely, and `If-Match` to be refused if
    the decision was put to the seat after what the caller saw.
    """
    acted = _games().act(
        _known(game_id), _token(), asked, look=_look(looking), seen=_seen(), ticket=_ticket(of_game=game_id)
    )
    return _replayed(_acted(acted), replayed=acted.replayed)


def _acted(acted: Acted) -> Answer:
    table, at, _ = acted.kept
    viewer = acted.viewer
    eyes = FULL if table.is_over else viewer
    document = {
        "version": table.version,
        "events": render.events(table.record, acted.first, acted.events, eyes),
        "game": render.game(table, at, viewer),
    }
    return answer(document, ETag=render.etag(table, viewer))


@games.call(
    "POST",
    "/games/<string:game_id>/check",
    "checkMoves",
    {200: (Judgement, "Whether the moves are legal, and if not which rule they break.")},
    body=MovesRequest,
    query=Looking,
    takes=["IfMatch"],
    problems=[*_STORED, "Forbidden", "Stale", "InvalidCheck"],
    bearer="required",
)
def check_moves(asked: list[Asked], looking: dict[str, Any], game_id: str) -> Answer:
    """Judge a move, or a list of moves.

    Nothing is made. The answer says whether it is legal, and if not what making it would have been answered with. What
    is no move at all is 422.
    """
    try:
        _games().check(_known(game_id), _token(), asked, look=_look(looking), seen=_seen())
    except IllegalMove as error:
        return answer(illegal(error))
    return answer({"legal": True})


def illegal(error: IllegalMove) -> dict[str, Any]:
    """The judgement of a move that breaks a rule."""
    return {"legal": False, "problem": illegal_move(error).document()}


@games.call(
    "GET",
    "/games/<string:game_id>/history",
    "getHistory",
    {200: (HistoryView, "A page of events.")},
    query=HistoryQuery,
    problems=[*_STORED, "Forbidden", "InvalidLook"],
    bearer="optional",
)
def history(query: dict[str, Any], game_id: str) -> Answer:
    """Get the events so far.

    Every move and every outcome of chance, oldest first, page by page. A card that the caller may not see is a `?`.
    """
    after = query["after"]
    kept, events, caller = _games().history(_known(game_id), _token(), after, query["limit"])
    viewer = _eyes(kept.table, caller, query)
    last = after + len(events)
    return answer(
        {
            "events": render.events(kept.table.record, after, events, FULL if kept.table.is_over else viewer),
            "next": last if last < kept.table.version else None,
        }
    )


@games.call(
    "GET",
    "/games/<string:game_id>/events",
    "streamEvents",
    {200: (live.DOCUMENT, "Messages, as things happen."), 204: (None, live.NO_MORE)},
    query=Looking,
    takes=["LastEventId"],
    sends=["Cache-Control", "X-Accel-Buffering"],
    problems=[*_STORED, "Forbidden", "InvalidStream"],
    bearer="optional",
    content_type=live.CONTENT_TYPE,
)
def events(looking: dict[str, Any], game_id: str) -> Answer | Response:
    """Watch a game.

    Server-sent events: first the game as the caller may see it, then every event as it happens, as the history shows it
    to the caller. Each message's `id` is a version: whoever sends the last one as `Last-Event-ID` gets what came after
    it, without gap or repeat. The stream ends with the game; one that ends without saying so is to be resumed.
    """
    seen = live.last_seen()
    kept, caller = _games().read(_known(game_id), _token())
    return live.follow(kept, _eyes(kept.table, caller, looking), seen)


@games.call(
    "GET",
    "/games/<string:game_id>/score",
    "getScore",
    {200: (ScoreView, "The score, now or final.")},
    query=Looking,
    problems=[*_STORED, "Forbidden", "InvalidLook"],
    bearer="optional",
)
def score(looking: dict[str, Any], game_id: str) -> Answer:
    """Get the score.

    Line by line: now, the rules applied to what lies on the table, and at the end who wins.
    """
    kept, caller = _games().read(_known(game_id), _token())
    _eyes(kept.table, caller, looking)
    return answer(render.score(kept.table))


@games.call(
    "GET",
    "/games/<string:game_id>/fairness",
    "getFairness",
    {200: (Fairness, "Commitment, algorithm and, once the game is over, the seed.")},
    problems=_STORED,
    bearer="optional",
)
def fairness(game_id: str) -> Answer:
    """Get what a verifier of chance needs.

    The commitment that was published when the game was created, the algorithm and, once the game is over, the seed.
    """
    kept, _ = _games().read(_known(game_id), _token())
    return answer(render.fairness(kept.table))


_PICTURE: Final = {"type": "string", "minLength": 1, "maxLength": 1_000_000, "description": "The picture, as SVG."}


@games.call(
    "GET",
    "/games/<string:game_id>/board.svg",
    "getBoard",
    {200: (_PICTURE, "The table as the caller may see it."), 304: (None, "The caller has it already.")},
    query=LookingBack,
    takes=["IfNoneMatch"],
    sends=["ETag", "Cache-Control"],
    problems=[*_STORED, "Forbidden", "InvalidLookBack"],
    bearer="optional",
    content_type="image/svg+xml",
)
def draw(looking: dict[str, Any], game_id: str) -> Answer:
    """Get a picture of the table.

    Drawn from what the call that gets the game answers the same caller, and from the score: now, or at an earlier
    version. It is 800 wide, needs no style, script or other file, and is the same for the same table.
    """
    seen = _look_back(game_id, looking)
    drawn = unchanged(seen.etag)
    if drawn is None:
        text = board(render.game(seen.table, seen.at, seen.viewer), render.score(seen.table))
        drawn = sent(text.encode(), "image/svg+xml", ETag=seen.etag)
    return drawn
