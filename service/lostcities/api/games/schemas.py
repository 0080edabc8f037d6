"""The schemas of games in progress: what creates them, what shows them, and what watches them."""

from collections.abc import Mapping
from typing import Any, Final

from marshmallow import Schema, ValidationError, fields, validate

from lostcities.api.fields import (
    AnyField,
    Const,
    Enumeration,
    Message,
    choice,
    closed,
    extensible,
    flag,
    integer,
    listed,
    nested,
    text,
)
from lostcities.api.game_contract import GameContract, pascal_case
from lostcities.api.games.moves import CHANCE_ACTOR, MAX_SEATS, NOTATION, AdvisedMove, legal_moves
from lostcities.api.problems.schemas import Problem
from lostcities.api.schemas import Answer, ByVariant, PerGame, Shared, Strict, Union, instance, own, own_list
from lostcities.bots.levels import LEVELS, levels_of
from lostcities.games.creation import ID_LENGTH
from lostcities.games.game import endings
from lostcities.games.table import BOT, MAX_NAME, NAME, PERSON, TableEvent
from lostcities.variants.core import CHANCE

MAX_PAGE: Final = 500
TURN_SECONDS: Final = (5, 14 * 24 * 60 * 60)
"""The shortest and the longest time limit."""
MAX_VERSION: Final = 1_000_000

HEX: Final = "^[0-9a-f]{64}$"
ID: Final = f"^[a-z2-7]{{{ID_LENGTH}}}$"
TOKEN_LENGTH: Final = 37
MAX_POINTS: Final = 100_000
ETAG: Final = r'^"(\d{1,9})(-s\d|-full|-host)?(-past|-open)?(-moves)?(-score)?(-[a-z]{2,3})?"$'
"""The first group is the version."""

_STATUSES: Final = Enumeration("GameStatus", "Whether a game goes on.", ("playing", "finished"))
_CHANCE_SOURCES: Final = Enumeration("ChanceSource", "Who determines the outcomes of chance.", ("server", "client"))
_TIMEOUTS: Final = Enumeration("OnTimeout", "What happens to a seat whose time is up.", ("resign", "bot"))
_SEED_SOURCES: Final = Enumeration("SeedSource", "Who has chosen the seed of a game.", ("server", "caller"))


# Parts of games --------------------------------------------------------------------------------------------------


class OptionsView(Shared):
    """What can be chosen for a game when it is created."""


class PositionView(Shared):
    """A position, in requests and answers."""

    variant = PerGame(lambda game: Const(game.names, "The name of the variant.", required=True))
    phase = PerGame(lambda game: choice("The kind of decision that is expected.", game.phases, required=True))


class LineView(Answer):
    """A line of a score sheet."""


def variant_of(description: str) -> PerGame:
    """The member that says which variant a document is about."""
    return PerGame(lambda game: Const(game.names, description, required=True))


def by_seat(item: AnyField, description: str) -> PerGame:
    """A list with one entry for each seat."""
    return PerGame(lambda game: listed(item, description, *game.rules.INFO.seats, required=True))


def source_of_chance(description: str, **kwargs: Any) -> AnyField:
    """Who determines the outcomes of chance."""
    return choice(description, _CHANCE_SOURCES, **kwargs)


def turn_seconds(description: str, **kwargs: Any) -> AnyField:
    """The time limit of a seat."""
    return integer(description, *TURN_SECONDS, **kwargs)


def on_timeout(description: str, **kwargs: Any) -> AnyField:
    """What happens to a seat whose time is up."""
    return choice(
        description + " `resign`: the seat resigns. `bot`: a bot of the level `greedy` plays it on.",
        _TIMEOUTS,
        **kwargs,
    )


def hexadecimal(description: str, **kwargs: Any) -> AnyField:
    """A hash or a seed."""
    return text(description, pattern=HEX, least=64, most=64, **kwargs)


def seed_hash() -> AnyField:
    """The commitment to a seed."""
    description = "The SHA-256 of the seed in hexadecimal. Null if there is no seed."
    return hexadecimal(description, required=True, allow_none=True)


def _moment(description: str) -> AnyField:
    """A time in the format of RFC 3339."""
    return fields.String(
        required=True,
        validate=validate.Length(24, 24),
        metadata={"description": description, "format": "date-time"},
    )


