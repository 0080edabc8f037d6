"""flask-smorest with this API's policy: one `Api` and one `Blueprint` subclass, and what operations share."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, Final, Literal

import flask_smorest
import msgspec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask, Response
from marshmallow import Schema
from werkzeug.exceptions import HTTPException

from lostcities.api.parser import RequestParser
from lostcities.api.problem_types import MAX_BODY, PROBLEMS, RECORD_EVENT_BYTES, REQUEST_ID, Problem
from lostcities.api.problems import CONTENT_TYPE, response_to
from lostcities.api.schemas.fields import EXTENSIBLE, Choice, Const, Enumeration, Flag, Int, Shared, TakesRecord
from lostcities.api.schemas.meanings import Meanings, meanings, sentence
from lostcities.api.schemas.messages import (
    ACTOR,
    ETAG,
    ID,
    MAX_VERSION,
    PLAYER_NAME,
    STREAM_MESSAGE,
    Actor,
    NoParameters,
    Player,
    StreamEnd,
    StreamEvent,
    Union,
)
from lostcities.games.service import ID_LENGTH
from lostcities.variants.registry import VARIANTS

View = Callable[..., Any]

_LIMIT: Final = '"[a-z0-9-]+";{0}=[0-9]+;{1}=[0-9]+'
_LIST_OF_LIMITS: Final = f"^{_LIMIT}(, {_LIMIT})*$"

HEADERS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "ETag": (
        "Identifies the version and the view of the response, for `If-Match` and `If-None-Match`.",
        {"type": "string", "minLength": 3, "maxLength": 40, "pattern": ETAG, "examples": ['"7-s0"']},
    ),
    "Location": (
        "The path of the new game.",
        {
            "type": "string",
            "minLength": 7,
            "maxLength": 40,
            "pattern": ID.replace("^", "^/games/"),
            "examples": ["/games/ab2cd3ef4gh5ij6k"],
        },
    ),
    "Idempotent-Replayed": (
        "Sent if this response repeats the one to an earlier request with the same `Idempotency-Key`.",
        {"type": "string", "const": "true", "examples": ["true"]},
    ),
    "X-Request-Id": (
        "The id of the request in the service's log: the caller's own, or a new one.",
        {
            "type": "string",
            "minLength": 1,
            "maxLength": 64,
            "pattern": REQUEST_ID,
            "examples": ["0d9c2b1e6f0a4f7e9d2a3c5b7a9e1f00"],
        },
    ),
    "API-Version": (
        "The version of the service's contract, as `info.version` in `/openapi.json`.",
        {
            "type": "string",
            "minLength": 5,
            "maxLength": 20,
            "pattern": r"^[0-9]+\.[0-9]+\.[0-9]+$",
            "examples": ["1.0.0"],
        },
    ),
    "Retry-After": (
        "Seconds to wait before the request is sent again.",
        {"type": "integer", "minimum": 1, "maximum": 3600, "examples": [1]},
    ),
    "RateLimit": (
        "What is left of each rate limit that was counted: `r` of its quota, and the seconds `t` until its window ends "
        "or, if nothing is left, until the call is allowed again.",
        {
            "type": "string",
            "minLength": 9,
            "maxLength": 400,
            "pattern": _LIST_OF_LIMITS.format("r", "t"),
            "examples": ['"creation-minute";r=59;t=60, "creation-day";r=1999;t=86400'],
        },
    ),
    "RateLimit-Policy": (
        "Each rate limit that was counted: a quota `q` for a window of `w` seconds.",
        {
            "type": "string",
            "minLength": 9,
            "maxLength": 400,
            "pattern": _LIST_OF_LIMITS.format("q", "w"),
            "examples": ['"creation-minute";q=60;w=60, "creation-day";q=2000;w=86400'],
        },
    ),
    "WWW-Authenticate": (
        "The authentication scheme: a bearer token.",
        {"type": "string", "const": "Bearer", "examples": ["Bearer"]},
    ),
    "Allow": (
        "The methods that the path supports, separated by commas.",
        {
            "type": "string",
            "minLength": 3,
            "maxLength": 100,
            "pattern": "^[A-Z]+(, [A-Z]+)*$",
            "examples": ["GET, HEAD, OPTIONS"],
        },
    ),
    "Cache-Control": (
        "`no-store` for what a token gives access to, otherwise `no-cache`.",
        {"type": "string", "enum": ["no-cache", "no-store"], "examples": ["no-store"]},
    ),
    "X-Accel-Buffering": (
        "Tells a proxy not to buffer the stream.",
        {"type": "string", "const": "no", "examples": ["no"]},
    ),
}
"""Description and schema of each response header."""

BINARY_HEADERS: Final = ("X-Request-Id", "API-Version")
"""The headers of every response,"""
JSON_HEADERS: Final = (*BINARY_HEADERS, "Cache-Control")
"""and of those with a JSON body."""

LIMIT_HEADERS: Final = ("RateLimit", "RateLimit-Policy")
"""The headers of a response whose request was counted against a rate limit."""

OPTIONAL_HEADERS: Final = frozenset({"Idempotent-Replayed", *LIMIT_HEADERS})
"""Headers that an operation may send and sometimes does not."""

HEADERS_OF_PROBLEM: Final[Mapping[int, Sequence[str]]] = {
    401: ["WWW-Authenticate"],
    405: ["Allow"],
    429: ["Retry-After"],
    503: ["Retry-After"],
}

SECURITY_SCHEME: Final = "bearerToken"
SECURITY_DESCRIPTION: Final = (
    "A token of the game: the host's or a seat's. `POST /games` returns them. Send one as `Authorization: Bearer` and "
    "the token. `POST /games` itself takes a key of the service in the same way, which the operator of the service "
    "gives out. A service without configured keys ignores it."
)
OPTIONAL_SECURITY: Final[list[dict[str, list[str]]]] = [{}, {SECURITY_SCHEME: []}]
"""The security of the whole contract. An operation repeats it only where it differs: openapi-python-client demands a
token for every operation with a security of its own, also where one of the alternatives is none."""

IDEMPOTENCY_KEY: Final = 255
CREATION_KEY: Final = 16
"""The fewest characters of a key for a creation."""
IF_MATCH: Final = 255

PATH_PARAMETERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "code": {
        "in": "path",
        "name": "code",
        "required": True,
        "description": "The code of a problem, as its member `code` has it and `GET /problems` lists it.",
        "example": "stale",
        "schema": {"type": "string", "pattern": "^[a-z0-9-]+$", "minLength": 1, "maxLength": EXTENSIBLE},
    },
    "game_id": {
        "in": "path",
        "name": "game_id",
        "required": True,
        "description": "The id of the game, as `POST /games` returned it.",
        "example": "ab2cd3ef4gh5ij6k",
        "schema": {"type": "string", "pattern": ID, "minLength": ID_LENGTH, "maxLength": ID_LENGTH},
    },
    "variant": {
        "in": "path",
        "name": "variant",
        "required": True,
        "description": "The name of the variant, as `GET /variants` lists it.",
        "example": "duel",
        "schema": {
            "type": "string",
            "pattern": "^[a-z0-9-]+$",
            "minLength": 1,
            "maxLength": EXTENSIBLE,
            "x-extensible-enum": [*VARIANTS],  # no `enum`: what `GET /variants` lists fits in a typed client
            "example": next(iter(VARIANTS)),
        },
    },
}

PARAMETERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "IdempotencyKey": {
        "in": "header",
        "name": "Idempotency-Key",
        "description": (
            "Makes a retry safe: a request with the same key, query and body is carried out once and gets the same "
            "response. Use a new UUID for each move."
        ),
        "schema": {"type": "string", "minLength": 1, "maxLength": IDEMPOTENCY_KEY, "pattern": "^[!-~]+$"},
    },
    "CreationKey": {
        "in": "header",
        "name": "Idempotency-Key",
        "description": (
            "Makes a retry safe for 24 hours: the same key, query and body give the same answer, tokens included. Use "
            "a new random UUID for each game. On a service without API keys the key is the only secret: a client that "
            "knows it and repeats the body gets the tokens."
        ),
        "schema": {
            "type": "string",
            "minLength": CREATION_KEY,
            "maxLength": IDEMPOTENCY_KEY,
            "pattern": "^[!-~]+$",
        },
    },
    "IfMatch": {
        "in": "header",
        "name": "If-Match",
        "description": (
            "An ETag of the game, or its version in quotation marks, which every ETag begins with. The request is "
            "refused with 412 if the seat was asked to decide after that version."
        ),
        "example": '"7-s0"',
        "schema": {"type": "string", "maxLength": IF_MATCH},
    },
    "IfNoneMatch": {
        "in": "header",
        "name": "If-None-Match",
        "description": "ETags of responses that the caller has. If one of them is still current the response is 304.",
        "example": '"7-s0"',
        "schema": {"type": "string"},
    },
    "LastEventId": {
        "in": "header",
        "name": "Last-Event-ID",
        "description": (
            "The last version that the caller has received: only later events are sent. `EventSource` sends it."
        ),
        "example": 7,
        "schema": {"type": "integer", "minimum": 0, "maximum": MAX_VERSION},
    },
    "RequestId": {
        "in": "header",
        "name": "X-Request-Id",
        "description": (
            "An id for this request in the service's log, repeated in the response: 1 to 64 letters, digits, dots, "
            "dashes and underscores. Any other value is replaced by a new id."
        ),
        "example": "bot-1.decision-7",
        "schema": {"type": "string"},
    },
}
"""The header parameters that operations share.

