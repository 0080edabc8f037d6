"""Errors as `application/problem+json` (RFC 9457), everywhere and in one shape."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from werkzeug.exceptions import HTTPException, InternalServerError
from werkzeug.http import HTTP_STATUS_CODES

from service.api.answers import Answer
from service.api.catalogue import MAX_FAULTS
from service.api.fields import LONGEST
from service.api.notes import note, request_id
from service.api.render import encode
from service.rules.game import IllegalMove, Invalid, Path
from service.store.games import Busy, KeyReused, NoSuchGame
from service.store.interface import StoreAway
from service.table.asking import Forbidden, Malformed, Refusal, Stale, Unauthorized

CONTENT_TYPE: Final = "application/problem+json"
RETRY_AFTER: Final = 1
"""Seconds after which it is worth asking a store again that was away."""

STATUS_OF_REFUSAL: Final[Mapping[type[Refusal], int]] = {
    Unauthorized: 401,
    Forbidden: 403,
    Stale: 412,
    Malformed: 422,
    KeyReused: 422,
}


class Fault(NamedTuple):
    """What is wrong with one part of a request."""

    pointer: str
    """A JSON pointer into the body, or the name of a parameter or header."""
    detail: str


class Problem(Exception):
    """An answer that is an error."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        faults: Sequence[Fault] = (),
        headers: Mapping[str, str] | None = None,
        **members: Any,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.headers = dict(headers or {})
        self._members = {"code": code, **members}
        self._detail = detail
        self._faults = faults

    def document(self) -> dict[str, Any]:
        """The body."""
        document = {
            "type": "about:blank",
            "title": HTTP_STATUS_CODES[self.status],
            "status": self.status,
            "detail": _short(self._detail),
            **self._members,
            "request_id": request_id(),
        }
        if self._faults:
            document["errors"] = [
                {"pointer": fault.pointer, "detail": _short(fault.detail)} for fault in self._faults[:MAX_FAULTS]
            ]
        return document

    def response(self) -> Answer:
        """The answer, which is for nobody but the caller."""
        note(code=self.code)
        headers = [("Content-Type", CONTENT_TYPE), ("Cache-Control", "no-store"), *self.headers.items()]
        return Answer(self.status, headers, encode(self.document()))


def _short(sentence: str) -> str:
    """What a caller sent may be part of a sentence, however long it is."""
    return sentence if len(sentence) <= LONGEST else sentence[: LONGEST - 1] + "…"


def pointer(*path: str | int) -> str:
    """A JSON pointer (RFC 6901).

    >>> pointer("moves", 0, "a/b")
    '/moves/0/a~1b'
    """
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def problem_of(error: Exception) -> Problem:  # noqa: PLR0911
    """The problem that an error of a lower layer is to the caller."""
    match error:
        case Problem():
            return error
        case IllegalMove():
            return illegal_move(error)
        case Refusal():
            return _refusal(error)
        case Invalid():
            return invalid(error, ())
        case NoSuchGame():
            return Problem(404, "no-such-game", "there is no game of that id: it never was, was deleted or has expired")
        case StoreAway():
            return Problem(503, error.code, error.detail, headers={"Retry-After": str(RETRY_AFTER)})
        case Busy():
            detail = "others moved first every time: try again"
            return Problem(503, "busy", detail, headers={"Retry-After": str(RETRY_AFTER)})
        case HTTPException() if not isinstance(error, InternalServerError):  # which stands for any other error
            return _http(error)
        case _:
            return Problem(500, "internal-error", "something went wrong here; the request id finds it in the log")


def illegal_move(error: IllegalMove) -> Problem:
    """A well-formed move that breaks a rule here."""
    return Problem(409, error.rule, error.detail, rule=error.rule)


def invalid(error: Invalid, root: Path) -> Problem:
    """Options or a position that no game can have; `root` is where they stand in the body."""
    fault = Fault(pointer(*root, *error.path), error.detail)
    return Problem(422, error.invariant, error.detail, faults=[fault])


def unprocessable(faults: Sequence[Fault]) -> Problem:
    """A request that is not what the schema says."""
    first, *more = faults
    others = f" (and {len(more)} more)" if more else ""
    return Problem(422, "invalid-request", f"{first.pointer or 'the body'}: {first.detail}{others}", faults=faults)


def _refusal(error: Refusal) -> Problem:
    status = STATUS_OF_REFUSAL[type(error)]
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    faults = [Fault(error.parameter or pointer(*error.path), error.detail)] if error.parameter or error.path else []
    return Problem(status, error.code, error.detail, faults=faults, headers=headers)


def _http(error: HTTPException) -> Problem:
    """What Flask and werkzeug raise by themselves: unknown paths, wrong methods, bodies too large."""
    status = error.code or 500
    headers = {name: value for name, value in error.get_headers() if name in ("Allow", "Retry-After")}
    return of_status(status, error.description or HTTP_STATUS_CODES[status], headers)


def of_status(status: int, detail: str, headers: Mapping[str, str] | None = None) -> Problem:
    """A problem that is no more than its status: its code is the status in words."""
    return Problem(status, HTTP_STATUS_CODES[status].lower().replace(" ", "-"), detail, headers=headers)
