"""Browsers and operators: CORS, request ids, the documentation, the contract, health."""

import gzip
import json
import os
import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from lostcities.variants.registry import VARIANTS

from tests.client import Client, create_game

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("path", ["/games", "/games/x/moves", "/nope"])
def test_a_preflight_response_has_all_cors_headers(api: Client, path: str) -> None:
    headers = {
        "Origin": "https://play.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type,idempotency-key,if-match",
    }
    answer = api("OPTIONS", path, headers=headers)
    assert answer.status == 204
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert {"GET", "POST", "DELETE"} <= {*answer.headers["Access-Control-Allow-Methods"].split(", ")}
    allowed = answer.headers["Access-Control-Allow-Headers"].lower().split(", ")
    assert {*headers["Access-Control-Request-Headers"].split(",")} <= {*allowed}
    assert int(answer.headers["Access-Control-Max-Age"]) > 0


def test_every_response_has_cors_headers_errors_included(api: Client) -> None:
    game = create_game(api)
    for answer in (
        game.get(""),
        api.get("/nope"),
        api("PUT", "/games"),
        api.post("/games", data=b"x"),
        game.move("draw deck"),
        api.get(game.path, token="nobody"),
    ):
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        exposed = answer.headers["Access-Control-Expose-Headers"].split(", ")
        assert {"ETag", "Location", "Idempotent-Replayed", "Retry-After", "X-Request-Id", "API-Version"} <= {*exposed}


def test_every_response_has_the_version_of_the_contract(api: Client) -> None:
    game = create_game(api)
    version = api.get("/openapi.json").body["info"]["version"]
    for answer in (
        game.get(""),
        game.get("/board.svg"),
        api.get("/nope"),
        api("PUT", "/games"),
        game.move("draw deck"),
    ):
        assert answer.headers["API-Version"] == version


@pytest.mark.parametrize(
    ("given", "taken"), [("abc-123", True), ("x" * 64, True), ("x" * 65, False), ("a b", False), ("é", False)]
)
def test_a_valid_request_id_is_used_and_returned(api: Client, given: str, taken: bool) -> None:
    answer = api.get("/nope", headers={"X-Request-Id": given})
    assert (answer.headers["X-Request-Id"] == given) == taken
    assert answer.body["request_id"] == answer.headers["X-Request-Id"]


