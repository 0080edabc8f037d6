"""The runner of the bots' computations: turns, pauses, the bound, and results that are not computed again."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from lostcities.bots.core import Thinking
from lostcities.games.thinking import RECENT, Thinkers, TooMuchThinking

DEADLINE = 20


def steps(result: Any, count: int) -> Thinking[Any]:
    """A computation with that many steps."""
    for _ in range(count):
        yield
    return result


class Held:
    """A computation that is held after its first step until it is released."""

    def __init__(self) -> None:
        self.began, self.released = threading.Event(), threading.Event()

    def __call__(self) -> Iterator[None]:
        yield
        self.began.set()
        assert self.released.wait(DEADLINE)
        yield


def test_a_result_is_returned_with_pauses_in_between() -> None:
    pauses: list[None] = []

    def slow() -> Thinking[str]:
        for _ in range(5):
            threading.Event().wait(0.002)  # longer than a slice
            yield
        return "result"

    with Thinkers(pause=lambda: pauses.append(None)).request() as think:
        assert think("question", slow) == "result"
    assert len(pauses) >= 4


def test_a_computation_without_a_pause_needs_no_turn_and_is_not_counted() -> None:
    counted: list[bool] = []
    with Thinkers(limit=1, count=lambda *, is_first: counted.append(is_first)).request() as think:
        assert think("question", lambda: steps("at once", 0)) == "at once"
    assert counted == []


def test_a_request_has_its_place_while_it_is_counted() -> None:
    """Counting asks the store, and other requests begin meanwhile."""
    refused: list[bool] = []

    def let_another_request_begin(*, is_first: bool) -> None:
        del is_first
        with pytest.raises(TooMuchThinking), thinkers.request() as think:
            think("other question", lambda: steps("too much", 2))
        refused.append(True)

    thinkers = Thinkers(limit=1, count=let_another_request_begin)
    with thinkers.request() as think:
        assert think("question", lambda: steps("result", 2)) == "result"
    assert refused == [True]


def test_every_computation_is_counted_and_the_first_of_a_request_is_known() -> None:
    counted: list[bool] = []
    thinkers = Thinkers(limit=1, count=lambda *, is_first: counted.append(is_first))
    for request in range(2):
        with thinkers.request() as think:
            for question in range(3):
                assert think((request, question), lambda: steps("x", 2)) == "x"
    assert counted == [True, False, False] * 2


def test_equal_questions_are_computed_once() -> None:
    thinkers = Thinkers()
    computed: list[str] = []

    def compute() -> Thinking[str]:
        yield
        computed.append("again")
        return "result"

    for _ in range(3):
        with thinkers.request() as think:
            assert think(("game", 7), compute) == "result"
    assert computed == ["again"]


def test_the_results_that_are_kept_are_bounded() -> None:
    thinkers = Thinkers()
    computed: list[int] = []

    def compute(question: int) -> Thinking[int]:
        yield
        computed.append(question)
        return question

    for question in (*range(RECENT + 1), RECENT, 0):
        with thinkers.request() as think:
            assert think(question, lambda question=question: compute(question)) == question  # type: ignore[misc]
    assert computed == [*range(RECENT + 1), 0]


def test_a_request_beyond_the_bound_is_refused_and_one_that_ended_makes_room() -> None:
    thinkers, held = Thinkers(limit=1), Held()
    first = threading.Thread(target=lambda: run(thinkers, "first", held))
    first.start()
    assert held.began.wait(DEADLINE)
    with pytest.raises(TooMuchThinking), thinkers.request() as think:
        think("second", lambda: steps("x", 1))
    held.released.set()
    first.join(DEADLINE)
    with thinkers.request() as think:
        assert think("second", lambda: steps("x", 1)) == "x"


def test_a_request_that_fails_makes_room() -> None:
    def fail() -> Thinking[Any]:
        yield
        raise ValueError

    def refuse(*, is_first: bool) -> None:
        assert is_first
        raise PermissionError

    thinkers = Thinkers(limit=1)
    for _ in range(3):
        with pytest.raises(ValueError), thinkers.request() as think:  # noqa: PT011
            think("question", fail)
    refusing = Thinkers(limit=1, count=refuse)
    for _ in range(3):
        with pytest.raises(PermissionError), refusing.request() as think:
            think("question", lambda: steps("x", 1))


def test_a_request_that_waited_for_the_same_question_gets_its_result() -> None:
    """A retry that comes while the first attempt thinks does not think again."""
    thinkers, held, results = Thinkers(), Held(), []
    first = threading.Thread(target=lambda: results.append(run(thinkers, "same", held)))
    first.start()
    assert held.began.wait(DEADLINE)
    computed: list[None] = []

    def compute() -> Thinking[None]:
        yield
        computed.append(None)

    second = threading.Thread(target=lambda: results.append(run(thinkers, "same", compute)))
    second.start()
    held.released.set()
    for each in (first, second):
        each.join(DEADLINE)
    assert results == [None, None]
    assert computed == []


def run(thinkers: Thinkers, question: str, begin: Any) -> Any:
    with thinkers.request() as think:
        return think(question, begin)
