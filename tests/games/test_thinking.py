"""The runner of the bots' computations: turns by address, pauses, bounds, and nothing that is remembered."""

import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from lostcities.bots.core import Thinking
from lostcities.games.thinking import (
    SLICE_SECONDS,
    Bounds,
    Thinkers,
    TooMuchThinking,
    TooMuchThinkingForAddress,
)

DEADLINE = 20
ROOM = Bounds(process=9, address=9)


def steps(result: Any, count: int) -> Thinking[Any]:
    """A computation with that many steps."""
    for _ in range(count):
        yield
    return result


def long_steps(count: int, log: list[str] | None = None, name: str = "") -> Thinking[str]:
    """A computation whose steps are longer than a slice. Each is logged."""
    for _ in range(count):
        if log is not None:
            log.append(name)
        threading.Event().wait(2 * SLICE_SECONDS)
        yield
    return "result"


class Held:
    """A computation that is held after its first step until it is released."""

    def __init__(self) -> None:
        self.began, self.released = threading.Event(), threading.Event()

    def __call__(self) -> Iterator[None]:
        yield
        self.began.set()
        assert self.released.wait(DEADLINE)
        yield


class Addressed:
    """Thinkers whose requests come from the address that each thread has set."""

    def __init__(self, bounds: Bounds = ROOM, **callables: Any) -> None:
        self._local = threading.local()
        self.thinkers = Thinkers(bounds, address=lambda: self._local.address, **callables)

    def think(self, address: str, *begins: Any) -> list[Any]:
        """The results of a request from that address."""
        self._local.address = address
        with self.thinkers.request() as think:
            return [think(number, begin) for number, begin in enumerate(begins)]

    def start(self, address: str, *begins: Any) -> threading.Thread:
        """The same in a thread."""
        thread = threading.Thread(target=lambda: self.think(address, *begins))
        thread.start()
        return thread

    def wait_for(self, *queues: tuple[str, int]) -> None:
        """Wait until so many computations of each address wait for their turn."""
        deadline = time.monotonic() + DEADLINE
        while {address: len(turns) for address, turns in [*self.thinkers._turns._waiting.items()]} != dict(queues):
            assert time.monotonic() < deadline
            time.sleep(0.001)


def ended(*threads: threading.Thread) -> None:
    for thread in threads:
        thread.join(DEADLINE)
        assert not thread.is_alive()


def test_a_result_is_returned_with_pauses_in_between() -> None:
    pauses: list[None] = []
    with Thinkers(ROOM, pause=lambda: pauses.append(None)).request() as think:
        assert think("question", lambda: long_steps(5)) == "result"
    assert len(pauses) >= 4


def test_a_computation_without_a_pause_needs_no_turn_and_is_not_admitted() -> None:
    called: list[Any] = []
    thinkers = Thinkers(ROOM, admit=lambda: called.append("admit"), charge=called.append, on_result=called.append)
    with thinkers.request() as think:
        assert think("question", lambda: steps("at once", 0)) == "at once"
    assert called == []


# Nothing is remembered -------------------------------------------------------------------------------------------


def test_the_same_question_of_two_requests_is_computed_twice() -> None:
    """A cached result would reveal that the question was asked before."""
    thinkers = Thinkers(ROOM)
    computed: list[str] = []

    def compute() -> Thinking[str]:
        yield
        computed.append("again")
        return "result"

    for _ in range(3):
        with thinkers.request() as think:
            assert [think(("game", 7), compute) for _ in range(2)] == ["result"] * 2
    assert len(computed) == 3, "within a request it is computed once"


def test_a_request_that_waited_for_the_same_question_computes_it_itself() -> None:
    both, held = Addressed(), Held()
    computed: list[None] = []

    def compute() -> Thinking[None]:
        yield
        computed.append(None)

    first = both.start("A", held)
    assert held.began.wait(DEADLINE)
    second = both.start("B", compute)
    held.released.set()
    ended(first, second)
    assert computed == [None]


def test_a_refusal_does_not_depend_on_what_was_computed() -> None:
    refused = False

    def admit() -> None:
        if refused:
            raise PermissionError

    thinkers = Thinkers(ROOM, admit=admit)
    with thinkers.request() as think:
        assert think("known", lambda: steps("x", 1)) == "x"
    refused = True
    for question in ("known", "unknown"):
        with pytest.raises(PermissionError), thinkers.request() as think:
            think(question, lambda: steps("x", 1))


# Seconds ---------------------------------------------------------------------------------------------------------


def test_a_request_is_admitted_once_and_charged_for_the_time_of_each_computation() -> None:
    called: list[Any] = []

    def busy() -> Thinking[None]:
        for _ in range(4):
            end = time.thread_time() + 0.005
            while time.thread_time() < end:
                pass
            yield

    thinkers = Thinkers(
        ROOM, admit=lambda: called.append("admit"), charge=called.append, pause=lambda: time.sleep(0.02)
    )
    with thinkers.request() as think:
        think("first", busy)
        think("second", lambda: steps("x", 3))
    admitted, first, second = called
    assert admitted == "admit"
    assert 0.015 <= first < 0.06, "three steps after the first one, without the pauses"
    assert 0 <= second < 0.005


