"""The positions of a corpus: from games of bots of every level, and from games that are played in rare ways.

A position is taken if it shows something that few others show: a move, a refusal, a step of a score, a part of a
position. Everything follows from fixed seeds, so that the same rules and bots give the same corpus.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from lostcities.bots.core import RandomNumbers, SeatView, run
from lostcities.bots.levels import EXPERT, GREEDY, decide, levels_of
from lostcities.corpus.lines import Case, JsonObject, broken_rule, make_line
from lostcities.corpus.plan import Plan, sources
from lostcities.variants.core import CHANCE, FULL, Actor, AnyRules, Move
from lostcities.variants.registry import Variant

ENOUGH: Final = 2
"""Lines that show the same thing. A line is taken if it shows one that fewer lines show."""
GAMES: Final = 1
"""Games of each level or style, with each number of seats and each set of options."""
MAX_EVENTS: Final = 1500
"""Events after which a game without an end is left."""
EXPERT_EVENTS: Final = 60
"""Events after which a game of experts is left, because they take long."""
OUTSIDERS: Final = 10
"""In one of so many states a line is also made for an actor that is not to act."""
TRIED: Final = 2
"""Illegal moves of a line for each rule that they break."""
MADE: Final = 4
"""Legal moves of a line that are applied, at most."""
LOOKS: Final = 8
"""Of so many states that show nothing new, the moves of one are examined."""
SAMPLED_OUTCOMES: Final = 3
SMALL: Final = 12
"""Up to this number a line counts by its exact value, above it by the tens only."""


class Table(NamedTuple):
    """How one game is played."""

    players: int
    options: Mapping[str, Any]
    way: str
    """The level of the bots, or the number of a style."""
    style: Sequence[str]
    number: int


def sample(variant: Variant) -> Iterator[JsonObject]:
    """The lines of a variant."""
    plan = variant.corpus or Plan()
    chosen = Selection(variant.rules, plan)
    for table in tables(variant, plan):
        rng = _random_numbers(variant.rules.VARIANT, table)
        for state in play(variant, table, rng):
            yield from chosen.lines(state, table, rng)
    for players, options, state in rare_positions(variant, plan):
        table = Table(players, options, "position", (), 0)
        for actor in (*range(players), CHANCE):
            yield chosen.line(state, table, actor, _random_numbers(actor))


Item = TypeVar("Item")


def _random_numbers(*labels: object) -> RandomNumbers:
    """Random numbers that follow from the labels."""
    return RandomNumbers(int.from_bytes(hashlib.sha256(repr(labels).encode()).digest()))


def _choice(items: Sequence[Item], rng: RandomNumbers) -> Item:
    return items[rng.pick(len(items))]


def _shuffled(items: Sequence[Item], rng: RandomNumbers) -> list[Item]:
    left = [*items]
    return [left.pop(rng.pick(len(left))) for _ in items]


# Games -------------------------------------------------------------------------------------------------------------


def tables(variant: Variant, plan: Plan) -> Iterator[Table]:
    """The games that are played. Experts play one with each number of seats."""
    rules = variant.rules
    fewest, most = rules.INFO.seats
    for players in range(fewest, most + 1):
        for options in plan.options:
            for number in range(GAMES):
                for level in levels_of(rules.VARIANT):
                    if level != EXPERT:
                        yield Table(players, options, level, (), number)
                for index, style in enumerate(plan.styles):
                    yield Table(players, options, f"style {index}", style, number)
        yield Table(players, plan.options[0], EXPERT, (), 0)


def play(variant: Variant, table: Table, rng: RandomNumbers) -> Iterator[Any]:
    """The states of one game. In a game of experts one seat is an expert, and the others are greedy."""
    rules = variant.rules
    state = rules.setup(table.players, rules.parse_options(table.options))
    for _ in range(EXPERT_EVENTS if table.way == EXPERT else MAX_EVENTS):
        yield state
        actors = rules.to_act(state)
        if not actors:
            return
        actor = _choice(actors, rng)
        state = rules.apply(state, actor, _choose(variant, table, state, actor, rng))


def _choose(variant: Variant, table: Table, state: Any, actor: Actor, rng: RandomNumbers) -> Move:
    rules = variant.rules
    if actor == CHANCE:
        return rules.sample_chance(state, rng.pick)
    moves = rules.legal_moves(state, actor)
    if table.style:
        return _preferred(moves, table.style, rng)
    level = GREEDY if table.way == EXPERT and actor else table.way
    options = rules.parse_options(table.options)
    view = SeatView(variant, table.players, options, rules.to_position(state, actor), actor)
    return run(decide(level, view, moves, rng.pick))


def _preferred(moves: Sequence[Move], style: Sequence[str], rng: RandomNumbers) -> Move:
    """Usually one of the moves that the style prefers, now and then any."""
    if rng.pick(10):
        for beginning in style:
            preferred = [move for move in moves if move.notation.startswith(beginning)]
            if preferred:
                return _choice(preferred, rng)
    return _choice(moves, rng)


def rare_positions(variant: Variant, plan: Plan) -> Iterator[tuple[int, Mapping[str, Any], Any]]:
    """The rare positions of a plan: the number of seats, the options, and the state."""
    rules = variant.rules
    for players, chosen, members in plan.positions:
        options = rules.parse_options(chosen)
        position = {**rules.to_position(rules.setup(players, options), FULL), **members}
        yield players, chosen, variant.positions.from_position(players, options, position)


# Selection ---------------------------------------------------------------------------------------------------------


class Selection:
    """Takes the lines that show something new."""

    def __init__(self, rules: AnyRules, plan: Plan) -> None:
        self._rules = rules
        self._sources = sources(plan, rules.INFO)
        self._vocabulary = [*rules.VOCABULARY.values()]
        self._outcomes = {notation: rules.parse(notation) for notation in plan.outcomes}
        """Outcomes of chance by notation: those of the plan, and those that happened in games."""
        self._shown: Counter[object] = Counter()

    def lines(self, state: Any, table: Table, rng: RandomNumbers) -> Iterator[JsonObject]:
        """The lines that a state gives: for those who are to act, and now and then for others."""
        for actor in self._actors(state, table.players, rng):
            if rng.pick(LOOKS) and not self._is_new(_features_of_state(self._rules, state, table)):
                continue
            line = self.line(state, table, actor, rng)
            shown = {*_features_of_state(self._rules, state, table), *_features_of_line(self._rules, state, line)}
            if self._is_new(shown):
                self._shown.update(shown)
                yield line

    def _is_new(self, shown: Iterable[object]) -> bool:
        return any(self._shown[each] < ENOUGH for each in shown)

    def line(self, state: Any, table: Table, actor: Actor, rng: RandomNumbers) -> JsonObject:
        """A line with the moves that were shown least often."""
        illegal, legal = self._illegal(state, actor, rng), self._legal(state, actor, rng)
        case = Case(table.players, table.options, state, actor, illegal, legal)
        return make_line(self._rules, case, self._sources)

    def _actors(self, state: Any, players: int, rng: RandomNumbers) -> Iterator[Actor]:
        acting = self._rules.to_act(state)
        everybody: tuple[Actor, ...] = (*range(players), CHANCE)
        others = [actor for actor in everybody if actor not in acting]
        if not acting:
            yield from others
            return
        yield _choice(acting, rng)
        if others and rng.pick(OUTSIDERS) == 0:
            yield _choice(others, rng)

    def _illegal(self, state: Any, actor: Actor, rng: RandomNumbers) -> list[tuple[Move, str]]:
        """Illegal moves, some for each rule that they can break here."""
        by_rule: dict[str, list[Move]] = {}
        few = 3
        outcomes = [*self._outcomes.values()]
        if actor == CHANCE:
            moves = [*_shuffled(self._vocabulary, rng)[:few], *outcomes]
        else:
            moves = [*self._vocabulary, *_shuffled(outcomes, rng)[:few]]
        for move in moves:
            rule = broken_rule(self._rules, state, actor, move)
            if rule:
                by_rule.setdefault(rule, []).append(move)
        return [
            (move, rule)
            for rule, broken in sorted(by_rule.items())
            for move in self._rarest("illegal", broken, TRIED, rng)
        ]

    def _legal(self, state: Any, actor: Actor, rng: RandomNumbers) -> list[Move]:
        """Legal moves, one of each type first."""
        if actor == CHANCE:
            if CHANCE not in self._rules.to_act(state):
                return []
            sampled = {move.notation: move for move in self._sampled(state, rng)}
            self._outcomes.update(sampled)
            return [*sampled.values()]
        by_type: dict[str, list[Move]] = {}
        for move in self._rules.legal_moves(state, actor):
            by_type.setdefault(move.type, []).append(move)
        each = max(1, MADE // max(1, len(by_type)))
        return [move for moves in by_type.values() for move in self._rarest("apply", moves, each, rng)][:MADE]

    def _sampled(self, state: Any, rng: RandomNumbers) -> Iterator[Move]:
        for _ in range(SAMPLED_OUTCOMES):
            yield self._rules.sample_chance(state, rng.pick)

    def _rarest(self, kind: str, moves: Sequence[Move], count: int, rng: RandomNumbers) -> list[Move]:
        """The moves that were shown least often in this way, in a random order."""
        return sorted(_shuffled(moves, rng), key=lambda move: self._shown[kind, move.notation])[:count]


def _features_of_state(rules: AnyRules, state: Any, table: Table) -> Iterator[object]:
    """What a position shows, whichever seat the question is about."""
    result = rules.result(state)
    yield "table", table.players, str(table.options), rules.phase(state)
    yield "result", table.players, result and (result.reason, result.winners)
    for sheet in rules.score(state):
        for entry in sheet:
            steps = [(name, _size(value)) for name, value in entry.detail.items()]
            yield "line", entry.item, entry.points if not steps else ""
            yield from (("step", *step) for step in steps)
            yield "steps", *steps
    yield from _parts("", rules.to_position(state, FULL))


def _features_of_line(rules: AnyRules, state: Any, line: JsonObject) -> Iterator[object]:
    """What the moves of a line show."""
    phase = rules.phase(state)
    who = "chance" if line["actor"] == CHANCE else "acting" if line["actor"] in rules.to_act(state) else "other"
    yield "actor", phase, who
    for notation in line["legal"] or ():
        yield "legal", notation
    for each in line["illegal"]:
        yield "illegal", each["notation"]
        yield "rule", each["rule"], each["notation"].split(" ")[0], phase, who
    for each in line["apply"]:
        yield "apply", each["notation"]
        changed = [key for key, value in each["position"].items() if value != line["position"][key]]
        yield "change", each["notation"].split(" ")[0], phase, each["position"]["phase"], *changed


def _parts(path: str, data: Any) -> Iterator[object]:
    """The parts of a position with their sizes, lists without their indexes."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _parts(f"{path}/{key}", value)
    elif isinstance(data, list):
        yield path, "length", _size(data)
        for value in data:
            if isinstance(value, (dict, list)):
                yield from _parts(f"{path}/*", value)
    else:
        yield path, _size(data)


def _size(value: Any) -> Any:
    """The value, rounded so that positions which differ little count as the same."""
    if isinstance(value, (list, tuple)):
        value = len(value)
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) <= SMALL:
        return value
    return f"{value // 10}*"
