"""The duel's options, position and score lines."""

from lostcities.api.fields import AnyField, Enumeration, Message, choice, flag, integer, listed, nested, text
from lostcities.api.game_contract import Component, GameContract, MoveNames, Operand, OptionNames
from lostcities.api.games import moves, records
from lostcities.api.games import schemas as games
from lostcities.api.schemas import Answer, GameSchemas, Strict
from lostcities.api.variants import schemas as variants
from lostcities.variants.core import N_
from lostcities.variants.duel import rules as duel

CONTRACT = GameContract(
    rules=duel,
    name="DuelName",
    phase="DuelPhase",
    per_seat="hands",
    moves={
        "play": MoveNames("DuelPlayMove", "DuelPlayAdvice", "PlayMoveType"),
        "discard": MoveNames("DuelDiscardMove", "DuelDiscardAdvice", "DiscardMoveType"),
        "draw": MoveNames("DuelDrawMove", "DuelDrawAdvice", "DrawMoveType"),
    },
    operands={
        "card": Operand("The card that is played or discarded.", "DuelCard"),
        "from": Operand("`deck`, or the colour of a discard pile.", "DuelFrom"),
    },
    options={
        "expeditions": OptionNames("DuelExpeditionsOption", "ExpeditionsOptionName"),
        "redraw_own_discard": OptionNames("DuelRedrawOwnDiscardOption", "RedrawOwnDiscardOptionName"),
        "rounds": OptionNames("DuelRoundsOption", "RoundsOptionName"),
        "max_turns": OptionNames("DuelMaxTurnsOption", "MaxTurnsOptionName"),
    },
    components={
        "bonus": Component("How many points a bonus adds, after the multiplication."),
        "bonus_from_cards": Component("The fewest cards with which an expedition gets the bonus."),
        "cards": Component(
            "How many cards the game has, where it matters by the option `expeditions`.",
            "How many cards a game with {key} expeditions has.",
        ),
        "colours": Component(
            "The colours by the letter that stands for them in notation.",
            "The name of the colour with the letter {key}.",
        ),
        "expedition_cost": Component("How many points an expedition costs before it is multiplied."),
        "hand": Component("How many cards each seat holds at the start of a turn."),
        "multiplier": Component("What the points of an expedition are multiplied by."),
        "numbers": Component(
            "The numbers that are printed on cards or tiles.", "A number that is printed on a card or tile."
        ),
        "wagers_per_colour": Component("How many wagers each colour has."),
    },
    invariants={
        "ascending": N_("The cards of an expedition are wagers first, then numbers that rise."),
        "card-count": N_("All cards that are neither in hands nor on the table are in the deck."),
        "closed": N_("A discard pile is closed only for the draw after a discard onto it."),
        "colour": N_("A pile or an expedition holds cards of its own colour only."),
        "colours": N_("Purple cards exist in a game with six expeditions only."),
        "deal-first": N_("Both hands are dealt before the first turn of a round."),
        "hand-size": N_("Each seat holds as many cards as the phase allows."),
        "hidden-card": N_("A card is `?` where the answer depends on it."),
        "known": N_("A known card is in the hand of its seat, as often as it is known."),
        "round-end": N_("A round is over exactly when the deck is empty or `max_turns` turns are finished."),
        "round-expeditions": N_(
            "The expeditions of a finished round, if they are given, are those of both seats and "
            "score the points of the round."
        ),
        "rounds": N_("The number of finished rounds fits the option `rounds` and the phase."),
        "starter": N_("The seat that starts a round follows from the points of the rounds before."),
        "too-many-copies": N_("A card appears at most as often as the game has it."),
        "turn-order": N_("The active seat follows from the seat that started the round and the number of turns."),
        "turns": N_("A turn draws at most one card from the deck."),
    },
)


class Duel(GameSchemas):
    """The schemas of duel."""

    contract = CONTRACT


COLOURS = [*duel.COLOURS]
_COLOUR = Enumeration("DuelColour", "The letter of a colour.", (*COLOURS,))


class DuelOptions(Duel, games.OptionsView):
    """What can be chosen for a duel when it is created."""

    expeditions = integer(CONTRACT.option("expeditions"), 5, 6)
    redraw_own_discard = flag(CONTRACT.option("redraw_own_discard"))
    rounds = integer(CONTRACT.option("rounds"), 1, duel.MAX_ROUNDS)
    max_turns = integer(
        CONTRACT.option("max_turns"),
        1,
        duel.MAX_TURNS,
        allow_none=True,
    )


def _pile(colour: str, description: str, *, required: bool) -> AnyField:
    card = text(
        "A card: its colour and its number, or `w` for a wager.",
        pattern=f"^{colour}(w|[2-9]|10)$",
        most=3,
        error=Message("not a card of colour {colour}", colour=colour),
    )
    return listed(card, description, 0, 12, required=required)


def _piles(description: str) -> dict[str, AnyField]:
    """A pile for each colour; purple only in the long game."""
    return {letter: _pile(letter, description, required=letter != "P") for letter in COLOURS}


class DuelExpeditions(Strict):
    """The expedition of this colour in the order of play: wagers, then ascending numbers."""

    class Meta(Strict.Meta):
        include = _piles("The expedition of this colour in the order of play: wagers, then ascending numbers.")


class DuelDiscards(Strict):
    """The discard pile of this colour. The top card is last."""

    class Meta(Strict.Meta):
        include = _piles("The discard pile of this colour. The top card is last.")


