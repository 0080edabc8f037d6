"""The schemas of moves, in requests and answers."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, ClassVar, Final

from marshmallow import INCLUDE, Schema, ValidationError, post_load, validates_schema

from lostcities.api.fields import (
    AnyField,
    Const,
    Enumeration,
    Message,
    SchemaOrLater,
    choice,
    flag,
    integer,
    listed,
    nested,
    number,
    text,
)
from lostcities.api.game_contract import GameContract
from lostcities.api.schemas import NOT_AN_OBJECT, Answer, Bounded, Strict, Union, instance, shape
from lostcities.games.moves import RequestedMove
from lostcities.variants.core import CHANCE
from lostcities.variants.registry import VARIANTS

MAX_SEATS: Final = 10
"""More seats than any variant has. A seat that a game does not have is refused with a problem that says so."""
MAX_MOVES: Final = 100
NOTATION: Final = 200
OPERANDS: Final = 10
"""The longest list that is an operand."""

CHANCE_ACTOR: Final = Enumeration("ChanceActor", "The actor of outcomes of chance.", (CHANCE,))


# Moves by type and operands --------------------------------------------------------------------------------------


def _operands(game: GameContract, type_: str) -> dict[str, AnyField]:
    """The operands of a type of move."""
    moves = game.vocabulary[type_]
    return {name: _operand(game, name, [move.fields[name] for move in moves]) for name in moves[0].fields}


def _operand(game: GameContract, name: str, values: list[Any]) -> AnyField:
    """A field that takes the values which this operand has in the vocabulary."""
    description = game.operands[name].description
    if isinstance(values[0], int):
        return integer(description, min(values), max(values), required=True)
    known = game.operand_values(name)
    if isinstance(values[0], list):
        item = choice("One of the values that make up the operand.", known)
        return listed(item, description, 1, max(map(len, values)), required=True)
    return choice(description, known, required=True)


def _type_of_move(game: GameContract, type_: str) -> AnyField:
    """The member of a move that says its type. It has one value, by which a union of moves is resolved."""
    known = Enumeration(game.moves[type_].type, f"Tells moves `{type_}` from those of other types.", (type_,))
    return Const(known, "The type of the move.", required=True)


@cache
def move_schemas(game: GameContract) -> Mapping[str, type[Schema]]:
    """The schemas of a game's moves by type."""
    return {type_: _move_schema(game, type_) for type_ in game.vocabulary}


def _move_schema(game: GameContract, type_: str) -> type[Schema]:
    """A type of move by its operands, in requests and responses. A response has every member."""
    about = [kind for kind in game.rules.INFO.moves if (kind.type, kind.by) == (type_, "seat")]
    return shape(
        game.moves[type_].move,
        f"In {game.variant}: " + "; or ".join(f"{kind.text} (`{kind.notation}`)" for kind in about) + ".",
        type=_type_of_move(game, type_),
        seat=integer(
            "The seat that moves. Listed moves have it. A request may leave it out where only one seat is possible.",
            0,
            MAX_SEATS - 1,
        ),
        notation=text(
            "The move in its canonical notation. Listed moves have it. A request may leave it out.", most=NOTATION
        ),
        **_operands(game, type_),
    )


class ListedMove(Union):
    """A legal move of {game}, by its type."""

    tag = "type"

    @classmethod
    def members(cls) -> Mapping[str, type[Schema]]:
        """The types of moves."""
        return move_schemas(cls.contract)


def legal_moves(game: GameContract, description: str, **kwargs: Any) -> AnyField:
    """A list of legal moves in an answer."""
    move = nested(lambda: game.of(ListedMove), "A move, in one of its forms.")
    return listed(move, description, 0, 10_000, **kwargs)


def _advised_move(game: GameContract, type_: str) -> type[Schema]:
    """A type of move with what it is worth."""
    return shape(
        game.moves[type_].advice,
        f"A move of {game.variant} and what it is worth.",
        Answer,
        type=_type_of_move(game, type_),
        seat=integer("The number of the seat.", 0, MAX_SEATS - 1, required=True),
        notation=text("The move in its canonical notation.", most=NOTATION, required=True),
        value=number("The expected final margin over the best other seat, if the move is made.", required=True),
        error=number("The standard error of the value.", required=True),
        loss=number("How much less the move is worth than the best one, with the same luck for both.", required=True),
        loss_error=number("The standard error of the loss.", required=True),
        mistake=flag("Whether the loss is above two standard errors, more than chance explains.", required=True),
        **_operands(game, type_),
    )


@cache
def _advised_moves(game: GameContract) -> Mapping[str, type[Schema]]:
    return {type_: _advised_move(game, type_) for type_ in game.vocabulary}


class AdvisedMove(Union):
    """A legal move of {game}, and what it is worth."""

    tag = "type"

    @classmethod
    def members(cls) -> Mapping[str, type[Schema]]:
        """The types of moves."""
        return _advised_moves(cls.contract)


# Moves in requests -----------------------------------------------------------------------------------------------


class MoveByNotation(Strict):
    """A move of a seat, given by its notation."""

    seat = integer("The seat that moves. Optional where the token or the position leaves only one.", 0, MAX_SEATS - 1)
    notation = text("The move, for example `play R7`.", most=NOTATION, required=True)


