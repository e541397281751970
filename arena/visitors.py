"""Whom connections are counted for."""

import ipaddress


def visitor_key(address: str) -> str:
    """Return whom connections from an address are counted for: an IPv6 network of 64 bits is one visitor."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))
