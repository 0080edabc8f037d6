"""SIGTERM under load: every request that a worker has accepted is answered, and no other one has an effect."""

from math import inf
from pathlib import Path

import pytest

from tests.faults.load import Load, transport
from tests.faults.processes import Service, scaled


@pytest.mark.parametrize("keep_alive", [False, True])
def test_every_request_in_flight_is_answered(tmp_path: Path, keep_alive: bool) -> None:
    service = Service(tmp_path)
    try:
        for attempt in range(scaled(1, 10)):
            service.start()
            load = Load(
                lambda: transport(service.port, keep_alive=keep_alive),
                games=4,
                clients=16,
                seed=attempt,
                keyed=0.5,
                patience=0,
            )
            load.begin()
            load.reach(scaled(60, 100))
            assert service.terminate() == 0
            load.end()
            # A connection that no worker has accepted is refused, or reset if it waited in the queue of the listening
            # socket when that was closed. An idle connection may be closed while a request is on its way. A request
            # without an answer must have had no effect: the history that `verify` checks does not contain it.
            reasons = [reason.split("(")[0] for reason in load.lost]
            assert {*reasons} <= NOT_ACCEPTED | (IDLE if keep_alive else set())
            for game in load.games:
                game.requests = [request for request in game.requests if request.answered < inf]
            service.start()
            load.verify()
            assert service.terminate() == 0
    finally:
        service.end()


NOT_ACCEPTED = {"ConnectionRefusedError", "ConnectionResetError"}
IDLE = {"RemoteDisconnected", "ConnectionResetError", "BrokenPipeError"}
