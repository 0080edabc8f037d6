"""What every request and response goes through: keys for safe retries, pauses between them, problems as errors."""

import random
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from .contract import VERSION, Problem

RETRIED = frozenset({429, 502, 503, 504})
STREAM = "text/event-stream"
PROBLEM = "application/problem+json"
USER_AGENT = f"lostcities-client/{VERSION} python-httpx/{httpx.__version__}"
WITHOUT_HEADER = "1.0.0"
"""The version of a service that does not send `API-Version`."""


class ProblemDocument(Problem):
    """Why the request was refused (RFC 9457). The members are attributes, and items as well: `problem["rule"]`."""

    def __getitem__(self, key: str) -> Any:
        return self.to_dict()[key]

    def __contains__(self, key: str) -> bool:
        return key in self.to_dict()

    def get(self, key: str, default: Any = None) -> Any:
        """The member, or the default if the problem does not have it."""
        return self.to_dict().get(key, default)


class ProblemError(Exception):
    """The service refused the request."""

    def __init__(self, status: int, problem: ProblemDocument, retry_after: float = 0.0) -> None:
        self.status = status
        self.problem = problem
        self.retry_after = retry_after
        """The seconds that `Retry-After` demands."""
        self.code = problem.code
        self.detail = problem.detail
        super().__init__(f"{status}: {self.code}: {self.detail}")


class OutdatedServiceError(Exception):
    """The service is older than the contract that this package was built from."""

    def __init__(self, service: str, needed: str) -> None:
        self.service = service
        self.needed = needed
        super().__init__(
            f"the service has version {service} of the API and this client was built for {needed}: "
            f"update the service, or install version {service} of the client"
        )


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


def has_type(response: httpx.Response, media_type: str) -> bool:
    """Whether the body of the response is of this type."""
    return bool(response.headers.get("Content-Type", "").startswith(media_type))


def is_stream(response: httpx.Response) -> bool:
    """Whether the response is a stream of server-sent events."""
    return response.is_success and has_type(response, STREAM)


def complete(response: httpx.Response, body: bytes) -> httpx.Response:
    """The response with a body that was read, still encoded as it was sent."""
    return httpx.Response(
        response.status_code, headers=response.headers, stream=httpx.ByteStream(body), extensions=response.extensions
    )


def accepted(response: httpx.Response) -> httpx.Response:
    """The response. A problem is raised, and so is the version of a service that is too old."""
    check_version(response)
    if response.is_error:
        raise ProblemError(response.status_code, problem_in(response), retry_after(response))
    return response


def problem_in(response: httpx.Response) -> ProblemDocument:
    """The problem document. What a proxy sends instead of one is the detail of a problem without a code."""
    response.read()
    document = response.json() if has_type(response, PROBLEM) else {}
    title, detail = response.reason_phrase, response.text
    without_code = {"type": "about:blank", "title": title, "status": response.status_code, "code": "", "detail": detail}
    return ProblemDocument.from_dict({**without_code, "request_id": "", **document})


def check_version(response: httpx.Response, needed: str = VERSION) -> None:
    """Raise `OutdatedServiceError` if the service is older than needed. A patch version changes no contract.

    A proxy's own response has no version. What the service sent has an `X-Request-Id`.
    """
    is_from_service = "X-Request-Id" in response.headers and (response.is_success or has_type(response, PROBLEM))
    version = response.headers.get("API-Version", WITHOUT_HEADER if is_from_service else needed)
    if is_older(version, needed):
        raise OutdatedServiceError(version, needed)


def is_older(version: str, needed: str) -> bool:
    """Whether the major and minor version are older. A text that is no version is not.

    >>> is_older("1.9.0", "1.10.0"), is_older("1.10.0", "1.10.1"), is_older("v1", "1.10.0")
    (True, False, False)
    """
    found, least = ([int(number) for number in text.split(".")[:2] if number.isdecimal()] for text in (version, needed))
    return len(found) == len(least) and found < least
