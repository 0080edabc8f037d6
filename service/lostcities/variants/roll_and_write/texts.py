"""roll-and-write: what its phases, rules, endings and rulings are, in sentences."""

from collections.abc import Mapping, Sequence
from typing import Final

from lostcities.variants.core import N_, SHARED_RULES, SHARED_VALUES, Ruling

PHASES: Final[Mapping[str, str]] = {
    "roll": N_("chance rolls all six dice for the active seat"),
    "active-choice": N_(
        "the active seat chooses a colour die and a number die or refuses, and accelerates after an arrow box"
    ),
    "other-choices": N_(
        "the other seats choose from the dice in the centre or refuse, and accelerate after an arrow box"
    ),
    "over": N_("the game is over"),
}

DUE: Final[Mapping[str, str]] = {
    "roll": N_("all six dice are rolled first: 'roll R G G 0 3 9'"),
    "choose": N_("a choice comes first: 'circle', 'write', 'top' or 'refuse'"),
    "accelerate": N_("a number was written into an arrow box: 'accelerate' or 'stop' is due"),
}
"""The detail of the error `wrong-phase`, by what is due of the actor."""

RULE_TEXTS: Final[Mapping[str, str]] = {
    **SHARED_RULES,
    "die-not-in-centre": N_("Only dice that lie in the centre can be chosen."),
    "circle-after-start": N_("A circle can be marked only before the first number of its expedition."),
    "circle-twice": N_("A circle is marked once."),
    "zero-first": N_("A 0 cannot start an expedition as a 10."),
    "lower-than-last": N_("A number must not be lower than the expedition's last number."),
    "expedition-full": N_("An expedition has nine boxes."),
    "top-too-early": N_("An end artefact is reached only after nine numbers."),
    "top-twice": N_("An end artefact is marked once."),
    "no-arrow": N_("Only a seat that has just written into an arrow box accelerates or stops."),
    "expedition-complete": N_("An expedition whose end artefact is marked cannot be accelerated."),
}

_CHOICE_VALUES: Final = ("colour", "number", "boxes", "last")
"""Of a choice that does not fit. `boxes` counts the numbers of the expedition, `last` is the last of them."""

RULE_VALUES: Final[Mapping[str, Sequence[str]]] = {
    **SHARED_VALUES,
    "die-not-in-centre": ("colour", "digit"),
    "circle-after-start": _CHOICE_VALUES,
    "circle-twice": _CHOICE_VALUES,
    "zero-first": _CHOICE_VALUES,
    "lower-than-last": _CHOICE_VALUES,
    "expedition-full": _CHOICE_VALUES,
    "top-too-early": _CHOICE_VALUES,
    "top-twice": _CHOICE_VALUES,
    "no-arrow": ("seat",),
    "expedition-complete": ("colour",),
}

MOVE_LABELS: Final[Mapping[str, str]] = {
    "circle": N_("mark a circle"),
    "write": N_("write a number"),
    "top": N_("mark an end artefact"),
    "refuse": N_("refuse the dice"),
    "accelerate": N_("accelerate"),
    "stop": N_("stop"),
    "roll": N_("roll the dice"),
}

COLUMN_LABELS: Final[Mapping[str, str]] = {"artefacts": N_("artefacts"), "dice": N_("dice symbols")}
"""The columns that are no expeditions."""

BRIDGE_LABELS: Final[Mapping[str, str]] = {
    "ahead": N_("not passed"),
    "lost": N_("bonus gone to others"),
    "due": N_("bonus due"),
    "bonus": N_("bonus got"),
    "late": N_("passed too late"),
}
"""How a seat stands to a bridge."""

STAGE_LABELS: Final[Mapping[str, str]] = {
    "choose": N_("to choose"),
    "accelerate": N_("to accelerate or stop"),
    "finished": N_("has chosen"),
}
"""The stages of a seat's part in a turn."""

OPTION_LABELS: Final[Mapping[str, str]] = {
    "order": N_("order of the others"),
    "sheet": N_("sheet"),
    "ten_may_start": N_("a 10 may start"),
}

CHOICE_DETAILS: Final[Mapping[str, str]] = {
    "circle-after-start": N_("the {colour} expedition has started: its circle can no longer be marked"),
    "circle-twice": N_("the {colour} circle is already marked"),
    "zero-first": N_("a 0 cannot start the {colour} expedition as a 10"),
    "lower-than-last": N_("{number} is lower than {last}, the last number of the {colour} expedition"),
    "expedition-full": N_("the {colour} expedition already has 9 numbers"),
    "top-too-early": N_("the {colour} expedition has {boxes} of the 9 numbers before its end"),
    "top-twice": N_("the {colour} end artefact is already marked"),
}
"""The detail of the error, by the rule that a choice of dice breaks."""

