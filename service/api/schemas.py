"""The shapes that clients rely on: requests, which are checked by them, and answers, which are documented by them."""

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from functools import cache
from typing import Any, ClassVar, Final, cast

from marshmallow import INCLUDE, Schema, ValidationError, fields, post_load, validate, validates_schema

from service.api.catalogue import PROBLEMS
from service.api.fields import (
    LONGEST,
    AnyField,
    Const,
    Strict,
    choice,
    flag,
    integer,
    like,
    listed,
    nested,
    shape,
    text,
)
from service.api.naming import title
from service.api.variants import SCHEMAS
from service.rules.game import Move
from service.rules.registry import GAMES
from service.store.games import ID_LENGTH
from service.table.asking import Asked

MAX_SEATS: Final = 10
"""More than any game seats: a seat that a game does not have is refused by name."""
MAX_MOVES: Final = 100
MAX_PAGE: Final = 500
MAX_VERSION: Final = 1_000_000
MAX_WAIT: Final = 30
"""Seconds: less than anything on the way gives up an unanswered request after."""
MAX_POINTS: Final = 100_000
NOTATION: Final = 200
OPERANDS: Final = 10
"""The longest list that is an operand."""

# Names are of printable letters, digits and punctuation: no control characters, no emoji, no leading space.
# The gaps leave out what cannot be seen: soft hyphens, marks of direction, fillers, wide spaces.
_LETTERS: Final = (
    "\\u00a1-\\u00ac\\u00ae-\\u061b\\u061d-\\u1fff\\u2010-\\u2027\\u2c00-\\u2fef\\u3001-\\u3029\\u3031-\\u303c"
    "\\u3041-\\u3163\\u3165-\\ud7ff\\uf900-\\ufaff\\uff01-\\uff9f"
)
NAME: Final = f"^[!-~{_LETTERS}][ -~{_LETTERS}]*$"
MAX_NAME: Final = 40

HEX: Final = "^[0-9a-f]{64}$"
ID: Final = f"^[a-z2-7]{{{ID_LENGTH}}}$"
TOKEN_LENGTH: Final = 37
ETAG: Final = r'^"\d{1,9}(-s\d|-full)?(-past|-open)?"$'


class Union(Schema):
    """One of several schemas. With a `tag`, the value of that field says which."""

    tag: ClassVar[str | None] = None
    members: ClassVar[Mapping[str, type[Schema]]] = {}

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
    """Making a schema costs as much as using it: each is made once."""
    return schema()


def _by_variant(name: str, doc: str, make: Callable[[str], type[Schema]]) -> type[Union]:
    members = {variant: make(variant) for variant in GAMES}
    return cast("type[Union]", shape(name, doc, Union, tag="variant", members=members))


# Moves -----------------------------------------------------------------------------------------------------------


def _operand(variant: str, name: str, values: list[Any]) -> AnyField:
    """A field for an operand that takes exactly these values somewhere in the vocabulary."""
    description = SCHEMAS[variant].OPERANDS[name]
    if isinstance(values[0], list):
        atoms = [*dict.fromkeys(atom for value in values for atom in value)]
        longest = max(map(len, values))
        return listed(choice("One of them.", atoms), description, 1, longest, required=True)
    if isinstance(values[0], int):
        return integer(description, min(values), max(values), required=True)
    return choice(description, [*dict.fromkeys(values)], required=True)


@cache
def _move_types(variant: str) -> Mapping[str, list[Move]]:
    """The moves of a variant's vocabulary by their type."""
    types: dict[str, list[Move]] = {}
    for move in GAMES[variant].VOCABULARY.values():
        types.setdefault(move.type, []).append(move)
    return types


@cache
def _move_schema(variant: str, type_: str, name: str, *, complete: bool) -> type[Schema]:
    """A move type's structured form; in an answer it is complete."""
    moves = _move_types(variant)[type_]
    operands = {name: _operand(variant, name, [move.fields[name] for move in moves]) for name in moves[0].fields}
    about = [kind for kind in GAMES[variant].ABOUT.moves if (kind.type, kind.by) == (type_, "seat")]
    return shape(
        f"{title(variant)}{title(type_)}{name}",
        f"In {variant}: " + "; or ".join(f"{kind.text} (`{kind.notation}`)" for kind in about) + ".",
        type=Const(type_, "The kind of move.", required=True),
        seat=_seat(required=complete),
        notation=text("The move's canonical text.", most=NOTATION, required=complete),
        **operands,
    )


