"""Rate limits with a real Redis: a single server, Sentinel and a cluster."""

import re
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from flask import g
from limits import parse_many
from lostcities.api.errors import ProblemError
from lostcities.app import create_app
from lostcities.config import DEFAULT_RATE_LIMITS, BadSetting, RateLimits, Settings
from lostcities.games.storage import StoreUnavailable
from lostcities.limits import KEY_PREFIX, hash_identity
from lostcities.store.client import Client as StoreClient
from lostcities.store.embedded import EmbeddedStore

from tests.client import Answer, Client, create_game
from tests.conftest import client_of
from tests.faults.processes import HOST, ROOT, Servers, until

DUEL = {"variant": "duel", "players": ["Ann", "Ben"]}
NONE = RateLimits(creation="", record="")


@pytest.fixture(autouse=True)
def _fresh(valkey: Any) -> None:
    """Delete all counters before each test."""
    for key in valkey.scan_iter(f"{KEY_PREFIX}:*"):
        valkey.delete(key)


def limited(redis_url: str, proxies: str = "", **limits: str) -> Client:
    """A service with only these limits."""
    trusted = Settings.from_environment({"TRUSTED_PROXIES": proxies}).trusted_proxies
    settings = Settings(redis_url=redis_url, rate_limits=NONE._replace(**limits), trusted_proxies=trusted)
    return client_of(create_app(settings))


def assert_refused(answer: Answer) -> None:
    assert (answer.status, answer.code) == (429, "too-many-requests")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert 1 <= int(answer.headers["Retry-After"]) <= 3600


def statuses(api: Client, count: int, path: str = "/variants", **kwargs: Any) -> list[int]:
    return [api.get(path, **kwargs).status for _ in range(count)]


def test_a_client_over_the_limit_gets_429_with_retry_after(store_url: str) -> None:
    api = limited(store_url, client="5/minute")
    assert statuses(api, 5) == [200] * 5
    refused = api.get("/variants")
    assert_refused(refused)
    assert 50 <= int(refused.headers["Retry-After"]) <= 60
    assert refused.body["detail"] == "too many requests: the limit 'client' is 5 per 1 minute"
    assert api.get("/no/such/path").status == 404
    assert api.get("/livez").status == api.get("/readyz").status == api.get("/metrics").status == 200
    assert api("OPTIONS", "/variants").status == 200


def test_after_retry_after_the_client_is_served_again(store_url: str) -> None:
    api = limited(store_url, client="3/1 second")
    answer = api.get("/variants")
    while answer.status == 200:
        answer = api.get("/variants")
    assert_refused(answer)
    until(lambda: api.get("/variants").status == 200)


def test_a_client_cannot_use_two_full_windows_back_to_back(store_url: str, valkey: Any) -> None:
    """Just after the end of a window most of its requests still count."""
    api = limited(store_url, client="20/minute")
    assert statuses(api, 20) == [200] * 20
    (key,) = valkey.scan_iter(f"{KEY_PREFIX}:*")
    valkey.hincrby(key, "s", -70_000)  # this window began 70 seconds ago and ended ten seconds ago
    assert 2 <= statuses(api, 20).count(200) <= 10


def test_all_limits_of_a_policy_are_enforced(store_url: str) -> None:
    api = limited(store_url, client="100/second;4/day")
    assert statuses(api, 6) == [200] * 4 + [429] * 2
    assert int(api.get("/variants").headers["Retry-After"]) == 3600, "the maximum of the contract"


def test_processes_share_their_counters(store_url: str) -> None:
    one, two = limited(store_url, client="6/minute"), limited(store_url, client="6/minute")
    assert [api.get("/variants").status for _ in range(4) for api in (one, two)] == [200] * 6 + [429] * 2


def test_the_creation_policy_limits_only_creation(store_url: str) -> None:
    api = limited(store_url, creation="2/minute")
    game = create_game(api)
    assert api.post("/games", DUEL).status == 201
    assert_refused(api.post("/games", DUEL))
    assert game.get("", token=game.host).status == 200


def test_creation_is_limited_by_default(store_url: str) -> None:
    api = client_of(create_app(Settings(redis_url=store_url)))
    created = [api.post("/games", DUEL).status for _ in range(61)]
    assert created == [201] * 60 + [429]
    assert statuses(api, 100) == [200] * 100


def test_each_token_has_its_own_limit(store_url: str) -> None:
    api = limited(store_url, token="3/minute")
    game = create_game(api)
    assert statuses(api, 4, game.path, token=game.seats[0]) == [200, 200, 200, 429]
    assert game.get("", token=game.seats[1]).status == 200
    assert game.get("").status == 200


