"""A small client of server-sent events."""

import http.client
import json
import socket
import time
from types import TracebackType
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit

PATIENCE = 30.0
"""Seconds that a test waits for a message."""


class Message(NamedTuple):
    """One message. A comment has the kind `:`."""

    kind: str
    id: int | None
    data: Any


class Reader:
    """An open stream."""

    def __init__(
        self,
        url: str,
        path: str,
        token: str | None = None,
        last: int | None = None,
        window: int | None = None,
        source: str = "",
    ) -> None:
        """`last`: the `Last-Event-ID`; `window`: the size of the socket's receive buffer; `source`: the own address."""
        where = urlsplit(url)
        self.socket = socket.socket()
        self.socket.settimeout(PATIENCE)
        if window:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        self.socket.bind((source, 0))
        self.socket.connect((where.hostname, where.port))
        lines = [f"GET {path} HTTP/1.1", f"Host: {where.netloc}", "Accept: text/event-stream"]
        lines += [f"Authorization: Bearer {token}"] if token else []
        lines += [f"Last-Event-ID: {last}"] if last is not None else []
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        self._bytes = b""
        self._response = http.client.HTTPResponse(self.socket, method="GET")
        self._response.begin()
        self.status = self._response.status
        self.headers = dict(self._response.getheaders())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._response.close()
        self.socket.close()

    def fileno(self) -> int:
        return self.socket.fileno()

    def _next_block(self) -> bytes | None:
        """The text before the next empty line; `None` at the end of the stream."""
        while b"\n\n" not in self._bytes:
            try:
                more = self._response.read1(65536)
            except (http.client.IncompleteRead, ConnectionResetError):
                more = b""  # the service closed the connection
            if not more:
                return None
            self._bytes += more
        found, self._bytes = self._bytes.split(b"\n\n", 1)
        return found

    def next(self, *, comments: bool = False) -> Message | None:
        """The next message; `None` at the end of the stream."""
        while (block := self._next_block()) is not None:
            message = parse(block.decode())
            if message.kind != "retry" and (comments or message.kind != ":"):
                return message
        return None

    def until(self, version: int) -> list[Message]:
        """The messages up to the event of that version."""
        found: list[Message] = []
        while not found or found[-1].id != version:
            message = self.next()
            assert message, f"the stream ended before version {version}: {found}"
            found.append(message)
        return found

    def rest(self) -> list[Message]:
        """All messages until the service ends the stream."""
        deadline = time.monotonic() + PATIENCE
        found: list[Message] = []
        while message := self.next():
            found.append(message)
            assert time.monotonic() < deadline, found
        return found


def parse(block: str) -> Message:
    """One block of lines between empty lines."""
    if block.startswith(":"):
        return Message(":", None, block[1:])
    fields = dict(line.split(": ", 1) for line in block.split("\n"))
    if "retry" in fields:
        return Message("retry", None, int(fields["retry"]))
    number = int(fields["id"]) if "id" in fields else None
    return Message(fields["event"], number, json.loads(fields["data"]))


def messages(body: bytes) -> list[Message]:
    """All messages of a complete stream."""
    *blocks, rest = body.decode().split("\n\n")
    assert rest == ""
    return [parse(block) for block in blocks]