def _seat(**kwargs: Any) -> AnyField:
    return integer("The seat that moves.", 0, MAX_SEATS - 1, **kwargs)


class MoveByNotation(Strict):
    """A move of a seat, by its notation alone."""

    seat = integer(
        "The seat that moves; may be left out where the token or the situation leaves one answer.", 0, MAX_SEATS - 1
    )
    notation = text("The move's text, as in `play R7`.", most=NOTATION, required=True)


class ChanceOutcome(Strict):
    """An outcome of chance, said by the host of a game created with `chance: client`, or in a question."""

    actor = Const("chance", "Says that it is an outcome of chance.", required=True)
    notation = text("The outcome's text, as in `roll 1 5 w`.", most=NOTATION, required=True)


def _is_operand(value: Any) -> bool:
    if isinstance(value, list):
        return len(value) <= OPERANDS and all(not isinstance(each, list) and _is_operand(each) for each in value)
    return isinstance(value, (int, float)) or (isinstance(value, str) and len(value) <= NOTATION)


class AskedMove(Schema):
    """A move by its notation, by its type and operands, or by both, as the list of legal moves gives it."""

    class Meta:
        """Which operands there are, the variant's vocabulary says."""

        unknown = INCLUDE

    seat = integer("The seat that moves.", 0, MAX_SEATS - 1)
    actor = Const("chance", "Says that it is an outcome of chance.")
    notation = text("The move's text.", most=NOTATION)
    type = text("The kind of move.", most=40)

    @validates_schema(pass_original=True)
    def _check_operands(self, data: dict[str, Any], original: Mapping[str, Any], **_: Any) -> None:
        """No operand of any move is more than a few words: anything larger is refused before it is looked at."""
        del data
        large = [name for name in original.keys() - self.fields.keys() if not _is_operand(original[name])]
        if large:
            raise ValidationError({name: ["Not an operand of a move."] for name in large})

    @validates_schema
    def _check_outcome(self, data: dict[str, Any], **_: Any) -> None:
        if "actor" in data and "type" in data:
            raise ValidationError("an outcome of chance is given by its notation alone", "type")

    @post_load
    def _as_asked(self, data: dict[str, Any], **_: Any) -> Asked:
        own = {name: data.pop(name, None) for name in ("seat", "actor", "notation", "type")}
        return Asked(**own, operands=data)


class MoveRequest(Union):
    """A move, by its notation or by its type and operands. What the list of legal moves gives can be sent back."""

    def load(self, data: Any, **kwargs: Any) -> Asked:
        """The move that is asked for; whether the variant knows it is not judged here."""
        del kwargs
        if not isinstance(data, Mapping):
            raise ValidationError({"_schema": ["Not an object."]})
        if "notation" in data and data.keys() <= MoveByNotation._declared_fields.keys():
            said = _instance(MoveByNotation).load(data)
            return Asked(said.get("seat"), None, said["notation"])
        asked: Asked = _instance(AskedMove).load(data)
        return asked


@cache
def _structured(variant: str) -> type[Schema]:
    """A variant's moves by their type and operands, as they are asked for."""
    members = {type_: _move_schema(variant, type_, "Request", complete=False) for type_ in _move_types(variant)}
    doc = f"A move of {variant} by its type and operands."
    return shape(f"{title(variant)}StructuredMove", doc, Union, tag="type", members=members)


def _asked_moves(*variants: str) -> dict[str, type[Schema]]:
    forms: list[type[Schema]] = [MoveByNotation, ChanceOutcome, *map(_structured, variants)]
    return {form.__name__: form for form in forms}


class AnyMoveRequest(MoveRequest):
    """A move of whatever variant the game is."""

    members: ClassVar[Mapping[str, type[Schema]]] = _asked_moves(*GAMES)


def _move_list(request: type[Schema], **kwargs: Any) -> AnyField:
    return listed(nested(request, "A move."), "Moves to be made in order, all or nothing.", 1, MAX_MOVES, **kwargs)


class MoveList(Strict):
    """Several moves, made in order, all or nothing."""

    moves = _move_list(AnyMoveRequest, required=True)


