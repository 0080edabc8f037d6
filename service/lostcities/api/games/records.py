"""The schemas of records: whole games as documents."""

from collections.abc import Mapping
from typing import Any, Final

from marshmallow import Schema, fields

from lostcities.api.fields import EXTENSIBLE, Enumeration, choice, integer, listed, nested, text
from lostcities.api.games.moves import MAX_SEATS, NOTATION
from lostcities.api.games.schemas import (
    MAX_VERSION,
    NewGameSettings,
    actor_field,
    chosen_options,
    given_position,
    hexadecimal,
    is_actor,
    new_players,
    on_timeout,
    points,
    seed_hash,
    source_of_chance,
    turn_seconds,
    variant_of,
    winning_seats,
    without_point,
)
from lostcities.api.schemas import ByVariant, Strict, TakesRecord, Union, instance
from lostcities.games.records import FORMAT, TABLE_FORMAT

_FORMAT: Final = Enumeration("RecordFormat", "The format and its version.", (FORMAT, TABLE_FORMAT))


class RecordEvent(Strict):
    """A move of a seat, an outcome of chance or a table event."""

    actor = actor_field("The seat that moved or that a table event concerns, or `chance`.", required=True)
    notation = text("The move, outcome or table event, with all cards.", most=NOTATION, required=True)


class RecordEventField(fields.Nested):
    """An event of a record. A valid one is recognised without its schema, because a body has thousands of them.

    The schema is slow. It is used for invalid events only, to describe what is wrong, and a list stops after a few.
    """

    def deserialize(self, value: Any, attr: Any = None, data: Any = None, **kwargs: Any) -> Any:
        """The event. Raises `ValidationError`."""
        event = _event(value)
        return super().deserialize(value, attr, data, **kwargs) if event is None else event


def _event(value: Any) -> dict[str, Any] | None:
    """The event that `RecordEvent` makes of the value; `None` if it refuses the value."""
    if not (isinstance(value, dict) and len(value) == 2):
        return None
    who, notation = without_point(value.get("actor")), value.get("notation")
    if not (is_actor(who) and isinstance(notation, str) and 1 <= len(notation) <= NOTATION):
        return None
    return {"actor": who, "notation": notation}


class RecordOutcome(Strict):
    """The result of a finished game."""

    winners = winning_seats("The seats with the highest total. Empty if the reason is `too-long`.")
    totals = listed(points("The total points of a seat."), "The total of each seat.", 1, MAX_SEATS, required=True)
    reason = text("The variant's ending that applied.", most=EXTENSIBLE, required=True)


class GameRecordView(ByVariant, Strict, TakesRecord):
    """A whole game as one document."""

    about = "A whole game of {game} as one document."

    format = choice(
        f"The format of the document. `{TABLE_FORMAT}` is that of games with table events or a time limit.",
        _FORMAT,
        required=True,
    )
    variant = variant_of("The variant that was played.")
    rules_version = integer("The version of the rules that the game was created with.", 1, 1000, required=True)
    players = new_players()
    options = chosen_options("The options of the game.", required=True)
    chance = source_of_chance(
        "Who determined the outcomes of chance: the service (`server`) or the host (`client`).", required=True
    )
    seed = hexadecimal(
        "The seed in hexadecimal. Null if chance was the host's, and while the game goes on, unless the caller chose "
        "the seed.",
        required=True,
        allow_none=True,
    )
    commitment = seed_hash()
    seed_from = integer(
        "The seed determines the outcomes of the events after this version. Left out if it is 0. A game that was "
        "created from a record without a seed has a new one from there on.",
        0,
        MAX_VERSION,
    )
    turn_seconds = turn_seconds("The time that a seat had to act. Left out if there was no limit.")
    on_timeout = on_timeout("What a claim did to a seat whose time was up. Left out if there was no limit.")
    position = given_position("The position that the game began from, if it was created from one.")
    events = listed(
        RecordEventField(RecordEvent, metadata={"description": "A move, an outcome of chance or a table event."}),
        "All events, oldest first. The n-th of them leads to version n.",
        0,
        MAX_VERSION,
        required=True,
    )
    outcome = nested(RecordOutcome, "The result. Null if the game is not finished.", required=True, allow_none=True)


class RecordedGame(Strict):
    """A record to create a game from. The game goes on where the record ends."""

    record = nested(GameRecordView, "The record, as `GET /games/{game_id}/record` returns it.", required=True)


class NewGame(Union, TakesRecord):
    """The settings of a new game, or a record to go on from."""

    @classmethod
    def members(cls) -> Mapping[str, type[Schema]]:
        """The settings of each variant, and the record."""
        return {**NewGameSettings.members(), "record": RecordedGame}

    def load(self, data: Any, **kwargs: Any) -> Any:
        """The settings, or the record in a member of that name."""
        del kwargs
        return instance(RecordedGame if self.has_record(data) else NewGameSettings).load(data)

    def has_record(self, body: Any) -> bool:
        """Whether the decoded body has a record."""
        return isinstance(body, dict) and "record" in body
