"""What the greedy bot pays in rivals, and when it opens an auction."""

import pytest
from lostcities.rules import rivals
from lostcities.variants.rivals.bot import Outlook, ValuedExpedition


def outlook(gold: list[int], display: str, *, pile: int = 12, left: str = "", laid: str = "Gw Rw") -> Outlook:
    """Two seats with the same expeditions."""
    expeditions = [[ValuedExpedition(b"") for _ in rivals.COLOURS] for _ in gold]
    for name in laid.split():
        for own in expeditions:
            own[rivals.COLOUR[rivals.CARD[name]]].add(rivals.CARD[name])
    found = Outlook(gold, expeditions, sorted(rivals.CARD[name] for name in display.split()), pile)
    for name in left.split():
        found.count(rivals.CARD[name], 1)
    return found


GOOD = "G6 G7 G8 R6 R7 R8"
SMALL = "G2 G3"
MANY_LEFT = "W2 W3 W4 W5 W6 W7 W8 W9 W10 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10"


@pytest.mark.parametrize(
    ("gold", "display", "pile", "opens"),
    [
        ([18, 18], GOOD, 12, True),
        ([18, 18], "", 12, False),
        ([0, 18], GOOD, 12, False),
        ([18, 2], GOOD, 12, False),
        ([18, 2], GOOD, 2, True),
        ([18, 18], SMALL, 12, False),
        ([10, 18], SMALL, 12, True),
    ],
    ids=[
        "worth enough",
        "an empty display",
        "no gold",
        "the other cannot outbid it: it waits",
        "before the pile ends it buys",
        "not worth enough",
        "the poorer seat opens early",
    ],
)
def test_when_an_auction_is_opened(gold: list[int], display: str, pile: int, opens: bool) -> None:
    assert outlook(gold, display, pile=pile).opens(0) == opens


def test_gold_is_worth_less_when_few_cards_are_left() -> None:
    early, late = outlook([18, 18], SMALL, left=MANY_LEFT), outlook([18, 18], SMALL)
    assert 0 < early.highest_bid(0) < late.highest_bid(0) <= 18


def test_a_bid_is_not_above_the_gold() -> None:
    assert outlook([3, 18], GOOD).highest_bid(0) == 3


def test_a_card_that_fits_no_more_is_worth_nothing() -> None:
    found = outlook([18, 18], "G2 G9", laid="G5")
    assert (found.best_take(0), found.card_worth(0, rivals.CARD["G2"])) == (rivals.CARD["G9"], 0.0)
