"""Records of random games of every kind: they round-trip, and a change of one field is found at the right event.

`make records` runs the long form: 10,000 games and 1,000 changes.
"""

import copy
import importlib.util
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema_rs
import pytest
from lostcities.api.game_contract import pascal_case
from lostcities.games import records
from lostcities.games.chance import commitment
from lostcities.games.service import PAUSE_EVENTS, GameService
from lostcities.games.thinking import Bounds, Thinkers
from lostcities.variants.core import CHANCE, IllegalMove, Invalid, NotAMove, Text
from lostcities.variants.registry import VARIANTS

from tests.client import Client
from tests.conformance.tables import TABLES
from tests.contract.conforms import CONTRACT
from tests.games.recorded_games import Recorded, long_duel, recorded_game
from tests.server.serving import ROOT

IS_LONG = os.environ.get("RECORDS") == "full"
GAMES = 10_000 if IS_LONG else 100
CHANGES = 1_000 if IS_LONG else 150
PARTS = 10
"""Tests among which the games are divided, for several processes."""


def _second_implementation() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verify_chance", ROOT / "openapi" / "verify_chance.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


verify_chance = _second_implementation()


def document_of(recorded: Recorded) -> Any:
    """The record as it arrives: decoded JSON."""
    return json.loads(json.dumps(records.plain(recorded.record)))


def imported(api: Client, document: Any) -> tuple[str, str]:
    """Create a game from a record; its path and the host's token."""
    answer = api.post("/games", {"record": document})
    assert answer.status == 201, answer.content
    return f"/games/{answer.body['id']}", answer.body["tokens"]["host"]


def exported(api: Client, path: str, host: str) -> bytes:
    answer = api.get(f"{path}/record", token=host)
    assert answer.status == 200, answer.content
    return answer.content


# Round trips -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", range(PARTS))
def test_a_record_round_trips(api: Client, part: int) -> None:
    """Record → game → record, byte for byte; verification agrees with the game and with the second implementation."""
    for number in range(part, GAMES, PARTS):
        recorded = recorded_game(number)
        document = document_of(recorded)
        first = imported(api, document)
        text = exported(api, *first)
        assert json.loads(text) == document, number
        second = imported(api, json.loads(text))
        assert exported(api, *second) == text, number
        check_verification(api, recorded, document)
        if not recorded.game.is_over and document["seed"]:
            check_import_without_seed(api, document)
        for path, host in (first, second):
            assert api.delete(path, token=host).status == 204


def check_verification(api: Client, recorded: Recorded, document: Any) -> None:
    answer = api.post(f"/variants/{document['variant']}/verify", document).body
    result = recorded.game.result
    assert answer["valid"]
    assert answer["version"] == len(recorded.events)
    assert answer["outcome"] == (None if result is None else json.loads(json.dumps(result._asdict())))
    totals = [seat["total"] for seat in answer["score"]["seats"]]
    assert result is None or totals == [*result.totals]
    early = document["events"][: document.get("seed_from", 0)]
    is_verified = document["seed"] is not None and not any(event["actor"] == CHANCE for event in early)
    assert answer["chance"] == ("verified" if is_verified else "unverified")
    if document["seed"] is not None:
        assert [*verify_chance.wrong_outcomes(document)] == []


def check_import_without_seed(api: Client, document: Any) -> None:
    """The seed of an unfinished game is not exported; the imported game has another one, since its version."""
    path, host = imported(api, {**document, "seed": None})
    again = json.loads(exported(api, path, host))
    version = len(document["events"])
    assert again["commitment"] != document["commitment"]
    expected = {**document, "seed": None, "commitment": again["commitment"], "seed_from": version}
    if not version:
        del expected["seed_from"]
    assert again == expected
    assert api.get(f"{path}/fairness").body["seed_from"] == version
    assert api.delete(path, token=host).status == 204


