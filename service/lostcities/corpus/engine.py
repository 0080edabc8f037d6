"""This service's rules as an engine that answers the questions of `lostcities corpus check`.

`lostcities corpus answer` reads questions from standard input and writes answers to standard output, a line each.
"""

import json
from collections.abc import Iterable, Iterator

from lostcities.corpus.lines import JsonObject, broken_rule, legal_notations, position_after, score_of
from lostcities.variants.core import AnyRules, Positions
from lostcities.variants.registry import VARIANTS


def answer(question: JsonObject, rules: AnyRules, positions: Positions) -> JsonObject:
    """The answer to a question of the corpus."""
    options = rules.parse_options(question["options"])
    state = positions.from_position(question["players"], options, question["position"])
    actor = question["actor"]
    return {
        "legal": legal_notations(rules, state, actor),
        "check": [broken_rule(rules, state, actor, rules.parse(notation)) for notation in question["check"]],
        "apply": [position_after(rules, state, actor, rules.parse(notation)) for notation in question["apply"]],
        "score": score_of(rules, state),
    }


def answers(questions: Iterable[str]) -> Iterator[str]:
    """The answers to questions, both as lines of JSON."""
    for line in questions:
        question = json.loads(line)
        variant = VARIANTS[question["variant"]]
        yield json.dumps(answer(question, variant.rules, variant.positions))
