"""Pictures of tables: each game has a module that draws it from what the caller is answered, and from nothing else."""

from collections.abc import Callable
from typing import Final

from service.api.board import duel, generic, rivals, roll_and_write, treasure_hunt
from service.api.board.kit import Drawn, Plain, picture

DRAWINGS: Final[dict[str, Callable[[Plain, Plain], Drawn]]] = {
    "duel": duel.draw,
    "rivals": rivals.draw,
    "roll-and-write": roll_and_write.draw,
    "treasure-hunt": treasure_hunt.draw,
}
"""How each variant is drawn; a game that is not here is drawn in words and numbers."""


def board(game: Plain, score: Plain) -> str:
    """The table as SVG: a game as the caller may see it, with its score. The same table gives the same text."""
    return picture(game, score, DRAWINGS.get(game["variant"], generic.draw)(game, score))
