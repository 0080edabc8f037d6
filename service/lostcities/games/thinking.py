"""Runs the bots' computations, with pauses in which the process serves other requests.

In a process one computation runs at a time, in slices of about a millisecond; the others wait for their turn. So a
request that needs no bot waits for one slice, however many bots think. A computation that ends at its first step (the
levels `random` and `greedy`) needs no turn.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Protocol, TypeVar

from lostcities.bots.core import Thinking
from lostcities.games.opponents import Think

SLICE_SECONDS: Final = 0.001
"""How long a computation runs without a pause, apart from a step that takes longer."""
RECENT: Final = 256
"""Results that are kept: a retried request, and one whose write came too late, do not compute them again."""

T = TypeVar("T")


class TooMuchThinking(Exception):
    """As many requests as allowed are waiting for bots in this process."""


def _nothing() -> None:
    pass


def _no_limit(*, is_first: bool) -> None:
    del is_first


class Count(Protocol):
    """Counts a computation."""

    def __call__(self, *, is_first: bool) -> None:
        """Called before it takes its turn. May raise for the first one of a request."""


class Thinkers:
    """The computations of one process."""

    def __init__(
        self,
        limit: int = 8,
        *,
        pause: Callable[[], None] = _nothing,
        count: Count = _no_limit,
        on_result: Callable[[float], None] = lambda _: None,
    ) -> None:
        """Nothing runs yet.

        :param limit: how many requests may think, or wait for their turn, at the same time
        :param pause: lets the process do other work
        :param count: called before each computation that takes a turn
        :param on_result: called with the duration of each computation that took a turn
        """
        self._limit = limit
        self._pause = pause
        self._count = count
        self._on_result = on_result
        self._requests = 0
        self._turn = threading.Lock()
        self._recent: OrderedDict[Hashable, Any] = OrderedDict()

    @contextmanager
    def request(self) -> Iterator[Think]:
        """The computations of one request, of which the first one may raise `TooMuchThinking`."""
        is_counted = False

        def think(question: Hashable, begin: Callable[[], Thinking[T]]) -> T:
            nonlocal is_counted
            if question in self._recent:
                known: T = self._recall(question)
                return known
            thinking = begin()
            try:
                next(thinking)
            except StopIteration as finished:
                return finished.value  # type: ignore[no-any-return]
            if is_counted:
                self._count(is_first=False)
            else:
                self._enter()
                is_counted = True
            return self._take_turn(question, thinking)

        try:
            yield think
        finally:
            self._requests -= is_counted

    def _enter(self) -> None:
        if self._requests >= self._limit:
            raise TooMuchThinking
        self._requests += 1  # before counting, which may let other requests in
        try:
            self._count(is_first=True)
        except BaseException:
            self._requests -= 1
            raise

    def _take_turn(self, question: Hashable, thinking: Thinking[T]) -> T:
        with self._turn:
            if question in self._recent:  # by a request that had its turn before
                known: T = self._recall(question)
                return known
            started = time.perf_counter()
            result = self._run(thinking)
            self._on_result(time.perf_counter() - started)
        self._recent[question] = result
        while len(self._recent) > RECENT:
            self._recent.popitem(last=False)
        return result

    def _recall(self, question: Hashable) -> Any:
        self._recent.move_to_end(question)
        return self._recent[question]

    def _run(self, thinking: Thinking[T]) -> T:
        slice_end = time.perf_counter() + SLICE_SECONDS
        while True:
            try:
                next(thinking)
            except StopIteration as finished:
                return finished.value  # type: ignore[no-any-return]
            if time.perf_counter() >= slice_end:
                self._pause()
                slice_end = time.perf_counter() + SLICE_SECONDS
