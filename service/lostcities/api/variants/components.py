"""The schemas of a variant's components and scales, made from their values."""

from collections.abc import Mapping
from typing import Any, Final

from lostcities.api.fields import LONGEST, MOST, AnyField, flag, integer, listed, nested, text
from lostcities.api.game_contract import Component
from lostcities.api.schemas import Answer, shape

EACH: Final = Component("").each


Texts = Mapping[str, Component]


def like(value: Any, texts: Texts, description: str, each: str = EACH, **kwargs: Any) -> AnyField:
    """A field for values of the same type as `value`, such as a constant of the rules."""
    if isinstance(value, bool):
        return flag(description, **kwargs)
    if isinstance(value, int):
        return integer(description, -MOST, MOST, **kwargs)
    if isinstance(value, str):
        return text(description, most=LONGEST, **kwargs)
    if isinstance(value, Mapping):
        members = {key: like(below, texts, *_describe(key, texts, each), required=True) for key, below in value.items()}
        return nested(shape("", description, Answer, **members), description, **kwargs)
    return listed(like(value[0], texts, each), description, 0, MOST, **kwargs)


def _describe(key: str, texts: Texts, each: str) -> tuple[str, str]:
    """The description of a member, and of each value in it.

    >>> _describe("hand", {"hand": Component("How many cards a seat holds.")}, "")[0]
    'How many cards a seat holds.'
    >>> _describe("3", {}, "How many cards with {key} there are.")[0], _describe("lamps", {}, "")[0]
    ('How many cards with 3 there are.', 'The value of `lamps` in the rules of this variant.')
    """
    if key in texts:
        return texts[key]
    own = each.format(key=key) if "{key}" in each else f"The value of `{key}` in the rules of this variant."
    return own, EACH
