"""A connection to the service, for the generated functions and for the games."""

import httpx

from .async_transport import AsyncTransport
from .contract import AuthenticatedClient
from .sync_transport import Transport
from .transport import USER_AGENT, Retry

TIMEOUT = 60.0
"""Seconds without data after which an attempt is given up. Long polls and silent streams send data sooner."""
DEFAULT_RETRY = Retry()


def connect(
    url: str, token: str | None = None, *, language: str | None = None, retry: Retry = DEFAULT_RETRY
) -> AuthenticatedClient:
    """A client for the generated functions, with retries. A problem is raised as `ProblemError`.

    `token` is a token of a game or, to create games, an API key. `language` is the language of the service's
    sentences, such as the details of problems: `de`, or several as in `Accept-Language`. By default they are English.
    """
    base = url.rstrip("/")
    headers = {
        "User-Agent": USER_AGENT,
        **({"Authorization": f"Bearer {token}"} if token else {}),
        **({"Accept-Language": language} if language else {}),
    }
    tls = httpx.create_ssl_context()
    client = AuthenticatedClient(base_url=base, token=token or "")
    return client.set_httpx_client(
        httpx.Client(
            base_url=base,
            headers=headers,
            timeout=TIMEOUT,
            transport=Transport(httpx.HTTPTransport(verify=tls), retry),
        )
    ).set_async_httpx_client(
        httpx.AsyncClient(
            base_url=base,
            headers=headers,
            timeout=TIMEOUT,
            transport=AsyncTransport(httpx.AsyncHTTPTransport(verify=tls), retry),
        )
    )
