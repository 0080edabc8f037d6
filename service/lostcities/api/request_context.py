"""The context of the current request: its id and language, and facts for its log line and metrics."""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, Final

from flask import has_request_context, request

from lostcities.languages import ENGLISH, LANGUAGES


class RequestContext:
    """The id of a request and the facts collected about it."""

    __slots__ = ("facts", "request_id")

    def __init__(self, request_id: str) -> None:
        self.request_id = request_id
        self.facts: dict[str, Any] = {}
        """Members of the request's log line. Some are also labels of metrics."""


_current: Final[ContextVar[RequestContext | None]] = ContextVar("request_context", default=None)


def begin_request(request_id: str) -> RequestContext:
    """Make a new context the current one."""
    context = RequestContext(request_id)
    _current.set(context)
    return context


def annotate(**facts: Any) -> None:
    """Add facts to the current request. Does nothing outside a request."""
    if context := _current.get():
        context.facts.update(facts)


def request_id() -> str:
    """The current request id, or "" outside a request."""
    context = _current.get()
    return context.request_id if context else ""


def language() -> str:
    """The language in which the current request wants sentences: the best of `Accept-Language` that there is."""
    if not has_request_context() or "HTTP_ACCEPT_LANGUAGE" not in request.environ:
        return ENGLISH
    # Not `best_match`: to it `en;q=0.5` is a better match for `de-AT, en;q=0.5` than German is.
    wanted = (tag.lower().replace("_", "-") for tag, quality in request.accept_languages if quality > 0)
    forms = (form for tag in wanted for form in (tag, tag.partition("-")[0]))
    return next((form for form in forms if form in LANGUAGES), ENGLISH)


VARY: Final = "Accept-Language"


def language_headers() -> Mapping[str, str]:
    """The headers of a response with sentences: their language, and that it depends on the request."""
    return {"Content-Language": language(), "Vary": VARY}
