"""The responses with problems that operations have, each with the codes of the catalogue that it can have."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from lostcities.api.fields import MAX_BODY
from lostcities.api.game_contract import pascal_case
from lostcities.api.problems.catalogue import SHARED
from lostcities.games.moves import GAME_RULES
from lostcities.games.storage import StoreUnavailable
from lostcities.variants.registry import VARIANTS


class ProblemResponse(NamedTuple):
    """A response with a problem: a status, and the codes that it can have."""

    status: int
    description: str
    codes: frozenset[str]


_NAMED: Final = frozenset(known.code for known in SHARED)
"""The codes that a description names: those that no game defines."""
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
    "wrong-deadline",
    "wrong-outcome",
    "wrong-seed-from",
)


def _rules() -> list[str]:
    """The codes of the rules of all variants."""
    return [rule for variant in VARIANTS.values() for rule in variant.rules.INFO.rules]


def _invariants() -> list[str]:
    """The codes of what options and positions of all variants can violate."""
    return [code for variant in VARIANTS.values() for code in variant.schema.invariants]


_UNPROCESSABLE: Final = "The request does not match the contract. Nothing was changed."
_REFUSED: Final = "The table does not allow this now. Nothing was changed."
_ILLEGAL: Final = "The move breaks a rule of the game. Nothing was changed."

_Parts = tuple[int, str, Iterable[str]]
"""A status, its description, and the codes that the response can have."""

_SHARED: Final[Mapping[str, _Parts]] = {
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
        _ILLEGAL,
        [*GAME_RULES, *_rules()],
    ),
    "CannotResign": (409, _REFUSED, ["game-over", "bots-need-seed"]),
    "CannotUndo": (409, _REFUSED, ["game-over", "nothing-to-undo", "undo-past-chance", "undo-past-others"]),
    "CannotChooseInTurn": (409, _REFUSED, ["game-over", "already-in-turn"]),
    "CannotClaim": (409, _REFUSED, ["game-over", "bots-need-seed", "no-deadline", "nothing-to-claim", "too-early"]),
    "CannotHandOver": (409, _REFUSED, ["game-over", "bots-need-seed", "person-required", "seat-resigned"]),
    "CannotFork": (409, "The game is over at this version. Nothing was created.", ["game-over"]),
    "NothingToDecide": (
        409,
        "The seat has no decision to make, or the game goes on.",
        ["nothing-to-decide", "not-finished"],
    ),
    "Stale": (412, "The seat was asked to decide after the version in `If-Match`. Nothing was changed.", ["stale"]),
    "TooLarge": (
        413,
        f"The body is larger than {MAX_BODY} bytes, or for a record than `MAX_EVENTS` allows.",
        ["request-entity-too-large"],
    ),
    "NotSaidToBeJson": (415, "The content type of the body is not `application/json`.", ["unsupported-media-type"]),
    "InvalidRequest": (422, _UNPROCESSABLE, []),
    "InvalidGame": (
        422,
        _UNPROCESSABLE,
        [
            *("bots-need-seed", "idempotency-key-reused", "person-required", "seed-unused"),
            *("turn-seconds-required", *_RECORDS, *_invariants()),
        ],
    ),
    "InvalidSeat": (
        422,
        _UNPROCESSABLE,
        [*_LOOKING, "idempotency-key-reused", "no-such-level", "seat-required"],
    ),
    "InvalidFork": (422, _UNPROCESSABLE, ["game-too-long", "idempotency-key-reused", "unknown-version"]),
    "InvalidLook": (422, _UNPROCESSABLE, _LOOKING),
    "InvalidLookBack": (422, _UNPROCESSABLE, [*_LOOKING, "after-or-version", "after-required", "unknown-version"]),
    "InvalidAdvice": (422, _UNPROCESSABLE, ["seat-required", "unknown-seat", "unknown-version"]),
    "InvalidStream": (422, _UNPROCESSABLE, [*_LOOKING, "unknown-version"]),
    "InvalidMove": (422, _UNPROCESSABLE, [*_MOVING, *_LOOKING, "idempotency-key-reused"]),
    "InvalidCheck": (422, _UNPROCESSABLE, [*_MOVING, *_LOOKING]),
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
            *(each.code for each in StoreUnavailable.__subclasses__()),
        ],
    ),
}


def _of_games() -> Iterator[tuple[str, _Parts]]:
    """The responses that each game has its own of."""
    for name, variant in VARIANTS.items():
        published = pascal_case(name)
        rules = [*GAME_RULES, *variant.rules.INFO.rules]
        yield f"Illegal{published}Move", (409, _ILLEGAL, rules)
        yield f"Invalid{published}Question", (422, _UNPROCESSABLE, [*_MOVING, *variant.schema.invariants])


def _response(status: int, description: str, codes: Iterable[str]) -> ProblemResponse:
    known = frozenset(codes if status != 422 else ["invalid-request", *codes])
    return ProblemResponse(status, f"{description} {_codes_in_words(status, known)}", known)


def _codes_in_words(status: int, codes: Collection[str]) -> str:
    """The codes, for the description of a response. Those of the rules and of positions are too many to be named.

    >>> _codes_in_words(412, ["stale"]), _codes_in_words(403, ["not-your-seat", "host-only"])
    ('The code is `stale`.', 'The code is `host-only` or `not-your-seat`.')
    >>> _codes_in_words(409, ["chance-in-between", "wrong-phase"])
    'The code is `chance-in-between` or that of the rule.'
    """
    words = [f"`{code}`" for code in sorted(codes) if code in _NAMED]
    if len(words) < len(codes):
        words.append("that of the rule" if status == 409 else "that of what the position or the options violate")
    return f"The code is {', '.join(words[:-1])} or {words[-1]}." if len(words) > 1 else f"The code is {words[0]}."


RESPONSES: Final[Mapping[str, ProblemResponse]] = {
    name: _response(*parts) for name, parts in (*_SHARED.items(), *_of_games())
}
"""By the name under which operations refer to them."""
