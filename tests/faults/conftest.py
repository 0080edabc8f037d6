"""Fixtures of the fault tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.processes import Servers


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    """Valkey servers, for one test."""
    found = Servers(tmp_path)
    yield found
    found.end()
