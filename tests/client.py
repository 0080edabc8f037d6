"""An HTTP client for tests. It checks every response against the contract."""

import json
from typing import Any, NamedTuple, Protocol

from tests.contract import conforms


class Answer(NamedTuple):
    """An HTTP response."""

    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def body(self) -> Any:
        """The decoded JSON body."""
        return json.loads(self.content)

    @property
    def code(self) -> str:
        """The problem code."""
        assert self.headers["Content-Type"] == "application/problem+json", self.content
        return str(self.body["code"])

    @property
    def pointers(self) -> list[str]:
        """The JSON pointers in a problem's `errors`."""
        return [part["pointer"] for part in self.body.get("errors", [])]


class Transport(Protocol):
    """Sends a request: to the application in process, or to a real server."""

    def __call__(self, method: str, path: str, headers: dict[str, str], data: bytes | None) -> Answer: ...


class Client:
    """Sends requests to the service."""

    def __init__(self, send: Transport) -> None:
        self._send = send

    def __call__(
        self,
        method: str,
        path: str,
        json_: Any = None,
        *,
        token: str | None = None,
        key: str | None = None,
        if_match: str | None = None,
        data: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        sent = dict(headers or {})
        if json_ is not None:
            data = json.dumps(json_).encode()
        if data is not None:
            sent.setdefault("Content-Type", "application/json")
        given = {"Authorization": token and f"Bearer {token}", "Idempotency-Key": key, "If-Match": if_match}
        sent.update({name: value for name, value in given.items() if value})
        answer = self._send(method, path, sent, data)
        conforms.check(method, path, answer.status, answer.headers, answer.content)
        return answer

    def get(self, path: str, **kwargs: Any) -> Answer:
        return self("GET", path, **kwargs)

    def post(self, path: str, json_: Any = None, **kwargs: Any) -> Answer:
        return self("POST", path, json_, **kwargs)

    def delete(self, path: str, **kwargs: Any) -> Answer:
        return self("DELETE", path, **kwargs)


class GameClient(NamedTuple):
    """A game with its tokens, and methods to call it."""

    api: Client
    id: str
    host: str
    seats: list[str]
    created: Any

    @property
    def path(self) -> str:
        return f"/games/{self.id}"

    def get(self, what: str = "", **kwargs: Any) -> Answer:
        return self.api.get(self.path + what, **kwargs)

    def move(self, notation: str, seat: int | None = None, **kwargs: Any) -> Answer:
        """Make a move as the host: for the given seat, or for the seat that is to act."""
        body = {"notation": notation} if seat is None else {"seat": seat, "notation": notation}
        return self.api.post(self.path + "/moves", body, token=kwargs.pop("token", self.host), **kwargs)

    def outcome(self, notation: str) -> Answer:
        """Make a chance outcome as the host."""
        return self.api.post(self.path + "/moves", {"actor": "chance", "notation": notation}, token=self.host)

    def do(self, *notations: str) -> None:
        """Make moves as the host. All of them must be legal."""
        for notation in notations:
            answer = self.move(notation)
            assert answer.status == 200, answer.content


def create_game(api: Client, variant: str = "duel", players: int = 2, **wish: Any) -> GameClient:
    """Create a game."""
    answer = api.post("/games", {"variant": variant, "players": [f"Player {n}" for n in range(players)], **wish})
    assert answer.status == 201, answer.content
    body = answer.body
    return GameClient(api, body["id"], body["tokens"]["host"], body["tokens"]["seats"], body)
