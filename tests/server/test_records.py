"""Records on a real server: imports that race, and a long verification while other requests are served."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from lostcities.games import records

from tests.client import Answer
from tests.games.recorded_games import long_duel, recorded_game
from tests.server.serving import Service, serving

CLIENTS = 12


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("records"), WORKERS="2", MAX_EVENTS="20000") as running:
        yield running


def test_imports_with_one_key_make_one_game(service: Service) -> None:
    """The record has no seed, so each attempt would choose another one."""
    unfinished = next(
        record
        for number in range(100)
        if (record := recorded_game(number).record).seed and record.outcome is None and record.events
    )
    document = records.plain(unfinished._replace(seed=None))
    together = threading.Barrier(CLIENTS)

    def send(_: int) -> Answer:
        together.wait()
        return service.client.post("/games", {"record": document}, key="the-same-key-for-all-of-them")

    with ThreadPoolExecutor(CLIENTS) as pool:
        answers = [*pool.map(send, range(CLIENTS))]
    assert {answer.status for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert [answer.headers.get("Idempotent-Replayed") for answer in answers].count(None) == 1
    game: Any = answers[0].body
    events = service.client.get(f"/games/{game['id']}/record", token=game["tokens"]["host"]).body["events"]
    assert events == document["events"]


def test_other_requests_are_served_during_a_long_verification(service: Service) -> None:
    """Both workers verify. Without pauses no other request would be answered before they have finished."""
    document = records.plain(long_duel(15_000))
    served = 0
    with ThreadPoolExecutor(4) as pool:
        verifications = [pool.submit(service.client.post, "/variants/duel/verify", document) for _ in range(4)]
        while not any(verification.done() for verification in verifications):
            assert service.client.get("/livez").status == 200
            served += 1
        assert all(verification.result().body["valid"] for verification in verifications)
    assert served > 1
