"""What the corpus has of rivals."""

from typing import Final

from lostcities.corpus.plan import Plan
from lostcities.variants.rivals.rules import COLOURS, GOLD


def _wagers(*letters: str) -> dict[str, list[str]]:
    """The expeditions of a seat that has its starting wagers only."""
    return {letter: [f"{letter}w"] if letter in letters else [] for letter in COLOURS}


PLAN: Final = Plan(
    options=({}, {"piles": [5, 10, 25, 40]}, {"piles": [60, 18, 1, 1]}),
    styles=(
        ("uncover", "take", "done"),
        ("bid", "take", "done"),
        ("bid 1", "bid 2", "bid 3", "pass", "take Gw", "take Ww", "take Rw", "take Yw", "take Bw", "take"),
        ("uncover", "bid", "remove", "take", "done"),
        ("bid 1", "pass", "done"),
    ),
    outcomes=("wagers 0 Gw Gw", "wagers 1 Rw Rw", "wagers 2 Yw Yw", "wagers 3 Bw Bw"),
    # One seat has all the gold.
    positions=(
        (
            2,
            {"piles": [1, 1, 1, 77]},
            {
                "phase": "turn",
                "active": 1,
                "starting_wagers": [["Gw", "Ww"], ["Rw", "Yw"]],
                "expeditions": [_wagers("G", "W"), _wagers("R", "Y")],
                "gold": [0, GOLD],
                "display": ["G10"],
                "pile": 1,
                "piles": [1, 77],
            },
        ),
    ),
    rulings={
        "display-empty": "bid-for-something",
        "bid-too-low": "bid-or-pass",
        "bid-above-gold": "bid-within-gold",
        "auction-running": "bid-or-pass",
        "no-auction": "bid-or-pass",
        "card-not-in-display": "winner",
        "number-too-low": "placing-numbers",
        "wager-after-number": "placing-wagers",
        "already-removed": "winner",
        "card-not-in-piles": "components",
        "deal-order": "deal-of-wagers",
        "same-colour": "starting-wagers",
        "starting-wager-gone": "components",
    },
)
