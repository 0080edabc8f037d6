"""Random recorded games of every variant, number of seats and kind of options, made without the service."""

import random
from typing import Any, Literal, NamedTuple

from lostcities.games.chance import SEED_BYTES
from lostcities.games.game import Course, Event, Game, Setup, advance, resolve_chance, start
from lostcities.games.opponents import bot_to_act
from lostcities.games.records import Record, record_of
from lostcities.games.table import BOT, CLOCKWISE, PERSON, RESIGN, TIMEOUT, UNDO, TableEvent
from lostcities.variants.core import CHANCE, FULL, IllegalMove
from lostcities.variants.registry import VARIANTS

from tests.conformance.tables import TABLES

NAMES = ("Ann", "Ben", "Cid", "Dee", "Eve")


def some_options(variant: str, rng: random.Random) -> dict[str, Any]:
    """Options that differ from the default in some games."""
    by_variant: dict[str, dict[str, list[Any]]] = {
        "duel": {
            "expeditions": [5, 6],
            "redraw_own_discard": [False, True],
            "rounds": [1, 1, 2, 3],
            "max_turns": [3, 30, 100],
        },
        "rivals": {"piles": [[20, 20, 20, 20], [30, 20, 20, 10], [1, 1, 1, 77]]},
        "roll-and-write": {"order": ["simultaneous", "clockwise"]},
        "treasure-hunt": {"max_turns": [5, 40, 150]},
    }
    return {name: rng.choice(values) for name, values in by_variant.get(variant, {}).items()}


class Recorded(NamedTuple):
    """A game, its events and its record."""

    game: Game
    events: list[Event]
    record: Record


def recorded_game(number: int) -> Recorded:
    """The random game with that number: the table follows from the number, all else is random.

    A quarter began from a position, an eighth has chance by the host, a fifth is not finished, and a fifth went on with
    a new seed. Half have table events, and a quarter a time limit.
    """
    rng = random.Random(number)
    variant, seats = TABLES[number % len(TABLES)]
    begun = _begin(variant, seats, rng)
    people = random.Random(f"people {number}")
    table = people if people.random() < 0.5 else None
    if table and people.random() < 0.5 and (begun.setup.seed or seats == 2):
        on_timeout: Literal["resign", "bot"] = "bot" if begun.setup.seed and people.random() < 0.5 else "resign"
        begun = start(begun.setup._replace(turn_seconds=people.randrange(5, 1000), on_timeout=on_timeout))
    if rng.random() < 0.25:
        middle, _ = _play(Course(begun), rng, rng.randrange(1, 40))
        if not middle.is_over:
            position = middle.rules.to_position(middle.state, FULL)
            restored = middle.setup.positions.from_position(seats, middle.setup.options, position)
            begun = start(begun.setup._replace(start=restored))
    course = Course(begun)
    game, events = _play(course, rng, rng.randrange(60) if rng.random() < 0.4 else 100_000, table)
    if rng.random() < 0.5 and game.setup.seed and not game.is_over:
        renewed = game.setup._replace(seed=_seed(rng), seed_from=game.version)
        course.game = game._replace(setup=renewed)
        game, more = _play(course, rng, 100_000, table)
        events = [*events, *more]
    return Recorded(game, events, record_of(game, events))


def _seed(rng: random.Random) -> bytes:
    return rng.randbytes(SEED_BYTES)


def _begin(variant: str, seats: int, rng: random.Random) -> Game:
    rules = VARIANTS[variant].rules
    seed = _seed(rng) if rng.random() < 0.875 else None
    return start(
        Setup(
            variant=variant,
            rules_version=rules.RULES_VERSION,
            players=NAMES[:seats],
            options=rules.parse_options(some_options(variant, rng)),
            chance="server" if seed else "client",
            seed=seed,
            seeded_by="caller" if seed else None,
        )
    )


def _play(
    course: Course, rng: random.Random, moves: int, table: random.Random | None = None
) -> tuple[Game, list[Event]]:
    """The game after at most so many random moves of persons, with the outcomes of chance and table events.

    :param table: makes the table events; `None` for a game without them
    """
    rules, events = course.game.rules, _resolve_chance(course)
    while (moves > 0 or bot_to_act(course.game) is not None) and (actors := course.game.to_act):
        if table and bot_to_act(course.game) is None and table.random() < 0.1:
            events += _at_the_table(course, table)
            continue
        actor = rng.choice(actors)
        if actor == CHANCE:
            move = rules.sample_chance(course.game.state, rng.randrange)
        else:
            move = rng.choice(rules.legal_moves(course.game.state, actor))
            moves -= 1
        events.append(course.move(actor, move))
        events += _resolve_chance(course)
    return course.game, events


def _resolve_chance(course: Course) -> list[Event]:
    """The outcomes of chance that follow from the seed."""
    _, events = resolve_chance(course.game)
    for event in events:
        course.apply(event)
    return events


def _at_the_table(course: Course, rng: random.Random) -> list[Event]:
    """A random table event, if it is legal."""
    kind = rng.choice([*[UNDO] * 12, *[PERSON] * 4, *[BOT] * 3, CLOCKWISE, CLOCKWISE, TIMEOUT, RESIGN])
    operand = {BOT: rng.choice(["random", "greedy"]), PERSON: rng.choice(["Fay", "Gus", "Ivo Ax"])}.get(kind, "")
    try:
        return [course.change_table(rng.randrange(course.game.seats), TableEvent(kind, operand))]
    except IllegalMove:
        return []


def long_duel(events: int) -> Record:
    """An unfinished duel with at least so many events: the seats draw from the discard piles as long as they can."""
    setup = _begin("duel", 2, random.Random(1)).setup
    setup = setup._replace(
        options=setup.rules.parse_options({}),
        seed=bytes(SEED_BYTES),
        chance="server",
        seeded_by="caller",
        max_events=events + 1,
    )
    rules, rng = setup.rules, random.Random(2)
    game, happened = resolve_chance(start(setup))
    while len(happened) < events:
        seat = game.state.active
        legal = rules.legal_moves(game.state, seat)
        open_draws = [
            move for move in legal if move.type == "discard" or (move.type == "draw" and move.fields["from"] != "deck")
        ]
        game, event = advance(game, seat, rng.choice(open_draws or legal))
        game, outcomes = resolve_chance(game)
        happened += [event, *outcomes]
    return record_of(game, happened)