The keys have no example: a page would prefill it, and clients that share a key share the game that it creates.
"""


class _Converter(OpenAPIConverter):
    """Documents our own fields and unions, and takes each schema's docstring as its description."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.field_mapping = {**self.field_mapping, Int: ("integer", None), Flag: ("boolean", None)}

    def field2property(self, field: Any) -> dict[str, Any]:
        document: dict[str, Any] = super().field2property(field)
        if isinstance(field, Const):
            document |= {"type": "string", "const": field.value}
        if isinstance(field, (Choice, Const)) and field.enumeration:
            named = self.reference_to(field.enumeration)
            said = {"description": field.metadata["description"]}
            document = said | ({"anyOf": [named, {"type": "null"}]} if field.allow_none else named)
        if field.allow_none and "pattern" in document:
            # The same for a validator. Code of openapi-generator's `go` would match a nullable text, and always fail.
            document |= {"if": {"type": "string"}, "then": {"pattern": document.pop("pattern")}}
        if "unevaluatedProperties" in field.metadata:  # apispec copies a fixed list of keywords only
            document["unevaluatedProperties"] = field.metadata["unevaluatedProperties"]
        if isinstance(field, Actor):
            document |= {"$ref": "#/components/schemas/Actor"}
        if isinstance(field, Player):
            forms = [{"$ref": "#/components/schemas/PlayerName"}, self.resolve_nested_schema(field.bot)]  # type: ignore[no-untyped-call]
            document |= self.component_of(field.name_of_union, {"description": document["description"], "oneOf": forms})
        return document

    def reference_to(self, enumeration: Enumeration) -> dict[str, str]:
        """A reference to the component of the enumeration."""
        document = {
            "type": "string",
            "description": enumeration.description,
            "enum": [*enumeration.values],
            "x-enum-varnames": enumeration.constants(),
        }
        return self.component_of(enumeration.name, document)

    def component_of(self, name: str, document: dict[str, Any]) -> dict[str, str]:
        """A reference to the component, which is added at its first use."""
        if self.spec.components.schemas.setdefault(name, document) != document:
            raise ValueError(f"the contract has two components with the name {name}")
        return {"$ref": f"#/components/schemas/{name}"}

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        instance = schema() if isinstance(schema, type) else schema
        if isinstance(instance, Union):
            resolve: Callable[[Any], Any] = self.resolve_nested_schema
            references = {value: resolve(member) for value, member in instance.members.items()}
            document: dict[str, Any] = {instance.combined: [*references.values()]}
            if instance.tag:
                mapping = {value: reference["$ref"] for value, reference in references.items()}
                document["discriminator"] = {"propertyName": instance.tag, "mapping": mapping}
        else:
            document = super().schema2jsonschema(schema)  # type: ignore[no-untyped-call]
        if isinstance(instance, Shared):
            del document["additionalProperties"]
        document["description"] = (type(instance).__doc__ or "").strip()
        return document


