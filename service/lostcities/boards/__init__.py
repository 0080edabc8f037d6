"""SVG pictures of games, drawn from the response that the caller gets."""

from collections.abc import Callable

from lostcities.boards import generic
from lostcities.boards.svg import Drawing, JsonObject, picture
from lostcities.variants.registry import VARIANTS

Draw = Callable[[JsonObject, JsonObject], Drawing]
"""Draws a game as the caller may see it, with its score."""


def board(game: JsonObject, score: JsonObject) -> str:
    """The SVG of a game as the caller may see it, with its score. The same game gives the same text."""
    draw: Draw = VARIANTS[game["variant"]].draw or generic.draw
    return picture(game, score, draw(game, score))
