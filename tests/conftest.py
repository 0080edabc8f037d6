"""Fixtures of all tests: the real application on a real Valkey server."""

import os
from collections.abc import Iterator
from pathlib import Path

import lostcities
import pytest
import redis
from flask import Flask
from lostcities.app import create_app
from lostcities.config import Settings
from lostcities.store.embedded import EmbeddedStore
from lostcities.variants.registry import VARIANTS

from tests.client import Answer, Client
from tests.contract import conforms

# For processes that tests start from a source tree. An installed package does not need it.
os.environ["PYTHONPATH"] = os.pathsep.join(
    dict.fromkeys([str(Path(lostcities.__file__).parents[1]), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
)

conforms.watch()

NO_BROWSER = "NOT TESTED IN A BROWSER: chromium is not installed"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print a warning at the end if browser tests were skipped."""
    skipped = [report for report in terminalreporter.getreports("skipped") if NO_BROWSER in str(report.longrepr)]
    if skipped:
        line = f"{NO_BROWSER}, so {len(skipped)} tests were skipped. Install it: apt-get install chromium"
        terminalreporter.write_line(line, red=True, bold=True)


@pytest.fixture(autouse=True)
def _report_contract_violations() -> Iterator[None]:
    """Fail a test if a response during it violated the contract."""
    yield
    conforms.report()


@pytest.fixture(scope="session")
def store_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Valkey server for this session."""
    store = EmbeddedStore(tmp_path_factory.mktemp("store"))
    store.start()
    yield store.url
    store.stop()


@pytest.fixture
def valkey(store_url: str) -> Iterator["redis.Redis"]:
    """A client of the store, to inspect its keys."""
    with redis.Redis.from_url(store_url) as client:
        yield client


@pytest.fixture(scope="session")
def app(store_url: str) -> Flask:
    # No rate limits and a long timeout, because tests send many requests on a busy machine. Both have separate tests.
    return create_app(Settings(redis_url=store_url, redis_timeout=20_000, rate_limits=None))


@pytest.fixture
def few_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Experts that decide quickly, for tests in which their strength does not matter."""
    for variant in VARIANTS.values():
        if variant.heuristic:
            monkeypatch.setattr(variant, "heuristic", variant.heuristic._replace(playouts=8))


def client_of(app: Flask) -> Client:
    """A client of the application in process."""
    client = app.test_client(use_cookies=False)

    def send(method: str, path: str, headers: dict[str, str], data: bytes | None) -> Answer:
        response = client.open(path, method=method, headers=headers, data=data)
        return Answer(response.status_code, dict(response.headers), response.data)

    return Client(send)


@pytest.fixture(scope="session")
def api(app: Flask) -> Client:
    return client_of(app)


collect_ignore = ["fifth_game/schema.py"]
"""Importing it needs its game registered, as `tests.fifth_game` does."""