def test_a_limited_request_changes_nothing(store_url: str, valkey: Any) -> None:
    api = limited(store_url, creation="1/minute")
    create_game(api)
    before = {*valkey.scan_iter("lc:{*")}
    assert_refused(api.post("/games", DUEL, key="once-and-once-again"))
    assert {*valkey.scan_iter("lc:{*")} == before


def test_refusals_are_counted_by_policy(store_url: str) -> None:
    api = limited(store_url, client="1/minute")
    statuses(api, 3)
    assert 'lostcities_requests_limited_total{policy="client"} 2.0' in api.get("/metrics").content.decode()


# Client addresses --------------------------------------------------------------------------------------------------


def ask(api: Client, forwarded: str) -> int:
    return api.get("/variants", headers={"X-Forwarded-For": forwarded}).status


def test_without_trusted_proxies_x_forwarded_for_is_ignored(store_url: str) -> None:
    api = limited(store_url, client="2/minute")
    assert [ask(api, f"203.0.113.{n}") for n in range(4)] == [200, 200, 429, 429]


def test_behind_trusted_proxies_clients_are_limited_separately(store_url: str) -> None:
    api = limited(store_url, "127.0.0.0/8, 10.0.0.0/8", client="2/minute")
    assert [ask(api, "203.0.113.1, 10.0.0.7") for _ in range(3)] == [200, 200, 429]
    assert ask(api, "203.0.113.2, 10.0.0.7") == 200
    assert ask(api, "203.0.113.9, 203.0.113.1") == 429, "entries that the client wrote are ignored"


def test_an_ipv6_network_is_one_client(store_url: str) -> None:
    api = limited(store_url, "127.0.0.1", client="2/minute")
    assert [ask(api, f"2001:db8:0:1::{n:x}") for n in range(1, 4)] == [200, 200, 429]
    assert ask(api, "2001:db8:0:2::1") == 200


def test_redis_stores_neither_addresses_nor_tokens(store_url: str, valkey: Any) -> None:
    api = limited(store_url, creation="9/minute", client="9/minute", token="9/minute")
    game = create_game(api)
    game.get("", token=game.host)
    keys = [key.decode() for key in valkey.scan_iter(f"{KEY_PREFIX}:*")]
    assert len(keys) == 3
    assert any(hash_identity(game.host) in key for key in keys)
    assert not [key for key in keys if "127.0.0.1" in key or game.host in key]


# Cost --------------------------------------------------------------------------------------------------------------


def calls(valkey: Any) -> int:
    """Number of commands for limits: scripts, and redis-py's commands at connection."""
    stats = valkey.info("commandstats")
    names = ("evalsha", "eval", "script|load", "hello")
    return sum(stats.get(f"cmdstat_{name}", {"calls": 0})["calls"] for name in names)


def test_an_unlimited_call_costs_no_redis_command(store_url: str, valkey: Any) -> None:
    api = limited(store_url, creation="9/minute")
    before = calls(valkey)
    assert statuses(api, 10) == [200] * 10
    assert calls(valkey) == before


def test_a_limited_call_costs_one_script(store_url: str, valkey: Any) -> None:
    api = limited(store_url, client="99/minute")
    api.get("/variants")
    before = calls(valkey)
    assert statuses(api, 10) == [200] * 10
    assert calls(valkey) == before + 10


def test_all_limits_of_an_address_cost_one_script(store_url: str, valkey: Any) -> None:
    """The other script of a creation is the creation itself."""
    api = limited(store_url, client="99/minute", creation="99/minute;999/day")
    create_game(api)
    before = calls(valkey)
    create_game(api)
    assert calls(valkey) == before + 2


# Headers -----------------------------------------------------------------------------------------------------------


def test_a_limited_call_says_what_is_left_of_each_limit(store_url: str) -> None:
    api = limited(store_url, creation="60/minute;2000/2 days")
    first, second = api.post("/games", DUEL), api.post("/games", DUEL)
    policy = '"creation-minute";q=60;w=60, "creation-2-days";q=2000;w=172800'
    assert first.headers["RateLimit-Policy"] == second.headers["RateLimit-Policy"] == policy
    assert first.headers["RateLimit"] == '"creation-minute";r=59;t=60, "creation-2-days";r=1999;t=172800'
    assert re.fullmatch(r'"creation-minute";r=58;t=\d+, "creation-2-days";r=1998;t=\d+', second.headers["RateLimit"])
    assert "RateLimit" not in api.get("/variants").headers


def test_a_refused_call_says_when_the_limit_allows_it_again(store_url: str) -> None:
    api = limited(store_url, creation="1/minute")
    api.post("/games", DUEL)
    refused = api.post("/games", DUEL)
    assert_refused(refused)
    assert refused.headers["RateLimit"] == f'"creation-minute";r=0;t={refused.headers["Retry-After"]}'


