"""The documentation page, served from the package: no request leaves for anywhere else."""

from importlib.resources import files
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, abort, send_from_directory

from service.web.pages import page

docs = Blueprint("docs", __name__)

_OWN: Final = Path(str(files("service.web") / "static"))
_SWAGGER_UI: Final = Path(str(files("flask_swagger_ui") / "dist"))
_ASSETS: Final = {
    "start.js": _OWN,
    "swagger-ui.css": _SWAGGER_UI,
    "swagger-ui-bundle.js": _SWAGGER_UI,
}


@docs.get("/docs")
def documentation() -> Response:
    """The page itself. Swagger UI shows its icons as data, which the policy of every page allows."""
    return page(_OWN, "docs.html")


@docs.get("/docs/<string:name>")
def asset(name: str) -> Response:
    """Its script and its styles."""
    if name not in _ASSETS:
        abort(404)
    return send_from_directory(_ASSETS[name], name, max_age=3600)
