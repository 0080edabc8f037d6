"""Whole games of each variant in the browser."""

import random
from collections.abc import Callable

import pytest
from lostcities.rules.registry import RULES
from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenScreen, Watched
from tests.browser.screen import Screen
from tests.conformance.tables import brief


def duel(screen: Screen, rng: random.Random) -> None:
    screen.pass_the_device()
    hand = screen.page.locator(".hand button.spot")
    if hand.count():
        screen.do(any_of(hand, rng), choice=rng.randrange(2))
    else:
        screen.do(any_of(screen.page.locator(".middle button.spot"), rng))


def rivals(screen: Screen, rng: random.Random) -> None:
    page = screen.page
    cards, display, pile = page.locator(".display li .spot"), page.locator(".display li"), page.locator(".pile.spot")
    if cards.count() and rng.random() < 0.7:
        screen.do(cards.first, choice=rng.randrange(2))
    elif display.count() > 9 and rng.random() < 0.7 and page.locator(".bid").first.is_visible():
        screen.do(page.locator(".bid").first)
    else:
        screen.do(pile.or_(page.get_by_role("button", name="Pass", exact=True)).first)


def roll_and_write(screen: Screen, rng: random.Random) -> None:
    boxes, refuse = screen.page.locator(".box.spot"), screen.page.locator(".then .spot")
    # Refusing shades dice symbols, which ends the game early.
    if rng.random() < 0.3 and boxes.count():
        box = any_of(boxes, rng)
        several = " or " in str(box.get_attribute("aria-label"))
        screen.do(box, choice=rng.randrange(3) if several else None)
    else:
        screen.do(refuse)


def treasure_hunt(screen: Screen, rng: random.Random) -> None:
    page = screen.page
    dice, tiles, bonuses = page.locator(".throw"), page.locator(".lying.spot"), page.locator(".bonus.spot")
    if dice.count() and rng.random() < 0.6:
        for die in rng.sample(range(3), rng.randint(1, 3)):
            dice.nth(die).click()
        screen.do(page.get_by_role("button", name="again").and_(page.locator(".primary")))
    elif tiles.count():
        screen.do(any_of(tiles, rng))
    elif bonuses.count():
        screen.do(bonuses.first)
    else:
        screen.do(page.locator(".then .spot").first)


def any_of(spots: Locator, rng: random.Random) -> Locator:
    return spots.nth(rng.randrange(spots.count()))


def by_any_spot(screen: Screen, rng: random.Random) -> None:
    screen.pass_the_device()
    spot = any_of(screen.spots, rng)
    several = " or " in str(spot.get_attribute("aria-label"))
    screen.do(spot, choice=rng.randrange(3) if several else None)


PLAYERS: dict[str, Callable[[Screen, random.Random], None]] = {
    each.__name__.replace("_", "-"): each for each in (duel, rivals, roll_and_write, treasure_hunt)
}
"""How the drawing of a game is clicked. Any other game is played by clicks on whatever stands for a move."""


@pytest.mark.parametrize("variant", RULES)
def test_a_whole_game_by_clicks(screen: OpenScreen, variant: str) -> None:
    """At the size of a phone, where elements are most likely to overlap."""
    table = screen(390, 844)
    move = PLAYERS.get(variant, by_any_spot)
    options = {name.replace("_", " ").capitalize(): str(value) for name, value in brief(variant, 8).items()}
    table.set_up(variant, ("here", "here"), {**options, "Seed": "5e" * 32})
    rng = random.Random(variant)
    while not table.is_over:
        move(table, rng)
    # The score panel shows the final totals.
    totals = table.page.locator(".score caption b").all_inner_texts()
    for total in totals:
        expect(table.page.locator(".ending")).to_contain_text(total)
    expect(table.history.first).to_have_attribute("value", str(table.version))
    expect(table.checks).to_have_count(2)
    expect(table.page.locator(".checks .good")).to_have_count(2)
    assert table.page.locator(".board button.spot").count() == 0


@pytest.mark.parametrize("variant", RULES)
def test_bots_play_a_whole_game(screen: OpenScreen, watched: Watched, variant: str) -> None:
    table = screen()
    seats = RULES[variant].INFO.seats[0]
    table.set_up(variant, ["bot"] * seats)
    table.wait_for_version(table.version + 3)
    assert table.spots.count() == 0, "the page offers no moves of a bot"
    made = [address for address in watched.asked if address.endswith("/moves?include=moves")]
    read = [address for address in watched.asked if address.endswith("?include=moves") and address not in made]
    assert made
    assert not [address for address in watched.asked if address.endswith("/moves")], "no list is asked for alone"
    assert len(read) <= len(made) + seats, "a bot reads the game once for one or more moves"
