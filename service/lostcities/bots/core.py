"""The types that all bots share, and their random numbers."""

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from lostcities.variants.core import FULL, GameOptions, Move, Pick, Position, Seat
from lostcities.variants.registry import Variant


class SeatView(NamedTuple):
    """All that a bot knows of a game: what its seat may know."""

    variant: Variant
    players: int
    """The number of seats."""
    options: GameOptions
    position: Position
    """What `to_position` shows this seat."""
    seat: Seat


Policy = Callable[[Any, Seat, Sequence[Move], Pick], Move]
"""`policy(state, seat, moves, pick)` chooses one of the seat's legal moves, if there are several.

It is given a state so that playouts are fast. The hidden cards of that state are guesses: the choice must not depend
on them.
"""


Shortlist = Callable[[Any, Seat, Sequence[Move]], Sequence[Move]]
"""`shortlist(state, seat, moves)` leaves out moves that are hardly ever the best.

Like a policy, it must not depend on hidden cards.
"""


Simulate = Callable[[Any, int], tuple[list[int], int]]
"""`simulate(state, seed)` plays a state out by the game's heuristic: the points of each seat, and the number of events.

Chance follows from the seed. Two states of one decision have the same luck as far as possible: each seat draws the same
cards, or throws the same dice, whatever the seats do.
"""


Resample = Callable[[Any, Seat, Pick], Any]
"""`resample(world, seat, pick)` fills in the hidden cards of a world anew, whatever they were before."""


class Heuristic(NamedTuple):
    """What a game tells its bots."""

    choose: Policy
    """The greedy move."""
    playouts: int
    """The most playouts of an expert's decision, all candidates together."""
    events: int
    """The most events of these playouts, for each expert that can answer a move. They measure the work of a decision:
    an event takes some 0.5 to 4 µs in a compiled simulator and 4 to 10 µs in plain Python."""
    is_settled: Callable[[Any], bool]
    """Whether a playout may stop here: what follows is even for all seats."""
    shortlist: "Shortlist | None" = None
    """The moves that an expert tries; `None`: all."""
    resample: "Resample | None" = None
    """Makes the next world from the one before; `None`: by way of the position."""


def never(state: Any) -> bool:  # noqa: ARG001
    """For `is_settled` of a game that is played out to its end."""
    return False


Result = TypeVar("Result")
Thinking = Generator[None, None, Result]
"""A computation that yields between its steps, so that the caller can do other work, and returns its result."""


def run(thinking: Thinking[Result]) -> Result:
    """The result of a computation that is not interrupted."""
    while True:
        try:
            next(thinking)
        except StopIteration as finished:
            result: Result = finished.value
            return result


def random_move(state: Any, seat: Seat, moves: Sequence[Move], pick: Pick) -> Move:  # noqa: ARG001
    """A policy: any legal move."""
    return moves[pick(len(moves))]


def sample_world(view: SeatView, pick: Pick) -> Any:
    """A state that the seat cannot tell from the real one: what it does not know is picked at random."""
    positions = view.variant.positions
    position = positions.fill_hidden(view.options, view.position, pick)
    return positions.from_position(view.players, view.options, position)


def sample_worlds(view: SeatView, resample: Resample | None, pick: Pick) -> Iterator[Any]:
    """Any number of such states. Where nothing is hidden they are all the same."""
    world = sample_world(view, pick)
    hides_nothing = view.variant.positions.shown_to(view.position) == FULL
    while True:
        yield world
        if not hides_nothing:
            world = resample(world, view.seat, pick) if resample else sample_world(view, pick)


# Random numbers --------------------------------------------------------------------------------------------------

MODULUS: Final = 2**31 - 1
MULTIPLIER: Final = 48271
"""The constants of the generator MINSTD."""
LEAP: Final = pow(MULTIPLIER, 1000, MODULUS)
"""Multiplies by this to skip a thousand numbers."""


class RandomNumbers:
    """Random numbers that follow from a seed: a linear congruential generator, small and fast.

    Good enough for guesses about the future; chance itself comes from `games.chance`.
    """

    def __init__(self, seed: int) -> None:
        self.value = 1 + seed % (MODULUS - 1)

    def pick(self, n: int) -> int:
        """An element of `range(n)`."""
        self.value = self.value * MULTIPLIER % MODULUS
        return self.value % n

    def skip(self, events: int) -> None:
        """Go on with the random numbers after so many forks."""
        self.value = self.value * pow(LEAP, events, MODULUS) % MODULUS

    def shuffle(self, cards: list[int]) -> None:
        """Put the cards into a random order."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.pick(last + 1)
            card = cards[last]
            cards[last] = cards[other]
            cards[other] = card

    def fork(self) -> Pick:
        """Random numbers for one event. However many it takes, the next event gets the same ones."""
        event = RandomNumbers(self.value)
        self.value = self.value * LEAP % MODULUS
        return event.pick


def random_numbers(pick: Pick) -> RandomNumbers:
    """Random numbers that follow from four picks of `range(256)`."""
    return RandomNumbers(int.from_bytes(bytes([pick(256), pick(256), pick(256), pick(256)]), "big"))
