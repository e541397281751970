"""Which URLs and addresses webhooks may reach: owners choose them, and must not reach what only this machine can.

A host name is resolved once for each attempt, all its addresses are checked, and the connection goes to one of these:
what the name leads to later does not matter.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from arena_webhooks.rows import WebhookRefused

LONGEST_URL = 1000
"""Characters."""

HTTPS_PORT, HTTP_PORT = 443, 80

FIRST_FREE_PORT = 1024
"""Lower ports but that of HTTPS belong to other services."""

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
"""The hosts to which http:// may be spoken, where the organiser lets webhooks reach this machine."""

GLOBAL_IPV6 = IPv6Network("2000::/3")
"""The addresses that are assigned to hosts of the internet; what is not in it is special."""

SPECIAL_IPV4 = tuple(
    map(
        IPv4Network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
            *("192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24"),
            *("192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
            *("224.0.0.0/4", "240.0.0.0/4"),
        ),
    )
)
SPECIAL_IPV6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")))
"""Networks of the special-purpose registries of IANA; 2002::/16 and 2001::/32 have IPv4 addresses in theirs."""

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


@dataclass(frozen=True, slots=True)
class Destination:
    """What a URL names."""

    is_secure: bool
    """Whether it is reached by https."""
    host: str
    """The host, without brackets."""
    port: int
    target: str
    """The path and the query."""

    @property
    def authority(self) -> str:
        """The host and the port, as the header Host has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (HTTPS_PORT if self.is_secure else HTTP_PORT) else f"{host}:{self.port}"


def parse_url(url: str) -> Destination:
    """Return what the URL of a webhook names. Raises WebhookRefused if it is none that can be used anywhere."""
    shown = repr(url[:80])
    if not url.isascii() or not url.isprintable() or set(url) & set(' "<>\\^`{|}') or len(url) > LONGEST_URL:
        raise WebhookRefused(
            f"{shown} is no URL: at most {LONGEST_URL} ASCII characters without spaces; "
            "write other letters as in xn--bcher-kva.example and %C3%BC"
        )
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port, parts = "", None, urlsplit("")
    if not host or parts.scheme not in ("https", "http"):
        raise WebhookRefused(f"{shown} is no URL for a webhook: write https://example.org/path")
    if parts.username is not None or parts.password is not None or "#" in url:
        raise WebhookRefused(f"{shown} has a user or a fragment: a signature replaces passwords")
    is_secure = parts.scheme == "https"
    if not is_secure and host not in LOCAL_HOSTS:
        raise WebhookRefused(f"{shown} must begin with https://: webhooks are sent by TLS alone")
    if not is_secure:
        port = HTTP_PORT if port is None else port
    elif port is None:
        port = HTTPS_PORT
    elif port != HTTPS_PORT and port < FIRST_FREE_PORT:
        raise WebhookRefused(f"{shown} names port {port}: webhooks reach {HTTPS_PORT} and {FIRST_FREE_PORT} to 65535")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Destination(is_secure, host, port, target)


@dataclass(frozen=True, slots=True)
class AddressRules:
    """What the organiser lets webhooks reach beside the internet."""

    networks: Sequence[Network] = ()
    """The networks that may be reached although they are not public."""
    local: bool = False
    """Whether this machine may be reached, also by http://."""

    def check(self, url: str) -> Destination:
        """Return what a URL names. Raises WebhookRefused if it cannot be used here, whatever its host leads to."""
        destination = parse_url(url)
        if not destination.is_secure and not self.local:
            raise WebhookRefused(f"{url[:80]!r} must begin with https://: webhooks are sent by TLS alone")
        try:
            address = ip_address(destination.host)
        except ValueError:
            return destination
        if not self.allows(address):
            raise WebhookRefused(f"{url[:80]!r} leads to no public address")
        return destination

    def allows(self, address: Address) -> bool:
        """Return whether an address may be reached."""
        if getattr(address, "scope_id", None) is not None:
            return False
        if address.is_loopback and self.local:
            return True
        if any(address.version == network.version and address in network for network in self.networks):
            return True
        if isinstance(address, IPv6Address):
            return address in GLOBAL_IPV6 and not any(address in network for network in SPECIAL_IPV6)
        return not any(address in network for network in SPECIAL_IPV4)