def test_without_redis_the_headers_come_from_memory(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path)
    api = limited(store.url, client="2/minute")
    assert re.fullmatch(r'"client-minute";r=1;t=\d+', api.get("/variants").headers["RateLimit"])
    assert statuses(api, 2) == [200, 429]


@pytest.mark.parametrize("limits", ["5/minute", "7/minute", "3/second"])
def test_retry_after_is_exact(store_url: str, valkey: Any, limits: str) -> None:
    """Once that time has passed one more request is allowed, and not before."""
    api = limited(store_url, client=limits)
    while api.get("/variants").status == 200:
        pass
    (key,) = valkey.scan_iter(f"{KEY_PREFIX}:*")
    for milliseconds in (500, 1700):
        valkey.hincrby(key, "s", -milliseconds)
        refused = api.get("/variants")
        if refused.status == 200:
            continue
        seconds = int(refused.headers["Retry-After"])
        valkey.hincrby(key, "s", -1000 * (seconds - 1) + 100)
        assert api.get("/variants").status == 429
        valkey.hincrby(key, "s", -1100)
        assert api.get("/variants").status == 200
        while api.get("/variants").status == 200:
            pass


# Redis unavailable -------------------------------------------------------------------------------------------------


def skipped(api: Client) -> float:
    (found,) = re.findall(r"^lostcities_limits_skipped_total (\S+)", api.get("/metrics").content.decode(), re.MULTILINE)
    return float(found)


def test_without_redis_a_process_counts_in_memory(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path)
    store.start()
    api = limited(store.url, client="6/minute")
    assert statuses(api, 4) == [200] * 4
    assert skipped(api) == 0
    store.stop()
    assert statuses(api, 7) == [200] * 6 + [429]
    assert skipped(api) == 7
    store.start()
    until(lambda: api.get("/variants").status == 200, 60)
    assert statuses(api, 2)[1:] == [429], "Redis still has the first four"
    store.stop()


@pytest.mark.parametrize(("resends", "attempts"), [(False, 1), (True, 2)])
def test_a_request_without_an_answer_of_redis_is_not_counted_again(resends: bool, attempts: int) -> None:
    """The store's client sends a command again whose reply is late. The client of the limits does not."""
    with socket.create_server((HOST, 0)) as silent:
        client = StoreClient(f"redis://{HOST}:{silent.getsockname()[1]}", timeout=0.5, resends=resends)
        with pytest.raises(StoreUnavailable):
            client.run("x", ("INCR", "x"))
        silent.settimeout(0.2)
        connections = 0
        with suppress(TimeoutError):
            while True:
                silent.accept()[0].close()
                connections += 1
        assert connections == attempts


def test_a_charge_may_exceed_the_whole_limit(store_url: str) -> None:
    app = create_app(Settings(redis_url=store_url, rate_limits=NONE._replace(thinking="2/minute")))
    with app.test_request_context("/"):
        limiter = app.extensions["limiter"]
        limiter.charge("thinking", 100.0)
        limiter.charge("thinking", 100.0)
        with pytest.raises(ProblemError) as caught:
            limiter.test("thinking")
        assert 60 <= int(caught.value.headers["Retry-After"]) <= 120
        assert [standing.wait >= 0 for standing in g.rate_limits.values()] == [True]


def test_wrong_api_keys_are_limited(store_url: str) -> None:
    limits = NONE._replace(creation="3/minute")
    api = client_of(create_app(Settings(redis_url=store_url, rate_limits=limits, api_keys=("0" * 64,))))
    assert [api.post("/games", DUEL, token="key_wrong").status for _ in range(5)] == [401] * 3 + [429] * 2


def test_nothing_is_connected_before_the_first_request(tmp_path: Path) -> None:
    for scheme in ("redis", "redis+cluster"):
        with socket.create_server((HOST, 0)) as listener:
            limited(f"{scheme}://{HOST}:{listener.getsockname()[1]}", client="5/minute")
            listener.setblocking(False)
            with pytest.raises(BlockingIOError):
                listener.accept()


def test_an_unresponsive_redis_delays_only_one_request() -> None:
    with socket.create_server((HOST, 0)) as silent:
        api = limited(f"redis://{HOST}:{silent.getsockname()[1]}", client="1000/minute")
        began = time.monotonic()
        assert statuses(api, 30) == [200] * 30
        assert time.monotonic() - began < 5, "thirty delays would take 7.5 seconds"
        assert skipped(api) == 30


# Engines -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    started = Servers(tmp_path)
    yield started
    started.end()


