"""The applications that `launch.py` serves. gunicorn imports this module in its workers."""

from flask import Flask
from lostcities import wsgi
from lostcities.config import Settings

from tests.bench.baseline import create_baseline


def service() -> Flask:
    """The service."""
    return wsgi.application()


def baseline() -> Flask:
    """The bare stack."""
    return create_baseline(Settings.from_environment())
