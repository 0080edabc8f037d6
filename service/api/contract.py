"""Our policy on top of flask-smorest, in one place: how requests are read, and how the contract is written."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from http import HTTPStatus
from typing import Any, Final, NoReturn

import flask_smorest
import msgspec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Request, Response, request
from marshmallow import RAISE, Schema, ValidationError
from webargs.flaskparser import FlaskParser

from service.api.fields import Int
from service.api.problems import CONTENT_TYPE, Fault, Problem, pointer, problem_of, unprocessable
from service.api.schemas import ID, ProblemView, Union
from service.store.games import ID_LENGTH

View = Callable[..., Response]


# Reading requests ------------------------------------------------------------------------------------------------


class RequestParser(FlaskParser):
    """Takes what the schema says and nothing else, and names what is wrong."""

    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {"json": None, "query": RAISE}  # noqa: RUF012

    def load_json(self, req: Request, schema: Schema) -> Any:
        """The body, which must say that it is JSON and be it."""
        del schema
        if req.mimetype != "application/json":
            raise Problem(415, "unsupported-media-type", "send JSON, with 'Content-Type: application/json'")
        try:
            return msgspec.json.decode(req.get_data())
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise Problem(400, "not-json", f"the body is not JSON: {error}"[:200]) from None

    def load_querystring(self, req: Request, schema: Schema) -> Any:
        """The query, in which a parameter stands once and numbers are digits."""
        query: dict[str, Any] = {}
        for name, values in req.args.lists():
            if len(values) > 1:
                raise unprocessable([Fault(name, "given more than once")])
            (value,) = values
            is_number = isinstance(schema.fields.get(name), Int) and value.isascii() and value.isdigit()
            query[name] = int(value) if is_number and len(value) < 10 else value
        return query

    def handle_error(
        self, error: ValidationError, req: Request, schema: Schema, *, error_status_code: Any, error_headers: Any
    ) -> NoReturn:
        """A problem with a pointer to each part that is wrong."""
        del req, schema, error_status_code, error_headers
        ((location, messages),) = error.normalized_messages().items()  # type: ignore[no-untyped-call]
        raise unprocessable(
            [
                Fault(str(path[0]) if location == "query" else pointer(*path), detail)
                for path, detail in _leaves(messages)
            ]
        )


def _leaves(messages: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Each message of marshmallow's tree, with the path to what it is about."""
    if isinstance(messages, Mapping):
        for part, below in messages.items():
            yield from _leaves(below, path if part == "_schema" else (*path, part))
    elif isinstance(messages, str):
        yield path, messages
    else:
        for below in messages:
            yield from _leaves(below, path)


def _without_query(view: View) -> View:
    """A call that takes no query refuses one."""

    @wraps(view)
    def refusing(*args: Any, **kwargs: Any) -> Response:
        if request.args:
            raise unprocessable([Fault(name, "Unknown field.") for name in request.args])
        return view(*args, **kwargs)

    return refusing


# Writing the contract --------------------------------------------------------------------------------------------

PROBLEMS: Final[Mapping[int, str]] = {
    400: "The body is not JSON.",
    401: "The token is not this game's, or one is needed.",
    403: "The token does not allow it.",
    404: "There is no such thing.",
    405: "The path does not take this method.",
    409: "The move breaks a rule of the game here. Nothing has changed.",
    412: "The game has moved on since the caller saw it. Nothing has changed.",
    413: "The body is too large.",
    415: "The body does not say that it is JSON.",
    422: "The request is not what the contract says. Nothing has changed.",
    429: "Too many requests or open games. Nothing has changed.",
    500: "Something went wrong here.",
    503: "The store does not answer.",
}

HEADERS: Final[Mapping[str, tuple[str, str]]] = {
    "ETag": ("ETag", "The version and through whose eyes it was seen; for `If-Match` and `If-None-Match`."),
    "Location": ("Location", "Where the game is."),
    "Idempotent-Replayed": (
        "IdempotentReplayed",
        "`true` if this is the answer to an earlier request of the same key.",
    ),
    "X-Request-Id": ("RequestId", "Finds the request in the log: the caller's own, or a new one."),
    "Retry-After": ("RetryAfter", "Seconds to wait before trying again."),
    "WWW-Authenticate": ("WWWAuthenticate", "How to authenticate: `Bearer`."),
    "Allow": ("Allow", "The methods that the path takes."),
}
HEADERS_OF_PROBLEM: Final[Mapping[int, str]] = {
    401: "WWW-Authenticate",
    405: "Allow",
    429: "Retry-After",
    503: "Retry-After",
}

IDEMPOTENCY_KEY: Final = 255
IF_MATCH: Final = 255

PARAMETERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "IdempotencyKey": {
        "in": "header",
        "name": "Idempotency-Key",
        "description": "Makes a retry safe: the same key and body give the same answer. Use a new UUID each time.",
        "schema": {"type": "string", "minLength": 1, "maxLength": IDEMPOTENCY_KEY, "pattern": "^[!-~]+$"},
    },
    "IfMatch": {
        "in": "header",
        "name": "If-Match",
        "description": "An ETag of the game: refuse with 412 if the decision was put to the seat after that version.",
        "schema": {"type": "string", "maxLength": IF_MATCH},
    },
    "IfNoneMatch": {
        "in": "header",
        "name": "If-None-Match",
        "description": "ETags of answers that the caller has: 304 if it is still one of them.",
        "schema": {"type": "string", "maxLength": IF_MATCH},
    },
}

GAME_ID: Final = {
    "in": "path",
    "name": "game_id",
    "required": True,
    "description": "The game's id.",
    "schema": {"type": "string", "pattern": ID, "minLength": ID_LENGTH, "maxLength": ID_LENGTH},
}


class _Converter(OpenAPIConverter):
    """Documents unions, and takes each schema's docstring as its description."""

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        instance = schema() if isinstance(schema, type) else schema
        if isinstance(instance, Union):
            resolve: Callable[[Any], Any] = self.resolve_nested_schema
            references = {value: resolve(member) for value, member in instance.members.items()}
            document: dict[str, Any] = {"oneOf": [*references.values()]}
            if instance.tag:
                mapping = {value: reference["$ref"] for value, reference in references.items()}
                document["discriminator"] = {"propertyName": instance.tag, "mapping": mapping}
        else:
            document = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]
        document["description"] = (type(instance).__doc__ or "").strip()
        return document


class _Plugin(MarshmallowPlugin):
    Converter = _Converter


class Api(flask_smorest.Api):  # type: ignore[misc]
    """flask-smorest's, with our errors and our contract."""

    DEFAULT_ERROR_RESPONSE_NAME = None  # a catch-all would make every status conform

    def __init__(self, app: Any) -> None:
        plugin = _Plugin(schema_name_resolver=lambda schema: _class_of(schema).__name__.removesuffix("View"))
        super().__init__(app, spec_kwargs={"marshmallow_plugin": plugin})

    def _register_responses(self) -> None:
        """Every problem as a response of its own, with its headers."""
        for name, (component, description) in HEADERS.items():
            del name
            self.spec.components.header(component, {"description": description, "schema": {"type": "string"}})
        for name, parameter in PARAMETERS.items():
            self.spec.components.parameter(name, parameter["in"], dict(parameter), lazy=True)
        for status, description in PROBLEMS.items():
            document = {
                "description": description,
                "headers": headers("X-Request-Id", *filter(None, [HEADERS_OF_PROBLEM.get(status)])),
                "content": {CONTENT_TYPE: {"schema": ProblemView}},
            }
            self.spec.components.response(HTTPStatus(status).name, document, lazy=True)

    def handle_http_exception(self, error: Exception) -> Response:
        """Errors are problems, with the headers that belong to them."""
        return problem_of(error).response()


def _class_of(schema: Any) -> type[Schema]:
    return schema if isinstance(schema, type) else type(schema)


def headers(*names: str) -> dict[str, Any]:
    """References to the headers of an answer."""
    return {name: {"$ref": f"#/components/headers/{HEADERS[name][0]}"} for name in names}


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """Calls that read and document themselves alike."""

    ARGUMENTS_PARSER = RequestParser()

    def call(
        self,
        method: str,
        rule: str,
        operation_id: str,
        answers: Mapping[int, tuple[type[Schema] | Mapping[str, Any] | None, str]],
        *,
        body: type[Schema] | None = None,
        query: type[Schema] | None = None,
        takes: Sequence[str] = (),
        sends: Sequence[str] = (),
        problems: Iterable[int] = (),
        content_type: str | None = None,
        limited: bool = True,
        secured: bool = False,
        links: Mapping[int, Mapping[str, Any]] | None = None,
    ) -> Callable[[View], View]:
        """Register a view. It is given the body, then the query, then the parameters of its path.

        `takes` and `sends` name the parameters (of `PARAMETERS`) and headers that it reads and answers with;
        `content_type` is that of the answers, if it is not JSON.
        """
        statuses = {405, 500, *problems, *((400, 413, 415) if body else ()), 422, *((429,) if limited else ())}

        def register(view: View) -> View:
            view = self.arguments(query(), location="query")(view) if query else _without_query(view)
            if body:
                view = self.arguments(body())(view)
            for status, (schema, description) in answers.items():
                answered = headers("X-Request-Id", *(sends if status != 304 else ("ETag",)))
                view = self.alt_response(
                    status,
                    schema=schema,
                    description=description,
                    headers=answered,
                    content_type=content_type,
                    success=True,
                )(view)
            for status in sorted(statuses):
                view = self.alt_response(status, HTTPStatus(status).name)(view)
            document: dict[str, Any] = {"operationId": operation_id, "parameters": [*takes]}
            if secured:
                document["security"] = [{"token": []}, {}]
            if links:
                document["responses"] = {status: {"links": each} for status, each in links.items()}
            view = self.doc(**document)(view)
            parameters = [GAME_ID] if "game_id" in rule else []
            self.route(rule, methods=[method], endpoint=operation_id, parameters=parameters)(view)
            return view

        return register
