"""Flask, without asking for every request what is the same for all of them.

No view and no hook is a coroutine, nobody listens to signals, there are no sessions, no hook belongs to a single
blueprint, and nearly all that views and handlers of errors return is ready to be sent.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final

from flask import Flask, Request
from flask.sessions import NullSession, SessionInterface, SessionMixin
from werkzeug.routing import Map, MapAdapter, Rule

from service.api.answers import Answer

_PARAMETER: Final = "<string:"


class _Place:
    """Where a path has got to, part by part."""

    __slots__ = ("parameter", "rules", "words")

    def __init__(self) -> None:
        self.words: dict[str, _Place] = {}
        """Where it goes on from here with a word that some call has,"""
        self.parameter: _Place | None = None
        """and with any other."""
        self.rules: dict[str, tuple[Rule, list[str]]] = {}
        """By method: whose path ends here, and what its parameters are called."""


class Routes:
    """Finds a call by the parts of its path: werkzeug does too, but at a tenth of a request's cost.

    What is not found here may still be there: for werkzeug to find, or to refuse.

    >>> routes = Routes(Map([Rule("/games/<string:game_id>/moves", endpoint="list", methods=["GET"])]))
    >>> rule, parameters = routes.find("GET", "/games/7/moves")
    >>> rule.endpoint, parameters
    ('list', {'game_id': '7'})
    >>> routes.find("PUT", "/games/7/moves"), routes.find("GET", "/games//moves"), routes.find("GET", "/games/7/moves/")
    (None, None, None)
    """

    def __init__(self, rules: Map) -> None:
        self._root = _Place()
        for rule in rules.iter_rules():
            self._add(rule)

    def _add(self, rule: Rule) -> None:
        place, names = self._root, []
        for part in rule.rule[1:].split("/"):
            if part.startswith(_PARAMETER):
                names.append(part[len(_PARAMETER) : -1])
                place.parameter = place = place.parameter or _Place()
            elif "<" in part:
                return
            else:
                place = place.words.setdefault(part, _Place())
        # Which methods a path takes is told by werkzeug.
        for method in (rule.methods or set()) - {"OPTIONS"}:
            place.rules[method] = rule, names

    def find(self, method: str, path: str) -> tuple[Rule, dict[str, str]] | None:
        """The call's rule, and its parameters."""
        place, given = self._root, []
        for part in path[1:].split("/"):
            below = place.words.get(part)
            if below is None:
                below = place.parameter
                if below is None or not part:
                    return None
                given.append(part)
            place = below
        found = place.rules.get(method)
        return (found[0], dict(zip(found[1], given, strict=True))) if found else None


class _NoSessions(SessionInterface):
    """Nobody has a session: there are no cookies."""

    _NONE: Final = NullSession()

    def open_session(self, app: Flask, request: Request) -> SessionMixin:
        """The one that stands for none."""
        del app, request
        return self._NONE


class Lean(Flask):
    """Flask on a diet."""

    session_interface = _NoSessions()

    @cached_property
    def routes(self) -> Routes:
        """Of all calls: none is added after the first request."""
        return Routes(self.url_map)

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """What finds the call of a request, unless it is found already."""
        if request is None:
            return None
        environ = request.environ
        path: str = environ["PATH_INFO"]
        if path.isascii() and path.startswith("/"):
            found = self.routes.find(environ["REQUEST_METHOD"], path)
            if found:
                request.url_rule, request.view_args = found
                return None
        return super().create_url_adapter(request)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself."""
        return func

    def full_dispatch_request(self) -> Any:
        """The answer to a request, errors included."""
        self._got_first_request = True
        try:
            answer = self.preprocess_request()
            if answer is None:
                answer = self.dispatch_request()
        except Exception as error:
            answer = self.handle_user_exception(error)
        return self.process_response(self.make_response(answer))

    def make_response(self, rv: Any) -> Any:
        """What can be sent."""
        return rv if isinstance(rv, Answer) else super().make_response(rv)

    def preprocess_request(self) -> Any:
        """The first answer of a hook, if one has any."""
        for hook in self.before_request_funcs.get(None, ()):
            if (answer := hook()) is not None:
                return answer
        return None

    def process_response(self, response: Any) -> Any:
        """The response as the hooks leave it."""
        for hook in reversed(self.after_request_funcs.get(None, [])):
            response = hook(response)
        return response

    def do_teardown_request(self, exc: BaseException | None = None) -> None:
        """Tell the hooks that the request is over."""
        for hook in reversed(self.teardown_request_funcs.get(None, [])):
            hook(exc)
