"""Sends requests with retries."""
# `openapi/clients/build.py` derives the synchronous module, sync_transport.py, from async_transport.py.

from asyncio import sleep

import httpx

from .transport import RETRIED, Retry, accepted, add_key, complete, is_stream, retry_after


class AsyncTransport(httpx.AsyncBaseTransport):
    """Sends a request until it is answered.

    Every POST has an `Idempotency-Key`, the same one in each attempt: a request whose reply was lost is carried out
    once. A reply counts when its body has arrived, except for a stream, which is returned when it begins.
    """

    def __init__(self, inner: httpx.AsyncBaseTransport, retry: Retry) -> None:
        self._inner = inner
        self._retry = retry

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The reply. An error of the last attempt is raised. The extension `retry` replaces the default."""
        add_key(request)
        retry: Retry = request.extensions.get("retry", self._retry)
        for pause in retry.pauses():
            try:
                response = await self._attempt(request)
            except httpx.TransportError:
                await sleep(pause)
                continue
            if response.status_code not in RETRIED:
                return accepted(response)
            await sleep(retry_after(response) + pause)
        return accepted(await self._attempt(request))

    async def _attempt(self, request: httpx.Request) -> httpx.Response:
        """The response with its body read, or a stream as it is."""
        response = await self._inner.handle_async_request(request)
        if is_stream(response):
            return response
        try:
            return complete(response, b"".join([part async for part in response.aiter_raw()]))
        finally:
            await response.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()
