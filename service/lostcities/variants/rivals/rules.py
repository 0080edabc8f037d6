"""rivals: Lost Cities: Rivals, for two to four players.

A card is an integer, `colour * 10 + rank`: rank 0 is a wager, ranks 1 to 9 are the numbers 2 to 10. Expeditions, the
display and all other sets of cards are `bytes` of cards.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, NoReturn

from lostcities.variants.core import (
    N_,
    OVER,
    Actor,
    InvalidOptions,
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
    seen_by_all,
    single_actor,
)
from lostcities.variants.rivals.texts import (
    CHANCE_TEXT,
    ENDINGS,
    MOVE_LABELS,
    NO_SUCH_MOVE,
    OPTION_LABELS,
    PHASES,
    RULE_TEXTS,
    RULE_VALUES,
    RULINGS,
)

VARIANT: Final = "rivals"
RULES_VERSION: Final = 1

# Components ------------------------------------------------------------------------------------------------------

SEATS: Final = (2, 4)
"""The fewest and the most players."""
COLOURS: Final = "GWRYB"
"""The letters in canonical order."""
COLOUR_NAMES: Final = (N_("green"), N_("white"), N_("red"), N_("yellow"), N_("blue"))

RANKS: Final = ("w", "2", "3", "4", "5", "6", "7", "8", "9", "10")
COPIES: Final = (3, 2, 2, 2, 2, 1, 1, 1, 1, 1)
"""How many of each card are in the piles, by rank."""
FOOTPRINTS: Final = (0, 1, 1, 1, 1, 2, 2, 2, 2, 2)
"""The footprints on each card, by rank."""

KINDS: Final = len(RANKS)
"""Kinds of card in a colour: the wager and the numbers."""
CARDS: Final = tuple(colour + rank for colour in COLOURS for rank in RANKS)
"""The name of each card."""
CARD: Final = {name: card for card, name in enumerate(CARDS)}
COLOUR: Final = tuple(card // KINDS for card in range(len(CARDS)))
FULL_DECK: Final = bytes(card for card in range(len(CARDS)) for _ in range(COPIES[card % KINDS]))
"""The cards of all piles, in canonical order."""
PILES: Final = 4

WAGERS: Final = range(0, len(CARDS), KINDS)
"""The wager of each colour."""
STARTING_COPIES: Final = 2
STARTING_WAGERS: Final = bytes(wager for wager in WAGERS for _ in range(STARTING_COPIES))
"""The cards that are dealt before the first turn. They are never in the piles."""
STARTING_HAND: Final = 2
"""Starting wagers that each seat is dealt."""

GOLD: Final = 36
REMOVALS: Final = 1
"""Cards that the winner of an auction may remove from the game."""

# Options ---------------------------------------------------------------------------------------------------------


class Options(NamedTuple):
    """The options of a game of rivals."""

    piles: "tuple[int, ...]" = (20, 20, 20, 20)
    """The size of each pile, in the order in which they come into play."""

    def plain(self) -> dict[str, Any]:
        """The options as JSON data."""
        return {"piles": [*self.piles]}


def parse_options(chosen: Mapping[str, Any]) -> Options:
    """The chosen options, and the defaults of the others."""
    piles = tuple(chosen.get("piles", Options().piles))
    if len(piles) != PILES or min(piles) < 1 or sum(piles) != len(FULL_DECK):
        detail = Text(
            "{cards} cards make {piles} piles of at least one card, not {sizes}",
            cards=len(FULL_DECK),
            piles=PILES,
            sizes=[*piles],
        )
        raise InvalidOptions("piles", ["piles"], detail)
    return Options(piles)


# State -----------------------------------------------------------------------------------------------------------

DEAL: Final = "wagers"
TURN: Final = "turn"
AUCTION: Final = "auction"
TAKE: Final = "take"
REVEAL: Final = "reveal"
CHANCE_PHASES: Final = frozenset((DEAL, REVEAL))


class Auction(NamedTuple):
    """An auction for the cards of the display."""

    bid: int
    """The highest bid so far."""
    holder: Seat
    """The seat that made the highest bid."""
    queue: "tuple[Seat, ...]"
    """The other seats that have not passed, in the order in which they answer: clockwise from the holder."""


NO_AUCTION: Final = Auction(0, -1, ())


class State(NamedTuple):
    """The state of a game."""

    options: "Options"
    phase: str
    active: Seat
    """The seat whose turn it is, that answers a bid, or that has won the auction and takes cards."""
    auction: "Auction"
    """The auction in phase `AUCTION`, otherwise `NO_AUCTION`."""
    removals: int
    """How many cards the winner of the auction may still remove."""
    gold: "tuple[int, ...]"
    """By seat."""
    supply: int
    """The gold in the supply."""
    display: bytes
    """In the order in which the cards were uncovered."""
    expeditions: "tuple[bytes, ...]"
    """Those of seat 0 by colour, then those of seat 1, and so on."""
    unseen: bytes
    """The cards of all piles in canonical order. Which of them is turned over is decided when it is."""
    piles: "tuple[int, ...]"
    """The number of cards left in the current pile, then the sizes of the later piles."""
    unusable: bytes
    """Cards that left the game when they were turned over, because no seat could use them."""
    removed: bytes
    """Cards that winners of auctions removed from the game."""
    starting_wagers: "tuple[bytes, ...]"
    """The cards that each seat was dealt. Each of them begins an expedition."""


def expedition_index(seat: Seat, card: int) -> int:
    """The index in `State.expeditions` of the seat's expedition of the colour of that card."""
    return seat * len(COLOURS) + COLOUR[card]


