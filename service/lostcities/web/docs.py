"""The API documentation page (Swagger UI). All of its files are served from the package."""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from flask import Blueprint, Response

from lostcities.web.assets import REVALIDATE, Assets, Content
from lostcities.web.pages import Page

docs = Blueprint("docs", __name__)

_OWN: Final = Path(str(files("lostcities.web") / "static"))
_SWAGGER_UI: Final = Path(str(files("flask_swagger_ui") / "dist"))
_ASSETS: Final = Assets(
    {
        "start.js": _OWN / "start.js",
        "swagger-ui.css": _SWAGGER_UI / "swagger-ui.css",
        "swagger-ui-bundle.js": _SWAGGER_UI / "swagger-ui-bundle.js",
    }
)
_PAGE: Final = Page(_OWN / "docs.html", _ASSETS)


@docs.get("/docs")
def documentation() -> Response:
    """The documentation page. Swagger UI has icons as `data:` URLs, which the content security policy allows."""
    return _PAGE.response()


@docs.get("/docs/changelog")
def changelog() -> Response:
    """What changed from version to version. The contract refers to it."""
    return _changelog().response("text/markdown; charset=utf-8", REVALIDATE)


@cache
def _changelog() -> Content:
    return Content.of((files("lostcities.web") / "CHANGELOG.md").read_bytes())


@docs.get("/docs/<string:digest>/<string:name>")
def asset(digest: str, name: str) -> Response:
    """A script or style sheet of the page."""
    return _ASSETS.response(digest, name)