def test_the_random_games_are_of_every_kind() -> None:
    """The round trips cover what they claim to."""
    games = [recorded_game(number) for number in range(100)]
    assert {(each.record.variant, len(each.record.players)) for each in games} == {*TABLES}
    found = [each.record for each in games]
    for kind in (
        lambda record: record.chance == "client",
        lambda record: record.position is not None,
        lambda record: record.seed_from > 0,
        lambda record: record.outcome is None,
        lambda record: record.outcome is not None,
        lambda record: record.has_table_events,
        lambda record: record.turn_seconds is not None,
    ):
        assert 5 <= sum(map(kind, found)) <= 95
    notations = {event.notation.split()[0] for record in found for event in record.events}
    assert notations >= {*TABLE_WORDS}
    for variant in VARIANTS:
        rules = VARIANTS[variant].rules
        chosen = {json.dumps(record.options) for record in found if record.variant == variant}
        assert len(chosen) > 1 or not rules.INFO.options


# One changed field -------------------------------------------------------------------------------------------------

Change = Callable[[Any, random.Random], None]


def _change_actor(document: Any, rng: random.Random) -> None:
    event = rng.choice(document["events"])
    actors = [*range(len(document["players"]) + 1), CHANCE]
    event["actor"] = rng.choice([actor for actor in actors if actor != event["actor"]])


def _change_notation(document: Any, rng: random.Random) -> None:
    """Another move of the variant, another event's notation, or text that is no move."""
    event = rng.choice(document["events"])
    same_kind = [
        each["notation"] for each in document["events"] if (each["actor"] == CHANCE) == (event["actor"] == CHANCE)
    ]
    vocabulary = [*VARIANTS[document["variant"]].rules.VOCABULARY]
    event["notation"] = rng.choice([rng.choice(same_kind), rng.choice(same_kind), rng.choice(vocabulary), "wait"])


def _change_hex(name: str) -> Change:
    def change(document: Any, rng: random.Random) -> None:
        known = document[name] or "0" * 64
        at = rng.randrange(64)
        document[name] = known[:at] + rng.choice("0123456789abcdef") + known[at + 1 :]

    return change


def _change_outcome(document: Any, rng: random.Random) -> None:
    outcome = document["outcome"]
    if outcome is None or rng.random() < 0.2:
        totals = [0] * len(document["players"])
        document["outcome"] = None if outcome else {"winners": [0], "totals": totals, "reason": "last-card"}
        return
    name = rng.choice([*outcome])
    if name == "reason":
        outcome["reason"] = rng.choice([*VARIANTS[document["variant"]].rules.INFO.endings, "nobody"])
    else:
        outcome[name][rng.randrange(len(outcome[name]))] += rng.choice([-1, 1]) if name == "totals" else 1


def _change_option(document: Any, rng: random.Random) -> None:
    name = rng.choice([*document["options"]])
    value = document["options"][name]
    if isinstance(value, bool):
        document["options"][name] = not value
    elif isinstance(value, int):
        document["options"][name] = value + 1
    else:
        del document["options"][name]  # the default


def _change_table_event(document: Any, rng: random.Random) -> None:
    """The actor or the notation of a table event."""
    found = [event for event in document["events"] if event["notation"].split()[0] in TABLE_WORDS]
    if not found:
        _change_deadline(document, rng)
        return
    event = rng.choice(found)
    if rng.random() < 0.4:
        event["actor"] = rng.choice([*range(len(document["players"]) + 1), CHANCE])
    else:
        event["notation"] = rng.choice([*TABLE_WORDS, "bot greedy", "bot random", "bot x", "person Zoe", "person  "])


TABLE_WORDS = ("resign", "undo", "timeout", "clockwise", "bot", "person")


def _change_deadline(document: Any, rng: random.Random) -> None:
    name = rng.choice(["turn_seconds", "on_timeout"])
    values: list[Any] = [4, 5, 86_400, None] if name == "turn_seconds" else ["bot", "resign", "draw", None]
    document[name] = rng.choice(values)
    if document[name] is None:
        del document[name]


