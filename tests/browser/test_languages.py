"""The page in German: chosen by the browser's languages or by the reader, and sent to the service."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from lostcities.variants.registry import VARIANTS
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenScreen
from tests.browser.german import english_on
from tests.browser.positions import halfway, link_of
from tests.browser.screen import Screen
from tests.server.serving import Service


def languages_of_requests(page: Page) -> set[str | None]:
    sent: set[str | None] = set()
    page.on("request", lambda request: sent.add(request.headers.get("accept-language")))
    return sent


def test_the_page_follows_the_browser_and_remembers_the_switch(screen: OpenScreen) -> None:
    table = screen(390, 844, locale="de-AT")
    sent = languages_of_requests(table.page)
    table.open()
    play = table.page.get_by_role("button", name="Das Duell gegen den Bot spielen")
    expect(play).to_be_visible()
    assert table.page.locator("html").get_attribute("lang") == "de"
    assert "de" in sent
    play.click()
    table.page.locator("main[data-version]").wait_for()
    expect(table.turn).to_have_text("Du bist am Zug, Ann")
    assert english_on(table.page) == []
    discard(table)
    expect(table.page.locator(".latest")).to_contain_text("Du hast")
    table.page.get_by_role("button", name="English").click()
    expect(table.turn).to_have_text("Your turn, Ann")
    table.page.reload()
    expect(table.turn).to_have_text("Your turn, Ann")
    assert table.page.locator("html").get_attribute("lang") == "en"


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_board_is_all_in_german(screen: OpenScreen, service: Service, variant: str) -> None:
    """Cards and their colours, the history, the score and the values of hints."""
    table = screen(390, 844, locale="de")
    table.open(link_of(halfway(service, variant), 0))
    table.page.get_by_role("button", name="Tipp").click()
    table.page.locator(".worth").first.wait_for()
    panels = table.page.locator("main details:not([open]) summary")
    panels.evaluate_all("all => all.forEach((each) => each.click())")
    assert english_on(table.page) == []
    table.page.get_by_role("button", name="Regeln").click()
    table.page.locator("dialog.rules section").first.wait_for()
    assert english_on(table.page, "dialog") == []
    found = Axe().run(table.page)
    assert not found.response["violations"], found.generate_report()


def discard(table: Screen) -> None:
    table.do(table.page.locator(".hand button.spot").first, choice=1)
