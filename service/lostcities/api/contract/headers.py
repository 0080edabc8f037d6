"""The headers and parameters that calls share."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from lostcities.api.fields import EXTENSIBLE
from lostcities.api.games.schemas import ETAG, ID, MAX_VERSION
from lostcities.api.problems.schemas import REQUEST_ID
from lostcities.games.service import ID_LENGTH
from lostcities.variants.registry import VARIANTS

_LIMIT: Final = '"[a-z0-9-]+";{0}=[0-9]+;{1}=[0-9]+'
_LIST_OF_LIMITS: Final = f"^{_LIMIT}(, {_LIMIT})*$"

HEADERS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "ETag": (
        "Identifies the version and the view of the response, for `If-Match` and `If-None-Match`.",
        {"type": "string", "minLength": 3, "maxLength": 40, "pattern": ETAG, "examples": ['"7-s0"']},
    ),
    "Location": (
        "The path of the new game.",
        {
            "type": "string",
            "minLength": 7,
            "maxLength": 40,
            "pattern": ID.replace("^", "^/games/"),
            "examples": ["/games/ab2cd3ef4gh5ij6k"],
        },
    ),
    "Idempotent-Replayed": (
        "Sent if this response repeats the one to an earlier request with the same `Idempotency-Key`.",
        {"type": "string", "const": "true", "examples": ["true"]},
    ),
    "X-Request-Id": (
        "The id of the request in the service's log: the caller's own, or a new one.",
        {
            "type": "string",
            "minLength": 1,
            "maxLength": 64,
            "pattern": REQUEST_ID,
            "examples": ["0d9c2b1e6f0a4f7e9d2a3c5b7a9e1f00"],
        },
    ),
    "API-Version": (
        "The version of the service's contract, as `info.version` in `/openapi.json`.",
        {
            "type": "string",
            "minLength": 5,
            "maxLength": 20,
            "pattern": r"^[0-9]+\.[0-9]+\.[0-9]+$",
            "examples": ["1.0.0"],
        },
    ),
    "Retry-After": (
        "Seconds to wait before the request is sent again.",
        {"type": "integer", "minimum": 1, "maximum": 3600, "examples": [1]},
    ),
    "RateLimit": (
        "What is left of each rate limit that was counted: `r` of its quota, and the seconds `t` until its window ends "
        "or, if nothing is left, until the call is allowed again.",
        {
            "type": "string",
            "minLength": 9,
            "maxLength": 400,
            "pattern": _LIST_OF_LIMITS.format("r", "t"),
            "examples": ['"creation-minute";r=59;t=60, "creation-day";r=1999;t=86400'],
        },
    ),
    "RateLimit-Policy": (
        "Each rate limit that was counted: a quota `q` for a window of `w` seconds.",
        {
            "type": "string",
            "minLength": 9,
            "maxLength": 400,
            "pattern": _LIST_OF_LIMITS.format("q", "w"),
            "examples": ['"creation-minute";q=60;w=60, "creation-day";q=2000;w=86400'],
        },
    ),
    "WWW-Authenticate": (
        "The authentication scheme: a bearer token.",
        {"type": "string", "const": "Bearer", "examples": ["Bearer"]},
    ),
    "Allow": (
        "The methods that the path supports, separated by commas.",
        {
            "type": "string",
            "minLength": 3,
            "maxLength": 100,
            "pattern": "^[A-Z]+(, [A-Z]+)*$",
            "examples": ["GET, HEAD, OPTIONS"],
        },
    ),
    "Cache-Control": (
        "`no-store` for what a token gives access to, otherwise `no-cache`.",
        {"type": "string", "enum": ["no-cache", "no-store"], "examples": ["no-store"]},
    ),
    "X-Accel-Buffering": (
        "Tells a proxy not to buffer the stream.",
        {"type": "string", "const": "no", "examples": ["no"]},
    ),
}
"""Description and schema of each response header."""

BINARY_HEADERS: Final = ("X-Request-Id", "API-Version")
"""The headers of every response."""
JSON_HEADERS: Final = (*BINARY_HEADERS, "Cache-Control")
"""The headers of every response with a JSON body."""

LIMIT_HEADERS: Final = ("RateLimit", "RateLimit-Policy")
"""The headers of a response whose request was counted against a rate limit."""

OPTIONAL_HEADERS: Final = frozenset({"Idempotent-Replayed", *LIMIT_HEADERS})
"""Headers that an operation may send and sometimes does not."""

HEADERS_OF_PROBLEM: Final[Mapping[int, Sequence[str]]] = {
    401: ["WWW-Authenticate"],
    405: ["Allow"],
    429: ["Retry-After"],
    503: ["Retry-After"],
}

IDEMPOTENCY_KEY: Final = 255
CREATION_KEY: Final = 16
"""The fewest characters of a key for a creation."""
IF_MATCH: Final = 255

PATH_PARAMETERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "code": {
        "in": "path",
        "name": "code",
        "required": True,
        "description": "The code of a problem, as its member `code` has it and `GET /problems` lists it.",
        "example": "stale",
        "schema": {"type": "string", "pattern": "^[a-z0-9-]+$", "minLength": 1, "maxLength": EXTENSIBLE},
    },
    "game_id": {
        "in": "path",
        "name": "game_id",
        "required": True,
        "description": "The id of the game, as `POST /games` returned it.",
        "example": "ab2cd3ef4gh5ij6k",
        "schema": {"type": "string", "pattern": ID, "minLength": ID_LENGTH, "maxLength": ID_LENGTH},
    },
    "variant": {
        "in": "path",
        "name": "variant",
        "required": True,
        "description": "The name of the variant, as `GET /variants` lists it.",
        "example": "duel",
        "schema": {
            "type": "string",
            "pattern": "^[a-z0-9-]+$",
            "minLength": 1,
            "maxLength": EXTENSIBLE,
            "x-extensible-enum": [*VARIANTS],  # no `enum`: what `GET /variants` lists fits in a typed client
            "example": next(iter(VARIANTS)),
        },
    },
}

PARAMETERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "IdempotencyKey": {
        "in": "header",
        "name": "Idempotency-Key",
        "description": (
            "Makes a retry safe: a request with the same key, query and body is carried out once and gets the same "
            "response. Use a new UUID for each move."
        ),
        "schema": {"type": "string", "minLength": 1, "maxLength": IDEMPOTENCY_KEY, "pattern": "^[!-~]+$"},
    },
    "CreationKey": {
        "in": "header",
        "name": "Idempotency-Key",
        "description": (
            "Makes a retry safe for 24 hours: the same key, query and body give the same answer, tokens included. Use "
            "a new random UUID for each game. On a service without API keys the key is the only secret: a client that "
            "knows it and repeats the body gets the tokens."
        ),
        "schema": {
            "type": "string",
            "minLength": CREATION_KEY,
            "maxLength": IDEMPOTENCY_KEY,
            "pattern": "^[!-~]+$",
        },
    },
    "IfMatch": {
        "in": "header",
        "name": "If-Match",
        "description": (
            "An ETag of the game, or its version in quotation marks, which every ETag begins with. The request is "
            "refused with 412 if the seat was asked to decide after that version."
        ),
        "example": '"7-s0"',
        "schema": {"type": "string", "maxLength": IF_MATCH},
    },
    "IfNoneMatch": {
        "in": "header",
        "name": "If-None-Match",
        "description": "ETags of responses that the caller has. If one of them is still current the response is 304.",
        "example": '"7-s0"',
        "schema": {"type": "string"},
    },
    "LastEventId": {
        "in": "header",
        "name": "Last-Event-ID",
        "description": (
            "The last version that the caller has received: only later events are sent. `EventSource` sends it."
        ),
        "example": 7,
        "schema": {"type": "integer", "minimum": 0, "maximum": MAX_VERSION},
    },
    "RequestId": {
        "in": "header",
        "name": "X-Request-Id",
        "description": (
            "An id for this request in the service's log, repeated in the response: 1 to 64 letters, digits, dots, "
            "dashes and underscores. Any other value is replaced by a new id."
        ),
        "example": "bot-1.decision-7",
        "schema": {"type": "string"},
    },
}
"""The header parameters that operations share.

The keys have no example: a page would prefill it, and clients that share a key share the game that it creates.
"""


def component_of(header: str) -> str:
    """The name of the component that describes the header."""
    return header.replace("-", "")


def headers(*names: str) -> dict[str, Any]:
    """References to the headers of an answer."""
    return {name: {"$ref": f"#/components/headers/{component_of(name)}"} for name in names}
