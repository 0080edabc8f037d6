"""Traces, where they are wanted."""

from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from service.app import create_app
from service.config import Settings
from service.sight.tracing import trace
from tests.client import sit_down
from tests.conftest import client_of


def test_a_request_is_a_span_that_continues_its_callers_trace(store_url: str) -> None:
    app = create_app(Settings(redis_url=store_url, rate_limits=None))
    spans = InMemorySpanExporter()
    trace(app, SimpleSpanProcessor(spans))
    api = client_of(app)
    game = sit_down(api)
    spans.clear()
    caller = "0af7651916cd43dd8448eb211c80319c"
    game.get("", token=game.host, headers={"traceparent": f"00-{caller}-b7ad6b7169203331-01"})
    store, request = spans.get_finished_spans()
    assert request.name == "GET /games/{game_id}"
    assert request.attributes
    assert dict(request.attributes) == {
        "http.request.method": "GET",
        "http.route": "/games/{game_id}",
        "http.response.status_code": 200,
    }
    assert request.context
    assert f"{request.context.trace_id:032x}" == caller
    assert store.name == "store load"
    assert store.parent
    assert store.parent.span_id == request.context.span_id
    everything = "".join(span.to_json() for span in spans.get_finished_spans())
    assert game.host not in everything
    assert game.id not in everything
