"""A connection that is written to without ever waiting for its reader."""

import contextlib
import socket
from typing import Final

KERNEL_BYTES: Final = 64 * 1024
"""What the system may keep for one reader, besides what is kept here: it would be megabytes otherwise."""


class Connection:
    """A socket, and what it has not taken yet."""

    def __init__(self, sock: socket.socket) -> None:
        sock.settimeout(0)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)
        self.socket = sock
        self._rest = b""

    @property
    def is_clear(self) -> bool:
        """Whether everything was taken."""
        return not self._rest

    def write(self, data: bytes) -> None:
        """Send, as far as it is taken now; the rest is kept. Raises `OSError` if the peer is gone."""
        self._rest += data
        self.flush()

    def flush(self) -> None:
        """Send what is kept, as far as it is taken now. Raises `OSError` if the peer is gone."""
        with contextlib.suppress(BlockingIOError):
            while self._rest:
                self._rest = self._rest[self.socket.send(self._rest) :]

    def is_gone(self) -> bool:
        """Whether the peer has hung up. What it says is not listened to."""
        try:
            while self.socket.recv(4096):
                pass
        except BlockingIOError:
            return False
        except OSError:
            pass
        return True

    def close(self) -> None:
        """Hang up; what was taken arrives."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)
        self.socket.close()
