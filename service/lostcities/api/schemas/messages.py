"""The schemas of requests, which validate them, and of responses, which document them."""

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from functools import cache
from typing import Any, ClassVar, Final, cast

from marshmallow import INCLUDE, Schema, ValidationError, fields, post_load, validate, validates_schema
from webargs.fields import DelimitedList

from lostcities.api.problem_types import Problem
from lostcities.api.schemas.components import like
from lostcities.api.schemas.fields import (
    EXTENSIBLE,
    LONGEST,
    Answer,
    AnyField,
    Bounded,
    Const,
    Enumeration,
    Strict,
    TakesRecord,
    amount,
    choice,
    closed,
    extensible,
    flag,
    integer,
    listed,
    nested,
    number,
    operand_values,
    phases,
    query_integer,
    shape,
    text,
    variant_name,
)
from lostcities.api.schemas.naming import pascal_case
from lostcities.bots.levels import LEVELS, levels_of
from lostcities.games.game import endings
from lostcities.games.moves import RequestedMove
from lostcities.games.records import FORMAT
from lostcities.games.service import ID_LENGTH
from lostcities.variants.core import CHANCE, Move
from lostcities.variants.registry import VARIANTS

MAX_SEATS: Final = 10
"""More seats than any variant has. A seat that a game does not have is refused with a problem that says so."""
MAX_MOVES: Final = 100
MAX_PAGE: Final = 500
MAX_VERSION: Final = 1_000_000
MAX_WAIT: Final = 30
"""Seconds. Proxies commonly give up after 60."""
MAX_POINTS: Final = 100_000
NOTATION: Final = 200
OPERANDS: Final = 10
"""The longest list that is an operand."""

# Names consist of printable letters, digits and punctuation: no control characters, no emoji, no leading space.
# The gaps between the ranges are invisible characters: soft hyphens, direction marks, fillers, wide spaces.
_LETTERS: Final = (
    "\\u00a1-\\u00ac\\u00ae-\\u061b\\u061d-\\u1fff\\u2010-\\u2027\\u2c00-\\u2fef\\u3001-\\u3029\\u3031-\\u303c"
    "\\u3041-\\u3163\\u3165-\\ud7ff\\uf900-\\ufaff\\uff01-\\uff9f"
)
NAME: Final = f"^[!-~{_LETTERS}][ -~{_LETTERS}]*$"
MAX_NAME: Final = 40

HEX: Final = "^[0-9a-f]{64}$"
ID: Final = f"^[a-z2-7]{{{ID_LENGTH}}}$"
TOKEN_LENGTH: Final = 37
ETAG: Final = r'^"(\d{1,9})(-s\d|-full|-host)?(-past|-open)?(-moves)?(-score)?"$'
"""The first group is the version."""


class Union(Schema):
    """One of several schemas. With a `tag`, the value of that field says which."""

    tag: ClassVar[str | None] = None
    members: ClassVar[Mapping[str, type[Schema]]] = {}
    combined: ClassVar = "oneOf"
    """The keyword of JSON Schema. Generators of TypeScript merge the members of `anyOf` into one type."""

    def load(self, data: Any, **kwargs: Any) -> Any:
        """Check the data by the schema that its tag names."""
        tag = str(self.tag)
        if not isinstance(data, Mapping):
            raise ValidationError({"_schema": ["Not an object."]})
        if tag not in data:
            raise ValidationError({tag: ["Missing data for required field."]})
        member = self.members.get(data[tag]) if isinstance(data[tag], str) else None
        if member is None:
            raise ValidationError({tag: [f"Must be one of: {', '.join(self.members)}."]})
        kwargs.pop("unknown", None)
        return _instance(member).load(data, **kwargs)


@cache
def _instance(schema: type[Schema]) -> Schema:
    """One instance for each class: making one costs as much as using it."""
    return schema()


def _by_variant(name: str, doc: str, make: Callable[[str], type[Schema]]) -> type[Union]:
    members = {variant: make(variant) for variant in VARIANTS}
    return cast("type[Union]", shape(name, doc, Union, tag="variant", members=members))


# Moves -----------------------------------------------------------------------------------------------------------


def _operand(variant: str, type_: str, name: str) -> AnyField:
    """A field that takes the values which this operand has in the vocabulary."""
    description = VARIANTS[variant].schema.OPERANDS[name]
    values = _values(variant, type_, name)
    if isinstance(values[0], int):
        return integer(description, min(values), max(values), required=True)
    atoms = _atoms(values)
    others = [_atoms(_values(variant, each, name)) for each in _move_types(variant)]
    is_shared = all(each == atoms for each in others if each)
    known = operand_values(variant, name, atoms, "" if is_shared else type_)
    if isinstance(values[0], list):
        atom = choice("One of the values that make up the operand.", known)
        return listed(atom, description, 1, max(map(len, values)), required=True)
    return choice(description, known, required=True)


def _values(variant: str, type_: str, name: str) -> list[Any]:
    """The values of an operand in the moves of a type. A type without this operand has none."""
    return [move.fields[name] for move in _move_types(variant)[type_] if name in move.fields]


def _atoms(values: list[Any]) -> list[Any]:
    """The different values; those of lists are the items of the lists."""
    return [*dict.fromkeys(atom for value in values for atom in (value if isinstance(value, list) else [value]))]


@cache
def _move_types(variant: str) -> Mapping[str, list[Move]]:
    """The moves of a variant's vocabulary by their type."""
    types: dict[str, list[Move]] = {}
    for move in VARIANTS[variant].rules.VOCABULARY.values():
        types.setdefault(move.type, []).append(move)
    return types


