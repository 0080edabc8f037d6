"""What is known of the request being answered, noted by whoever learns it: for its log line and its metrics."""

from typing import Any

from flask import g, has_request_context


def note(**facts: Any) -> None:
    """Note something of the request; outside of one there is nobody to tell."""
    if has_request_context():
        noted().update(facts)


def noted() -> dict[str, Any]:
    """Everything that was noted so far."""
    if "facts" not in g:
        g.facts = {}
    facts: dict[str, Any] = g.facts
    return facts