class Actor(fields.Field[Any]):
    """The number of a seat, or `chance`."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        del attr, data, kwargs
        actor = without_point(value)
        if not is_actor(actor):
            raise ValidationError(Message("must be the number of a seat, or 'chance'"))
        return actor


def is_actor(value: Any) -> bool:
    """Whether the value is the number of a seat, or `chance`."""
    return value == CHANCE if isinstance(value, str) else type(value) is int and 0 <= value < MAX_SEATS


def without_point(value: Any) -> Any:
    """A whole number that is written with a point, as an integer. Any other value as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


ACTOR: Final = {
    "description": "The number of a seat, or `chance`.",
    "anyOf": [
        {"$ref": f"#/components/schemas/{CHANCE_ACTOR.name}"},
        {"type": "integer", "minimum": 0, "maximum": MAX_SEATS - 1},
    ],
}
"""The component `Actor`."""


def actor_field(description: str, **kwargs: Any) -> Actor:
    """The number of a seat, or `chance`."""
    return Actor(metadata={"description": description}, **kwargs)


def points(description: str, **kwargs: Any) -> AnyField:
    """Points, which may be negative."""
    return integer(description, -MAX_POINTS, MAX_POINTS, **kwargs)


def winning_seats(description: str, most: int = MAX_SEATS) -> AnyField:
    """The seats that have won."""
    seat = integer("The number of a seat, from 0.", 0, most - 1)
    return listed(seat, description, 0, most, required=True)


class Outcome(Answer):
    """The result of a finished game of {game}."""

    winners = PerGame(
        lambda game: winning_seats(
            "The seats with the highest total. Empty if the reason is `too-long`.", game.rules.INFO.seats[1]
        )
    )
    totals = by_seat(points("The total points of a seat."), "The total of each seat.")
    reason = PerGame(
        lambda game: extensible("The variant's ending that applied.", endings(game.rules), required=True),
    )


def outcome_or_null(description: str, **kwargs: Any) -> PerGame:
    """The result of a game, or null."""
    return own(Outcome, description, allow_none=True, **kwargs)


# Scores and advice -----------------------------------------------------------------------------------------------


class SeatScore(Answer):
    """The score sheet of one seat."""

    seat = integer("The number of the seat.", 0, MAX_SEATS - 1, required=True)
    total = points("The sum of the points of all lines.", required=True)
    lines = own_list(LineView, "A line of the score sheet.", "The lines of the score.", 0, 100)


class Score(ByVariant, Answer):
    """The scores of all seats."""

    about = "The score of a game or a position of {game}."

    variant = variant_of("The variant that is played.")
    final = flag("Whether the game is finished.", required=True)
    seats = own_list(
        SeatScore, "The score sheet of one seat.", "The score sheets in the order of the seats.", 1, MAX_SEATS
    )
    winners = winning_seats("The winners. Empty until the game is finished, and if it ended because it was too long.")


class Advice(ByVariant, Answer):
    """What each legal move of a seat is worth."""

    about = "Advice for a decision of {game}."

    variant = variant_of("The variant that is played.")
    version = integer("The version of the game in which the moves are legal.", 0, MAX_VERSION, required=True)
    seat = integer("The seat that decides.", 0, MAX_SEATS - 1, required=True)
    moves = own_list(AdvisedMove, "A move, in one of its forms.", "All legal moves, best first.", 1, 10_000)


class LegalMoves(ByVariant, Answer):
    """The legal moves of the seats that the caller may act for."""

    about = "The legal moves in a game or a position of {game}."

    variant = variant_of("The variant that is played.")
    version = integer("The version of the game in which the moves are legal.", 0, MAX_VERSION, required=True)
    moves = PerGame(lambda game: legal_moves(game, "The moves in a stable order.", required=True))


class Judgement(Answer):
    """Whether the moves are legal, and if not why."""

    legal = flag("Whether the moves would be made.", required=True)
    problem = nested(Problem, "The problem with which the moves would be refused. Absent if they are legal.")


# Games -----------------------------------------------------------------------------------------------------------


