"""Playouts of rivals: from a state to its end, by the greedy policy, on a board that changes in place.

The rules are the truth; a test plays the same games by them.
"""

from lostcities.bots.core import RandomNumbers
from lostcities.variants.core import Seat
from lostcities.variants.rivals.bot import NO_CARD, outlook_of
from lostcities.variants.rivals.rules import (
    AUCTION,
    BONUS,
    BONUS_NUMBERS,
    KINDS,
    REVEAL,
    TAKE,
    TURN,
    State,
    others_clockwise,
)


def simulate(state: State, seed: int) -> tuple[list[int], int]:
    """The points of each seat after a playout, and the number of its events."""
    game = Playout(state, seed)
    if state.phase == REVEAL:
        game.reveal()
    elif state.phase == AUCTION:
        game.auction(state.auction.bid, state.auction.holder, [*state.auction.queue])
    elif state.phase == TAKE:
        game.take(may_remove=state.removals > 0)
    if state.phase in (TURN, REVEAL, AUCTION, TAKE):
        while not game.is_over:
            game.turn()
    return [game.points(seat) for seat in range(len(game.gold))], game.events


def shuffled(state: State, seed: int) -> list[int]:
    """The cards of all piles in the order of a playout, the next one last. No decision changes that order."""
    deck = [*state.unseen]
    RandomNumbers(seed).shuffle(deck)
    return deck


class Playout:
    """A game that is played out."""

    def __init__(self, state: State, seed: int) -> None:
        self.outlook = outlook_of(state)
        self.gold = self.outlook.gold
        self.seat: Seat = state.active
        self.supply = state.supply
        self.deck = shuffled(state, seed)
        self.later_piles = [*state.piles[1:]]
        self.is_over = False
        self.events = 0

    def turn(self) -> None:
        """The seat opens an auction or uncovers a card."""
        self.events += 1
        if self.outlook.opens(self.seat):
            self.auction(1, self.seat, [*others_clockwise(len(self.gold), self.seat)])
        else:
            self.reveal()

    def auction(self, bid: int, holder: Seat, queue: list[Seat]) -> None:
        """The rest of an auction, to the cards of its winner. The display stays as it is until then."""
        most = [self.outlook.highest_bid(seat) for seat in range(len(self.gold))]
        while queue:
            self.events += 1
            seat = queue.pop(0)
            if bid < most[seat]:
                queue.append(holder)
                bid, holder = bid + 1, seat
        self.gold[holder] -= bid
        self.supply += bid
        self.seat = holder
        self.take(may_remove=True)

    def take(self, *, may_remove: bool) -> None:
        """The seat takes its cards, removes one and turns over the next one."""
        outlook = self.outlook
        while (card := outlook.best_take(self.seat)) != NO_CARD:
            self.events += 1
            outlook.display.remove(card)
            outlook.expeditions[self.seat][card // KINDS].add(card)
        card = outlook.best_removal(self.seat) if may_remove else NO_CARD
        if card != NO_CARD:
            self.events += 1
            outlook.display.remove(card)
        self.events += 1
        self.reveal()

    def reveal(self) -> None:
        """The next card goes to the display if any seat can use it. The next seat is next."""
        self.events += 1
        outlook = self.outlook
        card = self.deck.pop()
        outlook.count(card, -1)
        colour, rank = card // KINDS, card % KINDS
        for expeditions in outlook.expeditions:
            if rank >= expeditions[colour].last:
                outlook.display.append(card)
                outlook.display.sort()
                break
        self.seat = (self.seat + 1) % len(self.gold)
        outlook.pile -= 1
        if not outlook.pile:
            self.end_pile()

    def end_pile(self) -> None:
        """The supply is shared out and the next pile comes in. The last pile ends the game."""
        if not self.later_piles:
            self.is_over = True
            return
        self.outlook.pile = self.later_piles.pop(0)
        share = self.supply // len(self.gold)
        self.supply -= share * len(self.gold)
        for seat in range(len(self.gold)):
            self.gold[seat] += share

    def points(self, seat: Seat) -> int:
        """The score of a seat as it stands."""
        points = self.gold[seat]
        for laid in self.outlook.expeditions[seat]:
            points += laid.footprints * (1 + laid.wagers)
            if laid.numbers >= BONUS_NUMBERS:
                points += BONUS
        return points
