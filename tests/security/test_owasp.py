"""The OWASP API Security Top 10 (2023), row by row.

| risk | tests |
|---|---|
| API1, object level authorisation | `test_authorisation`, and here |
| API2, authentication | here |
| API3, object property level authorisation | `test_leaks`, and here |
| API4, resource consumption | `abuse/`, `tests/server/test_slow_clients`, and here |
| API5, function level authorisation | `test_authorisation`, and here |
| API6, sensitive business flows | `tests/test_limits`, and here |
| API7, server side request forgery | here |
| API8, misconfiguration | `abuse/test_http` (errors that alerts watch), and here |
| API9, inventory | here |
| API10, consumption of other APIs | here |
"""

import base64
import hashlib
import json
import re
import socket
from typing import Any

import pytest
import redis
from flask import Flask
from lostcities.api.fields import MAX_BODY
from lostcities.api.games.moves import MAX_MOVES
from lostcities.api.games.schemas import MAX_PAGE
from lostcities.app import create_app
from lostcities.auth import hash_api_key, new_api_key
from lostcities.config import Settings
from lostcities.games.table import MAX_NAME

from tests.client import Client, create_game
from tests.conftest import client_of
from tests.contract.conforms import CONTRACT

DUEL = {"variant": "duel", "players": ["Ann", "Ben"]}


# API1: broken object level authorisation ---------------------------------------------------------------------------


def test_1_ids_cannot_be_guessed(api: Client) -> None:
    """An id has 80 random bits: each of its 16 characters varies, independently of the previous game."""
    ids = [create_game(api).id for _ in range(200)]
    assert len({*ids}) == len(ids)
    for letters in zip(*ids, strict=True):
        assert len({*letters}) > 16


def test_1_unknown_and_malformed_ids_get_the_same_response(api: Client) -> None:
    answers = [
        api.get(f"/games/{name}", headers={"X-Request-Id": "x"}) for name in ("a" * 16, "nope", "A" * 16, "a" * 99)
    ]
    assert {(answer.status, answer.content) for answer in answers} == {(404, answers[0].content)}


# API2: broken authentication ---------------------------------------------------------------------------------------


def test_2_tokens_have_128_random_bits_and_a_role_prefix(api: Client) -> None:
    games = [create_game(api) for _ in range(50)]
    tokens = [token for game in games for token in (game.host, *game.seats)]
    assert all(re.fullmatch("(host|seat)_[0-9a-f]{32}", token) for token in tokens)
    assert len({*tokens}) == len(tokens)


@pytest.mark.parametrize("key", [None, "a-key-of-the-caller"])
def test_2_only_hashes_of_tokens_are_stored(store_url: str, key: str | None) -> None:
    with redis.Redis.from_url(store_url) as valkey:
        before = {*valkey.scan_iter("*")}
        api = client_of(create_app(Settings(redis_url=store_url)))
        created = api.post("/games", DUEL, key=key).body
        game = f"/games/{created['id']}"
        tokens = [created["tokens"]["host"], *created["tokens"]["seats"]]
        for token in tokens:
            assert api.get(game, token=token).status == 200
        stored = b"".join(name + _content(valkey, name) for name in {*valkey.scan_iter("*")} - before)
        assert created["id"].encode() in stored
        for token in tokens:
            secret = token.split("_")[1]
            assert hashlib.sha256(token.encode()).digest() in stored
            for form in (secret.encode(), bytes.fromhex(secret), base64.b64encode(bytes.fromhex(secret))[:-2]):
                assert form not in stored


def _content(valkey: Any, name: bytes) -> bytes:
    read = {
        b"hash": lambda: valkey.hgetall(name),
        b"list": lambda: valkey.lrange(name, 0, -1),
        b"string": lambda: valkey.get(name),
        b"zset": lambda: valkey.zrange(name, 0, -1),
    }
    content = read[valkey.type(name)]()
    parts = [*content.keys(), *content.values()] if isinstance(content, dict) else content
    return content if isinstance(content, bytes) else b"\n".join(parts)


def test_2_a_token_is_accepted_only_in_the_authorization_header(api: Client) -> None:
    game = create_game(api)
    spectacle = game.get("").content
    assert api.get(game.path, headers={"Cookie": f"token={game.host}"}).content == spectacle
    assert api.get(game.path, headers={"X-Api-Key": game.host}).content == spectacle
    for name in ("token", "access_token", "authorization"):
        assert game.get(f"?{name}={game.host}").status == 422
    assert api.post(game.path + "/moves", {"notation": "draw deck", "token": game.host}).status == 401


@pytest.mark.parametrize(
    "header", ["Basic aG9zdDo=", "Bearer", "Bearer ", "bearer_", "host_0", "Bearer null", "Digest x"]
)
def test_2_a_malformed_authorization_header_is_401_with_www_authenticate(api: Client, header: str) -> None:
    game = create_game(api)
    answer = game.get("", headers={"Authorization": header})
    assert answer.status == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"


