"""What helps a player: sentences, rules, wager sides, and stepping through a finished game."""

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from lostcities.variants.core import FULL
from lostcities.variants.registry import VARIANTS
from playwright.sync_api import Route, expect

from tests.browser.conftest import OpenScreen
from tests.browser.positions import finished, halfway, link_of
from tests.client import create_game
from tests.rules import test_duel, test_rivals, test_roll_and_write, test_treasure_hunt
from tests.server.serving import Service

# What is to be done ---------------------------------------------------------------------------------------------------


PROMPTS: list[tuple[str, list[str], str]] = [
    ("duel", [], "Play a card or discard it."),
    ("duel", ["discard"], "Draw a card from the deck or from a discard pile."),
    ("rivals", [], "Uncover a card."),
    ("rivals", ["uncover", "uncover"], "Uncover a card or open an auction."),
    ("rivals", ["uncover", "bid 3"], "Bid more than 3 gold, or pass."),
    ("rivals", ["uncover", "bid 3", "pass"], "Take cards from the display, remove one if you like"),
    ("rivals", ["uncover", "uncover", "bid 3", "pass", "remove"], "Take cards from the display, then turn over"),
    ("rivals", ["uncover", "bid 3", "pass", "remove"], "Turn over the next card."),
    ("roll-and-write", [], "Choose a colour and a number"),
    ("treasure-hunt", [], "Keep the dice, or pick those that you throw again."),
    ("treasure-hunt", ["keep"], "Take a tile whose number you threw, or skip."),
]
"""Of a game after some moves: what its page says to the player who is to act."""


def test_the_page_says_what_the_player_can_do(screen: OpenScreen, service: Service) -> None:
    table = screen()
    due = table.page.locator(".status .due")
    for variant, notations, sentence in PROMPTS:
        game = create_game(service.client, variant, seed="a1" * 32)
        for wanted in notations:
            moves = service.client.get(game.path + "/moves", token=game.host).body["moves"]
            game.do(next(move["notation"] for move in moves if move["notation"].startswith(wanted)))
        (seat,) = service.client.get(game.path).body["to_act"]
        table.open(link_of(game, seat))
        expect(due).to_contain_text(sentence)
        table.open(link_of(game, 1 - seat))
        expect(due).to_contain_text(f"Next for Player {seat}: {sentence[0].lower()}{sentence[1:]}")


# The rules ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_rules_of_every_game_are_explained(screen: OpenScreen, variant: str, width: int, scheme: str) -> None:
    table = screen(width, 800, color_scheme=scheme)
    table.open()
    table.unfold(variant)
    table.page.get_by_role("button", name="Rules").click()
    rules = table.page.locator("dialog.rules")
    expect(rules).to_contain_text(VARIANTS[variant].rules.INFO.title)
    words = len(" ".join(rules.locator("section").all_inner_texts()).split())
    assert words < 330, "it fits a screen"
    expect(rules).not_to_contain_text(re.compile("undefined|null|NaN"))
    if variant in EXPLAINED:
        assert words > 100
        for fact in EXPLAINED[variant]:
            expect(rules).to_contain_text(fact)
    rules.get_by_text("Every ruling in detail").click()
    for ruling in VARIANTS[variant].rules.INFO.rulings:
        expect(rules).to_contain_text(ruling.text)
    assert rules.evaluate("each => each.scrollWidth - each.clientWidth") == 0
    found = Axe().run(table.page)
    assert not found.response["violations"], found.generate_report()
    table.page.keyboard.press("Escape")
    expect(rules).to_have_count(0)


EXPLAINED = {
    "duel": ["60 cards", "minus 20", "With 8 or more cards"],
    "rivals": ["18 with 2 players", "2 to 5 show 1 footprint", "earn 8 points more"],
    "roll-and-write": ["before box 7", "gets 20 points", "−50"],
    "treasure-hunt": ["The tiles 1, 6 and 10", "Each counts 10 points", "At least one tile of each colour"],
}
"""Facts of the variant's data that its explanation contains."""


