"""The calls on variants, and on positions and records in the request. Nothing is stored."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from flask import Response, current_app
from marshmallow import Schema

from lostcities.api import render
from lostcities.api.contract.blueprint import Blueprint, View
from lostcities.api.contract.headers import LANGUAGE_HEADERS
from lostcities.api.errors import ProblemError, invalid_record
from lostcities.api.game_contract import pascal_case
from lostcities.api.games.blueprint import include_request, judgement_of
from lostcities.api.games.queries import IncludeQuery
from lostcities.api.games.records import GameRecordView
from lostcities.api.games.schemas import Advice, Judgement, LegalMoves, Score
from lostcities.api.request_context import language, language_headers
from lostcities.api.responses import json_response
from lostcities.api.variants import schemas
from lostcities.games import records
from lostcities.games.moves import ViewRequest, advised_seat
from lostcities.games.questions import Question, ask
from lostcities.games.tokens import HOST
from lostcities.variants.core import IllegalMove, Text
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
@variants.operation("listVariants", headers=["AcceptLanguage"])
@variants.no_query()
@variants.answer(schemas.VariantList, "All variants that this service has.", *LANGUAGE_HEADERS)
def list_variants() -> Response:
    """List the variants that can be played.

    Each entry has the variant's name and its numbers of seats. `GET /variants/{variant}` describes a variant in full.
    """
    spoken = language()
    summaries = [render.variant_summary(VARIANTS[variant].rules, spoken) for variant in sorted(VARIANTS)]
    return json_response({"variants": summaries}, 200, **language_headers())


@variants.route("/variants/<string:variant>")
@variants.operation("getVariant", headers=["AcceptLanguage"], problems=["NoSuchVariant"])
@variants.no_query()
@variants.answer(schemas.VariantView, "The description of the variant.", *LANGUAGE_HEADERS)
def get_variant(variant: str) -> Response:
    """Describe a variant.

    Its seats, components, options, moves, phases, rules, score tables and endings, and how this service decides what
    the rulebook leaves open.
    """
    if variant not in VARIANTS:
        raise ProblemError(
            404, "no-such-variant", Text("the variants are: {variants}", variants=", ".join(sorted(VARIANTS)))
        )
    return json_response(render.variant(VARIANTS[variant].rules, language()), 200, **language_headers())


# Questions about positions and records ---------------------------------------------------------------------------


def of_each_variant(
    path: str,
    operation_id: str,
    *,
    body: type[Schema],
    answer: type[Schema],
    description: str,
    query: type[Schema] | None = None,
    problems: Sequence[str] = (),
    has_sentences: bool = False,
) -> Callable[[View], View]:
    """Register a view for each variant, with the variant's own schemas. The view gets the name of the variant.

    In `operation_id` and `problems`, `{}` stands for the published name of the variant.
    """

    def register(view: View) -> View:
        for name, variant in VARIANTS.items():
            own, published = variant.schema, pascal_case(name)
            decorators = [
                variants.route(f"/variants/{name}/{path}", methods=["POST"], defaults={"variant": name}),
                variants.operation(
                    operation_id.format(published),
                    headers=["AcceptLanguage"] if has_sentences else [],
                    problems=[problem.format(published) for problem in problems],
                ),
                variants.body(own.of(body)),
                variants.query(query) if query else variants.no_query(),
                variants.answer(
                    own.schemas.get(answer, answer), description, *(LANGUAGE_HEADERS if has_sentences else ())
                ),
            ]
            call = view
            for decorate in reversed(decorators):
                call = decorate(call)
        return view

    return register


def _question(variant: str, asked: dict[str, Any]) -> Question:
    """What the request asks about."""
    position = asked["position"]
    seats = len(position[VARIANTS[variant].schema.per_seat])
    return ask(variant, seats, asked.get("options", {}), position, asked.get("moves", ()))


_INVALID: Final = "Invalid{}Question"


@of_each_variant(
    "moves",
    "list{}Moves",
    body=schemas.LegalMovesQuestion,
    answer=LegalMoves,
    description="The legal moves in the position, in a stable order.",
    problems=[_INVALID],
)
def list_moves(asked: dict[str, Any], variant: str) -> Response:
    """List the legal moves in a position.

    The request contains the position, and nothing is stored. The list contains the moves of every acting seat, or
    of `seat` only. It is empty while an outcome of chance is expected. The position may be what one seat sees, if
    the moves do not depend on hidden cards; otherwise the response is 422 `hidden-card`.
    """
    question = _question(variant, asked)
    return json_response(render.moves(question.game, question.legal_seats(asked.get("seat"))))


@of_each_variant(
    "apply",
    "apply{}Moves",
    body=schemas.MovesQuestion,
    query=IncludeQuery,
    answer=schemas.Reached,
    description="The position after the moves.",
    problems=["Illegal{}Move", _INVALID],
)
def apply(asked: dict[str, Any], query: dict[str, Any], variant: str) -> Response:
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


@of_each_variant(
    "check",
    "check{}Moves",
    body=schemas.MovesQuestion,
    answer=Judgement,
    description="Whether the moves are legal, and if not why.",
    problems=[_INVALID],
    has_sentences=True,
)
def check(asked: dict[str, Any], variant: str) -> Response:
    """Check moves in a position.

    The response says whether the moves are legal, and if not which rule they break and why. Text that is not a move
    of the variant at all is refused with 422. So is a move that depends on a hidden card, with the code
    `hidden-card`.
    """
    try:
        _question(variant, asked).apply()
    except IllegalMove as error:
        return json_response(judgement_of(error), 200, **language_headers())
    return json_response({"legal": True}, 200, **language_headers())


@of_each_variant(
    "advice",
    "advise{}",
    body=schemas.AdviceQuestion,
    answer=Advice,
    description="What each legal move is worth.",
    problems=[_INVALID, "NothingToDecide", "Unavailable"],
)
def advise(asked: dict[str, Any], variant: str) -> Response:
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


@of_each_variant(
    "score",
    "score{}Position",
    body=schemas.ScoreQuestion,
    answer=Score,
    description="The score of the position.",
    problems=[_INVALID],
)
def score(asked: dict[str, Any], variant: str) -> Response:
    """Score a position.

    The score of each seat, line by line, as if the game ended now. `winners` is filled when the game is finished.
    The position may be what a seat or a spectator sees: hidden cards do not score.
    """
    return json_response(render.score(_question(variant, asked).game))


@of_each_variant(
    "verify",
    "verify{}Record",
    body=GameRecordView,
    answer=schemas.VerificationView,
    description="Whether the record is valid, and if not why.",
    has_sentences=True,
)
def verify(document: dict[str, Any], variant: str) -> Response:
    """Verify the record of a game.

    The record is replayed event by event, and nothing is stored. The response says whether every event is legal,
    whether the outcomes of chance follow from the seed and the seed from the commitment, and whether the result is
    right; if not, it names the first event that is wrong. A document that is not a record of the variant at all is
    refused with 422.
    """
    del variant
    try:
        verified = render.verification(current_app.extensions["games"].verify(records.parse(document)))
        return json_response(verified, 200, **language_headers())
    except records.InvalidRecord as error:
        problem = invalid_record(error, ()).document()
        return json_response({"valid": False, "version": error.version, "problem": problem}, 200, **language_headers())
