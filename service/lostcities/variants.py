"""Everything about each variant: its rules, its schemas and its drawing.

The list of variants is `lostcities.rules.registry`. Schemas and drawings are found by the variant's name.
"""

from typing import Final, NamedTuple

from lostcities.api.schemas import SCHEMAS, VariantSchemas
from lostcities.boards import DRAWINGS, Draw, generic
from lostcities.rules.core import AnyRules
from lostcities.rules.registry import RULES


class Variant(NamedTuple):
    """A game that can be played."""

    rules: AnyRules
    schemas: VariantSchemas
    drawing: Draw


VARIANTS: Final[dict[str, Variant]] = {
    name: Variant(rules, SCHEMAS[name], DRAWINGS[name]) for name, rules in RULES.items()
}
"""By the name of the variant in the API."""


def register(rules: AnyRules, schemas: VariantSchemas, drawing: Draw = generic.draw) -> None:
    """Add a game that lives outside of this package.

    To be called before `lostcities.app` is imported: the contract is built from all variants at import.
    Raises `ValueError` if the variant exists.
    """
    name = rules.VARIANT
    if name in RULES:
        raise ValueError(f"there is a variant called {name} already")
    RULES[name], SCHEMAS[name], DRAWINGS[name] = rules, schemas, drawing
    VARIANTS[name] = Variant(rules, schemas, drawing)
