"""A page object for the table."""

from collections.abc import Mapping, Sequence

from lostcities.variants.registry import VARIANTS
from playwright.sync_api import Locator, Page

SECONDS = 1000.0
"""In milliseconds, as Playwright expects."""


class Screen:
    """A page of the service, in a browser."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.board = page.locator(".board")
        self.spots = page.locator(".board button.spot, .reach button.spot, .actions button.spot")
        """Drawn elements that make a move."""
        self.choices = page.locator(".choices .spot")
        """The moves between which the player chooses, after a tap on a piece or a place."""
        self.turn = page.locator(".status h1")
        self.refusal = page.locator("#refusals")
        self.checks = page.locator(".checks li")
        self.history = page.locator(".events li")

    def open(self, link: str = "/") -> None:
        self.page.goto(link if link.startswith("http") else self.url + link)

    def open_finished(self, game: str) -> None:
        """Open a finished game as a spectator."""
        self.open(f"/#game={game}")
        self.page.locator(".replay").wait_for()

    def set_up(
        self, variant: str, chairs: Sequence[str] = ("here", "here"), options: Mapping[str, str] | None = None
    ) -> None:
        """Fill in the form and start. A chair is `here`, `link` or the level of a bot."""
        self.open()
        self.unfold(variant)
        least, most = VARIANTS[variant].rules.INFO.seats
        if most > least:
            self.page.get_by_label("How many").select_option(str(len(chairs)))
        for number, chair in enumerate(chairs, 1):
            self.page.get_by_label(f"How player {number} plays").select_option(chair)
        if options:
            self.page.get_by_text("Options", exact=True).click()
        for name, value in (options or {}).items():
            self.page.get_by_label(name).fill(value)
        self.page.get_by_role("button", name="Start").click()
        self.page.locator("main[data-version]").wait_for()

    def unfold(self, variant: str) -> None:
        """Open the form for everything but a game against a bot."""
        self.page.get_by_text("Other players, options, a saved game").click()
        self.page.locator(".seat").first.wait_for()
        self.page.get_by_label("Game", exact=True).select_option(variant)
        most = VARIANTS[variant].rules.INFO.seats[1]
        self.page.wait_for_function("most => document.querySelectorAll('.seat').length === most", arg=most)

    @property
    def version(self) -> int:
        return int(self.page.locator("main").get_attribute("data-version") or 0)

    def wait_for_version(self, version: int) -> None:
        """Wait until at least this version is drawn and the page accepts clicks."""
        self.page.wait_for_function(
            "version => Number(document.querySelector('main:not(.busy)')?.dataset.version) >= version",
            arg=version,
            polling=20,
        )

    @property
    def is_over(self) -> bool:
        return self.page.locator(".winner").count() > 0

    def do(self, spot: Locator, choice: int | None = None) -> None:
        """Tap an element, choose if there is a choice, and wait until the move is drawn."""
        before = self.version
        spot.click()
        if choice is not None:
            self.choices.nth(choice % self.choices.count()).click()
        self.wait_for_version(before + 1)

    def pass_the_device(self) -> None:
        """Pass the device to the next player, if the page asks for it."""
        passing = self.page.locator(".passing button")
        while passing.is_visible():
            label = passing.inner_text()
            passing.click()
            self.page.wait_for_function(
                "label => document.querySelector('.passing button')?.innerText !== label", arg=label
            )

    def links(self) -> dict[str, str]:
        """The links of the page, by title."""
        fields = self.page.locator(".link input").all()
        return {str(field.get_attribute("aria-label")): field.input_value() for field in fields}

    def focused(self) -> str:
        """The accessible name of the focused element."""
        name = "(each) => each === document.body ? '' : (each.ariaLabel ?? each.innerText)"
        return str(self.page.evaluate(f"({name})(document.activeElement)")).strip()

    def tab_to(self, name: str) -> None:
        """Press Tab until the element with that name has the focus."""
        for _ in range(80):
            if name in self.focused():
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the keyboard does not reach {name!r}")
