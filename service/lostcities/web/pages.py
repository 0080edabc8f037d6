"""Common code of the web pages: content security policy and referrer policy."""

from pathlib import Path
from typing import Final

from flask import Response, send_from_directory

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def page(folder: Path, name: str) -> Response:
    """A page that may load only files of this service. Browsers revalidate it at each visit (ETag)."""
    response = send_from_directory(folder, name)
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
