"""Roll-and-write's options, position and score lines."""

from lostcities.api.fields import AnyField, Enumeration, choice, extensible, flag, integer, listed, nested
from lostcities.api.game_contract import Component, GameContract, MoveNames, Operand, OptionNames
from lostcities.api.games import moves, records
from lostcities.api.games import schemas as games
from lostcities.api.schemas import GameSchemas, Strict
from lostcities.api.variants import schemas as variants
from lostcities.variants.core import N_
from lostcities.variants.roll_and_write import rules

CONTRACT = GameContract(
    rules=rules,
    name="RollAndWriteName",
    phase="RollAndWritePhase",
    per_seat="seats",
    moves={
        "circle": MoveNames("RollAndWriteCircleMove", "RollAndWriteCircleAdvice", "CircleMoveType"),
        "write": MoveNames("RollAndWriteWriteMove", "RollAndWriteWriteAdvice", "WriteMoveType"),
        "top": MoveNames("RollAndWriteTopMove", "RollAndWriteTopAdvice", "TopMoveType"),
        "refuse": MoveNames("RollAndWriteRefuseMove", "RollAndWriteRefuseAdvice", "RefuseMoveType"),
        "accelerate": MoveNames("RollAndWriteAccelerateMove", "RollAndWriteAccelerateAdvice", "AccelerateMoveType"),
        "stop": MoveNames("RollAndWriteStopMove", "RollAndWriteStopAdvice", "StopMoveType"),
    },
    operands={
        "colour": Operand("The colour of the expedition.", "RollAndWriteColour"),
        "number": Operand("The number. A 0 on a die is a 10."),
    },
    options={
        "order": OptionNames("RollAndWriteOrderOption", "OrderOptionName"),
        "sheet": OptionNames("RollAndWriteSheetOption", "SheetOptionName"),
        "ten_may_start": OptionNames("RollAndWriteTenMayStartOption", "TenMayStartOptionName"),
    },
    components={
        "arrows": Component(
            "The boxes with an arrow, by the letter of the column.", "The boxes with an arrow in column {key}."
        ),
        "artefacts": Component(
            "The boxes with an artefact by column, or the points by the number of shaded artefacts.",
            "The boxes with an artefact in column {key}.",
        ),
        "bonus": Component("How many points a bonus adds, after the multiplication."),
        "boxes_per_column": Component("How many boxes each column of the sheet has."),
        "bridge": Component("How many points each bridge bonus is worth."),
        "bridge_before_box": Component("The number of the box below which each column has its bridge."),
        "bridge_standings": Component(
            "How a seat can stand to a bridge, by name.", "What it means that a bridge is `{key}` for a seat."
        ),
        "circle": Component("By how much a marked circle multiplies the points of an expedition."),
        "colour_dice": Component("How many dice that show colours are rolled."),
        "colours": Component(
            "The colours by the letter that stands for them in notation.",
            "The name of the colour with the letter {key}.",
        ),
        "columns": Component(
            "The columns of the sheet from left to right.", "A colour's letter, or the name of a column."
        ),
        "dice": Component("How many dice are rolled, or the points by the number of shaded dice symbols."),
        "digits": Component("The digits on the faces of a number die.", "The digit on one face of a number die."),
        "expedition": Component("The points of an expedition by the number of its filled boxes."),
        "number_dice": Component("How many dice that show numbers are rolled."),
        "scales": Component("The points of each kind of column by the number of filled boxes."),
        "sheet": Component("What is printed on every sheet, unless the option `sheet` changes it."),
        "turn_stages": Component(
            "How far a seat can have come in a turn, by name.", "What a seat has done whose turn is at `{key}`."
        ),
    },
    invariants={
        "active-seat": N_("The active seat is one of the seats of the game."),
        "artefact-count": N_("The shaded artefacts are those that the expeditions of the seat have found."),
        "ascending": N_("The numbers of an expedition never fall."),
        "bonus-not-passed": N_("A seat has the bonus of a bridge only if it passed that bridge."),
        "box": N_("A column has nine boxes, numbered from 1."),
        "box-count": N_("An expedition has at most nine numbers."),
        "box-twice": N_("A box is listed once."),
        "bridge-due": N_("The bridges that are `due` can all have been passed in this turn."),
        "bridge-standing": N_(
            "The standing of each bridge follows from the marks and bonuses of all seats. "
            "`ahead` is accepted for `lost`."
        ),
        "clockwise": N_("With the order `clockwise` a seat chooses after the seat before it has finished."),
        "column": N_("A symbol is in one of the columns of the sheet."),
        "dice-count": N_("The number of dice in the centre fits the phase."),
        "end-artefact": N_("The artefact at the end of an expedition is marked after its ninth number."),
        "game-end": N_("The game is over exactly when the condition of an ending is fulfilled."),
        "no-arrow": N_("A seat can accelerate only if an expedition of it stands on a box with an arrow."),
        "one-symbol": N_("A box has at most one symbol."),
        "scale-bounds": N_("The points of a scale are within the bounds of the contract."),
        "scale-length": N_("A scale has ten numbers, for none to nine boxes."),
        "seats": N_("Every list by seat has one entry for each seat."),
        "turn": N_("How far each seat has come in its turn fits the phase."),
        "turn-over": N_("A turn in which all seats have finished is over."),
        "turn-unmarked": N_("A seat that has chosen in this turn has marked its choice on its sheet."),
        "zero-first": N_("A 10 is the first number of an expedition only with the option `ten_may_start`."),
    },
)


