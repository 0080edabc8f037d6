"""treasure-hunt: what its phases, rules, endings and rulings are, in sentences."""

from collections.abc import Mapping, Sequence
from typing import Final

from lostcities.variants.core import N_, SHARED_RULES, SHARED_VALUES, Ruling

PHASES: Final[Mapping[str, str]] = {
    "roll": N_("chance throws the three dice"),
    "keep-or-reroll": N_("the active seat keeps the dice or chooses those to throw again"),
    "reroll": N_("chance throws the chosen dice again"),
    "take": N_("the active seat takes a tile or skips"),
    "claim": N_("the active seat claims a bonus tile or ends its turn"),
    "over": N_("the game is over"),
}

DUE: Final[Mapping[str, str]] = {
    "roll": N_("all three dice are thrown first: 'roll 1 5 w'"),
    "keep-or-reroll": N_("the dice come first: 'keep' them or 'reroll' some of them"),
    "reroll": N_("the chosen dice are thrown first: 'roll 1 w'"),
    "take": N_("a tile comes next: 'take' one or 'skip'"),
    "claim": N_("bonus tiles come next: 'claim' one, or 'end' the turn"),
    "over": N_("the game is over"),
}
"""The detail of the error `wrong-phase`, by phase."""

RULE_TEXTS: Final[Mapping[str, str]] = {
    **SHARED_RULES,
    "dice-count": N_("Chance throws exactly the dice that are awaited: all three, or those chosen for the reroll."),
    "face-not-shown": N_("Only dice that lie can be thrown again: each face as often as it is shown."),
    "dice-final": N_("Dice are thrown again at most once in a turn, and not after they were kept."),
    "tile-not-in-centre": N_("Only a tile that is still in the centre can be taken."),
    "not-a-sum": N_("A tile's number must be the sum of one, two or all three dice, wagers counting 0."),
    "not-higher": N_("A tile must be higher than every tile of its colour that the seat has."),
    "bonus-not-in-centre": N_("A bonus tile that a seat has taken cannot be claimed."),
    "condition-not-fulfilled": N_("A bonus tile can be claimed only by a seat that fulfils its condition now."),
}

RULE_VALUES: Final[Mapping[str, Sequence[str]]] = {
    **SHARED_VALUES,
    "dice-count": ("awaited", "thrown"),
    "face-not-shown": ("shown", "chosen"),
    "tile-not-in-centre": ("tile", "owner"),
    "not-a-sum": ("number", "dice"),
    "not-higher": ("tile", "highest", "seat"),
    "bonus-not-in-centre": ("bonus", "owner"),
    "condition-not-fulfilled": ("seat", "bonus", "condition"),
}

MOVE_LABELS: Final[Mapping[str, str]] = {
    "keep": N_("keep the dice"),
    "reroll": N_("throw dice again"),
    "take": N_("take a tile"),
    "skip": N_("take no tile"),
    "claim": N_("take a bonus tile"),
    "end": N_("end the turn"),
    "roll": N_("throw the dice"),
}

BONUS_LABELS: Final[Mapping[str, str]] = {
    "four-red": N_("four red tiles"),
    "four-blue": N_("four blue tiles"),
    "four-green": N_("four green tiles"),
    "four-yellow": N_("four yellow tiles"),
    "four-purple": N_("four purple tiles"),
    "six-of-a-colour": N_("six tiles of one colour"),
    "run-of-four": N_("four consecutive numbers of one colour"),
    "every-colour": N_("one tile of every colour"),
    "three-3s": N_("three tiles with a 3"),
    "three-5s": N_("three tiles with a 5"),
    "three-7s": N_("three tiles with a 7"),
}

BONUS_WORDS: Final[Mapping[str, str]] = {
    "four-red": N_("four red"),
    "four-blue": N_("four blue"),
    "four-green": N_("four green"),
    "four-yellow": N_("four yellow"),
    "four-purple": N_("four purple"),
    "six-of-a-colour": N_("six of a colour"),
    "run-of-four": N_("run of four"),
    "every-colour": N_("every colour"),
    "three-3s": N_("three 3s"),
    "three-5s": N_("three 5s"),
    "three-7s": N_("three 7s"),
}
"""Few words, for the pictures of bonus tiles."""