# Moves -----------------------------------------------------------------------------------------------------------

UNCOVER: Final = Move("uncover", "uncover")
BIDS: Final = tuple(Move(f"bid {gold}", "bid", (gold,), {"gold": gold}) for gold in range(1, GOLD + 1))
PASS: Final = Move("pass", "pass")
TAKES: Final = tuple(Move(f"take {name}", "take", (card,), {"card": name}) for card, name in enumerate(CARDS))
REMOVES: Final = tuple(Move(f"remove {name}", "remove", (card,), {"card": name}) for card, name in enumerate(CARDS))
DONE: Final = Move("done", "done")
REVEALED: Final = tuple(Move(f"reveal {name}", "reveal", (card,), by_chance=True) for card, name in enumerate(CARDS))
"""The outcomes of `uncover` and `done`."""
DEALT: Final = {
    (seat, first, second): Move(
        f"wagers {seat} {CARDS[first]} {CARDS[second]}", "wagers", (seat, first, second), by_chance=True
    )
    for seat in range(SEATS[1])
    for first in WAGERS
    for second in WAGERS
    if first <= second
}
"""The outcomes that deal starting wagers, by seat and wagers in canonical order."""

VOCABULARY: Final[Mapping[str, Move]] = {move.notation: move for move in (UNCOVER, *BIDS, PASS, *TAKES, *REMOVES, DONE)}
_OUTCOMES: Final = {
    **{move.notation: move for move in REVEALED},
    **{move.notation: move for move in DEALT.values()},
    **{f"wagers {seat} {CARDS[second]} {CARDS[first]}": move for (seat, first, second), move in DEALT.items()},
}


def parse(text: str) -> Move:
    """The move or outcome with that notation.

    >>> parse("wagers 1 Bw Gw").notation
    'wagers 1 Gw Bw'
    """
    move = VOCABULARY.get(text) or _OUTCOMES.get(text)
    if move:
        return move
    raise NotAMove(
        text,
        Text(
            "say 'uncover', 'bid 1' to 'bid {gold}', 'pass', 'take R7', 'remove R7' or 'done'; "
            "chance says 'reveal R7' or 'wagers 0 Rw Bw'",
            gold=GOLD,
        ),
        NO_SUCH_MOVE.get(text.partition(" ")[0], ""),
    )


# Setup: two starting wagers for each seat, four piles, the gold divided evenly -----------------------------------


