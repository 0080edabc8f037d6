"""What a caller may see and do in a game, and which move a request means."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from lostcities.bots.levels import levels_of
from lostcities.games.game import Event, Game, advance, has_seen_decision, resolve_chance
from lostcities.games.opponents import bot_to_act
from lostcities.games.table import BOT, OnTimeout, TableEvent
from lostcities.games.tokens import Caller
from lostcities.variants.core import (
    CHANCE,
    FULL,
    N_,
    Actor,
    AnyRules,
    IllegalMove,
    Move,
    NotAMove,
    Path,
    Seat,
    Text,
    Viewer,
)
from lostcities.variants.registry import VARIANTS


class Refusal(Exception):
    """A request that is refused for a reason other than a rule of the game."""

    def __init__(self, code: str, detail: Text, path: Path = (), parameter: str | None = None) -> None:
        super().__init__(str(detail))
        self.code = code
        self.detail = detail
        self.path = tuple(path)
        """The path in the body, if a part of it is wrong."""
        self.parameter = parameter
        """The parameter that is wrong, if any."""


class Unauthorized(Refusal):
    """A token of this game is required."""


class Forbidden(Refusal):
    """The token does not allow the request."""


class Malformed(Refusal):
    """The request does not fit this game."""


class NothingToDecide(Refusal):
    """The seat has no decision to make now."""


class PreconditionFailed(Refusal):
    """The decision came up after the versions in `If-Match`."""


# Seeing ----------------------------------------------------------------------------------------------------------


class ViewRequest(NamedTuple):
    """The requested view: a seat's, everything, or by default the caller's own."""

    seat: int | None = None
    view: Literal["full"] | None = None
    path: Path = ()
    """The path of `seat` in the body, if it is not a parameter."""


def permitted_viewer(game: Game, caller: Caller, requested: ViewRequest) -> Viewer:
    """The viewer of a view that the caller requests. Raises `Refusal` if the caller may not have it."""
    seat, view, path = requested
    if seat is not None and view is not None:
        raise Malformed("seat-or-view", Text("use either 'seat' or 'view'"), parameter="seat")
    if seat is not None and seat >= game.seats:
        detail = Text("this game has the seats 0..{last}", last=game.seats - 1)
        raise Malformed("unknown-seat", detail, path, None if path else "seat")
    if caller.role == "host":
        return FULL if view else seat
    if seat in (None, caller.seat) and view is None:
        return caller.seat
    if caller.role == "spectator":
        raise Unauthorized("token-required", Text("a token of this game is required to see more than a spectator"))
    detail = Text("this token shows the view of seat {seat} only", seat=caller.seat)
    raise Forbidden("not-your-seat", detail, parameter="seat" if view is None else "view")


def acting_seats(game: Game, caller: Caller, requested: ViewRequest) -> list[int]:
    """The acting seats that the caller may act for and requested."""
    permitted_viewer(game, caller, requested)
    return [
        actor
        for actor in game.to_act
        if actor != CHANCE
        and not game.bot_of(actor)
        and (caller.role == "host" or actor == caller.seat)
        and requested.seat in (None, actor)
    ]


def advised_seat(game: Game, caller: Caller, requested: ViewRequest) -> Seat:
    """The seat whose decision the caller wants advice for: the caller's own, or for the host any person's."""
    if caller.role == "spectator":
        raise Unauthorized("token-required", Text("advice takes the token of a seat or of the host"))
    acting = acting_seats(game, caller, requested)
    if requested.seat is not None and game.bot_of(requested.seat):
        raise Forbidden("bot-seat", Text("seat {seat} is played by the service", seat=requested.seat), parameter="seat")
    if not acting:
        anyone = caller.role == "host" and requested.seat is None
        nothing = Text("no seat is to decide now") if anyone else Text("no decision of this seat is expected now")
        raise NothingToDecide("nothing-to-decide", nothing)
    if len(acting) > 1:
        detail = Text("seats {seats} are to act: name one", seats=", ".join(map(str, acting)))
        raise Malformed("seat-required", detail, requested.path, None if requested.path else "seat")
    return acting[0]


# The table -------------------------------------------------------------------------------------------------------


def concerned_seat(game: Game, caller: Caller, requested: Seat | None) -> Seat:
    """The seat that causes a table event of its own: the caller's, or the one that the host names."""
    require_seat(game, requested)
    if caller.role == "spectator":
        raise Unauthorized("token-required", Text("a token of this game is required"))
    if caller.seat is not None and requested not in (None, caller.seat):
        raise Forbidden("not-your-seat", Text("this token acts for seat {seat} only", seat=caller.seat), ("seat",))
    seat = requested if caller.seat is None else caller.seat
    if seat is None:
        raise Malformed("seat-required", Text("the host's token acts for several seats: name one"), ("seat",))
    if game.is_over:
        raise IllegalMove("game-over", Text("the game is over"))
    if game.bot_of(seat):
        raise Forbidden("bot-seat", Text("seat {seat} is played by the service", seat=seat), ("seat",))
    return seat


