"""Our policy on top of flask-smorest, in one place: how requests are read, and how the contract is written."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib.resources import files
from typing import Any, Final, Literal

import flask
import flask_smorest
import msgspec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Request, Response, request
from marshmallow import Schema, ValidationError

from service.api.answers import Answer
from service.api.catalogue import MAX_BODY, PROBLEMS, REQUEST_ID
from service.api.fields import Const, Flag, Int
from service.api.problems import CONTENT_TYPE, Fault, Problem, pointer, unprocessable
from service.api.schemas import ACTOR, ETAG, ID, MAX_VERSION, Actor, StreamEnd, Union
from service.rules.registry import GAMES
from service.store.games import ID_LENGTH

View = Callable[..., Answer | Response]


# Reading requests ------------------------------------------------------------------------------------------------


def _reading(view: View, body: type[Schema] | None, query: type[Schema] | None) -> View:
    """The view, given what its schemas make of the request. flask-smorest's own readers would cost as much again."""
    body_schema = body() if body else None
    query_schema = query() if query else None
    without_query: dict[str, Any] = query_schema.load({}) if query_schema else {}

    def call(**path: str) -> Answer | Response:
        asked: Request = request._get_current_object()  # type: ignore[attr-defined]
        read = [_load(body_schema, _body(asked), pointer)] if body_schema else []
        if query_schema is None:
            if asked.query_string and asked.args:
                raise unprocessable([Fault(name, "Unknown field.") for name in asked.args])
        elif asked.query_string:
            read.append(_load(query_schema, _query(asked, query_schema), _parameter))
        else:
            read.append(dict(without_query))
        return view(*read, **path)

    return call


def _body(asked: Request) -> Any:
    """The body, which must say that it is JSON and be it."""
    if asked.content_type != "application/json" and asked.mimetype != "application/json":
        raise Problem(415, "unsupported-media-type", "send JSON, with 'Content-Type: application/json'")
    body = body_of(asked)
    if len(body) > MAX_BODY:
        raise Problem(413, "request-entity-too-large", f"a body has at most {MAX_BODY} bytes")
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Problem(400, "not-json", f"the body is not JSON: {error}"[:200]) from None


_BODY: Final = "lostcities.body"


def body_of(asked: Request) -> bytes:
    """The bytes of the body; one more than may be, if there are too many."""
    environ = asked.environ
    if _BODY not in environ:
        length = environ.get("CONTENT_LENGTH", "")
        # Flask would look at every way in which a body can be sent, for as long as it takes to read and judge a move.
        is_plain = length.isdecimal() and int(length) <= MAX_BODY
        environ[_BODY] = environ["wsgi.input"].read(int(length)) if is_plain else asked.get_data()
        if is_plain and len(environ[_BODY]) < int(length):
            raise Problem(400, "not-json", "the body ends before it should")
    body: bytes = environ[_BODY]
    return body


def _query(asked: Request, schema: Schema) -> dict[str, Any]:
    """The query, in which a parameter stands once and numbers are digits."""
    query: dict[str, Any] = {}
    for name, values in asked.args.lists():
        if len(values) > 1:
            raise unprocessable([Fault(name, "given more than once")])
        (value,) = values
        is_number = isinstance(schema.fields.get(name), Int) and value.isascii() and value.isdigit()
        query[name] = int(value) if is_number and len(value) < 10 else value
    return query


def _parameter(*path: str | int) -> str:
    return str(path[0])


def _load(schema: Schema, data: Any, name: Callable[..., str]) -> Any:
    """What the schema makes of the data, or a problem that names each part that is wrong."""
    try:
        return schema.load(data)
    except ValidationError as error:
        messages = error.normalized_messages()  # type: ignore[no-untyped-call]
        raise unprocessable([Fault(name(*path), detail) for path, detail in _leaves(messages)]) from None


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


# Writing the contract --------------------------------------------------------------------------------------------