def setup(players: int, options: Options) -> State:
    """Before the starting wagers are dealt. Seat 0 takes the first turn."""
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


def next_to_be_dealt(state: State) -> Seat:
    """The first seat without starting wagers; the number of seats if all have theirs."""
    return next((seat for seat, dealt in enumerate(state.starting_wagers) if not dealt), len(state.gold))


def _starting_wagers_left(state: State) -> list[int]:
    left = [*STARTING_WAGERS]
    for wager in b"".join(state.starting_wagers):
        left.remove(wager)
    return left


def _sample_wagers(state: State, pick: Pick) -> Move:
    """The first wager is any of those left, the second any of those left in another colour."""
    left = _starting_wagers_left(state)
    first = left[pick(len(left))]
    others = [wager for wager in left if wager != first]
    second = others[pick(len(others))]
    return DEALT[next_to_be_dealt(state), min(first, second), max(first, second)]


def _deal(state: State, outcome: Move) -> State:
    """A seat gets two starting wagers, which begin two expeditions. After the last deal the first turn begins."""
    seat, first, second = outcome.args
    if seat != next_to_be_dealt(state):
        illegal("deal-order", "seat {next} is dealt next, not seat {seat}", next=next_to_be_dealt(state), seat=seat)
    if first == second:
        illegal("same-colour", "a seat's starting wagers differ in colour: {card} cannot be both", card=CARDS[first])
    left = _starting_wagers_left(state)
    expeditions = state.expeditions
    for wager in (first, second):
        if wager not in left:
            illegal("starting-wager-gone", "both starting wagers {card} have been dealt", card=CARDS[wager])
        expeditions = replace_at(expeditions, expedition_index(seat, wager), bytes((wager,)))
    return state._replace(
        phase=TURN if seat + 1 == len(state.gold) else DEAL,
        starting_wagers=replace_at(state.starting_wagers, seat, bytes((first, second))),
        expeditions=expeditions,
    )


# A turn: uncover a card or open an auction -----------------------------------------------------------------------


def _uncover(state: State, move: Move) -> State:  # noqa: ARG001
    """Chance turns over the top card of the pile."""
    return _await_card(state, REVEAL, 0)


_await_card: Final = replacer(State, "phase", "removals")


def is_usable(card: int, expeditions: Sequence[bytes]) -> bool:
    """Whether any seat could add the card to its expedition as it is now."""
    for expedition in expeditions[COLOUR[card] :: len(COLOURS)]:  # noqa: SIM110 (`any` takes twice as long)
        if may_be_added(card, expedition):
            return True
    return False


def _reveal(state: State, outcome: Move) -> State:
    """The card goes to the display, or out of the game if no seat can use it. The next seat clockwise is next.

    After an auction the active seat is its winner, so the seat next to the winner is next.
    """
    card, unseen, piles, display, unusable = outcome.args[0], state.unseen, state.piles, state.display, state.unusable
    if card not in unseen:
        illegal("card-not-in-piles", "{card} is not in the piles any more", card=CARDS[card])
    if is_usable(card, state.expeditions):
        display += bytes((card,))
    else:
        unusable += bytes((card,))
    left = piles[0] - 1
    seat = (state.active + 1) % len(state.gold)
    after = _next_turn(state, TURN, seat, display, unusable, remove_one(unseen, card), (left,) + piles[1:])
    return after if left else _end_pile(after)


_next_turn: Final = replacer(State, "phase", "active", "display", "unusable", "unseen", "piles")


# The auction -----------------------------------------------------------------------------------------------------


def may_bid(bid: int, highest: int, gold: int) -> bool:
    """A bid must be higher than the highest bid so far, and at most the bidder's own gold."""
    return highest < bid <= gold


def _possible_bids(highest: int, gold: int) -> list[Move]:
    return [move for bid, move in enumerate(BIDS, 1) if may_bid(bid, highest, gold)]