class _Plugin(MarshmallowPlugin):
    Converter = _Converter


class Api(flask_smorest.Api):  # type: ignore[misc]
    """flask-smorest's API object with our problems, shared components and examples."""

    DEFAULT_ERROR_RESPONSE_NAME = None  # a catch-all response would make every status conform

    def __init__(self, app: Flask) -> None:
        plugin = _Plugin(schema_name_resolver=lambda schema: _class_of(schema).__name__.removesuffix("View"))
        super().__init__(app, spec_kwargs={"marshmallow_plugin": plugin})
        scheme = {"type": "http", "scheme": "bearer", "description": SECURITY_DESCRIPTION}
        self.spec.components.security_scheme(SECURITY_SCHEME, scheme)
        self.spec.options["security"] = OPTIONAL_SECURITY

    def introduce(self, sections: Iterable[tuple[str, str]]) -> None:
        """Add a tag without operations for each section. `x-traitTag` is Redoc's mark for such a tag."""
        for name, text in sections:
            self.spec.tag({"name": name, "description": text, "x-traitTag": True})

    def handle_http_exception(self, error: HTTPException) -> Response:
        """Every error of Flask and werkzeug as a problem."""
        return response_to(error)

    def _register_responses(self) -> None:
        """Register what operations share: parameters, headers, and every problem as a response with its headers."""
        components = self.spec.components
        components.schema("Actor", ACTOR)
        components.schema("PlayerName", PLAYER_NAME)
        components.schema("StreamEvent", schema=StreamEvent)
        components.schema("StreamEnd", schema=StreamEnd)
        components.schema("StreamMessage", STREAM_MESSAGE)
        for name, (description, schema) in HEADERS.items():
            required = name not in OPTIONAL_HEADERS
            components.header(_camel(name), {"description": description, "required": required, "schema": schema})
        for name, parameter in PARAMETERS.items():
            components.parameter(name, parameter["in"], dict(parameter), lazy=True)
        for name, kind in PROBLEMS.items():
            document = {
                "description": kind.description,
                "x-problem-codes": sorted(kind.codes),
                "headers": headers(*JSON_HEADERS, *HEADERS_OF_PROBLEM.get(kind.status, ()), *LIMIT_HEADERS),
                "content": {CONTENT_TYPE: {"schema": Problem}},
            }
            components.response(name, document, lazy=True)

    def document(self) -> dict[str, Any]:
        """The OpenAPI document with its examples."""
        document: dict[str, Any] = self.spec.to_dict()
        # flask-smorest registers this schema for a pagination header that no operation has.
        document["components"]["schemas"].pop("PaginationMetadataSchema")
        for operation in _operations(document):
            operation["summary"] = operation["summary"].rstrip(".")
            if "429" in operation["responses"]:
                _add_limit_headers(operation)
        _describe_defaults(document)
        _add_meanings(document["components"]["schemas"], {frozenset(each): each for each in meanings()})
        _add_examples(document)
        return document


