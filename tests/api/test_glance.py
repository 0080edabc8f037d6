"""What a request is told at a glance, and what marshmallow makes of it, is the same."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any, cast

import msgspec
import pytest
from marshmallow import Schema, ValidationError, fields, validate

from service.api.fields import Const, Strict, flag, integer, shape
from service.api.schemas import NewGame, Union, legal_moves_question, moves_question
from service.rules.game import CHANCE, FULL
from service.rules.registry import GAMES
from tests.conformance.tables import every_table, every_variant
from tests.playing import steps

NOTHING: list[Any] = [None, [], [[]], {}, ""]
NUMBERS: list[Any] = [True, False, -1, 0, 1, 2.0, 2.5, 10**18, [0], "0"]
TEXTS: list[Any] = ["R7", "R7\n", " Ann", "Ann\n", "x" * 300, ["R7"], {"R": []}]
SPOILS = NOTHING + NUMBERS + TEXTS
TIMES = 200


def questions(variant: str, seats: int) -> Iterator[tuple[Schema, dict[str, Any]]]:
    """Requests about positions of a random game, and for a game from there."""
    game, rng = GAMES[variant], random.Random(f"{variant} {seats}")
    options = game.options({})
    asking, creating = legal_moves_question(variant)(), NewGame.members[variant]()
    one, several = (schema() for schema in cast("type[Union]", moves_question(variant)).members.values())
    for number, step in enumerate(steps(game, game.setup(seats, options), rng)):
        if number % 10 == 0:
            position = plain({"position": game.view(step.before, FULL), "options": options.plain()})
            yield asking, {**position, "seat": 0}
            players = [f"Player {seat}" for seat in range(seats)]
            yield creating, {**position, "variant": variant, "players": players, "chance": "server", "seed": "0f" * 32}
            if step.actor != CHANCE:
                move = {"seat": step.actor, "notation": step.move.notation, "type": step.move.type, **step.move.fields}
                yield one, {**position, "move": plain(move)}
                yield several, {**position, "moves": [{"notation": step.move.notation}, plain(move)]}


def plain(data: dict[str, Any]) -> dict[str, Any]:
    """As a client would send it."""
    sent: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(data))
    return sent


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every container in the data, with each of its keys."""
    for key in list(data) if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ():
        yield data, key
        yield from places(data[key])


def spoiled(data: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The data, with something changed, left out or added."""
    data = copy.deepcopy(data)
    container, key = rng.choice([*places(data)])
    how = rng.randrange(4)
    if how == 0:
        del container[key]
    elif how == 1 and isinstance(container, dict):
        container[rng.choice(["x", "R", "seat"])] = rng.choice(SPOILS)
    elif how == 2 and isinstance(container, list):
        container *= rng.choice([2, 30])
    else:
        container[key] = copy.deepcopy(rng.choice(SPOILS))
    return data


def verdict(schema: Schema, data: dict[str, Any]) -> Any:
    try:
        return schema.load(copy.deepcopy(data))
    except ValidationError as error:
        return "refused", error.normalized_messages()  # type: ignore[no-untyped-call]


@every_table
def test_a_glance_tells_what_a_longer_look_tells(variant: str, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [*questions(variant, seats)]
    rng = random.Random(variant)
    asked += [(schema, spoiled(data, rng)) for schema, data in (rng.choice(asked) for _ in range(TIMES))]
    glanced = [verdict(schema, data) for schema, data in asked]
    monkeypatch.setattr(Strict, "form", None)
    fresh = {schema: type(schema)() for schema, _ in asked}
    looked = [verdict(fresh[schema], data) for schema, data in asked]
    for (_, data), at_a_glance, after_all in zip(asked, glanced, looked, strict=True):
        # In JSON 1, 1.0 and true are not the same.
        assert json.dumps(at_a_glance, sort_keys=True) == json.dumps(after_all, sort_keys=True), data
    refused = [each for each in looked if isinstance(each, tuple)]
    assert TIMES / 2 < len(refused) < TIMES


@every_variant
def test_what_is_right_is_seen_at_a_glance(variant: str) -> None:
    for schema, data in questions(variant, GAMES[variant].ABOUT.seats[0]):
        assert isinstance(schema, Strict)
        assert schema.form
        assert schema.form.rest.keys() <= {"move", "moves"}
        msgspec.convert(data, schema.form.type)


def never(_: Any) -> None:
    raise ValidationError("never right")


class Some(Strict):
    """Some object."""

    a = integer("A number.", 0, 3)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (fields.String(validate=validate.Length(equal=3)), "abcd"),
        (fields.String(validate=[validate.Length(1, 3), validate.Length(0, 9)]), "abcde"),
        (fields.String(validate=[validate.Regexp("^a"), validate.Regexp(".*b$")]), "xb"),
        (fields.String(validate=[validate.OneOf(["ab", "c"]), validate.Length(1, 1)]), "ab"),
        (fields.String(pre_load=str.strip), " a "),
        (fields.String(post_load=str.strip), " a "),
        (fields.List(integer("A number.", 0, 9), validate=validate.Length(equal=3)), [1]),
        (fields.Nested(Some, validate=never), {"a": 1}),
        (fields.Nested(Some, many=True), {"a": 1}),
        (flag("Whether.", validate=never), True),
        (Const("x", "A word.", validate=never), "x"),
    ],
)
def test_what_no_type_can_tell_is_left_to_marshmallow(
    field: fields.Field[Any], value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = shape("S", "With that field.", x=field)
    glanced = verdict(schema(), {"x": value})
    monkeypatch.setattr(Strict, "form", None)
    assert glanced == verdict(schema(), {"x": value})
    assert glanced != {"x": value}
