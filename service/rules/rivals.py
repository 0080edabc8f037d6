"""rivals: Lost Cities: Rivals, for two to four.

Cards are small integers (`colour * 10 + rank`, rank 0 for a wager, 1..9 for the numbers 2..10), and whatever they lie
in is `bytes` of them. Within a colour the wager is the lowest card, so an expedition never descends: that one rule
keeps wagers before numbers and numbers equal or rising.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, NoReturn, TypeVar

from service.rules.game import (
    CHANCE,
    SHARED_RULES,
    About,
    Actor,
    InvalidOptions,
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
)

VARIANT: Final = "rivals"
RULES_VERSION: Final = 1

# Components ------------------------------------------------------------------------------------------------------

SEATS: Final = (2, 4)
"""The fewest and the most."""
GOLD: Final = 36
COLOURS: Final = "GWRYB"
"""The letters in canonical order."""
COLOUR_NAMES: Final = ("green", "white", "red", "yellow", "blue")

RANKS: Final = ("w", "2", "3", "4", "5", "6", "7", "8", "9", "10")
COPIES: Final = (3, 2, 2, 2, 2, 1, 1, 1, 1, 1)
"""How often a card is in the piles, by rank."""
FOOTPRINTS: Final = (0, 1, 1, 1, 1, 2, 2, 2, 2, 2)
"""By rank."""

KINDS: Final = len(RANKS)
"""Kinds of card in a colour: the wager and nine numbers."""
CARDS: Final = tuple(colour + rank for colour in COLOURS for rank in RANKS)
"""The name of each card, by its integer."""
CARD: Final = {name: card for card, name in enumerate(CARDS)}
COLOUR: Final = tuple(card // KINDS for card in range(len(CARDS)))
ALONE: Final = tuple(bytes((card,)) for card in range(len(CARDS)))
"""Each card as a row of one."""
FULL_DECK: Final = bytes(card for card in range(len(CARDS)) for _ in range(COPIES[card % KINDS]))
"""The cards that make the piles."""

WAGERS: Final = range(0, len(CARDS), KINDS)
"""The wager of each colour."""
STARTING_COPIES: Final = 2
STARTING_WAGERS: Final = bytes(wager for wager in WAGERS for _ in range(STARTING_COPIES))
"""They are dealt before the game and are never in the piles."""
STARTING_HAND: Final = 2
"""Starting wagers dealt to a seat."""

# Score of an expedition.
BONUS: Final = 8
BONUS_NUMBERS: Final = 4

PILES: Final = 4
REMOVALS: Final = 1
"""Cards that the winner of an auction may put out of the game."""


class Options(NamedTuple):
    """What a game of rivals can be created with."""

    piles: "tuple[int, ...]" = (20, 20, 20, 20)
    """The size of each pile, in the order in which they come in."""

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return {"piles": [*self.piles]}


# State -----------------------------------------------------------------------------------------------------------

DEAL: Final = "wagers"
TURN: Final = "turn"
AUCTION: Final = "auction"
TAKE: Final = "take"
REVEAL: Final = "reveal"
OVER: Final = "over"


class Auction(NamedTuple):
    """The bidding for the display."""

    bid: int
    """The highest so far."""
    holder: Seat
    """Whose bid that is."""
    queue: "tuple[Seat, ...]"
    """The other seats still in, as they come to answer it: clockwise from the holder."""


NO_AUCTION: Final = Auction(0, -1, ())


class State(NamedTuple):
    """A moment of the game.

    What changes most comes first, so that a move copies the rest in one slice.
    """

    options: "Options"
    phase: str
    active: Seat
    """Whose turn it is: to begin, to answer a bid, or, as the winner of an auction, to take."""
    auction: "Auction"
    removals: int
    """How many cards the winner of the auction may still remove."""
    gold: "tuple[int, ...]"
    supply: int
    display: bytes
    """As uncovered, the newest last."""
    expeditions: "tuple[bytes, ...]"
    """Seat 0's in order of colour, then seat 1's, and so on."""
    unseen: bytes
    """The cards of all piles, a multiset in canonical order: a card is decided when it is turned over."""
    piles: "tuple[int, ...]"
    """Cards left in the current pile, then the sizes of those set aside."""
    unusable: bytes
    """Put out of the game when turned over, because no seat could use them."""
    removed: bytes
    """Put out of the game by the winners of auctions."""
    starting_wagers: "tuple[bytes, ...]"
    """What each seat was dealt; each of them begins an expedition."""


# Moves -----------------------------------------------------------------------------------------------------------

UNCOVER: Final = Move("uncover", "uncover")
BIDS: Final = tuple(Move(f"bid {gold}", "bid", (gold,), {"gold": gold}) for gold in range(1, GOLD + 1))
"""So the bids above `low`, up to `high`, are `BIDS[low:high]`."""
PASS: Final = Move("pass", "pass")
TAKES: Final = tuple(Move(f"take {name}", "take", (card,), {"card": name}) for card, name in enumerate(CARDS))
REMOVES: Final = tuple(Move(f"remove {name}", "remove", (card,), {"card": name}) for card, name in enumerate(CARDS))
DONE: Final = Move("done", "done")
REVEALED: Final = tuple(Move(f"reveal {name}", "reveal", (card,), by_chance=True) for card, name in enumerate(CARDS))
"""Chance's answers to `uncover` and `done`."""
DEALT: Final = {
    (seat, first, second): Move(
        f"wagers {seat} {CARDS[first]} {CARDS[second]}", "wagers", (seat, first, second), by_chance=True
    )
    for seat in range(SEATS[1])
    for first in WAGERS
    for second in WAGERS
    if first <= second
}
"""Chance's deals of starting wagers, by seat and wagers in canonical order."""

