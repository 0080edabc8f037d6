"""Lets Babel collect the titles of the problems. They are codes in words, so no source file has them as sentences."""

from collections.abc import Iterator
from typing import Any

from lostcities.api.problems.catalogue import CATALOGUE


def extract(*_: Any, **__: Any) -> Iterator[tuple[int, None, str, list[str]]]:
    """An extraction method of Babel (`pyproject.toml`): the line, no function, the title, and no comments."""
    for meanings in CATALOGUE.values():
        yield 1, None, meanings[0].title, []
