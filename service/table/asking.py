"""What a caller asks of a table: who may see what, who may move for whom, and which move is meant."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from service.rules.game import CHANCE, FULL, Actor, Game, IllegalMove, Move, NotAMove, Path, Viewer
from service.rules.registry import GAMES
from service.table.game import Event, Table, advance, is_fresh, settle
from service.table.tokens import Caller


class Refusal(Exception):
    """The caller cannot have that, whatever the rules say."""

    def __init__(self, code: str, detail: str, path: Path = (), parameter: str | None = None) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.path = tuple(path)
        """Where in the body, if it is about a part of it."""
        self.parameter = parameter
        """The parameter, if it is about one."""


class Unauthorized(Refusal):
    """It takes a token of this game."""


class Forbidden(Refusal):
    """This token does not allow it."""


class Malformed(Refusal):
    """The request makes no sense for this game."""


class Stale(Refusal):
    """The caller has not seen the decision it answers."""


# Seeing ----------------------------------------------------------------------------------------------------------


class Look(NamedTuple):
    """What a caller asks to see: the view of a seat, everything, or what is its own."""

    seat: int | None = None
    view: Literal["full"] | None = None


def viewer_of(caller: Caller, seats: int, look: Look) -> Viewer:
    """Through whose eyes the caller looks."""
    seat, view = look
    if seat is not None and view is not None:
        raise Malformed("seat-or-view", "ask for 'seat' or 'view', not for both", parameter="seat")
    if seat is not None and seat >= seats:
        raise Malformed("unknown-seat", f"this game has the seats 0..{seats - 1}", parameter="seat")
    if caller.role == "host":
        return FULL if view else seat
    if seat in (None, caller.seat) and view is None:
        return caller.seat
    if caller.role == "anybody":
        raise Unauthorized("token-required", "only a token of this game sees more than a spectator")
    raise Forbidden("not-your-seat", f"this token sees seat {caller.seat} only")


def acting_seats(table: Table, caller: Caller, look: Look) -> list[int]:
    """The seats to act that the caller may act for, and asks to see."""
    viewer_of(caller, len(table.record.players), look)
    return [
        actor
        for actor in table.to_act
        if actor != CHANCE and (caller.role == "host" or actor == caller.seat) and look.seat in (None, actor)
    ]


# Moving ----------------------------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """A move as a caller asks for it: by its notation, by its parts, or by both."""

    seat: int | None = None
    actor: Literal["chance"] | None = None
    notation: str | None = None
    type: str | None = None
    operands: Mapping[str, Any] = {}
    path: Path = ()
    """Where in the request it stands."""


TABLE_RULES: Final[Mapping[str, str]] = {
    "chance-in-between": "A list of moves ends where chance answers: what is undone must not have shown its answer.",
    "game-too-long": "A game has a last event.",
}
"""What a move can break besides the rules of its game."""


def act(
    table: Table, caller: Caller, asked: Sequence[Asked], limit: int, *, past_chance: bool
) -> tuple[Table, list[Event]]:
    """Make the moves in order, all or nothing, chance's answers in between.

    The history holds at most `limit` events. `past_chance`: whether the list may go on after chance has answered.
    Raises `Refusal`, and `IllegalMove` for the first that breaks a rule.
    """
    moves = [understand(table.record.game, each) for each in asked]
    events: list[Event] = []
    for number, (each, move) in enumerate(zip(asked, moves, strict=True)):
        table, event = advance(table, actor_of(table, caller, each, move), move)
        events.append(event)
        if table.record.seed is not None and table.to_act == (CHANCE,):
            if number + 1 < len(moves) and not past_chance:
                raise IllegalMove("chance-in-between", f"'{move.notation}' is answered by chance: end the list with it")
            table, answers = settle(table)
            events += answers
        if table.version > limit:
            raise IllegalMove("game-too-long", f"a game has at most {limit} events")
    return table, events


def check_fresh(table: Table, caller: Caller, asked: Sequence[Asked], seen: Sequence[int]) -> None:
    """Refuse moves that answer a decision which the caller, who has seen one of those versions, has not seen.

    The first move is looked at, and the first of each other actor that is to act now: later decisions are put by the
    list itself.
    """
    moves = [understand(table.record.game, each) for each in asked]
    actors = [actor_of(table, caller, asked[0], moves[0])]
    for each, move in zip(asked[1:], moves[1:], strict=True):
        if each.seat is not None or each.actor is not None:
            actor = actor_of(table, caller, each, move)
            actors += [actor] if actor in table.to_act else []
    if not any(all(is_fresh(table, version, actor) for actor in actors) for version in seen):
        raise Stale("stale", f"the game is at version {table.version}, and this decision was put after what was seen")


def actor_of(table: Table, caller: Caller, asked: Asked, move: Move) -> Actor:
    """Whose move it is: said, or the only answer that the token or the situation leaves."""
    seats = len(table.record.players)
    if asked.seat is not None and asked.actor is not None:
        raise Malformed("seat-or-actor", "a move is a seat's or chance's, not both", (*asked.path, "actor"))
    if asked.seat is not None and asked.seat >= seats:
        raise Malformed("unknown-seat", f"this game has the seats 0..{seats - 1}", (*asked.path, "seat"))
    if caller.role == "anybody":
        raise Unauthorized("token-required", "a move takes the token of its seat or of the host")
    if caller.seat is None:
        said: Actor | None = CHANCE if asked.actor else asked.seat
        return _only_answer(table, asked, move) if said is None else said
    if asked.actor is not None:
        raise Forbidden("host-only", "only the host's token speaks for chance", (*asked.path, "actor"))
    if asked.seat not in (None, caller.seat):
        raise Forbidden("not-your-seat", f"this token moves for seat {caller.seat} only", (*asked.path, "seat"))
    return caller.seat


def _only_answer(table: Table, asked: Asked, move: Move) -> Actor:
    """Where one actor is to act, the host need not say which."""
    if not table.to_act:
        raise IllegalMove("game-over", "the game is over")
    if table.to_act == (CHANCE,) and not move.by_chance:
        raise IllegalMove("chance-to-act", "an outcome of chance is awaited before anybody moves")
    if len(table.to_act) == 1:
        return table.to_act[0]
    seats = ", ".join(map(str, table.to_act))
    raise Malformed("seat-required", f"seats {seats} are to act: say which of them moves", (*asked.path, "seat"))


def understand(game: Game, asked: Asked) -> Move:
    """The move that is meant. Raises `Malformed` for what is no move of this variant."""
    if asked.type is None:
        for name in asked.operands:
            raise _unknown_field(asked, name)
        return _by_notation(game, asked)
    move = _by_type(game, asked)
    if asked.notation is not None and (noted := _by_notation(game, asked)) != move:
        detail = f"'notation' says '{noted.notation}', 'type' and operands say '{move.notation}'"
        raise Malformed("contradiction", detail, (*asked.path, "notation"))
    return move


def _by_notation(game: Game, asked: Asked) -> Move:
    if asked.notation is None:
        detail = "give the move's 'notation', or its 'type' and operands"
        raise Malformed("not-a-move", detail, (*asked.path, "notation"))
    try:
        return game.parse(asked.notation)
    except NotAMove as error:
        raise Malformed("not-a-move", str(error), (*asked.path, "notation")) from None


def _by_type(game: Game, asked: Asked) -> Move:
    forms = _forms(game.VARIANT)
    if move := forms.get(_form(str(asked.type), asked.operands)):
        return move
    alike = [move for move in forms.values() if move.type == asked.type]
    if not alike:
        types = dict.fromkeys(move.type for move in forms.values())
        raise Malformed("not-a-move", f"the moves of {game.VARIANT} are: {', '.join(types)}", (*asked.path, "type"))
    expected = alike[0].fields.keys()
    for name in expected - asked.operands.keys():
        raise Malformed("missing-field", f"'{asked.type}' needs '{name}'", (*asked.path, name))
    for name in asked.operands.keys() - expected:
        raise _unknown_field(asked, name)
    known = {name: [_atom(move.fields[name]) for move in alike] for name in expected}
    wrong = [name for name in expected if _atom(asked.operands[name]) not in known[name]]
    name = (wrong or [*expected])[0]
    raise Malformed("not-a-move", f"there is no '{asked.type}' with this {name}", (*asked.path, name))


def _unknown_field(asked: Asked, name: str) -> Malformed:
    return Malformed("unknown-field", "unknown field", (*asked.path, name))


@cache
def _forms(variant: str) -> Mapping[tuple[str, frozenset[Any]], Move]:
    """The moves of a variant by their structured forms."""
    return {_form(move.type, move.fields): move for move in GAMES[variant].VOCABULARY.values()}


def _form(type: str, operands: Mapping[str, Any]) -> tuple[str, frozenset[Any]]:  # noqa: A002
    """A structured form as a key: sets in any order are one, and 1, true and "1" are three."""
    return type, frozenset((name, *_atom(value)) for name, value in operands.items())


def _atom(value: Any) -> tuple[Any, ...]:
    if isinstance(value, list):
        return ("list", *sorted((_atom(each) for each in value), key=repr))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return (type(value).__name__, repr(value))
