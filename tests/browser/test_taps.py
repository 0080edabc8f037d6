"""Taps: what a tap on a piece or a place does, and why it does nothing."""

from playwright.sync_api import expect

from tests.browser.conftest import OpenScreen
from tests.browser.positions import link_of
from tests.client import create_game
from tests.server.serving import Service

# Taps -----------------------------------------------------------------------------------------------------------------

REASONS: list[tuple[str, list[str], str, str]] = [
    ("duel", [], ".deck", "First play a card or discard one."),
    ("duel", [], ".pile >> nth=0", "Choose a card of your hand."),
    ("duel", ["discard"], ".hand .held >> nth=0", "Now draw one."),
    ("duel", ["discard"], ".pile.empty >> nth=0", "Nothing can be drawn from an empty discard pile."),
    ("rivals", ["uncover"], ".shown", "open an auction and win it"),
    ("roll-and-write", [], ".mine .box.round >> nth=0", "A circle is marked with a 0"),
    ("treasure-hunt", [], ".lying >> nth=0", "First keep the dice"),
    ("treasure-hunt", ["keep"], ".lying >> nth=9", "sum"),
]
"""A game after some moves, what is tapped, and why nothing happens."""


def test_a_tap_that_can_do_nothing_says_why(screen: OpenScreen, service: Service) -> None:
    table = screen()
    for variant, notations, tapped, reason in REASONS:
        game = create_game(service.client, variant, seed="a1" * 32)
        for wanted in notations:
            moves = service.client.get(game.path + "/moves", token=game.host).body["moves"]
            game.do(next(move["notation"] for move in moves if move["notation"].startswith(wanted)))
        (seat,) = service.client.get(game.path).body["to_act"]
        table.open(link_of(game, seat))
        expect(table.turn).to_have_text(f"Your turn, Player {seat}")
        # Playwright would wait until the element is not marked as disabled.
        table.page.locator(tapped).evaluate("each => each.click()")
        expect(table.refusal).to_contain_text(reason)
        table.open(link_of(game, 1 - seat))
        expect(table.turn).to_have_text(f"Player {seat} to act")
        expect(table.refusal).to_be_empty()
        table.page.locator(tapped.replace(" >> nth=9", " >> nth=0")).evaluate("each => each.click()")
        expect(table.refusal).to_contain_text(f"It is not your turn: Player {seat} to act.")
