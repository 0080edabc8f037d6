"""Where games are kept: Redis, or the Valkey server that comes with the package."""
