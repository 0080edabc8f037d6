"""treasure-hunt: from a position to a state."""

from collections.abc import Mapping, Sequence
from typing import Final

from lostcities.variants.bitsets import contains, elements
from lostcities.variants.core import (
    OVER,
    InvalidPosition,
    Path,
    Position,
    Text,
    nothing_hidden,
    nothing_to_fill,
    sees_all,
)
from lostcities.variants.treasure_hunt.rules import (
    BONUS_NAMES,
    BONUSES,
    CLAIM,
    COLOUR_NAMES,
    COLOURS,
    DICE,
    FACES,
    KEEP_OR_REROLL,
    REROLL,
    ROLL,
    TAKE,
    TENS,
    TILES,
    WAGER_NUMBERS,
    Bonuses,
    Layout,
    Options,
    State,
    Tiles,
    claimable_bonuses,
    ending_bonuses,
    find_ending,
    fulfilled_bonuses,
    number_of,
    turn_limit,
)


def from_position(players: int, options: Options, position: Position) -> State:
    """The state of a position.

    `numbers` and `conditions` follow from the rest and are ignored, so that a response can be sent back as it is.
    """
    for field in ("expeditions", "bonuses"):
        if len(position[field]) != players:
            raise InvalidPosition(
                "seats",
                [field],
                Text("there are {players} seats, not {given}", players=players, given=len(position[field])),
            )
    state = State(
        options=options,
        phase=position["phase"],
        turns=position["turns"],
        active=position["active"],
        dice=tuple(sorted(FACES.index(name) for name in position["dice"])),
        layout=_parse_layout(position),
    )
    _check_turns(state)
    _check_bonuses(state)
    _check_end(state)
    return state


# Every tile and every bonus tile is in one place -----------------------------------------------------------------


def _parse_layout(position: Position) -> Layout:
    placed, _ = _place_tiles(0, ("centre", "tiles"), position["centre"]["tiles"])
    centre, tiles, wagers = placed, [], []
    for seat, rows in enumerate(position["expeditions"]):
        before = placed
        placed, wager_side_up = _place_tiles(placed, ("expeditions", seat), rows)
        tiles.append(placed & ~before)
        wagers.append(wager_side_up)
    _check_all_placed(TILES, placed)
    placed = unclaimed = _place_bonuses(0, ("centre", "bonuses"), position["centre"]["bonuses"])
    bonuses = []
    for seat, names in enumerate(position["bonuses"]):
        before = placed
        placed = _place_bonuses(placed, ("bonuses", seat), names)
        bonuses.append(placed & ~before)
    _check_all_placed(BONUS_NAMES, placed)
    return Layout(centre, tuple(tiles), tuple(wagers), unclaimed, tuple(bonuses))


def _place_tiles(placed: Tiles, path: Path, rows: Mapping[str, Sequence[str]]) -> tuple[Tiles, Tiles]:
    """All tiles placed after those of some rows, and the tiles of these rows that lie wager side up.

    The tiles of a row have one colour and ascend, both in the centre and in front of a seat.
    """
    wagers = 0
    for letter, names in rows.items():
        previous = 0
        for index, name in enumerate(names):
            is_wager = name not in TILES
            tile = TILES.index(name[:-1] if is_wager else name)
            number = number_of(tile)
            if name[0] != letter:
                detail = Text("{name} is not {colour}", name=name, colour=Text(COLOUR_NAMES[COLOURS.index(letter)]))
                raise InvalidPosition("colour", (*path, letter, index), detail)
            if is_wager and (path[0] == "centre" or number not in WAGER_NUMBERS):
                detail = Text("{name} cannot be: only a 1, 6 or 10 before a seat is marked as wager side up", name=name)
                raise InvalidPosition("wager-face", (*path, letter, index), detail)
            if number <= previous:
                detail = Text("{name} cannot follow {before}", name=name, before=names[index - 1])
                raise InvalidPosition("ascending", (*path, letter, index), detail)
            if contains(placed, tile):
                raise _lies_twice((*path, letter, index), TILES[tile])
            previous = number
            placed |= 1 << tile
            wagers |= is_wager << tile
    return placed, wagers


def _place_bonuses(placed: Bonuses, path: Path, names: Sequence[str]) -> Bonuses:
    """All bonus tiles placed after some more of them."""
    for index, name in enumerate(names):
        bonus = BONUS_NAMES.index(name)
        if contains(placed, bonus):
            raise _lies_twice((*path, index), name)
        placed |= 1 << bonus
    return placed


