"""The authorisation matrix: every call of the contract by every kind of caller."""

from typing import Any, NamedTuple

import pytest
from lostcities.variants.registry import VARIANTS

from tests.client import Client, GameClient, create_game
from tests.contract.conforms import CONTRACT

WHO = ("nobody", "acting seat", "other seat", "other game", "other host", "garbage", "host")


class Row(NamedTuple):
    """A call, and the status for each caller of `WHO`."""

    method: str
    template: str
    query: str
    body: Any
    statuses: tuple[int, ...]


def open_to_all(method: str, template: str, status: int, body: Any = None) -> Row:
    """A call that ignores tokens."""
    return Row(method, template, "", body, (status,) * len(WHO))


GAME = "/games/{game_id}"
SPECTACLE = (200, 200, 200, 401, 401, 401, 200)
"""Statuses of a call that spectators and players may make. Tokens of other games are rejected."""
OF_THE_SEAT = (401, 200, 403, 401, 401, 401, 200)
OF_THE_HOST = (401, 403, 403, 401, 401, 401, 200)

MOVE = {"notation": "discard FIRST"}

ROWS = [
    open_to_all("GET", "/livez", 200),
    open_to_all("GET", "/readyz", 200),
    open_to_all("GET", "/metrics", 200),
    open_to_all("GET", "/problems", 200),
    open_to_all("GET", "/problems/{code}", 200),
    open_to_all("GET", "/variants", 200),
    open_to_all("GET", "/variants/{variant}", 200),
    open_to_all("POST", "/games", 201, {"variant": "duel", "players": ["Ann", "Ben"]}),
    *(
        open_to_all("POST", f"/variants/{variant}/{question}", 422, {})
        for variant in VARIANTS
        for question in ("moves", "apply", "check", "score", "advice", "verify")
    ),
    Row("GET", GAME, "", None, SPECTACLE),
    Row("GET", GAME, "?version=1", None, SPECTACLE),
    Row("GET", GAME, "?seat=0", None, OF_THE_SEAT),
    Row("GET", GAME, "?seat=0&version=1", None, OF_THE_SEAT),
    Row("GET", GAME, "?view=full", None, OF_THE_HOST),
    Row("GET", GAME, "?view=full&version=1", None, OF_THE_HOST),
    Row("GET", GAME + "/board.svg", "", None, SPECTACLE),
    Row("GET", GAME + "/board.svg", "?seat=0", None, OF_THE_SEAT),
    Row("GET", GAME + "/board.svg", "?view=full&version=1", None, OF_THE_HOST),
    Row("GET", GAME + "/moves", "", None, SPECTACLE),
    Row("GET", GAME + "/moves", "?seat=0", None, OF_THE_SEAT),
    Row("GET", GAME + "/history", "", None, SPECTACLE),
    Row("GET", GAME + "/history", "?seat=0", None, OF_THE_SEAT),
    Row("GET", GAME + "/history", "?view=full", None, OF_THE_HOST),
    Row("GET", GAME + "/events", "", None, SPECTACLE),
    Row("GET", GAME + "/events", "?seat=0", None, OF_THE_SEAT),
    Row("GET", GAME + "/events", "?view=full", None, OF_THE_HOST),
    Row("GET", GAME, "?after=0&wait=30", None, SPECTACLE),
    Row("GET", GAME, "?after=0&wait=30&seat=0", None, OF_THE_SEAT),
    Row("GET", GAME + "/score", "", None, SPECTACLE),
    Row("GET", GAME + "/fairness", "", None, SPECTACLE),
    Row("GET", GAME + "/record", "", None, OF_THE_HOST),
    Row("GET", GAME + "/advice", "", None, (401, 200, 409, 401, 401, 401, 200)),
    Row("GET", GAME + "/advice", "?seat=0", None, OF_THE_SEAT),
    Row("GET", GAME + "/advice", "?version=2&seat=0", None, (401, 409, 409, 401, 401, 401, 409)),
    Row("POST", GAME + "/check", "", {"seat": 0, **MOVE}, OF_THE_SEAT),
    Row("POST", GAME + "/check", "", MOVE, (401, 200, 200, 401, 401, 401, 200)),
    Row("POST", GAME + "/check", "", {"actor": "chance", "notation": "draw R7"}, (401, 403, 403, 401, 401, 401, 200)),
    Row("POST", GAME + "/moves", "", {"seat": 0, **MOVE}, OF_THE_SEAT),
    Row("POST", GAME + "/moves", "", MOVE, (401, 200, 409, 401, 401, 401, 200)),
    Row("POST", GAME + "/moves", "?seat=0", MOVE, (401, 200, 403, 401, 401, 401, 200)),
    Row("POST", GAME + "/moves", "?view=full", MOVE, OF_THE_HOST),
    Row("POST", GAME + "/moves", "", {"moves": [MOVE, {"seat": 1, **MOVE}]}, (401, 403, 409, 401, 401, 401, 409)),
    Row("POST", GAME + "/moves", "", {"actor": "chance", "notation": "draw R7"}, (401, 403, 403, 401, 401, 401, 409)),
    Row("POST", GAME + "/resign", "", {"seat": 0}, OF_THE_SEAT),
    Row("POST", GAME + "/resign", "", {}, (401, 200, 200, 401, 401, 401, 422)),
    Row("POST", GAME + "/resign", "?view=full", {"seat": 0}, OF_THE_HOST),
    Row("POST", GAME + "/undo", "", {"seat": 0}, (401, 409, 403, 401, 401, 401, 409)),
    Row("POST", GAME + "/clockwise", "", {"seat": 0}, (401, 409, 403, 401, 401, 401, 409)),
    Row("POST", GAME + "/claim", "", {}, (401, 409, 409, 401, 401, 401, 409)),
    Row("POST", GAME + "/seats/{seat}", "", {"person": "Cleo"}, OF_THE_HOST),
    Row("POST", GAME + "/seats/{seat}", "", {"bot": "greedy"}, OF_THE_HOST),
    Row("POST", GAME + "/fork", "", {"version": 2}, (401, 403, 403, 401, 401, 401, 201)),
    Row("DELETE", GAME, "", None, (401, 403, 403, 401, 401, 401, 204)),
]


