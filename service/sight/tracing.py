"""Traces by OpenTelemetry, where the extra `otel` is installed and an address to send them to is configured.

A span for each request, which continues its caller's trace (`traceparent`), and one for each call of the store. They
tell the route and the answer's status, and nothing of what was asked or answered.
"""

from contextlib import nullcontext
from typing import Any, Final

from flask import Flask, Response, g, request

from service.api.notes import current
from service.sight.requests import route

_NOTHING: Final = nullcontext()


def trace(app: Flask, processor: Any = None) -> None:
    """Trace every request; by default to where OpenTelemetry's own variables say."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import SpanKind, Status, StatusCode
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    provider = TracerProvider(resource=Resource.create({"service.name": "lostcities"}))
    provider.add_span_processor(processor or _to_collector())
    tracer = provider.get_tracer("service")
    propagator = TraceContextTextMapPropagator()

    @app.before_request
    def begin() -> None:
        caller = propagator.extract({name.lower(): value for name, value in request.headers.items()})
        if notes := current():
            notes.tracer = tracer
        g.span = tracer.start_as_current_span(f"{request.method} {route()}", context=caller, kind=SpanKind.SERVER)
        g.span.__enter__().set_attributes({"http.request.method": request.method, "http.route": route()})

    @app.after_request
    def tell(response: Response) -> Response:
        from opentelemetry.trace import get_current_span

        ending = get_current_span()
        ending.set_attribute("http.response.status_code", response.status_code)
        if response.status_code >= 500:
            ending.set_status(Status(StatusCode.ERROR))
        return response

    @app.teardown_request
    def end(error: BaseException | None) -> None:
        del error
        if ending := g.pop("span", None):
            ending.__exit__(None, None, None)


def _to_collector() -> Any:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    return BatchSpanProcessor(OTLPSpanExporter())


def span(name: str) -> Any:
    """A span within that of the request, if requests are traced."""
    notes = current()
    return notes.tracer.start_as_current_span(name) if notes and notes.tracer else _NOTHING
