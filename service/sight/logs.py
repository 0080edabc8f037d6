"""The log: one JSON object on each line, on the standard error output.

No token and no hidden card is ever in it: of a request only its route is told, not its path, query, headers or body,
and of an unexpected error only its type and where it happened, because its message may quote the position.
"""

import logging
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec


class Json(logging.Formatter):
    """A record as a line of JSON, with the `facts` it was given."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info and record.exc_info[1]:
            line["trace"] = [*_trace(record.exc_info[1])]
        return msgspec.json.encode(line).decode()


def _trace(error: BaseException) -> Iterator[str]:
    """The error and its causes: the type of each, and the places it came through."""
    chain: BaseException | None = error
    while chain:
        yield type(chain).__qualname__
        for frame in traceback.extract_tb(chain.__traceback__):
            yield f"{frame.filename}:{frame.lineno} {frame.name}"
        chain = chain.__cause__ or chain.__context__


def configuration(level: str) -> dict[str, Any]:
    """For `logging.config.dictConfig`, gunicorn's own messages included."""
    handlers = ["lines"]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": Json}},
        "handlers": {
            "lines": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stderr"},
        },
        "root": {"level": "WARNING", "handlers": handlers},
        "loggers": {
            "service": {"level": level.upper()},
            "gunicorn.error": {"level": level.upper(), "handlers": handlers, "propagate": False},
            "gunicorn.access": {"level": "CRITICAL", "handlers": [], "propagate": False},
        },
    }
