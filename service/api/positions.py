"""The calls about variants, and about positions that come with the question: nothing is stored."""

from typing import Any, Final

from flask import Response

from service.api import render
from service.api.contract import Blueprint
from service.api.fields import integer
from service.api.games import answer, illegal
from service.api.problems import Fault, Problem, invalid, unprocessable
from service.api.schemas import (
    MAX_MOVES,
    MAX_SEATS,
    Judgement,
    LegalMoves,
    Reached,
    ScoreView,
    VariantList,
    VariantView,
    asked_of_position,
    numbered,
    question,
)
from service.api.variants import SCHEMAS
from service.rules.game import FULL, IllegalMove, InvalidOptions, InvalidPosition
from service.rules.registry import GAMES
from service.table.asking import Asked, act, acting_seats
from service.table.game import Record, Table, start
from service.table.tokens import HOST

variants = Blueprint("variants", __name__, description="What can be played, and questions about any position.")


@variants.call("GET", "/variants", "listVariants", {200: (VariantList, "Every game that can be played.")})
def list_variants() -> Response:
    """List the games that can be played."""
    return answer({"variants": [render.variant_summary(GAMES[variant]) for variant in sorted(GAMES)]})


@variants.call(
    "GET",
    "/variants/<string:variant>",
    "getVariant",
    {200: (VariantView, "All that there is to know about the game.")},
    problems=[404],
)
def get_variant(variant: str) -> Response:
    """Get a game's players, components, options, moves, scales and rulings."""
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


def _moves(asked: dict[str, Any]) -> list[Asked]:
    """The moves that the question is about."""
    if ("move" in asked) == ("moves" in asked):
        raise unprocessable([Fault("/moves", "give 'move' or 'moves', and not both")])
    return [asked["move"]._replace(path=("move",))] if "move" in asked else numbered(asked["moves"])


_LIMIT: Final = MAX_MOVES
"""More events than one question can ask for."""


def _register(variant: str) -> None:
    """The four questions about positions of a variant."""
    name = "".join(part.title() for part in variant.split("-"))
    moves = asked_of_position(variant)
    seat = integer("Only the moves of this seat.", 0, MAX_SEATS - 1)

    @variants.call(
        "POST",
        f"/variants/{variant}/moves",
        f"list{name}Moves",
        {200: (LegalMoves, "The legal moves in the position, in a stable order.")},
        body=question(variant, "MovesQuestion", seat=seat),
    )
    def list_moves(asked: dict[str, Any]) -> Response:
        """List the legal moves in a position."""
        table = _table(variant, asked)
        return answer(render.moves(table, acting_seats(table, HOST, asked.get("seat"))))

    @variants.call(
        "POST",
        f"/variants/{variant}/apply",
        f"apply{name}Moves",
        {200: (Reached, "The position that the moves lead to.")},
        body=question(variant, "ApplyQuestion", **moves),
        problems=[409],
    )
    def apply(asked: dict[str, Any]) -> Response:
        """Make moves in a position, all or nothing. An outcome of chance is a move of actor `chance`."""
        table, events = act(_table(variant, asked), HOST, _moves(asked), _LIMIT)
        happened = render.events(table.record, 0, events, FULL)
        return answer({**render.situation(table, FULL), "events": happened})

    @variants.call(
        "POST",
        f"/variants/{variant}/check",
        f"check{name}Moves",
        {200: (Judgement, "Whether the moves are legal, and if not which rule they break.")},
        body=question(variant, "CheckQuestion", **moves),
    )
    def check(asked: dict[str, Any]) -> Response:
        """Judge moves in a position."""
        try:
            act(_table(variant, asked), HOST, _moves(asked), _LIMIT)
        except IllegalMove as error:
            return answer(illegal(error))
        return answer({"legal": True})

    @variants.call(
        "POST",
        f"/variants/{variant}/score",
        f"score{name}",
        {200: (ScoreView, "The score of the position.")},
        body=question(variant, "ScoreQuestion"),
    )
    def score(asked: dict[str, Any]) -> Response:
        """Score a position line by line."""
        return answer(render.score(_table(variant, asked)))


for _variant in GAMES:
    _register(_variant)
