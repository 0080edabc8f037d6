"""The operations on variants, and on positions in the request. Nothing is stored."""

from typing import Any

from flask import Response, current_app

from lostcities.api import render
from lostcities.api.games import illegal, include_request
from lostcities.api.openapi import JSON_HEADERS, Blueprint, headers
from lostcities.api.problems import Problem, invalid, invalid_record
from lostcities.api.responses import json_response
from lostcities.api.schemas.messages import (
    AdviceView,
    IncludeQuery,
    Judgement,
    LegalMoves,
    RecordView,
    ScoreView,
    VariantList,
    VariantView,
    advice_question,
    legal_moves_question,
    moves_question,
    reached,
    score_question,
    verification,
)
from lostcities.api.schemas.naming import pascal_case
from lostcities.games import records
from lostcities.games.moves import ViewRequest, advised_seat
from lostcities.games.questions import Question, ask
from lostcities.games.tokens import HOST
from lostcities.variants.core import IllegalMove, InvalidOptions, InvalidPosition
from lostcities.variants.registry import VARIANTS

variants = Blueprint(
    "variants",
    __name__,
    description=(
        "The games that can be played, and questions about a position or a record in the request. Nothing is "
        "stored, and no token is needed."
    ),
)


@variants.route("/variants")
@variants.operation("listVariants")
@variants.no_query()
@variants.response(200, VariantList, description="All variants that this service has.", headers=headers(*JSON_HEADERS))
def list_variants() -> Response:
    """List the variants that can be played.

    Each entry has the variant's name and its numbers of seats. `GET /variants/{variant}` describes a variant in full.
    """
    return json_response(
        {"variants": [render.variant_summary(VARIANTS[variant].rules) for variant in sorted(VARIANTS)]}
    )


@variants.route("/variants/<string:variant>")
@variants.operation("getVariant", problems=["NoSuchVariant"])
@variants.no_query()
@variants.response(200, VariantView, description="The description of the variant.", headers=headers(*JSON_HEADERS))
def get_variant(variant: str) -> Response:
    """Describe a variant.

    Its seats, components, options, moves, phases, rules, score tables and endings, and how this service decides what
    the rulebook leaves open.
    """
    if variant not in VARIANTS:
        raise Problem(404, "no-such-variant", f"the variants are: {', '.join(sorted(VARIANTS))}")
    return json_response(render.variant(VARIANTS[variant].rules))


def _question(variant: str, asked: dict[str, Any]) -> Question:
    """What the request asks about."""
    position = asked["position"]
    seats = len(position[VARIANTS[variant].schema.PER_SEAT])
    try:
        return ask(variant, seats, asked.get("options", {}), position, asked.get("moves", ()))
    except (InvalidOptions, InvalidPosition) as error:
        raise invalid(error, ["options" if isinstance(error, InvalidOptions) else "position"]) from None


