"""Limits on what clients may use of the server."""

import resource
from collections.abc import Callable
from dataclasses import dataclass


def _is_never(_address: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """Limits on clients. A visitor is an IPv4 address or an IPv6 network of 64 bits."""

    connections: int = 1024
    """The largest number of connections that are open at the same time."""
    visitor_connections: int = 512
    """The largest number of connections of one visitor that are open at the same time."""
    visitor_requests: int = 16
    """The largest number of requests of one visitor that are handled at the same time; others wait."""
    header_bytes: int = 16 * 1024
    """The largest header of a request, in bytes."""
    header_fields: int = 100
    """The largest number of fields in the header of a request."""
    requests: int = 1000
    """The largest number of requests on one connection."""
    idle_seconds: float = 15.0
    """The longest time between two requests of a connection."""
    header_seconds: float = 10.0
    """The longest time from the first byte of a request to the end of its header."""
    stall_seconds: float = 10.0
    """The longest time in which `stall_bytes` of a body or a response pass."""
    stall_bytes: int = 32 * 1024
    """The number of bytes of a body or a response that must pass within `stall_seconds`."""
    unsent_bytes: int = 64 * 1024 * 1024
    """The largest number of unsent bytes of all responses that wait for slow readers."""
    linger_seconds: float = 5.0
    """How long the server reads and discards input after the last response, so that the client can read the response
    before the connection is reset.
    """
    is_proxy: Callable[[str], bool] = _is_never
    """Returns whether an address is that of a proxy, behind which there are many visitors."""


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
