"""The table page: links, reloads, errors, keyboard, small screens, accessibility and the fairness check."""

import json
import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from lostcities.variants.registry import VARIANTS
from playwright.sync_api import Route, expect

from tests.browser.conftest import OpenScreen, Watched
from tests.browser.positions import halfway, link_of
from tests.browser.screen import Screen
from tests.client import create_game
from tests.server.serving import Service

LIVE = "**/events?*"
POLL = "**/games/*?after=*"
NEWS = "**/games/*?include=*"
"""The game itself, as it is loaded after a refusal and while the stream fails."""


def settled(table: Screen) -> None:
    table.page.locator("main[data-version]").wait_for()


# Several players ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stream", [True, False], ids=["by events", "by long polls"])
def test_two_browsers_see_each_others_moves_without_reloading(
    screen: OpenScreen, watched: Watched, stream: bool
) -> None:
    ann, ben, spectator = screen(), screen(), screen()
    if not stream:
        watched.expected = ("/events",)
        ben.page.route(LIVE, lambda route: route.abort())
    ann.set_up("duel", ("here", "link"))
    links = ann.links()
    ben.open(links["For Ben alone"])
    spectator.open(links["For spectators"])
    expect(ben.turn).to_have_text("Ann to act")
    expect(ben.page.locator("#connection")).to_have_text("live")
    for player, waiting in ((ann, ben), (ben, ann)):
        player.do(player.page.locator(".hand button.spot").first, choice=1)
        waiting.wait_for_version(player.version)
        player.do(player.page.locator(".deck.spot"))
        for other in (waiting, spectator):
            other.wait_for_version(player.version)
            expect(other.history.first).to_have_text(f"{'Ann' if player is ann else 'Ben'} drew a card.")
        expect(player.history.first).to_contain_text(re.compile("You drew (yellow|blue|white|green|red)"))
        expect(waiting.turn).to_contain_text("Your turn")
    assert spectator.spots.count() == 0
    assert spectator.page.locator(".hand").count() == 0
    assert ben.page.locator(".hand").count() == 1


def test_a_page_that_waits_sends_no_request_when_its_turn_begins(screen: OpenScreen) -> None:
    ann, ben = screen(), screen()
    ann.set_up("duel", ("here", "link"))
    ben.open(ann.links()["For Ben alone"])
    expect(ben.page.locator("#connection")).to_have_text("live")
    asked: list[str] = []
    ben.page.on("request", lambda request: asked.append(request.url))
    ann.do(ann.page.locator(".hand button.spot").first, choice=1)
    ann.do(ann.page.locator(".deck.spot"))
    ben.wait_for_version(ann.version)
    expect(ben.turn).to_contain_text("Your turn")
    expect(ben.history).to_have_count(ann.version)
    assert ben.page.locator(".hand button.spot").count() > 0
    assert asked == []


def test_a_card_that_was_drawn_openly_is_shown_to_the_others(screen: OpenScreen, service: Service) -> None:
    game = create_game(service.client, chance="client")
    deals = ("deal 0 Yw Y2 Y5 B3 B8 Rw R6 R8", "deal 1 Yw B2 B10 W4 W9 G2 G7 R7")
    game.do(*deals, "discard R6", "draw deck", "draw W10", "discard B2", "draw R")
    for link in (link_of(game, 0), f"/#game={game.id}"):
        table = screen()
        table.open(link)
        settled(table)
        known = table.page.locator(".known")
        expect(known.locator("h2")).to_have_text("Known cards of Player 1")
        expect(known.locator(".card")).to_have_text(["6red 6"])


def test_players_at_one_device_see_only_their_own_cards(screen: OpenScreen) -> None:
    table = screen()
    table.set_up("duel")
    hand, passing = table.page.locator(".hand"), table.page.locator(".passing button")
    expect(hand).to_have_count(0)
    passing.get_by_text("I am Ann").click()
    expect(hand).to_have_count(1)
    table.do(table.page.locator(".hand button.spot").first, choice=0)
    table.do(table.page.locator(".deck.spot"))
    # Ann sees what she drew until she hides it.
    anns = hand.inner_text()
    passing.get_by_text("Hide my cards and pass to Ben").click()
    expect(hand).to_have_count(0)
    passing.get_by_text("I am Ben").click()
    expect(hand).to_have_count(1)
    assert hand.inner_text() != anns


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_reload_shows_the_same_game(screen: OpenScreen, variant: str) -> None:
    table = screen()
    table.set_up(variant)
    table.pass_the_device()
    table.do(table.page.locator(".moves .spot").first)
    before = table.version
    table.page.reload()
    table.wait_for_version(before)
    assert table.version == before
    table.pass_the_device()
    table.do(table.page.locator(".moves .spot").first)
    assert table.version > before
    # The setup page links to the game.
    table.open()
    table.page.get_by_role("link", name="Ann and Ben").click()
    table.wait_for_version(before + 1)