class Situation(Answer):
    """What a stored game and a position in a request have in common."""

    variant = variant_of("The variant that is played.")
    status = choice("`playing` while moves can be made, then `finished`.", _STATUSES, required=True)
    to_act = listed(
        actor_field("The number of a seat, or `chance`."),
        "The actors that are to decide. Empty when the game is finished.",
        0,
        MAX_SEATS,
        required=True,
    )
    phase = PerGame(
        lambda game: choice(
            "The kind of decision that is expected; `over` when the game is finished.", game.phases, required=True
        )
    )
    options = own(OptionsView, "The options in force.", required=True)
    position = own(PositionView, "The position as the caller may see it.", required=True)
    outcome = outcome_or_null("The result. Null while the game is being played.", required=True)
    moves = PerGame(
        lambda game: legal_moves(
            game, "With `include=moves`: the caller's legal moves at this version, in a stable order."
        )
    )
    score = own(Score, "With `include=score`: the score at this version.")


class Clock(Answer):
    """The time of a seat that is to act, by the clock of the store."""

    seat = integer("The number of the seat.", 0, MAX_SEATS - 1, required=True)
    since = _moment("Since when the seat is to act.")
    until = _moment("When its time is up. Then another seat or the host may claim it.")


class GameView(ByVariant, Situation):
    """A game as the caller may see it."""

    about = "A game of {game} as the caller may see it."

    id = text("The id of the game, for its path.", pattern=ID, least=ID_LENGTH, most=ID_LENGTH, required=True)
    rules_version = integer("The version of the rules that the game was created with.", 1, 1000, required=True)
    version = integer("The number of events so far.", 0, MAX_VERSION, required=True)
    players = by_seat(text("The name of a player.", most=MAX_NAME), "The names of the players by seat.")
    bots = by_seat(
        extensible("The level of the bot that plays the seat, or null for a person.", LEVELS, allow_none=True),
        "Which seats the service plays, in the order of the seats.",
    )
    chance = source_of_chance(
        "Who determines the outcomes of chance: the service (`server`) or the host (`client`).", required=True
    )
    seeded_by = choice("Who chose the seed. Null if there is no seed.", _SEED_SOURCES, required=True, allow_none=True)
    commitment = seed_hash()
    resigned = listed(
        integer("The number of a seat.", 0, MAX_SEATS - 1),
        "The seats that have resigned or ran out of time, and cannot win any more.",
        0,
        MAX_SEATS,
        required=True,
    )
    turn_seconds = turn_seconds("The time that a seat has to act. Null: no limit.", required=True, allow_none=True)
    on_timeout = on_timeout("What a claim does to a seat whose time is up.", required=True, allow_none=True)
    clocks = listed(
        nested(Clock, "The time of a seat that is to act, since when and until when."),
        "The times of the persons' seats that are to act. Empty without a time limit, and for an earlier version.",
        0,
        MAX_SEATS,
        required=True,
    )
    created_at = _moment("The time of creation.")
    expires_at = _moment("The time at which the game expires, unless there is another event before.")


def _token(description: str, **kwargs: Any) -> AnyField:
    return text(description, pattern="^(host|seat)_[0-9a-f]{32}$", least=TOKEN_LENGTH, most=TOKEN_LENGTH, **kwargs)


class Tokens(Answer):
    """The tokens of a game. They are not shown again."""

    host = _token(
        "The host's token. It moves for every seat, reports outcomes of chance, sees every view and deletes the game.",
        required=True,
    )
    seats = listed(
        _token(
            "A seat's token. It moves for its seat and sees what its seat may see. Null for the seat of a bot.",
            allow_none=True,
        ),
        "The tokens in the order of the seats.",
        1,
        MAX_SEATS,
        required=True,
    )


class CreatedGame(GameView):
    """A new game with its tokens."""

    about = "A new game of {game} with its tokens."

    tokens = nested(Tokens, "The tokens, to be sent as `Authorization: Bearer`.", required=True)


# New games -------------------------------------------------------------------------------------------------------


PLAYER_NAME: Final = {
    "description": "What a person or a bot is called: letters, digits and punctuation, without emoji.",
    "type": "string",
    "minLength": 1,
    "maxLength": MAX_NAME,
    "pattern": NAME,
}
"""The component `PlayerName`."""

_NAME_ERROR: Final = Message(
    "a name consists of letters, digits and punctuation, without emoji and control characters, and starts with no space"
)


