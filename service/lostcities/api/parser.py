"""Reading requests: webargs' Flask parser with this API's rules for bodies, queries and errors."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NoReturn

import msgspec
from flask import Request, current_app, g, request
from marshmallow import Schema, ValidationError
from webargs.fields import DelimitedList
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import BadRequest

from lostcities.api.errors import Fault, ProblemError, pointer, unprocessable
from lostcities.api.fields import MAX_BODY, text_of
from lostcities.api.schemas import TakesRecord
from lostcities.variants.core import Text

KEPT_QUERY: Final = 100
"""Bytes of the longest query whose arguments are kept."""
KEPT_QUERIES: Final = 500
"""The number of queries whose arguments are kept."""


class RequestParser(FlaskParser):
    """Bodies must be declared as JSON, a query parameter may be given once unless it is a list, errors are problems."""

    # The schemas themselves refuse unknown fields.
    DEFAULT_UNKNOWN_BY_LOCATION: Final = {"json": None, "query": None}  # type: ignore[misc]

    def parse(self, argmap: Any, req: Any = None, *, location: str | None = None, **kwargs: Any) -> Any:
        """The arguments of a request. Those of a short query are kept: most requests have one of a few."""
        if location == "query" and len(request.query_string) <= KEPT_QUERY:
            return {**_arguments(self, argmap, request.query_string)}
        return super().parse(argmap, req, location=location, **kwargs)

    def load_json(self, req: Request, schema: Schema) -> Any:
        """The decoded body."""
        if req.mimetype != "application/json":
            raise ProblemError(415, "unsupported-media-type", Text("send JSON, with 'Content-Type: application/json'"))
        limit = current_app.config["MAX_RECORD_BODY"] if isinstance(schema, TakesRecord) else MAX_BODY
        # One byte over the limit: werkzeug cuts a body of unknown length there, and it is then seen to be too large.
        req.max_content_length = limit + 1
        try:
            data = req.get_data()
            if len(data) > limit:
                raise _too_large(Text("the body is larger than {limit} bytes", limit=limit))
            loaded, fault = _decode(data)
            if len(data) > MAX_BODY and not (isinstance(schema, TakesRecord) and schema.has_record(loaded)):
                raise _too_large(Text("the body is larger than {limit} bytes and has no record", limit=MAX_BODY))
        except BadRequest:  # malformed chunks, or a connection that was closed too early
            raise ProblemError(400, "not-json", Text("the body cannot be read to its end")) from None
        if fault:
            raise ProblemError(400, "not-json", Text("the body is not JSON: {fault}", fault=str(fault)[:180]))
        g.body = loaded  # the fingerprint of an Idempotency-Key needs it
        return loaded

    def load_querystring(self, req: Request, schema: Schema) -> dict[str, str]:
        """The query parameters, each of which may be given once.

        Only a list may be given in several parts: generated clients write it so, whatever the contract says.
        """
        lists = {name for name, field in schema.fields.items() if isinstance(field, DelimitedList)}
        repeated = [name for name, values in req.args.lists() if len(values) > 1 and name not in lists]
        if repeated:
            raise unprocessable([Fault(name, Text("given more than once")) for name in repeated])
        return {name: ",".join(values) for name, values in req.args.lists()}

    def handle_error(self, error: ValidationError, req: Request, schema: Schema, **kwargs: Any) -> NoReturn:
        """Raise a problem that names each part that is wrong: in a body by JSON pointer, in a query by name."""
        del req, schema, kwargs
        ((location, messages),) = error.normalized_messages().items()  # type: ignore[no-untyped-call]
        faults = [
            Fault(pointer(*path) if location == "json" else str(path[0]), detail) for path, detail in leaves(messages)
        ]
        raise unprocessable(faults) from None


def _too_large(detail: Text) -> ProblemError:
    return ProblemError(413, "request-entity-too-large", detail)


@lru_cache(maxsize=KEPT_QUERIES)
def _arguments(parser: FlaskParser, schema: Schema, query: bytes) -> Mapping[str, Any]:
    """The arguments in the query of the current request."""
    del query
    return FlaskParser.parse(parser, schema, location="query")  # type: ignore[no-any-return]


def _decode(data: bytes) -> tuple[Any, Exception | None]:
    """The decoded JSON, or why it is not JSON."""
    try:
        return current_app.json.loads(data), None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        return None, error


def leaves(messages: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Text]]:
    """Each message of marshmallow's tree of messages, with the path to what it is about."""
    if isinstance(messages, Mapping):
        for part, below in messages.items():
            yield from leaves(below, path if part == "_schema" else (*path, part))
    elif isinstance(messages, str):
        yield path, text_of(messages)
    else:
        for below in messages:
            yield from leaves(below, path)