_OPENINGS: Final = tuple((UNCOVER, *_possible_bids(0, gold)) for gold in range(GOLD + 1))
"""Table `[gold]` of the moves of a turn, if there are cards in the display."""
_ANSWERS: Final = tuple(
    tuple((*_possible_bids(highest, gold), PASS) for gold in range(GOLD + 1)) for highest in range(GOLD + 1)
)
"""Table `[highest bid][gold]` of the answers to a bid. A seat that cannot bid more has only `pass`."""


def _open_auction(state: State, move: Move) -> State:
    """All other seats answer the first bid, clockwise. The display must not be empty."""
    if not state.display:
        illegal("display-empty", "the display is empty: there is nothing to bid for")
    return _bid(state, move.args[0], others_clockwise(len(state.gold), state.active))


def others_clockwise(players: int, seat: Seat) -> tuple[Seat, ...]:
    """All other seats, clockwise from that seat."""
    return (*range(seat + 1, players), *range(seat))


def _raise_bid(state: State, move: Move) -> State:
    """A higher bid: the seat that held the highest bid answers last."""
    _, holder, queue = state.auction
    return _bid(state, move.args[0], (*queue[1:], holder))


def _bid(state: State, bid: int, queue: tuple[Seat, ...]) -> State:
    """The active seat holds the highest bid. The seats of the queue answer it."""
    seat = state.active
    if not may_bid(bid, state.auction.bid, state.gold[seat]):
        _refuse_bid(state, bid)
    return _await_answer(state, AUCTION, queue[0], Auction(bid, seat, queue))


_await_answer: Final = replacer(State, "phase", "active", "auction")


def _refuse_bid(state: State, bid: int) -> NoReturn:
    seat, auction = state.active, state.auction
    if bid <= auction.bid:
        illegal(
            "bid-too-low",
            "seat {holder} has bid {highest}: {bid} is not more",
            holder=auction.holder,
            highest=auction.bid,
            bid=bid,
        )
    illegal(
        "bid-above-gold",
        "seat {seat} cannot bid {bid}: it has {gold} gold",
        seat=seat,
        bid=bid,
        gold=state.gold[seat],
    )


def _pass(state: State, move: Move) -> State:  # noqa: ARG001
    """The seat is out of this auction. The last seat left wins it."""
    bid, holder, queue = state.auction
    if len(queue) > 1:
        return _await_answer(state, AUCTION, queue[1], Auction(bid, holder, queue[1:]))
    return _win_auction(state, holder, bid)


def _win_auction(state: State, winner: Seat, bid: int) -> State:
    """The winner pays its bid into the supply and may take cards."""
    return state._replace(
        phase=TAKE,
        active=winner,
        auction=NO_AUCTION,
        removals=REMOVALS,
        gold=replace_at(state.gold, winner, state.gold[winner] - bid),
        supply=state.supply + bid,
    )


def _refuse_uncover(state: State, move: Move) -> NoReturn:  # noqa: ARG001
    illegal("auction-running", "no card is uncovered during an auction: bid more or pass")


def _refuse_pass(state: State, move: Move) -> NoReturn:  # noqa: ARG001
    illegal("no-auction", "there is no auction to drop out of: uncover a card or bid")


# The winner takes and removes cards, then turns over the next one ------------------------------------------------


def may_be_added(card: int, expedition: bytes) -> bool:
    """Whether a card may be added to an expedition of its colour.

    A wager: only while the expedition holds no number. A number: only if it is equal to or higher than the last
    number. Both are one comparison, because the wager is the lowest card of its colour.
    """
    return not expedition or card >= expedition[-1]


def _takes_and_removals(state: State, seat: Seat) -> tuple[Move, ...]:
    """Any number of cards may be taken and one removed, in any order. Equal cards make one move."""
    cards = dict.fromkeys(state.display)
    expeditions = state.expeditions
    takes = [TAKES[card] for card in cards if may_be_added(card, expeditions[expedition_index(seat, card)])]
    removals = [REMOVES[card] for card in cards] if state.removals else []
    return (*takes, *removals, DONE)


