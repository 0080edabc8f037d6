"""A Model Context Protocol server: language models play the games with it. It needs the extra `mcp`."""