def test_a_players_link_survives_a_reload(screen: OpenScreen, service: Service) -> None:
    game = create_game(service.client)
    table = screen()
    table.open(link_of(game, 0))
    table.do(table.page.locator(".hand button.spot").first, choice=0)
    table.page.reload()
    expect(table.page.locator(".deck.spot")).to_be_visible()


# Errors ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("says_what_it_saw", "status", "code"), [(True, 412, "stale"), (False, 409, "wrong-phase")], ids=["412", "409"]
)
def test_a_rejected_move_shows_the_reason(
    screen: OpenScreen, service: Service, watched: Watched, says_what_it_saw: bool, status: int, code: str
) -> None:
    """Another client moves for the seat while the page receives no events."""
    watched.expected = ("/events", "after=", "include=", str(status))
    game = create_game(service.client, seed="17" * 32)
    table = screen()
    for news in (LIVE, POLL):
        table.page.route(news, lambda route: route.abort())
    if not says_what_it_saw:
        table.page.route("**/moves?*", without_if_match)
    table.open(link_of(game, 0))
    settled(table)
    table.page.route(NEWS, lambda route: route.abort())
    move = service.client.get(game.path + "/moves", token=game.seats[0]).body["moves"][-1]
    assert service.client.post(game.path + "/moves", move, token=game.seats[0]).status == 200
    answer = service.client.post(
        game.path + "/moves", move, token=game.seats[0], if_match='"2-s0"' if says_what_it_saw else None
    )
    assert (answer.status, answer.code) == (status, code)
    table.page.locator(".hand button.spot").first.click()
    table.choices.first.click()
    expect(table.refusal).to_contain_text(re.compile(re.escape(answer.body["detail"]), re.IGNORECASE))
    expect(table.refusal).to_contain_text(answer.body.get("rule", code))
    table.page.unroute(NEWS)
    # The page shows the current state afterwards.
    expect(table.page.locator(".deck.spot")).to_be_visible()
    table.do(table.page.locator(".deck.spot"))
    expect(table.refusal).to_be_empty()


def without_if_match(route: Route) -> None:
    headers = route.request.all_headers()
    headers.pop("if-match", None)
    route.continue_(headers=headers)


def test_a_rejected_creation_shows_the_reason(screen: OpenScreen, watched: Watched) -> None:
    watched.expected = ("422",)
    table = screen()
    table.open()
    expect(table.page.locator(".cover:has(> *)")).to_have_count(4)
    expect(table.page.locator(".cover > .icon")).to_have_count(0)
    table.unfold("rivals")
    table.page.get_by_text("Options", exact=True).click()
    table.page.get_by_label("Piles").fill("[80, 1, 1, 1]")
    table.page.get_by_role("button", name="Start").click()
    expect(table.refusal).to_contain_text("80 cards make 4 piles")
    expect(table.refusal).to_contain_text("/options/piles")


@pytest.mark.parametrize(
    ("fragment", "reason"),
    [("game=aaaaaaaaaaaaaaaa", "no-such-game"), ("game={id}&seat=0&token=nobody", "unknown-token")],
)
def test_a_link_to_an_unknown_game_shows_an_error(
    screen: OpenScreen, service: Service, watched: Watched, fragment: str, reason: str
) -> None:
    watched.expected = ("404", "401")
    game = create_game(service.client)
    table = screen()
    table.open("/#" + fragment.format(id=game.id))
    expect(table.refusal).to_contain_text(reason)
    expect(table.page.get_by_role("link", name="Create a new one")).to_be_visible()


# Fairness -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lie", ["none", "seed", "history", "commitment"])
def test_the_fairness_check_finds_every_manipulation(screen: OpenScreen, service: Service, lie: str) -> None:
    game = create_game(service.client, options={"max_turns": 2, "rounds": 2})
    table = screen()
    table.open(f"/#game={game.id}")
    settled(table)
    while moves := service.client.get(game.path + "/moves", token=game.host).body["moves"]:
        game.do(moves[-1]["notation"])
    table.page.locator(".checks").wait_for(state="attached")
    expect(table.page.locator(".checks .good")).to_have_count(2)

    def tamper(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=json.dumps(altered(response.json(), lie)))

    table.page.route("**/fairness", tamper)
    table.page.route("**/games/*/history*", tamper)
    if lie == "commitment":
        # The commitment differs from the one that this browser saw first.
        table.page.evaluate("id => localStorage.setItem('lostcities:commitment:' + id, '00')", game.id)
    table.page.reload()
    expected = {
        "none": [],
        "seed": ["fingerprint", "but the secret number gives"],
        "history": ["but the secret number gives"],
    }
    for complaint in expected.get(lie, ["fingerprint"]):
        expect(table.page.locator(".checks .bad", has_text=complaint)).to_be_visible()
    expect(table.page.locator(".checks .good")).to_have_count(2 - len(expected.get(lie, ["fingerprint"])))


def altered(answer: Any, lie: str) -> Any:
    if lie == "seed" and "seed" in answer:
        return {**answer, "seed": "ab" * 32}
    if lie == "history" and "events" in answer:
        drawn = [event for event in answer["events"] if event["actor"] == "chance"][-1]
        drawn["notation"] = "draw Y2" if drawn["notation"] != "draw Y2" else "draw Y3"
    return answer


