"""treasure-hunt: Lost Cities: Auf Schatzsuche, the dice game for two to four.

Tiles are small integers (`colour * 10 + number - 1`) and any set of tiles is one integer, a bit for each; so is a set
of bonus tiles. Dice are sorted tuples of faces, which is canonical order. Nothing is hidden from anybody.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement, product
from typing import Any, Final, NamedTuple, NoReturn

from service.rules.game import (
    CHANCE,
    SHARED_RULES,
    About,
    Actor,
    InvalidOptions,
    InvalidPosition,
    Line,
    Move,
    MoveType,
    NotAMove,
    Option,
    Outcome,
    Path,
    Pick,
    Position,
    Ruling,
    Seat,
    Sheet,
    Viewer,
    check_actor,
    decide,
    illegal,
    made,
)

VARIANT: Final = "treasure-hunt"
RULES_VERSION: Final = 1

# Components ------------------------------------------------------------------------------------------------------

COLOURS: Final = "RBGYP"
"""The letters in canonical order."""
COLOUR_NAMES: Final = ("red", "blue", "green", "yellow", "purple")
NUMBERS: Final = range(1, 11)
WAGER_NUMBERS: Final = (1, 6, 10)
"""The tiles with a wager face and a plain one; the others have no wager."""
SEATS: Final = (2, 4)

TILES: Final = tuple(f"{letter}{number}" for letter in COLOURS for number in NUMBERS)
"""The name of each tile, by its integer."""
TILE: Final = {name: tile for tile, name in enumerate(TILES)}
COLOUR: Final = tuple(tile // len(NUMBERS) for tile in range(len(TILES)))
NUMBER: Final = tuple(tile % len(NUMBERS) + 1 for tile in range(len(TILES)))


def _tiles(*numbers: int) -> int:
    """The set of the tiles with these numbers, in every colour."""
    return sum(1 << tile for tile in range(len(TILES)) if NUMBER[tile] in numbers)


ALL_TILES: Final = _tiles(*NUMBERS)
TENS: Final = _tiles(10)
TWO_FACED: Final = _tiles(*WAGER_NUMBERS)
SHIFTS: Final = tuple(colour * len(NUMBERS) for colour in range(len(COLOURS)))
ROW: Final = (1 << len(NUMBERS)) - 1
"""So `tiles >> SHIFTS[colour] & ROW` are the numbers of a colour among the tiles, a bit for each."""
HIGHER: Final = tuple(ROW & -1 << numbers.bit_length() for numbers in range(ROW + 1))
"""The numbers that a seat can still take in a colour, by those it has: all above the highest."""

FACES: Final = ("1", "2", "3", "4", "5", "w")
"""The name of each face of a die, by its integer."""
FACE: Final = {name: face for face, name in enumerate(FACES)}
WAGER_FACE: Final = FACE["w"]
PIPS: Final = (1, 2, 3, 4, 5, 0)
"""What each face counts in a sum."""
DICE: Final = 3

Dice = tuple[int, ...]
THROWS: Final[tuple[Dice, ...]] = tuple(
    faces for dice in range(1, DICE + 1) for faces in combinations_with_replacement(range(len(FACES)), dice)
)
"""Everything that one, two or three dice can show."""
IN_ORDER: Final[dict[Dice, Dice]] = {
    faces: tuple(sorted(faces)) for dice in range(1, DICE + 1) for faces in product(range(len(FACES)), repeat=dice)
}
"""The same, by the faces in any order."""


def _sums(dice: Dice) -> tuple[int, ...]:
    """The tiles' numbers that are a sum of one or more of the dice.

    >>> _sums((FACE["1"], FACE["5"], FACE["w"]))
    (1, 5, 6)
    """
    chosen = (some for size in range(1, len(dice) + 1) for some in combinations(dice, size))
    return tuple(sorted({sum(PIPS[face] for face in some) for some in chosen} & {*NUMBERS}))


SUMS: Final[dict[Dice, tuple[int, ...]]] = {dice: _sums(dice) for dice in THROWS if len(dice) == DICE}
"""The numbers that each roll allows."""
ALLOWED: Final[dict[Dice, int]] = {dice: _tiles(*numbers) for dice, numbers in SUMS.items()}
"""The tiles with these numbers."""


class Bonus(NamedTuple):
    """A bonus tile."""

    name: str
    condition: str
    wanted: tuple[tuple[int, int], ...]
    """What its condition asks of a colour: of one of these sets of numbers at least so many."""
    among: tuple[int, ...] = tuple(range(len(COLOURS)))
    """The colours that it looks at."""
    needed: int = 1
    """In how many of them it must be so."""


BONUSES: Final = (
    *(
        Bonus(f"four-{name}", f"4 or more {name} tiles", ((ROW, 4),), among=(colour,))
        for colour, name in enumerate(COLOUR_NAMES)
    ),
    Bonus("six-of-a-colour", "6 or more tiles of one colour", ((ROW, 6),)),
    Bonus(
        "run-of-four",
        "4 or more consecutive numbers in one colour",
        tuple((0b1111 << lowest, 4) for lowest in range(len(NUMBERS) - 3)),
    ),
    Bonus("every-colour", "at least one tile of each colour", ((ROW, 1),), needed=len(COLOURS)),
    *(
        Bonus(f"three-{number}s", f"3 or more tiles with the number {number}", ((1 << number - 1, 1),), needed=3)
        for number in (3, 5, 7)
    ),
)
BONUS_NAMES: Final = tuple(bonus.name for bonus in BONUSES)
ALL_BONUSES: Final = (1 << len(BONUSES)) - 1
COLOURED_BONUSES: Final = sum(
    1 << bonus for bonus, name in enumerate(BONUS_NAMES) if name.startswith("four-") or name == "every-colour"
)
ENDING_BONUSES: Final = {2: COLOURED_BONUSES, 3: ALL_BONUSES, 4: ALL_BONUSES}
"""The bonus tiles that end the game when none of them is left, by the number of seats."""
BONUS_POINTS: Final = 10

MAX_FOOTPRINTS: Final = 9
MAX_TURNS: Final = 1000

Limit = int | None
"""So many turns, or `None`: as many as it takes."""


class Footprints(NamedTuple):
    """The footprints that the tiles show."""

    plain: "tuple[int, ...]" = (1, 1, 1, 1, 1, 2, 2, 2, 2, 2)
    """On the plain faces, by number."""
    wager: "tuple[int, ...]" = (1, 2, 2)
    """On the wager faces of the 1, the 6 and the 10."""

    def plain_data(self) -> dict[str, Any]:
        """As plain data."""
        wager = dict(zip(map(str, WAGER_NUMBERS), self.wager, strict=True))
        return {"plain": [*self.plain], "wager": wager}


class Options(NamedTuple):
    """What a treasure hunt can be created with."""

    footprints: "Footprints" = Footprints()
    max_turns: "Limit" = None

    def plain(self) -> dict[str, Any]:
        """As plain data, the wager faces' footprints included."""
        return {"footprints": self.footprints.plain_data(), "max_turns": self.max_turns}