def check_player(game: Game, seat: Seat, player: TableEvent) -> None:
    """Refuse a seat that the game does not have, and a bot of a level that cannot play it."""
    require_seat(game, seat, in_path=True)
    if player.kind == BOT and player.operand not in levels_of(game.setup.variant):
        levels = ", ".join(levels_of(game.setup.variant))
        raise Malformed(
            "no-such-level",
            Text("bots of {variant} have the levels {levels}", variant=game.setup.variant, levels=levels),
            ("bot",),
        )


def require_seat(game: Game, seat: Seat | None, *, in_path: bool = False) -> None:
    """Raise `Malformed` for a seat that the game does not have.

    :param in_path: whether the request names the seat in its path, and not in its body
    """
    if seat is not None and seat >= game.seats:
        detail = Text("this game has the seats 0..{last}", last=game.seats - 1)
        raise Malformed("unknown-seat", detail, () if in_path else ("seat",), "seat" if in_path else None)


# Moving ----------------------------------------------------------------------------------------------------------


class RequestedMove(NamedTuple):
    """A move as a request gives it: by its notation, by its type and operands, or by both."""

    seat: int | None = None
    actor: Literal["chance"] | None = None
    notation: str | None = None
    type: str | None = None
    operands: Mapping[str, Any] = {}
    path: Path = ()
    """The path of the move in the request."""


class ResolvedMove(NamedTuple):
    """A requested move, and the move of the variant that it means."""

    requested: RequestedMove
    move: Move


GAME_RULES: Final[Mapping[str, str]] = {
    "chance-in-between": N_("A list of moves ends where chance acts: a refused list must not reveal an outcome."),
    "bot-in-between": N_("A list of moves ends where a bot moves."),
}
"""Rules of this service that a move can break, besides those of the variant."""

GAME_VALUES: Final[Mapping[str, Sequence[str]]] = {
    "chance-in-between": ("notation",),
    "bot-in-between": ("bot", "notation"),
}
"""The names of the values in the refusals of these rules."""


Check = Callable[[Game, Actor, Move], None]
"""Is called before a move with the game, the actor and the move. Raises `Refusal` to refuse it."""


def apply_moves(
    game: Game, caller: Caller, moves: Sequence[ResolvedMove], *, past_chance: bool, check: Check | None = None
) -> tuple[Game, list[Event]]:
    """The game after the moves and the outcomes of chance that they cause, and the events. Bots make no moves here.

    :param past_chance: whether the list may continue after an outcome of chance
    :param check: called before each move

    Raises `Refusal`, or `IllegalMove` for the first move that breaks a rule.
    """
    events: list[Event] = []
    for number, (requested, move) in enumerate(moves):
        actor = actor_of(game, caller, requested, move)
        if check:
            check(game, actor, move)
        game, event = advance(game, actor, move)
        events.append(event)
        is_last = number + 1 == len(moves)
        if game.setup.seed is not None and game.to_act == (CHANCE,):
            if not (is_last or past_chance):
                raise IllegalMove(
                    "chance-in-between",
                    Text("chance acts after '{notation}': end the list with it", notation=move.notation),
                )
            game, outcomes = resolve_chance(game)
            events += outcomes
        if not is_last and (bot := bot_to_act(game)) is not None:
            detail = Text(
                "the bot of seat {bot} moves after '{notation}': end the list with it", bot=bot, notation=move.notation
            )
            raise IllegalMove("bot-in-between", detail)
    return game, events


