"""Playouts of a duel: from a state to the end of its round, by the greedy policy, on a board that changes in place.

The rules are the truth; a test plays the same rounds by them.
"""

from typing import Final

from lostcities.bots.core import RandomNumbers
from lostcities.variants.duel.bot import Outlook, turns_left
from lostcities.variants.duel.rules import (
    CARDS,
    COLOUR,
    DRAW,
    DRAW_DECK,
    KINDS,
    MASK,
    NO_PILE,
    PLAY,
    PLAYABLE,
    SEATS,
    UNIT,
    State,
    points_of_round,
)

MAX_TURNS: Final = 150
"""Turns of a playout. A longer round is scored as it stands."""
_CARDS: Final = tuple(range(first, first + KINDS) for first in range(0, len(CARDS), KINDS))
"""The cards of each colour."""


def simulate(state: State, seed: int) -> tuple[list[int], int]:
    """The points of each seat after a playout, and the number of its events."""
    game = Playout(state, seed)
    if state.phase == PLAY:
        game.play_turns()
    elif state.phase == DRAW:
        game.draw(state.closed)
        game.play_turns()
    elif state.phase == DRAW_DECK:
        game.draw_from_deck()
        game.play_turns()
    points = points_of_round((tuple(game.expeditions[0]), tuple(game.expeditions[1])))
    return [points[seat] + sum([each.points[seat] for each in state.rounds]) for seat in range(SEATS)], game.events


def shuffled(state: State, seed: int) -> list[int]:
    """The deck of a playout. Seat 0 draws its last card, seat 1 its first one.

    So a seat draws the same cards in the same order, whatever the other one does.
    """
    deck = [*state.deck]
    RandomNumbers(seed).shuffle(deck)
    return deck


class Playout:
    """A round that is played out."""

    def __init__(self, state: State, seed: int) -> None:
        self.options = state.options
        self.seat = state.active
        self.turns = state.turns
        self.deck = shuffled(state, seed)
        self.next_cards = [len(self.deck) - 1, 0]
        self.left = len(self.deck)
        self.discards = [[*pile] for pile in state.discards]
        self.expeditions = [[*laid] for laid in state.expeditions]
        self.outlooks = [
            Outlook([*state.hands[seat]], self.expeditions[seat], self.expeditions[1 - seat], self.discards)
            for seat in range(SEATS)
        ]
        self.events = 0

    def play_turns(self) -> None:
        """Both seats play to the end of the round."""
        last = self.turns + MAX_TURNS
        while self._turns_left() > 0 and self.turns < last:
            self.draw(self.play())

    def play(self) -> int:
        """The best play or discard. Returns the colour of the pile that it closes, or `NO_PILE`."""
        outlook = self._look()
        played = discarded = -1
        best_play = best_discard = 0.0
        for colour, held in enumerate(outlook.hand):
            if not held:
                continue
            laid = outlook.own[colour]
            unseen = outlook.unseen(colour)
            value = outlook.value(colour, laid, held, unseen)
            for card in _CARDS[colour]:
                if not held & MASK[card]:
                    continue
                if MASK[card] & PLAYABLE[laid]:
                    gain = outlook.play_gain(card, unseen, value)
                    if played < 0 or gain > best_play:
                        played, best_play = card, gain
                gain = outlook.discard_gain(card, unseen, value)
                if discarded < 0 or gain > best_discard:
                    discarded, best_discard = card, gain
        self.events += 1
        # Plays come first in the list of moves.
        if played >= 0 and best_play >= best_discard:
            outlook.hand[COLOUR[played]] -= UNIT[played]
            outlook.own[COLOUR[played]] += UNIT[played]
            return NO_PILE
        colour = COLOUR[discarded]
        outlook.hand[colour] -= UNIT[discarded]
        self.discards[colour].append(discarded)
        return NO_PILE if self.options.redraw_own_discard else colour

    def draw(self, closed: int) -> None:
        """The best draw. The pile of that colour is closed."""
        outlook = self._look()
        drawn, best = NO_PILE, outlook.deck_gain()
        for colour, pile in enumerate(self.discards):
            if pile and colour != closed:
                gain = outlook.pile_gain(colour)
                if gain > best:
                    drawn, best = colour, gain
        self.events += 1
        if drawn == NO_PILE:
            self.draw_from_deck()
        else:
            self._end_turn(self.discards[drawn].pop())

    def draw_from_deck(self) -> None:
        """The seat's next card."""
        index = self.next_cards[self.seat]
        self.next_cards[self.seat] += 1 if self.seat else -1
        self.left -= 1
        self.events += 1
        self._end_turn(self.deck[index])

    def _look(self) -> Outlook:
        outlook = self.outlooks[self.seat]
        outlook.look(self._turns_left(), self.left)
        return outlook

    def _turns_left(self) -> int:
        return turns_left(self.options, self.left, self.turns)

    def _end_turn(self, drawn: int) -> None:
        self.outlooks[self.seat].hand[COLOUR[drawn]] += UNIT[drawn]
        self.turns += 1
        self.seat = 1 - self.seat
