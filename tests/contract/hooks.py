"""What schemathesis has to be told: which games there are, and their tokens.

It is loaded by schemathesis itself (`tests/contract/fuzz.py` says so). Games of every variant wait for it, so that
made-up ids become theirs; games that it creates give their tokens to what it asks about them.
"""

import os
import re
import threading
from functools import cache
from typing import Any

import requests
import schemathesis
from schemathesis.openapi.checks import IgnoredAuth, RejectedPositiveData

from service.rules.registry import GAMES

ADDRESS = "SCHEMATHESIS_SERVICE"
"""The variable of the environment that says where the service is."""

ID = re.compile(r"[a-z2-7]{16}")


class Games:
    """The games that there are, and their hosts' tokens."""

    def __init__(self, service: str) -> None:
        self._service = service
        self._lock = threading.Lock()
        self._tokens: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        self._waiting: list[str] = []
        for variant in GAMES:
            for number in range(2):
                self._waiting.append(self._create(variant, f"{variant}-{number}"))

    def _create(self, variant: str, key: str) -> str:
        wish = {"variant": variant, "players": ["Ann"] * GAMES[variant].ABOUT.seats[0]}
        game = requests.post(f"{self._service}/games", json=wish, headers={"Idempotency-Key": key}, timeout=10).json()
        self._keys[game["id"]] = key
        self.learn(game)
        return str(game["id"])

    def over(self) -> str:
        """A game that is over: its stream of events ends by itself."""
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
        """A game was created."""
        with self._lock:
            self._tokens[game["id"]] = game["tokens"]["host"]

    def forget(self, game_id: str) -> None:
        """A game was deleted; one that waited comes back under its id, as its key decides it."""
        with self._lock:
            self._tokens.pop(game_id, None)
            key = self._keys.get(game_id)
        if key:
            self._create(key.rsplit("-", 1)[0], key)

    def one_of_them(self, made_up: str) -> str:
        """A game that waits, always the same for the same made-up id."""
        return self._waiting[sum(made_up.encode()) % len(self._waiting)]

    def token(self, game_id: Any) -> str | None:
        """The host's token of that game, if there is one."""
        with self._lock:
            return self._tokens.get(game_id)


@cache
def games() -> Games:
    """The games of this run."""
    return Games(os.environ[ADDRESS])


@cache
def over() -> str:
    """A game of this run that is over."""
    return games().over()


@schemathesis.hook
def map_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Nearly all made-up ids become a real game's, and where events are streamed one's that is over."""
    game_id = (path_parameters or {}).get("game_id")
    if isinstance(game_id, str) and ID.fullmatch(game_id) and _operation(context.operation) == "streamEvents":
        return {**(path_parameters or {}), "game_id": over() if game_id[-1] != "7" else game_id}
    if isinstance(game_id, str) and ID.fullmatch(game_id) and games().token(game_id) is None and game_id[-1] != "7":
        return {**(path_parameters or {}), "game_id": games().one_of_them(game_id)}
    return path_parameters


@schemathesis.hook
def map_query(context: Any, query: dict[str, Any] | None) -> dict[str, Any] | None:
    """Every game has moved on from version 0: there is nothing to wait for."""
    if query and _operation(context.operation) == "getGame" and str(query.get("after")).isdigit():
        return {**query, "after": 0}
    return query


def _operation(operation: Any) -> Any:
    return operation.definition.raw.get("operationId")


@schemathesis.auth(refresh_interval=None)
class HostToken:
    """The host's token for whatever is asked about a game that there is."""

    def get(self, case: Any, _: Any) -> str | None:
        return games().token((case.path_parameters or {}).get("game_id"))

    def set(self, case: Any, data: str, _: Any) -> None:
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Keep up with the games that come and go."""
    if _operation(case.operation) == "createGame" and response.status_code == 201:
        games().learn(response.json())
    elif case.method == "DELETE" and response.status_code == 204:
        games().forget(case.path_parameters["game_id"])


# What is switched off, and why -------------------------------------------------------------------------------------


@schemathesis.hook
def filter_failure(context: Any, failure: Any, case: Any, response: Any) -> bool:
    """Every check is on. Two findings are no failures of the service."""
    # A request may fit the schema and still be refused, if what is wrong with it is beyond JSON Schema: a position that
    # cannot occur, a word that is none of this game's moves, an ETag of an earlier version. Such refusals have codes of
    # their own: `invalid-request`, by which the schema itself refuses, stays a failure.
    if isinstance(failure, RejectedPositiveData):
        beyond_schema = response.status_code == 412 or response.json()["code"] != "invalid-request"
        return response.status_code not in (412, 422) or not beyond_schema
    # Whether deleting takes a token cannot be seen by deleting the same game again: it is 404 by then.
    return not (isinstance(failure, IgnoredAuth) and case.method == "DELETE" and "404" in failure.message)