# API3: broken object property level authorisation ------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["id", "version", "tokens", "commitment", "seeded_by", "rules_version", "host", "status"]
)
def test_3_members_set_by_the_service_are_rejected_in_requests(api: Client, name: str) -> None:
    answer = api.post("/games", {**DUEL, name: "x"})
    assert (answer.status, answer.pointers) == (422, [f"/{name}"])


def test_3_no_body_or_query_allows_unknown_members() -> None:
    """No request takes what its schema does not name: in the contract, which the answers to bad input prove true."""
    schemas = CONTRACT["components"]["schemas"]
    bodies = [
        each["requestBody"]["content"]["application/json"]["schema"]
        for item in CONTRACT["paths"].values()
        for each in item.values()
        if isinstance(each, dict) and "requestBody" in each
    ]
    assert len(bodies) > 15
    for name in _objects(bodies, schemas):
        assert schemas[name]["additionalProperties"] is False, name


def _objects(references: list[Any], schemas: Any) -> set[str]:
    """The object schemas that the references resolve to, through unions."""
    found: set[str] = set()
    for reference in references:
        name = reference["$ref"].rsplit("/", 1)[1]
        members = schemas[name].get("oneOf") or schemas[name].get("anyOf")
        found |= _objects(members, schemas) if members else {name}
    return found


# API4: unrestricted resource consumption ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b" " * (MAX_BODY + 1),
        json.dumps({**DUEL, "seed": "a" * MAX_BODY}).encode(),
    ],
)
def test_4_a_large_body_is_rejected(api: Client, data: bytes) -> None:
    assert api.post("/games", data=data).status == 413


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("/games", {**DUEL, "players": ["x" * (MAX_NAME + 1), "Ben"]}, "/players/0"),
        ("/games", {**DUEL, "players": ["Ann"] * 3}, "/players"),
        ("/games", {**DUEL, "players": []}, "/players"),
        ("/games", {**DUEL, "options": {"rounds": 10**9}}, "/options/rounds"),
        ("GAME/moves", {"moves": [{"notation": "draw deck"}] * (MAX_MOVES + 1)}, "/moves"),
        ("GAME/moves", {"notation": "x" * 201}, "/notation"),
    ],
)
def test_4_a_long_list_or_text_is_rejected(api: Client, path: str, body: Any, pointer: str) -> None:
    game = create_game(api)
    answer = api.post(path.replace("GAME", game.path), body, token=game.host)
    assert (answer.status, answer.pointers) == (422, [pointer])


def test_4_the_size_of_a_custom_sheet_is_bounded(api: Client) -> None:
    sheet = api.get("/variants/roll-and-write").body["options"]
    default = next(option["default"] for option in sheet if option["name"] == "sheet")
    assert default
    wish = {"variant": "roll-and-write", "players": ["Ann", "Ben"]}
    name = next(iter(default))
    for value in ([0] * 10_000, {"x" * 50: 1}, 10**30, "x" * 10_000):
        answer = api.post("/games", {**wish, "options": {"sheet": {**default, name: value}}})
        assert answer.status == 422
        assert len(answer.content) < 10_000


@pytest.mark.parametrize(
    "query", [f"limit={MAX_PAGE + 1}", "limit=0", "after=99999999", f"after={'9' * 5000}", "limit=" + "1" * 100]
)
def test_4_the_size_of_a_history_page_is_bounded(api: Client, query: str) -> None:
    assert create_game(api).get(f"/history?{query}").status == 422


def test_4_a_deeply_nested_body_is_rejected(api: Client) -> None:
    for data in (b"[" * 60_000, b'{"options":' * 5_000 + b"1" + b"}" * 5_000):
        assert api.post("/games", data=data).status in (400, 422)


def test_4_every_list_and_text_in_requests_has_a_maximum() -> None:
    """In what is asked no string and no list is unbounded."""
    schemas = CONTRACT["components"]["schemas"]
    asked = {
        name for name in schemas if re.fullmatch(r"New\w+|\w+(Options|Request|Question)|MoveList|MoveByNotation", name)
    }
    assert len(asked) > 20
    for name in asked:
        for part in _parts(schemas[name].get("properties", {})):
            if part.get("type") == "array":
                assert "maxItems" in part, (name, part)
            if part.get("type") == "string" and not {"enum", "const"} & part.keys():
                assert "maxLength" in part, (name, part)


def _parts(node: Any) -> list[Any]:
    """A schema and all schemas in it."""
    if isinstance(node, dict):
        return [node, *(part for below in node.values() for part in _parts(below))]
    return [part for below in node for part in _parts(below)] if isinstance(node, list) else []


# API5: broken function level authorisation -------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["PUT", "PATCH", "TRACE", "CONNECT", "PROPFIND"])
@pytest.mark.parametrize("path", ["/games", "GAME", "GAME/moves", "/metrics"])
def test_5_methods_outside_the_contract_are_rejected(api: Client, method: str, path: str) -> None:
    game = create_game(api)
    answer = api(method, path.replace("GAME", game.path), token=game.host)
    assert answer.status == 405
    assert answer.headers["Allow"]


@pytest.mark.parametrize("header", ["X-HTTP-Method-Override", "X-Method-Override", "X-Original-URL", "X-Rewrite-URL"])
def test_5_method_override_headers_are_ignored(api: Client, header: str) -> None:
    game = create_game(api)
    assert api.get(game.path, token=game.host, headers={header: "DELETE"}).status == 200
    assert game.get("").status == 200


