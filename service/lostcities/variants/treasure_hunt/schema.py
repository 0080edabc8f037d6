"""Treasure-hunt's options, position and score lines."""

from lostcities.api.fields import AnyField, Enumeration, choice, integer, listed, nested, word
from lostcities.api.game_contract import Component, GameContract, MoveNames, Operand, OptionNames
from lostcities.api.games import moves, records
from lostcities.api.games import schemas as games
from lostcities.api.schemas import GameSchemas, Strict
from lostcities.api.variants import schemas as variants
from lostcities.variants.core import N_
from lostcities.variants.treasure_hunt import rules

CONTRACT = GameContract(
    rules=rules,
    name="TreasureHuntName",
    phase="TreasureHuntPhase",
    per_seat="expeditions",
    moves={
        "keep": MoveNames("TreasureHuntKeepMove", "TreasureHuntKeepAdvice", "KeepMoveType"),
        "reroll": MoveNames("TreasureHuntRerollMove", "TreasureHuntRerollAdvice", "RerollMoveType"),
        "take": MoveNames("TreasureHuntTakeMove", "TreasureHuntTakeAdvice", "TakeMoveType"),
        "skip": MoveNames("TreasureHuntSkipMove", "TreasureHuntSkipAdvice", "SkipMoveType"),
        "claim": MoveNames("TreasureHuntClaimMove", "TreasureHuntClaimAdvice", "ClaimMoveType"),
        "end": MoveNames("TreasureHuntEndMove", "TreasureHuntEndAdvice", "EndMoveType"),
    },
    operands={
        "dice": Operand("The faces of the dice to roll again, in any order.", "TreasureHuntDice"),
        "tile": Operand("The tile that the seat takes from the centre.", "TreasureHuntTile"),
        "bonus": Operand("The name of the bonus tile that the seat claims.", "TreasureHuntBonus"),
    },
    options={
        "footprints": OptionNames("TreasureHuntFootprintsOption", "FootprintsOptionName"),
        "max_turns": OptionNames("TreasureHuntMaxTurnsOption", "MaxTurnsOptionName"),
    },
    components={
        "bonus": Component("How many points a bonus adds, after the multiplication."),
        "bonuses": Component(
            "The bonus tiles by name, each with its condition.", "The condition of the bonus tile `{key}`."
        ),
        "colours": Component(
            "The colours by the letter that stands for them in notation.",
            "The name of the colour with the letter {key}.",
        ),
        "dice": Component("How many dice are rolled, or the points by the number of shaded dice symbols."),
        "ending_bonuses": Component(
            "The bonus tiles whose claiming ends the game, by the number of seats.",
            "The bonus tiles that end a game with {key} seats.",
        ),
        "faces": Component("What the faces of a die show. `w` is a wager.", "What one face of a die shows."),
        "footprints": Component(
            "How many footprints are printed on cards or tiles, by what else is printed on them.",
            "How many footprints are printed with {key}. `w` is a wager.",
        ),
        "multiplier": Component("What the points of an expedition are multiplied by."),
        "numbers": Component(
            "The numbers that are printed on cards or tiles.", "A number that is printed on a card or tile."
        ),
        "plain": Component(
            "The footprints on the plain faces of the numbers 1 to 10.", "The footprints on one plain face."
        ),
        "tiles": Component("How many tiles the game has."),
        "wager": Component(
            "The footprints on the wager faces, by number.", "The footprints on the wager face of a {key}."
        ),
        "wager_numbers": Component(
            "The numbers whose tiles have a wager face.", "A number whose tiles have a wager face."
        ),
    },
    invariants={
        "active": N_("The active seat follows from the number of turns."),
        "ascending": N_("The tiles of an expedition are in ascending order."),
        "bonus-unearned": N_("A seat has a bonus tile only if it fulfilled the condition of the tile."),
        "colour": N_("An expedition holds tiles of its own colour only."),
        "dice-count": N_("The number of dice on the table fits the phase."),
        "ended-before": N_("The game ends with the turn that fulfils the condition of an ending."),
        "footprints": N_("The option `footprints` has a number for each plain face and for each wager face."),
        "game-end": N_("The game is over exactly when the condition of an ending is fulfilled."),
        "lies-nowhere": N_("Every tile is either in the centre or before a seat."),
        "lies-twice": N_("Every tile is in one place only."),
        "max-turns": N_("A game has at most `max_turns` turns."),
        "nothing-to-claim": N_("The phase `claim` requires a bonus tile that the active seat can claim."),
        "seats": N_("Every list by seat has one entry for each seat."),
        "tile-count": N_("A seat takes at most one tile in each of its turns."),
        "wager-face": N_("Only a 1, a 6 or a 10 before a seat can lie wager side up."),
    },
)


