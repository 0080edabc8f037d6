"""A client of the MCP server: the official package's, driven from tests without an event loop of their own."""

import os
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import lostcities
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters

from tests.faults.processes import free_port, until

NAME = re.compile(r"^Game ([a-z-]+-[a-z0-9]{12}):", re.MULTILINE)
CODE = re.compile(r"join-[a-z0-9]{12}")


class Player:
    """A connected client."""

    def __init__(self, client: Client, portal: BlockingPortal, sent: Path | None) -> None:
        self.client = client
        self._portal = portal
        self._sent = sent
        self.game = ""

    @property
    def everything_sent(self) -> str:
        """Every byte that the server has written to its standard output."""
        assert self._sent
        return self._sent.read_text()

    def tools(self) -> dict[str, Any]:
        listed = self._portal.call(self.client.list_tools)
        return {tool.name: tool for tool in listed.tools}

    def call(self, tool: str, **arguments: Any) -> tuple[bool, str]:
        """Whether the call failed, and its text."""
        result = self._portal.call(self.client.call_tool, tool, arguments)
        assert result.structured_content is None, "models read the text"
        return result.is_error, "\n".join(part.text for part in result.content)

    def ask(self, tool: str, **arguments: Any) -> str:
        """The text of a call that succeeds, by default about this player's game."""
        failed, text = self.call(
            tool, **({"game": self.game} if self.game and "game" not in arguments else {}), **arguments
        )
        assert not failed, text
        return text

    def refused(self, tool: str, **arguments: Any) -> str:
        """The text of a call that fails."""
        failed, text = self.call(tool, **arguments)
        assert failed, text
        prefix = f"Error executing tool {tool}: "
        assert text.startswith(prefix), text
        return text.removeprefix(prefix)

    def create(self, variant: str, **wish: Any) -> str:
        """Create a game; it becomes this player's."""
        failed, text = self.call("new_game", variant=variant, **wish)
        assert not failed, text
        (self.game,) = NAME.findall(text)
        return text

    def join(self, code: str) -> str:
        failed, text = self.call("join_game", code=code)
        assert not failed, text
        (self.game,) = NAME.findall(text)
        return text

    def moves(self) -> list[str]:
        return self.ask("legal_moves").splitlines()


@contextmanager
def player(state: Path, *arguments: str, **environment: str) -> Iterator[Player]:
    """A client of a server that runs as its subprocess. `state` is where the server keeps its seats."""
    state.mkdir(exist_ok=True)
    sent = state / f"sent-{len([*state.glob('sent-*')])}"
    command = shlex.join([sys.executable, "-m", "lostcities", "mcp", *arguments])
    source = {"PYTHONPATH": str(Path(lostcities.__file__).parents[1]), "XDG_STATE_HOME": str(state)}
    server = StdioServerParameters(
        command="bash", args=["-c", f"{command} | tee {shlex.quote(str(sent))}"], env={**source, **environment}
    )
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(server)) as client:
        yield Player(client, portal, sent)


@contextmanager
def http_server(state: Path, *arguments: str) -> Iterator[str]:
    """The address of a server that listens on HTTP."""
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "lostcities", "mcp", "--http", f"127.0.0.1:{port}", *arguments],
        env={**os.environ, "XDG_STATE_HOME": str(state)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stderr
        assert f"the MCP server: http://127.0.0.1:{port}/mcp" in server.stderr.readline()
        until(lambda: _accepts(port))
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.terminate()
        server.communicate(timeout=30)


def _accepts(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def http_player(url: str) -> Iterator[Player]:
    """A client of a server that listens on HTTP."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(url)) as client:
        yield Player(client, portal, None)
