"""What each problem code means and what a client should do. `GET /problems` shows these texts.

The codes of the rules have their texts in `VariantInfo.rules`, those of positions and options in the `INVARIANTS` of a
variant's schemas.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from lostcities.games.moves import GAME_RULES


class ProblemText(NamedTuple):
    """The description of a problem code."""

    status: int
    meaning: str
    remedy: str
    """What a client should do."""


PATH: Final = "/problems/"
"""The path of the descriptions of problem types. The `type` of a problem is this path and its code."""

RULE_REMEDY: Final = "List the legal moves, and send one of them."
INVARIANT_REMEDY: Final = "Correct the part of the body that `errors` points to."
SAME_KEY: Final = "Send the request again with the same `Idempotency-Key`, after the seconds in `Retry-After`."
_READ_CONTRACT: Final = "Correct the request. `errors` names each part that is wrong."
_WHICH_SEAT: Final = "Name a seat of this game. The length of `players` is the number of seats."

TEXTS: Final[Mapping[str, ProblemText]] = {
    "bad-request": ProblemText(
        400, "The request is not valid HTTP, or not one that the service accepts.", "Correct the request."
    ),
    "not-json": ProblemText(
        400, "The body is not valid JSON, or its end did not arrive.", "Send a complete JSON document in UTF-8."
    ),
    "api-key-required": ProblemText(
        401,
        "This service creates games only for requests with one of its API keys.",
        "Send `Authorization: Bearer` and an API key. The operator of the service gives out the keys.",
    ),
    "bearer-token-expected": ProblemText(
        401,
        "The header `Authorization` has another scheme than `Bearer`, or no token.",
        "Send `Authorization: Bearer` and a token of the game.",
    ),
    "token-required": ProblemText(
        401,
        "The request needs a token of this game.",
        "Send the token of the seat or of the host, as `POST /games` returned it.",
    ),
    "unknown-token": ProblemText(
        401,
        "The token is not a token of this game.",
        "Send a token that `POST /games` returned with this game. Tokens of other games are not valid here.",
    ),
    "bot-seat": ProblemText(403, "The service plays this seat.", "Act for the seats of persons only."),
    "host-only": ProblemText(403, "Only the token of the host allows this request.", "Use the token of the host."),
    "not-your-seat": ProblemText(
        403, "The token belongs to another seat.", "Use the token of that seat, or the token of the host."
    ),
    "no-such-game": ProblemText(
        404,
        "There is no game with this id. It may have been deleted or have expired.",
        "Check the id. The `expires_at` of a game says how long it is kept.",
    ),
    "no-such-variant": ProblemText(
        404, "There is no variant with this name.", "Use a name that `GET /variants` lists."
    ),
    "no-such-problem": ProblemText(404, "There is no problem code with this name.", "`GET /problems` lists all codes."),
    "not-found": ProblemText(404, "The service has no such path.", "Check the path. `GET /openapi.json` lists all."),
    "method-not-allowed": ProblemText(
        405, "The path does not support this method.", "Use one of the methods in the header `Allow`."
    ),
    "request-timeout": ProblemText(
        408, "The body did not arrive in time.", "Send the request again, with the same `Idempotency-Key`."
    ),
    "chance-in-between": ProblemText(
        409, GAME_RULES["chance-in-between"], "End the list with the move that causes an outcome of chance."
    ),
    "bot-in-between": ProblemText(
        409, GAME_RULES["bot-in-between"], "End the list with the move after which a bot is to act."
    ),
    "nothing-to-decide": ProblemText(
        409, "The seat has no decision to make now.", "Ask for advice when `to_act` of the game has the seat."
    ),
    "stale": ProblemText(
        412,
        "The seat was asked to decide after the version in `If-Match`. Nothing was changed.",
        "Read the game again, and decide anew.",
    ),
    "request-entity-too-large": ProblemText(
        413, "The body is larger than the service accepts.", "Send less. A long list of moves can be sent in parts."
    ),
    "unsupported-media-type": ProblemText(
        415, "The content type of the body is not `application/json`.", "Send `Content-Type: application/json`."
    ),
    "invalid-request": ProblemText(422, "The request does not match the contract.", _READ_CONTRACT),
    "not-a-move": ProblemText(
        422,
        "The text, or the type with its operands, is not a move of the variant.",
        "Send a listed move, or one by the notation that `GET /variants/{variant}` describes.",
    ),
    "missing-field": ProblemText(422, "The move lacks an operand that its type needs.", _READ_CONTRACT),
    "unknown-field": ProblemText(422, "The move has a member that its type does not have.", _READ_CONTRACT),
    "contradiction": ProblemText(
        422,
        "The notation of the move means another move than its type and operands.",
        "Send a listed move without changes, or only one of the two forms.",
    ),
    "seat-required": ProblemText(
        422, "Several seats are to act, and the request does not say which one moves.", "Add `seat` to the move."
    ),
    "seat-or-actor": ProblemText(
        422, "The move names both a seat and the actor `chance`.", "Send `seat` for a move, `actor` for an outcome."
    ),
    "seat-or-view": ProblemText(422, "The query has both `seat` and `view`.", "Send one of the two parameters."),
    "unknown-seat": ProblemText(422, "The game does not have this seat.", _WHICH_SEAT),
    "unknown-version": ProblemText(
        422, "The game does not have this version yet.", "Use a version up to the `version` of the game."
    ),
    "after-required": ProblemText(422, "`wait` was sent without `after`.", "Add the version that you have as `after`."),
    "after-or-version": ProblemText(
        422, "The query has both `after` and `version`.", "Send one of the two parameters."
    ),
    "idempotency-key-reused": ProblemText(
        422,
        "The `Idempotency-Key` was used for another request.",
        "Use a new key for each request, and the same key only to repeat the same request.",
    ),
    "game-too-long": ProblemText(
        422,
        "The record has more events than this service allows a game.",
        "Use a service with a larger `MAX_EVENTS`.",
    ),
    "illegal-event": ProblemText(
        422,
        "An event of the record breaks a rule. `rule` is the code of the rule.",
        "The record is not a legal game. `errors` points to its first event that is wrong.",
    ),
    "other-rules-version": ProblemText(
        422,
        "The record was played by another version of the rules than this service has.",
        "Use a service with that version of the rules. `GET /variants` shows the version of this service.",
    ),
    "wrong-chance": ProblemText(
        422,
        "An outcome of chance in the record does not follow from the seed.",
        "The record is not a fair game. `errors` points to the first outcome that is wrong.",
    ),
    "wrong-commitment": ProblemText(
        422,
        "The commitment of the record is not the SHA-256 of its seed, or belongs to a game without a seed.",
        "Send the seed and the commitment of the same game.",
    ),
    "wrong-outcome": ProblemText(
        422,
        "The game did not end after the events of the record as its `outcome` says.",
        "Compare the `outcome` with the one in `detail`.",
    ),
    "wrong-seed-from": ProblemText(
        422,
        "`seed_from` is after the last event of the record, or the game has no seed.",
        "Send `seed_from` as the record of the game has it.",
    ),
    "person-required": ProblemText(
        422, "All seats would be played by bots.", "Leave at least one seat to a person: give a name instead of a bot."
    ),
    "bots-need-seed": ProblemText(
        422,
        "Bots take their picks from the seed of the game, and a game with `chance: client` has none.",
        "Leave chance to the service, or the seats to persons.",
    ),
    "seed-unused": ProblemText(
        422,
        "A game with `chance: client` has no seed, because the host reports the outcomes of chance.",
        "Leave out `seed`, or leave chance to the service.",
    ),
    "too-many-requests": ProblemText(
        429, "A rate limit is exceeded. Nothing was changed.", "Wait for the seconds in `Retry-After`, then try again."
    ),
    "too-many-streams-for-address": ProblemText(
        429,
        "The process holds as many streams and long polls of this client address as it may.",
        "Close streams that are not needed, or try again after the seconds in `Retry-After`.",
    ),
    "too-much-thinking-for-address": ProblemText(
        429,
        "As many requests of the client's address as allowed are waiting for an expert in this process. Nothing was "
        "changed.",
        "Send fewer requests at once. Send this one again with the same `Idempotency-Key` after the seconds in "
        "`Retry-After`.",
    ),
    "internal-error": ProblemText(
        500,
        "An unexpected error in the service.",
        "Report the `request_id` to the operator of the service. Its log has the cause.",
    ),
    "busy": ProblemText(503, "Other requests changed the game first every time. Nothing was changed.", SAME_KEY),
    "too-much-thinking": ProblemText(
        503, "As many requests as allowed are waiting for an expert in this process. Nothing was changed.", SAME_KEY
    ),
    "too-many-streams": ProblemText(
        503,
        "The process holds as many streams and long polls as it may.",
        "Try again after the seconds in `Retry-After`, or read the game without waiting.",
    ),
    "store-away": ProblemText(
        503, "The store does not answer. It is unknown whether the request was carried out.", SAME_KEY
    ),
    "store-full": ProblemText(
        503,
        "The store has no room for this request. Nothing was changed.",
        "Try again later. The operator of the service has to add memory, or games have to expire.",
    ),
    "store-read-only": ProblemText(503, "The store takes no writes now. Nothing was changed.", SAME_KEY),
    "durability-unknown": ProblemText(
        503, "The request was carried out, but it may be less durable than the service promises.", SAME_KEY
    ),
    "newer-rules": ProblemText(
        503,
        "The game was created with newer rules than this instance of the service has.",
        "Try again. While the service is being updated another instance answers.",
    ),
}
"""The codes that no variant defines."""
