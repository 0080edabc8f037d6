"""duel: Lost Cities, the card game for two.

Cards are small integers (`colour * 10 + rank`, rank 0 for a wager, 1..9 for the numbers 2..10), and the deck and the
discard piles are `bytes` of them. What a hand or an expedition holds of a colour is one integer: a bit for each number,
and above those the wagers counted. Sorted cards are in canonical order.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, compress
from typing import Any, Final, NamedTuple, NoReturn, TypeVar

from service.rules.game import (
    CHANCE,
    FULL,
    SHARED_RULES,
    About,
    Actor,
    InvalidPosition,
    Line,
    Move,
    MoveType,
    NotAMove,
    Option,
    Outcome,
    Path,
    Pick,
    Position,
    Ruling,
    Seat,
    Sheet,
    Viewer,
    check_actor,
    decide,
    illegal,
    made,
    total,
)

T = TypeVar("T")

VARIANT: Final = "duel"
RULES_VERSION: Final = 1

# Components ------------------------------------------------------------------------------------------------------

COLOURS: Final = "YBWGRP"
"""The letters in canonical order; purple plays in the long game only."""
COLOUR_NAMES: Final = ("yellow", "blue", "white", "green", "red", "purple")
NUMBERS: Final = range(2, 11)
WAGERS: Final = 3
HAND: Final = 8
SEATS: Final = 2

KINDS: Final = 10
"""Kinds of card in a colour: the wager and nine numbers."""
CARDS: Final = tuple(colour + rank for colour in COLOURS for rank in ("w", *map(str, NUMBERS)))
"""The name of each card, by its integer."""
HIDDEN: Final = "?"
"""The name of a card that the viewer may not see."""
CARD: Final = {name: card for card, name in enumerate(CARDS)}
COLOUR: Final = tuple(card // KINDS for card in range(len(CARDS)))
FULL_DECK: Final = {
    expeditions: bytes(card for card in range(expeditions * KINDS) for _ in range(1 if card % KINDS else WAGERS))
    for expeditions in (5, 6)
}

ALONE: Final = tuple(bytes((card,)) for card in range(len(CARDS)))
"""Each card as a pile of its own."""

# What a hand or an expedition holds of a colour: bits 0..8 for the numbers 2..10, and WAGER for each wager.
NUMBER_BITS: Final = (1 << len(NUMBERS)) - 1
WAGER: Final = 1 << len(NUMBERS)
WAGER_BITS: Final = WAGERS * WAGER
HOLDINGS: Final = range(WAGER_BITS + WAGER)
"""Everything that can be held of a colour."""
ADDS: Final = tuple(1 << (card % KINDS - 1) if card % KINDS else WAGER for card in range(len(CARDS)))
"""What a card adds to a hand or an expedition."""
BITS: Final = tuple(ADDS[card] if card % KINDS else WAGER_BITS for card in range(len(CARDS)))
"""Which bits tell whether a card is held."""
FOLLOWING: Final = tuple(
    NUMBER_BITS & -1 << numbers.bit_length() if numbers else NUMBER_BITS | WAGER_BITS
    for numbers in (holding & NUMBER_BITS for holding in HOLDINGS)
)
"""The bits of the cards that may follow on an expedition: higher numbers, and wagers while it holds no number."""


def by_holding(cards: Sequence[T], most_wagers: int) -> tuple[tuple[tuple[T, ...], ...], ...]:
    """By colour and by what is held of it: what stands for these cards, of the wagers so many at most.

    In canonical order, which is the order on an expedition too: wagers, then rising numbers.
    """
    tables = []
    for colour in range(len(COLOURS)):
        wager, *numbers = cards[colour * KINDS : (colour + 1) * KINDS]
        rising: list[tuple[T, ...]] = [()]
        for number in numbers:
            rising += [(*lower, number) for lower in rising]
        with_wagers = [[((wager,) * wagers + higher) for higher in rising] for wagers in range(most_wagers + 1)]
        with_wagers += with_wagers[-1:] * (WAGERS - most_wagers)
        tables.append(tuple(chain.from_iterable(with_wagers)))
    return tuple(tables)


NAMES: Final = by_holding(CARDS, WAGERS)

# Score of an expedition.
COST: Final = 20
BONUS: Final = 20
BONUS_CARDS: Final = 8

MAX_ROUNDS: Final = 9
MAX_TURNS: Final = 1000

Limit = int | None
"""So many turns, or `None`: as many as it takes."""


class Options(NamedTuple):
    """What a duel can be created with."""

    expeditions: int = 5
    redraw_own_discard: bool = False
    rounds: int = 1
    max_turns: "Limit" = None

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return self._asdict()


# State -----------------------------------------------------------------------------------------------------------

DEAL: Final = "deal"
PLAY: Final = "play"
DRAW: Final = "draw"
DECK: Final = "draw-deck"
OVER: Final = "over"
DECISIONS: Final = (PLAY, DRAW)
"""The phases in which a seat decides."""

NONE: Final = -1


Cards = tuple[int, ...]
"""What a seat has of each colour, in its hand or on its expeditions."""


class State(NamedTuple):
    """A moment of the game."""

    options: "Options"
    phase: str
    active: Seat
    """Whose turn it is."""
    hands: "tuple[Cards, ...]"
    """Each seat's."""
    expeditions: "tuple[Cards, ...]"
    """Each seat's."""
    discards: "tuple[bytes, ...]"
    """By colour, the top card last."""
    deck: bytes
    """The unseen cards, a multiset in canonical order: a draw is decided when it is drawn."""
    closed: int
    """The colour whose pile is closed for this draw, or `NONE`."""
    turns: int
    """Turns finished in this round."""
    starter: Seat
    """Who started this round."""
    rounds: "tuple[tuple[int, int], ...]"
    """Each seat's points in the rounds before this one."""


