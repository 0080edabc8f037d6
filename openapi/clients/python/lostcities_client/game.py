"""A connection to the service, and one game seen with one token: moves, long polls, streams."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Self, cast, get_args

import httpx

from .api.games import create_game, get_game, make_moves
from .client import AuthenticatedClient
from .models import Acted, Event, GetGameInclude, MakeMovesInclude, StreamEnd
from .sse import Message, messages
from .transport import AsyncTransport, ProblemError, Retry, Transport, is_stream
from .types import UNSET
from .unions import CreatedGame, Game, Move, MovesRequest, NewGame

TIMEOUT = 60.0
"""Seconds without data after which an attempt is given up. Long polls and silent streams send data sooner."""
WAIT = 25
"""Seconds of one long poll."""
RECONNECT = 2.0
"""Seconds within which a stream is opened again, unless the stream says otherwise."""

PLAYING = "playing"
STALE = 412
DEFAULT_RETRY = Retry()


def connect(url: str, token: str | None = None, *, retry: Retry = DEFAULT_RETRY) -> AuthenticatedClient:
    """A client for the generated functions, with retries. A problem is raised as `ProblemError`.

    `token` is a token of a game or, to create games, an API key.
    """
    base = url.rstrip("/")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    tls = httpx.create_ssl_context()
    client = AuthenticatedClient(base_url=base, token=token or "")
    return client.set_httpx_client(
        httpx.Client(
            base_url=base,
            headers=headers,
            timeout=TIMEOUT,
            transport=Transport(httpx.HTTPTransport(verify=tls), retry),
        )
    ).set_async_httpx_client(
        httpx.AsyncClient(
            base_url=base,
            headers=headers,
            timeout=TIMEOUT,
            transport=AsyncTransport(httpx.AsyncHTTPTransport(verify=tls), retry),
        )
    )


def create(
    url: str, game: NewGame, *, api_key: str | None = None, key: str | None = None, retry: Retry = DEFAULT_RETRY
) -> CreatedGame:
    """Create a game. The result has the tokens, which are shown once.

    `key` is the `Idempotency-Key`. Give one to create the same game in several processes.
    """
    with connect(url, api_key, retry=retry) as client:
        return cast("CreatedGame", create_game.sync(client=client, body=game, idempotency_key=key or UNSET))


@dataclass
class Turn:
    """A decision of the caller: the game, and the moves that the caller may make in it."""

    of: "GameClient"
    game: Game
    moves: list[Move]
    etag: str
    _next: "tuple[Game, str] | None" = field(default=None, init=False, repr=False)

    def make(self, move: MovesRequest) -> Acted | None:
        """Make a move, once. `None` if the decision is no longer open, because another request has made it."""
        try:
            acted, etag = self.of._make(move, if_match=self.etag)
        except ProblemError as problem:
            if problem.status == STALE:
                return None
            raise
        self._next = acted.game, etag
        return acted


class GameClient:
    """A game of the service, used with one token, or without one to watch."""

    def __init__(self, url: str, token: str | None = None, *, retry: Retry = DEFAULT_RETRY) -> None:
        """`url` is the URL of the game, `https://…/games/{id}`."""
        service, _, self.id = url.rstrip("/").rpartition("/games/")
        self.client = connect(service, token, retry=retry)
        """For every other call: `get_score.sync(game.id, client=game.client)`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.get_httpx_client().close()

    def get(self) -> Game:
        """The game as the caller may see it."""
        return self._get()[0]

    def wait(self, after: int, seconds: int = WAIT) -> Game:
        """A long poll: the game when it has a later version than `after`, or as it is when the time is up."""
        return self._get(after=after, wait=seconds)[0]

    def make(self, move: MovesRequest, *, if_match: str | None = None, key: str | None = None) -> Acted:
        """Make a move or a list of moves, once.

        `if_match` is an `ETag`: a decision on an old state is refused (412). `key` is the `Idempotency-Key`.
        """
        return self._make(move, if_match=if_match, key=key)[0]

    def turns(self) -> Iterator[Turn]:
        """Every decision of the caller until the game is over: one request for each.

        After a decision the iterator waits until the caller may decide again, with a long poll. If no move was made,
        it waits until the game has gone on.
        """
        game, etag = self._get(include=GetGameInclude.MOVES)
        while game.status == PLAYING:
            following = None
            if game.moves:
                turn = Turn(self, game, list(game.moves), etag)
                yield turn
                following = turn._next
            game, etag = following or self._get(include=GetGameInclude.MOVES, after=game.version, wait=WAIT)

    def _get(self, **query: Any) -> tuple[Game, str]:
        """The game and its `ETag`."""
        answer = get_game.sync_detailed(self.id, client=self.client, **query)
        return cast("Game", answer.parsed), answer.headers["ETag"]

    def _make(self, move: MovesRequest, *, if_match: str | None, key: str | None = None) -> tuple[Acted, str]:
        """Make a move. The game in the answer has the moves of the next decision."""
        answer = make_moves.sync_detailed(
            self.id,
            client=self.client,
            body=move,
            include=MakeMovesInclude.MOVES,
            if_match=if_match or UNSET,
            idempotency_key=key or UNSET,
        )
        return cast("Acted", answer.parsed), answer.headers["ETag"]

    def watch(self, after: int | None = None) -> Iterator[Game | Event | StreamEnd]:
        """The game, then every event when it happens, then the end. An interrupted stream is resumed.

        `after` is the version of an event: the iterator continues with the next one.
        """
        pause, has_ended = RECONNECT, False
        while not has_ended:
            try:
                for message in self._messages(after):
                    after = message.id or after
                    pause = message.retry or pause
                    has_ended = message.event == "end"
                    if message.event in PARSERS:
                        yield PARSERS[message.event](message.data)
            except StreamClosed:
                return
            except httpx.TransportError:
                pass
            if not has_ended:
                time.sleep(random.uniform(0, pause))

    def _messages(self, after: int | None) -> Iterator[Message]:
        """The messages of one connection."""
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        with self.client.get_httpx_client().stream("GET", f"/games/{self.id}/events", headers=headers) as response:
            if not is_stream(response):  # 204: there is nothing more to come
                raise StreamClosed
            yield from messages(response.iter_text())


class StreamClosed(Exception):
    """The game is over, and the caller has its last event."""


def parse_game(data: dict[str, Any]) -> Game:
    """The model of the game's variant."""
    for model in get_args(Game):
        try:
            return cast("Game", model.from_dict(data))
        except (KeyError, TypeError, ValueError):
            continue
    raise ValueError(data)


PARSERS: dict[str, Callable[[dict[str, Any]], Game | Event | StreamEnd]] = {
    "game": parse_game,
    "event": Event.from_dict,
    "end": StreamEnd.from_dict,
}
