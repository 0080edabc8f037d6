"""The duel's options, position and score lines."""

from marshmallow import Schema

from service.api.fields import AnyField, Const, Strict, choice, flag, integer, listed, nested, shape, text
from service.rules import duel

COLOURS = [*duel.COLOURS]


class DuelOptions(Strict):
    """What a duel can be created with."""

    expeditions = integer("Colours in the game: 6 adds purple.", 5, 6)
    redraw_own_discard = flag("Whether the card just discarded may be drawn back in the same turn.")
    rounds = integer("Rounds in the match; their totals add up.", 1, duel.MAX_ROUNDS)
    max_turns = integer(
        "Ends a round after so many turns, both seats' together; null: never.", 1, duel.MAX_TURNS, allow_none=True
    )


def _pile(colour: str, description: str, *, required: bool) -> AnyField:
    card = text("A card.", pattern=f"^{colour}(w|[2-9]|10)$", most=3, error=f"not a card of colour {colour}")
    return listed(card, description, 0, 12, required=required)


def _piles(name: str, description: str) -> type[Schema]:
    """An object with a pile for each colour; purple only in the long game."""
    members = {letter: _pile(letter, description, required=letter != "P") for letter in COLOURS}
    return shape(name, description, **members)


DuelExpeditions = _piles(
    "DuelExpeditions", "A seat's expedition of that colour as played: wagers, then rising numbers."
)
DuelDiscards = _piles("DuelDiscards", "The discard pile of that colour, the top card last.")

_hand_card = text(
    "A card of the hand; '?' for one that the caller may not see.",
    pattern=r"^([YBWGRP](w|[2-9]|10)|\?)$",
    most=3,
    error="not a card",
)


class DuelPosition(Strict):
    """A moment of a duel. In a request nothing may be hidden."""

    variant = Const(duel.VARIANT, "Tells the position's shape.", required=True)
    phase = choice("The kind of decision that is due.", [*duel.ABOUT.phases], required=True)
    active = integer("The seat whose turn it is.", 0, 1, required=True)
    hands = listed(
        listed(_hand_card, "A seat's hand.", 0, duel.HAND), "Each seat's hand, in canonical order.", 2, 2, required=True
    )
    expeditions = listed(
        nested(DuelExpeditions, "A seat's expeditions by colour."), "Each seat's expeditions.", 2, 2, required=True
    )
    discards = nested(DuelDiscards, "The discard piles by colour.", required=True)
    deck = integer("Cards in the deck: those that lie nowhere else.", 0, 72, required=True)
    closed = choice(
        "The colour whose pile is closed for this draw, because its top card was just discarded.",
        COLOURS,
        required=True,
        allow_none=True,
    )
    turns = integer("Turns finished in this round, both seats' together.", 0, 10_000, required=True)
    starter = integer("The seat that started this round.", 0, 1, required=True)
    rounds = listed(
        listed(integer("A seat's points.", -1000, 1000), "A finished round: each seat's points.", 2, 2),
        "The rounds before this one.",
        0,
        duel.MAX_ROUNDS - 1,
        required=True,
    )


class DuelLine(Strict):
    """A line of a duel's score: an expedition, or a finished round of a match."""

    item = text("The expedition's colour, or `round-N` for a finished round.", most=20, required=True)
    points = integer("What it adds to the total.", -10_000, 10_000, required=True)
    numbers = integer("Sum of the expedition's numbers.", 0, 54)
    wagers = integer("Wagers on the expedition.", 0, 3)
    cards = integer("Cards in the expedition, wagers included.", 0, 12)
    bonus = integer("Bonus for eight cards or more, not multiplied.", 0, 20)


OPTIONS, POSITION, LINE = DuelOptions, DuelPosition, DuelLine
PER_SEAT = "hands"
OPERANDS = {"card": "The card.", "from": "`deck`, or the colour of a discard pile."}
INVARIANTS = (
    "ascending",
    "card-count",
    "closed",
    "colour",
    "colours",
    "deal-first",
    "hand-size",
    "hidden-card",
    "round-end",
    "rounds",
    "starter",
    "too-many-copies",
    "turn-order",
    "turns",
)
