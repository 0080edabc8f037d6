"""duel: Lost Cities, the card game for two.

A card is an integer, `colour * 10 + rank`: rank 0 is a wager, ranks 1 to 9 are the numbers 2 to 10. The deck and the
discard piles are `bytes` of cards.

A `Holding` is the cards of one colour in a hand or on an expedition, as one integer: bit `rank - 1` for each number,
and the count of wagers above these bits.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, compress
from typing import Any, Final, NamedTuple, NoReturn, TypeVar

from lostcities.variants.core import (
    FULL,
    N_,
    OVER,
    Actor,
    Line,
    Move,
    MoveType,
    NotAMove,
    Option,
    Pick,
    Position,
    Result,
    Seat,
    Sheet,
    Text,
    VariantInfo,
    Viewer,
    already_in_turn,
    find_single_handler,
    illegal,
    phase_of,
    remove_one,
    replace_at,
    replacer,
    result_by_points,
    single_actor,
    total,
)
from lostcities.variants.duel.texts import (
    CHANCE_TEXT,
    DUE,
    ENDINGS,
    MOVE_LABELS,
    NO_SUCH_MOVE,
    OPTION_LABELS,
    PHASES,
    RULE_TEXTS,
    RULE_VALUES,
    RULINGS,
)

VARIANT: Final = "duel"
RULES_VERSION: Final = 1

# Components ------------------------------------------------------------------------------------------------------

SEATS: Final = 2
COLOURS: Final = "YBWGRP"
"""The letters in canonical order. Purple is only in the game of six expeditions."""
COLOUR_NAMES: Final = (N_("yellow"), N_("blue"), N_("white"), N_("green"), N_("red"), N_("purple"))
NUMBERS: Final = range(2, 11)
WAGERS: Final = 3
"""Wagers of each colour."""
HAND: Final = 8
HIDDEN: Final = "?"
"""The name of a card that the viewer may not see."""

KINDS: Final = 1 + len(NUMBERS)
"""Kinds of card in a colour: the wager and the numbers."""
CARDS: Final = tuple(colour + rank for colour in COLOURS for rank in ("w", *map(str, NUMBERS)))
"""The name of each card."""
CARD: Final = {name: card for card, name in enumerate(CARDS)}
COLOUR: Final = tuple(card // KINDS for card in range(len(CARDS)))


def is_wager(card: int) -> bool:
    """Whether the card is a wager; all others are numbers."""
    return card % KINDS == 0


def number_of(card: int) -> int:
    """The number on a card that is not a wager."""
    return card % KINDS + 1


FULL_DECK: Final = {
    expeditions: bytes(card for card in range(expeditions * KINDS) for _ in range(WAGERS if is_wager(card) else 1))
    for expeditions in (5, 6)
}
"""The deck of a game with so many expeditions, in canonical order."""
COPIES: Final = {
    expeditions: [deck.count(card) for card in range(len(CARDS))] for expeditions, deck in FULL_DECK.items()
}
"""How often each card is in the game."""

# Holdings --------------------------------------------------------------------------------------------------------

Holding = int
"""The cards of one colour in a hand or on an expedition."""
Holdings = tuple[int, ...]
"""A seat's holding of each colour."""

WAGER: Final = 1 << len(NUMBERS)
"""A wager adds this to a holding."""
NUMBER_BITS: Final = WAGER - 1
ALL_HOLDINGS: Final = range((WAGERS + 1) * WAGER)

UNIT: Final = tuple(WAGER if is_wager(card) else 1 << (card % KINDS - 1) for card in range(len(CARDS)))
"""What each card adds to a holding."""
MASK: Final = tuple(WAGERS * WAGER if is_wager(card) else UNIT[card] for card in range(len(CARDS)))
"""The bits of a holding that are not all zero if it contains the card."""


def ranks_in(holding: Holding) -> list[int]:
    """The ranks of the cards in canonical order, which is the order on an expedition: wagers, then rising numbers.

    >>> ranks_in(2 * WAGER + 0b101)
    [0, 0, 1, 3]
    """
    wagers, numbers = divmod(holding, WAGER)
    return [0] * wagers + [rank for rank in range(1, KINDS) if (numbers >> (rank - 1)) & 1]