# Moves -----------------------------------------------------------------------------------------------------------

PLAYS: Final = tuple(Move(f"play {name}", "play", (card,), {"card": name}) for card, name in enumerate(CARDS))
DISCARDS: Final = tuple(Move(f"discard {name}", "discard", (card,), {"card": name}) for card, name in enumerate(CARDS))
DRAW_DECK: Final = Move("draw deck", "draw", (NONE,), {"from": "deck"})
DRAW_PILES: Final = tuple(
    Move(f"draw {letter}", "draw", (colour,), {"from": letter}) for colour, letter in enumerate(COLOURS)
)
DRAWN: Final = tuple(
    Move(f"draw {name}", "draw", (card,), by_chance=True, redacted="draw ?") for card, name in enumerate(CARDS)
)
"""Chance's answers to `draw deck`."""

PLAYS_WITH: Final = by_holding(PLAYS, 1)
DISCARDS_WITH: Final = by_holding(DISCARDS, 1)
"""By colour and by what is held of it, the moves with these cards: those with equal wagers are one."""

VOCABULARY: Final[Mapping[str, Move]] = {move.notation: move for move in (*PLAYS, *DISCARDS, DRAW_DECK, *DRAW_PILES)}
_OUTCOMES: Final = {move.notation: move for move in DRAWN}


def parse(text: str) -> Move:
    """The move or outcome of that notation.

    >>> parse("deal 1 R7 Yw B2 B3 W4 W5 G6 Rw").notation
    'deal 1 Yw B2 B3 W4 W5 G6 Rw R7'
    """
    move = VOCABULARY.get(text) or _OUTCOMES.get(text)
    if move:
        return move
    verb, *tokens = text.split(" ")
    if verb == "deal" and len(tokens) == 1 + HAND and tokens[0] in ("0", "1") and CARD.keys() >= {*tokens[1:]}:
        return deal(int(tokens[0]), bytes(CARD[token] for token in tokens[1:]))
    raise NotAMove(
        text, "say 'play R7', 'discard R7', 'draw deck' or 'draw R'; chance says 'draw R7' or 'deal 0' and eight cards"
    )


def deal(seat: Seat, cards: bytes) -> Move:
    """Chance's deal of eight cards to a seat."""
    cards = bytes(sorted(cards))
    names = " ".join(CARDS[card] for card in cards)
    return Move(
        f"deal {seat} {names}",
        "deal",
        (seat, *cards),
        by_chance=True,
        redacted=f"deal {seat}" + " ?" * len(cards),
    )