def _name() -> AnyField:
    return text("The name of a player.", pattern=NAME, most=MAX_NAME, error=_NAME_ERROR, required=True)


ALL_LEVELS: Final = Enumeration("BotLevel", "How well a bot plays.", LEVELS)


def _bot_levels(game: GameContract) -> AnyField:
    levels = levels_of(game.variant)
    own_name = f"{pascal_case(game.variant)}BotLevel"
    return choice(
        "How well it plays, as `bots` in the variant's description lists it.",
        ALL_LEVELS if levels == LEVELS else Enumeration(own_name, "How well a bot plays.", levels),
        required=True,
    )


class Bot(Strict):
    """A seat of {game} that the service plays."""

    name = _name()
    bot = PerGame(_bot_levels)


_PERSON: Final = _name()


class NewPlayer(Union):
    """The name of a person, or a bot."""

    @classmethod
    def members(cls) -> Mapping[str, type[Schema]]:
        """The form of a bot. The other form is the component `PlayerName`."""
        return {"bot": cls.contract.of(Bot)}

    def load(self, data: Any, **kwargs: Any) -> Any:
        """The name and the level of the bot; the level of a person is `None`."""
        del kwargs
        if isinstance(data, Mapping):
            loaded = instance(self.contract.of(Bot)).load(data)
            return loaded["name"], loaded["bot"]
        return _PERSON.deserialize(data), None


def _number_of_players(variant: str, least: int, most: int) -> Message:
    if least == most:
        return Message("a game of {variant} has {count} players", variant=variant, count=least)
    return Message("a game of {variant} has {least} to {most} players", variant=variant, least=least, most=most)


def _players(game: GameContract) -> AnyField:
    least, most = game.rules.INFO.seats
    return listed(
        nested(lambda: game.of(NewPlayer), "The name of a person, or a bot."),
        "The players in the order of their seats. Seat 0 begins. At least one is a person.",
        least,
        most,
        length_error=_number_of_players(game.variant, least, most),
        required=True,
    )


def new_players() -> PerGame:
    """The players of a game that is to be created."""
    return PerGame(_players)


CONSISTENCY: Final = (
    "It is checked for consistency (cards, gold, marks and turns accounted for), not for being reachable by play."
)


def chosen_options(description: str, **kwargs: Any) -> PerGame:
    """Options in a request."""
    return PerGame(lambda game: closed(lambda: game.of(OptionsView), description, **kwargs))


def given_position(description: str, **kwargs: Any) -> PerGame:
    """A position in a request."""
    return PerGame(lambda game: closed(lambda: game.of(PositionView), description, **kwargs))


class NewGameSettings(ByVariant, Strict):
    """The settings of a new game."""

    about = "The settings of a new game of {game}."

    variant = variant_of("The variant that is to be played.")
    players = new_players()
    options = chosen_options("Options that differ from the default.")
    chance = source_of_chance(
        "Who determines the outcomes of chance: the service (`server`), or the host (`client`), as with real dice. "
        "The default is `server`."
    )
    seed = hexadecimal(
        "A seed for a reproducible game, as 64 hexadecimal digits. By default the service chooses one. Not together "
        "with `chance: client`."
    )
    position = given_position(
        "The position to start from, without hidden cards. By default the game starts from its setup. " + CONSISTENCY
    )
    turn_seconds = turn_seconds("The time that a seat has to act. By default there is no limit.")
    on_timeout = on_timeout("What a claim does to a seat whose time is up. The default is `resign`.")


# Events ----------------------------------------------------------------------------------------------------------


class EventView(Answer):
    """An event of the history."""

    version = integer("The version after the event.", 1, MAX_VERSION, required=True)
    actor = actor_field("The seat that moved or that a table event concerns, or `chance`.", required=True)
    notation = text(
        "The move, outcome or table event. A card that the caller may not see is written as `?`.",
        most=NOTATION,
        required=True,
    )


def event_list(description: str) -> AnyField:
    """A list of events."""
    event = nested(EventView, "A move, an outcome of chance or a table event.")
    return listed(event, description, 0, MAX_PAGE * 100, required=True)


class Acted(Answer):
    """The result of making moves."""

    version = integer("The version of the game after the moves.", 0, MAX_VERSION, required=True)
    events = event_list("The moves and the outcomes of chance.")
    game = nested(GameView, "The game after the moves, as the caller may see it.", required=True)


