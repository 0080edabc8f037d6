"""What the corpus has of roll-and-write."""

from collections.abc import Sequence
from typing import Any, Final

from lostcities.corpus.plan import Plan
from lostcities.variants.roll_and_write.rules import BOXES, BRIDGE, COLOURS, COLUMNS


def _seat(numbers: int, artefacts: int, dice: int, turn: str, bridges: dict[str, str]) -> dict[str, Any]:
    """A seat that has written as many ones into each expedition."""
    expedition = {"circle": False, "numbers": [1] * numbers, "end_artefact": False}
    return {
        "expeditions": dict.fromkeys(COLOURS, expedition),
        "artefacts": artefacts,
        "dice": dice,
        "bridges": bridges,
        "turn": turn,
    }


def _at_the_tops(colours: str, numbers: Sequence[int]) -> dict[str, Any]:
    """The active seat has written all numbers, and all dice lie in the centre."""
    return {
        "phase": "active-choice",
        "centre": {"colours": [*colours], "numbers": [*numbers]},
        "seats": [
            _seat(BOXES, BOXES, 0, "choose", {**_BONUSES, "dice": "ahead"}),
            _seat(0, 0, 0, "choose", {**dict.fromkeys(COLUMNS, "lost"), "dice": "ahead"}),
        ],
    }


_THREE_DIGITS: Final = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (7, 8, 9))
_BONUSES: Final = dict.fromkeys(COLUMNS, "bonus")
_LOST: Final = {**dict.fromkeys(COLUMNS, "lost"), "dice": "late"}

PLAN: Final = Plan(
    options=(
        {},
        {"order": "clockwise"},
        {"ten_may_start": True},
        {
            "sheet": {
                "arrows": {"R": [1, 2, 3, 4, 5, 6, 7, 8, 9], "O": [1, 9], "B": [8]},
                "artefacts": {"O": [2, 3, 4, 5, 6, 7, 8], "Y": [1, 9]},
                "scales": {"expedition": [-7, 1, 2, 3, 4, 5, 6, 7, 8, 9]},
            }
        },
    ),
    styles=(
        ("refuse",),
        ("top", "accelerate", "write R", "write O", "write Y 1", "write", "refuse"),
        ("circle", "write", "stop", "refuse"),
        ("top", "accelerate R", "accelerate O", "write G", "write B", "write P", "write", "refuse"),
        ("top", "write R 1", "write O 1", "write Y 1", "write G 1", "accelerate", "write", "refuse"),
    ),
    positions=(
        # Every number can mark every end artefact.
        *((2, {}, _at_the_tops(colours, numbers)) for colours in ("ROY", "GBP") for numbers in _THREE_DIGITS),
        # The last bridge is passed in the turn in which the last seat is exhausted: before it ends, and after that.
        (
            2,
            {},
            {
                "phase": "other-choices",
                "centre": {"colours": ["O", "Y"], "numbers": [1, 2]},
                "seats": [
                    _seat(BRIDGE, BOXES, BOXES, "finished", {**_BONUSES, "R": "due"}),
                    _seat(0, 0, BOXES - 1, "choose", {**_LOST, "R": "ahead"}),
                ],
            },
        ),
        (
            2,
            {},
            {
                "phase": "over",
                "seats": [
                    _seat(BRIDGE, BOXES, BOXES, "finished", _BONUSES),
                    _seat(0, 0, BOXES, "finished", _LOST),
                ],
            },
        ),
    ),
    rulings={
        "die-not-in-centre": "active-chooses-first",
        "circle-after-start": "circle",
        "circle-twice": "circle",
        "zero-first": "zero-before-start",
        "lower-than-last": "not-lower",
        "expedition-full": "end-artefact",
        "top-too-early": "end-artefact",
        "top-twice": "end-artefact",
        "no-arrow": "accelerate",
        "expedition-complete": "accelerate-number",
    },
)