# Setup -----------------------------------------------------------------------------------------------------------


def options(chosen: Mapping[str, Any]) -> Options:
    """The options as chosen, the rest by default."""
    return Options(**chosen)


def setup(players: int, options: Options) -> State:  # noqa: ARG001
    """Before the first deal. Seat 0 starts."""
    return _new_round(options, 0, ())


def _new_round(options: Options, starter: Seat, rounds: tuple[tuple[int, int], ...]) -> State:
    """Every round is dealt from the full deck."""
    colours = options.expeditions
    none = (0,) * colours
    return State(
        options=options,
        phase=DEAL,
        active=starter,
        hands=(none, none),
        expeditions=(none, none),
        discards=(b"",) * colours,
        deck=FULL_DECK[colours],
        closed=NONE,
        turns=0,
        starter=starter,
        rounds=rounds,
    )


def place(players: int, options: Options, position: Position) -> State:  # noqa: ARG001
    """The state whose full view is `position`."""
    _check_colours(options, position)
    deck = _unseen(options, position)
    state = State(
        options=options,
        phase=position["phase"],
        active=position["active"],
        hands=(_hand(options, position, 0), _hand(options, position, 1)),
        expeditions=(_expeditions(options, position, 0), _expeditions(options, position, 1)),
        discards=tuple(
            _discard_pile(colour, position["discards"][COLOURS[colour]]) for colour in range(options.expeditions)
        ),
        deck=deck,
        closed=NONE if position["closed"] is None else COLOURS.index(position["closed"]),
        turns=position["turns"],
        starter=position["starter"],
        rounds=tuple((first, second) for first, second in position["rounds"]),
    )
    if position["deck"] != len(deck):
        cards = len(FULL_DECK[options.expeditions])
        raise InvalidPosition(
            "card-count",
            ["deck"],
            f"{cards} cards are in the game and {cards - len(deck)} lie open or in hands, so the deck has "
            f"{len(deck)}, not {position['deck']}",
        )
    _check_progress(state)
    return state


def _check_colours(options: Options, position: Position) -> None:
    letters = COLOURS[: options.expeditions]
    places: list[tuple[Path, Mapping[str, Any]]] = [(("discards",), position["discards"])]
    places += [(("expeditions", seat), piles) for seat, piles in enumerate(position["expeditions"])]
    for path, piles in places:
        if piles.keys() != {*letters}:
            detail = f"a game of {len(letters)} expeditions has exactly the colours {' '.join(letters)}"
            raise InvalidPosition("colours", path, detail)


def _hand(options: Options, position: Position, seat: Seat) -> Cards:
    cards = [CARD[name] for name in position["hands"][seat]]
    size = len(cards)
    phase = position["phase"]
    if phase == DEAL:
        expected = HAND if seat == 0 and cards else 0
    else:
        expected = HAND - 1 if phase in (DRAW, DECK) and seat == position["active"] else HAND
    if size != expected:
        raise InvalidPosition(
            "hand-size", ["hands", seat], f"seat {seat} holds {expected} cards in phase '{phase}', not {size}"
        )
    return _held(cards, options.expeditions)


def _held(cards: Iterable[int], colours: int) -> Cards:
    """A hand of those cards."""
    held = [0] * colours
    for card in cards:
        held[COLOUR[card]] += ADDS[card]
    return tuple(held)


def _expeditions(options: Options, position: Position, seat: Seat) -> Cards:
    rows = position["expeditions"][seat]
    return tuple(_expedition(seat, colour, rows[COLOURS[colour]]) for colour in range(options.expeditions))


def _expedition(seat: Seat, colour: int, names: Sequence[str]) -> int:
    """Its cards as played: wagers, then numbers strictly ascending."""
    expedition = 0
    for index, name in enumerate(names):
        card = CARD[name]
        path: Path = ("expeditions", seat, COLOURS[colour], index)
        if COLOUR[card] != colour:
            raise InvalidPosition("colour", path, f"{name} is not {COLOUR_NAMES[colour]}")
        if not FOLLOWING[expedition] & BITS[card]:
            raise InvalidPosition(
                "ascending", path, f"{name} cannot follow {names[index - 1]}: wagers come first, then rising numbers"
            )
        expedition += ADDS[card]
    return expedition


