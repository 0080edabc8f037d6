"""The page in German: chosen by the browser's languages or by the reader, and sent to the service."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenScreen
from tests.browser.screen import Screen

ENGLISH = re.compile(r"\b(You|your|the|points|cards|Rules|Score|History|Hint|against)\b")
"""Words of the page's own sentences in English. The service's sentences are not looked at."""


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
    for part in (".guide", ".status .due", ".tools", ".nameplate"):
        assert not ENGLISH.search(table.page.locator(part).first.inner_text())
    discard(table)
    expect(table.page.locator(".latest")).to_contain_text("Du hast")
    table.page.get_by_role("button", name="English").click()
    expect(table.turn).to_have_text("Your turn, Ann")
    table.page.reload()
    expect(table.turn).to_have_text("Your turn, Ann")
    assert table.page.locator("html").get_attribute("lang") == "en"


def discard(table: Screen) -> None:
    table.do(table.page.locator(".hand button.spot").first, choice=1)
