"""duel: what its phases, rules, endings and rulings are, in sentences."""

from collections.abc import Mapping, Sequence
from typing import Final

from lostcities.variants.core import N_, SHARED_RULES, SHARED_VALUES, Ruling

PHASES: Final[Mapping[str, str]] = {
    "deal": N_("chance deals eight cards to seat 0, then to seat 1"),
    "play": N_("the active seat plays or discards a card"),
    "draw": N_("the active seat draws from the deck or from a discard pile"),
    "draw-deck": N_("chance says which card comes from the deck"),
    "over": N_("the game is over"),
}

DUE: Final[Mapping[str, str]] = {
    "deal": N_("hands are dealt first: 'deal 0' and eight cards"),
    "play": N_("a turn begins with 'play' or 'discard'"),
    "draw": N_("the turn goes on with a draw: 'draw deck' or from a discard pile"),
    "draw-deck": N_("a single card is drawn: 'draw R7'"),
    "over": N_("the game is over"),
}
"""The detail of the error `wrong-phase`, by phase."""

RULE_TEXTS: Final[Mapping[str, str]] = {
    **SHARED_RULES,
    "card-not-in-hand": N_("Only a card of the own hand can be played or discarded."),
    "not-higher": N_("A number must be higher than the expedition's last number."),
    "wager-after-number": N_("A wager may be played only while the expedition holds no number."),
    "pile-empty": N_("Nothing can be drawn from an empty discard pile."),
    "pile-closed": N_("The card just discarded may not be drawn back in the same turn."),
    "colour-not-in-game": N_("Purple plays only in a game of six expeditions."),
    "card-not-in-deck": N_("Chance deals and draws only cards that are still unseen."),
    "deal-order": N_("Seat 0 is dealt before seat 1."),
}

RULE_VALUES: Final[Mapping[str, Sequence[str]]] = {
    **SHARED_VALUES,
    "card-not-in-hand": ("seat", "card"),
    "not-higher": ("card", "last"),
    "wager-after-number": ("card", "last"),
    "pile-empty": ("colour",),
    "pile-closed": ("colour",),
    "colour-not-in-game": ("colour", "expeditions"),
    "card-not-in-deck": ("card",),
    "deal-order": ("next", "seat"),
}

MOVE_LABELS: Final[Mapping[str, str]] = {
    "play": N_("play a card"),
    "discard": N_("discard a card"),
    "draw": N_("draw a card"),
    "deal": N_("deal cards"),
}

OPTION_LABELS: Final[Mapping[str, str]] = {
    "expeditions": N_("expeditions"),
    "redraw_own_discard": N_("take back the own discard"),
    "rounds": N_("rounds"),
    "max_turns": N_("turns at most"),
}

NO_SUCH_MOVE: Final[Mapping[str, str]] = {
    "pass": N_("a turn cannot be passed"),
    "play": N_("a card is a wager, 'Rw', or a number from 2 to 10"),
    "discard": N_("a card is a wager, 'Rw', or a number from 2 to 10"),
}
"""Why some texts are no moves, by their first word."""

CHANCE_TEXT: Final = N_(
    "The deck is ordered by colour, Y B W G R and with six expeditions then P, and within a colour by rank, three "
    "wagers and then 2 to 10: Yw Yw Yw Y2 Y3 ... Y10 Bw Bw Bw B2 ... A round begins with the full deck; cards that "
    "lie open or are in a hand are not in it. `deal` is one event for each seat, seat 0 first. It makes eight picks. "
    "Each pick is pick(cards in the deck) and returns an index into the ordered deck; the card with that index leaves "
    "the deck before the next pick. `draw` is one such pick. The notation of a deal has its cards in the order of the "
    "deck, not in the order of the picks."
)

ENDINGS: Final[Mapping[str, str]] = {
    "deck-empty": N_("the last card of the deck was drawn in the last round"),
    "max-turns": N_("the last round reached the turns it was limited to"),
}

RULINGS: Final = (
    Ruling("components", "text", N_("Five colours of nine numbers, 2 to 10, and three wagers: 60 cards.")),
    Ruling("deal", "text", N_("Each seat is dealt eight cards.")),
    Ruling("deal-order", "ruling", N_("Seat 0 is dealt first, in every round of a match, whichever seat starts it.")),
    Ruling("any-discard", "text", N_("Any card of the hand may be discarded.")),
    Ruling("wager-before-numbers", "text", RULE_TEXTS["wager-after-number"]),
    Ruling("strictly-higher", "text", RULE_TEXTS["not-higher"]),
    Ruling("no-pass", "text", N_("A seat always plays or discards one card and then draws one.")),
    Ruling("last-card", "text", N_("The round ends the moment the deck's last card is drawn; hands do not score.")),
    Ruling("expedition-score", "text", N_("A started expedition scores (sum - 20) x (1 + wagers).")),
    Ruling("not-started", "text", N_("An expedition that was not started scores 0.")),
    Ruling("eight-card-bonus", "text", N_("Eight or more cards add 20, not multiplied.")),
    Ruling("bonus-counts-wagers", "known", N_("Wagers count towards the eight cards of the bonus.")),
    Ruling("long-game", "known", N_("Six expeditions add purple, with the same twelve cards as any colour.")),
    Ruling(
        "redraw-ban",
        "known",
        N_("The pile just discarded onto is closed for that turn (redraw_own_discard). The rulebook's text is silent."),
    ),
    Ruling("match", "known", N_("Rounds add up to a match (rounds); three are recommended. Each has the full deck.")),
    Ruling("next-round", "known", N_("The seat with more points in a round starts the next.")),
    Ruling("next-round-tie", "ruling", N_("After equal points the seat that did not start the round starts the next.")),
    Ruling(
        "open-memory", "ruling", N_("A card drawn from a discard pile stays known in that hand until it is put down.")
    ),
    Ruling("equal-wagers", "ruling", N_("Equal wagers are not told apart: the one put down counts as the known one.")),
    Ruling(
        "max-turns", "ruling", N_("A round without an end is limited by max_turns, and by 10000 turns in any case.")
    ),
    Ruling("draw", "ruling", N_("Equal totals share the win.")),
)
