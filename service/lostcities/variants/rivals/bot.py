"""greedy for rivals.

Each expedition has a value for its seat: its footprints and a share of those that are still in the piles and fit, times
its wagers, and the bonus as far as its numbers go towards it. A card is worth what it adds to that value; the display
is worth the sum of all cards that the seat would take.

The bot bids one more gold each time up to a limit: what the display is worth to itself and to the seat that would get
it otherwise, halved, because one seat's loss is the other's gain. Gold counts more than its point while many cards are
left to be bought, and one point at the end.

The bot opens an auction when the display is worth enough to it. A seat that can outbid all others at any price waits:
the display grows, and its price does not. It buys before the pile ends, when the supply is shared out. A poorer seat
opens auctions early, while a display costs no more than it can pay.

After an auction it takes its cards from the lowest up and removes the card that is worth most to another seat.
"""

from collections.abc import Sequence
from typing import Final

from lostcities.bots.core import Heuristic, never
from lostcities.variants.core import Move, Pick, Seat
from lostcities.variants.rivals.rules import (
    AUCTION,
    BIDS,
    BONUS,
    BONUS_NUMBERS,
    COLOURS,
    DONE,
    FOOTPRINTS,
    FULL_DECK,
    KINDS,
    PASS,
    REMOVES,
    TAKE,
    TAKES,
    UNCOVER,
    State,
)

LATER: Final = 0.3
"""The share that a footprint counts if it is still in the piles and fits."""
OPENING: Final = 9.0
"""The bot opens an auction when the display is worth at least this."""
OPENING_OF_POORER: Final = 8.0
"""A seat with less gold than another opens earlier: when the display is worth this to itself and the other together.
A small display costs no more than it can pay."""
GOLD_AT_END: Final = 1.2
"""The points that a gold is worth when no card is left."""
GOLD_MORE: Final = 1.6
"""The points that it is worth more when all cards are left."""
LAST_CARDS: Final = 2
"""The cards left in the pile when a seat that can outbid all others stops to wait."""
PLENTY: Final = 120.0
"""What the display is worth to both when it stops to wait."""

NO_CARD: Final = -1

BID_STEPS: Final = (0, 1, 2, 4, 8, 16, 32)
"""The bids that an expert tries, counted from the lowest one."""


def choose(state: State, seat: Seat, moves: Sequence[Move], pick: Pick) -> Move:  # noqa: ARG001
    """A bid, an answer to a bid, or a card."""
    outlook = outlook_of(state)
    if state.phase == TAKE:
        return _take_or_remove(outlook, seat, may_remove=state.removals > 0)
    if state.phase == AUCTION:
        bid = state.auction.bid + 1
        return BIDS[bid - 1] if bid <= outlook.highest_bid(seat) else PASS
    return BIDS[0] if outlook.opens(seat) else UNCOVER


def shortlist(state: State, seat: Seat, moves: Sequence[Move]) -> Sequence[Move]:
    """A few bids, from the lowest up with growing steps. A card that is worth taking is taken without a search."""
    if state.phase == TAKE:
        usual = _take_or_remove(outlook_of(state), seat, may_remove=state.removals > 0)
        return [usual] if usual.type == "take" else moves
    bids = [move for move in moves if move.type == "bid"]
    return [*(move for move in moves if move.type != "bid"), *(bids[step] for step in BID_STEPS if step < len(bids))]


def _take_or_remove(outlook: "Outlook", seat: Seat, *, may_remove: bool) -> Move:
    """The lowest card that is worth taking; then the removal that hurts another seat most; then the end."""
    card = outlook.best_take(seat)
    if card != NO_CARD:
        return TAKES[card]
    card = outlook.best_removal(seat) if may_remove else NO_CARD
    return DONE if card == NO_CARD else REMOVES[card]


class ValuedExpedition:
    """What counts of an expedition. The cards may change between decisions."""

    def __init__(self, cards: bytes) -> None:
        self.wagers = 0
        self.numbers = 0
        self.footprints = 0
        self.last = 0
        for card in cards:
            self.add(card)

    def add(self, card: int) -> None:
        """Add a card that fits."""
        rank = card % KINDS
        self.last = rank
        if rank:
            self.numbers += 1
            self.footprints += FOOTPRINTS[rank]
        else:
            self.wagers += 1


