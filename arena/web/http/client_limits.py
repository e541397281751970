"""Limits on what clients may use of the server."""

import resource
from collections.abc import Callable
from dataclasses import dataclass


def _is_never(_address: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """Limits on clients. A visitor is an IPv4 address or an IPv6 network of 64 bits.

    connections: open at the same time, in all. visitor_connections: the same, of one visitor. visitor_requests:
    requests of one visitor that are handled at the same time; others wait.
    header_bytes, header_fields: of a request. requests: on one connection.
    idle_seconds: between requests. header_seconds: from the first byte of a request to the end of its header.
    stall_seconds, stall_bytes: this many bytes of a body or a response must pass within this time.
    unsent_bytes: of all responses that wait for slow readers.
    linger_seconds: how long the server reads and discards input after the last response, so that the client can read
    the response before the connection is reset.
    is_proxy: tells of an address whether it is that of a proxy, behind which there are many visitors.
    """

    connections: int = 1024
    visitor_connections: int = 512
    visitor_requests: int = 16
    header_bytes: int = 16 * 1024
    header_fields: int = 100
    requests: int = 1000
    idle_seconds: float = 15.0
    header_seconds: float = 10.0
    stall_seconds: float = 10.0
    stall_bytes: int = 32 * 1024
    unsent_bytes: int = 64 * 1024 * 1024
    linger_seconds: float = 5.0
    is_proxy: Callable[[str], bool] = _is_never


DEFAULT_LIMITS = HttpLimits()

SPARE_FILES = 200
"""Open files that are reserved for databases, bots and so on."""


def raise_file_limit(wanted: int) -> int:
    """Raise the limit on open files for `wanted` connections; return the number of connections that is possible."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == resource.RLIM_INFINITY else max(1, min(wanted, soft - SPARE_FILES))
