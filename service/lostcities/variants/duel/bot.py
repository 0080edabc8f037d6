"""greedy for the duel.

Each colour has a value for its seat: what the expedition is expected to score in the end. Cards on the expedition count
fully. Cards in the hand that can still be played count a little less, and less and less when there are more of them
than turns left. Unseen cards that would fit count by the chance to draw them, and so does the top card of the discard
pile. A colour that has not been started is worth nothing unless that sum covers its cost.

The bot makes the move that changes these values most to its advantage. So it plays the lowest cards of a colour first,
starts colours that will pay, and discards what is of no use. A discard that the other seat can play costs what it is
worth there; a card on a discard pile is taken if it is worth more than a card of the deck.

When there are more cards to play than turns left, the bot is in a hurry. Each card of the deck brings the end nearer,
so it draws from the discard piles instead, and it plays a card in every turn.
"""

from collections.abc import Sequence
from typing import Final

from lostcities.bots.core import Heuristic
from lostcities.variants.core import Move, Pick, Seat
from lostcities.variants.duel.rules import (
    BONUS,
    BONUS_CARDS,
    COLOUR,
    COST,
    DEAL,
    HAND,
    MASK,
    NO_PILE,
    NUMBER_BITS,
    PLAY,
    PLAYABLE,
    UNIT,
    WAGER,
    Holding,
    State,
    ranks_in,
)

HELD: Final = 0.99
"""The share of its value that a playable card in the hand counts."""
DRAWN: Final = 0.57
"""The share of its value that a drawn card counts: some come too late to be played."""
ON_PILE: Final = 0.6
"""The share of its value that the top card of a discard pile counts: the other seat may take or cover it."""
SPARE_TURNS: Final = 4.33
"""The turns of a seat that go into discards."""
GIFT: Final = 0.85
"""The share of its value that a discard costs if it continues an expedition of the other seat."""
POSSIBLE_GIFT: Final = 0.27
"""The same if the other seat could begin an expedition with it."""
DECK_CARD: Final = 2.0
"""The points that an unknown card of the deck is worth."""
SHORTLIST: Final = 6
"""The moves that an expert tries. In 2 of 170 decisions another one was better."""
WAGER_GIFT: Final = 5
"""The number that a discarded wager counts as."""
HURRY: Final = 20.0
"""The points that a discard or a card of the deck costs when there are more cards to play than turns left."""

_SUM: Final = tuple(sum(rank + 1 for rank in ranks_in(bits)) for bits in range(WAGER))
"""Table `[numbers]` of their sum."""
_COUNT: Final = tuple(len(ranks_in(bits)) for bits in range(WAGER))
_PILE_BITS: Final = tuple(unit & NUMBER_BITS for unit in UNIT)


def choose(state: State, seat: Seat, moves: Sequence[Move], pick: Pick) -> Move:  # noqa: ARG001
    """The best play or discard, or the best draw."""
    gains = _gains(state, seat, moves)
    return moves[gains.index(max(gains))]


def shortlist(state: State, seat: Seat, moves: Sequence[Move]) -> list[Move]:
    """The moves with the highest gains. Shared among more moves, the playouts are too few to tell them apart."""
    gains = dict(zip(moves, _gains(state, seat, moves), strict=True))
    return sorted(moves, key=lambda move: -gains[move])[:SHORTLIST]


def _gains(state: State, seat: Seat, moves: Sequence[Move]) -> list[float]:
    """How each move changes the values to the seat's advantage."""
    table = _Table(state, seat)
    rate = table.play_gain if state.phase == PLAY else table.draw_gain
    return [rate(move) for move in moves]


def is_settled(state: State) -> bool:
    """After a round, whose points count; the next one is even."""
    return state.phase == DEAL