# The table -------------------------------------------------------------------------------------------------------


class SeatRequest(Strict):
    """The seat that a request is about."""

    seat = integer("The number of the seat. The host's token has to name one.", 0, MAX_SEATS - 1)


class ClaimRequest(Strict):
    """The seat whose time is up."""

    seat = integer("The number of the seat. By default every other seat whose time is up.", 0, MAX_SEATS - 1)


class BotInSeat(Strict):
    """The bot that is to play a seat."""

    bot = choice("How well it plays, as `bots` in the variant's description lists it.", ALL_LEVELS, required=True)


class PersonInSeat(Strict):
    """The person that is to play a seat."""

    person = _name()


class SeatPlayer(Union):
    """The bot or the person that is to play a seat."""

    @classmethod
    def members(cls) -> Mapping[str, type[Schema]]:
        """The two forms."""
        return {"bot": BotInSeat, "person": PersonInSeat}

    def load(self, data: Any, **kwargs: Any) -> TableEvent:
        """The table event."""
        del kwargs
        is_person = isinstance(data, Mapping) and "person" in data
        if data == {}:
            raise ValidationError({"_schema": [Message("give either 'bot' or 'person'")]})
        loaded = instance(PersonInSeat if is_person else BotInSeat).load(data)
        return TableEvent(PERSON, loaded["person"]) if is_person else TableEvent(BOT, loaded["bot"])


class SeatHandedOver(Acted):
    """The result of handing a seat over."""

    token = _token("The new token of the seat. It is not shown again. Null for a bot.", required=True, allow_none=True)


class ForkRequest(Strict):
    """From where a new game goes on."""

    version = integer("The version of this game from which the new one goes on.", 0, MAX_VERSION, required=True)


class History(Answer):
    """A page of the history: events in their order."""

    events = event_list("The events of the page, the oldest first.")
    next = integer(
        "The value of `after` for the next page. Null if this page contains the newest event.",
        0,
        MAX_VERSION,
        required=True,
        allow_none=True,
    )


class StreamEvent(EventView):
    """An event of a stream. With `include` the newest event has the game after it."""

    game = nested(
        GameView,
        "With `include`: the game after the event, as the caller may see it, with what `include` adds. Only the newest "
        "event has it: of events that arrive together the last one.",
    )


class StreamEnd(Answer):
    """The reason why a stream ends."""

    reason = extensible(
        "`finished`, `gone` if the game was deleted or has expired, or `revoked` if the token is not valid any more.",
        ["finished", "gone", "revoked"],
        required=True,
    )


STREAM_MESSAGE: Final = {
    "description": (
        "The data of one message of the stream, as JSON. A message with `event: game` has a Game, the first one unless "
        "the stream is resumed. Each message with `event: event` has a StreamEvent. The last one, with `event: end`, "
        "has a StreamEnd. The `id` of a message is the version."
    ),
    "anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("Game", "StreamEvent", "StreamEnd")],
}
"""The component `StreamMessage`.

`oneOf` with the union Game in it does not compile in openapi-generator's `typescript-fetch`. redocly's `respect`
compares this schema with the text of a whole stream: it refuses a union of objects, and accepts the union Game, which
has a discriminator.
"""


class Fairness(Answer):
    """What is needed to verify the outcomes of chance."""

    algorithm = text(
        "The name of the algorithm that derives outcomes from the seed. Null if there is no seed.",
        most=40,
        required=True,
        allow_none=True,
    )
    chance = source_of_chance(
        "Who determines the outcomes of chance: the service (`server`) or the host (`client`).", required=True
    )
    seeded_by = choice("Who chose the seed. Null if there is no seed.", _SEED_SOURCES, required=True, allow_none=True)
    commitment = seed_hash()
    seed = hexadecimal("The seed in hexadecimal. Null until the game is finished.", required=True, allow_none=True)
    seed_from = integer(
        "The seed determines the outcomes of the events after this version: 0, or the last version of the record "
        "without a seed that the game was created from. Null if there is no seed.",
        0,
        MAX_VERSION,
        required=True,
        allow_none=True,
    )
    description = text("The algorithm in full, to compute every outcome again.", most=4000, required=True)
