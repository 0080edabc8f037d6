"""Presses, requests and moves that meet a message, a slow network or a service that is away: none is lost."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import OpenScreen, Watched
from tests.browser.screen import Screen
from tests.server.serving import Service

LATENCY = 150
"""Milliseconds."""
SLOW = {"offline": False, "latency": LATENCY, "downloadThroughput": 200_000, "uploadThroughput": 200_000}


def slow_down(page: Page, how: dict[str, Any]) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", how)


def press(page: Page, element: Locator, seconds: float) -> None:
    """Press an element for some time, without waiting for anything but the mouse."""
    box = element.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.wait_for_timeout(1000 * seconds)
    page.mouse.up()


@pytest.mark.parametrize("moves_pieces", [False, True], ids=["still", "moving"])
def test_presses_that_straddle_every_message_are_obeyed(
    screen: OpenScreen, watched: Watched, moves_pieces: bool
) -> None:
    """A press that is held while the answer and the message of the stream arrive, and one right after another."""
    table = screen(reduced_motion="no-preference" if moves_pieces else "reduce")
    table.set_up("duel", ("here", "random"))
    page, hand = table.page, table.page.locator(".hand button.held")
    slow_down(page, SLOW)
    for turn in range(5):
        before = table.version
        opening = len(watched.asked)
        hand.nth(turn).click()
        # The discard pile of the chosen card, and at once the deck: the answer arrives while it is pressed.
        page.locator(".pile.goal").click()
        press(page, page.locator(".deck"), 0.05 if turn % 2 else 3 * LATENCY / 1000)
        # The bot answers: its move and the card that it draws.
        table.wait_for_version(before + 5)
        assert len(watched.asked) - opening == 2
        press(page, hand.nth(turn), 2 * LATENCY / 1000)
        expect(hand.nth(turn)).to_have_attribute("aria-pressed", "true")
        hand.nth(turn).click()


def test_keys_that_are_pressed_before_the_answer_are_obeyed(screen: OpenScreen) -> None:
    """The key of the deck is also that of the discard, whose button is there until the answer is."""
    table = screen()
    table.set_up("duel", ("here", "random"))
    slow_down(table.page, SLOW)
    for _ in range(3):
        before = table.version
        for key in "3dd":
            table.page.keyboard.press(key)
        table.wait_for_version(before + 5)


def test_a_fold_that_is_opened_before_the_games_are_known_has_the_form(screen: OpenScreen) -> None:
    table = screen()
    fold = table.page.get_by_text("Other players, options, a saved game")

    def unfold_first(route: Route) -> None:
        fold.click()
        route.continue_()

    table.page.route("**/variants", unfold_first)
    table.open()
    expect(table.page.locator(".seat").first).to_be_visible()


def test_the_elements_of_a_board_are_kept(screen: OpenScreen) -> None:
    """What is still there after a move is the same element: nothing that is pressed or focused is replaced."""
    table = screen()
    table.set_up("duel", ("here", "random"))
    names = "() => [...document.querySelectorAll('main [data-tap]')].filter((each) => each.kept).length"
    table.page.evaluate("() => document.querySelectorAll('main [data-tap]').forEach((each) => { each.kept = true; })")
    total = table.page.evaluate(names)
    table.do(table.page.locator(".hand button.spot").first, choice=1)
    # The card that was put down has left the hand.
    assert table.page.evaluate(names) == total - 1
    table.do(table.page.locator(".deck.spot"))
    assert table.page.evaluate(names) == total - 1


def test_a_version_is_drawn_once(screen: OpenScreen) -> None:
    """The answer to a move and the message of the stream have the same game."""
    table = screen()
    table.set_up("duel", ("here", "random"))
    table.page.evaluate(
        """() => {
            window.drawn = [];
            const record = () => window.drawn.push(document.querySelector('main').dataset.version);
            new MutationObserver(record).observe(document.querySelector('main'), { attributeFilter: ['data-version'] });
        }"""
    )
    for _ in range(6):
        table.do(table.page.locator(".moves .spot").last)
    table.page.wait_for_timeout(300)
    drawn = table.page.evaluate("window.drawn")
    assert drawn == sorted({*drawn}, key=int)
    assert len(drawn) == 6


# A service that is away ---------------------------------------------------------------------------------------------


class Restarted:
    """A service that a test stops and starts, at the same address and with the same data."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = str(free.getsockname()[1])
        self.folder = folder
        self.start()

    def start(self) -> None:
        self.service = Service(self.folder, PORT=self.port)


@pytest.fixture
def restarted(tmp_path: Path) -> Iterator[Restarted]:
    restarted = Restarted(tmp_path)
    yield restarted
    restarted.service.stop()


def test_a_move_that_meets_a_stopped_service_is_made_once(
    screen: OpenScreen, watched: Watched, restarted: Restarted
) -> None:
    watched.expected = ("Failed to load resource", "asked elsewhere")
    table = Screen(screen().page, restarted.service.url)
    table.set_up("duel", ("here", "random"))
    connection = table.page.locator("#connection")
    expect(connection).to_have_text("live")
    before = table.version
    restarted.service.stop()
    expect(connection).to_have_attribute("data-state", "reconnecting")
    table.page.locator(".hand button.held").first.click()
    table.choices.last.click()
    expect(table.refusal).to_contain_text("Your move is sent again")
    expect(connection).to_have_attribute("data-state", "offline")
    record_states(table.page)
    restarted.start()
    table.wait_for_version(before + 1)
    assert table.version == before + 1, "the move was made once"
    expect(table.refusal).to_be_empty()
    expect(connection).to_have_text("live")
    table.do(table.page.locator(".deck.spot"))
    # The state went back at once, and nothing flickers afterwards.
    states = table.page.evaluate("window.states")
    assert states == ["live"]


def record_states(page: Page) -> None:
    page.evaluate(
        """() => {
            window.states = [];
            const place = document.getElementById('connection');
            new MutationObserver(() => window.states.push(place.dataset.state))
              .observe(place, { attributeFilter: ['data-state'] });
        }"""
    )


def test_streams_are_used_again_after_they_failed(screen: OpenScreen, watched: Watched) -> None:
    """While streams fail, long polls bring the news, and the page says that it is live."""
    watched.expected = ("/events",)
    ann, ben = screen(), screen()
    ann.set_up("duel", ("here", "link"))
    ben.page.route("**/events?*", lambda route: route.abort())
    ben.open(ann.links()["For Ben alone"])
    connection = ben.page.locator("#connection")
    expect(connection).to_have_text("live")
    ann.do(ann.page.locator(".hand button.spot").first, choice=1)
    ben.wait_for_version(ann.version)
    ben.page.unroute("**/events?*")
    with ben.page.expect_request("**/events?*"):
        ann.do(ann.page.locator(".deck.spot"))
    ben.wait_for_version(ann.version)
    expect(connection).to_have_text("live")
    asked: list[str] = []
    ben.page.on("request", lambda request: asked.append(request.url))
    ben.do(ben.page.locator(".hand button.spot").first, choice=1)
    ben.do(ben.page.locator(".deck.spot"))
    assert [address for address in asked if "/moves" not in address] == []
