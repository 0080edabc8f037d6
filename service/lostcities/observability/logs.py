"""Logging: one JSON object per line on standard error.

The log never contains a token or a hidden card. A request's line has the route but no path, query, headers or body. An
unexpected error is logged with its type and stack but without its message, because messages can quote a position.
"""

import logging
import sys
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

REQUESTS: Final = "lostcities.requests"
"""The logger of requests. Its level decides whether they are logged."""

_encode: Final = msgspec.json.Encoder().encode


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON that includes the members of `facts` (`extra={"facts": {…}}`)."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without a newline."""
        line = {
            "time": _format(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info and record.exc_info[1]:
            line["trace"] = [*_trace(record.exc_info[1])]
        return _encode(line).decode()


def write_request(facts: Mapping[str, Any]) -> None:
    """Write the line of a request. `logging` would take as long as the rest of what is observed."""
    line = {"time": _format(time.time()), "level": "info", "logger": REQUESTS, "message": "request", **facts}
    # As in `logging`: a full disk or a closed pipe must not fail the request.
    with suppress(OSError, ValueError):
        sys.stderr.write(f"{_encode(line).decode()}\n")


def _format(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def _trace(error: BaseException) -> Iterator[str]:
    """The type and the stack of the error and of its causes."""
    chain: BaseException | None = error
    while chain:
        yield type(chain).__qualname__
        for frame in traceback.extract_tb(chain.__traceback__):
            yield f"{frame.filename}:{frame.lineno} {frame.name}"
        chain = chain.__cause__ or chain.__context__


def configuration(level: str) -> dict[str, Any]:
    """The configuration for `logging.config.dictConfig`, gunicorn's loggers included."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": JsonFormatter}},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "stream": "ext://sys.stderr", "formatter": "json"},
        },
        "root": {"level": "WARNING", "handlers": ["stderr"]},
        "loggers": {
            "lostcities": {"level": level.upper()},
            "gunicorn.error": {"level": level.upper(), "handlers": ["stderr"], "propagate": False},
            # The service logs requests itself.
            "gunicorn.access": {"level": "CRITICAL", "handlers": [], "propagate": False},
        },
    }