# State -----------------------------------------------------------------------------------------------------------

ROLL: Final = "roll"
KEEP_OR_REROLL: Final = "keep-or-reroll"
REROLL: Final = "reroll"
TAKE: Final = "take"
CLAIM: Final = "claim"
OVER: Final = "over"


class Layout(NamedTuple):
    """What lies in the centre and before the seats."""

    centre: int
    """The tiles in the centre."""
    tiles: "tuple[int, ...]"
    """The tiles that each seat has taken."""
    wagers: "tuple[int, ...]"
    """Those of them that lie wager side up."""
    unclaimed: int
    """The bonus tiles in the centre."""
    bonuses: "tuple[int, ...]"
    """The bonus tiles that each seat has claimed."""


class State(NamedTuple):
    """A moment of the game."""

    options: "Options"
    phase: str
    turns: int
    """Turns finished, all seats' together."""
    active: Seat
    """Whose turn it is."""
    dice: "Dice"
    """The faces that lie; while dice are thrown again, of those that stay."""
    layout: "Layout"


# Moves -----------------------------------------------------------------------------------------------------------


def _shown(dice: Dice) -> list[str]:
    return [FACES[face] for face in dice]


def _text(dice: Dice) -> str:
    return " ".join(_shown(dice))


KEEP: Final = Move("keep", "keep")
REROLLS: Final = {dice: Move(f"reroll {_text(dice)}", "reroll", dice, {"dice": _shown(dice)}) for dice in THROWS}
TAKES: Final = tuple(Move(f"take {name}", "take", (tile,), {"tile": name}) for tile, name in enumerate(TILES))
SKIP: Final = Move("skip", "skip")
CLAIMS: Final = tuple(
    Move(f"claim {name}", "claim", (bonus,), {"bonus": name}) for bonus, name in enumerate(BONUS_NAMES)
)
END: Final = Move("end", "end")
ROLLS: Final = {dice: Move(f"roll {_text(dice)}", "roll", dice, by_chance=True) for dice in THROWS}
"""Chance's answers, by what the thrown dice show."""
_FALLS: Final = {faces: ROLLS[dice] for faces, dice in IN_ORDER.items()}
"""The same, by the faces in whatever order they fell."""

VOCABULARY: Final[Mapping[str, Move]] = {
    move.notation: move for move in (KEEP, *REROLLS.values(), *TAKES, SKIP, *CLAIMS, END)
}
_OUTCOMES: Final = {move.notation: move for move in ROLLS.values()}


def parse(text: str) -> Move:
    """The move or outcome of that notation.

    >>> parse("reroll w 1").notation
    'reroll 1 w'
    """
    verb, *tokens = text.split(" ")
    # Only dice come in several: in canonical order the digits precede the wager, as in the alphabet.
    canonical = " ".join((verb, *sorted(tokens)))
    move = VOCABULARY.get(canonical) or _OUTCOMES.get(canonical)
    if move:
        return move
    raise NotAMove(
        text,
        "say 'keep', 'reroll 1 w', 'take R6', 'skip', 'claim four-red' or 'end'; chance says 'roll 1 5 w'",
    )


# Setup -----------------------------------------------------------------------------------------------------------


