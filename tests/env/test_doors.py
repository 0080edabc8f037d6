"""The same game through every door: each answers every question about a record alike.

A door is a class with the methods of `Door` and a line in `DOORS`.
"""

import random
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any, NamedTuple

import numpy as np
import pytest
from lostcities.boards.text import describe
from lostcities.env import openspiel
from lostcities.env.aec import RawEnvironment
from lostcities.games import records
from lostcities.games.chance import source
from lostcities.games.game import Game, Setup, advance, resolve_chance, start
from lostcities.variants.core import FULL, Sheet
from lostcities.variants.registry import VARIANTS

from tests.client import Client, GameClient, create_game
from tests.env.tables import ENVIRONMENTS
from tests.mcp.player import CODE, Player, player
from tests.server.serving import serving

TURNS = 12
"""The turns of games that can be limited."""


class Look(NamedTuple):
    """What a door says at one decision, or at the end of the game."""

    seat: int | None
    """The seat that decides next; `None`: the game is over."""
    moves: list[str]
    """The notations of its legal moves, in the order in which the door lists them."""
    position: Any
    """As that seat may know it; of a finished game all of it."""
    score: Any
    """The lines of each seat's score."""
    result: dict[str, Any] | None
    """`winners`, `totals` and `reason`; `None` while the game goes on."""


class House(NamedTuple):
    """What doors need that lead to a service."""

    api: Client
    """The application."""
    agent: Player
    """A client of an MCP server."""


class Door:
    """A way to play a game."""

    def __init__(self, house: House) -> None:
        self.house = house

    def begin(self, record: dict[str, Any]) -> None:
        """Create a game with the variant, the players, the options and the seed of a record."""
        raise NotImplementedError

    def look(self) -> Look:
        """What the door says now. Where several seats may decide, the one with the lowest number is next."""
        raise NotImplementedError

    def make(self, notation: str) -> None:
        """Make the move of that seat. Chance follows from the seed."""
        raise NotImplementedError

    def expected(self, look: Look) -> Look:
        """What this door says where the library says `look`."""
        return look

    def close(self) -> None:
        """End what `begin` has started."""


def options_of(record: dict[str, Any]) -> dict[str, Any]:
    """The options as a caller gives them: null is the default, and is not sent."""
    return {name: value for name, value in record["options"].items() if value is not None}


def lines(score: tuple[Sheet, ...]) -> list[list[dict[str, Any]]]:
    """A score as JSON data."""
    return [[{name: plain(value) for name, value in line.plain().items()} for line in sheet] for sheet in score]


def plain(value: Any) -> Any:
    return [*value] if isinstance(value, tuple) else value


# The doors ---------------------------------------------------------------------------------------------------------


class Library(Door):
    """The rules, and the game in progress that the service uses."""

    game: Game

    def begin(self, record: dict[str, Any]) -> None:
        rules = VARIANTS[record["variant"]].rules
        setup = Setup(
            variant=record["variant"],
            rules_version=record["rules_version"],
            players=(*record["players"],),
            options=rules.parse_options(options_of(record)),
            chance="server",
            seed=bytes.fromhex(record["seed"]),
        )
        self.game, _ = resolve_chance(start(setup))

    def look(self) -> Look:
        rules, state = self.game.rules, self.game.state
        seat = int(self.game.to_act[0]) if self.game.to_act else None
        return Look(
            seat,
            [] if seat is None else [move.notation for move in rules.legal_moves(state, seat)],
            rules.to_position(state, FULL if seat is None else seat),
            lines(rules.score(state)),
            records.plain_result(self.game.result),
        )

    def make(self, notation: str) -> None:
        move = self.game.rules.parse(notation)
        self.game, _ = resolve_chance(advance(self.game, int(self.game.to_act[0]), move)[0])


class Http(Door):
    """The calls of the API, with the token of the seat that decides."""

    game: GameClient

    def begin(self, record: dict[str, Any]) -> None:
        players = len(record["players"])
        self.game = create_game(
            self.house.api, record["variant"], players, seed=record["seed"], options=options_of(record)
        )
        self.seat = 0

    def look(self) -> Look:
        body = self.game.get("?include=moves,score", token=self.game.seats[self.seat]).body
        seat = body["to_act"][0] if body["to_act"] else None
        if seat not in (None, self.seat):
            self.seat = seat
            return self.look()
        score = [each["lines"] for each in body["score"]["seats"]]
        return Look(seat, [move["notation"] for move in body["moves"]], body["position"], score, body["outcome"])

    def make(self, notation: str) -> None:
        answer = self.game.move(notation, self.seat, token=self.game.seats[self.seat])
        assert answer.status == 200, answer.content


class ByAction(Door):
    """A door with actions by index, whose legal ones have the order of the vocabulary."""

    variant: str

    def expected(self, look: Look) -> Look:
        vocabulary = [*VARIANTS[self.variant].rules.VOCABULARY]
        return look._replace(moves=sorted(look.moves, key=vocabulary.index))


