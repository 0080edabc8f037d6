"""A vector holds what a seat may know, and nothing else."""

import random
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pytest
from lostcities.env.layout import Layout, explain, flags, read
from lostcities.env.playable import Playable
from lostcities.variants.core import CHANCE, FULL, Actor, Position, Sheet, total
from lostcities.variants.registry import VARIANTS

from tests.env.tables import every_table
from tests.games.recorded_games import some_options
from tests.playing import steps

GAMES = 2


def games(variant: str, seats: int) -> Iterator[tuple[Playable, list[Any]]]:
    """Random games with random options, with their states from the setup to the end."""
    for number in range(GAMES):
        rng = random.Random(100 * seats + number)
        playable = Playable(variant, seats, some_options(variant, rng))
        first = playable.rules.setup(seats, playable.options)
        yield playable, [first, *(step.after for step in steps(playable.rules, first, rng))]


def vector(playable: Playable, state: Any, seat: int) -> "array[float]":
    numbers = array("f")
    numbers.frombytes(playable.encoding.encode(state, seat))
    return numbers


@every_table
def test_states_that_a_seat_cannot_tell_apart_have_equal_vectors(variant: str, seats: int) -> None:
    """Pairs of a state and one in which all that the seat may not know is picked at random."""
    rng = random.Random(seats)
    positions, differing = VARIANTS[variant].positions, 0
    for playable, states in games(variant, seats):
        rules, options = playable.rules, playable.options
        for state in states:
            if not rules.to_act(state):
                continue
            seat = rng.randrange(seats)
            view = rules.to_position(state, seat)
            other = positions.from_position(seats, options, positions.fill_hidden(options, view, rng.randrange))
            differing += other != state
            assert playable.encoding.encode(other, seat) == playable.encoding.encode(state, seat)
    assert (differing > 30) == (variant == "duel")


Events = list[tuple[Actor, str]]


def with_other_card(events: Events, seat: int, card: str, other: str) -> Events:
    """The events of a duel's round in which another card came from the deck to the hand of a seat."""
    number = max(
        number
        for number, (actor, notation) in enumerate(events)
        if actor == CHANCE and card in notation.split()[1:]
        if notation.startswith(f"deal {seat} ") or events[number - 1] == (seat, "draw deck")
    )
    what, *cards = events[number][1].split()
    cards[cards.index(card)] = other
    notation = VARIANTS["duel"].rules.parse(" ".join((what, *cards))).notation
    return [*events[:number], (CHANCE, notation), *events[number + 1 :]]


def test_histories_that_a_seat_cannot_tell_apart_have_equal_vectors() -> None:
    """Pairs of duels in which another card was dealt or drawn unseen: equal at every event, masks included."""
    rules, compared = VARIANTS["duel"].rules, 0
    for number in range(8):
        rng = random.Random(number)
        playable = Playable("duel", 2, {"redraw_own_discard": number % 2 == 0})
        first = rules.setup(2, playable.options)
        played = [*steps(rules, first, rng)]
        last = rng.randrange(40, len(played) - 20)
        seat, state = rng.randrange(2), played[last - 1].after
        position = rules.to_position(state, FULL)
        own, known = Counter(position["hands"][1 - seat]), Counter(position["known"][1 - seat])
        unseen = [*read(playable.layout, vector(playable, state, seat))["unseen"]]
        card = rng.choice([card for card in own - known if not card.endswith("w")])
        other = rng.choice([each for each in unseen if each not in own])
        events: Events = [(step.actor, step.move.notation) for step in played[:last]]
        changed, after = with_other_card(events, 1 - seat, card, other), first
        for step, (actor, notation) in zip(played, changed, strict=False):
            after = rules.apply(after, actor, rules.parse(notation))
            assert playable.encoding.encode(after, seat) == playable.encoding.encode(step.after, seat)
            assert playable.legal_actions(after, seat) == playable.legal_actions(step.after, seat)
            compared += after != step.after
    assert compared > 100


# What a vector holds -----------------------------------------------------------------------------------------------

Numbers = dict[str, dict[str, int]]
Describe = Callable[[Position, Sequence[Sheet], dict[str, Any], int], Numbers]


def counted(names: Iterable[str]) -> dict[str, int]:
    return dict(Counter(names))


def chosen(**labels: Any) -> dict[str, int]:
    """The labels whose number is not 0."""
    return {label.replace("_", " "): int(number) for label, number in labels.items() if number}


def points_by_item(sheet: Sheet, items: Iterable[str]) -> dict[str, int]:
    return {line.item: line.points for line in sheet if line.points and line.item in {*items}}


def cards_of(rows: Mapping[str, Iterable[str]]) -> dict[str, int]:
    return counted(name for row in rows.values() for name in row)


def clockwise(players: int, seat: int) -> Iterator[tuple[str, int]]:
    """The name of each seat in a vector, and its number."""
    for distance in range(players):
        yield (f"other {distance}" if distance else "own"), (seat + distance) % players


