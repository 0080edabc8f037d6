"""What is known of the request being answered, noted by whoever learns it: for its answer, log line and metrics."""

from contextvars import ContextVar
from typing import Any, Final


class Notes:
    """The notes on one request."""

    __slots__ = ("facts", "headers", "is_parked", "request_id", "tracer")

    def __init__(self, request_id: str) -> None:
        self.request_id = request_id
        self.facts: dict[str, Any] = {}
        """For the log and the metrics."""
        self.headers: list[tuple[str, str]] = []
        """For the answer, whichever it will be."""
        self.is_parked = False
        """Whether the request is put aside, to be answered later."""
        self.tracer: Any = None
        """OpenTelemetry's, if the request is traced."""


_current: Final[ContextVar[Notes | None]] = ContextVar("notes", default=None)


def begin(request_id: str) -> Notes:
    """Take notes on a new request."""
    notes = Notes(request_id)
    _current.set(notes)
    return notes


def current() -> Notes | None:
    """The notes on the request being answered, if there is one."""
    return _current.get()


def note(**facts: Any) -> None:
    """Note something of the request; outside of one there is nobody to tell."""
    if notes := _current.get():
        notes.facts.update(facts)


def add_header(name: str, value: str) -> None:
    """A header that the answer will have, be it an error or not."""
    if notes := _current.get():
        notes.headers.append((name, value))


def request_id() -> str:
    """What the request is called; outside of one nothing is."""
    notes = _current.get()
    return notes.request_id if notes else ""
