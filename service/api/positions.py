"""The calls about variants, and about positions that come with the question: nothing is stored."""

from typing import Any, Final

from service.api import render
from service.api.answers import Answer, answer
from service.api.contract import Blueprint
from service.api.games import illegal
from service.api.naming import title
from service.api.problems import Problem, invalid
from service.api.schemas import (
    MAX_MOVES,
    LegalMoves,
    ScoreView,
    VariantList,
    VariantView,
    judgement,
    legal_moves_question,
    moves_question,
    reached,
    score_question,
)
from service.api.variants import SCHEMAS
from service.rules.game import FULL, IllegalMove, InvalidOptions, InvalidPosition
from service.rules.registry import GAMES
from service.table.asking import Look, act, acting_seats
from service.table.game import Record, Table, start
from service.table.tokens import HOST

variants = Blueprint("variants", __name__, description="What can be played, and questions about any position.")


@variants.call("GET", "/variants", "listVariants", {200: (VariantList, "Every game that can be played.")})
def list_variants() -> Answer:
    """List the games that can be played.

    With the number of seats of each. All else about one of them is in its own description.
    """
    return answer({"variants": [render.variant_summary(GAMES[variant]) for variant in sorted(GAMES)]})


@variants.call(
    "GET",
    "/variants/<string:variant>",
    "getVariant",
    {200: (VariantView, "All that there is to know about the game.")},
    problems=["NoSuchVariant"],
)
def get_variant(variant: str) -> Answer:
    """Describe a game that can be played.

    Its seats, components, options, moves, phases, rules, score scales and endings, and every ruling on what its
    rulebook leaves open.
    """
    if variant not in GAMES:
        raise Problem(404, "no-such-variant", f"the variants are: {', '.join(sorted(GAMES))}")
    return answer(render.variant(GAMES[variant]))


def _table(variant: str, asked: dict[str, Any]) -> Table:
    """The position in the request as a table whose host asks."""
    game, position = GAMES[variant], asked["position"]
    seats = len(position[SCHEMAS[variant].PER_SEAT])
    try:
        options = game.options(asked.get("options", {}))
        state = game.place(seats, options, position)
    except (InvalidOptions, InvalidPosition) as error:
        raise invalid(error, ["options" if isinstance(error, InvalidOptions) else "position"]) from None
    return start(
        Record(
            id="",
            variant=variant,
            rules_version=game.RULES_VERSION,
            players=("",) * seats,
            options=options,
            chance="client",
            seed=None,
            seeded_by=None,
            host=b"",
            seats=(),
            created_at=0,
            lifetime=0,
            start=state,
        )
    )


_LIMIT: Final = MAX_MOVES
"""More events than one question can ask for."""


def _register(variant: str) -> None:
    """The four questions about positions of a variant."""
    name = title(variant)
    invalid_question = f"Invalid{name}Question"

    @variants.call(
        "POST",
        f"/variants/{variant}/moves",
        f"list{name}Moves",
        {200: (LegalMoves.members[variant], "The legal moves in the position, in a stable order.")},
        body=legal_moves_question(variant),
        problems=[invalid_question],
    )
    def list_moves(asked: dict[str, Any]) -> Answer:
        """List the legal moves in a position.

        The position comes with the question, nothing in it hidden, and nothing is stored. The moves are those of every
        seat that is to act, or of one seat. While an outcome of chance is awaited there are none.
        """
        table = _table(variant, asked)
        return answer(render.moves(table, acting_seats(table, HOST, Look(asked.get("seat")))))

    @variants.call(
        "POST",
        f"/variants/{variant}/apply",
        f"apply{name}Moves",
        {200: (reached(variant), "The position that the moves lead to.")},
        body=moves_question(variant),
        problems=[f"Illegal{name}Move", invalid_question],
    )
    def apply(asked: dict[str, Any]) -> Answer:
        """Make moves in a position, all or nothing.

        The position comes with the question, and nothing is stored. An outcome of chance is a move of actor `chance`.
        """
        table, events = act(_table(variant, asked), HOST, asked["moves"], _LIMIT, past_chance=True)
        happened = render.events(table.record, 0, events, FULL)
        return answer({**render.situation(table, FULL), "events": happened})

    @variants.call(
        "POST",
        f"/variants/{variant}/check",
        f"check{name}Moves",
        {200: (judgement(variant), "Whether the moves are legal, and if not which rule they break.")},
        body=moves_question(variant),
        problems=[invalid_question],
    )
    def check(asked: dict[str, Any]) -> Answer:
        """Judge moves in a position.

        Whether they are legal, and if not which rule they break and why. What is no move at all is 422.
        """
        try:
            act(_table(variant, asked), HOST, asked["moves"], _LIMIT, past_chance=True)
        except IllegalMove as error:
            return answer(illegal(error))
        return answer({"legal": True})

    @variants.call(
        "POST",
        f"/variants/{variant}/score",
        f"score{name}Position",
        {200: (ScoreView.members[variant], "The score of the position.")},
        body=score_question(variant),
        problems=[invalid_question],
    )
    def score(asked: dict[str, Any]) -> Answer:
        """Score a position.

        The rules applied to what lies on the table, line by line; winners are named only if the game is over.
        """
        return answer(render.score(_table(variant, asked)))


for _variant in GAMES:
    _register(_variant)