def assert_limits(redis_url: str) -> None:
    api = limited(redis_url, client="2/minute")
    # The first connection to a busy server can exceed the timeout. Then the process counts in memory.
    until(lambda: StoreClient(redis_url).run("lc:x", ("HLEN", "lc:x")).replies == [0])
    assert statuses(api, 3) == [200, 200, 429]
    assert skipped(api) == 0


def test_limits_are_counted_in_a_cluster(servers: Servers) -> None:
    nodes = servers.cluster(3, 0)
    assert_limits("redis+cluster://" + ",".join(f"{HOST}:{node.port}" for node in nodes[:2]))


def test_a_worker_starts_while_its_cluster_is_down(servers: Servers) -> None:
    nodes = servers.cluster(3, 0)
    for node in nodes:
        node.pause()
    api = limited(f"redis+cluster://{HOST}:{nodes[0].port}", client="3/minute")
    assert api.get("/variants").status == 200
    assert skipped(api) == 1
    for node in nodes:
        node.resume()
    clients = [node.client() for node in nodes]
    until(lambda: api.get("/variants").status and any(client.keys(f"{KEY_PREFIX}:*") for client in clients), 60)


def test_limits_are_counted_behind_sentinels(servers: Servers) -> None:
    primary, *_ = servers.replicated(1)
    sentinels = servers.sentinels(primary)
    hosts = ",".join(f"{HOST}:{sentinel.port}" for sentinel in sentinels)
    assert_limits(f"redis+sentinel://{hosts}/games")


def test_the_documented_permissions_are_enough_for_limits(servers: Servers) -> None:
    _, command = (ROOT / "deploy" / "SIZING.md").read_text().split("ACL SETUSER games on >password ~lc:*")
    server = servers.valkey()
    client = server.client()
    client.execute_command("ACL", "SETUSER", "games", "on", ">s@cret", "~lc:*", *command.partition("\n\n")[0].split())
    client.execute_command("ACL", "SETUSER", "default", "off")
    client.close()
    assert_limits(f"redis://games:s%40cret@{HOST}:{server.port}")


def test_limits_work_with_a_unix_socket_and_a_database_number(store_url: str, valkey: Any) -> None:
    path = store_url.removeprefix("unix://").partition("?")[0]
    assert_limits(f"unix://{path}?db=3")
    assert not [*valkey.scan_iter(f"{KEY_PREFIX}:*")]
    valkey.execute_command("SELECT", 3)
    valkey.flushdb()


# Settings ----------------------------------------------------------------------------------------------------------


def test_limits_are_configured_by_name() -> None:
    settings = Settings.from_environment({"RATE_LIMITS": "client=600/minute, creation=10/hour;20 per 2 days"})
    assert settings.rate_limits == RateLimits(creation="10/hour;20 per 2 days", client="600/minute", token="")
    assert Settings.from_environment({"RATE_LIMITS": "off"}).rate_limits is None
    assert Settings.from_environment({}).rate_limits == DEFAULT_RATE_LIMITS


@pytest.mark.parametrize("text", ["60/minute;2000/day", "1/second", "20/2 seconds", "5 per 3 months", "7/year; 8/hour"])
def test_the_library_parses_every_accepted_limit(text: str) -> None:
    settings = Settings.from_environment({"RATE_LIMITS": f"client={text}"})
    assert settings.rate_limits
    assert len(parse_many(settings.rate_limits.client)) == text.count(";") + 1


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"RATE_LIMITS": "client=600/60"}, "'client=600/60' has no unit of time: write 'client=600/60 seconds'"),
        ({"RATE_LIMITS": "creation=9/hour,open=100"}, "open games are no longer limited: remove 'open=100'"),
        ({"RATE_LIMITS": "on"}, "must be 'off' or a list like"),
        ({"RATE_LIMITS": "client=0/minute"}, "must be 'off' or a list like"),
        ({"RATE_LIMITS": "client=5"}, "must be 'off' or a list like"),
        ({"RATE_LIMITS": "client="}, "must be 'off' or a list like"),
        ({"RATE_LIMITS": "client=5/fortnight"}, "must be 'off' or a list like"),
        ({"RATE_LIMITS": "everyone=5/minute"}, "must be 'off' or a list like"),
        ({"TRUSTED_PROXIES": "proxy.example"}, "must be a list like"),
        ({"TRUSTED_PROXIES": "10.0.0.1/8"}, "must be a list like"),
        ({"API_KEYS": "key_0123"}, "must be a list of SHA-256 hashes"),
        ({"LOG_LEVEL": "loud"}, "must be one of"),
    ],
)
def test_the_error_names_the_bad_setting(environment: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadSetting) as caught:
        Settings.from_environment(environment)
    assert str(caught.value).startswith(next(iter(environment)))
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
