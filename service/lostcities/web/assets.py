"""Files that a page loads: compressed once per process, and cached by browsers for ever.

The address of a file contains a digest of all files of its page, so that a changed file has a new address and a page
never mixes files of two versions. Modules import each other by relative addresses and so keep the digest.
"""

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from flask import Response, abort, request

FOR_EVER: Final = "public, max-age=31536000, immutable"
REVALIDATE: Final = "no-cache"
"""A browser asks at each use whether the file is still current."""


class Content(NamedTuple):
    """A document that never changes, in both encodings."""

    plain: bytes
    compressed: bytes
    etag: str

    @classmethod
    def of(cls, plain: bytes) -> "Content":
        """Compress a document. Without a time the same document gives the same bytes in every process."""
        return cls(plain, gzip.compress(plain, mtime=0), hashlib.sha256(plain).hexdigest()[:32])

    def response(self, content_type: str, cache_control: str) -> Response:
        """The document in the encoding that the client accepts, or 304."""
        if request.accept_encodings.quality("gzip") > 0:
            response = Response(self.compressed, content_type=content_type, headers={"Content-Encoding": "gzip"})
            response.set_etag(f"{self.etag}-gzip")
        else:
            response = Response(self.plain, content_type=content_type)
            response.set_etag(self.etag)
        response.headers["Vary"] = "Accept-Encoding"
        response.headers["Cache-Control"] = cache_control
        response.make_conditional(request)
        return response


class Assets:
    """The files of a page, by name. A name may stand for several files in a row: one request instead of several."""

    def __init__(self, paths: Mapping[str, Path | Sequence[Path]], made: Mapping[str, str] | None = None) -> None:
        """:param made: the text of what is in no file"""
        self._paths = {name: [path] if isinstance(path, Path) else path for name, path in paths.items()}
        self._made = made or {}
        self._contents: dict[str, Content] = {}

    @cached_property
    def digest(self) -> str:
        """The version of all files together."""
        together = hashlib.sha256()
        for name in sorted({*self._paths, *self._made}):
            together.update(f"{name}\0".encode() + hashlib.sha256(self._read(name)).digest())
        return together.hexdigest()[:16]

    def response(self, digest: str, name: str) -> Response:
        """A file. During a rollout a page of another version may ask for it: that answer is not cached."""
        if name not in self._paths and name not in self._made:
            abort(404)
        if name not in self._contents:
            self._contents[name] = Content.of(self._read(name))
        content_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        if content_type.startswith("text/"):
            content_type += "; charset=utf-8"
        return self._contents[name].response(content_type, FOR_EVER if digest == self.digest else REVALIDATE)

    def _read(self, name: str) -> bytes:
        if name in self._made:
            return self._made[name].encode()
        return b"".join(path.read_bytes() for path in self._paths[name])