def holdings_of(cards: Iterable[int], colours: int) -> Holdings:
    """The holding of each colour that contains those cards."""
    holdings = [0] * colours
    for card in cards:
        holdings[COLOUR[card]] += UNIT[card]
    return tuple(holdings)


def last_number(expedition: Holding) -> int:
    """The number that was played last, which is the highest; 0 if there is none."""
    numbers = expedition & NUMBER_BITS
    return numbers.bit_length() + 1 if numbers else 0


T = TypeVar("T")


def _by_holding(items: Sequence[T], ranks: Sequence[Sequence[int]]) -> tuple[tuple[tuple[T, ...], ...], ...]:
    """Table `[colour][holding]` of the items that belong to the cards with the ranks of that holding."""
    return tuple(
        tuple([tuple([items[first + rank] for rank in held]) for held in ranks])
        for first in range(0, len(CARDS), KINDS)
    )


_RANKS: Final = [ranks_in(holding) for holding in ALL_HOLDINGS]
_DISTINCT_RANKS: Final = [[*dict.fromkeys(ranks)] for ranks in _RANKS]

NAMES: Final = _by_holding(CARDS, _RANKS)
"""Table `[colour][holding]` of the names of the cards."""

# Options ---------------------------------------------------------------------------------------------------------

MAX_ROUNDS: Final = 9
MAX_TURNS: Final = 1000
MOST_TURNS: Final = 10_000
"""A round without `max_turns` ends after so many turns: the API takes no position with more."""

Limit = int | None
"""A number of turns, or `None` for no limit."""


class Options(NamedTuple):
    """The options of a duel."""

    expeditions: int = 5
    redraw_own_discard: bool = False
    rounds: int = 1
    max_turns: "Limit" = None

    def plain(self) -> dict[str, Any]:
        """The options as JSON data."""
        return self._asdict()


def parse_options(chosen: Mapping[str, Any]) -> Options:
    """The chosen options, and the defaults of the others."""
    return Options(**chosen)


# State -----------------------------------------------------------------------------------------------------------

DEAL: Final = "deal"
PLAY: Final = "play"
DRAW: Final = "draw"
DRAW_DECK: Final = "draw-deck"
CHANCE_PHASES: Final = frozenset((DEAL, DRAW_DECK))

NO_PILE: Final = -1


class Round(NamedTuple):
    """A finished round of a match."""

    points: "tuple[int, int]"
    """Of both seats."""
    expeditions: "tuple[Holdings, ...]"
    """By seat, as they were at its end. Empty in a game from a position that gives the points only."""


class State(NamedTuple):
    """The state of a game."""

    options: "Options"
    phase: str
    active: Seat
    """The seat whose turn it is."""
    hands: "tuple[Holdings, ...]"
    """By seat."""
    known: "tuple[Holdings, ...]"
    """By seat: the cards of its hand that the other seat has seen, because they were drawn from a discard pile."""
    expeditions: "tuple[Holdings, ...]"
    """By seat."""
    discards: "tuple[bytes, ...]"
    """By colour. The last card of a pile is its top card."""
    deck: bytes
    """The unseen cards in canonical order. Which of them is drawn is decided by the draw."""
    closed: int
    """The colour of the pile that is closed for this draw, or `NO_PILE`."""
    turns: int
    """Finished turns of this round."""
    starter: Seat
    """The seat that started this round."""
    rounds: "tuple[Round, ...]"
    """The earlier rounds of the match."""


# Moves -----------------------------------------------------------------------------------------------------------

PLAYS: Final = tuple(Move(f"play {name}", "play", (card,), {"card": name}) for card, name in enumerate(CARDS))
DISCARDS: Final = tuple(Move(f"discard {name}", "discard", (card,), {"card": name}) for card, name in enumerate(CARDS))
FROM_DECK: Final = Move("draw deck", "draw", (NO_PILE,), {"from": "deck"})
FROM_PILE: Final = tuple(
    Move(f"draw {letter}", "draw", (colour,), {"from": letter}) for colour, letter in enumerate(COLOURS)
)
DRAWN: Final = tuple(
    Move(f"draw {name}", "draw", (card,), by_chance=True, redacted="draw ?") for card, name in enumerate(CARDS)
)
"""The outcomes of `draw deck`."""

