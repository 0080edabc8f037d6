"""Table events: what happens at the table and not in the rules of a game.

A seat resigns, takes back its move or asks for clockwise order, its time is up, a bot or another person takes it over.
Table events are events of the history like moves. This module knows no game's rules; `games/game.py` applies the events
to a game.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from lostcities.bots.levels import GREEDY, LEVELS
from lostcities.variants.core import N_, Seat, illegal, replace_at

RESIGN: Final[Literal["resign"]] = "resign"
UNDO: Final[Literal["undo"]] = "undo"
CLOCKWISE: Final[Literal["clockwise"]] = "clockwise"
TIMEOUT: Final = "timeout"
BOT: Final = "bot"
PERSON: Final = "person"

NOTATIONS: Final[Mapping[str, str]] = {
    RESIGN: "The seat resigns. With more than two seats a bot of the level `greedy` plays it on.",
    UNDO: "The seat takes back its last move.",
    CLOCKWISE: "The seat asks the seats that choose at the same time to choose in clockwise order.",
    TIMEOUT: "The time of the seat is up: it resigns, or a bot plays it on, as the game was created.",
    f"{BOT} <level>": "A bot of that level plays the seat from now on.",
    f"{PERSON} <name>": "A person of that name plays the seat from now on.",
}
"""The table events by their notation. The actor of each is the seat that it concerns."""

STAND_IN: Final = GREEDY
"""The level of the bot that plays on for a seat that has resigned or whose time is up."""

RESIGNED: Final = "resigned"
ABANDONED: Final = "abandoned"
TABLE_ENDINGS: Final[Mapping[str, str]] = {
    RESIGNED: N_("all seats but one have resigned; the last one has won"),
    ABANDONED: N_("no person plays any more; the best of the seats that have not resigned have won"),
}
"""Endings by table events."""

TABLE_RULES: Final[Mapping[str, str]] = {
    "already-in-turn": N_("The seats of this game choose in turn already."),
    "bots-need-seed": N_("Bots play in games with `chance: server` only."),
    "no-deadline": N_("A seat has no time limit in a game that was created without `turn_seconds`."),
    "nothing-to-claim": N_("A claim is about another seat that is to act."),
    "nothing-to-undo": N_("A seat can take back its own last moves only, as long as nothing else happened since."),
    "person-required": N_("At least one seat is a person's."),
    "seat-resigned": N_("A bot plays a seat that has resigned until the end."),
    "too-early": N_("The time of a seat is up when the clock of the store says so."),
    "undo-past-chance": N_("A move that chance has followed stays: an outcome is known that was not known before."),
    "undo-past-others": N_("A move that another seat has followed stays."),
}
"""The rules that table events and claims can break, by their codes."""

MAX_UNDONE: Final = 8
"""How many moves a seat can take back before another event. Without a limit it could use up the events of the game."""

MAX_NAME: Final = 40
# Names consist of printable letters, digits and punctuation: no control characters, no emoji, no leading space.
# The gaps between the ranges are invisible characters: soft hyphens, direction marks, fillers, wide spaces.
_LETTERS: Final = (
    "\\u00a1-\\u00ac\\u00ae-\\u061b\\u061d-\\u1fff\\u2010-\\u2027\\u2c00-\\u2fef\\u3001-\\u3029\\u3031-\\u303c"
    "\\u3041-\\u3163\\u3165-\\ud7ff\\uf900-\\ufaff\\uff01-\\uff9f"
)
NAME: Final = f"^[!-~{_LETTERS}][ -~{_LETTERS}]*$"
_NAME: Final = re.compile(NAME.strip("^$"))

OnTimeout = Literal["resign", "bot"]
OwnEvent = Literal["resign", "undo", "clockwise"]
"""The kinds of table events that a seat may cause for itself."""


class TableEvent(NamedTuple):
    """A table event of a seat."""

    kind: str
    operand: str = ""
    """The level of a bot, or the name of a person."""

    @property
    def notation(self) -> str:
        """The canonical text.

        >>> TableEvent(PERSON, "Cleo").notation
        'person Cleo'
        """
        return f"{self.kind} {self.operand}" if self.operand else self.kind


_PLAIN: Final = {
    each.notation: each
    for each in (*map(TableEvent, (RESIGN, UNDO, CLOCKWISE, TIMEOUT)), *(TableEvent(BOT, x) for x in LEVELS))
}
_BEFORE_NAME: Final = f"{PERSON} "


def parse_table_event(notation: str) -> TableEvent | None:
    """The table event with that notation; `None` if it is none.

    >>> parse_table_event("bot greedy"), parse_table_event("play R7")
    (TableEvent(kind='bot', operand='greedy'), None)
    """
    if notation.startswith(_BEFORE_NAME):
        name = notation[len(_BEFORE_NAME) :]
        return TableEvent(PERSON, name) if len(name) <= MAX_NAME and _NAME.fullmatch(name) else None
    return _PLAIN.get(notation)


class Seating(NamedTuple):
    """Who plays the seats of a game."""

    players: tuple[str, ...]
    """The names by seat."""
    bots: tuple[str | None, ...]
    """By seat: the level of the bot that plays it, or `None` for a person."""
    resigned: tuple[Seat, ...] = ()
    """The seats that cannot win any more."""
    ended: str | None = None
    """The key of `TABLE_ENDINGS` if a table event ended the game."""
    in_turn: bool = False
    """Whether a seat has asked that the seats choose in turn, and not at the same time."""

    @property
    def in_play(self) -> list[Seat]:
        """The seats that can still win."""
        return [seat for seat in range(len(self.players)) if seat not in self.resigned]

    def resign(self, seat: Seat, *, bots_can_play: bool) -> "Seating":
        """The seating after a seat has resigned. Raises `IllegalMove`."""
        self._require_person(seat)
        after = self._replace(resigned=tuple(sorted((*self.resigned, seat))))
        if len(after.in_play) == 1:
            return after._replace(ended=RESIGNED)
        return after._with_bot(seat, STAND_IN)._play_on(bots_can_play=bots_can_play)

    def time_out(self, seat: Seat, on_timeout: OnTimeout | None, *, bots_can_play: bool) -> "Seating":
        """The seating after the time of a seat was up. Raises `IllegalMove`."""
        if on_timeout is None:
            illegal("no-deadline", "this game was created without a time limit")
        if on_timeout == "resign":
            return self.resign(seat, bots_can_play=bots_can_play)
        self._require_person(seat)
        return self._with_bot(seat, STAND_IN)._play_on(bots_can_play=bots_can_play)

    def hand_to_bot(self, seat: Seat, level: str, *, bots_can_play: bool) -> "Seating":
        """The seating after a bot has taken over a seat. Raises `IllegalMove`."""
        self._require_in_play(seat)
        after = self._with_bot(seat, level)
        if all(after.bots):
            illegal("person-required", "at least one seat is a person's")
        return after._play_on(bots_can_play=bots_can_play)

    def hand_to_person(self, seat: Seat, name: str) -> "Seating":
        """The seating after a person has taken over a seat. Raises `IllegalMove`."""
        self._require_in_play(seat)
        return self._replace(players=replace_at(self.players, seat, name), bots=replace_at(self.bots, seat, None))

    def choose_in_turn(self, seat: Seat, *, is_possible: bool) -> "Seating":
        """The seating after a seat has asked for clockwise order. Raises `IllegalMove`.

        :param is_possible: whether seats of the game choose at the same time
        """
        self._require_person(seat)
        if self.in_turn or not is_possible:
            illegal("already-in-turn", "the seats of this game choose in turn already")
        return self._replace(in_turn=True)

    def _with_bot(self, seat: Seat, level: str) -> "Seating":
        return self._replace(bots=replace_at(self.bots, seat, level))

    def _play_on(self, *, bots_can_play: bool) -> "Seating":
        """This seating with the end of the game if no person plays any more."""
        if all(self.bots):
            return self._replace(ended=ABANDONED)
        if not bots_can_play:
            illegal("bots-need-seed", "a bot takes its picks from the seed, and a game with `chance: client` has none")
        return self

    def _require_person(self, seat: Seat) -> None:
        if self.bots[seat]:
            illegal("not-your-turn", "a bot plays this seat")

    def _require_in_play(self, seat: Seat) -> None:
        if seat in self.resigned:
            illegal("seat-resigned", "this seat has resigned: a bot plays it until the end")
