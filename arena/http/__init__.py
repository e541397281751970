"""An HTTP/1.1 server for ASGI applications, on trio and h11, for untrusted clients.

    server               serves an application on a port
    lifespan             the start and the end of an application
    client_limits        limits on connections, bytes and times
    connection_registry  the open connections, and which of them is closed for a new one
    transport            the byte stream of a connection, with timeouts
    connection           the loop of one connection: read requests, send responses
    exchange             one request and its response, as the application sees them

Other rooms import the names below and no module. The server knows of an application only that it is an ASGI callable.
Hypercorn and anycorn, which run such applications on trio too, do not hold against hostile clients, for six packages
more: docs/architecture.md has the figures. Only the owner of a socket can mend that.
"""

from arena.http.client_limits import DEFAULT_LIMITS, HttpLimits
from arena.http.connection_registry import LifoSemaphore
from arena.http.server import listening, serve

__all__ = ["DEFAULT_LIMITS", "HttpLimits", "LifoSemaphore", "listening", "serve"]
