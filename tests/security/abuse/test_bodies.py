"""Bodies of every shape, for every call that takes one: each is answered, and none is an error of the service."""

import pytest

from tests.client import Client, GameClient, create_game
from tests.contract.conforms import CONTRACT
from tests.security.abuse.bodies import Call, Contract
from tests.security.abuse.sampling import sampled

contract = Contract(CONTRACT)


@pytest.fixture(scope="module")
def game(api: Client) -> GameClient:
    return create_game(api)


@pytest.mark.parametrize("call", contract.calls(), ids=lambda call: call.operation)
def test_no_body_is_an_error_of_the_service(api: Client, game: GameClient, call: Call) -> None:
    """With an `Idempotency-Key`, which makes the service encode the body again for its fingerprint."""
    path = call.path.replace("/games/{game_id}", game.path)
    token = game.host if "{" in call.path else None
    for number, body in enumerate(sampled([*contract.bodies(call)], 150)):
        answer = api.post(path, data=body.build(), token=token, key=f"{call.operation}-{number}-hostile-bodies")
        assert answer.status < 500, body.name
