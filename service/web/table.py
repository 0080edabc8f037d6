"""The table: a page that plays every game on nothing but the API, served from the package."""

from importlib.resources import files
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, send_from_directory

from service.web.pages import page

table = Blueprint("table", __name__)

_TABLE: Final = Path(str(files("service.web") / "static" / "table"))


@table.get("/")
def sit_down() -> Response:
    """The page itself."""
    return page(_TABLE, "index.html")


@table.get("/table/<path:name>")
def part(name: str) -> Response:
    """Its modules and its styles: kept by browsers, and asked for anew each time, so that they always fit together."""
    return send_from_directory(_TABLE, name)