class MovesRequest(Union):
    """One move, or a list of them."""

    members: ClassVar[Mapping[str, type[Schema]]] = {**AnyMoveRequest.members, "MoveList": MoveList}

    def load(self, data: Any, **kwargs: Any) -> list[Asked]:
        """The moves that are asked for."""
        del kwargs
        if not isinstance(data, Mapping) or "moves" not in data:
            return [_instance(AnyMoveRequest).load(data)]
        return numbered(_instance(MoveList).load(data)["moves"])


def numbered(moves: Iterable[Asked]) -> list[Asked]:
    """The moves of a list, each knowing its place in it."""
    return [asked._replace(path=("moves", index)) for index, asked in enumerate(moves)]


def _listed_moves(variant: str) -> type[Schema]:
    members = {type_: _move_schema(variant, type_, "Move", complete=True) for type_ in _move_types(variant)}
    return shape(f"{title(variant)}Move", f"A legal move of {variant}.", Union, tag="type", members=members)


# Games -----------------------------------------------------------------------------------------------------------


def _new_game(variant: str) -> type[Schema]:
    schemas, seats = SCHEMAS[variant], GAMES[variant].ABOUT.seats
    return shape(
        f"New{title(variant)}",
        f"A game of {variant} as it is wanted.",
        variant=Const(variant, "The game to play.", required=True),
        players=listed(
            text("A player's name.", pattern=NAME, most=MAX_NAME, error=_NAME_ERROR),
            "The players in the order of their seats; seat 0 begins.",
            *seats,
            required=True,
        ),
        options=nested(schemas.OPTIONS, "What differs from the default."),
        chance=choice(
            "Who answers for chance: the service, or the host (`client`), as with real dice.", ["server", "client"]
        ),
        seed=text("A seed of your own for a reproducible game: 64 hexadecimal digits.", pattern=HEX, least=64, most=64),
        position=nested(schemas.POSITION, "The position to start from, nothing in it hidden; by default a new game."),
    )


_NAME_ERROR: Final = (
    "a name is made of letters, digits and punctuation, no emoji or control characters, and begins with no space"
)

NewGame = _by_variant("NewGame", "A game as it is wanted.", _new_game)


def _outcome(variant: str) -> type[Schema]:
    about = GAMES[variant].ABOUT
    seat = integer("A seat.", 0, about.seats[1] - 1)
    points = integer("Points.", -MAX_POINTS, MAX_POINTS)
    return shape(
        f"{title(variant)}Outcome",
        f"How a finished game of {variant} ended.",
        winners=listed(seat, "Every seat with the highest total.", 1, about.seats[1], required=True),
        totals=listed(points, "Each seat's total.", *about.seats, required=True),
        reason=choice("Which of the variant's endings it was.", [*about.endings], required=True),
    )


def _hex(description: str) -> AnyField:
    return text(description, pattern=HEX, least=64, most=64, required=True, allow_none=True)


def _commitment() -> AnyField:
    return _hex("SHA-256 of the seed, in hexadecimal; null without one.")


def _moment(description: str) -> AnyField:
    """A time, as RFC 3339 writes it."""
    return fields.String(
        required=True,
        validate=validate.Length(24, 24),
        metadata={"description": description, "format": "date-time"},
    )


class Actor(fields.Field[Any]):
    """A seat's number, or `chance`."""


ACTOR: Final = {
    "description": "Who acts: a seat, or chance.",
    "anyOf": [
        {"type": "string", "enum": ["chance"]},
        {"type": "integer", "minimum": 0, "maximum": MAX_SEATS - 1},
    ],
}


def _actor(description: str, **kwargs: Any) -> Actor:
    return Actor(metadata={"description": description}, **kwargs)


@cache
def _game_members(variant: str) -> dict[str, Any]:
    game, schemas = GAMES[variant], SCHEMAS[variant]
    return {
        "id": text("The game's id.", pattern=ID, least=ID_LENGTH, most=ID_LENGTH, required=True),
        "variant": Const(variant, "The game that is played.", required=True),
        "rules_version": integer("The version of the rules it was created with.", 1, 1000, required=True),
        "version": integer("Events so far; every event adds one.", 0, MAX_VERSION, required=True),
        "status": choice("Whether it goes on.", ["playing", "finished"], required=True),
        "players": listed(text("A name.", most=MAX_NAME), "The players by seat.", *game.ABOUT.seats, required=True),
        "to_act": listed(_actor("Who."), "Who decides next; nobody once it is finished.", 0, MAX_SEATS, required=True),
        "phase": choice("The kind of decision that is due.", [*game.ABOUT.phases], required=True),
        "options": nested(schemas.OPTIONS, "The options in force.", required=True),
        "position": nested(schemas.POSITION, "What the caller may see.", required=True),
        "outcome": nested(_outcome(variant), "How it ended; null while it goes on.", required=True, allow_none=True),
        "chance": choice("Who answers for chance.", ["server", "client"], required=True),
        "seeded_by": choice(
            "Who chose the seed; null without one.", ["server", "caller"], required=True, allow_none=True
        ),
        "commitment": _commitment(),
        "created_at": _moment("When it was created."),
        "expires_at": _moment("When it expires if nothing happens."),
    }


