"""Records in files, for the command line: verify many, or print the events of one."""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TextIO

import msgspec
from marshmallow import ValidationError

from lostcities.api.errors import pointer
from lostcities.api.fields import MAX_BODY, RECORD_EVENT_BYTES
from lostcities.api.games.records import GameRecordView
from lostcities.api.games.schemas import MAX_VERSION
from lostcities.api.parser import leaves
from lostcities.games import records
from lostcities.games.game import Game
from lostcities.games.table import PERSON, parse_table_event
from lostcities.languages import ENGLISH, Say, say_in
from lostcities.variants.core import CHANCE, FULL, Text, total

BAR: Final = 30
"""Characters of the progress bar."""
SECONDS_BETWEEN_UPDATES: Final = 0.1
MAX_BYTES: Final = MAX_BODY + RECORD_EVENT_BYTES * MAX_VERSION
"""The size of the longest record. A larger file is not read to its end."""


class NotARecord(Exception):
    """The file cannot be read, or is not a record."""

    def __init__(self, detail: Text) -> None:
        super().__init__(str(detail))
        self.detail = detail


IN_ENGLISH: Final = say_in(ENGLISH)


def _grouped(number: float, say: Say) -> str:
    """A whole number with separators between thousands.

    >>> _grouped(1234567, IN_ENGLISH)
    '1,234,567'
    """
    return f"{number:,.0f}".replace(",", say(","))


# Verifying ---------------------------------------------------------------------------------------------------------


def verify_files(paths: Sequence[Path], say: Say = IN_ENGLISH) -> bool:
    """Verify each record, with a line for each and a summary. Returns whether all are valid.

    Standard error shows the progress, if it is a terminal.

    :param paths: files, or folders whose `*.json` files are records
    """
    files = [*_files(paths)]
    progress = ProgressBar(len(files), sys.stderr, say)
    valid = 0
    for number, file in enumerate(files, 1):
        is_valid, verdict = judge(file, say)
        valid += is_valid
        progress.clear()
        print(printable(f"{file}: {verdict}"))
        progress.update(number)
    progress.clear()
    if len(files) != 1:
        print(
            say(
                "{valid} of {all} records are valid, {rate} a second",
                valid=_grouped(valid, say),
                all=_grouped(len(files), say),
                rate=_grouped(progress.rate(len(files)), say),
            )
        )
    return valid == len(files) > 0


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.json"))
        else:
            yield path


def judge(file: Path, say: Say = IN_ENGLISH) -> tuple[bool, str]:
    """Whether the record in a file is valid, and a sentence that says what it is or what is wrong."""
    try:
        record = load(file)
        game = records.begin(record, MAX_VERSION)
        for step in records.replay_record(game, record, MAX_VERSION):
            game, _ = step
        records.check_outcome(game, record)
    except (NotARecord, records.InvalidRecord) as error:
        return False, say("INVALID: {reason}", reason=describe(error, say))
    chance = Text("chance verified") if records.is_chance_verified(record) else Text("chance unverified")
    return True, say(
        "valid: {variant}, {events} events, {chance}, {ending}",
        variant=record.variant,
        events=game.version,
        chance=chance,
        ending=ending(game, say),
    )


def describe(error: NotARecord | records.InvalidRecord, say: Say = IN_ENGLISH) -> str:
    """What is wrong with a record."""
    detail = say("{detail}", detail=error.detail)
    if isinstance(error, NotARecord):
        return detail
    where = say("event {version}: ", version=error.version) if error.path[0] == "events" else ""
    return f"{where}{error.rule or error.code}: {detail} ({pointer(*error.path)})"


def printable(line: str) -> str:
    r"""The line with control characters, and characters without an encoding, written as escapes.

    The names of files and of members can contain them. A terminal would obey them.

    >>> printable("a\x1b[2J.json")
    'a\\x1b[2J.json'
    """
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in line)