@pytest.mark.parametrize(
    ("row", "who"),
    [pytest.param(row, who, id=f"{row.method} {row.template}{row.query} {who}") for row in ROWS for who in WHO],
)
def test_each_caller_gets_the_status_of_the_matrix(api: Client, row: Row, who: str) -> None:
    game, stranger = create_game(api), create_game(api)
    token = {
        "nobody": None,
        "acting seat": game.seats[0],
        "other seat": game.seats[1],
        "other game": stranger.seats[0],
        "other host": stranger.host,
        "garbage": "host_" + "0" * 32,
        "host": game.host,
    }[who]
    before = everything(game)
    hand = game.get("?seat=0", token=game.host).body["position"]["hands"][0]
    path = row.template.format(game_id=game.id, variant="duel", code="stale", seat=1) + row.query
    # A stream has no end, so only its head is read.
    method = "HEAD" if row.template.endswith("/events") else row.method
    answer = api(method, path, _with(row.body, hand[0]), token=token)
    assert answer.status == dict(zip(WHO, row.statuses, strict=True))[who], answer.content
    if answer.status >= 400:
        assert everything(game) == before, "a rejected call changes nothing"


def everything(game: GameClient) -> Any:
    return [game.get(question, token=game.host).content for question in ("?view=full", "/history?view=full", "/score")]


def _with(body: Any, card: str) -> Any:
    """The request body with a card from the acting seat's hand."""
    if isinstance(body, dict):
        return {name: _with(value, card) for name, value in body.items()}
    if isinstance(body, list):
        return [_with(value, card) for value in body]
    return body.replace("FIRST", card) if isinstance(body, str) else body


def test_the_matrix_is_complete() -> None:
    calls = {(method.upper(), path) for path, item in CONTRACT["paths"].items() for method in item if len(method) < 7}
    assert {(row.method, row.template) for row in ROWS} == calls