VOCABULARY: Final[Mapping[str, Move]] = {move.notation: move for move in (*PLAYS, *DISCARDS, FROM_DECK, *FROM_PILE)}
_OUTCOMES: Final = {move.notation: move for move in DRAWN}


def deal(seat: Seat, cards: Iterable[int]) -> Move:
    """The outcome that deals a hand to a seat."""
    hand = sorted(cards)
    names = " ".join(CARDS[card] for card in hand)
    hidden = " ".join(HIDDEN for _ in hand)
    return Move(f"deal {seat} {names}", "deal", (seat, *hand), by_chance=True, redacted=f"deal {seat} {hidden}")


def parse(text: str) -> Move:
    """The move or outcome with that notation.

    >>> parse("deal 1 R7 Yw B2 B3 W4 W5 G6 Rw").notation
    'deal 1 Yw B2 B3 W4 W5 G6 Rw R7'
    """
    move = VOCABULARY.get(text) or _OUTCOMES.get(text)
    if move:
        return move
    verb, *tokens = text.split(" ")
    if verb == "deal" and len(tokens) == 1 + HAND and tokens[0] in ("0", "1") and CARD.keys() >= {*tokens[1:]}:
        return deal(int(tokens[0]), [CARD[name] for name in tokens[1:]])
    raise NotAMove(
        text,
        Text("say 'play R7', 'discard R7', 'draw deck' or 'draw R'; chance says 'draw R7' or 'deal 0' and eight cards"),
        NO_SUCH_MOVE.get(verb, ""),
    )


# Setup: eight cards for each seat, from the full deck ------------------------------------------------------------


def setup(players: int, options: Options) -> State:  # noqa: ARG001
    """Before the first deal. Seat 0 starts the first round."""
    return _new_round(options, 0, ())


def _new_round(options: Options, starter: Seat, rounds: tuple[Round, ...]) -> State:
    colours = options.expeditions
    nothing = (0,) * colours
    return State(
        options=options,
        phase=DEAL,
        active=starter,
        hands=(nothing, nothing),
        known=(nothing, nothing),
        expeditions=(nothing, nothing),
        discards=(b"",) * colours,
        deck=FULL_DECK[colours],
        closed=NO_PILE,
        turns=0,
        starter=starter,
        rounds=rounds,
    )


def _next_to_be_dealt(state: State) -> Seat:
    """Seat 0 is dealt first in every round, whichever seat starts it."""
    return 1 if any(state.hands[0]) else 0


def _deal(state: State, outcome: Move) -> State:
    """A seat gets its hand. After the second deal the round begins."""
    seat, *cards = outcome.args
    if seat != _next_to_be_dealt(state):
        illegal("deal-order", "seat {next} is dealt next, not seat {seat}", next=_next_to_be_dealt(state), seat=seat)
    deck = state.deck
    for card in cards:
        if card not in deck:
            illegal("card-not-in-deck", "{card} is not in the deck as often as it is dealt", card=CARDS[card])
        deck = remove_one(deck, card)
    hands = replace_at(state.hands, seat, holdings_of(cards, state.options.expeditions))
    return state._replace(phase=DEAL if seat == 0 else PLAY, hands=hands, deck=deck)


# A turn, first half: play or discard a card ----------------------------------------------------------------------


def may_be_played(card: int, expedition: Holding) -> bool:
    """Whether a card may be added to the expedition of its colour.

    A wager: only while the expedition holds no number. A number: only if it is higher than the last number.
    """
    if is_wager(card):
        return last_number(expedition) == 0
    return number_of(card) > last_number(expedition)


PLAYABLE: Final = tuple(
    sum(MASK[card] for card in range(KINDS) if may_be_played(card, expedition)) for expedition in ALL_HOLDINGS
)
"""Table `[expedition]` of the masks of all cards that may be added to it."""
_PLAYS: Final = _by_holding(PLAYS, _DISTINCT_RANKS)
_DISCARDS: Final = _by_holding(DISCARDS, _DISTINCT_RANKS)
"""Tables `[colour][holding]` of the moves with these cards. Equal wagers make one move."""


