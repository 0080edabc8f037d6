"""What is known of the request being answered, noted by whoever learns it: for its log line and its metrics."""

import re
from functools import cache
from typing import Any

from flask import g, has_request_context, request


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


def route() -> str:
    """The path of the call, its parameters by name: `/games/{game_id}`."""
    return _template(request.url_rule.rule) if request.url_rule else "unknown"


@cache
def _template(rule: str) -> str:
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule)
