"""The threads that answer: one of them waits, and the next takes over only from one that takes long."""

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from urllib.parse import urlsplit

import pytest

from service import relay
from service.live.worker import NOBODY_GETS_IN, SILENCE_SECONDS, Crowd
from service.relay import Parting, Relay, step_aside
from tests.server.serving import serving

RUNNERS = 3
SECONDS = 10.0
"""Longer than anything here takes, unless it never happens."""
NEVER = 3600.0


class Caller:
    """A connection, and whoever is at its other end."""

    def __init__(self) -> None:
        self.sock, self.end = socket.socketpair(type=socket.SOCK_SEQPACKET)
        self.end.settimeout(SECONDS)
        self.comes_again = False

    def say(self, words: bytes) -> None:
        self.end.send(words)

    def hear(self) -> bytes:
        return self.end.recv(100)

    def ask(self, words: bytes) -> bytes:
        self.say(words)
        return self.hear()


class Desk:
    """Answers each word with itself, but `slow` and `aside` not before they may, and `bye` for the last time.

    `break` breaks it, after `gone` the socket is closed, and who says `back` comes back at once, over and over.
    """

    def __init__(self) -> None:
        self.threads: list[int] = []
        self.parted: list[Caller] = []
        self.slow = threading.Semaphore(0)
        self.again: Callable[[Caller], None] = lambda _: None

    def answer(self, caller: Caller) -> Parting | None:
        word = b"back" if caller.comes_again else caller.sock.recv(100)
        self.threads.append(threading.get_ident())
        if word == b"aside":
            step_aside()
        if word in (b"slow", b"aside"):
            assert self.slow.acquire(timeout=SECONDS)
        if word == b"break":
            raise ZeroDivisionError
        if word == b"back":
            caller.comes_again = True
            return lambda: self.again(caller)
        caller.sock.send(word)
        if word == b"gone":
            caller.sock.close()
        return (lambda: self.parted.append(caller)) if word == b"bye" else None


@contextmanager
def desk_with(callers: int) -> Iterator[tuple[Desk, Relay, list[Caller]]]:
    desk = Desk()
    running = Relay(RUNNERS, desk.answer)
    desk.again = running.answer
    ends = [Caller() for _ in range(callers)]
    for each in ends:
        running.watch(each)
    try:
        yield desk, running, ends
    finally:
        for _ in ends:
            desk.slow.release()
        running.shutdown(wait=True)
        for each in ends:
            each.sock.close()
            each.end.close()


def test_who_answers_quickly_goes_on_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relay, "PATIENCE_SECONDS", SECONDS)
    with desk_with(2) as (desk, _, (one, other)):
        for number in range(20):
            assert one.ask(b"%d" % number) == b"%d" % number
            assert other.ask(b"%d" % number) == b"%d" % number
        assert len({*desk.threads}) == 1


@pytest.mark.parametrize(("word", "patience"), [(b"slow", relay.PATIENCE_SECONDS), (b"aside", NEVER)])
def test_the_others_are_answered_while_one_takes_long(
    word: bytes, patience: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay, "PATIENCE_SECONDS", patience)
    with desk_with(RUNNERS) as (desk, _, (last, *stuck)):
        for each in stuck:
            each.say(word)
        assert last.ask(b"here") == b"here"
        for _ in stuck:
            desk.slow.release()
        assert [each.hear() for each in stuck] == [word] * len(stuck)


def test_when_all_are_busy_the_first_to_be_done_goes_on() -> None:
    with desk_with(RUNNERS + 1) as (desk, _, (last, *stuck)):
        for each in stuck:
            each.say(b"slow")
        while len(desk.threads) < RUNNERS:
            time.sleep(0.001)
        last.say(b"here")
        desk.slow.release()
        assert last.hear() == b"here"


def test_a_connection_is_answered_by_one_thread_at_a_time() -> None:
    with desk_with(2) as (desk, _, (slow, other)):
        slow.say(b"slow")
        assert other.ask(b"here") == b"here"
        slow.say(b"more")
        assert other.ask(b"again") == b"again"
        assert len(desk.threads) == 3
        desk.slow.release()
        assert slow.hear() == b"slow"
        assert slow.hear() == b"more"
        assert slow.ask(b"still there") == b"still there"


def test_who_parts_is_watched_no_more() -> None:
    with desk_with(2) as (desk, _, (leaving, staying)):
        assert leaving.ask(b"bye") == b"bye"
        leaving.say(b"hello?")
        assert staying.ask(b"here") == b"here"
        assert desk.parted == [leaving]
        assert len(desk.threads) == 2


def test_what_comes_back_is_answered_without_being_watched() -> None:
    with desk_with(2) as (_, running, (watched, back)):
        running.leave(back)
        back.say(b"I have waited")
        running.answer(back)
        assert back.hear() == b"I have waited"
        assert watched.ask(b"here") == b"here"
        assert back.ask(b"and stay") == b"and stay"


def test_after_a_quiet_time_somebody_looks_after_them_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relay, "DROWSY_SECONDS", 0.0)
    with desk_with(2) as (desk, running, (slow, other)):
        for _ in range(3):
            while not running._is_drowsy:
                time.sleep(0.001)
            slow.say(b"slow")
            assert other.ask(b"here") == b"here"
            desk.slow.release()
            assert slow.hear() == b"slow"


