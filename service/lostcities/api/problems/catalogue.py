"""The problem catalogue: each code with its status, its title, what it means and what a client should do.

`GET /problems` shows it. The texts of the games' rules are in `INFO.rules`, those of what positions and options violate
in the `invariants` of a game's contract.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from lostcities.games.moves import GAME_RULES
from lostcities.variants.core import SHARED_RULES
from lostcities.variants.registry import VARIANTS


class KnownProblem(NamedTuple):
    """A problem that the service responds with. A code with different meanings has several of these."""

    code: str
    status: int
    meaning: str
    remedy: str
    """What a client should do."""
    variants: tuple[str, ...] = ()
    """The variants for which this holds. Empty: all."""

    @property
    def title(self) -> str:
        """The code in words.

        >>> KnownProblem("not-higher", 409, "", "").title
        'Not higher'
        """
        return self.code.replace("-", " ").capitalize()


_RULE_REMEDY: Final = "List the legal moves, and send one of them."
_INVARIANT_REMEDY: Final = "Correct the part of the body that `errors` points to."
_SAME_KEY: Final = "Send the request again with the same `Idempotency-Key`, after the seconds in `Retry-After`."
_READ_CONTRACT: Final = "Correct the request. `errors` names each part that is wrong."
_WHICH_SEAT: Final = "Name a seat of this game. The length of `players` is the number of seats."

SHARED: Final = (
    KnownProblem(
        "bad-request",
        400,
        "The request is not valid HTTP, or not one that the service accepts.",
        "Correct the request.",
    ),
    KnownProblem(
        "not-json",
        400,
        "The body is not valid JSON, or its end did not arrive.",
        "Send a complete JSON document in UTF-8.",
    ),
    KnownProblem(
        "api-key-required",
        401,
        "This service creates games only for requests with one of its API keys.",
        "Send `Authorization: Bearer` and an API key. The operator of the service gives out the keys.",
    ),
    KnownProblem(
        "bearer-token-expected",
        401,
        "The header `Authorization` has another scheme than `Bearer`, or no token.",
        "Send `Authorization: Bearer` and a token of the game.",
    ),
    KnownProblem(
        "token-required",
        401,
        "The request needs a token of this game.",
        "Send the token of the seat or of the host, as `POST /games` returned it.",
    ),
    KnownProblem(
        "unknown-token",
        401,
        "The token is not a token of this game.",
        "Send a token that `POST /games` returned with this game. Tokens of other games are not valid here.",
    ),
    KnownProblem("bot-seat", 403, "The service plays this seat.", "Act for the seats of persons only."),
    KnownProblem("host-only", 403, "Only the token of the host allows this request.", "Use the token of the host."),
    KnownProblem(
        "not-your-seat",
        403,
        "The token belongs to another seat.",
        "Use the token of that seat, or the token of the host.",
    ),
    KnownProblem(
        "no-such-game",
        404,
        "There is no game with this id. It may have been deleted or have expired.",
        "Check the id. The `expires_at` of a game says how long it is kept.",
    ),
    KnownProblem(
        "no-such-variant", 404, "There is no variant with this name.", "Use a name that `GET /variants` lists."
    ),
    KnownProblem(
        "no-such-problem", 404, "There is no problem code with this name.", "`GET /problems` lists all codes."
    ),
    KnownProblem("not-found", 404, "The service has no such path.", "Check the path. `GET /openapi.json` lists all."),
    KnownProblem(
        "method-not-allowed",
        405,
        "The path does not support this method.",
        "Use one of the methods in the header `Allow`.",
    ),
    KnownProblem(
        "request-timeout",
        408,
        "The body did not arrive in time.",
        "Send the request again, with the same `Idempotency-Key`.",
    ),
    KnownProblem(
        "chance-in-between",
        409,
        GAME_RULES["chance-in-between"],
        "End the list with the move that causes an outcome of chance.",
    ),
    KnownProblem(
        "bot-in-between", 409, GAME_RULES["bot-in-between"], "End the list with the move after which a bot is to act."
    ),
    KnownProblem(
        "nothing-to-decide",
        409,
        "The seat has no decision to make now.",
        "Ask for advice when `to_act` of the game has the seat.",
    ),
    KnownProblem(
        "stale",
        412,
        "The seat was asked to decide after the version in `If-Match`. Nothing was changed.",
        "Read the game again, and decide anew.",
    ),
    KnownProblem(
        "request-entity-too-large",
        413,
        "The body is larger than the service accepts.",
        "Send less. A long list of moves can be sent in parts.",
    ),
    KnownProblem(
        "unsupported-media-type",
        415,
        "The content type of the body is not `application/json`.",
        "Send `Content-Type: application/json`.",
    ),
    KnownProblem("invalid-request", 422, "The request does not match the contract.", _READ_CONTRACT),
    KnownProblem(
        "not-a-move",
        422,
        "The text, or the type with its operands, is not a move of the variant.",
        "Send a listed move, or one by the notation that `GET /variants/{variant}` describes.",
    ),
    KnownProblem("missing-field", 422, "The move lacks an operand that its type needs.", _READ_CONTRACT),
    KnownProblem("unknown-field", 422, "The move has a member that its type does not have.", _READ_CONTRACT),
    KnownProblem(
        "contradiction",
        422,
        "The notation of the move means another move than its type and operands.",
        "Send a listed move without changes, or only one of the two forms.",
    ),
    KnownProblem(
        "seat-required",
        422,
        "Several seats are to act, and the request does not say which one moves.",
        "Add `seat` to the move.",
    ),
    KnownProblem(
        "seat-or-actor",
        422,
        "The move names both a seat and the actor `chance`.",
        "Send `seat` for a move, `actor` for an outcome.",
    ),
    KnownProblem("seat-or-view", 422, "The query has both `seat` and `view`.", "Send one of the two parameters."),
    KnownProblem("unknown-seat", 422, "The game does not have this seat.", _WHICH_SEAT),
    KnownProblem(
        "unknown-version",
        422,
        "The game does not have this version yet.",
        "Use a version up to the `version` of the game.",
    ),
    KnownProblem(
        "after-required", 422, "`wait` was sent without `after`.", "Add the version that you have as `after`."
    ),
    KnownProblem(
        "after-or-version", 422, "The query has both `after` and `version`.", "Send one of the two parameters."
    ),
    KnownProblem(
        "idempotency-key-reused",
        422,
        "The `Idempotency-Key` was used for another request.",
        "Use a new key for each request, and the same key only to repeat the same request.",
    ),
    KnownProblem(
        "game-too-long",
        422,
        "The record has more events than this service allows a game.",
        "Use a service with a larger `MAX_EVENTS`.",
    ),
    KnownProblem(
        "illegal-event",
        422,
        "An event of the record breaks a rule. `rule` is the code of the rule.",
        "The record is not a legal game. `errors` points to its first event that is wrong.",
    ),
    KnownProblem(
        "other-rules-version",
        422,
        "The record was played by another version of the rules than this service has.",
        "Use a service with that version of the rules. `GET /variants` shows the version of this service.",
    ),
    KnownProblem(
        "wrong-chance",
        422,
        "An outcome of chance in the record does not follow from the seed.",
        "The record is not a fair game. `errors` points to the first outcome that is wrong.",
    ),
    KnownProblem(
        "wrong-commitment",
        422,
        "The commitment of the record is not the SHA-256 of its seed, or belongs to a game without a seed.",
        "Send the seed and the commitment of the same game.",
    ),
    KnownProblem(
        "wrong-outcome",
        422,
        "The game did not end after the events of the record as its `outcome` says.",
        "Compare the `outcome` with the one in `detail`.",
    ),
    KnownProblem(
        "wrong-seed-from",
        422,
        "`seed_from` is after the last event of the record, or the game has no seed.",
        "Send `seed_from` as the record of the game has it.",
    ),
    KnownProblem(
        "person-required",
        422,
        "All seats would be played by bots.",
        "Leave at least one seat to a person: give a name instead of a bot.",
    ),
    KnownProblem(
        "bots-need-seed",
        422,
        "Bots take their picks from the seed of the game, and a game with `chance: client` has none.",
        "Leave chance to the service, or the seats to persons.",
    ),
    KnownProblem(
        "seed-unused",
        422,
        "A game with `chance: client` has no seed, because the host reports the outcomes of chance.",
        "Leave out `seed`, or leave chance to the service.",
    ),
    KnownProblem(
        "too-many-requests",
        429,
        "A rate limit is exceeded. Nothing was changed.",
        "Wait for the seconds in `Retry-After`, then try again.",
    ),
    KnownProblem(
        "too-many-streams-for-address",
        429,
        "The process holds as many streams and long polls of this client address as it may.",
        "Close streams that are not needed, or try again after the seconds in `Retry-After`.",
    ),
    KnownProblem(
        "too-much-thinking-for-address",
        429,
        "As many requests of the client's address as allowed are waiting for an expert in this process. Nothing was "
        "changed.",
        "Send fewer requests at once. Send this one again with the same `Idempotency-Key` after the seconds in "
        "`Retry-After`.",
    ),
    KnownProblem(
        "internal-error",
        500,
        "An unexpected error in the service.",
        "Report the `request_id` to the operator of the service. Its log has the cause.",
    ),
    KnownProblem("busy", 503, "Other requests changed the game first every time. Nothing was changed.", _SAME_KEY),
    KnownProblem(
        "too-much-thinking",
        503,
        "As many requests as allowed are waiting for an expert in this process. Nothing was changed.",
        _SAME_KEY,
    ),
    KnownProblem(
        "too-many-streams",
        503,
        "The process holds as many streams and long polls as it may.",
        "Try again after the seconds in `Retry-After`, or read the game without waiting.",
    ),
    KnownProblem(
        "store-away", 503, "The store does not answer. It is unknown whether the request was carried out.", _SAME_KEY
    ),
    KnownProblem(
        "store-full",
        503,
        "The store has no room for this request. Nothing was changed.",
        "Try again later. The operator of the service has to add memory, or games have to expire.",
    ),
    KnownProblem("store-read-only", 503, "The store takes no writes now. Nothing was changed.", _SAME_KEY),
    KnownProblem(
        "durability-unknown",
        503,
        "The request was carried out, but it may be less durable than the service promises.",
        _SAME_KEY,
    ),
    KnownProblem(
        "newer-rules",
        503,
        "The game was created with newer rules than this instance of the service has.",
        "Try again. While the service is being updated another instance answers.",
    ),
)
"""The problems that no game defines."""


def _problems() -> Iterator[KnownProblem]:
    """All problems. Games with the same text have several entries."""
    yield from SHARED
    for code, rule in SHARED_RULES.items():
        yield _broken(code, rule)
    for name, variant in VARIANTS.items():
        for code, rule in variant.rules.INFO.rules.items():
            if code not in SHARED_RULES:
                yield _broken(code, rule, name)
        for code, invariant in variant.schema.invariants.items():
            yield KnownProblem(code, 422, invariant, _INVARIANT_REMEDY, (name,))


def _broken(code: str, rule: str, *variants: str) -> KnownProblem:
    """The problem of a move that breaks a rule."""
    return KnownProblem(code, 409, rule, _RULE_REMEDY, variants)


def _catalogue() -> dict[str, list[KnownProblem]]:
    """By code, with one entry for the games that have the same text."""
    merged: dict[str, dict[tuple[int, str], KnownProblem]] = {}
    for problem in _problems():
        known = merged.setdefault(problem.code, {})
        same = known.get((problem.status, problem.meaning), problem._replace(variants=()))
        known[problem.status, problem.meaning] = same._replace(variants=(*same.variants, *problem.variants))
    return {code: [*known.values()] for code, known in sorted(merged.items())}


CATALOGUE: Final[Mapping[str, Sequence[KnownProblem]]] = _catalogue()
"""The meanings of every code, in the order of the codes."""