def _operands(variant: str, type_: str) -> dict[str, AnyField]:
    """The operands of a type of move."""
    return {name: _operand(variant, type_, name) for name in _move_types(variant)[type_][0].fields}


def _type_of_move(type_: str) -> AnyField:
    """The member of a move that says its type. It has one value, by which a union of moves is resolved."""
    known = Enumeration(f"{pascal_case(type_)}MoveType", f"Tells moves `{type_}` from those of other types.", (type_,))
    return Const(known, "The type of the move.", required=True)


@cache
def _move_schema(variant: str, type_: str) -> type[Schema]:
    """A type of move by its operands, in requests and responses. A response has every member."""
    about = [kind for kind in VARIANTS[variant].rules.INFO.moves if (kind.type, kind.by) == (type_, "seat")]
    return shape(
        f"{pascal_case(variant)}{pascal_case(type_)}Move",
        f"In {variant}: " + "; or ".join(f"{kind.text} (`{kind.notation}`)" for kind in about) + ".",
        type=_type_of_move(type_),
        seat=integer(
            "The seat that moves. Listed moves have it. A request may leave it out where only one seat is possible.",
            0,
            MAX_SEATS - 1,
        ),
        notation=text(
            "The move in its canonical notation. Listed moves have it. A request may leave it out.", most=NOTATION
        ),
        **_operands(variant, type_),
    )


@cache
def _move_schemas(variant: str) -> Mapping[str, type[Schema]]:
    """The schemas of a variant's moves by type."""
    return {type_: _move_schema(variant, type_) for type_ in _move_types(variant)}


def _seat(**kwargs: Any) -> AnyField:
    return integer("The number of the seat.", 0, MAX_SEATS - 1, **kwargs)


_CHANCE: Final = Enumeration("ChanceActor", "The actor of outcomes of chance.", (CHANCE,))


class MoveByNotation(Strict):
    """A move of a seat, given by its notation."""

    seat = integer("The seat that moves. Optional where the token or the position leaves only one.", 0, MAX_SEATS - 1)
    notation = text("The move, for example `play R7`.", most=NOTATION, required=True)


class ChanceOutcome(Strict):
    """An outcome of chance, reported by the host of a game with `chance: client`, or part of a question."""

    actor = Const(_CHANCE, "Marks an outcome of chance.", required=True)
    notation = text("The outcome, for example `roll 1 5 w`.", most=NOTATION, required=True)


def _is_operand(value: Any) -> bool:
    if isinstance(value, list):
        return len(value) <= OPERANDS and all(not isinstance(each, list) and _is_operand(each) for each in value)
    return isinstance(value, (int, float)) or (isinstance(value, str) and len(value) <= NOTATION)


class AskedMove(Bounded):
    """A move given by its notation, by its type and operands, or by both, as the list of legal moves has it."""

    most_unknown: ClassVar = 5
    """Operands that are read. No move has as many."""

    class Meta:
        """The operands are checked later, against the vocabulary of the variant."""

        unknown = INCLUDE

    seat = integer("The number of the seat.", 0, MAX_SEATS - 1)
    actor = Const(_CHANCE, "Marks an outcome of chance.")
    notation = text("The move's notation.", most=NOTATION)
    type = text("The type of the move.", most=40)

    @validates_schema(pass_original=True)
    def _check_operands(self, data: dict[str, Any], original: Mapping[str, Any], **_: Any) -> None:
        """No operand of any move is larger than a few words, so a larger one is refused at once."""
        del data
        large = [name for name in original.keys() - self.fields.keys() if not _is_operand(original[name])]
        if large:
            raise ValidationError({name: ["Not an operand of a move."] for name in large})

    @validates_schema
    def _check_outcome(self, data: dict[str, Any], **_: Any) -> None:
        if "actor" in data and "type" in data:
            raise ValidationError("an outcome of chance has a notation only", "type")

    @post_load
    def _as_asked(self, data: dict[str, Any], **_: Any) -> RequestedMove:
        own = {name: data.pop(name, None) for name in ("seat", "actor", "notation", "type")}
        return RequestedMove(**own, operands=data)


class MoveRequest(Union):
    """A move, given by its notation or by its type and operands. A listed legal move can be sent as it is."""

    def load(self, data: Any, **kwargs: Any) -> RequestedMove:
        """The requested move. Whether the variant has such a move is checked later."""
        del kwargs
        if not isinstance(data, Mapping):
            raise ValidationError({"_schema": ["Not an object."]})
        if "notation" in data and data.keys() <= _instance(MoveByNotation).fields.keys():
            said = _instance(MoveByNotation).load(data)
            return RequestedMove(said.get("seat"), None, said["notation"])
        asked: RequestedMove = _instance(AskedMove).load(data)
        return asked


def _forms(*variants: str, **more: type[Schema]) -> dict[str, type[Schema]]:
    """The forms of a move in a request, without nested unions, which not every code generator can read.

    The move by notation is last: a generated client takes the first form that fits, and some ignore unknown members.
    """
    moves = [schema for variant in variants for schema in _move_schemas(variant).values()]
    forms: list[type[Schema]] = [*moves, ChanceOutcome, *more.values(), MoveByNotation]
    return {form.__name__: form for form in forms}


def _combined(*variants: str) -> str:
    """The keyword for the moves of several variants: `anyOf` if two of them have a move of the same form."""
    forms = [(type_, *moves[0].fields) for variant in variants for type_, moves in _move_types(variant).items()]
    return "oneOf" if len({*forms}) == len(forms) else "anyOf"