def _with(**members: Any) -> Change:
    return lambda document, _: document.update(members)


def _rename(document: Any, rng: random.Random) -> None:
    document["players"][0] = "Zoe"


def _change_seed_from(document: Any, rng: random.Random) -> None:
    document["seed_from"] = rng.randrange(len(document["events"]) + 3)


def _change_position(document: Any, rng: random.Random) -> None:
    position = document.get("position")
    if position is None:
        document["position"] = None
        return
    numbers = [name for name, value in position.items() if isinstance(value, int)]
    position[rng.choice(numbers)] += 1


CHANGED: list[Change] = [
    *[_change_actor] * 6,
    *[_change_notation] * 10,
    *[_change_table_event] * 6,
    *(_change_deadline, _with(format=records.FORMAT), _with(format=records.TABLE_FORMAT)),
    *(_change_hex("seed"), _change_hex("commitment"), _change_outcome, _change_outcome, _change_option),
    *(_with(rules_version=2), _with(chance="client"), _with(chance="server"), _with(variant="duel")),
    *(_with(format="lostcities-record/0"), _with(events=None), _rename, _change_seed_from, _change_position),
]


def first_wrong_version(document: Any) -> int | None:
    """An independent judgement, by the rules and the second implementation of chance. `None`: it is a legal game."""
    rules = VARIANTS[document["variant"]].rules
    seed, seats, events = document["seed"], len(document["players"]), document["events"]
    if not _is_header_right(document):
        return 0
    try:
        options = rules.parse_options(document["options"])
        position = document.get("position")
        from_position = VARIANTS[document["variant"]].positions.from_position
        state = rules.setup(seats, options) if position is None else from_position(seats, options, position)
    except Invalid:
        return 0
    judge = _Judge(document, rules, state)
    illegal = None
    for version, event in enumerate(events, 1):
        try:
            judge.see(event["actor"], event["notation"])
        except (IllegalMove, NotAMove):
            illegal = version
            break
    legal = {**document, "events": events[: illegal - 1] if illegal else events}
    unfair = next(iter(verify_chance.wrong_outcomes(legal)), None) if seed else None
    if unfair or illegal:
        return unfair or illegal
    return None if document["outcome"] == judge.outcome() else len(events)


