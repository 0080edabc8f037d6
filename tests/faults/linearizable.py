"""Whether what many clients saw of a game can have happened one request after the other, by the rules.

Wing and Gong's search: among the requests that were under way at the same time some order must exist in which the pure
rules, asked one request after the other, give exactly the answers that were given. A request that was never answered
may have been carried out, once, or not at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Literal, NamedTuple

import msgspec

from service.rules.game import CHANCE, FULL, IllegalMove
from service.table.asking import Asked, act
from service.table.game import Table
from service.table.tokens import HOST

LIMIT = 10_000
"""The most events of a game, as in the service."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request and its answer, with the moments at which the one was sent and the other was there."""

    kind: Literal["move", "moves", "game"]
    """Make a move, list the legal moves, or look at the game; all as the host."""
    sent: float
    answered: float = inf
    notation: str = ""
    seat: int | None = None
    answer: Any = None
    """What `judge` gives; of no meaning if it was never answered."""


class NotLinearizable(AssertionError):
    """No order of the requests explains the answers."""


def judge(table: Table, request: Request) -> tuple[Table, Any]:
    """What the pure rules do and answer."""
    if request.kind == "move":
        try:
            asked = Asked(seat=request.seat, notation=request.notation)
            after, events = act(table, HOST, [asked], LIMIT, past_chance=True)
        except IllegalMove as error:
            return table, error.rule
        return after, (after.version, tuple((event.actor, event.notation) for event in events))
    if request.kind == "moves":
        legal = table.record.game.legal
        seats = [seat for seat in table.to_act if seat != CHANCE]
        return table, (
            table.version,
            tuple((seat, each.notation) for seat in seats for each in legal(table.state, seat)),
        )
    return table, (table.version, msgspec.json.decode(msgspec.json.encode(table.record.game.view(table.state, FULL))))


class _Step(NamedTuple):
    table: Table
    done: int
    """A bit for each request that has been put in order."""
    first: int
    """No request before this one is left."""


def check(start: Table, requests: Sequence[Request]) -> Table:
    """The game after all requests, in an order that explains every answer. Raises `NotLinearizable`."""
    ordered = sorted(requests, key=lambda request: request.sent)
    answered = sum(1 << index for index, request in enumerate(ordered) if request.answered < inf)
    seen: set[tuple[int, int, Any]] = set()
    stack = [_Step(start, 0, 0)]
    furthest = stack[0]
    while stack:
        step = stack.pop()
        if step.done & answered == answered:
            return step.table
        if step.done.bit_count() > furthest.done.bit_count():
            furthest = step
        for index in reversed(_candidates(ordered, step)):
            request = ordered[index]
            table, answer = judge(step.table, request)
            if request.answered < inf and answer != request.answer:
                continue
            done = step.done | 1 << index
            key = (done, table.version, table.state)
            if key not in seen:
                seen.add(key)
                first = step.first
                while done >> first & 1:
                    first += 1
                stack.append(_Step(table, done, first))
    raise NotLinearizable(_story(ordered, furthest))


def _candidates(ordered: Sequence[Request], step: _Step) -> list[int]:
    """The requests that can be next: those sent before any that is left was answered."""
    found = []
    bound = inf
    for index in range(step.first, len(ordered)):
        request = ordered[index]
        if request.sent > bound:
            break
        if not step.done >> index & 1:
            found.append(index)
            bound = min(bound, request.answered)
    return [index for index in found if ordered[index].sent <= bound]


def _story(ordered: Sequence[Request], step: _Step) -> str:
    """Where the search got stuck: what the rules would have answered, and what was."""
    lines = [f"stuck at version {step.table.version} after {step.done.bit_count()} of {len(ordered)} requests:"]
    for index in _candidates(ordered, step)[:8]:
        _, answer = judge(step.table, ordered[index])
        lines += [f"  {ordered[index]}"[:300], f"    the rules say {answer}"[:300]]
    return "\n".join(lines)
