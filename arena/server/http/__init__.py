"""An HTTP/1.1 server for ASGI applications, on trio and h11, for untrusted clients.

    server               serves an application on a port
    client_limits        limits on connections, bytes and times
    connection_registry  the open connections, and which of them is closed for a new one
    transport            the byte stream of a connection, with timeouts
    connection           the loop of one connection: read requests, send responses
    http_exchange        one request and its response, as the application sees them
    proxies              a proxy in front of the site: under which address people reach it, and who its clients are

Available servers for trio leave hostile clients to a proxy in front: none ends a body that never arrives, limits the
number of connections, or refuses a request with two lengths, and HTTP/2 without TLS, which no browser uses, cannot be
switched off. Like them, this one parses the protocol with h11.
"""
