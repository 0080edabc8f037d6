"""The one list of variants. A game of this package is added here, and in no other list."""

from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from lostcities.api.game_contract import GameContract
    from lostcities.boards import Draw
    from lostcities.bots.core import Heuristic, Simulate
    from lostcities.env.layout import Encoding
    from lostcities.variants.core import AnyRules, Positions


class Variant:
    """A game that can be played: a package with one module for each of its parts.

    A part is imported when it is first used, so that the rules need the standard library alone.
    """

    def __init__(self, package: str) -> None:
        """:param package: the full name of the package"""
        self.package = package

    @cached_property
    def rules(self) -> "AnyRules":
        """What is legal, what it leads to, and what it scores."""
        module: AnyRules = self._required("rules")
        return module

    @cached_property
    def positions(self) -> "Positions":
        """From positions to states, and from what a seat sees to what may be."""
        module: Positions = self._required("position")
        return module

    @cached_property
    def schema(self) -> "GameContract":
        """Its schemas and published names."""
        contract: GameContract = self._required("schema").CONTRACT
        return contract

    @cached_property
    def heuristic(self) -> "Heuristic | None":
        """What the game tells its bots; `None`: no bot plays `greedy`, and `expert` plays games out at random."""
        bot = self._module("bot")
        heuristic: Heuristic | None = bot and bot.HEURISTIC
        return heuristic

    @cached_property
    def encoding(self) -> "Encoding | None":
        """What a seat may know as a vector of numbers; `None`: the game is no environment."""
        module: Encoding | None = self._module("encoding")
        return module

    @cached_property
    def simulate(self) -> "Simulate | None":
        """Plays it out quickly; `None`: the rules do."""
        simulator = self._module("simulator")
        simulate: Simulate | None = simulator and simulator.simulate
        return simulate

    @cached_property
    def draw(self) -> "Draw | None":
        """Draws its picture; `None`: the picture is the position as text."""
        board = self._module("board")
        draw: Draw | None = board and board.draw
        return draw

    @cached_property
    def page(self) -> Path | None:
        """The JavaScript module that draws it on the page; `None`: the page shows the position as text."""
        (folder,) = import_module(self.package).__path__
        path = Path(folder, "page.js")
        return path if path.exists() else None

    def _module(self, name: str) -> Any:
        found = f"{self.package}.{name}"
        return import_module(found) if find_spec(found) else None

    def _required(self, name: str) -> Any:
        module = self._module(name)
        if module is None:
            raise ImportError(f"the game is incomplete: the module {self.package}.{name} is missing")
        return module


VARIANTS: Final[dict[str, Variant]] = {
    "duel": Variant("lostcities.variants.duel"),
    "rivals": Variant("lostcities.variants.rivals"),
    "roll-and-write": Variant("lostcities.variants.roll_and_write"),
    "treasure-hunt": Variant("lostcities.variants.treasure_hunt"),
}
"""By the name of the variant in the API."""


def register(package: str) -> None:
    """Add a game that lives outside of this package, by the full name of its own package.

    To be called before `lostcities.app` is imported: the contract is built from all variants at import.
    Raises `ValueError` if the variant exists, and `ImportError` if a part is missing.
    """
    variant = Variant(package)
    name = variant.rules.VARIANT
    if name in VARIANTS:
        raise ValueError(f"there is a variant called {name} already")
    VARIANTS[name] = variant