class AnyMoveRequest(MoveRequest):
    """A move of any variant, as a list of legal moves has it, by its type and operands, or by its notation."""

    combined: ClassVar = _combined(*VARIANTS)
    members: ClassVar[Mapping[str, type[Schema]]] = _forms(*VARIANTS)


def _move_list(request: type[Schema], **kwargs: Any) -> AnyField:
    return listed(
        nested(request, "A move, in one of its forms."),
        "The moves in order. All are made, or none.",
        1,
        MAX_MOVES,
        **kwargs,
    )


class MoveList(Strict):
    """A list of moves. All are made in order, or none."""

    moves = _move_list(AnyMoveRequest, required=True)


class MovesRequest(Union):
    """One move, or a list of moves."""

    combined: ClassVar = _combined(*VARIANTS)
    members: ClassVar[Mapping[str, type[Schema]]] = _forms(*VARIANTS, list=MoveList)

    def load(self, data: Any, **kwargs: Any) -> list[RequestedMove]:
        """The requested moves."""
        del kwargs
        if not isinstance(data, Mapping) or "moves" not in data:
            return [_instance(AnyMoveRequest).load(data)]
        return numbered(_instance(MoveList).load(data)["moves"])


def numbered(moves: Iterable[RequestedMove]) -> list[RequestedMove]:
    """The moves of a list with their paths in the request, for error messages."""
    return [asked._replace(path=("moves", index)) for index, asked in enumerate(moves)]


@cache
def _listed_moves(variant: str) -> type[Schema]:
    doc = f"A legal move of {variant}, by its type."
    return shape(f"{pascal_case(variant)}Move", doc, Union, tag="type", members=_move_schemas(variant))


def _legal_moves(variant: str, description: str, **kwargs: Any) -> AnyField:
    return listed(nested(_listed_moves(variant), "A move, in one of its forms."), description, 0, 10_000, **kwargs)


# Scores ----------------------------------------------------------------------------------------------------------


def _advised_move(variant: str, type_: str) -> type[Schema]:
    """A type of move with what it is worth."""
    return shape(
        f"{pascal_case(variant)}{pascal_case(type_)}Advice",
        f"A move of {variant} and what it is worth.",
        Answer,
        type=_type_of_move(type_),
        seat=_seat(required=True),
        notation=text("The move in its canonical notation.", most=NOTATION, required=True),
        value=number("The expected final margin over the best other seat, if the move is made.", required=True),
        error=number("The standard error of the value.", required=True),
        **_operands(variant, type_),
    )


def _advised_moves(variant: str) -> type[Schema]:
    members = {type_: _advised_move(variant, type_) for type_ in _move_types(variant)}
    doc = f"A legal move of {variant}, and what it is worth."
    return shape(f"{pascal_case(variant)}AdvisedMove", doc, Union, tag="type", members=members)


AdviceView = _by_variant(
    "Advice",
    "What each legal move of a seat is worth.",
    lambda variant: shape(
        f"{pascal_case(variant)}Advice",
        f"Advice for a decision of {variant}.",
        Answer,
        variant=Const(variant_name(variant), "The variant that is played.", required=True),
        version=integer("The version of the game in which the moves are legal.", 0, MAX_VERSION, required=True),
        seat=integer("The seat that decides.", 0, MAX_SEATS - 1, required=True),
        moves=listed(
            nested(_advised_moves(variant), "A move, in one of its forms."),
            "All legal moves, best first.",
            1,
            10_000,
            required=True,
        ),
    ),
)


def _seat_score(variant: str) -> type[Schema]:
    return shape(
        f"{pascal_case(variant)}SeatScore",
        "The score sheet of one seat.",
        Answer,
        seat=_seat(required=True),
        total=integer("The sum of the points of all lines.", -MAX_POINTS, MAX_POINTS, required=True),
        lines=listed(
            nested(VARIANTS[variant].schema.LINE, "A line of the score sheet."),
            "The lines of the score.",
            0,
            100,
            required=True,
        ),
    )


def _score_members(variant: str) -> dict[str, Any]:
    return {
        "variant": Const(variant_name(variant), "The variant that is played.", required=True),
        "final": flag("Whether the game is finished.", required=True),
        "seats": listed(
            nested(_seat_score(variant), "The score sheet of one seat."),
            "The score sheets in the order of the seats.",
            1,
            MAX_SEATS,
            required=True,
        ),
        "winners": listed(
            integer("The number of a seat, from 0.", 0, MAX_SEATS - 1),
            "The winners. Empty until the game is finished, and if it ended because it was too long.",
            0,
            MAX_SEATS,
            required=True,
        ),
    }


ScoreView = _by_variant(
    "Score",
    "The scores of all seats.",
    lambda variant: shape(
        f"{pascal_case(variant)}Score",
        f"The score of a game or a position of {variant}.",
        Answer,
        **_score_members(variant),
    ),
)


_CONSISTENCY: Final = (
    "It is checked for consistency (cards, gold, marks and turns accounted for), not for being reachable by play."
)

# Games -----------------------------------------------------------------------------------------------------------

_STATUSES: Final = Enumeration("GameStatus", "Whether a game goes on.", ("playing", "finished"))
_CHANCE_SOURCES: Final = Enumeration("ChanceSource", "Who determines the outcomes of chance.", ("server", "client"))
_SEED_SOURCES: Final = Enumeration("SeedSource", "Who has chosen the seed of a game.", ("server", "caller"))