def _lies_twice(path: Path, name: str) -> InvalidPosition:
    return InvalidPosition(
        "lies-twice", path, Text("{name} lies somewhere else already, and there is only one", name=name)
    )


def _check_all_placed(names: tuple[str, ...], placed: int) -> None:
    for index, name in enumerate(names):
        if not contains(placed, index):
            detail = Text("{name} lies neither in the centre nor before a seat", name=name)
            raise InvalidPosition("lies-nowhere", ["centre"], detail)


# The rest is consistent with it ----------------------------------------------------------------------------------

_DICE_ON_TABLE: Final[Mapping[str, Sequence[int]]] = {
    ROLL: (0,),
    KEEP_OR_REROLL: (DICE,),
    REROLL: range(DICE),
    TAKE: (DICE,),
    CLAIM: (0,),
    OVER: (0,),
}
"""The possible numbers of dice in `State.dice`, by phase."""


def _check_turns(state: State) -> None:
    """Seats take turns from seat 0 on, and a turn brings one tile at most."""
    phase, active, turns, seats = state.phase, state.active, state.turns, len(state.layout.tiles)
    if active != turns % seats:
        detail = Text(
            "after {turns} turns it is seat {seat}'s turn, not seat {active}'s",
            turns=turns,
            seat=turns % seats,
            active=active,
        )
        raise InvalidPosition("active", ["active"], detail)
    if len(state.dice) not in _DICE_ON_TABLE[phase]:
        expected = " or ".join(map(str, _DICE_ON_TABLE[phase]))
        raise InvalidPosition(
            "dice-count",
            ["dice"],
            Text(
                "{expected} dice lie in phase '{phase}', not {dice}",
                expected=expected,
                phase=phase,
                dice=len(state.dice),
            ),
        )
    for seat, tiles in enumerate(state.layout.tiles):
        # In phase CLAIM the active seat has already taken the tile of this turn.
        taken_in = turns // seats + (seat < turns % seats) + (phase == CLAIM and seat == active)
        if tiles.bit_count() > taken_in:
            detail = Text(
                "seat {seat} has {tiles} tiles and had {turns} turns to take one",
                seat=seat,
                tiles=tiles.bit_count(),
                turns=taken_in,
            )
            raise InvalidPosition("tile-count", ["expeditions", seat], detail)


def _check_bonuses(state: State) -> None:
    """A seat keeps its tiles, so it still fulfils the conditions of its bonus tiles."""
    for seat, bonuses in enumerate(state.layout.bonuses):
        for bonus in elements(bonuses & ~fulfilled_bonuses(state.layout.tiles[seat])):
            detail = Text(
                "seat {seat} has '{name}' without {condition}",
                seat=seat,
                name=BONUSES[bonus].name,
                condition=Text(BONUSES[bonus].condition),
            )
            raise InvalidPosition("bonus-unearned", ["bonuses", seat], detail)
    if state.phase == CLAIM and not claimable_bonuses(state.layout, state.active):
        raise InvalidPosition(
            "nothing-to-claim", ["phase"], Text("seat {seat} can claim nothing: its turn is over", seat=state.active)
        )


def _check_end(state: State) -> None:
    """The game is over after the first turn that fulfils the condition of an ending."""
    phase, limit, layout = state.phase, turn_limit(state.options), state.layout
    if state.turns > limit or (state.turns == limit and phase != OVER):
        raise InvalidPosition("max-turns", ["turns"], Text("the game ends after {limit} turns", limit=limit))
    ending = find_ending(layout, state.turns, state.options)
    if phase == OVER and not ending:
        raise InvalidPosition("game-end", ["phase"], Text("the game is not over: nothing has ended it"))
    if ending and phase not in (CLAIM, OVER):
        raise InvalidPosition("game-end", ["phase"], Text("the game is over by '{ending}'", ending=ending))
    last = state.active if phase == CLAIM else state.active - 1
    if not layout.centre & TENS and not layout.tiles[last] & TENS:
        detail = Text("the seat of the last turn has no 10, so the last 10 was taken in a turn before")
        raise InvalidPosition("ended-before", ["expeditions"], detail)
    ending_tiles = ending_bonuses(len(layout.tiles))
    if not layout.unclaimed & ending_tiles and not layout.bonuses[last] & ending_tiles:
        detail = Text(
            "the seat of the last turn has none of the bonus tiles that end the game, so they were taken before"
        )
        raise InvalidPosition("ended-before", ["bonuses"], detail)


shown_to: Final = sees_all
fill_hidden: Final = nothing_to_fill
hidden_card: Final = nothing_hidden
