"""Every error that the service answers with: its status, its codes, and what it says in the contract."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from marshmallow import Schema
from werkzeug.http import HTTP_STATUS_CODES

from service.api.fields import LONGEST, AnyField, Const, Strict, choice, listed, nested, shape, text
from service.api.naming import title
from service.api.variants import SCHEMAS
from service.rules.registry import GAMES
from service.store.interface import StoreAway
from service.table.asking import TABLE_RULES

MAX_BODY: Final = 64 * 1024
"""Bytes of the largest body that is read."""
MAX_FAULTS: Final = 100
"""The most parts of a request that one problem names."""
POINTER: Final = 2 * MAX_BODY
"""No pointer into a body is longer, escaped as it is."""
REQUEST_ID: Final = r"^[A-Za-z0-9._-]{1,64}$"


class ProblemPart(Strict):
    """What is wrong with one part of the request."""

    pointer = text(
        "A JSON pointer into the body (empty: all of it), or the name of a parameter or header.",
        least=0,
        most=POINTER,
        required=True,
    )
    detail = text("What is wrong with it.", most=LONGEST, required=True)


def _members(status: int, codes: Iterable[str]) -> dict[str, AnyField]:
    """A problem's members (RFC 9457): what they are is known but for the words."""
    members = {
        "type": Const("about:blank", "Always `about:blank`: `code` tells problems apart.", required=True),
        "title": Const(HTTP_STATUS_CODES[status], "The status in words.", required=True),
        "status": Const(status, "The HTTP status.", required=True),
        "detail": text("What is wrong, for people.", most=LONGEST, required=True),
        "code": choice("What is wrong, for programs: a stable word.", sorted(codes), required=True),
        "request_id": text(
            "Finds the request in the log: the same as the header `X-Request-Id`.",
            pattern=REQUEST_ID,
            most=64,
            required=True,
        ),
    }
    if status == 409:
        members["rule"] = choice("The rule that the move breaks: the same as `code`.", sorted(codes), required=True)
    if status in (401, 403, 422):
        members["errors"] = listed(
            nested(ProblemPart, "A part."), "The parts of the request that are wrong.", 1, MAX_FAULTS
        )
    return members


class Kind(NamedTuple):
    """A problem as calls name it."""

    status: int
    description: str
    codes: frozenset[str]
    schema: type[Schema]


_LOOKING: Final = ("seat-or-view", "unknown-seat")
_MOVING: Final = (
    "contradiction",
    "missing-field",
    "not-a-move",
    "seat-or-actor",
    "seat-required",
    "unknown-field",
    "unknown-seat",
)


def _kinds() -> Mapping[str, tuple[int, str, Iterable[str]]]:
    unprocessable = "The request is not what the contract says. Nothing has changed."
    illegal = "The move breaks a rule of the game here. Nothing has changed."
    impossible = {code for schemas in SCHEMAS.values() for code in schemas.INVARIANTS}
    kinds: dict[str, tuple[int, str, Iterable[str]]] = {
        "NotJson": (400, "The body is not JSON.", ["not-json"]),
        "Unauthorized": (
            401,
            "The token is not this game's, or one is needed.",
            ["api-key-required", "bearer-token-expected", "token-required", "unknown-token"],
        ),
        "Forbidden": (403, "The token does not allow it.", ["host-only", "not-your-seat"]),
        "NoSuchGame": (404, "There is no game of that id: it never was, was deleted or has expired.", ["no-such-game"]),
        "NoSuchVariant": (404, "There is no such variant.", ["no-such-variant"]),
        "MethodNotAllowed": (405, "The path does not take this method.", ["method-not-allowed"]),
        "IllegalMove": (
            409,
            illegal,
            [*TABLE_RULES, *(rule for game in GAMES.values() for rule in game.ABOUT.rules)],
        ),
        "Stale": (412, "The decision was put after the version that the caller saw. Nothing has changed.", ["stale"]),
        "TooLarge": (413, f"The body has more than {MAX_BODY} bytes.", ["request-entity-too-large"]),
        "NotSaidToBeJson": (415, "The body does not say that it is JSON.", ["unsupported-media-type"]),
        "InvalidRequest": (422, unprocessable, []),
        "InvalidGame": (422, unprocessable, ["idempotency-key-reused", "seed-unused", *impossible]),
        "InvalidLook": (422, unprocessable, _LOOKING),
        "InvalidLookBack": (422, unprocessable, [*_LOOKING, "after-or-version", "after-required", "unknown-version"]),
        "InvalidStream": (422, unprocessable, [*_LOOKING, "unknown-version"]),
        "InvalidMove": (422, unprocessable, [*_MOVING, *_LOOKING, "idempotency-key-reused"]),
        "InvalidCheck": (422, unprocessable, [*_MOVING, *_LOOKING]),
        "TooManyRequests": (
            429,
            "Too many requests, or too many open games. Nothing has changed.",
            ["too-many-games", "too-many-requests"],
        ),
        "InternalError": (500, "Something went wrong here; the request id finds it in the log.", ["internal-error"]),
        "Unavailable": (
            503,
            "The store does not answer or takes no writes, others always came first, or too many streams are open.",
            ["busy", "too-many-streams", StoreAway.code, *(kind.code for kind in StoreAway.__subclasses__())],
        ),
    }
    for variant, schemas in SCHEMAS.items():
        rules = [*TABLE_RULES, *GAMES[variant].ABOUT.rules]
        kinds[f"Illegal{title(variant)}Move"] = (409, illegal, rules)
        kinds[f"Invalid{title(variant)}Question"] = (422, unprocessable, [*_MOVING, *schemas.INVARIANTS])
    return kinds


def _kind(name: str, status: int, description: str, codes: Iterable[str]) -> Kind:
    known = frozenset(codes if status != 422 else ["invalid-request", *codes])
    return Kind(status, description, known, shape(f"{name}Problem", description, **_members(status, known)))


PROBLEMS: Final[Mapping[str, Kind]] = {name: _kind(name, *parts) for name, parts in _kinds().items()}
