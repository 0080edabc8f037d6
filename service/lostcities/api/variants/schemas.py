"""The schemas of variants, and of questions about positions and records in the request."""

from collections.abc import Mapping
from copy import copy
from functools import cache
from typing import Any, Final

from marshmallow import Schema, ValidationError

from lostcities.api.fields import (
    LONGEST,
    AnyField,
    Const,
    Enumeration,
    Message,
    choice,
    extensible,
    flag,
    integer,
    listed,
    nested,
    text,
)
from lostcities.api.game_contract import Component, GameContract
from lostcities.api.games.moves import MAX_SEATS, NOTATION, MoveRequest, move_list, numbered
from lostcities.api.games.schemas import (
    CONSISTENCY,
    MAX_VERSION,
    OptionsView,
    Score,
    Situation,
    chosen_options,
    event_list,
    given_position,
    outcome_or_null,
    variant_of,
)
from lostcities.api.problems.schemas import Problem, value_names
from lostcities.api.schemas import (
    NOT_AN_OBJECT,
    Answer,
    ByVariant,
    PerGame,
    Strict,
    Union,
    instance,
    own,
    own_list,
    shape,
)
from lostcities.api.variants.components import like
from lostcities.api.variants.labels import labels as labels_of
from lostcities.bots.levels import LEVELS
from lostcities.languages import ENGLISH
from lostcities.variants.core import CHANCE
from lostcities.variants.registry import VARIANTS

# Questions about positions ---------------------------------------------------------------------------------------


class _Question(Strict):
    """A question about a position."""

    options = chosen_options("Options that differ from the default.")
    position = given_position(f"The position, or what one seat or a spectator sees of it. {CONSISTENCY}", required=True)


class LegalMovesQuestion(_Question):
    """A position of {game} whose legal moves are requested."""

    seat = integer("Lists the moves of this seat only.", 0, MAX_SEATS - 1)


class AdviceQuestion(_Question):
    """A position of {game} in which advice is requested."""

    seat = integer("The seat that decides. Optional where only one seat is to act.", 0, MAX_SEATS - 1)


class ScoreQuestion(_Question):
    """A position of {game} whose score is requested."""


class MoveQuestion(_Question):
    """A position of {game} and one move."""

    move = own(MoveRequest, "The move, in one of its forms.", required=True)


class MoveListQuestion(_Question):
    """A position of {game} and a list of moves."""

    moves = PerGame(lambda game: move_list(lambda: game.of(MoveRequest)))


class MovesQuestion(Union):
    """A position of {game} and moves in it."""

    @classmethod
    def members(cls) -> Mapping[str, type[Schema]]:
        """The two forms."""
        return {"move": cls.contract.of(MoveQuestion), "moves": cls.contract.of(MoveListQuestion)}

    def load(self, data: Any, **kwargs: Any) -> Any:
        """The question, its moves as a list."""
        if not isinstance(data, Mapping):
            raise ValidationError({"_schema": [NOT_AN_OBJECT]})
        if ("move" in data) == ("moves" in data):
            raise ValidationError({"moves": [Message("give either 'move' or 'moves'")]})
        kwargs.pop("unknown", None)
        loaded = instance(self.members()["move" if "move" in data else "moves"]).load(data, **kwargs)
        one = loaded.pop("move", None)
        loaded["moves"] = [one._replace(path=("move",))] if one else numbered(loaded["moves"])
        return loaded


class Reached(Situation):
    """A position of {game} after the requested moves."""

    events = event_list("The moves. The position in the request counts as version 0.")


class VerificationView(Answer):
    """Whether a record is a legal and fair game with the right result, and if not why."""

    valid = flag("Whether the record is valid.", required=True)
    version = integer(
        "The number of events of a valid record. Otherwise the version of the first event that is wrong; the last "
        "version if only the result is wrong; 0 if the record is wrong before its first event.",
        0,
        MAX_VERSION,
        required=True,
    )
    chance = extensible(
        "`verified`: every outcome of chance follows from the seed, and the seed from the commitment. "
        "`unverified`: the record has no seed for some or all of them. Absent if the record is not valid.",
        ["verified", "unverified"],
    )
    score = own(Score, "The score after the last event. Absent if the record is not valid.")
    outcome = outcome_or_null("The result. Null if the game is not finished, absent if the record is not valid.")
    problem = nested(
        Problem,
        "The problem with which `POST /games` would refuse the record. Its pointer leads into the record. Absent if "
        "the record is valid.",
    )


# Descriptions of variants ----------------------------------------------------------------------------------------


class SeatRange(Answer):
    """The numbers of seats that can play."""

    min = integer("The smallest number of seats.", 1, MAX_SEATS, required=True)
    max = integer("The largest number of seats.", 1, MAX_SEATS, required=True)


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
    seats = nested(SeatRange, "The numbers of seats that can play.", required=True)