class Environment(ByAction):
    """PettingZoo: legal actions from the mask."""

    env: RawEnvironment

    def begin(self, record: dict[str, Any]) -> None:
        self.variant = record["variant"]
        self.env = RawEnvironment(record["variant"], players=len(record["players"]), options=options_of(record))
        self.env.reset(options={"seed": record["seed"]})

    def look(self) -> Look:
        agent, env = self.env.agent_selection, self.env
        seat = None if env.terminations[agent] else env.possible_agents.index(agent)
        legal = np.flatnonzero(env.observe(agent)["action_mask"])
        return Look(
            seat,
            [env.playable.moves[action].notation for action in legal],
            env.position(FULL if seat is None else seat),
            lines(env.score()),
            env.record()["outcome"],
        )

    def make(self, notation: str) -> None:
        self.env.step(self.env.playable.action_of[notation])


class OpenSpiel(ByAction):
    """OpenSpiel: the picks of chance are actions, taken from the seed here."""

    state: Any

    def begin(self, record: dict[str, Any]) -> None:
        self.variant = record["variant"]
        self.seed, self.version = bytes.fromhex(record["seed"]), 0
        self.state = openspiel.load(record["variant"], len(record["players"]), options_of(record)).new_initial_state()
        self._resolve_chance()

    def _resolve_chance(self) -> None:
        while self.state.is_chance_node():
            self.version += 1
            pick = source(self.seed, self.version)
            self.state.apply_action(pick(len(self.state.chance_outcomes())))
            while self.state.progress.picks:
                self.state.apply_action(pick(len(self.state.chance_outcomes())))

    def look(self) -> Look:
        is_over = self.state.is_terminal()
        seat = None if is_over else self.state.current_player()
        rules = self.state.progress.playable.rules
        return Look(
            seat,
            [self.state.action_to_string(seat, action) for action in self.state.legal_actions()],
            self.state.position(FULL if is_over else seat),
            lines(self.state.score()),
            records.plain_result(rules.result(self.state.progress.state)),
        )

    def make(self, notation: str) -> None:
        seat = self.state.current_player()
        self.state.apply_action(self.state.string_to_action(seat, notation))
        self.version += 1
        self._resolve_chance()


class Mcp(Door):
    """The tools of the MCP server, whose answers are text. One client has all seats."""

    names: list[str]
    """What each seat is called."""
    games: list[str]
    """The name of the game for each seat."""
    seat = 0
    """The seat that made the last move."""
    text: str
    """What that seat saw then."""

    def begin(self, record: dict[str, Any]) -> None:
        self.variant, self.options = record["variant"], record["options"]
        self.names = [f"Player {number}" for number in range(len(record["players"]))]
        agent, opponents = self.house.agent, ["open" for _ in self.names[1:]]
        options, seed = options_of(record), record["seed"]
        created = agent.create(self.variant, opponents=opponents, options=options, seed=seed, name=self.names[0])
        self.games = [agent.game]
        for code in CODE.findall(created):
            agent.join(code)
            self.games.append(agent.game)
        self.text = self._ask("look", 0)

    def look(self) -> Look:
        text = self.text
        if self.seat and "IT IS YOUR TURN" in text:
            self.seat, text = 0, self._ask("look", 0)  # a lower seat may be to act, too
        if waits := re.search(r"^It is not your turn: (.*) (?:is|are) to act\.", text, re.MULTILINE):
            self.seat = min(self.names.index(name) for name in waits[1].split(", "))
            text = self._ask("look", self.seat)
        _, rest = text.split("\n\n", 1)
        board, prompt = rest.rsplit("\n\n", 1)
        over = re.fullmatch(r"THE GAME IS OVER: (.*)\. Winner: (.*)\. Totals: (.*)\.", prompt)
        moves = re.search(r"^Your legal moves: (.*)$", prompt, re.MULTILINE)
        assert bool(over) != bool(moves)
        listed = moves[1].split(", ") if moves else self._ask("legal_moves", self.seat).splitlines()
        result = {"text": over.groups()} if over else None
        return Look(None if over else self.seat, listed, board, self._ask("score", self.seat), result)

    def _ask(self, tool: str, seat: int) -> str:
        return self.house.agent.ask(tool, game=self.games[seat])

    def make(self, notation: str) -> None:
        self.text = self.house.agent.ask("make_move", game=self.games[self.seat], move=notation)

    def expected(self, look: Look) -> Look:
        names = [f"{name} (you)" if seat == self.seat else name for seat, name in enumerate(self.names)]
        game = {"variant": self.variant, "options": self.options, "position": look.position}
        board = "\n".join(describe(game, names))
        score = "\n".join(line for name, sheet in zip(names, look.score, strict=True) for line in words(name, sheet))
        result = look.result and {"text": self._ending(look.result, names)}
        return Look(look.seat, look.moves, board, score, result)

    def _ending(self, result: dict[str, Any], names: list[str]) -> tuple[str, str, str]:
        totals = ", ".join(f"{name} {points}" for name, points in zip(names, result["totals"], strict=True))
        winners = " and ".join(names[seat] for seat in result["winners"])
        return str(VARIANTS[self.variant].rules.INFO.endings[result["reason"]]), winners, totals


