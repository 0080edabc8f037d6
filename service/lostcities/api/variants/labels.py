"""What a person reads instead of the ids of a variant."""

from collections.abc import Mapping

from lostcities.bots.levels import LEVEL_TEXTS, levels_of
from lostcities.languages import translate
from lostcities.variants.core import AnyRules


def labels(rules: AnyRules, language: str) -> dict[str, dict[str, str]]:
    """What a person reads instead of an id, by kind and id. All but the colours begin with a capital letter."""
    said = {
        kind: {name: translate(text, language) for name, text in names.items()}
        for kind, names in {**rules.INFO.labels, "bots": _names_of_levels(rules.VARIANT)}.items()
    }
    return {
        kind: names if kind == "colours" else {name: text[:1].upper() + text[1:] for name, text in names.items()}
        for kind, names in said.items()
    }


def _names_of_levels(variant: str) -> Mapping[str, str]:
    return {level: LEVEL_TEXTS[level].name for level in levels_of(variant)}
