"""The duel as a vector: what a seat may know, for networks and tables."""

from functools import cache, lru_cache
from typing import Final

from lostcities.env.layout import Layout, counts, flags, one_hot, pack, places, points, squash
from lostcities.variants.core import Seat
from lostcities.variants.duel.rules import (
    ALL_HOLDINGS,
    CARDS,
    COLOUR_NAMES,
    COLOURS,
    FULL_DECK,
    HAND,
    INFO,
    KINDS,
    MAX_ROUNDS,
    NO_PILE,
    NUMBERS,
    UNIT,
    WAGERS,
    Holdings,
    Options,
    Round,
    State,
    holdings_of,
    is_wager,
    points_of_round,
    ranks_in,
)

HALF_POINTS: Final = 50
HALF_TURNS: Final = 50
MOST_CARDS: Final = len(FULL_DECK[len(COLOURS)])
COPIES: Final = tuple(WAGERS if is_wager(card) else 1 for card in range(len(CARDS)))
EARLIER_ROUNDS: Final = range(1, MAX_ROUNDS)
PLACES: Final = tuple(
    name
    for letter in COLOURS
    for name in (*(f"{letter}w#{n + 1}" for n in range(WAGERS)), *(f"{letter}{n}" for n in NUMBERS))
)
"""The cards of a pile. `Yw#1` is the yellow wager nearest to the top."""
_PLACES_OF_COLOUR: Final = len(PLACES) // len(COLOURS)

LAYOUT: Final[Layout] = (
    flags("phase", "the kind of decision that is due", INFO.phases),
    flags("turn", "whether it is the own turn", ["own"]),
    flags("options", "options that are chosen", ["six-expeditions", "redraw-own-discard"]),
    points("turn limit", "the option `max_turns`; 0: none", ["turns"], HALF_TURNS),
    counts("rounds", "the rounds of the match, and how many of them are finished", ["all", "finished"], MAX_ROUNDS),
    points("turns", "the finished turns of this round", ["turns"], HALF_TURNS),
    flags("starter", "whether the own seat started this round", ["own"]),
    counts("own hand", "the cards of the own hand", CARDS, COPIES),
    counts("own known cards", "those of them that the other seat has seen", CARDS, COPIES),
    counts("other known cards", "the cards of the other hand that the own seat has seen", CARDS, COPIES),
    counts("own expeditions", "the cards of the own expeditions", CARDS, COPIES),
    counts("other expeditions", "the cards of the other seat's expeditions", CARDS, COPIES),
    places("discards", "the place of each card in its discard pile, from the top", PLACES),
    flags("closed", "the pile that is closed for this draw", COLOURS),
    counts("unseen", "the cards in the deck or hidden in the other hand", CARDS, COPIES),
    counts("other hidden cards", "how many of them are in the other hand", ["cards"], HAND),
    counts("deck", "how many of them are in the deck", ["cards"], MOST_CARDS),
    points("own points", "the points of each own expedition as it is", COLOUR_NAMES, HALF_POINTS),
    points("other points", "the points of the other seat's expeditions", COLOUR_NAMES, HALF_POINTS),
    points("own rounds", "the own points in each earlier round", [f"round {n}" for n in EARLIER_ROUNDS], HALF_POINTS),
    points("other rounds", "the other seat's points there", [f"round {n}" for n in EARLIER_ROUNDS], HALF_POINTS),
    points("totals", "the points so far, with those of the earlier rounds", ["own", "other"], HALF_POINTS),
)


def layout(players: int) -> Layout:
    """The layout of the vectors. The purple cards have their numbers in every game."""
    del players
    return LAYOUT


