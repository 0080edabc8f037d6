"""Lantern's options, position and score lines."""

from lostcities.api.fields import choice, integer, listed
from lostcities.api.game_contract import GameContract, MoveNames, Operand, OptionNames
from lostcities.api.games import moves, records
from lostcities.api.games import schemas as games
from lostcities.api.schemas import GameSchemas
from lostcities.api.variants import schemas as variants

from tests.fifth_game import rules

CONTRACT = GameContract(
    rules=rules,
    name="LanternName",
    phase="LanternPhase",
    per_seat="dug",
    moves={
        "dig": MoveNames("LanternDigMove", "LanternDigAdvice", "DigMoveType"),
        "leave": MoveNames("LanternLeaveMove", "LanternLeaveAdvice", "LeaveMoveType"),
    },
    operands={
        "times": Operand("How often."),
    },
    options={
        "shafts": OptionNames("LanternShaftsOption", "ShaftsOptionName"),
    },
    invariants={
        "active": "The active seat follows from the number of turns.",
        "depth": "A shaft has a depth only while it is dug.",
        "hidden-card": "The depth is named where the answer depends on it.",
        "phase": "The phase fits the number of turns.",
        "turns": "A game has as many turns as its option allows.",
    },
)


class Lantern(GameSchemas):
    """The schemas of lantern."""

    contract = CONTRACT


class LanternOptions(Lantern, games.OptionsView):
    """The options of lantern."""

    shafts = integer(CONTRACT.option("shafts"), 1, rules.MAX_SHAFTS)


class LanternPosition(Lantern, games.PositionView):
    """A position of lantern."""

    active = integer("The seat whose turn it is.", 0, rules.SEATS[1] - 1, required=True)
    turns = integer("Turns so far.", 0, rules.SEATS[1] * rules.MAX_SHAFTS, required=True)
    depth = integer(
        "The depth of the shaft. 0 before it is revealed, null if the viewer may not see it.",
        0,
        6,
        required=True,
        allow_none=True,
    )
    dug = listed(
        integer("Points.", -rules.MAX_POINTS, rules.MAX_POINTS), "Each seat's points.", *rules.SEATS, required=True
    )


class LanternLine(Lantern, games.LineView):
    """A line of a score."""

    item = choice("What it is for.", ["dug"], required=True)
    points = integer("What it adds to the total.", -rules.MAX_POINTS, rules.MAX_POINTS, required=True)


# The schemas that every game has, whose members follow from the ones above


class LanternMove(Lantern, moves.ListedMove): ...


class LanternMoveRequest(Lantern, moves.MoveRequest): ...


class LanternAdvisedMove(Lantern, moves.AdvisedMove): ...


class LanternBot(Lantern, games.Bot): ...


class LanternPlayer(Lantern, games.NewPlayer): ...


class NewLantern(Lantern, games.NewGameSettings): ...


class LanternOutcome(Lantern, games.Outcome): ...


class LanternSeatScore(Lantern, games.SeatScore): ...


class LanternScore(Lantern, games.Score): ...


class LanternAdvice(Lantern, games.Advice): ...


class LanternLegalMoves(Lantern, games.LegalMoves): ...


class LanternGame(Lantern, games.GameView): ...


class CreatedLanternGame(Lantern, games.CreatedGame): ...


class LanternRecord(Lantern, records.GameRecordView): ...


class LanternLegalMovesQuestion(Lantern, variants.LegalMovesQuestion): ...


class LanternAdviceQuestion(Lantern, variants.AdviceQuestion): ...


class LanternScoreQuestion(Lantern, variants.ScoreQuestion): ...


class LanternMoveQuestion(Lantern, variants.MoveQuestion): ...


class LanternMoveListQuestion(Lantern, variants.MoveListQuestion): ...


class LanternMovesQuestion(Lantern, variants.MovesQuestion): ...


class LanternReached(Lantern, variants.Reached): ...


class LanternVerification(Lantern, variants.VerificationView): ...


class LanternOption(Lantern, variants.OptionView): ...


class LanternVariant(Lantern, variants.VariantView): ...