class Outlook:
    """The display, the expeditions and the gold of all seats, and what they are worth to each of them.

    All of it may change between decisions.
    """

    def __init__(
        self, gold: list[int], expeditions: list[list[ValuedExpedition]], display: list[int], pile: int
    ) -> None:
        """:param expeditions: by seat and colour; `display`: ascending; `pile`: the cards left in this pile"""
        self.gold = gold
        self.expeditions = expeditions
        self.display = display
        self.pile = pile
        self.left = 0
        """The cards left in all piles."""
        self.numbers_left = [[0] * KINDS for _ in COLOURS]
        """By colour and rank: the numbers left in the piles that are not lower."""
        self.footprints_left = [[0] * KINDS for _ in COLOURS]
        """By colour and rank: the footprints on these numbers."""

    def count(self, card: int, copies: int) -> None:
        """Another copy is in the piles, or one less."""
        colour, rank = card // KINDS, card % KINDS
        self.left += copies
        if not rank:
            return
        numbers, footprints = self.numbers_left[colour], self.footprints_left[colour]
        for lower in range(rank + 1):
            numbers[lower] += copies
            footprints[lower] += copies * FOOTPRINTS[rank]

    def value(self, colour: int, wagers: int, numbers: int, footprints: int, last: int) -> float:
        """The points that an expedition will probably score."""
        likely = footprints + LATER * self.footprints_left[colour][last]
        complete = (numbers + LATER * self.numbers_left[colour][last]) / BONUS_NUMBERS
        complete = min(complete, 1.0)
        return likely * (1 + wagers) + BONUS * complete * complete

    def card_worth(self, seat: Seat, card: int) -> float:
        """What a card adds to the value of a seat's expedition; 0 if it does not fit."""
        colour, rank = card // KINDS, card % KINDS
        laid = self.expeditions[seat][colour]
        wagers, numbers, footprints, last = laid.wagers, laid.numbers, laid.footprints, laid.last
        if rank < last:
            return 0.0
        value = self.value(colour, wagers, numbers, footprints, last)
        if rank:
            return self.value(colour, wagers, numbers + 1, footprints + FOOTPRINTS[rank], rank) - value
        return self.value(colour, wagers + 1, numbers, footprints, last) - value

    def display_worth(self, seat: Seat) -> float:
        """What a seat gains if it takes its cards of the display for nothing."""
        worth = value = 0.0
        colour = -1
        wagers = numbers = footprints = last = 0
        for card in self.display:
            if card // KINDS != colour:
                colour = card // KINDS
                laid = self.expeditions[seat][colour]
                wagers, numbers, footprints, last = laid.wagers, laid.numbers, laid.footprints, laid.last
                value = self.value(colour, wagers, numbers, footprints, last)
            rank = card % KINDS
            if rank < last:
                continue
            if rank:
                after = self.value(colour, wagers, numbers + 1, footprints + FOOTPRINTS[rank], rank)
            else:
                after = self.value(colour, wagers + 1, numbers, footprints, last)
            if after > value:
                worth += after - value
                value = after
                last = rank
                if rank:
                    numbers += 1
                    footprints += FOOTPRINTS[rank]
                else:
                    wagers += 1
        return worth

    def highest_bid(self, seat: Seat) -> int:
        """The most that a seat bids for the display."""
        rival = max([self.display_worth(other) for other in self.others(seat)])
        return self._highest_bid(seat, self.display_worth(seat), rival)

    def _highest_bid(self, seat: Seat, own: float, rival: float) -> int:
        price_of_gold = GOLD_AT_END + GOLD_MORE * self.left / len(FULL_DECK)
        return min(self.gold[seat], int((own + rival) / 2 / price_of_gold))

    def others(self, seat: Seat) -> list[Seat]:
        """The other seats."""
        return [other for other in range(len(self.gold)) if other != seat]

    def opens(self, seat: Seat) -> bool:
        """Whether a seat opens an auction at its turn."""
        if not self.display or not self.gold[seat]:
            return False
        others = self.others(seat)
        own, rival = self.display_worth(seat), max([self.display_worth(other) for other in others])
        most = self._highest_bid(seat, own, rival)
        richest = max([self.gold[other] for other in others])
        if most > richest:
            return self.pile <= LAST_CARDS or own + rival >= PLENTY
        if not most:
            return False
        if self.gold[seat] < richest and own + rival >= OPENING_OF_POORER:
            return True
        return own >= max(rival, OPENING)

    def best_take(self, seat: Seat) -> int:
        """The lowest card of the display that is worth taking, or `NO_CARD`."""
        for card in self.display:
            if self.card_worth(seat, card) > 0.0:
                return card
        return NO_CARD

    def best_removal(self, seat: Seat) -> int:
        """The card of the display that is worth most to another seat, or `NO_CARD`."""
        best, most = NO_CARD, 0.0
        for card in self.display:
            for other in self.others(seat):
                worth = self.card_worth(other, card)
                if worth > most:
                    best, most = card, worth
        return best


def outlook_of(state: State) -> Outlook:
    """The outlook in a state."""
    colours = len(COLOURS)
    expeditions = [
        [ValuedExpedition(cards) for cards in state.expeditions[first : first + colours]]
        for first in range(0, len(state.expeditions), colours)
    ]
    outlook = Outlook([*state.gold], expeditions, sorted(state.display), state.piles[0])
    for card in state.unseen:
        outlook.count(card, 1)
    return outlook


HEURISTIC: Final = Heuristic(choose, 280, 40_000, never, shortlist)
