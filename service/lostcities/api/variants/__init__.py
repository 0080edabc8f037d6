"""The calls on variants, and on positions and records in the request."""