class Player(fields.Field[Any]):
    """A player of a new game: a person by name, or a bot by name and level. Loads `(name, level)`."""

    def __init__(self, name_of_union: str, person: AnyField, bot: type[Schema], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.name_of_union = name_of_union
        self.person = person
        self.bot = bot

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        del attr, data, kwargs
        if isinstance(value, Mapping):
            loaded = _instance(self.bot).load(value)
            return loaded["name"], loaded["bot"]
        return self.person.deserialize(value), None


PLAYER_NAME: Final = {
    "description": "What a person or a bot is called: letters, digits and punctuation, without emoji.",
    "type": "string",
    "minLength": 1,
    "maxLength": MAX_NAME,
    "pattern": NAME,
}


def _name() -> AnyField:
    return text("The name of a player.", pattern=NAME, most=MAX_NAME, error=_NAME_ERROR, required=True)


@cache
def _bot(variant: str) -> type[Schema]:
    levels = levels_of(variant)
    known = Enumeration(
        "BotLevel" if levels == LEVELS else f"{pascal_case(variant)}BotLevel", "How well a bot plays.", levels
    )
    return shape(
        f"{pascal_case(variant)}Bot",
        f"A seat of {variant} that the service plays.",
        name=_name(),
        bot=choice("How well it plays, as `bots` in the variant's description lists it.", known, required=True),
    )


def _players(variant: str) -> AnyField:
    """The players of a game that is to be created."""
    least, most = VARIANTS[variant].rules.INFO.seats
    return listed(
        Player(
            f"{pascal_case(variant)}Player",
            _name(),
            _bot(variant),
            metadata={"description": "The name of a person, or a bot."},
        ),
        "The players in the order of their seats. Seat 0 begins. At least one is a person.",
        least,
        most,
        length_error=f"a game of {variant} has {amount(least, most, 'players')}",
        required=True,
    )


def _new_game(variant: str) -> type[Schema]:
    schemas = VARIANTS[variant].schema
    return shape(
        f"New{pascal_case(variant)}",
        f"The settings of a new game of {variant}.",
        variant=Const(variant_name(variant), "The variant that is to be played.", required=True),
        players=_players(variant),
        options=closed(schemas.OPTIONS, "Options that differ from the default."),
        chance=choice(
            "Who determines the outcomes of chance: the service (`server`), or the host (`client`), as with real dice. "
            "The default is `server`.",
            _CHANCE_SOURCES,
        ),
        seed=text(
            "A seed for a reproducible game, as 64 hexadecimal digits. By default the service chooses one. Not "
            "together with `chance: client`.",
            pattern=HEX,
            least=64,
            most=64,
        ),
        position=closed(
            schemas.POSITION,
            "The position to start from, without hidden cards. By default the game starts from its setup. "
            + _CONSISTENCY,
        ),
    )


_NAME_ERROR: Final = (
    "a name consists of letters, digits and punctuation, without emoji and control characters, and starts with no space"
)


@cache
def _outcome(variant: str) -> type[Schema]:
    about = VARIANTS[variant].rules.INFO
    seat = integer("The number of a seat, from 0.", 0, about.seats[1] - 1)
    points = integer("The total points of a seat.", -MAX_POINTS, MAX_POINTS)
    return shape(
        f"{pascal_case(variant)}Outcome",
        f"The result of a finished game of {variant}.",
        Answer,
        winners=listed(
            seat,
            "The seats with the highest total. Empty if the reason is `too-long`.",
            0,
            about.seats[1],
            required=True,
        ),
        totals=listed(points, "The total of each seat.", *about.seats, required=True),
        reason=extensible("The variant's ending that applied.", endings(VARIANTS[variant].rules), required=True),
    )


def _hex(description: str) -> AnyField:
    """A hash or a seed, or null."""
    return text(description, pattern=HEX, least=64, most=64, required=True, allow_none=True)


def _commitment() -> AnyField:
    return _hex("The SHA-256 of the seed in hexadecimal. Null if there is no seed.")


def _moment(description: str) -> AnyField:
    """A time in the format of RFC 3339."""
    return fields.String(
        required=True,
        validate=validate.Length(24, 24),
        metadata={"description": description, "format": "date-time"},
    )


STREAM_MESSAGE: Final = {
    "description": (
        "The data of one message of the stream, as JSON. A message with `event: game` has a Game, the first one unless "
        "the stream is resumed. Each message with `event: event` has a StreamEvent. The last one, with `event: end`, "
        "has a StreamEnd. The `id` of a message is the version."
    ),
    "anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("Game", "StreamEvent", "StreamEnd")],
}
"""`oneOf` with the union Game in it does not compile in openapi-generator's `typescript-fetch`. redocly's `respect`
compares this schema with the text of a whole stream: it refuses a union of objects, and accepts the union Game, which
has a discriminator."""


class Actor(fields.Field[Any]):
    """The number of a seat, or `chance`."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:
        del attr, data, kwargs
        actor = _without_point(value)
        if not is_actor(actor):
            raise ValidationError("must be the number of a seat, or 'chance'")
        return actor


def is_actor(value: Any) -> bool:
    """Whether the value is the number of a seat, or `chance`."""
    return value == CHANCE if isinstance(value, str) else type(value) is int and 0 <= value < MAX_SEATS


def _without_point(value: Any) -> Any:
    """A whole number that is written with a point, as an integer. Any other value as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


ACTOR: Final = {
    "description": "The number of a seat, or `chance`.",
    "anyOf": [
        {"$ref": f"#/components/schemas/{_CHANCE.name}"},
        {"type": "integer", "minimum": 0, "maximum": MAX_SEATS - 1},
    ],
}


def _actor(description: str, **kwargs: Any) -> Actor:
    return Actor(metadata={"description": description}, **kwargs)


@cache
def _included_members(variant: str) -> dict[str, Any]:
    """The members that `include` adds."""
    return {
        "moves": _legal_moves(
            variant,
            "With `include=moves`: the caller's legal moves at this version, in a stable order.",
        ),
        "score": nested(ScoreView.members[variant], "With `include=score`: the score at this version."),
    }


@cache
def _game_members(variant: str) -> dict[str, Any]:
    rules, schemas = VARIANTS[variant].rules, VARIANTS[variant].schema
    return {
        "id": text("The id of the game, for its path.", pattern=ID, least=ID_LENGTH, most=ID_LENGTH, required=True),
        "variant": Const(variant_name(variant), "The variant that is played.", required=True),
        "rules_version": integer("The version of the rules that the game was created with.", 1, 1000, required=True),
        "version": integer("The number of events so far.", 0, MAX_VERSION, required=True),
        "status": choice("`playing` while moves can be made, then `finished`.", _STATUSES, required=True),
        "players": listed(
            text("The name of a player.", most=MAX_NAME),
            "The names of the players by seat.",
            *rules.INFO.seats,
            required=True,
        ),
        "bots": listed(
            extensible("The level of the bot that plays the seat, or null for a person.", LEVELS, allow_none=True),
            "Which seats the service plays, in the order of the seats.",
            *rules.INFO.seats,
            required=True,
        ),
        "to_act": listed(
            _actor("The number of a seat, or `chance`."),
            "The actors that are to decide. Empty when the game is finished.",
            0,
            MAX_SEATS,
            required=True,
        ),
        "phase": choice(
            "The kind of decision that is expected; `over` when the game is finished.",
            phases(variant, rules.INFO.phases),
            required=True,
        ),
        "options": nested(schemas.OPTIONS, "The options in force.", required=True),
        "position": nested(schemas.POSITION, "The position as the caller may see it.", required=True),
        "outcome": nested(
            _outcome(variant), "The result. Null while the game is being played.", required=True, allow_none=True
        ),
        "chance": choice(
            "Who determines the outcomes of chance: the service (`server`) or the host (`client`).",
            _CHANCE_SOURCES,
            required=True,
        ),
        "seeded_by": choice(
            "Who chose the seed. Null if there is no seed.", _SEED_SOURCES, required=True, allow_none=True
        ),
        "commitment": _commitment(),
        "created_at": _moment("The time of creation."),
        "expires_at": _moment("The time at which the game expires, unless there is another event before."),
        **_included_members(variant),
    }


GameView = _by_variant(
    "Game",
    "A game as the caller may see it.",
    lambda variant: shape(
        f"{pascal_case(variant)}Game",
        f"A game of {variant} as the caller may see it.",
        Answer,
        **_game_members(variant),
    ),
)


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


CreatedGame = _by_variant(
    "CreatedGame",
    "A new game with its tokens.",
    lambda variant: shape(
        f"Created{pascal_case(variant)}Game",
        f"A new game of {variant} with its tokens.",
        Answer,
        **_game_members(variant),
        tokens=nested(Tokens, "The tokens, to be sent as `Authorization: Bearer`.", required=True),
    ),
)


class EventView(Answer):
    """An event of the history."""

    version = integer("The version after the event.", 1, MAX_VERSION, required=True)
    actor = _actor("The seat that moved, or `chance`.", required=True)
    notation = text(
        "The move or outcome. A card that the caller may not see is written as `?`.", most=NOTATION, required=True
    )


def _events(description: str, **kwargs: Any) -> AnyField:
    return listed(
        nested(EventView, "A move or an outcome of chance."), description, 0, MAX_PAGE * 100, required=True, **kwargs
    )


class ActedView(Answer):
    """The result of making moves."""

    version = integer("The version of the game after the moves.", 0, MAX_VERSION, required=True)
    events = _events("The moves and the outcomes of chance.")
    game = nested(GameView, "The game after the moves, as the caller may see it.", required=True)


class HistoryView(Answer):
    """A page of the history: events in their order."""

    events = _events("The events of the page, the oldest first.")
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
        "`finished`, or `gone` if the game was deleted or has expired.", ["finished", "gone"], required=True
    )


