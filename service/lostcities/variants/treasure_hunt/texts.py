"""treasure-hunt: what its phases, rules, endings and rulings are, in sentences."""

from collections.abc import Mapping
from typing import Final

from lostcities.variants.core import SHARED_RULES, Ruling

PHASES: Final[Mapping[str, str]] = {
    "roll": "chance throws the three dice",
    "keep-or-reroll": "the active seat keeps the dice or chooses those to throw again",
    "reroll": "chance throws the chosen dice again",
    "take": "the active seat takes a tile or skips",
    "claim": "the active seat claims a bonus tile or ends its turn",
    "over": "the game is over",
}

DUE: Final[Mapping[str, str]] = {
    "roll": "all three dice are thrown first: 'roll 1 5 w'",
    "keep-or-reroll": "the dice come first: 'keep' them or 'reroll' some of them",
    "reroll": "the chosen dice are thrown first: 'roll 1 w'",
    "take": "a tile comes next: 'take' one or 'skip'",
    "claim": "bonus tiles come next: 'claim' one, or 'end' the turn",
    "over": "the game is over",
}
"""The detail of the error `wrong-phase`, by phase."""

RULE_TEXTS: Final[Mapping[str, str]] = {
    **SHARED_RULES,
    "dice-count": "Chance throws exactly the dice that are awaited: all three, or those chosen for the reroll.",
    "face-not-shown": "Only dice that lie can be thrown again: each face as often as it is shown.",
    "dice-final": "Dice are thrown again at most once in a turn, and not after they were kept.",
    "tile-not-in-centre": "Only a tile that is still in the centre can be taken.",
    "not-a-sum": "A tile's number must be the sum of one, two or all three dice, wagers counting 0.",
    "not-higher": "A tile must be higher than every tile of its colour that the seat has.",
    "bonus-not-in-centre": "A bonus tile that a seat has taken cannot be claimed.",
    "condition-not-fulfilled": "A bonus tile can be claimed only by a seat that fulfils its condition now.",
}

NO_SUCH_MOVE: Final[Mapping[str, str]] = {
    "pass": "a seat that takes no tile skips",
    "take": "a tile has a number from 1 to 10",
}
"""Why some texts are no moves, by their first word."""

CHANCE_TEXT: Final = (
    "`roll` makes one pick for each die that is thrown: three at the beginning of a turn, and after `reroll` as many "
    "as the move names. Each pick is pick(6) and returns an index into the faces 1 2 3 4 5 w. The notation has the "
    "faces of the thrown dice in this order, not in the order of the picks."
)

ENDINGS: Final[Mapping[str, str]] = {
    "last-ten": "the last 10 was taken from the centre",
    "last-bonus": "the last bonus tile was taken, or with two seats the last of the six coloured ones",
    "max-turns": "the game reached the turns it was limited to",
}

RULINGS: Final = (
    Ruling("tiles", "text", "In each of five colours lie the numbers 1 to 10; 1, 6 and 10 have a wager face."),
    Ruling("footprints-shown", "known", "Every tile shows one or two footprints."),
    Ruling(
        "footprints",
        "ruling",
        "1 to 5 show one footprint, 6 to 10 two, wager faces like plain ones (footprints replaces the table).",
    ),
    Ruling("dice", "known", "Each of the three dice has the faces 1 to 5 and a wager."),
    Ruling("bonuses", "text", "Eleven bonus tiles have a condition each and count 10 points."),
    Ruling("one-reroll", "text", "After the roll one, two or three dice may be thrown again, once."),
    Ruling("sums", "text", RULE_TEXTS["not-a-sum"]),
    Ruling("higher", "text", RULE_TEXTS["not-higher"]),
    Ruling("skip", "text", "A seat may take no tile, even where it could."),
    Ruling("wager-side", "text", "A 1, 6 or 10 lies wager side up exactly when any die shows a wager as it is taken."),
    Ruling("claims", "text", "In its turn, also after skip, a seat may claim any bonus tiles it fulfils by now."),
    Ruling("turn-ends-by-itself", "ruling", "Where nothing, or nothing more, can be claimed, the turn ends by itself."),
    Ruling("one-owner", "text", RULE_TEXTS["bonus-not-in-centre"]),
    Ruling("last-turn", "text", "The turn in which an end comes about is finished, claims included."),
    Ruling("end-tens", "text", "The game ends when the last 10 has left the centre."),
    Ruling("end-bonuses", "text", "With 3 or 4 seats the game ends when the last bonus tile is taken."),
    Ruling("end-two-seats", "text", "With 2 seats it ends when the last of six coloured bonus tiles is taken."),
    Ruling(
        "coloured-bonuses",
        "ruling",
        "The six coloured bonus tiles are the five for four of a colour and every-colour.",
    ),
    Ruling(
        "max-turns", "ruling", "A game in which all skip is limited by max_turns, and by 1000000 turns in any case."
    ),
    Ruling("score", "text", "A colour counts its footprints x (1 + wager faces up)."),
    Ruling("draw", "ruling", "Equal totals share the win."),
)