def _discard_pile(colour: int, names: Sequence[str]) -> bytes:
    for index, name in enumerate(names):
        if COLOUR[CARD[name]] != colour:
            path: Path = ("discards", COLOURS[colour], index)
            raise InvalidPosition("colour", path, f"{name} is not {COLOUR_NAMES[colour]}")
    return bytes(CARD[name] for name in names)


def _unseen(options: Options, position: Position) -> bytes:
    """The cards that lie nowhere on the table and in no hand."""
    full = FULL_DECK[options.expeditions]
    left = [full.count(card) for card in range(options.expeditions * KINDS)]
    for path, names in _piles_and_hands(position):
        for index, name in enumerate(names):
            if name == HIDDEN:
                raise InvalidPosition("hidden-card", (*path, index), "every card must be named: nothing is hidden here")
            card = CARD[name]
            if card >= len(left):
                detail = f"{name} is not in a game of {options.expeditions} expeditions"
                raise InvalidPosition("colours", (*path, index), detail)
            if not left[card]:
                detail = f"{name} appears more often than the {full.count(card)} there are"
                raise InvalidPosition("too-many-copies", (*path, index), detail)
            left[card] -= 1
    return bytes(card for card, copies in enumerate(left) for _ in range(copies))


def _piles_and_hands(position: Position) -> Iterator[tuple[Path, Sequence[str]]]:
    """Everywhere that the position names cards."""
    for seat, expeditions in enumerate(position["expeditions"]):
        for letter, pile in expeditions.items():
            yield ("expeditions", seat, letter), pile
    for letter, pile in position["discards"].items():
        yield ("discards", letter), pile
    for seat, hand in enumerate(position["hands"]):
        yield ("hands", seat), hand


def _check_progress(state: State) -> None:
    """Phase, piles, turns and rounds must tell the same story."""
    options, phase = state.options, state.phase
    if phase == DEAL and (any(map(any, state.expeditions)) or any(state.discards) or state.turns):
        raise InvalidPosition("deal-first", ["phase"], "cards are dealt before the first turn of a round")
    _check_rounds(state)
    _check_turns(state)
    _check_closed(state)
    if _round_is_over(options, state.deck, state.turns) != (phase == OVER):
        raise InvalidPosition(
            "round-end", ["phase"], "a round is over exactly when the deck is empty or 'max_turns' turns are finished"
        )
    if phase == OVER and len(state.rounds) != options.rounds - 1:
        raise InvalidPosition("rounds", ["rounds"], f"the game is over only after round {options.rounds}")


def _check_rounds(state: State) -> None:
    """Who starts a round follows from those before it."""
    if len(state.rounds) >= state.options.rounds:
        detail = f"at most {state.options.rounds - 1} of {state.options.rounds} rounds come before this one"
        raise InvalidPosition("rounds", ["rounds"], detail)
    starter = 0
    for points in state.rounds:
        starter = _next_starter(starter, *points)
    if state.starter != starter:
        raise InvalidPosition("starter", ["starter"], f"seat {starter} starts round {len(state.rounds) + 1}")


def _check_turns(state: State) -> None:
    """Seats take turns, and a turn draws at most one card of the deck."""
    active = (state.starter + state.turns) % SEATS
    if state.active != active:
        detail = f"seat {active} is active after {state.turns} turns of a round that seat {state.starter} started"
        raise InvalidPosition("turn-order", ["active"], detail)
    drawn = len(FULL_DECK[state.options.expeditions]) - SEATS * HAND - len(state.deck)
    if drawn > state.turns:
        detail = f"{drawn} cards were drawn from the deck, and only {state.turns} turns have ended"
        raise InvalidPosition("turns", ["turns"], detail)


