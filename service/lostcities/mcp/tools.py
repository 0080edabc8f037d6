"""The tools of the MCP server. Each answers with text, and refuses with a `ToolError` whose text names the rule."""

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, Final

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field, ValidationError
from pydantic_core import ErrorDetails

from lostcities.mcp import texts
from lostcities.mcp.embedded import ServiceNotStarted
from lostcities.mcp.seats import Seat, Seats
from lostcities.mcp.service import JsonObject, RefusedRequest, Service

OPEN: Final = "open"
"""An opponent that joins with a code."""
MAX_WAIT: Final = 50
"""Seconds that `wait_for_turn` waits at most: clients give up a call after 60."""
POLL: Final = 25
"""Seconds of one long poll at most."""
MAX_CALL: Final = 58
"""Seconds of any call at most."""
LATEST: Final = 5
"""Seconds that `wait_for_turn` may take longer than it was asked to wait."""
NO_ANSWER: Final = "the service does not answer in time; look shows whether a move was made"
INCLUDE: Final = "moves,score"
"""What the tools read of a game besides its position."""
PAGE: Final = 500
"""Events on a page of history."""

INSTRUCTIONS: Final = """\
Play the Lost Cities games. list_games shows them, rules explains one, new_game creates a game and gives you a seat, \
join_game gives you a seat in the game of another player. Each returns the name of your game, which all other tools \
take. When it is your turn, decide and call make_move with the notation of one move; a turn may need several moves. \
Bots answer at once. When another player is to act, call wait_for_turn. A refused move changes nothing and names the \
rule that it breaks."""

READS: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
CHANGES: Final = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)

Tool = Callable[..., Awaitable[str]]

GameName = Annotated[str, Field(description="the name of your game, as new_game or join_game returned it")]
VariantName = Annotated[str, Field(description="a game of list_games, such as 'duel'")]


