"""A linearizability checker for the requests of many clients to a game.

Wing and Gong's algorithm: there must be an order of the requests, compatible with their times, in which the rules give
exactly the recorded responses. A request without a response may have been carried out once or not at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Literal, NamedTuple

import msgspec
from lostcities.games.game import Game
from lostcities.games.moves import RequestedMove, apply_moves, resolve_moves
from lostcities.games.tokens import HOST
from lostcities.variants.core import CHANCE, FULL, IllegalMove


@dataclass(frozen=True, slots=True)
class Request:
    """A request and its response, with the times at which they were sent and received."""

    kind: Literal["move", "moves", "game"]
    """Make a move, list the legal moves, or read the game; all as the host."""
    sent: float
    answered: float = inf
    notation: str = ""
    seat: int | None = None
    answer: Any = None
    """The response in the form that `judge` returns. Meaningless without a response."""


class NotLinearizable(AssertionError):
    """No order of the requests explains the responses."""


def judge(table: Game, request: Request) -> tuple[Game, Any]:
    """The new game and the response by the rules."""
    if request.kind == "move":
        try:
            asked = resolve_moves(table.rules, [RequestedMove(seat=request.seat, notation=request.notation)])
            after, events = apply_moves(table, HOST, asked, past_chance=True)
        except IllegalMove as error:
            return table, error.rule
        return after, (after.version, tuple((event.actor, event.notation) for event in events))
    if request.kind == "moves":
        legal = table.rules.legal_moves
        seats = [seat for seat in table.to_act if seat != CHANCE]
        return table, (
            table.version,
            tuple((seat, each.notation) for seat in seats for each in legal(table.state, seat)),
        )
    return table, (
        table.version,
        msgspec.json.decode(msgspec.json.encode(table.rules.to_position(table.state, FULL))),
    )


class _Step(NamedTuple):
    table: Game
    done: int
    """A bit for each ordered request."""
    first: int
    """The index of the first request that is not ordered."""


def check(start: Game, requests: Sequence[Request]) -> Game:
    """The game after all requests, in an order that explains every response. Raises `NotLinearizable`."""
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
    """The requests that can be next: those sent before the first response of a remaining request."""
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
    """A description of the failed search: the responses by the rules and the recorded ones."""
    lines = [f"stuck at version {step.table.version} after {step.done.bit_count()} of {len(ordered)} requests:"]
    for index in _candidates(ordered, step)[:8]:
        _, answer = judge(step.table, ordered[index])
        lines += [f"  {ordered[index]}"[:300], f"    the rules say {answer}"[:300]]
    return "\n".join(lines)
