"""Whole games as documents: writing the record of a game, and replaying a record event by event.

Nothing in a record is trusted. `begin` checks what is fixed when a game is created, `replay_record` each event and each
outcome of chance, `check_outcome` the result. All raise `InvalidRecord` with the part that is wrong.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, Literal, NamedTuple

from lostcities.games.chance import commitment, source
from lostcities.games.game import TOO_LONG, Course, Event, Game, Setup, start
from lostcities.games.moves import Malformed, check_bots, check_deadline
from lostcities.games.table import OnTimeout, parse_table_event
from lostcities.variants.core import (
    CHANCE,
    FULL,
    Actor,
    IllegalMove,
    Invalid,
    NotAMove,
    Path,
    Result,
    Text,
)
from lostcities.variants.registry import VARIANTS

FORMAT: Final = "lostcities-record/1"
"""The format of the documents of games without table events. Its number is raised when they mean something else."""
TABLE_FORMAT: Final = "lostcities-record/2"
"""The format of games with table events or a time limit: its events may be table events."""


class Record(NamedTuple):
    """A game from its creation to some version."""

    variant: str
    rules_version: int
    players: tuple[str, ...]
    options: Mapping[str, Any]
    chance: Literal["server", "client"]
    seed: bytes | None
    """`None` if the host determined the outcomes of chance, or if the seed is still secret."""
    commitment: str | None
    events: Sequence[Event]
    """Their `visible_to` is not used: it follows from the rules."""
    outcome: Mapping[str, Any] | None
    """The result; `None` if the game is not finished."""
    position: Mapping[str, Any] | None = None
    """The position that the game began from, if it was created from one."""
    seed_from: int = 0
    """The seed determines the outcomes of the events after this version."""
    bots: tuple[str | None, ...] = ()
    """By seat: the level of the bot that plays it, or `None` for a person. Empty: all seats are persons'."""
    turn_seconds: int | None = None
    on_timeout: OnTimeout | None = None
    has_table_events: bool = False
    """Whether the document has the format whose events may be table events."""


class InvalidRecord(Exception):
    """A record that is not a game of this service's rules, or not a fair one."""

    def __init__(self, code: str, detail: Text, path: Path, version: int = 0, rule: str | None = None) -> None:
        super().__init__(str(detail))
        self.code = code
        self.detail = detail
        self.path = tuple(path)
        """The path in the record to the part that is wrong."""
        self.version = version
        """The version of the first event that is wrong; 0 if the record is wrong before its first event."""
        self.rule = rule
        """The rule that an illegal event breaks."""


# Writing -----------------------------------------------------------------------------------------------------------


def record_of(game: Game, events: Sequence[Event]) -> Record:
    """The record of a game with all of its events.

    A seed of an unfinished game would foretell its chance. It is included only if the caller chose it.
    """
    setup = game.setup
    return Record(
        variant=setup.variant,
        rules_version=setup.rules_version,
        players=setup.players,
        options=setup.options.plain(),
        chance=setup.chance,
        seed=setup.seed if setup.seeded_by == "caller" else game.public_seed,
        commitment=None if setup.seed is None else commitment(setup.seed),
        events=events,
        outcome=plain_result(game.result),
        position=None if setup.start is None else game.rules.to_position(setup.start, FULL),
        seed_from=setup.seed_from,
        bots=setup.bots,
        turn_seconds=setup.turn_seconds,
        on_timeout=setup.on_timeout,
        has_table_events=setup.turn_seconds is not None
        or any(event.actor != CHANCE and parse_table_event(event.notation) for event in events),
    )


