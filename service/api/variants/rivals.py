"""Rivals' options, position and score lines."""

from service.api.fields import AnyField, Const, Strict, choice, integer, listed, nested, shape
from service.rules import rivals

_CARDS = [*rivals.CARDS]
_SEATS = rivals.SEATS


class RivalsOptions(Strict):
    """What a game of rivals can be created with."""

    piles = listed(
        integer("Cards in the pile.", 1, len(rivals.FULL_DECK)),
        "The sizes of the four piles in the order they come in, 80 in all.",
        rivals.PILES,
        rivals.PILES,
    )


def _cards(description: str, most: int = len(rivals.FULL_DECK)) -> AnyField:
    return listed(choice("A card.", _CARDS), description, 0, most, required=True)


RivalsExpeditions = shape(
    "RivalsExpeditions",
    "A seat's expeditions by colour.",
    **{
        letter: _cards(f"The {name} expedition as taken: wagers, then numbers that never fall.", 20)
        for letter, name in zip(rivals.COLOURS, rivals.COLOUR_NAMES, strict=True)
    },
)


class RivalsAuction(Strict):
    """The bidding for the display."""

    bid = integer("The highest so far.", 1, rivals.GOLD, required=True)
    holder = integer("The seat whose bid that is.", 0, 3, required=True)
    still_in = listed(
        integer("A seat.", 0, 3),
        "The seats that have not passed, the holder included.",
        2,
        4,
        required=True,
        data_key="in",
        attribute="in",
    )


class RivalsPosition(Strict):
    """A moment of a game of rivals: all of it is public."""

    variant = Const(rivals.VARIANT, "Tells the position's shape.", required=True)
    phase = choice("The kind of decision that is due.", [*rivals.ABOUT.phases], required=True)
    active = integer("The seat whose turn it is: to begin, to answer a bid, or to take.", 0, 3, required=True)
    starting_wagers = listed(
        listed(choice("A wager.", [rivals.CARDS[wager] for wager in rivals.WAGERS]), "A seat's.", 0, 2),
        "The starting wagers that each seat was dealt; each of them begins an expedition.",
        *_SEATS,
        required=True,
    )
    expeditions = listed(nested(RivalsExpeditions, "A seat's."), "Each seat's expeditions.", *_SEATS, required=True)
    gold = listed(integer("Coins.", 0, rivals.GOLD), "Each seat's gold.", *_SEATS, required=True)
    supply = integer("Gold in the supply.", 0, rivals.GOLD, required=True)
    display = _cards("The cards to be auctioned, the newest last.")
    pile = integer("Cards left in the current pile.", 0, len(rivals.FULL_DECK), required=True)
    piles = listed(
        integer("Cards in the pile.", 1, len(rivals.FULL_DECK)),
        "The piles set aside, the next first.",
        0,
        rivals.PILES - 1,
        required=True,
    )
    auction = nested(RivalsAuction, "The auction; null if there is none.", required=True, allow_none=True)
    removals = integer("Cards that the winner of the auction may still remove.", 0, rivals.REMOVALS, required=True)
    removed = _cards("Cards that winners of auctions put out of the game.")
    unusable = _cards("Cards that nobody could use when they were turned over.")


class RivalsLine(Strict):
    """A line of a score: an expedition, or the gold."""

    item = choice("The expedition's colour, or `gold`.", [*rivals.COLOUR_NAMES, "gold"], required=True)
    points = integer("What it adds to the total.", 0, 1000, required=True)
    footprints = integer("Footprints on the expedition's numbers.", 0, 100)
    wagers = integer("Wagers on the expedition.", 0, 5)
    numbers = integer("Numbers in the expedition.", 0, 13)
    bonus = integer("Bonus for four numbers or more, not multiplied.", 0, rivals.BONUS)


OPTIONS, POSITION, LINE = RivalsOptions, RivalsPosition, RivalsLine
PER_SEAT = "gold"
OPERANDS = {"gold": "Coins.", "card": "The card."}
INVARIANTS = (
    "ascending",
    "auction-phase",
    "auction-seats",
    "auction-turn",
    "bid-above-gold",
    "bid-unpaid",
    "card-count",
    "colour",
    "deal-first",
    "deal-order",
    "deal-phase",
    "display-empty",
    "game-end",
    "gold-count",
    "gold-unshared",
    "opening",
    "piles",
    "removals",
    "seats",
    "starting-wager-missing",
    "starting-wagers",
    "too-many-copies",
    "usable",
)