def words(name: str, sheet: list[dict[str, Any]]) -> Iterator[str]:
    """The score of a seat as the tool `score` writes it."""
    yield f"{name}: {sum(line['points'] for line in sheet)} points"
    for line in sheet:
        steps = [
            f"{step} {' '.join(map(str, value)) if isinstance(value, list) else value}"
            for step, value in line.items()
            if step not in ("item", "points") and value != []
        ]
        yield f"  {line['item']} {line['points']}" + (f" ({', '.join(steps)})" if steps else "")


DOORS: dict[str, type[Door]] = {
    "library": Library,
    "HTTP": Http,
    "environment": Environment,
    "OpenSpiel": OpenSpiel,
    "MCP": Mcp,
}


# The proof ---------------------------------------------------------------------------------------------------------


def some_record(house: House, variant: str, seats: int) -> dict[str, Any]:
    """The record of a random game by the rules, with few auctions and few dice."""
    rng, rules = random.Random(seats), VARIANTS[variant].rules
    names = {option.name for option in rules.INFO.options}
    record: dict[str, Any] = {
        "variant": variant,
        "rules_version": rules.RULES_VERSION,
        "players": [f"Player {number}" for number in range(seats)],
        "options": rules.parse_options({"max_turns": TURNS} if "max_turns" in names else {}).plain(),
        "seed": rng.randbytes(32).hex(),
        "events": [],
    }
    library = Library(house)
    library.begin(record)
    while (look := library.look()).seat is not None:
        shorter = [notation for notation in look.moves if notation in ("uncover", "refuse")]
        notation = rng.choice([*look.moves, *shorter * len(look.moves)])
        record["events"].append({"actor": look.seat, "notation": notation})
        library.make(notation)
    return {**record, "outcome": look.result}


MOST_SEATS = {variant: game.rules.INFO.seats[1] for variant, game in ENVIRONMENTS.items()}
TABLES = [(variant, seats) for variant, most in MOST_SEATS.items() for seats in sorted({min(3, most), most})]
"""Two seats or three, where seats may decide at the same time, and the most seats."""


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    data = tmp_path_factory.mktemp("service")
    with serving(data, WORKERS="1") as running, player(data / "state", "--url", running.url) as connected:
        yield connected


@pytest.fixture
def house(api: Client, agent: Player) -> House:
    return House(api, agent)


def differences(record: dict[str, Any], doors: dict[str, Door]) -> Iterator[tuple[str, str]]:
    """The door and the member of each answer that differs from the library's, as the decisions are made."""

    def compared() -> Iterator[tuple[str, str]]:
        for name, door in doors.items():
            answer, expected = door.look(), door.expected(look)
            yield from (
                (name, member) for member in Look._fields if getattr(answer, member) != getattr(expected, member)
            )

    for door in doors.values():
        door.begin(record)
    library = doors["library"]
    for event in record["events"]:
        look = library.look()
        assert (look.seat, event["notation"] in look.moves) == (event["actor"], True)
        yield from compared()
        for door in doors.values():
            door.make(event["notation"])
    look = library.look()
    assert (look.seat, look.moves, look.result) == (None, [], record["outcome"])
    yield from compared()


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_every_door_plays_the_same_game(house: House, variant: str, seats: int) -> None:
    with ExitStack() as stack:
        # The tools answer slowly, so they play at the smaller table only.
        through = [name for name in DOORS if name != "MCP" or seats <= 3]
        doors = {name: stack.enter_context(closing(DOORS[name](house))) for name in through}
        assert [*differences(some_record(house, variant, seats), doors)] == []


FAULTS: dict[str, Callable[[Look], Look]] = {
    "seat": lambda look: look._replace(seat=None),
    "moves": lambda look: look._replace(moves=look.moves[::-1]),
    "position": lambda look: look._replace(position={**look.position, "deck": 0}),
    "score": lambda look: look._replace(score=look.score[::-1]),
    "result": lambda look: look._replace(result=look.result and {**look.result, "winners": []}),
}
"""What a door can say that is wrong, by the member of its answer."""


@pytest.mark.parametrize("member", Look._fields)
def test_a_door_that_answers_otherwise_is_seen(house: House, member: str) -> None:
    class Wrong(Library):
        def look(self) -> Look:
            return FAULTS[member](super().look())

    record = some_record(house, "duel", 2)
    assert {*differences(record, {"library": Library(house), "wrong": Wrong(house)})} == {("wrong", member)}


@pytest.mark.parametrize("door", DOORS)
def test_a_door_with_other_chance_is_seen(house: House, door: str) -> None:
    with closing(DOORS[door](house)) as wrong:
        as_usual = wrong.begin
        wrong.begin = lambda record: as_usual({**record, "seed": "5e" * 32})  # type: ignore[method-assign]
        found = differences(some_record(house, "duel", 2), {"library": Library(house), "wrong": wrong})
        assert next(found) == ("wrong", "moves")
