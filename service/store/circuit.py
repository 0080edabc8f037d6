"""A circuit: whoever is known to be away is not asked, except by one call at a time that finds out."""

import threading
import time
from collections.abc import Callable
from typing import Final

PAUSE_SECONDS: Final = 0.25
"""How long a server that failed is left alone before one call tries it again."""
TRIAL_SECONDS: Final = 1.0
"""How long that call has the server to itself, unless it reports its end before."""


class Circuit:
    """Open while its server is away, closed otherwise.

    >>> now = 0.0
    >>> circuit = Circuit(clock=lambda: now)
    >>> circuit.failed()
    >>> circuit.admits()
    False
    >>> now = 1.0
    >>> circuit.admits(), circuit.admits()  # one call finds out whether the server is back
    (True, False)
    >>> circuit.worked()
    >>> circuit.admits(), circuit.admits()
    (True, True)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._shut_until: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether the last call failed."""
        return self._shut_until is not None

    def admits(self) -> bool:
        """Whether a call may be made now. The one that is let through an open circuit must report its end."""
        if not self.is_open:
            return True
        with self._lock:
            shut_until = self._shut_until
            if shut_until is None:
                return True
            if self._clock() < shut_until:
                return False
            self._shut_until = self._clock() + TRIAL_SECONDS
            return True

    def worked(self) -> None:
        """The server answered."""
        self._shut_until = None

    def failed(self) -> None:
        """The server did not answer."""
        with self._lock:
            self._shut_until = self._clock() + PAUSE_SECONDS