def _check_closed(state: State) -> None:
    """A turn's first half is a discard, which closes its pile, or a play."""
    if state.closed != NONE:
        if state.phase != DRAW or state.options.redraw_own_discard:
            raise InvalidPosition("closed", ["closed"], "a pile is closed only for the draw after a discard onto it")
        if state.closed >= state.options.expeditions or not state.discards[state.closed]:
            raise InvalidPosition("closed", ["closed"], "the closed pile holds the card just discarded")
        return
    has_played = any(state.expeditions[state.active])
    if state.phase == DRAW and not has_played and not state.options.redraw_own_discard:
        raise InvalidPosition("closed", ["closed"], "a seat that has played no card has discarded one")


# Legal -----------------------------------------------------------------------------------------------------------


def to_act(state: State) -> tuple[Actor, ...]:
    """One seat or chance at a time."""
    phase = state.phase
    if phase in DECISIONS:
        return (state.active,)
    return () if phase == OVER else (CHANCE,)


def phase(state: State) -> str:
    """The kind of decision that is due."""
    return state.phase


def legal(state: State, seat: Seat) -> list[Move]:
    """Plays by card, then discards by card; or the deck, then the piles by colour."""
    if seat != state.active:
        return []
    if state.phase == PLAY:
        plays: list[Move] = []
        discards: list[Move] = []
        hand, expeditions = state.hands[seat], state.expeditions[seat]
        # Without `strict` this is compiled to a loop that makes no tuples.
        for plays_with, discards_with, held, laid in zip(PLAYS_WITH, DISCARDS_WITH, hand, expeditions):  # noqa: B905
            if held:
                plays += plays_with[held & FOLLOWING[laid]]
                discards += discards_with[held]
        return plays + discards
    if state.phase == DRAW:
        piles = [*state.discards]
        if state.closed != NONE:
            piles[state.closed] = b""
        return [DRAW_DECK, *compress(DRAW_PILES, piles)]
    return []


def sample(state: State, pick: Pick) -> Move:
    """Cards are picked from the unseen in canonical order, one by one, without putting back."""
    if state.phase == DECK:
        return DRAWN[state.deck[pick(len(state.deck))]]
    unseen = [*state.deck]
    return deal(_dealt_next(state), bytes(unseen.pop(pick(len(unseen))) for _ in range(HAND)))


def _dealt_next(state: State) -> Seat:
    """Seat 0 is dealt first in every round, whoever starts it."""
    return 1 if any(state.hands[0]) else 0


# Apply -----------------------------------------------------------------------------------------------------------


def apply(state: State, actor: Actor, move: Move) -> State:
    """The state after that move."""
    phase = state.phase
    if actor == state.active and not move.by_chance:
        if phase == PLAY:
            return _put(state, move)
        if phase == DRAW:
            return _draw(state, move)
    check_actor(to_act(state), actor, move)
    return _dealt(state, move) if phase == DEAL else _drawn(state, move)


def _put(state: State, move: Move) -> State:
    """The first half of a turn: a card leaves the hand, onto the own expedition or its discard pile."""
    if move.type == "draw":
        illegal("wrong-phase", "a turn begins with 'play' or 'discard'")
    options, _, seat, hands, expeditions, discards, deck, _, turns, starter, rounds = state
    card = move.args[0]
    colour = COLOUR[card]
    if colour >= len(discards):
        _refuse_colour(colour)
    held = hands[seat][colour]
    if not held & BITS[card]:
        illegal("card-not-in-hand", f"seat {seat} does not hold {CARDS[card]}")
    hands = _with(hands, seat, colour, held - ADDS[card])
    closed = NONE
    if move.type == "play":
        laid = expeditions[seat][colour]
        if not FOLLOWING[laid] & BITS[card]:
            _refuse_play(laid, card)
        expeditions = _with(expeditions, seat, colour, laid + ADDS[card])
    else:
        piles = [*discards]
        piles[colour] += ALONE[card]
        discards = tuple(piles)
        # The card just discarded may not be drawn back in the same turn.
        closed = NONE if options.redraw_own_discard else colour
    return made(State, (options, DRAW, seat, hands, expeditions, discards, deck, closed, turns, starter, rounds))