@pytest.mark.parametrize(
    ("counts", "waits"),
    [
        ({0: 0}, {0: False}),
        ({0: 0, 1: 0}, {0: False, 1: False}),
        ({0: 2, 1: 1}, {0: True, 1: False}),
        ({0: 2, 1: 1, 2: 0}, {0: True, 1: True, 2: False}),
        ({0: 5, 1: NOBODY_GETS_IN}, {0: False, 1: True}),
    ],
)
def test_who_has_more_connections_leaves_a_new_one_to_others(counts: dict[int, int], waits: dict[int, bool]) -> None:
    crowd = Crowd()
    for number, connections in counts.items():
        crowd.tell(number, connections)
    assert {number: crowd.is_smaller_elsewhere(number) for number in counts} == waits


def test_it_is_told_how_many_there_are_and_whether_anybody_is_free() -> None:
    told: list[tuple[int, bool]] = []
    desk, ends = Desk(), [Caller() for _ in range(RUNNERS + 1)]
    running = Relay(RUNNERS, desk.answer, lambda *now: told.append(now))
    for each in ends:
        running.watch(each)
    assert told == [(1, True), (2, True), (3, True), (4, True)]
    assert ends[0].ask(b"bye") == b"bye"
    while desk.parted != [ends[0]]:
        time.sleep(0.001)
    assert told[-1] == (3, True)
    for each in ends[1:]:
        each.say(b"slow")
    while told[-1] != (3, False):
        time.sleep(0.001)
    for each in ends[1:]:
        desk.slow.release()
        assert each.hear() == b"slow"
    while told[-1] != (3, True):
        time.sleep(0.001)
    running.shutdown(wait=True)
    for each in ends:
        each.sock.close()
        each.end.close()


def test_who_comes_back_again_and_again_waits_for_the_others() -> None:
    with desk_with(2 * RUNNERS + 1) as (desk, _, (quick, *restless)):
        for each in restless:
            each.say(b"back")
        while len(desk.threads) < 100:
            time.sleep(0.001)
        for number in range(20):
            assert quick.ask(b"%d" % number) == b"%d" % number
        desk.again = lambda _: None


def test_what_breaks_takes_no_thread_along(caplog: pytest.LogCaptureFixture) -> None:
    with desk_with(2 * RUNNERS) as (_, _, (last, *broken)):
        for each in broken:
            each.say(b"break")
        while len(caplog.records) < len(broken):
            time.sleep(0.001)
        assert last.ask(b"here") == b"here"


def test_a_socket_that_was_closed_meanwhile_is_nobodys() -> None:
    """The number of its file goes to the next one that is opened."""
    with desk_with(1) as (_, running, (leaving,)):
        number = leaving.sock.fileno()
        assert leaving.ask(b"gone") == b"gone"
        while leaving.sock.fileno() != -1:
            time.sleep(0.001)
        coming = Caller()
        assert number in (coming.sock.fileno(), coming.end.fileno())
        coming.sock, coming.end = sorted((coming.sock, coming.end), key=lambda end: end.fileno() != number)
        coming.end.settimeout(SECONDS)
        running.watch(coming)
        assert coming.ask(b"here") == b"here"
        running.leave(coming, coming.sock.close)
        coming.end.close()


GET = b"GET /livez HTTP/1.1\r\nHost: here\r\n\r\n"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    """Where a service with one process is."""
    with serving(tmp_path_factory.mktemp("data"), WORKERS="1", THREADS=str(RUNNERS)) as service:
        url = urlsplit(service.url)
        yield str(url.hostname), int(url.port or 0)


def test_who_sends_half_a_request_holds_nobody_up(address: tuple[str, int]) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(socket.create_connection(address, timeout=SECONDS)) for _ in range(RUNNERS - 1)]
        for each in slow:
            each.sendall(GET[:10])
        for _ in range(20):
            with socket.create_connection(address, timeout=SECONDS) as quick:
                quick.sendall(GET)
                assert quick.recv(100).startswith(b"HTTP/1.1 200")
        for each in slow:
            each.sendall(GET[10:])
            assert each.recv(100).startswith(b"HTTP/1.1 200")


def test_who_falls_silent_half_way_is_given_up(address: tuple[str, int]) -> None:
    """However many do: the threads that listen to them are needed."""
    with ExitStack() as stack:
        silent = [stack.enter_context(socket.create_connection(address, timeout=SECONDS)) for _ in range(RUNNERS)]
        for each in silent:
            each.sendall(GET[:10])
        time.sleep(0.1)
        with socket.create_connection(address, timeout=2 * SILENCE_SECONDS) as other:
            other.sendall(GET)
            assert other.recv(100).startswith(b"HTTP/1.1 200")


UNREAD = b"POST /livez HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\nGET /"
CHUNKED = b"POST /livez HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nGET /\r\n0\r\n\r\n"


@pytest.mark.parametrize(
    ("second", "status"),
    [
        (GET.replace(b"livez", b"nothing"), b"404"),
        (GET.replace(b"GET", b"HEAD"), b"200"),
        (UNREAD, b"405"),
        (CHUNKED, b"405"),
    ],
)
def test_requests_sent_without_waiting_are_answered_in_order(
    address: tuple[str, int], second: bytes, status: bytes
) -> None:
    """And what a body says that nobody reads is no request."""
    with socket.create_connection(address, timeout=SECONDS) as sock:
        sock.sendall(GET + second + GET)
        heard = b""
        while heard.count(b"HTTP/1.1 ") < 3 or not heard.endswith(b"}"):
            heard += sock.recv(65536)
    assert re.findall(rb"HTTP/1.1 (\d+)", heard) == [b"200", status, b"200"]