def test_the_rules_are_those_of_the_games_options(screen: OpenScreen, service: Service) -> None:
    game = create_game(service.client, options={"expeditions": 6, "redraw_own_discard": True, "rounds": 3})
    table = screen()
    table.open(link_of(game, 0))
    table.page.get_by_role("button", name="Rules").click()
    rules = table.page.locator("dialog.rules")
    for fact in ("6 colours", "72 cards", "3 rounds"):
        expect(rules).to_contain_text(fact)
    expect(rules).not_to_contain_text("have just discarded")


# The score -----------------------------------------------------------------------------------------------------------

SHEETS: dict[str, tuple[Any, list[str]]] = {
    "duel": (
        test_duel.last_draw(
            test_duel.situation(laid=("Rw R4 R6 R10 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9", ""), deck="W2", rounds=2)
        ),
        ["Yellow: 44 − 20 = 24, + 20; Red: 20 − 20 = 0, × 2 = 0"],
    ),
    "rivals": (
        test_rivals.situation("Rw Rw R2 R2 R6 R7 B2", "", openings=("Rw Bw", "Ww Yw"), display="Y9", gold=[5, 18]),
        ["6 footprints × 4 = 24, + 8", "1 footprint × 2 = 2", "5 coins"],
    ),
    "roll-and-write": (
        test_roll_and_write.table(
            test_roll_and_write.seat("R* 1 2 3 4 5 6 7", "G*", bonuses="R"), test_roll_and_write.seat()
        ),
        ["7 boxes: 30, × 2", "circle only: −50, × 2", "2 boxes: −30", "Red: 1 × 20"],
    ),
    "treasure-hunt": (
        test_treasure_hunt.table("G1w G2 G3 G4 R1", "P1", phase="roll"),
        ["1 footprint", "4 footprints × 2"],
    ),
}
"""A state of each game, and the steps that the score panel shows for the lines of the first seat that have any."""


@pytest.mark.parametrize("variant", SHEETS)
def test_the_score_panel_shows_the_steps_of_each_line(screen: OpenScreen, service: Service, variant: str) -> None:
    state, steps = SHEETS[variant]
    position = VARIANTS[variant].rules.to_position(state, FULL)
    game = create_game(service.client, variant, options=state.options.plain(), position=position)
    table = screen()
    table.open(link_of(game, 0))
    shown = table.page.locator(".score").first.locator(".detail")
    expect(shown.first).to_be_attached()
    assert [text for text in shown.all_inner_texts() if text] == steps


# Wager sides ----------------------------------------------------------------------------------------------------------


def test_the_tiles_with_a_wager_side_lie_with_it_up(screen: OpenScreen, service: Service) -> None:
    plain, wager = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1], {1: 4, 6: 5, 10: 2}
    sides = {"plain": plain, "wager": {str(number): feet for number, feet in wager.items()}}
    game = create_game(service.client, "treasure-hunt", seed="a1" * 32, options={"footprints": sides})
    table = screen()
    table.open(link_of(game, 0))
    centre = table.page.locator(".centre")
    tiles = centre.locator("ul").first.locator(".tile")
    expect(tiles).to_have_count(10)
    for number in range(1, 11):
        tile = tiles.nth(number - 1)
        assert ("wager" in str(tile.get_attribute("class")).split()) == (number in wager)
        feet = wager.get(number, plain[number - 1])
        # The first mark is the symbol of the colour.
        expect(tile.locator(".marks .icon")).to_have_count(1 + feet)
    expect(centre.get_by_text("red 6 wager")).to_have_count(1)