def _plays_and_discards(hand: Holdings, expeditions: Holdings) -> list[Move]:
    """Any card may be discarded."""
    plays: list[Move] = []
    discards: list[Move] = []
    for colour, held in enumerate(hand):
        if held:
            plays += _PLAYS[colour][held & PLAYABLE[expeditions[colour]]]
            discards += _DISCARDS[colour][held]
    return plays + discards


def _play(state: State, move: Move) -> State:
    """A card goes from the hand to the seat's expedition of its colour."""
    seat, expeditions, card = state.active, state.expeditions, move.args[0]
    hands = _without_card(state.hands, seat, card)
    expedition = expeditions[seat][COLOUR[card]]
    if not may_be_played(card, expedition):
        _refuse_play(card, expedition)
    known = _without_known(state.known, seat, card)
    return _after_play(state, DRAW, hands, known, _with_card(expeditions, seat, card))


_after_play: Final = replacer(State, "phase", "hands", "known", "expeditions")


def _refuse_play(card: int, expedition: Holding) -> NoReturn:
    last = f"{COLOURS[COLOUR[card]]}{last_number(expedition)}"
    if is_wager(card):
        illegal(
            "wager-after-number",
            "{card} is a wager and the expedition already holds {last}",
            card=CARDS[card],
            last=last,
        )
    illegal("not-higher", "{card} is not higher than {last}, the expedition's last card", card=CARDS[card], last=last)


def _discard(state: State, move: Move) -> State:
    """A card goes from the hand to the top of its discard pile, which is then closed for this turn's draw."""
    seat, discards, card = state.active, state.discards, move.args[0]
    hands = _without_card(state.hands, seat, card)
    known = _without_known(state.known, seat, card)
    colour = COLOUR[card]
    discards = replace_at(discards, colour, discards[colour] + bytes((card,)))
    closed = NO_PILE if state.options.redraw_own_discard else colour
    return _after_discard(state, DRAW, hands, known, discards, closed)


_after_discard: Final = replacer(State, "phase", "hands", "known", "discards", "closed")


def _without_card(hands: tuple[Holdings, ...], seat: Seat, card: int) -> tuple[Holdings, ...]:
    """The hands of both seats after this seat has played or discarded that card, which must be in its hand."""
    hand, colour = [*hands[seat]], COLOUR[card]
    if colour >= len(hand):
        _refuse_colour(colour)
    if not hand[colour] & MASK[card]:
        illegal("card-not-in-hand", "seat {seat} does not hold {card}", seat=seat, card=CARDS[card])
    hand[colour] -= UNIT[card]
    return replace_at(hands, seat, tuple(hand))


def _without_known(known: tuple[Holdings, ...], seat: Seat, card: int) -> tuple[Holdings, ...]:
    """What the other seat still knows after this seat has played or discarded that card.

    Equal wagers are not distinguished: if one of them is known, the one that leaves the hand counts as that one.
    """
    if not known[seat][COLOUR[card]] & MASK[card]:
        return known
    own = [*known[seat]]
    own[COLOUR[card]] -= UNIT[card]
    return replace_at(known, seat, tuple(own))


def _with_card(holdings: tuple[Holdings, ...], seat: Seat, card: int) -> tuple[Holdings, ...]:
    """The hands or expeditions of both seats, with one more card of this seat."""
    own = [*holdings[seat]]
    own[COLOUR[card]] += UNIT[card]
    return replace_at(holdings, seat, tuple(own))


def _refuse_colour(colour: int) -> NoReturn:
    illegal(
        "colour-not-in-game",
        "{colour} plays only in a game of {expeditions} expeditions",
        colour=Text(COLOUR_NAMES[colour]),
        expeditions=colour + 1,
    )


# A turn, second half: draw a card --------------------------------------------------------------------------------


