"""The types of problems that the service responds with: status, codes and description in the contract."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from marshmallow import Schema
from werkzeug.http import HTTP_STATUS_CODES

from lostcities.api.schemas import SCHEMAS
from lostcities.api.schemas.fields import (
    LONGEST,
    MAX_FAULTS,
    AnyField,
    Const,
    Strict,
    choice,
    listed,
    nested,
    shape,
    text,
)
from lostcities.api.schemas.naming import pascal_case
from lostcities.games.moves import GAME_RULES
from lostcities.games.storage import StoreUnavailable
from lostcities.rules.registry import RULES

MAX_BODY: Final = 64 * 1024
"""The largest body that is read, in bytes."""
POINTER: Final = 2 * MAX_BODY
"""The longest pointer into a body. Escaping doubles a character."""
REQUEST_ID: Final = r"^[A-Za-z0-9._-]{1,64}$"


class ProblemPart(Strict):
    """An error in one part of the request."""

    pointer = text(
        "A JSON pointer into the body, empty for the whole body, or the name of a parameter or header.",
        least=0,
        most=POINTER,
        required=True,
    )
    detail = text("The error.", most=LONGEST, required=True)


def _members(status: int, codes: Iterable[str]) -> dict[str, AnyField]:
    """The members of a problem (RFC 9457)."""
    members = {
        "type": Const("about:blank", "Always `about:blank`. Use `code` to tell problems apart.", required=True),
        "title": Const(HTTP_STATUS_CODES[status], "The name of the HTTP status.", required=True),
        "status": Const(status, "The HTTP status.", required=True),
        "detail": text("A description of this problem for people.", most=LONGEST, required=True),
        "code": choice("A stable identifier of the problem for programs.", sorted(codes), required=True),
        "request_id": text(
            "The id of the request in the service's log, as in the header `X-Request-Id`.",
            pattern=REQUEST_ID,
            most=64,
            required=True,
        ),
    }
    if status == 409:
        members["rule"] = choice("The rule that the move breaks, equal to `code`.", sorted(codes), required=True)
    if status in (401, 403, 422):
        members["errors"] = listed(nested(ProblemPart, "An error."), "The errors in the request.", 1, MAX_FAULTS)
    return members


class Kind(NamedTuple):
    """A type of problem, as operations name it."""

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
    unprocessable = "The request does not match the contract. Nothing was changed."
    illegal = "The move breaks a rule of the game. Nothing was changed."
    impossible = {code for schemas in SCHEMAS.values() for code in schemas.INVARIANTS}
    kinds: dict[str, tuple[int, str, Iterable[str]]] = {
        "NotJson": (400, "The body is not valid JSON, or cannot be read.", ["not-json"]),
        "Unauthorized": (
            401,
            "A token is missing, or is not a token of this game.",
            ["api-key-required", "bearer-token-expected", "token-required", "unknown-token"],
        ),
        "Forbidden": (403, "The token does not allow this request.", ["host-only", "not-your-seat"]),
        "NoSuchGame": (
            404,
            "There is no game with this id. It may have been deleted or have expired.",
            ["no-such-game"],
        ),
        "NoSuchVariant": (404, "There is no variant with this name.", ["no-such-variant"]),
        "MethodNotAllowed": (405, "The path does not support this method.", ["method-not-allowed"]),
        "RequestTimeout": (408, "The body did not arrive in time.", ["request-timeout"]),
        "IllegalMove": (
            409,
            illegal,
            [*GAME_RULES, *(rule for rules in RULES.values() for rule in rules.INFO.rules)],
        ),
        "Stale": (412, "The seat was asked to decide after the version in `If-Match`. Nothing was changed.", ["stale"]),
        "TooLarge": (413, f"The body is larger than {MAX_BODY} bytes.", ["request-entity-too-large"]),
        "NotSaidToBeJson": (415, "The content type of the body is not `application/json`.", ["unsupported-media-type"]),
        "InvalidRequest": (422, unprocessable, []),
        "InvalidGame": (422, unprocessable, ["idempotency-key-reused", "seed-unused", *impossible]),
        "InvalidLook": (422, unprocessable, _LOOKING),
        "InvalidLookBack": (422, unprocessable, [*_LOOKING, "after-or-version", "after-required", "unknown-version"]),
        "InvalidStream": (422, unprocessable, [*_LOOKING, "unknown-version"]),
        "InvalidMove": (422, unprocessable, [*_MOVING, *_LOOKING, "idempotency-key-reused"]),
        "InvalidCheck": (422, unprocessable, [*_MOVING, *_LOOKING]),
        "TooManyRequests": (429, "A rate limit is exceeded. Nothing was changed.", ["too-many-requests"]),
        "InternalError": (500, "An unexpected error. The service's log has the request id.", ["internal-error"]),
        "Unavailable": (
            503,
            "The store is not available, other requests were always faster, or too many streams are open.",
            [
                "busy",
                "too-many-streams",
                StoreUnavailable.code,
                *(kind.code for kind in StoreUnavailable.__subclasses__()),
            ],
        ),
    }
    for variant, schemas in SCHEMAS.items():
        rules = [*GAME_RULES, *RULES[variant].INFO.rules]
        kinds[f"Illegal{pascal_case(variant)}Move"] = (409, illegal, rules)
        kinds[f"Invalid{pascal_case(variant)}Question"] = (422, unprocessable, [*_MOVING, *schemas.INVARIANTS])
    return kinds


def _kind(name: str, status: int, description: str, codes: Iterable[str]) -> Kind:
    known = frozenset(codes if status != 422 else ["invalid-request", *codes])
    return Kind(status, description, known, shape(f"{name}Problem", description, **_members(status, known)))


PROBLEMS: Final[Mapping[str, Kind]] = {name: _kind(name, *parts) for name, parts in _kinds().items()}
