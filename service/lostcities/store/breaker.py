"""Circuit breaker: while a server is known to be down, only one probe call at a time reaches it."""

import threading
import time
from collections.abc import Callable
from typing import Final

FAILURES: Final = 3
"""Failures in a row that open the breaker, if they are spread over `FAILING_SECONDS`."""
FAILING_SECONDS: Final = 0.25
"""After a pause of this process many calls fail at once on a healthy server: these open no breaker."""
OPEN_SECONDS: Final = 0.25
"""Seconds after a failure before a probe is allowed."""
PROBE_SECONDS: Final = 1.0
"""Seconds after which another probe is allowed if the last one has not reported its result."""


class CircuitBreaker:
    """Open after some failures in a row, closed after a success.

    >>> now = 0.0
    >>> breaker = CircuitBreaker(clock=lambda: now)
    >>> [breaker.record_failure() for _ in range(2 * FAILURES)]  # all at once
    [False, False, False, False, False, False]
    >>> now = 0.5
    >>> breaker.record_failure()
    True
    >>> breaker.allow()
    False
    >>> now = 1.5
    >>> breaker.allow(), breaker.allow()  # one probe
    (True, False)
    >>> breaker.record_success()  # closes it
    True
    >>> breaker.allow(), breaker.allow()
    (True, True)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        """Failures since the last success."""
        self._failing_since = 0.0
        """The time of the first of them."""
        self._probe_at = 0.0
        """The time from which a probe is allowed, while open."""
        self.is_open = False
        """Whether the server is taken to be down."""

    def allow(self) -> bool:
        """Whether a call may be made now. A call that is allowed must report its result."""
        if not self.is_open:
            return True
        with self._lock:
            if self._clock() < self._probe_at:
                return False
            self._probe_at = self._clock() + PROBE_SECONDS
            return True

    def record_success(self) -> bool:
        """Close the breaker; whether it was open."""
        was_open, self.is_open = self.is_open, False
        self._failures = 0
        return was_open

    def record_failure(self) -> bool:
        """Count a failure; whether this one has opened the breaker."""
        with self._lock:
            now, was_open = self._clock(), self.is_open
            if self._failures == 0:
                self._failing_since = now
            self._failures += 1
            self._probe_at = now + OPEN_SECONDS
            self.is_open = was_open or (self._failures >= FAILURES and now - self._failing_since >= FAILING_SECONDS)
            return self.is_open and not was_open