def open_piles(state: State) -> tuple[bytes, ...]:
    """The discard piles that may be drawn from, by colour. The pile that is closed counts as empty."""
    closed = state.closed
    return state.discards if closed == NO_PILE else replace_at(state.discards, closed, b"")


def _draw(state: State, move: Move) -> State:
    """From the deck, which chance answers, or the top card of a discard pile."""
    colour = move.args[0]
    if colour == NO_PILE:
        return _draw_next(state, DRAW_DECK, NO_PILE)
    if colour >= len(state.discards):
        _refuse_colour(colour)
    pile = open_piles(state)[colour]
    if not pile:
        _refuse_draw(state, colour)
    known = _with_card(state.known, state.active, pile[-1])
    return _end_turn(state, pile[-1], known, replace_at(state.discards, colour, pile[:-1]), state.deck)


_draw_next: Final = replacer(State, "phase", "closed")


def _refuse_draw(state: State, colour: int) -> NoReturn:
    name = Text(COLOUR_NAMES[colour])
    if not state.discards[colour]:
        illegal("pile-empty", "the {colour} discard pile is empty", colour=name)
    illegal("pile-closed", "the {colour} pile is closed this turn: its top card was just discarded", colour=name)


def _draw_from_deck(state: State, outcome: Move) -> State:
    """Chance says which card `draw deck` draws."""
    card = outcome.args[0]
    if card not in state.deck:
        illegal("card-not-in-deck", "{card} is not in the deck", card=CARDS[card])
    return _end_turn(state, card, state.known, state.discards, remove_one(state.deck, card))


def _end_turn(state: State, drawn: int, known: tuple[Holdings, ...], discards: tuple[bytes, ...], deck: bytes) -> State:
    """The drawn card goes to the hand, and the other seat is next, unless the round is over."""
    seat, turns = state.active, state.turns + 1
    hands = _with_card(state.hands, seat, drawn)
    after = _next_turn(state, PLAY, 1 - seat, hands, known, discards, deck, NO_PILE, turns)
    return _end_round(after) if is_round_over(state.options, deck, turns) else after


_next_turn: Final = replacer(State, "phase", "active", "hands", "known", "discards", "deck", "closed", "turns")


# The end of a round and the match --------------------------------------------------------------------------------


def is_round_over(options: Options, deck: bytes, turns: int) -> bool:
    """The moment that the last card of the deck is drawn, or after `max_turns` turns."""
    limit = options.max_turns
    return not deck or turns >= (MOST_TURNS if limit is None else limit)


def _end_round(state: State) -> State:
    """The last round ends the game. After any other a new round is dealt."""
    if len(state.rounds) + 1 == state.options.rounds:
        return state._replace(phase=OVER)
    points = points_of_round(state.expeditions)
    starter = next_starter(state.starter, *points)
    return _new_round(state.options, starter, (*state.rounds, Round(points, state.expeditions)))


def next_starter(starter: Seat, first: int, second: int) -> Seat:
    """The seat with more points in a round starts the next; after equal points the seat that did not start it.

    >>> next_starter(0, 12, -5), next_starter(0, 7, 7)
    (0, 1)
    """
    if first == second:
        return 1 - starter
    return 0 if first > second else 1


# Score -----------------------------------------------------------------------------------------------------------

COST: Final = 20
"""Subtracted from the numbers of a started expedition."""
BONUS: Final = 20
BONUS_CARDS: Final = 8
"""The bonus is for expeditions of at least so many cards, wagers included."""


@cache
def _expedition_line(colour: str, expedition: Holding) -> Line:
    """Not started: 0. Started: (sum of the numbers - 20) * (1 + wagers), then the bonus, which is not multiplied.

    An expedition that was not started costs nothing, so that the steps add up for every line.

    >>> _expedition_line("red", 0).points
    0
    >>> _expedition_line("red", WAGER).points
    -40
    """
    ranks = ranks_in(expedition)
    numbers = sum(number_of(rank) for rank in ranks if not is_wager(rank))
    wagers = ranks.count(0)
    cost = -COST if ranks else 0
    difference = numbers + cost
    multiplier = 1 + wagers
    product = difference * multiplier
    bonus = BONUS if len(ranks) >= BONUS_CARDS else 0
    steps = {
        "numbers": numbers,
        "cost": cost,
        "difference": difference,
        "wagers": wagers,
        "multiplier": multiplier,
        "product": product,
        "cards": len(ranks),
        "bonus": bonus,
    }
    return Line(colour, product + bonus, steps)


