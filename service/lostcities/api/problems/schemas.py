"""The schemas of problems, and of what explains them."""

from typing import Final

from lostcities.api.fields import (
    EXTENSIBLE,
    LONGEST,
    MAX_BODY,
    MAX_FAULTS,
    AnyField,
    extensible,
    integer,
    listed,
    nested,
    text,
)
from lostcities.api.schemas import Answer
from lostcities.variants.registry import VARIANTS

PATH: Final = "/problems/"
"""The path of the descriptions of problem types. The `type` of a problem is this path and its code."""
POINTER: Final = 2 * MAX_BODY
"""The longest pointer into a body. Escaping doubles a character. Fields of a larger body are not as long."""
REQUEST_ID: Final = r"^[A-Za-z0-9._-]{1,64}$"


class ProblemPart(Answer):
    """An error in one part of the request."""

    pointer = text(
        "Which part is wrong. In the body: its JSON pointer (RFC 6901), which begins with a slash, or is empty for the "
        "whole body. In the query or a header: the name of the parameter, such as `version` or `If-Match`.",
        least=0,
        most=POINTER,
        required=True,
    )
    detail = text("What is wrong with this part, for people.", most=LONGEST, required=True)


class ProblemValue(Answer):
    """A value in the sentence of a refusal."""

    name = text("What the value is, such as `card`, `colour`, `seat` or `last`.", most=EXTENSIBLE, required=True)
    value = text(
        "The value as text. Cards, colours and seats are written as in the rest of the contract, and several seats are "
        "separated by commas.",
        least=0,
        most=LONGEST,
        required=True,
    )


def value_names() -> AnyField:
    """The names of the values that refusals by a rule can have."""
    return listed(
        text("The name of a value.", most=EXTENSIBLE),
        "The names in `values` of a problem by this rule. A problem has some or all of them, the same for the same "
        "sentence.",
        0,
        20,
        required=True,
    )


class Problem(Answer):
    """Why a request was refused, or could not be carried out (RFC 9457)."""

    type = text(
        "The address of the description of the problem type, relative to the service: `/problems/` and the code.",
        pattern="^/problems/[a-z0-9-]+$",
        most=len(PATH) + EXTENSIBLE,
        required=True,
    )
    title = text("The problem type in a few words, the same each time.", most=EXTENSIBLE, required=True)
    status = integer("The HTTP status of the response.", 400, 599, required=True)
    detail = text("A sentence for people about this occurrence of the problem.", most=LONGEST, required=True)
    code = text(
        "The stable identifier of the problem type for programs. `GET /problems` lists all codes, and the description "
        "of a response those that it can have. Later versions may add codes: handle an unknown one by its status.",
        pattern="^[a-z0-9-]+$",
        most=EXTENSIBLE,
        required=True,
    )
    request_id = text(
        "The id of the request in the service's log, as in the header `X-Request-Id`.",
        pattern=REQUEST_ID,
        most=64,
        required=True,
    )
    rule = text(
        "The rule that a move to make or to check breaks, equal to `code`. The rule that an event of a record breaks, "
        "if the code is `illegal-event`.",
        pattern="^[a-z0-9-]+$",
        most=EXTENSIBLE,
    )
    values = listed(
        nested(ProblemValue, "A value in the sentence of a refusal."),
        "The values of a move that breaks a rule: enough for a sentence in any language. `GET /variants/{variant}` and "
        "`GET /problems/{code}` list their names for each rule.",
        1,
        20,
    )
    errors = listed(
        nested(ProblemPart, "An error in one part of the request."),
        "The errors in the request, where parts of it can be named.",
        1,
        MAX_FAULTS,
    )


class Meaning(Answer):
    """What a problem code means."""

    status = integer("The HTTP status of the response.", 400, 599, required=True)
    variants = listed(
        extensible("The name of a variant.", VARIANTS),
        "The variants for which this holds. Empty if it holds for all.",
        0,
        len(VARIANTS),
        required=True,
    )
    meaning = text("The rule that a move breaks, or the reason of the refusal.", most=LONGEST, required=True)
    remedy = text("What a client should do.", most=LONGEST, required=True)
    values = value_names()


class ProblemTypeSummary(Answer):
    """A problem type in short."""

    type = Problem().fields["type"]
    code = text("The stable identifier for programs.", pattern="^[a-z0-9-]+$", most=EXTENSIBLE, required=True)
    title = text("The problem type in a few words.", most=EXTENSIBLE, required=True)
    meanings = listed(
        nested(Meaning, "A meaning of the code."),
        "What the code means. A few codes have several meanings, by status or by variant.",
        1,
        20,
        required=True,
    )


class ProblemType(ProblemTypeSummary):
    """A problem type with an example."""

    problem = nested(Problem, "An example: a problem of this type.", required=True)


class ProblemTypeList(Answer):
    """All problem types of this service."""

    problems = listed(
        nested(ProblemTypeSummary, "A problem type in short."),
        "The problem types in alphabetical order of their codes.",
        1,
        1000,
        required=True,
    )
