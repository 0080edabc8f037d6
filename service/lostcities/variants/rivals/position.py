"""rivals: from a position to a state.

What follows from the rest is checked too, such as the seat that must answer a bid.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from lostcities.variants.core import (
    OVER,
    InvalidPosition,
    Path,
    Position,
    Seat,
    Text,
    nothing_hidden,
    nothing_to_fill,
    sees_all,
)
from lostcities.variants.rivals.rules import (
    AUCTION,
    CARD,
    CARDS,
    COLOUR,
    COLOUR_NAMES,
    COLOURS,
    COPIES,
    DEAL,
    FULL_DECK,
    GOLD,
    KINDS,
    NO_AUCTION,
    PILES,
    REMOVALS,
    STARTING_COPIES,
    STARTING_HAND,
    TAKE,
    WAGERS,
    Auction,
    Options,
    State,
    is_usable,
    may_be_added,
    next_to_be_dealt,
    others_clockwise,
)


def from_position(players: int, options: Options, position: Position) -> State:
    """The state that is shown as `position`. Raises `InvalidPosition`."""
    _check_seats(players, position)
    state = State(
        options=options,
        phase=position["phase"],
        active=position["active"],
        auction=_auction(players, position),
        removals=position["removals"],
        gold=tuple(position["gold"]),
        supply=position["supply"],
        display=_cards(position["display"]),
        expeditions=tuple(_cards(piles[letter]) for piles in position["expeditions"] for letter in COLOURS),
        unseen=b"",
        piles=(position["pile"], *position["piles"]),
        unusable=_cards(position["unusable"]),
        removed=_cards(position["removed"]),
        starting_wagers=tuple(_cards(sorted(names, key=CARD.__getitem__)) for names in position["starting_wagers"]),
    )
    _check_starting_wagers(state)
    _check_expeditions(state)
    _check_unusable(state)
    state = state._replace(unseen=_unseen(state))
    _check_piles(state)
    _check_gold(state)
    _check_progress(state)
    return state


def _cards(names: Sequence[str]) -> bytes:
    return bytes(CARD[name] for name in names)


def _check_seats(players: int, position: Position) -> None:
    """Every list by seat has an entry for each seat, and every seat that is named exists."""
    for key in ("starting_wagers", "expeditions", "gold"):
        if len(position[key]) != players:
            raise InvalidPosition(
                "seats",
                [key],
                Text("there are {players} seats, not {given}", players=players, given=len(position[key])),
            )
    named: list[tuple[Path, Seat]] = [(["active"], position["active"])]
    if auction := position["auction"]:
        named.append((["auction", "holder"], auction["holder"]))
        named += [(["auction", "in", index], seat) for index, seat in enumerate(auction["in"])]
    for path, seat in named:
        if seat >= players:
            raise InvalidPosition(
                "seats", path, Text("the seats are 0..{last}: there is no seat {seat}", last=players - 1, seat=seat)
            )


def _auction(players: int, position: Position) -> Auction:
    auction, phase = position["auction"], position["phase"]
    if (phase == AUCTION) != (auction is not None):
        raise InvalidPosition(
            "auction-phase", ["auction"], Text("there is an auction exactly in phase '{phase}'", phase=AUCTION)
        )
    if auction is None:
        return NO_AUCTION
    bid, holder, still_in = auction["bid"], auction["holder"], auction["in"]
    if len({*still_in}) != len(still_in) or len(still_in) < 2 or holder not in still_in:
        raise InvalidPosition(
            "auction-seats",
            ["auction", "in"],
            Text("the holder of the high bid and at least one more are in, each once"),
        )
    queue = tuple(seat for seat in others_clockwise(players, holder) if seat in still_in)
    if position["active"] != queue[0]:
        raise InvalidPosition(
            "auction-turn",
            ["active"],
            Text(
                "seat {next}, next in after seat {holder}, is to answer the bid of {bid}",
                next=queue[0],
                holder=holder,
                bid=bid,
            ),
        )
    if bid > position["gold"][holder]:
        raise InvalidPosition(
            "bid-above-gold",
            ["auction", "bid"],
            Text(
                "seat {holder} cannot have bid {bid}: it has {gold} gold",
                holder=holder,
                bid=bid,
                gold=position["gold"][holder],
            ),
        )
    return Auction(bid, holder, queue)


def _check_starting_wagers(state: State) -> None:
    """They are dealt seat by seat, two of different colours each."""
    for seat, dealt in enumerate(state.starting_wagers):
        path: Path = ("starting_wagers", seat)
        if dealt and (len(dealt) != STARTING_HAND or len({*dealt}) != len(dealt) or not {*dealt} <= {*WAGERS}):
            raise InvalidPosition(
                "starting-wagers",
                path,
                Text("a seat is dealt {count} wagers of different colours, or none yet", count=STARTING_HAND),
            )
        if dealt and seat > next_to_be_dealt(state):
            raise InvalidPosition(
                "deal-order",
                path,
                Text("seat {next} is dealt before seat {seat}", next=next_to_be_dealt(state), seat=seat),
            )
    for wager in WAGERS:
        if b"".join(state.starting_wagers).count(wager) > STARTING_COPIES:
            detail = Text("there are only {copies} starting wagers {wager}", copies=STARTING_COPIES, wager=CARDS[wager])
            raise InvalidPosition("too-many-copies", ["starting_wagers"], detail)
    if (next_to_be_dealt(state) < len(state.gold)) != (state.phase == DEAL):
        raise InvalidPosition(
            "deal-phase",
            ["phase"],
            Text("starting wagers are still to be dealt exactly in phase '{phase}'", phase=DEAL),
        )


def _check_expeditions(state: State) -> None:
    """Every card must have been legal to add, and a starting wager begins the expedition of its colour."""
    for at, expedition in enumerate(state.expeditions):
        seat, colour = divmod(at, len(COLOURS))
        path: Path = ("expeditions", seat, COLOURS[colour])
        for index, card in enumerate(expedition):
            if COLOUR[card] != colour:
                raise InvalidPosition(
                    "colour",
                    (*path, index),
                    Text("{card} is not {colour}", card=CARDS[card], colour=Text(COLOUR_NAMES[colour])),
                )
            if not may_be_added(card, expedition[:index]):
                raise InvalidPosition(
                    "ascending",
                    (*path, index),
                    Text(
                        "{card} cannot follow {before}: wagers come first, then numbers that never fall",
                        card=CARDS[card],
                        before=CARDS[expedition[index - 1]],
                    ),
                )
        wager = WAGERS[colour]
        if wager in state.starting_wagers[seat] and expedition[:1] != bytes((wager,)):
            raise InvalidPosition(
                "starting-wager-missing", path, Text("seat {seat} began it with {wager}", seat=seat, wager=CARDS[wager])
            )


def _check_unusable(state: State) -> None:
    """Expeditions only rise: a card that no seat could use when it was turned over cannot be used now."""
    for index, card in enumerate(state.unusable):
        if is_usable(card, state.expeditions):
            raise InvalidPosition(
                "usable", ["unusable", index], Text("{card} fits an expedition even now", card=CARDS[card])
            )


def _unseen(state: State) -> bytes:
    """The cards that have not been turned over."""
    unseen = [*FULL_DECK]
    for path, card in _turned_over(state):
        if card not in unseen:
            detail = Text(
                "{card} appears more often than the {copies} that the piles have",
                card=CARDS[card],
                copies=COPIES[card % KINDS],
            )
            raise InvalidPosition("too-many-copies", path, detail)
        unseen.remove(card)
    return bytes(unseen)


def _turned_over(state: State) -> Iterator[tuple[Path, int]]:
    """Every card that came from the piles, and where it is in the position."""
    for at, expedition in enumerate(state.expeditions):
        seat, colour = divmod(at, len(COLOURS))
        for index, card in enumerate(expedition):
            if index or card not in state.starting_wagers[seat]:
                yield ("expeditions", seat, COLOURS[colour], index), card
    for key, cards in (("display", state.display), ("removed", state.removed), ("unusable", state.unusable)):
        for index, card in enumerate(cards):
            yield (key, index), card


def _check_piles(state: State) -> None:
    """The piles hold the unseen cards and have the sizes of the options; the game is over when they are empty."""
    left, *aside = state.piles
    current = len(state.options.piles) - len(aside) - 1
    if current < 0 or (*aside,) != state.options.piles[current + 1 :]:
        raise InvalidPosition(
            "piles", ["piles"], Text("the piles of this game are {piles}, in this order", piles=[*state.options.piles])
        )
    if left > state.options.piles[current]:
        detail = Text(
            "the current pile had {cards} cards at first, not {left}", cards=state.options.piles[current], left=left
        )
        raise InvalidPosition("piles", ["pile"], detail)
    if left + sum(aside) != len(state.unseen):
        raise InvalidPosition(
            "card-count",
            ["pile"],
            Text(
                "{turned_over} of {cards} cards have been turned over, so {unseen} are left in the piles, not {left}",
                turned_over=len(FULL_DECK) - len(state.unseen),
                cards=len(FULL_DECK),
                unseen=len(state.unseen),
                left=left + sum(aside),
            ),
        )
    if aside and not left:
        raise InvalidPosition("piles", ["pile"], Text("the next pile comes in as soon as the current one is empty"))
    if (state.phase == OVER) != (not left):
        raise InvalidPosition("game-end", ["phase"], Text("the game is over exactly when the last pile is empty"))


def _check_gold(state: State) -> None:
    """No gold is lost, and the supply is shared out only at the end of a pile."""
    if sum(state.gold) + state.supply != GOLD:
        detail = Text("{gold} gold is in the game, not {counted}", gold=GOLD, counted=sum(state.gold) + state.supply)
        raise InvalidPosition("gold-count", ["supply"], detail)
    at_first = GOLD // len(state.gold)
    if len(state.piles) == PILES and max(state.gold) > at_first:
        raise InvalidPosition(
            "gold-unshared",
            ["gold"],
            Text("until the first pile ends no seat has more than the {at_first} it began with", at_first=at_first),
        )


def _check_progress(state: State) -> None:
    """The phase must agree with the cards and the gold."""
    phase = state.phase
    nothing_turned_over = len(state.unseen) == len(FULL_DECK)
    if phase == DEAL and not nothing_turned_over:
        raise InvalidPosition("deal-first", ["phase"], Text("starting wagers are dealt before any card is turned over"))
    if nothing_turned_over and state.active:
        raise InvalidPosition("opening", ["active"], Text("seat 0 turns over the first card"))
    if nothing_turned_over and state.supply:
        raise InvalidPosition("opening", ["supply"], Text("no seat has paid before the first card is uncovered"))
    if phase == AUCTION and not state.display:
        raise InvalidPosition("display-empty", ["display"], Text("an auction is for at least one card"))
    if phase == TAKE and not state.supply:
        raise InvalidPosition("bid-unpaid", ["supply"], Text("the winner has paid its bid into the supply"))
    if state.removals and phase != TAKE:
        raise InvalidPosition(
            "removals", ["removals"], Text("a card may be removed only in phase '{phase}'", phase=TAKE)
        )
    if phase == TAKE and state.removals + len(state.removed) < REMOVALS:
        raise InvalidPosition("removals", ["removals"], Text("no card has been removed, so the winner still may"))


shown_to: Final = sees_all
fill_hidden: Final = nothing_to_fill
hidden_card: Final = nothing_hidden