def _with(of_seats: tuple[Cards, ...], seat: Seat, colour: int, cards: int) -> tuple[Cards, ...]:
    """The same but for one seat's cards of one colour."""
    own = [*of_seats[seat]]
    own[colour] = cards
    return (of_seats[0], tuple(own)) if seat else (tuple(own), of_seats[1])


def _refuse_colour(colour: int) -> NoReturn:
    illegal("colour-not-in-game", f"{COLOUR_NAMES[colour]} plays only in a game of {colour + 1} expeditions")


def _refuse_play(expedition: int, card: int) -> NoReturn:
    """Name the rule that keeps the card off the expedition."""
    last = CARDS[card - card % KINDS + (expedition & NUMBER_BITS).bit_length()]
    if card % KINDS == 0:
        illegal("wager-after-number", f"{CARDS[card]} is a wager and the expedition already holds {last}")
    illegal("not-higher", f"{CARDS[card]} is not higher than {last}, the expedition's last card")


def _draw(state: State, move: Move) -> State:
    """The second half of a turn: from a discard pile at once, from the deck by chance."""
    if move.type != "draw":
        illegal("wrong-phase", "the turn goes on with a draw: 'draw deck' or from a discard pile")
    options, _, seat, hands, expeditions, discards, deck, closed, turns, starter, rounds = state
    pile = move.args[0]
    if pile == NONE:
        return made(State, (options, DECK, seat, hands, expeditions, discards, deck, NONE, turns, starter, rounds))
    if pile >= len(discards):
        _refuse_colour(pile)
    cards = discards[pile]
    if not cards:
        illegal("pile-empty", f"the {COLOUR_NAMES[pile]} discard pile is empty")
    if pile == closed:
        illegal("pile-closed", f"the {COLOUR_NAMES[pile]} pile is closed this turn: its top card was just discarded")
    piles = [*discards]
    piles[pile] = cards[:-1]
    return _end_turn(state, cards[-1], deck, tuple(piles))


def _drawn(state: State, outcome: Move) -> State:
    """Chance answers `draw deck`."""
    if outcome.type != "draw":
        illegal("wrong-phase", "a single card is drawn: 'draw R7'")
    card = outcome.args[0]
    deck = state.deck
    if card not in deck:
        illegal("card-not-in-deck", f"{CARDS[card]} is not in the deck")
    return _end_turn(state, card, deck.replace(ALONE[card], b"", 1), state.discards)


def _end_turn(state: State, card: int, deck: bytes, discards: tuple[bytes, ...]) -> State:
    """The drawn card joins the hand; the round ends with the deck, or with the last of `max_turns`."""
    options, _, seat, hands, expeditions, _, _, _, turns, starter, rounds = state
    colour = COLOUR[card]
    hands = _with(hands, seat, colour, hands[seat][colour] + ADDS[card])
    turns += 1
    ended = made(State, (options, PLAY, 1 - seat, hands, expeditions, discards, deck, NONE, turns, starter, rounds))
    return _end_round(ended) if _round_is_over(options, deck, turns) else ended


def _round_is_over(options: Options, deck: bytes, turns: int) -> bool:
    limit = options.max_turns
    return not deck or (limit is not None and turns >= limit)


def _end_round(state: State) -> State:
    """The last round ends the game; any other is followed by a new deal."""
    if len(state.rounds) + 1 == state.options.rounds:
        return state._replace(phase=OVER)
    first, second = (total(_expedition_lines(state, seat)) for seat in range(SEATS))
    starter = _next_starter(state.starter, first, second)
    return _new_round(state.options, starter, (*state.rounds, (first, second)))


def _next_starter(starter: Seat, first: int, second: int) -> Seat:
    """The seat with more points in a round starts the next; on equal points the one that did not start it.

    >>> _next_starter(0, 12, -5), _next_starter(0, 7, 7)
    (0, 1)
    """
    if first == second:
        return 1 - starter
    return 0 if first > second else 1


