"""Every game that the service knows, by its variant: the one list a new game is added to."""

from typing import Final

from service.rules import duel, rivals, roll_and_write, treasure_hunt
from service.rules.game import Game

GAMES: Final[dict[str, Game]] = {game.VARIANT: game for game in (duel, rivals, roll_and_write, treasure_hunt)}