def _register(variant: str) -> None:
    """The questions about positions and records of a variant."""
    name = pascal_case(variant)
    invalid_question = f"Invalid{name}Question"

    @variants.route(f"/variants/{variant}/moves", methods=["POST"])
    @variants.operation(f"list{name}Moves", problems=[invalid_question])
    @variants.body(legal_moves_question(variant))
    @variants.no_query()
    @variants.response(
        200,
        LegalMoves.members[variant],
        description="The legal moves in the position, in a stable order.",
        headers=headers(*JSON_HEADERS),
    )
    def list_moves(asked: dict[str, Any]) -> Response:
        """List the legal moves in a position.

        The request contains the position, and nothing is stored. The list contains the moves of every acting seat, or
        of `seat` only. It is empty while an outcome of chance is expected. The position may be what one seat sees, if
        the moves do not depend on hidden cards; otherwise the response is 422 `hidden-card`.
        """
        question = _question(variant, asked)
        return json_response(render.moves(question.game, question.legal_seats(asked.get("seat"))))

    @variants.route(f"/variants/{variant}/apply", methods=["POST"])
    @variants.operation(f"apply{name}Moves", problems=[f"Illegal{name}Move", invalid_question])
    @variants.body(moves_question(variant))
    @variants.query(IncludeQuery)
    @variants.response(
        200, reached(variant), description="The position after the moves.", headers=headers(*JSON_HEADERS)
    )
    def apply(asked: dict[str, Any], query: dict[str, Any]) -> Response:
        """Apply moves to a position.

        The request contains the position, and nothing is stored. All moves are applied, or none. An outcome of chance
        is given as a move of the actor `chance`. The position may be what one seat or a spectator sees: the response
        then shows what the same viewer sees, and cards that were hidden stay hidden, at the end of the game too. If a
        move depends on a hidden card, the response is 422 `hidden-card`. With `include` the response also contains the
        legal moves of every acting seat whose moves do not depend on hidden cards, or the score, after the moves.
        """
        question = _question(variant, asked)
        game, events = question.apply()
        included = include_request(query, HOST).members(game, question.visible_seats(game))
        happened = render.events(game.rules, 0, events, question.viewer)
        return json_response({**render.situation(game, question.viewer), "events": happened, **included})

    @variants.route(f"/variants/{variant}/check", methods=["POST"])
    @variants.operation(f"check{name}Moves", problems=[invalid_question])
    @variants.body(moves_question(variant))
    @variants.no_query()
    @variants.response(
        200,
        Judgement,
        description="Whether the moves are legal, and if not why.",
        headers=headers(*JSON_HEADERS),
    )
    def check(asked: dict[str, Any]) -> Response:
        """Check moves in a position.

        The response says whether the moves are legal, and if not which rule they break and why. Text that is not a move
        of the variant at all is refused with 422. So is a move that depends on a hidden card, with the code
        `hidden-card`.
        """
        try:
            _question(variant, asked).apply()
        except IllegalMove as error:
            return json_response(illegal(error))
        return json_response({"legal": True})

    @variants.route(f"/variants/{variant}/advice", methods=["POST"])
    @variants.operation(f"advise{name}", problems=[invalid_question, "NothingToDecide", "Unavailable"])
    @variants.body(advice_question(variant))
    @variants.no_query()
    @variants.response(
        200,
        AdviceView.members[variant],
        description="What each legal move is worth.",
        headers=headers(*JSON_HEADERS),
    )
    def advise(asked: dict[str, Any]) -> Response:
        """Get advice in a position.

        The expert's estimate of every legal move of a seat, best first. It uses what the seat may see of the position.
        The position may be what that seat sees, if it sees its own cards; otherwise the response is 422 `hidden-card`.
        The same view has the same advice.
        """
        question = _question(variant, asked)
        seat = advised_seat(question.game, HOST, ViewRequest(asked.get("seat"), path=("seat",)))
        question.require_view_of(seat)
        return json_response(
            render.advice(question.game, seat, current_app.extensions["games"].advise(question.game, seat))
        )

    @variants.route(f"/variants/{variant}/score", methods=["POST"])
    @variants.operation(f"score{name}Position", problems=[invalid_question])
    @variants.body(score_question(variant))
    @variants.no_query()
    @variants.response(
        200, ScoreView.members[variant], description="The score of the position.", headers=headers(*JSON_HEADERS)
    )
    def score(asked: dict[str, Any]) -> Response:
        """Score a position.

        The score of each seat, line by line, as if the game ended now. `winners` is filled when the game is finished.
        The position may be what a seat or a spectator sees: hidden cards do not score.
        """
        return json_response(render.score(_question(variant, asked).game))

    @variants.route(f"/variants/{variant}/verify", methods=["POST"])
    @variants.operation(f"verify{name}Record")
    @variants.body(RecordView.members[variant])
    @variants.no_query()
    @variants.response(
        200,
        verification(variant),
        description="Whether the record is valid, and if not why.",
        headers=headers(*JSON_HEADERS),
    )
    def verify(document: dict[str, Any]) -> Response:
        """Verify the record of a game.

        The record is replayed event by event, and nothing is stored. The response says whether every event is legal,
        whether the outcomes of chance follow from the seed and the seed from the commitment, and whether the result is
        right; if not, it names the first event that is wrong. A document that is not a record of the variant at all is
        refused with 422.
        """
        try:
            return json_response(render.verification(current_app.extensions["games"].verify(records.parse(document))))
        except records.InvalidRecord as error:
            problem = invalid_record(error, ()).document()
            return json_response({"valid": False, "version": error.version, "problem": problem})


for _variant in VARIANTS:
    _register(_variant)
