"""Tracing by OpenTelemetry. Needs the extra `otel`, so this module is imported only if tracing is configured.

There is a span for each request, which continues the caller's trace (`traceparent`), and a span for each Redis command.
Only the attributes in `EXPORTED_ATTRIBUTES` are exported: paths, queries, headers, keys, arguments and error messages
can contain game ids, tokens, seeds or positions.
"""

import os
from collections.abc import Sequence
from typing import Any, Final

from flask import Flask, request
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.instrumentation.flask import FlaskInstrumentor
from opentelemetry.instrumentation.redis import RedisInstrumentor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import Status

from lostcities.observability.middleware import route

EXPORTED_ATTRIBUTES: Final = frozenset(
    {
        "db.redis.pipeline_length",
        "db.system.name",
        "error.type",
        "http.request.method",
        "http.response.status_code",
        "http.route",
    }
)


def trace_requests(app: Flask) -> None:
    """Trace requests and Redis commands. OpenTelemetry's environment variables configure the export.

    Call it in the worker, because the span processor starts a thread. Call it before other hooks are registered, so
    that the request's span includes them.
    """
    # Use the stable attribute names. The instrumentations read this variable at their first use.
    os.environ.setdefault("OTEL_SEMCONV_STABILITY_OPT_IN", "http,database")
    provider = TracerProvider(resource=Resource.create({"service.name": "lostcities"}))
    provider.add_span_processor(BatchSpanProcessor(RedactingExporter(OTLPSpanExporter())))
    FlaskInstrumentor.instrument_app(  # type: ignore[no-untyped-call]
        app, tracer_provider=provider, request_hook=_name_span, response_hook=_name_span, enable_commenter=False
    )
    RedisInstrumentor().instrument(tracer_provider=provider)
    app.extensions["tracer_provider"] = provider


def _name_span(span: Any, *_: Any) -> None:
    """Name a request's span after its route. By default the span of an unknown path is named after that path.

    Called at the start of the span and again at the response, because the instrumentation sets `http.route` in between.
    """
    if span and span.is_recording():
        span.update_name(f"{request.method} {route()}")
        span.set_attribute("http.route", route())


class RedactingExporter(SpanExporter):
    """A span exporter that removes all attributes except `EXPORTED_ATTRIBUTES`."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Export redacted copies of the spans."""
        return self._exporter.export([redact(span) for span in spans])

    def shutdown(self) -> None:
        """Shut the exporter down."""
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Export the buffered spans."""
        return self._exporter.force_flush(timeout_millis)


def redact(span: ReadableSpan) -> ReadableSpan:
    """A copy of the span with the allowed attributes. Events and the status text are removed: they quote exceptions."""
    attributes = {name: value for name, value in (span.attributes or {}).items() if name in EXPORTED_ATTRIBUTES}
    return ReadableSpan(
        name=span.name,
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes=attributes,
        kind=span.kind,
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )
