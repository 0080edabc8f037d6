"""What the corpus has of a duel."""

from typing import Final

from lostcities.corpus.plan import Plan

PLAN: Final = Plan(
    options=(
        {},
        {"expeditions": 6},
        {"redraw_own_discard": True},
        {"rounds": 3, "max_turns": 24},
        {"max_turns": 3},
        {"rounds": 2, "max_turns": 2},
    ),
    styles=(
        ("discard", "draw deck"),
        ("discard", "draw Y", "draw B", "draw W", "draw G", "draw R", "draw P", "draw deck"),
        ("play Yw", "play Bw", "play Ww", "play Gw", "play Rw", "play Y", "play B", "discard", "draw deck"),
        ("play", "draw deck"),
        ("play Y", "play B", "discard R", "discard G", "draw Y", "draw B", "draw deck"),
    ),
    outcomes=("draw P5", "deal 1 Pw P2 P3 P4 P5 P6 P7 P8", "deal 0 Yw Yw Yw Yw Y2 Y3 Y4 Y5"),
    # The last turn that a round can have.
    positions=(
        (
            2,
            {},
            {
                "phase": "draw",
                "active": 1,
                "turns": 9_999,
                "hands": [
                    ["Yw", "Y2", "Y3", "Y4", "Y5", "Y6", "Y7", "Y9"],
                    ["Bw", "B2", "B3", "B4", "B5", "B6", "B7"],
                ],
                "discards": {"Y": ["Y8"], "B": ["B8"], "W": [], "G": [], "R": []},
                "closed": "B",
                "deck": 43,
            },
        ),
    ),
    rulings={
        "card-not-in-hand": "any-discard",
        "not-higher": "strictly-higher",
        "wager-after-number": "wager-before-numbers",
        "pile-empty": "no-pass",
        "pile-closed": "redraw-ban",
        "colour-not-in-game": "long-game",
        "card-not-in-deck": "components",
        "deal-order": "deal-order",
    },
)