GameView = _by_variant(
    "Game",
    "A game as the caller may see it.",
    lambda variant: shape(f"{title(variant)}Game", f"A game of {variant}.", **_game_members(variant)),
)


def _token(description: str, **kwargs: Any) -> AnyField:
    return text(description, pattern="^(host|seat)_[0-9a-f]{32}$", least=TOKEN_LENGTH, most=TOKEN_LENGTH, **kwargs)


class Tokens(Strict):
    """The tokens of a game, told once."""

    host = _token("Moves for any seat, and sees what it asks for.", required=True)
    seats = listed(_token("Moves for its seat, and sees what it sees."), "By seat.", 1, MAX_SEATS, required=True)


CreatedGame = _by_variant(
    "CreatedGame",
    "A new game, with its tokens.",
    lambda variant: shape(
        f"Created{title(variant)}Game",
        f"A new game of {variant}.",
        **_game_members(variant),
        tokens=nested(Tokens, "For the `Authorization: Bearer` header.", required=True),
    ),
)


class EventView(Strict):
    """One entry of the history."""

    version = integer("The version that it led to.", 1, MAX_VERSION, required=True)
    actor = _actor("Who acted.", required=True)
    notation = text("What was done; a card that the caller may not see is a `?`.", most=NOTATION, required=True)


def _events(description: str, **kwargs: Any) -> AnyField:
    return listed(nested(EventView, "An event."), description, 0, MAX_PAGE * 100, required=True, **kwargs)


class ActedView(Strict):
    """What the moves led to."""

    version = integer("The version that the game is at.", 0, MAX_VERSION, required=True)
    events = _events("The moves, and what chance answered.")
    game = nested(GameView, "The game as the caller may see it.", required=True)


class HistoryView(Strict):
    """A page of events."""

    events = _events("Oldest first.")
    next = integer(
        "`after` for the next page; null once the newest event is on this one.",
        0,
        MAX_VERSION,
        required=True,
        allow_none=True,
    )


class StreamEnd(Strict):
    """Why a stream of events ends."""

    reason = choice("The game is `finished`, or `gone`: deleted or expired.", ["finished", "gone"], required=True)


LegalMoves = _by_variant(
    "LegalMoves",
    "The legal moves.",
    lambda variant: shape(
        f"{title(variant)}LegalMoves",
        f"Legal moves of {variant}.",
        variant=Const(variant, "The game that is played.", required=True),
        version=integer("The version that they are legal at.", 0, MAX_VERSION, required=True),
        moves=listed(nested(_listed_moves(variant), "A move."), "In a stable order.", 0, 10_000, required=True),
    ),
)


def _seat_score(variant: str) -> type[Schema]:
    return shape(
        f"{title(variant)}SeatScore",
        "A seat's score.",
        seat=_seat(required=True),
        total=integer("The sum of the lines.", -MAX_POINTS, MAX_POINTS, required=True),
        lines=listed(nested(SCHEMAS[variant].LINE, "A line."), "Line by line.", 0, 100, required=True),
    )


def _score_members(variant: str) -> dict[str, Any]:
    return {
        "variant": Const(variant, "The game that is played.", required=True),
        "final": flag("Whether the game is over.", required=True),
        "seats": listed(nested(_seat_score(variant), "A seat."), "By seat.", 1, MAX_SEATS, required=True),
        "winners": listed(integer("A seat.", 0, MAX_SEATS - 1), "Named only at the end.", 0, MAX_SEATS, required=True),
    }


ScoreView = _by_variant(
    "Score",
    "The score, line by line.",
    lambda variant: shape(f"{title(variant)}Score", f"Score of {variant}.", **_score_members(variant)),
)