HEADERS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "ETag": (
        "The version and through whose eyes it was seen; for `If-Match` and `If-None-Match`.",
        {"type": "string", "minLength": 3, "maxLength": 40, "pattern": ETAG},
    ),
    "Location": (
        "Where the game is.",
        {"type": "string", "minLength": 7, "maxLength": 40, "pattern": ID.replace("^", "^/games/")},
    ),
    "Idempotent-Replayed": (
        "Sent if this is the answer to an earlier request of the same `Idempotency-Key`.",
        {"type": "string", "const": "true"},
    ),
    "X-Request-Id": (
        "Finds the request in the log: the caller's own, or a new one.",
        {"type": "string", "minLength": 1, "maxLength": 64, "pattern": REQUEST_ID},
    ),
    "Retry-After": ("Seconds to wait before trying again.", {"type": "integer", "minimum": 1, "maximum": 3600}),
    "WWW-Authenticate": ("How to authenticate.", {"type": "string", "const": "Bearer"}),
    "Allow": (
        "The methods that the path takes, separated by commas.",
        {"type": "string", "minLength": 3, "maxLength": 100, "pattern": "^[A-Z]+(, [A-Z]+)*$"},
    ),
    "Cache-Control": (
        "What may be kept: nothing that a token shows.",
        {"type": "string", "enum": ["no-cache", "no-store"]},
    ),
    "X-Accel-Buffering": (
        "Tells a proxy to pass on every message at once.",
        {"type": "string", "const": "no"},
    ),
    "RateLimit": (
        "What is left of each limit, if there are limits.",
        {"type": "string", "minLength": 1, "maxLength": 1000},
    ),
    "RateLimit-Policy": (
        "The limits themselves, if there are any.",
        {"type": "string", "minLength": 1, "maxLength": 1000},
    ),
}
"""The headers of answers: what each says, and its schema."""

LIMITS: Final = ("RateLimit", "RateLimit-Policy")

SOMETIMES: Final = frozenset({"Idempotent-Replayed", *LIMITS})
"""The headers that not every answer has which may have them."""

HEADERS_OF_PROBLEM: Final[Mapping[int, Sequence[str]]] = {
    401: ["WWW-Authenticate"],
    405: ["Allow"],
    429: ["Retry-After"],
    503: ["Retry-After"],
}

IDEMPOTENCY_KEY: Final = 255
IF_MATCH: Final = 255

PATH_PARAMETERS: Final[Sequence[Mapping[str, Any]]] = (
    {
        "in": "path",
        "name": "game_id",
        "required": True,
        "description": "The game's id.",
        "schema": {"type": "string", "pattern": ID, "minLength": ID_LENGTH, "maxLength": ID_LENGTH},
    },
    {
        "in": "path",
        "name": "variant",
        "required": True,
        "description": "The variant's name, as in the list of variants.",
        "schema": {"type": "string", "enum": [*GAMES]},
    },
)

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
        "schema": {"type": "string"},
    },
    "LastEventId": {
        "in": "header",
        "name": "Last-Event-ID",
        "description": "The last version that was seen: only what came after it is sent. A browser sends it by itself.",
        "schema": {"type": "integer", "minimum": 0, "maximum": MAX_VERSION},
    },
    "RequestId": {
        "in": "header",
        "name": "X-Request-Id",
        "description": (
            "A name for this request in the log, given back in the answer: 1 to 64 letters, digits, dots, dashes and "
            "underscores. Anything else is replaced, never refused."
        ),
        "schema": {"type": "string"},
    },
}


class _Converter(OpenAPIConverter):
    """Documents our own fields and unions, and takes each schema's docstring as its description."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.field_mapping = {**self.field_mapping, Int: ("integer", None), Flag: ("boolean", None)}

    def field2property(self, field: Any) -> dict[str, Any]:
        document: dict[str, Any] = super().field2property(field)
        if isinstance(field, Const):
            type_ = {str: "string", int: "integer", bool: "boolean"}[type(field.value)]
            document |= {"type": type_, "const": field.value}
        if isinstance(field, Actor):
            document |= {"$ref": "#/components/schemas/Actor"}
        return document

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
        """What calls share: parameters, headers, and every problem as a response with its headers."""
        components = self.spec.components
        components.schema("Actor", ACTOR)
        components.schema("StreamEnd", schema=StreamEnd)
        for name, (description, schema) in HEADERS.items():
            required = name not in SOMETIMES
            components.header(_camel(name), {"description": description, "required": required, "schema": schema})
        for name, parameter in PARAMETERS.items():
            components.parameter(name, parameter["in"], dict(parameter), lazy=True)
        for name, kind in PROBLEMS.items():
            document = {
                "description": kind.description,
                "headers": headers("X-Request-Id", "Cache-Control", *LIMITS, *HEADERS_OF_PROBLEM.get(kind.status, ())),
                "content": {CONTENT_TYPE: {"schema": kind.schema}},
            }
            components.response(name, document, lazy=True)

    def _register_etag_headers(self) -> None:
        """None of flask-smorest's own: ours are above."""

    def _register_pagination_header(self) -> None:
        """None: pages are in the body."""

    def _register_error_handlers(self) -> None:
        """None: the application has its own."""


def _class_of(schema: Any) -> type[Schema]:
    return schema if isinstance(schema, type) else type(schema)