NO_SUCH_MOVE: Final[Mapping[str, str]] = {
    "pass": N_("a seat that chooses no dice refuses them"),
    "write": N_("a number is 1 to 10; a 0 is read as 10, or marks a circle"),
}
"""Why some texts are no moves, by their first word."""

CHANCE_TEXT: Final = N_(
    "`roll` makes six picks: first the three colour dice, then the three number dice. A colour die is pick(6), an "
    "index into the colours R O Y G B P. A number die is pick(10), which is the digit itself. The notation has the "
    "colours in this order and then the digits ascending, not in the order of the picks."
)

ENDINGS: Final[Mapping[str, str]] = {
    "all-bridges": N_("each of the eight bridges has been passed by at least one seat"),
    "exhausted": N_("every seat has shaded all its dice symbols"),
}

RULINGS: Final = (
    Ruling("dice", "text", N_("Three dice show the six colours, three the digits 0 to 9; all six are rolled.")),
    Ruling("active-chooses-first", "text", N_("The active seat's two dice leave the centre before the others choose.")),
    Ruling("refused-dice-stay", "text", N_("If the active seat refuses, all six dice stay in the centre.")),
    Ruling(
        "shared-dice", "text", N_("The others' choices leave the dice where they are: several may choose the same.")
    ),
    Ruling("order", "text", N_("The others choose at the same time, or clockwise on request (order).")),
    Ruling("circle", "text", N_("A 0 marks the circle of its colour, only before the expedition's first number.")),
    Ruling("not-lower", "text", RULE_TEXTS["lower-than-last"]),
    Ruling("zero-is-ten", "text", N_("During an expedition a 0 is a 10.")),
    Ruling(
        "zero-before-start",
        "ruling",
        N_("Before the first number a 0 is the circle only: it cannot start an expedition as a 10 (ten_may_start)."),
    ),
    Ruling("end-artefact", "text", N_("After nine numbers, one more that would fit marks the end artefact, once.")),
    Ruling("end-artefact-shades", "text", N_("Marking an end artefact shades an artefact, as long as one is left.")),
    Ruling("refuse", "text", N_("A refusal shades the next dice symbol; after nine it has no effect.")),
    Ruling("artefact-box", "text", N_("A number in an artefact box shades an artefact, as long as one is left.")),
    Ruling("accelerate", "text", N_("A number in an arrow box, however it came there, lets its seat accelerate once.")),
    Ruling(
        "accelerate-number", "text", N_("An acceleration repeats the number below, begins with a 1, or marks an end.")
    ),
    Ruling("accelerate-no-circle", "text", N_("An acceleration never marks a circle.")),
    Ruling("bridge", "text", N_("The seventh box of a column passes its bridge; the first to pass it get 20.")),
    Ruling("bridge-shared", "text", N_("All who pass a bridge in the turn in which it is first passed get its bonus.")),
    Ruling("bridge-lost", "text", N_("The others strike that bridge out: they cannot get its bonus any more.")),
    Ruling("end", "text", N_("A turn ends the game if all seats are exhausted or all eight bridges were passed.")),
    Ruling("exhausted", "text", N_("Nine dice symbols score nothing; their seat plays on and keeps its bonuses.")),
    Ruling("doubled", "text", N_("A marked circle doubles its expedition, for better or worse; bonuses never double.")),
    Ruling("untouched", "text", N_("An expedition with neither circle nor number scores 0.")),
    Ruling("shared-win", "text", N_("All seats with the highest total win.")),
    Ruling(
        "scales", "known", N_("The points by boxes filled are those of the scales, which a game can override (sheet).")
    ),
    Ruling(
        "default-sheet",
        "ruling",
        N_(
            "Which boxes were printed with an arrow or an artefact is lost: those of the default sheet are made up, "
            "and a game can be created with its own (sheet)."
        ),
    ),
    Ruling("bonus-at-turn-end", "ruling", N_("Bonuses are given, and counted in the score, when the turn ends.")),
    Ruling("both-endings", "ruling", N_("A turn that ends the game in both ways counts as ended by the bridges.")),
)
