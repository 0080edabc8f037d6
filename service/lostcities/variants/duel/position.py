"""duel: from a position to a state, and from a seat's view to a position."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from lostcities.variants.core import FULL, OVER, Actor, InvalidPosition, Move, Path, Pick, Position, Seat, Text, Viewer
from lostcities.variants.duel.rules import (
    CARD,
    CARDS,
    COLOUR,
    COLOUR_NAMES,
    COLOURS,
    COPIES,
    DEAL,
    DRAW,
    DRAW_DECK,
    FULL_DECK,
    HAND,
    HANDLERS,
    HIDDEN,
    KINDS,
    MASK,
    NO_PILE,
    PLAY,
    SEATS,
    UNIT,
    Holding,
    Holdings,
    Options,
    Round,
    State,
    holdings_of,
    is_round_over,
    may_be_played,
    next_starter,
    points_of_round,
)

EXPEDITIONS: Final = "expeditions"
ROUND_EXPEDITIONS: Final = "round_expeditions"


def from_position(players: int, options: Options, position: Position) -> State:  # noqa: ARG001
    """The state that is shown as `position`. Raises `InvalidPosition`."""
    _check_colours(options, ("discards",), position["discards"])
    _check_colours_of_seats(options, (EXPEDITIONS,), position[EXPEDITIONS])
    deck = _unseen_cards(options, _named_cards(position))
    closed = position["closed"]
    state = State(
        options=options,
        phase=position["phase"],
        active=position["active"],
        hands=(_hand(options, position, 0), _hand(options, position, 1)),
        known=(_known(options, position, 0), _known(options, position, 1)),
        expeditions=_expeditions(options, (EXPEDITIONS,), position[EXPEDITIONS]),
        discards=tuple(
            _discard_pile(colour, position["discards"][COLOURS[colour]]) for colour in range(options.expeditions)
        ),
        deck=deck,
        closed=NO_PILE if closed is None else COLOURS.index(closed),
        turns=position["turns"],
        starter=position["starter"],
        rounds=_rounds(options, position),
    )
    _check_deck_size(state, position["deck"])
    _check_progress(state)
    return state


# Cards -----------------------------------------------------------------------------------------------------------


def _check_colours(options: Options, path: Path, piles: Mapping[str, Any]) -> None:
    letters = COLOURS[: options.expeditions]
    if piles.keys() != {*letters}:
        detail = Text(
            "a game of {expeditions} expeditions has exactly the colours {colours}",
            expeditions=len(letters),
            colours=" ".join(letters),
        )
        raise InvalidPosition("colours", path, detail)


def _check_colours_of_seats(options: Options, path: Path, rows_by_seat: Sequence[Mapping[str, Any]]) -> None:
    for seat, rows in enumerate(rows_by_seat):
        _check_colours(options, (*path, seat), rows)


def _unseen_cards(options: Options, named: Iterable[tuple[Path, Sequence[str]]]) -> bytes:
    """The cards of the full deck without those that are named. No card is named too often."""
    full = FULL_DECK[options.expeditions]
    left = [full.count(card) for card in range(options.expeditions * KINDS)]
    for path, names in named:
        for index, name in enumerate(names):
            if name == HIDDEN:
                raise InvalidPosition(
                    "hidden-card", (*path, index), Text("every card must be named: nothing is hidden here")
                )
            card = CARD[name]
            if card >= len(left):
                detail = Text(
                    "{name} is not in a game of {expeditions} expeditions", name=name, expeditions=options.expeditions
                )
                raise InvalidPosition("colours", (*path, index), detail)
            if not left[card]:
                detail = Text(
                    "{name} appears more often than the {copies} there are", name=name, copies=full.count(card)
                )
                raise InvalidPosition("too-many-copies", (*path, index), detail)
            left[card] -= 1
    return bytes(card for card, copies in enumerate(left) for _ in range(copies))


def _named_cards(position: Position) -> Iterator[tuple[Path, Sequence[str]]]:
    """Every list of cards of this round, and where it is."""
    yield from _cards_of_expeditions((EXPEDITIONS,), position[EXPEDITIONS])
    for letter, pile in position["discards"].items():
        yield ("discards", letter), pile
    for seat, hand in enumerate(position["hands"]):
        yield ("hands", seat), hand


def _cards_of_expeditions(
    path: Path, rows_by_seat: Sequence[Mapping[str, Sequence[str]]]
) -> Iterator[tuple[Path, Sequence[str]]]:
    for seat, rows in enumerate(rows_by_seat):
        for letter, row in rows.items():
            yield (*path, seat, letter), row


def _check_deck_size(state: State, size: int) -> None:
    if size != len(state.deck):
        cards = len(FULL_DECK[state.options.expeditions])
        raise InvalidPosition(
            "card-count",
            ["deck"],
            Text(
                "{cards} cards are in the game and {placed} lie open or in hands, so the deck has {left}, not {size}",
                cards=cards,
                placed=cards - len(state.deck),
                left=len(state.deck),
                size=size,
            ),
        )


def _hand(options: Options, position: Position, seat: Seat) -> Holdings:
    """Its size follows from the phase."""
    cards = [CARD[name] for name in position["hands"][seat]]
    phase = position["phase"]
    if phase == DEAL:
        expected = HAND if seat == 0 and cards else 0
    else:
        expected = HAND - 1 if phase in (DRAW, DRAW_DECK) and seat == position["active"] else HAND
    if len(cards) != expected:
        raise InvalidPosition(
            "hand-size",
            ["hands", seat],
            Text(
                "seat {seat} holds {expected} cards in phase '{phase}', not {cards}",
                seat=seat,
                expected=expected,
                phase=phase,
                cards=len(cards),
            ),
        )
    return holdings_of(cards, options.expeditions)


def _known(options: Options, position: Position, seat: Seat) -> Holdings:
    """The cards of a hand that the other seat has seen. By default there are none."""
    known = position.get("known")
    if not known:
        return (0,) * options.expeditions
    _check_known(seat, known[seat], position["hands"][seat])
    return holdings_of([CARD[name] for name in known[seat]], options.expeditions)


def _check_known(seat: Seat, known: Sequence[str], hand: Sequence[str]) -> None:
    """A known card is a card of the hand. Raises `InvalidPosition`."""
    if known == hand:
        return
    left = [*hand]
    for index, name in enumerate(known):
        if name not in left:
            detail = Text("{name} is not in the hand of seat {seat} as often as it is known", name=name, seat=seat)
            raise InvalidPosition("known", ("known", seat, index), detail)
        left.remove(name)


def _expeditions(
    options: Options, path: Path, rows_by_seat: Sequence[Mapping[str, Sequence[str]]]
) -> tuple[Holdings, ...]:
    """The expeditions of both seats in one round."""
    return tuple(
        tuple(
            _expedition((*path, seat, COLOURS[colour]), colour, rows[COLOURS[colour]])
            for colour in range(options.expeditions)
        )
        for seat, rows in enumerate(rows_by_seat)
    )


def _expedition(path: Path, colour: int, names: Sequence[str]) -> Holding:
    """Every card must have been legal to play after the cards before it."""
    expedition = 0
    for index, name in enumerate(names):
        card = CARD[name]
        _check_colour(colour, card, (*path, index))
        if not may_be_played(card, expedition):
            detail = Text(
                "{name} cannot follow {before}: wagers come first, then rising numbers",
                name=name,
                before=names[index - 1],
            )
            raise InvalidPosition("ascending", (*path, index), detail)
        expedition += UNIT[card]
    return expedition


def _discard_pile(colour: int, names: Sequence[str]) -> bytes:
    cards = bytes(CARD[name] for name in names)
    for index, card in enumerate(cards):
        _check_colour(colour, card, ("discards", COLOURS[colour], index))
    return cards


def _check_colour(colour: int, card: int, path: Path) -> None:
    if COLOUR[card] != colour:
        raise InvalidPosition(
            "colour", path, Text("{card} is not {colour}", card=CARDS[card], colour=Text(COLOUR_NAMES[colour]))
        )


# Finished rounds -------------------------------------------------------------------------------------------------


def _rounds(options: Options, position: Position) -> tuple[Round, ...]:
    """The points of the finished rounds, with their expeditions where the position gives them."""
    points = position["rounds"]
    if len(points) >= options.rounds:
        detail = Text(
            "at most {most} of {rounds} rounds come before this one", most=options.rounds - 1, rounds=options.rounds
        )
        raise InvalidPosition("rounds", ["rounds"], detail)
    laid = position.get(ROUND_EXPEDITIONS)
    if laid is None:
        laid = [[]] * len(points)
    if len(laid) != len(points):
        detail = Text(
            "the points of {rounds_with_points} rounds are given, and the expeditions of {rounds_with_expeditions}",
            rounds_with_points=len(points),
            rounds_with_expeditions=len(laid),
        )
        raise InvalidPosition("round-expeditions", [ROUND_EXPEDITIONS], detail)
    return tuple(
        Round((first, second), _expeditions_of_round(options, (ROUND_EXPEDITIONS, number), rows, (first, second)))
        for number, ((first, second), rows) in enumerate(zip(points, laid, strict=True))
    )


def _expeditions_of_round(
    options: Options, path: Path, rows_by_seat: Sequence[Mapping[str, Sequence[str]]], points: tuple[int, int]
) -> tuple[Holdings, ...]:
    """The expeditions of a finished round, which must score its points. None if they are not known."""
    if not rows_by_seat:
        return ()
    if len(rows_by_seat) != SEATS:
        raise InvalidPosition(
            "round-expeditions",
            path,
            Text("{seats} seats have expeditions, not {given}", seats=SEATS, given=len(rows_by_seat)),
        )
    _check_colours_of_seats(options, path, rows_by_seat)
    _unseen_cards(options, _cards_of_expeditions(path, rows_by_seat))
    expeditions = _expeditions(options, path, rows_by_seat)
    scored = points_of_round(expeditions)
    if scored != points:
        detail = Text(
            "these expeditions score {first} and {second}, not {first_given} and {second_given}",
            first=scored[0],
            second=scored[1],
            first_given=points[0],
            second_given=points[1],
        )
        raise InvalidPosition("round-expeditions", path, detail)
    return expeditions


# Progress --------------------------------------------------------------------------------------------------------


def _check_progress(state: State) -> None:
    """The phase must agree with the cards, the turns and the rounds."""
    options, phase = state.options, state.phase
    if phase == DEAL and (any(map(any, state.expeditions)) or any(state.discards) or state.turns):
        raise InvalidPosition("deal-first", ["phase"], Text("cards are dealt before the first turn of a round"))
    _check_starter(state)
    _check_turns(state)
    _check_closed(state)
    if is_round_over(options, state.deck, state.turns) != (phase == OVER):
        raise InvalidPosition(
            "round-end",
            ["phase"],
            Text("a round is over exactly when the deck is empty or 'max_turns' turns are finished"),
        )
    if phase == OVER and len(state.rounds) != options.rounds - 1:
        raise InvalidPosition(
            "rounds", ["rounds"], Text("the game is over only after round {rounds}", rounds=options.rounds)
        )


def _check_starter(state: State) -> None:
    """The starter of this round follows from the points of the earlier rounds."""
    starter = 0
    for finished in state.rounds:
        starter = next_starter(starter, *finished.points)
    if state.starter != starter:
        raise InvalidPosition(
            "starter",
            ["starter"],
            Text("seat {starter} starts round {round}", starter=starter, round=len(state.rounds) + 1),
        )


def _check_turns(state: State) -> None:
    """The seats take turns, and a turn draws at most one card from the deck."""
    active = (state.starter + state.turns) % SEATS
    if state.active != active:
        detail = Text(
            "seat {active} is active after {turns} turns of a round that seat {starter} started",
            active=active,
            turns=state.turns,
            starter=state.starter,
        )
        raise InvalidPosition("turn-order", ["active"], detail)
    drawn = len(FULL_DECK[state.options.expeditions]) - SEATS * HAND - len(state.deck)
    if drawn > state.turns:
        detail = Text(
            "{drawn} cards were drawn from the deck, and only {turns} turns have ended", drawn=drawn, turns=state.turns
        )
        raise InvalidPosition("turns", ["turns"], detail)


def _check_closed(state: State) -> None:
    """A pile is closed between a discard and the draw after it, unless the options allow to draw it back."""
    if state.closed != NO_PILE:
        if state.phase != DRAW or state.options.redraw_own_discard:
            raise InvalidPosition(
                "closed", ["closed"], Text("a pile is closed only for the draw after a discard onto it")
            )
        if state.closed >= state.options.expeditions or not state.discards[state.closed]:
            raise InvalidPosition("closed", ["closed"], Text("the closed pile holds the card just discarded"))
        return
    has_played = any(state.expeditions[state.active])
    if state.phase == DRAW and not has_played and not state.options.redraw_own_discard:
        raise InvalidPosition("closed", ["closed"], Text("a seat that has played no card has discarded one"))


# Hidden cards ----------------------------------------------------------------------------------------------------


def shown_to(position: Position) -> Viewer:
    """A seat whose hand is complete, if the other one is not."""
    hidden = [HIDDEN in hand for hand in position["hands"]]
    if not any(hidden):
        return FULL
    return None if all(hidden) else hidden.index(False)


def fill_hidden(options: Options, position: Position, pick: Pick, outcomes: Sequence[Move] = ()) -> Position:
    """The hidden cards of both hands are picked from the cards that the viewer has not seen.

    The cards that are named in such a hand are its known ones.
    """
    hands: list[list[str]] = position["hands"]
    hidden = sum([hand.count(HIDDEN) for hand in hands])
    if not hidden:
        return position
    known = _known_cards(position)
    unseen = _unseen(options, position)
    for card in _given_cards(position["phase"], outcomes):
        if len(unseen) > hidden and card in unseen:
            unseen.remove(card)
    if len(unseen) < hidden:
        seat = 0 if HIDDEN in hands[0] else 1
        detail = Text("{hidden} cards are hidden, and only {unseen} are left", hidden=hidden, unseen=len(unseen))
        raise InvalidPosition("card-count", ("hands", seat, hands[seat].index(HIDDEN)), detail)
    filled = [[CARDS[unseen.pop(pick(len(unseen)))] if name == HIDDEN else name for name in hand] for hand in hands]
    return {**position, "hands": filled, "known": known}


def _known_cards(position: Position) -> list[list[str]]:
    """The known cards of each hand of a view: of a hand with hidden cards, those that are named."""
    known: list[list[str]] = position.get("known") or [[], []]
    named = [[name for name in hand if name != HIDDEN] for hand in position["hands"]]
    for seat, cards in enumerate(known):
        _check_known(seat, cards, named[seat])
    return [
        cards if HIDDEN in hand else known[seat]
        for seat, (hand, cards) in enumerate(zip(position["hands"], named, strict=True))
    ]


def _unseen(options: Options, position: Position) -> list[int]:
    """The cards that the position does not show, in canonical order."""
    left = [*COPIES[options.expeditions]]
    piles = [*position["discards"].values(), *position["hands"]]
    for expeditions in position["expeditions"]:
        piles += expeditions.values()
    for pile in piles:
        for name in pile:
            if name != HIDDEN:
                left[CARD[name]] -= 1
    return [card for card, copies in enumerate(left) for _ in range(copies)]


def _given_cards(phase: str, outcomes: Iterable[Move]) -> Iterator[int]:
    """The cards that the outcomes take from the deck of this round. A deal after a turn begins another round."""
    for outcome in outcomes:
        if outcome.type != "deal":
            phase = DRAW
            yield outcome.args[0]
        elif phase == DEAL:
            yield from outcome.args[1:]
        else:
            return


def hidden_card(view: Position, state: State, actor: Actor, move: Move | None) -> Path | None:
    """A seat plays or discards from its hand; all else is public.

    No hidden card matters if the card of the move is known in that hand, or lies open for the viewer and so is not in
    it.
    """
    if state.phase != PLAY or actor != state.active or HIDDEN not in view["hands"][actor]:
        return None
    if move is not None:
        is_decision = move.type in HANDLERS[PLAY] and not move.by_chance
        if not is_decision or not _may_hide(view, state, actor, move.args[0]):
            return None
    return "hands", actor, view["hands"][actor].index(HIDDEN)


def _may_hide(view: Position, state: State, seat: Seat, card: int) -> bool:
    """Whether the viewer cannot tell if the card is in the hand of that seat."""
    colour = COLOUR[card]
    if colour >= len(state.discards) or state.known[seat][colour] & MASK[card]:
        return False
    if card in state.deck:
        return True
    return any(
        (hand[colour] - known[colour]) & MASK[card]
        for hand, known, cards in zip(state.hands, state.known, view["hands"], strict=True)
        if HIDDEN in cards
    )
