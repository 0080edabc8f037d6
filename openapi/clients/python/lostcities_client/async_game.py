"""One game seen with one token: moves, long polls, the history, streams."""
# `openapi/clients/build.py` derives the synchronous module, game.py, from async_game.py.

import random
from asyncio import sleep
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field
from typing import Any, Self, cast

import httpx

from .connection import DEFAULT_RETRY, connect
from .contract import (
    UNSET,
    WITH_MOVES,
    Acted,
    Addition,
    CreatedGame,
    Event,
    Game,
    History,
    Move,
    MovesRequest,
    NewGame,
    StreamEnd,
    create_game,
    get_game,
    get_history,
    make_moves,
)
from .messages import Message, parse_message
from .sse import Block, Reader
from .transport import RETRIED, ProblemError, Retry, is_stream

WAIT = 25
"""Seconds of one long poll."""
RECONNECT = 2.0
"""Seconds within which a stream is opened again, unless the stream says otherwise."""
SILENCE = 20.0
"""Seconds without data after which a stream is given up. The service sends a comment every 15 seconds."""
TRIES = 2
"""After this number of streams in a row that sent nothing, a client that waits for its turn polls."""
ONCE = Retry(attempts=1)
PAGE = 500
"""Events on a page of the history: as many as the service allows."""

PLAYING = "playing"
STALE = 412


async def create_async(
    url: str,
    game: NewGame,
    *,
    api_key: str | None = None,
    key: str | None = None,
    language: str | None = None,
    retry: Retry = DEFAULT_RETRY,
) -> CreatedGame:
    """Create a game. The result has the tokens, which are shown once.

    `key` is the `Idempotency-Key`. Give one to create the same game in several processes. `language` is that of
    `connect`.
    """
    async with connect(url, api_key, language=language, retry=retry) as client:
        answer = await create_game.asyncio_detailed(client=client, body=game, idempotency_key=key or UNSET)
        return cast("CreatedGame", answer.parsed)


@dataclass
class AsyncTurn:
    """A decision of the caller: the game, and the moves that the caller may make in it."""

    of: "AsyncGameClient"
    game: Game
    moves: list[Move]
    etag: str
    _next: "tuple[Game, str] | None" = field(default=None, init=False, repr=False)

    async def make(self, move: MovesRequest) -> Acted | None:
        """Make a move, once. `None` if the decision is no longer open, because another request has made it."""
        try:
            acted, etag = await self.of._make(move, if_match=self.etag)
        except ProblemError as problem:
            if problem.status == STALE:
                return None
            raise
        self._next = acted.game, etag
        return acted