def _dealt(state: State, outcome: Move) -> State:
    """Chance deals a hand; with the second one the round begins."""
    if outcome.type != "deal":
        illegal("wrong-phase", "hands are dealt first: 'deal 0' and eight cards")
    seat, *cards = outcome.args
    if seat != _dealt_next(state):
        illegal("deal-order", f"seat {_dealt_next(state)} is dealt next, not seat {seat}")
    deck = state.deck
    for card in cards:
        if card not in deck:
            illegal("card-not-in-deck", f"{CARDS[card]} is not in the deck as often as it is dealt")
        deck = deck.replace(ALONE[card], b"", 1)
    hand = _held(cards, state.options.expeditions)
    if seat == 0:
        return state._replace(hands=(hand, state.hands[1]), deck=deck)
    return state._replace(hands=(state.hands[0], hand), deck=deck, phase=PLAY)


# View ------------------------------------------------------------------------------------------------------------


def witness(state: State, outcome: Move) -> Seat | None:
    """A hand's owner alone sees what is dealt or drawn into it."""
    return outcome.args[0] if outcome.type == "deal" else state.active


def view(state: State, viewer: Viewer) -> Position:
    """Everything but the other hand, and the deck, of which only the size is known."""
    letters = COLOURS[: state.options.expeditions]
    open_to_all = viewer == FULL or state.phase == OVER
    hands = [[*chain.from_iterable(_names(hand))] for hand in state.hands]
    return {
        "variant": VARIANT,
        "phase": state.phase,
        "active": state.active,
        "hands": [hand if open_to_all or viewer == seat else [HIDDEN] * len(hand) for seat, hand in enumerate(hands)],
        "expeditions": [
            {letter: [*names] for letter, names in zip(letters, _names(expeditions), strict=True)}
            for expeditions in state.expeditions
        ],
        "discards": {
            letter: [CARDS[card] for card in pile] for letter, pile in zip(letters, state.discards, strict=True)
        },
        "deck": len(state.deck),
        "closed": None if state.closed == NONE else COLOURS[state.closed],
        "turns": state.turns,
        "starter": state.starter,
        "rounds": [[*points] for points in state.rounds],
    }


def _names(cards: Cards) -> list[tuple[str, ...]]:
    """By colour."""
    return [names[held] for names, held in zip(NAMES, cards, strict=False)]


# Score -----------------------------------------------------------------------------------------------------------


@cache
def _expedition_line(colour: str, expedition: int) -> Line:
    """A line of the score sheet.

    Not started: 0. Started: (sum of its numbers - 20) * (1 + wagers), and 20 more, not multiplied, for eight cards.

    >>> _expedition_line("red", 0).points
    0
    >>> _expedition_line("red", WAGER).points
    -40
    """
    wagers = expedition // WAGER
    numbers = [number for bit, number in enumerate(NUMBERS) if expedition >> bit & 1]
    cards = wagers + len(numbers)
    bonus = BONUS if cards >= BONUS_CARDS else 0
    points = (sum(numbers) - COST) * (1 + wagers) + bonus if cards else 0
    return Line(colour, points, {"numbers": sum(numbers), "wagers": wagers, "cards": cards, "bonus": bonus})


def _expedition_lines(state: State, seat: Seat) -> Sheet:
    return tuple(_expedition_line(*laid) for laid in zip(COLOUR_NAMES, state.expeditions[seat], strict=False))


def score(state: State) -> tuple[Sheet, ...]:
    """The rounds before this one, a line each, then this round's expeditions."""
    return tuple(
        (
            *(Line(f"round-{number}", points[seat]) for number, points in enumerate(state.rounds, 1)),
            *_expedition_lines(state, seat),
        )
        for seat in range(SEATS)
    )


def outcome(state: State) -> Outcome | None:
    """The highest sum over all rounds wins."""
    if state.phase != OVER:
        return None
    return decide(score(state), "max-turns" if state.deck else "deck-empty")


# About -----------------------------------------------------------------------------------------------------------

