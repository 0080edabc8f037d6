"""The problem catalogue: each code with its status, its title, what it means and what a client should do.

`GET /problems` shows it. The texts of the games' rules are in `INFO.rules`, those of what positions and options violate
in the `invariants` of a game's contract.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from lostcities.games.moves import GAME_RULES
from lostcities.games.table import TABLE_RULES
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

_TEXTS: Final[Mapping[int, Mapping[str, tuple[str, str]]]] = {
    400: {
        "bad-request": ("The request is not valid HTTP, or not one that the service accepts.", "Correct the request."),
        "not-json": (
            "The body is not valid JSON, or its end did not arrive.",
            "Send a complete JSON document in UTF-8.",
        ),
    },
    401: {
        "api-key-required": (
            "This service creates games only for requests with one of its API keys.",
            "Send `Authorization: Bearer` and an API key. The operator of the service gives out the keys.",
        ),
        "bearer-token-expected": (
            "The header `Authorization` has another scheme than `Bearer`, or no token.",
            "Send `Authorization: Bearer` and a token of the game.",
        ),
        "token-required": (
            "The request needs a token of this game.",
            "Send the token of the seat or of the host, as `POST /games` returned it.",
        ),
        "unknown-token": (
            "The token is not a token of this game.",
            "Send a token that `POST /games` returned with this game. Tokens of other games are not valid here.",
        ),
    },
    403: {
        "bot-seat": ("The service plays this seat.", "Act for the seats of persons only."),
        "host-only": ("Only the token of the host allows this request.", "Use the token of the host."),
        "not-your-seat": (
            "The token belongs to another seat.",
            "Use the token of that seat, or the token of the host.",
        ),
    },
    404: {
        "no-such-game": (
            "There is no game with this id. It may have been deleted or have expired.",
            "Check the id. The `expires_at` of a game says how long it is kept.",
        ),
        "no-such-variant": ("There is no variant with this name.", "Use a name that `GET /variants` lists."),
        "no-such-problem": ("There is no problem code with this name.", "`GET /problems` lists all codes."),
        "not-found": ("The service has no such path.", "Check the path. `GET /openapi.json` lists all."),
    },
    405: {
        "method-not-allowed": (
            "The path does not support this method.",
            "Use one of the methods in the header `Allow`.",
        ),
    },
    408: {
        "request-timeout": (
            "The body did not arrive in time.",
            "Send the request again, with the same `Idempotency-Key`.",
        ),
    },
    409: {
        "chance-in-between": (
            GAME_RULES["chance-in-between"],
            "End the list with the move that causes an outcome of chance.",
        ),
        "bot-in-between": (GAME_RULES["bot-in-between"], "End the list with the move after which a bot is to act."),
        "nothing-to-decide": (
            "The seat has no decision to make now.",
            "Ask for advice when `to_act` of the game has the seat.",
        ),
        "bots-need-seed": (
            TABLE_RULES["bots-need-seed"],
            "Hand the seat over to a person, or delete the game.",
        ),
        "no-deadline": (TABLE_RULES["no-deadline"], "Create games with `turn_seconds`."),
        "not-finished": (
            "Advice about an earlier version is for finished games only.",
            "Leave out `version`, or ask again when the game is finished.",
        ),
        "nothing-to-claim": (
            TABLE_RULES["nothing-to-claim"],
            "Claim for a seat that `clocks` of the game lists.",
        ),
        "nothing-to-undo": (TABLE_RULES["nothing-to-undo"], "Go on with the game as it is."),
        "person-required": (TABLE_RULES["person-required"], "Hand another seat over to a person before."),
        "seat-resigned": (TABLE_RULES["seat-resigned"], "Choose another seat."),
        "too-early": (
            TABLE_RULES["too-early"],
            "Wait for the seconds that `detail` names, or until the `until` in `clocks` of the game.",
        ),
        "undo-past-chance": (TABLE_RULES["undo-past-chance"], "Go on with the game as it is."),
        "undo-past-others": (TABLE_RULES["undo-past-others"], "Go on with the game as it is."),
    },
    412: {
        "stale": (
            "The seat was asked to decide after the version in `If-Match`. Nothing was changed.",
            "Read the game again, and decide anew.",
        ),
    },
    413: {
        "request-entity-too-large": (
            "The body is larger than the service accepts.",
            "Send less. A long list of moves can be sent in parts.",
        ),
    },
    415: {
        "unsupported-media-type": (
            "The content type of the body is not `application/json`.",
            "Send `Content-Type: application/json`.",
        ),
    },
    422: {
        "invalid-request": ("The request does not match the contract.", _READ_CONTRACT),
        "not-a-move": (
            "The text, or the type with its operands, is not a move of the variant.",
            "Send a listed move, or one by the notation that `GET /variants/{variant}` describes.",
        ),
        "missing-field": ("The move lacks an operand that its type needs.", _READ_CONTRACT),
        "unknown-field": ("The move has a member that its type does not have.", _READ_CONTRACT),
        "contradiction": (
            "The notation of the move means another move than its type and operands.",
            "Send a listed move without changes, or only one of the two forms.",
        ),
        "seat-required": (
            "Several seats are to act, and the request does not say which one moves.",
            "Add `seat` to the move.",
        ),
        "seat-or-actor": (
            "The move names both a seat and the actor `chance`.",
            "Send `seat` for a move, `actor` for an outcome.",
        ),
        "seat-or-view": ("The query has both `seat` and `view`.", "Send one of the two parameters."),
        "unknown-seat": ("The game does not have this seat.", _WHICH_SEAT),
        "unknown-version": (
            "The game does not have this version yet.",
            "Use a version up to the `version` of the game.",
        ),
        "after-required": ("`wait` was sent without `after`.", "Add the version that you have as `after`."),
        "after-or-version": ("The query has both `after` and `version`.", "Send one of the two parameters."),
        "idempotency-key-reused": (
            "The `Idempotency-Key` was used for another request.",
            "Use a new key for each request, and the same key only to repeat the same request.",
        ),
        "game-too-long": (
            "The record has more events than this service allows a game.",
            "Use a service with a larger `MAX_EVENTS`.",
        ),
        "illegal-event": (
            "An event of the record breaks a rule. `rule` is the code of the rule.",
            "The record is not a legal game. `errors` points to its first event that is wrong.",
        ),
        "other-rules-version": (
            "The record was played by another version of the rules than this service has.",
            "Use a service with that version of the rules. `GET /variants` shows the version of this service.",
        ),
        "wrong-chance": (
            "An outcome of chance in the record does not follow from the seed.",
            "The record is not a fair game. `errors` points to the first outcome that is wrong.",
        ),
        "wrong-commitment": (
            "The commitment of the record is not the SHA-256 of its seed, or belongs to a game without a seed.",
            "Send the seed and the commitment of the same game.",
        ),
        "wrong-outcome": (
            "The game did not end after the events of the record as its `outcome` says.",
            "Compare the `outcome` with the one in `detail`.",
        ),
        "wrong-seed-from": (
            "`seed_from` is after the last event of the record, or the game has no seed.",
            "Send `seed_from` as the record of the game has it.",
        ),
        "person-required": (
            "All seats would be played by bots.",
            "Leave at least one seat to a person: give a name instead of a bot.",
        ),
        "bots-need-seed": (
            "Bots take their picks from the seed of the game, and a game with `chance: client` has none.",
            "Leave chance to the service, or the seats to persons and without a time limit.",
        ),
        "no-such-level": (
            "The game has no bots of this level.",
            "Use a level that `bots` in the description of the variant lists.",
        ),
        "wrong-deadline": (
            "The record has only a part of a time limit, or a format without one.",
            "Send `turn_seconds` and `on_timeout` as the record of the game has them.",
        ),
        "turn-seconds-required": (
            "`on_timeout` was sent without `turn_seconds`.",
            "Add `turn_seconds`, or leave out `on_timeout`.",
        ),
        "seed-unused": (
            "A game with `chance: client` has no seed, because the host reports the outcomes of chance.",
            "Leave out `seed`, or leave chance to the service.",
        ),
    },
    429: {
        "too-many-requests": (
            "A rate limit is exceeded. Nothing was changed.",
            "Wait for the seconds in `Retry-After`, then try again.",
        ),
        "too-many-streams-for-address": (
            "The process holds as many streams and long polls of this client address as it may.",
            "Close streams that are not needed, or try again after the seconds in `Retry-After`.",
        ),
        "too-much-thinking-for-address": (
            "As many requests of the client's address as allowed are waiting for an expert in this process. Nothing "
            "was changed.",
            "Send fewer requests at once. Send this one again with the same `Idempotency-Key` after the seconds in "
            "`Retry-After`.",
        ),
    },
    500: {
        "internal-error": (
            "An unexpected error in the service.",
            "Report the `request_id` to the operator of the service. Its log has the cause.",
        ),
    },
    503: {
        "busy": ("Other requests changed the game first every time. Nothing was changed.", _SAME_KEY),
        "too-much-thinking": (
            "As many requests as allowed are waiting for an expert in this process. Nothing was changed.",
            _SAME_KEY,
        ),
        "too-many-streams": (
            "The process holds as many streams and long polls as it may.",
            "Try again after the seconds in `Retry-After`, or read the game without waiting.",
        ),
        "store-away": ("The store does not answer. It is unknown whether the request was carried out.", _SAME_KEY),
        "store-full": (
            "The store has no room for this request. Nothing was changed.",
            "Try again later. The operator of the service has to add memory, or games have to expire.",
        ),
        "store-read-only": ("The store takes no writes now. Nothing was changed.", _SAME_KEY),
        "durability-unknown": (
            "The request was carried out, but it may be less durable than the service promises.",
            _SAME_KEY,
        ),
        "newer-rules": (
            "The game was created with newer rules than this instance of the service has.",
            "Try again. While the service is being updated another instance answers.",
        ),
    },
}
"""By status and code: what the problem means, and what a client should do."""

SHARED: Final = tuple(
    KnownProblem(code, status, *each) for status, codes in _TEXTS.items() for code, each in codes.items()
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
