"""Hostile HTTP requests to the running service: no anonymous request counts as an error of the service.

Slow heads, slow bodies, slow readers and silent connections are in `tests/server/test_slow_clients.py`.
"""

import json
import random
import re
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
import requests
import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.client import GameClient, create_game
from tests.contract.conforms import CONTRACT
from tests.security.abuse.bodies import Contract
from tests.security.abuse.sampling import FULL, sampled
from tests.server.serving import ROOT, Service, serving
from tests.sse import Reader

WORKERS: Final = 2
STREAMS: Final = 3
"""Streams that each worker holds at most."""
PATIENCE: Final = 30.0
JUNK: Final = 300 if not FULL else 3000


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("data")
    # A busy machine may take longer than the default timeout to answer, which would count as an error of the store.
    environment = {
        "WORKERS": str(WORKERS),
        "MAX_STREAMS": str(STREAMS),
        "LOG_LEVEL": "warning",
        "REDIS_TIMEOUT": "20000",
    }
    with serving(folder, **environment) as running:
        yield running


@pytest.fixture(scope="module")
def game(service: Service) -> GameClient:
    return create_game(service.client)


def exchange(service: Service, data: bytes) -> bytes:
    """Send bytes on a new connection, and receive until the service closes it."""
    where = urlsplit(service.url)
    received = b""
    with socket.create_connection((str(where.hostname), int(where.port or 0)), timeout=PATIENCE) as sock:
        try:
            sock.sendall(data)
            sock.shutdown(socket.SHUT_WR)
            while part := sock.recv(65536):
                received += part
        except TimeoutError:
            raise
        except OSError:
            pass  # the service may close the connection before it has read everything
    return received


def statuses(received: bytes) -> list[int]:
    """The status of each response."""
    return [int(status) for status in re.findall(rb"^HTTP/1\.[01] (\d{3}) ", received, re.MULTILINE)]


# Alerts ----------------------------------------------------------------------------------------------------------


Matchers = list[tuple[str, str, str]]
"""Label, operator and value."""


def selectors() -> list[tuple[str, Matchers]]:
    """The counters of errors in the alerts that page, each with its matchers."""
    (document,) = yaml.safe_load_all((ROOT / "deploy" / "alerts.yaml").read_text())
    pages = [
        rule["expr"] for group in document["groups"] for rule in group["rules"] if rule["labels"]["severity"] == "page"
    ]
    found = re.findall(r"(lostcities_\w+_total)(?:\{([^}]*)\})?", "\n".join(pages))
    matched = [(name, re.findall(r'(\w+)(=~|!~|!=|=)"([^"]*)"', matchers)) for name, matchers in found]
    # The number of all requests is in the rules too: they are about shares.
    return [(name, matchers) for name, matchers in matched if matchers or "errors" in name]


def matches(labels: Mapping[str, str], matchers: Matchers) -> bool:
    """Whether Prometheus would select a series with these labels."""
    return all(
        (re.fullmatch(value if "~" in sign else re.escape(value), labels.get(label, "")) is not None)
        == (not sign.startswith("!"))
        for label, sign, value in matchers
    )


def counted_errors(service: Service) -> dict[str, float]:
    """What the alerts count as errors, by series."""
    text = requests.get(f"{service.url}/metrics", timeout=PATIENCE).text
    families = [*text_string_to_metric_families(text)]
    return {
        f"{sample.name}{sample.labels}": sample.value
        for name, matchers in selectors()
        for family in families
        for sample in family.samples
        if sample.name == name and sample.value and matches(sample.labels, matchers)
    }


def count(service: Service, **labels: str) -> float:
    """How many requests with these labels the service has counted."""
    text = requests.get(f"{service.url}/metrics", timeout=PATIENCE).text
    return sum(
        sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == "lostcities_requests_total" and labels.items() <= sample.labels.items()
    )


def test_the_alerts_watch_errors_by_status() -> None:
    watched = dict(selectors())
    assert watched.keys() == {"lostcities_requests_total", "lostcities_store_errors_total"}
    assert matches({"status": "500"}, watched["lostcities_requests_total"])
    assert not matches({"status": "404"}, watched["lostcities_requests_total"])