def load(file: Path) -> records.Record:
    """The record in a file. Raises `NotARecord`."""
    try:
        with file.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise NotARecord(Text("not a record: larger than {bytes} bytes", bytes=MAX_BYTES))
        document = GameRecordView().load(msgspec.json.decode(data))
    except OSError as error:
        raise NotARecord(Text("cannot be read: {reason}", reason=error.strerror)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotARecord(Text("not JSON: {reason}", reason=str(error))) from None
    except ValidationError as error:
        path, detail = next(leaves(error.messages))
        part = pointer(*path) or Text("the document")
        raise NotARecord(Text("not a record: {part}: {detail}", part=part, detail=detail)) from None
    return records.parse(document)


class ProgressBar:
    """A progress bar, shown only on a terminal."""

    def __init__(self, count: int, terminal: TextIO, say: Say = IN_ENGLISH) -> None:
        self._say = say
        self._count = count
        self._terminal = terminal
        self._is_shown = count > 1 and terminal.isatty()
        self._started = self._updated = time.perf_counter()

    def rate(self, done: int) -> float:
        """The records a second since the start."""
        return done / max(time.perf_counter() - self._started, 1e-9)

    def update(self, done: int) -> None:
        """Show how many are done."""
        now = time.perf_counter()
        if self._is_shown and now - self._updated >= SECONDS_BETWEEN_UPDATES:
            self._updated = now
            filled = BAR * done // self._count
            bar = "#" * filled + "." * (BAR - filled)
            say = self._say
            shown = say(
                "{done}/{all}, {rate} a second",
                done=_grouped(done, say),
                all=_grouped(self._count, say),
                rate=_grouped(self.rate(done), say),
            )
            self._terminal.write(f"\r[{bar}] {shown}")
            self._terminal.flush()

    def clear(self) -> None:
        """Remove the bar from the line."""
        if self._is_shown:
            self._terminal.write("\r\x1b[K")


# Replaying ---------------------------------------------------------------------------------------------------------


class Stop(NamedTuple):
    """Where a replay ended."""

    game: Game
    error: records.InvalidRecord | None = None


def replay_file(file: Path, to: int | None = None, say: Say = IN_ENGLISH) -> bool:
    """Print the events of a record and its score, or with `to` the position at that version.

    Returns whether the record is valid as far as it was replayed.
    """
    try:
        record = load(file)
        game = records.begin(record, MAX_VERSION)
    except (NotARecord, records.InvalidRecord) as error:
        return _failed(file, describe(error, say))
    if to is not None and not 0 <= to <= len(record.events):
        return _failed(file, say("the record has the versions 0..{last}", last=len(record.events)))
    players = ", ".join(say("{name} (seat {seat})", name=name, seat=seat) for seat, name in enumerate(record.players))
    print(
        say(
            "{variant}, rules version {version}: {players}",
            variant=record.variant,
            version=record.rules_version,
            players=players,
        )
    )
    stop = _print_events(game, record, len(record.events) if to is None else to, say)
    if stop.error:
        return _failed(file, describe(stop.error, say))
    if to is not None:
        position = stop.game.rules.to_position(stop.game.state, FULL)
        print(json.dumps(position, indent=2, ensure_ascii=False))
    else:
        _print_score(stop.game, say)
    return True


def _failed(file: Path, reason: str) -> bool:
    """Print why the file cannot be replayed. Returns `False`."""
    print(printable(f"{file}: {reason}"), file=sys.stderr)
    return False


def _print_events(game: Game, record: records.Record, last: int, say: Say) -> Stop:
    """Print the events to a version. The result is checked if that is the last one."""
    chance = say("chance")
    width = max(map(len, (*_names(record), chance)))
    try:
        if last:
            for step in records.replay_record(game, record, MAX_VERSION):
                game, event = step
                name = chance if event.actor == CHANCE else game.players[event.actor]
                print(f"{game.version:6}  {name:{width}}  {event.notation}")
                if game.version == last:
                    break
        if game.version == len(record.events):
            records.check_outcome(game, record)
    except records.InvalidRecord as error:
        return Stop(game, error)
    return Stop(game)


def _names(record: records.Record) -> Iterator[str]:
    """Every name of a player in the record."""
    yield from record.players
    for event in record.events:
        changed = parse_table_event(event.notation)
        if changed and changed.kind == PERSON:
            yield changed.operand


def _print_score(game: Game, say: Say) -> None:
    names = game.players
    width = max(map(len, names))
    items = game.rules.INFO.labels["score_items"]
    for name, sheet in zip(names, game.rules.score(game.state), strict=True):
        lines = ", ".join(f"{_label(items[line.item], say)} {line.points}" for line in sheet)
        print(f"{name:{width}}  {total(sheet):5}  {lines}")
    print(ending(game, say))


def _label(label: Text | str, say: Say) -> str:
    return say(label) if isinstance(label, str) else say("{detail}", detail=label)


def ending(game: Game, say: Say = IN_ENGLISH) -> str:
    """How the game ended, in a few words."""
    result = game.result
    if result is None:
        return say("not finished")
    winners = say(" and ").join(game.players[seat] for seat in result.winners) or say("no winner")
    return f"{' : '.join(map(str, result.totals))}, {winners} ({result.reason})"
