"""Hooks for schemathesis that supply the ids and tokens of existing games.

schemathesis loads this module (see `tests/contract/fuzz.py`). Generated ids are replaced by ids of prepared games of
each variant. Requests about a game get its token.
"""

import os
import re
import threading
from functools import cache
from typing import Any

import requests
import schemathesis
from lostcities.api.game_contract import pascal_case
from lostcities.variants.registry import VARIANTS
from schemathesis.openapi.checks import IgnoredAuth, RejectedPositiveData

ADDRESS = "SCHEMATHESIS_SERVICE"
"""The environment variable with the URL of the service."""

ID = re.compile(r"[a-z2-7]{16}")


class KnownGames:
    """The existing games and their host tokens."""

    def __init__(self, service: str) -> None:
        self._service = service
        self._lock = threading.Lock()
        self._tokens: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        self._waiting: list[str] = []
        for variant in VARIANTS:
            for number in range(2):
                self._waiting.append(self._create(variant, f"schemathesis-{variant}-{number}"))

    def _create(self, variant: str, key: str) -> str:
        wish = {"variant": variant, "players": ["Ann"] * VARIANTS[variant].rules.INFO.seats[0]}
        game = requests.post(f"{self._service}/games", json=wish, headers={"Idempotency-Key": key}, timeout=10).json()
        self._keys[game["id"]] = key
        self.learn(game)
        return str(game["id"])

    def over(self) -> str:
        """A finished game. Its event stream ends."""
        wish = {"variant": "duel", "players": ["Ann", "Ben"], "options": {"max_turns": 1}}
        game = requests.post(f"{self._service}/games", json=wish, timeout=10).json()
        path, headers = (
            f"{self._service}/games/{game['id']}/moves",
            {"Authorization": f"Bearer {game['tokens']['host']}"},
        )
        while moves := requests.get(path, headers=headers, timeout=10).json()["moves"]:
            requests.post(path, json=moves[0], headers=headers, timeout=10).raise_for_status()
        self.learn(game)
        return str(game["id"])

    def learn(self, game: Any) -> None:
        """Add a created game."""
        with self._lock:
            self._tokens[game["id"]] = game["tokens"]["host"]

    def forget(self, game_id: str) -> None:
        """Remove a deleted game. A prepared game is created again with the same key."""
        with self._lock:
            self._tokens.pop(game_id, None)
            key = self._keys.get(game_id)
        if key:
            self._create(key.removeprefix("schemathesis-").rsplit("-", 1)[0], key)

    def one_of_them(self, made_up: str) -> str:
        """The prepared game for a generated id. The same id always gives the same game."""
        return self._waiting[sum(made_up.encode()) % len(self._waiting)]

    def token(self, game_id: Any) -> str | None:
        """The host token of the game, if it exists."""
        with self._lock:
            return self._tokens.get(game_id)


@cache
def games() -> KnownGames:
    """The games of this run."""
    return KnownGames(os.environ[ADDRESS])


@cache
def over() -> str:
    """A finished game of this run."""
    return games().over()


@schemathesis.hook
def map_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Replace most generated ids by those of prepared games, and for event streams by that of a finished game."""
    game_id = (path_parameters or {}).get("game_id")
    if isinstance(game_id, str) and ID.fullmatch(game_id) and _operation(context.operation) == "streamEvents":
        return {**(path_parameters or {}), "game_id": over() if game_id[-1] != "7" else game_id}
    if isinstance(game_id, str) and ID.fullmatch(game_id) and games().token(game_id) is None and game_id[-1] != "7":
        return {**(path_parameters or {}), "game_id": games().one_of_them(game_id)}
    return path_parameters


@schemathesis.hook
def map_query(context: Any, query: dict[str, Any] | None) -> dict[str, Any] | None:
    """Set `after` to 0, so that no request waits: every prepared game has a later version."""
    if query and _operation(context.operation) == "getGame" and str(query.get("after")).isdigit():
        return {**query, "after": 0}
    return query


def _operation(operation: Any) -> Any:
    return operation.definition.raw.get("operationId")


@schemathesis.auth(refresh_interval=None)
class HostToken:
    """Adds the host token to requests about existing games."""

    def get(self, case: Any, _: Any) -> str | None:
        return games().token((case.path_parameters or {}).get("game_id"))

    def set(self, case: Any, data: str, _: Any) -> None:
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Update the list of games after creations and deletions."""
    if _operation(case.operation) == "createGame" and response.status_code == 201:
        games().learn(response.json())
    elif case.method == "DELETE" and response.status_code == 204:
        games().forget(case.path_parameters["game_id"])