def _take(state: State, move: Move) -> State:
    """The winner adds a card of the display to its expedition."""
    card = move.args[0]
    display = _display_without(state, card)
    index = expedition_index(state.active, card)
    expedition = state.expeditions[index]
    if not may_be_added(card, expedition):
        _refuse_take(card, expedition)
    expeditions = replace_at(state.expeditions, index, expedition + bytes((card,)))
    return state._replace(display=display, expeditions=expeditions)


def _refuse_take(card: int, expedition: bytes) -> NoReturn:
    last = CARDS[expedition[-1]]
    if card in WAGERS:
        illegal(
            "wager-after-number",
            "{card} is a wager and the expedition already holds {last}",
            card=CARDS[card],
            last=last,
        )
    illegal("number-too-low", "{card} is lower than {last}, the expedition's last card", card=CARDS[card], last=last)


def _remove(state: State, move: Move) -> State:
    """The winner removes a card of the display from the game."""
    if not state.removals:
        removed = CARDS[state.removed[-1]]
        illegal(
            "already-removed",
            "seat {seat} has removed {card}: one card is the limit",
            seat=state.active,
            card=removed,
        )
    card = move.args[0]
    display = _display_without(state, card)
    return state._replace(display=display, removals=state.removals - 1, removed=state.removed + bytes((card,)))


def _display_without(state: State, card: int) -> bytes:
    if card not in state.display:
        illegal("card-not-in-display", "{card} is not in the display", card=CARDS[card])
    return remove_one(state.display, card)


# The end of a pile and of the game -------------------------------------------------------------------------------


def _end_pile(state: State) -> State:
    """The supply is shared out evenly and the next pile comes in. The last pile ends the game at once."""
    later_piles = state.piles[1:]
    if not later_piles:
        return state._replace(phase=OVER)
    share, rest = divmod(state.supply, len(state.gold))
    return state._replace(gold=tuple(gold + share for gold in state.gold), supply=rest, piles=later_piles)


# Score -----------------------------------------------------------------------------------------------------------

BONUS: Final = 8
BONUS_NUMBERS: Final = 4
"""The bonus is for expeditions of at least so many numbers. Wagers do not count."""


def _expedition_line(colour: str, expedition: bytes) -> Line:
    """Footprints * (1 + wagers), then the bonus, which is not multiplied.

    >>> _expedition_line("red", bytes(CARD[name] for name in ("Rw", "R4", "R4", "R5", "R6"))).points
    18
    """
    ranks = [card % KINDS for card in expedition]
    wagers = ranks.count(0)
    numbers = len(ranks) - wagers
    footprints = sum(FOOTPRINTS[rank] for rank in ranks)
    multiplier = 1 + wagers
    product = footprints * multiplier
    bonus = BONUS if numbers >= BONUS_NUMBERS else 0
    steps = {
        "footprints": footprints,
        "wagers": wagers,
        "multiplier": multiplier,
        "product": product,
        "numbers": numbers,
        "bonus": bonus,
    }
    return Line(colour, product + bonus, steps)


def score(state: State) -> tuple[Sheet, ...]:
    """A line for each expedition, then one for the gold."""
    return tuple(
        (*map(_expedition_line, COLOUR_NAMES, _expeditions_of(state, seat)), Line("gold", gold, {"coins": gold}))
        for seat, gold in enumerate(state.gold)
    )


def result(state: State) -> Result | None:
    """The highest total wins."""
    return result_by_points(score(state), "last-card") if state.phase == OVER else None


# Decisions -------------------------------------------------------------------------------------------------------


def to_act(state: State) -> tuple[Actor, ...]:
    """The active seat, or chance."""
    return single_actor(state, CHANCE_PHASES)


phase: Final = phase_of
choose_in_turn: Final = already_in_turn


def legal_moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """`uncover`, then bids; or bids, then `pass`; or takes and removals by the display, then `done`."""
    if seat != state.active:
        return ()
    phase = state.phase
    if phase == TURN:
        return _OPENINGS[state.gold[seat]] if state.display else (UNCOVER,)
    if phase == AUCTION:
        return _ANSWERS[state.auction.bid][state.gold[seat]]
    if phase == TAKE:
        return _takes_and_removals(state, seat)
    return ()


