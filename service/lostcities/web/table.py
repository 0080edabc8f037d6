"""The table: a page on which all variants can be played. It uses only the public API."""

import json
import re
from collections.abc import Iterable
from html import escape
from importlib.resources import files
from os.path import normpath
from pathlib import Path
from typing import Final

from flask import Blueprint, Response

from lostcities.languages import ENGLISH, LANGUAGES, translator
from lostcities.variants.core import N_
from lostcities.variants.registry import VARIANTS
from lostcities.web.assets import Assets
from lostcities.web.pages import Page

table = Blueprint("table", __name__)

_FOLDER: Final = Path(str(files("lostcities.web") / "static" / "table"))
_FILES: Final = {path.relative_to(_FOLDER).as_posix(): path for path in _FOLDER.rglob("*.js")}
_STYLES: Final = [_FOLDER / name for name in ("style.css", "pieces.css", "games.css")]
OWN_NAME: Final = N_("English")
"""A catalogue translates it into the name of its own language."""
_IMPORT: Final = re.compile(r'^import .*"(\.[^"]+)"', re.MULTILINE)
_GAMES: Final = {f"games/{name}.js": variant.page for name, variant in VARIANTS.items() if variant.page}
"""The module of each game. The first screen shows the cover that it draws."""
_SENTENCE: Final = re.compile(r'(?<![\w.$])t\(\s*("(?:[^"\\]|\\.)*")')
"""A call of `t`, with the sentence that it says."""


def modules_of_texts(languages: Iterable[str]) -> dict[str, str]:
    """The modules that are made from the catalogues of translations, by name."""
    modules = [path.read_text() for path in (*_FILES.values(), *_GAMES.values())]
    sentences = sorted({json.loads(literal) for module in modules for literal in _SENTENCE.findall(module)})
    made = {}
    for language in {*languages} - {ENGLISH}:
        catalogue = {sentence: translator(language)(sentence) for sentence in sentences}
        made[f"texts/{language}.js"] = f"export default {json.dumps(catalogue, ensure_ascii=False)};\n"
    return made


def buttons_of_languages(languages: Iterable[str]) -> str:
    """The page's switch between languages, in HTML. Each language has its own name there."""
    names = {language: escape(translator(language)(OWN_NAME)) for language in languages}
    return " ".join(f'<button class="language" lang="{each}" hidden>{name}</button>' for each, name in names.items())


_ASSETS: Final = Assets({**_FILES, **_GAMES, "style.css": _STYLES}, modules_of_texts(LANGUAGES))


def _imported(name: str) -> set[str]:
    """A module and all that it imports before it runs."""
    seen: set[str] = set()
    wanted = [name]
    while wanted:
        module = wanted.pop()
        if module not in seen:
            seen.add(module)
            imports = _IMPORT.findall(_FILES[module].read_text())
            wanted += [normpath(Path(module).parent / address) for address in imports]
    return seen


_FIRST: Final = [*dict.fromkeys((*sorted(_imported("ahead.js")), *sorted(_imported("main.js"))))]
"""The modules of the first screen, those that ask for its data before the others."""
_LATER: Final = [*_GAMES, *sorted(_imported("form.js")), *sorted(_imported("table.js")), "chance.js"]
"""The modules of the covers, of the form and of a game's page. The games import `chance.js`."""
_PAGE: Final = Page(
    _FOLDER / "index.html",
    _ASSETS,
    [f"table/{{digest}}/{name}" for name in _FIRST],
    [f"table/{{digest}}/{name}" for name in dict.fromkeys(_LATER) if name not in _FIRST],
    {"{languages}": buttons_of_languages(LANGUAGES)},
)


@table.get("/")
def index() -> Response:
    """The table page."""
    return _PAGE.response()


@table.get("/table/<string:digest>/<path:name>")
def asset(digest: str, name: str) -> Response:
    """A script or style sheet."""
    return _ASSETS.response(digest, name)