# API6: unrestricted access to sensitive business flows -------------------------------------------------------------


def test_6_creation_can_require_an_api_key(store_url: str) -> None:
    keys = [new_api_key(), new_api_key()]
    hashes = tuple(map(hash_api_key, keys))
    api = client_of(create_app(Settings(redis_url=store_url, api_keys=hashes)))
    for token in (None, "", new_api_key(), hashes[0], keys[0][:-1], keys[0].upper()):
        answer = api.post("/games", DUEL, token=token)
        assert (answer.status, answer.code) == (401, "api-key-required")
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    for key in keys:
        created = api.post("/games", DUEL, token=key)
        assert created.status == 201
        # The game is played with its own tokens. The API key gives no access to it.
        assert api.get(f"/games/{created.body['id']}", token=key).status == 401
        assert api.get(f"/games/{created.body['id']}", token=created.body["tokens"]["host"]).status == 200


# API7: server side request forgery, and API10: unsafe consumption of APIs ------------------------------------------


def test_7_and_10_the_service_connects_only_to_its_store(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    called = []
    connect = socket.socket.connect

    def watched(self: socket.socket, address: Any) -> None:
        called.append(address)
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", watched)
    app = create_app(Settings(redis_url=store_url))
    api = client_of(app)
    address = "http://169.254.169.254/latest"
    names = [address, "file:///etc/passwd"]
    assert api.post("/games", {"variant": "duel", "players": names}).body["players"] == names
    headers = {"Host": "169.254.169.254", "X-Forwarded-For": "169.254.169.254", "Referer": address, "Origin": address}
    for path in ("/variants", "/openapi.json", "/docs", "/metrics", "/games/" + "a" * 16):
        assert app.test_client().get(path, headers=headers, buffered=True).status_code in (200, 404)
    assert {*called} == {store_url.removeprefix("unix://")}
    assert not [part for part in _parts(CONTRACT) if part.get("format") in ("uri", "url", "hostname", "ipv4")]


def test_10_corrupt_data_in_the_store_is_a_500_without_details(api: Client, valkey: Any) -> None:
    """A game whose bytes are not what they were is an error of ours that tells nothing, not an answer."""
    game = create_game(api)
    valkey.hset(f"lc:{{{game.id}}}", "s", b"\x93\x01\x02R7")
    answer = game.get("", token=game.host)
    assert (answer.status, answer.code) == (500, "internal-error")
    assert b"R7" not in answer.content
    assert b"Decode" not in answer.content


# API8: security misconfiguration -----------------------------------------------------------------------------------


def test_8_every_response_has_security_headers(app: Flask, api: Client) -> None:
    game = create_game(api)
    answers = [
        game.get(""),
        game.get("", token=game.host),
        api.get("/nope"),
        api("PUT", "/games"),
        api.post("/games", data=b"x"),
        game.get("", token="nobody"),
        api.get("/metrics"),
    ]
    for answer in answers:
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
        assert "Strict-Transport-Security" not in answer.headers, "set by the proxy that terminates TLS"
        assert "Access-Control-Allow-Credentials" not in answer.headers
        assert "Set-Cookie" not in answer.headers
    page = app.test_client().get("/docs", buffered=True)
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]


def test_8_private_responses_are_not_cached(api: Client) -> None:
    game = create_game(api)
    secret = [
        *(game.get(question, token=game.seats[0]) for question in ("", "/moves", "/history", "/score", "/fairness")),
        game.get("?view=full", token=game.host),
        game.move("draw deck"),
        game.get("", token="nobody"),
        api.post("/games", DUEL),
        api.post("/games", {}),
    ]
    assert {answer.headers["Cache-Control"] for answer in secret} == {"no-store"}
    assert game.get("").headers["Cache-Control"] == "no-cache"


def test_8_errors_do_not_reveal_the_software(api: Client) -> None:
    game = create_game(api)
    for answer in (
        api.get("/nope"),
        api.post("/games", data=b"{"),
        api.post("/games", data=b"\xff\xfe"),
        api.post("/games", {"variant": "\u0000"}),
        game.get("?version=x"),
        api.get("/games/%00"),
        api.get("/games/..%2f..%2fetc%2fpasswd"),
        api.get("/docs/1/..%2fapp.py"),
    ):
        assert 400 <= answer.status < 500
        assert not re.search(
            r"Traceback|\.py|werkzeug|flask|redis|valkey|marshmallow|msgspec", answer.content.decode(), re.IGNORECASE
        )


# API9: improper inventory management -------------------------------------------------------------------------------


def test_9_every_route_is_documented(app: Flask) -> None:
    served = {
        (method, re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    documented = {
        (method.upper(), path) for path, item in CONTRACT["paths"].items() for method in item if len(method) < 7
    }
    for_people = {"/", "/table/{digest}/{name}", "/docs", "/docs/{digest}/{name}", "/docs/changelog", "/openapi.json"}
    assert served - documented == {("GET", path) for path in for_people}
    assert documented <= served
