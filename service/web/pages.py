"""What every page of the service has in common: nothing inline, nothing from elsewhere, nothing told to elsewhere."""

from pathlib import Path
from typing import Final

from flask import Response, send_from_directory

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def page(folder: Path, name: str) -> Response:
    """A page that runs its own scripts only. It is asked for anew each time, and sent again only if it has changed."""
    response = send_from_directory(folder, name)
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