def test_a_computation_that_fails_is_charged() -> None:
    def fail() -> Thinking[None]:
        yield
        raise ValueError

    charged: list[float] = []
    with pytest.raises(ValueError), Thinkers(ROOM, charge=charged.append).request() as think:  # noqa: PT011
        think("question", fail)
    assert len(charged) == 1


# Turns -----------------------------------------------------------------------------------------------------------


def test_turns_go_round_by_address() -> None:
    """However many computations of an address wait, another address has every second slice."""
    both, held = Addressed(), Held()
    log: list[str] = []
    holding = both.start("A", held)
    assert held.began.wait(DEADLINE)
    greedy = []
    for number in range(5):
        greedy.append(both.start("A", lambda: long_steps(4, log, "A")))
        both.wait_for(("A", number + 1))
    single = both.start("B", lambda: long_steps(4, log, "B"))
    both.wait_for(("A", 5), ("B", 1))
    first_steps = len(log)  # the step before a computation takes a turn
    held.released.set()
    ended(holding, single, *greedy)
    turns = log[first_steps:]
    assert turns.count("B") == 3
    assert turns.index("B") <= 2
    last = len(turns) - turns[::-1].index("B")
    assert turns[:last].count("A") <= 4


def test_within_an_address_the_first_request_is_finished_first() -> None:
    both, held = Addressed(), Held()
    log: list[str] = []
    holding = both.start("A", held)
    assert held.began.wait(DEADLINE)
    waiting = []
    for number, name in enumerate("123"):
        waiting.append(both.start("A", lambda name=name: long_steps(4, log, name)))
        both.wait_for(("A", number + 1))
    other = both.start("B", lambda: long_steps(20, [], ""))
    both.wait_for(("A", 3), ("B", 1))
    del log[:]
    held.released.set()
    ended(holding, other, *waiting)
    assert "".join(log) == "111222333"


def test_a_request_yields_its_turn_between_its_computations() -> None:
    both, held = Addressed(), Held()
    log: list[str] = []
    first = both.start("A", held, lambda: long_steps(2, log, "second of A"))
    assert held.began.wait(DEADLINE)
    other = both.start("B", lambda: long_steps(2, log, "B"))
    both.wait_for(("B", 1))
    held.released.set()
    ended(first, other)
    assert log[-1] == "second of A"


def test_an_interrupted_wait_does_not_take_the_turn() -> None:
    both, held = Addressed(), Held()
    holding = both.start("A", held)
    assert held.began.wait(DEADLINE)

    def interrupt(*_: Any) -> None:
        raise InterruptedError

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(InterruptedError):
            both.think("B", lambda: steps("x", 2))
    finally:
        signal.signal(signal.SIGALRM, before)
    held.released.set()
    ended(holding)
    assert both.think("B", lambda: steps("x", 2)) == ["x"]


# Bounds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bounds", "address", "refusal"),
    [
        (Bounds(process=1, address=1), "B", TooMuchThinking),
        (Bounds(process=9, address=1), "A", TooMuchThinkingForAddress),
    ],
)
def test_a_request_beyond_a_bound_is_refused_and_one_that_ended_makes_room(
    bounds: Bounds, address: str, refusal: type[Exception]
) -> None:
    both, held = Addressed(bounds), Held()
    first = both.start("A", held)
    assert held.began.wait(DEADLINE)
    with pytest.raises(refusal):
        both.think(address, lambda: steps("x", 1))
    held.released.set()
    ended(first)
    assert both.think(address, lambda: steps("x", 1)) == ["x"]


def test_the_bound_of_an_address_leaves_room_for_others() -> None:
    both, held = Addressed(Bounds(process=9, address=1)), Held()
    first = both.start("A", held)
    assert held.began.wait(DEADLINE)
    second = both.start("B", lambda: steps("x", 1))
    both.wait_for(("B", 1))
    held.released.set()
    ended(first, second)


def test_a_request_has_its_place_while_it_is_admitted() -> None:
    """Admitting asks the store, and other requests begin meanwhile."""
    refused: list[bool] = []

    def let_another_request_begin() -> None:
        with pytest.raises(TooMuchThinking), thinkers.request() as think:
            think("other question", lambda: steps("too much", 2))
        refused.append(True)

    thinkers = Thinkers(Bounds(process=1, address=2), admit=let_another_request_begin)
    with thinkers.request() as think:
        assert think("question", lambda: steps("result", 2)) == "result"
    assert refused == [True]


def test_a_request_that_fails_makes_room() -> None:
    def fail() -> Thinking[Any]:
        yield
        raise ValueError

    def refuse() -> None:
        raise PermissionError

    for thinkers, error in (
        (Thinkers(Bounds(1, 1)), ValueError),
        (Thinkers(Bounds(1, 1), admit=refuse), PermissionError),
    ):
        for _ in range(3):
            with pytest.raises(error), thinkers.request() as think:
                think("question", fail)