def encode(state: State, seat: Seat) -> bytes:
    """The vector of what the seat may know.

    The expeditions of earlier rounds are left out: only their points matter to what follows.
    """
    options, other = state.options, 1 - seat
    hand, discards, deck, rounds = state.hands[seat], state.discards, len(state.deck), state.rounds
    known, other_known = state.known[seat], state.known[other]
    laid, other_laid = state.expeditions[seat], state.expeditions[other]
    no_holdings, no_piles, no_points = _NOT_IN_GAME[options.expeditions]
    unseen = [
        cards - held - own - others - _holding(pile) - seen
        for cards, held, own, others, pile, seen in zip(
            _ALL_CARDS[options.expeditions], hand, laid, other_laid, discards, other_known, strict=True
        )
    ]
    hidden = sum([_SIZES[holding] for holding in unseen]) - deck
    return b"".join(
        [
            _PHASES[state.phase],
            _FLAG[state.active == seat],
            _options(options),
            pack((len(rounds) / MAX_ROUNDS, squash(state.turns, HALF_TURNS), state.starter == seat)),
            *[_HOLDINGS[holding] for holding in hand],
            no_holdings,
            *[_HOLDINGS[holding] for holding in known],
            no_holdings,
            *[_HOLDINGS[holding] for holding in other_known],
            no_holdings,
            *[_HOLDINGS[holding] for holding in laid],
            no_holdings,
            *[_HOLDINGS[holding] for holding in other_laid],
            no_holdings,
            *[_pile(pile) for pile in discards],
            no_piles,
            _CLOSED[state.closed],
            *[_HOLDINGS[holding] for holding in unseen],
            no_holdings,
            pack((hidden / HAND, deck / MOST_CARDS)),
            *[_SCALED_POINTS[expedition] for expedition in laid],
            no_points,
            *[_SCALED_POINTS[expedition] for expedition in other_laid],
            no_points,
            _rounds(rounds, seat),
            _rounds(rounds, other),
            pack(
                (
                    squash(_total(laid, rounds, seat), HALF_POINTS),
                    squash(_total(other_laid, rounds, other), HALF_POINTS),
                )
            ),
        ]
    )


# Parts of the vector -----------------------------------------------------------------------------------------------

_FLAG: Final = (pack([0]), pack([1]))
_PHASES: Final = one_hot(INFO.phases)
_CLOSED: Final = {NO_PILE: pack([0] * len(COLOURS)), **dict(enumerate(one_hot(COLOURS).values()))}
_ALL_CARDS: Final = {colours: holdings_of(deck, colours) for colours, deck in FULL_DECK.items()}
_NOT_IN_GAME: Final = {
    colours: tuple(pack([0] * ((len(COLOURS) - colours) * each)) for each in (KINDS, _PLACES_OF_COLOUR, 1))
    for colours in FULL_DECK
}
"""By the number of expeditions: what stands for the holdings, the piles and the points of the other colours."""

_RANKS: Final = [ranks_in(holding) for holding in ALL_HOLDINGS]
_SIZES: Final = [len(ranks) for ranks in _RANKS]
_POINTS: Final = [points_of_round(((expedition,), (0,)))[0] for expedition in ALL_HOLDINGS]
_HOLDINGS: Final = [pack(ranks.count(rank) / COPIES[rank] for rank in range(KINDS)) for ranks in _RANKS]
_SCALED_POINTS: Final = [pack([squash(number, HALF_POINTS)]) for number in _POINTS]
"""Tables `[holding]` of the number of cards, the points of an expedition, and both as parts of a vector."""


@cache
def _options(options: Options) -> bytes:
    return pack(
        (
            options.expeditions == len(COLOURS),
            options.redraw_own_discard,
            squash(options.max_turns or 0, HALF_TURNS),
            options.rounds / MAX_ROUNDS,
        )
    )


@lru_cache(maxsize=1024)
def _rounds(rounds: tuple[Round, ...], seat: Seat) -> bytes:
    """The points of a seat in the earlier rounds."""
    numbers = [squash(finished.points[seat], HALF_POINTS) for finished in rounds]
    return pack(numbers + [0] * (len(EARLIER_ROUNDS) - len(numbers)))


def _total(laid: Holdings, rounds: tuple[Round, ...], seat: Seat) -> int:
    return sum([_POINTS[expedition] for expedition in laid]) + sum([finished.points[seat] for finished in rounds])


@lru_cache(maxsize=4096)
def _holding(pile: bytes) -> int:
    """The holding of the cards in a discard pile."""
    return sum([UNIT[card] for card in pile])


@lru_cache(maxsize=4096)
def _pile(pile: bytes) -> bytes:
    """The place of each card in a pile. Equal wagers are told apart by their places alone."""
    numbers = [0.0] * _PLACES_OF_COLOUR
    wagers = 0
    for place, card in enumerate(reversed(pile), 1):
        if is_wager(card):
            numbers[wagers] = 1 / place
            wagers += 1
        else:
            numbers[WAGERS - 1 + card % KINDS] = 1 / place
    return pack(numbers)