VOCABULARY: Final[Mapping[str, Move]] = {move.notation: move for move in (UNCOVER, *BIDS, PASS, *TAKES, *REMOVES, DONE)}
_OUTCOMES: Final = {
    **{move.notation: move for move in REVEALED},
    **{f"wagers {seat} {CARDS[first]} {CARDS[second]}": move for (seat, second, first), move in DEALT.items()},
    **{move.notation: move for move in DEALT.values()},
}


def parse(text: str) -> Move:
    """The move or outcome of that notation.

    >>> parse("wagers 1 Bw Gw").notation
    'wagers 1 Gw Bw'
    """
    move = VOCABULARY.get(text) or _OUTCOMES.get(text)
    if move:
        return move
    raise NotAMove(
        text,
        f"say 'uncover', 'bid 1' to 'bid {GOLD}', 'pass', 'take R7', 'remove R7' or 'done'; "
        "chance says 'reveal R7' or 'wagers 0 Rw Bw'",
    )


# Setup -----------------------------------------------------------------------------------------------------------


def options(chosen: Mapping[str, Any]) -> Options:
    """The options as chosen, the rest by default."""
    piles = tuple(chosen.get("piles", Options().piles))
    if len(piles) != PILES or min(piles) < 1 or sum(piles) != len(FULL_DECK):
        detail = f"{len(FULL_DECK)} cards make {PILES} piles of at least one card, not {[*piles]}"
        raise InvalidOptions("piles", ["piles"], detail)
    return Options(piles)