def _class_of(schema: Any) -> type[Schema]:
    return schema if isinstance(schema, type) else type(schema)


def _camel(header: str) -> str:
    return header.replace("-", "")


def headers(*names: str) -> dict[str, Any]:
    """References to the headers of an answer."""
    return {name: {"$ref": f"#/components/headers/{_camel(name)}"} for name in names}


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """flask-smorest's blueprint with our parser and shorthands for what many operations document alike."""

    ARGUMENTS_PARSER = RequestParser()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._prepare_doc_cbks.append(_add_header_parameters)

    def route(self, rule: str, **options: Any) -> Callable[[View], View]:
        """Register a view; the parameters of its path are documented by their names."""
        in_path = [dict(PATH_PARAMETERS[name]) for name in re.findall(r"<string:(\w+)>", rule)]
        decorator: Callable[[View], View] = super().route(rule, parameters=in_path, **options)
        return decorator

    def operation(
        self,
        operation_id: str,
        *,
        bearer: Literal["none", "optional", "required"] = "none",
        headers: Sequence[str] = (),
        problems: Iterable[str] = (),
        links: Mapping[int, Mapping[str, Any]] | None = None,
        is_limited: bool = True,
    ) -> Callable[[View], View]:
        """Document an operation: its id, who may call it, its header parameters, problems and links.

        `headers` are names of `PARAMETERS`, `problems` names of the catalogue. Operations for the service's
        operators are not limited.
        """
        names = ["InvalidRequest", "MethodNotAllowed", "InternalError", *problems]
        names += ["TooManyRequests"] if is_limited else []
        responses: dict[int, Any] = {PROBLEMS[name].status: name for name in names}
        responses |= {status: {"links": each} for status, each in (links or {}).items()}
        decorator: Callable[[View], View] = self.doc(
            operationId=operation_id,
            responses=responses,
            **_SECURITY[bearer],
            **{_HEADER_PARAMETERS: [*headers, "RequestId"]},
        )
        return decorator

    def body(self, schema: type[Schema]) -> Callable[[View], View]:
        """Read the body by a schema, and document the problems of every body."""
        limit = f"JSON of at most {MAX_BODY} bytes."
        if issubclass(schema, TakesRecord):
            limit += f" With a record {RECORD_EVENT_BYTES} bytes more for each of `MAX_EVENTS` events."
        problems = self.doc(responses={PROBLEMS[name].status: name for name in _PROBLEMS_OF_BODIES})
        arguments = self.arguments(schema(), description=limit)
        return lambda view: arguments(problems(view))

    def query(self, schema: type[Schema]) -> Callable[[View], View]:
        """Read the query by a schema."""
        decorator: Callable[[View], View] = self.arguments(schema(), location="query")
        return decorator

    def no_query(self) -> Callable[[View], View]:
        """Refuse every query parameter."""
        decorator: Callable[[View], View] = self.arguments(NoParameters(), location="query", as_kwargs=True)
        return decorator


