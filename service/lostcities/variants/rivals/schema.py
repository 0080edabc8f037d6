"""Rivals' options, position and score lines."""

from lostcities.api.fields import AnyField, Enumeration, choice, integer, listed, nested, word
from lostcities.api.game_contract import Component, GameContract, MoveNames, Operand, OptionNames
from lostcities.api.games import moves, records
from lostcities.api.games import schemas as games
from lostcities.api.schemas import GameSchemas, Strict
from lostcities.api.variants import schemas as variants
from lostcities.variants.core import N_
from lostcities.variants.rivals import rules as rivals

CONTRACT = GameContract(
    rules=rivals,
    name="RivalsName",
    phase="RivalsPhase",
    per_seat="gold",
    moves={
        "uncover": MoveNames("RivalsUncoverMove", "RivalsUncoverAdvice", "UncoverMoveType"),
        "bid": MoveNames("RivalsBidMove", "RivalsBidAdvice", "BidMoveType"),
        "pass": MoveNames("RivalsPassMove", "RivalsPassAdvice", "PassMoveType"),
        "take": MoveNames("RivalsTakeMove", "RivalsTakeAdvice", "TakeMoveType"),
        "remove": MoveNames("RivalsRemoveMove", "RivalsRemoveAdvice", "RemoveMoveType"),
        "done": MoveNames("RivalsDoneMove", "RivalsDoneAdvice", "DoneMoveType"),
    },
    operands={
        "gold": Operand("How many coins the seat bids."),
        "card": Operand("The card of the display that is taken or removed.", "RivalsCard"),
    },
    options={
        "piles": OptionNames("RivalsPilesOption", "PilesOptionName"),
    },
    components={
        "bonus": Component("How many points a bonus adds, after the multiplication."),
        "bonus_from_numbers": Component("The fewest number cards with which an expedition gets the bonus."),
        "cards": Component(
            "How many cards the game has, where it matters by the option `expeditions`.",
            "How many cards a game with {key} expeditions has.",
        ),
        "colours": Component(
            "The colours by the letter that stands for them in notation.",
            "The name of the colour with the letter {key}.",
        ),
        "copies_per_colour": Component(
            "How many cards each colour has, by what is printed on them.",
            "How many cards with {key} each colour has. `w` is a wager.",
        ),
        "footprint": Component("How many points each footprint is worth."),
        "footprints": Component(
            "How many footprints are printed on cards or tiles, by what else is printed on them.",
            "How many footprints are printed with {key}. `w` is a wager.",
        ),
        "gold": Component("How many coins the game has, or how many points each coin is worth."),
        "gold_per_seat": Component(
            "How many coins a seat begins with, by the number of seats.",
            "How many coins a seat begins with at {key} seats.",
        ),
        "multiplier": Component("What the points of an expedition are multiplied by."),
        "piles": Component("How many piles the cards are divided into."),
        "removals_per_auction": Component("How many cards the winner of an auction may remove."),
        "starting_wagers_per_colour": Component("How many starting wagers each colour has."),
        "starting_wagers_per_seat": Component("How many starting wagers each seat is dealt."),
    },
    invariants={
        "ascending": N_("The cards of an expedition are wagers first, then numbers that never fall."),
        "auction-phase": N_("There is an auction exactly in the phase `auction`."),
        "auction-seats": N_("The holder of the highest bid and at least one other seat are in the auction, each once."),
        "auction-turn": N_("The next seat in the auction after the holder of the highest bid answers it."),
        "bid-above-gold": N_("A bid is at most the gold of the seat that made it."),
        "bid-unpaid": N_("The winner of an auction has paid its bid into the supply before it takes cards."),
        "card-count": N_("All cards that are not on the table are in the piles."),
        "colour": N_("An expedition holds cards of its own colour only."),
        "deal-first": N_("The starting wagers are dealt before any card is uncovered."),
        "deal-order": N_("The starting wagers are dealt to seat 0 first, then clockwise."),
        "deal-phase": N_("Starting wagers are missing exactly in the phase `deal`."),
        "display-empty": N_("An auction is for at least one card of the display."),
        "game-end": N_("The game is over exactly when the last pile is empty."),
        "gold-count": N_("The gold of all seats and of the supply is all the gold of the game."),
        "gold-unshared": N_("Until the first pile is used up no seat has more gold than at the start."),
        "opening": N_("Before the first card is uncovered seat 0 is active and the supply is empty."),
        "piles": N_("The piles are those of the option `piles`, used in their order."),
        "removals": N_("A card can be removed only in the phase `take`, once for each auction."),
        "seats": N_("Every list by seat has one entry for each seat, and every seat that is named exists."),
        "starting-wager-missing": N_("Each starting wager is the first card of its expedition."),
        "starting-wagers": N_("A seat is dealt two starting wagers of different colours."),
        "too-many-copies": N_("A card appears at most as often as the game has it."),
        "usable": N_("A card is set aside as unusable only if no seat can use it."),
    },
)


class Rivals(GameSchemas):
    """The schemas of rivals."""

    contract = CONTRACT


_CARDS = CONTRACT.operand_values("card")
_SEATS = rivals.SEATS


class RivalsOptions(Rivals, games.OptionsView):
    """What can be chosen for a game of rivals when it is created."""

    piles = listed(
        integer("The number of cards in the pile.", 1, len(rivals.FULL_DECK)),
        CONTRACT.option("piles"),
        rivals.PILES,
        rivals.PILES,
    )