LegalMoves = _by_variant(
    "LegalMoves",
    "The legal moves of the seats that the caller may act for.",
    lambda variant: shape(
        f"{pascal_case(variant)}LegalMoves",
        f"The legal moves in a game or a position of {variant}.",
        Answer,
        variant=Const(variant_name(variant), "The variant that is played.", required=True),
        version=integer("The version of the game in which the moves are legal.", 0, MAX_VERSION, required=True),
        moves=_legal_moves(variant, "The moves in a stable order.", required=True),
    ),
)


class Judgement(Answer):
    """Whether the moves are legal, and if not why."""

    legal = flag("Whether the moves would be made.", required=True)
    problem = nested(Problem, "The problem with which the moves would be refused. Absent if they are legal.")


# Records ---------------------------------------------------------------------------------------------------------


_FORMAT: Final = Enumeration("RecordFormat", "The format and its version.", (FORMAT,))


class RecordEvent(Strict):
    """A move of a seat, or an outcome of chance."""

    actor = _actor("The seat that moved, or `chance`.", required=True)
    notation = text("The move or outcome, with all of its cards.", most=NOTATION, required=True)


class RecordEventField(fields.Nested):
    """An event of a record. A valid one is recognised without its schema, because a body has thousands of them.

    The schema is slow. It only describes what is wrong with an event, and a list stops after a few of those.
    """

    def deserialize(self, value: Any, attr: Any = None, data: Any = None, **kwargs: Any) -> Any:
        """The event. Raises `ValidationError`."""
        event = _event(value)
        return super().deserialize(value, attr, data, **kwargs) if event is None else event


