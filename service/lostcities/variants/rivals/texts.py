"""rivals: what its phases, rules, endings and rulings are, in sentences."""

from collections.abc import Mapping, Sequence
from typing import Final

from lostcities.variants.core import N_, SHARED_RULES, SHARED_VALUES, Ruling

PHASES: Final[Mapping[str, str]] = {
    "wagers": N_("chance deals two starting wagers to each seat in turn"),
    "turn": N_("the active seat uncovers a card or opens an auction"),
    "auction": N_("the active seat bids more or passes"),
    "take": N_("the active seat has won the auction: it takes cards, may remove one, and says when it is done"),
    "reveal": N_("chance says which card is turned over"),
    "over": N_("the game is over"),
}

RULE_TEXTS: Final[Mapping[str, str]] = {
    **SHARED_RULES,
    "display-empty": N_("An auction cannot be opened while the display is empty."),
    "bid-too-low": N_("A bid must be higher than the one it answers."),
    "bid-above-gold": N_("A bid is at most the bidder's own gold."),
    "auction-running": N_("No card is uncovered during an auction."),
    "no-auction": N_("Only a seat that is asked to answer a bid may pass."),
    "card-not-in-display": N_("Only a card of the display can be taken or removed."),
    "number-too-low": N_("A number must be equal to or higher than the expedition's last number."),
    "wager-after-number": N_("A wager may be added only while its expedition holds no number."),
    "already-removed": N_("The winner of an auction removes at most one card."),
    "card-not-in-piles": N_("Chance turns over only cards that are still unseen."),
    "deal-order": N_("Starting wagers are dealt to seat 0 first, then clockwise."),
    "same-colour": N_("A seat's two starting wagers are of different colours."),
    "starting-wager-gone": N_("There are two starting wagers of each colour."),
}

RULE_VALUES: Final[Mapping[str, Sequence[str]]] = {
    **SHARED_VALUES,
    "bid-too-low": ("holder", "highest", "bid"),
    "bid-above-gold": ("seat", "bid", "gold"),
    "card-not-in-display": ("card",),
    "number-too-low": ("card", "last"),
    "wager-after-number": ("card", "last"),
    "already-removed": ("seat", "card"),
    "card-not-in-piles": ("card",),
    "deal-order": ("next", "seat"),
    "same-colour": ("card",),
    "starting-wager-gone": ("card",),
}

MOVE_LABELS: Final[Mapping[str, str]] = {
    "uncover": N_("uncover a card"),
    "bid": N_("bid"),
    "pass": N_("pass"),
    "take": N_("take a card"),
    "remove": N_("remove a card"),
    "done": N_("end the auction"),
    "wagers": N_("deal starting wagers"),
    "reveal": N_("turn over a card"),
}

OPTION_LABELS: Final[Mapping[str, str]] = {"piles": N_("sizes of the piles")}

NO_SUCH_MOVE: Final[Mapping[str, str]] = {
    "bid": N_("a bid is at least 1, and at most the 36 gold of the game"),
}
"""Why some texts are no moves, by their first word."""

CHANCE_TEXT: Final = N_(
    "Cards are ordered by colour, G W R Y B, and within a colour by rank, wagers and then 2 to 10. `wagers` is one "
    "event for each seat, seat 0 first, with two picks. The starting wagers are two of each colour, Gw Gw Ww Ww Rw Rw "
    "Yw Yw Bw Bw, without those that were dealt to earlier seats. The first pick is made from all starting wagers "
    "that are left. The second pick is made from those that are left and have another colour than the first: both "
    "wagers of the first's colour are left out. The notation has the two in the order of colours. `reveal` is one "
    "pick from the cards that have not been turned over, of all piles together. Of each colour they are at first "
    "three wagers, two each of 2, 3, 4 and 5, and one each of 6 to 10: Gw Gw Gw G2 G2 G3 G3 ... G10 Ww ...; starting "
    "wagers are not among them. Each pick is pick(number of cards that it is made from) and returns an index into "
    "those cards in their order."
)

ENDINGS: Final[Mapping[str, str]] = {"last-card": N_("the last card of the last pile was turned over")}

RULINGS: Final = (
    Ruling("components", "text", N_("65 numbers, 15 wagers, 10 starting wagers and 36 gold are in the game.")),
    Ruling("footprints", "known", N_("Numbers 2 to 5 show one footprint, 6 to 10 two, wagers none.")),
    Ruling("starting-wagers", "text", N_("Each seat is dealt two starting wagers of different colours, face up.")),
    Ruling("starting-expeditions", "known", N_("A seat's starting wagers begin its first two expeditions.")),
    Ruling(
        "deal-of-wagers", "ruling", N_("Dealt seat by seat: first any wager left, then any left of another colour.")
    ),
    Ruling("four-piles", "text", N_("The 80 cards are split into four piles of about the same size.")),
    Ruling(
        "pile-sizes", "ruling", N_("Each pile has exactly 20 cards, unless the game was created otherwise (piles).")
    ),
    Ruling("even-gold", "text", N_("The gold is divided evenly: 18, 12 or 9 for each of 2, 3 or 4 seats.")),
    Ruling("unusable", "text", N_("A card that no seat can use when turned over goes out and is not replaced.")),
    Ruling(
        "unusable-once",
        "ruling",
        N_("That is tested only as a card is turned over, after an auction too: one that becomes useless later stays."),
    ),
    Ruling("opening-bid", "text", N_("An auction is opened with at least one gold.")),
    Ruling("bid-for-something", "ruling", RULE_TEXTS["display-empty"]),
    Ruling("bid-within-gold", "ruling", RULE_TEXTS["bid-above-gold"]),
    Ruling("bid-or-pass", "text", N_("Clockwise, each seat still in bids more or drops out, until one is left.")),
    Ruling(
        "winner",
        "text",
        N_("The winner pays its bid into the supply, takes any number of cards and removes one or none."),
    ),
    Ruling("winner-order", "ruling", N_("The winner takes and removes cards one by one, in any order.")),
    Ruling("closing-card", "text", N_("The winner ends the auction by turning over the top card of the pile.")),
    Ruling("next-after-auction", "text", N_("The seat clockwise of the winner is next, not that of the opener.")),
    Ruling("placing-wagers", "text", N_("Any number of wagers, but only while the expedition holds no number.")),
    Ruling("placing-numbers", "text", RULE_TEXTS["number-too-low"]),
    Ruling(
        "pile-end",
        "text",
        N_("After the last card of a pile the supply is shared out evenly, the rest stays, the next pile comes in."),
    ),
    Ruling(
        "pile-end-by-auction",
        "ruling",
        N_("So it is when the card that ends an auction ends the pile: the bid just paid is shared out too."),
    ),
    Ruling("game-end", "text", N_("The last card of the last pile ends the game at once; nothing is shared out.")),
    Ruling("expedition-score", "text", N_("An expedition scores its footprints x (1 + wagers); wagers alone score 0.")),
    Ruling("four-number-bonus", "text", N_("Four or more numbers add 8, not multiplied; wagers do not count.")),
    Ruling("gold-score", "text", N_("Each own gold coin scores 1.")),
    Ruling("tie", "ruling", N_("Equal totals share the win.")),
)