class RollAndWrite(GameSchemas):
    """The schemas of roll-and-write."""

    contract = CONTRACT


_SEATS = rules.SEATS
_COLOURS = CONTRACT.operand_values("colour")
_ORDERS = Enumeration("RollAndWriteOrder", "How the other seats choose.", (rules.SIMULTANEOUS, rules.CLOCKWISE))
_PROGRESS = Enumeration("RollAndWriteProgress", "How far a seat has come in a turn.", (*rules.PROGRESS,))
_COLUMNS = Enumeration("RollAndWriteColumn", "The `item` of a column of the sheet.", (*rules.COLUMN_ITEMS,))
_ITEMS = Enumeration(
    "RollAndWriteItem", "What a line of a score is about.", (*rules.COLOUR_NAMES, "artefacts", "dice", "bridges")
)


def _boxes(colour: str) -> AnyField:
    return listed(
        integer("The number of a box, from the bottom.", 1, rules.BOXES),
        f"Boxes of the {colour} column.",
        0,
        rules.BOXES,
    )


class RollAndWriteBoxes(Strict):
    """The boxes with a symbol, by column. A missing column has none."""

    class Meta(Strict.Meta):
        include = {letter: _boxes(colour) for letter, colour in zip(rules.COLOURS, rules.COLOUR_NAMES, strict=True)}


def _scale(description: str) -> AnyField:
    points = integer("The points for one number of boxes.", -rules.MAX_SCALE, rules.MAX_SCALE)
    return listed(points, description, rules.BOXES + 1, rules.BOXES + 1)


class RollAndWriteScales(Strict):
    """The points by the number of filled boxes, from none to nine. A missing scale is the default."""

    expedition = _scale("The points of an expedition. The first number applies to a circle without boxes.")
    artefacts = _scale("The points of the column of artefacts.")
    dice = _scale("The points of the column of dice symbols.")


class RollAndWriteSheet(Strict):
    """What is printed on every sheet. A missing part is the default."""

    arrows = nested(RollAndWriteBoxes, "The boxes with an arrow (acceleration).")
    artefacts = nested(RollAndWriteBoxes, "The boxes with an artefact.")
    scales = nested(RollAndWriteScales, "The points in the score boxes of the columns.")


class RollAndWriteOptions(RollAndWrite, games.OptionsView):
    """What can be chosen for a game of roll-and-write when it is created."""

    order = choice(CONTRACT.option("order"), _ORDERS)
    sheet = nested(RollAndWriteSheet, CONTRACT.option("sheet"))
    ten_may_start = flag(CONTRACT.option("ten_may_start"))


class RollAndWriteExpedition(Strict):
    """A seat's expedition of one colour."""

    circle = flag("Whether its circle is marked, which doubles its points.", required=True)
    numbers = listed(
        integer("A number that the seat has written.", 1, rules.TEN),
        "The numbers in its boxes, from the bottom up. They never fall.",
        0,
        rules.BOXES,
        required=True,
    )
    end_artefact = flag("Whether the artefact at its end is marked, by one more number after the ninth.", required=True)


class RollAndWriteExpeditions(Strict):
    """The expeditions of a seat by colour."""

    class Meta(Strict.Meta):
        include = {
            letter: nested(RollAndWriteExpedition, f"The marks of the seat on the {colour} expedition.", required=True)
            for letter, colour in zip(rules.COLOURS, rules.COLOUR_NAMES, strict=True)
        }


class RollAndWriteBridges(Strict):
    __doc__ = (
        "How a seat stands to each bridge: "
        + "; ".join(f"`{name}`: {text}" for name, text in rules.BRIDGES.items())
        + "."
    )

    class Meta(Strict.Meta):
        include = {
            column: extensible(
                f"How the seat stands to the bridge of the column {column}.", rules.BRIDGES, required=True
            )
            for column in rules.COLUMNS
        }