def require_seen(game: Game, versions: Sequence[int] | None) -> Check | None:
    """A check for `apply_moves` on this game: the decisions must have come up at one of these versions or earlier.

    It checks the first move, and the first move of each other actor that is to act in `game`. Later decisions follow
    from the list itself. Raises `PreconditionFailed`.

    :param versions: those that the caller has seen (`If-Match`), or `None` for no condition
    """
    if versions is None:
        return None
    unchecked = {*game.to_act}
    fitting = versions

    def check(now: Game, actor: Actor, _: Move) -> None:
        nonlocal fitting
        if now.version == game.version or actor in unchecked:
            unchecked.discard(actor)
            fitting = [version for version in fitting if has_seen_decision(game, version, actor)]
        if not fitting:
            raise PreconditionFailed(
                "stale",
                Text(
                    "the game is at version {version}, and the seat was asked to decide after the versions in If-Match",
                    version=game.version,
                ),
            )

    return check


def check_bots(bots: Sequence[str | None], chance: str) -> None:
    """Refuse games that bots cannot play. Raises `Malformed`."""
    if all(bots):
        raise Malformed("person-required", Text("at least one seat is a person's"), ("players",))
    if any(bots) and chance == "client":
        detail = Text("bots take their picks from the game's seed, and a game with `chance: client` has none")
        raise Malformed("bots-need-seed", detail, ("chance",))


def check_deadline(seats: int, chance: str, on_timeout: OnTimeout | None) -> None:
    """Refuse a time limit after which a bot would have to play in a game that bots cannot play. Raises `Malformed`."""
    if chance == "client" and (on_timeout == "bot" or (on_timeout and seats > 2)):
        detail = Text("after the time limit a bot would play on, which a game with `chance: client` does not allow")
        raise Malformed("bots-need-seed", detail, ("turn_seconds",))


def actor_of(game: Game, caller: Caller, requested: RequestedMove, move: Move) -> Actor:
    """The actor of a move: the one in the request, the token's seat, or the only one that is to act."""
    if requested.seat is not None and requested.actor is not None:
        raise Malformed("seat-or-actor", Text("use either 'seat' or 'actor'"), (*requested.path, "actor"))
    if requested.seat is not None and requested.seat >= game.seats:
        raise Malformed(
            "unknown-seat", Text("this game has the seats 0..{last}", last=game.seats - 1), (*requested.path, "seat")
        )
    if caller.role == "spectator":
        raise Unauthorized("token-required", Text("a move takes the token of its seat or of the host"))
    for seat, path in ((requested.seat, (*requested.path, "seat")), (caller.seat, ())):
        if seat is not None and game.bot_of(seat) and not game.is_over:
            raise Forbidden("bot-seat", Text("seat {seat} is played by the service", seat=seat), path)
    if caller.seat is None:
        said: Actor | None = CHANCE if requested.actor else requested.seat
        return _only_actor(game, requested, move) if said is None else said
    if requested.actor is not None:
        raise Forbidden(
            "host-only", Text("only the host's token reports outcomes of chance"), (*requested.path, "actor")
        )
    if requested.seat not in (None, caller.seat):
        raise Forbidden(
            "not-your-seat", Text("this token moves for seat {seat} only", seat=caller.seat), (*requested.path, "seat")
        )
    return caller.seat


def _only_actor(game: Game, requested: RequestedMove, move: Move) -> Actor:
    """The only actor that is to act, so that the host need not name it."""
    if not game.to_act:
        raise IllegalMove("game-over", Text("the game is over"))
    if game.to_act == (CHANCE,) and not move.by_chance:
        raise IllegalMove("chance-to-act", Text("an outcome of chance is expected before the next move"))
    if len(game.to_act) == 1:
        return game.to_act[0]
    seats = ", ".join(map(str, game.to_act))
    raise Malformed(
        "seat-required",
        Text("seats {seats} are to act: name the one that moves", seats=seats),
        (*requested.path, "seat"),
    )


