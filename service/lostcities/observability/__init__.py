"""Observability: logging, metrics and optional tracing."""