def _expedition_lines(expeditions: Holdings) -> Sheet:
    return tuple(_expedition_line(*laid) for laid in zip(COLOUR_NAMES, expeditions, strict=False))


def points_of_round(expeditions: tuple[Holdings, ...]) -> tuple[int, int]:
    """The points of both seats for the expeditions of one round."""
    first, second = expeditions
    return total(_expedition_lines(first)), total(_expedition_lines(second))


@lru_cache(maxsize=1024)
def _round_line(number: int, finished: Round, seat: Seat) -> Line:
    """The points of a seat in a finished round, with the lines of its expeditions if they are known."""
    if not finished.expeditions:
        return Line(f"round-{number}", finished.points[seat])
    lines = [line.plain() for line in _expedition_lines(finished.expeditions[seat])]
    return Line(f"round-{number}", finished.points[seat], {"expeditions": lines})


def score(state: State) -> tuple[Sheet, ...]:
    """A line for each earlier round, then one for each expedition of this round."""
    return tuple(
        (
            *(_round_line(number, finished, seat) for number, finished in enumerate(state.rounds, 1)),
            *_expedition_lines(state.expeditions[seat]),
        )
        for seat in range(SEATS)
    )


def result(state: State) -> Result | None:
    """The highest sum of all rounds wins."""
    if state.phase != OVER:
        return None
    return result_by_points(score(state), "max-turns" if state.deck else "deck-empty")


# Decisions -------------------------------------------------------------------------------------------------------


def to_act(state: State) -> tuple[Actor, ...]:
    """The active seat, or chance."""
    return single_actor(state, CHANCE_PHASES)


phase: Final = phase_of
choose_in_turn: Final = already_in_turn


def legal_moves(state: State, seat: Seat) -> list[Move]:
    """Plays, then discards, each by card; or `draw deck`, then the discard piles by colour."""
    if seat != state.active:
        return []
    if state.phase == PLAY:
        return _plays_and_discards(state.hands[seat], state.expeditions[seat])
    if state.phase == DRAW:
        return [FROM_DECK, *compress(FROM_PILE, open_piles(state))]
    return []


def sample_chance(state: State, pick: Pick) -> Move:
    """Cards are picked from the deck in canonical order, one by one, without replacement."""
    if state.phase == DRAW_DECK:
        return DRAWN[state.deck[pick(len(state.deck))]]
    deck = [*state.deck]
    return deal(_next_to_be_dealt(state), [deck.pop(pick(len(deck))) for _ in range(HAND)])


HANDLERS: Final[Mapping[str, Mapping[str, Callable[[State, Move], State]]]] = {
    DEAL: {"deal": _deal},
    PLAY: {"play": _play, "discard": _discard},
    DRAW: {"draw": _draw},
    DRAW_DECK: {"draw": _draw_from_deck},
    OVER: {},
}
"""The functions that apply a move, by phase and type of move."""


def apply(state: State, actor: Actor, move: Move) -> State:
    """The state after that move."""
    return find_single_handler(HANDLERS, state, actor, move, chance_phases=CHANCE_PHASES, due=DUE)(state, move)


# Visibility ------------------------------------------------------------------------------------------------------


def visible_to(state: State, outcome: Move) -> Seat | None:
    """Only the owner of a hand sees what is dealt or drawn into it."""
    return outcome.args[0] if outcome.type == "deal" else state.active


