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
from lostcities.variants.core import Move, Pick, Seat, replace_at
from lostcities.variants.duel.rules import (
    BONUS,
    BONUS_CARDS,
    COLOUR,
    COST,
    DEAL,
    HAND,
    KINDS,
    MASK,
    NO_PILE,
    NUMBER_BITS,
    PLAY,
    PLAYABLE,
    UNIT,
    WAGER,
    Holding,
    Options,
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
NUMBER_BIT: Final = tuple(unit & NUMBER_BITS for unit in UNIT)
"""Table `[card]` of its bit in a holding; 0 for a wager."""


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
    discards = [[*pile] for pile in state.discards]
    outlook = Outlook([*state.hands[seat]], [*state.expeditions[seat]], [*state.expeditions[1 - seat]], discards)
    outlook.look(turns_left(state.options, len(state.deck), state.turns), len(state.deck))
    rate = outlook.rate_play if state.phase == PLAY else outlook.rate_draw
    return [rate(move) for move in moves]


def resample(state: State, seat: Seat, pick: Pick) -> State:
    """Exchange the cards of the other hand that the seat has not seen, and those of the deck, for one another."""
    other = 1 - seat
    known = state.known[other]
    hidden = [held - seen for held, seen in zip(state.hands[other], known, strict=True)]
    cards = sorted(
        [*state.deck, *(colour * KINDS + rank for colour, held in enumerate(hidden) for rank in ranks_in(held))]
    )
    hand = [*known]
    for _ in range(len(cards) - len(state.deck)):
        card = cards.pop(pick(len(cards)))
        hand[COLOUR[card]] += UNIT[card]
    return state._replace(hands=replace_at(state.hands, other, tuple(hand)), deck=bytes(cards))


def is_settled(state: State) -> bool:
    """After a round, whose points count; the next one is even."""
    return state.phase == DEAL


def turns_left(options: Options, deck: int, turns: int) -> int:
    """The turns of both seats until the round ends, if all cards are drawn from the deck."""
    limit = options.max_turns
    return deck if limit is None else min(deck, limit - turns)


class Outlook:
    """What a seat knows when it decides, and the values of the colours. The lists may change between decisions."""

    def __init__(
        self, hand: list[Holding], own: list[Holding], other: list[Holding], discards: list[list[int]]
    ) -> None:
        """:param own: the seat's expeditions; `other`: those of the other seat"""
        self.hand = hand
        self.own = own
        self.other = other
        self.discards = discards
        self.in_hurry = False
        self.draw_chance = 0.0
        self.held_share = 0.0

    def look(self, turns: int, deck: int) -> None:
        """Begin a decision with so many turns left, of both seats, and so many cards in the deck."""
        own_turns = (turns + 1) / 2
        playable = 0  # numbers of the hand that continue an expedition
        for colour, laid in enumerate(self.own):
            if laid:
                playable += _COUNT[self.hand[colour] & NUMBER_BITS & PLAYABLE[laid]]
        self.in_hurry = playable > (turns - 1) // 2  # the turns of this seat, if it draws from the deck now
        self.draw_chance = DRAWN * own_turns / (deck + HAND)
        self.held_share = HELD * min(1.0, own_turns / (playable + SPARE_TURNS))

    def unseen(self, colour: int) -> Holding:
        """The numbers of a colour that the seat has not seen, except in the other hand."""
        seen = self.hand[colour] | self.own[colour] | self.other[colour]
        for card in self.discards[colour]:
            seen |= NUMBER_BIT[card]
        return NUMBER_BITS & ~seen

    def value(self, colour: int, laid: Holding, held: Holding, unseen: Holding) -> float:
        """The points that an expedition will probably score."""
        playable = PLAYABLE[laid]
        held &= playable
        unseen &= playable
        pile = self.discards[colour]
        on_pile = NUMBER_BIT[pile[-1]] & playable & ~held if pile else 0
        numbers = laid & NUMBER_BITS
        wagers, held_wagers = laid // WAGER, held // WAGER
        held &= NUMBER_BITS
        held_share, draw_chance = self.held_share, self.draw_chance
        points = _SUM[numbers] + held_share * _SUM[held] + draw_chance * _SUM[unseen]
        cards = wagers + held_wagers + _COUNT[numbers] + _COUNT[held] + draw_chance * _COUNT[unseen]
        if on_pile:
            points += ON_PILE * _SUM[on_pile]
            cards += ON_PILE
        worth = (points - COST) * (1 + wagers + held_share * held_wagers)
        if cards > BONUS_CARDS - 1:
            worth += BONUS * min(1.0, cards - (BONUS_CARDS - 1))
        return worth if laid or worth > 0.0 else 0.0

    def rate_play(self, move: Move) -> float:
        """How the values change by a play or a discard."""
        card = move.args[0]
        colour = COLOUR[card]
        unseen = self.unseen(colour)
        value = self.value(colour, self.own[colour], self.hand[colour], unseen)
        if move.type == "play":
            return self.play_gain(card, unseen, value)
        return self.discard_gain(card, unseen, value)

    def play_gain(self, card: int, unseen: Holding, value: float) -> float:
        """How the value of its colour changes if the seat plays this card."""
        colour, unit = COLOUR[card], UNIT[card]
        return self.value(colour, self.own[colour] + unit, self.hand[colour] - unit, unseen) - value

    def discard_gain(self, card: int, unseen: Holding, value: float) -> float:
        """How the value of its colour changes if the seat discards this card, less its worth to the other seat."""
        colour = COLOUR[card]
        loss = self._gift(card) + (HURRY if self.in_hurry else 0.0)
        if not MASK[card] & PLAYABLE[self.own[colour]]:
            return -loss
        return self.value(colour, self.own[colour], self.hand[colour] - UNIT[card], unseen) - value - loss

    def _gift(self, card: int) -> float:
        """What a discard is worth to the other seat."""
        colour = COLOUR[card]
        other = self.other[colour]
        if not MASK[card] & PLAYABLE[other]:
            return 0.0
        number = _SUM[UNIT[card]] if UNIT[card] < WAGER else WAGER_GIFT
        return number * (1 + other // WAGER) * (GIFT if other else POSSIBLE_GIFT)

    def rate_draw(self, move: Move) -> float:
        """What the card is worth in the hand."""
        return self.deck_gain() if move.args[0] == NO_PILE else self.pile_gain(move.args[0])

    def deck_gain(self) -> float:
        """What a card of the deck is worth."""
        return -HURRY if self.in_hurry else DECK_CARD

    def pile_gain(self, colour: int) -> float:
        """What the top card of a pile is worth in the hand."""
        card, laid, held = self.discards[colour][-1], self.own[colour], self.hand[colour]
        if not MASK[card] & PLAYABLE[laid]:
            return 0.0
        unseen = self.unseen(colour)
        return self.value(colour, laid, held + UNIT[card], unseen) - self.value(colour, laid, held, unseen)


HEURISTIC: Final = Heuristic(choose, 600, 90_000, is_settled, shortlist, resample)
