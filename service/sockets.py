"""Sockets whose calls the system ends."""

import socket
import struct
from typing import Any


def give_up_after(sock: Any, seconds: float) -> None:
    """Have the system end every call that reads or sends and takes longer: Python's own timeouts cost a call each."""
    limit = struct.pack("ll", int(seconds), int(seconds % 1 * 1_000_000))
    for side in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
        sock.setsockopt(socket.SOL_SOCKET, side, limit)