class Legal(Strict):
    """The moves are legal."""

    legal = Const(value=True, description="They would be made.", required=True)


def _judgement(name: str, kind: str) -> type[Schema]:
    refused = shape(
        f"{name}Illegal",
        "The moves break a rule.",
        legal=Const(value=False, description="They would be refused.", required=True),
        problem=nested(PROBLEMS[kind].schema, "What making them would be answered with.", required=True),
    )
    members = {"legal": Legal, "illegal": refused}
    return shape(f"{name}Judgement", "Whether the moves are legal, and if not why.", Union, members=members)


Judgement = _judgement("", "IllegalMove")


def judgement(variant: str) -> type[Schema]:
    """The judgement of moves in a position of that variant."""
    return _judgement(title(variant), f"Illegal{title(variant)}Move")


class Fairness(Strict):
    """Everything that a verifier needs."""

    algorithm = text("How outcomes follow from the seed; null without one.", most=40, required=True, allow_none=True)
    chance = choice("Who answers for chance.", ["server", "client"], required=True)
    seeded_by = choice("Who chose the seed; null without one.", ["server", "caller"], required=True, allow_none=True)
    commitment = _commitment()
    seed = _hex("The seed, in hexadecimal; null until the game is over.")
    description = text("The algorithm in words.", most=4000, required=True)


# Stateless questions ---------------------------------------------------------------------------------------------


def _question(variant: str, name: str, doc: str, **members: AnyField) -> type[Schema]:
    schemas = SCHEMAS[variant]
    return shape(
        f"{title(variant)}{name}Question",
        doc,
        options=nested(schemas.OPTIONS, "What differs from the default."),
        position=nested(schemas.POSITION, "The position, nothing in it hidden.", required=True),
        **members,
    )


def legal_moves_question(variant: str) -> type[Schema]:
    """The body of the question what is legal in a position."""
    seat = integer("Only the moves of this seat.", 0, MAX_SEATS - 1)
    return _question(variant, "LegalMoves", f"What is legal in a position of {variant}?", seat=seat)


def score_question(variant: str) -> type[Schema]:
    """The body of the question what a position scores."""
    return _question(variant, "Score", f"What does a position of {variant} score?")


class _MovesQuestion(Union):
    """A question about one move or about a list of them."""

    def load(self, data: Any, **kwargs: Any) -> Any:
        """The question, its moves as a list."""
        if not isinstance(data, Mapping):
            raise ValidationError({"_schema": ["Not an object."]})
        if ("move" in data) == ("moves" in data):
            raise ValidationError({"moves": ["give 'move' or 'moves', and not both"]})
        kwargs.pop("unknown", None)
        loaded = _instance(self.members["move" if "move" in data else "moves"]).load(data, **kwargs)
        one = loaded.pop("move", None)
        loaded["moves"] = [one._replace(path=("move",))] if one else numbered(loaded["moves"])
        return loaded


@cache
def moves_question(variant: str) -> type[Schema]:
    """The body of a question about moves in a position."""
    move = shape(f"{title(variant)}MoveRequest", f"A move of {variant}.", MoveRequest, members=_asked_moves(variant))
    about = f"a position of {variant}, and "
    members = {
        "move": _question(variant, "Move", about + "one move.", move=nested(move, "The move.", required=True)),
        "moves": _question(variant, "MoveList", about + "a list of moves.", moves=_move_list(move, required=True)),
    }
    return shape(
        f"{title(variant)}MovesQuestion", f"What do moves of {variant} lead to?", _MovesQuestion, members=members
    )


@cache
def reached(variant: str) -> type[Schema]:
    """Where moves in a position lead."""
    shared = ("variant", "status", "to_act", "phase", "options", "position", "outcome")
    members = {name: field for name, field in _game_members(variant).items() if name in shared}
    return shape(
        f"{title(variant)}Reached",
        f"A position of {variant}, after some moves.",
        **members,
        events=_events("The moves; the position in the request is version 0."),
    )


# Variants --------------------------------------------------------------------------------------------------------


class VariantSummary(Strict):
    """A game that can be played."""

    variant = choice("Its name in this API.", [*GAMES], required=True)
    title = text("Its name on the box.", most=100, required=True)
    rules_version = integer("Raised with every change of what is legal or what it scores.", 1, 1000, required=True)
    seats = nested(
        shape(
            "SeatRange",
            "How many can play.",
            min=integer("The fewest.", 1, MAX_SEATS, required=True),
            max=integer("The most.", 1, MAX_SEATS, required=True),
        ),
        "How many can play.",
        required=True,
    )


