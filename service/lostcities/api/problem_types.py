"""The types of problems that the service responds with: their schema, their codes and what each code means."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from lostcities.api.problem_texts import INVARIANT_REMEDY, PATH, RULE_REMEDY, TEXTS
from lostcities.api.schemas.fields import (
    EXTENSIBLE,
    LONGEST,
    MAX_FAULTS,
    Answer,
    extensible,
    integer,
    listed,
    nested,
    text,
)
from lostcities.api.schemas.naming import pascal_case
from lostcities.games.moves import GAME_RULES
from lostcities.games.storage import StoreUnavailable
from lostcities.variants.core import SHARED_RULES
from lostcities.variants.registry import VARIANTS

MAX_BODY: Final = 64 * 1024
"""The largest body that is read, in bytes."""
POINTER: Final = 2 * MAX_BODY
"""The longest pointer into a body. Escaping doubles a character. Fields of a larger body are not as long."""
RECORD_EVENT_BYTES: Final = 128
"""What each event that a game may have adds to the largest body of a record."""
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
    errors = listed(
        nested(ProblemPart, "An error in one part of the request."),
        "The errors in the request, where parts of it can be named.",
        1,
        MAX_FAULTS,
    )


class Kind(NamedTuple):
    """The problems of a status that an operation can respond with, as operations name them."""

    status: int
    description: str
    codes: frozenset[str]


_LOOKING: Final = ("seat-or-view", "unknown-seat")
_MOVING: Final = (
    "contradiction",
    "missing-field",
    "not-a-move",
    "seat-or-actor",
    "seat-required",
    "unknown-field",
    "unknown-seat",
)


_RECORDS: Final = (
    "game-too-long",
    "illegal-event",
    "not-a-move",
    "other-rules-version",
    "unknown-seat",
    "wrong-chance",
    "wrong-commitment",
    "wrong-outcome",
    "wrong-seed-from",
)


def _rules() -> list[str]:
    """The codes of the rules of all variants."""
    return [rule for variant in VARIANTS.values() for rule in variant.rules.INFO.rules]


def _kinds() -> Mapping[str, tuple[int, str, Iterable[str]]]:
    unprocessable = "The request does not match the contract. Nothing was changed."
    illegal = "The move breaks a rule of the game. Nothing was changed."
    impossible = {code for variant in VARIANTS.values() for code in variant.schema.INVARIANTS}
    kinds: dict[str, tuple[int, str, Iterable[str]]] = {
        "NotJson": (400, "The body is not valid JSON, or cannot be read.", ["not-json"]),
        "Unauthorized": (
            401,
            "A token is missing, or is not a token of this game.",
            ["api-key-required", "bearer-token-expected", "token-required", "unknown-token"],
        ),
        "Forbidden": (403, "The token does not allow this request.", ["bot-seat", "host-only", "not-your-seat"]),
        "NoSuchGame": (
            404,
            "There is no game with this id. It may have been deleted or have expired.",
            ["no-such-game"],
        ),
        "NoSuchProblem": (404, "There is no problem code with this name.", ["no-such-problem"]),
        "NoSuchVariant": (404, "There is no variant with this name.", ["no-such-variant"]),
        "MethodNotAllowed": (405, "The path does not support this method.", ["method-not-allowed"]),
        "RequestTimeout": (408, "The body did not arrive in time.", ["request-timeout"]),
        "IllegalMove": (
            409,
            illegal,
            [*GAME_RULES, *_rules()],
        ),
        "NothingToDecide": (409, "The seat has no decision to make now.", ["nothing-to-decide"]),
        "Stale": (412, "The seat was asked to decide after the version in `If-Match`. Nothing was changed.", ["stale"]),
        "TooLarge": (
            413,
            f"The body is larger than {MAX_BODY} bytes, or for a record than `MAX_EVENTS` allows.",
            ["request-entity-too-large"],
        ),
        "NotSaidToBeJson": (415, "The content type of the body is not `application/json`.", ["unsupported-media-type"]),
        "InvalidRequest": (422, unprocessable, []),
        "InvalidGame": (
            422,
            unprocessable,
            ["bots-need-seed", "idempotency-key-reused", "person-required", "seed-unused", *_RECORDS, *impossible],
        ),
        "InvalidLook": (422, unprocessable, _LOOKING),
        "InvalidLookBack": (422, unprocessable, [*_LOOKING, "after-or-version", "after-required", "unknown-version"]),
        "InvalidAdvice": (422, unprocessable, ["seat-required", "unknown-seat"]),
        "InvalidStream": (422, unprocessable, [*_LOOKING, "unknown-version"]),
        "InvalidMove": (422, unprocessable, [*_MOVING, *_LOOKING, "idempotency-key-reused"]),
        "InvalidCheck": (422, unprocessable, [*_MOVING, *_LOOKING]),
        "TooManyRequests": (
            429,
            "A rate limit is exceeded, or the address has too many streams or requests that wait for bots. Nothing was "
            "changed.",
            ["too-many-requests", "too-many-streams-for-address", "too-much-thinking-for-address"],
        ),
        "InternalError": (500, "An unexpected error. The service's log has the request id.", ["internal-error"]),
        "Unavailable": (
            503,
            "The store is not available, other requests were always faster, or too many streams or bots are busy.",
            [
                "busy",
                "too-much-thinking",
                "too-many-streams",
                StoreUnavailable.code,
                *(kind.code for kind in StoreUnavailable.__subclasses__()),
            ],
        ),
    }
    for name, variant in VARIANTS.items():
        rules = [*GAME_RULES, *variant.rules.INFO.rules]
        kinds[f"Illegal{pascal_case(name)}Move"] = (409, illegal, rules)
        kinds[f"Invalid{pascal_case(name)}Question"] = (422, unprocessable, [*_MOVING, *variant.schema.INVARIANTS])
    return kinds


def _kind(status: int, description: str, codes: Iterable[str]) -> Kind:
    known = frozenset(codes if status != 422 else ["invalid-request", *codes])
    return Kind(status, f"{description} {_codes_in_words(status, known)}", known)


def _codes_in_words(status: int, codes: Collection[str]) -> str:
    """The codes, for the description of a response. Those of the rules and of positions are too many to be named.

    >>> _codes_in_words(412, ["stale"]), _codes_in_words(403, ["not-your-seat", "host-only"])
    ('The code is `stale`.', 'The code is `host-only` or `not-your-seat`.')
    >>> _codes_in_words(409, ["chance-in-between", "wrong-phase"])
    'The code is `chance-in-between` or that of the rule.'
    """
    words = [f"`{code}`" for code in sorted(codes) if code in TEXTS]
    if len(words) < len(codes):
        words.append("that of the rule" if status == 409 else "that of what the position or the options violate")
    return f"The code is {', '.join(words[:-1])} or {words[-1]}." if len(words) > 1 else f"The code is {words[0]}."


PROBLEMS: Final[Mapping[str, Kind]] = {name: _kind(*parts) for name, parts in _kinds().items()}


# The description of each code ------------------------------------------------------------------------------------


class Meaning(NamedTuple):
    """What a code means. A few codes mean different things in different variants, or with different statuses."""

    status: int
    variants: Sequence[str]
    """The variants for which this holds. Empty: all."""
    meaning: str
    remedy: str


def _meanings() -> Iterator[tuple[str, Meaning]]:
    """The meanings of all codes. Variants with the same text have several entries."""
    for code, known in TEXTS.items():
        yield code, Meaning(known.status, (), known.meaning, known.remedy)
    for code, rule in SHARED_RULES.items():
        yield code, Meaning(409, (), rule, RULE_REMEDY)
    for name, variant in VARIANTS.items():
        own = {code: rule for code, rule in variant.rules.INFO.rules.items() if code not in SHARED_RULES}
        for code, rule in own.items():
            yield code, Meaning(409, (name,), rule, RULE_REMEDY)
        for code, invariant in variant.schema.INVARIANTS.items():
            yield code, Meaning(422, (name,), invariant, INVARIANT_REMEDY)


def _merged(meanings: Iterable[tuple[str, Meaning]]) -> dict[str, list[Meaning]]:
    """The meanings of each code, with one entry for the variants that have the same text."""
    merged: dict[str, dict[tuple[int, str], Meaning]] = {}
    for code, each in meanings:
        known = merged.setdefault(code, {})
        same = known.get((each.status, each.meaning), each._replace(variants=()))
        known[each.status, each.meaning] = same._replace(variants=(*same.variants, *each.variants))
    return {code: [*known.values()] for code, known in sorted(merged.items())}


MEANINGS: Final[Mapping[str, Sequence[Meaning]]] = _merged(_meanings())
"""The meanings of every code."""


class MeaningView(Answer):
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


class ProblemTypeSummary(Answer):
    """A problem type in short."""

    type = Problem().fields["type"]
    code = text("The stable identifier for programs.", pattern="^[a-z0-9-]+$", most=EXTENSIBLE, required=True)
    title = text("The problem type in a few words.", most=EXTENSIBLE, required=True)
    meanings = listed(
        nested(MeaningView, "A meaning of the code."),
        "What the code means. A few codes have several meanings, by status or by variant.",
        1,
        20,
        required=True,
    )


class ProblemTypeView(ProblemTypeSummary):
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
