"""The MCP server: with the client of the official package, over stdio and HTTP, as a subprocess."""
