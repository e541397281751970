"""What clients may take of the server."""

import resource
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """Bounds on clients. A visitor is an IPv4 address or an IPv6 network of 64 bits.

    connections: at the same time, of all. visitor_connections: of one visitor. visitor_requests: of one visitor, worked
    on at the same time; others wait.
    header_bytes, header_fields: of a request. requests: that one connection carries.
    idle_seconds: between requests. header_seconds: from the first byte of a request to the end of its header.
    stall_seconds, stall_bytes: so many bytes of a body or an answer must pass within so many seconds.
    unsent_bytes: of all answers that wait for slow readers.
    linger_seconds: how long what a client still sends is read and thrown away after the last answer, so that it reads
    the answer and not that the connection was reset.
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


USUAL = HttpLimits()

SPARE_FILES = 200
"""Open files that are left for databases, bots and the like."""


def open_files(wanted: int) -> int:
    """Let this process open files for so many connections; return how many connections there is room for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == resource.RLIM_INFINITY else max(1, min(wanted, soft - SPARE_FILES))
