"""Flask's JSON provider on msgspec: the fastest encoder and a strict decoder."""

from typing import Any, Final

import msgspec
from flask.json.provider import JSONProvider

encode: Final = msgspec.json.encode
"""The encoder of everything that the service sends."""


class MsgspecProvider(JSONProvider):
    """Encodes and decodes JSON for the whole application."""

    def dumps(self, obj: Any, **kwargs: Any) -> str:
        """The data as JSON text."""
        del kwargs
        return encode(obj).decode()

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        """The data in a JSON text. Raises `msgspec.DecodeError`."""
        del kwargs
        return msgspec.json.decode(s)