def options(chosen: Mapping[str, Any]) -> Options:
    """The options as chosen, the rest by default."""
    footprints = chosen.get("footprints")
    return Options(_footprints(footprints) if footprints else Footprints(), chosen.get("max_turns"))


def _footprints(chosen: Mapping[str, Any]) -> Footprints:
    """The chosen table; without its `wager` the two faces of a tile are alike."""
    plain = tuple(chosen["plain"])
    if len(plain) != len(NUMBERS):
        detail = f"footprints are given for the {len(NUMBERS)} numbers, not for {len(plain)}"
        raise InvalidOptions("footprints", ["footprints", "plain"], detail)
    wager = chosen.get("wager", {str(number): plain[number - 1] for number in WAGER_NUMBERS})
    if wager.keys() != {*map(str, WAGER_NUMBERS)}:
        raise InvalidOptions("footprints", ["footprints", "wager"], "the 1, the 6 and the 10 have wager faces")
    return Footprints(plain, tuple(wager[str(number)] for number in WAGER_NUMBERS))


def setup(players: int, options: Options) -> State:
    """Before the first roll: everything lies in the centre. Seat 0 begins."""
    nothing = (0,) * players
    return State(options, ROLL, 0, 0, (), Layout(ALL_TILES, nothing, nothing, ALL_BONUSES, nothing))


def place(players: int, options: Options, position: Position) -> State:
    """The state whose view is `position`.

    `numbers` and `conditions` are derived from the rest and ignored: a view can be sent back as it came.
    """
    for field in ("expeditions", "bonuses"):
        if len(position[field]) != players:
            raise InvalidPosition("seats", [field], f"there are {players} seats, not {len(position[field])}")
    state = State(
        options=options,
        phase=position["phase"],
        turns=position["turns"],
        active=position["active"],
        dice=tuple(sorted(FACE[name] for name in position["dice"])),
        layout=_layout(position),
    )
    _check_turns(state)
    _check_bonuses(state)
    _check_end(state)
    return state


def _layout(position: Position) -> Layout:
    """What lies where, if every tile and every bonus tile lies in one place."""
    centre, _ = _lay_out(0, ("centre", "tiles"), position["centre"]["tiles"])
    lying, tiles, wagers = centre, [], []
    for seat, rows in enumerate(position["expeditions"]):
        with_seat, face_up = _lay_out(lying, ("expeditions", seat), rows)
        tiles.append(with_seat ^ lying)
        wagers.append(face_up)
        lying = with_seat
    _check_nothing_missing(TILES, lying)
    unclaimed = _give_out(0, ("centre", "bonuses"), position["centre"]["bonuses"])
    given, bonuses = unclaimed, []
    for seat, names in enumerate(position["bonuses"]):
        with_seat = _give_out(given, ("bonuses", seat), names)
        bonuses.append(with_seat ^ given)
        given = with_seat
    _check_nothing_missing(BONUS_NAMES, given)
    return Layout(centre, tuple(tiles), tuple(wagers), unclaimed, tuple(bonuses))


def _lay_out(lying: int, path: Path, rows: Mapping[str, Sequence[str]]) -> tuple[int, int]:
    """What lies together with the tiles of some rows, and which of these lie wager side up.

    A row has one colour and ascends, in the centre and before a seat alike.
    """
    wagers = 0
    for letter, names in rows.items():
        last = 0
        for index, name in enumerate(names):
            is_wager = name not in TILE
            tile = TILE[name[:-1] if is_wager else name]
            number = NUMBER[tile]
            if name[0] != letter:
                detail = f"{name} is not {COLOUR_NAMES[COLOURS.index(letter)]}"
                raise InvalidPosition("colour", (*path, letter, index), detail)
            if is_wager and (path[0] == "centre" or number not in WAGER_NUMBERS):
                detail = f"{name} cannot be: only a 1, 6 or 10 before a seat is marked as wager side up"
                raise InvalidPosition("wager-face", (*path, letter, index), detail)
            if number <= last:
                detail = f"{name} cannot follow {names[index - 1]}"
                raise InvalidPosition("ascending", (*path, letter, index), detail)
            if lying >> tile & 1:
                raise _lies_twice((*path, letter, index), TILES[tile])
            last = number
            lying |= 1 << tile
            wagers |= is_wager << tile
    return lying, wagers


def _give_out(given: int, path: Path, names: Sequence[str]) -> int:
    """What is given out together with some bonus tiles."""
    for index, name in enumerate(names):
        bonus = BONUS_NAMES.index(name)
        if given >> bonus & 1:
            raise _lies_twice((*path, index), name)
        given |= 1 << bonus
    return given


def _lies_twice(path: Path, name: str) -> InvalidPosition:
    return InvalidPosition("lies-twice", path, f"{name} lies somewhere else already, and there is only one")


def _check_nothing_missing(names: tuple[str, ...], lying: int) -> None:
    for number, name in enumerate(names):
        if not lying >> number & 1:
            detail = f"{name} lies neither in the centre nor before a seat"
            raise InvalidPosition("lies-nowhere", ["centre"], detail)


DICE_LYING: Final = {ROLL: (0,), KEEP_OR_REROLL: (DICE,), REROLL: range(DICE), TAKE: (DICE,), CLAIM: (0,), OVER: (0,)}
"""How many dice can lie in each phase: none before the roll or once the tile is taken, and not those thrown again."""


