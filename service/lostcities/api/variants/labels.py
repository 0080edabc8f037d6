"""What a person reads instead of the ids of a variant."""

from collections.abc import Mapping

from lostcities.bots.levels import LEVEL_TEXTS, levels_of
from lostcities.languages import translate
from lostcities.variants.core import AnyRules


def labels(rules: AnyRules, language: str) -> dict[str, dict[str, str]]:
    """What a person reads instead of an id, by kind and id. All but the colours begin with a capital letter."""
    said = {
        kind: {name: translate(text, language) for name, text in names.items()}
        for kind, names in {**rules.INFO.labels, **_levels(rules.VARIANT)}.items()
    }
    return {
        kind: names if kind == "colours" else {name: text[:1].upper() + text[1:] for name, text in names.items()}
        for kind, names in said.items()
    }


def _levels(variant: str) -> Mapping[str, Mapping[str, str]]:
    """The name of each level of the bots, and the sentence about it."""
    levels = {level: LEVEL_TEXTS[level] for level in levels_of(variant)}
    return {
        "bots": {level: said.name for level, said in levels.items()},
        "bot_texts": {level: said.text for level, said in levels.items()},
    }