def _event(value: Any) -> dict[str, Any] | None:
    """The event that `RecordEvent` makes of the value; `None` if it refuses the value."""
    if not (isinstance(value, dict) and len(value) == 2):
        return None
    actor, notation = _without_point(value.get("actor")), value.get("notation")
    if not (is_actor(actor) and isinstance(notation, str) and 1 <= len(notation) <= NOTATION):
        return None
    return {"actor": actor, "notation": notation}


class RecordOutcome(Strict):
    """The result of a finished game."""

    winners = listed(
        integer("The number of a seat, from 0.", 0, MAX_SEATS - 1),
        "The seats with the highest total. Empty if the reason is `too-long`.",
        0,
        MAX_SEATS,
        required=True,
    )
    totals = listed(
        integer("The total points of a seat.", -MAX_POINTS, MAX_POINTS),
        "The total of each seat.",
        1,
        MAX_SEATS,
        required=True,
    )
    reason = text("The variant's ending that applied.", most=EXTENSIBLE, required=True)


class _Record(Strict, TakesRecord):
    """A whole game as one document."""


def _record(variant: str) -> type[Schema]:
    schemas = VARIANTS[variant].schema
    return shape(
        f"{pascal_case(variant)}Record",
        f"A whole game of {variant} as one document.",
        _Record,
        format=Const(_FORMAT, "The format of the document.", required=True),
        variant=Const(variant_name(variant), "The variant that was played.", required=True),
        rules_version=integer("The version of the rules that the game was created with.", 1, 1000, required=True),
        players=_players(variant),
        options=closed(schemas.OPTIONS, "The options of the game.", required=True),
        chance=choice(
            "Who determined the outcomes of chance: the service (`server`) or the host (`client`).",
            _CHANCE_SOURCES,
            required=True,
        ),
        seed=_hex(
            "The seed in hexadecimal. Null if chance was the host's, and while the game goes on, unless the caller "
            "chose the seed."
        ),
        commitment=_commitment(),
        seed_from=integer(
            "The seed determines the outcomes of the events after this version. Left out if it is 0. A game that was "
            "created from a record without a seed has a new one from there on.",
            0,
            MAX_VERSION,
        ),
        position=closed(schemas.POSITION, "The position that the game began from, if it was created from one."),
        events=listed(
            RecordEventField(RecordEvent, metadata={"description": "A move or an outcome of chance."}),
            "All events, oldest first. The n-th of them leads to version n.",
            0,
            MAX_VERSION,
            required=True,
        ),
        outcome=nested(RecordOutcome, "The result. Null if the game is not finished.", required=True, allow_none=True),
    )


RecordView = _by_variant("GameRecord", "A whole game as one document.", _record)


class RecordedGame(Strict):
    """A record to create a game from. The game goes on where the record ends."""

    record = nested(RecordView, "The record, as `GET /games/{game_id}/record` returns it.", required=True)


_Settings = _by_variant("NewGameSettings", "The settings of a new game.", _new_game)


class _NewGame(Union, TakesRecord):
    """The settings of a new game, or a record to go on from."""

    members: ClassVar[Mapping[str, type[Schema]]] = {**_Settings.members, "record": RecordedGame}

    def load(self, data: Any, **kwargs: Any) -> Any:
        """The settings, or the record in a member of that name."""
        del kwargs
        return _instance(RecordedGame if self.has_record(data) else _Settings).load(data)

    def has_record(self, body: Any) -> bool:
        """Whether the decoded body has a record."""
        return isinstance(body, dict) and "record" in body


NewGameSchema = shape("NewGame", str(_NewGame.__doc__), _NewGame)


@cache
def verification(variant: str) -> type[Schema]:
    """The result of verifying a record of that variant: one object, as a judgement is."""
    return shape(
        f"{pascal_case(variant)}Verification",
        "Whether a record is a legal and fair game with the right result, and if not why.",
        Answer,
        valid=flag("Whether the record is valid.", required=True),
        version=integer(
            "The number of events of a valid record. Otherwise the version of the first event that is wrong; the last "
            "version if only the result is wrong; 0 if the record is wrong before its first event.",
            0,
            MAX_VERSION,
            required=True,
        ),
        chance=extensible(
            "`verified`: every outcome of chance follows from the seed, and the seed from the commitment. "
            "`unverified`: the record has no seed for some or all of them. Absent if the record is not valid.",
            ["verified", "unverified"],
        ),
        score=nested(ScoreView.members[variant], "The score after the last event. Absent if the record is not valid."),
        outcome=nested(
            _outcome(variant),
            "The result. Null if the game is not finished, absent if the record is not valid.",
            allow_none=True,
        ),
        problem=nested(
            Problem,
            "The problem with which `POST /games` would refuse the record. Its pointer leads into the record. Absent "
            "if the record is valid.",
        ),
    )


class Fairness(Answer):
    """What is needed to verify the outcomes of chance."""

    algorithm = text(
        "The name of the algorithm that derives outcomes from the seed. Null if there is no seed.",
        most=40,
        required=True,
        allow_none=True,
    )
    chance = choice(
        "Who determines the outcomes of chance: the service (`server`) or the host (`client`).",
        _CHANCE_SOURCES,
        required=True,
    )
    seeded_by = choice("Who chose the seed. Null if there is no seed.", _SEED_SOURCES, required=True, allow_none=True)
    commitment = _commitment()
    seed = _hex("The seed in hexadecimal. Null until the game is finished.")
    seed_from = integer(
        "The seed determines the outcomes of the events after this version: 0, or the last version of the record "
        "without a seed that the game was created from. Null if there is no seed.",
        0,
        MAX_VERSION,
        required=True,
        allow_none=True,
    )
    description = text("The algorithm in full, to compute every outcome again.", most=4000, required=True)


