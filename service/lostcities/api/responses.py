"""Responses: JSON made by a fast encoder, with the cache headers that every call has in common."""

from collections.abc import Callable
from typing import Any

from flask import Response, request

from lostcities.api.json_provider import encode
from lostcities.api.request import has_authorization, has_version


def json_response(data: Any, status: int = 200, **headers: str) -> Response:
    """Plain data as JSON."""
    return bytes_response(encode(data), "application/json", status, **headers)


def bytes_response(body: bytes, content_type: str, status: int = 200, **headers: str) -> Response:
    """A complete body. Caches must not keep what a token gives access to."""
    is_private = has_authorization() or request.method not in ("GET", "HEAD")
    headers["Cache-Control"] = "no-store" if is_private else "no-cache"
    return Response(body, status, headers, content_type=content_type)


def conditional_response(etag: str, build: Callable[[], Any]) -> Response:
    """The data with its ETag, or 304 if the caller has it already. Then `build` is not called."""
    return not_modified(etag) or json_response(build(), ETag=etag)


def not_modified(etag: str, **headers: str) -> Response | None:
    """A 304 response if `If-None-Match` names the ETag."""
    return Response(status=304, headers={"ETag": etag, **headers}) if has_version(etag) else None
