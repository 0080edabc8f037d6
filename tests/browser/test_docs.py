"""The documentation page in a browser."""

from playwright.sync_api import expect

from tests.browser.conftest import OpenScreen
from tests.server.serving import Service


def test_the_documentation_page_creates_a_game(screen: OpenScreen, service: Service) -> None:
    docs = screen()
    docs.open("/docs")
    operation = docs.page.locator("#operations-games-createGame")
    operation.locator(".opblock-summary-control").click()
    operation.get_by_role("button", name="Try it out").click()
    with docs.page.expect_response(lambda response: response.request.method == "POST") as answered:
        operation.get_by_role("button", name="Execute").click()
    expect(operation.locator(".live-responses-table .response-col_status").last).to_contain_text("201")
    assert service.client.get(f"/games/{answered.value.json()['id']}").status == 200