# Stateless questions ---------------------------------------------------------------------------------------------


def _question(variant: str, name: str, doc: str, **members: AnyField) -> type[Schema]:
    schemas = VARIANTS[variant].schema
    return shape(
        f"{pascal_case(variant)}{name}Question",
        doc,
        options=closed(schemas.OPTIONS, "Options that differ from the default."),
        position=closed(
            schemas.POSITION, f"The position, or what one seat or a spectator sees of it. {_CONSISTENCY}", required=True
        ),
        **members,
    )


def legal_moves_question(variant: str) -> type[Schema]:
    """The request for the legal moves in a position."""
    seat = integer("Lists the moves of this seat only.", 0, MAX_SEATS - 1)
    return _question(variant, "LegalMoves", f"A position of {variant} whose legal moves are requested.", seat=seat)


def advice_question(variant: str) -> type[Schema]:
    """The request for advice in a position."""
    seat = integer("The seat that decides. Optional where only one seat is to act.", 0, MAX_SEATS - 1)
    return _question(variant, "Advice", f"A position of {variant} in which advice is requested.", seat=seat)


def score_question(variant: str) -> type[Schema]:
    """The request for the score of a position."""
    return _question(variant, "Score", f"A position of {variant} whose score is requested.")


class _MovesQuestion(Union):
    """A question about one move or a list of moves."""

    def load(self, data: Any, **kwargs: Any) -> Any:
        """The question, its moves as a list."""
        if not isinstance(data, Mapping):
            raise ValidationError({"_schema": ["Not an object."]})
        if ("move" in data) == ("moves" in data):
            raise ValidationError({"moves": ["give either 'move' or 'moves'"]})
        kwargs.pop("unknown", None)
        loaded = _instance(self.members["move" if "move" in data else "moves"]).load(data, **kwargs)
        one = loaded.pop("move", None)
        loaded["moves"] = [one._replace(path=("move",))] if one else numbered(loaded["moves"])
        return loaded


@cache
def moves_question(variant: str) -> type[Schema]:
    """A question about moves in a position."""
    move = shape(
        f"{pascal_case(variant)}MoveRequest",
        f"A move of {variant}, in one of its forms.",
        MoveRequest,
        members=_forms(variant),
    )
    about = f"A position of {variant} and "
    members = {
        "move": _question(
            variant, "Move", about + "one move.", move=nested(move, "The move, in one of its forms.", required=True)
        ),
        "moves": _question(variant, "MoveList", about + "a list of moves.", moves=_move_list(move, required=True)),
    }
    return shape(
        f"{pascal_case(variant)}MovesQuestion",
        f"A position of {variant} and moves in it.",
        _MovesQuestion,
        members=members,
    )


@cache
def reached(variant: str) -> type[Schema]:
    """The position after moves."""
    shared = ("variant", "status", "to_act", "phase", "options", "position", "outcome", *_included_members(variant))
    members = {name: field for name, field in _game_members(variant).items() if name in shared}
    return shape(
        f"{pascal_case(variant)}Reached",
        f"A position of {variant} after the requested moves.",
        Answer,
        **members,
        events=_events("The moves. The position in the request counts as version 0."),
    )


# Variants --------------------------------------------------------------------------------------------------------


class VariantSummary(Answer):
    """The name and the seats of a variant."""

    variant = extensible("The name of the variant in this API.", VARIANTS, required=True)
    title = text("The name of the published game.", most=100, required=True)
    rules_version = integer(
        "The version of the rules. It is raised with every change of what is legal or how it scores.",
        1,
        1000,
        required=True,
    )
    seats = nested(
        shape(
            "SeatRange",
            "The numbers of seats that can play.",
            Answer,
            min=integer("The smallest number of seats.", 1, MAX_SEATS, required=True),
            max=integer("The largest number of seats.", 1, MAX_SEATS, required=True),
        ),
        "The numbers of seats that can play.",
        required=True,
    )


class VariantList(Answer):
    """All variants that this service has."""

    variants = listed(
        nested(VariantSummary, "The name and the seats of a variant."),
        "The variants in alphabetical order.",
        1,
        100,
        required=True,
    )


@cache
def _entry(name: str, doc: str, members: tuple[tuple[str, str], ...]) -> type[Schema]:
    return shape(
        name, doc, Answer, **{key: text(description, most=LONGEST, required=True) for key, description in members}
    )


def _entries(name: str, doc: str, **members: str) -> AnyField:
    return listed(nested(_entry(name, doc, tuple(members.items())), doc), doc, 0, 200, required=True)


def _options_view(variant: str) -> type[Schema]:
    """The options of a variant. They differ in name and in the type of their default."""
    chosen = VARIANTS[variant].schema.OPTIONS().fields
    members = {
        option.name: shape(
            f"{pascal_case(variant)}{pascal_case(option.name.replace('_', '-'))}Option",
            f"An option of {variant}: {option.text}.",
            Answer,
            name=Const(_option_name(option.name), "The name of the option, as a request gives it.", required=True),
            default=_required(chosen[option.name]),
            text=text("What the option changes in the game.", most=LONGEST, required=True),
        )
        for option in VARIANTS[variant].rules.INFO.options
    }
    return shape(
        f"{pascal_case(variant)}Option", f"An option of {variant} with its default.", Union, tag="name", members=members
    )


def _option_name(name: str) -> Enumeration:
    return Enumeration(
        f"{pascal_case(name.replace('_', '-'))}OptionName", f"Tells the option `{name}` from the others.", (name,)
    )


