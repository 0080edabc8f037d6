"""The same game through every door: each answers every question about a record alike.

A door is a class with the methods of `Door` and a line in `DOORS`.
"""

import random
from contextlib import ExitStack, closing
from typing import Any, NamedTuple

import numpy as np
import pytest
from lostcities.env import openspiel
from lostcities.env.aec import RawEnvironment
from lostcities.games import records
from lostcities.games.chance import source
from lostcities.games.game import Game, Setup, advance, resolve_chance, start
from lostcities.variants.core import FULL, Sheet
from lostcities.variants.registry import VARIANTS

from tests.client import Client, GameClient, create_game
from tests.env.tables import ENVIRONMENTS

TURNS = 12
"""The turns of games that can be limited."""


class Look(NamedTuple):
    """What a door says at one decision, or at the end of the game."""

    seat: int | None
    """The seat that decides next; `None`: the game is over."""
    moves: list[str]
    """The notations of its legal moves, sorted."""
    position: dict[str, Any]
    """As that seat may know it; of a finished game all of it."""
    score: list[list[dict[str, Any]]]
    """The lines of each seat's score."""
    result: dict[str, Any] | None
    """`winners`, `totals` and `reason`; `None` while the game goes on."""


class Door:
    """A way to play a game."""

    def __init__(self, api: Client) -> None:
        """:param api: the application, for doors that need it"""
        self.api = api

    def begin(self, record: dict[str, Any]) -> None:
        """Create a game with the variant, the players, the options and the seed of a record."""
        raise NotImplementedError

    def look(self) -> Look:
        """What the door says now. Where several seats may decide, the one with the lowest number is next."""
        raise NotImplementedError

    def make(self, notation: str) -> None:
        """Make the move of that seat. Chance follows from the seed."""
        raise NotImplementedError

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
            [] if seat is None else sorted(move.notation for move in rules.legal_moves(state, seat)),
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
        self.game = create_game(self.api, record["variant"], players, seed=record["seed"], options=options_of(record))
        self.seat = 0

    def look(self) -> Look:
        body = self.game.get("?include=moves,score", token=self.game.seats[self.seat]).body
        seat = body["to_act"][0] if body["to_act"] else None
        if seat not in (None, self.seat):
            self.seat = seat
            return self.look()
        score = [each["lines"] for each in body["score"]["seats"]]
        return Look(seat, sorted(move["notation"] for move in body["moves"]), body["position"], score, body["outcome"])

    def make(self, notation: str) -> None:
        answer = self.game.move(notation, self.seat, token=self.game.seats[self.seat])
        assert answer.status == 200, answer.content


class Environment(Door):
    """PettingZoo: actions by index, legal ones from the mask."""

    env: RawEnvironment

    def begin(self, record: dict[str, Any]) -> None:
        self.env = RawEnvironment(record["variant"], players=len(record["players"]), options=options_of(record))
        self.env.reset(options={"seed": record["seed"]})

    def look(self) -> Look:
        agent, env = self.env.agent_selection, self.env
        seat = None if env.terminations[agent] else env.possible_agents.index(agent)
        legal = np.flatnonzero(env.observe(agent)["action_mask"])
        return Look(
            seat,
            sorted(env.playable.moves[action].notation for action in legal),
            env.position(FULL if seat is None else seat),
            lines(env.score()),
            env.record()["outcome"],
        )

    def make(self, notation: str) -> None:
        self.env.step(self.env.playable.action_of[notation])


class OpenSpiel(Door):
    """OpenSpiel: the picks of chance are actions, taken from the seed here."""

    state: Any

    def begin(self, record: dict[str, Any]) -> None:
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
            sorted(self.state.action_to_string(seat, action) for action in self.state.legal_actions()),
            self.state.position(FULL if is_over else seat),
            lines(self.state.score()),
            records.plain_result(rules.result(self.state.progress.state)),
        )

    def make(self, notation: str) -> None:
        seat = self.state.current_player()
        self.state.apply_action(self.state.string_to_action(seat, notation))
        self.version += 1
        self._resolve_chance()


DOORS: dict[str, type[Door]] = {
    "library": Library,
    "HTTP": Http,
    "environment": Environment,
    "OpenSpiel": OpenSpiel,
}


# The proof ---------------------------------------------------------------------------------------------------------


def some_record(variant: str, seats: int) -> dict[str, Any]:
    """The record of a random game."""
    rng = random.Random(seats)
    names = {option.name for option in VARIANTS[variant].rules.INFO.options}
    options = {"max_turns": TURNS} if "max_turns" in names else {}
    env = RawEnvironment(variant, players=seats, options=options)
    env.reset(options={"seed": rng.randbytes(32).hex()})
    while not env.terminations[env.agent_selection]:
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(rng.choice([*np.flatnonzero(mask)]))
    return env.record()


TABLES = [(variant, seats) for variant, game in ENVIRONMENTS.items() for seats in sorted({*game.rules.INFO.seats})]
"""The fewest and the most seats of each variant."""


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_every_door_plays_the_same_game(api: Client, variant: str, seats: int) -> None:
    record = some_record(variant, seats)
    with ExitStack() as stack:
        doors = {name: stack.enter_context(closing(door(api))) for name, door in DOORS.items()}
        for door in doors.values():
            door.begin(record)
        for event in record["events"]:
            if event["actor"] == "chance":
                continue
            expected = doors["library"].look()
            assert expected.seat == event["actor"]
            assert event["notation"] in expected.moves
            for name, door in doors.items():
                assert door.look() == expected, name
                door.make(event["notation"])
        for name, door in doors.items():
            end = door.look()
            assert end == doors["library"].look(), name
            assert (end.seat, end.moves, end.result) == (None, [], record["outcome"])


@pytest.mark.parametrize("door", DOORS)
def test_a_door_that_answers_otherwise_is_seen(api: Client, door: str) -> None:
    """A game with another seed differs through each door."""
    record = some_record("duel", 2)
    with closing(DOORS[door](api)) as opened, closing(DOORS[door](api)) as other:
        opened.begin(record)
        other.begin({**record, "seed": "5e" * 32})
        assert opened.look() != other.look()