_HEADER_PARAMETERS: Final = "x-header-parameters"
"""Where `operation` leaves the names of header parameters for `_add_header_parameters`."""
_PROBLEMS_OF_BODIES: Final = ("NotJson", "RequestTimeout", "TooLarge", "NotSaidToBeJson")
_SECURITY: Final[Mapping[str, dict[str, Any]]] = {
    "none": {"security": []},
    "optional": {},
    "required": {"security": [{SECURITY_SCHEME: []}]},
}


def _add_header_parameters(document: dict[str, Any], known: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the header parameters that operations share to those of the query."""
    document.setdefault("parameters", []).extend(known["manual_doc"].pop(_HEADER_PARAMETERS))
    return document


def _add_limit_headers(operation: dict[str, Any]) -> None:
    """Add the headers about rate limits to the successful responses of an operation; problems have them already."""
    for response in operation["responses"].values():
        if "$ref" not in response:
            response["headers"] |= headers(*LIMIT_HEADERS)


def _describe_defaults(document: dict[str, Any]) -> None:
    """Say the defaults of the variants' options, which the rules define, in the descriptions.

    The keyword `default` is not used: openapi-typescript makes each member that has it required.
    """
    schemas = document["components"]["schemas"]
    for name, variant in VARIANTS.items():
        properties = schemas[variant.schema.OPTIONS.__name__]["properties"]
        for option in variant.rules.INFO.options:
            is_long = isinstance(option.default, Mapping)
            value = f"in `GET /variants/{name}`" if is_long else f"`{msgspec.json.encode(option.default).decode()}`"
            properties[option.name]["description"] += f" The default is {value}."


def _add_meanings(part: Any, known: Mapping[frozenset[str], Meanings]) -> None:
    """Add to the description of each list of values what they mean."""
    if isinstance(part, dict):
        values = part.get("enum", part.get("x-extensible-enum"))
        if isinstance(values, list) and "description" in part:
            table = known.get(frozenset(values) - {None})
            part["description"] += f" {sentence(table)}" if table else ""
        part = [*part.values()]
    if isinstance(part, list):
        for below in part:
            _add_meanings(below, known)


# Examples --------------------------------------------------------------------------------------------------------


def _add_examples(document: dict[str, Any]) -> None:
    """Put the recorded examples where they belong: to the requests and answers of calls, and to problems.

    They are what the service was asked and answered when it was last recorded (`tests/contract/examples.py`).
    """
    examples_of = msgspec.json.decode((files("lostcities.api") / "examples.json").read_bytes())
    for operation in _operations(document):
        recorded = examples_of["operations"].get(operation["operationId"], {})
        if "request" in recorded:
            operation["requestBody"]["content"]["application/json"]["examples"] = recorded["request"]
        for status, examples in recorded.get("responses", {}).items():
            for content in operation["responses"][status]["content"].values():
                content["examples"] = examples
    for name, problem in document["components"]["responses"].items():
        if name in examples_of["problems"]:
            problem["content"][CONTENT_TYPE]["examples"] = examples_of["problems"][name]
    _share_examples(document)


def _share_examples(document: dict[str, Any]) -> None:
    """Replace examples with the same value by references to one of them."""
    places: dict[bytes, list[tuple[dict[str, Any], str, str]]] = {}
    for body_name, media in _media_with_examples(document):
        for name, example in media["examples"].items():
            value = msgspec.json.encode(example["value"], order="sorted")
            places.setdefault(value, []).append((media["examples"], name, f"{body_name}-{name}"))
    shared = document["components"]["examples"] = {}
    for same in places.values():
        if len(same) > 1:
            examples, name, shared_name = same[0]
            shared[shared_name] = examples[name]
            for each, its_name, _ in same:
                each[its_name] = {"$ref": f"#/components/examples/{shared_name}"}


def _media_with_examples(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The bodies of all operations that have examples, each with a name: the operation, and a response's status."""
    for operation in _operations(document):
        name = operation["operationId"]
        bodies = {name: operation.get("requestBody", {})}
        bodies |= {f"{name}-{status}": response for status, response in operation["responses"].items()}
        for body_name, body in bodies.items():
            for media in body.get("content", {}).values():
                if "examples" in media:
                    yield body_name, media


def _operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for item in document["paths"].values():
        yield from (part for part in item.values() if "operationId" in part)
