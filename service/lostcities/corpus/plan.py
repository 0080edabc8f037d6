"""What the corpus has of a game: `Plan`. The module `corpus` in the folder of a game has its own."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from lostcities.variants.core import VariantInfo

SHARED_SOURCES: Final[Mapping[str, str]] = {
    "game-over": "text",
    "not-your-turn": "text",
    "wrong-phase": "text",
    "chance-to-act": "ruling",
    "outcome-by-seat": "ruling",
    "move-by-chance": "ruling",
    "chance-not-awaited": "ruling",
}
"""The sources of the rules that every variant has. That chance is an actor is a convention of this service."""


class Plan(NamedTuple):
    """From which games of a variant positions are taken, and where its rules come from."""

    options: Sequence[Mapping[str, Any]] = ({},)
    """The sets of options, as they are given to create a game."""
    styles: Sequence[Sequence[str]] = ()
    """Ways to play that lead to rare positions: beginnings of notations, the preferred ones first."""
    outcomes: Sequence[str] = ()
    """Outcomes that chance never says. They are tried as illegal ones."""
    positions: Sequence[tuple[int, Mapping[str, Any], Mapping[str, Any]]] = ()
    """Rare positions: the number of seats, the options, and the members that a position before any event lacks."""
    rulings: Mapping[str, str] = {}
    """For each rule code of the variant the id of the ruling that it follows from."""


def sources(plan: Plan, info: VariantInfo) -> dict[str, str]:
    """The source of each rule: `text`, `known` or `ruling`. A rule of which nothing is known is a ruling."""
    rulings = {ruling.id: str(ruling.source) for ruling in info.rulings}
    return {
        rule: SHARED_SOURCES.get(rule) or (rulings[plan.rulings[rule]] if rule in plan.rulings else "ruling")
        for rule in info.rules
    }
