"""treasure-hunt: Lost Cities: Auf Schatzsuche, the dice game for two to four.

A tile is a small integer, `colour * 10 + number - 1`. Sets of tiles and of bonus tiles are bit sets (`bitsets`). Dice
are tuples of faces in canonical order, which is ascending. Nothing is hidden from any seat.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement, product
from typing import Any, Final, NamedTuple, NoReturn

from lostcities.variants.bitsets import bitset, contains, elements
from lostcities.variants.core import (
    N_,
    OVER,
    Actor,
    InvalidOptions,
    Line,
    Move,
    MoveType,
    NotAMove,
    Option,
    Pick,
    Position,
    Result,
    Seat,
    Sheet,
    Text,
    VariantInfo,
    Viewer,
    already_in_turn,
    find_single_handler,
    illegal,
    phase_of,
    replace_at,
    replacer,
    result_by_points,
    seen_by_all,
    single_actor,
)
from lostcities.variants.treasure_hunt.texts import (
    BONUS_CONDITIONS,
    BONUS_LABELS,
    CHANCE_TEXT,
    DUE,
    ENDINGS,
    MOVE_LABELS,
    NO_SUCH_MOVE,
    OPTION_LABELS,
    PHASES,
    RULE_TEXTS,
    RULE_VALUES,
    RULINGS,
)

VARIANT: Final = "treasure-hunt"
RULES_VERSION: Final = 1
SEATS: Final = (2, 4)

# Components: tiles -----------------------------------------------------------------------------------------------

COLOURS: Final = "RBGYP"
"""The letters in canonical order."""
COLOUR_NAMES: Final = (N_("red"), N_("blue"), N_("green"), N_("yellow"), N_("purple"))
ALL_COLOURS: Final = range(len(COLOURS))
NUMBERS: Final = range(1, 11)
WAGER_NUMBERS: Final = (1, 6, 10)
"""The tiles with a wager on one face. The other face, and both faces of all other tiles, are plain."""

TILES: Final = tuple(f"{letter}{number}" for letter in COLOURS for number in NUMBERS)
"""The name of each tile."""

Tiles = int
"""A set of tiles."""


def colour_of(tile: int) -> int:
    """The colour of a tile."""
    return tile // len(NUMBERS)


def number_of(tile: int) -> int:
    """The number on a tile."""
    return tile % len(NUMBERS) + 1


def tile_set(colours: Iterable[int], numbers: Iterable[int]) -> Tiles:
    """The tiles with these colours and numbers.

    >>> [TILES[tile] for tile in elements(tile_set([0, 1], [3, 10]))]
    ['R3', 'R10', 'B3', 'B10']
    """
    numbers = [*numbers]
    return bitset(colour * len(NUMBERS) + number - 1 for colour in colours for number in numbers)


ALL_TILES: Final = tile_set(ALL_COLOURS, NUMBERS)
ALL_NUMBERS: Final = bitset(number - 1 for number in NUMBERS)
TENS: Final = tile_set(ALL_COLOURS, [10])
WAGER_TILES: Final = tile_set(ALL_COLOURS, WAGER_NUMBERS)
TILES_OF_COLOUR: Final = tuple(tile_set([colour], NUMBERS) for colour in ALL_COLOURS)

# Components: bonus tiles -----------------------------------------------------------------------------------------


class AtLeast(NamedTuple):
    """The requirement to have at least so many of these tiles."""

    minimum: int
    tiles: Tiles


class Bonus(NamedTuple):
    """A bonus tile."""

    name: str
    condition: str
    alternatives: tuple[tuple[AtLeast, ...], ...]
    """The condition is fulfilled if all requirements of one alternative are met."""


def any_of(*requirements: AtLeast) -> tuple[tuple[AtLeast, ...], ...]:
    """The condition that one of these requirements is met."""
    return tuple((requirement,) for requirement in requirements)


def all_of(*requirements: AtLeast) -> tuple[tuple[AtLeast, ...], ...]:
    """The condition that all of these requirements are met."""
    return (requirements,)


RUNS_OF_FOUR: Final = tuple(
    tile_set([colour], range(lowest, lowest + 4)) for colour in ALL_COLOURS for lowest in NUMBERS[:-3]
)

BONUSES: Final = (
    *(
        Bonus(f"four-{name}", BONUS_CONDITIONS[f"four-{name}"], any_of(AtLeast(4, TILES_OF_COLOUR[colour])))
        for colour, name in enumerate(COLOUR_NAMES)
    ),
    Bonus(
        "six-of-a-colour",
        BONUS_CONDITIONS["six-of-a-colour"],
        any_of(*(AtLeast(6, tiles) for tiles in TILES_OF_COLOUR)),
    ),
    Bonus(
        "run-of-four",
        BONUS_CONDITIONS["run-of-four"],
        any_of(*(AtLeast(4, run) for run in RUNS_OF_FOUR)),
    ),
    Bonus(
        "every-colour",
        BONUS_CONDITIONS["every-colour"],
        all_of(*(AtLeast(1, tiles) for tiles in TILES_OF_COLOUR)),
    ),
    *(
        Bonus(
            f"three-{number}s",
            BONUS_CONDITIONS[f"three-{number}s"],
            any_of(AtLeast(3, tile_set(ALL_COLOURS, [number]))),
        )
        for number in (3, 5, 7)
    ),
)
BONUS_NAMES: Final = tuple(bonus.name for bonus in BONUSES)
BONUS_POINTS: Final = 10

Bonuses = int
"""A set of bonus tiles."""

ALL_BONUSES: Final = bitset(range(len(BONUSES)))
COLOURED_BONUSES: Final = bitset(
    BONUS_NAMES.index(name) for name in (*(f"four-{name}" for name in COLOUR_NAMES), "every-colour")
)
"""The rulebook names six coloured bonus tiles without listing them: these are a ruling."""

# Components: dice ------------------------------------------------------------------------------------------------

FACES: Final = ("1", "2", "3", "4", "5", "w")
"""The name of each face of a die."""
WAGER_FACE: Final = FACES.index("w")
FACE_VALUES: Final = (1, 2, 3, 4, 5, 0)
"""What each face counts in a sum."""
DICE: Final = 3

Dice = tuple[int, ...]
"""The faces that some dice show, ascending."""

ROLLS_OF_THREE: Final[tuple[Dice, ...]] = tuple(combinations_with_replacement(range(len(FACES)), DICE))
"""Everything that the three dice can show."""
ALL_ROLLS: Final[tuple[Dice, ...]] = (
    *combinations_with_replacement(range(len(FACES)), 1),
    *combinations_with_replacement(range(len(FACES)), 2),
    *ROLLS_OF_THREE,
)
"""Everything that one, two or three dice can show."""
SORTED: Final[dict[Dice, Dice]] = {
    faces: tuple(sorted(faces)) for dice in range(1, DICE + 1) for faces in product(range(len(FACES)), repeat=dice)
}
"""The canonical order of the faces of one, two or three dice, by their faces in any order."""

# Options ---------------------------------------------------------------------------------------------------------

MAX_FOOTPRINTS: Final = 9
MAX_TURNS: Final = 1000
MOST_TURNS: Final = 1_000_000
"""A game without `max_turns` ends after so many turns: the API takes no position with more."""

Limit = int | None
"""A number of turns, or `None` for no limit."""


class Footprints(NamedTuple):
    """The number of footprints on each face of the tiles."""

    plain_faces: "tuple[int, ...]" = (1, 1, 1, 1, 1, 2, 2, 2, 2, 2)
    """On the plain faces, by number."""
    wager_faces: "tuple[int, ...]" = (1, 2, 2)
    """On the wager faces of the 1, the 6 and the 10."""

    def plain(self) -> dict[str, Any]:
        """As JSON data."""
        wager = dict(zip(map(str, WAGER_NUMBERS), self.wager_faces, strict=True))
        return {"plain": [*self.plain_faces], "wager": wager}


class Options(NamedTuple):
    """The options of a game."""

    footprints: "Footprints" = Footprints()
    max_turns: "Limit" = None

    def plain(self) -> dict[str, Any]:
        """As JSON data."""
        return {"footprints": self.footprints.plain(), "max_turns": self.max_turns}


def parse_options(chosen: Mapping[str, Any]) -> Options:
    """The chosen options, and the defaults of the others."""
    footprints = chosen.get("footprints")
    return Options(_parse_footprints(footprints) if footprints else Footprints(), chosen.get("max_turns"))


def _parse_footprints(chosen: Mapping[str, Any]) -> Footprints:
    """The chosen table. Without its `wager`, both faces of a tile have the same number of footprints."""
    plain = tuple(chosen["plain"])
    if len(plain) != len(NUMBERS):
        detail = Text(
            "footprints are given for the {numbers} numbers, not for {given}", numbers=len(NUMBERS), given=len(plain)
        )
        raise InvalidOptions("footprints", ["footprints", "plain"], detail)
    wager = chosen.get("wager", {str(number): plain[number - 1] for number in WAGER_NUMBERS})
    if wager.keys() != {*map(str, WAGER_NUMBERS)}:
        raise InvalidOptions("footprints", ["footprints", "wager"], Text("the 1, the 6 and the 10 have wager faces"))
    return Footprints(plain, tuple(wager[str(number)] for number in WAGER_NUMBERS))


# State -----------------------------------------------------------------------------------------------------------

ROLL: Final = "roll"
KEEP_OR_REROLL: Final = "keep-or-reroll"
REROLL: Final = "reroll"
TAKE: Final = "take"
CLAIM: Final = "claim"
CHANCE_PHASES: Final = frozenset((ROLL, REROLL))


class Layout(NamedTuple):
    """The tiles and bonus tiles in the centre and with the seats."""

    centre: int
    """The tiles in the centre."""
    tiles: "tuple[int, ...]"
    """The tiles of each seat."""
    wagers: "tuple[int, ...]"
    """The tiles of each seat that lie wager side up."""
    unclaimed: int
    """The bonus tiles in the centre."""
    bonuses: "tuple[int, ...]"
    """The bonus tiles of each seat."""


class State(NamedTuple):
    """The state of a game."""

    options: "Options"
    phase: str
    turns: int
    """The number of finished turns of all seats."""
    active: Seat
    """The seat whose turn it is."""
    dice: "Dice"
    """The dice on the table. In phase `REROLL` only those that are not thrown again."""
    layout: "Layout"


# Notation --------------------------------------------------------------------------------------------------------


def face_names(dice: Dice) -> list[str]:
    """The names of the faces."""
    return [FACES[face] for face in dice]


def _text(dice: Dice) -> str:
    return " ".join(face_names(dice))


KEEP: Final = Move("keep", "keep")
REROLLS: Final = {dice: Move(f"reroll {_text(dice)}", "reroll", dice, {"dice": face_names(dice)}) for dice in ALL_ROLLS}
TAKES: Final = tuple(Move(f"take {name}", "take", (tile,), {"tile": name}) for tile, name in enumerate(TILES))
SKIP: Final = Move("skip", "skip")
CLAIMS: Final = tuple(
    Move(f"claim {name}", "claim", (bonus,), {"bonus": name}) for bonus, name in enumerate(BONUS_NAMES)
)
END: Final = Move("end", "end")
ROLLS: Final = {dice: Move(f"roll {_text(dice)}", "roll", dice, by_chance=True) for dice in ALL_ROLLS}

VOCABULARY: Final[Mapping[str, Move]] = {
    move.notation: move for move in (KEEP, *REROLLS.values(), *TAKES, SKIP, *CLAIMS, END)
}
_OUTCOMES: Final = {move.notation: move for move in ROLLS.values()}


def parse(text: str) -> Move:
    """The move or outcome with that notation.

    >>> parse("reroll w 1").notation
    'reroll 1 w'
    """
    verb, *tokens = text.split(" ")
    # Only moves with dice have several tokens. The canonical order of faces is alphabetical.
    canonical = " ".join((verb, *sorted(tokens)))
    move = VOCABULARY.get(canonical) or _OUTCOMES.get(canonical)
    if move:
        return move
    raise NotAMove(
        text,
        Text("say 'keep', 'reroll 1 w', 'take R6', 'skip', 'claim four-red' or 'end'; chance says 'roll 1 5 w'"),
        NO_SUCH_MOVE.get(verb, ""),
    )


# Setup -----------------------------------------------------------------------------------------------------------


def setup(players: int, options: Options) -> State:
    """All tiles and bonus tiles are in the centre. Seat 0 begins."""
    nothing = (0,) * players
    layout = Layout(centre=ALL_TILES, tiles=nothing, wagers=nothing, unclaimed=ALL_BONUSES, bonuses=nothing)
    return State(options, phase=ROLL, turns=0, active=0, dice=(), layout=layout)


# A turn, step 1: the dice ----------------------------------------------------------------------------------------


def _roll(state: State, outcome: Move) -> State:
    """Chance throws all three dice, or the chosen ones a second time. There is no third throw."""
    dice = state.dice + outcome.args
    if len(dice) != DICE:
        illegal(
            "dice-count",
            "{awaited} dice are thrown, not {thrown}",
            awaited=DICE - len(state.dice),
            thrown=len(outcome.args),
        )
    phase = KEEP_OR_REROLL if state.phase == ROLL else TAKE
    return _with_dice(state, phase, SORTED[dice])


_with_dice: Final = replacer(State, "phase", "dice")


def _keep(state: State, move: Move) -> State:  # noqa: ARG001
    """The seat keeps the dice as they are."""
    return _with_dice(state, TAKE, state.dice)


def _reroll(state: State, move: Move) -> State:
    """The seat chooses one, two or three dice. Chance throws them again."""
    kept = _KEPT[state.dice].get(move.args)
    if kept is None:
        illegal(
            "face-not-shown",
            "the dice show {shown}, not all of {chosen}",
            shown=_text(state.dice),
            chosen=_text(move.args),
        )
    return _with_dice(state, REROLL, kept)


def _kept_dice(dice: Dice) -> dict[Dice, Dice]:
    """By the dice that can be thrown again, those that are then kept. Equal dice are one choice.

    >>> _kept_dice((0, 0, 5))
    {(0,): (0, 5), (5,): (0, 0), (0, 0): (5,), (0, 5): (0,), (0, 0, 5): ()}
    """
    choices = [chosen for size in range(1, DICE + 1) for chosen in combinations(range(DICE), size)]
    return {
        tuple(dice[die] for die in chosen): tuple(dice[die] for die in range(DICE) if die not in chosen)
        for chosen in choices
    }


_KEPT: Final = {dice: _kept_dice(dice) for dice in ROLLS_OF_THREE}
_DICE_MOVES: Final = {dice: (KEEP, *(REROLLS[chosen] for chosen in kept)) for dice, kept in _KEPT.items()}


def _no_third_throw(state: State, move: Move) -> NoReturn:  # noqa: ARG001
    illegal("dice-final", "the dice were kept or thrown again: there is no other throw in this turn")


# A turn, step 2: a tile ------------------------------------------------------------------------------------------


def _sums(dice: Dice) -> tuple[int, ...]:
    """The numbers of tiles that are the sum of one, two or three of the dice. A wager counts 0.

    >>> _sums((FACES.index("1"), FACES.index("5"), FACES.index("w")))
    (1, 5, 6)
    """
    choices = (chosen for size in range(1, DICE + 1) for chosen in combinations(dice, size))
    return tuple(sorted({sum(FACE_VALUES[face] for face in chosen) for chosen in choices} & {*NUMBERS}))


SUMS: Final = {dice: _sums(dice) for dice in ROLLS_OF_THREE}
TILES_WITH_SUM: Final = {dice: tile_set(ALL_COLOURS, numbers) for dice, numbers in SUMS.items()}


@lru_cache(maxsize=4096)
def higher_tiles(own: Tiles) -> Tiles:
    """The tiles that are higher than every tile of their colour that the seat has.

    >>> [TILES[tile] for tile in elements(higher_tiles(tile_set([0, 1], [2, 8])) & ~tile_set([2, 3, 4], NUMBERS))]
    ['R9', 'R10', 'B9', 'B10']
    """
    higher = 0
    for tiles in TILES_OF_COLOUR:
        # Within a colour tiles ascend with their bits; this is the bit above the highest tile of the seat.
        above_highest = (own & tiles).bit_length()
        higher |= (tiles >> above_highest) << above_highest
    return higher


def takeable_tiles(layout: Layout, seat: Seat, dice: Dice) -> Tiles:
    """The tiles that a seat may take from the centre."""
    return layout.centre & TILES_WITH_SUM[dice] & higher_tiles(layout.tiles[seat])


_TAKES_BY_COLOUR: Final = tuple(
    (
        colour * len(NUMBERS),
        tuple(
            tuple(TAKES[colour * len(NUMBERS) + bit] for bit in elements(numbers))
            for numbers in range(1 << len(NUMBERS))
        ),
    )
    for colour in ALL_COLOURS
)
"""For each colour its lowest tile, and the moves that take its tiles, by the set of their numbers."""


def _take(state: State, move: Move) -> State:
    """The seat takes a tile, wager side up if the tile has a wager and any die shows one."""
    seat, dice, layout = state.active, state.dice, state.layout
    (tile,) = move.args
    if not contains(takeable_tiles(layout, seat, dice), tile):
        _refuse_take(state, tile)
    taken, tiles, wagers = 1 << tile, layout.tiles, layout.wagers
    if taken & WAGER_TILES and WAGER_FACE in dice:
        wagers = replace_at(wagers, seat, wagers[seat] | taken)
    tiles = replace_at(tiles, seat, tiles[seat] | taken)
    return _start_claims(state, _after_take(layout, layout.centre & ~taken, tiles, wagers))


_after_take: Final = replacer(Layout, "centre", "tiles", "wagers")


def _refuse_take(state: State, tile: int) -> NoReturn:
    """Name the rule that forbids the seat to take the tile."""
    seat, dice, layout = state.active, state.dice, state.layout
    if not contains(layout.centre, tile):
        owner = next(seat for seat, taken in enumerate(layout.tiles) if contains(taken, tile))
        illegal("tile-not-in-centre", "{tile} is not in the centre: seat {owner} has it", tile=TILES[tile], owner=owner)
    if not contains(TILES_WITH_SUM[dice], tile):
        illegal(
            "not-a-sum",
            "{number} is not a sum of one or more of the dice {dice}",
            number=number_of(tile),
            dice=_text(dice),
        )
    highest = max(elements(layout.tiles[seat] & TILES_OF_COLOUR[colour_of(tile)]))
    illegal(
        "not-higher",
        "{tile} is not higher than {highest}, which seat {seat} has",
        tile=TILES[tile],
        highest=TILES[highest],
        seat=seat,
    )


def _skip(state: State, move: Move) -> State:  # noqa: ARG001
    """The seat takes no tile, which it may always choose."""
    return _start_claims(state, state.layout)


# A turn, step 3: bonus tiles -------------------------------------------------------------------------------------


def is_fulfilled(bonus: Bonus, own: Tiles) -> bool:
    """Whether a seat with these tiles fulfils the condition of a bonus tile."""
    for alternative in bonus.alternatives:
        for minimum, tiles in alternative:
            if (own & tiles).bit_count() < minimum:
                break
        else:
            return True
    return False


@lru_cache(maxsize=4096)
def fulfilled_bonuses(own: Tiles) -> Bonuses:
    """The bonus tiles whose condition a seat with these tiles fulfils."""
    fulfilled = 0
    for bonus in _ACROSS_COLOURS:
        if is_fulfilled(BONUSES[bonus], own):
            fulfilled |= 1 << bonus
    for tiles in TILES_OF_COLOUR:
        fulfilled |= _fulfilled_in_colour(own & tiles)
    return fulfilled


_ACROSS_COLOURS: Final = tuple(
    bonus for bonus in range(len(BONUSES)) if not any(is_fulfilled(BONUSES[bonus], tiles) for tiles in TILES_OF_COLOUR)
)
"""The bonus tiles whose condition all tiles of one colour do not fulfil."""


@cache
def _fulfilled_in_colour(own: Tiles) -> Bonuses:
    """The same for tiles of one colour. There are few such sets, so this is computed once for each."""
    return bitset(bonus for bonus in range(len(BONUSES)) if is_fulfilled(BONUSES[bonus], own))


def claimable_bonuses(layout: Layout, seat: Seat) -> Bonuses:
    """The bonus tiles in the centre whose condition the seat fulfils, no matter since when."""
    return layout.unclaimed & fulfilled_bonuses(layout.tiles[seat])


def _start_claims(state: State, layout: Layout) -> State:
    """The seat may claim bonus tiles. If it can claim nothing (more), its turn ends."""
    if claimable_bonuses(layout, state.active):
        return _await_claim(state, CLAIM, (), layout)
    return _end_turn(state, layout)


_await_claim: Final = replacer(State, "phase", "dice", "layout")


def _claim(state: State, move: Move) -> State:
    """The seat takes a bonus tile."""
    (bonus,) = move.args
    if not contains(claimable_bonuses(state.layout, state.active), bonus):
        _refuse_claim(state, bonus)
    seat, layout, claimed = state.active, state.layout, 1 << bonus
    bonuses = replace_at(layout.bonuses, seat, layout.bonuses[seat] | claimed)
    return _start_claims(state, layout._replace(unclaimed=layout.unclaimed & ~claimed, bonuses=bonuses))


def _refuse_claim(state: State, bonus: int) -> NoReturn:
    """Name the rule that forbids the seat to claim the bonus tile."""
    if not contains(state.layout.unclaimed, bonus):
        owner = next(seat for seat, claimed in enumerate(state.layout.bonuses) if contains(claimed, bonus))
        illegal(
            "bonus-not-in-centre",
            "'{bonus}' is not in the centre: seat {owner} has it",
            bonus=BONUS_NAMES[bonus],
            owner=owner,
        )
    illegal(
        "condition-not-fulfilled",
        "seat {seat} does not have {condition}",
        seat=state.active,
        bonus=BONUS_NAMES[bonus],
        condition=Text(BONUSES[bonus].condition),
    )


def _end(state: State, move: Move) -> State:  # noqa: ARG001
    """The seat claims no more, although it could."""
    return _end_turn(state, state.layout)


# The end of the game ---------------------------------------------------------------------------------------------

LAST_TEN: Final = "last-ten"
LAST_BONUS: Final = "last-bonus"
TURN_LIMIT: Final = "max-turns"


def _end_turn(state: State, layout: Layout) -> State:
    """The game ends only after a turn is finished, claims included. Otherwise the next seat rolls."""
    turns = state.turns + 1
    phase = OVER if find_ending(layout, turns, state.options) else ROLL
    return _next_turn(state, phase, turns, (state.active + 1) % len(layout.tiles), (), layout)


_next_turn: Final = replacer(State, "phase", "turns", "active", "dice", "layout")


def find_ending(layout: Layout, turns: int, options: Options) -> str | None:
    """What ends the game after that many turns; the first of several reasons."""
    if not layout.centre & TENS:
        return LAST_TEN
    if not layout.unclaimed & ending_bonuses(len(layout.tiles)):
        return LAST_BONUS
    return TURN_LIMIT if turns == turn_limit(options) else None


def turn_limit(options: Options) -> int:
    """The number of turns after which the game ends."""
    return MOST_TURNS if options.max_turns is None else options.max_turns


def ending_bonuses(players: int) -> Bonuses:
    """The bonus tiles that end the game when all of them are taken."""
    return COLOURED_BONUSES if players == 2 else ALL_BONUSES


# Score -----------------------------------------------------------------------------------------------------------


def score(state: State) -> tuple[Sheet, ...]:
    """A line for each colour, then one for each bonus tile."""
    footprints, layout = state.options.footprints, state.layout
    return tuple(
        (
            *(_score_expedition(footprints, colour, tiles, wagers) for colour in ALL_COLOURS),
            *(Line(name, BONUS_POINTS) for name in bonus_names(bonuses)),
        )
        for tiles, wagers, bonuses in zip(layout.tiles, layout.wagers, layout.bonuses, strict=True)
    )


def _score_expedition(footprints: Footprints, colour: int, tiles: Tiles, wagers: Tiles) -> Line:
    """The footprints of a colour, multiplied by 1 + its wager faces.

    >>> _score_expedition(Footprints(), 0, tile_set([0], [1, 6]), tile_set([0], [1, 6])).points
    9
    """
    seen = 0
    for tile in elements(tiles & TILES_OF_COLOUR[colour]):
        number = number_of(tile)
        if contains(wagers, tile):
            seen += footprints.wager_faces[WAGER_NUMBERS.index(number)]
        else:
            seen += footprints.plain_faces[number - 1]
    wager_faces = (wagers & TILES_OF_COLOUR[colour]).bit_count()
    multiplier = 1 + wager_faces
    steps = {"footprints": seen, "wagers": wager_faces, "multiplier": multiplier}
    return Line(COLOUR_NAMES[colour], seen * multiplier, steps)


def result(state: State) -> Result | None:
    """The highest total wins."""
    reason = find_ending(state.layout, state.turns, state.options) if state.phase == OVER else None
    return result_by_points(score(state), reason) if reason else None


# The interface ---------------------------------------------------------------------------------------------------


def to_act(state: State) -> tuple[Actor, ...]:
    """One seat or chance at a time."""
    return single_actor(state, CHANCE_PHASES)


phase: Final = phase_of
choose_in_turn: Final = already_in_turn


def legal_moves(state: State, seat: Seat) -> Sequence[Move]:
    """`keep`, then rerolls of one, two and three dice; or tiles, then `skip`; or bonus tiles, then `end`."""
    if seat != state.active:
        return ()
    phase, dice, layout = state.phase, state.dice, state.layout
    if phase == KEEP_OR_REROLL:
        return _DICE_MOVES[dice]
    if phase == TAKE:
        takeable = takeable_tiles(layout, seat, dice)
        takes: list[Move] = []
        for lowest_tile, takes_of_colour in _TAKES_BY_COLOUR:
            takes += takes_of_colour[(takeable >> lowest_tile) & ALL_NUMBERS]
        takes.append(SKIP)
        return takes
    if phase == CLAIM:
        return [*(CLAIMS[bonus] for bonus in elements(claimable_bonuses(layout, seat))), END]
    return ()


def sample_chance(state: State, pick: Pick) -> Move:
    """One pick of the six faces for each die that is thrown."""
    faces: Dice = ()
    for _ in range(DICE - len(state.dice)):
        faces += (pick(len(FACES)),)
    return ROLLS[SORTED[faces]]


HANDLERS: Final[Mapping[str, Mapping[str, Callable[[State, Move], State]]]] = {
    ROLL: {"roll": _roll},
    KEEP_OR_REROLL: {"keep": _keep, "reroll": _reroll},
    REROLL: {"roll": _roll},
    TAKE: {"take": _take, "skip": _skip, "reroll": _no_third_throw},
    CLAIM: {"claim": _claim, "end": _end},
    OVER: {},
}
"""The function that applies a move, by phase and by type of move."""


def apply(state: State, actor: Actor, move: Move) -> State:
    """The state after that move."""
    return find_single_handler(HANDLERS, state, actor, move, chance_phases=CHANCE_PHASES, due=DUE)(state, move)


# Positions -------------------------------------------------------------------------------------------------------


visible_to: Final = seen_by_all


def to_position(state: State, viewer: Viewer) -> Position:  # noqa: ARG001
    """The same for every viewer.

    A tile that lies wager side up is written `R6w`; in the centre, faces are not shown. `numbers` are the sums of the
    dice. `conditions` has for each seat the bonus tiles whose condition it fulfils, and for every other one how many
    tiles it still needs, or `None` if the centre no longer has them.
    """
    layout = state.layout
    return {
        "variant": VARIANT,
        "phase": state.phase,
        "active": state.active,
        "turns": state.turns,
        "dice": face_names(state.dice),
        "numbers": [*SUMS.get(state.dice, ())],
        "centre": {"tiles": _rows(layout.centre, 0), "bonuses": bonus_names(layout.unclaimed)},
        "expeditions": [_rows(*faces) for faces in zip(layout.tiles, layout.wagers, strict=True)],
        "bonuses": [bonus_names(bonuses) for bonuses in layout.bonuses],
        "conditions": [_conditions(layout.centre, own) for own in layout.tiles],
    }


def _rows(tiles: Tiles, wagers: Tiles) -> dict[str, list[str]]:
    """The names of the tiles by colour, ascending, with a `w` if they lie wager side up."""
    return {
        letter: [*_row(tiles & of_colour, wagers & of_colour)]
        for letter, of_colour in zip(COLOURS, TILES_OF_COLOUR, strict=True)
    }


@lru_cache(maxsize=4096)
def _row(tiles: Tiles, wagers: Tiles) -> tuple[str, ...]:
    return tuple(TILES[tile] + ("w" if contains(wagers, tile) else "") for tile in elements(tiles))


def bonus_names(bonuses: Bonuses) -> list[str]:
    """The names of the bonus tiles."""
    return [BONUS_NAMES[bonus] for bonus in elements(bonuses)]


def _conditions(centre: Tiles, own: Tiles) -> dict[str, Any]:
    # A seat can take all of these tiles, if it takes those of a colour in ascending order.
    missing = _missing_tiles(own, centre & higher_tiles(own))
    return {
        "fulfilled": [name for name, count in missing if count == 0],
        "missing": {name: count for name, count in missing if count != 0},
    }


@lru_cache(maxsize=4096)
def _missing_tiles(own: Tiles, available: Tiles) -> tuple[tuple[str, int | None], ...]:
    """Each bonus tile, and the fewest of the available tiles that fulfil its condition; `None` if they cannot."""
    missing = []
    for bonus in BONUSES:
        counts = [_missing_in_alternative(alternative, own, available) for alternative in bonus.alternatives]
        missing.append((bonus.name, min((count for count in counts if count is not None), default=None)))
    return tuple(missing)


def _missing_in_alternative(alternative: tuple[AtLeast, ...], own: Tiles, available: Tiles) -> int | None:
    total = 0
    for minimum, tiles in alternative:
        missing = max(0, minimum - (own & tiles).bit_count())
        if missing > (available & tiles).bit_count():
            return None
        total += missing
    return total


# The description -------------------------------------------------------------------------------------------------

INFO: Final = VariantInfo(
    title=N_("Lost Cities: Treasure Hunt"),
    seats=SEATS,
    components={
        "colours": dict(zip(COLOURS, COLOUR_NAMES, strict=True)),
        "numbers": [*NUMBERS],
        "tiles": len(TILES),
        "wager_numbers": [*WAGER_NUMBERS],
        "dice": DICE,
        "faces": [*FACES],
        "bonuses": {bonus.name: bonus.condition for bonus in BONUSES},
        "ending_bonuses": {
            str(players): bonus_names(ending_bonuses(players)) for players in range(SEATS[0], SEATS[1] + 1)
        },
    },
    options=(
        Option(
            "footprints",
            Footprints().plain(),
            Text(
                "The footprints, 0 to {most} each, on the ten plain faces and on the three wager faces. Without "
                "`wager` both faces of a tile have the same number.",
                most=MAX_FOOTPRINTS,
            ),
        ),
        Option(
            "max_turns",
            None,
            Text(
                "The number of turns of all seats together, 1 to {most}, after which the game ends. Null: {turns}.",
                most=MAX_TURNS,
                turns=MOST_TURNS,
            ),
        ),
    ),
    moves=(
        MoveType("keep", "keep", "seat", N_("leave the dice as they lie")),
        MoveType(
            "reroll", "reroll <face> x1..3", "seat", N_("throw the dice that show these faces again; chance answers")
        ),
        MoveType("take", "take <tile>", "seat", N_("take a tile from the centre whose number is a sum of the dice")),
        MoveType("skip", "skip", "seat", N_("take no tile")),
        MoveType("claim", "claim <bonus>", "seat", N_("take a bonus tile whose condition the seat fulfils")),
        MoveType("end", "end", "seat", N_("end the turn although a bonus tile could be claimed")),
        MoveType("roll", "roll <face> x1..3", "chance", N_("what the thrown dice show")),
    ),
    chance=CHANCE_TEXT,
    phases=PHASES,
    rules=RULE_TEXTS,
    values=RULE_VALUES,
    labels={
        "colours": dict(zip(COLOURS, COLOUR_NAMES, strict=True)),
        "bonuses": BONUS_LABELS,
        "score_items": {**dict(zip(COLOUR_NAMES, COLOUR_NAMES, strict=True)), **BONUS_LABELS},
        "moves": MOVE_LABELS,
        "options": OPTION_LABELS,
    },
    scales={
        "footprints": Footprints().plain(),
        "multiplier": N_("1 + wager faces up"),
        "bonus": BONUS_POINTS,
    },
    endings=ENDINGS,
    rulings=RULINGS,
)
