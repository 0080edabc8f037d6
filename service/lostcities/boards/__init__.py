"""SVG pictures of games. Each variant has a module that draws it from the response that the caller gets."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Final, cast

from lostcities.boards import generic
from lostcities.boards.svg import Drawing, JsonObject, picture
from lostcities.rules.registry import RULES, module_name

Draw = Callable[[JsonObject, JsonObject], Drawing]
"""Draws a game as the caller may see it, with its score."""


def _find(variant: str) -> Draw:
    """`draw` of the module of this package that is named after the variant; the generic one if there is none."""
    name = f"{__name__}.{module_name(variant)}"
    return cast("Draw", import_module(name).draw) if find_spec(name) else generic.draw


DRAWINGS: Final[dict[str, Draw]] = {variant: _find(variant) for variant in RULES}
"""The drawing of each variant."""


def board(game: JsonObject, score: JsonObject) -> str:
    """The SVG of a game as the caller may see it, with its score. The same game gives the same text."""
    return picture(game, score, DRAWINGS[game["variant"]](game, score))
