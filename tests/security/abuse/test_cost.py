"""No body costs much more than a normal one. Costs are counted in calls of Python functions, not in time."""

import sys
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from flask import Flask
from lostcities.api.fields import MAX_FAULTS, BoundedList
from marshmallow import ValidationError, fields

from tests.client import Client, GameClient, create_game
from tests.contract.conforms import CONTRACT
from tests.security.abuse.bodies import Call, Contract, Path, encode, replaced
from tests.security.abuse.sampling import sampled

contract = Contract(CONTRACT)
CALLS: Final = [call for call in contract.calls() if not call.operation.startswith("advise")]
"""Calls with bodies. Advice is left out: an expert thinks, with a rate limit and a bound of its own."""
every_call = pytest.mark.parametrize("call", CALLS, ids=lambda call: call.operation)

MAX_CALLS: Final = 40_000
"""Calls of Python functions for one request: far above the worst body known (27,500)."""
NOISE: Final = 300
"""Calls by which two equal requests may differ: caches, the garbage collector, a new connection to Redis."""


class Counting(fields.Field[Any]):
    """A field that counts the values that it checks, and refuses them all or none."""

    def __init__(self, *, refuses: bool) -> None:
        super().__init__()
        self.refuses = refuses
        self.checked = 0

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        del attr, data, kwargs
        self.checked += 1
        if self.refuses:
            raise ValidationError("refused")
        return value


def test_the_items_of_an_overlong_list_are_not_validated() -> None:
    item = Counting(refuses=False)
    items = BoundedList(item, 0, 500)
    assert len(items.deserialize([0] * 500)) == 500
    item.checked = 0
    with pytest.raises(ValidationError, match="must have 0 to 500 entries"):
        items.deserialize([0] * 501)
    assert item.checked == 0


def test_the_items_of_a_list_are_checked_until_enough_errors_are_found() -> None:
    item = Counting(refuses=True)
    with pytest.raises(ValidationError) as caught:
        BoundedList(item, 0, 500).deserialize([0] * 500)
    assert item.checked == len(caught.value.messages_dict) == MAX_FAULTS


@pytest.fixture(scope="module")
def game(api: Client) -> GameClient:
    return create_game(api)


def function_calls(work: Callable[[], object]) -> int:
    """Calls of Python functions that the work makes."""
    count = 0

    def profile(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        del frame, argument
        count += event == "call"

    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


class Sender:
    """Sends bodies of one call to the application in process."""

    def __init__(self, app: Flask, game: GameClient, call: Call) -> None:
        self._client = app.test_client(use_cookies=False)
        self._path = call.path.replace("/games/{game_id}", game.path)
        self._headers = {"Authorization": f"Bearer {game.host}"} if "{" in call.path else {}
        self.send(encode(call.normal))  # fills caches

    def send(self, data: bytes) -> int:
        """The status of the answer."""
        headers = {**self._headers, "Content-Type": "application/json"}
        return self._client.post(self._path, data=data, headers=headers, buffered=True).status_code

    def cost(self, data: bytes) -> int:
        """Calls of Python functions for one request."""
        return function_calls(lambda: self.send(data))


def lists(call: Call) -> Iterator[tuple[Path, int]]:
    """The place of every list in the call's body, and its greatest length."""
    for path, form in contract.locations(call.schema):
        if "items" in form:
            yield path, form["maxItems"]


@every_call
def test_an_overlong_list_costs_no_more_with_more_items(app: Flask, game: GameClient, call: Call) -> None:
    sender = Sender(app, game, call)
    for path, longest in dict(lists(call)).items():
        if longest >= 15_000:
            continue  # the events of a record: the limit of the body is reached first
        short, long = (replaced(call.normal, path, lambda n=n: [{}] * n) for n in (longest + 1, 15_000))  # type: ignore[misc]
        assert sender.send(long) == 422
        assert sender.cost(long) <= sender.cost(short) + NOISE, path


MOVE: Final = {"actor": 0, "notation": "x"}


@pytest.mark.parametrize(
    ("events", "status"),
    [
        ([MOVE] * 10_000, 200),
        ([MOVE] * 9_999 + [{"actor": 0}], 422),
        ([{"actor": 0}] + [MOVE] * 9_999, 422),
        ([{**MOVE, "actor": 0.0}] * 10_000, 200),
        ([{"actor": 0}] * 10_000, 422),
        ([{}] * 10_000, 422),
    ],
    ids=["valid", "last-wrong", "first-wrong", "with-point", "all-wrong", "all-empty"],
)
def test_the_events_of_a_record_cost_little(app: Flask, game: GameClient, events: Any, status: int) -> None:
    """Nothing else is served while they are validated."""
    call = next(call for call in CALLS if call.path == "/variants/duel/verify")
    sender = Sender(app, game, call)
    body = encode({**call.normal, "events": events})
    assert sender.send(body) == status
    assert sender.cost(body) <= MAX_CALLS + 6 * len(events)


@every_call
def test_no_body_costs_much(app: Flask, game: GameClient, call: Call) -> None:
    sender = Sender(app, game, call)
    for body in sampled([*contract.bodies(call)], 60):
        cost = sender.cost(body.build())
        assert cost <= MAX_CALLS, f"{body.name}: {cost} calls"
