"""The API documentation page (Swagger UI). All of its files are served from the package."""

from importlib.resources import files
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, abort, send_from_directory

from lostcities.web.pages import page

docs = Blueprint("docs", __name__)

_OWN: Final = Path(str(files("lostcities.web") / "static"))
_SWAGGER_UI: Final = Path(str(files("flask_swagger_ui") / "dist"))
_ASSETS: Final = {
    "start.js": _OWN,
    "swagger-ui.css": _SWAGGER_UI,
    "swagger-ui-bundle.js": _SWAGGER_UI,
}


@docs.get("/docs")
def documentation() -> Response:
    """The documentation page. Swagger UI has icons as `data:` URLs, which the content security policy allows."""
    return page(_OWN, "docs.html")


@docs.get("/docs/<string:name>")
def asset(name: str) -> Response:
    """A script or style sheet of the page."""
    if name not in _ASSETS:
        abort(404)
    return send_from_directory(_ASSETS[name], name, max_age=3600)