_card = text(
    "A card: its colour and its number, or `w` for a wager.",
    pattern="^[YBWGRP](w|[2-9]|10)$",
    most=3,
    error=Message("not a card"),
)
_hand_card = text(
    "A card of the hand, or `?` for one that the viewer may not see.",
    pattern=r"^([YBWGRP](w|[2-9]|10)|\?)$",
    most=3,
    error=Message("not a card"),
)


class DuelPosition(Duel, games.PositionView):
    """A position of a duel, or what one seat or a spectator sees of it: then unknown cards are `?`."""

    active = integer("The seat whose turn it is.", 0, 1, required=True)
    hands = listed(
        listed(_hand_card, "The cards in the hand of one seat.", 0, duel.HAND),
        "The hand of each seat in canonical order. Of a hand that the viewer may not see, the known cards come first, "
        "then a `?` for each unknown card.",
        2,
        2,
        required=True,
    )
    known = listed(
        listed(_card, "The known cards of a hand.", 0, duel.HAND),
        "The cards of each hand that every seat has seen, because they were drawn from a discard pile, in canonical "
        "order. If it is missing, none are known; of a hand with hidden cards, the others are known.",
        2,
        2,
    )
    expeditions = listed(
        nested(DuelExpeditions, "The expeditions of a seat by colour."),
        "The expeditions of each seat.",
        2,
        2,
        required=True,
    )
    discards = nested(DuelDiscards, "The discard piles by colour.", required=True)
    deck = integer("The number of cards in the deck: all cards that are nowhere else.", 0, 72, required=True)
    closed = choice(
        "The colour whose discard pile is closed for this draw: its top card was just discarded. Null if none is.",
        _COLOUR,
        required=True,
        allow_none=True,
    )
    turns = integer(
        "The number of turns of both seats that are finished in this round.", 0, duel.MOST_TURNS, required=True
    )
    starter = integer("The seat that started this round.", 0, 1, required=True)
    rounds = listed(
        listed(integer("The points of a seat.", -1000, 1000), "The points of each seat in a finished round.", 2, 2),
        "The finished rounds of a match, the first one first.",
        0,
        duel.MAX_ROUNDS - 1,
        required=True,
    )
    round_expeditions = listed(
        listed(
            nested(DuelExpeditions, "The expeditions of a seat by colour."),
            "The expeditions of each seat at the end of a round. Empty if they are not known.",
            0,
            2,
        ),
        "The expeditions of the finished rounds of a match, the first one first. If it is missing, none are known.",
        0,
        duel.MAX_ROUNDS - 1,
    )


class DuelExpeditionLine(Answer):
    """An expedition of a duel's score, with the steps of the calculation."""

    item = text("The colour of the expedition.", most=20, required=True)
    points = integer("The points that the line adds to the total.", -10_000, 10_000, required=True)
    numbers = integer("The sum of the numbers in the expedition.", 0, 54)
    cost = integer("The cost of the expedition: -20, or 0 if it was not started.", -duel.COST, 0)
    difference = integer("The sum of the numbers and the cost.", -duel.COST, 54)
    wagers = integer("The number of wagers in the expedition.", 0, 3)
    multiplier = integer("What the difference is multiplied by: 1 + wagers.", 1, 4)
    product = integer("The difference times the multiplier. The points are the product and the bonus.", -80, 136)
    cards = integer("The number of cards in the expedition, wagers included.", 0, 12)
    bonus = integer("The bonus for eight or more cards. It is not multiplied.", 0, 20)


class DuelLine(Duel, DuelExpeditionLine, games.LineView):
    """A line of a duel's score: an expedition, or a finished round of a match."""

    item = text("The colour of the expedition, or `round-N` for a finished round.", most=20, required=True)
    expeditions = listed(
        nested(DuelExpeditionLine, "The score of one expedition."),
        "The expeditions of a finished round, whose points add up to those of the round. Missing if not known.",
        0,
        len(COLOURS),
    )


# The schemas that every game has, whose members follow from the ones above


class DuelMove(Duel, moves.ListedMove): ...


class DuelMoveRequest(Duel, moves.MoveRequest): ...


class DuelAdvisedMove(Duel, moves.AdvisedMove): ...


class DuelBot(Duel, games.Bot): ...


class DuelPlayer(Duel, games.NewPlayer): ...


class NewDuel(Duel, games.NewGameSettings): ...


class DuelOutcome(Duel, games.Outcome): ...


class DuelSeatScore(Duel, games.SeatScore): ...


class DuelScore(Duel, games.Score): ...


class DuelAdvice(Duel, games.Advice): ...


class DuelLegalMoves(Duel, games.LegalMoves): ...


class DuelGame(Duel, games.GameView): ...


class CreatedDuelGame(Duel, games.CreatedGame): ...


class DuelRecord(Duel, records.GameRecordView): ...


class DuelLegalMovesQuestion(Duel, variants.LegalMovesQuestion): ...


class DuelAdviceQuestion(Duel, variants.AdviceQuestion): ...


class DuelScoreQuestion(Duel, variants.ScoreQuestion): ...


class DuelMoveQuestion(Duel, variants.MoveQuestion): ...


class DuelMoveListQuestion(Duel, variants.MoveListQuestion): ...


class DuelMovesQuestion(Duel, variants.MovesQuestion): ...


class DuelReached(Duel, variants.Reached): ...


class DuelVerification(Duel, variants.VerificationView): ...


class DuelOption(Duel, variants.OptionView): ...


class DuelVariant(Duel, variants.VariantView): ...