class ToolServer(MCPServer[Any]):
    """Refuses wrong arguments in a sentence, as the service does, and ends a call that takes too long."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None) -> Any:
        """Call a tool. Raises `ToolError`."""
        known = {tool.name: tool.input_schema["properties"] for tool in await self.list_tools()}.get(name, arguments)
        if unknown := [argument for argument in arguments if argument not in known]:
            takes = f"{name} takes {', '.join(known)}" if known else f"{name} takes no arguments"
            raise _wrong_arguments(name, [f"unknown argument, {takes} (/{argument[:40]})" for argument in unknown])
        try:
            with anyio.fail_after(MAX_CALL):
                return await super().call_tool(name, arguments, context)
        except TimeoutError:
            raise ToolError(f"Error executing tool {name}: {NO_ANSWER}") from None
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise _wrong_arguments(name, [*map(_sentence, error.__cause__.errors())]) from None
            raise


def _wrong_arguments(tool: str, sentences: Sequence[str]) -> ToolError:
    return ToolError(f"Error executing tool {tool}: invalid-request: {'; '.join(sentences)}")


def _sentence(error: ErrorDetails) -> str:
    """What is wrong with an argument, and its place."""
    return f"{error['msg']} (/{'/'.join(map(str, error['loc']))})"


class Tools:
    """What the tools do, for the service at a URL."""

    def __init__(
        self, find_url: Callable[[], str], service: Service, seats: Seats, *, hide_legal_moves: bool = False
    ) -> None:
        """Tools for a service that may still start.

        :param find_url: waits until the service listens, and returns its address; raises `ServiceNotStarted`
        :param hide_legal_moves: no answer lists the legal moves, and there is no advice
        """
        self._find_url = find_url
        self._service = service
        self._seats = seats
        self._shows_moves = not hide_legal_moves
        self._variants: dict[tuple[str, str], JsonObject] = {}
        self._last_seen: dict[str, int] = {}
        """By name of a game: the version that the model saw last."""

    def server(self) -> ToolServer:
        """The MCP server with these tools."""
        server = ToolServer(
            "lostcities",
            title="Lost Cities",
            instructions=INSTRUCTIONS,
            log_level="WARNING",
        )
        reading: list[Tool] = [self.list_games, self.look, self.wait_for_turn, self.score, self.rules]
        if self._shows_moves:
            reading += [self.legal_moves, self.advice]
        for function in reading:
            server.add_tool(function, annotations=READS, structured_output=False)
        for function in (self.new_game, self.join_game, self.make_move):
            server.add_tool(function, annotations=CHANGES, structured_output=False)
        return server

    # Games -----------------------------------------------------------------------------------------------------------

    async def list_games(self) -> str:
        """List the games that can be played, with their numbers of players, options and bots."""
        url = await self._url()
        listed = await self._service.get(f"{url}/variants")
        return texts.variants([await self._variant(url, each["variant"]) for each in listed["variants"]])

    async def rules(self, variant: VariantName) -> str:
        """Explain a game: its rules, the notation of its moves, and what it scores."""
        return texts.rules(await self._variant(await self._url(), variant))

    async def new_game(
        self,
        *,
        variant: VariantName,
        opponents: Annotated[
            list[str],
            Field(
                min_length=1,
                max_length=4,
                description="for each other seat the level of a bot ('random', 'greedy', 'expert'), "
                "or 'open' for another player, who joins with the code that is returned",
            ),
        ] = ["greedy"],  # noqa: B006  (pydantic copies it)
        options: Annotated[dict[str, Any] | None, Field(description="options that differ from the defaults")] = None,
        seat: Annotated[int, Field(ge=0, le=4, description="your seat; seat 0 begins")] = 0,
        name: Annotated[str, Field(min_length=1, max_length=40, description="your name at the table")] = "Agent",
        seed: Annotated[
            str | None, Field(description="64 hexadecimal digits that determine chance; random if left out")
        ] = None,
    ) -> str:
        """Create a game and take a seat. Returns the name of your game, codes for open seats, and the board."""
        if seat > len(opponents):
            raise ToolError(f"unknown-seat: a game with {len(opponents)} opponents has the seats 0 to {len(opponents)}")
        levels: list[str | None] = [*opponents]
        levels.insert(seat, None)
        body: JsonObject = {
            "variant": variant,
            "players": [name if level is None else _player(number, level) for number, level in enumerate(levels)],
            **({"options": options} if options else {}),
            **({"seed": seed} if seed else {}),
        }
        url = await self._url()
        created = await self._service.post(f"{url}/games", body)
        tokens = created["tokens"]["seats"]
        own, *others = (
            Seat(url, created["id"], number, variant, tokens[number])
            for number in (seat, *(number for number, level in enumerate(levels) if level == OPEN))
        )
        game = self._seats.keep(own)
        codes = [f"Code for seat {other.seat}, good for one player: {self._seats.invite(other)}" for other in others]
        return "\n".join((*codes, await self._table(game, own)))

    async def join_game(
        self, code: Annotated[str, Field(description="the code that the creator of the game was given")]
    ) -> str:
        """Take an open seat in the game of another player. Returns the name of your game, and the board."""
        game = self._seats.join(code)
        return await self._table(game, self._seats.find(game))

    # A game ----------------------------------------------------------------------------------------------------------

    async def look(self, game: GameName) -> str:
        """Show the board as you may see it, what changed since your last look, and whether it is your turn."""
        return await self._table(game, self._seats.find(game))

    async def legal_moves(self, game: GameName) -> str:
        """List your legal moves, one in each line. The list is empty when it is not your turn."""
        seat = self._seats.find(game)
        listed = await self._service.get(f"{seat.path}/moves", seat.token)
        return "\n".join(move["notation"] for move in listed["moves"])

    async def make_move(
        self,
        game: GameName,
        move: Annotated[
            str,
            Field(
                max_length=200,
                description="the notation of one move, such as 'play R7'; "
                "or 'undo' to take back your last move, or 'resign' to give up the game",
            ),
        ],
    ) -> str:
        """Make one move. Returns the board after it and after the moves of bots. A refused move changes nothing."""
        seat = self._seats.find(game)
        call, body = (move, {}) if move in texts.TABLE_EVENTS else ("moves", {"notation": move})
        try:
            made = await self._service.post(f"{seat.path}/{call}", body, seat.token, include=INCLUDE)
        except RefusedRequest as problem:
            raise await self._explained(problem, seat) from None
        return await self._table(game, seat, made["game"], made["events"])

    async def wait_for_turn(
        self,
        game: GameName,
        seconds: Annotated[int, Field(ge=1, le=MAX_WAIT, description="how long to wait at most")] = 30,
    ) -> str:
        """Wait until it is your turn or the game is over, and show the board. Returns after `seconds` in any case."""
        seat = self._seats.find(game)
        try:
            with anyio.fail_after(seconds + LATEST):
                return await self._table(game, seat, await self._wait(seat, time.monotonic() + seconds))
        except TimeoutError:
            raise ToolError(NO_ANSWER) from None

    async def _wait(self, seat: Seat, deadline: float) -> JsonObject:
        """The game when the seat is to act, when it is over, or at the deadline."""
        current = await self._service.get(seat.path, seat.token, include=INCLUDE)
        while current["outcome"] is None and seat.seat not in current["to_act"]:
            left = deadline - time.monotonic()
            if left <= 0:
                break
            wait = max(1, min(POLL, int(left)))
            current = await self._service.get(
                seat.path, seat.token, after=current["version"], wait=wait, include=INCLUDE
            )
        return current

    async def score(self, game: GameName) -> str:
        """Show the score of each seat line by line, as the game stands now."""
        seat = self._seats.find(game)
        current = await self._service.get(seat.path, seat.token, include="score")
        return texts.score(current["score"], texts.names_of(current, seat.seat))

    async def advice(self, game: GameName) -> str:
        """Ask the strongest bot what each of your legal moves is worth. It takes about a second."""
        seat = self._seats.find(game)
        return texts.advice(await self._service.get(f"{seat.path}/advice", seat.token))

    # The service -----------------------------------------------------------------------------------------------------

    async def _url(self) -> str:
        """The address of the service that has new games."""
        try:
            return await anyio.to_thread.run_sync(self._find_url)
        except ServiceNotStarted as error:
            raise ToolError(str(error)) from None

    # Parts of the answers --------------------------------------------------------------------------------------------

    async def _table(
        self, name: str, seat: Seat, game: JsonObject | None = None, newest: Sequence[JsonObject] = ()
    ) -> str:
        """The game as text. What it shows counts as seen.

        :param game: the game with its moves and score; it is read if left out
        :param newest: the events that lead to this game, as far as they are known
        """
        game = game or await self._service.get(seat.path, seat.token, include=INCLUDE)
        seen = self._last_seen.get(name)
        until = newest[0]["version"] - 1 if newest else game["version"]
        happened = [*await self._events(seat, seen or 0, until), *newest]
        variant = await self._variant(seat.url, seat.variant)
        self._last_seen[name] = game["version"]
        since = "What happened so far" if seen is None else "Since your last look"
        return "\n".join(
            (
                f"Game {name}: {variant['title']}, version {game['version']}. You have seat {seat.seat}.",
                f"{since}:" if happened else f"{since}: nothing.",
                *texts.table(game, variant, seat.seat, happened, show_moves=self._shows_moves),
            )
        )

    async def _events(self, seat: Seat, after: int, until: int) -> list[JsonObject]:
        """The events after a version, until another one."""
        happened: list[JsonObject] = []
        while after < until:
            page = await self._service.get(f"{seat.path}/history", seat.token, after=after, limit=PAGE)
            happened += [event for event in page["events"] if event["version"] <= until]
            after = page["events"][-1]["version"]
        return happened

    async def _variant(self, url: str, variant: str) -> JsonObject:
        """The description of a variant, which stays the same."""
        key = (url, variant)
        if key not in self._variants:
            listed = await self._service.get(f"{url}/variants")
            names = [each["variant"] for each in listed["variants"]]
            if variant not in names:
                raise ToolError(f"no-such-variant: there is no game {variant[:40]!r}; list_games lists {names}")
            self._variants[key] = await self._service.get(f"{url}/variants/{variant}")
        return self._variants[key]

    async def _explained(self, problem: RefusedRequest, seat: Seat) -> ToolError:
        """The refusal of a move, with the sentence of the rule that it breaks."""
        if problem.rule is None:
            return problem
        variant = await self._variant(seat.url, seat.variant)
        sentences = {rule["code"]: rule["text"] for rule in variant["rules"]}
        if problem.rule not in sentences:
            explained = await self._service.get(f"{seat.url}/problems/{problem.rule}")
            sentences[problem.rule] = explained["meanings"][0]["meaning"]
        return ToolError(f"{problem}. The rule: {sentences[problem.rule]}")


def _player(seat: int, level: str) -> str | JsonObject:
    """A player of a new game: a bot, or a name for an open seat."""
    return f"Player {seat}" if level == OPEN else {"name": f"{level.capitalize()[:30]} {seat}", "bot": level}
