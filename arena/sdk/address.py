"""Where ARENA_ADDRESS points."""

from arena.sdk.call import CallLost


def split(address: str) -> str | tuple[str, int]:
    """Return the path of a unix socket ("unix:/run/x", "unix:///run/x"), or host and port ("host:port", "[::1]:port").

    Raises CallLost where it is neither.
    """
    if address.startswith("unix:"):
        path = address.removeprefix("unix:")
        return path.removeprefix("//")
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal():
        raise CallLost(f'ARENA_ADDRESS is "{address}", which is neither unix:/path nor host:port')
    return host.strip("[]"), int(port)