@pytest.fixture(autouse=True)
def _no_error_is_counted(service: Service) -> Iterator[None]:
    """Check after each test that the error counters are unchanged."""
    yield
    assert counted_errors(service) == {}
    assert [line for line in service.output if '"level":"error"' in line or "Traceback" in line] == []


# Attacks ---------------------------------------------------------------------------------------------------------

HEAD: Final = b"POST /games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
CHUNKED: Final = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "chunks",
    [
        b"nonsense\r\n",
        b"-1\r\n\r\n",
        b"0x5\r\n[1,2]\r\n0\r\n\r\n",
        b"5;" + b"x" * 20_000,
        b"ffffffffffffffff\r\n[1,2]\r\n",
        b"5\r\n[1,2]no end",
        b"5\r\n[1,2]\r\n",
        b"5\r\n[1,2]\r\n0\r\nbad trailer\r\n\r\n",
        b"5\n[1,2]\n0\n\n",
        b"",
        b"\0\0\0\r\n",
    ],
)
def test_a_malformed_chunked_body_is_the_clients_error(service: Service, chunks: bytes) -> None:
    assert statuses(exchange(service, CHUNKED + chunks)) in ([400], [])


REQUESTS: Final[Mapping[str, bytes]] = {
    "a body shorter than its length": HEAD + b"Content-Length: 60000\r\n\r\n{}",
    "a length that is no number": HEAD + b"Content-Length: many\r\n\r\n{}",
    "a negative length": HEAD + b"Content-Length: -1\r\n\r\n{}",
    "a huge length": HEAD + b"Content-Length: 99999999999999999999\r\n\r\n{}",
    "two lengths": HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "a length and chunks": HEAD + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "an unknown transfer encoding": HEAD + b"Transfer-Encoding: gzip\r\n\r\n{}",
    "a compressed body": HEAD + b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
    "another character set": b"POST /games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json; charset=utf-16\r\n"
    b"Content-Length: 2\r\n\r\n{}",
    "a content type of control characters": b"POST /games HTTP/1.1\r\nHost: x\r\nContent-Type: \x7f;=;=\r\n"
    b"Content-Length: 2\r\n\r\n{}",
    "an expectation": HEAD + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
    "an unknown expectation": HEAD + b"Expect: miracles\r\nContent-Length: 2\r\n\r\n{}",
    "no host": b"GET /variants HTTP/1.1\r\n\r\n",
    "an impossible host": b"GET /variants HTTP/1.1\r\nHost: a b/c@d:e\r\n\r\n",
    "a host of bytes": b"GET /variants HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n",
    "an unknown method": b"BREW /variants HTTP/1.1\r\nHost: x\r\n\r\n",
    "a long method": b"A" * 100 + b" / HTTP/1.1\r\nHost: x\r\n\r\n",
    "another protocol": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a long path": b"GET /" + b"a" * 3000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "too long a path": b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "a path of bytes": b"GET /games/\xff\xfe\x80 HTTP/1.1\r\nHost: x\r\n\r\n",
    "a path of escapes": b"GET /games/%00%ff%2e%2e%2f%zz HTTP/1.1\r\nHost: x\r\n\r\n",
    "an absolute path": b"GET http://169.254.169.254/latest HTTP/1.1\r\nHost: x\r\n\r\n",
    "many slashes": b"GET //////games////// HTTP/1.1\r\nHost: x\r\n\r\n",
    "a long query": b"GET /variants?" + b"a=1&" * 900 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "a query of bytes": b"GET /games/aaaaaaaaaaaaaaaa?\xff=%ff&=&&;;%00 HTTP/1.1\r\nHost: x\r\n\r\n",
    "a query of digits": b"GET /games/aaaaaaaaaaaaaaaa?version=" + b"9" * 3000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "too many headers": b"GET /variants HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 200 + b"\r\n",
    "too long a header": b"GET /variants HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 20_000 + b"\r\n\r\n",
    "a header without a name": b"GET /variants HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n",
    "a header with a null": b"GET /variants HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n",
    "a folded header": b"GET /variants HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n",
}


def _with_header(name: bytes, value: bytes) -> bytes:
    return b"GET /games/aaaaaaaaaaaaaaaa HTTP/1.1\r\nHost: x\r\n" + name + b": " + value + b"\r\n\r\n"


