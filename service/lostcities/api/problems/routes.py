"""The calls that explain the problem codes."""

from typing import Any

from flask import Response

from lostcities.api.contract.blueprint import Blueprint
from lostcities.api.contract.headers import LANGUAGE_HEADERS
from lostcities.api.errors import ProblemError
from lostcities.api.problems import schemas
from lostcities.api.problems.catalogue import CATALOGUE, KnownProblem
from lostcities.api.request_context import language, language_headers
from lostcities.api.responses import json_response
from lostcities.languages import translate
from lostcities.variants.core import Text

problems = Blueprint(
    "problems", __name__, description="What each problem code means, and what a client should do about it."
)


@problems.route("/problems")
@problems.operation("listProblems", headers=["AcceptLanguage"])
@problems.no_query()
@problems.answer(schemas.ProblemTypeList, "Every problem code with its meanings.", *LANGUAGE_HEADERS)
def list_problems() -> Response:
    """List the problem codes.

    Every code that a problem of this service can have, with its meanings and what a client should do.
    """
    return json_response({"problems": [_summary(code) for code in CATALOGUE]}, 200, **language_headers())


@problems.route("/problems/<string:code>")
@problems.operation("getProblem", headers=["AcceptLanguage"], problems=["NoSuchProblem"])
@problems.no_query()
@problems.answer(schemas.ProblemType, "The problem code with its meanings and an example.", *LANGUAGE_HEADERS)
def get_problem(code: str) -> Response:
    """Explain a problem code.

    What the code means, what a client should do, and an example. The `type` of every problem is the path of this call
    with its code.
    """
    if code not in CATALOGUE:
        raise ProblemError(
            404, "no-such-problem", Text("there is no problem code with this name: GET /problems lists all codes")
        )
    return json_response({**_summary(code), "problem": _example(code)}, 200, **language_headers())


def _summary(code: str) -> dict[str, Any]:
    return {
        "type": schemas.PATH + code,
        "code": code,
        "title": translate(CATALOGUE[code][0].title, language()),
        "meanings": [_meaning(known) for known in CATALOGUE[code]],
    }


def _meaning(known: KnownProblem) -> dict[str, Any]:
    spoken = language()
    texts = {"meaning": translate(known.meaning, spoken), "remedy": translate(known.remedy, spoken)}
    return {"status": known.status, "variants": known.variants, **texts, "values": known.values}


def _example(code: str) -> dict[str, Any]:
    """A problem with this code. Its detail is the meaning of the code."""
    known = CATALOGUE[code][0]
    document = ProblemError(known.status, code, Text(known.meaning)).document()
    return {**document, "request_id": "example-1", **({"rule": code} if known.status == 409 else {})}