def _check_turns(state: State) -> None:
    """Seats take turns from seat 0 on, and a turn brings one tile at most."""
    phase, active, turns, seats = state.phase, state.active, state.turns, len(state.layout.tiles)
    if active != turns % seats:
        detail = f"after {turns} turns it is seat {turns % seats}'s turn, not seat {active}'s"
        raise InvalidPosition("active", ["active"], detail)
    if len(state.dice) not in DICE_LYING[phase]:
        expected = " or ".join(map(str, DICE_LYING[phase]))
        raise InvalidPosition("dice-count", ["dice"], f"{expected} dice lie in phase '{phase}', not {len(state.dice)}")
    for seat, tiles in enumerate(state.layout.tiles):
        # While bonus tiles are claimed, the turn that goes on has brought its tile.
        taken_in = turns // seats + (seat < turns % seats) + (phase == CLAIM and seat == active)
        if tiles.bit_count() > taken_in:
            detail = f"seat {seat} has {tiles.bit_count()} tiles and had {taken_in} turns to take one"
            raise InvalidPosition("tile-count", ["expeditions", seat], detail)


def _check_bonuses(state: State) -> None:
    """A tile never leaves a seat: what fulfilled a condition once fulfils it now."""
    for seat, bonuses in enumerate(state.layout.bonuses):
        for bonus in _members(bonuses & ~_fulfilled(state.layout.tiles[seat])):
            detail = f"seat {seat} has '{BONUSES[bonus].name}' without {BONUSES[bonus].condition}"
            raise InvalidPosition("bonus-unearned", ["bonuses", seat], detail)
    if state.phase == CLAIM and not _claimable(state.layout, state.active):
        raise InvalidPosition("nothing-to-claim", ["phase"], f"seat {state.active} can claim nothing: its turn is over")


def _check_end(state: State) -> None:
    """The turn that ends the game is the last one."""
    phase, limit = state.phase, state.options.max_turns
    if limit is not None and (state.turns > limit or (state.turns == limit and phase != OVER)):
        raise InvalidPosition("max-turns", ["turns"], f"the game ends after {limit} turns")
    layout = state.layout
    ending = _ending(layout, state.turns, state.options)
    if phase == OVER and not ending:
        raise InvalidPosition("game-end", ["phase"], "the game is not over: nothing has ended it")
    if ending and phase not in (CLAIM, OVER):
        raise InvalidPosition("game-end", ["phase"], f"the game is over by '{ending}'")
    last = state.active if phase == CLAIM else state.active - 1
    if not layout.centre & TENS and not layout.tiles[last] & TENS:
        detail = "the seat of the last turn has no 10, so the last 10 was taken in a turn before"
        raise InvalidPosition("ended-before", ["expeditions"], detail)
    ending_bonuses = ENDING_BONUSES[len(layout.tiles)]
    if not layout.unclaimed & ending_bonuses and not layout.bonuses[last] & ending_bonuses:
        detail = "the seat of the last turn has none of the bonus tiles that end the game, so they were taken before"
        raise InvalidPosition("ended-before", ["bonuses"], detail)


# Legal -----------------------------------------------------------------------------------------------------------


_NO_SEAT: Final[dict[str, tuple[Actor, ...]]] = {ROLL: (CHANCE,), REROLL: (CHANCE,), OVER: ()}
"""Who acts in the phases in which the active seat does not."""


def to_act(state: State) -> tuple[Actor, ...]:
    """One seat or chance at a time."""
    acting = _NO_SEAT.get(state.phase)
    return (state.active,) if acting is None else acting


def phase(state: State) -> str:
    """The kind of decision that is due."""
    return state.phase


def _rerolls(dice: Dice) -> dict[Dice, Dice]:
    """What can be thrown again, equal dice as one choice, and what then stays.

    >>> _rerolls((0, 0, 5))
    {(0,): (0, 5), (5,): (0, 0), (0, 0): (5,), (0, 5): (0,), (0, 0, 5): ()}
    """
    some = [chosen for size in range(1, DICE + 1) for chosen in combinations(range(DICE), size)]
    return {
        tuple(dice[die] for die in chosen): tuple(dice[die] for die in range(DICE) if die not in chosen)
        for chosen in some
    }


_REROLLS: Final = {dice: _rerolls(dice) for dice in SUMS}
"""By what lies."""
_KEEP_OR_REROLL: Final = {dice: (KEEP, *(REROLLS[faces] for faces in rerolls)) for dice, rerolls in _REROLLS.items()}


def _takes(colour: int) -> tuple[tuple[Move, ...], ...]:
    """By every set of numbers: the moves that take these tiles of a colour."""
    takes: list[tuple[Move, ...]] = [()]
    for move in TAKES[colour * len(NUMBERS) : (colour + 1) * len(NUMBERS)]:
        takes += [(*lower, move) for lower in takes]
    return tuple(takes)


_TAKES: Final = tuple((shift, _takes(colour)) for colour, shift in enumerate(SHIFTS))
"""By colour."""


