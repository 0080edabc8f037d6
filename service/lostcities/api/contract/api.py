"""flask-smorest's `Api` with this API's problems, shared components and examples."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import flask_smorest
import msgspec
from flask import Flask, Response
from werkzeug.exceptions import HTTPException

from lostcities.api.contract.converter import Plugin, published_name
from lostcities.api.contract.examples import add_examples, operations
from lostcities.api.contract.headers import (
    HEADERS,
    HEADERS_OF_PROBLEM,
    JSON_HEADERS,
    LANGUAGE_HEADERS,
    LIMIT_HEADERS,
    OPTIONAL_HEADERS,
    PARAMETERS,
    component_of,
    headers,
)
from lostcities.api.contract.meanings import Meanings, meanings, sentence
from lostcities.api.errors import CONTENT_TYPE, response_to
from lostcities.api.games.schemas import ACTOR, PLAYER_NAME, STREAM_MESSAGE, OptionsView, StreamEnd, StreamEvent
from lostcities.api.problems.responses import RESPONSES
from lostcities.api.problems.schemas import Problem
from lostcities.variants.registry import VARIANTS

SECURITY_SCHEME: Final = "bearerToken"
SECURITY_DESCRIPTION: Final = (
    "A token of the game: the host's or a seat's. `POST /games` returns them. Send one as `Authorization: Bearer` and "
    "the token. `POST /games` itself takes a key of the service in the same way, which the operator of the service "
    "gives out. A service without configured keys ignores it."
)
OPTIONAL_SECURITY: Final[list[dict[str, list[str]]]] = [{}, {SECURITY_SCHEME: []}]
"""The security of the whole contract. An operation repeats it only where it differs: openapi-python-client demands a
token for every operation with a security of its own, also where one of the alternatives is none."""


class Api(flask_smorest.Api):  # type: ignore[misc]
    """flask-smorest's API object with our problems, shared components and examples."""

    DEFAULT_ERROR_RESPONSE_NAME = None  # a catch-all response would make every status conform

    def __init__(self, app: Flask) -> None:
        plugin = Plugin(schema_name_resolver=published_name)
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
            components.header(component_of(name), {"description": description, "required": required, "schema": schema})
        for name, parameter in PARAMETERS.items():
            components.parameter(name, parameter["in"], dict(parameter), lazy=True)
        for name, response in RESPONSES.items():
            document = {
                "description": response.description,
                "x-problem-codes": sorted(response.codes),
                "headers": headers(
                    *JSON_HEADERS, *LANGUAGE_HEADERS, *HEADERS_OF_PROBLEM.get(response.status, ()), *LIMIT_HEADERS
                ),
                "content": {CONTENT_TYPE: {"schema": Problem}},
            }
            components.response(name, document, lazy=True)

    def document(self) -> dict[str, Any]:
        """The OpenAPI document with its examples."""
        document: dict[str, Any] = self.spec.to_dict()
        # flask-smorest registers this schema for a pagination header that no operation has.
        document["components"]["schemas"].pop("PaginationMetadataSchema")
        for operation in operations(document):
            operation["summary"] = operation["summary"].rstrip(".")
            if "429" in operation["responses"]:
                _add_limit_headers(operation)
        _describe_defaults(document)
        _add_meanings(document["components"]["schemas"], {frozenset(each): each for each in meanings()})
        add_examples(document)
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
        properties = schemas[variant.schema.of(OptionsView).__name__]["properties"]
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
