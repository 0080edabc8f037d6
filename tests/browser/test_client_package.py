"""The example of the npm package for a page without a bundler."""

import re
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.client import create_game
from tests.server.serving import ROOT, Service

README = ROOT / "openapi" / "clients" / "typescript" / "README.md"
PACKAGE = Path("node_modules", "lostcities-client")


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Requests are not printed."""


@pytest.fixture
def website(node_folder: Path, tmp_path: Path) -> Iterator[str]:
    """A site with the example and the bundle. Its origin is not the service's."""
    (page,) = re.findall(r"^```html\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "index.html").write_text(page)
    shutil.copy(node_folder / PACKAGE / "dist" / "browser.js", tmp_path)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=tmp_path))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_page_iterates_over_the_events_of_a_game(browser: Browser, service: Service, website: str) -> None:
    game = create_game(service.client, options={"max_turns": 1})
    with browser.new_page() as page:
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{website}/?game={service.url}{game.path}")
        expect(page.locator("li")).to_have_text(["game"])
        card = game.get("", token=game.seats[0]).body["position"]["hands"][0][0]
        game.do(f"discard {card}", "draw deck")
        expect(page.locator("li")).to_have_text(["game", f"discard {card}", "draw deck", re.compile(r"^draw "), "end"])
        assert complaints == []


def test_the_bundle_is_as_small_as_the_page_says(node_folder: Path) -> None:
    (said,) = re.findall(r"one file of (\d+) kB", README.read_text())
    size = (node_folder / PACKAGE / "dist" / "browser.js").stat().st_size
    assert size == pytest.approx(1000 * int(said), rel=0.1)
