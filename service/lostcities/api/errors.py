"""Errors as `application/problem+json` (RFC 9457)."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from flask import Response
from werkzeug.exceptions import HTTPException, InternalServerError
from werkzeug.http import HTTP_STATUS_CODES

from lostcities.api.fields import LONGEST, MAX_FAULTS
from lostcities.api.json_provider import encode
from lostcities.api.problems.catalogue import CATALOGUE
from lostcities.api.problems.schemas import PATH
from lostcities.api.request_context import annotate, language, language_headers, request_id
from lostcities.games.access import NoSuchGame
from lostcities.games.changes import Busy
from lostcities.games.idempotency import KeyReused
from lostcities.games.moves import Forbidden, Malformed, NothingToDecide, PreconditionFailed, Refusal, Unauthorized
from lostcities.games.records import InvalidRecord
from lostcities.games.storage import StoreUnavailable
from lostcities.games.thinking import TooMuchThinking, TooMuchThinkingForAddress
from lostcities.languages import translate
from lostcities.variants.core import IllegalMove, Invalid, Path, Text

log = logging.getLogger("lostcities")

CONTENT_TYPE: Final = "application/problem+json"
RETRY_AFTER: Final = 1
"""Seconds after which a client may try again when the store was not available."""

STATUS_OF_REFUSAL: Final[Mapping[type[Refusal], int]] = {
    Unauthorized: 401,
    Forbidden: 403,
    NothingToDecide: 409,
    PreconditionFailed: 412,
    Malformed: 422,
    KeyReused: 422,
}


class Fault(NamedTuple):
    """An error in one part of a request."""

    pointer: str
    """A JSON pointer into the body, or the name of a parameter or header."""
    detail: Text


class ProblemError(Exception):
    """An error that is answered as a problem."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: Text,
        *,
        faults: Sequence[Fault] = (),
        headers: Mapping[str, str] | None = None,
        **members: Any,
    ) -> None:
        super().__init__(str(detail))
        self.status = status
        self.code = code
        self.headers = dict(headers or {})
        self._members = {"code": code, **members}
        self._detail = detail
        self._faults = faults

    def document(self) -> dict[str, Any]:
        """The body, in the language of the request."""
        spoken = language()
        document = {
            "type": PATH + self.code,
            "title": translate(CATALOGUE[self.code][0].title, spoken),
            "status": self.status,
            "detail": _short(translate(self._detail, spoken)),
            **self._members,
            "request_id": request_id(),
        }
        if self._faults:
            document["errors"] = [
                {"pointer": fault.pointer, "detail": _short(translate(fault.detail, spoken))}
                for fault in self._faults[:MAX_FAULTS]
            ]
        return document

    def response(self) -> Response:
        """The response, which no cache may keep."""
        annotate(code=self.code)
        headers = {"Cache-Control": "no-store", **language_headers(), **self.headers}
        return Response(encode(self.document()), self.status, headers, content_type=CONTENT_TYPE)


def _short(sentence: str) -> str:
    """A sentence, shortened: it may quote what the caller sent."""
    return sentence if len(sentence) <= LONGEST else sentence[: LONGEST - 1] + "…"


def pointer(*path: str | int) -> str:
    """A JSON pointer (RFC 6901).

    >>> pointer("moves", 0, "a/b")
    '/moves/0/a~1b'
    """
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def response_to(error: Exception) -> Response:
    """Any error as a problem. An unexpected one is logged, and the response says nothing of it."""
    problem = problem_of(error)
    if problem.status == 500:
        log.error("request failed", exc_info=error, extra={"facts": {"request_id": request_id()}})
    return problem.response()