def sample_chance(state: State, pick: Pick) -> Move:
    """Cards are picked from those left in canonical order, one by one."""
    if state.phase == REVEAL:
        return REVEALED[state.unseen[pick(len(state.unseen))]]
    return _sample_wagers(state, pick)


HANDLERS: Final[Mapping[str, Mapping[str, Callable[[State, Move], State]]]] = {
    DEAL: {"wagers": _deal},
    TURN: {"uncover": _uncover, "bid": _open_auction, "pass": _refuse_pass},
    REVEAL: {"reveal": _reveal},
    AUCTION: {"bid": _raise_bid, "pass": _pass, "uncover": _refuse_uncover},
    TAKE: {"take": _take, "remove": _remove, "done": _uncover},
    OVER: {},
}
"""The functions that apply a move, by phase and type of move."""


def apply(state: State, actor: Actor, move: Move) -> State:
    """The state after that move."""
    return find_single_handler(HANDLERS, state, actor, move, chance_phases=CHANCE_PHASES, due=PHASES)(state, move)


# Visibility ------------------------------------------------------------------------------------------------------


visible_to: Final = seen_by_all


def to_position(state: State, viewer: Viewer) -> Position:  # noqa: ARG001
    """Everything is public, except which cards are in the piles."""
    bid, holder, queue = state.auction
    return {
        "variant": VARIANT,
        "phase": state.phase,
        "active": state.active,
        "starting_wagers": [_names(dealt) for dealt in state.starting_wagers],
        "expeditions": [
            dict(zip(COLOURS, map(_names, _expeditions_of(state, seat)), strict=True))
            for seat in range(len(state.gold))
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


def _expeditions_of(state: State, seat: Seat) -> tuple[bytes, ...]:
    """The expeditions of a seat, by colour."""
    return state.expeditions[seat * len(COLOURS) : (seat + 1) * len(COLOURS)]


def _names(cards: bytes) -> list[str]:
    return [CARDS[card] for card in cards]


# Description -----------------------------------------------------------------------------------------------------

INFO: Final = VariantInfo(
    title=N_("Lost Cities: Rivals"),
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
            Text(
                "The sizes of the {piles} piles in the order in which they are used, each at least 1, {cards} cards "
                "in all.",
                piles=PILES,
                cards=len(FULL_DECK),
            ),
        ),
    ),
    moves=(
        MoveType("uncover", "uncover", "seat", N_("turn over the top card of the pile; chance answers")),
        MoveType("bid", f"bid <1..{GOLD}>", "seat", N_("open an auction for the display, or raise the highest bid")),
        MoveType("pass", "pass", "seat", N_("drop out of the auction")),
        MoveType("take", "take <card>", "seat", N_("add a card of the display to the own expedition of its colour")),
        MoveType("remove", "remove <card>", "seat", N_("put a card of the display out of the game, once per auction")),
        MoveType(
            "done", "done", "seat", N_("end the auction by turning over the top card of the pile; chance answers")
        ),
        MoveType("wagers", "wagers <seat> <wager> <wager>", "chance", N_("the two starting wagers of a seat")),
        MoveType("reveal", "reveal <card>", "chance", N_("the card that is turned over")),
    ),
    chance=CHANCE_TEXT,
    phases=PHASES,
    rules=RULE_TEXTS,
    values=RULE_VALUES,
    labels={
        "colours": dict(zip(COLOURS, COLOUR_NAMES, strict=True)),
        "score_items": {**dict(zip(COLOUR_NAMES, COLOUR_NAMES, strict=True)), "gold": N_("gold")},
        "moves": MOVE_LABELS,
        "options": OPTION_LABELS,
    },
    scales={
        "footprint": 1,
        "multiplier": N_("1 + wagers"),
        "bonus": BONUS,
        "bonus_from_numbers": BONUS_NUMBERS,
        "gold": 1,
    },
    endings=ENDINGS,
    rulings=RULINGS,
)