# Ignored findings --------------------------------------------------------------------------------------------------

VIEW = {
    "seat-or-view": "JSON Schema cannot exclude one query parameter by another.",
    "unknown-seat": "The number of seats depends on the game.",
}
VERSION = {"unknown-version": "The versions that exist depend on the game."}
STALE = {"stale": "The versions that are old depend on the game."}
REUSED = {"idempotency-key-reused": "The keys that were used depend on earlier requests."}
MOVE = {
    "not-a-move": "Notation is text that no schema describes.",
    "contradiction": "The notation of a move depends on its type and operands.",
    "seat-required": "The seats that are to act depend on the game.",
    "unknown-seat": "The number of seats depends on the game.",
}
TABLE = {**VIEW, **REUSED, "seat-required": "The host's token has to name a seat."}
MOVE_OF_ANY_VARIANT = {
    **MOVE,
    "missing-field": "The operands of a move depend on the variant of the game.",
    "unknown-field": "The operands of a move depend on the variant of the game.",
}
POSITION = "No schema can count cards, tiles, gold, marks and turns, or compare options with each other."
RECORD = "No schema can replay a game."
OF_RECORDS = (
    "game-too-long",
    "illegal-event",
    "other-rules-version",
    "not-a-move",
    "unknown-seat",
    "wrong-chance",
    "wrong-commitment",
    "wrong-deadline",
    "wrong-outcome",
    "wrong-seed-from",
)


def _positions(*variants: str) -> dict[str, str]:
    return dict.fromkeys((code for variant in variants for code in VARIANTS[variant].schema.invariants), POSITION)


BEYOND_SCHEMA: dict[str, dict[str, str]] = {
    "createGame": {
        **_positions(*VARIANTS),
        **dict.fromkeys(OF_RECORDS, RECORD),
        **REUSED,
        "seed-unused": "The contract describes in words that `seed` is not for `chance: client`.",
        "bots-need-seed": "The contract describes in words that bots are not for `chance: client`.",
        "person-required": "JSON Schema cannot count the bots of a list.",
        "turn-seconds-required": "The contract describes in words that `on_timeout` is for a time limit.",
    },
    "getGame": {
        **VIEW,
        **VERSION,
        "after-or-version": "JSON Schema cannot exclude one query parameter by another.",
        "after-required": "JSON Schema cannot require one query parameter with another.",
    },
    "getBoard": {**VIEW, **VERSION},
    "listMoves": VIEW,
    "getHistory": VIEW,
    "getScore": VIEW,
    "getAdvice": {**VERSION, **{name: MOVE[name] for name in ("seat-required", "unknown-seat")}},
    "streamEvents": {**VIEW, **VERSION},
    "makeMoves": {**VIEW, **MOVE_OF_ANY_VARIANT, **STALE, **REUSED},
    "checkMoves": {**VIEW, **MOVE_OF_ANY_VARIANT, **STALE},
    "deleteGame": STALE,
    **dict.fromkeys(("resignGame", "undoMove", "requestClockwise", "claimTimeout"), TABLE),
    "handOverSeat": {**TABLE, "no-such-level": "The levels of bots depend on the variant of the game."},
    "forkGame": {**VERSION, **REUSED, "game-too-long": "The length of the game depends on earlier requests."},
    **{
        operation.format(variant=pascal_case(variant)): {**_positions(variant), **MOVE}
        for variant in VARIANTS
        for operation in (
            "list{variant}Moves",
            "apply{variant}Moves",
            "check{variant}Moves",
            "score{variant}Position",
            "advise{variant}",
        )
    },
}
"""By operation, the codes with which a request may be refused although it conforms to the schema, and why."""


@schemathesis.hook
def filter_failure(context: Any, failure: Any, case: Any, response: Any) -> bool:
    """All checks are enabled. Three kinds of findings are not failures of the service."""
    if isinstance(failure, RejectedPositiveData) and response.status_code in (412, 422):
        problem = response.json()
        known = BEYOND_SCHEMA.get(_operation(case.operation), {})
        return problem["code"] not in known
    # The contract describes the data of a message, as generated clients yield it. schemathesis reads the schema as that
    # of a whole message. `tests/api/test_streams.py` validates the data.
    if failure.title == "SSE event violates schema":
        return False
    # The check for missing authentication repeats the deletion. The game is deleted by then, so the status is 404.
    return not (isinstance(failure, IgnoredAuth) and case.method == "DELETE" and "404" in failure.message)