class AsyncGameClient:
    """A game of the service, used with one token, or without one to watch."""

    def __init__(
        self, url: str, token: str | None = None, *, language: str | None = None, retry: Retry = DEFAULT_RETRY
    ) -> None:
        """`url` is the URL of the game, `https://…/games/{id}`. `language` is that of `connect`."""
        service, _, self.id = url.rstrip("/").rpartition("/games/")
        self.client = connect(service, token, language=language, retry=retry)
        """The connection, for every other call."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.get_async_httpx_client().aclose()

    async def get(self) -> Game:
        """The game as the caller may see it."""
        return (await self._get())[0]

    async def wait(self, after: int, seconds: int = WAIT) -> Game:
        """A long poll: the game when it has a later version than `after`, or as it is when the time is up."""
        return (await self._get(after=after, wait=seconds))[0]

    async def make(self, move: MovesRequest, *, if_match: str | None = None, key: str | None = None) -> Acted:
        """Make a move or a list of moves, once.

        `if_match` is an `ETag`: a decision on an old state is refused (412). `key` is the `Idempotency-Key`.
        """
        return (await self._make(move, if_match=if_match, key=key))[0]

    async def turns(self) -> AsyncIterator[AsyncTurn]:
        """Every decision of the caller until the game is over: one request for each.

        After a decision the iterator waits until the caller may decide again. It waits with a stream, which has the
        moves, and opens it when it is needed first. If no move was made, it waits until the game has gone on.
        """
        game, etag = await self._get(include=WITH_MOVES)
        async with aclosing(AsyncUpdates(self)) as updates:
            while game.status == PLAYING:
                following = None
                if game.moves:
                    turn = AsyncTurn(self, game, list(game.moves), etag)
                    yield turn
                    following = turn._next
                game, etag = following or await updates.later_than(game.version)

    async def history(self, after: int = 0, *, page_size: int = PAGE) -> AsyncIterator[Event]:
        """Every event after a version, the oldest first, until the newest. A page is requested when it is needed."""
        following: int | None = after
        while following is not None:
            answer = await get_history.asyncio_detailed(self.id, client=self.client, after=following, limit=page_size)
            page = cast("History", answer.parsed)
            for event in page.events:
                yield event
            following = page.next_

    async def messages(self, after: int | None = None, *, include: Sequence[Addition] = ()) -> AsyncIterator[Message]:
        """The game, then every event when it happens, then the end. An interrupted stream is resumed.

        Each message has an `event`, which is "game", "event" or "end", and its `data`. `after` is the version of an
        event: the iterator continues with the next one. `include` adds moves and score to the game, and the game to the
        newest event: `message.data.game`.
        """
        pause = RECONNECT
        while True:
            try:
                async with AsyncExitStack() as stack:
                    blocks = await self._open_stream(stack, after, include)
                    if blocks is None:
                        return
                    async for block in blocks:
                        after, pause = block.id or after, block.retry or pause
                        if message := parse_message(block):
                            yield message
                        if block.event == "end":
                            return
            except httpx.TransportError:
                pass
            await sleep(random.uniform(0, pause))

    async def watch(self, after: int | None = None) -> AsyncIterator[Game | Event | StreamEnd]:
        """The data of each of the `messages`, without its kind."""
        async for message in self.messages(after):
            yield Event.from_dict(message.data.to_dict()) if message.event == "event" else message.data

    async def _open_stream(
        self, stack: AsyncExitStack, after: int | None, include: Sequence[Addition], **how: Any
    ) -> AsyncIterator[Block] | None:
        """The blocks of one stream, which is closed with the stack. `None` if there is nothing more to come (204)."""
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        query = {"include": ",".join(include)} if include else {}
        stream = self.client.get_async_httpx_client().stream(
            "GET", f"/games/{self.id}/events", headers=headers, params=query, **how
        )
        response = await stack.enter_async_context(stream)
        return blocks_of(response) if is_stream(response) else None

    async def _get(self, **query: Any) -> tuple[Game, str]:
        """The game and its `ETag`."""
        answer = await get_game.asyncio_detailed(self.id, client=self.client, **query)
        return cast("Game", answer.parsed), answer.headers["ETag"]

    async def _make(self, move: MovesRequest, *, if_match: str | None, key: str | None = None) -> tuple[Acted, str]:
        """Make a move. The game in the answer has the moves of the next decision."""
        answer = await make_moves.asyncio_detailed(
            self.id,
            client=self.client,
            body=move,
            include=WITH_MOVES,
            if_match=if_match or UNSET,
            idempotency_key=key or UNSET,
        )
        return cast("Acted", answer.parsed), answer.headers["ETag"]


async def blocks_of(response: httpx.Response) -> AsyncIterator[Block]:
    """The blocks of a stream, when they arrive."""
    reader = Reader()
    async for text in response.aiter_text():
        for block in reader.feed(text):
            yield block


class AsyncUpdates:
    """Waits for later versions of a game: with one stream, or with other requests while there is none."""

    def __init__(self, of: AsyncGameClient) -> None:
        self._of = of
        self._stack = AsyncExitStack()
        self._blocks: AsyncIterator[Block] | None = None
        self._failed = 0
        """Streams in a row that sent nothing."""

    async def later_than(self, version: int) -> tuple[Game, str]:
        """The first game with a later version that the stream or another request gives, and an ETag of it."""
        while True:
            wait = WAIT
            try:
                if self._failed < TRIES and (game := await self._next(version)):
                    return game, f'"{game.version}"'
            except httpx.TransportError:
                pass
            except ProblemError as problem:
                if problem.status not in RETRIED:
                    raise
                # The limit of streams counts long polls, too. A request that does not wait is always possible.
                wait = self._failed = 0
                await sleep(problem.retry_after or RECONNECT)
            await self.aclose()
            game, etag = await self._of._get(include=WITH_MOVES, after=version, wait=wait)
            if game.version > version:
                return game, etag

    async def _next(self, version: int) -> Game | None:
        """The first game with a later version in the stream, which is opened if need be. `None` if it ends before."""
        if self._blocks is None:
            self._failed += 1
            how = {"extensions": {"retry": ONCE}, "timeout": SILENCE}
            self._blocks = await self._of._open_stream(self._stack, version, ["moves"], **how)
        if self._blocks is None:
            return None
        async for block in self._blocks:
            self._failed = 0
            message = parse_message(block)
            if message and message.event == "event" and message.data.game and message.data.version > version:
                return message.data.game
        return None

    async def aclose(self) -> None:
        """Close the stream."""
        self._blocks = None
        await self._stack.aclose()