def _cards(description: str, most: int = len(rivals.FULL_DECK)) -> AnyField:
    return listed(
        choice("A card: its colour and its number, or `w` for a wager.", _CARDS), description, 0, most, required=True
    )


class RivalsExpeditions(Strict):
    """The expeditions of a seat by colour."""

    class Meta(Strict.Meta):
        include = {
            letter: _cards(f"The {name} expedition as taken: wagers, then numbers that never fall.", 20)
            for letter, name in zip(rivals.COLOURS, rivals.COLOUR_NAMES, strict=True)
        }


class RivalsAuction(Strict):
    """The auction of the display."""

    bid = integer("The highest bid so far.", 1, rivals.GOLD, required=True)
    holder = integer("The seat with the highest bid.", 0, 3, required=True)
    still_in = listed(
        integer("The number of a seat, from 0.", 0, 3),
        "The seats that have not passed, including the one with the highest bid.",
        2,
        4,
        required=True,
        data_key="in",
        attribute="in",
    )


class RivalsPosition(Rivals, games.PositionView):
    """A position of rivals. All of it is public."""

    active = integer(
        "The seat whose turn it is: to start a turn, to answer a bid, or to take cards.", 0, 3, required=True
    )
    starting_wagers = listed(
        listed(
            word("A starting wager of a colour.", [rivals.CARDS[wager] for wager in rivals.WAGERS]),
            "What belongs to one seat.",
            0,
            2,
        ),
        "The starting wagers that each seat was dealt. Each of them starts an expedition.",
        *_SEATS,
        required=True,
    )
    expeditions = listed(
        nested(RivalsExpeditions, "What belongs to one seat."), "The expeditions of each seat.", *_SEATS, required=True
    )
    gold = listed(
        integer("How many coins a seat has.", 0, rivals.GOLD), "The gold of each seat.", *_SEATS, required=True
    )
    supply = integer("The gold in the supply.", 0, rivals.GOLD, required=True)
    display = _cards("The cards of the display, the newest last.")
    pile = integer("The number of cards left in the current pile.", 0, len(rivals.FULL_DECK), required=True)
    piles = listed(
        integer("The number of cards in the pile.", 1, len(rivals.FULL_DECK)),
        "The sizes of the piles that are set aside, the next one first.",
        0,
        rivals.PILES - 1,
        required=True,
    )
    auction = nested(RivalsAuction, "The auction. Null if there is none.", required=True, allow_none=True)
    removals = integer(
        "The number of cards that the winner of the auction may still remove.", 0, rivals.REMOVALS, required=True
    )
    removed = _cards("The cards that winners of auctions removed from the game.")
    unusable = _cards("The cards that no seat could use when they were uncovered.")


class RivalsLine(Rivals, games.LineView):
    """A line of a score: an expedition, or the gold."""

    item = choice(
        "The colour of the expedition, or `gold`.",
        Enumeration("RivalsItem", "What a line of a score is about.", (*rivals.COLOUR_NAMES, "gold")),
        required=True,
    )
    points = integer("The points that the line adds to the total.", 0, 1000, required=True)
    footprints = integer("The number of footprints on the numbers of the expedition.", 0, 100)
    wagers = integer("The number of wagers in the expedition.", 0, 5)
    multiplier = integer("What the footprints are multiplied by: 1 + wagers.", 1, 6)
    product = integer("The footprints times the multiplier. The points are the product and the bonus.", 0, 1000)
    numbers = integer("The number of number cards in the expedition.", 0, 13)
    bonus = integer("The bonus for four or more numbers. It is not multiplied.", 0, rivals.BONUS)
    coins = integer("The number of coins that the seat has, of the line `gold`. Each counts 1.", 0, rivals.GOLD)


# The schemas that every game has, whose members follow from the ones above


class RivalsMove(Rivals, moves.ListedMove): ...


class RivalsMoveRequest(Rivals, moves.MoveRequest): ...


class RivalsAdvisedMove(Rivals, moves.AdvisedMove): ...


class RivalsBot(Rivals, games.Bot): ...


class RivalsPlayer(Rivals, games.NewPlayer): ...


class NewRivals(Rivals, games.NewGameSettings): ...


class RivalsOutcome(Rivals, games.Outcome): ...


class RivalsSeatScore(Rivals, games.SeatScore): ...


class RivalsScore(Rivals, games.Score): ...


class RivalsAdvice(Rivals, games.Advice): ...


class RivalsLegalMoves(Rivals, games.LegalMoves): ...


class RivalsGame(Rivals, games.GameView): ...


class CreatedRivalsGame(Rivals, games.CreatedGame): ...


class RivalsRecord(Rivals, records.GameRecordView): ...


class RivalsLegalMovesQuestion(Rivals, variants.LegalMovesQuestion): ...


class RivalsAdviceQuestion(Rivals, variants.AdviceQuestion): ...


class RivalsScoreQuestion(Rivals, variants.ScoreQuestion): ...


class RivalsMoveQuestion(Rivals, variants.MoveQuestion): ...


class RivalsMoveListQuestion(Rivals, variants.MoveListQuestion): ...


class RivalsMovesQuestion(Rivals, variants.MovesQuestion): ...


class RivalsReached(Rivals, variants.Reached): ...


class RivalsVerification(Rivals, variants.VerificationView): ...


class RivalsOption(Rivals, variants.OptionView): ...


class RivalsVariant(Rivals, variants.VariantView): ...