def to_position(state: State, viewer: Viewer) -> Position:
    """The other hand is hidden, except for its known cards, and of the deck only the size is known.

    `known` is public: every card in it was drawn from a discard pile.
    """
    letters = COLOURS[: state.options.expeditions]
    all_visible = viewer == FULL
    hands = [_card_names(hand) for hand in state.hands]
    known = [_card_names(cards) for cards in state.known]
    return {
        "variant": VARIANT,
        "phase": state.phase,
        "active": state.active,
        "hands": [
            hand if all_visible or viewer == seat else known[seat] + [HIDDEN] * (len(hand) - len(known[seat]))
            for seat, hand in enumerate(hands)
        ],
        "known": known,
        "expeditions": [_by_letter(letters, expeditions) for expeditions in state.expeditions],
        "discards": {
            letter: [CARDS[card] for card in pile] for letter, pile in zip(letters, state.discards, strict=True)
        },
        "deck": len(state.deck),
        "closed": None if state.closed == NO_PILE else COLOURS[state.closed],
        "turns": state.turns,
        "starter": state.starter,
        "rounds": [[*finished.points] for finished in state.rounds],
        "round_expeditions": [
            [_by_letter(letters, expeditions) for expeditions in finished.expeditions] for finished in state.rounds
        ],
    }


def _by_letter(letters: str, expeditions: Holdings) -> dict[str, list[str]]:
    """The names of the cards of a seat's expeditions, by the letter of the colour."""
    return {letter: [*names] for letter, names in zip(letters, _names(expeditions), strict=True)}


def _card_names(holdings: Holdings) -> list[str]:
    """The names of the cards in canonical order."""
    return [*chain.from_iterable(_names(holdings))]


def _names(holdings: Holdings) -> list[tuple[str, ...]]:
    """The names of the cards, by colour."""
    return [names[holding] for names, holding in zip(NAMES, holdings, strict=False)]


# Description -----------------------------------------------------------------------------------------------------

INFO: Final = VariantInfo(
    title=N_("Lost Cities: the card game"),
    seats=(SEATS, SEATS),
    components={
        "colours": dict(zip(COLOURS, COLOUR_NAMES, strict=True)),
        "numbers": [*NUMBERS],
        "wagers_per_colour": WAGERS,
        "cards": {str(expeditions): len(deck) for expeditions, deck in FULL_DECK.items()},
        "hand": HAND,
    },
    options=(
        Option("expeditions", 5, Text("The number of colours. 6 adds purple.")),
        Option(
            "redraw_own_discard",
            default=False,
            text=Text(
                "Whether the card just discarded may be drawn back in the same turn. The rulebook's text does not "
                "forbid it; the default, false, is stricter."
            ),
        ),
        Option(
            "rounds",
            1,
            Text("The number of rounds in the match, 1 to {most}. Their totals are added.", most=MAX_ROUNDS),
        ),
        Option(
            "max_turns",
            None,
            Text(
                "The number of turns of both seats together, 1 to {most}, after which a round ends. Null: {turns}.",
                most=MAX_TURNS,
                turns=MOST_TURNS,
            ),
        ),
    ),
    moves=(
        MoveType("play", "play <card>", "seat", N_("put a card of the hand on the own expedition of its colour")),
        MoveType(
            "discard", "discard <card>", "seat", N_("put a card of the hand face up on its colour's discard pile")
        ),
        MoveType("draw", "draw deck", "seat", N_("draw the next card of the deck; chance answers")),
        MoveType("draw", "draw <colour>", "seat", N_("draw the top card of that discard pile")),
        MoveType("deal", "deal <seat> <card> x8", "chance", N_("the eight cards that a seat begins a round with")),
        MoveType("draw", "draw <card>", "chance", N_("the card that comes from the deck; its drawer alone sees it")),
    ),
    chance=CHANCE_TEXT,
    phases=PHASES,
    rules=RULE_TEXTS,
    values=RULE_VALUES,
    labels={
        "colours": dict(zip(COLOURS, COLOUR_NAMES, strict=True)),
        "score_items": {
            **dict(zip(COLOUR_NAMES, COLOUR_NAMES, strict=True)),
            **{f"round-{number}": Text("round {number}", number=number) for number in range(1, MAX_ROUNDS + 1)},
        },
        "moves": MOVE_LABELS,
        "options": OPTION_LABELS,
    },
    scales={
        "expedition_cost": COST,
        "bonus": BONUS,
        "bonus_from_cards": BONUS_CARDS,
        "multiplier": N_("1 + wagers"),
    },
    endings=ENDINGS,
    rulings=RULINGS,
)