# Stepping through a finished game -------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_finished_game_can_be_stepped_through(screen: OpenScreen, service: Service, variant: str) -> None:
    game = finished(service, variant)
    now = service.client.get(game.path).body
    last, options = now["version"], now["options"]
    table = screen(360, 740, has_touch=True, is_mobile=True)
    table.open_finished(game.id)
    page = table.page
    table.page.get_by_text("History", exact=True).click()
    back, forward = page.get_by_label("One event back"), page.get_by_label("One event forward")
    caption, shown = page.locator(".caption"), page.locator(".events [aria-current]")

    def at(version: int) -> None:
        """The page shows this version: caption, history and score."""
        expect(caption).to_contain_text(f"{version} of {last}: ")
        if version:
            expect(shown).to_have_attribute("value", str(version))
        else:
            expect(shown).to_have_count(0)
        position = service.client.get(f"{game.path}?version={version}").body["position"]
        question = {"position": position, "options": options}
        score = service.client.post(f"/variants/{variant}/score", question).body
        totals = [str(seat["total"]).replace("-", "−") for seat in score["seats"]]
        expect(page.locator(".score caption b")).to_have_text(totals)

    at(last)
    if variant in ("duel", "rivals"):
        expect(table.history.last).to_contain_text("Player 0 ")
    expect(forward).to_have_attribute("aria-disabled", "true")
    board = table.board.inner_html()
    back.click()
    at(last - 1)
    back.click()
    at(last - 2)
    forward.click()
    at(last - 1)
    page.get_by_label("To the start").click()
    at(0)
    back.press("Enter")
    at(0)
    # To any event: by the history, and by the slider with the keyboard.
    page.locator(".events .jump").nth(last - 4).click()
    at(4)
    page.get_by_label("Event", exact=True).focus()
    page.keyboard.press("ArrowRight")
    at(5)
    page.get_by_label("To the end").click()
    at(last)
    assert table.board.inner_html() == board
    assert page.locator(".spot").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    found = Axe().run(page)
    assert not found.response["violations"], found.generate_report()


def test_stepping_through_fast_shows_the_last_version_asked_for(screen: OpenScreen, service: Service) -> None:
    """Answers that arrive late, in another order, do not replace what was asked for last."""
    game = finished(service, "duel")
    table = screen()
    table.open_finished(game.id)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    table.page.route("**/games/*?version=3&*", hold)
    slider = table.page.get_by_label("Event", exact=True)
    slider.fill("3")
    slider.fill("5")
    shown = table.page.locator(".events [aria-current]")
    expect(shown).to_have_attribute("value", "5")
    with table.page.expect_response("**/games/*?version=3&*"):
        held[0].continue_()
    table.page.evaluate("new Promise((resolve) => setTimeout(resolve, 100))")
    expect(shown).to_have_attribute("value", "5")


# Hints ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_hint_shows_the_value_of_every_move_beside_it(screen: OpenScreen, service: Service, variant: str) -> None:
    game = halfway(service, variant)
    advice = game.get("/advice", token=game.seats[0]).body["moves"]
    best = advice[0]["notation"]
    table = screen()
    table.open(link_of(game, 0))
    page, listed = table.page, table.page.locator(".moves .spot")
    expect(listed).to_have_count(len(advice))
    assert page.locator(".worth").count() == 0

    def box() -> object:
        return [table.board.bounding_box(), page.locator(".dock").bounding_box(), page.locator(".reach").bounding_box()]

    before = box()
    page.get_by_role("button", name="Hint").click()
    # The list has the order of the service, the best move first.
    expect(listed.locator(".worth")).to_have_count(len(advice))
    assert listed.evaluate_all("all => all.map((each) => each.dataset.key)") == [move["notation"] for move in advice]
    for text, move in zip(listed.locator(".worth").all_inner_texts(), advice, strict=True):
        assert re.fullmatch(r"−?\d+", text)
        assert abs(float(text.replace("−", "-")) - move["value"]) <= 0.5
        assert text != "−0"
    expect(page.locator(".latest")).to_contain_text("Best: ")
    expect(listed.locator(".best")).to_have_count(1)
    # Drawn elements show what they value, dice for a reroll too. A place shows it when a piece is chosen for it.
    for spot in page.locator(".board .spot:not(.place), .reach .spot:not(.place)").all():
        expect(spot.locator(".worth")).to_have_count(1)
        assert re.search(r"\d", spot.locator(".worth").inner_text())
    assert box() == before, "a hint moves nothing"
    found = Axe().run(page)
    assert not found.response["violations"], found.generate_report()
    # A second click hides the values, and so does a move.
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".worth")).to_have_count(0)
    page.get_by_role("button", name="Hint").click()
    page.locator(".worth").first.wait_for()
    table.do(page.locator(f".moves button[data-key='{best}']"))
    expect(page.locator(".worth")).to_have_count(0)