class VariantList(Strict):
    """Every game that can be played."""

    variants = listed(nested(VariantSummary, "A game."), "In alphabetical order.", 1, 100, required=True)


@cache
def _entry(name: str, doc: str, members: tuple[tuple[str, str], ...]) -> type[Schema]:
    return shape(name, doc, **{key: text(description, most=LONGEST, required=True) for key, description in members})


def _entries(name: str, doc: str, **members: str) -> AnyField:
    return listed(nested(_entry(name, doc, tuple(members.items())), doc), doc, 0, 200, required=True)


def _options_view(variant: str) -> type[Schema]:
    """The options of a variant, told apart by their names: the default of each is what the option can be."""
    chosen = SCHEMAS[variant].OPTIONS().fields
    members = {
        option.name: shape(
            f"{title(variant)}{title(option.name.replace('_', '-'))}Option",
            f"{option.text}.",
            name=Const(option.name, "Its name.", required=True),
            default=_required(chosen[option.name]),
            text=text("What it does.", most=LONGEST, required=True),
        )
        for option in GAMES[variant].ABOUT.options
    }
    return shape(f"{title(variant)}Option", f"An option of {variant}.", Union, tag="name", members=members)


def _required(field: AnyField) -> AnyField:
    required = copy(field)
    required.required = True
    return required


def _variant(variant: str) -> type[Schema]:
    about = GAMES[variant].ABOUT
    return shape(
        f"{title(variant)}Variant",
        f"All that there is to know about {variant}.",
        VariantSummary,
        variant=Const(variant, "Its name in this API.", required=True),
        components=like(about.components, "What is in the box.", required=True),
        options=listed(
            nested(_options_view(variant), "An option."), "What a game can be created with.", 0, 50, required=True
        ),
        moves=listed(nested(MoveTypeView, "A kind of move."), "What seats and chance say.", 1, 50, required=True),
        phases=_entries("PhaseView", "A kind of decision.", phase="Its name.", text="What is decided."),
        rules=_entries("RuleView", "A rule that a move can break.", code="Its stable code.", text="What it says."),
        scales=like(about.scales, "The numbers of the score.", required=True),
        endings=_entries("EndingView", "A way for the game to end.", reason="Its name.", text="When it happens."),
        rulings=listed(nested(RulingView, "A line."), "The rules, line by line.", 1, 200, required=True),
    )


class MoveTypeView(Strict):
    """A kind of move."""

    type = text("The verb.", most=40, required=True)
    notation = text("The pattern of its text.", most=NOTATION, required=True)
    by = choice("Who says it.", ["seat", "chance"], required=True)
    text = text("What it does.", most=LONGEST, required=True)


class RulingView(Strict):
    """A line of the rules, and how sure it is."""

    id = text("Its name.", most=LONGEST, required=True)
    source = choice(
        "`text`: the rulebook's; `known`: from an independent public source; `ruling`: decided by this service.",
        ["text", "known", "ruling"],
        required=True,
    )
    text = text("What it says.", most=LONGEST, required=True)


VariantView = _by_variant("VariantView", "All that there is to know about a game.", _variant)


class Health(Strict):
    """Whether the service is well."""

    status = choice("Always `ok`: anything else is a problem.", ["ok"], required=True)


# Queries ---------------------------------------------------------------------------------------------------------


class Looking(Strict):
    """Through whose eyes."""

    seat = integer("For the host: see what this seat sees.", 0, MAX_SEATS - 1)
    view = choice("For the host: see everything.", ["full"])


class LookingBack(Looking):
    """Through whose eyes, and when."""

    version = integer("See the game at this version.", 0, MAX_VERSION)
    after = integer("The version that the caller has: with `wait`, answer when there is a newer one.", 0, MAX_VERSION)
    wait = integer(
        "The most seconds to wait for a version newer than `after`; then the game is shown as it is.", 0, MAX_WAIT
    )


class HistoryQuery(Looking):
    """Which page, through whose eyes."""

    after = integer("Only events after this version.", 0, MAX_VERSION, load_default=0)
    limit = integer("The most events on the page.", 1, MAX_PAGE, load_default=100)
