"""Runs the bots' computations: in turns that go round by client address, with pauses for other requests.

In a process one computation runs at a time, in slices of about a millisecond. After a slice the process serves other
requests, and the turn passes to the next address that waits. So a request that needs no bot waits for one slice, and an
address that asks for twenty computations delays another address as one computation would. A computation that ends at
its first step (the levels `random` and `greedy`) needs no turn.

Nothing is remembered after a request. If a result served another caller too, a fast answer would show that the same
question was asked before: a player could ask about many hands, and learn from the times which one another seat holds.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, TypeVar

from lostcities.bots.core import Thinking
from lostcities.games.opponents import Think

SLICE_SECONDS: Final = 0.001
"""How long a computation runs without a pause, apart from a step that takes longer."""

T = TypeVar("T")


class TooMuchThinking(Exception):
    """As many requests as allowed are waiting for bots in this process."""


class TooMuchThinkingForAddress(Exception):
    """As many requests of this address as allowed are waiting for bots in this process."""


class Bounds(NamedTuple):
    """How many requests may think, or wait for their turn, at the same time."""

    process: int
    address: int


def _nothing() -> None:
    pass


class Thinkers:
    """The computations of one process."""

    def __init__(
        self,
        bounds: Bounds,
        *,
        address: Callable[[], str] = str,
        pause: Callable[[], None] = _nothing,
        admit: Callable[[], None] = _nothing,
        charge: Callable[[float], None] = lambda _: None,
        on_result: Callable[[float], None] = lambda _: None,
    ) -> None:
        """Nothing runs yet.

        :param address: returns the client address of the current request
        :param pause: lets the process do other work
        :param admit: called before the first computation of a request that takes a turn; raises to refuse the request
        :param charge: called after each computation that took turns, with the seconds of CPU time that it used
        :param on_result: called with the duration of each computation that took turns
        """
        self._bounds = bounds
        self._address = address
        self._pause = pause
        self._admit = admit
        self._charge = charge
        self._on_result = on_result
        self._requests: Counter[str] = Counter()
        self._turns = _Turns()

    @contextmanager
    def request(self) -> Iterator[Think]:
        """The computations of one request, of which the first one may be refused.

        Their results are kept until the request ends: a move whose write came too late is applied again.
        """
        address: str | None = None
        results: dict[Hashable, Any] = {}

        def think(question: Hashable, begin: Callable[[], Thinking[T]]) -> T:
            nonlocal address
            if question in results:
                known: T = results[question]
                return known
            thinking = begin()
            try:
                next(thinking)
            except StopIteration as finished:
                return finished.value  # type: ignore[no-any-return]
            if address is None:
                address = self._enter()
            result = self._run(thinking, address)
            results[question] = result
            return result

        try:
            yield think
        finally:
            if address is not None:
                self._leave(address)

    def _enter(self) -> str:
        """Count the request. Raises `TooMuchThinking`, `TooMuchThinkingForAddress`, and what `admit` raises."""
        address = self._address()
        if self._requests[address] >= self._bounds.address:
            raise TooMuchThinkingForAddress
        if self._requests.total() >= self._bounds.process:
            raise TooMuchThinking
        self._requests[address] += 1  # before `admit`, which may let other requests in
        try:
            self._admit()
        except BaseException:
            self._leave(address)
            raise
        return address

    def _leave(self, address: str) -> None:
        self._requests[address] -= 1
        if not self._requests[address]:
            del self._requests[address]

    def _run(self, thinking: Thinking[T], address: str) -> T:
        seconds = 0.0
        try:
            with self._turns.take(address) as turn:
                began = time.perf_counter()
                while True:
                    slice_began = time.thread_time()
                    try:
                        _run_slice(thinking)
                    except StopIteration as finished:
                        self._on_result(time.perf_counter() - began)
                        return finished.value  # type: ignore[no-any-return]
                    finally:
                        seconds += time.thread_time() - slice_began
                    self._pause()
                    self._turns.pass_on(turn)
        finally:
            self._charge(seconds)


def _run_slice(thinking: Thinking[Any]) -> None:
    """Run a computation for a slice. Raises `StopIteration` with the result."""
    slice_end = time.perf_counter() + SLICE_SECONDS
    while time.perf_counter() < slice_end:
        next(thinking)


# Turns -----------------------------------------------------------------------------------------------------------


class _Turn:
    """A computation that runs or waits."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.is_called = threading.Event()


class _Turns:
    """Lets one computation run at a time. Turns go round by address; within an address the first come is first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: _Turn | None = None
        self._waiting: dict[str, list[_Turn]] = {}
        """By address, the next one first. An address without waiting computations has no entry."""

    @contextmanager
    def take(self, address: str) -> Iterator[_Turn]:
        """Wait for a turn, and have turns during a `with` block."""
        turn = _Turn(address)
        try:
            with self._lock:
                self._waiting.setdefault(address, []).append(turn)
                if self._running is None:
                    self._call_next()
            turn.is_called.wait()
            yield turn
        finally:
            with self._lock:
                if self._running is turn:
                    self._call_next()
                else:  # the wait was interrupted
                    self._waiting[address].remove(turn)
                    if not self._waiting[address]:
                        del self._waiting[address]

    def pass_on(self, turn: _Turn) -> None:
        """Let a computation of the next address run, if one waits, and wait for the next turn."""
        with self._lock:
            if not self._waiting.keys() - {turn.address}:
                return
            turn.is_called.clear()
            self._waiting[turn.address] = [turn, *self._waiting.pop(turn.address, ())]
            self._call_next()
        turn.is_called.wait()

    def _call_next(self) -> None:
        """Give the turn to the next address. If more of its computations wait, it is then the last one."""
        self._running = None
        if self._waiting:
            address = next(iter(self._waiting))
            self._running, *others = self._waiting.pop(address)
            if others:
                self._waiting[address] = others
            self._running.is_called.set()
