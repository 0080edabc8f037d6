"""Storage of games in Redis, or in the Valkey server that comes with the package."""
