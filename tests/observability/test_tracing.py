"""Traces as a collector receives them: which data are exported and which are not."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from lostcities.app import create_app
from lostcities.config import RateLimits, Settings
from lostcities.observability.tracing import EXPORTED_ATTRIBUTES
from opentelemetry.instrumentation.redis import RedisInstrumentor

from tests.client import Client, create_game
from tests.conftest import client_of
from tests.faults.processes import until
from tests.observability.collector import Collector, collecting
from tests.server.serving import serving

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
SERVER, CLIENT, ERROR = 2, 3, 2
"""OTLP's numbers of the kinds of spans, and of a failed status."""


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as started:
        yield started


@pytest.fixture
def app(store_url: str, collector: Collector, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """A traced application in this process."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    limits = RateLimits(client="100000/minute")
    yield create_app(
        Settings(redis_url=store_url, rate_limits=limits, otel_exporter_otlp_endpoint=collector.url),
    )
    RedisInstrumentor().uninstrument()


def spans(app: Flask, collector: Collector) -> list[Any]:
    app.extensions["tracer_provider"].force_flush()
    return collector.spans()


def attributes(span: Any) -> dict[str, Any]:
    return {each.key: each.value.string_value or each.value.int_value for each in span.attributes}


def test_a_request_is_a_span_that_continues_its_callers_trace(app: Flask, collector: Collector) -> None:
    game = create_game(client_of(app))
    spans(app, collector)
    game.get("", token=game.host, headers={"traceparent": f"00-{TRACE}-{SPAN}-01"})
    *commands, request = spans(app, collector)
    assert (request.name, request.kind) == ("GET /games/{game_id}", SERVER)
    assert attributes(request) == {
        "http.request.method": "GET",
        "http.route": "/games/{game_id}",
        "http.response.status_code": 200,
    }
    assert (request.trace_id.hex(), request.parent_span_id.hex()) == (TRACE, SPAN)
    assert commands
    for command in commands:
        assert (command.kind, command.trace_id.hex()) == (CLIENT, TRACE)
        assert command.name.replace(" ", "").isalpha(), "the name is that of the command"
        assert command.parent_span_id == request.span_id


def test_commands_that_are_sent_at_once_are_a_span(app: Flask, collector: Collector) -> None:
    game = create_game(client_of(app))
    spans(app, collector)
    assert app.extensions["games"].store.load(game.id, b"key")
    assert [each.name for each in spans(app, collector)] == ["HMGET HGET"]


def test_an_unknown_path_is_not_exported(app: Flask, collector: Collector) -> None:
    assert client_of(app).get("/seat_secret?token=secret").status == 404
    (request,) = spans(app, collector)
    assert request.name == "GET unknown"
    assert "secret" not in str(request)


def test_an_error_is_exported_without_its_message(
    app: Flask, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    def explode() -> None:
        raise RuntimeError("seat 1 holds R7")

    monkeypatch.setattr(app.extensions["games"].store, "ping", explode)
    assert client_of(app).get("/readyz").status == 500
    (request,) = spans(app, collector)
    assert request.status.code == ERROR
    assert attributes(request)["http.response.status_code"] == 500
    assert "R7" not in str(request)


def test_the_spans_of_a_game_contain_no_game_data(app: Flask, collector: Collector) -> None:
    seed, api = "6b" * 32, client_of(app)
    game = create_game(api, seed=seed)
    notations = play_through(api, game.path, game.host)
    assert len(notations) > 20
    exported = spans(app, collector)
    assert len(exported) > 2 * len(notations)
    for span in exported:
        assert attributes(span).keys() <= EXPORTED_ATTRIBUTES
        assert not span.events
        # Span ids are random and may contain the name of a card by chance.
        told = " ".join([span.name, span.status.message, *map(str, attributes(span).values())])
        for secret in (seed, game.id, game.host, *game.seats, *notations):
            assert secret not in told


def play_through(api: Client, path: str, host: str) -> list[str]:
    """Play a game by always making the first legal move."""
    made: list[str] = []
    while len(made) < 400:
        moves = api.get(f"{path}/moves", token=host).body["moves"]
        if not moves:
            break
        made.append(moves[0]["notation"])
        assert api.post(f"{path}/moves", {"notation": made[-1]}, token=host).status == 200
    return made


def test_the_workers_of_a_running_service_export_their_spans(tmp_path: Path, collector: Collector) -> None:
    endpoint = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "OTEL_BSP_SCHEDULE_DELAY": "100"}
    with serving(tmp_path, RATE_LIMITS="client=1000/minute", **endpoint) as running:
        game = create_game(running.client)
        game.get("", token=game.host, headers={"traceparent": f"00-{TRACE}-{SPAN}-01"})
        received: list[Any] = []

        def ours() -> list[Any]:
            received.extend(collector.spans())
            return [span for span in received if span.trace_id.hex() == TRACE]

        until(lambda: any(span.kind == SERVER for span in ours()), 30)
        assert {span.kind for span in ours()} == {SERVER, CLIENT}