def test_the_served_contract_equals_the_committed_one(app: Flask) -> None:
    served = app.test_client().get("/openapi.json")
    assert served.content_type == "application/json"
    assert served.json == json.loads((ROOT / "openapi" / "openapi.json").read_bytes()), "run `make openapi`"
    assert b"\n" not in served.data


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [(None, None), ("gzip", "gzip"), ("br, gzip;q=0.5", "gzip"), ("gzip;q=0", None), ("br", None)],
)
def test_the_contract_is_compressed_where_the_client_accepts_it(
    app: Flask, accepted: str | None, encoding: str | None
) -> None:
    client, headers = app.test_client(), {"Accept-Encoding": accepted} if accepted else {}
    plain, served = client.get("/openapi.json"), client.get("/openapi.json", headers=headers)
    assert served.headers.get("Content-Encoding") == encoding
    assert (gzip.decompress(served.data) if encoding else served.data) == plain.data
    assert "Accept-Encoding" in served.headers["Vary"]
    assert served.headers["Cache-Control"] == "public, max-age=300"
    assert (served.headers["ETag"] == plain.headers["ETag"]) == (encoding is None)
    again = client.get("/openapi.json", headers={**headers, "If-None-Match": served.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_the_documentation_page_loads_only_own_files(app: Flask) -> None:
    client = app.test_client()
    page = client.get("/docs", buffered=True)
    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert "http" not in page.text
    for asset in ("swagger-ui.css", "swagger-ui-bundle.js", "start.js"):
        (address,) = re.findall(rf'"(docs/[0-9a-f]{{16}}/{asset})"', page.text)
        assert client.get(f"/{address}", buffered=True).status_code == 200
    assert client.get("/docs/1/../../app.py").status_code == 404
    assert client.get("/docs/1/index.html").status_code == 404


def test_the_contract_links_the_changelog(app: Flask) -> None:
    client = app.test_client()
    assert "[The changelog](/docs/changelog)" in client.get("/openapi.json").text
    page = client.get("/docs/changelog")
    assert (page.status_code, page.mimetype) == (200, "text/markdown")
    assert page.text.startswith("# Changelog\n")
    assert f"## [{app.config['API_VERSION']}]" in page.text


def test_the_table_loads_only_own_files_and_sends_no_referrer(app: Flask) -> None:
    client = app.test_client()
    page = client.get("/", buffered=True)
    assert page.status_code == 200
    assert page.mimetype == "text/html"
    assert page.headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert "http:" not in page.text
    assert "https:" not in page.text
    assert "<style" not in page.text


TABLE = ROOT / "service" / "lostcities" / "web" / "static" / "table"


def digest_of_table(client: FlaskClient) -> str:
    """The digest in the addresses of the table's files."""
    digests = re.findall(r'"table/([0-9a-f]{16})/[^"]*"', client.get("/", buffered=True).text)
    assert len({*digests}) == 1
    return str(digests[0])


STYLES = ["style.css", "pieces.css", "games.css"]
"""One request loads all of them."""


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
@pytest.mark.parametrize("name", [*sorted(str(path.relative_to(TABLE)) for path in TABLE.rglob("*.js")), "style.css"])
def test_the_files_of_the_table_are_compressed_and_cached_for_ever(app: Flask, name: str, encoding: str) -> None:
    client = app.test_client()
    address = f"/table/{digest_of_table(client)}/{name}"
    first = client.get(address, headers={"Accept-Encoding": encoding}, buffered=True)
    assert first.status_code == 200
    assert first.mimetype in ("text/css", "text/javascript", "application/javascript")
    assert first.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert first.headers.get("Content-Encoding", "identity") == encoding
    data = gzip.decompress(first.data) if encoding == "gzip" else first.data
    files = STYLES if name == "style.css" else [name]
    assert data == b"".join((TABLE / file).read_bytes() for file in files)
    headers = {"If-None-Match": first.headers["ETag"], "Accept-Encoding": encoding}
    again = client.get(address, headers=headers, buffered=True)
    assert (again.status_code, again.data) == (304, b"")


def test_a_page_of_another_version_gets_the_current_files_uncached(app: Flask) -> None:
    """During a rollout its instances serve two versions."""
    answer = app.test_client().get("/table/0123456789abcdef/main.js", buffered=True)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-cache")


def test_the_table_preloads_the_modules_that_it_imports(app: Flask) -> None:
    """Those of the first screen at once, those of the games and of a game's page later."""
    client = app.test_client()
    page = client.get("/", buffered=True).text
    assert page.count("{") == 0
    links = re.findall(r'<link rel="modulepreload" href="table/[0-9a-f]{16}/([^"]+)"( fetchpriority="low")?>', page)
    assert len(links) == page.count("modulepreload")
    first = {name for name, later in links if not later}
    assert first == imported("ahead.js") | imported("main.js")
    assert {name for name, _ in links[: len(imported("ahead.js"))]} == imported("ahead.js")
    games = {f"games/{name}.js" for name, variant in VARIANTS.items() if variant.page}
    later = imported("form.js") | imported("table.js") | games | {"chance.js"}
    assert {name for name, _ in links} == first | later, "games import chance.js"
    assert len(first) <= 16
    assert page.count('rel="stylesheet"') == 1


def imported(name: str) -> set[str]:
    """A module of the table and all that it imports."""
    needed, seen = [name], set()
    while needed:
        seen.add(name := needed.pop())
        for address in re.findall(r'^import .*"(\.[^"]+)"', (TABLE / name).read_text(), re.MULTILINE):
            path = os.path.normpath(Path(name).parent / address)
            needed += [path] if path not in seen else []
    return seen


def test_the_page_is_revalidated(app: Flask) -> None:
    client = app.test_client()
    page = client.get("/", buffered=True)
    assert page.headers["Cache-Control"] == "no-cache"
    again = client.get("/", headers={"If-None-Match": page.headers["ETag"]}, buffered=True)
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize(
    "name", ["../docs.html", "nope.js", "", "games", "../../../app.py", "%2e%2e/docs.html", "index.html"]
)
def test_other_files_are_not_served(app: Flask, name: str) -> None:
    assert app.test_client().get(f"/table/0123456789abcdef/{name}").status_code == 404


def test_health(api: Client) -> None:
    assert api.get("/livez").body == api.get("/readyz").body == {"status": "ok"}


def test_an_unexpected_error_is_a_problem_without_details(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def explode() -> None:
        raise RuntimeError("the secret is R7")

    monkeypatch.setattr(app.extensions["games"].store, "ping", explode)
    answer = app.test_client().get("/readyz")
    assert (answer.status_code, answer.content_type) == (500, "application/problem+json")
    assert answer.json
    assert answer.json["code"] == "internal-error"
    assert answer.json["request_id"] == answer.headers["X-Request-Id"]
    assert "secret" not in answer.text
