"""The HTTP layer below the generated functions: keys for safe retries, pauses between them, problems as errors."""

import asyncio
import random
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

RETRIED = frozenset({429, 502, 503, 504})
STREAM = "text/event-stream"


class ProblemError(Exception):
    """The service refused the request. The attributes are those of the problem document (RFC 9457)."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.problem = dict(problem)
        self.code = str(problem.get("code", ""))
        self.detail = str(problem.get("detail", ""))
        super().__init__(f"{status}: {self.code}: {self.detail}")


@dataclass(frozen=True)
class Retry:
    """How often a request is sent, and how long the client waits in between.

    The pause is what `Retry-After` demands, plus a random time that is at most `first * 2**n` seconds and at most
    `longest` seconds.
    """

    attempts: int = 12
    first: float = 0.1
    longest: float = 20.0

    def pauses(self) -> Iterator[float]:
        """A random pause after each attempt but the last."""
        for attempt in range(self.attempts - 1):
            yield random.uniform(0, min(self.longest, self.first * 2**attempt))


class Transport(httpx.BaseTransport):
    """Sends a request until it is answered.

    Every POST has an `Idempotency-Key`, the same one in each attempt: a request whose reply was lost is carried out
    once. A reply counts when its body has arrived, except for a stream, which is returned when it begins.
    """

    def __init__(self, inner: httpx.BaseTransport, retry: Retry) -> None:
        self._inner = inner
        self._retry = retry

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The reply. An error of the last attempt is raised."""
        add_key(request)
        for pause in self._retry.pauses():
            try:
                response = read(self._inner.handle_request(request))
            except httpx.TransportError:
                time.sleep(pause)
                continue
            if response.status_code not in RETRIED:
                return accepted(response)
            time.sleep(retry_after(response) + pause)
        return accepted(read(self._inner.handle_request(request)))

    def close(self) -> None:
        """Close the connections."""
        self._inner.close()


class AsyncTransport(httpx.AsyncBaseTransport):
    """`Transport`, for the generated functions called `asyncio`."""

    def __init__(self, inner: httpx.AsyncBaseTransport, retry: Retry) -> None:
        self._inner = inner
        self._retry = retry

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The reply. An error of the last attempt is raised."""
        add_key(request)
        for pause in self._retry.pauses():
            try:
                response = await aread(await self._inner.handle_async_request(request))
            except httpx.TransportError:
                await asyncio.sleep(pause)
                continue
            if response.status_code not in RETRIED:
                return accepted(response)
            await asyncio.sleep(retry_after(response) + pause)
        return accepted(await aread(await self._inner.handle_async_request(request)))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


def add_key(request: httpx.Request) -> None:
    """Give a POST its `Idempotency-Key`, unless the caller chose one."""
    if request.method == "POST":
        request.headers.setdefault("Idempotency-Key", str(uuid.uuid4()))


def retry_after(response: httpx.Response) -> float:
    """The seconds that `Retry-After` demands: a number, or the time until a date."""
    value = response.headers.get("Retry-After", "0")
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return 0.0


def is_stream(response: httpx.Response) -> bool:
    """Whether the response is a stream of server-sent events."""
    return response.is_success and bool(response.headers.get("Content-Type", "").startswith(STREAM))


def read(response: httpx.Response) -> httpx.Response:
    """The response with its body read, or a stream as it is."""
    if is_stream(response):
        return response
    with_body = complete(response, b"".join(response.iter_raw()))
    response.close()
    return with_body


async def aread(response: httpx.Response) -> httpx.Response:
    """`read`, for an asynchronous response."""
    if is_stream(response):
        return response
    with_body = complete(response, b"".join([part async for part in response.aiter_raw()]))
    await response.aclose()
    return with_body


def complete(response: httpx.Response, body: bytes) -> httpx.Response:
    """The response with a body that was read, still encoded as it was sent."""
    return httpx.Response(
        response.status_code, headers=response.headers, stream=httpx.ByteStream(body), extensions=response.extensions
    )


def accepted(response: httpx.Response) -> httpx.Response:
    """The response. A problem is raised."""
    if response.is_error:
        response.read()
        try:
            problem = response.json()
        except ValueError:
            problem = None
        raise ProblemError(response.status_code, problem if isinstance(problem, dict) else {"detail": response.text})
    return response
