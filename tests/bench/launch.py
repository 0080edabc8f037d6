"""gunicorn with the deployed settings, but for the workers' age: none is replaced in the middle of a round.

`python -m tests.bench.launch APP [CHANGES]`: APP is `deployed`, which is what `lostcities serve` serves, or `baseline`
or `service` on a store that is there; for these CHANGES are settings of gunicorn that differ, as a JSON object.
"""

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Flask
from gunicorn.app.base import BaseApplication

from service import serve
from service.app import create_app
from service.config import Settings
from service.live.worker import RelayWorker
from tests.bench.baseline import create_baseline

APPS: Final[Mapping[str, Callable[[Settings], Flask]]] = {"baseline": create_baseline, "service": create_app}
CHANGES: Final[Mapping[str, Mapping[str, Any]]] = {
    # The service's own worker, without what only the service needs of it.
    "baseline": {"worker_class": RelayWorker},
    "service": {},
}


class Server(BaseApplication):  # type: ignore[misc]
    """gunicorn with its settings from here."""

    def __init__(self, app: str, changes: Mapping[str, Any]) -> None:
        self._app = app
        self._changes = changes
        self._settings = Settings.from_environment()
        super().__init__()

    def load_config(self) -> None:
        for name, value in {**serve.configuration(self._settings), **CHANGES[self._app], **self._changes}.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        return APPS[self._app](self._settings)


def main(app: str, changes: str = "{}") -> None:
    """Serve until stopped."""
    serve.WORKER_REQUESTS = 0  # type: ignore[misc]
    if app == "deployed":
        serve.serve(Settings.from_environment())
    else:
        Server(app, json.loads(changes)).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