def duel(position: Position, score: Sequence[Sheet], options: dict[str, Any], seat: int) -> Numbers:
    other = 1 - seat
    colours = VARIANTS["duel"].rules.INFO.components["colours"].values()
    seen = Counter(position["hands"][seat]) + Counter(position["known"][other])
    for row in [
        *position["discards"].values(),
        *position["expeditions"][0].values(),
        *position["expeditions"][1].values(),
    ]:
        seen += Counter(row)
    deck = {
        f"{letter}{rank}": 3 if rank == "w" else 1 for letter in position["discards"] for rank in ("w", *range(2, 11))
    }
    places = {}
    for letter, pile in position["discards"].items():
        wagers = 0
        for place, name in enumerate(reversed(pile), 1):
            wagers += name == f"{letter}w"
            places[f"{name}#{wagers}" if name == f"{letter}w" else name] = place
    rounds = [
        {f"round {n}": each[of] for n, each in enumerate(position["rounds"], 1) if each[of]} for of in (seat, other)
    ]
    return {
        "phase": {position["phase"]: 1},
        "turn": chosen(own=position["active"] == seat),
        "options": {
            name: 1
            for name, is_chosen in {
                "six-expeditions": options["expeditions"] == 6,
                "redraw-own-discard": options["redraw_own_discard"],
            }.items()
            if is_chosen
        },
        "turn limit": chosen(turns=options["max_turns"]),
        "rounds": chosen(all=options["rounds"], finished=len(position["rounds"])),
        "turns": chosen(turns=position["turns"]),
        "starter": chosen(own=position["starter"] == seat),
        "own hand": counted(position["hands"][seat]),
        "own known cards": counted(position["known"][seat]),
        "other known cards": counted(position["known"][other]),
        "own expeditions": cards_of(position["expeditions"][seat]),
        "other expeditions": cards_of(position["expeditions"][other]),
        "discards": places,
        "closed": {position["closed"]: 1} if position["closed"] else {},
        "unseen": {name: copies - seen[name] for name, copies in deck.items() if copies > seen[name]},
        "other hidden cards": chosen(cards=position["hands"][other].count("?")),
        "deck": chosen(cards=position["deck"]),
        "own points": points_by_item(score[seat], colours),
        "other points": points_by_item(score[other], colours),
        "own rounds": rounds[0],
        "other rounds": rounds[1],
        "totals": chosen(own=total(score[seat]), other=total(score[other])),
    }


def rivals(position: Position, score: Sequence[Sheet], options: dict[str, Any], seat: int) -> Numbers:
    del options
    components = VARIANTS["rivals"].rules.INFO.components
    auction = position["auction"] or {"bid": 0, "holder": None, "in": []}
    unseen = {
        f"{letter}{rank}": copies
        for letter in components["colours"]
        for rank, copies in components["copies_per_colour"].items()
    }
    starting = [name for dealt in position["starting_wagers"] for name in dealt]
    laid = [name for rows in position["expeditions"] for row in rows.values() for name in row]
    gone = Counter([*laid, *position["display"], *position["removed"], *position["unusable"]]) - Counter(starting)
    numbers: Numbers = {
        "phase": {position["phase"]: 1},
        "bid": chosen(gold=auction["bid"]),
        "removals": chosen(cards=position["removals"]),
        "supply": chosen(gold=position["supply"]),
        "display": counted(position["display"]),
        "unseen": {name: copies - gone[name] for name, copies in unseen.items() if copies > gone[name]},
        "piles": chosen(
            current=position["pile"], **{f"later_{n}": size for n, size in enumerate(position["piles"], 1)}
        ),
    }
    for name, each in clockwise(len(score), seat):
        numbers[f"{name} turn"] = chosen(
            active=position["active"] == each, holder=auction["holder"] == each, in_auction=each in auction["in"]
        )
        numbers[f"{name} gold"] = chosen(gold=position["gold"][each])
        numbers[f"{name} expeditions"] = cards_of(position["expeditions"][each])
        numbers[f"{name} points"] = points_by_item(score[each], components["colours"].values())
        numbers[f"{name} total"] = chosen(points=total(score[each]))
    return numbers


def roll_and_write(position: Position, score: Sequence[Sheet], options: dict[str, Any], seat: int) -> Numbers:
    sheet = options["sheet"]
    numbers: Numbers = {
        "phase": {position["phase"]: 1},
        "options": {"clockwise": 1} if options["order"] == "clockwise" else {},
        "arrows": {f"{letter}{box}": 1 for letter, boxes in sheet["arrows"].items() for box in boxes},
        "artefact boxes": {f"{letter}{box}": 1 for letter, boxes in sheet["artefacts"].items() for box in boxes},
        **{
            f"scale of {name}": {str(boxes): points for boxes, points in enumerate(scale) if points}
            for name, scale in sheet["scales"].items()
        },
        "colour dice": counted(position["centre"]["colours"]),
        "number dice": counted(map(str, position["centre"]["numbers"])),
    }
    for name, each in clockwise(len(score), seat):
        marks = position["seats"][each]
        columns = marks["expeditions"]
        numbers[f"{name} turn"] = chosen(active=position["active"] == each)
        numbers[f"{name} stage"] = {marks["turn"]: 1}
        numbers[f"{name} numbers"] = {
            f"{letter}{box}": number
            for letter, column in columns.items()
            for box, number in enumerate(column["numbers"], 1)
        }
        numbers[f"{name} circles"] = {letter: 1 for letter, column in columns.items() if column["circle"]}
        numbers[f"{name} ends"] = {letter: 1 for letter, column in columns.items() if column["end_artefact"]}
        numbers[f"{name} symbols"] = chosen(artefacts=marks["artefacts"], dice=marks["dice"])
        standings = marks["bridges"].items()
        numbers[f"{name} bridges"] = {column: 1 for column, how in standings if how in ("due", "bonus", "late")}
        numbers[f"{name} bonuses"] = {column: 1 for column, how in standings if how == "bonus"}
        numbers[f"{name} points"] = points_by_item(score[each], [line.item for line in score[each]])
        numbers[f"{name} total"] = chosen(points=total(score[each]))
    return numbers


