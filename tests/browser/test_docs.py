"""The documentation page in a browser."""

from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import OpenScreen
from tests.browser.screen import Screen
from tests.contract.test_texts import INTRODUCTION
from tests.server.serving import Service


def create(docs: Screen) -> Any:
    """Press "Execute" of the creation, which "Try it out" has opened. Returns the new game."""
    operation = docs.page.locator("#operations-games-createGame")
    with docs.page.expect_response(lambda response: response.request.method == "POST") as answered:
        operation.get_by_role("button", name="Execute").click()
    expect(operation.locator(".live-responses-table .response-col_status").last).to_contain_text("201")
    return answered.value.json()


def test_the_documentation_page_creates_a_new_game_each_time(screen: OpenScreen, service: Service) -> None:
    """It has no key to send: visitors who sent the same one would get the same game and its tokens."""
    docs = screen()
    docs.open("/docs")
    operation = docs.page.locator("#operations-games-createGame")
    operation.locator(".opblock-summary-control").click()
    operation.get_by_role("button", name="Try it out").click()
    key = operation.locator("tr[data-param-name='Idempotency-Key'] input")
    expect(key).to_have_value("")
    first, second = create(docs), create(docs)
    assert first["id"] != second["id"]
    assert first["tokens"]["host"] != second["tokens"]["host"]
    assert service.client.get(f"/games/{first['id']}").status == 200


def test_the_documentation_page_shows_the_introduction(screen: OpenScreen) -> None:
    docs = screen()
    docs.open("/docs")
    sections = docs.page.locator("section.info")
    expect(sections.locator("h2")).to_have_text([*INTRODUCTION])
    expect(sections.get_by_role("cell", name="play <card>", exact=True)).to_be_visible()
