"""The problem catalogue: each code with its status, its title, what it means and what a client should do.

`GET /problems` shows it. The texts of the games' rules are in `INFO.rules`, those of what positions and options violate
in the `invariants` of a game's contract.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from lostcities.games.moves import GAME_RULES, GAME_VALUES
from lostcities.games.table import TABLE_RULES
from lostcities.variants.core import N_, SHARED_RULES, SHARED_VALUES
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
    values: tuple[str, ...] = ()
    """The names of the values that a refusal by this rule can have."""

    @property
    def title(self) -> str:
        """The code in words.

        >>> KnownProblem("not-higher", 409, "", "").title
        'Not higher'
        """
        return self.code.replace("-", " ").capitalize()


_RULE_REMEDY: Final = N_("List the legal moves, and send one of them.")
_RULE_REMEDIES: Final = {
    "game-over": N_("Read the `outcome` of the game. A new game can go on from an earlier version: fork it there."),
    "not-your-turn": N_("Wait until `to_act` of the game has the seat."),
    "chance-to-act": N_("Let the host report the outcome, with `actor: chance`."),
}
"""Remedies for the rules after which there is no legal move to list."""
_INVARIANT_REMEDY: Final = N_("Correct the part of the body that `errors` points to.")
_SAME_KEY: Final = N_("Send the request again with the same `Idempotency-Key`, after the seconds in `Retry-After`.")
_READ_CONTRACT: Final = N_("Correct the request. `errors` names each part that is wrong.")
_WHICH_SEAT: Final = N_("Name a seat of this game. The length of `players` is the number of seats.")

_TEXTS: Final[Mapping[int, Mapping[str, tuple[str, str]]]] = {
    400: {
        "bad-request": (
            N_("The request is not valid HTTP, or not one that the service accepts."),
            N_("Correct the request."),
        ),
        "not-json": (
            N_("The body is not valid JSON, or its end did not arrive."),
            N_("Send a complete JSON document in UTF-8."),
        ),
    },
    401: {
        "api-key-required": (
            N_("This service creates games only for requests with one of its API keys."),
            N_("Send `Authorization: Bearer` and an API key. The operator of the service gives out the keys."),
        ),
        "bearer-token-expected": (
            N_("The header `Authorization` has another scheme than `Bearer`, or no token."),
            N_("Send `Authorization: Bearer` and a token of the game."),
        ),
        "token-required": (
            N_("The request needs a token of this game."),
            N_("Send the token of the seat or of the host, as `POST /games` returned it."),
        ),
        "unknown-token": (
            N_("The token is not a token of this game."),
            N_("Send a token that `POST /games` returned with this game. Tokens of other games are not valid here."),
        ),
    },
    403: {
        "bot-seat": (N_("The service plays this seat."), N_("Act for the seats of persons only.")),
        "host-only": (N_("Only the token of the host allows this request."), N_("Use the token of the host.")),
        "not-your-seat": (
            N_("The token belongs to another seat."),
            N_("Use the token of that seat, or the token of the host."),
        ),
    },
    404: {
        "no-such-game": (
            N_("There is no game with this id. It may have been deleted or have expired."),
            N_("Check the id. The `expires_at` of a game says how long it is kept."),
        ),
        "no-such-variant": (N_("There is no variant with this name."), N_("Use a name that `GET /variants` lists.")),
        "no-such-problem": (N_("There is no problem code with this name."), N_("`GET /problems` lists all codes.")),
        "not-found": (N_("The service has no such path."), N_("Check the path. `GET /openapi.json` lists all.")),
    },
    405: {
        "method-not-allowed": (
            N_("The path does not support this method."),
            N_("Use one of the methods in the header `Allow`."),
        ),
    },
    408: {
        "request-timeout": (
            N_("The body did not arrive in time."),
            N_("Send the request again, with the same `Idempotency-Key`."),
        ),
    },
    409: {
        "chance-in-between": (
            GAME_RULES["chance-in-between"],
            N_("End the list with the move that causes an outcome of chance."),
        ),
        "bot-in-between": (GAME_RULES["bot-in-between"], N_("End the list with the move after which a bot is to act.")),
        "nothing-to-decide": (
            N_("The seat has no decision to make now."),
            N_("Ask for advice when `to_act` of the game has the seat."),
        ),
        "bots-need-seed": (
            TABLE_RULES["bots-need-seed"],
            N_("Hand the seat over to a person, or delete the game."),
        ),
        "already-in-turn": (TABLE_RULES["already-in-turn"], N_("Go on with the game as it is.")),
        "no-deadline": (TABLE_RULES["no-deadline"], N_("Create games with `turn_seconds`.")),
        "not-finished": (
            N_("Advice about an earlier version is for finished games only."),
            N_("Leave out `version`, or ask again when the game is finished."),
        ),
        "nothing-to-claim": (
            TABLE_RULES["nothing-to-claim"],
            N_("Claim for a seat that `clocks` of the game lists."),
        ),
        "nothing-to-undo": (TABLE_RULES["nothing-to-undo"], N_("Go on with the game as it is.")),
        "person-required": (TABLE_RULES["person-required"], N_("Hand another seat over to a person before.")),
        "seat-resigned": (TABLE_RULES["seat-resigned"], N_("Choose another seat.")),
        "too-early": (
            TABLE_RULES["too-early"],
            N_("Wait for the seconds that `detail` names, or until the `until` in `clocks` of the game."),
        ),
        "undo-past-chance": (TABLE_RULES["undo-past-chance"], N_("Go on with the game as it is.")),
        "undo-past-others": (TABLE_RULES["undo-past-others"], N_("Go on with the game as it is.")),
    },
    412: {
        "stale": (
            N_("The seat was asked to decide after the version in `If-Match`. Nothing was changed."),
            N_("Read the game again, and decide anew."),
        ),
    },
    413: {
        "request-entity-too-large": (
            N_("The body is larger than the service accepts."),
            N_("Send less. A long list of moves can be sent in parts."),
        ),
    },
    415: {
        "unsupported-media-type": (
            N_("The content type of the body is not `application/json`."),
            N_("Send `Content-Type: application/json`."),
        ),
    },
    422: {
        "invalid-request": (N_("The request does not match the contract."), _READ_CONTRACT),
        "not-a-move": (
            N_("The text, or the type with its operands, is not a move of the variant."),
            N_("Send a listed move, or one by the notation that `GET /variants/{variant}` describes."),
        ),
        "missing-field": (N_("The move lacks an operand that its type needs."), _READ_CONTRACT),
        "unknown-field": (N_("The move has a member that its type does not have."), _READ_CONTRACT),
        "contradiction": (
            N_("The notation of the move means another move than its type and operands."),
            N_("Send a listed move without changes, or only one of the two forms."),
        ),
        "seat-required": (
            N_("The request can be about several seats and does not name one."),
            N_("Add `seat` to the move, or to the body or the query of another call."),
        ),
        "seat-or-actor": (
            N_("The move names both a seat and the actor `chance`."),
            N_("Send `seat` for a move, `actor` for an outcome."),
        ),
        "seat-or-view": (N_("The query has both `seat` and `view`."), N_("Send one of the two parameters.")),
        "unknown-seat": (N_("The game does not have this seat."), _WHICH_SEAT),
        "unknown-version": (
            N_("The game does not have this version yet."),
            N_("Use a version up to the `version` of the game."),
        ),
        "after-required": (N_("`wait` was sent without `after`."), N_("Add the version that you have as `after`.")),
        "after-or-version": (N_("The query has both `after` and `version`."), N_("Send one of the two parameters.")),
        "idempotency-key-reused": (
            N_("The `Idempotency-Key` was used for another request."),
            N_("Use a new key for each request, and the same key only to repeat the same request."),
        ),
        "game-too-long": (
            N_("The record has more events than this service allows a game."),
            N_("Use a service with a larger `MAX_EVENTS`."),
        ),
        "illegal-event": (
            N_("An event of the record breaks a rule. `rule` is the code of the rule."),
            N_("The record is not a legal game. `errors` points to its first event that is wrong."),
        ),
        "other-rules-version": (
            N_("The record was played by another version of the rules than this service has."),
            N_("Use a service with that version of the rules. `GET /variants` shows the version of this service."),
        ),
        "wrong-chance": (
            N_("An outcome of chance in the record does not follow from the seed."),
            N_("The record is not a fair game. `errors` points to the first outcome that is wrong."),
        ),
        "wrong-commitment": (
            N_("The commitment of the record is not the SHA-256 of its seed, or belongs to a game without a seed."),
            N_("Send the seed and the commitment of the same game."),
        ),
        "wrong-outcome": (
            N_("The game did not end after the events of the record as its `outcome` says."),
            N_("Compare the `outcome` with the one in `detail`."),
        ),
        "wrong-seed-from": (
            N_("`seed_from` is after the last event of the record, or the game has no seed."),
            N_("Send `seed_from` as the record of the game has it."),
        ),
        "person-required": (
            N_("All seats would be played by bots."),
            N_("Leave at least one seat to a person: give a name instead of a bot."),
        ),
        "bots-need-seed": (
            N_("Bots take their picks from the seed of the game, and a game with `chance: client` has none."),
            N_("Leave chance to the service, or the seats to persons and without a time limit."),
        ),
        "no-such-level": (
            N_("The game has no bots of this level."),
            N_("Use a level that `bots` in the description of the variant lists."),
        ),
        "wrong-deadline": (
            N_("The record has only a part of a time limit, or a format without one."),
            N_("Send `turn_seconds` and `on_timeout` as the record of the game has them."),
        ),
        "turn-seconds-required": (
            N_("`on_timeout` was sent without `turn_seconds`."),
            N_("Add `turn_seconds`, or leave out `on_timeout`."),
        ),
        "seed-unused": (
            N_("A game with `chance: client` has no seed, because the host reports the outcomes of chance."),
            N_("Leave out `seed`, or leave chance to the service."),
        ),
    },
    429: {
        "too-many-requests": (
            N_("A rate limit is exceeded. Nothing was changed."),
            N_("Wait for the seconds in `Retry-After`, then try again."),
        ),
        "too-many-streams-for-address": (
            N_("The process holds as many streams and long polls of this client address as it may."),
            N_("Close streams that are not needed, or try again after the seconds in `Retry-After`."),
        ),
        "too-much-thinking-for-address": (
            N_(
                "As many requests of the client's address as allowed are waiting for an expert in this process. "
                "Nothing "
                "was changed."
            ),
            N_(
                "Send fewer requests at once. Send this one again with the same `Idempotency-Key` after the seconds in "
                "`Retry-After`."
            ),
        ),
    },
    500: {
        "internal-error": (
            N_("An unexpected error in the service."),
            N_("Report the `request_id` to the operator of the service. Its log has the cause."),
        ),
    },
    503: {
        "busy": (N_("Other requests changed the game first every time. Nothing was changed."), _SAME_KEY),
        "too-much-thinking": (
            N_("As many requests as allowed are waiting for an expert in this process. Nothing was changed."),
            _SAME_KEY,
        ),
        "too-many-streams": (
            N_("The process holds as many streams and long polls as it may."),
            N_("Try again after the seconds in `Retry-After`, or read the game without waiting."),
        ),
        "store-away": (N_("The store does not answer. It is unknown whether the request was carried out."), _SAME_KEY),
        "store-full": (
            N_("The store has no room for this request. Nothing was changed."),
            N_("Try again later. The operator of the service has to add memory, or games have to expire."),
        ),
        "store-read-only": (N_("The store takes no writes now. Nothing was changed."), _SAME_KEY),
        "durability-unknown": (
            N_("The request was carried out, but it may be less durable than the service promises."),
            _SAME_KEY,
        ),
        "newer-rules": (
            N_("The game was created with newer rules than this instance of the service has."),
            N_("Try again. While the service is being updated another instance answers."),
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
    for problem in SHARED:
        yield problem._replace(values=tuple(GAME_VALUES.get(problem.code, ())))
    for code, rule in SHARED_RULES.items():
        yield _broken(code, rule, SHARED_VALUES)
    for name, variant in VARIANTS.items():
        info = variant.rules.INFO
        for code, rule in info.rules.items():
            if code not in SHARED_RULES:
                yield _broken(code, rule, info.values, name)
        for code, invariant in variant.schema.invariants.items():
            yield KnownProblem(code, 422, invariant, _INVARIANT_REMEDY, (name,))


def _broken(code: str, rule: str, values: Mapping[str, Sequence[str]], *variants: str) -> KnownProblem:
    """The problem of a move that breaks a rule."""
    return KnownProblem(code, 409, rule, _RULE_REMEDIES.get(code, _RULE_REMEDY), variants, tuple(values.get(code, ())))


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