def problem_of(error: Exception) -> ProblemError:  # noqa: C901, PLR0911
    """The problem that stands for an error of a lower layer."""
    match error:
        case ProblemError():
            return error
        case IllegalMove():
            return illegal_move(error)
        case Refusal():
            return _refusal(error)
        case InvalidRecord():
            return invalid_record(error, ())
        case Invalid():
            return _invalid(error)
        case NoSuchGame():
            return ProblemError(
                404, "no-such-game", Text("there is no game with this id; it may have been deleted or have expired")
            )
        case StoreUnavailable():
            return ProblemError(503, error.code, error.detail, headers={"Retry-After": str(RETRY_AFTER)})
        case Busy():
            detail = Text("other requests changed the game first every time: try again")
            return ProblemError(503, "busy", detail, headers={"Retry-After": str(RETRY_AFTER)})
        case TooMuchThinking():
            detail = Text("as many requests as allowed are waiting for bots in this process: try again")
            return ProblemError(503, "too-much-thinking", detail, headers={"Retry-After": str(RETRY_AFTER)})
        case TooMuchThinkingForAddress():
            detail = Text("as many requests of your address as allowed are waiting for bots in this process: try again")
            return ProblemError(429, "too-much-thinking-for-address", detail, headers={"Retry-After": str(RETRY_AFTER)})
        case HTTPException() if not isinstance(error, InternalServerError):  # Flask's wrapper of any other error
            return _http(error)
        case _:
            return ProblemError(
                500, "internal-error", Text("an unexpected error; the log of the service has the request id")
            )


def illegal_move(error: IllegalMove) -> ProblemError:
    """A well-formed move that breaks a rule."""
    return ProblemError(409, error.rule, error.detail, rule=error.rule, **_values(error.detail))


def _values(detail: Text) -> dict[str, Any]:
    """The member with the values of a sentence, from which a client can make a sentence of its own."""
    values = [
        {"name": name, "value": ", ".join(map(str, value)) if isinstance(value, list) else str(value)}
        for name, value in detail.plain().items()
    ]
    return {"values": values} if values else {}


def _invalid(error: Invalid) -> ProblemError:
    """Options or a position that are not consistent."""
    fault = Fault(pointer(error.member, *error.path), error.detail)
    return ProblemError(422, error.invariant, error.detail, faults=[fault])


def invalid_record(error: InvalidRecord, root: Path) -> ProblemError:
    """A record that is not a legal and fair game; `root` is its path in the body."""
    fault = Fault(pointer(*root, *error.path), error.detail)
    if error.rule:
        values = _values(error.detail)
        return ProblemError(422, error.code, error.detail, faults=[fault], rule=error.rule, **values)
    return ProblemError(422, error.code, error.detail, faults=[fault])


def unprocessable(faults: Sequence[Fault]) -> ProblemError:
    """A request that does not match its schema."""
    first, *more = faults
    part = first.pointer or Text("the body")
    detail = (
        Text("{part}: {detail} (and {others} more)", part=part, detail=first.detail, others=len(more))
        if more
        else Text("{part}: {detail}", part=part, detail=first.detail)
    )
    return ProblemError(422, "invalid-request", detail, faults=faults)


def _refusal(error: Refusal) -> ProblemError:
    status = STATUS_OF_REFUSAL[type(error)]
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    faults = [Fault(error.parameter or pointer(*error.path), error.detail)] if error.parameter or error.path else []
    return ProblemError(status, error.code, error.detail, faults=faults, headers=headers)


def _http(error: HTTPException) -> ProblemError:
    """The errors that Flask and werkzeug raise: unknown paths, wrong methods, too large bodies."""
    status = error.code or 500
    headers = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")}
    said = error.description or HTTP_STATUS_CODES[status]
    # Only a sentence of werkzeug itself is a template without names.
    return of_status(status, Text(said) if said == type(error).description else Text("{detail}", detail=said), headers)


def of_status(status: int, detail: Text, headers: Mapping[str, str] | None = None) -> ProblemError:
    """A problem whose code is the name of its status, or `bad-request` for statuses without a code of their own."""
    code = HTTP_STATUS_CODES[status].lower().replace(" ", "-")
    return ProblemError(status, code if code in CATALOGUE else "bad-request", detail, headers=headers)