# A variant without a drawing ------------------------------------------------------------------------------------------


def test_a_game_without_a_drawing_is_played_from_the_list_of_its_moves(screen: OpenScreen, watched: Watched) -> None:
    watched.expected = ("treasure-hunt.js",)
    table = screen()
    table.page.route("**/table/*/games/treasure-hunt.js", lambda route: route.fulfill(status=404))
    table.set_up("treasure-hunt", options={"Max turns": "2"})
    expect(table.page.locator(".status .due")).to_have_text("Choose a move: keep or reroll.")
    table.page.get_by_role("button", name="Rules").click()
    expect(table.page.locator("dialog.rules")).to_contain_text("Skip: take no tile.")
    table.page.keyboard.press("Escape")
    while not table.is_over:
        table.do(table.page.locator(".moves .spot").last)
    expect(table.page.locator(".checks .good")).to_have_count(1)
    expect(table.page.locator(".checks .unchecked")).to_have_count(1)


# Accessibility --------------------------------------------------------------------------------------------------------


def test_a_game_can_be_played_with_the_keyboard_only(screen: OpenScreen) -> None:
    table = screen()
    table.open()
    table.page.locator("button.game").first.wait_for()
    table.tab_to("Play The card game against the bot")
    table.page.keyboard.press("Enter")
    settled(table)
    for _ in range(2):
        expect(table.turn).to_have_text("Your turn, Ann")
        before = table.version
        table.tab_to("play or discard")
        table.page.keyboard.press("Enter")
        table.tab_to("Discard")
        table.page.keyboard.press("Enter")
        # After the choice the focus moves to the next possible move.
        table.wait_for_version(before + 1)
        table.tab_to("Draw from the deck")
        table.page.keyboard.press("Space")
        table.wait_for_version(before + 3)


def test_a_game_can_be_played_with_the_listed_shortcuts(screen: OpenScreen) -> None:
    table = screen()
    table.set_up("duel", ("here", "random"))
    keyboard, dialog = table.page.keyboard, table.page.locator("dialog.rules")
    keyboard.press("?")
    listed = dict(zip(dialog.locator("dt").all_inner_texts(), dialog.locator("dd").all_inner_texts(), strict=True))
    assert {*"12345678H"} < {*listed}
    assert "play or discard" in listed["3"]
    keyboard.press("Escape")
    before = table.version
    keyboard.press("3")
    expect(table.choices).not_to_have_count(0)
    keyboard.press("Escape")
    expect(table.choices).to_have_count(0)
    for key in "3dd":
        keyboard.press(key)
    table.wait_for_version(before + 5)
    # They can be switched off: a speech program or a hand that slips would press them.
    keyboard.press("?")
    dialog.get_by_label("Use these keys").uncheck()
    keyboard.press("Escape")
    keyboard.press("3")
    expect(table.choices).to_have_count(0)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_phone_needs_no_horizontal_scrolling(screen: OpenScreen, variant: str) -> None:
    table = screen(360, 740, has_touch=True, is_mobile=True)
    seats = VARIANTS[variant].rules.INFO.seats[1]
    table.set_up(variant, ["here"] * seats)
    table.pass_the_device()
    expect(table.spots.first).to_be_visible()
    assert small(table) == []
    assert table.page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    # With text of 200 % nothing leaves the screen either.
    table.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert table.page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    expect(table.turn).to_be_in_viewport()


def small(table: Screen) -> list[str]:
    """Controls that are narrower or lower than 40 pixels, too small for touch."""
    touched = "button, select, summary, input:not([type=radio], [type=checkbox]), nav a"
    found: list[str] = table.page.evaluate(
        """touched => [...document.querySelectorAll(touched)]
            .map((each) => [each, each.getBoundingClientRect()])
            .filter(([each, { width, height }]) => width && (width < 40 || height < 40))
            .map(([each, { width, height }]) => `${each.outerHTML} ${width}x${height}`)""",
        touched,
    )
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("variant", ["", *VARIANTS])
def test_axe_reports_no_violation(screen: OpenScreen, service: Service, variant: str, scheme: str) -> None:
    table = screen(color_scheme=scheme)
    if variant:
        table.open(link_of(halfway(service, variant), 0))
        settled(table)
    else:
        table.open()
        table.unfold("duel")
        table.page.get_by_text("Options", exact=True).click()
    found = Axe().run(table.page)
    assert not found.response["violations"], found.generate_report()


def test_every_legal_move_is_drawn(screen: OpenScreen, service: Service) -> None:
    """Each legal move is also listed in the panel, and none needs a generic button."""
    table = screen()
    for variant in VARIANTS:
        game = halfway(service, variant)
        table.open("/")
        table.open(link_of(game, 0))
        settled(table)
        moves = service.client.get(game.path + "/moves", token=game.seats[0]).body["moves"]
        assert table.page.locator(".moves .spot").count() == len(moves)
        assert table.page.locator(".actions .spot").count() == 0