class ChanceOutcome(Strict):
    """An outcome of chance, reported by the host of a game with `chance: client`, or part of a question."""

    actor = Const(CHANCE_ACTOR, "Marks an outcome of chance.", required=True)
    notation = text("The outcome, for example `roll 1 5 w`.", most=NOTATION, required=True)


class AnyMove(Bounded):
    """A move given by its notation, by its type and operands, or by both, as the list of legal moves has it."""

    most_unknown: ClassVar = 5
    """Operands that are read. No move has as many."""

    class Meta:
        """The operands are checked later, against the vocabulary of the variant."""

        unknown = INCLUDE

    seat = integer("The number of the seat.", 0, MAX_SEATS - 1)
    actor = Const(CHANCE_ACTOR, "Marks an outcome of chance.")
    notation = text("The move's notation.", most=NOTATION)
    type = text("The type of the move.", most=40)

    @validates_schema(pass_original=True)
    def _check_operands(self, data: dict[str, Any], original: Mapping[str, Any], **_: Any) -> None:
        """No operand of any move is larger than a few words, so a larger one is refused at once."""
        del data
        large = [name for name in original.keys() - self.fields.keys() if not _is_operand(original[name])]
        if large:
            raise ValidationError({name: [Message("Not an operand of a move.")] for name in large})

    @validates_schema
    def _check_outcome(self, data: dict[str, Any], **_: Any) -> None:
        if "actor" in data and "type" in data:
            raise ValidationError(Message("an outcome of chance has a notation only"), "type")

    @post_load
    def _as_requested(self, data: dict[str, Any], **_: Any) -> RequestedMove:
        own = {name: data.pop(name, None) for name in ("seat", "actor", "notation", "type")}
        return RequestedMove(**own, operands=data)


def _is_operand(value: Any) -> bool:
    if isinstance(value, list):
        return len(value) <= OPERANDS and all(not isinstance(each, list) and _is_operand(each) for each in value)
    return isinstance(value, (int, float)) or (isinstance(value, str) and len(value) <= NOTATION)


class MoveRequest(Union):
    """A move of {game}, in one of its forms."""

    @classmethod
    def members(cls) -> Mapping[str, type[Schema]]:
        """The forms of a move of the game."""
        return _forms([cls.contract])

    def load(self, data: Any, **kwargs: Any) -> Any:
        """The requested move. Whether the variant has such a move is checked later."""
        del kwargs
        if not isinstance(data, Mapping):
            raise ValidationError({"_schema": [NOT_AN_OBJECT]})
        if "notation" in data and data.keys() <= instance(MoveByNotation).fields.keys():
            loaded = instance(MoveByNotation).load(data)
            return RequestedMove(loaded.get("seat"), None, loaded["notation"])
        return instance(AnyMove).load(data)


def _forms(games: Iterable[GameContract], **more: type[Schema]) -> dict[str, type[Schema]]:
    """The forms of a move in a request, without nested unions, which not every code generator can read.

    The move by notation is last: a generated client takes the first form that fits, and some ignore unknown members.
    """
    moves = [schema for game in games for schema in move_schemas(game).values()]
    forms: list[type[Schema]] = [*moves, ChanceOutcome, *more.values(), MoveByNotation]
    return {form.__name__: form for form in forms}


class AnyMoveRequest(MoveRequest):
    """A move of any variant, as a list of legal moves has it, by its type and operands, or by its notation."""

    @classmethod
    def members(cls) -> Mapping[str, type[Schema]]:
        """The forms of a move of every game."""
        return _forms(_games())

    @classmethod
    def keyword(cls) -> str:
        """`anyOf` if two games have a move of the same form."""
        forms = [(type_, *moves[0].fields) for game in _games() for type_, moves in game.vocabulary.items()]
        return "oneOf" if len({*forms}) == len(forms) else "anyOf"


def _games() -> list[GameContract]:
    return [variant.schema for variant in VARIANTS.values()]


def move_list(move: SchemaOrLater) -> AnyField:
    """A list of moves in a request."""
    return listed(
        nested(move, "A move, in one of its forms."),
        "The moves in order. All are made, or none.",
        1,
        MAX_MOVES,
        required=True,
    )


class MoveList(Strict):
    """A list of moves. All are made in order, or none."""

    moves = move_list(AnyMoveRequest)


class MovesRequest(AnyMoveRequest):
    """One move, or a list of moves."""

    @classmethod
    def members(cls) -> Mapping[str, type[Schema]]:
        """The forms of a move of every game, and a list."""
        return _forms(_games(), list=MoveList)

    def load(self, data: Any, **kwargs: Any) -> Any:
        """The requested moves."""
        del kwargs
        if not isinstance(data, Mapping) or "moves" not in data:
            return [instance(AnyMoveRequest).load(data)]
        return numbered(instance(MoveList).load(data)["moves"])


def numbered(moves: Iterable[RequestedMove]) -> list[RequestedMove]:
    """The moves of a list with their paths in the request, for error messages."""
    return [move._replace(path=("moves", index)) for index, move in enumerate(moves)]
