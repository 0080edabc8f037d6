"""The log: one JSON object on each line, on the standard error output.

No token and no hidden card is ever in it: of a request only its route is told, not its path, query, headers or body,
and of an unexpected error only its type and where it happened, because its message may quote the position.
"""

import logging
import os
import time
import traceback
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

_encode: Final = msgspec.json.Encoder().encode


def _line(at: float, level: str, logger: str, message: str, facts: Mapping[str, Any]) -> bytes:
    moment = datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
    return _encode({"time": moment, "level": level, "logger": logger, "message": message, **facts})


_RECORD: Final = logging.LogRecord("", logging.INFO, __file__, 0, "", None, None).__dict__
"""What no two records made by `tell` differ in."""


def tell(logger: logging.Logger, message: str, facts: Mapping[str, Any]) -> None:
    """Log facts at level `info`, without finding out which line of which thread does: that would cost the most."""
    if logger.isEnabledFor(logging.INFO):
        record = logging.LogRecord.__new__(logging.LogRecord)
        record.__dict__.update(_RECORD, name=logger.name, msg=message, created=time.time(), facts=facts)
        logger.handle(record)


class Json(logging.Formatter):
    """A record as a line of JSON, with the `facts` it was given."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        facts = getattr(record, "facts", {})
        if record.exc_info and record.exc_info[1]:
            facts = {**facts, "trace": [*_trace(record.exc_info[1])]}
        return _line(record.created, record.levelname.lower(), record.name, record.getMessage(), facts).decode()


class Lines(logging.Handler):
    """Writes each record at once, as a line on the standard error output: one call of the system, without a lock."""

    def handle(self, record: logging.LogRecord) -> bool:
        """Write it."""
        os.write(2, (self.format(record) + "\n").encode())
        return True


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
            "lines": {"()": Lines, "formatter": "json"},
        },
        "root": {"level": "WARNING", "handlers": handlers},
        "loggers": {
            "service": {"level": level.upper()},
            "gunicorn.error": {"level": level.upper(), "handlers": handlers, "propagate": False},
            "gunicorn.access": {"level": "CRITICAL", "handlers": [], "propagate": False},
        },
    }
