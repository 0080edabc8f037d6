"""A client of the service for the tools: retries, and problems as errors whose text a model can use."""

import asyncio
import uuid
from collections.abc import Mapping
from typing import Any, Final

import httpx2
from mcp.server.mcpserver.exceptions import ToolError

ATTEMPTS: Final = 4
FIRST_PAUSE: Final = 0.2
"""Seconds before the second attempt. The pause doubles with each attempt."""
MAX_PAUSE: Final = 5.0
"""The longest pause in seconds. A longer `Retry-After` is an error for the model instead."""
RETRIED: Final = frozenset((429, 502, 503, 504))
TIMEOUT: Final = httpx2.Timeout(10, read=90)
"""Seconds. A long poll, or an expert that thinks, may take longer than other requests."""

JsonObject = dict[str, Any]


class RefusedRequest(ToolError):
    """The service refused a request. The text is for the model."""

    def __init__(self, problem: JsonObject) -> None:
        super().__init__(f"{problem['code']}: {_details(problem)}")
        self.rule: str | None = problem.get("rule")
        """The code of the rule that a move breaks."""


def _details(problem: JsonObject) -> str:
    """What is wrong, with the place of each error in the request."""
    parts = [
        f"{part['detail']} ({place})" if (place := _place(part)) else part["detail"]
        for part in problem.get("errors", ())
    ]
    return "; ".join(parts) or str(problem["detail"])


def _place(part: JsonObject) -> str | None:
    """The place of an error in the request. A move is all that there is in its request."""
    place = part.get("pointer") or part.get("name")
    return None if place == "/notation" else place


class Service:
    """The service at a URL."""

    def __init__(self, api_key: str | None = None) -> None:
        """:param api_key: is sent to create a game"""
        self._api_key = api_key
        # No idle connections: a service that stops would wait for them.
        self._client = httpx2.AsyncClient(timeout=TIMEOUT, limits=httpx2.Limits(max_keepalive_connections=0))

    async def get(self, url: str, token: str | None = None, **query: object) -> JsonObject:
        """The answer to a GET. Raises `ToolError`."""
        return await self._send("GET", url, _authorization(token), query, None)

    async def post(self, url: str, body: JsonObject, token: str | None = None, **query: object) -> JsonObject:
        """The answer to a POST, which is carried out once, however often it is sent. Raises `ToolError`."""
        headers = {**_authorization(token or self._api_key), "Idempotency-Key": str(uuid.uuid4())}
        return await self._send("POST", url, headers, query, body)

    async def _send(
        self, method: str, url: str, headers: Mapping[str, str], query: Mapping[str, object], body: JsonObject | None
    ) -> JsonObject:
        """Repeat a request that was lost or may succeed later."""
        pause = FIRST_PAUSE
        for attempt in range(1, ATTEMPTS + 1):
            wait = pause
            try:
                response = await self._client.request(
                    method, url, headers=headers, params={name: str(value) for name, value in query.items()}, json=body
                )
                if response.status_code not in RETRIED or attempt == ATTEMPTS:
                    return _read(response)
                wait = max(pause, _retry_after(response))
                if wait > MAX_PAUSE:
                    return _read(response)
            except httpx2.TransportError as error:
                if attempt == ATTEMPTS:
                    raise ToolError(f"the service does not answer: {type(error).__name__}; try again later") from None
            await asyncio.sleep(wait)
            pause *= 2
        raise AssertionError("the last attempt returns or raises")


def _authorization(token: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def _retry_after(response: httpx2.Response) -> float:
    seconds = response.headers.get("Retry-After", "")
    return float(seconds) if seconds.isdigit() else 0.0


def _read(response: httpx2.Response) -> JsonObject:
    """The body of a response. Raises `RefusedRequest` if the request was refused."""
    content_type, _, _ = response.headers.get("Content-Type", "").partition(";")
    if content_type == "application/problem+json":
        raise RefusedRequest(response.json())
    if response.is_success and content_type == "application/json":
        body: JsonObject = response.json()
        return body
    raise ToolError(f"the service answers with the status {response.status_code}; is its address right?")
