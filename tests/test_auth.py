"""The client's address behind proxies, and API keys. tests/security has the tests of their permissions."""

from ipaddress import ip_network

import pytest
from flask import Flask
from lostcities.api.request import bearer_token
from lostcities.auth import client_address, hash_api_key, is_known_key, new_api_key, resolve_address

PROXIES = (ip_network("127.0.0.0/8"), ip_network("10.0.0.0/8"), ip_network("fd00::/8"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.7", "6.6.6.6", "203.0.113.7"),
        ("10.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("10.0.0.1", "203.0.113.9, 203.0.113.7, 10.0.0.2", "203.0.113.7"),
        ("10.0.0.1", "203.0.113.9, nonsense", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("::ffff:10.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("fd00::1", "2001:db8:0:1::5", "2001:db8:0:1::/64"),
        ("2001:db8:0:1::6", "", "2001:db8:0:1::/64"),
        (None, "203.0.113.7", "unknown"),
    ],
)
def test_the_client_is_the_last_address_that_is_not_a_trusted_proxy(
    peer: str | None, forwarded: str, address: str
) -> None:
    assert resolve_address(peer, forwarded, PROXIES) == address


@pytest.mark.parametrize(
    ("header", "token"),
    [("Bearer abc", "abc"), ("bearer  abc ", "abc"), ("Basic abc", ""), ("Bearer", ""), ("", "")],
)
def test_the_token_and_the_address_of_a_request(header: str, token: str) -> None:
    headers = {"Authorization": header, "X-Forwarded-For": "203.0.113.7"}
    with Flask("test").test_request_context(headers=headers, environ_base={"REMOTE_ADDR": "10.0.0.1"}):
        assert bearer_token() == token
        assert client_address(PROXIES) == "203.0.113.7"


def test_a_key_is_known_by_its_hash() -> None:
    keys = [new_api_key() for _ in range(3)]
    hashes = [hash_api_key(key) for key in keys[:2]]
    assert [is_known_key(key, hashes) for key in keys] == [True, True, False]
    assert not is_known_key(hashes[0], hashes)
    assert not is_known_key("", hashes)