class _Table:
    """What a seat knows when it decides, and the value of each colour."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.hand = state.hands[seat]
        self.own = state.expeditions[seat]
        self.other = state.expeditions[1 - seat]
        self.discards = state.discards
        turns = _turns_left(state)
        own_turns = (turns + 1) / 2
        playable = self._playable_cards()
        turns_after_this = (turns - 1) // 2  # of this seat, if it draws from the deck now
        self.in_hurry = playable > turns_after_this
        self.draw_chance = DRAWN * own_turns / (len(state.deck) + HAND)
        self.held_share = HELD * min(1.0, own_turns / (playable + SPARE_TURNS))
        self.unseen = [self._unseen(colour) for colour in range(len(self.hand))]
        self.values = [self.value(colour, self.own[colour], held) for colour, held in enumerate(self.hand)]

    def _playable_cards(self) -> int:
        """The numbers of the hand that continue an expedition."""
        playable = 0
        for colour, held in enumerate(self.hand):
            if self.own[colour]:
                playable += _COUNT[held & NUMBER_BITS & PLAYABLE[self.own[colour]]]
        return playable

    def _unseen(self, colour: int) -> int:
        seen = self.hand[colour] | self.own[colour] | self.other[colour]
        for card in self.discards[colour]:
            seen |= _PILE_BITS[card]
        return NUMBER_BITS & ~seen

    def value(self, colour: int, laid: Holding, held: Holding) -> float:
        """The points that an expedition will probably score."""
        playable = PLAYABLE[laid]
        held &= playable
        unseen = self.unseen[colour] & playable
        pile = self.discards[colour]
        on_pile = _PILE_BITS[pile[-1]] & playable & ~held if pile else 0
        numbers = laid & NUMBER_BITS
        wagers, held_wagers = laid // WAGER, held // WAGER
        held &= NUMBER_BITS
        points = _SUM[numbers] + self.held_share * _SUM[held] + self.draw_chance * _SUM[unseen]
        cards = wagers + held_wagers + _COUNT[numbers] + _COUNT[held] + self.draw_chance * _COUNT[unseen]
        if on_pile:
            points += ON_PILE * _SUM[on_pile]
            cards += ON_PILE
        worth = (points - COST) * (1 + wagers + self.held_share * held_wagers)
        if cards > BONUS_CARDS - 1:
            worth += BONUS * min(1.0, cards - (BONUS_CARDS - 1))
        return worth if laid else max(0.0, worth)

    def play_gain(self, move: Move) -> float:
        """How the values change by a play or a discard."""
        card = move.args[0]
        colour, unit = COLOUR[card], UNIT[card]
        held = self.hand[colour] - unit
        if move.type == "play":
            return self.value(colour, self.own[colour] + unit, held) - self.values[colour]
        loss = self._gift(card) + (HURRY if self.in_hurry else 0.0)
        return self.value(colour, self.own[colour], held) - self.values[colour] - loss

    def _gift(self, card: int) -> float:
        """What a discard is worth to the other seat."""
        colour = COLOUR[card]
        other = self.other[colour]
        if not MASK[card] & PLAYABLE[other]:
            return 0.0
        number = _SUM[UNIT[card]] if UNIT[card] < WAGER else WAGER_GIFT
        return number * (1 + other // WAGER) * (GIFT if other else POSSIBLE_GIFT)

    def draw_gain(self, move: Move) -> float:
        """What the card is worth in the hand."""
        colour = move.args[0]
        if colour == NO_PILE:
            return -HURRY if self.in_hurry else DECK_CARD
        card = self.discards[colour][-1]
        return self.value(colour, self.own[colour], self.hand[colour] + UNIT[card]) - self.values[colour]


def _turns_left(state: State) -> int:
    """The turns of both seats until the round ends, if all cards are drawn from the deck."""
    limit = state.options.max_turns
    deck = len(state.deck)
    return deck if limit is None else min(deck, limit - state.turns)


HEURISTIC: Final = Heuristic(choose, 600, 90_000, is_settled, shortlist)
