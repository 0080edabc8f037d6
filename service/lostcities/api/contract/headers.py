"""The headers and parameters that calls share."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from lostcities.api.fields import EXTENSIBLE
from lostcities.api.games.schemas import ETAG, ID, MAX_VERSION
from lostcities.api.problems.schemas import REQUEST_ID
from lostcities.games.creation import ID_LENGTH
from lostcities.variants.registry import VARIANTS

_LIMIT: Final = '"[a-z0-9-]+";{0}=[0-9]+;{1}=[0-9]+'
_LIST_OF_LIMITS: Final = f"^{_LIMIT}(, {_LIMIT})*$"


def _text(least: int, most: int, pattern: str, example: str) -> dict[str, Any]:
    return {"type": "string", "minLength": least, "maxLength": most, "pattern": pattern, "examples": [example]}


def _constant(value: str) -> dict[str, Any]:
    return {"type": "string", "const": value, "examples": [value]}


HEADERS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "ETag": (
        "Identifies the version and the view of the response, for `If-Match` and `If-None-Match`.",
        _text(3, 40, ETAG, '"7-s0"'),
    ),
    "Location": ("The path of the new game.", _text(7, 40, ID.replace("^", "^/games/"), "/games/ab2cd3ef4gh5ij6k")),
    "Idempotent-Replayed": (
        "Sent if this response repeats the one to an earlier request with the same `Idempotency-Key`.",
        _constant("true"),
    ),
    "X-Request-Id": (
        "The id of the request in the service's log: the caller's own, or a new one.",
        _text(1, 64, REQUEST_ID, "0d9c2b1e6f0a4f7e9d2a3c5b7a9e1f00"),
    ),
    "API-Version": (
        "The version of the service's contract, as `info.version` in `/openapi.json`.",
        _text(5, 20, r"^[0-9]+\.[0-9]+\.[0-9]+$", "1.1.0"),
    ),
    "Retry-After": (
        "Seconds to wait before the request is sent again.",
        {"type": "integer", "minimum": 1, "maximum": 3600, "examples": [1]},
    ),
    "RateLimit": (
        "What is left of each rate limit that was counted: `r` of its quota, and the seconds `t` until its window ends "
        "or, if nothing is left, until the call is allowed again.",
        _text(9, 400, _LIST_OF_LIMITS.format("r", "t"), '"creation-minute";r=59;t=60, "creation-day";r=499;t=86400'),
    ),
    "RateLimit-Policy": (
        "Each rate limit that was counted: a quota `q` for a window of `w` seconds.",
        _text(9, 400, _LIST_OF_LIMITS.format("q", "w"), '"creation-minute";q=60;w=60, "creation-day";q=500;w=86400'),
    ),
    "WWW-Authenticate": ("The authentication scheme: a bearer token.", _constant("Bearer")),
    "Allow": (
        "The methods that the path supports, separated by commas.",
        _text(3, 100, "^[A-Z]+(, [A-Z]+)*$", "GET, HEAD, OPTIONS"),
    ),
    "Content-Language": (
        "The language of the sentences in the response, as `Accept-Language` asked for it, or English.",
        _text(2, 35, "^[a-z]{2,3}(-[A-Za-z0-9]+)*$", "en"),
    ),
    "Vary": (
        "The request headers on which the response depends, separated by commas.",
        _text(4, 200, "^[A-Za-z-]+(, [A-Za-z-]+)*$", "Accept-Language"),
    ),
    "Cache-Control": (
        "`no-store` for what a token gives access to, otherwise `no-cache`.",
        {"type": "string", "enum": ["no-cache", "no-store"], "examples": ["no-store"]},
    ),
    "X-Accel-Buffering": ("Tells a proxy not to buffer the stream.", _constant("no")),
}
"""Description and schema of each response header."""

BINARY_HEADERS: Final = ("X-Request-Id", "API-Version")
"""The headers of every response."""
JSON_HEADERS: Final = (*BINARY_HEADERS, "Cache-Control")
"""The headers of every response with a JSON body."""

LANGUAGE_HEADERS: Final = ("Content-Language", "Vary")
"""The headers of a response with sentences for people."""

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


def _in_path(name: str, description: str, schema: dict[str, Any], example: Any) -> dict[str, Any]:
    about = {"in": "path", "name": name, "required": True, "description": description, "example": example}
    return {**about, "schema": {"type": "string", **schema}}


_WORD: Final = {"pattern": "^[a-z0-9-]+$", "minLength": 1, "maxLength": EXTENSIBLE}
PATH_PARAMETERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "code": _in_path(
        "code", "The code of a problem, as its member `code` has it and `GET /problems` lists it.", _WORD, "stale"
    ),
    "game_id": _in_path(
        "game_id",
        "The id of the game, as `POST /games` returned it.",
        {"pattern": ID, "minLength": ID_LENGTH, "maxLength": ID_LENGTH},
        "ab2cd3ef4gh5ij6k",
    ),
    "seat": _in_path("seat", "The number of the seat.", {"type": "integer", "minimum": 0, "maximum": 9}, 1),
    "variant": _in_path(
        "variant",
        "The name of the variant, as `GET /variants` lists it.",
        # No `enum`: what `GET /variants` lists fits in a typed client.
        {**_WORD, "x-extensible-enum": [*VARIANTS], "example": next(iter(VARIANTS))},
        "duel",
    ),
}


def _in_header(name: str, description: str, schema: dict[str, Any], example: Any = None) -> dict[str, Any]:
    about = {"in": "header", "name": name, "description": description, "schema": schema}
    return about if example is None else {**about, "example": example}


def _key(least: int) -> dict[str, Any]:
    return {"type": "string", "minLength": least, "maxLength": IDEMPOTENCY_KEY, "pattern": "^[!-~]+$"}


PARAMETERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "IdempotencyKey": _in_header(
        "Idempotency-Key",
        "Makes a retry safe: a request with the same key, query and body is carried out once and gets the same "
        "response. Use a new UUID for each move.",
        _key(1),
    ),
    "CreationKey": _in_header(
        "Idempotency-Key",
        "Makes a retry safe for 24 hours: the same key, query and body give the same answer, tokens included. Use a "
        "new random UUID for each game. On a service without API keys the key is the only secret: a client that knows "
        "it and repeats the body gets the tokens.",
        _key(CREATION_KEY),
    ),
    "IfMatch": _in_header(
        "If-Match",
        "An ETag of the game, or its version in quotation marks, which every ETag begins with. The request is refused "
        "with 412 if the seat was asked to decide after that version.",
        {"type": "string", "maxLength": IF_MATCH},
        '"7-s0"',
    ),
    "IfNoneMatch": _in_header(
        "If-None-Match",
        "ETags of responses that the caller has. If one of them is still current the response is 304.",
        {"type": "string"},
        '"7-s0"',
    ),
    "AcceptLanguage": _in_header(
        "Accept-Language",
        "The languages in which the caller wants sentences, best first (RFC 9110). Without it, and for languages that "
        "the service does not have, they are English. Codes, notations and names of members are never translated.",
        {"type": "string"},
        "de-AT, de;q=0.9, en;q=0.5",
    ),
    "LastEventId": _in_header(
        "Last-Event-ID",
        "The last version that the caller has received: only later events are sent. `EventSource` sends it.",
        {"type": "integer", "minimum": 0, "maximum": MAX_VERSION},
        7,
    ),
    "RequestId": _in_header(
        "X-Request-Id",
        "An id for this request in the service's log, repeated in the response: 1 to 64 letters, digits, dots, dashes "
        "and underscores. Any other value is replaced by a new id.",
        {"type": "string"},
        "bot-1.decision-7",
    ),
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