BONUS_CONDITIONS: Final[Mapping[str, str]] = {
    "four-red": N_("4 or more red tiles"),
    "four-blue": N_("4 or more blue tiles"),
    "four-green": N_("4 or more green tiles"),
    "four-yellow": N_("4 or more yellow tiles"),
    "four-purple": N_("4 or more purple tiles"),
    "six-of-a-colour": N_("6 or more tiles of one colour"),
    "run-of-four": N_("4 or more consecutive numbers in one colour"),
    "every-colour": N_("at least one tile of each colour"),
    "three-3s": N_("3 or more tiles with the number 3"),
    "three-5s": N_("3 or more tiles with the number 5"),
    "three-7s": N_("3 or more tiles with the number 7"),
}

OPTION_LABELS: Final[Mapping[str, str]] = {"footprints": N_("footprints"), "max_turns": N_("turns at most")}

NO_SUCH_MOVE: Final[Mapping[str, str]] = {
    "pass": N_("a seat that takes no tile skips"),
    "take": N_("a tile has a number from 1 to 10"),
}
"""Why some texts are no moves, by their first word."""

CHANCE_TEXT: Final = N_(
    "`roll` makes one pick for each die that is thrown: three at the beginning of a turn, and after `reroll` as many "
    "as the move names. Each pick is pick(6) and returns an index into the faces 1 2 3 4 5 w. The notation has the "
    "faces of the thrown dice in this order, not in the order of the picks."
)

ENDINGS: Final[Mapping[str, str]] = {
    "last-ten": N_("the last 10 was taken from the centre"),
    "last-bonus": N_("the last bonus tile was taken, or with two seats the last of the six coloured ones"),
    "max-turns": N_("the game reached the turns it was limited to"),
}

RULINGS: Final = (
    Ruling("tiles", "text", N_("In each of five colours lie the numbers 1 to 10; 1, 6 and 10 have a wager face.")),
    Ruling("footprints-shown", "known", N_("Every tile shows one or two footprints.")),
    Ruling(
        "footprints",
        "ruling",
        N_("1 to 5 show one footprint, 6 to 10 two, wager faces like plain ones (footprints replaces the table)."),
    ),
    Ruling("dice", "known", N_("Each of the three dice has the faces 1 to 5 and a wager.")),
    Ruling("bonuses", "text", N_("Eleven bonus tiles have a condition each and count 10 points.")),
    Ruling("one-reroll", "text", N_("After the roll one, two or three dice may be thrown again, once.")),
    Ruling("sums", "text", RULE_TEXTS["not-a-sum"]),
    Ruling("higher", "text", RULE_TEXTS["not-higher"]),
    Ruling("skip", "text", N_("A seat may take no tile, even where it could.")),
    Ruling(
        "wager-side", "text", N_("A 1, 6 or 10 lies wager side up exactly when any die shows a wager as it is taken.")
    ),
    Ruling("claims", "text", N_("In its turn, also after skip, a seat may claim any bonus tiles it fulfils by now.")),
    Ruling(
        "turn-ends-by-itself", "ruling", N_("Where nothing, or nothing more, can be claimed, the turn ends by itself.")
    ),
    Ruling("one-owner", "text", RULE_TEXTS["bonus-not-in-centre"]),
    Ruling("last-turn", "text", N_("The turn in which an end comes about is finished, claims included.")),
    Ruling("end-tens", "text", N_("The game ends when the last 10 has left the centre.")),
    Ruling("end-bonuses", "text", N_("With 3 or 4 seats the game ends when the last bonus tile is taken.")),
    Ruling("end-two-seats", "text", N_("With 2 seats it ends when the last of six coloured bonus tiles is taken.")),
    Ruling(
        "coloured-bonuses",
        "ruling",
        N_("The six coloured bonus tiles are the five for four of a colour and every-colour."),
    ),
    Ruling(
        "max-turns", "ruling", N_("A game in which all skip is limited by max_turns, and by 1000000 turns in any case.")
    ),
    Ruling("score", "text", N_("A colour counts its footprints x (1 + wager faces up).")),
    Ruling("draw", "ruling", N_("Equal totals share the win.")),
)
