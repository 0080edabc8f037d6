r"""Server-sent events, as they are written.

>>> message("event", b"{}", 7)
b'id: 7\nevent: event\ndata: {}\n\n'
"""

from typing import Final

RETRY_MILLISECONDS: Final = 2000
"""How long a browser waits before it opens a broken stream again."""

RETRY: Final = b"retry: %d\n\n" % RETRY_MILLISECONDS
HEARTBEAT: Final = b":\n\n"


def message(event: str, data: bytes, version: int | None = None) -> bytes:
    """One message. The data are one line. A version is what its reader resumes from."""
    name = b"" if version is None else b"id: %d\n" % version
    return b"%sevent: %s\ndata: %s\n\n" % (name, event.encode(), data)


FINISHED: Final = message("end", b'{"reason":"finished"}')
GONE: Final = message("end", b'{"reason":"gone"}')
