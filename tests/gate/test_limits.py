"""Limits: how often a client, a token and a creator may ask, and how many games one may have open."""

import time
from typing import Any

import pytest

from service.app import create_app
from service.config import GENEROUS, BadSetting, Rate, Settings
from service.gate.limits import SHARE, Limits, Policy
from service.store.embedded import EmbeddedStore
from tests.client import Answer, Client, sit_down
from tests.conftest import client_of

DUEL = {"variant": "duel", "players": ["Ann", "Ben"]}


@pytest.fixture(autouse=True)
def _fresh(valkey: Any) -> None:
    """Nobody has asked anything yet."""
    for key in valkey.scan_iter("lc:limit:*"):
        valkey.delete(key)
    for key in valkey.scan_iter("lc:open:*"):
        valkey.delete(key)


def limited(store_url: str, proxies: str = "", **limits: Any) -> Client:
    """A service whose limits differ from the generous ones."""
    proxy = Settings.from_environment({"TRUSTED_PROXIES": proxies}).trusted_proxies
    return client_of(
        create_app(Settings(redis_url=store_url, rate_limits=GENEROUS._replace(**limits), trusted_proxies=proxy))
    )


def assert_refused(answer: Answer, code: str = "too-many-requests") -> None:
    assert (answer.status, answer.code) == (429, code)
    assert 1 <= int(answer.headers["Retry-After"]) <= 60


def test_a_client_that_asks_too_often_is_told_when_to_come_back(store_url: str) -> None:
    api = limited(store_url, client=Rate(5, 60))
    answers = [api.get("/variants") for _ in range(5)]
    assert {answer.status for answer in answers} == {200}
    assert [answer.headers["RateLimit"] for answer in answers] == [
        f'"client";r={left};t={12 * (5 - left)}' for left in (4, 3, 2, 1, 0)
    ]
    assert answers[0].headers["RateLimit-Policy"] == '"client";q=5;w=60'
    refused = api.get("/variants")
    assert_refused(refused)
    assert 11 <= int(refused.headers["Retry-After"]) <= 12
    assert refused.headers["RateLimit"] == '"client";r=0;t=60'
    assert api.get("/livez").status == api.get("/readyz").status == api.get("/metrics").status == 200


def test_a_bucket_refills_steadily(store_url: str) -> None:
    api = limited(store_url, client=Rate(10, 1))
    while api.get("/variants").status == 200:
        pass
    time.sleep(0.35)
    assert [api.get("/variants").status for _ in range(2)] == [200, 200]


def test_all_processes_count_together(store_url: str) -> None:
    one, two = limited(store_url, client=Rate(6, 60)), limited(store_url, client=Rate(6, 60))
    statuses = [api.get("/variants").status for _ in range(4) for api in (one, two)]
    assert statuses == [200] * 6 + [429] * 2


def test_creation_is_stricter_and_alone_affected(store_url: str) -> None:
    api = limited(store_url, creation=Rate(2, 60))
    game = sit_down(api)
    assert api.post("/games", DUEL).status == 201
    refused = api.post("/games", DUEL)
    assert_refused(refused)
    assert '"creation";q=2;w=60' in refused.headers["RateLimit-Policy"]
    assert game.get("", token=game.host).status == 200


def test_a_token_has_a_bucket_of_its_own(store_url: str) -> None:
    api = limited(store_url, token=Rate(3, 60))
    game = sit_down(api)
    assert [game.get("", token=game.seats[0]).status for _ in range(4)] == [200, 200, 200, 429]
    assert game.get("", token=game.seats[1]).status == 200
    assert game.get("").status == 200


def test_a_refused_request_changes_nothing(store_url: str, valkey: Any) -> None:
    api = limited(store_url, creation=Rate(1, 60))
    sit_down(api)
    before = {*valkey.scan_iter("lc:{*")}
    assert_refused(api.post("/games", DUEL, key="again"))
    assert {*valkey.scan_iter("lc:{*")} == before


# Open games --------------------------------------------------------------------------------------------------------


def test_open_games_are_limited_until_they_end(store_url: str) -> None:
    api = limited(store_url, open=2)
    first, second = sit_down(api), sit_down(api, options={"max_turns": 1})
    assert_refused(api.post("/games", DUEL), "too-many-games")
    api.delete(first.path, token=first.host)
    third = sit_down(api)
    assert_refused(api.post("/games", DUEL), "too-many-games")
    card = second.get("?seat=0", token=second.host).body["position"]["hands"][0][0]
    second.do(f"discard {card}", "draw deck")
    assert second.get("").body["status"] == "finished"
    assert sit_down(api).id != third.id
    assert_refused(api.post("/games", DUEL), "too-many-games")


