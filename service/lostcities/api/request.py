"""Reads the headers of the current request: the token, `Idempotency-Key`, conditions, `Last-Event-ID`."""

import hashlib
import re
from typing import Final

from flask import g, request

from lostcities.api.contract.headers import IDEMPOTENCY_KEY, IF_MATCH
from lostcities.api.errors import Fault, unprocessable
from lostcities.api.games.schemas import ETAG, MAX_VERSION
from lostcities.api.json_provider import encode
from lostcities.games.idempotency import IdempotencyKey
from lostcities.games.moves import Unauthorized
from lostcities.variants.core import Text

_KEY: Final = re.compile(f"[!-~]{{1,{IDEMPOTENCY_KEY}}}")
_ETAG: Final = re.compile(ETAG.strip("^$"))


def bearer_token() -> str:
    """The token of the `Authorization` header, or "" without a bearer token."""
    scheme, _, token = request.environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def has_authorization() -> bool:
    """Whether the request has the header `Authorization`, valid or not."""
    return "HTTP_AUTHORIZATION" in request.environ


def token() -> str | None:
    """The token of the caller, or `None` without the header. Raises `Unauthorized` if the header has none."""
    if not has_authorization():
        return None
    found = bearer_token()
    if not found:
        raise Unauthorized("bearer-token-expected", Text("send 'Authorization: Bearer' and a token of the game"))
    return found


def idempotency_key(*, of_game: str, least: int = 1) -> IdempotencyKey | None:
    """The `Idempotency-Key` and the fingerprint of the request: its query, and its body regardless of white space.

    The body must have been read by the parser.
    """
    key: str | None = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return None
    if len(key) < least or not _KEY.fullmatch(key):
        detail = Text(
            "must be {least} to {idempotency_key} visible ASCII characters",
            least=least,
            idempotency_key=IDEMPOTENCY_KEY,
        )
        raise unprocessable([Fault("Idempotency-Key", detail)])
    body = encode(g.body, order="sorted")
    fingerprint = hashlib.sha256(b"\n".join((of_game.encode(), request.query_string, body))).digest()[:16]
    return IdempotencyKey(key, fingerprint, g.get("api_key", ""))


def versions_seen() -> list[int] | None:
    """The versions in `If-Match`, or `None` for no condition. Unknown ETags are ignored."""
    header: str | None = request.environ.get("HTTP_IF_MATCH")
    if header is None or header.strip() == "*":
        return None
    if len(header) > IF_MATCH:
        raise unprocessable([Fault("If-Match", Text("must have at most {if_match} characters", if_match=IF_MATCH))])
    return [int(match[1]) for match in _ETAG.finditer(header)]


def has_version(etag: str) -> bool:
    """Whether `If-None-Match` names the ETag."""
    # A request without the header is the rule: it costs one look into the environment.
    return "HTTP_IF_NONE_MATCH" in request.environ and request.if_none_match.contains_weak(etag.strip('"'))


def last_event_id() -> int | None:
    """The version in `Last-Event-ID`, or `None` without the header."""
    text: str | None = request.environ.get("HTTP_LAST_EVENT_ID")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= MAX_VERSION):
        raise unprocessable(
            [
                Fault(
                    "Last-Event-ID",
                    Text("must be a version: a whole number from 0 to {max_version}", max_version=MAX_VERSION),
                )
            ]
        )
    return int(text)