class TreasureHunt(GameSchemas):
    """The schemas of treasure-hunt."""

    contract = CONTRACT


_SEATS = rules.SEATS


def _footprints(description: str, **kwargs: bool) -> AnyField:
    return integer(description, 0, rules.MAX_FOOTPRINTS, **kwargs)


class TreasureHuntWagerFootprints(Strict):
    """Footprints on the wager faces."""

    class Meta(Strict.Meta):
        include = {
            str(number): _footprints(f"The footprints on the wager face of a {number}.", required=True)
            for number in rules.WAGER_NUMBERS
        }


class TreasureHuntFootprints(Strict):
    """The footprints that are printed on the tiles."""

    plain = listed(
        _footprints("The footprints on the plain face of one number."), "Plain faces of 1 to 10.", 10, 10, required=True
    )
    wager = nested(TreasureHuntWagerFootprints, "Wager faces; left out: as on the plain ones.")


class TreasureHuntOptions(TreasureHunt, games.OptionsView):
    """What can be chosen for a treasure hunt when it is created."""

    footprints = nested(TreasureHuntFootprints, CONTRACT.option("footprints"))
    max_turns = integer(
        CONTRACT.option("max_turns"),
        1,
        rules.MAX_TURNS,
        allow_none=True,
    )


def _tiles(colour: str, name: str, *, faces: bool = False) -> AnyField:
    """The tiles of a colour, with or without their faces. `name` is the published name of the list of these tiles."""
    letter = rules.COLOURS[rules.COLOUR_NAMES.index(colour)]
    tiles = [f"{letter}{number}" for number in rules.NUMBERS]
    tiles += [f"{letter}{number}w" for number in rules.WAGER_NUMBERS if faces]
    side = " `w` at the end: it lies wager side up." if faces else ""
    return listed(
        choice(
            "A tile: its colour and its number.",
            Enumeration(name, f"One of the {colour} tiles of the game.{side}", (*tiles,)),
        ),
        f"The {colour} tiles in ascending order of their numbers.",
        0,
        10,
        required=True,
    )


class TreasureHuntTiles(Strict):
    """Tiles in the centre by colour."""

    R = _tiles("red", "TreasureHuntRedTile")
    B = _tiles("blue", "TreasureHuntBlueTile")
    G = _tiles("green", "TreasureHuntGreenTile")
    Y = _tiles("yellow", "TreasureHuntYellowTile")
    P = _tiles("purple", "TreasureHuntPurpleTile")


class TreasureHuntExpeditions(Strict):
    """The tiles of a seat by colour. A tile that lies wager side up ends in `w`."""

    R = _tiles("red", "TreasureHuntTakenRedTile", faces=True)
    B = _tiles("blue", "TreasureHuntTakenBlueTile", faces=True)
    G = _tiles("green", "TreasureHuntTakenGreenTile", faces=True)
    Y = _tiles("yellow", "TreasureHuntTakenYellowTile", faces=True)
    P = _tiles("purple", "TreasureHuntTakenPurpleTile", faces=True)


def _bonuses(description: str) -> AnyField:
    names = [*rules.BONUS_NAMES]
    return listed(word("The name of a bonus tile.", names), description, 0, len(names), required=True)


class TreasureHuntCentre(Strict):
    """The centre of the game."""

    tiles = nested(TreasureHuntTiles, "The tiles that were not taken yet, by colour.", required=True)
    bonuses = _bonuses("The bonus tiles that were not claimed yet.")


class TreasureHuntMissing(Strict):
    """The number of tiles needed for each condition that is not fulfilled. Null: it cannot be fulfilled any more."""

    class Meta(Strict.Meta):
        include = {bonus.name: integer(f"For {bonus.condition}.", 1, 10, allow_none=True) for bonus in rules.BONUSES}


