"""Whole games of each variant in the browser, against a bot of the service."""

import random
import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from lostcities.bots.levels import LEVEL_TEXTS, levels_of
from lostcities.languages import translate
from lostcities.variants.registry import VARIANTS
from playwright.sync_api import Locator, expect

from tests.browser.conftest import OpenScreen, Watched
from tests.browser.german import english_on
from tests.browser.screen import Screen


def duel(screen: Screen, rng: random.Random) -> None:
    screen.pass_the_device()
    hand = screen.page.locator(".hand button.spot")
    if hand.count():
        screen.do(any_of(hand, rng), choice=rng.randrange(2))
    else:
        screen.do(any_of(screen.page.locator(".middle button.spot"), rng))


def rivals(screen: Screen, rng: random.Random) -> None:
    page = screen.page
    cards, display, pile = page.locator(".display .shown.spot"), page.locator(".display li"), page.locator(".pile.spot")
    if cards.count() and rng.random() < 0.7:
        screen.do(cards.first, choice=rng.randrange(2))
    elif display.count() > 9 and rng.random() < 0.7 and page.locator(".bid").first.is_visible():
        screen.do(page.locator(".bid").first)
    else:
        screen.do(pile.or_(page.locator(".auction [data-key='pass']")).first)


def roll_and_write(screen: Screen, rng: random.Random) -> None:
    boxes, refuse = screen.page.locator(".box.spot"), screen.page.locator(".then .spot")
    # Refusing shades dice symbols, which ends the game early.
    if rng.random() < 0.3 and boxes.count():
        box = any_of(boxes, rng)
        several = re.search(" (or|oder) ", str(box.get_attribute("aria-label")))
        screen.do(box, choice=rng.randrange(3) if several else None)
    else:
        screen.do(refuse)


def treasure_hunt(screen: Screen, rng: random.Random) -> None:
    page = screen.page
    dice, tiles, bonuses = page.locator(".throw"), page.locator(".lying.spot"), page.locator(".bonus.spot")
    if dice.count() and rng.random() < 0.6:
        for die in rng.sample(range(3), rng.randint(1, 3)):
            dice.nth(die).click()
        screen.do(page.locator(".then [data-key='again']"))
    elif tiles.count():
        screen.do(any_of(tiles, rng))
    elif bonuses.count():
        screen.do(bonuses.first)
    else:
        screen.do(page.locator(".then .spot").first)


def any_of(spots: Locator, rng: random.Random) -> Locator:
    return spots.nth(rng.randrange(spots.count()))


def by_any_move(screen: Screen, rng: random.Random) -> None:
    screen.pass_the_device()
    screen.do(any_of(screen.page.locator(".moves .spot"), rng))


PLAYERS: dict[str, Callable[[Screen, random.Random], None]] = {
    each.__name__.replace("_", "-"): each for each in (duel, rivals, roll_and_write, treasure_hunt)
}
"""How the drawing of a game is tapped. Any other game is played from the list of its moves."""


SIZES = {"phone": (390, 844), "desktop": (1440, 900)}


def outside(table: Screen) -> list[str]:
    """What of prompt, hand and choices is not on the screen."""
    return list(
        table.page.evaluate(
            """() => [...document.querySelectorAll('.prompt h1, .prompt .due, .reach > *, .choices > *')]
              .filter((each) => {
                const { top, bottom, left, right, width } = each.getBoundingClientRect();
                return width && (top < 0 || left < 0 || bottom > innerHeight || right > innerWidth);
              })
              .map((each) => each.outerHTML)"""
        )
    )


def test_a_duel_against_a_bot_takes_one_request_for_each_move(screen: OpenScreen, watched: Watched) -> None:
    """The answer to a move has the bot's move, the next legal moves and the score."""
    table = screen()
    table.set_up("duel", ("here", "random"), {"Max turns": "40"})
    expect(table.page.locator("#connection")).to_have_text("live")
    opening, moves, rng = len(watched.asked), 0, random.Random(1)
    while not table.is_over:
        duel(table, rng)
        moves += 1
    expect(table.checks).to_have_count(2)
    assert moves == 40
    assert len(watched.asked) - opening <= 1.1 * moves


TOLD = {
    "en": ("Your turn, Ann", "You ", "History"),
    "de": ("Du bist am Zug, Ann", "Du ", "Verlauf"),
}
"""What the page says in a language: when Ann is to act, of her moves, and the title of the history."""


@pytest.mark.parametrize(("size", "language"), [("phone", "de"), ("desktop", "en")])
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_whole_game_against_a_bot_by_taps(screen: OpenScreen, variant: str, size: str, language: str) -> None:
    """Prompt and hand are on the screen together in every turn, and nothing is English to a German player."""
    level = "greedy" if "greedy" in levels_of(variant) else "random"
    table = screen(*SIZES[size])
    brief = {"Max turns": "24"} if size == "desktop" and variant in ("duel", "treasure-hunt") else {}
    table.set_up(variant, ("here", level), {"Seed": "5e" * 32, **brief})
    your_turn, you, history = TOLD[language]
    if language == "de":
        table.page.get_by_role("button", name="Deutsch").click()
    expect(table.turn).to_have_text(your_turn)
    expect(table.board).to_contain_text(translate(LEVEL_TEXTS[level].name, language))
    move, rng = PLAYERS.get(variant, by_any_move), random.Random(variant)
    while not table.is_over:
        assert outside(table) == []
        assert language == "en" or english_on(table.page) == []
        move(table, rng)
    # The score panel shows the final totals.
    totals = table.page.locator(".score caption b").all_text_contents()
    for total in totals:
        expect(table.page.locator(".ending")).to_contain_text(total)
    if size == "phone":
        table.page.get_by_text(history, exact=True).click()
    expect(table.history.first).to_have_attribute("value", str(table.version))
    told = " ".join(table.history.all_inner_texts())
    assert you in told
    assert "Ben " in told
    assert "Chance" not in told
    expect(table.checks).to_have_count(2)
    expect(table.page.locator(".checks .good")).to_have_count(2)
    assert table.page.locator(".board button.spot").count() == 0
    if language == "de":
        assert english_on(table.page) == []
        found = Axe().run(table.page)
        assert not found.response["violations"], found.generate_report()