ABOUT: Final = About(
    title="Lost Cities: the card game",
    seats=(SEATS, SEATS),
    components={
        "colours": dict(zip(COLOURS, COLOUR_NAMES, strict=True)),
        "numbers": [*NUMBERS],
        "wagers_per_colour": WAGERS,
        "cards": {str(expeditions): len(deck) for expeditions, deck in FULL_DECK.items()},
        "hand": HAND,
    },
    options=(
        Option("expeditions", 5, "5, or 6 for the long game with purple"),
        Option(
            "redraw_own_discard",
            default=False,
            text="whether the card just discarded may be drawn back in the same turn",
        ),
        Option("rounds", 1, f"rounds in the match, 1..{MAX_ROUNDS}; their totals add up"),
        Option("max_turns", None, f"ends a round after so many turns, both seats', 1..{MAX_TURNS}; null: never"),
    ),
    moves=(
        MoveType("play", "play <card>", "seat", "put a card of the hand on the own expedition of its colour"),
        MoveType("discard", "discard <card>", "seat", "put a card of the hand face up on its colour's discard pile"),
        MoveType("draw", "draw deck", "seat", "draw the next card of the deck; chance answers"),
        MoveType("draw", "draw <colour>", "seat", "draw the top card of that discard pile"),
        MoveType("deal", "deal <seat> <card> x8", "chance", "the eight cards that a seat begins a round with"),
        MoveType("draw", "draw <card>", "chance", "the card that comes from the deck; its drawer alone sees it"),
    ),
    phases={
        DEAL: "chance deals eight cards to seat 0, then to seat 1",
        PLAY: "the active seat plays or discards a card",
        DRAW: "the active seat draws from the deck or from a discard pile",
        DECK: "chance says which card comes from the deck",
        OVER: "the game is over",
    },
    rules={
        **SHARED_RULES,
        "card-not-in-hand": "Only a card of the own hand can be played or discarded.",
        "not-higher": "A number must be strictly higher than the expedition's last number.",
        "wager-after-number": "A wager may be played only while its expedition holds no number.",
        "pile-empty": "Nothing can be drawn from an empty discard pile.",
        "pile-closed": "The card just discarded may not be drawn back in the same turn.",
        "colour-not-in-game": "Purple plays only in a game of six expeditions.",
        "card-not-in-deck": "Chance deals and draws only cards that are still unseen.",
        "deal-order": "Seat 0 is dealt before seat 1.",
    },
    scales={
        "expedition_cost": COST,
        "bonus": BONUS,
        "bonus_from_cards": BONUS_CARDS,
        "multiplier": "1 + wagers",
    },
    endings={
        "deck-empty": "the last card of the deck was drawn in the last round",
        "max-turns": "the last round reached the turns it was limited to",
    },
    rulings=(
        Ruling("components", "text", "Five colours of nine numbers, 2 to 10, and three wagers: 60 cards."),
        Ruling("deal", "text", "Each seat is dealt eight cards in every round, seat 0 first, whoever starts it."),
        Ruling("any-discard", "text", "Any card of the hand may be discarded."),
        Ruling("wager-before-numbers", "text", "A wager may be played only while the expedition holds no number."),
        Ruling("strictly-higher", "text", "A number must be higher than the expedition's last number."),
        Ruling("no-pass", "text", "A seat always plays or discards one card and then draws one."),
        Ruling("last-card", "text", "The round ends the moment the deck's last card is drawn; hands do not score."),
        Ruling("expedition-score", "text", "A started expedition scores (sum - 20) x (1 + wagers)."),
        Ruling("not-started", "text", "An expedition that was not started scores 0."),
        Ruling("eight-card-bonus", "text", "Eight or more cards add 20, not multiplied."),
        Ruling("bonus-counts-wagers", "known", "Wagers count towards the eight cards of the bonus."),
        Ruling("long-game", "known", "Six expeditions add purple, with the same twelve cards as any colour."),
        Ruling("redraw-ban", "known", "The pile just discarded onto is closed for that turn (redraw_own_discard)."),
        Ruling("match", "known", "Rounds add up to a match (rounds); three are recommended. Each has the full deck."),
        Ruling("next-round", "known", "The seat with more points in a round starts the next."),
        Ruling("next-round-tie", "ruling", "After equal points the seat that did not start the round starts the next."),
        Ruling("max-turns", "ruling", "A round without an end is limited by max_turns, if the game was created so."),
        Ruling("draw", "ruling", "Equal totals share the win."),
    ),
)
