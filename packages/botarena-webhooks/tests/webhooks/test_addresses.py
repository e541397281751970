"""Which URLs and addresses webhooks may reach."""

from ipaddress import ip_address, ip_network

import pytest
from arena_webhooks.addresses import AddressRules, Destination, parse_url
from arena_webhooks.rows import WebhookRefused

RULES = AddressRules()

REFUSED = (
    *("0.0.0.0", "10.0.0.1", "127.0.0.1", "127.9.9.9", "169.254.169.254", "172.16.0.1", "172.31.255.255"),
    *("192.168.1.1", "100.64.0.1", "100.127.255.255", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.19.255.255"),
    *("198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::8.8.8.8", "fe80::1", "fe80::1%2", "fec0::1", "fc00::1"),
    *("fd12:3456::1", "ff02::1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1"),
    *("2002:a9fe:a9fe::1", "3fff::1", "5f00::1"),
)

PUBLIC = ("8.8.8.8", "1.1.1.1", "100.63.255.255", "100.128.0.1", "172.32.0.1", "2606:4700::1111", "2001:4860::8888")


@pytest.mark.parametrize("address", REFUSED)
def test_what_only_this_machine_or_its_network_can_reach_is_refused(address: str) -> None:
    assert not RULES.allows(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_allowed(address: str) -> None:
    assert RULES.allows(ip_address(address))


def test_the_organiser_allows_more() -> None:
    rules = AddressRules([ip_network("10.1.0.0/16"), ip_network("fd00::/8")])
    assert [rules.allows(ip_address(each)) for each in ("10.1.2.3", "10.2.0.1", "fd00::1", "::ffff:10.1.2.3")] == [
        True,
        False,
        True,
        False,
    ]
    local = AddressRules(local=True)
    assert [local.allows(ip_address(each)) for each in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1")] == [
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("http://example.org/", "must begin with https://"),
        ("http://localhost:8000/", "must begin with https://"),
        ("ftp://example.org/", "is no URL for a webhook"),
        ("file:///etc/passwd", "is no URL for a webhook"),
        ("https:///path", "is no URL for a webhook"),
        ("example.org", "is no URL for a webhook"),
        ("", "is no URL for a webhook"),
        ("https://user:word@example.org/", "a user or a fragment"),
        ("https://example.org@10.0.0.1/", "a user or a fragment"),
        ("https://example.org/#part", "a user or a fragment"),
        ("https://example.org:22/", "names port 22"),
        ("https://example.org:0/", "names port 0"),
        ("https://example.org:99999/", "is no URL for a webhook"),
        ("https://[::1", "is no URL for a webhook"),
        ("https://exam\nple.org/", "is no URL"),
        ("https://exam ple.org/", "is no URL"),
        ("https://example.org/\r\nHost: other", "is no URL"),
        ("https://bücher.example/", "is no URL"),
        ("https://example.org\\@10.0.0.1/", "is no URL"),
        ("https://example.org/" + "x" * 1000, "is no URL"),
        ("https://10.0.0.1/", "leads to no public address"),
        ("https://[::ffff:169.254.169.254]/", "leads to no public address"),
        ("https://[fe80::1%25eth0]/", "leads to no public address"),
    ],
)
def test_other_urls_are_refused(url: str, sentence: str) -> None:
    with pytest.raises(WebhookRefused, match=sentence):
        RULES.check(url)


def test_what_a_url_names() -> None:
    assert RULES.check("https://Example.org") == Destination(True, "example.org", 443, "/")
    assert RULES.check("https://[2606:4700::1111]:8443/a?b=c").authority == "[2606:4700::1111]:8443"
    assert RULES.check("https://8.8.8.8:443/a;b?c").authority == "8.8.8.8"
    local = AddressRules(local=True).check("http://127.0.0.1:8080/x")
    assert (local.is_secure, local.authority) == (False, "127.0.0.1:8080")
    assert parse_url("http://localhost/").port == 80
