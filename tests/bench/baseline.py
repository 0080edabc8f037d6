"""The bare stack: a minimal Flask application without rules, the upper limit for the service's request rate.

(a) answers constant JSON of a given size; (b) also reads a value from Redis; (c) also writes it back by a
compare-and-set script.
"""

from functools import cache
from typing import Any, Final

import redis
from flask import Flask, Response, request
from lostcities.config import Settings

COMPARE_AND_SET: Final = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1
"""


@cache
def json_of(size: int) -> bytes:
    """A JSON document of `size` bytes.

    >>> json_of(16)
    b'{"answer":"xxx"}'
    """
    empty = b'{"answer":""}'
    return empty.replace(b'""', b'"' + b"x" * (size - len(empty)) + b'"')


def create_baseline(settings: Settings) -> Flask:
    """The application on the store that the settings name."""
    app = Flask(__name__)
    pool = redis.ConnectionPool.from_url(str(settings.redis_url), max_connections=100)
    store: Any = redis.Redis(connection_pool=pool)
    compare_and_set = store.register_script(COMPARE_AND_SET)

    @app.get("/a/<int:size>")
    def get_static(size: int) -> Response:
        return Response(json_of(size), content_type="application/json")

    @app.post("/a/<int:size>")
    def post_static(size: int) -> Response:
        request.get_data()
        return Response(json_of(size), content_type="application/json")

    @app.get("/b/<int:size>/<key>")
    def get_read(size: int, key: str) -> Response:
        store.get(key)
        return Response(json_of(size), content_type="application/json")

    @app.post("/b/<int:size>/<key>")
    def post_read(size: int, key: str) -> Response:
        request.get_data()
        store.get(key)
        return Response(json_of(size), content_type="application/json")

    @app.post("/c/<int:size>/<key>")
    def post_written(size: int, key: str) -> Response:
        request.get_data()
        value = store.get(key)
        compare_and_set(keys=[key], args=[value, value])
        return Response(json_of(size), content_type="application/json")

    return app
