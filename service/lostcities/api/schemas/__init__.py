"""What the schemas of a variant are."""

from collections.abc import Mapping
from typing import Protocol

from marshmallow import Schema

from lostcities.api.schemas.fields import Shared


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