def treasure_hunt(position: Position, score: Sequence[Sheet], options: dict[str, Any], seat: int) -> Numbers:
    colours = VARIANTS["treasure-hunt"].rules.INFO.components["colours"].values()
    footprints = options["footprints"]
    numbers: Numbers = {
        "phase": {position["phase"]: 1},
        "plain footprints": {str(number): seen for number, seen in enumerate(footprints["plain"], 1)},
        "wager footprints": footprints["wager"],
        "turn limit": chosen(turns=options["max_turns"]),
        "turns": chosen(turns=position["turns"]),
        "dice": counted(position["dice"]),
        "sums": {str(number): 1 for number in position["numbers"]},
        "centre": cards_of(position["centre"]["tiles"]),
        "unclaimed": counted(position["centre"]["bonuses"]),
    }
    for name, each in clockwise(len(score), seat):
        tiles = [tile for row in position["expeditions"][each].values() for tile in row]
        numbers[f"{name} turn"] = chosen(active=position["active"] == each)
        numbers[f"{name} tiles"] = counted(tile.removesuffix("w") for tile in tiles)
        numbers[f"{name} wagers"] = counted(tile.removesuffix("w") for tile in tiles if tile.endswith("w"))
        numbers[f"{name} bonuses"] = counted(position["bonuses"][each])
        numbers[f"{name} points"] = points_by_item(score[each], colours)
        numbers[f"{name} total"] = chosen(points=total(score[each]))
    return numbers


DESCRIPTIONS: dict[str, Describe] = {
    "duel": duel,
    "rivals": rivals,
    "roll-and-write": roll_and_write,
    "treasure-hunt": treasure_hunt,
}


@every_table
def test_a_vector_reads_as_the_position_of_its_seat(variant: str, seats: int) -> None:
    """Every number that is read back is in the position and the score that the service shows this seat."""
    rng = random.Random(seats)
    for playable, states in games(variant, seats):
        rules, options = playable.rules, playable.options.plain()
        for state in states:
            seat = rng.randrange(seats)
            numbers = vector(playable, state, seat)
            shown = DESCRIPTIONS[variant](rules.to_position(state, seat), rules.score(state), options, seat)
            assert read(playable.layout, numbers) == shown
            assert -1 <= min(numbers) <= max(numbers) <= 1


def test_a_finished_round_of_a_match_is_read_back() -> None:
    """Large points and many turns are read back exactly."""
    playable = Playable("duel", 2, {"rounds": 3, "max_turns": 1000})
    rules = playable.rules
    position = rules.to_position(rules.setup(2, playable.options), FULL)
    position |= {"rounds": [[780, -240], [-300, 12]], "round_expeditions": [[], []]}
    state = VARIANTS["duel"].positions.from_position(2, playable.options, position | {"starter": 1, "active": 1})
    numbers = read(playable.layout, vector(playable, state._replace(turns=999), 1))
    assert numbers["own rounds"] == {"round 1": -240, "round 2": 12}
    assert numbers["other rounds"] == {"round 1": 780, "round 2": -300}
    assert numbers["totals"] == {"own": -228, "other": 480}
    assert numbers["turns"] == {"turns": 999}
    assert numbers["turn limit"] == {"turns": 1000}


# Words -------------------------------------------------------------------------------------------------------------


def test_a_vector_is_explained_in_words() -> None:
    playable = Playable("duel", 2, {})
    state = playable.rules.setup(2, playable.options)
    for event in ("deal 0 Yw Yw Y2 B3 W4 W5 G6 R10", "deal 1 Yw Y3 B2 B4 W6 W7 G8 R9"):
        state = playable.rules.apply(state, "chance", playable.rules.parse(event))
    words = explain(playable.layout, vector(playable, state, 0)).splitlines()
    assert words[:5] == [
        "phase: play",
        "turn: own",
        "rounds: all 1",
        "starter: own",
        "own hand: Yw 2, Y2 1, B3 1, W4 1, W5 1, G6 1, R10 1",
    ]
    assert words[-1] == "deck: cards 44"


def test_a_vector_of_another_length_is_refused() -> None:
    layout: Layout = (flags("phase", "", ["play", "draw"]),)
    with pytest.raises(ValueError, match="a vector of this layout has 2 numbers, not 3"):
        read(layout, [0, 0, 0])
