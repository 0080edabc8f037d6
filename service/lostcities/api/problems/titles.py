"""Lets Babel collect sentences that no source file of this package has as marked texts."""

from collections.abc import Iterator
from typing import Any, Final

from werkzeug.exceptions import default_exceptions

from lostcities.api.problems.catalogue import CATALOGUE
from lostcities.games.chance import DESCRIPTION

OF_WERKZEUG: Final = (400, 404, 405, 408, 413)
"""The statuses with which werkzeug refuses requests."""


def extract(*_: Any, **__: Any) -> Iterator[tuple[int, None, str, list[str]]]:
    """An extraction method of Babel (`pyproject.toml`): the line, no function, the sentence, and no comments.

    The titles of problems are codes in words, the description of chance is the docstring of its module, and the
    refusals of werkzeug have werkzeug's descriptions.
    """
    for meanings in CATALOGUE.values():
        yield 1, None, meanings[0].title, []
    yield 1, None, DESCRIPTION, []
    for status in OF_WERKZEUG:
        yield 1, None, str(default_exceptions[status].description), []
