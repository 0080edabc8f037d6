"""chromium on the running service. Console messages and failed requests of a page fail the test."""

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, expect, sync_playwright

from tests.browser.screen import SECONDS, Screen
from tests.clients.conftest import node_folder, tarball
from tests.conftest import NO_BROWSER
from tests.server.serving import Service, serving

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]

PATIENCE = 60 * SECONDS
"""A timeout that is long enough for a busy machine."""

OpenScreen = Callable[..., Screen]

__all__ = ["node_folder", "tarball"]  # fixtures of the npm package


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip(NO_BROWSER)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("browser")) as service:
        yield service


class Watched:
    """Records the requests and console messages of the pages of a test."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self.tokens: set[str] = set()
        self.expected: tuple[str, ...] = ()
        """Parts of messages that the test expects."""

    def watch(self, page: Page) -> None:
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("request", self._asks)
        page.on("response", self._answered)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text} ({message.location.get('url')})")

    def _asks(self, request: Request) -> None:
        # Browsers do not send the fragment.
        address = request.url.split("#")[0]
        self.asked.append(address)
        if not address.startswith((self.service.url, "data:")):
            self.complaints.append(f"asked elsewhere: {address}")

    def _answered(self, response: Response) -> None:
        if response.request.method == "POST" and response.url == f"{self.service.url}/games" and response.ok:
            tokens = response.json()["tokens"]
            # The seat of a bot has no token.
            self.tokens |= {tokens["host"], *filter(None, tokens["seats"])}

    def judge(self) -> None:
        """Check that there were only expected messages and that no address contained a token."""
        unexpected = [each for each in self.complaints if not any(part in each for part in self.expected)]
        assert not unexpected
        log = "".join(self.service.output)
        for token in self.tokens:
            assert token not in log
            assert not [address for address in self.asked if token in address]


@pytest.fixture
def watched(service: Service) -> Iterator[Watched]:
    watched = Watched(service)
    yield watched
    watched.judge()


@pytest.fixture
def screen(browser: Browser, service: Service, watched: Watched) -> Iterator[OpenScreen]:
    """Opens pages, each in a separate browser context."""
    contexts = []

    def open_screen(width: int = 1280, height: int = 800, **look: Any) -> Screen:
        how = {"viewport": {"width": width, "height": height}, "reduced_motion": "reduce", **look}
        context = browser.new_context(**how)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        watched.watch(page)
        return Screen(page, service.url)

    yield open_screen
    for context in contexts:
        context.close()
