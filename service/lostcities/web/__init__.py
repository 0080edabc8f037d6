"""Web pages (the table, the API documentation) and response headers for browsers."""
