"""What people do at the table besides moving: resign, take back a move, claim a time that is up, hand a seat over."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import OpenScreen, Watched
from tests.browser.positions import link_of
from tests.browser.screen import Screen
from tests.client import create_game
from tests.server.serving import Service


def test_a_move_is_taken_back_until_chance_follows_it(screen: OpenScreen) -> None:
    ann, watcher = screen(), screen()
    ann.set_up("duel", ("here", "random"))
    watcher.open(ann.links()["For spectators"])
    back = ann.page.get_by_role("button", name="Take back")
    expect(back).to_have_count(0)
    hand = ann.page.locator(".hand button.spot")
    before = hand.all_inner_texts()
    ann.do(hand.first, choice=1)
    ann.do(back)
    assert hand.all_inner_texts() == before
    expect(ann.page.locator(".latest")).to_contain_text("You took back your move.")
    expect(ann.page.locator("[data-mark]")).to_have_count(0)
    expect(back).to_have_count(0)
    watcher.wait_for_version(ann.version)
    expect(watcher.history.first).to_have_text("Ann took back a move.")
    ann.do(hand.last, choice=1)
    ann.do(ann.page.locator(".deck.spot"))
    expect(back).to_have_count(0)
    # The card that was drawn is marked, whatever was taken back before.
    expect(ann.page.locator(".hand .card.new")).to_have_count(1)


def test_resigning_asks_first_and_ends_a_game_of_two(screen: OpenScreen) -> None:
    table = screen(390, 844)
    table.set_up("duel", ("here", "random"))
    unfold(table, "Players")
    resign, dialog = table.page.get_by_role("button", name="Resign"), table.page.locator("dialog")
    resign.click()
    expect(dialog).to_contain_text("Ben wins at once, whatever the points.")
    assert not Axe().run(table.page).response["violations"]
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    resign.click()
    dialog.get_by_role("button", name="Resign").click()
    expect(table.page.locator(".winner")).to_have_text("Ben wins")
    expect(table.checks).to_have_count(2)
    expect(table.page.locator(".checks .good")).to_have_count(2)
    # A bot plays a seat that has resigned, but not in the next game.
    table.page.get_by_role("button", name="Play again, seats swapped").click()
    expect(table.turn).to_have_text("Your turn, Ann")


def test_a_seat_changes_hands_and_a_time_that_is_up_is_claimed(
    screen: OpenScreen, watched: Watched, service: Service
) -> None:
    watched.expected = ("Failed to load resource",)
    limited = create_game(service.client, turn_seconds=5, on_timeout="resign")
    host, ben = screen(), screen()
    host.set_up("duel", ("here", "link"))
    ben.open(host.links()["For Ben alone"])
    expect(ben.turn).to_have_text("Ann to act")
    # To a bot: the link of the person is dead, on a page that is open too.
    change(host, 1)
    host.page.locator("dialog").get_by_role("button", name="Hand the seat over").click()
    expect(host.page.locator(".people")).to_contain_text("Ben Adventurer bot")
    expect(ben.refusal).to_contain_text("The seat of Ben was handed over.")
    expect(ben.page.locator(".hand")).to_have_count(0)
    # To a person, who gets a new link.
    change(host, 1)
    host.page.get_by_label("Who plays", exact=True).select_option("link")
    host.page.get_by_label("Name", exact=True).fill("Cleo")
    host.page.locator("dialog").get_by_role("button", name="Hand the seat over").click()
    expect(host.page.get_by_label("For Cleo alone", exact=True)).to_have_count(1)
    expect(host.history.first).to_have_text("Cleo plays this seat from now on.")
    ben.page.reload()
    expect(ben.page.locator("main")).to_contain_text("This link is not valid any more: the seat was handed over.")
    ben.page.get_by_role("link", name="Watch the game").click()
    expect(ben.turn).to_have_text("Ann to act")
    cleo = screen()
    cleo.open(host.links()["For Cleo alone"])
    expect(cleo.turn).to_have_text("Ann to act")
    expect(cleo.page.locator(".hand")).to_have_count(1)
    host.do(host.page.locator(".hand button.spot").first, choice=1)
    host.do(host.page.locator(".deck.spot"))
    expect(cleo.turn).to_have_text("Your turn, Cleo")
    # Meanwhile the time of the first seat of another game is up.
    other = screen()
    other.open(link_of(limited, 1))
    expect(other.page.locator(".clock")).to_contain_text("0:0")
    other.page.get_by_role("button", name="Time is up: claim the win").click()
    expect(other.page.locator(".winner")).to_have_text("Player 1 wins")
    expect(other.history.first).to_have_text("The time of Player 0 was up.")


def test_taking_back_is_offered_only_where_nothing_else_has_followed(screen: OpenScreen, service: Service) -> None:
    """Not after the move of another seat, although that seat has taken it back."""
    table = screen()
    game = create_game(service.client, "roll-and-write", 4, seed="a1" * 32)
    while 0 in game.get().body["to_act"]:
        game.do(game.get("/moves", token=game.seats[0]).body["moves"][-1]["notation"])
    table.open(link_of(game, 1))
    back = table.page.get_by_role("button", name="Take back")
    while 1 in game.get().body["to_act"]:
        game.move(game.get("/moves", token=game.seats[1]).body["moves"][-1]["notation"], 1)
    expect(back).to_have_count(1)
    version = game.move(game.get("/moves", token=game.seats[2]).body["moves"][0]["notation"], 2).body["version"]
    table.wait_for_version(version)
    expect(back).to_have_count(0)
    undone = service.client.post(game.path + "/undo", {}, token=game.seats[2]).body["version"]
    table.wait_for_version(undone)
    expect(back).to_have_count(0)


def unfold(table: Screen, panel: str) -> None:
    table.page.locator(".panel h2", has_text=panel).click()


def change(host: Screen, seat: int) -> None:
    if not host.page.locator(".people").is_visible():
        unfold(host, "Players")
    host.page.get_by_role("button", name="Change who plays").nth(seat).click()