def plain(record: Record) -> dict[str, Any]:
    """The document, as JSON data. Optional members are left out where they say nothing."""
    document: dict[str, Any] = {
        "format": TABLE_FORMAT if record.has_table_events else FORMAT,
        "variant": record.variant,
        "rules_version": record.rules_version,
        "players": [
            {"name": name, "bot": bot} if bot else name for name, bot in zip_longest(record.players, record.bots)
        ],
        "options": record.options,
        "chance": record.chance,
        "seed": None if record.seed is None else record.seed.hex(),
        "commitment": record.commitment,
    }
    if record.turn_seconds is not None:
        document |= {"turn_seconds": record.turn_seconds, "on_timeout": record.on_timeout}
    if record.seed_from:
        document["seed_from"] = record.seed_from
    if record.position is not None:
        document["position"] = record.position
    document["events"] = [{"actor": event.actor, "notation": event.notation} for event in record.events]
    document["outcome"] = record.outcome
    return document


def plain_result(result: Result | None) -> dict[str, Any] | None:
    """A result as JSON data."""
    if result is None:
        return None
    return {"winners": [*result.winners], "totals": [*result.totals], "reason": result.reason}


# Reading -----------------------------------------------------------------------------------------------------------


def parse(document: Mapping[str, Any]) -> Record:
    """The record in a document that fits its schema."""
    seed = document["seed"]
    names, bots = zip(*document["players"], strict=True)
    return Record(
        variant=document["variant"],
        rules_version=document["rules_version"],
        players=names,
        options=document["options"],
        chance=document["chance"],
        seed=None if seed is None else bytes.fromhex(seed),
        commitment=document["commitment"],
        events=[Event(event["actor"], event["notation"]) for event in document["events"]],
        outcome=document["outcome"],
        position=document.get("position"),
        seed_from=document.get("seed_from", 0),
        bots=bots if any(bots) else (),
        turn_seconds=document.get("turn_seconds"),
        on_timeout=document.get("on_timeout"),
        has_table_events=document["format"] == TABLE_FORMAT,
    )


def begin(record: Record, max_events: int) -> Game:
    """The game before its first event.

    Checks everything but the events and the result. Raises `InvalidRecord`.

    :param max_events: the number of events from which on no seat may move
    """
    rules = VARIANTS[record.variant].rules
    if record.rules_version != rules.RULES_VERSION:
        detail = Text(
            "this service has version {version} of the rules of {variant}",
            version=rules.RULES_VERSION,
            variant=record.variant,
        )
        raise InvalidRecord("other-rules-version", detail, ["rules_version"])
    _check_seed(record)
    _check_deadline(record)
    try:
        check_bots(record.bots or (None,), record.chance)
        check_deadline(len(record.players), record.chance, record.on_timeout)
    except Malformed as error:
        raise InvalidRecord(error.code, error.detail, error.path) from None
    try:
        return start(_setup(record, max_events))
    except Invalid as error:
        raise InvalidRecord(error.invariant, error.detail, [error.member, *error.path]) from None


def _setup(record: Record, max_events: int) -> Setup:
    """The setup of the game. Raises `Invalid` for its options or its position."""
    variant = VARIANTS[record.variant]
    options, state = variant.rules.parse_options(record.options), None
    if record.position is not None:
        state = variant.positions.from_position(len(record.players), options, dict(record.position))
    return Setup(
        variant=record.variant,
        rules_version=record.rules_version,
        players=record.players,
        options=options,
        chance=record.chance,
        seed=record.seed,
        seeded_by=None if record.seed is None else "caller",
        start=state,
        # A game that was too long ended where its own service had its limit.
        max_events=len(record.events) if (record.outcome or {}).get("reason") == TOO_LONG else max_events,
        seed_from=record.seed_from,
        bots=record.bots,
        turn_seconds=record.turn_seconds,
        on_timeout=record.on_timeout,
    )


def _check_deadline(record: Record) -> None:
    """Check that the time limit fits the format, and has all of its parts."""
    if record.turn_seconds is None and record.on_timeout is None:
        return
    if not record.has_table_events:
        detail = Text("a record with a time limit has the format {table_format}", table_format=TABLE_FORMAT)
        raise InvalidRecord("wrong-deadline", detail, ["format"])
    if record.turn_seconds is None or record.on_timeout is None:
        missing = "turn_seconds" if record.turn_seconds is None else "on_timeout"
        raise InvalidRecord("wrong-deadline", Text("'turn_seconds' and 'on_timeout' come together"), [missing])


