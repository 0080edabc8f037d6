"""What the contract says of a game, beyond its rules: published names, operands, invariants."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from marshmallow import Schema

from lostcities.api.fields import Enumeration
from lostcities.variants.core import AnyRules, Move


class MoveNames(NamedTuple):
    """The published names of the schemas of a type of move."""

    move: str
    advice: str
    type: str
    """Of the list whose only value is the type. Games with the same type of move share it."""


class OptionNames(NamedTuple):
    """The published names of the schemas of an option."""

    option: str
    name: str
    """Of the list whose only value is the name of the option. Games with the same option share it."""


class Operand(NamedTuple):
    """An operand of moves."""

    description: str
    values: str = ""
    """The published name of the list of its values. An operand that is a number has none."""


class Component(NamedTuple):
    """The description of a component or scale, and of each of its own members or items. There `{key}` is the key."""

    description: str
    each: str = "One value of this list."


@dataclass(frozen=True, eq=False)
class GameContract:
    """What the contract says of a game. A game's `schema.py` defines it as `CONTRACT`."""

    rules: AnyRules
    name: str
    """The published name of the list whose only value is the name of the variant."""
    phase: str
    """The published name of the list of its phases."""
    per_seat: str
    """The member of a position that is a list with one entry for each seat."""
    moves: Mapping[str, MoveNames]
    """The published names of its moves by type."""
    operands: Mapping[str, Operand]
    """The operands of its moves by name."""
    options: Mapping[str, OptionNames]
    """The published names of its options by name."""
    invariants: Mapping[str, str]
    """What holds for all options and positions, by the problem code of its violation."""
    components: Mapping[str, Component] = field(default_factory=dict)
    """The descriptions of its components and scales by their keys."""
    schemas: dict[type[Schema], type[Schema]] = field(default_factory=dict)
    """Its schemas by kind. Each adds itself when it is declared."""

    @property
    def variant(self) -> str:
        """The name of the variant."""
        return self.rules.VARIANT

    def of(self, kind: type[Schema]) -> type[Schema]:
        """The game's schema of a kind."""
        if kind not in self.schemas:
            raise TypeError(f"the game {self.variant} declares no schema of the kind {kind.__name__}")
        return self.schemas[kind]

    def option(self, name: str) -> str:
        """What an option changes, as the rules describe it."""
        (text,) = (str(option.text) for option in self.rules.INFO.options if option.name == name)
        return text

    @cached_property
    def names(self) -> Enumeration:
        """The list with the name of the variant, which tells its objects from others."""
        return Enumeration(self.name, f"Tells objects of {self.variant} from those of other variants.", (self.variant,))

    @cached_property
    def phases(self) -> Enumeration:
        """The list of its phases."""
        description = f"The kinds of decision in {self.variant}; `over` when the game is finished."
        return Enumeration(self.phase, description, (*self.rules.INFO.phases,))

    @cached_property
    def vocabulary(self) -> Mapping[str, list[Move]]:
        """The moves of the vocabulary by their type."""
        types: dict[str, list[Move]] = {}
        for move in self.rules.VOCABULARY.values():
            types.setdefault(move.type, []).append(move)
        return types

    def operand_values(self, operand: str) -> Enumeration:
        """The list of the values of an operand; if these are lists, of their items."""
        values = [move.fields[operand] for move in self.rules.VOCABULARY.values() if operand in move.fields]
        description = f"The values of `{operand}` in moves of {self.variant}."
        return Enumeration(self.operands[operand].values, description, (*_atoms(values),))


def pascal_case(variant: str) -> str:
    """The variant's name in PascalCase, for names of components.

    >>> pascal_case("roll-and-write")
    'RollAndWrite'
    """
    return variant.title().replace("-", "")


def _atoms(values: list[Any]) -> list[Any]:
    """The different values; those of lists are the items of the lists."""
    return [*dict.fromkeys(atom for value in values for atom in (value if isinstance(value, list) else [value]))]