class _Judge:
    """A second implementation of table events: who plays, who can win, which moves can be taken back."""

    def __init__(self, document: Any, rules: Any, state: Any) -> None:
        self.document, self.rules, self.state = document, rules, state
        self.is_bot = [isinstance(player, dict) for player in document["players"]]
        self.resigned: set[int] = set()
        self.reason: str | None = None
        self.is_in_turn = False
        self.run: list[Any] = []
        """The states before the last moves, which nothing but `undo` has followed."""
        self.run_of: Any = None
        """The seat of those moves."""
        self.undone = 0

    def see(self, actor: Any, notation: str) -> None:
        """An event. Raises `IllegalMove`, `NotAMove`."""
        self._need(self.reason is None and self.rules.to_act(self.state))
        self._need(actor == CHANCE or actor < len(self.is_bot))
        verb, _, operand = notation.partition(" ")
        kinds = {"resign": self._resign, "undo": self._undo, "timeout": self._time_out, "clockwise": self._clockwise}
        has_kinds = self.document["format"].endswith("/2") and actor != CHANCE
        if has_kinds and notation in kinds:
            kinds[notation](actor)
        elif has_kinds and verb == "person" and operand.strip():
            self._need(actor not in self.resigned)
            self.is_bot[actor] = False
        elif has_kinds and verb == "bot" and operand in ("random", "greedy", "expert"):
            self._need(actor not in self.resigned)
            self.is_bot[actor] = True
            self._need(not all(self.is_bot))
            self._need_seed()
        else:
            move, before = self.rules.parse(notation), self.state
            self.state = self.rules.apply(self.state, actor, move)
            if actor == CHANCE or actor != self.run_of:
                self.run, self.undone = [], 0
            self.run_of = actor
            if actor != CHANCE:
                self.run.append(before)
        if notation != "undo" and has_kinds and (notation in kinds or verb in ("person", "bot")):
            self.run, self.undone, self.run_of = [], 0, None
        if self.is_in_turn:
            self.state = self.rules.choose_in_turn(self.state) or self.state

    def outcome(self) -> Any:
        """The result, as a record has it."""
        result = self.rules.result(self.state)
        if result is None and self.reason is None:
            return None
        totals = [sum(line.points for line in sheet) for sheet in self.rules.score(self.state)]
        playing = {seat: totals[seat] for seat in range(len(totals)) if seat not in self.resigned}
        winners = [seat for seat in playing if playing[seat] == max(playing.values())]
        if result and not self.resigned and self.reason is None:
            winners = [*result.winners]
        return {"winners": winners, "totals": totals, "reason": self.reason or result.reason}

    def _resign(self, seat: int) -> None:
        self._need(not self.is_bot[seat])
        self.resigned.add(seat)
        if len(self.is_bot) - len(self.resigned) == 1:
            self.reason = "resigned"
        else:
            self._leave(seat)

    def _time_out(self, seat: int) -> None:
        self._need(not self.is_bot[seat])
        self._need(seat in self.rules.to_act(self.state))
        on_timeout = self.document.get("on_timeout")
        self._need(on_timeout)
        if on_timeout == "resign":
            self._resign(seat)
        else:
            self._leave(seat)

    def _leave(self, seat: int) -> None:
        self.is_bot[seat] = True
        if all(self.is_bot):
            self.reason = "abandoned"
        else:
            self._need_seed()

    def _undo(self, seat: int) -> None:
        self._need(not self.is_bot[seat])
        self._need(self.run and self.run_of == seat and self.undone < 8)
        self.state = self.run.pop()
        self.undone += 1

    def _clockwise(self, seat: int) -> None:
        self._need(not self.is_bot[seat] and not self.is_in_turn)
        self._need(self.rules.choose_in_turn(self.state))
        self.is_in_turn = True

    def _need_seed(self) -> None:
        self._need(self.document["chance"] == "server")

    @staticmethod
    def _need(condition: Any) -> None:
        if not condition:
            raise IllegalMove("table", Text("not at this table"))


def _is_header_right(document: Any) -> bool:
    seed, known, since = document["seed"], document["commitment"], document.get("seed_from", 0)
    seconds, on_timeout = document.get("turn_seconds"), document.get("on_timeout")
    if (seconds is None) != (on_timeout is None) or (seconds and document["format"].endswith("/1")):
        return False
    if on_timeout and document["chance"] == "client" and (on_timeout == "bot" or len(document["players"]) > 2):
        return False
    if document["chance"] == "client":
        return bool(seed is None and known is None and since == 0 and document["rules_version"] == 1)
    if seed is not None and known != commitment(bytes.fromhex(seed)):
        return False
    return bool(since <= len(document["events"]) and document["rules_version"] == 1)


def changed_records(count: int) -> Iterator[tuple[Any, Any]]:
    """Records, each with one field changed: before and after. The change differs from what was there."""
    rng, number = random.Random(99), 0
    while count:
        before = document_of(recorded_game(number := number + 1))
        if not before["events"]:
            continue
        after = copy.deepcopy(before)
        rng.choice(CHANGED)(after, rng)
        if after != before:
            count -= 1
            yield before, after