def _camel(header: str) -> str:
    return header.replace("-", "")


def headers(*names: str) -> dict[str, Any]:
    """References to the headers of an answer."""
    return {name: {"$ref": f"#/components/headers/{_camel(name)}"} for name in names}


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """Calls that read and document themselves alike."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._prepare_doc_cbks.append(_name_parameters)
        self._undescribed: list[Callable[[], None]] = []
        """Calls that the contract has not been told of yet: it takes longer than all the rest of a start."""

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
        problems: Iterable[str] = (),
        bearer: Literal["none", "optional", "required"] = "none",
        content_type: str | None = None,
        limited: bool = True,
        links: Mapping[int, Mapping[str, Any]] | None = None,
    ) -> Callable[[View], View]:
        """Register a view. It is given the body, then the query, then the parameters of its path.

        `takes`, `sends` and `problems` name what it reads, answers with and fails with: parameters of `PARAMETERS`,
        `HEADERS`, and problems of the catalogue. `content_type` is that of the answers, if it is not JSON; a call that
        is not `limited` is for those who operate the service. Its docstring is what the contract says of it.
        """
        named = ["MethodNotAllowed", "InternalError", *problems, *(_PROBLEMS_OF_BODIES if body else ())]
        named += ["TooManyRequests"] if limited else []
        failures = {PROBLEMS[name].status: name for name in ("InvalidRequest", *named)}

        def describe(view: View) -> None:
            # What decorates the view is read for the contract, and never called.
            if query:
                view = self.arguments(query(), location="query")(view)
            if body:
                view = self.arguments(body(), description=f"JSON of at most {MAX_BODY} bytes.")(view)
            for status, (schema, description) in answers.items():
                sent = {200: sends, 201: sends, 304: ("ETag",)}.get(status, ())
                kept = () if schema is None or content_type else ("Cache-Control",)
                view = self.alt_response(
                    status,
                    schema=schema,
                    description=description,
                    headers=headers("X-Request-Id", *kept, *sent, *(LIMITS if limited else ())),
                    content_type=content_type,
                    success=True,
                )(view)
            for status, name in sorted(failures.items()):
                view = self.alt_response(status, name)(view)
            document: dict[str, Any] = {"operationId": operation_id, "security": _SECURITY[bearer]}
            if links:
                document["responses"] = {status: {"links": each} for status, each in links.items()}
            view = self.doc(**document)(view)
            in_path = [dict(parameter) for parameter in PATH_PARAMETERS if f":{parameter['name']}>" in rule]
            view._apidoc["takes"] = [*takes, "RequestId"]  # type: ignore[attr-defined]
            self._store_endpoint_docs(operation_id, view, in_path, None, methods=[method])

        def register(view: View) -> View:
            flask.Blueprint.add_url_rule(self, rule, operation_id, _reading(view, body, query), methods=[method])
            self._undescribed.append(partial(describe, view))
            return view

        return register

    def describe(self, api: Api) -> None:
        """Tell the contract of every call."""
        while self._undescribed:
            self._undescribed.pop(0)()
        self.register_views_in_doc(api, api._app, api.spec, name=self.name, parameters=None)
        api.spec.tag({"name": self.name, "description": self.description})


_PROBLEMS_OF_BODIES: Final = ("NotJson", "TooLarge", "NotSaidToBeJson")
_SECURITY: Final[Mapping[str, list[Any]]] = {"none": [], "optional": [{}, {"token": []}], "required": [{"token": []}]}


def _name_parameters(document: dict[str, Any], known: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the parameters that a call shares with others to those of its query."""
    document.setdefault("parameters", []).extend(known["takes"])
    return document


# Examples --------------------------------------------------------------------------------------------------------


def add_examples(document: dict[str, Any]) -> None:
    """Put the recorded examples where they belong: to the requests and answers of calls, and to problems.

    They are what the service was asked and answered when it was last recorded (`tests/contract/examples.py`).
    """
    examples_of = msgspec.json.decode((files("service.api") / "examples.json").read_bytes())
    for item in document["paths"].values():
        for operation in (part for part in item.values() if "operationId" in part):
            recorded = examples_of["operations"].get(operation["operationId"], {})
            if "request" in recorded:
                operation["requestBody"]["content"]["application/json"]["examples"] = recorded["request"]
            for status, examples in recorded.get("responses", {}).items():
                for content in operation["responses"][status]["content"].values():
                    content["examples"] = examples
    for name, problem in document["components"]["responses"].items():
        if name in examples_of["problems"]:
            problem["content"][CONTENT_TYPE]["examples"] = examples_of["problems"][name]