def legal(state: State, seat: Seat) -> tuple[Move, ...]:
    """`keep`, then rerolls of one, two, three dice; or tiles, then `skip`; or bonus tiles, then `end`."""
    _, phase, _, active, dice, layout = state
    if seat != active:
        return ()
    if phase == KEEP_OR_REROLL:
        return _KEEP_OR_REROLL[dice]
    if phase == TAKE:
        allowed, own = layout.centre & ALLOWED[dice], layout.tiles[seat]
        moves: list[Move] = []
        for shift, takes in _TAKES:
            moves += takes[allowed >> shift & HIGHER[own >> shift & ROW]]
        moves.append(SKIP)
        return tuple(moves)
    if phase == CLAIM:
        return (*[CLAIMS[bonus] for bonus in _members(_claimable(layout, seat))], END)
    return ()


def _members(bonuses: int) -> list[int]:
    return [bonus for bonus in range(len(BONUSES)) if bonuses >> bonus & 1]


def _claimable(layout: Layout, seat: Seat) -> int:
    """The bonus tiles in the centre whose condition the seat fulfils, since whenever."""
    return layout.unclaimed & _fulfilled(layout.tiles[seat])


def _missing(bonus: Bonus, tiles: int, within_reach: int) -> int | None:
    """How many of the tiles within reach are needed at least to fulfil a condition; `None`: all are not enough."""
    colours = [
        _missing_in_colour(bonus, tiles >> SHIFTS[colour] & ROW, within_reach >> SHIFTS[colour] & ROW)
        for colour in bonus.among
    ]
    fewest = sorted(missing for missing in colours if missing is not None)[: bonus.needed]
    return sum(fewest) if len(fewest) == bonus.needed else None


def _missing_in_colour(bonus: Bonus, numbers: int, within_reach: int) -> int | None:
    """The same in one colour, for what the condition asks of each."""
    fewest = None
    for some, count in bonus.wanted:
        missing = max(0, count - (numbers & some).bit_count())
        if missing <= (within_reach & some).bit_count() and (fewest is None or missing < fewest):
            fewest = missing
    return fewest


@lru_cache(maxsize=4096)
def _fulfilled(tiles: int) -> int:
    """The bonus tiles whose condition these tiles fulfil."""
    tally = _NONE_YET
    for shift, looking in _LOOKING:
        tally += _tally(tiles >> shift & ROW) & looking
    return _REACHED[tally & _ENOUGH]


@cache
def _tally(numbers: int) -> int:
    """A hexadecimal digit for each bonus tile: 1 if these numbers are what its condition asks of a colour, else 0."""
    return _digits(bonus for bonus in range(len(BONUSES)) if _missing_in_colour(BONUSES[bonus], numbers, 0) == 0)


def _digits(bonuses: Iterable[int]) -> int:
    return sum(1 << 4 * bonus for bonus in bonuses)


_LOOKING: Final = tuple(
    (shift, 15 * _digits(number for number, bonus in enumerate(BONUSES) if colour in bonus.among))
    for colour, shift in enumerate(SHIFTS)
)
"""The digits of the bonus tiles that look at a colour, by colour."""
_NONE_YET: Final = sum((8 - bonus.needed) * _digits([number]) for number, bonus in enumerate(BONUSES))
"""Where a tally begins: a digit comes to 8 with as many colours as its bonus tile needs."""
_ENOUGH: Final = 8 * _digits(range(len(BONUSES)))


def _reached() -> dict[int, int]:
    """Every set of bonus tiles, by the digits that have come to 8."""
    sets = {0: 0}
    for bonus in range(len(BONUSES)):
        sets |= {digits | 8 << 4 * bonus: bonuses | 1 << bonus for digits, bonuses in sets.items()}
    return sets


_REACHED: Final = _reached()


def sample(state: State, pick: Pick) -> Move:
    """One pick of the six faces for each die that is thrown."""
    faces: Dice = ()
    for _ in range(DICE - len(state.dice)):
        faces += (pick(len(FACES)),)
    return _FALLS[faces]


# Apply -----------------------------------------------------------------------------------------------------------


def apply(state: State, actor: Actor, move: Move) -> State:
    """The state after that move."""
    step = _STEPS[state.phase].get(move.type)
    if step is None or actor != (CHANCE if move.by_chance else state.active):
        _refuse(state, actor, move)
    return step(state, move)


def _refuse(state: State, actor: Actor, move: Move) -> NoReturn:
    """Name the rule that such a move of that actor breaks here, whatever its operands."""
    check_actor(to_act(state), actor, move)
    if state.phase == TAKE and move.type == "reroll":
        illegal("dice-final", "the dice were kept or thrown again: there is no other throw in this turn")
    illegal("wrong-phase", _DUE[state.phase])


_DUE: Final = {
    KEEP_OR_REROLL: "the dice come first: 'keep' them or 'reroll' some of them",
    TAKE: "a tile comes next: 'take' one or 'skip'",
    CLAIM: "bonus tiles come next: 'claim' one, or 'end' the turn",
}


def _rolled(state: State, outcome: Move) -> State:
    """Chance throws all three dice, or again those that the seat chose: after these there is no third throw."""
    options, phase, turns, active, dice, layout = state
    dice += outcome.args
    if len(dice) != DICE:
        illegal("dice-count", f"{DICE - len(state.dice)} dice are thrown, not {len(outcome.args)}")
    return made(State, (options, KEEP_OR_REROLL if phase == ROLL else TAKE, turns, active, IN_ORDER[dice], layout))


