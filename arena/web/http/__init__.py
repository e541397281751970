"""An HTTP/1.1 server for ASGI applications, on trio and h11, for clients that nobody trusts.

    limits      what clients may take: connections, bytes, seconds
    registry    who is connected, and who has to go for a newcomer
    transport   a stream whose other side has to keep up
    connection  one connection: requests in, answers out
    exchange    one request and its answer, as the application sees them

The servers for trio that one can install leave bad clients to a proxy in front: none ends a body that never comes,
counts connections, refuses a request of two lengths, or can be kept from speaking HTTP/2 without TLS, which no browser
does. As in them h11 reads the protocol; what is around it is here.
"""
