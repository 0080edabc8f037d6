"""SVG pictures of games, drawn from the response that the caller gets."""

from collections.abc import Callable

from lostcities.boards import generic
from lostcities.boards.svg import Drawing, JsonObject, picture
from lostcities.languages import ENGLISH, Say, say_in
from lostcities.variants.registry import VARIANTS

Draw = Callable[[JsonObject, JsonObject, Say], Drawing]
"""Draws a game as the caller may see it, with its score and words of one language."""


def board(game: JsonObject, score: JsonObject, language: str = ENGLISH) -> str:
    """The SVG of a game as the caller may see it, with its score. The same game and language give the same text."""
    say = say_in(language)
    draw: Draw = VARIANTS[game["variant"]].draw or generic.draw
    return picture(game, score, draw(game, score, say), say)