def _keep(state: State, move: Move) -> State:  # noqa: ARG001
    """The dice stay as they lie."""
    options, _, turns, active, dice, layout = state
    return made(State, (options, TAKE, turns, active, dice, layout))


def _reroll(state: State, move: Move) -> State:
    """Chance throws the chosen dice again."""
    options, _, turns, active, dice, layout = state
    staying = _REROLLS[dice].get(move.args)
    if staying is None:
        illegal("face-not-shown", f"the dice show {_text(dice)}, not all of {_text(move.args)}")
    return made(State, (options, REROLL, turns, active, staying, layout))


def _skip(state: State, move: Move) -> State:  # noqa: ARG001
    """The seat takes no tile."""
    return _claim_next(state, state.layout)


def _take(state: State, move: Move) -> State:
    """The tile goes to the seat, wager side up if it has one and any die shows a wager."""
    _, _, _, seat, dice, layout = state
    centre, tiles, wagers, unclaimed, bonuses = layout
    tile = move.args[0]
    bit = 1 << tile
    shift = SHIFTS[COLOUR[tile]]
    if not bit & centre & ALLOWED[dice] & HIGHER[tiles[seat] >> shift & ROW] << shift:
        _refuse_take(state, tile)
    if bit & TWO_FACED and WAGER_FACE in dice:
        wagers = _with(wagers, seat, bit)
    return _claim_next(state, made(Layout, (centre - bit, _with(tiles, seat, bit), wagers, unclaimed, bonuses)))


def _refuse_take(state: State, tile: int) -> NoReturn:
    """Name the rule that keeps the tile from the seat."""
    seat, dice, layout = state.active, state.dice, state.layout
    if not layout.centre >> tile & 1:
        owner = next(seat for seat, taken in enumerate(layout.tiles) if taken >> tile & 1)
        illegal("tile-not-in-centre", f"{TILES[tile]} is not in the centre: seat {owner} has it")
    if NUMBER[tile] not in SUMS[dice]:
        illegal("not-a-sum", f"{NUMBER[tile]} is not a sum of one or more of the dice {_text(dice)}")
    shift = SHIFTS[COLOUR[tile]]
    highest = TILES[shift + (layout.tiles[seat] >> shift & ROW).bit_length() - 1]
    illegal("not-higher", f"{TILES[tile]} is not higher than {highest}, which seat {seat} has")


def _with(sets: tuple[int, ...], seat: Seat, bit: int) -> tuple[int, ...]:
    """The sets of all seats, with one more in this seat's."""
    grown = [*sets]
    grown[seat] |= bit
    return tuple(grown)


def _claim_next(state: State, layout: Layout) -> State:
    """Where nothing, or nothing more, can be claimed, the turn ends by itself."""
    if _claimable(layout, state.active):
        return made(State, (state.options, CLAIM, state.turns, state.active, (), layout))
    return _end_turn(state, layout)


def _claim(state: State, move: Move) -> State:
    """The bonus tile goes to the seat."""
    seat, layout = state.active, state.layout
    bit = 1 << move.args[0]
    if not bit & _claimable(layout, seat):
        _refuse_claim(state, move.args[0])
    centre, tiles, wagers, unclaimed, bonuses = layout
    return _claim_next(state, made(Layout, (centre, tiles, wagers, unclaimed - bit, _with(bonuses, seat, bit))))


def _refuse_claim(state: State, bonus: int) -> NoReturn:
    """Name the rule that keeps the bonus tile from the seat."""
    if not state.layout.unclaimed >> bonus & 1:
        owner = next(seat for seat, claimed in enumerate(state.layout.bonuses) if claimed >> bonus & 1)
        illegal("bonus-not-in-centre", f"'{BONUS_NAMES[bonus]}' is not in the centre: seat {owner} has it")
    illegal("condition-not-fulfilled", f"seat {state.active} does not have {BONUSES[bonus].condition}")


def _end(state: State, move: Move) -> State:  # noqa: ARG001
    """The seat leaves what it could claim."""
    return _end_turn(state, state.layout)


def _end_turn(state: State, layout: Layout) -> State:
    """The next seat rolls, unless this turn, now that its claims are made, was the last."""
    options, _, turns, active, _, _ = state
    turns += 1
    phase = OVER if _ending(layout, turns, options) else ROLL
    return made(State, (options, phase, turns, (active + 1) % len(layout.tiles), (), layout))


LAST_TEN: Final = "last-ten"
LAST_BONUS: Final = "last-bonus"
ALL_TURNS: Final = "max-turns"


def _ending(layout: Layout, turns: int, options: Options) -> str | None:
    """What ends the game with the turn; the first of them where several do."""
    if not layout.centre & TENS:
        return LAST_TEN
    if not layout.unclaimed & ENDING_BONUSES[len(layout.tiles)]:
        return LAST_BONUS
    return ALL_TURNS if turns == options.max_turns else None


