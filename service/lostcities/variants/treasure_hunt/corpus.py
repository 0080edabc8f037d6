"""What the corpus has of a treasure hunt."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from lostcities.corpus.plan import Plan
from lostcities.variants.treasure_hunt.rules import BONUS_NAMES, COLOURS, NUMBERS


def _tiles(**numbers: Sequence[int]) -> dict[str, list[str]]:
    """The tiles of a seat, by colour."""
    return {letter: [f"{letter}{number}" for number in numbers.get(letter, ())] for letter in COLOURS}


def _members(
    expeditions: Sequence[Mapping[str, Sequence[str]]], bonuses: Sequence[Sequence[str]], **others: Any
) -> dict[str, Any]:
    """A position in which the tiles and bonus tiles that no seat has are in the centre."""
    taken = {tile for tiles in expeditions for row in tiles.values() for tile in row}
    claimed = {bonus for names in bonuses for bonus in names}
    left = {letter: [tile for number in NUMBERS if (tile := f"{letter}{number}") not in taken] for letter in COLOURS}
    centre = {"tiles": left, "bonuses": [name for name in BONUS_NAMES if name not in claimed]}
    return {"centre": centre, "expeditions": expeditions, "bonuses": bonuses, **others}


_FOUR: Final = range(1, 5)
_WITH_TEN: Final = (1, 2, 3, 10)

PLAN: Final = Plan(
    options=(
        {},
        {"max_turns": 9},
        {"footprints": {"plain": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], "wager": {"1": 7, "6": 8, "10": 9}}},
    ),
    styles=(
        ("keep", "take", "claim"),
        ("reroll", "take", "claim"),
        ("keep", "take R1", "take R2", "take R3", "take R", "take B", "claim six", "claim run", "claim"),
        ("keep", "take", "end"),
        ("keep", "skip"),
        ("keep", "take P3", "take P5", "take P7", "take R10", "take B10", "take G10", "take Y10", "take P10", "claim"),
    ),
    positions=(
        # With three seats the last of the six coloured bonus tiles is claimed.
        (
            3,
            {},
            _members(
                [_tiles(R=_FOUR), _tiles(R=[5], B=_FOUR, G=_FOUR, Y=[5], P=[5]), _tiles(Y=_FOUR, P=_FOUR)],
                [["run-of-four"], ["four-blue", "four-green", "every-colour"], ["four-yellow", "four-purple"]],
                phase="claim",
                turns=60,
            ),
        ),
        # With two seats all of them but every-colour are claimed.
        (
            2,
            {},
            _members(
                [_tiles(R=_FOUR, B=_FOUR, G=_FOUR), _tiles(Y=_FOUR, P=_FOUR)],
                [["four-red", "four-blue", "four-green", "run-of-four", "three-3s"], ["four-yellow", "four-purple"]],
                phase="take",
                turns=40,
                dice=["1", "1", "1"],
            ),
        ),
        # The last 10 and the last coloured bonus tile were taken in one turn.
        (
            2,
            {},
            _members(
                [
                    _tiles(R=_WITH_TEN, B=_WITH_TEN, G=_WITH_TEN),
                    _tiles(R=[4], B=[4], G=[4], Y=_WITH_TEN, P=_WITH_TEN),
                ],
                [["four-red", "four-blue", "four-green"], ["four-yellow", "four-purple", "every-colour"]],
                phase="over",
                turns=41,
                active=1,
            ),
        ),
        # The last turn that a game can have.
        (2, {}, {"phase": "take", "turns": 999_999, "active": 1, "dice": ["1", "1", "1"]}),
    ),
    rulings={
        "dice-count": "one-reroll",
        "face-not-shown": "one-reroll",
        "dice-final": "one-reroll",
        "tile-not-in-centre": "tiles",
        "not-a-sum": "sums",
        "not-higher": "higher",
        "bonus-not-in-centre": "one-owner",
        "condition-not-fulfilled": "claims",
    },
)
