"""What the tests run on: the real application on a real Valkey."""

from collections.abc import Iterator

import pytest
import redis
from flask import Flask

from service.app import create_app
from service.config import Settings
from service.store.embedded import EmbeddedStore
from tests.client import Answer, Client
from tests.contract import conforms

conforms.watch()

NO_BROWSER = "NOT TESTED IN A BROWSER: there is no chromium here"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What could not be tested here is the last thing that is read."""
    skipped = [report for report in terminalreporter.getreports("skipped") if NO_BROWSER in str(report.longrepr)]
    if skipped:
        line = f"{NO_BROWSER}, so {len(skipped)} tests were skipped. Install it: apt-get install chromium"
        terminalreporter.write_line(line, red=True, bold=True)


@pytest.fixture(autouse=True)
def _every_answer_is_what_the_contract_says() -> Iterator[None]:
    """No test asks for this, and none can do without it."""
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
    """A look behind the scenes."""
    with redis.Redis.from_url(store_url) as client:
        yield client


@pytest.fixture(scope="session")
def app(store_url: str) -> Flask:
    # The tests ask more than any client may, on a machine that may be busy: limits and faults have tests of their own.
    return create_app(Settings(redis_url=store_url, redis_timeout=20_000, rate_limits=None))


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