_STEPS: Final[dict[str, dict[str, Callable[[State, Move], State]]]] = {
    ROLL: {"roll": _rolled},
    KEEP_OR_REROLL: {"keep": _keep, "reroll": _reroll},
    REROLL: {"roll": _rolled},
    TAKE: {"take": _take, "skip": _skip},
    CLAIM: {"claim": _claim, "end": _end},
    OVER: {},
}
"""What can be done in each phase."""


# View ------------------------------------------------------------------------------------------------------------


def witness(state: State, outcome: Move) -> Seat | None:  # noqa: ARG001
    """Everybody sees the dice."""
    return None


def view(state: State, viewer: Viewer) -> Position:  # noqa: ARG001
    """Everything, for everybody: what lies where, and what a person would count by hand.

    A tile that lies wager side up before a seat is written `R6w`; the centre lists tiles by their names alone.
    `numbers` are those that the dice allow. `conditions` are derived for each seat: the bonus tiles it fulfils, and for
    every other one how many tiles it is missing, `None` if the centre cannot give them any more.
    """
    layout = state.layout
    return {
        "variant": VARIANT,
        "phase": state.phase,
        "active": state.active,
        "turns": state.turns,
        "dice": _shown(state.dice),
        "numbers": [*SUMS.get(state.dice, ())],
        "centre": {"tiles": _laid_out(layout.centre, 0), "bonuses": _bonus_names(layout.unclaimed)},
        "expeditions": [_laid_out(*faces) for faces in zip(layout.tiles, layout.wagers, strict=True)],
        "bonuses": [_bonus_names(bonuses) for bonuses in layout.bonuses],
        "conditions": [_conditions(layout.centre, tiles) for tiles in layout.tiles],
    }


def _laid_out(tiles: int, wagers: int) -> dict[str, list[str]]:
    """Tiles in rows by colour, ascending; those that lie wager side up marked."""
    return {
        letter: [*_row(colour, tiles >> SHIFTS[colour] & ROW, wagers >> SHIFTS[colour] & ROW)]
        for colour, letter in enumerate(COLOURS)
    }


@lru_cache(maxsize=4096)
def _row(colour: int, numbers: int, wagers: int) -> tuple[str, ...]:
    names = TILES[SHIFTS[colour] : SHIFTS[colour] + len(NUMBERS)]
    return tuple(name + "w" * (wagers >> bit & 1) for bit, name in enumerate(names) if numbers >> bit & 1)


def _bonus_names(bonuses: int) -> list[str]:
    return [BONUS_NAMES[bonus] for bonus in _members(bonuses)]


def _conditions(centre: int, tiles: int) -> dict[str, Any]:
    # In each colour the tiles that the seat may still take can all be taken, from the lowest on.
    within_reach = sum(centre & HIGHER[tiles >> shift & ROW] << shift for shift in SHIFTS)
    missing = _missing_each(tiles, within_reach)
    return {
        "fulfilled": [name for name, number in missing if number == 0],
        "missing": {name: number for name, number in missing if number != 0},
    }


@lru_cache(maxsize=4096)
def _missing_each(tiles: int, within_reach: int) -> tuple[tuple[str, int | None], ...]:
    """Each bonus tile, and how many tiles its condition is missing. Few moves change it for any seat."""
    return tuple((bonus.name, _missing(bonus, tiles, within_reach)) for bonus in BONUSES)


# Score -----------------------------------------------------------------------------------------------------------


def _expedition_line(footprints: Footprints, colour: int, tiles: int, wagers: int) -> Line:
    """A line of the score sheet: the footprints of a colour times 1 + its wager faces.

    >>> _expedition_line(Footprints(), 0, 0b100001, 0b100001).points
    9
    """
    seen = 0
    for tile in range(colour * len(NUMBERS), (colour + 1) * len(NUMBERS)):
        number = NUMBER[tile]
        if wagers >> tile & 1:
            seen += footprints.wager[WAGER_NUMBERS.index(number)]
        elif tiles >> tile & 1:
            seen += footprints.plain[number - 1]
    multiplier = 1 + (wagers >> SHIFTS[colour] & ROW).bit_count()
    return Line(COLOUR_NAMES[colour], seen * multiplier, {"footprints": seen, "wagers": multiplier - 1})


def score(state: State) -> tuple[Sheet, ...]:
    """A line for each colour, then one for each bonus tile."""
    footprints, layout = state.options.footprints, state.layout
    return tuple(
        (
            *(_expedition_line(footprints, colour, tiles, wagers) for colour in range(len(COLOURS))),
            *(Line(name, BONUS_POINTS) for name in _bonus_names(bonuses)),
        )
        for tiles, wagers, bonuses in zip(layout.tiles, layout.wagers, layout.bonuses, strict=True)
    )


def outcome(state: State) -> Outcome | None:
    """The highest total wins."""
    reason = _ending(state.layout, state.turns, state.options) if state.phase == OVER else None
    return decide(score(state), reason) if reason else None


# About -----------------------------------------------------------------------------------------------------------

