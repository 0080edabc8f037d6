"""The schemas of each variant."""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Final, Protocol, cast

from marshmallow import Schema

from lostcities.api.schemas.fields import Shared
from lostcities.rules.registry import RULES, module_name


class VariantSchemas(Protocol):
    """The interface of a variant's schema module."""

    @property
    def OPTIONS(self) -> type[Shared]:  # noqa: N802
        """The options of a new game. All are optional."""

    @property
    def POSITION(self) -> type[Shared]:  # noqa: N802
        """A position, in requests and responses."""

    @property
    def LINE(self) -> type[Schema]:  # noqa: N802
        """A line of a score sheet."""

    @property
    def PER_SEAT(self) -> str:  # noqa: N802
        """The member of a position that is a list with one entry for each seat."""

    @property
    def OPERANDS(self) -> Mapping[str, str]:  # noqa: N802
        """A short description of each operand of a structured move."""

    @property
    def INVARIANTS(self) -> Mapping[str, str]:  # noqa: N802
        """What holds for all options and positions, by the problem code of its violation."""


def _find(variant: str) -> VariantSchemas:
    """The module of this package that is named after the variant. Raises `ImportError`."""
    name = f"{__name__}.{module_name(variant)}"
    if find_spec(name) is None:
        raise ImportError(f"the variant {variant} has no schemas: the module {name} is missing")
    module = import_module(name)
    missing = [member for member in _MEMBERS if not hasattr(module, member)]
    if missing:
        raise ImportError(f"the schemas of the variant {variant} are incomplete: {name} has no {', '.join(missing)}")
    return cast("VariantSchemas", module)


_MEMBERS: Final = [name for name in vars(VariantSchemas) if name.isupper()]

SCHEMAS: Final[dict[str, VariantSchemas]] = {variant: _find(variant) for variant in RULES}
"""The schemas of each variant."""