def setup(players: int, options: Options) -> State:
    """Before the starting wagers are dealt. Seat 0 has the starting player card."""
    return State(
        options=options,
        phase=DEAL,
        active=0,
        auction=NO_AUCTION,
        removals=0,
        gold=(GOLD // players,) * players,
        supply=0,
        display=b"",
        expeditions=(b"",) * (players * len(COLOURS)),
        unseen=FULL_DECK,
        piles=options.piles,
        unusable=b"",
        removed=b"",
        starting_wagers=(b"",) * players,
    )


def place(players: int, options: Options, position: Position) -> State:
    """The state whose full view is `position`.

    Nothing in it is only for show: what could be derived, like whose answer an auction awaits, is checked.
    """
    _check_seats(players, position)
    state = State(
        options=options,
        phase=position["phase"],
        active=position["active"],
        auction=_auction(players, position),
        removals=position["removals"],
        gold=tuple(position["gold"]),
        supply=position["supply"],
        display=_row(position["display"]),
        expeditions=tuple(_row(piles[letter]) for piles in position["expeditions"] for letter in COLOURS),
        unseen=b"",
        piles=(position["pile"], *position["piles"]),
        unusable=_row(position["unusable"]),
        removed=_row(position["removed"]),
        starting_wagers=tuple(_row(sorted(names, key=CARD.__getitem__)) for names in position["starting_wagers"]),
    )
    _check_starting_wagers(state)
    _check_expeditions(state)
    _check_unusable(state)
    state = state._replace(unseen=_unseen(state))
    _check_piles(state)
    _check_gold(state)
    _check_progress(state)
    return state


def _row(names: Sequence[str]) -> bytes:
    return bytes(CARD[name] for name in names)


def _check_seats(players: int, position: Position) -> None:
    """The position is of this table."""
    for key in ("starting_wagers", "expeditions", "gold"):
        if len(position[key]) != players:
            raise InvalidPosition("seats", [key], f"there are {players} seats, not {len(position[key])}")
    named: list[tuple[Path, Seat]] = [(["active"], position["active"])]
    if auction := position["auction"]:
        named.append((["auction", "holder"], auction["holder"]))
        named += [(["auction", "in", index], seat) for index, seat in enumerate(auction["in"])]
    for path, seat in named:
        if seat >= players:
            raise InvalidPosition("seats", path, f"the seats are 0..{players - 1}: there is no seat {seat}")


def _auction(players: int, position: Position) -> Auction:
    auction, phase = position["auction"], position["phase"]
    if (phase == AUCTION) != (auction is not None):
        raise InvalidPosition("auction-phase", ["auction"], f"there is an auction exactly in phase '{AUCTION}'")
    if auction is None:
        return NO_AUCTION
    bid, holder, still_in = auction["bid"], auction["holder"], auction["in"]
    if len({*still_in}) != len(still_in) or len(still_in) < 2 or holder not in still_in:
        raise InvalidPosition(
            "auction-seats", ["auction", "in"], "the holder of the high bid and at least one more are in, each once"
        )
    queue = tuple(seat for seat in _others(players, holder) if seat in still_in)
    if position["active"] != queue[0]:
        raise InvalidPosition(
            "auction-turn", ["active"], f"seat {queue[0]}, next in after seat {holder}, is to answer the bid of {bid}"
        )
    if bid > position["gold"][holder]:
        raise InvalidPosition(
            "bid-above-gold",
            ["auction", "bid"],
            f"seat {holder} cannot have bid {bid}: it has {position['gold'][holder]} gold",
        )
    return Auction(bid, holder, queue)


def _check_starting_wagers(state: State) -> None:
    """Dealt seat by seat, two of different colours each."""
    for seat, dealt in enumerate(state.starting_wagers):
        path: Path = ("starting_wagers", seat)
        if dealt and (len(dealt) != STARTING_HAND or len({*dealt}) != len(dealt) or not {*dealt} <= {*WAGERS}):
            raise InvalidPosition(
                "starting-wagers", path, f"a seat is dealt {STARTING_HAND} wagers of different colours, or none yet"
            )
        if dealt and seat > _dealt_next(state):
            raise InvalidPosition("deal-order", path, f"seat {_dealt_next(state)} is dealt before seat {seat}")
    for wager in WAGERS:
        if b"".join(state.starting_wagers).count(wager) > STARTING_COPIES:
            detail = f"there are only {STARTING_COPIES} starting wagers {CARDS[wager]}"
            raise InvalidPosition("too-many-copies", ["starting_wagers"], detail)
    if (_dealt_next(state) < len(state.gold)) != (state.phase == DEAL):
        raise InvalidPosition(
            "deal-phase", ["phase"], f"starting wagers are still to be dealt exactly in phase '{DEAL}'"
        )


def _check_expeditions(state: State) -> None:
    """Each of one colour, never descending, and begun by the starting wager of its colour, if the seat has that."""
    for at, expedition in enumerate(state.expeditions):
        seat, colour = divmod(at, len(COLOURS))
        path: Path = ("expeditions", seat, COLOURS[colour])
        for index, card in enumerate(expedition):
            if COLOUR[card] != colour:
                raise InvalidPosition("colour", (*path, index), f"{CARDS[card]} is not {COLOUR_NAMES[colour]}")
            if not _fits(expedition[:index], card):
                raise InvalidPosition(
                    "ascending",
                    (*path, index),
                    f"{CARDS[card]} cannot follow {CARDS[expedition[index - 1]]}: wagers come first, then numbers that "
                    "never fall",
                )
        wager = WAGERS[colour]
        if wager in state.starting_wagers[seat] and expedition[:1] != ALONE[wager]:
            raise InvalidPosition("starting-wager-missing", path, f"seat {seat} began it with {CARDS[wager]}")


def _check_unusable(state: State) -> None:
    """Expeditions only rise: what nobody could use when it was turned over, nobody can use now."""
    for index, card in enumerate(state.unusable):
        if _usable(state.expeditions, card):
            raise InvalidPosition("usable", ["unusable", index], f"{CARDS[card]} fits an expedition even now")


def _unseen(state: State) -> bytes:
    """The cards that have not been turned over."""
    unseen = [*FULL_DECK]
    for path, card in _turned_over(state):
        if card not in unseen:
            detail = f"{CARDS[card]} appears more often than the {COPIES[card % KINDS]} that the piles have"
            raise InvalidPosition("too-many-copies", path, detail)
        unseen.remove(card)
    return bytes(unseen)


def _turned_over(state: State) -> Iterator[tuple[Path, int]]:
    """Every card that came from the piles, and where it lies."""
    for at, expedition in enumerate(state.expeditions):
        seat, colour = divmod(at, len(COLOURS))
        for index, card in enumerate(expedition):
            if index or card not in state.starting_wagers[seat]:
                yield ("expeditions", seat, COLOURS[colour], index), card
    for key, cards in (("display", state.display), ("removed", state.removed), ("unusable", state.unusable)):
        for index, card in enumerate(cards):
            yield (key, index), card


def _check_piles(state: State) -> None:
    """They hold the unseen cards, come in as the options say, and end the game when they are empty."""
    left, *aside = state.piles
    current = len(state.options.piles) - len(aside) - 1
    if current < 0 or (*aside,) != state.options.piles[current + 1 :]:
        raise InvalidPosition("piles", ["piles"], f"the piles of this game are {[*state.options.piles]}, in this order")
    if left > state.options.piles[current]:
        detail = f"the current pile had {state.options.piles[current]} cards at first, not {left}"
        raise InvalidPosition("piles", ["pile"], detail)
    if left + sum(aside) != len(state.unseen):
        raise InvalidPosition(
            "card-count",
            ["pile"],
            f"{len(FULL_DECK) - len(state.unseen)} of {len(FULL_DECK)} cards have been turned over, so "
            f"{len(state.unseen)} are left in the piles, not {left + sum(aside)}",
        )
    if aside and not left:
        raise InvalidPosition("piles", ["pile"], "the next pile comes in as soon as the current one is empty")
    if (state.phase == OVER) != (not left):
        raise InvalidPosition("game-end", ["phase"], "the game is over exactly when the last pile is empty")


def _check_gold(state: State) -> None:
    """It is conserved, and shared out only at the end of a pile."""
    if sum(state.gold) + state.supply != GOLD:
        detail = f"{GOLD} gold is in the game, not {sum(state.gold) + state.supply}"
        raise InvalidPosition("gold-count", ["supply"], detail)
    at_first = GOLD // len(state.gold)
    if len(state.piles) == PILES and max(state.gold) > at_first:
        raise InvalidPosition(
            "gold-unshared", ["gold"], f"until the first pile ends no seat has more than the {at_first} it began with"
        )


def _check_progress(state: State) -> None:
    """Phase, cards and gold must tell the same story."""
    phase = state.phase
    nothing_turned_over = len(state.unseen) == len(FULL_DECK)
    if phase == DEAL and not nothing_turned_over:
        raise InvalidPosition("deal-first", ["phase"], "starting wagers are dealt before any card is turned over")
    if nothing_turned_over and state.active:
        raise InvalidPosition("opening", ["active"], "seat 0 turns over the first card")
    if nothing_turned_over and state.supply:
        raise InvalidPosition("opening", ["supply"], "nobody has paid before the first card is turned over")
    if phase == AUCTION and not state.display:
        raise InvalidPosition("display-empty", ["display"], "an auction is for at least one card")
    if phase == TAKE and not state.supply:
        raise InvalidPosition("bid-unpaid", ["supply"], "the winner has paid its bid into the supply")
    if state.removals and phase != TAKE:
        raise InvalidPosition("removals", ["removals"], f"a card may be removed only in phase '{TAKE}'")
    if phase == TAKE and state.removals + len(state.removed) < REMOVALS:
        raise InvalidPosition("removals", ["removals"], "no card has been removed, so the winner still may")


# Legal -----------------------------------------------------------------------------------------------------------


_NO_SEAT: Final[dict[str, tuple[Actor, ...]]] = {DEAL: (CHANCE,), REVEAL: (CHANCE,), OVER: ()}
"""Who acts in the phases in which the active seat does not."""


def to_act(state: State) -> tuple[Actor, ...]:
    """One seat or chance at a time."""
    acting = _NO_SEAT.get(state.phase)
    return (state.active,) if acting is None else acting


def phase(state: State) -> str:
    """The kind of decision that is due."""
    return state.phase


_OPENINGS: Final = tuple((UNCOVER, *BIDS[:gold]) for gold in range(GOLD + 1))
"""By gold: what a seat can do in its turn."""
_ANSWERS: Final = tuple((*BIDS[:gold], PASS) for gold in range(GOLD + 1))
"""By gold: the bids that a seat can make, then `pass`; from the high bid on, what it can answer to that."""


def legal(state: State, seat: Seat) -> tuple[Move, ...]:
    """`uncover`, then bids ascending; bids, then `pass`; or takes and removals as in the display, then `done`."""
    if seat != state.active:
        return ()
    phase = state.phase
    if phase == AUCTION:
        return _ANSWERS[state.gold[seat]][state.auction.bid :] or (PASS,)
    if phase == TURN:
        return _OPENINGS[state.gold[seat] if state.display else 0]
    if phase == TAKE:
        own, expeditions = seat * len(COLOURS), state.expeditions
        # A card that lies there twice is one move: the dict keeps the first of each in order.
        cards = dict.fromkeys(state.display)
        moves = [TAKES[card] for card in cards if _fits(expeditions[own + COLOUR[card]], card)]
        if state.removals:
            moves += map(REMOVES.__getitem__, cards)
        moves.append(DONE)
        return tuple(moves)
    return ()


def _fits(expedition: bytes, card: int) -> bool:
    """Whether a card of its colour can be added to the expedition."""
    return not expedition or expedition[-1] <= card


def _usable(expeditions: tuple[bytes, ...], card: int) -> bool:
    """Whether any seat could add the card to its expeditions as they stand."""
    for expedition in expeditions[COLOUR[card] :: len(COLOURS)]:  # noqa: SIM110 (a generator takes longer)
        if _fits(expedition, card):
            return True
    return False


@cache
def _others(players: int, seat: Seat) -> tuple[Seat, ...]:
    """The other seats, clockwise."""
    return (*range(seat + 1, players), *range(seat))


def _dealt_next(state: State) -> Seat:
    """The first seat without starting wagers; the number of seats once all have theirs."""
    return next((seat for seat, dealt in enumerate(state.starting_wagers) if not dealt), len(state.gold))


def _starting_wagers_left(state: State) -> list[int]:
    left = [*STARTING_WAGERS]
    for wager in b"".join(state.starting_wagers):
        left.remove(wager)
    return left


def sample(state: State, pick: Pick) -> Move:
    """A card is picked from the unseen in canonical order.

    So are starting wagers from those left: the first from all, the second from those of another colour.
    """
    if state.phase == REVEAL:
        return REVEALED[state.unseen[pick(len(state.unseen))]]
    left = _starting_wagers_left(state)
    first = left[pick(len(left))]
    others = [wager for wager in left if wager != first]
    second = others[pick(len(others))]
    return DEALT[_dealt_next(state), min(first, second), max(first, second)]


# Apply -----------------------------------------------------------------------------------------------------------


def apply(state: State, actor: Actor, move: Move) -> State:
    """The state after that move."""
    step = _STEPS[state.phase].get(move.type)
    if step is None or actor != (CHANCE if move.by_chance else state.active):
        _refuse(state, actor, move)
    return step(state, move)


def _refuse(state: State, actor: Actor, move: Move) -> NoReturn:
    """Name the rule that such a move of that actor breaks here, whatever its operands."""
    check_actor(to_act(state), actor, move)
    if move.type == "uncover" and state.phase == AUCTION:
        illegal("auction-running", "no card is uncovered during an auction: bid more or pass")
    if move.type == "pass" and state.phase == TURN:
        illegal("no-auction", "there is no auction to drop out of: uncover a card or bid")
    illegal("wrong-phase", f"'{move.notation}' is out of place here: {ABOUT.phases[state.phase]}")


def _dealt(state: State, outcome: Move) -> State:
    """Chance deals two starting wagers; with the last seat's the game begins."""
    seat, first, second = outcome.args
    if seat != _dealt_next(state):
        illegal("deal-order", f"seat {_dealt_next(state)} is dealt next, not seat {seat}")
    if first == second:
        illegal("same-colour", f"a seat's starting wagers differ in colour: {CARDS[first]} cannot be both")
    left = _starting_wagers_left(state)
    for wager in (first, second):
        if wager not in left:
            illegal("starting-wager-gone", f"both starting wagers {CARDS[wager]} have been dealt")
    expeditions = [*state.expeditions]
    for wager in (first, second):
        expeditions[seat * len(COLOURS) + COLOUR[wager]] = ALONE[wager]
    return state._replace(
        phase=TURN if seat + 1 == len(state.gold) else DEAL,
        starting_wagers=(*state.starting_wagers[:seat], bytes((first, second)), *state.starting_wagers[seat + 1 :]),
        expeditions=tuple(expeditions),
    )


def _ask(state: State, phase: str, seat: Seat, auction: Auction = NO_AUCTION) -> State:
    """The table as it is, and the next decision."""
    return made(State, (state.options, phase, seat, auction, 0) + state[5:])


def _turn_over(state: State, move: Move) -> State:  # noqa: ARG001
    """By `uncover`, and by `done`: the winner of an auction ends it with the next card."""
    return _ask(state, REVEAL, state.active)


def _revealed(state: State, outcome: Move) -> State:
    """Chance turns over the top card; the seat clockwise of whoever asked for it is next."""
    options, _, asked, _, _, gold, supply, display, expeditions, unseen, piles, unusable, _, _ = state
    card = outcome.args[0]
    if card not in unseen:
        illegal("card-not-in-piles", f"{CARDS[card]} is not in the piles any more")
    if _usable(expeditions, card):
        display += ALONE[card]
    else:
        unusable += ALONE[card]
    unseen = unseen.replace(ALONE[card], b"", 1)
    left = piles[0] - 1
    next_up = (options, TURN, (asked + 1) % len(gold), NO_AUCTION, 0)
    table = (gold, supply, display, expeditions, unseen, (left,) + piles[1:], unusable)
    revealed = made(State, next_up + table + state[12:])
    return revealed if left else _end_pile(revealed)


def _end_pile(state: State) -> State:
    """The last pile ends the game at once; after any other the supply is shared out and the next pile comes in."""
    aside = state.piles[1:]
    if not aside:
        return state._replace(phase=OVER)
    share, remainder = divmod(state.supply, len(state.gold))
    return state._replace(gold=tuple(gold + share for gold in state.gold), supply=remainder, piles=aside)


def _open(state: State, move: Move) -> State:
    """A bid in place of uncovering: every other seat is asked to answer it."""
    if not state.display:
        illegal("display-empty", "the display is empty: there is nothing to bid for")
    return _bid(state, move.args[0], _others(len(state.gold), state.active))


def _raise(state: State, move: Move) -> State:
    """A higher bid: whoever held the high bid is asked last."""
    auction = state.auction
    if move.args[0] <= auction.bid:
        illegal("bid-too-low", f"seat {auction.holder} has bid {auction.bid}: {move.args[0]} is not more")
    return _bid(state, move.args[0], auction.queue[1:] + (auction.holder,))


def _bid(state: State, bid: int, queue: tuple[Seat, ...]) -> State:
    seat = state.active
    if bid > state.gold[seat]:
        illegal("bid-above-gold", f"seat {seat} cannot bid {bid}: it has {state.gold[seat]} gold")
    return _ask(state, AUCTION, queue[0], made(Auction, (bid, seat, queue)))


def _pass(state: State, move: Move) -> State:  # noqa: ARG001
    """The seat drops out; when the holder of the high bid is alone, it pays and takes."""
    bid, holder, queue = state.auction
    if len(queue) > 1:
        return _ask(state, AUCTION, queue[1], made(Auction, (bid, holder, queue[1:])))
    gold = state.gold
    paid = _with(gold, holder, gold[holder] - bid)
    return made(State, (state.options, TAKE, holder, NO_AUCTION, REMOVALS, paid, state.supply + bid) + state[7:])


_T = TypeVar("_T")


def _with(items: tuple[_T, ...], at: int, item: _T) -> tuple[_T, ...]:
    """The items with another one in that place."""
    replaced = [*items]
    replaced[at] = item
    return tuple(replaced)


def _take(state: State, move: Move) -> State:
    """The winner adds a card of the display to its expedition."""
    card = move.args[0]
    display = _without(state.display, card)
    expeditions = state.expeditions
    at = state.active * len(COLOURS) + COLOUR[card]
    if not _fits(expeditions[at], card):
        _refuse_take(expeditions[at], card)
    longer = _with(expeditions, at, expeditions[at] + ALONE[card])
    return made(State, state[:7] + (display, longer) + state[9:])


def _refuse_take(expedition: bytes, card: int) -> NoReturn:
    """Name the rule that keeps the card off the expedition."""
    last = CARDS[expedition[-1]]
    if card in WAGERS:
        illegal("wager-after-number", f"{CARDS[card]} is a wager and the expedition already holds {last}")
    illegal("number-too-low", f"{CARDS[card]} is lower than {last}, the expedition's last card")


def _remove(state: State, move: Move) -> State:
    """The winner puts a card of the display out of the game, once."""
    card, removed = move.args[0], state.removed
    if not state.removals:
        illegal("already-removed", f"seat {state.active} has removed {CARDS[removed[-1]]}: one card is the limit")
    display = _without(state.display, card)
    removed += ALONE[card]
    return made(
        State, (*state[:4], state.removals - 1, *state[5:7], display, *state[8:12], removed, state.starting_wagers)
    )


def _without(display: bytes, card: int) -> bytes:
    """The display after that card has left it."""
    if card not in display:
        illegal("card-not-in-display", f"{CARDS[card]} is not in the display")
    return display.replace(ALONE[card], b"", 1)


_STEPS: Final[dict[str, dict[str, Callable[[State, Move], State]]]] = {
    DEAL: {"wagers": _dealt},
    TURN: {"uncover": _turn_over, "bid": _open},
    AUCTION: {"bid": _raise, "pass": _pass},
    TAKE: {"take": _take, "remove": _remove, "done": _turn_over},
    REVEAL: {"reveal": _revealed},
    OVER: {},
}
"""What can be done in each phase."""


# View ------------------------------------------------------------------------------------------------------------


def witness(state: State, outcome: Move) -> Seat | None:  # noqa: ARG001
    """Everybody sees what is dealt and turned over."""
    return None


def view(state: State, viewer: Viewer) -> Position:  # noqa: ARG001
    """Everything is public: of the piles nobody knows more than their sizes."""
    bid, holder, queue = state.auction
    return {
        "variant": VARIANT,
        "phase": state.phase,
        "active": state.active,
        "starting_wagers": [_names(dealt) for dealt in state.starting_wagers],
        "expeditions": [
            dict(zip(COLOURS, map(_names, _own(state, seat)), strict=True)) for seat in range(len(state.gold))
        ],
        "gold": [*state.gold],
        "supply": state.supply,
        "display": _names(state.display),
        "pile": state.piles[0],
        "piles": [*state.piles[1:]],
        "auction": {"bid": bid, "holder": holder, "in": sorted((holder, *queue))} if bid else None,
        "removals": state.removals,
        "removed": _names(state.removed),
        "unusable": _names(state.unusable),
    }


def _own(state: State, seat: Seat) -> tuple[bytes, ...]:
    """A seat's expeditions, by colour."""
    return state.expeditions[seat * len(COLOURS) : (seat + 1) * len(COLOURS)]


def _names(cards: bytes) -> list[str]:
    return [CARDS[card] for card in cards]


# Score -----------------------------------------------------------------------------------------------------------


def _expedition_line(colour: str, expedition: bytes) -> Line:
    """A line of the score sheet: footprints * (1 + wagers), and 8 more, not multiplied, for four numbers.

    >>> _expedition_line("red", _row(["Rw", "R4", "R4", "R5", "R6"])).points
    18
    """
    ranks = [card % KINDS for card in expedition]
    wagers = ranks.count(0)
    numbers = len(ranks) - wagers
    footprints = sum(FOOTPRINTS[rank] for rank in ranks)
    bonus = BONUS if numbers >= BONUS_NUMBERS else 0
    return Line(
        colour,
        footprints * (1 + wagers) + bonus,
        {"footprints": footprints, "wagers": wagers, "numbers": numbers, "bonus": bonus},
    )


def score(state: State) -> tuple[Sheet, ...]:
    """The expeditions by colour, then the gold."""
    return tuple(
        (*map(_expedition_line, COLOUR_NAMES, _own(state, seat)), Line("gold", gold))
        for seat, gold in enumerate(state.gold)
    )


def outcome(state: State) -> Outcome | None:
    """The highest total wins."""
    return decide(score(state), "last-card") if state.phase == OVER else None


# About -----------------------------------------------------------------------------------------------------------

ABOUT: Final = About(
    title="Lost Cities: Rivals",
    seats=SEATS,
    components={
        "colours": dict(zip(COLOURS, COLOUR_NAMES, strict=True)),
        "copies_per_colour": dict(zip(RANKS, COPIES, strict=True)),
        "footprints": dict(zip(RANKS, FOOTPRINTS, strict=True)),
        "cards": len(FULL_DECK),
        "piles": PILES,
        "starting_wagers_per_colour": STARTING_COPIES,
        "starting_wagers_per_seat": STARTING_HAND,
        "gold": GOLD,
        "gold_per_seat": {str(players): GOLD // players for players in range(SEATS[0], SEATS[1] + 1)},
        "removals_per_auction": REMOVALS,
    },
    options=(
        Option(
            "piles",
            Options().plain()["piles"],
            f"the sizes of the {PILES} piles in the order they come in, each at least 1, {len(FULL_DECK)} in all",
        ),
    ),
    moves=(
        MoveType("uncover", "uncover", "seat", "turn over the top card of the pile; chance answers"),
        MoveType("bid", f"bid <1..{GOLD}>", "seat", "open an auction for the display, or bid more than anybody so far"),
        MoveType("pass", "pass", "seat", "drop out of the auction"),
        MoveType("take", "take <card>", "seat", "add a card of the display to the own expedition of its colour"),
        MoveType("remove", "remove <card>", "seat", "put a card of the display out of the game, once per auction"),
        MoveType("done", "done", "seat", "end the auction by turning over the top card of the pile; chance answers"),
        MoveType("wagers", "wagers <seat> <wager> <wager>", "chance", "the two starting wagers of a seat"),
        MoveType("reveal", "reveal <card>", "chance", "the card that is turned over"),
    ),
    phases={
        DEAL: "chance deals two starting wagers to each seat in turn",
        TURN: "the active seat uncovers a card or opens an auction",
        AUCTION: "the active seat bids more or passes",
        TAKE: "the active seat has won the auction: it takes cards, may remove one, and says when it is done",
        REVEAL: "chance says which card is turned over",
        OVER: "the game is over",
    },
    rules={
        **SHARED_RULES,
        "display-empty": "An auction can be opened only for at least one card.",
        "bid-too-low": "A bid must be higher than the one it answers.",
        "bid-above-gold": "Nobody may bid more gold than it has.",
        "auction-running": "No card is uncovered during an auction.",
        "no-auction": "Only a seat that is asked to answer a bid may pass.",
        "card-not-in-display": "Only a card of the display can be taken or removed.",
        "number-too-low": "A number must be equal to or higher than the expedition's last number.",
        "wager-after-number": "A wager may be added only while its expedition holds no number.",
        "already-removed": "The winner of an auction removes at most one card.",
        "card-not-in-piles": "Chance turns over only cards that are still unseen.",
        "deal-order": "Starting wagers are dealt to seat 0 first, then clockwise.",
        "same-colour": "A seat's two starting wagers are of different colours.",
        "starting-wager-gone": "There are two starting wagers of each colour.",
    },
    scales={
        "footprint": 1,
        "multiplier": "1 + wagers",
        "bonus": BONUS,
        "bonus_from_numbers": BONUS_NUMBERS,
        "gold": 1,
    },
    endings={"last-card": "the last card of the last pile was turned over"},
    rulings=(
        Ruling("components", "text", "65 numbers, 15 wagers, 10 starting wagers and 36 gold are in the game."),
        Ruling("footprints", "known", "Numbers 2 to 5 show one footprint, 6 to 10 two, wagers none."),
        Ruling("starting-wagers", "text", "Each seat is dealt two starting wagers of different colours, face up."),
        Ruling("starting-expeditions", "known", "A seat's starting wagers begin its first two expeditions."),
        Ruling(
            "deal-of-wagers",
            "ruling",
            "Dealt seat by seat: first any wager left, then any left of another colour.",
        ),
        Ruling("four-piles", "text", "The 80 cards are split into four piles of about the same size."),
        Ruling(
            "pile-sizes", "ruling", "Each pile has exactly 20 cards, unless the game was created otherwise (piles)."
        ),
        Ruling("even-gold", "text", "The gold is divided evenly: 18, 12 or 9 for each of 2, 3 or 4 seats."),
        Ruling("unusable", "text", "A card that no seat can use when turned over goes out and is not replaced."),
        Ruling(
            "unusable-once",
            "ruling",
            "That is tested only as a card is turned over, after an auction too: one that becomes useless later stays.",
        ),
        Ruling("opening-bid", "text", "An auction is opened with at least one gold."),
        Ruling("bid-for-something", "ruling", "An auction cannot be opened while the display is empty."),
        Ruling("bid-within-gold", "ruling", "A bid is at most the bidder's own gold."),
        Ruling("bid-or-pass", "text", "Clockwise, each seat still in bids more or drops out, until one is left."),
        Ruling(
            "winner",
            "text",
            "The winner pays its bid into the supply, takes any number of cards and removes one or none, in any order.",
        ),
        Ruling("closing-card", "text", "The winner ends the auction by turning over the top card of the pile."),
        Ruling("next-after-auction", "text", "The seat clockwise of the winner is next, whoever opened the auction."),
        Ruling("placing-wagers", "text", "Any number of wagers, but only while the expedition holds no number."),
        Ruling("placing-numbers", "text", "A number must be equal to or higher than the expedition's last number."),
        Ruling(
            "pile-end",
            "text",
            "After the last card of a pile the supply is shared out evenly, the rest stays, the next pile comes in.",
        ),
        Ruling(
            "pile-end-by-auction",
            "ruling",
            "So it is when the card that ends an auction ends the pile: the bid just paid is shared out too.",
        ),
        Ruling("game-end", "text", "The last card of the last pile ends the game at once; nothing is shared out."),
        Ruling("expedition-score", "text", "An expedition scores its footprints x (1 + wagers); wagers alone score 0."),
        Ruling("four-number-bonus", "text", "Four or more numbers add 8, not multiplied; wagers do not count."),
        Ruling("gold-score", "text", "Each own gold coin scores 1."),
        Ruling("tie", "ruling", "Equal totals share the win."),
    ),
)