HEADERS: Final = (
    b"Authorization",
    b"If-Match",
    b"If-None-Match",
    b"Idempotency-Key",
    b"Last-Event-ID",
    b"X-Request-Id",
    b"X-Forwarded-For",
    b"Origin",
    b"Access-Control-Request-Method",
    b"Accept",
    b"Cookie",
    b"Range",
    b"traceparent",
    b"Forwarded",
)
VALUES: Final = (
    b"",
    b"\xff\xfe\x80",
    b"Bearer \xc3\xa4",
    b"9" * 5000,
    b'W/"' + b"1" * 3000,
    b",;=\"'\\ \t,,",
    b"%00%ff",
)


@pytest.mark.parametrize("name", REQUESTS)
def test_a_malformed_request_is_the_clients_error(service: Service, name: str) -> None:
    found = statuses(exchange(service, REQUESTS[name]))
    assert all(status < 500 for status in found), found


@pytest.mark.parametrize("header", HEADERS, ids=bytes.decode)
def test_a_malformed_header_is_the_clients_error(service: Service, game: GameClient, header: bytes) -> None:
    for value in VALUES:
        request = _with_header(header, value)
        for path in (b"/games/aaaaaaaaaaaaaaaa", game.path.encode(), game.path.encode() + b"/history"):
            found = statuses(exchange(service, request.replace(b"/games/aaaaaaaaaaaaaaaa", path)))
            assert all(status < 500 for status in found), (value, path)


def test_junk_is_answered_or_closed(service: Service) -> None:
    rng = random.Random("junk")
    for _ in range(JUNK):
        sent = rng.randbytes(rng.choice([1, 20, 500]))
        if rng.random() < 0.5:
            sent = bytes(rng.choice(b"GET /\r\n: HTTP1.x\0\xff{}") for _ in range(200)) + b"\r\n\r\n"
        assert all(status < 500 for status in statuses(exchange(service, sent)))
    assert service.client.get("/livez").status == 200


def test_thousands_of_hostile_requests_are_no_errors(service: Service, game: GameClient) -> None:
    """Bodies of every kind, unknown games, wrong tokens and wrong methods, over connections that stay open."""
    contract = Contract(CONTRACT)
    session = requests.Session()
    seen: dict[int, int] = {}

    def send(method: str, path: str, **options: Any) -> None:
        answer = session.request(method, service.url + path, timeout=PATIENCE, **options)
        seen[answer.status_code] = seen.get(answer.status_code, 0) + 1

    before = count(service)
    for call in contract.calls():
        path = call.path.replace("/games/{game_id}", game.path)
        headers = {"Content-Type": "application/json"}
        if "{" in call.path:
            headers["Authorization"] = f"Bearer {game.host}"
        for body in sampled([*contract.bodies(call)], 80):
            send("POST", path, data=body.build(), headers=headers)
    for number in range(500):
        send("GET", f"/games/{number:016d}")
        send("DELETE", game.path, headers={"Authorization": f"Bearer host_{number:032x}"})
        send("PUT", game.path, data=json.dumps(number))
    assert sum(seen.values()) > 2500
    assert count(service) - before >= sum(seen.values())
    assert {status for status in seen if status >= 500} == set()


def test_too_many_streams_do_not_count_as_errors(service: Service) -> None:
    """An anonymous client can use up all streams. No alert counts these 503 responses as errors."""
    game = create_game(service.client)  # a stream of a finished game ends at once
    readers = [Reader(service.url, f"{game.path}/events") for _ in range(2 * WORKERS * STREAMS)]
    try:
        assert {reader.status for reader in readers} == {200, 503}
        refused = [reader for reader in readers if reader.status == 503]
        assert len(refused) >= WORKERS * STREAMS
        assert all(reader.headers["Retry-After"] for reader in refused)
    finally:
        for reader in readers:
            reader.close()
    assert count(service, status="503") >= len(refused)


def test_the_data_of_the_service_is_unchanged(service: Service, game: GameClient) -> None:
    assert service.client.get(game.path, token=game.host).status == 200
    assert service.client.get("/readyz").status == 200
    assert Path(f"/proc/{service.process.pid}").exists()
