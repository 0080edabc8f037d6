"""`lostcities mcp`: runs the MCP server over standard input and output, or over HTTP."""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Final

from lostcities.mcp.embedded import EmbeddedService

API_KEY_VARIABLE: Final = "LOSTCITIES_API_KEY"
"""An API key, for a service that creates games only with one."""


def run(url: str | None, http: tuple[str, int] | None, *, hide_legal_moves: bool) -> None:
    """Serve until the client closes standard input, or the process is stopped.

    :param url: the service to use; an embedded one without
    :param http: the host and port to serve on; standard input and output without
    """
    signal.signal(signal.SIGTERM, _exit)
    with ExitStack() as stack:
        embedded = None if url else stack.enter_context(EmbeddedService())
        # The imports take a second, in which the embedded service starts.
        from lostcities.mcp.seats import Seats, default_folder
        from lostcities.mcp.service import Service
        from lostcities.mcp.tools import Tools

        find_url: Callable[[], str] = (lambda: embedded.url) if embedded else (lambda: str(url).rstrip("/"))
        tools = Tools(
            find_url,
            Service(os.environ.get(API_KEY_VARIABLE)),
            Seats(default_folder()),
            hide_legal_moves=hide_legal_moves,
        )
        if http is None:
            tools.server().run()
        else:
            host, port = http
            # Standard output belongs to the protocol in the other case, so people read standard error in both.
            print(f"the MCP server: http://{host}:{port}/mcp, for games at {find_url()}", file=sys.stderr, flush=True)
            tools.server().run("streamable-http", host=host, port=port)


def _exit(*_: Any) -> None:
    """On SIGTERM leave the `with` block, which stops the embedded service."""
    sys.exit(128 + signal.SIGTERM)