def _required(field: AnyField) -> AnyField:
    required = copy(field)
    required.required = True
    return required


def _variant(variant: str) -> type[Schema]:
    about = VARIANTS[variant].rules.INFO
    return shape(
        f"{pascal_case(variant)}Variant",
        f"What the game {variant} consists of, its moves, rules and scales.",
        VariantSummary,
        variant=Const(variant_name(variant), "The name of the variant in this API.", required=True),
        components=like(about.components, "The components of the game.", required=True),
        options=listed(
            nested(_options_view(variant), "An option with its default."),
            "The options of a new game.",
            0,
            50,
            required=True,
        ),
        moves=listed(
            nested(MoveTypeView, "A type of move or outcome."), "The types of moves and outcomes.", 1, 50, required=True
        ),
        bots=listed(
            extensible("A level.", LEVELS),
            "The levels of the bots that can play, from the weakest.",
            1,
            10,
            required=True,
        ),
        chance=text(
            "How each outcome of chance follows from picks. `GET /games/{game_id}/fairness` says what a pick is.",
            most=2 * LONGEST,
            required=True,
        ),
        phases=_entries(
            "PhaseView",
            "A kind of decision that the game asks for.",
            phase="The name of the phase.",
            text="What is decided in it.",
        ),
        rules=_entries(
            "RuleView",
            "A rule that a move can break.",
            code="The stable code of the rule.",
            text="What the rule demands or allows.",
        ),
        scales=like(about.scales, "The numbers that the score is computed from.", required=True),
        endings=_entries(
            "EndingView",
            "A way for the game to end.",
            reason="The name of the ending.",
            text="When the game ends in this way.",
        ),
        rulings=listed(
            nested(RulingView, "A rule of the variant and its source."),
            "The rules and their sources.",
            1,
            200,
            required=True,
        ),
    )


class MoveTypeView(Answer):
    """A type of move or outcome."""

    type = text("The name of the type.", most=40, required=True)
    notation = text("The pattern of its notation.", most=NOTATION, required=True)
    by = choice(
        "Whether a seat or chance makes it.",
        Enumeration("MoveMaker", "Who makes moves of a type.", ("seat", CHANCE)),
        required=True,
    )
    text = text("What the move or the outcome means.", most=LONGEST, required=True)


class RulingView(Answer):
    """A rule and its source."""

    id = text("The name of the option, as a request gives it.", most=LONGEST, required=True)
    source = choice(
        "`text`: from the rulebook; `known`: from an independent public source; `ruling`: decided by this service.",
        Enumeration("RulingSource", "Where a rule comes from.", ("text", "known", "ruling")),
        required=True,
    )
    text = text("What the rule demands or allows.", most=LONGEST, required=True)


VariantView = _by_variant("VariantView", "The description of a variant.", _variant)


class Health(Answer):
    """The health of the service."""

    status = choice(
        "Always `ok`. Any other state is reported as a problem.",
        Enumeration("HealthStatus", "The state of a healthy service.", ("ok",)),
        required=True,
    )


# Queries ---------------------------------------------------------------------------------------------------------


class NoParameters(Strict):
    """No query parameters."""


_INCLUDED: Final = Enumeration("Included", "A member that a request can add to a game.", ("moves", "score"))


def _check_different(values: list[str]) -> None:
    if len({*values}) < len(values) <= len(_INCLUDED.values):
        raise ValidationError("Must not have a name twice.")


class IncludeQuery(Strict):
    """What the response contains besides the game."""

    include = DelimitedList(
        choice("A member that is added.", _INCLUDED),
        validate=[validate.Length(1, len(_INCLUDED.values), error="Must have 1 or 2 names."), _check_different],
        metadata={
            "description": "Adds members to the game or position: `moves`, the legal moves that `…/moves` lists for "
            "the caller, and `score`, what `…/score` answers. Both are of the version in the response. In a stream "
            "the newest event has such a game, too. The names are separated by a comma; a parameter for each of them "
            "means the same.",
            "uniqueItems": True,
        },
    )


_VIEWS: Final = Enumeration("HostView", "A view that the host's token may ask for.", ("full",))


class ViewQuery(Strict):
    """Which view of the game is requested."""

    seat = query_integer(
        "For the host's token: show what this seat may see. Not together with `view`.", 0, MAX_SEATS - 1
    )
    view = choice("For the host's token: show everything. Not together with `seat`.", _VIEWS)


class IncludeViewQuery(IncludeQuery, ViewQuery):
    """Which view of the game is requested, and what the response contains besides."""


class AdviceQuery(Strict):
    """For which seat advice is requested."""

    seat = query_integer("For the host's token: the seat that decides, if several are to act.", 0, MAX_SEATS - 1)


class VersionQuery(ViewQuery):
    """Which view and which version of the game are requested."""

    version = query_integer(
        "Show the game at this version, from 0 to the current one. Not together with `after`.", 0, MAX_VERSION
    )


class GameQuery(IncludeQuery, VersionQuery):
    """Which view and which version are requested, whether to wait for a newer one, and what to add."""

    after = query_integer(
        "The version that the caller has. Used with `wait`, not together with `version`.", 0, MAX_VERSION
    )
    wait = query_integer(
        "The number of seconds to wait for a version newer than `after`. Then the response shows the game as it is.",
        0,
        MAX_WAIT,
    )


class HistoryQuery(ViewQuery):
    """Which page and which view of the history are requested."""

    after = query_integer("Show the events after this version.", 0, MAX_VERSION, load_default=0)
    limit = query_integer("The largest number of events on the page.", 1, MAX_PAGE, load_default=100)