def test_a_retried_creation_is_one_open_game(store_url: str) -> None:
    api = limited(store_url, open=1)
    first, again = (api.post("/games", DUEL, key="one-open-game") for _ in range(2))
    assert (first.status, again.status) == (201, 201)
    assert first.body["id"] == again.body["id"]


# Who is who --------------------------------------------------------------------------------------------------------


def ask(api: Client, forwarded: str) -> int:
    return api.get("/variants", headers={"X-Forwarded-For": forwarded}).status


def test_without_trusted_proxies_a_client_cannot_pretend_to_be_another(store_url: str) -> None:
    api = limited(store_url, client=Rate(2, 60))
    assert [ask(api, f"203.0.113.{n}") for n in range(4)] == [200, 200, 429, 429]


def test_behind_trusted_proxies_clients_are_told_apart(store_url: str) -> None:
    api = limited(store_url, "127.0.0.0/8, 10.0.0.0/8", client=Rate(2, 60))
    assert [ask(api, "203.0.113.1, 10.0.0.7") for _ in range(3)] == [200, 200, 429]
    assert ask(api, "203.0.113.2, 10.0.0.7") == 200
    assert ask(api, "203.0.113.9, 203.0.113.1") == 429, "what the client itself wrote counts for nothing"


def test_one_home_is_one_client_in_ipv6(store_url: str) -> None:
    api = limited(store_url, "127.0.0.1", client=Rate(2, 60))
    assert [ask(api, f"2001:db8:0:1::{n:x}") for n in range(1, 4)] == [200, 200, 429]
    assert ask(api, "2001:db8:0:2::1") == 200


# The cost, and the store away --------------------------------------------------------------------------------------


def test_a_busy_client_costs_a_round_trip_in_a_hundred_requests_or_so(valkey: Any) -> None:
    sent = []

    def send(key: str, command: tuple[Any, ...]) -> Any:
        sent.append(key)
        return valkey.execute_command(*command)

    limits = Limits(send, lambda: None)
    policy = Policy("client", Rate(60_000, 60))
    standings = [limits.take(policy, "somebody") for _ in range(1200)]
    assert all(standing and standing.allowed for standing in standings)
    assert len(sent) <= 1 + 1200 // (60_000 // SHARE) + 1
    assert not [key for key in sent if "somebody" in key]


def test_a_refused_client_costs_no_round_trip_until_its_time_has_come(valkey: Any) -> None:
    sent = []

    def send(key: str, command: tuple[Any, ...]) -> Any:
        sent.append(key)
        return valkey.execute_command(*command)

    limits = Limits(send, lambda: None)
    policy = Policy("client", Rate(1, 60))
    assert [bool(standing and standing.allowed) for standing in (limits.take(policy, "x") for _ in range(50))].count(
        True
    ) == 1
    assert len(sent) <= 3


def test_without_the_store_nobody_is_limited_and_it_is_counted(tmp_path: Any) -> None:
    store = EmbeddedStore(tmp_path)
    store.start()
    api = limited(store.url, client=Rate(2, 60))
    assert api.get("/variants").status == 200
    store.stop()
    began = time.monotonic()
    assert {api.get("/variants").status for _ in range(20)} == {200}
    assert time.monotonic() - began < 2
    metrics = api.get("/metrics").content.decode()
    assert "lostcities_limits_skipped_total 2" in metrics or "lostcities_limits_skipped_total 1" in metrics


def test_refusals_are_counted_by_policy(store_url: str) -> None:
    api = limited(store_url, client=Rate(1, 60))
    for _ in range(3):
        api.get("/variants")
    assert 'lostcities_requests_limited_total{policy="client"} 2.0' in api.get("/metrics").content.decode()


# Settings ----------------------------------------------------------------------------------------------------------


def test_limits_are_configured_by_name() -> None:
    settings = Settings.from_environment({"RATE_LIMITS": "client=600/60, creation=10/3600,open=5"})
    assert settings.rate_limits == GENEROUS._replace(client=Rate(600, 60), creation=Rate(10, 3600), open=5)
    assert Settings.from_environment({"RATE_LIMITS": "off"}).rate_limits is None


@pytest.mark.parametrize(
    "environment",
    [
        {"RATE_LIMITS": "on"},
        {"RATE_LIMITS": "client=0/60"},
        {"RATE_LIMITS": "client=5"},
        {"RATE_LIMITS": "open=1/60"},
        {"TRUSTED_PROXIES": "proxy.example"},
        {"TRUSTED_PROXIES": "10.0.0.1/8"},
        {"API_KEYS": "key_0123"},
        {"LOG_LEVEL": "loud"},
    ],
)
def test_a_bad_setting_is_named(environment: dict[str, str]) -> None:
    with pytest.raises(BadSetting, match=next(iter(environment))):
        Settings.from_environment(environment)