def test_a_card_says_what_playing_and_discarding_it_are_worth(screen: OpenScreen, service: Service) -> None:
    table = screen()
    table.open(link_of(create_game(service.client), 0))
    table.page.get_by_role("button", name="Hint").click()
    worth = table.page.locator(".hand .spot .worth")
    expect(worth).to_have_count(8)
    both = re.compile(r"(play|discard) −?\d+ · (play|discard) −?\d+")
    expect(worth.filter(has_text=both)).not_to_have_count(0)
    table.page.locator(".hand .spot").first.click()
    expect(table.choices.locator(".worth")).to_have_count(table.choices.count())


def test_a_card_is_dragged_to_its_place(screen: OpenScreen, service: Service) -> None:
    table = screen()
    game = create_game(service.client, seed="a1" * 32)
    table.open(link_of(game, 0))
    card = table.page.locator(".hand button.spot").first
    letter = str(card.get_attribute("data-key")).split()[1][0]
    card.drag_to(table.page.locator(f"[data-key='pile {letter}']"))
    table.wait_for_version(3)
    expect(table.page.locator(".latest")).to_contain_text("You discarded")
    assert table.page.locator(".ghost").count() == 0


def test_the_host_s_address_on_another_device_only_watches(screen: OpenScreen) -> None:
    host, other = screen(), screen()
    host.set_up("duel", ("here", "random"))
    other.open(host.page.url)
    expect(other.page.locator(".passing")).to_contain_text("This device only watches")
    expect(other.page.locator(".passing")).to_contain_text("Links to send")


# Marks and movement ---------------------------------------------------------------------------------------------------


def test_the_last_moves_and_the_drawn_card_are_marked(screen: OpenScreen) -> None:
    table = screen()
    table.set_up("duel", ("here", "greedy"), {"Seed": "5e" * 32})
    table.do(table.page.locator(".hand button.spot").first, choice=1)
    expect(table.page.locator("[data-mark=A]")).to_have_count(1)
    table.do(table.page.locator(".deck.spot"))
    expect(table.page.locator("[data-mark=A]")).to_have_count(1)
    expect(table.page.locator("[data-mark=B]")).to_have_count(1)
    drawn = table.page.locator(".hand .card.new")
    expect(drawn).to_have_count(1)
    told = [line for line in table.history.all_inner_texts() if line.startswith("You drew ")]
    assert drawn.inner_text().split("\n")[-1] == told[0].removeprefix("You drew ").removesuffix(".") + ", just drawn"


@pytest.mark.parametrize(("motion", "speed"), [("no-preference", "slow"), ("no-preference", "off"), ("reduce", "slow")])
def test_the_moves_of_a_bot_come_one_after_the_other(screen: OpenScreen, motion: str, speed: str) -> None:
    """None with reduced motion, or where the setting says so."""
    table = screen(reduced_motion=motion)
    table.set_up("duel", ("here", "greedy"), {"Seed": "5e" * 32})
    table.page.get_by_text("Table and settings").click()
    table.page.get_by_label("Moves of the others").select_option(speed)
    table.do(table.page.locator(".hand button.spot").first, choice=1)
    table.page.locator(".deck.spot").click()
    table.wait_for_version(7)
    delays = table.page.evaluate(
        """() => document.getAnimations().map((each) => each.effect)
            .filter(({ target }) => target?.dataset.piece)
            .map((each) => each.getTiming().delay).sort((a, b) => a - b)"""
    )
    if motion == "reduce" or speed == "off":
        assert delays == []
    else:
        assert delays[0] == 0, "the own move is shown at once"
        assert delays[-1] >= 1200
