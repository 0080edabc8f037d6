"""REDIS_URL and related settings: all forms, and the error message for each mistake."""

import pytest
from lostcities.config import BadSetting, Settings
from lostcities.store.address import parse


def test_one_primary() -> None:
    plain = parse("redis://example.com")
    assert (plain.kind, plain.tls, plain.hosts, plain.options) == ("primary", False, (("example.com", 6379),), {})
    full = parse("rediss://app:p%40ss%2Fword@[::1]:7000/3?client_name=games")
    assert (full.tls, full.hosts) == (True, (("::1", 7000),))
    assert full.options == {"username": "app", "password": "p@ss/word", "db": 3, "client_name": "games"}
    assert parse("redis://:secret@example.com").options == {"password": "secret"}


def test_a_unix_socket() -> None:
    address = parse("unix://app:secret@/run/my%20redis.sock?db=2")
    assert (address.path, address.hosts) == ("/run/my redis.sock", ())
    assert address.options == {"username": "app", "password": "secret", "db": 2}


def test_sentinel() -> None:
    address = parse("redis+sentinel://app:secret@one,two:5000,[::1]:5001/games/1?sentinel_password=other")
    assert (address.kind, address.service) == ("sentinel", "games")
    assert address.hosts == (("one", 26379), ("two", 5000), ("::1", 5001))
    assert address.options == {"username": "app", "password": "secret", "db": 1}
    assert address.sentinel_options == {"password": "other"}


def test_a_cluster() -> None:
    address = parse("rediss+cluster://app:secret@one,two:7001?ssl_cert_reqs=none")
    assert (address.kind, address.tls, address.hosts) == ("cluster", True, (("one", 6379), ("two", 7001)))
    assert address.options["ssl_cert_reqs"] == "none"


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("localhost:6379", "it must begin with redis://, "),
        ("http://localhost", "it must begin with redis://, "),
        ("redis://", "a host is missing"),
        ("redis://one,,two", "a host is missing"),
        ("redis://one,two", "several hosts are Sentinels or a cluster"),
        ("redis://one:0", "the port of one must be a whole number from 1 to 65535"),
        ("redis://one:port", "the port of one must be a whole number"),
        ("redis://one/two", "the database must be a whole number"),
        ("redis://one/1/2", "only the number of a database"),
        ("redis://app:hash#tag@one", "'%23'"),
        ("redis://app:sl/ash@one", "'%2F'"),
        ("redis://one?socket_timeout=9", "'socket_timeout' is not known with redis://"),
        ("redis://one?ssl_ca_certs=x", "'ssl_ca_certs' is not known with redis://"),
        ("rediss://one?ssl_ca_certs=/nowhere", "ssl_ca_certs: there is no file '/nowhere'"),
        ("rediss://one?ssl_cert_reqs=maybe", "ssl_cert_reqs must be one of required, optional, none, not 'maybe'"),
        ("redis://one?client_name=", "client_name has no value"),
        ("unix://run/redis.sock", "whole path"),
        ("redis+sentinel://one:26379", "name of the primary is missing"),
        ("redis+cluster://one/0", "a cluster has no numbered databases"),
    ],
)
def test_an_invalid_redis_url_is_a_bad_setting(url: str, sentence: str) -> None:
    with pytest.raises(BadSetting) as caught:
        Settings.from_environment({"REDIS_URL": url})
    assert str(caught.value).startswith("REDIS_URL: ")
    assert sentence in str(caught.value)
    assert "ash" not in str(caught.value), "passwords are not repeated"


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"DURABILITY": "disk"}, "DURABILITY must be one of memory, aof, replicated, not 'disk'"),
        ({"DURABILITY": "replicated"}, "DURABILITY=replicated needs a store with replicas: set REDIS_URL"),
        ({"REDIS_TIMEOUT": "1.5"}, "REDIS_TIMEOUT must be a whole number from 50 to 60000, not '1.5'"),
    ],
)
def test_other_invalid_settings_are_bad_settings(environment: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadSetting, match=f"^{sentence}$"):
        Settings.from_environment(environment)


def test_good_settings() -> None:
    settings = Settings.from_environment({"REDIS_URL": "redis://one", "DURABILITY": "aof", "REDIS_TIMEOUT": "900"})
    assert (settings.redis_url, settings.durability, settings.redis_timeout) == ("redis://one", "aof", 900)
    assert Settings.from_environment({}).durability == "memory"
