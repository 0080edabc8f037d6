"""The table: a page on which all variants can be played. It uses only the public API."""

from importlib.resources import files
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, send_from_directory

from lostcities.web.pages import page

table = Blueprint("table", __name__)

_TABLE: Final = Path(str(files("lostcities.web") / "static" / "table"))


@table.get("/")
def index() -> Response:
    """The table page."""
    return page(_TABLE, "index.html")


@table.get("/table/<path:name>")
def asset(name: str) -> Response:
    """A script or style sheet. Browsers revalidate it at each use, so that all files are of the same version."""
    return send_from_directory(_TABLE, name)