class VariantList(Answer):
    """All variants that this service has."""

    variants = listed(
        nested(VariantSummary, "The name and the seats of a variant."),
        "The variants in alphabetical order.",
        1,
        100,
        required=True,
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


class Phase(Answer):
    """A kind of decision that the game asks for."""

    phase = text("The name of the phase.", most=LONGEST, required=True)
    text = text("What is decided in it.", most=LONGEST, required=True)


class Rule(Answer):
    """A rule that a move can break."""

    code = text("The stable code of the rule.", most=LONGEST, required=True)
    text = text("What the rule demands or allows.", most=LONGEST, required=True)
    values = value_names()


class Ending(Answer):
    """A way for the game to end."""

    reason = text("The name of the ending.", most=LONGEST, required=True)
    text = text("When the game ends in this way.", most=LONGEST, required=True)


class RulingView(Answer):
    """A rule and its source."""

    id = text("The stable name of the ruling within its variant.", most=LONGEST, required=True)
    source = choice(
        "`text`: from the rulebook; `known`: from an independent public source; `ruling`: decided by this service.",
        Enumeration("RulingSource", "Where a rule comes from.", ("text", "known", "ruling")),
        required=True,
    )
    text = text("What the rule demands or allows.", most=LONGEST, required=True)


@cache
def _option_schemas(game: GameContract) -> Mapping[str, type[Schema]]:
    """The options of a game. They differ in name and in the type of their default."""
    chosen = game.of(OptionsView)().fields
    return {
        option.name: shape(
            game.options[option.name].option,
            f"The option `{option.name}` of {game.variant} with its default.",
            Answer,
            name=_option_name(game.options[option.name].name, option.name),
            default=_required(chosen[option.name]),
            text=text("What the option changes in the game.", most=LONGEST, required=True),
        )
        for option in game.rules.INFO.options
    }


def _option_name(name: str, option: str) -> AnyField:
    known = Enumeration(name, f"Tells the option `{option}` from the others.", (option,))
    return Const(known, "The name of the option, as a request gives it.", required=True)


def _required(field: AnyField) -> AnyField:
    required = copy(field)
    required.required = True
    return required


class OptionView(Union):
    """An option of {game} with its default."""

    tag = "name"

    @classmethod
    def members(cls) -> Mapping[str, type[Schema]]:
        """The options by name."""
        return _option_schemas(cls.contract)


LABELS: Final = {
    "bonuses": Component("What people call each bonus tile.", "What people call the bonus tile `{key}`."),
    "bot_texts": Component("How each level of the bots plays.", "How the level `{key}` plays, in a sentence."),
    "bots": Component("What people call each level of the bots.", "What people call the level `{key}`."),
    "bridges": Component("What people call each standing to a bridge.", "What people call the standing `{key}`."),
    "colours": Component(
        "What people call each colour, as in the middle of a sentence. All other labels begin with a capital letter.",
        "What people call the colour with the letter {key}.",
    ),
    "columns": Component("What people call each column of a sheet.", "What people call the column `{key}`."),
    "moves": Component("What people call each type of move and outcome.", "What people call the type `{key}`."),
    "options": Component("What people call each option of a new game.", "What people call the option `{key}`."),
    "score_items": Component(
        "What people call each item of a score.", "What people call what a line with the item `{key}` is for."
    ),
    "turn_stages": Component(
        "What people call each stage of a seat's part in a turn.", "What people call the stage `{key}`."
    ),
}
"""The descriptions of the kinds of labels."""


def _all(schema: type[Schema], least: int = 0, most: int = 200) -> AnyField:
    description = str(schema.__doc__)
    return listed(nested(schema, description), description, least, most, required=True)


class VariantView(ByVariant, VariantSummary):
    """The description of a variant."""

    about = "What the game {game} consists of, its moves, rules and scales."

    variant = variant_of("The name of the variant in this API.")
    components = PerGame(
        lambda game: like(game.rules.INFO.components, game.components, "The components of the game.", required=True)
    )
    labels = PerGame(
        lambda game: like(
            labels_of(game.rules, ENGLISH),
            LABELS,
            "What a person reads instead of an id: words in the language of the response, by kind and id.",
            required=True,
        )
    )
    options = own_list(OptionView, "An option with its default.", "The options of a new game.", 0, 50)
    moves = listed(
        nested(MoveTypeView, "A type of move or outcome."), "The types of moves and outcomes.", 1, 50, required=True
    )
    bots = listed(
        extensible("A level.", LEVELS),
        "The levels of the bots that can play, from the weakest.",
        1,
        10,
        required=True,
    )
    chance = text(
        "How each outcome of chance follows from picks. `GET /games/{game_id}/fairness` says what a pick is.",
        most=2 * LONGEST,
        required=True,
    )
    phases = _all(Phase)
    rules = _all(Rule)
    scales = PerGame(
        lambda game: like(
            game.rules.INFO.scales, game.components, "The numbers that the score is computed from.", required=True
        )
    )
    endings = _all(Ending)
    rulings = listed(
        nested(RulingView, "A rule of the variant and its source."),
        "The rules and their sources.",
        1,
        200,
        required=True,
    )
