r"""The wire format of server-sent events.

>>> message("event", b"{}", 7)
b'id: 7\nevent: event\ndata: {}\n\n'
"""

from typing import Final

RETRY_MILLISECONDS: Final = 2000
"""The delay before a browser reconnects a broken stream."""

RETRY: Final = b"retry: %d\n\n" % RETRY_MILLISECONDS
HEARTBEAT: Final = b":\n\n"


def message(event: str, data: bytes, version: int | None = None) -> bytes:
    """One message; `data` is a single line. A client resumes after the last `version` that it received."""
    name = b"" if version is None else b"id: %d\n" % version
    return b"%sevent: %s\ndata: %s\n\n" % (name, event.encode(), data)


FINISHED: Final = message("end", b'{"reason":"finished"}')
GONE: Final = message("end", b'{"reason":"gone"}')
REVOKED: Final = message("end", b'{"reason":"revoked"}')
