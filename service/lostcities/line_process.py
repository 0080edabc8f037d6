"""Commands that answer lines: they read a line from standard input and write a line to standard output, in turn.

Players of `lostcities arena` and engines of `lostcities corpus check` are such commands. A command that ends, hangs or
writes something else is a `CommandFailed` with a sentence.
"""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import Final

TIMEOUT: Final = 60.0
"""Seconds that a command has for an answer, unless the caller says otherwise."""
STOP_SECONDS: Final = 5.0
"""Seconds that a command has to end after the end of its input."""
MAX_LINE: Final = 1_000_000
"""Bytes of an answer."""
MAX_SHOWN: Final = 100
"""Bytes of a wrong answer in a message."""
CHUNK: Final = 65_536


class CommandFailed(Exception):
    """A command cannot be started, or gives no answer; the message says why."""


class LineProcess:
    """A running command."""

    def __init__(self, command: Sequence[str], timeout: float = TIMEOUT) -> None:
        """Start the command. Raises `CommandFailed`.

        :param command: a program and its arguments
        :param timeout: seconds for each answer
        """
        self._timeout = timeout
        self._unread = b""
        try:
            # In a group of its own, so that the children of a shell script are ended, too.
            self._process = subprocess.Popen(  # noqa: S603  (the user's own command)
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, process_group=0
            )
        except (OSError, ValueError, IndexError) as error:
            raise CommandFailed(f"cannot be started: {getattr(error, 'strerror', None) or error}") from None
        assert self._process.stdin and self._process.stdout  # noqa: S101, PT018  (both are pipes)
        self._input, self._output = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._input, False)

    def ask(self, line: str) -> str:
        """The answer to a line. Both have no line break. Raises `CommandFailed`."""
        deadline = time.monotonic() + self._timeout
        if self._unread:
            raise CommandFailed(f"wrote more than one line as an answer: {_shown(self._unread)}")
        left = f"{line}\n".encode()
        with selectors.DefaultSelector() as ready:
            ready.register(self._output, selectors.EVENT_READ)
            ready.register(self._input, selectors.EVENT_WRITE)
            while b"\n" not in self._unread:
                for key, _ in ready.select(max(0.0, deadline - time.monotonic())):
                    if key.fd == self._output:
                        self._read()
                    elif left := left[self._write(left) :]:
                        pass
                    else:
                        ready.unregister(self._input)
                if time.monotonic() > deadline:
                    self._kill()
                    raise CommandFailed(f"gave no answer within {self._timeout:g} s")
        answer, _, self._unread = self._unread.partition(b"\n")
        try:
            return answer.decode()
        except UnicodeDecodeError:
            raise CommandFailed(f"wrote a line that is not UTF-8: {_shown(answer)}") from None

    def _write(self, data: bytes) -> int:
        """Write a part of the data, and return its length. What a command that has ended would read is dropped."""
        try:
            return os.write(self._input, data)
        except BrokenPipeError:
            return len(data)

    def _read(self) -> None:
        data = os.read(self._output, CHUNK)
        if not data:
            self.close()
            raise CommandFailed(f"ended without an answer, with exit code {self._process.returncode}")
        self._unread += data
        if len(self._unread) > MAX_LINE:
            raise CommandFailed(f"wrote more than {MAX_LINE:,} bytes: {_shown(self._unread)}")

    def close(self) -> None:
        """End the command by the end of its input, and by a signal if it goes on."""
        assert self._process.stdin and self._process.stdout  # noqa: S101, PT018  (both are pipes)
        self._process.stdin.close()
        self._process.stdout.close()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._kill()

    def _kill(self) -> None:
        """End the command and its children."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def _shown(data: bytes) -> str:
    """The beginning of what a command wrote."""
    return f"'{data[:MAX_SHOWN].decode(errors='backslashreplace').strip()}'"
