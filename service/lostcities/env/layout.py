"""Layouts of observation vectors: what each number means, and from the numbers back to words.

A vector is the `bytes` of 32-bit floats, as `array("f")` and numpy read them. All numbers are within -1..1.
This module and the encodings of the games need the standard library alone.
"""

from array import array
from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, NamedTuple, Protocol

Scale = Literal["flag", "count", "points", "place"]

FORMULAS: Final[dict[Scale, str]] = {
    "flag": "0 or 1",
    "count": "n / most",
    "points": "n / (abs(n) + half)",
    "place": "1 / n, or 0",
}
"""How each scale brings a number `n` of the game into the range."""


class Segment(NamedTuple):
    """Some consecutive numbers of a vector that have one meaning."""

    name: str
    meaning: str
    labels: tuple[str, ...]
    """What each of the numbers is about."""
    scale: Scale
    bounds: tuple[int, ...] = ()
    """For each number `most` or `half` of its scale. Empty: the scale has neither."""

    @property
    def formula(self) -> str:
        """How a number `n` of the game is scaled."""
        bounds = " or ".join(map(str, sorted({*self.bounds})))
        bound = f"({bounds})" if " " in bounds else bounds
        return FORMULAS[self.scale].replace("most", bound).replace("half", bound)

    def unscale(self, index: int, value: float) -> int:
        """The number of the game that was scaled to this value."""
        if self.scale == "flag":
            return round(value)
        if self.scale == "place":
            return round(1 / value) if value else 0
        bound = self.bounds[index]
        return round(value * bound if self.scale == "count" else value * bound / (1 - abs(value)))


Layout = tuple[Segment, ...]
"""The segments of a vector, in their order."""


class Encoding(Protocol):
    """The interface of a game's module `encoding`."""

    def layout(self, players: int, /) -> Layout:
        """The layout of the vectors of a game with so many players."""

    def encode(self, state: Any, seat: int, /) -> bytes:
        """The vector of what the seat may know, and of nothing else."""


# Writing -----------------------------------------------------------------------------------------------------------


def flags(name: str, meaning: str, labels: Iterable[str]) -> Segment:
    """A segment of numbers that are 0 or 1."""
    return Segment(name, meaning, (*labels,), "flag")


def counts(name: str, meaning: str, labels: Iterable[str], most: int | Sequence[int]) -> Segment:
    """A segment of numbers from 0 to `most`, one bound for all or one for each."""
    labels = (*labels,)
    return Segment(name, meaning, labels, "count", (most,) * len(labels) if isinstance(most, int) else (*most,))


def points(name: str, meaning: str, labels: Iterable[str], half: int) -> Segment:
    """A segment of numbers without a bound. The number `half` is scaled to 0.5."""
    labels = (*labels,)
    return Segment(name, meaning, labels, "points", (half,) * len(labels))


def places(name: str, meaning: str, labels: Iterable[str]) -> Segment:
    """A segment of places in an order, counted from 1. 0: no place."""
    return Segment(name, meaning, (*labels,), "place")


def seat_names(players: int) -> tuple[str, ...]:
    """The names of the seats in the segments of a vector: the own seat, then the others clockwise from it.

    >>> seat_names(3)
    ('own', 'other 1', 'other 2')
    """
    return ("own", *(f"other {n}" for n in range(1, players)))


def squash(number: int, half: int) -> float:
    """The number on the scale `points`.

    >>> squash(100, 100), squash(-300, 100)
    (0.5, -0.75)
    """
    return number / (abs(number) + half)


def pack(numbers: Iterable[float]) -> bytes:
    """A part of a vector."""
    return array("f", numbers).tobytes()


def one_hot(labels: Iterable[str]) -> dict[str, bytes]:
    """For each label the part of a vector in which its number is 1 and that of every other label is 0."""
    labels = (*labels,)
    return {label: pack(each == label for each in labels) for label in labels}


# Reading -----------------------------------------------------------------------------------------------------------


def size(layout: Layout) -> int:
    """The number of numbers in a vector."""
    return sum(len(segment.labels) for segment in layout)


def read(layout: Layout, vector: Sequence[float]) -> dict[str, dict[str, int]]:
    """The numbers of the game that are not 0, by segment and label.

    >>> hand = counts("hand", "the cards of the hand", ("R", "G"), 4)
    >>> read((hand,), [0.75, 0.0])
    {'hand': {'R': 3}}
    """
    if len(vector) != size(layout):
        raise ValueError(f"a vector of this layout has {size(layout)} numbers, not {len(vector)}")
    numbers: dict[str, dict[str, int]] = {}
    start = 0
    for segment in layout:
        values = [*map(float, vector[start : start + len(segment.labels)])]
        start += len(segment.labels)
        numbers[segment.name] = {
            label: segment.unscale(index, values[index]) for index, label in enumerate(segment.labels) if values[index]
        }
    return numbers


def explain(layout: Layout, vector: Sequence[float]) -> str:
    """The vector in words: a line for each segment that is not all 0.

    >>> layout = (flags("phase", "the decision that is due", ("play", "draw")), points("score", "", ("own",), 10))
    >>> print(explain(layout, [1, 0, 0.5]))
    phase: play
    score: own 10
    """
    numbers = read(layout, vector)
    return "\n".join(
        f"{segment.name}: {', '.join(_words(segment, label, n) for label, n in numbers[segment.name].items())}"
        for segment in layout
        if numbers[segment.name]
    )


def _words(segment: Segment, label: str, number: int) -> str:
    is_obvious = segment.scale == "flag" or (segment.scale == "count" and segment.bounds == (1,) * len(segment.bounds))
    return label if is_obvious else f"{label} {number}"