class TreasureHuntConditions(Strict):
    """The conditions of the bonus tiles for a seat."""

    fulfilled = _bonuses("The bonus tiles whose condition the seat fulfils.")
    missing = nested(
        TreasureHuntMissing, "The number of tiles that the seat needs for each of the others.", required=True
    )


class TreasureHuntPosition(TreasureHunt, games.PositionView):
    """A position of a treasure hunt. All of it is public."""

    active = integer("The seat whose turn it is.", 0, 3, required=True)
    turns = integer("The number of finished turns of all seats together.", 0, rules.MOST_TURNS, required=True)
    dice = listed(
        choice("What one die shows. `w` is a wager.", CONTRACT.operand_values("dice")),
        "The faces of the dice, sorted.",
        0,
        rules.DICE,
        required=True,
    )
    numbers = listed(
        integer("A number of tiles that the dice allow.", 1, 10),
        "The numbers that the dice allow. Ignored in a request.",
        0,
        7,
    )
    centre = nested(TreasureHuntCentre, "The centre of the game.", required=True)
    expeditions = listed(
        nested(TreasureHuntExpeditions, "What belongs to one seat."), "The tiles of each seat.", *_SEATS, required=True
    )
    bonuses = listed(_bonuses("What belongs to one seat."), "The bonus tiles of each seat.", *_SEATS, required=True)
    conditions = listed(
        nested(TreasureHuntConditions, "What belongs to one seat."),
        "The bonus conditions of each seat. Ignored in a request.",
        0,
        _SEATS[1],
    )


class TreasureHuntLine(TreasureHunt, games.LineView):
    """A line of a score: an expedition, or a bonus tile."""

    item = choice(
        "The colour of the expedition, or the name of the bonus tile.",
        Enumeration("TreasureHuntItem", "What a line of a score is about.", (*rules.COLOUR_NAMES, *rules.BONUS_NAMES)),
        required=True,
    )
    points = integer("The points that the line adds to the total.", 0, 1000, required=True)
    footprints = integer("The number of footprints on the tiles of the expedition.", 0, 90)
    wagers = integer("The number of tiles that lie wager side up.", 0, 3)
    multiplier = integer("What the footprints are multiplied by: 1 + wagers.", 1, 4)


# The schemas that every game has, whose members follow from the ones above


class TreasureHuntMove(TreasureHunt, moves.ListedMove): ...


class TreasureHuntMoveRequest(TreasureHunt, moves.MoveRequest): ...


class TreasureHuntAdvisedMove(TreasureHunt, moves.AdvisedMove): ...


class TreasureHuntBot(TreasureHunt, games.Bot): ...


class TreasureHuntPlayer(TreasureHunt, games.NewPlayer): ...


class NewTreasureHunt(TreasureHunt, games.NewGameSettings): ...


class TreasureHuntOutcome(TreasureHunt, games.Outcome): ...


class TreasureHuntSeatScore(TreasureHunt, games.SeatScore): ...


class TreasureHuntScore(TreasureHunt, games.Score): ...


class TreasureHuntAdvice(TreasureHunt, games.Advice): ...


class TreasureHuntLegalMoves(TreasureHunt, games.LegalMoves): ...


class TreasureHuntGame(TreasureHunt, games.GameView): ...


class CreatedTreasureHuntGame(TreasureHunt, games.CreatedGame): ...


class TreasureHuntRecord(TreasureHunt, records.GameRecordView): ...


class TreasureHuntLegalMovesQuestion(TreasureHunt, variants.LegalMovesQuestion): ...


class TreasureHuntAdviceQuestion(TreasureHunt, variants.AdviceQuestion): ...


class TreasureHuntScoreQuestion(TreasureHunt, variants.ScoreQuestion): ...


class TreasureHuntMoveQuestion(TreasureHunt, variants.MoveQuestion): ...


class TreasureHuntMoveListQuestion(TreasureHunt, variants.MoveListQuestion): ...


class TreasureHuntMovesQuestion(TreasureHunt, variants.MovesQuestion): ...


class TreasureHuntReached(TreasureHunt, variants.Reached): ...


class TreasureHuntVerification(TreasureHunt, variants.VerificationView): ...


class TreasureHuntOption(TreasureHunt, variants.OptionView): ...


class TreasureHuntVariant(TreasureHunt, variants.VariantView): ...
