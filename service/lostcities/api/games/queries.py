"""The schemas of query parameters."""

from typing import Final

from marshmallow import ValidationError, validate
from webargs.fields import DelimitedList

from lostcities.api.fields import Enumeration, Message, choice, query_integer
from lostcities.api.games.moves import MAX_SEATS
from lostcities.api.games.schemas import MAX_PAGE, MAX_VERSION
from lostcities.api.schemas import Strict

MAX_WAIT: Final = 30
"""Seconds. Proxies commonly give up after 60."""


class NoParameters(Strict):
    """No query parameters."""


_INCLUDED: Final = Enumeration("Included", "A member that a request can add to a game.", ("moves", "score"))


def _check_different(values: list[str]) -> None:
    if len({*values}) < len(values) <= len(_INCLUDED.values):
        raise ValidationError(Message("Must not have a name twice."))


class IncludeQuery(Strict):
    """What the response contains besides the game."""

    include = DelimitedList(
        choice("A member that is added.", _INCLUDED),
        validate=[
            validate.Length(1, len(_INCLUDED.values), error=Message("Must have 1 or 2 names.")),
            _check_different,
        ],
        metadata={
            "description": "Adds members to the game or position: `moves`, the legal moves that `…/moves` lists for "
            "the caller, and `score`, what `…/score` answers. Both are of the version in the response. In a stream "
            "the newest event has such a game, too. The names are separated by a comma; a parameter for each of them "
            "means the same.",
            "uniqueItems": True,
        },
    )


_VIEWS: Final = Enumeration("HostView", "A view that the host's token may ask for.", ("full",))


class ViewQuery(Strict):
    """Which view of the game is requested."""

    seat = query_integer(
        "For the host's token: show what this seat may see. Not together with `view`.", 0, MAX_SEATS - 1
    )
    view = choice("For the host's token: show everything. Not together with `seat`.", _VIEWS)


class IncludeViewQuery(IncludeQuery, ViewQuery):
    """Which view of the game is requested, and what the response contains besides."""


class AdviceQuery(Strict):
    """For which seat advice is requested."""

    seat = query_integer(
        "For the host's token, and for a finished game: the seat that decides, if several are to act.", 0, MAX_SEATS - 1
    )
    version = query_integer("For a finished game: the version at which the seat decides.", 0, MAX_VERSION)


class VersionQuery(ViewQuery):
    """Which view and which version of the game are requested."""

    version = query_integer(
        "Show the game at this version, from 0 to the current one. Not together with `after`.", 0, MAX_VERSION
    )


class GameQuery(IncludeQuery, VersionQuery):
    """Which view and which version are requested, whether to wait for a newer one, and what to add."""

    after = query_integer(
        "The version that the caller has. Used with `wait`, not together with `version`.", 0, MAX_VERSION
    )
    wait = query_integer(
        "The number of seconds to wait for a version newer than `after`. Then the response shows the game as it is.",
        0,
        MAX_WAIT,
    )


class HistoryQuery(ViewQuery):
    """Which page and which view of the history are requested."""

    after = query_integer("Show the events after this version.", 0, MAX_VERSION, load_default=0)
    limit = query_integer("The largest number of events on the page.", 1, MAX_PAGE, load_default=100)