def _check_seed(record: Record) -> None:
    """Check that the seed, its commitment and its first version fit each other and `chance`."""
    if record.chance == "client":
        if record.seed is not None:
            raise InvalidRecord("seed-unused", Text("a game with `chance: client` uses no seed"), ["seed"])
        if record.commitment is not None:
            raise InvalidRecord(
                "wrong-commitment", Text("a game with `chance: client` has no commitment"), ["commitment"]
            )
    elif record.seed is not None and record.commitment != commitment(record.seed):
        raise InvalidRecord("wrong-commitment", Text("the commitment is not the SHA-256 of the seed"), ["commitment"])
    if record.seed_from > (len(record.events) if record.chance == "server" else 0):
        detail = Text("the seed is used from one of the record's versions on, in a game with `chance: server`")
        raise InvalidRecord("wrong-seed-from", detail, ["seed_from"])


def replay_record(game: Game, record: Record, max_events: int) -> Iterator[tuple[Game, Event]]:
    """The game after each event of the record, from the game before the first. Raises `InvalidRecord`.

    A generator: between two events the caller may let other work be done.

    :param max_events: the number of events from which on no seat may move
    """
    course = Course(game)
    for index, (actor, notation, _) in enumerate(record.events):
        path, version = ("events", index), index + 1
        if actor != CHANCE and index >= max_events:
            raise _too_long(max_events, path, version)
        if actor != CHANCE and actor >= len(record.players):
            detail = Text("this game has the seats 0..{last}", last=len(record.players) - 1)
            raise InvalidRecord("unknown-seat", detail, (*path, "actor"), version)
        before = course.game
        try:
            event = _apply(course, actor, notation, has_table_events=record.has_table_events)
        except NotAMove as error:
            raise InvalidRecord("not-a-move", error.detail, (*path, "notation"), version) from None
        except IllegalMove as error:
            raise InvalidRecord("illegal-event", error.detail, path, version, error.rule) from None
        if actor == CHANCE and record.seed is not None and version > record.seed_from:
            expected = game.rules.sample_chance(before.state, source(record.seed, version))
            if expected.notation != event.notation:
                detail = Text(
                    "the seed gives '{expected}', not '{notation}'", expected=expected.notation, notation=event.notation
                )
                raise InvalidRecord("wrong-chance", detail, (*path, "notation"), version)
        yield course.game, event


def _apply(course: Course, actor: Actor, notation: str, *, has_table_events: bool) -> Event:
    """Apply an event of a record. Raises `NotAMove`, `IllegalMove`."""
    changed = parse_table_event(notation) if has_table_events and actor != CHANCE else None
    if changed:
        return course.change_table(int(actor), changed)
    return course.move(actor, course.game.rules.parse(notation))


def _too_long(max_events: int, path: Path, version: int) -> InvalidRecord:
    return InvalidRecord(
        "game-too-long", Text("a game of this service ends at {most} events", most=max_events), path, version
    )


def check_outcome(game: Game, record: Record) -> None:
    """Check the result of the record against the game after its events. Raises `InvalidRecord`."""
    result = game.result
    if record.outcome == plain_result(result):
        return
    if record.outcome is None and result and result.reason == TOO_LONG:
        raise _too_long(game.setup.max_events, ["events"], game.version)
    detail = Text("the game is not finished after these events")
    if result:
        detail = Text(
            "winners {winners}, totals {totals}, reason {reason} would be right",
            winners=[*result.winners],
            totals=[*result.totals],
            reason=result.reason,
        )
    raise InvalidRecord("wrong-outcome", detail, ["outcome"], game.version)


def is_chance_verified(record: Record) -> bool:
    """Whether every outcome of chance of a valid record follows from its seed, and the seed from its commitment."""
    return record.seed is not None and all(event.actor != CHANCE for event in record.events[: record.seed_from])