ABOUT: Final = About(
    title="Lost Cities: Auf Schatzsuche",
    seats=SEATS,
    components={
        "colours": dict(zip(COLOURS, COLOUR_NAMES, strict=True)),
        "numbers": [*NUMBERS],
        "tiles": len(TILES),
        "wager_numbers": [*WAGER_NUMBERS],
        "dice": DICE,
        "faces": [*FACES],
        "bonuses": {bonus.name: bonus.condition for bonus in BONUSES},
        "ending_bonuses": {str(seats): _bonus_names(bonuses) for seats, bonuses in ENDING_BONUSES.items()},
    },
    options=(
        Option(
            "footprints",
            Footprints().plain_data(),
            f"the footprints, 0..{MAX_FOOTPRINTS} each, on the ten plain faces and on the three wager faces; "
            "without 'wager' the two faces of a tile are alike",
        ),
        Option("max_turns", None, f"ends the game after so many turns, all seats', 1..{MAX_TURNS}; null: never"),
    ),
    moves=(
        MoveType("keep", "keep", "seat", "leave the dice as they lie"),
        MoveType("reroll", "reroll <face> x1..3", "seat", "throw the dice that show these faces again; chance answers"),
        MoveType("take", "take <tile>", "seat", "take a tile from the centre whose number is a sum of the dice"),
        MoveType("skip", "skip", "seat", "take no tile"),
        MoveType("claim", "claim <bonus>", "seat", "take a bonus tile whose condition the seat fulfils"),
        MoveType("end", "end", "seat", "end the turn although a bonus tile could be claimed"),
        MoveType("roll", "roll <face> x1..3", "chance", "what the thrown dice show"),
    ),
    phases={
        ROLL: "chance throws the three dice",
        KEEP_OR_REROLL: "the active seat keeps the dice or chooses those to throw again",
        REROLL: "chance throws the chosen dice again",
        TAKE: "the active seat takes a tile or skips",
        CLAIM: "the active seat claims a bonus tile or ends its turn",
        OVER: "the game is over",
    },
    rules={
        **SHARED_RULES,
        "dice-count": "Chance throws exactly the dice that are awaited: all three, or those chosen for the reroll.",
        "face-not-shown": "Only dice that lie can be thrown again: each face as often as it is shown.",
        "dice-final": "Dice are thrown again at most once in a turn, and not after they were kept.",
        "tile-not-in-centre": "Only a tile that is still in the centre can be taken.",
        "not-a-sum": "A tile's number must be the sum of one, two or all three dice, wagers counting 0.",
        "not-higher": "A tile must be higher than every tile of its colour that the seat has.",
        "bonus-not-in-centre": "A bonus tile that a seat has taken cannot be claimed.",
        "condition-not-fulfilled": "A bonus tile can be claimed only by a seat that fulfils its condition now.",
    },
    scales={
        "footprints": Footprints().plain_data(),
        "multiplier": "1 + wager faces up",
        "bonus": BONUS_POINTS,
    },
    endings={
        LAST_TEN: "the last 10 was taken from the centre",
        LAST_BONUS: "the last bonus tile was taken, or with two seats the last of the six coloured ones",
        ALL_TURNS: "the game reached the turns it was limited to",
    },
    rulings=(
        Ruling("tiles", "text", "In each of five colours lie the numbers 1 to 10; 1, 6 and 10 have a wager face."),
        Ruling("footprints-shown", "known", "Every tile shows one or two footprints."),
        Ruling(
            "footprints",
            "ruling",
            "1 to 5 show one footprint, 6 to 10 two, wager faces like plain ones (footprints replaces the table).",
        ),
        Ruling("dice", "known", "Each of the three dice has the faces 1 to 5 and a wager."),
        Ruling("bonuses", "text", "Eleven bonus tiles have a condition each and count 10 points."),
        Ruling("one-reroll", "text", "After the roll one, two or three dice may be thrown again, once."),
        Ruling("sums", "text", "A tile's number is the sum of one, two or three dice; a wager counts 0."),
        Ruling("higher", "text", "A tile must be higher than all tiles of its colour that the seat has."),
        Ruling("skip", "text", "A seat may take no tile, even where it could."),
        Ruling(
            "wager-side", "text", "A 1, 6 or 10 lies wager side up exactly when any die shows a wager as it is taken."
        ),
        Ruling("claims", "text", "In its turn, also after skip, a seat may claim any bonus tiles it fulfils by now."),
        Ruling(
            "turn-ends-by-itself", "ruling", "Where nothing, or nothing more, can be claimed, the turn ends by itself."
        ),
        Ruling("one-owner", "text", "A bonus tile that one seat has is lost to the others."),
        Ruling("last-turn", "text", "The turn in which an end comes about is finished, claims included."),
        Ruling("end-tens", "text", "The game ends when the last 10 has left the centre."),
        Ruling("end-bonuses", "text", "With 3 or 4 seats the game ends when the last bonus tile is taken."),
        Ruling("end-two-seats", "text", "With 2 seats it ends when the last of six coloured bonus tiles is taken."),
        Ruling(
            "coloured-bonuses",
            "ruling",
            "The six coloured bonus tiles are the five for four of a colour and every-colour.",
        ),
        Ruling("max-turns", "ruling", "A game in which everybody skips is limited by max_turns, if created so."),
        Ruling("score", "text", "A colour counts its footprints x (1 + wager faces up)."),
        Ruling("draw", "ruling", "Equal totals share the win."),
    ),
)
