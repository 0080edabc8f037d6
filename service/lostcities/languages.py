"""Sentences in the language of their reader, from the gettext catalogues in the folder `locale`.

The sentences in the source are English, and the keys of their translations. A sentence without a translation stays
English. Codes, notations and names of fields are never translated.
"""

from collections.abc import Callable
from functools import cache
from gettext import find, translation
from pathlib import Path
from typing import Final, Protocol

from lostcities.variants.core import Text

DOMAIN: Final = "lostcities"
FOLDER: Final = Path(__file__).parent / "locale"
ENGLISH: Final = "en"


def languages_in(folder: Path) -> tuple[str, ...]:
    """English, and the languages that have a compiled catalogue in this folder."""
    return (ENGLISH, *sorted(path.parents[1].name for path in folder.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")))


LANGUAGES: Final = languages_in(FOLDER)
"""The languages that the service has. English comes first."""


@cache
def translator(language: str) -> Callable[[str], str]:
    """The function that translates a sentence of the source into the language. A catalogue is read once per process."""
    if language == ENGLISH:
        return str
    gettext = translation(DOMAIN, FOLDER, [language]).gettext
    # gettext keeps the catalogue's own header under the empty sentence.
    return lambda sentence: gettext(sentence) if sentence else sentence


def translate(text: Text | str, language: str) -> str:
    """The sentence in that language, with its values.

    >>> translate(Text("{card} is not higher than {last}", card="R7", last="R9"), "en")
    'R7 is not higher than R9'
    """
    if isinstance(text, Text):
        return text.translated(translator(language))
    return translator(language)(text)


class Say(Protocol):
    """Makes sentences in one language."""

    def __call__(self, template: str, /, **values: object) -> str:
        """The sentence of that template, with these values."""


def say_in(language: str) -> Say:
    """Makes sentences in that language.

    >>> say_in("en")("deck {cards}", cards=44)
    'deck 44'
    """

    def say(template: str, /, **values: object) -> str:
        return translate(Text(template, **values), language)

    return say


def language_of_environment() -> str:
    """The language that `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` or `LANG` asks for, for the command line."""
    catalogue = find(DOMAIN, FOLDER)
    return Path(catalogue).parents[1].name if catalogue else ENGLISH