def resolve_moves(rules: AnyRules, requested: Sequence[RequestedMove]) -> list[ResolvedMove]:
    """The moves of the variant that the request means. Raises `Malformed` for the first that is none."""
    return [ResolvedMove(each, _resolve(rules, each)) for each in requested]


def _resolve(rules: AnyRules, requested: RequestedMove) -> Move:
    if requested.type is None:
        for name in requested.operands:
            raise _unknown_field(requested, name)
        return _by_notation(rules, requested)
    move = _by_type(rules, requested)
    if requested.notation is not None and (noted := _by_notation(rules, requested)) != move:
        detail = Text(
            "'notation' means '{notation}', but 'type' and operands mean '{other}'",
            notation=noted.notation,
            other=move.notation,
        )
        raise Malformed("contradiction", detail, (*requested.path, "notation"))
    return move


def _by_notation(rules: AnyRules, requested: RequestedMove) -> Move:
    if requested.notation is None:
        detail = Text("give the move's 'notation', or its 'type' and operands")
        raise Malformed("not-a-move", detail, (*requested.path, "notation"))
    try:
        return rules.parse(requested.notation)
    except NotAMove as error:
        raise Malformed("not-a-move", error.detail, (*requested.path, "notation")) from None


def _by_type(rules: AnyRules, requested: RequestedMove) -> Move:
    forms = _forms(rules.VARIANT)
    if move := forms.get(_form(str(requested.type), requested.operands)):
        return move
    alike = [move for move in forms.values() if move.type == requested.type]
    if not alike:
        types = dict.fromkeys(move.type for move in forms.values())
        detail = Text("the moves of {variant} are: {types}", variant=rules.VARIANT, types=", ".join(types))
        raise Malformed("not-a-move", _explained(rules, requested, (), detail), (*requested.path, "type"))
    expected = alike[0].fields.keys()
    for name in expected - requested.operands.keys():
        raise Malformed(
            "missing-field", Text("'{type}' needs '{name}'", type=requested.type, name=name), (*requested.path, name)
        )
    for name in requested.operands.keys() - expected:
        raise _unknown_field(requested, name)
    known = {name: [_atom(move.fields[name]) for move in alike] for name in expected}
    wrong = [name for name in expected if _atom(requested.operands[name]) not in known[name]]
    name = (wrong or [*expected])[0]
    detail = Text("no '{type}' has this '{name}'", type=requested.type, name=name)
    raise Malformed("not-a-move", _explained(rules, requested, expected, detail), (*requested.path, name))


def _explained(rules: AnyRules, requested: RequestedMove, operands: Iterable[str], otherwise: Text) -> Text:
    """What the variant says of the notation that the type and the operands would make."""
    values = [requested.operands[name] for name in operands]
    tokens = [str(token) for value in values for token in (value if isinstance(value, list) else [value])]
    try:
        rules.parse(" ".join((str(requested.type), *tokens)))
    except NotAMove as error:
        return error.detail
    return otherwise


def _unknown_field(requested: RequestedMove, name: str) -> Malformed:
    return Malformed("unknown-field", Text("unknown field"), (*requested.path, name))


@cache
def _forms(variant: str) -> Mapping[tuple[str, frozenset[Any]], Move]:
    """The moves of a variant by their type and operands."""
    return {_form(move.type, move.fields): move for move in VARIANTS[variant].rules.VOCABULARY.values()}


def _form(type: str, operands: Mapping[str, Any]) -> tuple[str, frozenset[Any]]:  # noqa: A002
    """Type and operands as a dictionary key. The order of a list does not matter; 1, true and "1" differ."""
    return type, frozenset((name, *_atom(value)) for name, value in operands.items())


def _atom(value: Any) -> tuple[Any, ...]:
    if isinstance(value, list):
        return ("list", *sorted((_atom(each) for each in value), key=repr))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return (type(value).__name__, repr(value))
