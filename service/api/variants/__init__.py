"""Each variant's own schemas: what differs between the games in the contract."""

from collections.abc import Mapping
from typing import Final, Protocol

from marshmallow import Schema

from service.api.variants import duel, rivals, roll_and_write, treasure_hunt
from service.rules.game import Game
from service.rules.registry import GAMES


class VariantSchemas(Protocol):
    """The shape of a variant's module of schemas."""

    @property
    def OPTIONS(self) -> type[Schema]:  # noqa: N802
        """What a game can be created with. Nothing is required."""

    @property
    def POSITION(self) -> type[Schema]:  # noqa: N802
        """A position, as it is shown and as it is taken."""

    @property
    def LINE(self) -> type[Schema]:  # noqa: N802
        """A line of a score."""

    @property
    def PER_SEAT(self) -> str:  # noqa: N802
        """The member of a position that is a list with one entry for each seat."""

    @property
    def OPERANDS(self) -> Mapping[str, str]:  # noqa: N802
        """What each operand of a structured move is, in a few words."""

    @property
    def INVARIANTS(self) -> tuple[str, ...]:  # noqa: N802
        """The codes of what makes options or a position impossible."""


SCHEMAS: Final[dict[str, VariantSchemas]] = {
    "duel": duel,
    "rivals": rivals,
    "roll-and-write": roll_and_write,
    "treasure-hunt": treasure_hunt,
}


def register(game: Game, schemas: VariantSchemas) -> None:
    """Add a game that lives outside of this package.

    To be called before the rest of `service.api` is imported, which makes the contract of every game there is.
    """
    if game.VARIANT in GAMES:
        raise ValueError(f"there is a game called {game.VARIANT} already")
    GAMES[game.VARIANT] = game
    SCHEMAS[game.VARIANT] = schemas
