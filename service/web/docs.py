"""The documentation page, served from the package: no request leaves for anywhere else."""

from importlib.resources import files
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, abort, send_from_directory

docs = Blueprint("docs", __name__)

_OWN: Final = Path(str(files("service.web") / "static"))
_SWAGGER_UI: Final = Path(str(files("flask_swagger_ui") / "dist"))
_ASSETS: Final = {
    "start.js": _OWN,
    "swagger-ui.css": _SWAGGER_UI,
    "swagger-ui-bundle.js": _SWAGGER_UI,
}

# Swagger UI shows its icons as data; nothing else is allowed in, and nothing inline.
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@docs.get("/docs")
def page() -> Response:
    """The page itself."""
    response = send_from_directory(_OWN, "docs.html")
    response.headers["Content-Security-Policy"] = _POLICY
    return response


@docs.get("/docs/<string:name>")
def asset(name: str) -> Response:
    """Its script and its styles."""
    if name not in _ASSETS:
        abort(404)
    return send_from_directory(_ASSETS[name], name, max_age=3600)