def test_one_changed_field_is_found_at_the_right_event(api: Client) -> None:
    seen = {"refused": 0, "wrong": 0, "legal": 0}
    for before, after in changed_records(CHANGES):
        answer = api.post(f"/variants/{before['variant']}/verify", after)
        assert (answer.status == 200) == is_well_formed(before["variant"], after)
        if answer.status != 200:
            assert (answer.status, answer.code) == (422, "invalid-request")
            seen["refused"] += 1
            continue
        wrong = first_wrong_version(after)
        assert answer.body["valid"] == (wrong is None), after
        if wrong is None:
            seen["legal"] += 1
        else:
            seen["wrong"] += 1
            assert answer.body["version"] == wrong, (answer.body, after)
            assert answer.body["version"] >= first_difference(before, after)
    print(seen)
    assert seen["wrong"] > CHANGES / 2
    assert min(seen.values()) > 0


def is_well_formed(variant: str, document: Any) -> bool:
    """Whether the document is a record of the variant by the committed contract."""
    return _validator(variant).is_valid(document)


@cache
def _validator(variant: str) -> jsonschema_rs.Draft202012Validator:
    record = f"#/components/schemas/{pascal_case(variant)}Record"
    return jsonschema_rs.Draft202012Validator({"$ref": record, "components": CONTRACT["components"]})


def first_difference(before: Any, after: Any) -> int:
    """The version of the changed event; 0 if another part was changed."""
    pairs = zip(before["events"], after["events"], strict=True)
    return next((version for version, (was, now) in enumerate(pairs, 1) if was != now), 0)


# The second implementation -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_the_second_implementation_finds_a_changed_seed(variant: str, seats: int) -> None:
    number = next(
        number
        for number in range(1000)
        if TABLES[number % len(TABLES)] == (variant, seats)
        and (record := recorded_game(number).record).seed
        and not record.seed_from
        and record.outcome
    )
    document = document_of(recorded_game(number))
    assert [*verify_chance.wrong_outcomes(document)] == []
    other = {**document, "seed": "00" * 32}
    chance = [version for version, event in enumerate(document["events"], 1) if event["actor"] == CHANCE]
    wrong = [*verify_chance.wrong_outcomes(other)]
    assert {*wrong} <= {*chance}
    assert len(wrong) > len(chance) / 3


def test_the_second_implementation_says_what_it_verified(tmp_path: Path) -> None:
    documents = [document_of(recorded_game(number)) for number in range(100)]
    whole = next(document for document in documents if document["seed"] and not document.get("seed_from"))
    partly = next(document for document in documents if document["seed"] and document.get("seed_from"))
    assert _run_second_implementation(whole, tmp_path) == (0, "every outcome follows from the seed\n")
    sentence = f"every outcome after version {partly['seed_from']} follows from the seed\n"
    assert _run_second_implementation(partly, tmp_path) == (0, sentence)
    assert _run_second_implementation({**whole, "seed": None}, tmp_path) == (1, "the record has no seed\n")
    wrong = {**whole, "seed": "00" * 32}
    assert _run_second_implementation(wrong, tmp_path) == (1, "the commitment is not the SHA-256 of the seed\n")


def _run_second_implementation(document: Any, folder: Path) -> tuple[int, str]:
    """The exit status and the output of the program."""
    path = folder / "record.json"
    path.write_text(json.dumps(document))
    program = [sys.executable, "-I", str(ROOT / "openapi" / "verify_chance.py"), str(path)]
    ended = subprocess.run(program, check=False, capture_output=True, text=True, timeout=60)
    return ended.returncode, ended.stdout + ended.stderr


# Pauses ------------------------------------------------------------------------------------------------------------


def test_a_long_replay_pauses(app: Any) -> None:
    pauses = 0

    def pause() -> None:
        nonlocal pauses
        pauses += 1

    games = GameService(
        app.extensions["games"].store,
        lifetime=1,
        finished_lifetime=1,
        max_events=5000,
        thinkers=Thinkers(Bounds(1, 1)),
        pause=pause,
    )
    record = long_duel(2000)
    assert games.verify(record).game.version == len(record.events)
    assert pauses == len(record.events) // PAUSE_EVENTS