class RollAndWriteMarks(Strict):
    """The marks of a seat on its sheet."""

    expeditions = nested(RollAndWriteExpeditions, "The marks on the expeditions, by colour.", required=True)
    artefacts = integer(
        "The number of shaded artefacts. A number in a box with an artefact shades one, and so does a marked end.",
        0,
        rules.BOXES,
        required=True,
    )
    dice = integer("The number of shaded dice symbols. Each refusal shades one.", 0, rules.BOXES, required=True)
    bridges = nested(RollAndWriteBridges, "How the seat stands to each bridge, by column.", required=True)
    turn = choice("How far the seat has come in this turn.", _PROGRESS, required=True)


class RollAndWriteCentre(Strict):
    """The dice in the centre."""

    colours = listed(
        choice("A colour that a die shows.", _COLOURS),
        "The colours that the dice in the centre show, in the order of the columns.",
        0,
        rules.COLOUR_DICE,
        required=True,
    )
    numbers = listed(
        integer("A digit that a die shows. A 0 counts as 10.", 0, 9),
        "The digits that the dice in the centre show, in ascending order.",
        0,
        rules.NUMBER_DICE,
        required=True,
    )


class RollAndWritePosition(RollAndWrite, games.PositionView):
    """A position of roll-and-write. All of it is public."""

    active = integer("The seat whose turn it is.", 0, _SEATS[1] - 1, required=True)
    centre = nested(RollAndWriteCentre, "The dice in the centre.", required=True)
    seats = listed(
        nested(RollAndWriteMarks, "The marks of one seat."), "The sheet of each seat.", *_SEATS, required=True
    )


class RollAndWriteLine(RollAndWrite, games.LineView):
    """A line of a score: a column, or the bridges."""

    item = choice(
        "The colour or the name of the column, or `bridges`.",
        _ITEMS,
        required=True,
    )
    points = integer(
        "The points that the line adds to the total.", -2 * rules.MAX_SCALE, 2 * rules.MAX_SCALE, required=True
    )
    boxes = integer("The number of filled boxes.", 0, rules.BOXES)
    value = integer(
        "The points on the scale of the column for its boxes, not yet doubled. 0 for an expedition without marks.",
        -rules.MAX_SCALE,
        rules.MAX_SCALE,
    )
    circle = integer("Whether the circle is marked, which doubles the points: 1 or 0.", 0, 1)
    multiplier = integer("What the value is multiplied by: 2 if the circle is marked, 1 if not.", 1, rules.DOUBLE)
    columns = listed(
        choice("The `item` of a column.", _COLUMNS),
        "The columns whose bridge gave the seat its bonus.",
        0,
        len(rules.COLUMNS),
    )
    bridges = integer("The number of bridges whose bonus the seat has.", 0, len(rules.COLUMNS))
    bonus = integer("The bonus of each of these bridges. It is not doubled.", 0, rules.BONUS)


# The schemas that every game has, whose members follow from the ones above


class RollAndWriteMove(RollAndWrite, moves.ListedMove): ...


class RollAndWriteMoveRequest(RollAndWrite, moves.MoveRequest): ...


class RollAndWriteAdvisedMove(RollAndWrite, moves.AdvisedMove): ...


class RollAndWriteBot(RollAndWrite, games.Bot): ...


class RollAndWritePlayer(RollAndWrite, games.NewPlayer): ...


class NewRollAndWrite(RollAndWrite, games.NewGameSettings): ...


class RollAndWriteOutcome(RollAndWrite, games.Outcome): ...


class RollAndWriteSeatScore(RollAndWrite, games.SeatScore): ...


class RollAndWriteScore(RollAndWrite, games.Score): ...


class RollAndWriteAdvice(RollAndWrite, games.Advice): ...


class RollAndWriteLegalMoves(RollAndWrite, games.LegalMoves): ...


class RollAndWriteGame(RollAndWrite, games.GameView): ...


class CreatedRollAndWriteGame(RollAndWrite, games.CreatedGame): ...


class RollAndWriteRecord(RollAndWrite, records.GameRecordView): ...


class RollAndWriteLegalMovesQuestion(RollAndWrite, variants.LegalMovesQuestion): ...


class RollAndWriteAdviceQuestion(RollAndWrite, variants.AdviceQuestion): ...


class RollAndWriteScoreQuestion(RollAndWrite, variants.ScoreQuestion): ...


class RollAndWriteMoveQuestion(RollAndWrite, variants.MoveQuestion): ...


class RollAndWriteMoveListQuestion(RollAndWrite, variants.MoveListQuestion): ...


class RollAndWriteMovesQuestion(RollAndWrite, variants.MovesQuestion): ...


class RollAndWriteReached(RollAndWrite, variants.Reached): ...


class RollAndWriteVerification(RollAndWrite, variants.VerificationView): ...


class RollAndWriteOption(RollAndWrite, variants.OptionView): ...


class RollAndWriteVariant(RollAndWrite, variants.VariantView): ...
