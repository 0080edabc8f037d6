"""The table: a page on which all variants can be played. It uses only the public API."""

from importlib.resources import files
from pathlib import Path
from typing import Final

from flask import Blueprint, Response

from lostcities.variants.registry import VARIANTS
from lostcities.web.assets import Assets
from lostcities.web.pages import Page

table = Blueprint("table", __name__)

_FOLDER: Final = Path(str(files("lostcities.web") / "static" / "table"))
_FILES: Final = {
    path.relative_to(_FOLDER).as_posix(): path for path in _FOLDER.rglob("*") if path.suffix in (".js", ".css")
}
_GAMES: Final = {f"games/{name}.js": variant.page for name, variant in VARIANTS.items() if variant.page}
"""The module of each game. The page loads it when the game is played."""
_ASSETS: Final = Assets({**_FILES, **_GAMES})
_PRELOAD: Final = [f"table/{{digest}}/{name}" for name in sorted(_FILES) if name.endswith(".js") and name != "types.js"]
_PAGE: Final = Page(_FOLDER / "index.html", _ASSETS, _PRELOAD)


@table.get("/")
def index() -> Response:
    """The table page."""
    return _PAGE.response()


@table.get("/table/<string:digest>/<path:name>")
def asset(digest: str, name: str) -> Response:
    """A script or style sheet."""
    return _ASSETS.response(digest, name)
