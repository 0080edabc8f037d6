"""Playouts of a treasure hunt: from a state to its end, by the greedy policy, with the tiles changed in place.

The rules are the truth; a test plays the same games by them.
"""

from typing import Final

from lostcities.bots.core import RandomNumbers
from lostcities.variants.core import total
from lostcities.variants.treasure_hunt.bot import NO_TILE, Hunt
from lostcities.variants.treasure_hunt.rules import (
    CLAIM,
    DICE,
    FACES,
    KEEP_OR_REROLL,
    REROLL,
    ROLL,
    SORTED,
    TAKE,
    WAGER_FACE,
    WAGER_TILES,
    Dice,
    Layout,
    State,
    find_ending,
    fulfilled_bonuses,
    score,
)

MAX_TURNS: Final = 150
"""Turns of a playout. A longer game is scored as it stands."""


def simulate(state: State, seed: int) -> tuple[list[int], int]:
    """The points of each seat after a playout, and the number of its events."""
    game = Playout(state, seed)
    if state.phase in (ROLL, KEEP_OR_REROLL, REROLL, TAKE, CLAIM):
        game.finish_turn(state.phase, state.dice)
        last = game.turns + MAX_TURNS
        while not game.is_over() and game.turns < last:
            game.finish_turn(ROLL, ())
    return [total(sheet) for sheet in score(state._replace(layout=game.layout()))], game.events


class Luck:
    """The dice of a playout, by turn and purpose: no decision changes what another turn throws."""

    def __init__(self, seed: int, turns: int) -> None:
        """:param turns: those before the first one"""
        self.numbers = RandomNumbers(seed)
        self.numbers.skip(turns)

    def turn(self) -> tuple[Dice, Dice]:
        """The faces of the next turn: of the first throw, and of the dice that are thrown again."""
        pick = self.numbers.fork()
        faces = [pick(len(FACES)) for _ in range(2 * DICE)]
        return tuple(faces[:DICE]), tuple(faces[DICE:])


class Playout:
    """A game that is played out."""

    def __init__(self, state: State, seed: int) -> None:
        layout = state.layout
        self.options = state.options
        self.seat = state.active
        self.turns = state.turns
        self.centre = layout.centre
        self.unclaimed = layout.unclaimed
        self.bonuses = [*layout.bonuses]
        self.hunts = [
            Hunt(state.options.footprints, tiles, wagers)
            for tiles, wagers in zip(layout.tiles, layout.wagers, strict=True)
        ]
        self.luck = Luck(seed, state.turns)
        self.events = 0

    def finish_turn(self, phase: str, dice: Dice) -> None:
        """The rest of a turn that is in this phase, with these dice on the table."""
        first, second = self.luck.turn()
        hunt = self.hunts[self.seat]
        if phase != CLAIM:
            hunt.look(self.centre, self.unclaimed)
        if phase == ROLL:
            dice = SORTED[first]
            self.events += 1
            phase = KEEP_OR_REROLL
        if phase == KEEP_OR_REROLL:
            thrown = hunt.best_throw(dice)
            self.events += 1
            if thrown:
                dice = _without(dice, thrown)
                phase = REROLL
        if phase == REROLL:
            dice = SORTED[dice + second[: DICE - len(dice)]]
            self.events += 1
        if phase != CLAIM:
            self.take(hunt.best_tile(dice), WAGER_FACE in dice)
        self.claim()
        self.turns += 1
        self.seat = (self.seat + 1) % len(self.hunts)

    def take(self, tile: int, wager: bool) -> None:  # noqa: FBT001
        """The seat takes a tile, or none."""
        self.events += 1
        if tile == NO_TILE:
            return
        hunt, taken = self.hunts[self.seat], 1 << tile
        hunt.tiles |= taken
        if wager:
            hunt.wagers |= taken & WAGER_TILES
        self.centre &= ~taken

    def claim(self) -> None:
        """The seat claims all bonus tiles that it can."""
        claimed = self.unclaimed & fulfilled_bonuses(self.hunts[self.seat].tiles)
        self.events += claimed.bit_count()
        self.bonuses[self.seat] |= claimed
        self.unclaimed &= ~claimed

    def is_over(self) -> bool:
        """Whether the game ends after the last turn."""
        return find_ending(self.layout(), self.turns, self.options) is not None

    def layout(self) -> Layout:
        """The tiles and bonus tiles as they lie now."""
        tiles, wagers = [hunt.tiles for hunt in self.hunts], [hunt.wagers for hunt in self.hunts]
        return Layout(self.centre, tuple(tiles), tuple(wagers), self.unclaimed, tuple(self.bonuses))


def _without(dice: Dice, thrown: Dice) -> Dice:
    kept = [*dice]
    for face in thrown:
        kept.remove(face)
    return tuple(kept)
