"""The application as a WSGI server loads it: `lostcities.wsgi:application()`. Needs a server that runs gevent.

gunicorn imports this module in a worker, after gevent has patched the standard library.
"""

from flask import Flask

from lostcities.app import create_app
from lostcities.client_timeouts import limit_clients
from lostcities.config import BadSetting, Settings
from lostcities.observability.metrics import share


def application() -> Flask:
    """The application with the settings of the environment. Raises `BadSetting`."""
    settings = Settings.from_environment()
    if settings.redis_url is None:
        raise BadSetting("REDIS_URL must be set: only `lostcities serve` starts a store of its own")
    share()
    app = create_app(settings)
    limit_clients(app)
    return app
