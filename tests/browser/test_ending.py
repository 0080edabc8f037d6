"""The end of a game: rematch, the replay that plays itself, and the review."""

import json
import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Route, expect

from tests.browser.conftest import OpenScreen
from tests.browser.positions import finished, link_of
from tests.server.serving import Service


def test_a_finished_game_is_reviewed_and_played_again_with_swapped_seats(screen: OpenScreen) -> None:
    table = screen()
    table.set_up("duel", ("here", "random"), {"Max turns": "2"})
    while not table.is_over:
        table.do(table.page.locator(".moves .spot").first)
    table.page.get_by_role("button", name="Review the game").click()
    # The advice is the service's: a dot for each decision of the person.
    expect(table.page.locator(".graph circle")).to_have_count(2)
    expect(table.page.locator("progress")).to_be_hidden()
    expect(table.page.locator(".reviewed > .due")).to_have_count(0)
    first = table.page.url
    table.page.get_by_role("button", name="Play again, seats swapped").click()
    expect(table.turn).to_have_text("Your turn, Ann")
    assert table.page.url != first
    # The bot began.
    expect(table.page.locator(".history, .latest")).to_contain_text("Ben")
    table.page.get_by_role("button", name="Rules").click()
    expect(table.page.locator("dialog.rules")).to_contain_text("at most 2 turns")


def test_a_replay_plays_itself_until_it_is_stopped(screen: OpenScreen, service: Service) -> None:
    game = finished(service, "duel")
    table = screen()
    table.open_finished(game.id)
    caption = table.page.locator(".caption")
    table.page.get_by_label("Play the game").click()
    expect(caption).to_contain_text("2 of ")
    table.page.get_by_label("Pause").click()
    expect(table.page.get_by_label("Play the game")).to_be_visible()
    stopped = caption.inner_text()
    table.page.wait_for_timeout(1200)
    assert caption.inner_text() == stopped


def test_a_review_shows_the_scores_and_the_costliest_mistakes(screen: OpenScreen, service: Service) -> None:
    """The advice about a finished game is the service's answer to `?version=N&seat=S`, given here for each decision."""
    game = finished(service, "duel")
    events = game.get("/history").body["events"]
    own = [event for event in events if event["actor"] != "chance"]
    last = own[-1]["version"] - 1
    asked: list[tuple[int, int]] = []

    def advise(route: Route) -> None:
        assert route.request.headers["authorization"] == f"Bearer {game.seats[1]}"
        query = parse_qs(urlsplit(route.request.url).query)
        version, seat = int(query["version"][0]), int(query["seat"][0])
        asked.append((version, seat))
        made = events[version]["notation"]
        loss = {"loss": 9.25 + version, "loss_error": 1.5, "mistake": version < last}
        no_loss = {"loss": 0, "loss_error": 0, "mistake": False}
        moves = [
            {"notation": "play R2", "value": 10.25 + version, "error": 1, **no_loss},
            {"notation": made, "value": 1, "error": 1, **loss},
        ]
        route.fulfill(
            body=json.dumps({"version": version, "seat": seat, "moves": moves}), content_type="application/json"
        )

    table = screen()
    table.page.route("**/advice?*", advise)
    table.open(link_of(game, 1))
    table.page.get_by_role("button", name="Review the game").click()
    costly = table.page.locator(".costly li")
    expect(costly).to_have_count(3)
    expect(table.page.locator("progress")).to_be_hidden()
    expect(table.page.locator(".graph polyline")).to_have_count(2)
    assert asked == [(event["version"] - 1, event["actor"]) for event in own]
    expect(table.page.locator(".graph circle")).to_have_count(len(own))
    # The costliest first, without the loss that may be chance. A tap shows the position before it.
    version = own[-2]["version"]
    expect(costly.first).to_contain_text(re.compile(rf"cost {9 + version - 1}\.[23] ± 1\.5 points"))
    costly.first.get_by_role("button").click()
    expect(table.page.locator(".caption")).to_contain_text(f"{version - 1} of ")


def test_a_review_for_a_spectator_shows_the_scores_only(screen: OpenScreen, service: Service) -> None:
    """Who has only the shared link has no token, and gets no advice."""
    table = screen()
    table.open_finished(finished(service, "duel").id)
    table.page.get_by_role("button", name="Review the game").click()
    expect(table.page.locator(".reviewed")).to_contain_text("only for those who have played the game")
    expect(table.page.locator(".graph polyline")).to_have_count(2)
