"""flask-smorest's `Blueprint` with this API's parser, and shorthands for what many calls document alike."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal

import flask_smorest
from marshmallow import Schema

from lostcities.api.contract.api import SECURITY_SCHEME
from lostcities.api.contract.headers import BINARY_HEADERS, JSON_HEADERS, PATH_PARAMETERS
from lostcities.api.contract.headers import headers as references
from lostcities.api.fields import MAX_BODY, RECORD_EVENT_BYTES
from lostcities.api.games.queries import NoParameters
from lostcities.api.parser import RequestParser
from lostcities.api.problems.responses import RESPONSES
from lostcities.api.schemas import TakesRecord

View = Callable[..., Any]


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

        `headers` are names of `PARAMETERS`, `problems` names of `RESPONSES`. Operations for the service's
        operators are not limited.
        """
        names = ["InvalidRequest", "MethodNotAllowed", "InternalError", *problems]
        names += ["TooManyRequests"] if is_limited else []
        responses: dict[int, Any] = {RESPONSES[name].status: name for name in names}
        responses |= {status: {"links": each} for status, each in (links or {}).items()}
        decorator: Callable[[View], View] = self.doc(
            operationId=operation_id,
            responses=responses,
            **_SECURITY[bearer],
            **{_HEADER_PARAMETERS: [*headers, "RequestId"]},
        )
        return decorator

    def answer(
        self, schema: Any, description: str, *extra: str, status: int = 200, content_type: str = ""
    ) -> Callable[[View], View]:
        """Document the response of a successful request.

        :param extra: the headers that it has beside those of every response, or of every response with JSON
        :param content_type: of a response that is not JSON
        """
        about = {"content_type": content_type} if content_type else {}
        common = BINARY_HEADERS if content_type or schema is None else JSON_HEADERS
        decorator: Callable[[View], View] = self.response(
            status, schema, description=description, headers=references(*common, *extra), **about
        )
        return decorator

    def not_modified(self, description: str, *headers: str) -> Callable[[View], View]:
        """Document the response to a request whose `If-None-Match` names the current ETag."""
        decorator: Callable[[View], View] = self.alt_response(
            304, description=description, headers=references("ETag", *headers, *BINARY_HEADERS), success=True
        )
        return decorator

    def body(self, schema: type[Schema]) -> Callable[[View], View]:
        """Read the body by a schema, and document the problems of every body."""
        limit = f"JSON of at most {MAX_BODY} bytes."
        if issubclass(schema, TakesRecord):
            limit += f" With a record {RECORD_EVENT_BYTES} bytes more for each of `MAX_EVENTS` events."
        problems = self.doc(responses={RESPONSES[name].status: name for name in _PROBLEMS_OF_BODIES})
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
