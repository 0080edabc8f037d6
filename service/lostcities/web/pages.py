"""The HTML of the web pages: content security policy, referrer policy, addresses of the files they load."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from flask import Response

from lostcities.web.assets import REVALIDATE, Assets, Content

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
DIGEST: Final = "{digest}"
"""Stands in a page for the digest of its files."""
PRELOAD: Final = "{preload}"
"""Stands in a page for links to the modules that it needs at once: without them a browser finds them one by one."""


class Page:
    """A page that may load only files of this service."""

    def __init__(
        self,
        path: Path,
        assets: Assets,
        preload: Sequence[str] = (),
        later: Sequence[str] = (),
        parts: Mapping[str, str] | None = None,
    ) -> None:
        """A page in a file.

        :param preload: relative addresses of the modules that it needs at once
        :param later: relative addresses of the modules that it needs when a visitor goes on
        :param parts: HTML by the name that stands for it in the file
        """
        self._path = path
        self._assets = assets
        self._preload = {**dict.fromkeys(preload, ""), **dict.fromkeys(later, ' fetchpriority="low"')}
        self._parts = parts or {}
        self._content: Content | None = None

    def response(self) -> Response:
        """The page. Browsers revalidate it at each visit (ETag)."""
        if self._content is None:
            preload = self._preload.items()
            links = "\n".join(f'<link rel="modulepreload" href="{address}"{how}>' for address, how in preload)
            html = self._path.read_text()
            for name, part in {**self._parts, PRELOAD: links, DIGEST: self._assets.digest}.items():
                html = html.replace(name, part)
            self._content = Content.of(html.encode())
        response = self._content.response("text/html; charset=utf-8", REVALIDATE)
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["Referrer-Policy"] = "no-referrer"
        return response
